/*
 * registry.c - finding a game by what people and files call it; and what is the same in all games:
 * who is first, what a phase is called, how orders came to be used.
 *
 * Archives name kind and version exactly; people write "Whakka Mole",
 * "whakka-mole" or "WHAKKAMOLE" and mean the newest version.
 */
#include "processor/games/registry.h"
#include "processor/base/err.h"
#include "processor/games/rules.h"

static const struct rules *const registry[] = {
    &whakka_mole_1, &mole_park_1, &martian_boggle_1, &mole_1, &mole_majority_1,
};

enum { NREGISTRY = sizeof registry / sizeof *registry };

size_t rules_count(void)
{
	return NREGISTRY + (extra_game != NULL);
}

const struct rules *rules_at(size_t i)
{
	ENSURE(i < rules_count());
	return i < NREGISTRY ? registry[i] : extra_game;
}

static bool is_joint(char c)
{
	return c == ' ' || c == '-' || c == '_' || c == '\t';
}

/* Compares letters only: case, blanks and hyphens do not count. */
static bool same_kind(struct span said, const char *name)
{
	for (size_t i = 0; i < said.len; i++) {
		if (is_joint(said.ptr[i]))
			continue;
		while (is_joint(*name))
			name++;
		if (*name == '\0' || ascii_lower(said.ptr[i]) != ascii_lower(*name))
			return false;
		name++;
	}
	while (is_joint(*name))
		name++;
	return *name == '\0';
}

const struct rules *rules_find(struct span kind)
{
	const struct rules *found = NULL;

	for (size_t i = 0; i < rules_count(); i++)
		if (same_kind(kind, rules_at(i)->name) &&
		    (!found || rules_at(i)->version > found->version))
			found = rules_at(i);
	return found;
}

const struct rules *rules_find_version(struct span name, unsigned version)
{
	for (size_t i = 0; i < rules_count(); i++)
		if (span_eq_str(name, rules_at(i)->name) && rules_at(i)->version == version)
			return rules_at(i);
	return NULL;
}

const struct rules *rules_by_letter(char letter)
{
	const struct rules *found = NULL;

	for (size_t i = 0; i < rules_count(); i++)
		if (ascii_lower(rules_at(i)->letter) == ascii_lower(letter) &&
		    (!found || rules_at(i)->version > found->version))
			found = rules_at(i);
	return found;
}

/* ---- What is the same in all games ---- */

static bool stands_before(const struct game_result *out, const struct game_state *s, unsigned a,
                          unsigned b,
                          int (*compare)(const struct game_state *s, unsigned a, unsigned b))
{
	if (seat_in(out->eliminated, a) != seat_in(out->eliminated, b))
		return seat_in(out->eliminated, b);
	return compare ? compare(s, a, b) > 0 : out->scores[a] > out->scores[b];
}

void result_rank(struct game_result *out, const struct game_state *s,
                 int (*compare)(const struct game_state *s, unsigned a, unsigned b))
{
	for (unsigned seat = 1; seat <= out->nseats && out->over; seat++) {
		out->ranks[seat] = 1;
		for (unsigned other = 1; other <= out->nseats; other++)
			out->ranks[seat] += stands_before(out, s, other, seat, compare);
		if (out->ranks[seat] == 1 && !seat_in(out->eliminated, seat))
			out->winners = seat_with(out->winners, seat);
	}
}

void label_phase(struct strbuf *out, const char *unit, unsigned number, bool over)
{
	if (over)
		strbuf_addf(out, "end, after %s %u", unit, number - 1);
	else
		strbuf_addf(out, "%s %u", unit, number);
}

/* As archives write it. */
static const char *const origin_names[] = {
    [ORDER_SENT] = "sent",   [ORDER_DEFAULT] = "default",   [ORDER_STANDING] = "standing",
    [ORDER_BOT] = "bot",     [ORDER_RESIGNED] = "resigned", [ORDER_QUEUED] = "queued",
    [ORDER_DRAFT] = "draft", [ORDER_FALLBACK] = "fallback",
};

enum { ORIGIN_COUNT = sizeof origin_names / sizeof *origin_names };

const char *order_origin_name(enum order_origin o)
{
	ENSURE((unsigned)o < ORIGIN_COUNT);
	return origin_names[o];
}

bool order_origin_parse(struct span text, enum order_origin *out)
{
	for (unsigned i = 0; i < ORIGIN_COUNT; i++) {
		if (span_eq_str(text, origin_names[i])) {
			*out = (enum order_origin)i;
			return true;
		}
	}
	return false;
}
