/*
 * cmd_player.c - `molepost player list|show|block|unblock|forget|token|drop`.
 *
 * A player is named by address or by number. Forgetting takes out addresses, name and texts for
 * good, and says what stays: finished archives keep the name of the seat. A token is what makes a reply address: new ones
 * go out in a mail for each game they play in, and all older ones are dead. Dropping takes away one of
 * their further addresses.
 */
#include <string.h>

#include "processor/base/clock.h"
#include "processor/base/num.h"
#include "processor/cli/command_line.h"
#include "processor/outgoing/mail_history.h"
#include "processor/outgoing/outgoing.h"
#include "processor/outgoing/retention.h"
#include "processor/request/request.h"
#include "processor/server/reply_address.h"
#include "processor/server/server.h"
#include "store/addresses.h"
#include "store/audit.h"
#include "store/bounces.h"
#include "store/games.h"
#include "store/operator/retention.h"
#include "store/outbox.h"
#include "store/players.h"

static void print_player(const struct cli *cli, const struct player *p)
{
	fprintf(cli->out, "%5lld  %-32.*s %.*s%s%s%s\n", (long long)p->id,
	        SPAN_ARGS(p->address), SPAN_ARGS(p->name),
	        p->confirmed ? "" : "  not confirmed", p->blocked ? "  BLOCKED" : "",
	        p->forgotten ? "  forgotten" : "");
}

static enum err list_all(struct cli *cli, struct server *srv, void *ctx)
{
	struct player *all;
	size_t n;

	(void)ctx;
	TRY(player_list(srv->store, srv->arena, &all, &n));
	for (size_t i = 0; i < n; i++)
		print_player(cli, &all[i]);
	return ERR_NONE;
}

enum err find_player(struct server *srv, const char *who, struct player *out)
{
	uint64_t id;
	enum err rc = num_parse_u64(span_of(who), INT64_MAX, &id)
	                  ? player_get(srv->store, (int64_t)id, srv->arena, out)
	                  : player_by_address(srv->store, span_of(who), srv->arena, out);

	if (rc != ERR_NOT_FOUND)
		return rc;
	return err_set(&srv->fail, rc, "no player '%s' here; see: molepost player list", who);
}

static enum err show(struct cli *cli, struct server *srv, void *who)
{
	struct player p;
	struct game *games;
	struct span *others;
	size_t n;

	TRY(find_player(srv, who, &p));
	print_player(cli, &p);
	if (p.zone.len > 0)
		fprintf(cli->out, "       time zone %.*s\n", SPAN_ARGS(p.zone));

	struct bounced_address *list;
	size_t bounced;

	TRY(bounce_list(srv->store, p.id, srv->arena, &list, &bounced));
	for (size_t i = 0; i < bounced; i++) {
		struct strbuf since = STRBUF_INIT;
		utc_format_human(&since,
		                 list[i].paused_utc ? list[i].paused_utc : list[i].last_utc);
		bool given_up = list[i].paused_utc > 0 || list[i].instead.len > 0;
		if (list[i].said.len == 0)
			fprintf(cli->out,
			        "       none is sent to %.*s since %s: nothing is heard from "
			        "there\n",
			        SPAN_ARGS(list[i].address), since.ptr);
		else
			fprintf(cli->out, "       mail to %.*s %s (%.*s), %s %s%s%.*s\n",
			        SPAN_ARGS(list[i].address),
			        given_up ? "comes back" : "came back or was late",
			        SPAN_ARGS(list[i].said),
			        list[i].paused_utc ? "so none is sent since" : "the last on",
			        since.ptr, list[i].instead.len > 0 ? "; used instead: " : "",
			        SPAN_ARGS(list[i].instead));
		strbuf_release(&since);
	}
	TRY(address_list(srv->store, p.id, srv->arena, &others, &n));
	for (size_t i = 0; i < n; i++)
		fprintf(cli->out, "       also   %.*s\n", SPAN_ARGS(others[i]));
	TRY(game_list_of_player(srv->store, p.id, ~0u, srv->arena, &games, &n));
	for (size_t i = 0; i < n; i++)
		fprintf(cli->out, "       %-6s %s\n", game_id_text(&games[i], srv->arena),
		        game_status_name(games[i].status));
	enum { SHOWN = 20 };
	struct outbox_mail *mails;
	TRY(outbox_unsent(srv->store, p.id, SHOWN, srv->arena, &mails, &n));
	if (n > 0)
		fprintf(cli->out, "       mail that has not got through:\n");
	for (size_t i = 0; i < n; i++)
		TRY(mail_history_print(cli->out, srv, &mails[i]));
	return ERR_NONE;
}

/* Still seated in a running game: forgetting would leave the others waiting for nobody. */
static enum err may_forget(struct server *srv, const struct player *p)
{
	struct game *games;
	size_t n;

	TRY(game_list_of_player(srv->store, p->id, GAMES_LIVE, srv->arena, &games, &n));
	if (n == 0)
		return ERR_NONE;
	return err_set(
	    &srv->fail, ERR_INVALID,
	    "player %lld still has a seat in %s; they must send \"RESIGN\" there first",
	    (long long)p->id, game_id_text(&games[0], srv->arena));
}

/* The mail that brings the new reply address. */
static enum err post_new_token(struct server *srv, const struct player *p, struct match *match,
                               struct seat *seat)
{
	struct report_out out = REPORT_OUT_FOR(report_form_of(&p->form));
	struct report_game game = report_values_game(srv, match, seat, p);

	report_notice(
	    &(struct report_notice){
		.game = &game,
		.subject = "your new reply address",
		.paragraphs = TEXTS(arena_printf(
		    srv->arena,
		    "The operator of this server has renewed your reply address. %s",
		    seat_reply_address_sentence(srv, match->id, match->arena)))},
	    &out);
	enum err rc =
	    outgoing_add(srv,
	                 &(struct outgoing){.kind = "notice",
	                                    .key = arena_printf(srv->arena, "token %u",
	                                                        seat->token_generation),
	                                    .game = &match->game,
	                                    .seat = seat,
	                                    .serial = match->has_turn ? match->turn.serial : 0,
	                                    .player = p->id,
	                                    .address = p->address,
	                                    .form = p->form,
	                                    .report = &out},
	                 srv->arena);
	report_out_release(&out);
	return rc;
}

/* What went, for forgotten() to say. */
struct forgetting {
	unsigned texts, addresses;
	struct retention_forgotten rows;
};

/* To be read to the person who asked for it. */
static enum err say_forgotten(struct cli *cli, struct server *srv, const struct player *p,
                              const struct forgetting *f)
{
	struct game *games;
	size_t n;

	TRY(game_list_sat_in(srv->store, p->id, srv->arena, &games, &n));
	fprintf(
	    cli->out,
	    "Gone: name and addresses (%u); texts of mails to this player (%u); Message-IDs "
	    "and notes of mails received (%u); originals, those in a mailbox with the next "
	    "run (%u); lines told to the operator (%u).\n",
	    f->addresses, f->texts, f->rows.mails_in, f->rows.originals, f->rows.troubles);
	if (n > 0)
		fprintf(cli->out,
		        "Left: the name of the seat and its orders in the records of");
	for (size_t i = 0; i < n; i++)
		fprintf(cli->out, "%s %s", i > 0 ? "," : "",
		        game_id_text(&games[i], srv->arena));
	if (n > 0)
		fprintf(cli->out,
		        ". They are signed, others hold copies, and changed they would "
		        "not verify.\n");
	fprintf(cli->out,
	        "Left: that mails came and went, without whose they were, so that none "
	        "is taken twice; what the server signed for this seat.\n"
	        "Out of reach: backups, mails in other people's hands and the log of "
	        "your mail server.\n");
	return ERR_NONE;
}

static enum err change(struct server *srv, const char *what, const struct player *p,
                       const char *who, struct forgetting *f)
{
	if (strcmp(what, "forget") == 0) {
		struct span *others;
		size_t n;

		TRY(address_list(srv->store, p->id, srv->arena, &others, &n));
		f->addresses = (unsigned)n + 1;
		TRY(player_forget(srv->store, p->id));
		TRY(retention_of_forgotten(srv, p->id, &f->texts));
		TRY(retention_forget_rows(srv->store, p->id, p->address, srv->now_utc,
		                          &f->rows));
	} else if (strcmp(what, "token") == 0) {
		/* Not of games that are over: a reply address can change nothing there. */
		struct game *games;
		size_t n;

		TRY(game_list_of_player(srv->store, p->id, GAMES_LIVE, srv->arena, &games, &n));
		for (size_t i = 0; i < n; i++) {
			struct match match;
			enum err rc = match_load(srv, games[i].id, srv->arena, &match);

			for (size_t k = 0; rc == ERR_NONE && k < match.nseats; k++) {
				struct seat *seat = &match.seats[k];

				if (seat->player != p->id)
					continue;
				rc = seat_renew_token(srv, seat);
				if (rc == ERR_NONE)
					rc = post_new_token(srv, p, &match, seat);
				if (rc == ERR_NONE)
					rc = seat_update(srv->store, seat);
			}
			match_release(&match);
			TRY(rc);
		}
		TRY(player_next_token(srv->store, p->id));
	} else if (strcmp(what, "drop") == 0) {
		if (span_same_nocase(p->address, who))
			return err_set(
			    &srv->fail, ERR_INVALID,
			    "mail to player %lld goes to '%s'; only further addresses can be "
			    "dropped",
			    (long long)p->id, who);
		TRY(address_drop(srv->store, p->id, span_of(who)));
	} else {
		TRY(player_set_blocked(srv->store, p->id, strcmp(what, "block") == 0));
	}
	return audit_add(srv->store, 0, 0, "operator", false, srv->now_utc,
	                 arena_printf(srv->arena, "player %lld: %s", (long long)p->id, what));
}

/* ctx: the words of the command line. */
static enum err change_in_transaction(struct cli *cli, struct server *srv, void *ctx)
{
	char **words = ctx;
	const char *what = words[1], *who = words[2];
	bool forget = strcmp(what, "forget") == 0;
	struct forgetting f = {0};
	struct player p;

	TRY(find_player(srv, who, &p));
	if (forget)
		TRY(may_forget(srv, &p));
	TRY(store_begin(srv->store));
	TRY(store_end(srv->store, change(srv, what, &p, who, &f)));
	/* What was overwritten leaves the disk only when the log has gone into the file. */
	if (forget)
		TRY(store_checkpoint(srv->store, 0));
	fprintf(cli->out, "player %lld: %s done\n", (long long)p.id, what);
	return forget ? say_forgotten(cli, srv, &p, &f) : ERR_NONE;
}

int cmd_player(struct cli *cli, int argc, char **argv)
{
	static const char *const changes[] = {"block", "unblock", "forget", "token", "drop"};

	if (argc == 2 && strcmp(argv[1], "list") == 0)
		return cli_with_server(cli, STORE_READ_ONLY, list_all, NULL);
	if (argc == 3 && strcmp(argv[1], "show") == 0)
		return cli_with_server(cli, STORE_READ_ONLY, show, argv[2]);
	for (size_t i = 0; argc == 3 && i < sizeof(changes) / sizeof(changes[0]); i++)
		if (strcmp(argv[1], changes[i]) == 0)
			return cli_with_server(cli, STORE_READ_WRITE, change_in_transaction,
			                       argv);
	return cli_usage(cli);
}
