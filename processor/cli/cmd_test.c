/*
 * cmd_test.c - the hidden subcommands test-new, test-resolve, test-view and test-dump.
 *
 * The first three open the rules to scripts: frames on standard input (rules_frames.h), text on
 * standard output. No folder, no store, no clock. The last prints the whole database as text with seals
 * opened, for crash tests: sealed orders too, so it works only when no game is running, or with --log-it,
 * which leaves an entry in the public log of each that runs.
 */
#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/bots/bots.h"
#include "processor/cli/command_line.h"
#include "processor/frames/rules_frames.h"
#include "processor/server/server.h"
#include "reports/report.h"
#include "store/audit.h"
#include "store/engine/fsck.h"
#include "store/games.h"

enum { INPUT_MAX = 1 << 20 };

/* Text without frames is a state, so that test-new can be piped into test-view. */
static enum err read_frames(struct cli *cli, struct strbuf *text, struct frames *f,
                            struct failure *e)
{
	enum err rc = file_read_fd(fileno(cli->in), INPUT_MAX, text, e);

	if (!rc && text->len && !span_starts(span_trim(strbuf_span(text)), "== ")) {
		struct strbuf framed = STRBUF_INIT;

		strbuf_adds(&framed, "== state\n");
		strbuf_add_span(&framed, strbuf_span(text));
		strbuf_swap(text, &framed);
		strbuf_release(&framed);
	}
	return rc ? rc : frames_read(strbuf_span(text), f, e);
}

struct test_call {
	const struct rules *rules;
	unsigned seat;
	enum err (*act)(const struct test_call *c, const struct frames *f, struct strbuf *out,
	                struct failure *e);
};

static int run(struct cli *cli, const char *kind, struct test_call *c)
{
	struct strbuf text = STRBUF_INIT;
	struct strbuf out = STRBUF_INIT;
	struct frames frames = FRAMES_INIT;
	struct failure e = ERR_INIT;
	int code = EXIT_DONE;

	c->rules = rules_find(span_of(kind));
	if (!c->rules) {
		log_warnx(&cli->log, "no game is called \"%s\"", kind);
		return EXIT_USAGE;
	}
	enum err rc = read_frames(cli, &text, &frames, &e);
	if (!rc)
		rc = c->act(c, &frames, &out, &e);
	if (rc) {
		log_warnx(&cli->log, "%s", e.text.ptr);
		code = (int)err_exit_code(e.code);
	} else if (fwrite(out.ptr, 1, out.len, cli->out) != out.len || fflush(cli->out) != 0)
		code = EXIT_LATER;
	strbuf_release(&text);
	strbuf_release(&out);
	frames_release(&frames);
	err_release(&e);
	return code;
}

static enum err act_new(const struct test_call *c, const struct frames *f, struct strbuf *out,
                        struct failure *e)
{
	struct game_state *s;
	enum err rc = rules_frames_new(c->rules, f, &s, e);

	if (!rc) {
		c->rules->encode(s, out);
		c->rules->free_state(s);
	}
	return rc;
}

static enum err act_resolve(const struct test_call *c, const struct frames *f,
                            struct strbuf *out, struct failure *e)
{
	return rules_frames_resolve(c->rules, f, out, e);
}

static enum err act_view(const struct test_call *c, const struct frames *f, struct strbuf *out,
                         struct failure *e)
{
	const struct rules *r = c->rules;
	struct game_state *s;
	struct arena *arena;
	struct tables tables;
	struct doc doc;
	enum err rc = rules_frames_state(r, f, &s, e);

	if (rc)
		return rc;
	arena = arena_new();
	doc_init(&doc, arena);
	doc.tables = &tables;
	rc = rules_frames_tables(f, arena, &tables, e);
	if (!rc && c->seat > r->nseats(s))
		rc = err_set(e, ERR_INVALID, "this game has %u seats", r->nseats(s));
	if (!rc) {
		r->view(s, c->seat, &doc);
		if (c->seat != SEAT_PUBLIC)
			bot_examples(r, s, c->seat, &doc);
		report_text(&doc, out);
	}
	arena_free(arena);
	r->free_state(s);
	return rc;
}

int cmd_test_new(struct cli *cli, int argc, char **argv)
{
	struct test_call c = {.act = act_new};

	return argc == 2 ? run(cli, argv[1], &c) : cli_usage(cli);
}

int cmd_test_resolve(struct cli *cli, int argc, char **argv)
{
	struct test_call c = {.act = act_resolve};

	return argc == 2 ? run(cli, argv[1], &c) : cli_usage(cli);
}

int cmd_test_view(struct cli *cli, int argc, char **argv)
{
	struct test_call c = {.act = act_view};

	return argc == 3 && num_parse_uint(span_of(argv[2]), 0, MAX_SEATS, &c.seat)
	           ? run(cli, argv[1], &c)
	           : cli_usage(cli);
}

static enum err enter_in_logs(struct server *srv, void *ctx)
{
	(void)ctx;
	struct game *games;
	size_t n;

	TRY(game_list(srv->store, 1u << GAME_RUNNING | 1u << GAME_PAUSED, 0, 100000, srv->arena,
	              &games, &n));
	for (size_t i = 0; i < n; i++)
		TRY(audit_add(srv->store, games[i].id, 0, "operator", true, srv->now_utc,
		              "sealed orders were looked at (test-dump)"));
	return ERR_NONE;
}

static enum err dump(struct cli *cli, struct server *srv, void *ctx)
{
	bool log_it = *(const bool *)ctx;
	struct game *games;
	size_t n;
	struct strbuf text = STRBUF_INIT;

	TRY(game_list(srv->store, 1u << GAME_RUNNING | 1u << GAME_PAUSED, 0, 1, srv->arena,
	              &games, &n));
	if (n > 0 && !log_it)
		return err_set(&srv->fail, ERR_DENIED,
		               "games are running; --log-it opens their seals and says so in "
		               "their public logs");
	if (n > 0)
		TRY(admin_write(srv, enter_in_logs, NULL));
	enum err rc = store_dump(srv->store, &text);
	if (rc == ERR_NONE && fwrite(text.ptr, 1, text.len, cli->out) != text.len)
		rc = err_set_errno(&srv->fail, ERR_IO, "writing the dump");
	strbuf_release(&text);
	return rc;
}

int cmd_test_dump(struct cli *cli, int argc, char **argv)
{
	bool log_it = argc == 2 && strcmp(argv[1], "--log-it") == 0;

	return argc == 1 || log_it ? cli_with_server(cli, STORE_READ_WRITE, dump, &log_it)
	                           : cli_usage(cli);
}
