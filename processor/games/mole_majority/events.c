/*
 * events.c - what happened last turn, as lines of the state.
 *
 * An event is a word and its arguments; a letter for each argument says what may stand there:
 * s seat, o seat or nobody, h hex, v value, p space, d direction, c card, n number.
 */
#include "processor/base/err.h"
#include "processor/base/num.h"
#include "processor/games/mole_majority/majority.h"

enum { MOST_OF_ANYTHING = MM_HOMES };

static const struct {
	const char *word, *args;
} kinds[EVENT_KINDS] = {
    [EVENT_BASE] = {"base", "sh"},      [EVENT_TILE] = {"tile", "shv"},
    [EVENT_LEAVING] = {"leaving", "s"}, [EVENT_FIRST] = {"first", "s"},
    [EVENT_PASS] = {"pass", ""},        [EVENT_DISCARD] = {"discard", "n"},
    [EVENT_PLAY] = {"play", "c"},       [EVENT_WITH] = {"with", "c"},
    [EVENT_STACK] = {"stack", "c"},     [EVENT_MOVE] = {"move", "hhn"},
    [EVENT_BREED] = {"breed", "hn"},    [EVENT_CONVERT] = {"convert", "hps"},
    [EVENT_ROLL] = {"roll", "hpdnn"},   [EVENT_STEAL] = {"steal", "sc"},
    [EVENT_HOME] = {"home", "h"},       [EVENT_CAVEIN] = {"cavein", "hh"},
    [EVENT_TOKEN] = {"token", "n"},     [EVENT_CLAIM] = {"claim", "sho"},
    [EVENT_BARE] = {"bare", "sho"},     [EVENT_EMPTY] = {"empty", "hs"},
    [EVENT_REVEAL] = {"reveal", "hn"},  [EVENT_REFILL] = {"refill", ""},
    [EVENT_DRAW] = {"draw", "n"},       [EVENT_BEATEN] = {"beaten", "s"},
    [EVENT_LEFT] = {"left", "s"},
};

void mm_note(struct game_state *s, enum mm_event_kind kind, unsigned a, unsigned b, unsigned c)
{
	ENSURE(s->nevents < MM_EVENTS);
	s->events[s->nevents++] = (struct mm_event){
	    .kind = (uint8_t)kind, .args = {(uint8_t)a, (uint8_t)b, (uint8_t)c}};
}

static void encode_arg(char type, unsigned arg, struct strbuf *out)
{
	strbuf_addc(out, ' ');
	if (type == 'h')
		strbuf_add(out, mm_hex_names[arg], 2);
	else if (type == 'c')
		strbuf_adds(out, mm_cards[arg].name);
	else if (type == 'd')
		strbuf_adds(out, arg ? "CW" : "CCW");
	else
		state_add_uint(out, arg);
}

void mm_encode_events(const struct game_state *s, struct strbuf *out)
{
	strbuf_adds(out, "events: ");
	state_add_uint(out, s->nevents);
	strbuf_addc(out, '\n');
	for (unsigned i = 0; i < s->nevents; i++) {
		const struct mm_event *e = &s->events[i];
		const char *args = kinds[e->kind].args;

		strbuf_adds(out, "event: ");
		strbuf_adds(out, kinds[e->kind].word);
		for (unsigned a = 0; args[a]; a++)
			encode_arg(args[a], e->args[a], out);
		strbuf_addc(out, '\n');
	}
}

static bool decode_arg(const struct game_state *s, char type, struct span word, uint8_t *out)
{
	static const struct {
		char type;
		unsigned min, max;
	} ranges[] = {{'v', 3, 6}, {'p', 1, MM_SPACES}, {'n', 0, MOST_OF_ANYTHING}};
	unsigned n = 0;
	bool ok = false;

	if (type == 'h') {
		ok = mm_hex_parse(word, &n);
	} else if (type == 'c') {
		ok = mm_card_parse(word, &n);
	} else if (type == 'd') {
		n = span_eq_str(word, "CW");
		ok = n || span_eq_str(word, "CCW");
	} else if (type == 's' || type == 'o') {
		ok = num_parse_uint(word, type == 's', s->nseats, &n);
	}
	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
		if (ranges[i].type == type)
			ok = num_parse_uint(word, ranges[i].min, ranges[i].max, &n);
	*out = (uint8_t)n;
	return ok;
}

static bool decode_event(struct state_reader *r, const struct game_state *s, struct mm_event *e)
{
	struct span rest = SPAN_EMPTY, word = SPAN_EMPTY;
	unsigned kind = 0;

	if (!state_value(r, &rest, "event"))
		return false;
	if (!span_next_word(&rest, "", &word))
		return state_bad(r, "an event should stand here.");
	while (kind < EVENT_KINDS && !span_eq_str(word, kinds[kind].word))
		kind++;
	if (kind == EVENT_KINDS)
		return state_bad(r, "there is no event \"%.*s\".", SPAN_ARGS(word));
	e->kind = (uint8_t)kind;
	for (unsigned a = 0; kinds[kind].args[a]; a++)
		if (!span_next_word(&rest, "", &word) ||
		    !decode_arg(s, kinds[kind].args[a], word, &e->args[a]))
			return state_bad(r, "the event does not say what it should.");
	return !span_next_word(&rest, "", &word) ||
	       state_bad(r, "the event says more than it should.");
}

bool mm_decode_events(struct state_reader *r, struct game_state *s)
{
	if (!state_uint(r, 0, MM_EVENTS, &s->nevents, "events"))
		return false;
	for (unsigned i = 0; i < s->nevents; i++)
		if (!decode_event(r, s, &s->events[i]))
			return false;
	return true;
}
