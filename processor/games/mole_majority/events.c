/*
 * events.c - what happened last turn, as lines of the state.
 *
 * An event is a word and its arguments; a letter for each argument says what may stand there:
 * s seat, o seat or nobody, h hex, v value, p space, d direction, c card, n number.
 */
#include "processor/base/err.h"
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

static bool arg_word(struct fields *f, const struct game_state *s, char type, uint8_t *arg)
{
	static const char *const directions[] = {"CCW", "CW"};
	struct span word = SPAN_EMPTY;
	unsigned n = *arg;
	bool ok = false;

	if (type == 'h') {
		word = (struct span){mm_hex_names[n], 2};
		ok = field_word(f, &word) && (fields_writing(f) || mm_hex_parse(word, &n));
	} else if (type == 'c') {
		word = span_of(mm_cards[n].name);
		ok = field_word(f, &word) && (fields_writing(f) || mm_card_parse(word, &n));
	} else if (type == 'd') {
		ok = field_word_choice(f, directions, 2, &n);
	} else if (type == 's' || type == 'o') {
		ok = field_word_uint(f, &n, type == 's', s->nseats);
	} else if (type == 'v') {
		ok = field_word_uint(f, &n, 3, 6);
	} else if (type == 'p') {
		ok = field_word_uint(f, &n, 1, MM_SPACES);
	} else if (type == 'n') {
		ok = field_word_uint(f, &n, 0, MOST_OF_ANYTHING);
	}
	*arg = (uint8_t)n;
	return ok;
}

static bool event_field(struct fields *f, const struct game_state *s, struct mm_event *e)
{
	struct span word = span_of(kinds[e->kind].word);
	unsigned kind = 0;

	if (!field_key(f, "event"))
		return false;
	if (!field_word(f, &word))
		return fields_bad(f, "an event should stand here.");
	while (kind < EVENT_KINDS && !span_eq_str(word, kinds[kind].word))
		kind++;
	if (kind == EVENT_KINDS)
		return fields_bad(f, "there is no event \"%.*s\".", SPAN_ARGS(word));
	e->kind = (uint8_t)kind;
	for (unsigned a = 0; kinds[kind].args[a]; a++)
		if (!arg_word(f, s, kinds[kind].args[a], &e->args[a]))
			return fields_bad(f, "the event does not say what it should.");
	return true;
}

bool mm_event_fields(struct fields *f, struct game_state *s)
{
	if (!field_uint(f, &s->nevents, 0, MM_EVENTS, "events"))
		return false;
	for (unsigned i = 0; i < s->nevents; i++)
		if (!event_field(f, s, &s->events[i]))
			return false;
	return true;
}
