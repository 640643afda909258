/*
 * lineage.c - from the newest turn back to the set-up.
 */
#include "processor/match/lineage.h"

enum err lineage_load(struct server *srv, const struct match *match, unsigned **serials,
                      size_t *n)
{
	struct turn *turns;
	size_t nturns, at = 0;

	*n = 0;
	TRY(turn_list(srv->store, match->game.id, match->arena, &turns, &nturns));
	*serials = arena_calloc(match->arena, nturns + 1, sizeof(**serials));
	if (!match->has_turn)
		return ERR_NONE;
	for (unsigned s = match->turn.serial;; s = turns[s].parent) {
		if (s >= nturns || at > nturns)
			return err_set(&srv->fail, ERR_CORRUPT,
			               "%s: its turns do not lead to the set-up", match->id);
		(*serials)[at++] = s;
		if (s == 0)
			break;
	}
	*n = at;
	for (size_t i = 0; i < at / 2; i++) {
		unsigned swap = (*serials)[i];
		(*serials)[i] = (*serials)[at - 1 - i];
		(*serials)[at - 1 - i] = swap;
	}
	return ERR_NONE;
}
