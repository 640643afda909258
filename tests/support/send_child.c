/*
 * send_child.c - serves as the sending child before main() and Criterion wake up.
 */
#include "tests/support/send_child.h"

#include <stdlib.h>
#include <string.h>

#include "mail/sink/sender.h"

/* glibc hands main's arguments to constructors too. */
__attribute__((constructor)) static void serve_as_child(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], SEND_CHILD_COMMAND) == 0)
		exit(send_child_main());
}

void send_child_use(void)
{
}
