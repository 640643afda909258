/*
 * ingest.c - order mails from a Maildir to sealed orders, committed and receipted.
 *
 * The peer does nothing but read the same files and parse, decode and convert all their parts with
 * libetpan, in one process, without any guard. The limit (0.15) holds for lean mails, as a program would
 * write them: a line of orders in plain text, quoted-printable, base64 or an alternative, with the
 * report quoted or not. Beside it, without a limit, stand two figures for mails as people's programs
 * write them (tests/support/programs.h): with the header fields of the servers on their way, text and
 * HTML, and the report quoted in both; and the same with pictures in some, whose decoding costs the
 * peer a hundred times a lean mail, so that the figure is far higher and says less about us. Also
 * counted: what is synced for a thousand mails, and the memory that a hundred times as many take.
 *
 * BENCH_MAILS=20000 BENCH_ROUNDS=5 BENCH_MANY=200000
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mail/parser.h"
#include "processor/base/arena.h"
#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "tests/support/bare_parse.h"
#include "tests/support/bench.h"
#include "tests/support/crowd.h"
#include "tests/support/disk_calls.h"
#include "tests/support/testbed_files.h"

struct ingest {
	struct testbed *testbed;
	unsigned mails;
	char *folder, *mails_text;
	struct bench_parts spent; /* by all runs of a pair */
};

/* The database as it was, and every mail unread. */
static void start_again(void *ctx)
{
	struct ingest *in = ctx;

	testbed_files_restore(in->testbed);
	testbed_files_unread(in->testbed);
	testbed_files_settle();
}

static pid_t start_molepost(struct ingest *in)
{
	return testbed_start(in->testbed, (const char *const[]){"run", "--no-send", NULL},
	                     NULL);
}

static void finish_molepost(struct ingest *in, pid_t pid)
{
	struct ran r;

	testbed_finish(in->testbed, pid, &r);
	if (r.code != 0)
		BUG("run ended with %d: %s", r.code, r.err.ptr);
	ran_release(&r);
}

static void run_molepost(void *ctx)
{
	struct ingest *in = ctx;
	pid_t pid = start_molepost(in);
	struct bench_parts spent = bench_parts_of(pid);

	finish_molepost(in, pid);
	in->spent.program_s += spent.program_s;
	in->spent.children_s += spent.children_s;
}

static void run_peer(void *ctx)
{
	struct ingest *in = ctx;

	bench_self((const char *const[]){"ingest", "peer", in->folder, in->mails_text, NULL});
}

static int peer_main(const char *folder, const char *mails)
{
	unsigned n;

	ENSURE(num_parse_uint(span_of(mails), 0, UINT32_MAX, &n));
	return bare_parse_folder(folder) == n ? 0 : 1;
}

static void check_orders(const struct ingest *in)
{
	int64_t orders =
	    crowd_number(in->testbed, "SELECT count(*) FROM orders WHERE serial = 2");

	if (orders != in->mails)
		BUG("%lld orders of %u mails were stored", (long long)orders, in->mails);
}

struct parsing {
	const struct span *raw;
	size_t n;
	unsigned batches;
};

static void run_parser(void *ctx)
{
	const struct parsing *what = ctx;
	const char *build = env_get("MOLEPOST_BUILD");
	struct strbuf exe = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct mail_in *out = arena_calloc(arena, what->n, sizeof(*out));
	struct failure e = ERR_INIT;
	struct parser *p;

	strbuf_addf(&exe, "%s/molepost", build ? build : "build");
	p = parser_new(exe.ptr, &parser_default_limits);
	for (unsigned i = 0; i < what->batches; i++)
		if (parser_batch(p, what->raw, what->n, arena, out, &e) != ERR_NONE)
			BUG("%s", e.text.ptr);
	parser_free(p);
	arena_free(arena);
	strbuf_release(&exe);
}

static void do_nothing(void *ctx)
{
	(void)ctx;
}

/* The peer's time divided by ours. */
static double measure_speed(struct ingest *in, unsigned rounds, const char *mails)
{
	struct bench_side peer = {.name = "peer", .prepare = start_again, .run = run_peer};
	struct bench_side ours = {
	    .name = "molepost", .prepare = start_again, .run = run_molepost};
	double theirs_s, ours_s;

	in->spent = (struct bench_parts){0};
	bench_pair(&peer, &ours, rounds, in);
	check_orders(in);
	theirs_s = bench_median(&peer, rounds);
	ours_s = bench_median(&ours, rounds);
	printf("ingest: %u %s mails, %.3f s (%.0f a second); parsing alone %.3f s\n", in->mails,
	       mails, ours_s, in->mails / ours_s, theirs_s);
	printf("ingest: processor time of a mail %.0f us, parsing alone %.0f us\n",
	       1e6 * bench_median_cpu(&ours, rounds) / in->mails,
	       1e6 * bench_median_cpu(&peer, rounds) / in->mails);
	printf(
	    "ingest: of it in the program %.0f us, in the starter and its children %.0f us\n",
	    1e6 * in->spent.program_s / rounds / in->mails,
	    1e6 * in->spent.children_s / rounds / in->mails);
	return theirs_s / ours_s;
}

/* Wall and processor time in which a fresh parser reads `batches` times `n` mails. */
static struct bench_time time_parser(const struct span *raw, size_t n, unsigned batches)
{
	struct bench_side side = {.name = "parser"};
	struct parsing what = {raw, n, batches};

	side.run = run_parser;
	bench_pair(&side, &(struct bench_side){.name = "nothing", .run = do_nothing}, 1, &what);
	return side.times[0];
}

/*
 * The same mails with a child each, and shared out: what a child of its own costs a mail, which is the
 * fork, the walls, the pages it writes to, and its end.
 */
static void measure_fork(void)
{
	enum { N = PARSER_SHARES, BATCHES = 32 };
	struct span raw[N * BATCHES];
	struct bench_time apart, shared;
	const double forks = N * BATCHES - N;

	for (size_t i = 0; i < N * BATCHES; i++)
		raw[i] = SPAN_LIT("From: ann@example.org\nTo: moles@example.org\n"
		                  "Subject: [W1 turn 2]\n\npopup 3 5\n");
	apart = time_parser(raw, N, BATCHES);
	shared = time_parser(raw, N * BATCHES, 1);
	printf("ingest: a child of its own costs a mail %.0f us, of processor time %.0f us\n",
	       1e6 * (apart.wall_s - shared.wall_s) / forks,
	       1e6 * (apart.cpu_s - shared.cpu_s) / forks);
}

static void count_syncs(struct ingest *in)
{
	struct disk_calls calls;

	start_again(in);
	disk_calls_of(in->testbed, "run --no-send", "", &calls);
	check_orders(in);
	bench_at_most("ingest: syncs", calls.fsyncs + calls.fdatasyncs,
	              3.0 * in->mails / 1000 + 5);
}

static struct bench_memory memory_of(struct ingest *in)
{
	pid_t pid;
	struct bench_memory peak;

	start_again(in);
	pid = start_molepost(in);
	peak = bench_watch_memory(pid);
	finish_molepost(in, pid);
	return peak;
}

static struct ingest *ingest_new(unsigned games, unsigned mails, programs_add_fn *add)
{
	struct testbed *s = testbed_files_new_release();
	struct ingest *in = xcalloc(1, sizeof(*in));
	struct strbuf text = STRBUF_INIT;

	in->testbed = s;
	in->mails = mails;
	in->folder = testbed_path(s, "mail/new");
	strbuf_addf(&text, "%u", mails);
	in->mails_text = strbuf_detach(&text);
	crowd_games(s, games);
	crowd_orders(s, games);
	crowd_run(s);
	crowd_mails(s, games, mails, add);
	testbed_files_keep(s);
	return in;
}

static void ingest_free(struct ingest *in)
{
	testbed_free(in->testbed);
	free(in->folder);
	free(in->mails_text);
	free(in);
}

static void compare_memory(unsigned games, unsigned few, unsigned many)
{
	struct ingest *in = ingest_new(games, few, programs_add_lean);
	struct bench_memory small = memory_of(in), large;

	ingest_free(in);
	in = ingest_new(games, many, programs_add_lean);
	large = memory_of(in);
	ingest_free(in);
	printf("ingest: peak memory with %u and %u mails: %ld and %ld KiB, parser %ld and %ld "
	       "KiB\n",
	       few, many, small.parent_kb, large.parent_kb, small.child_kb, large.child_kb);
	bench_at_most("ingest: memory with a hundred times the mails",
	              (double)large.parent_kb / (double)small.parent_kb, 1.5);
	bench_at_most("ingest: the same of the parsing child",
	              (double)large.child_kb / (double)small.child_kb, 1.5);
}

int main(int argc, char **argv)
{
	unsigned mails = bench_size("BENCH_MAILS", 20000),
		 many = bench_size("BENCH_MANY", 200000);
	unsigned games = (mails + 1) / 2, rounds = bench_size("BENCH_ROUNDS", 5);
	double ratio;
	struct ingest *in;

	if (argc == 4 && strcmp(argv[1], "peer") == 0)
		return peer_main(argv[2], argv[3]);
	measure_fork();
	in = ingest_new(games, mails, programs_add_lean);
	ratio = measure_speed(in, rounds, "lean");
	bench_at_least("ingest: speed against parsing alone", ratio, 0.15);
	count_syncs(in);
	ingest_free(in);
	in = ingest_new(games, mails, programs_add_written);
	printf("%-58s %9.3f\n", "ingest: the same with mails as programs write them",
	       measure_speed(in, rounds, "written"));
	ingest_free(in);
	in = ingest_new(games, mails, programs_add_usual);
	printf("%-58s %9.3f\n", "ingest: the same with pictures in some of them",
	       measure_speed(in, rounds, "usual"));
	ingest_free(in);
	if (many >= 100)
		compare_memory(games, many / 100, many);
	return 0;
}
