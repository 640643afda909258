/*
 * child_limits.h - limits that a process puts on itself before it touches what strangers send.
 * Private to mail/.
 */
#ifndef MOLEPOST_MAIL_CHILD_CHILD_LIMITS_H
#define MOLEPOST_MAIL_CHILD_CHILD_LIMITS_H

#include <sys/resource.h>

/* For good, as far as the limit is not lower already. */
void child_limit(__rlimit_resource_t what, rlim_t most);
/* Can be moved on later. */
void child_limit_for_now(__rlimit_resource_t what, rlim_t most);
/* Address space and core files. A sanitizer's shadow alone is larger, so there no memory limit. */
void child_limit_memory(rlim_t bytes);

#endif
