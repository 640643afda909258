/*
 * year_people.c - what players do, each with his temper, knowing nothing but their mails.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/err.h"
#include "processor/base/num.h"
#include "tests/support/programs.h"
#include "tests/support/table.h"
#include "tests/support/year_parts.h"

enum { HOUR = YEAR_HOUR_S, DAY = YEAR_DAY_S, MOST_INVITED = 24 };

/* ---- who they are ---- */

static enum year_temper draw_temper(struct year *y)
{
	static const struct {
		unsigned share;
		enum year_temper temper;
	} tempers[] = {{45, PUNCTUAL}, {15, LATE},       {15, FORGETFUL},
	               {8, SILENT},    {12, ON_HOLIDAY}, {5, BOUNCING}};
	unsigned n = year_draw(y, 100), i = 0;

	while (n >= tempers[i].share)
		n -= tempers[i++].share;
	return tempers[i].temper;
}

static void draw_absences(struct year *y, struct year_player *p)
{
	unsigned n = p->temper == ON_HOLIDAY ? 4 : p->temper == BOUNCING ? 2 : 0;

	for (unsigned i = 0; i < n; i++) {
		p->away_from[i] = y->began_utc +
		                  (int64_t)year_draw(y, y->size->days * 24) * HOUR;
		p->away_to[i] = p->away_from[i] + (int64_t)(7 + year_draw(y, 14)) * DAY;
	}
}

/* The end of an absence in which this moment lies, or the moment. */
static int64_t back_from(const struct year_player *p, int64_t at_utc)
{
	for (size_t i = 0; i < sizeof(p->away_from) / sizeof(p->away_from[0]); i++)
		if (p->away_from[i] <= at_utc && at_utc < p->away_to[i])
			return p->away_to[i];
	return at_utc;
}

static bool is_away(const struct year_player *p, int64_t at_utc)
{
	return back_from(p, at_utc) != at_utc;
}

/* ---- the games they open ---- */

static const struct kind {
	const char *create; /* as CREATE has it */
	unsigned seats;     /* for people */
} kinds[] = {
    {"whakka mole players 3 turns=4", 3},
    {"whakka mole players 4 target=5", 4},
    {"mole park players 3 rounds=1", 3},
    {"martian boggle words=2 maxturns=2", 2},
    {"mole target=1 lead=1 rounds=1", 2},
    {"mole majority players 2 setup=auto rounds=1", 2},
    {"mole majority players 3 setup=auto rounds=1", 3},
    {"whakka mole players 3 bots 1 turns=4", 2},
};

/* Clocks of different kinds, some of places with summer time. */
static const char *const clocks[] = {
    "next 24H grace 6H",
    "next 36H",
    "at 20:00 zone Europe/Berlin next 24H grace 6H",
    "days mon-fri at 21:30 zone Europe/London next 24H grace 4H",
    "at 02:30 zone America/New_York next 20H",
    "days -MTWTF- at 18:00 zone Europe/Berlin next 24H grace 12H delay 30M",
    "next 48H delay 1H holidays 12-24..12-26",
    "at 22:00 zone Australia/Sydney next 24H grace 3H",
    "next 16H grace 8H quiet on",
};

static void say_create(struct year *y, const struct year_event *e, struct strbuf *text)
{
	static const char *const vacancies[] = {"", " vacant bot"};
	const struct kind *k = &kinds[e->plan % (sizeof(kinds) / sizeof(kinds[0]))];
	const char *clock = clocks[year_draw(y, sizeof(clocks) / sizeof(clocks[0]))];

	bool helped = y->games[e->plan].helped;

	strbuf_addf(text, "create %s %s%s%s%s\n", k->create, clock, vacancies[year_draw(y, 2)],
	            helped ? "" : " remind none",
	            helped && y->size->habits && k->seats > 2 ? " ready" : "");
}

static unsigned seats_of_plan(unsigned plan)
{
	return kinds[plan % (sizeof(kinds) / sizeof(kinds[0]))].seats;
}

void year_people_begin(struct year *y)
{
	const struct year_size *s = y->size;
	/* The last ones still have time to end. */
	int64_t span = (int64_t)(s->days > 60 ? s->days - 35 : s->days * 6 / 10) * DAY;

	for (unsigned i = 0; i < s->players; i++) {
		struct year_player *p = &y->players[i];

		(void)snprintf(p->name, sizeof(p->name), "p%u", i);
		p->temper = draw_temper(y);
		draw_absences(y, p);
		if (i % 12 == 0)
			year_queue_add(&y->queue, (struct year_event){
						      .at_utc = y->began_utc + 20 * DAY +
			                                        year_draw(y, 7 * 24) * HOUR,
						      .deed = YEAR_LIST,
						      .player = i});
	}
	for (unsigned i = 0; i < s->games; i++) {
		/* Kinds come in eights, so the halves are made of the same kinds. */
		y->games[i].helped = i / 8 % 2 == 0;
		/* Never before the one before it: the numbers of games are those of the plans. */
		year_queue_add(
		    &y->queue,
		    (struct year_event){.at_utc = y->began_utc + span * i / s->games +
		                                  year_draw(y, (unsigned)(span / s->games)),
		                        .deed = YEAR_CREATE,
		                        .player = year_draw(y, s->players),
		                        .plan = i});
	}
}

/* ---- writing ---- */

static void write_mail(struct year *y, const struct year_event *e, struct span text)
{
	const char *name = y->players[e->player].name;
	struct strbuf from = STRBUF_INIT, raw = STRBUF_INIT, file = STRBUF_INIT;

	strbuf_addf(&from, "%s@example.net", name);
	programs_add_lean(&raw, &(struct reply){
				    .n = y->testbed->written,
				    .from = strbuf_span(&from),
				    .to = span_of(e->to ? e->to : "moles@example.org"),
				    .subject = span_of(e->subject ? e->subject : "moles"),
				    .answers = span_of(e->answers ? e->answers : ""),
				    .orders = text,
				    .report = span_of(e->quoted ? e->quoted : ""),
				    .date_utc = e->at_utc,
				});
	strbuf_addf(&file, "%lld.M%u.mua", (long long)e->at_utc, y->testbed->written);
	testbed_drop(y->testbed, file.ptr, strbuf_span(&raw), e->at_utc);
	y->result->mails_in++;
	strbuf_release(&from);
	strbuf_release(&raw);
	strbuf_release(&file);
}

/* Asked by a mail of the server's, from the creator. */
static void invite_by_mail(struct year *y, const struct year_mail *m)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "invite p%u@example.net We need you.\n",
	            year_draw(y, y->size->players));
	year_queue_add(&y->queue, (struct year_event){.at_utc = m->at_utc + HOUR,
	                                              .deed = YEAR_WRITE,
	                                              .player = m->player,
	                                              .to = xstrdup(m->reply_to),
	                                              .subject = xstrdup("a fourth"),
	                                              .answers = xstrdup(m->message_id),
	                                              .text = strbuf_detach(&text)});
}

static void invite(struct year *y, unsigned game, int64_t at_utc)
{
	struct strbuf text = STRBUF_INIT;
	unsigned plan = y->plan_of[game] - 1;

	strbuf_addf(&text, "join %u\n", game);
	y->games[plan].wanted++;
	year_queue_add(&y->queue, (struct year_event){.at_utc = at_utc,
	                                              .deed = YEAR_WRITE,
	                                              .player = year_draw(y, y->size->players),
	                                              .text = strbuf_detach(&text)});
}

/* Friends did not all come: others are asked. */
static void invite_more(struct year *y, const struct year_event *e)
{
	struct year_game *g = &y->games[e->plan];
	struct year_event again = {
	    .at_utc = e->at_utc + DAY, .deed = YEAR_INVITE, .game = e->game, .plan = e->plan};

	if (g->has_begun || g->wanted > MOST_INVITED)
		return;
	invite(y, e->game, e->at_utc + year_draw(y, 8 * HOUR));
	year_queue_add(&y->queue, again);
}

void year_people_act(struct year *y, const struct year_event *e)
{
	struct strbuf text = STRBUF_INIT;

	switch (e->deed) {
	case YEAR_WRITE:
		write_mail(y, e, span_of(e->text));
		break;
	case YEAR_CREATE:
		say_create(y, e, &text);
		write_mail(y, e, strbuf_span(&text));
		break;
	case YEAR_INVITE:
		invite_more(y, e);
		break;
	case YEAR_LIST:
		write_mail(y, e, SPAN_LIT("list\n"));
		year_queue_add(&y->queue, (struct year_event){.at_utc = e->at_utc + 5 * DAY,
		                                              .deed = YEAR_LIST,
		                                              .player = e->player});
		break;
	}
	strbuf_release(&text);
}

/* ---- a game as its players know it ---- */

static struct year_game *game_of(struct year *y, const struct year_mail *m)
{
	if (m->game == 0 || m->game > y->size->games * 2 || y->plan_of[m->game] == 0)
		return NULL;
	return &y->games[y->plan_of[m->game] - 1];
}

static struct year_member *member_of(struct year_game *g, unsigned player)
{
	for (unsigned i = 0; i < g->nmembers; i++)
		if (g->members[i].player == player)
			return &g->members[i];
	if (g->nmembers == YEAR_MOST_SEATS)
		return NULL;
	g->members[g->nmembers] = (struct year_member){.player = player};
	return &g->members[g->nmembers++];
}

/* "[W12] Whakka Mole: you are in, seat 1 of 3", to whom "Your game W12 is open." is said. */
static void note_new_game(struct year *y, const struct year_mail *m, unsigned plan)
{
	y->games[plan].number = m->game;
	y->games[plan].creator = m->player;
	y->plan_of[m->game] = plan + 1;
	bool by_mail = y->size->habits && y->games[plan].helped && year_draw(y, 2) == 0;

	if (by_mail)
		invite_by_mail(y, m);
	for (unsigned i = by_mail ? 2 : 1; i < seats_of_plan(plan); i++)
		invite(y, m->game, m->at_utc + year_draw(y, 12 * HOUR));
	year_queue_add(&y->queue, (struct year_event){.at_utc = m->at_utc + DAY,
	                                              .deed = YEAR_INVITE,
	                                              .game = m->game,
	                                              .plan = plan});
}

/* Games are numbered in the order in which they were asked for, and so are the plans. */
static void note_opened(struct year *y, const struct year_mail *m)
{
	if (strstr(m->text.ptr, "Your game ") && m->game > 0 && m->game <= y->size->games &&
	    y->plan_of[m->game] == 0)
		note_new_game(y, m, m->game - 1);
}

/* ---- answering ---- */

/* One of the examples, with the lines that go on from it. */
static bool choose_orders(struct year *y, const struct year_mail *m, struct strbuf *out)
{
	struct span rest = strbuf_span(&m->text), line, examples[4];
	unsigned n = 0;
	bool inside = false;

	while (span_next_line(&rest, &line)) {
		if (strstr(m->text.ptr, "example:") &&
		    span_find(line, SPAN_LIT("example:")) < line.len) {
			inside = true;
			n = 0;
		} else if (inside && span_starts(line, "  | ") && n < 4) {
			examples[n++] = span_slice(line, 4, line.len);
		} else if (inside && n > 0) {
			inside = false;
		}
	}
	if (n == 0)
		return false;
	strbuf_add_span(out, span_trim(examples[year_draw(y, n)]));
	strbuf_addc(out, '\n');
	return true;
}

/* Somebody who whacks moles thinks for himself. */
static void say_orders(struct year *y, const struct year_mail *m, struct strbuf *out)
{
	if (strncmp(m->subject, "[W", 2) == 0 && year_draw(y, 3) > 0) {
		unsigned a = 1 + year_draw(y, 8);

		strbuf_addf(out, "popup %u %u, whack %u\n", a, a + 1, 1 + year_draw(y, 9));
	} else if (!choose_orders(y, m, out)) {
		year_problem(y, "no example in a mail that wants orders: %s", m->subject);
	}
}

/* A reply, at a time; the text is taken over. */
static void reply(struct year *y, const struct year_mail *m, int64_t at_utc,
                  struct strbuf *text)
{
	struct strbuf subject = STRBUF_INIT;

	strbuf_addf(&subject, "Re: %s", m->subject);
	year_queue_add(
	    &y->queue,
	    (struct year_event){.at_utc = at_utc,
	                        .deed = YEAR_WRITE,
	                        .player = m->player,
	                        .to = xstrdup(m->reply_to),
	                        .subject = strbuf_detach(&subject),
	                        .answers = xstrdup(m->message_id),
	                        .text = strbuf_detach(text),
	                        .quoted = year_draw(y, 3) == 0 ? xstrdup(m->text.ptr) : NULL});
}

/* Standing orders and drafts are for the helped half, where the server knows them. */
static bool may_help_himself(const struct year *y, const struct year_mail *m)
{
	return y->games[y->plan_of[m->game] - 1].helped;
}

/* Below the orders of this turn, in the same mail. */
static void say_standing(struct year *y, const struct year_mail *m, struct year_member *member,
                         struct strbuf *out)
{
	strbuf_adds(out, "always ");
	say_orders(y, m, out);
	member->has_standing = true;
}

static void answer_at(struct year *y, const struct year_mail *m, struct year_member *member,
                      int64_t at_utc)
{
	struct strbuf text = STRBUF_INIT;

	say_orders(y, m, &text);
	if (may_help_himself(y, m) && !member->has_standing && year_draw(y, 2) == 0)
		say_standing(y, m, member, &text);
	if (year_draw(y, 10) == 0)
		year_secrets_add_salt(y, m, &text);
	member->has_answered = true;
	reply(y, m, at_utc, &text);
}

/* Who forgets to order may have looked what he could order: that is a draft. */
static void try_out(struct year *y, const struct year_mail *m)
{
	struct strbuf text = STRBUF_INIT, orders = STRBUF_INIT;

	say_orders(y, m, &orders);
	strbuf_addf(&text, "check %s", orders.ptr);
	reply(y, m, m->at_utc + year_draw(y, 4 * HOUR), &text);
	strbuf_release(&orders);
}

/* When he answers a report; 0: not at all. */
static int64_t when_answered(struct year *y, const struct year_mail *m,
                             struct year_member *member)
{
	int64_t left = m->left_s > 0 ? m->left_s : DAY;

	switch (y->players[m->player].temper) {
	case LATE:
		return m->at_utc + year_draw_part(y, left, 50, 125);
	case FORGETFUL:
		return year_draw(y, 100) < 35 ? 0 : m->at_utc + year_draw_part(y, left, 5, 90);
	case SILENT:
		member->has_faded = member->has_faded || year_draw(y, 100) < 12;
		return member->has_faded ? 0 : m->at_utc + year_draw_part(y, left, 5, 60);
	case PUNCTUAL:
	case ON_HOLIDAY:
	case BOUNCING:
	case YEAR_TEMPERS:
		break;
	}
	/* Nobody is perfect. */
	return year_draw(y, 100) < 3 ? 0 : m->at_utc + year_draw_part(y, left, 3, 50);
}

/* A line of its own, some part of the time that is left later. */
static void say_later(struct year *y, const struct year_mail *m, unsigned from, unsigned to,
                      const char *line)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "%s\n", line);
	reply(y, m, m->at_utc + year_draw_part(y, m->left_s > 0 ? m->left_s : DAY, from, to),
	      &text);
	strbuf_release(&text);
}

/* Who has sent orders wants the others to; who will be late asks for time. */
static void mind_the_clock(struct year *y, const struct year_mail *m, int64_t answered_utc)
{
	enum year_temper temper = y->players[m->player].temper;

	if (!y->size->habits || !may_help_himself(y, m))
		return;
	if (answered_utc != 0 && temper == PUNCTUAL && year_draw(y, 5) == 0)
		say_later(y, m, 55, 75, "nudge");
	if (temper == LATE && year_draw(y, 12) == 0)
		say_later(y, m, 20, 45, "ask for 12 hours");
}

static void on_report(struct year *y, const struct year_mail *m, struct year_member *member)
{
	int64_t at = when_answered(y, m, member);

	mind_the_clock(y, m, at);

	member->has_answered = false;
	if (at == 0) {
		if (may_help_himself(y, m) && !member->has_faded && year_draw(y, 2) == 0)
			try_out(y, m);
		return;
	}
	at = back_from(&y->players[m->player], at);
	answer_at(y, m, member, at);
}

/* A master takes a turn back, is asked whether he means it, and does. */
static void on_mail_to_master(struct year *y, const struct year_mail *m, struct year_game *g)
{
	struct strbuf text = STRBUF_INIT;

	if (g->creator != m->player)
		return;
	if (strstr(m->subject, "do you really want this?"))
		strbuf_adds(&text, "yes\n");
	else if (m->wants_orders && !g->taken_back && (g->number - 1) % 40 == 0 &&
	         m->serial == 3) {
		strbuf_adds(&text, "rollback 1\n");
		g->taken_back = true;
	}
	if (text.len > 0)
		reply(y, m, m->at_utc + 60, &text);
	strbuf_release(&text);
}

static void on_invitation(struct year *y, const struct year_mail *m)
{
	unsigned drawn = year_draw(y, 100);

	if (drawn < 90)
		say_later(y, m, 2, 20, drawn < 80 ? "yes" : "no");
}

/* When a game is over: thanks, a word to all, or nothing. */
static void on_end(struct year *y, const struct year_mail *m)
{
	unsigned drawn = year_draw(y, 10);

	if (!y->size->habits || drawn > 1)
		return;
	say_later(y, m, 1, 50, drawn == 0 ? "thanks 1" : "Well played, all of you!");
}

/* What a master who plays asks the others for: most agree, a few never answer. */
static void on_motion(struct year *y, const struct year_mail *m)
{
	struct strbuf text = STRBUF_INIT;
	unsigned drawn = year_draw(y, 100);

	if (drawn < 95)
		strbuf_adds(&text, drawn < 85 ? "yes\n" : "no\n");
	if (text.len > 0)
		reply(y, m, m->at_utc + HOUR, &text);
	strbuf_release(&text);
}

static void on_reminder(struct year *y, const struct year_mail *m, struct year_member *member)
{
	const struct year_player *p = &y->players[m->player];
	int64_t at = m->at_utc + year_draw_part(y, m->left_s > 0 ? m->left_s : HOUR, 2, 60);

	if (member->has_answered || member->has_faded || is_away(p, at) ||
	    year_draw(y, 100) >= 85)
		return;
	answer_at(y, m, member, at);
}

/* "takeover W12" in a list. */
static void on_list(struct year *y, const struct year_mail *m)
{
	const char *at = strstr(m->text.ptr, "  | takeover ");
	struct span rest, line;

	if (!at || year_draw(y, 3) == 0)
		return;
	rest = span_of(at + 4);
	if (!span_next_line(&rest, &line))
		return;
	struct strbuf text = STRBUF_INIT;
	strbuf_addf(&text, "%.*s\n", SPAN_ARGS(line));
	year_queue_add(&y->queue, (struct year_event){.at_utc = m->at_utc + HOUR,
	                                              .deed = YEAR_WRITE,
	                                              .player = m->player,
	                                              .text = strbuf_detach(&text)});
}

/* ---- mail that comes ---- */

static void come_back(struct year *y, const struct year_mail *m)
{
	testbed_bounce(y->testbed, m->sender, y->players[m->player].name, "failed", "5.1.1",
	               y->testbed->now_utc + 60);
	y->result->mails_in++;
}

static void count(struct year *y, const struct year_mail *m)
{
	if (strstr(m->subject, "How to play by e-mail") ||
	    strstr(m->subject, "not understood") || strstr(m->subject, "nothing stored"))
		y->result->not_understood++;
}

void year_people_get(struct year *y, const struct year_mail *m)
{
	struct year_player *p = &y->players[m->player];
	struct year_member *member;
	struct year_game *g;

	note_opened(y, m);
	g = game_of(y, m);
	member = g ? member_of(g, m->player) : NULL;
	year_secrets_look(y, m, member && m->reminds ? member->report : NULL);
	if (p->temper == BOUNCING && is_away(p, m->at_utc)) {
		come_back(y, m);
		return;
	}
	count(y, m);
	if (strstr(m->subject, "Open games"))
		on_list(y, m);
	if (strstr(m->subject, " invites you to a game of "))
		on_invitation(y, m);
	if (!member)
		return;
	on_mail_to_master(y, m, g);
	if ((strstr(m->subject, "asked of the players:") && g->creator != m->player) ||
	    strstr(m->text.ptr,
	           "Reply with one of these lines; whoever says nothing has said no"))
		on_motion(y, m);
	if (strstr(m->subject, "are you still there?") && year_draw(y, 10) > 0 &&
	    !is_away(p, m->at_utc + DAY))
		say_later(y, m, 5, 150, "yes");
	if (strstr(m->subject, "shall everybody read this?"))
		say_later(y, m, 1, 20, "yes");
	if (strstr(m->text.ptr, "Thank you for playing."))
		on_end(y, m);
	if (m->wants_orders || m->seats_him) {
		free(member->report);
		member->report = xstrdup(m->text.ptr);
	}
	if (m->wants_orders) {
		g->has_begun = true;
		on_report(y, m, member);
	} else if (m->reminds) {
		on_reminder(y, m, member);
	} else if (strstr(m->subject, "vacant")) {
		member->has_faded = true;
	}
}
