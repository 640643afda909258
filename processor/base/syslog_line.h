/*
 * syslog_line.h - a line into the system's log. Apart, since <syslog.h> has names that log.h uses.
 */
#ifndef MOLEPOST_BASE_SYSLOG_LINE_H
#define MOLEPOST_BASE_SYSLOG_LINE_H

/* As "molepost", facility mail, level info; lost without a word where nobody listens. */
void syslog_line(const char *line);

#endif
