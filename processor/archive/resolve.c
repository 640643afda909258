/*
 * resolve.c - one turn: orders in, position out; and a game that begins in the middle of another.
 */
#include "processor/archive/resolve.h"
#include "processor/archive/proof.h"

/* ---- Beginning in the middle of a game ---- */

static bool has_names(const struct rules *rules, const struct game_state *s,
                      const struct seat_names *names)
{
	bool same = rules->nseats(s) == names->count;

	for (unsigned seat = 1; seat <= names->count && same; seat++)
		same = span_eq_str(span_of(rules->seat_name(s, seat)), names->names[seat]);
	return same;
}

/* Every state has its options on one line (fields.h). */
static bool has_options(struct span text, struct span options)
{
	struct span line;

	while (span_next_line(&text, &line))
		if (span_starts(line, "options: "))
			return span_eq(span_slice(line, 9, line.len), options);
	return false;
}

static const char *objection(const struct rules *rules, struct span options,
                             const struct seat_names *names, const struct game_state *s,
                             struct span text)
{
	struct game_result result = {0};

	rules->result(s, &result);

	struct strbuf again = STRBUF_INIT;
	bool same;

	rules->encode(s, &again);
	same = span_eq(strbuf_span(&again), text);
	strbuf_release(&again);
	if (!same)
		return "it is not written as the rules write it";
	if (!has_options(text, options))
		return "it is of a game with other options";
	if (!has_names(rules, s, names))
		return "it is of a game with other seats";
	return result.over ? "the game is over in it" : NULL;
}

bool fork_point_read(const struct rules *rules, struct span options,
                     const struct seat_names *names, struct span text, struct game_state **out,
                     struct strbuf *why)
{
	struct game_state *s = NULL;
	const char *no;

	if (!rules->decode(text, &s, why))
		return false;
	no = objection(rules, options, names, s, text);
	if (no != NULL) {
		strbuf_adds(why, no);
		rules->free_state(s);
		return false;
	}
	*out = s;
	return true;
}

struct game_state *fork_point_deal(const struct rules *rules, const struct game_state *from,
                                   struct chance *chance, struct strbuf *why)
{
	struct game_state *dealt = rules->resample(from, SEAT_PUBLIC, chance), *out = NULL;
	struct strbuf text = STRBUF_INIT;

	/* By way of its text: what a state remembers of being imagined must not go on. */
	rules->encode(dealt, &text);
	rules->free_state(dealt);
	if (!rules->decode(strbuf_span(&text), &out, why))
		out = NULL;
	strbuf_release(&text);
	return out;
}

/* ---- One turn ---- */

static bool next_state(const struct resolve_input *in, struct chance *chance,
                       struct game_state **next, struct strbuf *why)
{
	if (in->serial == 0 && in->now != NULL) {
		*next = fork_point_deal(in->rules, in->now, chance, why);
		return *next != NULL;
	}
	if (in->serial == 0)
		return in->rules->new_game(in->options, in->names, chance, next, why);
	return in->rules->resolve(in->now, in->orders, chance, next, why);
}

/*
 * What will be stored must say the same when it is read again. *state becomes what was read, so that
 * everything further comes from what is stored and nothing else.
 */
static bool encoding_holds(const struct rules *rules, struct span text,
                           struct game_state **state, struct strbuf *why)
{
	struct game_state *again = NULL;
	struct strbuf second = STRBUF_INIT;
	bool ok = rules->decode(text, &again, why);

	if (ok) {
		rules->encode(again, &second);
		ok = span_eq(strbuf_span(&second), text);
		if (!ok)
			strbuf_adds(why,
			            "the new position does not read back as it was written.");
		rules->free_state(*state);
		*state = again;
	}
	strbuf_release(&second);
	return ok;
}

bool resolve_compute(const struct resolve_input *in, struct resolve_output *out,
                     struct strbuf *why)
{
	*out = (struct resolve_output){NULL, STRBUF_INIT, STRBUF_INIT, {{0}}};
	struct chance *chance = chance_from_key(&in->key);
	bool ok = next_state(in, chance, &out->next, why);

	if (ok) {
		in->rules->encode(out->next, &out->state_text);
		chance_add_record(chance, &out->chance_text);
		ok = encoding_holds(in->rules, strbuf_span(&out->state_text), &out->next, why);
	}
	if (ok)
		out->hash = proof_state_hash(in->game, in->serial, &in->parent_hash,
		                             &in->orders_hash, strbuf_span(&out->state_text));
	chance_free(chance);
	return ok;
}

void resolve_output_release(const struct rules *rules, struct resolve_output *out)
{
	if (out->next)
		rules->free_state(out->next);
	strbuf_release(&out->state_text);
	strbuf_release(&out->chance_text);
}
