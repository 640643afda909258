/*
 * parse_child.c - serves as the parsing child before main() and Criterion wake up.
 */
#include "tests/support/parse_child.h"

#include <stdlib.h>
#include <string.h>

#include "mail/parser.h"

/* glibc hands main's arguments to constructors too. */
__attribute__((constructor)) static void serve_as_child(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], PARSER_CHILD_COMMAND) == 0)
		exit(parser_child_main(argc, argv));
}

const char *parse_child_exe(void)
{
	return "/proc/self/exe";
}
