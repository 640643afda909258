/*
 * year_secrets.c - that nobody who is late has learnt anything, seen from the mails alone.
 *
 * For a turn T of a game let R(T) be the moment at which the first mail left that tells what
 * happened in T. For every turn of the year and every mail:
 *
 * A turn is a serial: one that is opened anew after a rollback is another one. At the end of a
 * game all its turns are told.
 *
 *	1. No orders are taken for T once that mail has left: the time of arrival in each signed
 *	   receipt for T is not later than R(T).
 *	2. Before R(T) what opens a seat's orders of T stands in no mail to anybody but the player
 *	   of that seat: neither the nonce of its commitment nor the salt that came with the orders
 *	   (each is a word that occurs nowhere else, sealed in the same row as the orders).
 *	3. A reminder for T, also one that says that its reader is late, shows the position as the
 *	   report did that opened T for this reader: every line of its sections on the position
 *	   stood there.
 *
 * From 1 and 2: whatever somebody orders, at the deadline, in the grace or after an outage, he
 * orders without having been sent what another one has ordered. 3 is the same for what the game
 * shows.
 */
#include <stdlib.h>
#include <string.h>

#include "processor/base/clock.h"
#include "processor/base/err.h"
#include "processor/base/num.h"
#include "tests/support/year_parts.h"

enum { WORD_MAX = 64, MOST_SALTS = 999999 };

/* A word and what is known of it. */
struct entry {
	char word[WORD_MAX + 1];
	unsigned player; /* whose secret */
	uint64_t turn;   /* of which turn; for a turn itself its R(T) */
	int64_t at_utc;
	bool used;
};

struct year_secrets {
	struct entry *items;
	size_t n, cap; /* cap is a power of two */
	unsigned salts;
};

struct year_secrets *year_secrets_new(void)
{
	struct year_secrets *s = xcalloc(1, sizeof(*s));

	s->cap = 1024;
	s->items = xcalloc(s->cap, sizeof(*s->items));
	return s;
}

void year_secrets_free(struct year_secrets *s)
{
	free(s->items);
	free(s);
}

static uint64_t hash(const char *word)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (; *word; word++)
		h = (h ^ (unsigned char)*word) * UINT64_C(1099511628211);
	return h;
}

static struct entry *place_of(struct entry *items, size_t cap, const char *word)
{
	size_t at = (size_t)hash(word) & (cap - 1);

	while (items[at].used && strcmp(items[at].word, word) != 0)
		at = (at + 1) & (cap - 1);
	return &items[at];
}

static void grow(struct year_secrets *s)
{
	size_t cap = s->cap * 2;
	struct entry *items = xcalloc(cap, sizeof(*items));

	for (size_t i = 0; i < s->cap; i++)
		if (s->items[i].used)
			*place_of(items, cap, s->items[i].word) = s->items[i];
	free(s->items);
	s->items = items;
	s->cap = cap;
}

static const struct entry *find(const struct year_secrets *s, const char *word)
{
	const struct entry *e = place_of(s->items, s->cap, word);

	return e->used ? e : NULL;
}

static void put(struct year_secrets *s, const char *word, unsigned player, uint64_t turn,
                int64_t at_utc)
{
	struct entry *e = place_of(s->items, s->cap, word);

	if (e->used)
		return;
	*e = (struct entry){.player = player, .turn = turn, .at_utc = at_utc, .used = true};
	for (size_t i = 0; word[i] && i < WORD_MAX; i++)
		e->word[i] = word[i];
	if (++s->n > s->cap / 2)
		grow(s);
}

/* The end of a game has a place among its turns. */
enum { THE_END = 0 };

static uint64_t turn_of(unsigned game, unsigned serial)
{
	return (uint64_t)game << 32 | serial;
}

static void turn_word(char out[WORD_MAX + 1], uint64_t turn)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "turn %llx", (unsigned long long)turn);
	for (size_t i = 0; i <= WORD_MAX; i++)
		out[i] = i < text.len ? text.ptr[i] : '\0';
	strbuf_release(&text);
}

/* R(T), INT64_MAX while it has not been told. */
static int64_t told_at(const struct year_secrets *s, uint64_t turn)
{
	char word[WORD_MAX + 1];
	const struct entry *e;

	turn_word(word, turn);
	e = find(s, word);
	return e ? e->at_utc : INT64_MAX;
}

void year_secrets_add_salt(struct year *y, const struct year_mail *m, struct strbuf *out)
{
	struct strbuf word = STRBUF_INIT;

	ENSURE(y->secrets->salts < MOST_SALTS);
	strbuf_addf(&word, "zq%06uqz", ++y->secrets->salts);
	put(y->secrets, word.ptr, m->player, turn_of(m->game, m->serial), 0);
	strbuf_addf(out, "salt %s\n", word.ptr);
	strbuf_release(&word);
}

/* ---- a mail ---- */

static void tell(struct year *y, const struct year_mail *m, unsigned serial)
{
	char word[WORD_MAX + 1];

	turn_word(word, turn_of(m->game, serial));
	put(y->secrets, word, 0, 0, m->at_utc);
}

/*
 * A report, with "== What happened in turn 4 ==" unless that is too long for a page: the answer is for the turn after
 * it. The end tells all.
 */
static void note_told(struct year *y, const struct year_mail *m)
{
	if (!strstr(m->subject, "] orders due ") && !strstr(m->subject, "] report") &&
	    !strstr(m->text.ptr, "== What happened in "))
		return;
	if (strstr(m->subject, " won") || strstr(m->subject, "share the win") ||
	    strstr(m->subject, "The game is ") || strstr(m->subject, "abandoned"))
		tell(y, m, THE_END);
	if (m->serial > 1)
		tell(y, m, m->serial - 1);
}

/* "orders W1 turn 7 seat 1 revision 1", where 7 is the serial. */
static bool read_receipt_turn(const char *block, unsigned *serial)
{
	const char *at = strstr(block, " turn ");
	struct span rest = span_of(at ? at + 6 : ""), word;

	return span_next_word(&rest, "", &word) && num_parse_uint(word, 1, UINT32_MAX, serial);
}

/* The block of a receipt: whose nonce this is, and when the orders came. */
static void read_receipt(struct year *y, const struct year_mail *m)
{
	const char *at = strstr(m->text.ptr, "-----BEGIN MOLEPOST RECEIPT 3-----\norders ");
	const char *received, *nonce;
	unsigned serial;
	char word[WORD_MAX + 1] = "";
	struct span rest, line;
	int64_t came;
	uint64_t turn;

	if (!at)
		return;
	received = strstr(at, "\nreceived ");
	nonce = strstr(at, "\nnonce\n");
	if (!received || !nonce || !read_receipt_turn(at, &serial)) {
		year_problem(y, "a receipt without its block: %s", m->subject);
		return;
	}
	turn = turn_of(m->game, serial);
	rest = span_of(received + 10);
	if (!span_next_line(&rest, &line) || !utc_parse_iso(line, &came) ||
	    came > told_at(y->secrets, turn))
		year_problem(y, "orders were taken after the report of their turn: %s",
		             m->subject);
	rest = span_of(nonce + 7);
	if (!span_next_line(&rest, &line) || line.len != WORD_MAX)
		return;
	for (size_t i = 0; i < WORD_MAX; i++)
		word[i] = line.ptr[i];
	put(y->secrets, word, m->player, turn, 0);
}

static bool is_of_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
}

/* Every long word of the mail is looked up. */
static void look_for_secrets(struct year *y, const struct year_mail *m)
{
	char word[WORD_MAX + 1];

	for (const char *c = m->text.ptr; *c;) {
		const struct entry *e;
		size_t len = 0;

		while (is_of_word(c[len]))
			len++;
		if (len == WORD_MAX || (len == 10 && c[0] == 'z' && c[1] == 'q')) {
			for (size_t i = 0; i <= WORD_MAX; i++)
				word[i] = i < len ? c[i] : '\0';
			e = find(y->secrets, word);
			if (e && e->player != m->player &&
			    told_at(y->secrets, e->turn) > m->at_utc &&
			    told_at(y->secrets, turn_of(m->game, THE_END)) > m->at_utc)
				year_problem(y, "what opens orders of p%u is told to p%u: %s",
				             e->player, m->player, m->subject);
		}
		c += len > 0 ? len : 1;
	}
}

/* The sections on the position, up to what changes with time. */
static void compare_position(struct year *y, const struct year_mail *m, const char *report)
{
	const char *at = strstr(m->text.ptr, "\n== ");
	struct span rest = span_of(at ? at + 1 : ""), line;
	struct strbuf whole = STRBUF_INIT;

	while (span_next_line(&rest, &line)) {
		if (span_starts(line, "-- ") || span_starts(line, "== Mess") ||
		    span_starts(line, "Mail ") || span_starts(line, "== Your "))
			break;
		strbuf_clear(&whole);
		strbuf_addf(&whole, "\n%.*s\n", SPAN_ARGS(line));
		if (line.len > 0 && !strstr(report, whole.ptr)) {
			year_problem(y, "a reminder shows what its report did not: %s: %.*s",
			             m->subject, SPAN_ARGS(line));
			break;
		}
	}
	strbuf_release(&whole);
}

void year_secrets_look(struct year *y, const struct year_mail *m, const char *last_report)
{
	note_told(y, m);
	read_receipt(y, m);
	look_for_secrets(y, m);
	if (m->reminds && last_report)
		compare_position(y, m, last_report);
}
