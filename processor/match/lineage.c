/*
 * lineage.c - from the newest turn back to the set-up.
 */
#include "processor/match/lineage.h"

#include "processor/base/banned.h"

enum err line_of_play(struct server *srv, const struct hand *h, unsigned **serials, size_t *n)
{
	struct turn *turns;
	size_t nturns, at = 0;

	*n = 0;
	TRY(turn_list(srv->store, h->game.id, h->arena, &turns, &nturns));
	*serials = arena_calloc(h->arena, nturns + 1, sizeof(**serials));
	if (!h->has_turn)
		return ERR_NONE;
	for (unsigned s = h->turn.serial;; s = turns[s].parent) {
		if (s >= nturns || at > nturns)
			return err_set(&srv->fail, ERR_CORRUPT,
			               "%s: its turns do not lead to the set-up", h->id);
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
