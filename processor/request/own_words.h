/*
 * own_words.h - which unquoted lines of a mail are the writer's own.
 *
 * Some programs quote without any mark. What is carried out does not depend on that: a command or
 * an order counts wherever it stands unquoted, and ours never stand so. But what is only guessed at
 * must not be guessed from our own text. A run of three lines or more that repeats the mail that is
 * answered, broken into whatever lines, is not the writer's; and where a line is left that only a mail
 * of ours has, nothing is known to be.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_OWN_WORDS_H
#define MOLEPOST_PROCESSOR_REQUEST_OWN_WORDS_H

#include "processor/request/request.h"

/*
 * The text in hand with its own lines only: `lines`, in the order of the mail; nothing else of it is
 * kept. Worked out once for each text, in the arena.
 */
enum err own_words(struct request *req, const struct command_text **out) MUST_CHECK;
/* Lines of orders, each at its number; those that are not the writer's own are empty. */
enum err own_order_lines(struct request *req, struct span orders, struct span *out) MUST_CHECK;

#endif
