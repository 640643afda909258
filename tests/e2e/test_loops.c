/*
 * test_loops.c - servers and robots wired together fall silent.
 *
 * Two servers with a game each. The players of each game are the other server and three robots:
 * one that answers mail as RFC 3834 wants it, one that answers every mail like a careless
 * person, quotes it and says in no field what it is, and an address whose mail server returns
 * everything. The test carries the mails; each step ends when a round brings none.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "mail/text/header.h"
#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "tests/support/conversation.h"
#include "tests/support/table.h"

enum {
	HOUR_S = 3600,
	DAY_S = 24 * HOUR_S,
	SERVERS = 2,
	ROUNDS_MAX = 40, /* of one step: more is a loop */
	DAYS = 40,
	MAILS_MAX =
	    200 /* two turns, their reminders, seats that are lost; a loop brings thousands */
};

static const char *const addresses[SERVERS] = {"moles@example.org", "moles@other.example.com"};

struct world {
	struct testbed *servers[SERVERS];
	unsigned rounds, sent, dropped; /* by the servers; with nobody behind the address */
	unsigned vacations, echoes, bounces;
	unsigned written; /* by robots; numbers their Message-IDs */
};

static struct testbed *server_new(const char *address, const char *instance)
{
	struct testbed *s = testbed_new_empty(instance);
	const char *argv[] = {"init",   "--address", address, "--instance",
	                      instance, s->dir,      NULL};
	struct ran r;

	testbed_exec(s, argv, NULL, &r);
	cr_assert_eq(r.code, 0, "%s", r.err.ptr);
	ran_release(&r);
	return s;
}

/* ---- carrying ---- */

/* The server behind an address, its reply addresses included. */
static struct testbed *server_of(struct world *w, const char *address)
{
	const char *at = strchr(address, '@');

	for (size_t i = 0; i < SERVERS; i++)
		if (at && strcmp(at, strchr(addresses[i], '@')) == 0)
			return w->servers[i];
	return NULL;
}

static void deliver(struct world *w, const char *to, struct span raw)
{
	struct testbed *s = server_of(w, to);
	struct strbuf name = STRBUF_INIT;

	if (!s) {
		w->dropped++;
		return;
	}
	strbuf_addf(&name, "%lld.M%u.pump", (long long)s->now_utc, s->written);
	testbed_drop(s, name.ptr, raw, s->now_utc);
	strbuf_release(&name);
}

static bool has_field(const struct post *p, const char *name, const char *value)
{
	struct arena *arena = arena_new();
	struct header h;
	bool found = false;

	header_split((struct span){p->raw, p->raw_len}, arena, &h);
	for (size_t i = 0; i < h.count; i++)
		if (span_eq_nocase(h.fields[i].name, name))
			found = found || !value || span_eq_nocase(h.fields[i].value, value);
	arena_free(arena);
	return found;
}

/* ---- the robots ---- */

/* RFC 3834: to the envelope's sender, marked, never to what is marked itself. */
static void answer_vacation(struct world *w, const struct post *p)
{
	struct strbuf raw = STRBUF_INIT;

	if (has_field(p, "Auto-Submitted", NULL) && !has_field(p, "Auto-Submitted", "no"))
		return;
	strbuf_addf(&raw,
	            "Return-Path: <>\nFrom: vac@example.net\nTo: %s\nSubject: Auto: %s\n"
	            "Message-ID: <v%u@example.net>\nAuto-Submitted: auto-replied\n\nAway.\n",
	            p->sender, p->subject, w->written++);
	deliver(w, p->sender, strbuf_span(&raw));
	w->vacations++;
	strbuf_release(&raw);
}

static void answer_echo(struct world *w, size_t from, const struct post *p)
{
	const char *to = *p->reply_to ? p->reply_to : addresses[from];
	struct strbuf raw = STRBUF_INIT;

	strbuf_addf(&raw,
	            "From: Echo <echo@example.net>\nTo: %s\nSubject: Re: %s\nIn-Reply-To: %s\n"
	            "Message-ID: <e%u@example.net>\n\nGot it, this is my case %u.\n\n",
	            to, p->subject, p->message_id, w->written, w->written);
	w->written++;
	conversation_quote(span_of(p->text), &raw);
	deliver(w, to, strbuf_span(&raw));
	w->echoes++;
	strbuf_release(&raw);
}

static void return_to_sender(struct world *w, const struct post *p)
{
	struct strbuf raw = STRBUF_INIT;

	strbuf_addf(
	    &raw,
	    "Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.net\nTo: %s\n"
	    "Subject: Undelivered Mail Returned to Sender\nMessage-ID: <n%u@example.net>\n"
	    "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n"
	    "--b\nContent-Type: text/plain\n\nNo such user.\n\n"
	    "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx\n\n"
	    "Final-Recipient: rfc822; dead@example.net\nAction: failed\nStatus: 5.1.1\n\n"
	    "--b--\n",
	    p->sender, w->written++);
	deliver(w, p->sender, strbuf_span(&raw));
	w->bounces++;
	strbuf_release(&raw);
}

static void carry(struct world *w, size_t from, const struct post *p)
{
	w->sent++;
	if (strcmp(p->who, "vac") == 0)
		answer_vacation(w, p);
	else if (strcmp(p->who, "echo") == 0)
		answer_echo(w, from, p);
	else if (strcmp(p->who, "dead") == 0)
		return_to_sender(w, p);
	else
		deliver(w, p->who, (struct span){p->raw, p->raw_len});
}

/* ---- time ---- */

/* Runs both servers and carries what they sent; false when that was nothing. */
static bool round_brings_mail(struct world *w)
{
	size_t n = 0;

	for (size_t i = 0; i < SERVERS; i++) {
		struct testbed *s = w->servers[i];
		size_t before = s->nposts;

		n += testbed_run(s);
		for (size_t k = before; k < s->nposts; k++)
			carry(w, i, s->posts[k]);
	}
	for (size_t i = 0; i < SERVERS; i++)
		testbed_wait(w->servers[i], 60);
	w->rounds++;
	return n > 0;
}

/* Until nobody has anything to say. */
static unsigned settle(struct world *w)
{
	unsigned before = w->sent, rounds = 0;

	while (round_brings_mail(w))
		cr_assert_lt(++rounds, ROUNDS_MAX, "a loop: %u mails", w->sent);
	return w->sent - before;
}

static void wait_both(struct world *w, int64_t seconds)
{
	for (size_t i = 0; i < SERVERS; i++)
		testbed_wait(w->servers[i], seconds);
}

static void join(struct world *w, size_t server, const char *who)
{
	testbed_mail(
	    w->servers[server],
	    &(struct mail_written){.who = who, .to = addresses[server], .text = "join W1"});
}

static void world_begin(struct world *w)
{
	*w = (struct world){
	    .servers = {server_new(addresses[0], "one"), server_new(addresses[1], "two")}};
	for (size_t i = 0; i < SERVERS; i++) {
		expect_code(w->servers[i], "game new whakka mole players 4 next 1D", 0);
		join(w, i, "vac");
		join(w, i, "echo");
		join(w, i, "dead");
		join(w, i, addresses[1 - i]);
	}
}

static void world_end(struct world *w)
{
	for (size_t i = 0; i < SERVERS; i++) {
		expect_code(w->servers[i], "fsck", 0);
		testbed_free(w->servers[i]);
	}
}

Test(loops, two_servers_and_three_robots_fall_silent, .timeout = 600)
{
	struct world w;
	unsigned quiet_days = 0;

	world_begin(&w);
	unsigned at_first = settle(&w);
	expect(w.servers[0], "game show W1", 0, "moles                plays");
	expect(w.servers[0], "game show W1", 0, "dead                 plays, mail comes back");
	for (unsigned day = 0; day < DAYS; day++) {
		wait_both(&w, DAY_S);
		quiet_days = settle(&w) == 0 ? quiet_days + 1 : 0;
	}
	printf(
	    "%u mails of the servers in all, %u before the first day was over; %u answers of "
	    "the careless robot, %u of the careful one, %u returned mails; %u rounds, the last "
	    "%u days silent\n",
	    w.sent, at_first, w.echoes, w.vacations, w.bounces, w.rounds, quiet_days);
	cr_assert_eq(w.dropped, 0);
	cr_assert_geq(w.echoes, 10, "the robot has tried");
	cr_assert_leq(w.bounces, 8, "one for each mail before the first report came in");
	cr_assert_geq(w.bounces, 2);
	cr_assert_eq(w.vacations, 0, "all our mails say what they are");
	cr_assert_leq(w.sent, MAILS_MAX);
	cr_assert_gt(quiet_days, DAYS / 2);
	for (size_t i = 0; i < SERVERS; i++)
		expect(w.servers[i], "game list", 0, "abandoned");
	world_end(&w);
}

/* Each of them a stranger to the others: what one says first is all the other answers. */
Test(loops, servers_that_write_to_each_other_as_strangers_stop_at_once)
{
	struct world w;

	world_begin(&w);
	(void)settle(&w);
	for (size_t i = 0; i < SERVERS; i++)
		testbed_mail(w.servers[i],
		             &(struct mail_written){.who = "moles@third.example.com",
		                                    .to = addresses[i],
		                                    .text = "status"});
	unsigned before = w.dropped;
	cr_assert_eq(settle(&w), 2, "the guide, once each");
	cr_assert_eq(w.dropped, before + 2);
	/* Our own guide, sent round by a list, which is one mail however it comes. */
	const struct post *guide = testbed_last(w.servers[0], "moles@third.example.com");
	for (unsigned i = 0; i < 12; i++) {
		struct strbuf raw = STRBUF_INIT;

		strbuf_addf(&raw, "X-Round: %u\n", i);
		strbuf_add(&raw, guide->raw, guide->raw_len);
		deliver(&w, addresses[0], strbuf_span(&raw));
		deliver(&w, addresses[1], strbuf_span(&raw));
		strbuf_release(&raw);
	}
	cr_assert_eq(settle(&w), 0);
	expect(w.servers[0], "doctor", 65, "1 of our own mails came back");
	world_end(&w);
}
