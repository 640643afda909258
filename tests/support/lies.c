/*
 * lies.c - one lie per promise of the archive. Fields are counted as molepost-archive(5) lists
 * them for version 3.
 */
#include "tests/support/lies.h"

enum {
	USED_REV = 2,
	USED_NONCE = 4,
	USED_CONTRIBUTION = 5,
	USED_ORDERS = 6,
	CLOSED_NONCE = 3,
	CLOSED_CONTRIBUTION = 4,
	CLOSED_ORDERS = 5,
	REVISION_TIME = 3,
	REVISION_WHEN = 5,
	REVISION_SALT = 6,
	SEAT_CONTRIBUTION = 5,
	SEAT_NAME = 7
};

/* The same with another last character: a digit for a digit. */
static size_t bend(struct sheet *s, size_t line, struct span part)
{
	char last = part.ptr[part.len - 1];

	sheet_put(s, line, span_slice(part, part.len - 1, part.len),
	          last == '1' ? SPAN_LIT("2") : SPAN_LIT("1"));
	return line;
}

static bool is_sent(const struct sheet *s, size_t used)
{
	return used < s->n && !span_eq_str(sheet_field(s, used, USED_NONCE), "-");
}

static size_t swap_orders(struct sheet *s)
{
	for (size_t a = sheet_find(s, 0, "used"); a + 1 < s->n;
	     a = sheet_find(s, a + 1, "used")) {
		size_t b = a + 1;
		struct span first, second;

		if (!span_eq_str(sheet_field(s, b, 0), "used") || !is_sent(s, a) ||
		    !is_sent(s, b))
			continue;
		first = sheet_rest(s, a, USED_ORDERS);
		second = sheet_rest(s, b, USED_ORDERS);
		if (span_eq(first, second))
			continue;
		sheet_put(s, a, first, second);
		sheet_put(s, b, second, first);
		return a;
	}
	return s->n;
}

/* The last turn that drew anything, or the set-up. */
static size_t last_draws(const struct sheet *s)
{
	size_t found = s->n;

	for (size_t i = sheet_find(s, 0, "chance"); i < s->n;
	     i = sheet_find(s, i + 1, "chance"))
		if (!span_eq_str(sheet_rest(s, i, 1), "-"))
			found = i;
	return found;
}

/* The outcome of the first draw: two things of a shuffle change places, a number becomes
   another. */
static size_t change_roll(struct sheet *s)
{
	size_t line = last_draws(s);
	struct span text = sheet_rest(s, line, 1), outcome, first, second;
	struct strbuf swapped = STRBUF_INIT;

	outcome = span_slice(text, span_find(text, SPAN_LIT(" = ")) + 3, text.len);
	outcome = span_slice(outcome, 0, span_find_char(outcome, '|'));
	if (span_find_char(outcome, ' ') == outcome.len)
		return bend(s, line, outcome);
	span_next_field(&outcome, ' ', &first);
	second = span_slice(outcome, 0, span_find_char(outcome, ' '));
	strbuf_addf(&swapped, "%.*s %.*s", SPAN_ARGS(second), SPAN_ARGS(first));
	sheet_put(s, line,
	          (struct span){first.ptr, (size_t)(second.ptr + second.len - first.ptr)},
	          strbuf_span(&swapped));
	strbuf_release(&swapped);
	return line;
}

static size_t add_draw(struct sheet *s)
{
	size_t line = last_draws(s);
	struct span text = sheet_rest(s, line, 1);

	sheet_put(s, line, span_slice(text, 0, 0), SPAN_LIT("one more = 1|"));
	return line;
}

static size_t drop_draw(struct sheet *s)
{
	size_t line = last_draws(s);
	struct span text = sheet_rest(s, line, 1);
	size_t end = span_find_char(text, '|') + 1;

	sheet_put(s, line, end < text.len ? span_slice(text, 0, end) : text,
	          end < text.len ? SPAN_EMPTY : SPAN_LIT("-"));
	return line;
}

static size_t in_time_revision(const struct sheet *s)
{
	size_t i = sheet_find(s, 0, "revision");

	while (i < s->n && !span_eq_str(sheet_field(s, i, REVISION_WHEN), "in-time"))
		i = sheet_find(s, i + 1, "revision");
	return i;
}

/* A receipt's time moved to years after the deadline. */
static size_t move_past_deadline(struct sheet *s)
{
	size_t i = in_time_revision(s);

	if (i < s->n)
		sheet_put(s, i, span_slice(sheet_field(s, i, REVISION_TIME), 0, 4),
		          SPAN_LIT("2031"));
	return i;
}

static size_t call_late(struct sheet *s)
{
	size_t i = in_time_revision(s);

	if (i < s->n)
		sheet_put(s, i, sheet_field(s, i, REVISION_WHEN), SPAN_LIT("late"));
	return i;
}

static size_t other_salt(struct sheet *s)
{
	size_t i = sheet_find(s, 0, "revision");

	if (i < s->n)
		sheet_put(s, i, sheet_field(s, i, REVISION_SALT), SPAN_LIT("sugar"));
	return i;
}

static size_t other_commitment(struct sheet *s)
{
	size_t i = sheet_find(s, 0, "revision");

	return i < s->n ? bend(s, i, sheet_rest(s, i, 7)) : i;
}

static size_t other_nonce(struct sheet *s)
{
	size_t i = sheet_find(s, 0, "used");

	while (i < s->n && !is_sent(s, i))
		i = sheet_find(s, i + 1, "used");
	return i < s->n ? bend(s, i, sheet_field(s, i, USED_NONCE)) : i;
}

static size_t other_contribution(struct sheet *s)
{
	size_t i = sheet_find(s, 0, "used");

	while (i < s->n && span_eq_str(sheet_field(s, i, USED_CONTRIBUTION), "-"))
		i = sheet_find(s, i + 1, "used");
	return i < s->n ? bend(s, i, sheet_field(s, i, USED_CONTRIBUTION)) : i;
}

static size_t no_contribution(struct sheet *s)
{
	size_t i = other_contribution(s);

	if (i < s->n)
		sheet_put(s, i, sheet_field(s, i, USED_CONTRIBUTION), SPAN_LIT("-"));
	return i;
}

static size_t other_closed_contribution(struct sheet *s)
{
	size_t i = sheet_find(s, 0, "closed");

	while (i < s->n && span_eq_str(sheet_field(s, i, CLOSED_CONTRIBUTION), "-"))
		i = sheet_find(s, i + 1, "closed");
	return i < s->n ? bend(s, i, sheet_field(s, i, CLOSED_CONTRIBUTION)) : i;
}

static size_t other_closed_nonce(struct sheet *s)
{
	size_t i = sheet_find(s, 0, "closed");

	return i < s->n ? bend(s, i, sheet_field(s, i, CLOSED_NONCE)) : i;
}

static size_t other_closed_orders(struct sheet *s)
{
	size_t i = sheet_find(s, 0, "closed");

	if (i < s->n)
		sheet_put(s, i, sheet_rest(s, i, CLOSED_ORDERS), SPAN_LIT("PASS"));
	return i;
}

static size_t other_default(struct sheet *s)
{
	size_t i = sheet_find(s, 0, "used");

	while (i < s->n && !span_eq_str(sheet_field(s, i, USED_REV), "default"))
		i = sheet_find(s, i + 1, "used");
	if (i == s->n)
		return i;
	sheet_put(s, i, sheet_rest(s, i, USED_ORDERS), SPAN_LIT("RESIGN"));
	while (!span_eq_str(sheet_field(s, i, 0), "orders-digest"))
		i--;
	return i;
}

static void drop_line(struct sheet *s, size_t line)
{
	for (s->n--; line < s->n; line++)
		s->lines[line] = s->lines[line + 1];
}

/* Somebody's first word of a turn in which he sent more than one: its receipt never was. */
static size_t forget_first_word(struct sheet *s)
{
	for (size_t i = sheet_find(s, 0, "revision"); i + 1 < s->n;
	     i = sheet_find(s, i + 1, "revision"))
		if (span_eq_str(sheet_field(s, i, 2), "1") &&
		    span_eq_str(sheet_field(s, i + 1, 2), "2")) {
			drop_line(s, sheet_find(s, i, "closed"));
			drop_line(s, i);
			return i;
		}
	return s->n;
}

static size_t other_orders_hash(struct sheet *s)
{
	size_t i = sheet_find(s, sheet_find(s, 0, "orders-digest") + 1, "orders-digest");

	return i < s->n ? bend(s, i, sheet_rest(s, i, 1)) : i;
}

static size_t other_state(struct sheet *s)
{
	size_t i = sheet_find(s, 0, "state");

	return bend(s, i, sheet_rest(s, i, 1));
}

static size_t other_score(struct sheet *s)
{
	size_t i = sheet_find(s, 0, "score");

	bend(s, i, sheet_field(s, i, 2));
	return i - 1; /* "winners" stands for all of the result */
}

static size_t other_end(struct sheet *s)
{
	size_t i = sheet_find(s, 0, "ended");
	struct span status = sheet_field(s, i, 1);

	sheet_put(s, i, status,
	          span_eq_str(status, "over") ? SPAN_LIT("abandoned") : SPAN_LIT("over"));
	return i;
}

static size_t other_secret(struct sheet *s)
{
	size_t i = sheet_find(s, 0, "secret");

	return bend(s, i, sheet_rest(s, i, 1));
}

/* Of the seats the digest in serial 0 speaks. */
static size_t seat_changed(struct sheet *s, unsigned field, struct span text)
{
	size_t i = sheet_find(s, 0, "seat");

	sheet_put(s, i, field == SEAT_NAME ? sheet_rest(s, i, field) : sheet_field(s, i, field),
	          text);
	return sheet_find(s, 0, "orders-digest");
}

static size_t other_join_contribution(struct sheet *s)
{
	return seat_changed(s, SEAT_CONTRIBUTION,
	                    SPAN_LIT("3c1036612d7dc1b1d3c9e1d7b8d0e6f1"
	                             "a1b2c3d4e5f60718293a4b5c6d7e8f90"));
}

static size_t other_name(struct sheet *s)
{
	return seat_changed(s, SEAT_NAME, SPAN_LIT("Mallory"));
}

const struct lie lies[] = {
    {"two seats' orders change places", swap_orders, "not what was acknowledged", false, 3},
    {"a roll", change_roll, "draws", false, 5},
    {"a draw more", add_draw, "draws", false, 5},
    {"a draw less", drop_draw, "draws", true, 5},
    {"a receipt past its deadline", move_past_deadline, "called in time", false, 5},
    {"orders called late", call_late, "called late", false, 5},
    {"a salt", other_salt, "not what was acknowledged", false, 5},
    {"a commitment", other_commitment, "not what was acknowledged", false, 5},
    {"a nonce", other_nonce, "nonce", false, 5},
    {"a nonce of orders not used", other_closed_nonce, "nonce", false, 5},
    {"orders that were not used", other_closed_orders, "not what was acknowledged", false, 5},
    {"what happens without orders", other_default, "after it was sealed", false, 2},
    {"a first word forgotten", forget_first_word, "is missing", false, 2},
    {"an orders digest", other_orders_hash, "after it was sealed", false, 5},
    {"a position", other_state, "another position", true, 5},
    {"a score", other_score, "winners or scores", true, 5},
    {"the end", other_end, "to its end", false, 5},
    {"the secret", other_secret, "announced", false, 5},
    {"what a mail contributed", other_contribution, "not what was acknowledged", false, 5},
    {"that a mail contributed", no_contribution, "contribute nothing", false, 5},
    {"what a mail not used contributed", other_closed_contribution, "not what was acknowledged",
     false, 5},
    {"what a JOIN contributed", other_join_contribution, "who joined, ", false, 5},
    {"who joined", other_name, "who joined, ", false, 5},
};

size_t lies_count(void)
{
	return sizeof(lies) / sizeof(lies[0]);
}
