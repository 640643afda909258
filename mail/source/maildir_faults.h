/*
 * maildir_faults.h - the files of a Maildir that make trouble, remembered from run to run.
 *
 * A file that cannot be read is tried in SOURCE_MOST_TRIES runs and then given up; one that has been
 * dealt with but cannot be moved out of new/ is left out of the list from then on. So neither keeps the
 * other mails, and with them all deadlines, waiting for good. Private to mail/source.
 *
 * As a text: lines "unread TRIES NAME" and "stuck 0 NAME", the name in hex digits, for it can be any
 * bytes.
 */
#ifndef MOLEPOST_MAIL_SOURCE_MAILDIR_FAULTS_H
#define MOLEPOST_MAIL_SOURCE_MAILDIR_FAULTS_H

#include <stdbool.h>

#include "mail/source.h"

struct maildir_fault {
	char *name; /* base name, up to ':' */
	unsigned tries;
	bool counted; /* in this run */
	bool is_stuck;
};

struct maildir_faults {
	struct maildir_fault *items;
	size_t n, cap;
};

/* Lines that are none are passed over: at worst a file is tried, or told of, once more. */
void maildir_faults_read(struct maildir_faults *f, struct span text);
/* Appends the text, without those that are in `done`. */
void maildir_faults_write(const struct maildir_faults *f, const struct source_mail *const *done,
                          size_t n, struct strbuf *text);
void maildir_faults_release(struct maildir_faults *f);

/* It could not be read: in how many runs by now. */
unsigned maildir_faults_count(struct maildir_faults *f, struct span name);
/* It could not be moved. The list is short: what does not fit is listed, and known again, in each run. */
void maildir_faults_add_stuck(struct maildir_faults *f, struct span name);
bool maildir_faults_is_stuck(const struct maildir_faults *f, struct span name);
/* It makes no trouble any more. */
void maildir_faults_forget(struct maildir_faults *f, struct span name);

#endif
