/*
 * testbed.h - a whole server in a folder of its own, run as its operator and its players do.
 *
 * A testbed is made by `molepost init`; mails go into its Maildir as files, `molepost` is started
 * as a process, and what it sent is taken out of outbox/new as a mail program would. The
 * program with hooks is used (hooks.c), $MOLEPOST_BUILD/tests/molepost ("build" when unset); its
 * clock stands still at now_utc until the test moves it, and its randomness comes from a seed,
 * so that the same script gives the same bytes.
 *
 *	struct testbed *s = testbed_new("seed");
 *	testbed_write(s, "ann", "create whakka mole players 2");
 *	testbed_run(s);                     // must end with 0; collects the mails
 *	testbed_reply(s, "ann", "popup 3");
 *	cr_assert(strstr(testbed_last(s, "ann")->text, "..."));
 *	testbed_free(s);
 *
 * A person is one word, "ann", whose address is ann@example.net; the server is
 * moles@example.org. What cannot fail in a sound test (a full disk, a program that is not
 * built) aborts. Several testbeds may live side by side. Nothing here uses Criterion, so that
 * benches can link it.
 */
#ifndef MOLEPOST_TESTS_TESTBED_H
#define MOLEPOST_TESTS_TESTBED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "processor/base/span.h"
#include "processor/base/strbuf.h"

/* A mail that came out. All texts end in NUL and live as long as the testbed. */
struct post {
	char *raw; /* as it lay in the outbox */
	size_t raw_len;
	char *file;        /* its file name */
	char *who;         /* the person: To: without "@example.net" */
	char *subject;     /* decoded */
	char *message_id;  /* with <> */
	char *in_reply_to; /* with <>, or "" */
	char *reply_to;    /* address alone, or "" */
	char *sender;      /* its envelope's, from Return-Path; address alone, or "" */
	char *text;        /* the body, decoded */
	char *proof;       /* the text attached to it that proves something, decoded; or "" */
	char *proof_name;  /* its name; NULL: there is none */
	char *files;       /* names of the other attached files, one a line */
	char *record;      /* of them the record of a game, decoded; NULL: there is none ... */
	char *page;        /* ... and the page that replays it */
	bool again;        /* this Message-ID had come out before ... */
	bool differs;      /* ... with other bytes: never right */
};

/* How a command ended. Free with ran_release. */
struct ran {
	int code;               /* exit code, or -1 when a signal ended it */
	int signal;             /* 0 when none */
	struct strbuf out, err; /* what it printed */
	long cpu_us;            /* user and system time, its children's included */
	long peak_kb;           /* largest resident set, of it or a child */
};

struct testbed {
	char *scratch;       /* the folder that holds all of it; the test may put files there */
	char *dir;           /* the server's folder, SCRATCH/play */
	char *program;       /* may be set to another program (owned) */
	char *store;         /* a URL (postgresql.h), NULL: a file in that folder */
	char *seed;          /* NULL: real randomness */
	int64_t now_utc;     /* TESTBED_BEGAN_UTC at first; INT64_MIN: the real clock */
	struct post **posts; /* every mail that came out, in the order of the outbox */
	size_t nposts, cap_posts;
	struct strbuf complaints; /* what testbed_run_noting had to say */
	unsigned written; /* mails dropped so far; numbers their names and Message-IDs */
	/* "NAME=value", NULL-ended, for every command; borrowed, may be NULL. */
	const char *const *extra_env;
	/* A file that every command reads as standard input; NULL: an empty one. */
	const char *input;
	/* Is told of every mail dropped, when set: for scripts that are to be played again. */
	void (*on_drop)(void *ctx, const char *name, struct span raw, int64_t arrived_utc);
	void *on_drop_ctx;
};

#define TESTBED_BEGAN_UTC INT64_C(1773338400) /* 2026-03-12T18:00:00Z */

/*
 * Puts later testbeds on a memory file system where there is one. A killed process loses as much
 * and as little there as on a disk, and an fsync costs nothing.
 */
void testbed_use_memory(void);
/* Made by init, or a copy of what it made before of the same seed (see random.h). */
struct testbed *testbed_new(const char *seed);
/* The same without init: for tests of init itself, and for folders copied in. */
struct testbed *testbed_new_empty(const char *seed);
/* Deletes the folder too. */
void testbed_free(struct testbed *s);
/*
 * A second testbed with the same files (and file times), clock and mails; the two then go apart.
 */
struct testbed *testbed_clone(const struct testbed *s);
/*
 * Puts it by for later tests of this build, on a disk, with a text of theirs; not on PostgreSQL. What is by under a
 * name stays until the program changes, so the name has a hash of all else that made it, behind '='.
 */
void testbed_keep(const struct testbed *s, const char *name, struct span more);
/* A testbed as one was when it was put by under this name; NULL: none was. */
struct testbed *testbed_kept(const char *seed, const char *name, struct strbuf *more);
/* Adds a line such as "plus_address = off" to the configuration. */
void testbed_configure(struct testbed *s, const char *line);
/* Has its store there from now on: a URL, owned by the testbed then; NULL: in its file. Returns the one before. */
char *testbed_use_store(struct testbed *s, char *store);
/* Moves the clock. */
void testbed_wait(struct testbed *s, int64_t seconds);
/* "TESTBED-FOLDER/name", free with free(). */
char *testbed_path(const struct testbed *s, const char *name);

/* ---- Commands ---- */

/*
 * Starts `molepost -C DIR ARGV...` (argv NULL-ended, without the program's name) and waits.
 * env is added to the environment, NULL-ended "NAME=value", or NULL. MOLEPOST_* variables of
 * the caller are not passed on, nor is LD_PRELOAD. testbed_do uses the words of one line instead
 * of argv.
 */
void testbed_exec(struct testbed *s, const char *const argv[], const char *const env[],
                  struct ran *out);
void testbed_do(struct testbed *s, const char *words, const char *const env[], struct ran *out);
void ran_release(struct ran *r);
/* The same in two halves, for those who do something to the process meanwhile (and reap it). */
pid_t testbed_start(struct testbed *s, const char *const argv[], const char *const env[]);
void testbed_finish(struct testbed *s, pid_t pid, struct ran *out);
/*
 * `molepost run` that must end with 0 and print nothing; collects. Returns the number of new
 * mails.
 */
size_t testbed_run(struct testbed *s);
/* The same, but a run that ends or prints otherwise is only written down, in s->complaints. */
size_t testbed_run_noting(struct testbed *s);
/* Runs until nothing is left to send, moving the clock for mails that are to be tried again. */
void testbed_settle(struct testbed *s);

/* ---- Mail in ---- */

/*
 * Drops bytes into mail/new under this name. Arrival = the file's time = arrived_utc; mails of
 * the same second arrive in the order of the calls.
 */
void testbed_drop(struct testbed *s, const char *name, struct span raw, int64_t arrived_utc);
/* A mail of a person, as bytes, the next number used up: for tests that change it first. */
struct mail_written {
	const char *who;         /* "ann", or a whole address */
	const char *to;          /* NULL: moles@example.org */
	const char *subject;     /* NULL: "moles" */
	const char *in_reply_to; /* NULL: none; with <> */
	const char *more_header; /* NULL, or whole lines */
	const char *text;
};
void testbed_compose(struct testbed *s, const struct mail_written *m, struct strbuf *raw);
/* Composes and drops, arriving now. */
void testbed_mail(struct testbed *s, const struct mail_written *m);
/* A new mail to the server. */
void testbed_write(struct testbed *s, const char *who, const char *text);
/* Reply to the last mail this person got; who may also be another person than got it. */
void testbed_reply(struct testbed *s, const char *who, const char *text);
void testbed_reply_to(struct testbed *s, const char *who, const struct post *to,
                      const char *text);

/* ---- Mail out ---- */

/*
 * Takes away what lies in outbox/new, in the order of the outbox; `each` is given the name and bytes of
 * one mail after another. Returns how many there were.
 */
typedef void testbed_mail_taken(void *ctx, const char *file, struct span raw);
size_t testbed_take_out(struct testbed *s, testbed_mail_taken *each, void *ctx);
/* The same, into s->posts. Returns how many; they are the last ones of s->posts. */
size_t testbed_collect(struct testbed *s);
/* The last mail to this person; aborts when there is none. */
const struct post *testbed_last(const struct testbed *s, const char *who);
/* The last one whose subject contains this; NULL when there is none. who NULL: to anybody. */
const struct post *testbed_find(const struct testbed *s, const char *who, const char *subject);
/*
 * All mails as "Message-ID SHA-256-of-bytes" lines, sorted, each once: for comparing two
 * testbeds. The bytes are those of the message; the envelope's sender above it does not count.
 */
void testbed_mails(const struct testbed *s, struct strbuf *out);
/* No mail came out twice with different bytes. */
bool testbed_mails_agree(const struct testbed *s);

/* ---- The record ---- */

/* Appends `molepost archive GAME`, which must work. */
void testbed_archive(struct testbed *s, const char *game, struct strbuf *out);
/* Exit code of `molepost verify` on this text. */
int testbed_verify(struct testbed *s, struct span archive);
/*
 * Appends `test-dump`. While a game runs that leaves an entry in its public log, so of a
 * running game a clone is asked.
 */
void testbed_dump(struct testbed *s, struct strbuf *out);

#endif
