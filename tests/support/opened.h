/*
 * opened.h - in which order a run opens what matters: was a child there before there was a key?
 */
#ifndef MOLEPOST_TESTS_SUPPORT_OPENED_H
#define MOLEPOST_TESTS_SUPPORT_OPENED_H

#include "tests/support/testbed.h"

/*
 * Runs `molepost run` of a program of its own (a copy), which must end with 0. Appends a word each time
 * one of these is opened: "program" (it was started, by us or as a child), "config", "key",
 * "database". The same one several times in a row may be one word.
 */
void opened_by_run(struct testbed *s, struct strbuf *out);

#endif
