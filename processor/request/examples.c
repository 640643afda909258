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

const char *example_orders(const struct match *match, unsigned seat)
{
	const struct doc_block *b = report_values_examples(match, seat)->first;

	while (b && b->kind != DOC_EXAMPLE)
		b = b->next;
	return b ? b->text : NULL;
}

/* What the game answered puts in the place of a number. */
enum number { A_SEAT, A_VACANT_SEAT, THE_OPEN_TURN, THE_TURN_BEFORE, THE_NEXT_TURN };

/* With such a number, which would be accepted; where there is none, another line that helps. */
static enum err example_with(struct request *req, const char *verb, enum number number,
                             const char **out)
{
	const char *orders = NULL;
	struct match match;
	unsigned seat = 0;
	int64_t *line;
	size_t n = 0;

	enum err rc = match_load(req->srv, req->about.game, req->arena, &match);
	if (rc == ERR_NONE && number <= A_VACANT_SEAT)
		seat = seat_to_name(req, &match, number == A_VACANT_SEAT);
	else if (rc == ERR_NONE && number == THE_NEXT_TURN)
		rc = match_position_to_read(req->srv, &match);
	else if (rc == ERR_NONE)
		rc = lineage_load(req->srv, &match, &line, &n);
	if (rc == ERR_NONE && number == THE_NEXT_TURN)
		orders = example_orders(&match, req->about.seat);
	if (rc == ERR_NONE && number <= A_VACANT_SEAT)
		*out = seat == 0 ? "STATUS" : arena_printf(req->arena, "%s %u", verb, seat);
	if (n > 1)
		*out = arena_printf(req->arena, "%s %zu", verb,
		                    n - (number == THE_OPEN_TURN ? 1 : 2));
	if (orders && match.has_turn)
		*out = arena_printf(req->arena, "QUEUE %u %s",
		                    match_turn_number(match.turn.label) + 1, orders);
	match_release(&match);
	return rc;
}

enum err request_example(struct request *req, const char *example, const char **out)
{
	/* Games they do not sit in, for which LIST is, and numbers of the game they answer. */
	static const struct {
		const char *example, *otherwise, *verb;
		enum number number;
	} known[] = {{.example = "RESEND 4", .otherwise = "RESEND 1"},
	             {.example = "OBSERVE W17", .otherwise = "LIST"},
	             {.example = "MONITOR W17", .otherwise = "LIST"},
	             {.example = "TAKEOVER W17", .otherwise = "LIST"},
	             {"QUEUE 7", "HELP QUEUE", "QUEUE", THE_NEXT_TURN},
	             {"SET CONCEDE 2", NULL, "SET CONCEDE", A_SEAT},
	             {"EJECT 2", NULL, "EJECT", A_SEAT},
	             {"PROMOTE 2", NULL, "PROMOTE", A_SEAT},
	             {"BECOME 2", NULL, "BECOME", A_VACANT_SEAT},
	             {"PROCESS 4", NULL, "PROCESS", THE_OPEN_TURN},
	             {"ROLLBACK 3", NULL, "ROLLBACK", THE_TURN_BEFORE}};
	const char *id;

	*out = example;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(example, known[i].example) != 0)
			continue;
		if (known[i].otherwise)
			*out = known[i].otherwise;
		if (known[i].verb && req->about.game != 0 &&
		    (known[i].number != THE_NEXT_TURN || req->about.seat != 0))
			return example_with(req, known[i].verb, known[i].number, out);
		return ERR_NONE;
	}
	if (!strstr(example, "W17"))
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
