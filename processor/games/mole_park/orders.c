/*
 * orders.c - from a mail to a complete set of Mole Park orders.
 *
 * A line replaces what was ordered before of its kind; all other kinds stay, the lists even
 * from round to round. What was understood is said again in words.
 *
 * A canonical set names every kind, so it is complete; sent back as it is, it draws no remarks.
 */
#include <string.h>

#include "processor/games/mole_park/park.h"
#include "processor/games/order_text.h"

void park_no_orders(const struct game_state *s, unsigned seat, struct park_orders *out)
{
	memset(out, 0, sizeof *out);
	out->wishes = s->seats[seat].wishes;
	out->discard = s->seats[seat].discard;
	out->favour = s->favour;
	out->style = s->style;
}

/* The kinds that a mail names, put over what stood before. */
static void lay_over(const struct park_orders *said, struct park_orders *all)
{
	if (said->named & PARK_ROLL)
		all->die = said->die;
	if (said->named & PARK_ROLL_IF)
		all->die_if_crown = said->die_if_crown;
	if (said->named & PARK_CLAIMS) {
		all->claim = said->claim;
		all->claim_seat = said->claim_seat;
	}
	if (said->named & PARK_PRIZES_LINE)
		all->wishes = said->wishes;
	if (said->named & PARK_DISCARD_LINE)
		all->discard = said->discard;
	if (said->named & PARK_FAVOUR_LINE)
		all->favour = said->favour;
	if (said->named & PARK_STYLE_LINE)
		all->style = said->style;
	all->named |= said->named;
}

/* The set in force with what this mail says put over it. */
static void complete(const struct game_state *s, unsigned seat, struct span before,
                     const struct park_orders *said, struct park_orders *all)
{
	if (!before.ptr || !park_parse_orders(s, seat, before, all) || all->resign)
		park_no_orders(s, seat, all);
	lay_over(said, all);
}

/* The whole set in words, and what the sender may not have thought of. */
static void say_again(const struct game_state *s, unsigned seat, const struct park_orders *all,
                      unsigned told, struct diags *diags)
{
	struct strbuf words = STRBUF_INIT;

	park_echo(s, all, told, &words);
	diags_add(diags, DIAG_NOTE, 0, 0, SPAN_EMPTY, "", "%s", words.ptr);
	strbuf_release(&words);
	park_warn(s, seat, all, diags);
}

bool park_read_orders(const struct game_state *s, unsigned seat, struct span before,
                      const struct tables *tables, struct span text, struct strbuf *canonical,
                      struct diags *diags)
{
	struct park_orders said, all;

	(void)tables;
	park_read_lines(s, seat, true, text, &said, diags);
	strbuf_clear(canonical);
	if (!said.resign && !seat_in(park_owes(s), seat)) {
		order_refuse_seat(park_plays(s, seat), diags);
		return false;
	}
	if (!said.resign && !said.named)
		return false;
	if (said.resign && said.named)
		order_warn_resigned(0, diags);
	if (said.resign) {
		strbuf_adds(canonical, ORDER_RESIGN_TEXT);
		return true;
	}
	complete(s, seat, before, &said, &all);
	park_write_orders(s, seat, &all, canonical);
	if (!span_eq(strbuf_span(canonical), text))
		say_again(s, seat, &all, said.named, diags);
	return true;
}

bool park_parse_orders(const struct game_state *s, unsigned seat, struct span canonical,
                       struct park_orders *out)
{
	struct diags diags = DIAGS_INIT;
	struct strbuf written = STRBUF_INIT;
	bool ok;

	park_read_lines(s, seat, false, canonical, out, &diags);
	if (out->resign)
		strbuf_adds(&written, ORDER_RESIGN_TEXT);
	else
		park_write_orders(s, seat, out, &written);
	ok = diags.count == 0 && span_eq(strbuf_span(&written), canonical);
	strbuf_release(&written);
	diags_release(&diags);
	return ok;
}
