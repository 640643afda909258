/*
 * examples.c - lines shown to who has written one that is nearly right.
 *
 * The table of commands has an example for each. What it names is no game or seat of the reader's; here it
 * gets such a one, so that the line would be carried out if it were sent back.
 */
#include <string.h>

#include "processor/match/report_values.h"
#include "processor/request/request.h"
#include "processor/request/which_game.h"

static enum err some_game(struct request *req, const char **id)
{
	struct game *games, g;
	size_t n = 0;

	*id = NULL;
	if (req->about.game != 0) {
		TRY(game_get(req->srv->store, req->about.game, req->arena, &g));
		*id = game_id_text(&g, req->arena);
		return ERR_NONE;
	}
	TRY(request_games(req, &games, &n));
	if (n == 0 && req->who.player.id != 0) /* one that has ended is better than none */
		TRY(game_list_of_player(req->srv->store, req->who.player.id, ~0u, req->arena,
		                        &games, &n));
	if (n > 0)
		*id = game_id_text(&games[0], req->arena);
	return ERR_NONE;
}

/* With `old` at its end or before a blank replaced by `by`. */
static const char *with_word(struct request *req, const char *text, const char *old,
                             const char *by)
{
	struct span all = span_of(text);
	size_t at = span_find(all, span_of(old));

	return at == all.len ? text
	                     : arena_printf(req->arena, "%.*s%s%s", (int)at, text, by,
	                                    text + at + strlen(old));
}

/* With the number of the open turn, or the one before it. */
static enum err example_of_turn(struct request *req, bool open, const char **out)
{
	struct match match;
	int64_t *line;
	size_t n = 0;

	if (req->about.game == 0)
		return ERR_NONE;
	enum err rc = match_load(req->srv, req->about.game, req->arena, &match);
	if (rc == ERR_NONE)
		rc = lineage_load(req->srv, &match, &line, &n);
	if (rc == ERR_NONE && n > 1)
		*out = open ? arena_printf(req->arena, "PROCESS %zu", n - 1)
		            : arena_printf(req->arena, "ROLLBACK %zu", n - 2);
	match_release(&match);
	return rc;
}

/* Somebody else at the table; for BECOME a seat that is vacant. 0 = there is none. */
static unsigned seat_to_name(const struct request *req, const struct match *match, bool vacant)
{
	for (size_t i = 0; i < match->nseats; i++) {
		const struct seat *s = &match->seats[i];
		if (vacant ? s->vacated_utc != 0
		           : s->player != 0 && s->player != req->who.player.id && !s->resigned)
			return s->seat;
	}
	return 0;
}

/* With the number of a seat for which it would be accepted, or else a look at the table. */
static enum err example_of_seat(struct request *req, const char *verb, const char **out)
{
	struct match match;

	if (req->about.game == 0)
		return ERR_NONE;
	enum err rc = match_load(req->srv, req->about.game, req->arena, &match);
	unsigned seat = rc == ERR_NONE ? seat_to_name(req, &match, strcmp(verb, "BECOME") == 0)
	                               : 0;

	if (rc == ERR_NONE)
		*out = seat == 0 ? "STATUS" : arena_printf(req->arena, "%s %u", verb, seat);
	match_release(&match);
	return rc;
}

/* With orders, and for the next turn. */
static enum err example_of_queue(struct request *req, const char **out)
{
	struct match match;

	*out = "HELP QUEUE";
	if (req->about.game == 0 || req->about.seat == 0)
		return ERR_NONE;
	enum err rc = match_load(req->srv, req->about.game, req->arena, &match);
	if (rc == ERR_NONE)
		rc = match_position_to_read(req->srv, &match);
	const struct doc_block *b =
	    rc == ERR_NONE ? report_values_examples(&match, req->about.seat)->first : NULL;
	while (b && b->kind != DOC_EXAMPLE)
		b = b->next;
	if (b && match.has_turn)
		*out = arena_printf(req->arena, "QUEUE %u %s",
		                    match_turn_number(match.turn.label) + 1, b->text);
	match_release(&match);
	return rc;
}

enum err request_example(struct request *req, const char *example, const char **out)
{
	static const struct {
		const char *example, *verb;
	} with_seat[] = {{"SET CONCEDE 2", "SET CONCEDE"},
	                 {"EJECT 2", "EJECT"},
	                 {"PROMOTE 2", "PROMOTE"},
	                 {"BECOME 2", "BECOME"}};
	const char *id;

	*out = example;
	if (strcmp(example, "RESEND 4") == 0)
		*out = "RESEND 1";
	/* Not a game they sit in: which there are is said by LIST. */
	if (strncmp(example, "OBSERVE", 7) == 0 || strncmp(example, "MONITOR", 7) == 0)
		*out = "LIST";
	if (strcmp(example, "TAKEOVER W17") == 0) /* nor have they to take their own */
		*out = "LIST";
	if (strcmp(example, "QUEUE 7") == 0)
		return example_of_queue(req, out);
	for (size_t i = 0; i < sizeof(with_seat) / sizeof(with_seat[0]); i++)
		if (strcmp(example, with_seat[i].example) == 0)
			return example_of_seat(req, with_seat[i].verb, out);
	if (strcmp(example, "PROCESS 4") == 0 || strcmp(example, "ROLLBACK 3") == 0)
		return example_of_turn(req, example[0] == 'P', out);
	if (!strstr(*out, "W17"))
		return ERR_NONE;
	TRY(some_game(req, &id));
	if (id)
		*out = with_word(req, with_word(req, example, "2 W17", "W17"), "W17", id);
	return ERR_NONE;
}

enum err request_add_diags(struct request *req, const struct diags *from, struct diags *out)
{
	const char *example;

	for (size_t i = 0; i < from->count; i++) {
		const struct diag *g = &from->items[i];
		TRY(request_example(req, g->example, &example));
		diags_add(out, g->level, g->line, g->column, span_of(g->quoted), example, "%s",
		          g->message);
	}
	return ERR_NONE;
}
