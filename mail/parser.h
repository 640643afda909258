/*
 * parser.h - the parsing child, seen from the parent.
 *
 * MIME from strangers is parsed in a child process: this program started afresh
 * by exec with a hidden command, every other descriptor closed, no database, no
 * key, limits on memory and CPU. Whatever happens to the child, the parent gets
 * a struct mail_in: MAIL_UNPARSABLE when the child died or hung with that
 * mail in hand and once more with it alone; with its header, if the child survives that.
 *
 * Of many mails the two halves are given to two children at once, which work beside each other.
 *
 * The child loads libetpan with dlopen, so that a run with no mail to parse
 * never maps it.
 */
#ifndef MOLEPOST_MAIL_PARSER_H
#define MOLEPOST_MAIL_PARSER_H

#include "mail/mail.h"

/* The hidden command: main() calls parser_child_main when argv[1] is this. */
#define PARSER_CHILD_COMMAND "parse-child"

struct parser_limits {
	struct mail_limits mail;
	unsigned wait_ms;         /* per mail; 2000 */
	unsigned mails_per_child; /* 5000 */
};
extern const struct parser_limits parser_default_limits;

struct parser;

/*
 * No child is started before the first mail, or parser_get_ready. `exe` is the program to exec
 * (borrowed; NULL = /proc/self/exe). Never fails.
 */
struct parser *parser_new(const char *exe, const struct parser_limits *limits);
/* Ends the children. */
void parser_free(struct parser *p);
/* So many mails are on their way: their children can be loading while these are fetched. */
void parser_get_ready(struct parser *p, size_t mails);
/*
 * Parses n messages, pipelined; results in the same order, everything in `arena`.
 * A message that kills the child costs that message only. ERR_IO or ERR_LIMIT when no
 * child can be started at all, ERR_UNSUPPORTED when it finds no libetpan: then no result is
 * valid.
 */
enum err parser_batch(struct parser *p, const struct span *raw, size_t n, struct arena *arena,
                      struct mail_in *out, struct failure *e) MUST_CHECK;

/*
 * The same in two halves, so that the caller can work while the child does: submit hands over
 * what fits into the pipes (about 1 MiB each) and returns, collect does the rest and waits for the
 * last result. raw, arena and out must stay as they are in between, and every submit that
 * returned ERR_NONE is followed by one collect.
 */
enum err parser_submit(struct parser *p, const struct span *raw, size_t n, struct arena *arena,
                       struct mail_in *out, struct failure *e) MUST_CHECK;
enum err parser_collect(struct parser *p, struct failure *e) MUST_CHECK;
/* Between the two: hands over more, takes in what is there, never waits. What fails is parser_collect's to say. */
void parser_poll(struct parser *p);
/* All answers are there: parser_collect will not wait. */
bool parser_is_done(const struct parser *p);

/* The child: frames on standard input, frames on standard output, until end of file. argv[2] holds
   the limits. */
int parser_child_main(int argc, char **argv);
/* The child's work on one message, in this process: for fuzzing and benchmarks. */
void parser_parse_here(struct span raw, const struct mail_limits *limits, struct arena *arena,
                       struct mail_in *out);

#endif
