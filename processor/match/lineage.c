/*
 * lineage.c - from the newest turn back to the set-up.
 */
#include "processor/match/lineage.h"

enum { TURNS_MOST = 100000 };

enum err lineage_load(struct server *srv, const struct match *match, int64_t **serials,
                      size_t *n)
{
	struct turn *turns;
	size_t nturns, at = 0;

	*n = 0;
	*serials = NULL;
	TRY(turn_list(srv->store, match->game.id, match->arena, &turns, &nturns));
	if (!match->has_turn)
		return ERR_NONE;
	int64_t *back = arena_calloc(match->arena, nturns + 1, sizeof(*back));
	for (unsigned s = match->turn.serial;; s = turns[s].parent) {
		if (s >= nturns || at > nturns)
			return err_set(&srv->fail, ERR_CORRUPT,
			               "%s: its turns do not lead to the set-up", match->id);
		back[at++] = s;
		if (s == 0)
			break;
	}
	unsigned named =
	    span_starts(match->turn.label, "turn ") ? match_turn_number(match->turn.label) : 0;
	size_t open = named > 0 && named < TURNS_MOST ? named : at - 1;
	*n = open + 1;
	*serials = arena_calloc(match->arena, *n, sizeof(**serials));
	for (size_t i = 0; i < *n; i++)
		(*serials)[open - i] = i < at ? back[i] : NO_SERIAL;
	return ERR_NONE;
}
