/*
 * script.c - recording two games, and playing them again.
 */
#include "tests/support/script.h"

#include <stdlib.h>
#include <string.h>

#include "processor/base/err.h"

enum { HOUR = 3600, DAY = 24 * HOUR, MOST_TURNS = 40 };

static const char seed[] = "the script";

enum what { MAIL, WAIT, RUN };

struct script_event {
	enum what what;
	char *name, *raw;
	size_t len;
	int64_t arrived_utc;
	int64_t seconds;
};

static struct script_event *add(struct script *sc, enum what what)
{
	sc->events = xgrow(sc->events, &sc->cap, sc->n + 1, sizeof(*sc->events));
	sc->events[sc->n] = (struct script_event){.what = what};
	return &sc->events[sc->n++];
}

void script_release(struct script *sc)
{
	for (size_t i = 0; i < sc->n; i++) {
		free(sc->events[i].name);
		free(sc->events[i].raw);
	}
	free(sc->events);
	*sc = (struct script){0};
}

/* ---- recording ---- */

struct recording {
	struct script *sc;
	struct testbed *s;
};

static void note_mail(void *ctx, const char *name, struct span raw, int64_t arrived_utc)
{
	struct recording *r = ctx;
	struct script_event *e = add(r->sc, MAIL);
	struct strbuf copy = STRBUF_INIT;

	strbuf_add_span(&copy, raw);
	e->name = xstrdup(name);
	e->raw = strbuf_detach(&copy);
	e->len = raw.len;
	e->arrived_utc = arrived_utc;
}

static void pause_for(struct recording *r, int64_t seconds)
{
	add(r->sc, WAIT)->seconds = seconds;
	testbed_wait(r->s, seconds);
}

static void run(struct recording *r)
{
	add(r->sc, RUN);
	r->sc->runs++;
	testbed_run(r->s);
	pause_for(r, 60);
}

/* The last mail dropped comes again under another name, as mail systems sometimes do. */
static void deliver_twice(struct recording *r)
{
	const struct script_event *e = &r->sc->events[r->sc->n - 1];
	char *raw = xstrdup(e->raw);
	size_t len = e->len;

	ENSURE(e->what == MAIL);
	testbed_drop(r->s, "again", (struct span){raw, len}, r->s->now_utc);
	free(raw);
}

static void gather(struct recording *r)
{
	testbed_write(r->s, "ann",
	              "create whakka mole players 3 target=14 next 1d observers=report");
	run(r);
	testbed_write(r->s, "bob", "join W1 seat 3");
	testbed_write(r->s, "cy", "join W1 as Cyril");
	testbed_write(r->s, "dan", "create whakka mole players 2 bots 1 target=16 next 1d");
	testbed_write(r->s, "ivy", "observe W1");
	testbed_write(r->s, "fay",
	              "create whakka mole players 2 next 2d grace 1h delay 1h misses 1");
	testbed_write(r->s, "jon",
	              "create whakka mole players 3 next 9d reliability 50 master");
	run(r);
	testbed_write(r->s, "gil", "join W3\nset quiet 22 to 6");
	testbed_write(r->s, "kim", "join W4");
	testbed_reply(r->s, "jon", "set start +1D W4");
	testbed_write(r->s, "cy", "set mail digest");
	testbed_write(r->s, "dan", "set mail round");
	run(r);
}

/*
 * Replaced orders, SET WAIT, a mail that comes twice, a message that the observer gets with the
 * report, a diary, a mail that says nothing, a second address.
 */
static void first_turn(struct recording *r)
{
	testbed_reply(r->s, "ann", "popup 1 4, whack 2");
	testbed_reply(r->s, "bob", "popup 3 5\nwhack 7");
	deliver_twice(r);
	run(r);
	testbed_reply(r->s, "ann",
	              "whack 9\nbroadcast\nGood luck to all of you.\nendbroadcast");
	testbed_reply(r->s, "cy", "popup 2 8; whack 1\nset wait\ndiary\nI wonder.\nendpress");
	testbed_write(r->s, "lee", "join W4");
	testbed_reply(r->s, "dan", "popup 3 5 7, whack 4");
	run(r);
	testbed_reply(r->s, "bob", "Well played, all of you!");
	testbed_write(r->s, "eve", "What is this?");
	testbed_write(r->s, "ann", "i am also annwork@example.net");
	run(r);
	testbed_reply(r->s, "ann", "yes");
	testbed_reply(r->s, "annwork", "yes");
	testbed_reply(r->s, "cy", "set nowait");
	run(r);
}

/*
 * ann says yes to what came from elsewhere, bob takes his orders back, cy never writes, and both
 * are late.
 */
static void missed_turn(struct recording *r)
{
	const struct post *bobs = testbed_last(r->s, "bob"), *cys = testbed_last(r->s, "cy");

	testbed_mail(r->s, &(struct mail_written){.who = "eve",
	                                          .to = testbed_last(r->s, "ann")->reply_to,
	                                          .text = "popup 6, whack 3"});
	testbed_reply(r->s, "bob", "popup 3, whack 6");
	run(r);
	testbed_reply(r->s, "bob", "clear");
	testbed_reply(r->s, "ann", "yes");
	run(r);
	pause_for(r, DAY + HOUR);
	testbed_reply_to(r->s, "cy", cys, "popup 2, whack 2");
	run(r);
	testbed_reply_to(r->s, "bob", bobs, "popup 1, whack 1");
	run(r);
}

/*
 * A pause, votes that do not pass, and a turn taken back with the one that is open. Meanwhile the master of
 * W4, whose time to begin has passed, begins it with those who are there and plays for one of them.
 */
static void master_at_work(struct recording *r)
{
	testbed_reply(r->s, "ann", "pause");
	testbed_reply(r->s, "bob", "vote resume\npopup 4, whack 4");
	testbed_reply(r->s, "jon", "force begin W4");
	run(r);
	testbed_reply(r->s, "ann", "resume\nofficial: on we go");
	testbed_reply(r->s, "cy", "set concede bob");
	testbed_reply(r->s, "lee", "popup 1; whack 2\nset draw");
	run(r);
	testbed_reply(r->s, "ann", "rollback 1");
	testbed_reply(r->s, "jon", "set grace 6h W4\neject lee W4");
	run(r);
	testbed_reply_to(r->s, "bob", testbed_find(r->s, "bob", "asked of the players"), "yes");
	testbed_reply_to(r->s, "cy", testbed_find(r->s, "cy", "asked of the players"), "yes");
	testbed_reply_to(r->s, "jon", testbed_find(r->s, "jon", "do you really"), "yes");
	run(r);
}

/* The last mail of a game that is over, to this person, or with who NULL to anybody; NULL: there is none. */
static const struct post *end_of(const struct recording *r, const char *id, const char *who)
{
	struct strbuf subject = STRBUF_INIT;
	const struct post *end = NULL;

	strbuf_addf(&subject, "[%s] ", id);
	for (size_t i = 0; i < r->s->nposts && !end; i++)
		if (r->s->posts[i]->record && strstr(r->s->posts[i]->subject, subject.ptr) &&
		    (!who || strcmp(r->s->posts[i]->who, who) == 0))
			end = r->s->posts[i];
	strbuf_release(&subject);
	return end;
}

static bool is_over(const struct recording *r, const char *id)
{
	return end_of(r, id, NULL) != NULL;
}

/* The last report that asks this person for orders: receipts and refusals do not. */
static const struct post *last_report(const struct recording *r, const char *who)
{
	const struct post *p = testbed_find(r->s, who, "orders due");

	ENSURE(p != NULL);
	return p;
}

/* Orders that differ from turn to turn and hit now and then. */
static void write_orders(struct recording *r, const char *who, unsigned a, unsigned b)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "popup %u %u, whack %u", a % 9 + 1, (a + 4) % 9 + 1, b % 9 + 1);
	testbed_reply_to(r->s, who, last_report(r, who), text.ptr);
	strbuf_release(&text);
}

/* bob leaves; then everybody plays on until both games are over. */
static void play_out(struct recording *r)
{
	testbed_reply_to(r->s, "bob", last_report(r, "bob"), "resign");
	for (unsigned turn = 1; !is_over(r, "W1") || !is_over(r, "W2"); turn++) {
		ENSURE(turn < MOST_TURNS);
		if (!is_over(r, "W1")) {
			write_orders(r, "ann", turn, turn * 2);
			write_orders(r, "cy", turn * 5, turn * 7);
		}
		if (!is_over(r, "W2") && turn == 1)
			testbed_reply_to(r->s, "dan", last_report(r, "dan"), "set draw");
		else if (!is_over(r, "W2"))
			write_orders(r, "dan", turn * 4, turn * 5);
		if (turn == 2)
			testbed_reply(r->s, "jon",
			              "deny zed@example.net W4\nallow lee@example.net W4\nset "
			              "deadline +2D W4\nbecome 2 W4\n"
			              "process 1 W4");
		if (turn == 3)
			testbed_reply_to(r->s, "kim",
			                 testbed_find(r->s, "kim", "asked of the players"),
			                 "yes");
		if (turn == 3)
			testbed_reply(r->s, "jon",
			              "promote kim as co-master W4\ndemote kim W4\n"
			              "promote kim W4");
		run(r);
	}
}

/* Thanks and a last word; and W3 loses a player, who has been reminded and is replaced. */
static void after_the_end(struct recording *r)
{
	testbed_reply_to(r->s, "ann", end_of(r, "W1", "ann"),
	                 "thanks Cyril\nbroadcast\nGood game!\nendbroadcast");
	testbed_write(r->s, "ann", "archive W1\nrematch W1");
	testbed_write(r->s, "eve", "join whakka mole wait");
	testbed_reply_to(r->s, "cy", last_report(r, "cy"), "popup 1");
	run(r); /* the turn of W4 that was ended is over by then */
	testbed_reply_to(r->s, "kim", last_report(r, "kim"), "terminate W4");
	testbed_reply_to(r->s, "bob", testbed_find(r->s, "bob", "Rematch of"), "no");
	testbed_reply_to(r->s, "fay", last_report(r, "fay"), "popup 1, whack 2");
	run(r);
	testbed_reply_to(r->s, "jon", testbed_find(r->s, "jon", "asked of the players"), "yes");
	if (!testbed_find(r->s, "ann", "your message to all") ||
	    !testbed_find(r->s, "ann", "your thanks are passed on"))
		BUG("nobody was thanked");
	if (!testbed_find(r->s, "bob", "you are in, seat 3"))
		BUG("nobody chose a seat");
	if (!testbed_find(r->s, "kim", "a co-master less"))
		BUG("nobody was demoted");
	if (!testbed_find(r->s, "eve", "you are in, seat 2"))
		BUG("nobody got a seat from the queue");
	pause_for(r, 8 * DAY);
	run(r);
	testbed_write(r->s, "hal", "takeover W3 as Hal Ten");
	run(r);
}

/* In W3 orders are laid down: a draft and standing ones step in, then a queue and a fallback. */
static void lay_down(struct recording *r)
{
	testbed_reply(r->s, "hal", "check popup 4, whack 5\nset fallback bot");
	testbed_write(r->s, "fay", "always popup 2, whack 3\nset absence today");
	testbed_write(r->s, "hal", "signon w3\nqueue 3 popup 7\nqueue 4 popup 8");
	run(r);
	pause_for(r, 8 * DAY);
	run(r);
	testbed_write(r->s, "fay", "always off\nset noabsence");
	pause_for(r, 8 * DAY);
	run(r);
}

/*
 * A game to which somebody is invited, and whose players are asked whether they are still there: one seat
 * is given up and taken again. Then more time is asked for, and who is awaited is nudged.
 */
static void invite_and_ask(struct recording *r)
{
	testbed_write(r->s, "lea", "create whakka mole players 2 next 3d remind none ready");
	run(r);
	testbed_reply(r->s, "lea", "invite mia@example.net");
	run(r);
	pause_for(r, 2 * DAY);
	testbed_reply_to(r->s, "mia", testbed_find(r->s, "mia", "invites you"), "yes");
	run(r);
	pause_for(r, 3 * DAY);
	run(r);
	testbed_reply(r->s, "lea", "join W6");
	run(r);
	testbed_reply_to(r->s, "mia", testbed_find(r->s, "mia", "are you still there"), "yes");
	run(r);
	testbed_reply_to(r->s, "mia", last_report(r, "mia"), "ask for 1 day");
	run(r);
	testbed_reply_to(r->s, "lea", testbed_find(r->s, "lea", "asks for more time"), "yes");
	testbed_reply_to(r->s, "mia", last_report(r, "mia"), "popup 1, whack 2");
	run(r);
	pause_for(r, 3 * DAY);
	testbed_reply_to(r->s, "mia", last_report(r, "mia"), "nudge");
	run(r);
	if (!testbed_find(r->s, "lea", "your invitation was accepted") ||
	    !testbed_find(r->s, "lea", "your seat was given up") ||
	    !testbed_find(r->s, "mia", "[W6] more time"))
		BUG("nobody was invited, asked or given time");
	run(r);
}

void script_record(struct script *out)
{
	struct recording r = {.sc = out, .s = testbed_new(seed)};

	*out = (struct script){0};
	r.s->on_drop = note_mail;
	r.s->on_drop_ctx = &r;
	gather(&r);
	first_turn(&r);
	missed_turn(&r);
	master_at_work(&r);
	play_out(&r);
	after_the_end(&r);
	lay_down(&r);
	invite_and_ask(&r);
	testbed_free(r.s);
}

/* ---- playing ---- */

void script_plain_run(void *ctx, struct testbed *s, unsigned n)
{
	(void)ctx;
	(void)n;
	testbed_run_noting(s);
}

struct testbed *script_site(void)
{
	return testbed_new(seed);
}

void script_play(const struct script *sc, struct testbed *s, script_run *run_it, void *ctx)
{
	unsigned n = 0;

	for (size_t i = 0; i < sc->n; i++) {
		const struct script_event *e = &sc->events[i];

		switch (e->what) {
		case MAIL:
			testbed_drop(s, e->name, (struct span){e->raw, e->len}, e->arrived_utc);
			break;
		case WAIT:
			testbed_wait(s, e->seconds);
			break;
		case RUN:
			run_it(ctx, s, n++);
			break;
		}
	}
}

/* ---- comparing ---- */

/* Long enough for every back-off of send.c, the same for every play. */
static void settle(struct testbed *s)
{
	static const int64_t waits[] = {HOUR / 4, 2 * HOUR, 6 * HOUR};

	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		testbed_wait(s, waits[i]);
		testbed_run_noting(s);
	}
}

/* A broken program may have lost the game that is asked for: that is an outcome too. */
static void add_output(struct testbed *s, const char *words, struct strbuf *out)
{
	struct ran r;

	testbed_do(s, words, NULL, &r);
	strbuf_addf(out, "%s%s", r.out.ptr, r.err.ptr);
	ran_release(&r);
}

void outcome_take(struct testbed *s, struct outcome *out)
{
	struct ran r;

	*out = (struct outcome){STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, false};
	settle(s);
	strbuf_add_span(&out->complaints, strbuf_span(&s->complaints));
	testbed_dump(s, &out->dump);
	testbed_mails(s, &out->mails);
	add_output(s, "archive W1", &out->archives);
	add_output(s, "archive W2", &out->archives);
	add_output(s, "archive W3", &out->archives);
	add_output(s, "archive W4", &out->archives);
	out->mails_agree = testbed_mails_agree(s);
	testbed_do(s, "fsck", NULL, &r);
	if (r.code != 0)
		strbuf_addf(&out->complaints, "fsck: %s%s\n", r.out.ptr, r.err.ptr);
	ran_release(&r);
	testbed_free(s);
}

void outcome_release(struct outcome *o)
{
	strbuf_release(&o->dump);
	strbuf_release(&o->mails);
	strbuf_release(&o->archives);
	strbuf_release(&o->complaints);
}

static bool same_lines(const char *what, const struct strbuf *a, const struct strbuf *b,
                       struct strbuf *why)
{
	struct span x = strbuf_span(a), y = strbuf_span(b), left, right;
	unsigned line = 0;

	if (span_eq(x, y))
		return true;
	do {
		line++;
		left = right = SPAN_EMPTY;
		span_next_line(&x, &left);
		span_next_line(&y, &right);
	} while (span_eq(left, right) && (x.len > 0 || y.len > 0));
	strbuf_addf(why, "%s, line %u:\n  %.*s\n  %.*s\n", what, line, SPAN_ARGS(left),
	            SPAN_ARGS(right));
	return false;
}

bool outcome_equal(const struct outcome *a, const struct outcome *b, struct strbuf *why)
{
	bool same = same_lines("complaints", &a->complaints, &b->complaints, why);

	same = same_lines("dump", &a->dump, &b->dump, why) && same;
	same = same_lines("mails", &a->mails, &b->mails, why) && same;
	same = same_lines("archives", &a->archives, &b->archives, why) && same;
	if (!a->mails_agree || !b->mails_agree) {
		strbuf_adds(why, "a Message-ID came with two kinds of bytes\n");
		same = false;
	}
	return same;
}
