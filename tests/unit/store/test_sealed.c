/*
 * test_sealed.c - nothing that should be hidden can be read from the file, and nothing
 * sealed can be changed or moved unnoticed.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/file.h"
#include "store/engine/db.h"
#include "store/engine/fsck.h"
#include "store/inbox.h"
#include "store/orders.h"
#include "store/outbox.h"
#include "store/players.h"
#include "tests/support/scratch.h"
#include "tests/support/temp_store.h"

static void add_outline(struct temp_store *t)
{
	struct outbox_mail m = {.kind = SPAN_LIT("receipt"),
	                        .rcpt = SPAN_LIT("a@example.org"),
	                        .message_id = SPAN_LIT("<outline@test>")};
	struct strbuf sealed = STRBUF_INIT;
	int64_t id;

	OK(t, outbox_add_outline(t->s, &m, SPAN_LIT("SECRETWORD in outline"), &id));
	strbuf_release(&sealed);
}

/* Writes one of everything that is sealed; each text holds SECRETWORD. */
static int64_t fill(struct temp_store *t)
{
	struct hash d = hash_of(SPAN_LIT("d"));
	struct inbox_mail in = {.source = SPAN_LIT("maildir:x"),
	                        .transport_id = SPAN_LIT("17.host"),
	                        .identity.bytes = d,
	                        .message_id = SPAN_LIT("<a@b>"),
	                        .arrived_utc = 1,
	                        .handled_utc = 1,
	                        .verdict = SPAN_LIT("orders"),
	                        .detail = SPAN_LIT("SECRETWORD detail")};
	struct outbox_mail out = {.kind = SPAN_LIT("receipt"),
	                          .rcpt = SPAN_LIT("a@example.org"),
	                          .message_id = SPAN_LIT("<o@test>"),
	                          .message = SPAN_LIT("SECRETWORD in a mail to send")};
	int64_t g, id;
	unsigned left;

	OK(t, store_begin(t->s));
	g = temp_game(t, GAME_RUNNING, 2);
	temp_orders(t, g, 1, 1, "SECRETWORD POPUP 3\n");
	temp_orders(t, g, 1, 2, "SECRETWORD WHACK 3\n");
	OK(t, turn_seal(t->s, g, 1, &d, 1900));
	OK(t, turn_resolved(t->s, g, 1, SPAN_LIT("SECRETWORD state"),
	                    SPAN_LIT("SECRETWORD = 3"), &d, NULL));
	OK(t, game_hold(t->s, g, "SECRETWORD is odd", "server", 1950));
	OK(t, inbox_add(t->s, &in, &id));
	OK(t, quarantine_add(t->s, id, "odd", SPAN_LIT("SECRETWORD raw mail"), 1300));
	OK(t, outbox_add(t->s, &out, NULL));
	add_outline(t);
	OK(t,
	   stranger_take(t->s, SPAN_LIT("SECRETWORD@example.org"), "guide", 0, 9, 1300, &left));
	OK(t, store_commit(t->s));
	return g;
}

static bool file_has(struct temp_store *t, const char *name, struct span needle)
{
	char *path = scratch_path(t->dir, name);
	struct strbuf bytes = STRBUF_INIT;
	struct span all;
	bool has;

	cr_assert_eq(file_read(path, 64 << 20, &bytes, NULL), ERR_NONE);
	all = strbuf_span(&bytes);
	cr_assert_gt(all.len, 4096);
	has = span_find(all, needle) < all.len;
	strbuf_release(&bytes);
	free(path);
	return has;
}

Test(store_sealed, no_sealed_text_stands_in_the_file_or_its_log)
{
	struct temp_store t;
	struct hash secret = hash_of(SPAN_LIT("a secret"));

	OF_A_FILE;
	temp_store_open(&t);
	(void)fill(&t);
	cr_assert(file_has(&t, "db-wal", SPAN_LIT("a@example.org")), "the search works");
	cr_assert_not(file_has(&t, "db-wal", SPAN_LIT("SECRETWORD")));
	cr_assert_not(file_has(&t, "db-wal", hash_span(&secret)));
	OK(&t, store_checkpoint(t.s, 0));
	cr_assert(file_has(&t, "db", SPAN_LIT("a@example.org")));
	cr_assert_not(file_has(&t, "db", SPAN_LIT("SECRETWORD")));
	cr_assert_not(file_has(&t, "db", SPAN_LIT("secretword")));
	cr_assert_not(file_has(&t, "db", hash_span(&secret)));
	/* The set's digest may be seen; the same value as digest of a position may not. */
	cr_assert_eq(temp_store_number(&t, "SELECT count(*) FROM results r JOIN turns t"
	                                   " USING (game, serial)"
	                                   " WHERE instr(sealed_hash, orders_hash) > 0"),
	             0);
	temp_store_close(&t);
}

static enum err in_words(void *ctx, struct span message_id, struct span outline,
                         struct strbuf *message)
{
	(void)ctx;
	strbuf_addf(message, "WORDS of %.*s, made of %.*s", SPAN_ARGS(message_id),
	            SPAN_ARGS(outline));
	return ERR_NONE;
}

/* Whether it has been sent makes no difference: a mail in outline and the same mail in words are one. */
Test(store_sealed, a_dump_shows_an_outline_in_words)
{
	struct strbuf out = STRBUF_INIT;
	struct temp_store t;

	temp_store_open(&t);
	store_words(t.s, in_words, NULL);
	(void)fill(&t);
	OK(&t, store_dump(t.s, &out));
	cr_expect(strstr(out.ptr, "WORDS of <outline@test>, made of SECRETWORD in outline"));
	cr_expect(strstr(out.ptr, "SECRETWORD in a mail to send"));
	strbuf_release(&out);
	temp_store_close(&t);
}

struct place {
	const char *name;   /* of the check that must find it */
	const char *column; /* "table.column" */
};

static const struct place places[] = {
    {"the seals of secrets open", "games.sealed_secret"},
    {"the seals of holds open", "games.sealed_held_reason"},
    {"the seals of result digests open", "results.sealed_hash"},
    {"the seals of positions open", "results.sealed_state"},
    {"the seals of draws open", "results.sealed_chance"},
    {"the seals of orders open", "orders.sealed_text"},
    {"the seals of mail details open", "inbox.sealed_detail"},
    {"the seals of quarantined mails open", "quarantine.sealed_raw"},
    {"the seals of mails to send open", "outbox_messages.sealed_message"},
    {"the seals of outlines open", "outbox_outlines.sealed_outline"},
};

/* Changes one byte of every value in a column. */
static void flip(struct temp_store *t, const char *column, unsigned byte)
{
	struct span rest = span_of(column), table, name;
	char *sql;

	(void)span_next_field(&rest, '.', &table);
	name = rest;
	/* Joined blobs are text to SQLite: cast back. */
	sql = arena_printf(t->arena,
	                   "UPDATE %.*s SET %.*s = CAST(substr(%.*s, 1, %u) ||"
	                   " CASE substr(%.*s, %u, 1) WHEN x'01' THEN x'02' ELSE x'01' END ||"
	                   " substr(%.*s, %u) AS BLOB) WHERE %.*s IS NOT NULL",
	                   SPAN_ARGS(table), SPAN_ARGS(name), SPAN_ARGS(name), byte,
	                   SPAN_ARGS(name), byte + 1, SPAN_ARGS(name), byte + 2,
	                   SPAN_ARGS(name));
	temp_store_raw(t, sql);
}

struct seen {
	const char *expected;
	unsigned hits, others;
};

static void note(void *ctx, const char *invariant, const char *object)
{
	struct seen *seen = ctx;

	(void)object;
	if (strcmp(invariant, seen->expected) == 0)
		seen->hits++;
	else
		seen->others++;
}

static void expect_found(struct temp_store *t, const char *name)
{
	struct seen seen = {.expected = name};
	struct fsck_hooks hooks = {.report = note, .ctx = &seen};
	unsigned n;

	OK(t, fsck_run(t->s, FSCK_SEALS, &hooks, &n));
	cr_assert_gt(seen.hits, 0, "not found: %s", name);
	cr_assert_eq(seen.others, 0, "%s", name);
}

Test(store_sealed, a_changed_byte_anywhere_in_a_seal_is_found)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		for (unsigned byte = 0; byte < 16; byte += 15) {
			struct temp_store t;

			temp_store_open(&t);
			(void)fill(&t);
			flip(&t, places[i].column, byte);
			expect_found(&t, places[i].name);
			temp_store_close(&t);
		}
	}
}

Test(store_sealed, what_does_not_open_is_corrupt_for_every_reader)
{
	struct temp_store t;
	struct order_revision r, *list;
	struct strbuf text = STRBUF_INIT;
	struct outbox_mail *mails, mail;
	struct inbox_mail in;
	struct hash d = hash_of(SPAN_LIT("d"));
	struct span reason, raw;
	struct game game;
	struct turn turn;
	size_t n;
	int64_t g;

	temp_store_open(&t);
	g = fill(&t);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		flip(&t, places[i].column, 3);
	cr_assert_eq(orders_last(t.s, g, 1, 1, t.arena, &r), ERR_CORRUPT);
	cr_assert(strstr(store_error(t.s)->text.ptr, "order 1 1 1 1"), "it says which");
	cr_assert_eq(orders_list(t.s, g, 1, t.arena, &list, &n), ERR_CORRUPT);
	cr_assert_eq(turn_result(t.s, g, 1, &text, NULL), ERR_CORRUPT);
	cr_assert_eq(turn_result(t.s, g, 1, NULL, &text), ERR_CORRUPT);
	cr_assert_eq(turn_get(t.s, g, 1, t.arena, &turn), ERR_CORRUPT);
	cr_assert_eq(game_get(t.s, g, t.arena, &game), ERR_CORRUPT);
	cr_assert_eq(game_secret(t.s, &game, &d), ERR_CORRUPT);
	OK(&t, outbox_due(t.s, 9999, 0, 9, t.arena, &mails, &n));
	cr_assert_gt(n, 0);
	cr_assert(mails[0].unreadable);
	cr_assert_eq(mails[0].message.len, 0);
	cr_assert_lt(span_find(mails[0].answer, SPAN_LIT("does not open")),
	             mails[0].answer.len);
	cr_assert_eq(outbox_message(t.s, 2, t.arena, &mail), ERR_CORRUPT);
	cr_assert(strstr(store_error(t.s)->text.ptr, "outline <outline@test>"), "not opened");
	cr_assert_eq(inbox_find(t.s, SPAN_LIT("maildir:x"), SPAN_LIT("17.host"), &in.identity,
	                        t.arena, &in),
	             ERR_CORRUPT);
	cr_assert_eq(temp_quarantined(t.s, 1, t.arena, &reason, &raw), ERR_CORRUPT);
	strbuf_release(&text);
	temp_store_close(&t);
}

Test(store_sealed, orders_moved_to_another_seat_or_redated_do_not_open)
{
	static const char *const moves[] = {
	    "UPDATE orders SET sealed_text = (SELECT sealed_text FROM orders WHERE seat = 2)",
	    "UPDATE orders SET received_utc = received_utc - 1",
	    "UPDATE orders SET mail = 7",
	    "UPDATE orders SET how = 3",
	};

	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		struct temp_store t;
		struct order_revision r;
		int64_t g;

		temp_store_open(&t);
		g = fill(&t);
		temp_store_raw(&t, moves[i]);
		cr_assert_eq(orders_last(t.s, g, 1, 1, t.arena, &r), ERR_CORRUPT, "%s",
		             moves[i]);
		temp_store_close(&t);
	}
}

/* An outline is no mail, and whoever could exchange them could send what was never written. */
Test(store_sealed, an_outline_in_the_place_of_a_mail_does_not_open_nor_the_reverse)
{
	static const char *const moves[] = {
	    "INSERT INTO outbox_messages SELECT * FROM outbox_outlines;"
	    " DELETE FROM outbox_outlines",
	    "INSERT INTO outbox_outlines SELECT * FROM outbox_messages;"
	    " DELETE FROM outbox_messages",
	};

	for (int64_t id = 2; id > 0; id--) {
		struct temp_store t;
		struct outbox_mail m;
		unsigned times = 0;

		temp_store_open(&t);
		(void)fill(&t);
		store_words(t.s, temp_words, &times);
		OK(&t, outbox_message(t.s, id, t.arena, &m));
		times = 0;
		temp_store_raw(&t, moves[2 - id]);
		cr_assert_eq(outbox_message(t.s, id, t.arena, &m), ERR_CORRUPT, "mail %lld",
		             (long long)id);
		cr_assert_eq(times, 0, "what does not open is not read");
		expect_found(&t, id == 2 ? "the seals of mails to send open"
		                         : "the seals of outlines open");
		temp_store_close(&t);
	}
}

Test(store_sealed, another_key_opens_nothing)
{
	struct temp_store t;
	struct keyring *other;
	struct store *s;
	struct order_revision r;
	int64_t g;

	temp_store_open(&t);
	g = fill(&t);
	other = keyring_from_seed(SPAN_LIT("another"));
	cr_assert_eq(store_open(t.path, STORE_READ_ONLY, other, &s, NULL), ERR_NONE);
	cr_assert_eq(orders_last(s, g, 1, 1, t.arena, &r), ERR_CORRUPT);
	store_close(s);
	keyring_free(other);
	temp_store_close(&t);
}

Test(store_sealed, numbers_out_of_range_are_corrupt_and_never_believed)
{
	static const char *const wrong[] = {
	    "UPDATE turns SET state = 9 WHERE serial = 1",
	    "UPDATE turns SET owes = -1",
	    "UPDATE turns SET have = 1099511627776",
	    "UPDATE turns SET orders_hash = x'0102'",
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct temp_store t;
		struct turn turn;
		int64_t g;

		temp_store_open(&t);
		g = fill(&t);
		temp_store_raw(&t, wrong[i]);
		cr_assert_eq(turn_get(t.s, g, 1, t.arena, &turn), ERR_CORRUPT, "%s", wrong[i]);
		temp_store_close(&t);
	}
}
