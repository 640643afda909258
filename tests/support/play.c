/*
 * play.c - random play over any game.
 */
#include "tests/support/play.h"

#include <stdlib.h>
#include <string.h>

#include "processor/base/err.h"
#include "processor/bots/bots.h"
#include "reports/layout.h"

static const struct tables no_tables = {NULL, 0};

static bool is_over(const struct play *p)
{
	struct game_result result;

	p->rules->result(p->now, &result);
	return result.over;
}

bool play_goes_on(const struct play *p)
{
	return p->problem.len == 0 && !is_over(p);
}

/* --- state and text ---------------------------------------------------- */

static bool check_same_state(struct play *p, const struct game_state *s, const char *what)
{
	struct strbuf text = STRBUF_INIT;
	bool same;

	p->rules->encode(s, &text);
	same = span_eq(strbuf_span(&text), strbuf_span(&p->text));
	if (!same)
		play_fail(p, "%s:\n%s\ninstead of", what, text.ptr);
	strbuf_release(&text);
	return same;
}

/* Also gives the decoded copy, which later checks use in place of `now`. */
static bool check_decode(struct play *p, struct game_state **copy)
{
	struct strbuf why = STRBUF_INIT;
	bool ok = p->rules->decode(strbuf_span(&p->text), copy, &why);

	if (!ok)
		play_fail(p, "its own state does not decode: %s", why.ptr);
	else
		ok = check_same_state(p, *copy, "decode and encode give other bytes");
	strbuf_release(&why);
	return ok;
}

/* A spoilt state is refused with a sentence, or is a state: then it has exactly these bytes. */
static bool check_spoilt_state(struct play *p)
{
	struct strbuf text = STRBUF_INIT;
	struct strbuf again = STRBUF_INIT;
	struct strbuf why = STRBUF_INIT;
	struct game_state *s = NULL;
	bool ok = true;

	strbuf_add_span(&text, strbuf_span(&p->text));
	play_spoil(&p->dice, &text);
	if (p->rules->decode(strbuf_span(&text), &s, &why)) {
		p->rules->encode(s, &again);
		p->rules->free_state(s);
		if (!span_eq(strbuf_span(&text), strbuf_span(&again)))
			ok = play_fail(p, "a spoilt state decodes to other bytes:\n%s\nfrom",
			               text.ptr);
	} else if (why.len == 0) {
		ok = play_fail(p, "a state is refused without a reason:\n%s\nfrom", text.ptr);
	}
	strbuf_release(&text);
	strbuf_release(&again);
	strbuf_release(&why);
	return ok;
}

/* --- orders ------------------------------------------------------------ */

/* read(NULL, canonical) must give canonical again, without a complaint. */
static bool check_canonical(struct play *p, unsigned seat, struct span canonical,
                            const char *what)
{
	struct strbuf again = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	bool ok = p->rules->read_orders(p->now, seat, SPAN_EMPTY, &no_tables, canonical, &again,
	                                &diags);

	if (!ok || diags.count)
		ok = play_fail(p, "%s of seat %u are not read cleanly: %.*s (%s)", what, seat,
		               SPAN_ARGS(canonical),
		               diags.count ? diags.items[0].message : "refused");
	else if (!span_eq(strbuf_span(&again), canonical))
		ok = play_fail(p, "%s of seat %u: %.*s is read as %s", what, seat,
		               SPAN_ARGS(canonical), again.ptr);
	strbuf_release(&again);
	diags_release(&diags);
	return ok;
}

static void draw_orders(struct play *p, const struct game_state *s, unsigned seat,
                        struct strbuf *canonical)
{
	struct chance *chance = chance_from_seed(
	    p->seed, arena_printf(p->scratch, "orders %u %u", p->rules->phase(p->now), seat));

	p->rules->sample_orders(s, seat, p->levels[seat], &no_tables, chance, canonical);
	chance_free(chance);
}

/* Accepted from any seat in any phase, owing or not. */
static bool check_resign(struct play *p, unsigned seat)
{
	return check_canonical(p, seat, SPAN_LIT(ORDER_RESIGN_TEXT), "resignation");
}

/* Spoilt orders may be refused; if they are read, what came out must be canonical. */
static bool check_spoilt_orders(struct play *p, unsigned seat, struct span good)
{
	struct strbuf text = STRBUF_INIT;
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	bool ok = true;

	strbuf_add_span(&text, good);
	play_spoil(&p->dice, &text);
	if (p->rules->read_orders(p->now, seat, good, &no_tables, strbuf_span(&text),
	                          &canonical, &diags))
		ok = check_canonical(p, seat, strbuf_span(&canonical),
		                     "orders read from a spoilt mail");
	for (size_t i = 0; ok && i < diags.count; i++)
		if (!diags.items[i].message[0])
			ok = play_fail(p, "a diagnostic without words for \"%s\"", text.ptr);
	strbuf_release(&text);
	strbuf_release(&canonical);
	diags_release(&diags);
	return ok;
}

/* Orders for every seat of this turn: drawn, default, or a resignation. */
static bool order_seat(struct play *p, unsigned seat, struct seat_orders *o,
                       struct strbuf *text)
{
	bool owing = seat_in(p->rules->owes(p->now), seat);
	unsigned die = play_draw(&p->dice, 40);

	o->origin = ORDER_SENT;
	if (p->resignations && die == 0) {
		o->origin = ORDER_RESIGNED;
		strbuf_adds(text, ORDER_RESIGN_TEXT);
	} else if (owing && die <= 3) {
		o->origin = ORDER_DEFAULT;
		p->rules->default_orders(p->now, seat, text);
	} else if (owing) {
		draw_orders(p, p->now, seat, text);
	}
	o->canonical = strbuf_span(text);
	if (!check_resign(p, seat))
		return false;
	return !owing || (check_canonical(p, seat, o->canonical, "orders") &&
	                  check_spoilt_orders(p, seat, o->canonical));
}

/* What people copy out of a report, as it is laid out at this width; *rest is what is left of the text. */
static bool next_example(struct span *rest, struct strbuf *out)
{
	struct span line, peek;

	strbuf_clear(out);
	while (out->len == 0 && span_next_line(rest, &line))
		if (span_starts(line, "  | "))
			strbuf_add_span(out, span_slice(line, 4, line.len));
	for (peek = *rest;
	     out->len > 0 && span_next_line(&peek, &line) && span_starts(line, EXAMPLE_LINE);
	     *rest = peek) {
		bool broken = span_starts(line, EXAMPLE_BROKEN);

		strbuf_addc(out, broken ? ' ' : '\n');
		strbuf_add_span(out,
		                span_trim(span_slice(line, strlen(EXAMPLE_LINE), line.len)));
	}
	return out->len > 0;
}

/* Orders that are shown as examples are legal as they are printed, on a wide screen and on a narrow one. */
static bool check_examples(struct play *p, unsigned seat)
{
	struct strbuf text = STRBUF_INIT, example = STRBUF_INIT, canonical = STRBUF_INIT;
	unsigned found = 0;
	bool ok = true;

	for (unsigned cols = 72; ok && cols >= 36; cols /= 2) {
		struct doc doc;
		struct span rest;

		doc_init(&doc, p->scratch);
		bot_examples(p->rules, p->now, seat, &doc);
		strbuf_clear(&text);
		report_text_for(&doc, (struct report_form){.cols = cols}, &text);
		for (rest = strbuf_span(&text); ok && next_example(&rest, &example); found++) {
			struct diags diags = DIAGS_INIT;

			strbuf_clear(&canonical);
			if (!p->rules->read_orders(p->now, seat, SPAN_EMPTY, &no_tables,
			                           strbuf_span(&example), &canonical, &diags))
				ok = play_fail(p,
				               "the example \"%s\" of seat %u at %u columns is "
				               "not read: %s",
				               example.ptr, seat, cols,
				               diags.count ? diags.items[0].message : "");
			diags_release(&diags);
		}
	}
	if (ok && found == 0)
		ok = play_fail(p, "seat %u owes orders and is shown no example", seat);
	arena_clear(p->scratch);
	strbuf_release(&text);
	strbuf_release(&example);
	strbuf_release(&canonical);
	return ok;
}

/*
 * On a telephone no line is wider than it, no cell is cut off and every board is drawn; names may be, which are as long as
 * they may be here.
 */
static bool check_narrow(struct play *p, unsigned viewer)
{
	enum { COLS = 40 };
	struct strbuf text = STRBUF_INIT;
	struct span rest, line;
	struct doc doc;
	bool ok = true;

	doc_init(&doc, p->scratch);
	doc.cols = COLS;
	p->rules->view(p->now, viewer, &doc);
	for (const struct doc_block *b = doc.first; b && ok; b = b->next)
		for (size_t i = 0; b->kind == DOC_BOARD && i < b->board.nlines && ok; i++)
			if (text_width(span_of(b->board.lines[i])) > COLS)
				ok = play_fail(p, "a board is not drawn for %d columns: %s",
				               COLS, b->board.lines[i]);
	report_text_for(&doc, (struct report_form){.cols = COLS}, &text);
	rest = strbuf_span(&text);
	while (ok && span_next_line(&rest, &line))
		if ((line.len > 0 &&
		     text_width(span_slice(
			 line, 0, line.len - (line.ptr[line.len - 1] == ' '))) > COLS) ||
		    span_starts(line, "- player: "))
			ok = play_fail(p, "too wide for %d columns: %.*s", COLS,
			               SPAN_ARGS(line));
	arena_clear(p->scratch);
	strbuf_release(&text);
	return ok;
}

/* Of one who owes orders, now and then; and nobody who has left ever does. */
static bool check_owes(struct play *p)
{
	struct seat_set owes = p->rules->owes(p->now);
	unsigned seat = 1 + play_draw(&p->dice, p->nseats);

	if ((owes.bits & p->gone.bits) != 0)
		return play_fail(p, "a seat that has left owes orders: %x of %x", owes.bits,
		                 p->gone.bits);
	if ((owes.bits >> p->nseats) != 0)
		return play_fail(p, "a seat that there is not owes orders: %x", owes.bits);
	return !seat_in(owes, seat) || play_draw(&p->dice, 4) != 0 || check_examples(p, seat);
}

/* --- secrecy ----------------------------------------------------------- */

/* What everybody gets to read beside the view: label, scores, who has won. */
static void look_at_result(const struct play *p, const struct game_state *s, struct strbuf *out)
{
	struct game_result result;

	p->rules->label(s, out);
	p->rules->result(s, &result);
	strbuf_addf(out, "\n%d %u %u", result.over, result.winners.bits,
	            result.eliminated.bits);
	for (unsigned seat = 1; seat <= p->nseats; seat++)
		strbuf_addf(out, " %lld %u", (long long)result.scores[seat],
		            result.ranks[seat]);
	strbuf_addc(out, '\n');
}

/* Everything a viewer gets to read: view, examples, scores, and what spoilt orders are told. */
static void look(struct play *p, const struct game_state *s, unsigned viewer, struct span mail,
                 struct strbuf *out)
{
	struct diags diags = DIAGS_INIT;
	struct strbuf canonical = STRBUF_INIT;
	struct doc doc;

	look_at_result(p, s, out);
	doc_init(&doc, p->scratch);
	p->rules->view(s, viewer, &doc);
	if (viewer != SEAT_PUBLIC) {
		bot_examples(p->rules, s, viewer, &doc);
		p->rules->read_orders(s, viewer, SPAN_EMPTY, &no_tables, mail, &canonical,
		                      &diags);
	}
	doc_dump(&doc, out);
	strbuf_adds(out, canonical.ptr);
	for (size_t i = 0; i < diags.count; i++)
		strbuf_addf(out, "\n%d %u:%u %s | %s | %s", (int)diags.items[i].level,
		            diags.items[i].line, diags.items[i].column, diags.items[i].quoted,
		            diags.items[i].message, diags.items[i].example);
	strbuf_release(&canonical);
	diags_release(&diags);
	arena_clear(p->scratch);
}

/*
 * A state that was read shows and plays as the written one did, to one seat or the public a turn: a field
 * that is neither written nor read gives the same bytes again, and is missed only here.
 */
static bool check_same_sight(struct play *p, const struct game_state *copy)
{
	unsigned viewer = p->rules->phase(p->now) % (p->nseats + 1);
	const struct game_state *states[] = {p->now, copy};
	struct strbuf seen[2] = {STRBUF_INIT, STRBUF_INIT};
	bool ok;

	for (int i = 0; i < 2; i++) {
		look(p, states[i], viewer, SPAN_EMPTY, &seen[i]);
		if (seat_in(p->rules->owes(p->now), viewer))
			draw_orders(p, states[i], viewer, &seen[i]);
	}
	ok = span_eq(strbuf_span(&seen[0]), strbuf_span(&seen[1]));
	if (!ok)
		play_fail(p, "a state is another for seat %u once it was read:\n%s\nand\n%s\n",
		          viewer, seen[0].ptr, seen[1].ptr);
	strbuf_release(&seen[0]);
	strbuf_release(&seen[1]);
	return ok;
}

static bool check_secrecy(struct play *p, unsigned viewer, struct span mail)
{
	struct chance *chance = chance_from_seed(play_draw(&p->dice, 1u << 30), "resample");
	struct game_state *other = p->rules->resample(p->now, viewer, chance);
	struct strbuf before = STRBUF_INIT;
	struct strbuf after = STRBUF_INIT;
	bool ok;

	look(p, p->now, viewer, mail, &before);
	look(p, other, viewer, mail, &after);
	if (viewer != SEAT_PUBLIC) {
		look(p, p->now, SEAT_PUBLIC, mail, &before);
		look(p, other, SEAT_PUBLIC, mail, &after);
	}
	ok = span_eq(strbuf_span(&before), strbuf_span(&after));
	if (!ok)
		play_fail(p, "seat %u sees what it may not know:\n%s\nagainst\n%s\n", viewer,
		          before.ptr, after.ptr);
	strbuf_release(&before);
	strbuf_release(&after);
	p->rules->free_state(other);
	chance_free(chance);
	return ok;
}

/* What is drawn anew must not be the hidden things in another order: that could be undone. */
static bool check_drawn_anew(struct play *p, unsigned viewer)
{
	struct chance *first = chance_from_seed(p->seed, "first");
	struct chance *again[2] = {chance_from_seed(p->seed, "again"),
	                           chance_from_seed(p->seed, "again")};
	struct game_state *other = p->rules->resample(p->now, viewer, first);
	struct game_state *made[2] = {p->rules->resample(p->now, viewer, again[0]),
	                              p->rules->resample(other, viewer, again[1])};
	struct strbuf text[2] = {STRBUF_INIT, STRBUF_INIT};
	bool ok;

	for (int i = 0; i < 2; i++)
		p->rules->encode(made[i], &text[i]);
	ok = span_eq(strbuf_span(&text[0]), strbuf_span(&text[1]));
	if (!ok)
		play_fail(
		    p,
		    "resampling for seat %u keeps traces of what it hides:\n%s\nagainst\n%s\n",
		    viewer, text[0].ptr, text[1].ptr);
	for (int i = 0; i < 2; i++) {
		strbuf_release(&text[i]);
		p->rules->free_state(made[i]);
		chance_free(again[i]);
	}
	p->rules->free_state(other);
	chance_free(first);
	return ok;
}

/* What is dealt for the public is a position to go on from, and its draws listed give it again. */
static bool check_deal(struct play *p)
{
	struct chance *chance = chance_from_seed(p->seed, "deal"), *listed = NULL;
	struct game_state *dealt = p->rules->resample(p->now, SEAT_PUBLIC, chance);
	struct game_state *again = NULL, *read = NULL;
	struct strbuf text = STRBUF_INIT, draws = STRBUF_INIT, why = STRBUF_INIT;
	struct failure e = ERR_INIT;
	bool ok;

	p->rules->encode(dealt, &text);
	chance_add_record(chance, &draws);
	ok = p->rules->decode(strbuf_span(&text), &read, &why) &&
	     chance_from_script(strbuf_span(&draws), &listed, &e) == ERR_NONE;
	if (ok) {
		again = p->rules->resample(p->now, SEAT_PUBLIC, listed);
		strbuf_clear(&why);
		p->rules->encode(again, &why);
		ok = chance_problem(listed) == NULL &&
		     span_eq(strbuf_span(&why), strbuf_span(&text));
	}
	if (!ok)
		play_fail(p, "no game can go on from what is dealt anew: %s%s\n%s\n%s", why.ptr,
		          e.text.ptr, text.ptr, draws.ptr);
	p->rules->free_state(dealt);
	p->rules->free_state(again);
	p->rules->free_state(read);
	chance_free(chance);
	chance_free(listed);
	err_release(&e);
	strbuf_release(&text);
	strbuf_release(&draws);
	strbuf_release(&why);
	return ok;
}

/* Where a game says that its states hide nothing, there is nothing to draw anew. */
static bool check_open(struct play *p, unsigned viewer)
{
	struct chance *chance = chance_from_seed(p->seed, "resample");
	struct game_state *other = p->rules->resample(p->now, viewer, chance);
	bool ok =
	    check_same_state(p, other, "a game without secrets resamples to another state");

	p->rules->free_state(other);
	chance_free(chance);
	return ok;
}

/* Where states hide nothing, one viewer now and then is look enough. */
static bool check_all_secrecy(struct play *p)
{
	struct strbuf mail = STRBUF_INIT;
	unsigned viewer = play_draw(&p->dice, p->nseats + 1);
	bool hidden = (p->rules->facts & FACT_HIDDEN) != 0;
	bool ok = true;

	if (seat_in(p->rules->owes(p->now), viewer))
		draw_orders(p, p->now, viewer, &mail);
	else
		strbuf_adds(&mail, "resing 3, pass\n" ORDER_RESIGN_TEXT);
	play_spoil(&p->dice, &mail);
	if (!hidden)
		ok = check_open(p, viewer) &&
		     (play_draw(&p->dice, 3) || check_secrecy(p, viewer, strbuf_span(&mail)));
	for (viewer = SEAT_PUBLIC; ok && hidden && viewer <= p->nseats; viewer++)
		ok = check_secrecy(p, viewer, strbuf_span(&mail));
	/* Of one viewer now and then: it costs as much as the rest of the turn. */
	viewer = play_draw(&p->dice, p->nseats + 1);
	if (ok && hidden && play_draw(&p->dice, 8) == 0)
		ok = check_drawn_anew(p, viewer) && check_deal(p);
	strbuf_release(&mail);
	return ok;
}

/* --- a turn ------------------------------------------------------------ */

static struct chance *turn_chance(const struct play *p)
{
	return chance_from_seed(p->seed * 1000 + p->rules->phase(p->now), p->rules->name);
}

static bool resolve_once(struct play *p, const struct game_state *from,
                         const struct seat_orders *orders, struct game_state **next,
                         struct strbuf *record)
{
	struct chance *chance = turn_chance(p);
	struct strbuf why = STRBUF_INIT;
	bool ok = p->rules->resolve(from, orders, chance, next, &why);

	if (!ok)
		play_fail(p, "a turn does not resolve: %s", why.ptr);
	chance_add_record(chance, record);
	chance_free(chance);
	strbuf_release(&why);
	return ok;
}

/* From `now` and from its decoded copy the same must come, and `now` may not change. */
static bool check_resolve(struct play *p, const struct game_state *copy,
                          const struct seat_orders *orders, struct game_state **next,
                          struct strbuf *text)
{
	struct strbuf twin_text = STRBUF_INIT;
	struct strbuf record[2] = {STRBUF_INIT, STRBUF_INIT};
	struct game_state *twin = NULL;
	bool ok = resolve_once(p, p->now, orders, next, &record[0]) &&
	          resolve_once(p, copy, orders, &twin, &record[1]);

	if (ok) {
		p->rules->encode(*next, text);
		p->rules->encode(twin, &twin_text);
		if (!span_eq(strbuf_span(text), strbuf_span(&twin_text)) ||
		    !span_eq(strbuf_span(&record[0]), strbuf_span(&record[1])))
			ok = play_fail(p,
			               "the same turn resolves in two ways:\n%s\nand\n%s\nfrom",
			               text->ptr, twin_text.ptr);
		ok = ok &&
		     check_same_state(p, p->now, "resolve changed the state it was given");
		strbuf_add_span(&p->record, strbuf_span(&record[0]));
	}
	if (twin)
		p->rules->free_state(twin);
	strbuf_release(&twin_text);
	strbuf_release(&record[0]);
	strbuf_release(&record[1]);
	return ok;
}

static bool check_position(struct play *p)
{
	struct strbuf label = STRBUF_INIT;
	bool ok;

	p->rules->label(p->now, &label);
	ok = label.len > 0 || play_fail(p, "a phase without a label");
	strbuf_release(&label);
	if (ok && p->rules->phase(p->now) > p->max_phases)
		ok = play_fail(p, "past the promised %u phases", p->max_phases);
	return ok && check_owes(p) &&
	       check_narrow(p, p->rules->phase(p->now) % (p->nseats + 1)) &&
	       check_spoilt_state(p) && check_all_secrecy(p);
}

/* `text` is `next` encoded. */
static bool step_on(struct play *p, struct game_state *next, struct strbuf *text)
{
	unsigned before = p->rules->phase(p->now);

	p->rules->free_state(p->now);
	p->now = next;
	strbuf_swap(&p->text, text);
	return p->rules->phase(p->now) > before || play_fail(p, "the phase did not grow");
}

bool play_turn(struct play *p)
{
	struct strbuf texts[MAX_SEATS + 1];
	struct seat_orders orders[MAX_SEATS + 1];
	struct game_state *copy = NULL;
	struct game_state *next = NULL;
	struct strbuf text = STRBUF_INIT;
	bool ok = check_position(p) && check_decode(p, &copy) && check_same_sight(p, copy);

	memset(orders, 0, sizeof orders);
	for (unsigned seat = 0; seat <= MAX_SEATS; seat++)
		strbuf_init(&texts[seat]);
	for (unsigned seat = 1; ok && seat <= p->nseats; seat++)
		ok = order_seat(p, seat, &orders[seat], &texts[seat]);
	ok = ok && check_resolve(p, copy, orders, &next, &text) && step_on(p, next, &text);
	for (unsigned seat = 1; ok && seat <= p->nseats; seat++)
		if (orders[seat].origin == ORDER_RESIGNED)
			p->gone = seat_with(p->gone, seat);
	if (!ok && next && next != p->now)
		p->rules->free_state(next);
	for (unsigned seat = 0; seat <= MAX_SEATS; seat++)
		strbuf_release(&texts[seat]);
	if (copy)
		p->rules->free_state(copy);
	strbuf_release(&text);
	arena_clear(p->scratch);
	return ok;
}

bool play_check_end(struct play *p)
{
	struct game_result result;
	struct game_state *copy = NULL;

	if (p->problem.len)
		return false;
	p->rules->result(p->now, &result);
	if (!result.over || p->rules->owes(p->now).bits)
		return play_fail(p, "the game is not over, or still awaits orders");
	if (result.nseats != p->nseats)
		return play_fail(p, "the result is for %u seats", result.nseats);
	if (!result.winners.bits && seat_count(result.eliminated) < p->nseats)
		return play_fail(p, "somebody stayed, but nobody won");
	for (unsigned seat = 1; seat <= p->nseats; seat++) {
		if (result.ranks[seat] < 1 || result.ranks[seat] > p->nseats)
			return play_fail(p, "seat %u has rank %u", seat, result.ranks[seat]);
		if (seat_in(result.winners, seat) && result.ranks[seat] != 1)
			return play_fail(p, "seat %u wins with rank %u", seat,
			                 result.ranks[seat]);
		if (!check_resign(p, seat))
			return false;
	}
	bool ok = check_position(p) && check_decode(p, &copy) && check_same_sight(p, copy);
	p->rules->free_state(copy);
	return ok;
}
