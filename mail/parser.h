/*
 * parser.h - the parsing children, seen from the parent.
 *
 * MIME from strangers is parsed in child processes. This program is started afresh by exec with a
 * hidden command, every other descriptor closed, an empty environment, no database, no key, limits on
 * memory and CPU, and what enum cell_wall names; that process is the starter, which reads no mail and
 * forks the children, each with a socket to the parent. Whatever happens to a child, the parent gets
 * a struct mail_in: MAIL_UNPARSABLE when the child died or hung with that
 * mail in hand and once more with it alone. The header is read in the parent, so it is always there; a
 * mail with a fault in its header is not given to a child.
 *
 * Of up to PARSER_SHARES mails each has a child of its own. More are shared out to that many children by
 * order of arrival, an unbroken run to each, so that a flood of mails has neighbours of its own, and
 * 20,000 mails do not cost 20,000 forks. Code that a mail brings into its child can read the mails of its
 * share and answer for those from that one on; no other mail is within its reach.
 *
 * The starter loads libetpan with dlopen, so that a run with no mail to parse
 * never maps it.
 */
#ifndef MOLEPOST_MAIL_PARSER_H
#define MOLEPOST_MAIL_PARSER_H

#include "mail/mail.h"

/* The hidden command: main() calls parser_child_main when argv[1] is this. */
#define PARSER_CHILD_COMMAND "parse-child"

enum {
	PARSER_SHARES = 64,
	PARSER_CHILDREN = 4 /* at a time: two that work, one that begins and one that ends */
};

/* What keeps a child from all it does not need, where the kernel has it. */
enum cell_wall {
	CELL_PRIVILEGES = 1 << 0, /* nothing it starts gets more rights */
	CELL_FILES = 1 << 1,      /* of files only those that its work needs, to read */
	CELL_NETWORK = 1 << 2,    /* no TCP but what it is handed */
	CELL_PROCESSES = 1 << 3,  /* no signals to others */
	CELL_CALLS = 1 << 4,      /* no system calls but those on a list */
	CELL_ALL = (1 << 5) - 1
};

struct parser_limits {
	struct mail_limits mail;
	unsigned wait_ms; /* per mail; 2000 */
};
extern const struct parser_limits parser_default_limits;

struct parser;

/*
 * Nothing is started before the first mail, or parser_get_ready. `exe` is the program to exec
 * (borrowed; NULL = /proc/self/exe). Never fails.
 */
struct parser *parser_new(const char *exe, const struct parser_limits *limits);
/* Ends the children. */
void parser_free(struct parser *p);
/* The walls that stand around the children: a set of enum cell_wall; 0 before the first result. */
unsigned parser_walls(const struct parser *p);
/*
 * So many mails are on their way: the starter can be loading while these are fetched. They are shared out
 * by this number; without it each has a child of its own.
 */
void parser_get_ready(struct parser *p, size_t mails);
/* Mails whose results are wanted together. All zero, no mail has been added yet. */
struct parser_job {
	size_t left;    /* mails without a result */
	enum err error; /* why they will never have one */
};

/*
 * One more mail for the children, behind all that were added before it, for `job` or others. `is_cut`:
 * raw is only the beginning of a mail, as is taken of one longer than the limits. raw, *arena and *out
 * must stay as they are until the job is done, raw as long as *out is used. What the header says is in *out at
 * once. A message that kills its child costs that message
 * only. Never waits.
 */
void parser_add(struct parser *p, struct parser_job *job, struct span raw, bool is_cut,
                struct arena *arena, struct mail_in *out);
/*
 * Hands over what fits into the sockets and takes in what is there; never waits.
 * What fails is parser_finish's to say.
 */
void parser_poll(struct parser *p);
/*
 * Waits until there is something to hand over or to take in, and does so. Some job is not done; what
 * fails is parser_finish's to say.
 */
void parser_wait(struct parser *p);
/* parser_finish will not wait. */
bool parser_is_done(const struct parser_job *job);
/*
 * Waits for the results of all mails of the job, everything in their arenas. `meanwhile`, if given,
 * is called again and again and does not wait; it may call parser_poll. ERR_IO when no child can be
 * started at all, or finds no libetpan: then no result of any job is valid.
 */
enum err parser_finish(struct parser *p, struct parser_job *job, void (*meanwhile)(void *ctx),
                       void *ctx, struct failure *e) MUST_CHECK;
/* All of that for n messages: out[i] is of raw[i]. */
enum err parser_batch(struct parser *p, const struct span *raw, size_t n, struct arena *arena,
                      struct mail_in *out, struct failure *e) MUST_CHECK;

/* The starter and its children, until end of file on standard input. argv[2] holds the limits. */
int parser_child_main(int argc, char **argv);
/* The child's work on one message, in this process: for fuzzing and benchmarks. */
void parser_parse_here(struct span raw, const struct mail_limits *limits, struct arena *arena,
                       struct mail_in *out);

#endif
