/*
 * child_limits.c - resource limits.
 */
#include "mail/child/child_limits.h"

#include <stdbool.h>

#include "processor/base/sanitized.h"

static void limit(__rlimit_resource_t what, rlim_t most, bool for_good)
{
	struct rlimit r;

	if (getrlimit(what, &r) != 0)
		return;
	if (r.rlim_max != RLIM_INFINITY && most > r.rlim_max)
		most = r.rlim_max;
	r.rlim_cur = most;
	if (for_good)
		r.rlim_max = most;
	setrlimit(what, &r);
}

void child_limit(__rlimit_resource_t what, rlim_t most)
{
	limit(what, most, true);
}

void child_limit_for_now(__rlimit_resource_t what, rlim_t most)
{
	limit(what, most, false);
}

void child_limit_memory(rlim_t bytes)
{
	if (!IS_SANITIZED)
		child_limit(RLIMIT_AS, bytes);
	child_limit(RLIMIT_CORE, 0);
}
