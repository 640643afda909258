/*
 * record.c - questions about a record that writer, reader and verifier share.
 */
#include "processor/archive/private.h"

#include "processor/archive/proof.h"

static const char *const begin_lines[] = {NULL, "-----BEGIN MOLEPOST ARCHIVE 1-----",
                                          "-----BEGIN MOLEPOST ARCHIVE 2-----",
                                          "-----BEGIN MOLEPOST ARCHIVE 3-----"};
static const char *const end_lines[] = {NULL, "-----END MOLEPOST ARCHIVE 1-----",
                                        "-----END MOLEPOST ARCHIVE 2-----",
                                        "-----END MOLEPOST ARCHIVE 3-----"};

const char *archive_begin(unsigned version)
{
	ENSURE(version >= 1 && version <= RECORD_VERSION_NEWEST);
	return begin_lines[version];
}

const char *archive_end(unsigned version)
{
	ENSURE(version >= 1 && version <= RECORD_VERSION_NEWEST);
	return end_lines[version];
}

static unsigned version_of(struct span line, const char *const *lines)
{
	for (unsigned version = 1; version <= RECORD_VERSION_NEWEST; version++)
		if (span_eq_str(line, lines[version]))
			return version;
	return 0;
}

unsigned archive_begins(struct span line)
{
	return version_of(line, begin_lines);
}

unsigned archive_ends(struct span line)
{
	return version_of(line, end_lines);
}

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

static size_t inputs_of(const struct record *r, const struct record_turn *t,
                        struct proof_input out[static MAX_SEATS])
{
	if (t->serial > 0 && r->version > 2) {
		size_t n = 0;

		for (size_t i = 0; i < t->nrevisions && n < MAX_SEATS; i++)
			if (t->revisions[i].revision == 1)
				out[n++] = (struct proof_input){
				    .seat = t->revisions[i].seat,
				    .contribution = t->revisions[i].contribution};
		return n;
	}
	if (t->serial > 0) {
		ENSURE(t->nused <= MAX_SEATS);
		for (size_t i = 0; i < t->nused; i++)
			out[i] = (struct proof_input){t->used[i].seat, t->used[i].contribution,
			                              t->used[i].salt, t->used[i].canonical};
		return t->nused;
	}
	for (unsigned seat = 1; seat <= r->nseats; seat++)
		out[seat - 1] = (struct proof_input){seat, r->seats[seat].contribution,
		                                     r->seats[seat].salt,
		                                     span_of(r->seats[seat].name)};
	return r->nseats;
}

struct hash record_inputs_hash(const struct record *r, const struct record_turn *t,
                               const struct hash *parent)
{
	struct proof_input inputs[MAX_SEATS];
	size_t n = inputs_of(r, t, inputs);

	return proof_inputs_hash(r->version, r->game, parent, inputs, n);
}

struct hash record_joins_hash(const struct record *r)
{
	struct proof_join joins[MAX_SEATS];

	if (r->version > 1)
		return record_inputs_hash(r, &(struct record_turn){.serial = 0}, NULL);
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
