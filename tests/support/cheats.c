/*
 * cheats.c - cheats as changes of the values that a record is written from.
 */
#include "tests/support/cheats.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "processor/bots/bots.h"

unsigned cheats_tried;

/* A mail or a secret that there never was. */
static struct hash invented(void)
{
	char text[32];

	snprintf(text, sizeof(text), "invented %u", cheats_tried);
	return hash_of(span_of(text));
}

void cheat_join_a_second_later(struct record *r)
{
	r->seats[2].joined_utc++;
}

/* Seat 1's last orders taken back, and given once more by the same mail. */
void cheat_clear_and_repeat(struct played *p, struct record_turn *t)
{
	size_t at = 0, n = t->nrevisions;

	if (t->serial != CHEATED)
		return;
	while (at < n && t->revisions[at].seat == 1)
		at++;
	cr_assert_gt(at, 0);
	for (size_t i = n; i-- > at;)
		t->revisions[i + 2] = t->revisions[i];
	struct record_order last = t->revisions[at - 1];
	t->revisions[at] = (struct record_order){.seat = 1,
	                                         .revision = last.revision + 1,
	                                         .received_utc = last.received_utc,
	                                         .origin = ORDER_SENT,
	                                         .cleared = true,
	                                         .contribution = last.contribution};
	t->revisions[at + 1] = last;
	t->revisions[at + 1].revision = last.revision + 2;
	t->nrevisions += 2;
	t->used[0] = t->revisions[at + 1];
	(void)p;
}

/* The same by another mail each time: with the sender's own signature copied onto it, if need be. */
void cheat_clear_and_repeat_by_other_mails(struct played *p, struct record_turn *t)
{
	size_t last = t->nrevisions;

	cheat_clear_and_repeat(p, t);
	if (t->serial != CHEATED)
		return;
	for (size_t i = 0; i < t->nrevisions; i++)
		if (t->revisions[i].seat == 1)
			last = i;
	t->revisions[last - 1].contribution = t->revisions[last].contribution = invented();
	t->used[0] = t->revisions[last];
}

/* A first mail for a seat that has sent something: from then on its own have numbers too large. */
void cheat_invent_first(struct played *p, struct record_turn *t)
{
	size_t at = 0;

	(void)p;
	if (t->serial != CHEATED)
		return;
	cr_assert_eq(t->revisions[at].seat, 1);
	for (size_t i = t->nrevisions++; i > at; i--)
		t->revisions[i] = t->revisions[i - 1];
	for (size_t i = at + 1; i < t->nrevisions && t->revisions[i].seat == 1; i++)
		t->revisions[i].revision++;
	t->revisions[at].contribution = invented();
	t->used[0].revision++;
}

/* It is the operator's own: receipt, report and record all agree. */
void cheat_own_first_mail(struct played *p, struct record_turn *t)
{
	(void)p;
	if (t->serial != CHEATED)
		return;
	for (size_t i = 0; i < t->nrevisions && t->revisions[i].seat == 1; i++)
		t->revisions[i].contribution = invented();
	t->used[0].contribution = invented();
}

void cheat_choose_secret(struct record *r)
{
	r->secret = invented();
	r->secret_hash = hash_of(hash_span(&r->secret));
}

void cheat_other_mail(struct played *p, struct record_turn *t)
{
	if (t->serial != CHEATED)
		return;
	for (size_t i = 0; i < t->nrevisions; i++)
		if (t->revisions[i].seat == 1)
			t->revisions[i].contribution = invented();
	t->used[0].contribution = invented();
	(void)p;
}

/* And the commitment that goes with them, under the same mail. */
void cheat_other_orders(struct played *p, struct record_turn *t)
{
	struct strbuf text = STRBUF_INIT;

	if (t->serial != CHEATED)
		return;
	p->record.rules->default_orders(p->states[p->at], 1, &text);
	cr_assert_not(span_eq(strbuf_span(&text), t->used[0].canonical));
	t->used[0].canonical = arena_dup(p->arena, strbuf_span(&text));
	for (size_t i = 0; i < t->nrevisions; i++)
		if (t->revisions[i].seat == 1 &&
		    t->revisions[i].revision == t->used[0].revision)
			t->revisions[i].canonical = t->used[0].canonical;
	strbuf_release(&text);
}

void cheat_change_places(struct record *r)
{
	struct record_seat first = r->seats[1];

	r->seats[1] = r->seats[2];
	r->seats[2] = first;
}

void cheat_other_join(struct record *r)
{
	r->seats[2].contribution = invented();
}

/* Ann, made to leave by one invented mail, and to join again by another as if it were her first. */
void cheat_join_again(struct record *r)
{
	r->seats[1].contribution = invented();
	r->seats[1].joined_utc += 3600;
}

/* As the rules have it: the first JOIN counts, and the record counts two. */
void cheat_count_two(struct record *r)
{
	r->seats[1].joins = 2;
}

/* Every honest mail of seat 1 has its provider's signature; turn 2 has one that was invented, which has none. */
void cheat_sign_all_but_one(struct played *p, struct record_turn *t)
{
	(void)p;
	for (size_t i = 0; i < t->nrevisions; i++) {
		struct record_order *o = &t->revisions[i];

		if (o->seat != 1 ||
		    (t->serial == CHEATED && o->revision == t->used[0].revision))
			continue;
		o->dkim = hash_of(hash_span(&o->contribution));
		o->dkim_verified = true;
	}
}

/* So the server copies the signature of an older mail of Ann's onto it. */
void cheat_copy_signature(struct played *p, struct record_turn *t)
{
	static struct hash copied;

	cheat_sign_all_but_one(p, t);
	for (size_t i = 0; i < t->nrevisions; i++) {
		if (t->revisions[i].seat != 1)
			continue;
		if (t->serial == 1)
			copied = t->revisions[i].dkim;
		if (!hash_is_zero(&t->revisions[i].dkim) || t->serial != CHEATED)
			continue;
		t->revisions[i].contribution = invented();
		t->revisions[i].dkim = copied;
		t->revisions[i].dkim_verified = true;
		t->used[0] = t->revisions[i];
	}
}

/* As a program would play it that has another key for its bots, or none. */
void cheat_steer_bot(struct played *p, struct record_turn *t)
{
	static const struct tables none = {NULL, 0};
	const struct record *r = &p->record;
	struct hash key = invented();

	if (t->serial != CHEATED)
		return;
	for (size_t i = 0; i < t->nrevisions; i++) {
		struct record_order *o = &t->revisions[i];
		struct strbuf text = STRBUF_INIT;

		if (!r->seats[o->seat].bot)
			continue;
		bot_orders(r->rules, r->bots_version, p->states[p->at], o->seat,
		           BOT_LEVEL_USUAL, &none, &key, &text, NULL);
		cr_assert_not(span_eq(strbuf_span(&text), o->canonical));
		o->canonical = arena_dup(p->arena, strbuf_span(&text));
		for (size_t k = 0; k < t->nused; k++)
			if (t->used[k].seat == o->seat)
				t->used[k].canonical = o->canonical;
		strbuf_release(&text);
	}
}

/* The secret alone does not fit its announcement; both exchanged do not fit the welcome mails. */
void cheat_other_secret(struct record *r)
{
	r->secret = invented();
}

void cheat_in_time_after_all(struct played *p, struct record_turn *t)
{
	(void)p;
	for (size_t i = 0; i < t->nrevisions; i++)
		if (t->revisions[i].received_utc > t->deadline_utc)
			t->revisions[i].received_utc = t->deadline_utc;
}

/* A turn that came out badly; the next ones get its serial and those behind it. */
void cheat_leave_turn_out(struct record *r)
{
	for (size_t i = CHEATED; i + 1 < r->nturns; i++)
		r->turns[i] = r->turns[i + 1];
	r->nturns--;
}

/* The game is called off before the turn that came out badly. */
void cheat_cut_short(struct record *r)
{
	r->nturns = CHEATED;
	r->end_status = "cancelled";
}

#define HEADER(f)          \
	{                  \
		0, f, NULL \
	}
#define TURN(f)            \
	{                  \
		0, NULL, f \
	}
const struct known_cheat known_cheats[] = {
    {"another second of the last JOIN", "mole park", HEADER(cheat_join_a_second_later), NULL,
     false},
    {"orders taken back and given again", "mole park", TURN(cheat_clear_and_repeat), NULL,
     false},
    {"the same by other mails", "mole park", TURN(cheat_clear_and_repeat_by_other_mails), NULL,
     false},
    {"a first mail that was invented", "mole park", TURN(cheat_invent_first), NULL, false},
    {"another mail", "mole park", TURN(cheat_other_mail), NULL, false},
    {"other orders", "mole park", TURN(cheat_other_orders), NULL, false},
    {"seats that change places", "mole park", HEADER(cheat_change_places), NULL, false},
    {"another JOIN", "mole park", HEADER(cheat_other_join), NULL, false},
    {"a JOIN in the place of the first", "mole park", HEADER(cheat_join_again), NULL, false},
    {"a second JOIN", "mole park", HEADER(cheat_count_two), NULL, false},
    {"a signature on two mails", "mole park", TURN(cheat_copy_signature), NULL, false},
    {"orders without a signature", "mole park", TURN(cheat_sign_all_but_one), NULL, false},
    {"another key for a bot", "whakka mole", TURN(cheat_steer_bot), NULL, true},
    {"another secret", "mole park", HEADER(cheat_other_secret), NULL, false},
    {"another secret, and its digest", "mole park", HEADER(cheat_choose_secret), NULL, false},
    {"late orders called punctual", "whakka mole", TURN(cheat_in_time_after_all), NULL, false},
    {"a turn left out", "whakka mole", {0, NULL, NULL}, cheat_leave_turn_out, false},
    {"a game cut short", "whakka mole", {0, NULL, NULL}, cheat_cut_short, false},
};

void known_cheat_tell(const struct known_cheat *c, struct played *honest, struct played *forged,
                      struct strbuf *text)
{
	const struct rules *rules = rules_find(span_of(c->rules));
	struct record r;

	played_game(honest, rules, CHEATED_SEATS, CHEATED_TURNS, CHEATED_SEED);
	played_cheating_game(forged, rules, CHEATED_SEATS, CHEATED_TURNS, CHEATED_SEED,
	                     c->cheat);
	r = forged->record;
	if (c->afterwards)
		c->afterwards(&r);
	archive_write(&r, forged->keys, text);
}

size_t known_cheats_count(void)
{
	return sizeof(known_cheats) / sizeof(known_cheats[0]);
}
