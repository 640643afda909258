/*
 * cmd_route.c - `molepost route DIR...`: one mail on standard input to the server it is for.
 *
 * For several servers behind one address. Each is asked what it knows of the mail, in this order:
 *
 *	a reply address that it has made
 *	a mail of its own that is answered, or that has come back
 *	a game that it has, which a command is about
 *	a player it knows, by the address the mail comes from
 *
 * The first of these that some server can say yes to decides; of two that can, the one that knows the
 * player, and then the one before. Mail that no server knows anything of goes to one by the address of its
 * sender, always the same.
 *
 * Exit codes are those of `receive`: 75 while anything is wrong with any of the folders, since the mail may
 * be for that one.
 */
#include <ctype.h>
#include <unistd.h>

#include "mail/parser.h"
#include "mail/source.h"
#include "processor/base/file.h"
#include "processor/cli/command_line.h"
#include "processor/outgoing/outgoing.h"
#include "processor/request/which_game.h"
#include "processor/server/reply_address.h"
#include "store/addresses.h"

enum { HARD_LIMIT = 64 << 20 };

/* How well a server knows a mail; see above. */
enum knows { KNOWS_NOTHING, KNOWS_SENDER, KNOWS_GAME, KNOWS_MAIL, KNOWS_ADDRESS };

/* A reply address counts only if its code is good: all servers here have the same name before the '+'. */
static bool has_made(struct server *srv, const struct recipient *r, struct arena *arena)
{
	struct seat seat;
	struct player player;
	struct outbox_mail mail;

	switch (r->kind) {
	case RECIPIENT_SEAT:
		return seat_get(srv->store, r->seat.game, r->seat.seat, arena, &seat) ==
		           ERR_NONE &&
		       address_check(srv, &r->seat, &seat);
	case RECIPIENT_DIGEST:
		return player_get(srv->store, r->digest.player, arena, &player) == ERR_NONE &&
		       address_check_digest(srv, &r->digest, &player);
	case RECIPIENT_BOUNCE:
		return outbox_by_id(srv->store, r->bounce.outbox, arena, &mail) == ERR_NONE &&
		       address_check_bounce(srv, &r->bounce, &mail);
	case RECIPIENT_CONFIRMATION: /* the question is answered, or the game is named */
	case RECIPIENT_OTHER:
		break;
	}
	return false;
}

/* Message-IDs of ours end so: ".INSTANCE@". */
static bool is_own_id(const struct server *srv, struct span id)
{
	size_t at = span_find_char(id, '@');
	struct span name = span_of(srv->cfg.instance);

	return at < id.len && at > name.len &&
	       span_eq_nocase(span_slice(id, at - name.len, at), srv->cfg.instance) &&
	       id.ptr[at - name.len - 1] == '.';
}

/* A command of the mail is about a game that is there. What stands in orders, such as B2, is none. */
static bool names_game(struct server *srv, const struct mail_in *mail, struct arena *arena)
{
	bool named = false;

	for (size_t t = 0; t < command_text_count(mail) && !named; t++) {
		struct command_text text;

		command_text_read(mail->texts[t].text, mail->subject, srv->cfg.max_commands,
		                  arena, &text);
		for (size_t i = 0; i < text.nitems && !named; i++) {
			const struct command *item = &text.items[i];
			struct game game;

			named = item->game != 0 &&
			        game_get(srv->store, item->game, arena, &game) == ERR_NONE &&
			        fits_letter(item, &game);
		}
		command_text_release(&text);
	}
	return named;
}

static bool knows_sender(struct server *srv, const struct mail_in *mail, struct arena *arena)
{
	struct player player;

	return mail->from.len > 0 &&
	       player_by_address(srv->store, mail->from, arena, &player) == ERR_NONE;
}

static enum knows how_well(struct server *srv, const struct mail_in *mail, struct arena *arena)
{
	const struct recipient *to = address_read_all(srv, &mail->recipients, arena);

	for (size_t i = 0; i < mail->recipients.count; i++)
		if (has_made(srv, &to[i], arena))
			return KNOWS_ADDRESS;

	bool own = is_own_id(srv, mail->in_reply_to) ||
	           is_own_id(srv, mail->report.returned_id);

	for (size_t i = 0; i < mail->references.count && !own; i++)
		own = is_own_id(srv, mail->references.items[i]);
	if (own)
		return KNOWS_MAIL;
	if (names_game(srv, mail, arena))
		return KNOWS_GAME;
	return knows_sender(srv, mail, arena) ? KNOWS_SENDER : KNOWS_NOTHING;
}

/* *best: the one of the n folders. Their servers are opened one after the other, for reading. */
static enum err choose(struct cli *cli, const char *const dirs[], size_t n,
                       const struct mail_in *mail, struct arena *arena, size_t *best)
{
	struct strbuf lower = STRBUF_INIT;
	unsigned most = 0;
	uint32_t number = 0;

	/* Where none knows more: the same for each address, on any machine. */
	for (size_t i = 0; i < mail->from.len; i++)
		strbuf_addc(&lower, (char)tolower((unsigned char)mail->from.ptr[i]));
	struct hash hash = hash_of(strbuf_span(&lower));
	strbuf_release(&lower);
	for (size_t i = 0; i < 4; i++)
		number = number << 8 | hash.bytes[i];
	*best = number % n;
	for (size_t i = 0; i < n; i++) {
		struct server srv;
		enum err rc = server_open(dirs[i], STORE_READ_ONLY, false, outgoing_words,
		                          &cli->log, &srv);
		if (rc == ERR_NONE) {
			unsigned points = 2 * how_well(&srv, mail, arena);

			if (points > 2 * KNOWS_SENDER)
				points += knows_sender(&srv, mail, arena);
			if (points > most)
				*best = i;
			most = points > most ? points : most;
		} else {
			log_warnx(&cli->log, "route: %s: %s", dirs[i], server_why(&srv, rc));
		}
		server_close(&srv);
		if (rc != ERR_NONE)
			return rc;
	}
	return ERR_NONE;
}

int cmd_route(struct cli *cli, int argc, char **argv)
{
	const char *const *dirs = (const char *const *)argv + 1;
	struct failure fail = ERR_INIT;
	struct strbuf raw = STRBUF_INIT;
	struct mail_in mail;
	struct config cfg;
	size_t best = 0;
	bool told = false;

	if (argc < 2 || argv[1][0] == '-')
		return cli_usage(cli);
	struct arena *arena = arena_new();
	enum err rc = file_read_fd(STDIN_FILENO, HARD_LIMIT, &raw, &fail);
	if (rc == ERR_NONE && raw.len == 0)
		rc = err_set(&fail, ERR_INVALID, "standard input held no mail");
	bool is_mail = rc == ERR_NONE;
	struct span bytes = strbuf_span(&raw);
	/* They are read by a child that has no key and no database, as in a run. */
	struct parser *parser = parser_new(NULL, &parser_default_limits);
	if (rc == ERR_NONE)
		rc = parser_batch(parser, &bytes, 1, arena, &mail, &fail);
	parser_free(parser);
	if (rc == ERR_NONE) {
		rc = choose(cli, dirs, (size_t)argc - 1, &mail, arena, &best);
		told = rc != ERR_NONE;
	}
	if (rc == ERR_NONE)
		rc = config_load(dirs[best], arena, &cfg, &fail);
	if (rc == ERR_NONE)
		rc = maildir_deliver(config_path(&cfg, cfg.spool, arena), bytes, &fail);
	if (rc != ERR_NONE && !told)
		log_warnx(&cli->log, "route: %s", fail.text.ptr);
	if (rc == ERR_NONE)
		log_info(&cli->log, "the mail is for %s", dirs[best]);
	strbuf_release(&raw);
	err_release(&fail);
	arena_free(arena);
	if (rc == ERR_NONE)
		return EXIT_DONE;
	return is_mail ? EXIT_LATER : EXIT_DATA;
}
