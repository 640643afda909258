/*
 * test_contributions.c - what a mail contributes to the draws is worked out anew from the mail itself, as
 * molepost-archive(5) says it, and is found in the record of the turn that used its orders.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "processor/archive/evidence.h"
#include "processor/base/seal.h"
#include "tests/support/table.h"

enum { DAY_S = 24 * 3600 };

/* A field of the header, without blanks around it. */
static struct span field(struct span raw, const char *name)
{
	struct span line;

	while (span_next_line(&raw, &line) && line.len > 0)
		if (span_starts(line, name))
			return span_trim(span_slice(line, strlen(name), line.len));
	cr_assert_fail("no %s", name);
	return line;
}

/* What is below the header, lines ending in LF, none at the very end. */
static void add_body(struct span raw, struct strbuf *out)
{
	struct span line;

	while (span_next_line(&raw, &line) && line.len > 0)
		continue;
	while (span_next_line(&raw, &line))
		strbuf_addf(out, "%.*s\n", SPAN_ARGS(line));
	while (out->len > 0 && out->ptr[out->len - 1] == '\n')
		strbuf_truncate(out, out->len - 1);
}

static void add_contribution_of(struct span raw, struct strbuf *hex)
{
	struct strbuf text = STRBUF_INIT, body = STRBUF_INIT;
	struct hash hash;

	add_body(raw, &body);
	hash = hash_of(strbuf_span(&body));
	strbuf_addf(&text, "molepost/2 mail\n%.*s\n%.*s\n",
	            SPAN_ARGS(field(raw, "Message-ID:")), SPAN_ARGS(field(raw, "Date:")));
	hash_add_hex(&text, &hash);
	strbuf_addc(&text, '\n');
	hash = hash_of(strbuf_span(&text));
	hash_add_hex(hex, &hash);
	strbuf_release(&text);
	strbuf_release(&body);
}

/* An answer to the last mail of bob; what it contributes is appended to `hex`. */
static void reply_and_compute(struct testbed *s, const char *text, struct strbuf *hex)
{
	const struct post *last = testbed_last(s, "bob");
	struct strbuf raw = STRBUF_INIT;

	testbed_compose(s,
	                &(struct mail_written){.who = "bob",
	                                       .to = last->reply_to,
	                                       .in_reply_to = last->message_id,
	                                       .text = text},
	                &raw);
	add_contribution_of(strbuf_span(&raw), hex);
	testbed_drop(s, "by-hand", strbuf_span(&raw), s->now_utc);
	strbuf_release(&raw);
}

/* The GIVEN of the first line "used 2 REV ORIGIN NONCE GIVEN ORDERS" with this origin. */
static bool used_with(struct span archive, const char *origin, const char *given)
{
	struct span line, word;

	while (span_next_line(&archive, &line)) {
		if (!span_starts(line, "used 2 "))
			continue;
		for (int i = 0; i < 4; i++)
			cr_assert(span_next_word(&line, "", &word));
		if (!span_eq_str(word, origin))
			continue;
		cr_assert(span_next_word(&line, "", &word) && span_next_word(&line, "", &word));
		return span_eq_str(word, given);
	}
	cr_assert_fail("no orders that came as %s", origin);
	return false;
}

Test(contributions, of_every_way_to_give_orders_are_those_of_the_mail_that_gave_them)
{
	static const struct {
		const char *text, *origin;
	} ways[] = {
	    {"popup 1; whack 2", "sent"},           {"always popup 1; whack 2", "standing"},
	    {"queue 2 popup 1; whack 2", "queued"}, {"check popup 1; whack 2", "draft"},
	    {"set fallback bot", "fallback"},
	};

	seal_start();
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct testbed *s = table_of_two(
		    "contributions", "create whakka mole players 2 next 1D grace 6H");
		struct strbuf given = STRBUF_INIT, archive = STRBUF_INIT;

		reply_and_compute(s, ways[i].text, &given);
		testbed_run(s);
		for (int turn = 0; turn < 3; turn++) {
			table_order(s, "ann");
			testbed_run(s);
			testbed_wait(s, 2 * DAY_S);
			testbed_run(s);
		}
		testbed_archive(s, "W1", &archive);
		cr_expect(used_with(strbuf_span(&archive), ways[i].origin, given.ptr),
		          "%s: %s\n%s", ways[i].text, given.ptr, archive.ptr);
		cr_expect_eq(testbed_verify(s, strbuf_span(&archive)), 0);
		strbuf_release(&given);
		strbuf_release(&archive);
		testbed_free(s);
	}
}

/* What the answer to ALWAYS proves, against the record of the game as it is. */
static void expect_stored(struct testbed *s, const struct post *answer,
                          enum evidence_verdict verdict, const char *words)
{
	struct arena *arena = arena_new();
	struct strbuf text = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct evidence_list list;
	struct evidence_finding f;
	struct archive *a;

	testbed_archive(s, "W1", &text);
	cr_assert_eq(archive_open(strbuf_span(&text), &a, &e), ERR_NONE, "%s", e.text.ptr);
	const struct hash *key = &archive_record(a)->public_key;
	evidence_read(span_of(answer->proof), key, arena, &list);
	cr_assert_eq(list.n, 1, "%s", answer->proof);
	evidence_judge(&list.items[0], a, key, &f);
	cr_expect_eq(f.verdict, verdict, "%s %s", f.what.ptr, f.fate.ptr);
	cr_expect_not_null(strstr(f.fate.ptr, words), "%s", f.fate.ptr);
	cr_expect_not_null(strstr(f.what.ptr, "orders that seat 2 of W1 stored for later"),
	                   "%s", f.what.ptr);
	evidence_finding_release(&f);
	archive_free(a);
	strbuf_release(&text);
	arena_free(arena);
}

/* Of another kind than it was signed for. */
static void expect_bent(struct testbed *s, const struct post *answer)
{
	struct arena *arena = arena_new();
	struct strbuf text = STRBUF_INIT, bent = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct evidence_list list;
	struct archive *a;
	struct span rest = span_of(answer->proof), line;

	while (span_next_line(&rest, &line)) {
		if (span_eq_str(line, "as standing"))
			line = SPAN_LIT("as queued");
		strbuf_addf(&bent, "%.*s\n", SPAN_ARGS(line));
	}
	testbed_archive(s, "W1", &text);
	cr_assert_eq(archive_open(strbuf_span(&text), &a, &e), ERR_NONE, "%s", e.text.ptr);
	evidence_read(strbuf_span(&bent), &archive_record(a)->public_key, arena, &list);
	cr_assert_eq(list.n, 1, "%s", bent.ptr);
	cr_assert_eq(list.items[0].seat.stored_as, ORDER_QUEUED);
	cr_expect_not(list.items[0].is_signed);
	archive_free(a);
	strbuf_release(&text);
	strbuf_release(&bent);
	arena_free(arena);
}

static void play_turn(struct testbed *s)
{
	table_order(s, "ann");
	testbed_run(s);
	testbed_wait(s, 2 * DAY_S);
	testbed_run(s);
}

Test(contributions, of_what_was_stored_for_later_are_in_a_signed_receipt_at_once)
{
	struct testbed *s =
	    table_of_two("contributions", "create whakka mole players 2 next 1D grace 6H");
	const struct post *first, *second;

	seal_start();
	testbed_reply(s, "bob", "always popup 1; whack 2");
	testbed_run(s);
	first = testbed_find(s, "bob", "your standing orders");
	expect_stored(s, first, EVIDENCE_AHEAD, "has not used them, or not yet");
	expect_bent(s, first);
	testbed_wait(s, 60);
	testbed_reply(s, "bob", "always popup 2; whack 3");
	testbed_run(s);
	second = testbed_find(s, "bob", "your standing orders");
	cr_assert_neq(first, second);
	play_turn(s);
	expect_stored(s, second, EVIDENCE_KEPT, "The record used them, first for turn 1");
	expect_stored(s, first, EVIDENCE_AHEAD, "not yours, ask who sent it");
	testbed_reply(s, "bob", "set fallback bot");
	testbed_run(s);
	expect_stored(s, testbed_find(s, "bob", "when nothing comes from you"), EVIDENCE_AHEAD,
	              "not yet");
	testbed_free(s);
}

static bool any_proof_has(const struct testbed *s, const char *who, const char *text)
{
	for (size_t i = 0; i < s->nposts; i++)
		if (strcmp(s->posts[i]->who, who) == 0 && strstr(s->posts[i]->proof, text))
			return true;
	return false;
}

/* Not that of the yes by which a stranger shows that the address is theirs. */
Test(contributions, of_a_seat_is_that_of_the_join)
{
	struct strbuf raw = STRBUF_INIT, join = STRBUF_INIT, archive = STRBUF_INIT;
	struct testbed *s = testbed_new("contributions");
	struct span rest, line;
	bool found = false;

	seal_start();
	testbed_write(s, "ann", "create whakka mole players 2");
	testbed_run(s);
	testbed_compose(s, &(struct mail_written){.who = "bob", .text = "join w1"}, &raw);
	add_contribution_of(strbuf_span(&raw), &join);
	testbed_drop(s, "by-hand", strbuf_span(&raw), s->now_utc);
	testbed_run(s);
	testbed_reply(s, "ann", "yes");
	testbed_reply(s, "bob", "yes");
	testbed_run(s);
	cr_expect(any_proof_has(s, "bob", join.ptr), "no receipt names %s", join.ptr);
	testbed_archive(s, "W1", &archive);
	rest = strbuf_span(&archive);
	while (span_next_line(&rest, &line))
		found = found || (span_starts(line, "seat 2 player ") &&
		                  span_find(line, strbuf_span(&join)) < line.len);
	cr_expect(found, "%s\n%s", join.ptr, archive.ptr);
	strbuf_release(&raw);
	strbuf_release(&join);
	strbuf_release(&archive);
	testbed_free(s);
}

/* Whoever leaves and comes back contributes what they did first, under the name they had. */
Test(contributions, of_who_joins_again_are_those_of_their_first_join)
{
	struct strbuf raw = STRBUF_INIT, join = STRBUF_INIT, archive = STRBUF_INIT;
	struct testbed *s = testbed_new("joined-again");
	struct span rest, line;
	bool found = false;

	seal_start();
	testbed_configure(s, "unknown_senders = accept");
	testbed_write(s, "ann", "create whakka mole players 3");
	testbed_run(s);
	testbed_compose(s, &(struct mail_written){.who = "bob", .text = "join w1"}, &raw);
	add_contribution_of(strbuf_span(&raw), &join);
	testbed_drop(s, "by-hand", strbuf_span(&raw), s->now_utc);
	testbed_run(s);
	testbed_write(s, "bob", "resign w1");
	testbed_run(s);
	testbed_write(s, "cy", "join w1 as bob");
	testbed_run(s);
	cr_expect_not_null(strstr(testbed_last(s, "cy")->text, "you are in as bob-2."), "%s",
	                   testbed_last(s, "cy")->text);
	testbed_wait(s, 60);
	testbed_write(s, "bob", "join w1 as Robert");
	testbed_run(s);
	cr_expect(any_proof_has(s, "bob", "joined W1 seat 2 number 1"));
	cr_expect(any_proof_has(s, "bob", "joined W1 seat 3 number 2"));
	testbed_write(s, "cy", "join w1");
	testbed_run(s);
	testbed_archive(s, "W1", &archive);
	strbuf_truncate(&raw, 0);
	strbuf_addf(&raw, " 2 %s - bob", join.ptr);
	rest = strbuf_span(&archive);
	while (span_next_line(&rest, &line))
		found = found || (span_starts(line, "seat 3 player ") &&
		                  span_find(line, strbuf_span(&raw)) < line.len);
	cr_expect(found, "%s\n%s", raw.ptr, archive.ptr);
	cr_expect_eq(testbed_verify(s, strbuf_span(&archive)), 0);
	strbuf_release(&raw);
	strbuf_release(&join);
	strbuf_release(&archive);
	testbed_free(s);
}
