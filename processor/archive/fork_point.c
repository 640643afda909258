/*
 * fork_point.c - beginning in the middle of a game.
 */
#include "processor/archive/fork_point.h"

static bool is_written_so(const struct rules *rules, const struct game_state *s,
                          struct span text)
{
	struct strbuf again = STRBUF_INIT;
	bool same;

	rules->encode(s, &again);
	same = span_eq(strbuf_span(&again), text);
	strbuf_release(&again);
	return same;
}

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
	if (!is_written_so(rules, s, text))
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
