/*
 * test_interleavings.c - report n, order n, order n+1 and the deadline in every order.
 *
 * ann and bob play; turn n = 1 is open and bob has its report. What happens is a word over
 *
 *	R  a run, which sends the report of turn n when the turn is due, and later ones
 *	O  bob's orders for turn n arrive
 *	P  bob's orders for turn n+1 arrive, written for its number even before it is open
 *	D  time goes on beyond the deadline of the turn that is open
 *
 * Each order must end in the turn it was written for or in no turn, and bob must get one
 * answer to each mail that says which. Which of the two it is follows from the rules of the
 * turn states and is worked out here independently.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/testbed.h"

TestSuite(interleavings, .timeout = 600);

enum { DAY = 24 * 3600, TURN_N = 1, WORD_MAX = 8 };

/* How bob's mail for turn n says which turn it is for. */
enum naming { BY_BOTH, BY_ADDRESS, BY_THREAD, NAMINGS };

struct order {
	const char *text;      /* what bob writes */
	const char *canonical; /* what is stored */
	unsigned turn;
	unsigned mail; /* number of bob's mail, see Message-ID in testbed.h */
	bool written, read, accepted;
	bool early;           /* read while an earlier turn was open */
	bool before_deadline; /* it arrived in time for the turn open at that moment */
};

struct scene {
	struct testbed *s;
	const char *word;
	const char *early_address; /* bob's reply address for turn n+1 */
	bool ann_has_sent;
	enum naming naming;
	unsigned open;      /* the turn open at the moment */
	bool past_deadline; /* of that turn */
	struct order n, next;
};

static struct testbed *begin(bool ann_sends)
{
	struct testbed *s = testbed_new("interleavings");

	testbed_write(s, "ann", "create whakka mole players 2 next 1d target=100");
	testbed_write(s, "bob", "join W1");
	testbed_run(s);
	if (ann_sends)
		testbed_reply(s, "ann", "popup 5, whack 5");
	testbed_run(s);
	return s;
}

static const struct post *report_of(const struct testbed *s, unsigned turn)
{
	char subject[64];

	snprintf(subject, sizeof(subject), "[W1 turn %u] orders due", turn);
	return testbed_find(s, "bob", subject);
}

/* What bob's Reply-To will be, from a clone in which time has gone on. */
static char *address_of_next(const struct testbed *s)
{
	struct testbed *ahead = testbed_clone(s);
	char *address;

	testbed_wait(ahead, 2 * DAY);
	testbed_run(ahead);
	cr_assert(report_of(ahead, TURN_N + 1));
	address = xstrdup(report_of(ahead, TURN_N + 1)->reply_to);
	testbed_free(ahead);
	return address;
}

/* ---- what should happen ---- */

/* The rules: mail is read before anything is sealed; a turn takes what arrived in its time. */
static void read_order(struct scene *c, struct order *o)
{
	if (!o->written || o->read)
		return;
	o->read = true;
	o->early = o->turn > c->open;
	o->accepted = o->turn == c->open && o->before_deadline;
}

static void expect_run(struct scene *c)
{
	bool all_in;

	read_order(c, &c->n);
	read_order(c, &c->next);
	all_in = c->open == TURN_N && c->ann_has_sent && c->n.accepted;
	if (all_in || c->past_deadline) {
		c->open++;
		c->past_deadline = false;
	}
}

/* ---- what happens ---- */

static void arrives(struct scene *c, struct order *o)
{
	o->written = true;
	o->before_deadline = !c->past_deadline;
	o->mail = c->s->written;
}

static void write_order_n(struct scene *c)
{
	const struct post *p = report_of(c->s, TURN_N);

	arrives(c, &c->n);
	testbed_mail(c->s, &(struct mail_written){
			       .who = "bob",
			       .to = c->naming == BY_THREAD ? NULL : p->reply_to,
			       .in_reply_to = c->naming == BY_ADDRESS ? NULL : p->message_id,
			       .text = c->n.text,
			   });
}

static void write_order_next(struct scene *c)
{
	const struct post *p = report_of(c->s, TURN_N + 1);

	arrives(c, &c->next);
	if (p)
		testbed_reply_to(c->s, "bob", p, c->next.text);
	else
		testbed_mail(c->s, &(struct mail_written){.who = "bob",
		                                          .to = c->early_address,
		                                          .text = c->next.text});
}

static void happen(struct scene *c, char event)
{
	testbed_wait(c->s, 60);
	switch (event) {
	case 'R':
		testbed_run(c->s);
		expect_run(c);
		break;
	case 'O':
		write_order_n(c);
		break;
	case 'P':
		write_order_next(c);
		break;
	default:
		testbed_wait(c->s, DAY + 3600);
		c->past_deadline = true;
		break;
	}
}

/* ---- checking ---- */

/* Turns in which this text is stored for bob, in the dump: bit per turn. */
static unsigned turns_with(const struct strbuf *dump, const char *canonical)
{
	struct span rest = strbuf_span(dump), line;
	unsigned turns = 0;
	char start[64];

	while (span_next_line(&rest, &line))
		for (unsigned turn = 0; turn < 8; turn++) {
			snprintf(start, sizeof(start), "orders game=1 serial=%u seat=2 ", turn);
			if (span_starts(line, start) &&
			    span_find(line, span_of(canonical)) < line.len)
				turns |= 1u << turn;
		}
	return turns;
}

static const struct post *only_answer(const struct scene *c, const struct order *o)
{
	const struct post *found = NULL;
	char id[64];

	snprintf(id, sizeof(id), "<m%u@mua.example.net>", o->mail);
	for (size_t i = 0; i < c->s->nposts; i++) {
		if (strcmp(c->s->posts[i]->in_reply_to, id) != 0)
			continue;
		cr_assert_null(found, "%s: two answers to the orders for turn %u", c->word,
		               o->turn);
		found = c->s->posts[i];
	}
	cr_assert(found, "%s: no answer to the orders for turn %u", c->word, o->turn);
	return found;
}

static void check_reason(const struct scene *c, const struct order *o,
                         const struct post *answer)
{
	const char *reason = o->early ? "orders for a later turn" : "orders came too late";

	cr_assert(strstr(answer->subject, reason),
	          "%s: the refusal of the orders for turn %u says\n%s\n%s", c->word, o->turn,
	          answer->subject, answer->text);
}

static void check_order(const struct scene *c, const struct order *o, const struct strbuf *dump)
{
	const struct post *answer = only_answer(c, o);
	unsigned turns = turns_with(dump, o->canonical);

	cr_assert_eq(turns, o->accepted ? 1u << o->turn : 0,
	             "%s: the orders for turn %u should be %s and stand in turns %#x; the "
	             "answer was\n%s",
	             c->word, o->turn, o->accepted ? "stored" : "refused", turns, answer->text);
	if (o->accepted)
		cr_assert(strstr(answer->subject, "orders stored") ||
		              strstr(answer->proof, "Your orders, stored"),
		          "%s: %s", c->word, answer->subject);
	else
		check_reason(c, o, answer);
}

static void play_word(const struct testbed *base, const char *word, bool ann_has_sent,
                      enum naming naming, const char *early_address)
{
	struct scene c = {
	    .s = testbed_clone(base),
	    .word = word,
	    .early_address = early_address,
	    .ann_has_sent = ann_has_sent,
	    .naming = naming,
	    .open = TURN_N,
	    .n = {.text = "popup 1, whack 2", .canonical = "POPUP 1; WHACK 2", .turn = TURN_N},
	    .next = {.text = "popup 8, whack 9",
	             .canonical = "POPUP 8; WHACK 9",
	             .turn = TURN_N + 1},
	};
	struct strbuf dump = STRBUF_INIT;

	for (const char *event = word; *event; event++)
		happen(&c, *event);
	happen(&c, 'R');
	testbed_dump(c.s, &dump);
	check_order(&c, &c.n, &dump);
	check_order(&c, &c.next, &dump);
	strbuf_release(&dump);
	testbed_free(c.s);
}

static void exchange(char *a, char *b)
{
	char was = *a;

	*a = *b;
	*b = was;
}

/* The next arrangement of the letters in alphabetical order; false after the last. */
static bool next_word(char *word)
{
	size_t n = strlen(word), i = n - 1, k = n - 1;

	while (i > 0 && word[i - 1] >= word[i])
		i--;
	if (i == 0)
		return false;
	while (word[k] <= word[i - 1])
		k--;
	exchange(&word[k], &word[i - 1]);
	for (k = n - 1; i < k; i++, k--)
		exchange(&word[i], &word[k]);
	return true;
}

static void play_all(const char *letters, bool ann_sends)
{
	char word[WORD_MAX + 1];
	unsigned words = 0;
	struct testbed *base;
	char *early;

	testbed_use_memory();
	base = begin(ann_sends);
	early = address_of_next(base);
	snprintf(word, sizeof(word), "%s", letters);
	do {
		play_word(base, word, ann_sends, (enum naming)(words % NAMINGS), early);
		words++;
	} while (next_word(word));
	cr_assert_eq(words, 60);
	free(early);
	testbed_free(base);
}

/* Letters in alphabetical order; two runs, so that a run can stand on either side of each. */
Test(interleavings,
     each_order_ends_in_its_turn_or_is_refused_when_only_the_deadline_ends_the_turn)
{
	play_all("DOPRR", false);
}

Test(interleavings, each_order_ends_in_its_turn_or_is_refused_when_the_orders_end_the_turn)
{
	play_all("DOPRR", true);
}
