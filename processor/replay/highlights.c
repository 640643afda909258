/*
 * highlights.c - the best of each kind is kept while the game goes by.
 */
#include "processor/replay/highlights.h"

struct moment {
	size_t turn; /* 0 = none */
	const char *text;
	unsigned weight;
};

/* The scores after one turn. */
struct position {
	const char *label;
	int64_t scores[MAX_SEATS + 1];
	struct position *before;
	size_t turn;
};

struct highlights {
	struct arena *arena;
	const struct rules *rules;
	const char *names[MAX_SEATS + 1];
	struct game_result result; /* the newest */
	struct position *last;
	struct moment told[HIGHLIGHTS]; /* the game's own, best first, one a turn */
	struct moment best_turn;        /* weight: points */
};

struct highlights *highlights_new(const struct rules *rules, struct arena *arena)
{
	struct highlights *h = arena_calloc(arena, 1, sizeof(*h));

	h->arena = arena;
	h->rules = rules;
	return h;
}

static void add_told(struct highlights *h, const struct game_state *state,
                     const struct position *now)
{
	struct moment best = {0};
	struct doc doc;

	doc_init(&doc, h->arena);
	h->rules->view(state, SEAT_PUBLIC, &doc);
	for (const struct doc_block *b = doc.first; b; b = b->next)
		if (b->part == DOC_HIGHLIGHT && (best.turn == 0 || b->weight > best.weight))
			best = (struct moment){now->turn, b->text, b->weight};
	if (best.turn == 0)
		return;
	/* "Best word: ... 28 points (turn 7)." */
	struct span s = span_of(best.text);

	if (s.len > 0 && s.ptr[s.len - 1] == '.')
		s.len--;
	best.text = arena_printf(h->arena, "%.*s (%s).", SPAN_ARGS(s), now->label);
	struct moment m = best;
	for (size_t i = 0; i < HIGHLIGHTS; i++) {
		if (h->told[i].turn != 0 && m.weight <= h->told[i].weight)
			continue;
		struct moment lesser = h->told[i];
		h->told[i] = m;
		m = lesser;
	}
}

void highlights_add(struct highlights *h, const struct game_state *state, const char *label)
{
	struct position *now = arena_calloc(h->arena, 1, sizeof(*now));

	h->rules->result(state, &h->result);
	now->label = arena_strdup(h->arena, label);
	now->before = h->last;
	now->turn = h->last ? h->last->turn + 1 : 0;
	for (unsigned seat = 1; seat <= h->result.nseats && seat <= MAX_SEATS; seat++) {
		now->scores[seat] = h->result.scores[seat];
		h->names[seat] = arena_strdup(h->arena, h->rules->seat_name(state, seat));
	}
	if (now->turn > 0)
		add_told(h, state, now);
	for (unsigned seat = 1; now->before && seat <= h->result.nseats; seat++) {
		int64_t gain = now->scores[seat] - now->before->scores[seat];

		if (gain < 2 || gain <= (int64_t)h->best_turn.weight || gain > UINT16_MAX)
			continue;
		h->best_turn = (struct moment){
		    now->turn,
		    arena_printf(h->arena, "Best turn: %s gained %u points (%s).",
		                 h->names[seat], (unsigned)gain, now->label),
		    (unsigned)gain};
	}
	h->last = now;
}

/* The seat, other than the winner's, with most points. */
static unsigned rival(const struct highlights *h, const struct position *p, unsigned winner)
{
	unsigned best = 0;

	for (unsigned seat = 1; seat <= h->result.nseats; seat++)
		if (seat != winner && (best == 0 || p->scores[seat] > p->scores[best]))
			best = seat;
	return best;
}

/*
 * When the winner was last not ahead; or else when the lead was smallest in the second half. NULL where
 * points do not decide.
 */
static const char *closest_call(const struct highlights *h)
{
	const struct position *closest = NULL;
	int64_t lead, least = INT64_MAX;
	unsigned winner = 1, other;

	while (winner < h->result.nseats && !seat_in(h->result.winners, winner))
		winner++;
	other = seat_count(h->result.winners) == 1 ? rival(h, h->last, winner) : 0;
	if (other == 0 || h->last->scores[winner] <= h->last->scores[other])
		return NULL;
	for (const struct position *p = h->last->before; p && p->turn > 0; p = p->before) {
		other = rival(h, p, winner);
		lead = p->scores[winner] - p->scores[other];
		if (lead <= 0) {
			closest = p;
			least = lead;
			break;
		}
		if (lead < least && p->turn >= h->last->turn / 2) {
			closest = p;
			least = lead;
		}
	}
	if (!closest)
		return NULL;
	other = rival(h, closest, winner);
	if (least == 0)
		return arena_printf(h->arena, "Closest call: %s was level with %s after %s.",
		                    h->names[winner], h->names[other], closest->label);
	return least < 0 ? arena_printf(h->arena,
	                                "Closest call: %s was still %lld ahead of %s after %s.",
	                                h->names[other], (long long)-least, h->names[winner],
	                                closest->label)
	                 : arena_printf(h->arena,
	                                "Closest call: %s was only %lld ahead of %s after %s.",
	                                h->names[winner], (long long)least, h->names[other],
	                                closest->label);
}

size_t highlights_choose(const struct highlights *h, const char *out[HIGHLIGHTS])
{
	const char *close = h->last ? closest_call(h) : NULL;
	size_t n = 0, told = 0;

	for (size_t i = 0; i < HIGHLIGHTS; i++) /* the game's own says more */
		if (h->told[i].turn != 0 &&
		    span_starts(span_of(h->told[i].text), "Closest call:"))
			close = NULL;
	if (h->told[0].turn != 0)
		out[n++] = h->told[told++].text;
	if (h->best_turn.turn != 0 && (n == 0 || h->best_turn.turn != h->told[0].turn))
		out[n++] = h->best_turn.text;
	for (; n + (close != NULL) < HIGHLIGHTS && told < HIGHLIGHTS && h->told[told].turn != 0;
	     told++) {
		/* "Hardest hit: ..." is said of one only. */
		struct span all = span_of(h->told[told].text);
		struct span kind = span_slice(all, 0, span_find_char(all, ':') + 1);
		bool second = false;

		for (size_t i = 0; i < n && kind.len < all.len; i++)
			second = second ||
			         span_eq(span_slice(span_of(out[i]), 0, kind.len), kind);
		if (!second)
			out[n++] = all.ptr;
	}
	if (close)
		out[n++] = close;
	return n;
}
