/*
 * record.c - questions about a record that writer, reader and verifier share.
 */
#include "processor/archive/private.h"

#include "processor/archive/proof.h"

#include "processor/base/banned.h"

bool record_turn_uses(const struct record_turn *t, const struct record_order *o)
{
	for (size_t i = 0; i < t->nused; i++)
		if (t->used[i].seat == o->seat && t->used[i].revision == o->revision)
			return true;
	return false;
}

size_t record_find_revision(const struct record_turn *t, size_t from,
                            const struct record_order *o)
{
	size_t i = from;

	while (i < t->nrevisions &&
	       (t->revisions[i].seat != o->seat || t->revisions[i].revision != o->revision))
		i++;
	return i;
}

void game_result_agree(struct game_result *r, struct seat_set agreed)
{
	r->over = true;
	r->winners = agreed;
	for (unsigned seat = 1; seat <= r->nseats; seat++)
		r->ranks[seat] = seat_in(agreed, seat) ? 1 : 1 + seat_count(agreed);
}

bool record_order_is_late(const struct record_turn *t, const struct record_order *o)
{
	return t->deadline_utc != 0 && o->received_utc > t->deadline_utc;
}

struct hash record_joins_hash(const struct record *r)
{
	struct proof_join joins[MAX_SEATS];

	for (unsigned i = 0; i < r->nseats; i++) {
		const struct record_seat *s = &r->seats[i + 1];

		joins[i] = (struct proof_join){s->name, s->joined_utc, s->salt};
	}
	return proof_joins_hash(joins, r->nseats);
}

struct hash archive_line_leaf(const struct archive *a, size_t i)
{
	const struct archive_line *l = &a->lines[i];

	if (l->form == LINE_HIDDEN)
		return l->leaf;
	if (l->form == LINE_REVEALED)
		return archive_hidden_leaf(&a->record.secret, a->record.game, (unsigned)i + 1,
		                           l->text);
	return archive_leaf(l->text);
}
