/*
 * story.c - last turn in sentences, made of its events.
 *
 * A sentence a card, with all that came of it. What only one reader may know, the value of a home
 * token that lay face down, is added for that reader alone, and not before the turn is really played.
 */
#include "processor/games/mole_majority/majority.h"

enum { AT_THE_END = 100 }; /* more than any card can do */

struct teller {
	const struct game_state *s;
	unsigned viewer;
	struct strbuf text; /* the entry being written */
	const char *between;
	unsigned left; /* moles that the card told of can still move or breed */
	unsigned plus; /* PLUS ROLLs whose cards have not been told of */
	unsigned with; /* number of the card that was spent for the roll */
	struct doc *out;
};

static const char *name_of(const struct game_state *s, unsigned seat)
{
	return s->seats[seat].name.text;
}

/* Ends the entry and begins another. */
static void close_entry(struct teller *t)
{
	if (t->text.len) {
		strbuf_addc(&t->text, '.');
		doc_item(t->out, "%s", t->text.ptr);
	}
	strbuf_clear(&t->text);
	t->between = "";
}

/* Puts the right mark before the next part of the entry. */
static struct strbuf *part(struct teller *t)
{
	strbuf_adds(&t->text, t->between);
	t->between = "; ";
	return &t->text;
}

/* What a Groundskeeper and a Gopher breed comes last (rule 28), so it is none of theirs here. */
static unsigned room_of(const struct mm_event *e)
{
	const struct mm_card_facts *facts = &mm_cards[e->args[0]];

	if (e->args[0] == CARD_CV)
		return e->kind == EVENT_STACK;
	if (e->args[0] == CARD_N2)
		return e->kind == EVENT_STACK ? facts->bonus : facts->steps + facts->bonus;
	return facts->steps;
}

static void begin_card(struct teller *t, const struct mm_event *e)
{
	/* Of several CVs stacked those are for the roll behind which nothing was placed; else the last. */
	const struct mm_event *end = t->s->events + t->s->nevents;
	bool placed = e + 1 < end && (e[1].kind == EVENT_MOVE || e[1].kind == EVENT_BREED);
	bool more = false;

	for (const struct mm_event *later = e + 1; later < end; later++)
		more = more || (later->kind == EVENT_STACK && later->args[0] == CARD_CV);
	bool plus = e->args[0] == CARD_CV && t->plus && !(placed && more);

	t->left = plus ? 0 : room_of(e);
	t->plus -= plus;
	/* "(Convert)" would be an order where a line begins with it. */
	if (e->kind == EVENT_PLAY || e->args[0] == CARD_CV)
		close_entry(t);
	else
		t->between = ". ";
	strbuf_addf(part(t), e->kind == EVENT_PLAY ? "%s played %s" : "%s added %s",
	            name_of(t->s, t->s->last), mm_cards[e->args[0]].title);
	t->between = ": ";
	if (plus)
		strbuf_adds(part(t), "one more for the roll");
}

static void tell_home(struct teller *t)
{
	const struct mm_seat *p = &t->s->seats[t->s->last];

	const struct mm_home *home = p->nhomes ? &p->homes[p->nhomes - 1] : NULL;

	if (home && home->open)
		strbuf_addf(&t->text, " (worth %u)", home->value);
	else if (home && t->viewer == t->s->last && !home->imagined)
		strbuf_addf(&t->text, " (worth %u, as only you know)", home->value);
}

static void tell_placed(struct teller *t, const struct mm_event *e)
{
	const uint8_t *a = e->args;
	unsigned moles = e->kind == EVENT_MOVE ? a[2] : a[1];

	if (moles > t->left && t->left != AT_THE_END) {
		t->between = ". ";
		strbuf_addf(part(t), "At the end %s placed", name_of(t->s, t->s->last));
		t->between = ": ";
		t->left = AT_THE_END;
	} else if (t->left != AT_THE_END) {
		t->left -= moles;
	}
	if (e->kind == EVENT_MOVE)
		strbuf_addf(part(t), moles == 1 ? "%u mole %s to %s" : "%u moles %s to %s",
		            moles, mm_hex_names[a[0]], mm_hex_names[a[1]]);
	else
		strbuf_addf(part(t), moles == 1 ? "%u new mole on %s" : "%u new moles on %s",
		            moles, mm_hex_names[a[0]]);
}

static void tell_claim(struct teller *t, const struct mm_event *e)
{
	const char *hex = mm_hex_names[e->args[1]];

	if (e->args[2])
		strbuf_addf(part(t), "%s takes from %s the hex %s", name_of(t->s, e->args[0]),
		            name_of(t->s, e->args[2]), hex);
	else
		strbuf_addf(part(t), "%s claims %s", name_of(t->s, e->args[0]), hex);
}

/* What a card did. */
static void tell_step(struct teller *t, const struct mm_event *e)
{
	const uint8_t *a = e->args;

	switch ((int)e->kind) {
	case EVENT_WITH:
		t->with = mm_cards[a[0]].number;
		strbuf_addf(part(t), "with %s", mm_cards[a[0]].name);
		break;
	case EVENT_MOVE:
	case EVENT_BREED:
		tell_placed(t, e);
		break;
	case EVENT_CONVERT:
		strbuf_addf(part(t), "converted the mole of %s on space %u of %s",
		            name_of(t->s, a[2]), a[1], mm_hex_names[a[0]]);
		if (t->left)
			t->left--;
		break;
	case EVENT_ROLL:
		t->plus = e->args[4] > t->with ? e->args[4] - t->with : 0;
		strbuf_addf(
		    part(t),
		    e->args[3] != 1
			? e->args[2]
		              ? "clockwise from space %u of %s, up to %u: %u moles sent back"
		              : "counterclockwise from space %u of %s, up to %u: %u moles "
		                "sent back"
		    : e->args[2]
			? "clockwise from space %u of %s, up to %u: %u mole sent back"
			: "counterclockwise from space %u of %s, up to %u: %u mole sent "
			  "back",
		    e->args[1], mm_hex_names[e->args[0]], e->args[4], e->args[3]);
		break;
	case EVENT_STEAL:
		strbuf_addf(part(t), "took %s from the discards of %s", mm_cards[a[1]].name,
		            name_of(t->s, a[0]));
		break;
	case EVENT_HOME:
		strbuf_addf(part(t), "took the home token of %s", mm_hex_names[a[0]]);
		tell_home(t);
		break;
	default:
		strbuf_addf(part(t), "closed the border %s-%s", mm_hex_names[a[0]],
		            mm_hex_names[a[1]]);
	}
}

/* What followed from it. */
static void tell_outcome(struct teller *t, const struct mm_event *e)
{
	const uint8_t *a = e->args;

	switch ((int)e->kind) {
	case EVENT_TOKEN:
		if (a[0])
			strbuf_adds(part(t), "drew a home token");
		else
			strbuf_adds(part(t), "no home token was left");
		if (a[0])
			tell_home(t);
		break;
	case EVENT_CLAIM:
		tell_claim(t, e);
		break;
	case EVENT_BARE:
		if (e->args[2])
			strbuf_addf(
			    part(t),
			    "%s has most moles on %s but no claim token left, and the token of "
			    "%s went back",
			    name_of(t->s, e->args[0]), mm_hex_names[e->args[1]],
			    name_of(t->s, e->args[2]));
		else
			strbuf_addf(part(t), "%s has most moles on %s but no claim token left",
			            name_of(t->s, e->args[0]), mm_hex_names[e->args[1]]);
		break;
	case EVENT_EMPTY:
		strbuf_addf(part(t), "%s is empty, and the token of %s went back",
		            mm_hex_names[a[0]], name_of(t->s, a[1]));
		break;
	default:
		strbuf_addf(part(t), "the home token of %s is worth %u", mm_hex_names[a[0]],
		            a[1]);
	}
}

static void tell_cards(struct teller *t, const struct mm_event *e)
{
	const char *name = name_of(t->s, t->s->last);

	close_entry(t);
	switch ((int)e->kind) {
	case EVENT_PASS:
		strbuf_addf(part(t), "%s passed", name);
		break;
	case EVENT_DISCARD:
		strbuf_addf(part(t),
		            e->args[0] == 1 ? "%s discarded the whole hand, %u card"
		                            : "%s discarded the whole hand, %u cards",
		            name, e->args[0]);
		break;
	case EVENT_REFILL:
		strbuf_addf(part(t), "%s shuffled the discards into a new deck", name);
		break;
	default: /* EVENT_DRAW: the scores say how many cards are in a hand */
		break;
	}
}

static void tell_player(struct teller *t, const struct mm_event *e)
{
	const char *name = name_of(t->s, e->args[0]);

	close_entry(t);
	switch ((int)e->kind) {
	case EVENT_BASE:
		strbuf_addf(part(t), "%s has the base at %s", name, mm_hex_names[e->args[1]]);
		for (unsigned i = 0; i < t->s->nevents; i++) {
			const struct mm_event *tile = &t->s->events[i];

			if (tile->kind == EVENT_TILE && tile->args[0] == e->args[0])
				strbuf_addf(&t->text, ", a hex of %u at %s", tile->args[2],
				            mm_hex_names[tile->args[1]]);
		}
		break;
	case EVENT_TILE:
		break;
	case EVENT_LEAVING:
		strbuf_addf(part(t), "%s leaves and is out after the first turn", name);
		break;
	case EVENT_FIRST:
		strbuf_addf(part(t), "%s plays first", name);
		break;
	case EVENT_BEATEN:
		strbuf_addf(part(t), "%s has no claim left on the board and is out", name);
		break;
	default:
		strbuf_addf(part(t), "%s has left; moles stay where they are, claims are gone",
		            name);
	}
}

static void tell_event(struct teller *t, const struct mm_event *e)
{
	switch ((enum mm_event_kind)e->kind) {
	case EVENT_PLAY:
	case EVENT_STACK:
		begin_card(t, e);
		break;
	case EVENT_WITH:
	case EVENT_MOVE:
	case EVENT_BREED:
	case EVENT_CONVERT:
	case EVENT_ROLL:
	case EVENT_STEAL:
	case EVENT_HOME:
	case EVENT_CAVEIN:
		tell_step(t, e);
		break;
	case EVENT_TOKEN:
	case EVENT_CLAIM:
	case EVENT_BARE:
	case EVENT_EMPTY:
	case EVENT_REVEAL:
		tell_outcome(t, e);
		break;
	case EVENT_PASS:
	case EVENT_DISCARD:
	case EVENT_REFILL:
	case EVENT_DRAW:
		tell_cards(t, e);
		break;
	case EVENT_BASE:
	case EVENT_TILE:
	case EVENT_LEAVING:
	case EVENT_FIRST:
	case EVENT_BEATEN:
	case EVENT_LEFT:
	case EVENT_KINDS:
		tell_player(t, e);
	}
}

void mm_tell_story(const struct game_state *s, unsigned viewer, struct doc *out)
{
	struct teller t = {
	    .s = s, .viewer = viewer, .text = STRBUF_INIT, .between = "", .out = out};

	for (unsigned i = 0; i < s->nevents; i++)
		tell_event(&t, &s->events[i]);
	close_entry(&t);
	strbuf_release(&t.text);
}
