/*
 * bots.c - which bots a version of a game has.
 *
 * Versions before the present one draw orders and look no further: that is what older_bots are.
 */
#include "processor/bots/bots.h"

#include "processor/base/chance.h"
#include "processor/base/err.h"

bool bots_known(const struct rules *rules, unsigned version)
{
	return version >= 1 && version <= rules->bots_version;
}

void bot_orders(const struct rules *rules, unsigned version, const struct game_state *position,
                unsigned seat, unsigned level, const struct tables *tables,
                const struct hash *key, struct strbuf *canonical, struct strbuf *drawn)
{
	ENSURE(bots_known(rules, version));
	struct chance *chance = chance_from_key(key);
	struct game_state *seen = rules->resample(position, seat, chance);
	size_t dealt = chance_count(chance);
	if (version < rules->bots_version)
		rules->older_bots[version - 1](seen, seat, level, tables, chance, canonical);
	else
		search_orders(rules, seen, seat, level, tables, chance, canonical);
	if (drawn)
		chance_add_ranges(chance, dealt, drawn);
	rules->free_state(seen);
	chance_free(chance);
}

void bot_advice(const struct rules *rules, const struct game_state *position, unsigned seat,
                const struct tables *tables, struct span ordered, const struct hash *key,
                struct advice *out)
{
	struct chance *chance = chance_from_key(key);
	struct game_state *seen = rules->resample(position, seat, chance);

	search_advise(rules, seen, seat, tables, ordered, chance, out);
	rules->free_state(seen);
	chance_free(chance);
}
