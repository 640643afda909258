/*
 * press_recipients.h - one message being dealt with: between press.c and press_recipients.c.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_PRESS_RECIPIENTS_H
#define MOLEPOST_PROCESSOR_REQUEST_PRESS_RECIPIENTS_H

#include "processor/match/press.h"
#include "processor/request/request.h"

enum { PRESS_NOTES = 2 * MAX_SEATS + 4 };

struct press_request {
	struct request *req;
	const struct command *item;
	struct match *match;
	struct seat *seat; /* the writer */
	struct press_rules rules;
	struct press press;             /* `seats`: all who get it */
	unsigned entry;                 /* the number a diary entry will have */
	const char *notes[PRESS_NOTES]; /* for the receipt */
	size_t nnotes;
	size_t nlater; /* of them: who gets it later; nothing that must be known at once */
};

/* One more sentence for the receipt. */
void press_add_note(struct press_request *p, const char *text);

/*
 * Reads the names and seats the writer has put down; "all" makes it a message to all. A
 * sentence when somebody is not known, else NULL.
 */
const char *press_read_names(struct press_request *p, uint32_t *named);
/*
 * Who of them gets it. What is the matter with those who were named one by one is noted; of
 * "all" it goes without saying.
 */
void press_choose_readers(struct press_request *p, uint32_t named);

#endif
