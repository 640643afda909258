/*
 * table.h - what the tests of the command line do over and over at a testbed (testbed.h).
 */
#ifndef MOLEPOST_TESTS_TABLE_H
#define MOLEPOST_TESTS_TABLE_H

#include "tests/support/testbed.h"

/*
 * A game of Whakka Mole between these people ("ann bob"), the first of whom creates it, up to the
 * report of turn 1. The game gets the next number of the testbed.
 */
void table_begin(struct testbed *s, const char *people);
/* The same with a CREATE of one's own ("create whakka mole players 2 grace 12H"). */
void table_found(struct testbed *s, const char *people, const char *create);
/* A new testbed in memory at which ann has made W1 with this CREATE and bob has joined it. */
struct testbed *table_of_two(const char *seed, const char *create);
/* Each answers the last mail with orders that are always legal in turn 1. No run. */
void table_order(struct testbed *s, const char *people);

/*
 * A report arrives that a mail to this person was "delayed" or has "failed", with a status such as
 * 5.1.1. sender: of that mail's envelope.
 */
void testbed_bounce(struct testbed *s, const char *sender, const char *who, const char *action,
                    const char *status, int64_t arrived_utc);

/* Takes the place of the sink line in the configuration. */
void testbed_sink(struct testbed *s, const char *url);
/* The same: "smtp://USER127.0.0.1:PORT/OPTIONS". */
void testbed_smtp(struct testbed *s, const char *user, unsigned port, const char *options);

/* Runs the command, wants this exit code, keeps nothing. */
void expect_code(struct testbed *s, const char *words, int code);
/*
 * Runs the command, wants this exit code and this text in what it printed (either stream);
 * NULL: nothing printed at all.
 */
void expect(struct testbed *s, const char *words, int code, const char *text);
/* `molepost fsck` finds nothing. */
void expect_sound(struct testbed *s);
/* The same as expect with one "NAME=value" more in the environment. */
void expect_env(struct testbed *s, const char *words, const char *env, int code,
                const char *text);
/* What it prints on standard output; exit code 0 wanted. Free with free(). */
char *output_of(struct testbed *s, const char *words);
/* Number of mails in a folder of the testbed, such as "mail/new". */
size_t files_in(struct testbed *s, const char *folder);
/* Whether these bytes stand anywhere in a file of the testbed. */
bool file_has(struct testbed *s, const char *name, const char *bytes);
/* SHA-256 over names, modes and bytes of all files below this folder of the testbed. */
char *fingerprint_of(struct testbed *s, const char *folder);
/*
 * From here on the testbed's commands run as somebody without rights: for root, whom no mode stops, as
 * another user, who then owns the testbed. Nothing changes for others.
 */
void testbed_without_rights(struct testbed *s);
/* That gives everything to that user before each command; from here on nothing. */
void testbed_stays_without_rights(struct testbed *s);
/* The same with a user of this number, whom nobody else's processes count for. */
void testbed_as_user(struct testbed *s, int uid);
/* "The word" behind "label ": the first word that follows the text in a mail, free with free(). */
char *word_behind(const char *text, const char *label);

#endif
