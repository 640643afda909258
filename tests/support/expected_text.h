/*
 * expected_text.h - what a text is expected to be, some of it left out.
 *
 * A line `...` stands for any number of lines, none included. A line of the text that is itself `...`, or begins
 * with "==== " or a backslash, is written behind a backslash.
 */
#ifndef MOLEPOST_TESTS_EXPECTED_TEXT_H
#define MOLEPOST_TESTS_EXPECTED_TEXT_H

#include "processor/base/span.h"
#include "processor/base/strbuf.h"

bool expected_text_fits(struct span expected, struct span text);
/* The lines that differ, behind "- " (expected) and "+ " (came), each with its neighbours. */
void expected_text_diff(struct span expected, struct span text, struct strbuf *out);
/*
 * The text as an expected one that fits it, with those `...` of the old one that stand beside nothing that
 * changed: a line of the old one that is gone is followed by the line most like it, and where there is none,
 * what `...` beside it stands for is written in full.
 */
void expected_text_renew(struct span old, struct span text, struct strbuf *out);
/* One line of a text as it is written in an expected one, with the LF. */
void expected_text_add_line(struct span line, struct strbuf *out);
/* The line of a text that stands in this line of an expected one. */
struct span expected_text_line(struct span line);

#endif
