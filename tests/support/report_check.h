/*
 * report_check.h - what must hold for every mail we write, and golden texts.
 */
#ifndef MOLEPOST_TESTS_REPORT_CHECK_H
#define MOLEPOST_TESTS_REPORT_CHECK_H

#include "reports/report.h"

/*
 * Fails the test unless: the marker is the first line; every line has at most
 * 72 columns, no control characters, no blank at its end; no line outside
 * "| " and "> " begins with a command word or an order of the sample game; the
 * subject is one line that begins with no command word.
 */
void check_letter(const char *name, const struct report_out *l);
/* The same for a body without marker and subject. */
/* The same for a reader whose lines have so many columns. */
void check_lines_of(const char *name, struct span body, size_t cols);
void check_lines(const char *name, struct span body);

/*
 * Compares with tests/unit/golden/NAME.txt (subject, empty line, body). UPDATE=1
 * in the environment writes the file instead.
 */
void check_golden(const char *name, const struct report_out *l);

#endif
