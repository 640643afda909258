/*
 * cmd_game.c - `molepost game list|show|new|fork|hold|resume`.
 */
#include <string.h>

#include "processor/base/clock.h"
#include "processor/base/num.h"
#include "processor/calendar/deadline.h"
#include "processor/cli/command_line.h"
#include "processor/commandtext/command_text.h"
#include "processor/match/fork.h"
#include "processor/match/match_clock.h"
#include "processor/match/press.h"
#include "processor/match/report_values.h"
#include "processor/outgoing/unreachable.h"
#include "processor/request/join_rules.h"
#include "processor/turns/outage.h"
#include "processor/turns/start.h"
#include "store/audit.h"
#include "store/forks_and_imports.h"

static enum err no_such_game(struct server *srv, enum err rc, int64_t game)
{
	if (rc != ERR_NOT_FOUND)
		return rc;
	return err_set(&srv->fail, rc,
	               "there is no game number %lld here; see: molepost game list",
	               (long long)game);
}

static void print_line(const struct cli *cli, const struct match *match)
{
	fprintf(cli->out, "%-6s %-16s %-10s %u/%u seats  %.*s%s\n", match->id,
	        match->rules->name, game_status_name(match->game.status), match_taken(match),
	        match->game.nseats,
	        SPAN_ARGS(match->has_turn ? match->turn.label : SPAN_LIT("not begun")),
	        match->game.held ? "  HELD" : "");
}

static bool is_unreachable(struct server *srv, const struct seat *seat)
{
	bool yes = false;

	return seat->player != 0 &&
	       unreachable_now(srv, seat->player, srv->arena, &yes) == ERR_NONE && yes;
}

static enum err print_log(const struct cli *cli, struct server *srv, const struct match *match)
{
	struct audit_entry *log;
	size_t n;
	struct strbuf when = STRBUF_INIT;

	TRY(audit_list(srv->store, match->game.id, match->arena, &log, &n));
	for (size_t i = 0; i < n; i++) {
		strbuf_clear(&when);
		utc_format_human(&when, log[i].at_utc);
		fprintf(cli->out, "  %s  %.*s: %.*s\n", when.ptr, SPAN_ARGS(log[i].actor),
		        SPAN_ARGS(log[i].what));
	}
	strbuf_release(&when);
	return ERR_NONE;
}

static enum err game_show(struct cli *cli, struct server *srv, int64_t game)
{
	struct match match;
	struct strbuf when = STRBUF_INIT;
	const char *from;

	TRY(no_such_game(srv, match_load(srv, game, srv->arena, &match), game));
	print_line(cli, &match);
	fprintf(cli->out, "  options %.*s\n", SPAN_ARGS(match.game.options));
	TRY(game_provenance(srv, &match, &from));
	if (from)
		fprintf(cli->out, "  %s\n", from);
	if (match.game.origin == GAME_IMPORTED) {
		struct import import;
		struct strbuf key = STRBUF_INIT;

		TRY(import_get(srv->store, match.game.id, match.arena, &import));
		hash_add_hex(&key, &import.key);
		fprintf(cli->out, "  The key of that server is\n  %s\n", key.ptr);
		strbuf_release(&key);
	} else {
		fprintf(cli->out, "  a turn lasts %s\n",
		        report_values_interval(srv->arena, match.game.next_s));
	}
	if (*match_clock_words(srv, &match))
		fprintf(cli->out, "  deadlines: %s\n", match_clock_words(srv, &match));
	if (master_words(&match))
		fprintf(cli->out, "  master: %s\n", master_words(&match));
	if (match.has_turn && match.turn.deadline_utc) {
		utc_format_human(&when, match.turn.deadline_utc);
		fprintf(cli->out, "  serial %u is %s, deadline %s\n", match.turn.serial,
		        turn_state_name(match.turn.state), when.ptr);
	}
	if (match.game.held)
		fprintf(cli->out, "  HELD by %.*s: %.*s\n", SPAN_ARGS(match.game.held_by),
		        SPAN_ARGS(match.game.held_reason));

	for (size_t i = 0; i < match.nseats; i++) {
		const struct seat *s = &match.seats[i];
		struct seat_set one = seat_with((struct seat_set){0}, s->seat);
		bool open = match.has_turn && match.turn.state == TURN_OPEN;
		const char *what = !match_seat_is_named(&match, s) ? "free"
		                   : !seat_is_taken(s) ? s->former ? "vacant" : "played there"
		                   : s->bot_level >= 0 && s->former
		                       ? "vacant, played by the server"
		                   : s->bot_level >= 0 ? "bot"
		                   : s->resigned       ? "has left"
		                   : !s->confirmed     ? "not confirmed"
		                                       : "plays";
		fprintf(cli->out, "  seat %u  %-20s %s%s%s%s\n", s->seat,
		        match.names.names[s->seat], what,
		        is_unreachable(srv, s) ? ", mail comes back" : "",
		        open && (match.turn.owes & ~match.turn.have & one.bits)
		            ? ", orders awaited"
		            : "",
		        open && (match.turn.waiting & one.bits) ? ", holds the turn" : "");
	}
	strbuf_release(&when);

	struct press_rules rules;
	unsigned observers;

	TRY(press_rules_get(srv->store, match.game.id, &rules));
	TRY(observer_count(srv->store, match.game.id, &observers));
	fprintf(cli->out, "  %s\n  observers: %u\n", press_phrase(&rules, match.arena),
	        observers);
	return print_log(cli, srv, &match);
}

struct holding {
	int64_t game;
	const char *reason; /* NULL = resume */
};

static enum err resume(struct server *srv, int64_t game, const char **what)
{
	struct strbuf text = STRBUF_INIT;
	struct order_set set;
	struct match match;
	int64_t moved_utc = 0;
	bool whole = true;

	enum err rc = match_load(srv, game, srv->arena, &match);
	if (rc == ERR_NONE)
		rc = order_set_load_sent(srv, &match, &set);
	if (rc == ERR_NONE)
		rc = order_set_is_whole(srv, &match, &set, &whole);
	/* What was lost can be given again: everybody has a turn's time. */
	if (rc == ERR_NONE && !whole)
		rc = orders_take_as_stored(srv->store, game, match.turn.serial);
	if (rc == ERR_NONE && !whole && match.turn.deadline_utc != 0)
		rc = turn_set_deadline(
		    srv->store, game, match.turn.serial,
		    match_clock_credited(srv, &match, srv->now_utc, match.calendar.next_s));
	/* The end of a pause gives back all of it, the hold too. */
	if (rc == ERR_NONE && whole && match.game.status != GAME_PAUSED)
		rc = outage_give_back(srv, &match, match.game.held_since_utc, &moved_utc);
	match_release(&match);
	strbuf_adds(&text, "resumed");
	if (!whole)
		strbuf_adds(&text,
		            " without orders that the server has lost, with a turn's time "
		            "to send them again");
	if (moved_utc != 0) {
		strbuf_adds(&text,
		            "; the time it was held does not count, so the deadline is now ");
		utc_format_human(&text, moved_utc);
	}
	*what = arena_take(srv->arena, &text).ptr;
	return rc == ERR_NONE ? game_resume(srv->store, game) : rc;
}

static enum err act_hold(struct server *srv, void *ctx)
{
	const struct holding *h = ctx;
	const char *what;

	if (h->reason) {
		what = arena_printf(srv->arena, "held: %s", h->reason);
		TRY(game_hold(srv->store, h->game, h->reason, "operator", srv->now_utc));
	} else {
		TRY(resume(srv, h->game, &what));
	}
	return audit_add(srv->store, h->game, 0, "operator", true, srv->now_utc, what);
}

static enum err game_set_held(struct cli *cli, struct server *srv, int64_t game,
                              const char *reason)
{
	struct game g;

	TRY(no_such_game(srv, game_get(srv->store, game, srv->arena, &g), game));
	if (g.ended_utc != 0)
		return err_set(&srv->fail, ERR_INVALID, "%s has ended",
		               game_id_text(&g, srv->arena));
	if (g.held == (reason != NULL))
		return err_set(&srv->fail, ERR_INVALID, "%s is %s",
		               game_id_text(&g, srv->arena),
		               g.held ? "held already" : "not held");
	TRY(admin_write(srv, act_hold, &(struct holding){game, reason}));
	fprintf(cli->out, "%s is %s.\n", game_id_text(&g, srv->arena),
	        reason ? "held: orders are still taken, nothing is resolved" : "running again");
	return ERR_NONE;
}

struct starting {
	struct new_game new;
	int64_t game;
	const char *key;
	struct strbuf why;
};

static enum err act_found(struct server *srv, void *ctx)
{
	struct starting *f = ctx;

	enum err rc = game_create(srv, &f->new, srv->arena, &f->game, &f->key, &f->why);
	if (rc == ERR_INVALID)
		return err_set(&srv->fail, rc, "%s", f->why.ptr);
	TRY(rc);
	TRY(audit_add(srv->store, f->game, 0, "operator", true, srv->now_utc, "created"));
	/* Nobody will join a game whose seats all have bots: it begins at once. */
	struct match match;
	rc = match_load(srv, f->game, srv->arena, &match);
	if (rc == ERR_NONE)
		rc = game_start_if_full(srv, &match);
	match_release(&match);
	return rc;
}

/* The words of CREATE, read by the same parser as a player's mail. */
static enum err read_new(struct server *srv, int argc, char **argv, struct starting *f,
                         struct command_text *text)
{
	struct strbuf line = STRBUF_INIT;

	strbuf_adds(&line, "create");
	for (int i = 2; i < argc; i++)
		strbuf_addf(&line, " %s", argv[i]);
	command_text_read(arena_dup(srv->arena, strbuf_span(&line)), SPAN_EMPTY, USUAL_COMMANDS,
	                  srv->arena, text);
	strbuf_release(&line);
	if (text->nitems != 1 || text->items[0].verb != CMD_CREATE ||
	    text->items[0].name.len > 0)
		return err_set(&srv->fail, ERR_INVALID, "%s",
		               text->diags.count
		                   ? text->diags.items[0].message
		                   : "expected: game new KIND [PLAYERS n] [BOTS n] "
		                     "[LEVEL n] [NEXT 3D] [option=value ...] [PRIVATE] "
		                     "[PRESS mode] [DELIVERY when] [OBSERVERS when] "
		                     "[RELIABILITY n] [WITHOUT OPERATOR]");
	const struct create_arguments *c = &text->items[0].create;
	f->new = (struct new_game){.rules = c->kind,
	                           .title = c->title,
	                           .bots = c->bots,
	                           .bot_level = c->bot_level,
	                           .players = c->players ? c->players : c->kind->usual_seats,
	                           .is_private = c->is_private || c->key.len > 0,
	                           .press = game_press(srv, c),
	                           .terms = {c->reliability, c->without_operator, c->ready},
	                           .key = c->key};
	const char *refused = join_rules_terms_refused(srv, &f->new.terms);
	if (refused)
		return err_set(&srv->fail, ERR_INVALID, "%s", refused);
	if (!game_calendar(srv, c, NULL, srv->arena, &f->new.calendar, &f->why) ||
	    !game_options(srv, c->kind, c->options, srv->arena, &f->new.options, &f->why))
		return err_set(&srv->fail, ERR_INVALID, "%s", f->why.ptr);
	return ERR_NONE;
}

static void say_open(const struct cli *cli, const struct starting *f)
{
	unsigned free_seats = f->new.players - f->new.bots;
	char letter = f->new.rules->letter;

	fprintf(cli->out, "%c%lld ", letter, (long long)f->game);
	if (free_seats == 0)
		fputs("begins with the next run; all its seats have bots.\n", cli->out);
	else
		fprintf(cli->out,
		        free_seats == 1
		            ? "is open for %u player. To join they write: join %c%lld%s%s\n"
		            : "is open for %u players. To join they write: join %c%lld%s%s\n",
		        free_seats, letter, (long long)f->game, *f->key ? " key " : "", f->key);
}

/* The words of FORK, read by the same parser as a player's mail. */
static enum err read_fork(struct server *srv, int argc, char **argv, struct command_text *text)
{
	struct strbuf line = STRBUF_INIT;

	for (int i = 1; i < argc; i++)
		strbuf_addf(&line, "%s ", argv[i]);
	command_text_read(arena_dup(srv->arena, strbuf_span(&line)), SPAN_EMPTY, USUAL_COMMANDS,
	                  srv->arena, text);
	strbuf_release(&line);
	if (text->nitems == 1 && text->items[0].verb == CMD_FORK && text->items[0].game != 0 &&
	    text->items[0].name.len == 0)
		return ERR_NONE;
	return err_set(&srv->fail, ERR_INVALID, "%s",
	               text->diags.count
	                   ? text->diags.items[0].message
	                   : "expected: game fork GAME at N [BOTS n] [LEVEL n] [NEXT 3D] "
	                     "[PRIVATE] [KEY word]");
}

static enum err plan_fork(struct server *srv, struct match *source, const struct command *item,
                          struct fork_plan *plan, struct strbuf *why)
{
	const struct create_arguments *c = &item->create;
	struct fork_wish wish = {.number = item->number,
	                         .says_bots = c->says_bots,
	                         .bots = c->bots,
	                         .bot_level = c->bot_level,
	                         .is_private = c->is_private,
	                         .key = c->key};
	const char *example;

	TRY(no_such_game(srv, match_load(srv, item->game, srv->arena, source), item->game));
	if (!game_calendar(srv, c, NULL, srv->arena, &wish.calendar, why))
		return err_set(&srv->fail, ERR_INVALID, "%s", why->ptr);
	enum err rc = fork_plan(srv, source, &wish, plan, why, &example);
	if (rc == ERR_INVALID && why->len > 0)
		return err_set(&srv->fail, rc, "%s %s", why->ptr, example);
	return rc;
}

struct game_words {
	int argc;
	char **argv;
	bool unused; /* no command is written so */
};

static enum err dispatch(struct cli *cli, struct server *srv, void *ctx)
{
	struct game_words *words = ctx;
	int argc = words->argc;
	char **argv = words->argv, letter;
	int64_t game = 0;

	if (argc == 2 && strcmp(argv[1], "list") == 0) {
		struct arena *arena = arena_new();
		struct game *games;
		int64_t after = 0;
		size_t n;
		enum err rc;

		do {
			arena_clear(arena);
			rc = game_list(srv->store, ~0u, after, 100, arena, &games, &n);
			for (size_t i = 0; i < n && rc == ERR_NONE; i++) {
				struct match match;
				after = games[i].id;
				enum err one = match_load(srv, games[i].id, arena, &match);
				if (one == ERR_NONE)
					print_line(cli, &match);
				else
					fprintf(cli->out, "%-6s cannot be loaded: %s\n",
					        game_id_text(&games[i], arena),
					        server_why(srv, one));
				match_release(&match);
			}
		} while (rc == ERR_NONE && n == 100);
		arena_free(arena);
		return rc;
	}
	if (argc >= 3 && strcmp(argv[1], "new") == 0) {
		struct starting f = {.why = STRBUF_INIT};
		struct command_text text;
		enum err rc = read_new(srv, argc, argv, &f, &text);

		if (rc == ERR_NONE)
			rc = admin_write(srv, act_found, &f);
		ENSURE(rc != ERR_NONE || f.new.rules != NULL);
		if (rc == ERR_NONE)
			say_open(cli, &f);
		command_text_release(&text);
		strbuf_release(&f.why);
		return rc;
	}
	if (argc >= 3 && strcmp(argv[1], "fork") == 0) {
		struct starting f = {.why = STRBUF_INIT};
		struct fork_plan plan = {.creator_seat = 0};
		struct command_text text;
		struct match source = {0};
		enum err rc = read_fork(srv, argc, argv, &text);

		if (rc == ERR_NONE)
			rc = plan_fork(srv, &source, &text.items[0], &plan, &f.why);
		if (rc == ERR_NONE) {
			f.new = plan.new;
			rc = admin_write(srv, act_found, &f);
		}
		if (rc == ERR_NONE)
			say_open(cli, &f);
		match_release(&source);
		command_text_release(&text);
		strbuf_release(&f.why);
		return rc;
	}
	if (argc >= 3 && parse_game_id(span_of(argv[2]), &game, &letter)) {
		TRY(match_check_letter(srv, game, letter));
		if (argc == 3 && strcmp(argv[1], "show") == 0)
			return game_show(cli, srv, game);
		if (argc <= 4 && strcmp(argv[1], "hold") == 0)
			return game_set_held(cli, srv, game,
			                     argc == 4 ? argv[3] : "by the operator");
		if (argc == 3 && strcmp(argv[1], "resume") == 0)
			return game_set_held(cli, srv, game, NULL);
	}
	words->unused = true;
	return ERR_NONE;
}

int cmd_game(struct cli *cli, int argc, char **argv)
{
	struct game_words words = {.argc = argc, .argv = argv};

	if (argc < 2)
		return cli_usage(cli);
	bool look = strcmp(argv[1], "list") == 0 || strcmp(argv[1], "show") == 0;
	int code =
	    cli_with_server(cli, look ? STORE_READ_ONLY : STORE_READ_WRITE, dispatch, &words);
	return words.unused ? cli_usage(cli) : code;
}
