/*
 * parse_child.h - a test program that is its own parsing child.
 */
#ifndef MOLEPOST_TESTS_SUPPORT_PARSE_CHILD_H
#define MOLEPOST_TESTS_SUPPORT_PARSE_CHILD_H

/*
 * The program to give to parser_new(). Calling this links in what makes it serve as the child.
 */
const char *parse_child_exe(void);

#endif
