/*
 * syslog_line.c - syslog(3).
 */
#include "processor/base/syslog_line.h"

#include <syslog.h>

void syslog_line(const char *line)
{
	openlog("molepost", LOG_PID, LOG_MAIL);
	syslog(LOG_INFO, "%s", line);
}
