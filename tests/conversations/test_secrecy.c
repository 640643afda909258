/*
 * test_secrecy.c - nobody reads orders before their turn is over.
 *
 * Random games, many side by side on one server, through the whole mail path. Every set of orders
 * is one of a kind, so that it can be looked for: before the turn is resolved it and its nonce stand in no mail to
 * another seat or to a stranger, in nothing the program prints, not in the running record, in no page of
 * the website and not in the bytes of the database; afterwards every report shows them.
 *
 * GAMES_PER_KIND games (30 when unset); SEED=n for other ones.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "tests/support/play.h"
#include "tests/support/scratch.h"
#include "tests/support/testbed.h"

enum { HOLES = 16, MOST_SEATS = 4, BATCH = 100, MOST_TURNS = 40, DB_MAX = 256 << 20, HEX = 64 };

struct sitter {
	char who[48];
	char orders[96]; /* canonical, one of a kind; "" = none in force */
	char nonce[HEX + 1];
	bool gone;
};

struct board_game {
	unsigned number; /* of the game: W<number> */
	unsigned nseats;
	bool over;
	struct sitter seats[MOST_SEATS];
};

struct round {
	struct testbed *testbed;
	struct board_game *tables;
	size_t ntables;
	uint64_t dice;
	struct strbuf used; /* orders given so far, one a line */
	size_t checked;     /* posts looked at */
};

static unsigned env_number(const char *name, unsigned otherwise)
{
	const char *text = env_get(name);
	unsigned n = otherwise;

	cr_assert(!text || num_parse_uint(span_of(text), 0, 1000000, &n), "%s is no number",
	          name);
	return n;
}

static bool holds(struct span text, const char *needle)
{
	return span_find(text, span_of(needle)) < text.len;
}

/* ---- orders that are one of a kind ---- */

static void draw_orders(struct round *r, char *out, size_t size)
{
	struct strbuf text = STRBUF_INIT;

	do {
		unsigned left = 5 + play_draw(&r->dice, 4);
		strbuf_clear(&text);
		strbuf_adds(&text, "POPUP");
		for (unsigned h = 1; h <= HOLES && left > 0; h++)
			if (play_draw(&r->dice, HOLES - h + 1) < left) {
				strbuf_addf(&text, " %u", h);
				left--;
			}
		strbuf_addf(&text, "; WHACK %u\n", 1 + play_draw(&r->dice, HOLES));
	} while (holds(strbuf_span(&r->used), text.ptr));
	strbuf_add_span(&r->used, strbuf_span(&text));
	snprintf(out, size, "%.*s", (int)text.len - 1, text.ptr);
	strbuf_release(&text);
}

/* ---- who is who ---- */

static struct sitter *sitter_of(struct round *r, const char *who, struct board_game **table)
{
	for (size_t i = 0; i < r->ntables; i++)
		for (unsigned s = 0; s < r->tables[i].nseats; s++)
			if (strcmp(r->tables[i].seats[s].who, who) == 0) {
				*table = &r->tables[i];
				return &r->tables[i].seats[s];
			}
	*table = NULL;
	return NULL;
}

static bool is_report(const struct post *p)
{
	return strstr(p->subject, "orders due") ||
	       strstr(p->subject, "nothing to do for you") || strstr(p->subject, " won") ||
	       strstr(p->subject, "share the win") || strstr(p->subject, "game is ");
}

/* ---- looking ---- */

static bool resigns(const struct sitter *s)
{
	return s && strcmp(s->orders, "RESIGN") == 0;
}

static bool of_the_day(const char *subject)
{
	return strstr(subject, "stored") || strstr(subject, "how it stands") ||
	       strstr(subject, "checked");
}

static void must_not_tell(struct span text, const struct sitter *secret, const char *where)
{
	if (secret->orders[0] == '\0')
		return;
	if (resigns(
		secret)) { /* records and schemas speak of other leavers, letters of the day do not */
		cr_expect(!of_the_day(where) ||
		              (!holds(text, "left the game") && !holds(text, "resigned")),
		          "%s tells that %s resigns:\n%.*s", where, secret->who,
		          SPAN_ARGS(text));
		return;
	}
	cr_expect(!holds(text, secret->orders), "%s shows the orders of %s, %s:\n%.*s", where,
	          secret->who, secret->orders, SPAN_ARGS(text));
	cr_expect(!secret->nonce[0] || !holds(text, secret->nonce),
	          "%s shows the nonce of %s:\n%.*s", where, secret->who, SPAN_ARGS(text));
}

static void look_at_letter(struct round *r, const struct post *p)
{
	struct board_game *at;
	struct sitter *reader = sitter_of(r, p->who, &at);

	for (size_t i = 0; i < r->ntables; i++)
		for (unsigned s = 0; s < r->tables[i].nseats; s++)
			if (&r->tables[i].seats[s] != reader && (&r->tables[i] == at || !at) &&
			    !(resigns(reader) &&
			      resigns(&r->tables[i].seats[s]))) /* reads of himself */
			{
				must_not_tell(span_of(p->text), &r->tables[i].seats[s],
				              p->subject);
				must_not_tell(span_of(p->proof), &r->tables[i].seats[s],
				              p->subject);
			}
	const char *nonce = strstr(p->proof, "\nnonce\n");
	/* A report that is sent once more shows the receipt of a turn that is over. */
	if (reader && nonce && !strstr(p->subject, "once more")) {
		snprintf(reader->nonce, sizeof(reader->nonce), "%.64s",
		         nonce + strlen("\nnonce\n"));
		cr_expect(holds(span_of(p->text), reader->orders) ||
		              holds(span_of(p->proof), reader->orders),
		          "%s is not in its receipt, %s:\n%s%s", reader->orders, p->subject,
		          p->text, p->proof);
	}
}

static void look_at_report(const struct board_game *t, const struct post *p)
{
	for (unsigned s = 0; s < t->nseats; s++) {
		const struct sitter *of = &t->seats[s];
		if (of->orders[0] == '\0' || strstr(p->subject, "archive"))
			continue;
		cr_expect(
		    holds(span_of(p->proof), of->orders) && holds(span_of(p->proof), of->nonce),
		    "the report does not reveal %s of %s:\n%s", of->orders, of->who, p->proof);
	}
}

/* All letters first: they were written before the turns of this run were resolved. */
static void look_at_mails(struct round *r)
{
	struct board_game *t;

	for (size_t i = r->checked; i < r->testbed->nposts; i++)
		if (!is_report(r->testbed->posts[i]))
			look_at_letter(r, r->testbed->posts[i]);
	for (size_t i = r->checked; i < r->testbed->nposts; i++)
		if (is_report(r->testbed->posts[i]) &&
		    sitter_of(r, r->testbed->posts[i]->who, &t))
			look_at_report(t, r->testbed->posts[i]);
}

/* After a resolved turn its orders are no secret any more. */
static void forget_resolved(struct round *r)
{
	struct board_game *t;

	for (; r->checked < r->testbed->nposts; r->checked++) {
		const struct post *p = r->testbed->posts[r->checked];
		if (!is_report(p) || !sitter_of(r, p->who, &t))
			continue;
		t->over = t->over || strstr(p->subject, " won") ||
		          strstr(p->subject, "share the win") ||
		          strstr(p->subject, "The game is ");
		for (unsigned s = 0; s < t->nseats; s++) {
			t->seats[s].gone = t->seats[s].gone || resigns(&t->seats[s]);
			t->seats[s].orders[0] = t->seats[s].nonce[0] = '\0';
		}
	}
}

static void command_tells_nothing(struct round *r, const char *words,
                                  const struct board_game *t)
{
	struct ran ran;

	testbed_do(r->testbed, words, NULL, &ran);
	cr_expect_eq(ran.code, 0, "%s: %s", words, ran.err.ptr);
	for (unsigned s = 0; s < t->nseats; s++) {
		must_not_tell(strbuf_span(&ran.out), &t->seats[s], words);
		must_not_tell(strbuf_span(&ran.err), &t->seats[s], words);
	}
	ran_release(&ran);
}

static void file_tells_nothing(struct round *r, const char *name)
{
	char *path = testbed_path(r->testbed, name);
	struct strbuf bytes = STRBUF_INIT;

	if (file_exists(path))
		cr_assert_eq(file_read(path, DB_MAX, &bytes, NULL), ERR_NONE);
	cr_expect(!holds(strbuf_span(&bytes), "POPUP"), "%s holds orders", name);
	for (size_t i = 0; i < r->ntables && i < 5; i++)
		for (unsigned s = 0; s < r->tables[i].nseats; s++)
			must_not_tell(strbuf_span(&bytes), &r->tables[i].seats[s], name);
	for (size_t i = 0; i < r->testbed->nposts; i += 1 + r->testbed->nposts / 50) {
		struct span address = span_of(r->testbed->posts[i]->reply_to);
		struct span mac = span_slice(address, 0, span_find_char(address, '@'));
		if (mac.len < 26)
			continue;
		cr_expect_eq(
		    span_find(strbuf_span(&bytes), span_slice(mac, mac.len - 26, mac.len)),
		    bytes.len, "%s holds a reply address", name);
	}
	strbuf_release(&bytes);
	free(path);
}

/* The pages of this game and those that list it; only the server's own address stands there. */
static void pages_tell_nothing(struct round *r, const struct board_game *t)
{
	static const char *const ends[] = {"html", "xml", "txt"};
	struct strbuf words = STRBUF_INIT;
	char *www = testbed_path(r->testbed, "www");

	strbuf_addf(&words, "site %s", www);
	command_tells_nothing(r, words.ptr, t);
	for (size_t i = 0; i < 5; i++) {
		struct strbuf path = STRBUF_INIT, page = STRBUF_INIT;

		if (i < 3)
			strbuf_addf(&path, "%s/games/W%u.%s", www, t->number, ends[i]);
		else
			strbuf_addf(&path, "%s/%s", www,
			            i == 3 ? "index.html" : "running.html");
		cr_assert_eq(file_read(path.ptr, DB_MAX, &page, NULL), ERR_NONE, "%s",
		             path.ptr);
		for (unsigned s = 0; s < t->nseats; s++)
			must_not_tell(strbuf_span(&page), &t->seats[s], path.ptr);
		cr_expect(!holds(strbuf_span(&page), "example.net"), "%s holds an address",
		          path.ptr);
		strbuf_release(&path);
		strbuf_release(&page);
	}
	strbuf_release(&words);
	free(www);
}

static void look_from_outside(struct round *r)
{
	const struct board_game *t = &r->tables[play_draw(&r->dice, (unsigned)r->ntables)];
	struct strbuf words = STRBUF_INIT;

	strbuf_addf(&words, "archive W%u", t->number);
	command_tells_nothing(r, words.ptr, t);
	strbuf_clear(&words);
	strbuf_addf(&words, "game show W%u", t->number);
	command_tells_nothing(r, words.ptr, t);
	pages_tell_nothing(r, t);
	file_tells_nothing(r, "molepost.db");
	file_tells_nothing(r, "molepost.db-wal");
	strbuf_release(&words);
}

static void run_and_look(struct round *r)
{
	testbed_run(r->testbed); /* aborts when it prints anything */
	look_at_mails(r);
	forget_resolved(r);
}

/* ---- playing ---- */

static void found(struct round *r, struct board_game *t, size_t i)
{
	struct strbuf text = STRBUF_INIT;

	t->nseats = 2 + play_draw(&r->dice, MOST_SEATS - 1);
	for (unsigned s = 0; s < t->nseats; s++)
		snprintf(t->seats[s].who, sizeof(t->seats[s].who), "g%zus%u", i, s);
	strbuf_addf(&text, "create whakka mole players %u holes=%d target=%u", t->nseats, HOLES,
	            8 + play_draw(&r->dice, 25));
	testbed_write(r->testbed, t->seats[0].who, text.ptr);
	strbuf_release(&text);
}

static void fill(struct round *r, struct board_game *t)
{
	const struct post *p = testbed_last(r->testbed, t->seats[0].who);
	struct strbuf text = STRBUF_INIT;
	struct span number = span_of(strchr(p->subject, '[') + 2);

	number = span_slice(number, 0, span_find_char(number, ']'));
	cr_assert(num_parse_uint(number, 1, 1000000, &t->number), "%s", p->subject);
	strbuf_addf(&text, "join W%u", t->number);
	for (unsigned s = 1; s < t->nseats; s++)
		testbed_write(r->testbed, t->seats[s].who, text.ptr);
	strbuf_release(&text);
}

static void order(struct round *r, struct sitter *s)
{
	if (play_draw(&r->dice, 40) == 0)
		snprintf(s->orders, sizeof(s->orders), "RESIGN");
	else
		draw_orders(r, s->orders, sizeof(s->orders));
	testbed_reply(r->testbed, s->who, s->orders);
}

/* The curious ask for all there is while others' orders lie there under seal. */
static void ask_around(struct round *r, const struct board_game *t)
{
	static const char *const confirmations[] = {
	    "status", "summary", "history", "archive", "resend", "preview", "check popup 1"};
	const struct sitter *s = &t->seats[play_draw(&r->dice, t->nseats)];
	struct strbuf text = STRBUF_INIT;

	testbed_reply(r->testbed, s->who, confirmations[play_draw(&r->dice, 7)]);
	strbuf_addf(&text, "%s w%u", confirmations[play_draw(&r->dice, 4)], t->number);
	testbed_write(r->testbed, "stranger", text.ptr);
	strbuf_release(&text);
}

/* Every seat in turn; the last one's orders resolve the turn. */
static void play_turn_of_all(struct round *r)
{
	for (unsigned s = 0; s < MOST_SEATS; s++) {
		for (size_t i = 0; i < r->ntables; i++) {
			struct board_game *t = &r->tables[i];
			if (t->over || s >= t->nseats || t->seats[s].gone)
				continue;
			if (s == 1 && play_draw(&r->dice, 3) == 0)
				ask_around(r, t);
			order(r, &t->seats[s]);
		}
		testbed_wait(r->testbed, 60);
		run_and_look(r);
		if (s == 0)
			look_from_outside(r);
	}
}

static bool all_over(const struct round *r)
{
	for (size_t i = 0; i < r->ntables; i++)
		if (!r->tables[i].over)
			return false;
	return true;
}

static void play_batch(size_t n, uint64_t seed)
{
	struct round r = {
	    .testbed = testbed_new("secrecy"), .ntables = n, .dice = seed, .used = STRBUF_INIT};

	r.tables = xcalloc(n, sizeof(*r.tables));
	for (size_t i = 0; i < n; i++)
		found(&r, &r.tables[i], i);
	run_and_look(&r);
	for (size_t i = 0; i < n; i++)
		fill(&r, &r.tables[i]);
	run_and_look(&r);
	for (unsigned turn = 0; turn < MOST_TURNS && !all_over(&r); turn++)
		play_turn_of_all(&r);
	cr_expect(all_over(&r), "seed %llu: games that do not end", (unsigned long long)seed);
	testbed_free(r.testbed);
	free(r.tables);
	strbuf_release(&r.used);
}

Test(secrecy, orders_and_nonces_are_seen_by_nobody_else_before_their_turn_is_over)
{
	unsigned games = env_number("GAMES_PER_KIND", 30);
	uint64_t seed = env_number("SEED", 1);

	scratch_in_memory();

	for (unsigned done = 0; done < games; done += BATCH, seed++)
		play_batch(games - done < BATCH ? games - done : BATCH, seed);
}
