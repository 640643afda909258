/*
 * cell.h - the walls that a child puts around itself before it reads what strangers send.
 *
 * A mail that takes the child over finds itself in a process which can read its standard input,
 * write its standard output, and ask for memory; that of a server, besides, has the connection to it. Each wall is the kernel's, stands until the end
 * of the process, and holds without the others; where the kernel has not all of them the child
 * works behind the rest, and says which.
 *
 *	no_new_privs   nothing that is started gets more rights
 *	Landlock       files, TCP and signals (5.13, 6.7 and 6.12 of Linux)
 *	seccomp        system calls, from a list of those that are allowed; all others are unknown here
 *	               (ENOSYS), for which libraries have another way where there is one
 *
 * Private to mail/. Under a sanitizer, which looks at its own process, there are no walls.
 */
#ifndef MOLEPOST_MAIL_CHILD_CELL_H
#define MOLEPOST_MAIL_CHILD_CELL_H

#include <stdbool.h>

#include "mail/parser.h"
#include "processor/base/err.h"

/*
 * For good. `ca_file`: this child speaks with a server, and reads the system's certificates and, unless it
 * is "", this file of them. NULL: this is the starter of the parsing children, which reads no file and may
 * fork. Gives the walls that stand now, a set of enum cell_wall.
 */
unsigned cell_enter(const char *ca_file);
/*
 * In a child that the starter has forked: what only the starter may is forbidden for good, first of
 * all to fork. `walls` is what cell_enter gave. False: that failed, and no mail may be read.
 */
bool cell_enter_forked(unsigned walls) MUST_CHECK;

#endif
