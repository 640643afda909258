/*
 * test_verify_page.c - the page of `molepost verify --page` in a real browser: it agrees with the program about
 * records of all games, lies about them, and the mails of players.
 *
 * Here the cases are made, each with the verdict of the program; what the page says of them, and how it is
 * handled, is looked at in check_verify_page.py. GAMES_PER_KIND of 300 (`make test`) gives 1,000 records of
 * version 3 and some of versions 1 and 2, of those that the second implementation judges in
 * verify/test_second_opinion; else 60. SHOTS=FOLDER keeps pictures.
 * Without a Chromium these tests are skipped.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "processor/archive/evidence.h"
#include "processor/archive/one_history.h"
#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/base/subprocess.h"
#include "tests/support/archives.h"
#include "tests/support/cheats.h"
#include "tests/support/chosen.h"
#include "tests/support/lies.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

#define CHECK_PAGE "tests/e2e/check_verify_page.py"
#define MANUAL "processor/man/molepost.1"
#define PAGE "processor/archive/verify_page.html"

static const char browser[] = "/usr/bin/chromium";
enum {
	TURNS = 5,
	SEED = 14,
	FORGED = 3,
	MOST = 1 << 26,
	MOST_SENT = 64,
	MOST_OLD = 10, /* of a kind: so many seeds may give records of versions 1 and 2 */
	PATIENCE_MS = 590000
};

static void setup(void)
{
	seal_start();
	scratch_in_memory();
}

TestSuite(verify_page, .init = setup, .timeout = 600);

/* Files in a folder, and a line for each case: "convicts|innocent KEY|- FILE=VERDICT...". */
struct cases {
	char *dir;
	struct strbuf list;
	unsigned files, n;
	unsigned newest; /* records of the newest version among them */
	bool walk;       /* pictures of the first two cases, for the manual */
};

static void cases_start(struct cases *c)
{
	if (access(browser, X_OK) != 0)
		cr_skip_test("skipped: Chromium is not installed");
	*c = (struct cases){.dir = scratch_new(), .list = STRBUF_INIT};
}

static void case_begin(struct cases *c, bool convicts, const struct hash *key)
{
	c->n++;
	strbuf_adds(&c->list, convicts ? "convicts " : "innocent ");
	if (key)
		hash_add_hex(&c->list, key);
	else
		strbuf_addc(&c->list, '-');
}

/* `verdict` NULL: none is expected of this one. */
static void case_add(struct cases *c, const char *kind, struct span text, const char *verdict)
{
	struct failure e = ERR_INIT;
	char name[32];
	char *path;

	snprintf(name, sizeof(name), "%u.%s", c->files++, kind);
	path = scratch_path(c->dir, name);
	cr_assert_eq(file_create(path, text, &e), ERR_NONE, "%s", e.text.ptr);
	strbuf_addf(&c->list, " %s=%s", name, verdict ? verdict : "");
	free(path);
}

static void case_end(struct cases *c)
{
	strbuf_addc(&c->list, '\n');
}

/* Prints nothing when the page says all that was expected, and is handled as it should be. */
static void cases_judge(struct cases *c)
{
	const char *build = env_get("MOLEPOST_BUILD"), *shots = env_get("SHOTS");
	char *list = scratch_path(c->dir, "cases"), *page = scratch_path(c->dir, "page.html"),
	     *program = scratch_path(build ? build : "build", "molepost");
	struct strbuf out = STRBUF_INIT;
	struct failure e = ERR_INIT;
	int code = -1;

	cr_assert_eq(file_create(list, strbuf_span(&c->list), &e), ERR_NONE, "%s", e.text.ptr);
	cr_assert_eq(
	    subprocess_run((const char *const[]){program, "verify", "--page", page, NULL},
	                   SPAN_EMPTY, MOST, PATIENCE_MS, &out, &code, &e),
	    ERR_NONE, "%s", e.text.ptr);
	cr_assert_eq(code, 0);
	cr_assert_eq(
	    subprocess_run((const char *const[]){CHECK_PAGE, browser, page, c->dir,
	                                         c->walk ? "walk" : "cases", shots, NULL},
	                   SPAN_EMPTY, MOST, PATIENCE_MS, &out, &code, &e),
	    ERR_NONE, "%s", e.text.ptr);
	cr_assert_eq(code, 0, "%s", out.ptr);
	cr_log_info("%u cases\n", c->n);
	strbuf_release(&out);
	strbuf_release(&c->list);
	scratch_remove(c->dir);
	free(list);
	free(page);
	free(program);
}

static void for_each_kind(struct cases *c,
                          void (*add)(struct cases *c, const struct rules *rules))
{
	for (size_t i = 0; i < rules_count(); i++)
		if (archives_is_played(rules_at(i)))
			add(c, rules_at(i));
}

/* ---- records ---- */

static const char *verdict_on(struct span text, const struct hash *key)
{
	static const char *const names[] = {[ARCHIVE_BROKEN] = "broken",
	                                    [ARCHIVE_UNKNOWN] = "unknown",
	                                    [ARCHIVE_CONSISTENT] = "consistent",
	                                    [ARCHIVE_SIGNED] = "signed"};
	struct archive_report report;

	archive_verify(text, key, NULL, &report);
	enum archive_verdict verdict = report.verdict;
	archive_report_release(&report);
	return names[verdict];
}

static void case_record(struct cases *c, bool convicts, struct span text, const char *verdict)
{
	case_begin(c, convicts, NULL);
	case_add(c, "record", text, verdict);
	case_end(c);
}

/* As it ended, as it was in the middle, and with no signature. */
static void add_wild_games(struct cases *c, const struct rules *rules)
{
	unsigned games = chosen_long() ? 200 : 6;
	uint64_t seed = archives_env("SEED", 1);

	for (unsigned i = 0; i < games; i++) {
		struct strbuf text = STRBUF_INIT;
		struct played p;

		played_wild_game(&p, rules, seed + i);
		if (p.record.version < RECORD_VERSION_NEWEST && i >= MOST_OLD) {
			played_release(&p);
			continue;
		}
		c->newest += p.record.version == RECORD_VERSION_NEWEST ? 2 : 0;
		struct record middle = played_until(&p, 1 + p.record.nturns / 2);
		archive_write(&p.record, p.keys, &text);
		case_record(c, false, strbuf_span(&text), verdict_on(strbuf_span(&text), NULL));
		strbuf_clear(&text);
		archive_write(&middle, i == 0 ? NULL : p.keys, &text);
		case_record(c, false, strbuf_span(&text), verdict_on(strbuf_span(&text), NULL));
		strbuf_release(&text);
		played_release(&p);
	}
}

Test(verify_page, agrees_about_records_of_all_games)
{
	struct cases c;

	cases_start(&c);
	for_each_kind(&c, add_wild_games);
	cr_assert_geq(c.newest, chosen_long() ? 1000 : 30);
	cases_judge(&c);
}

static void add_kept_record(void *cases, const char *path, struct span text)
{
	(void)path;
	case_record(cases, false, text, "signed");
}

Test(verify_page, agrees_about_the_records_that_are_kept_for_ever)
{
	struct cases c;

	cases_start(&c);
	archives_for_each_kept(add_kept_record, &c);
	cr_assert_geq(c.n, 35);
	cases_judge(&c);
}

/* One promise broken, and signed anew: that convicts. */
static void add_lies(struct cases *c, const struct rules *rules)
{
	struct played p;

	played_game_with(&p, rules,
	                 span_eq_str(span_of(rules->name), "mole") ? "dexterity=300" : "",
	                 rules->usual_seats, TURNS, SEED);
	for (size_t i = 0; i < lies_count(); i++) {
		struct strbuf text = STRBUF_INIT;
		struct sheet s;

		sheet_read(&s, &p);
		if (lies[i].tell(&s) < s.n) {
			sheet_write(&s, p.keys, &text);
			cr_assert_str_eq(verdict_on(strbuf_span(&text), NULL), "broken");
			/* Whoever exchanges the secret breaks the chain, and may be anybody. What takes
			   the rules is believed, and the page says that it believes it; but the tiles
			   left in a bag tell of one that is not listed. */
			bool believed = lies[i].takes_rules &&
			                (strcmp(lies[i].what, "a draw less") != 0 ||
			                 strcmp(rules->name, "martian-boggle") != 0);
			case_record(c, !believed && strcmp(lies[i].what, "the secret") != 0,
			            strbuf_span(&text), believed ? "signed" : "broken");
		}
		sheet_release(&s);
		strbuf_release(&text);
	}
	played_release(&p);
}

Test(verify_page, convicts_whoever_signed_a_lie_and_says_which_it_cannot_find)
{
	struct cases c;

	cases_start(&c);
	for_each_kind(&c, add_lies);
	cr_assert_gt(c.n, 90);
	cases_judge(&c);
}

/* Bytes changed by somebody without the key: found, and proof against nobody. */
static void add_clumsy(struct cases *c, const struct rules *rules)
{
	struct strbuf text = STRBUF_INIT;
	struct played p;

	played_game(&p, rules, rules->usual_seats, TURNS, SEED);
	archive_write(&p.record, p.keys, &text);
	for (size_t i = text.len / 37; i + 1 < text.len; i += 1 + text.len / 37) {
		char was = text.ptr[i];

		text.ptr[i] = (char)(was ^ 1 << i % 7);
		cr_assert_str_eq(verdict_on(strbuf_span(&text), NULL), "broken");
		case_record(c, false, strbuf_span(&text), "broken");
		text.ptr[i] = was;
	}
	strbuf_release(&text);
	played_release(&p);
}

Test(verify_page, convicts_nobody_where_somebody_else_has_changed_a_record)
{
	struct cases c;

	cases_start(&c);
	for_each_kind(&c, add_clumsy);
	cases_judge(&c);
}

/* ---- mails ---- */

/* A game as it was, and as a server tells it that has changed it from turn FORGED on. */
struct two_histories {
	struct played honest, forged;
	struct strbuf text, other, unsigned_text; /* of honest; of forged, signed and not */
	struct archive *archive, *lie;
	struct hash key;
};

static struct archive *opened(const struct strbuf *text)
{
	struct failure e = ERR_INIT;
	struct archive *a;

	cr_assert_eq(archive_open(strbuf_span(text), &a, &e), ERR_NONE, "%s", e.text.ptr);
	return a;
}

static void tell_both(struct two_histories *t, const struct rules *rules)
{
	*t = (struct two_histories){
	    .text = STRBUF_INIT, .other = STRBUF_INIT, .unsigned_text = STRBUF_INIT};
	played_game(&t->honest, rules, rules->usual_seats, TURNS, SEED);
	played_forged_game(&t->forged, rules, "", rules->usual_seats, TURNS, SEED, FORGED);
	archive_write(&t->honest.record, t->honest.keys, &t->text);
	archive_write(&t->forged.record, t->forged.keys, &t->other);
	archive_write(&t->forged.record, NULL, &t->unsigned_text);
	t->archive = opened(&t->text);
	t->lie = opened(&t->other);
	t->key = t->honest.record.public_key;
}

static void release_both(struct two_histories *t)
{
	archive_free(t->archive);
	archive_free(t->lie);
	strbuf_release(&t->text);
	strbuf_release(&t->other);
	strbuf_release(&t->unsigned_text);
	played_release(&t->honest);
	played_release(&t->forged);
}

/* One mail and one record, with the program's verdict. */
static void case_mail(struct cases *c, const struct two_histories *t, const struct strbuf *mail,
                      bool against_the_lie)
{
	struct arena *arena = arena_new();
	const struct strbuf *record = against_the_lie ? &t->other : &t->text;
	struct evidence_finding f;
	struct evidence_list list;

	evidence_read(strbuf_span(mail), &t->key, arena, &list);
	cr_assert_eq(list.n, 1, "%s", mail->ptr);
	evidence_judge(&list.items[0], against_the_lie ? t->lie : t->archive, &t->key, &f);
	case_begin(c, f.verdict == EVIDENCE_BROKEN, &t->key);
	case_add(c, "mail", strbuf_span(mail), evidence_verdict_name(f.verdict));
	case_add(c, "record", strbuf_span(record), "signed");
	case_end(c);
	if (f.verdict == EVIDENCE_BROKEN && against_the_lie) {
		case_begin(c, false, NULL); /* the same with a record that nobody has signed */
		case_add(c, "mail", strbuf_span(mail), "broken");
		case_add(c, "record", strbuf_span(&t->unsigned_text), "consistent");
		case_end(c);
	}
	evidence_finding_release(&f);
	arena_free(arena);
}

static void add_receipts(struct cases *c, const struct two_histories *t)
{
	const struct record *r = &t->honest.record;
	struct strbuf mail = STRBUF_INIT;

	for (size_t i = 1; i < r->nturns; i++)
		for (size_t k = 0; k < r->turns[i].nrevisions; k++) {
			struct receipt_proof proof =
			    archives_evidence(r, &r->turns[i], &r->turns[i].revisions[k]);

			for (unsigned change = 0; change < 8; change++) {
				struct receipt_proof p = proof;

				p.commitment.bytes[0] ^= change == 2;
				p.nonce.bytes[0] ^= change == 3;
				p.contribution.bytes[0] ^= change == 4;
				p.received_utc += change == 5;
				p.revision += change == 6 ? 50 : 0;
				p.serial += change == 7 ? 500 : 0;
				strbuf_clear(&mail);
				proof_add_receipt(&p, t->honest.keys, &mail);
				if (change < 2 || k == 0)
					case_mail(c, t, &mail, change == 1);
			}
			mail.ptr[strlen("-----BEGIN MOLEPOST RECEIPT 2-----\norders X")] ^= 1;
			case_mail(c, t, &mail, false);
		}
	strbuf_release(&mail);
}

static void add_heads(struct cases *c, const struct two_histories *t)
{
	struct strbuf mail = STRBUF_INIT, other = STRBUF_INIT;

	for (size_t i = 0; i < t->honest.record.nturns; i++) {
		played_head(&t->honest, i, &mail);
		case_mail(c, t, &mail, false);
		case_mail(c, t, &mail, true);
		if (i < t->forged.record.nturns) {
			played_head(&t->forged, i, &other);
			case_begin(c, i >= FORGED, &t->key); /* two mails, and no record */
			case_add(c, "mail", strbuf_span(&mail), NULL);
			case_add(c, "mail", strbuf_span(&other),
			         i >= FORGED ? NULL : "genuine");
			case_end(c);
		}
	}
	strbuf_release(&mail);
	strbuf_release(&other);
}

static void add_seats(struct cases *c, const struct two_histories *t)
{
	const struct record *r = &t->honest.record;
	struct strbuf mail = STRBUF_INIT;

	for (unsigned seat = 1; seat <= r->nseats; seat++)
		for (unsigned change = 0; change < 7 && !r->seats[seat].bot; change++) {
			struct seat_proof p = archives_seat(r, seat);

			p.received_utc += change == 1;
			p.person.bytes[0] ^= change == 2;
			p.contribution.bytes[0] ^= change == 3 || change == 5;
			p.seat += change == 4 ? 1 : 0;
			p.secret_hash.bytes[0] ^= change == 6;
			p.received_utc += change == 5 ? 1000 : 0;
			strbuf_clear(&mail);
			proof_add_seat(&p, t->honest.keys, &mail);
			case_mail(c, t, &mail, false);
		}
	strbuf_release(&mail);
}

static void add_mails(struct cases *c, const struct rules *rules)
{
	struct two_histories t;

	tell_both(&t, rules);
	add_receipts(c, &t);
	add_heads(c, &t);
	add_seats(c, &t);
	case_begin(c, true, NULL); /* both records, signed by one key */
	case_add(c, "record", strbuf_span(&t.text), "signed");
	case_add(c, "record", strbuf_span(&t.other), "signed");
	case_end(c);
	case_begin(c, false, &(struct hash){{1}}); /* a key of somebody else */
	case_add(c, "record", strbuf_span(&t.text), "broken");
	case_end(c);
	release_both(&t);
}

Test(verify_page, agrees_about_receipts_and_reports_in_mails_of_any_shape)
{
	struct cases c;

	cases_start(&c);
	for_each_kind(&c, add_mails);
	cases_judge(&c);
}

/* What the honest server has sent, each as a mail, against the record of the one that cheats. */
static void add_sent(struct cases *c, const struct known_cheat *cheat)
{
	struct strbuf text = STRBUF_INIT, mails[MOST_SENT];
	struct played honest, forged;
	bool convicts, whole;
	size_t n = 0;

	known_cheat_tell(cheat, &honest, &forged, &text);
	const struct record *r = &honest.record;
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		struct seat_proof p = archives_seat(r, seat);

		if (r->seats[seat].bot)
			continue;
		strbuf_init(&mails[n]);
		proof_add_seat(&p, honest.keys, &mails[n++]);
	}
	for (size_t i = 0; i < r->nturns; i++) {
		strbuf_init(&mails[n]);
		played_head(&honest, i, &mails[n++]);
		for (size_t k = 0; k < r->turns[i].nrevisions; k++) {
			struct receipt_proof p =
			    archives_evidence(r, &r->turns[i], &r->turns[i].revisions[k]);

			cr_assert_lt(n, MOST_SENT);
			strbuf_init(&mails[n]);
			proof_add_receipt(&p, honest.keys, &mails[n++]);
		}
	}
	const char *verdict = verdict_on(strbuf_span(&text), NULL);
	whole = strcmp(verdict, "signed") == 0;
	/* A record that takes the rules to be found out is as good as another to the page. */
	convicts = !whole && !cheat->takes_rules;
	struct archive *a = whole || cheat->takes_rules ? opened(&text) : NULL;
	struct arena *arena = arena_new();
	const char *verdicts[MOST_SENT] = {NULL};
	for (size_t i = 0; a && i < n; i++) {
		struct evidence_finding f;
		struct evidence_list list;

		evidence_read(strbuf_span(&mails[i]), &r->public_key, arena, &list);
		cr_assert_eq(list.n, 1);
		evidence_judge(&list.items[0], a, &r->public_key, &f);
		verdicts[i] = evidence_verdict_name(f.verdict);
		convicts = convicts || f.verdict == EVIDENCE_BROKEN;
		evidence_finding_release(&f);
	}
	case_begin(c, convicts, &r->public_key);
	case_add(c, "record", strbuf_span(&text), a ? "signed" : "broken");
	for (size_t i = 0; i < n; i++) {
		case_add(c, "mail", strbuf_span(&mails[i]), verdicts[i]);
		strbuf_release(&mails[i]);
	}
	case_end(c);
	cr_log_info("%s: %s\n", cheat->what, convicts ? "convicts" : "convicts nobody");
	arena_free(arena);
	archive_free(a);
	strbuf_release(&text);
	played_release(&honest);
	played_release(&forged);
}

Test(verify_page, agrees_about_every_cheat_with_the_mails_that_find_it)
{
	struct cases c;

	cases_start(&c);
	for (size_t i = 0; i < known_cheats_count(); i++)
		add_sent(&c, &known_cheats[i]);
	cases_judge(&c);
}

/* ---- what people have: the mails as they came, and the record ---- */

Test(verify_page, finds_everything_in_the_mails_of_a_game_and_convicts_nobody)
{
	struct testbed *s;
	struct strbuf archive = STRBUF_INIT;
	struct cases c;

	cases_start(&c);
	s = testbed_new("verify-page");
	testbed_configure(s, "website = https://games.example.org/moles");
	table_found(s, "ann bob", "create whakka mole players 2 target=10 next 1D");
	for (int turn = 0; turn < 20 && !testbed_last(s, "ann")->record; turn++) {
		testbed_reply(s, "ann", "popup 1 2; whack 5");
		testbed_run(s);
		testbed_reply(s, "bob", "popup 3 4; whack 6");
		testbed_run(s);
	}
	cr_assert_not_null(
	    strstr(testbed_last(s, "ann")->text, "https://games.example.org/moles/verify.html"),
	    "%s", testbed_last(s, "ann")->text);
	testbed_archive(s, "W1", &archive);
	case_begin(&c, false, NULL);
	for (size_t i = 0; i < s->nposts; i++)
		if (strstr(s->posts[i]->subject, "[W1") != NULL)
			case_add(&c, "eml",
			         (struct span){s->posts[i]->raw, s->posts[i]->raw_len}, "kept");
	case_add(&c, "record", strbuf_span(&archive), "signed");
	case_end(&c);
	cases_judge(&c);
	strbuf_release(&archive);
	testbed_free(s);
}

/* ---- the manual ---- */

static void put(struct cases *c, const char *name, const char *subject,
                const struct strbuf *text)
{
	struct strbuf mail = STRBUF_INIT;
	char *path = scratch_path(c->dir, name);

	if (subject)
		strbuf_addf(&mail,
		            "From: molepost <moles@example.org>\nTo: bjorn@example.net\n"
		            "Subject: %s\nDate: Mon, 16 Mar 2026 19:20:00 +0000\n"
		            "Message-ID: <%s@example.org>\n\n",
		            subject, name);
	strbuf_add_span(&mail, strbuf_span(text));
	cr_assert_eq(file_create(path, strbuf_span(&mail), NULL), ERR_NONE, "%s", path);
	strbuf_release(&mail);
	free(path);
}

/*
 * "If you think that the server cheated": what the manual shows pictures of. SHOTS=processor/man makes these
 * anew, small ones, under the names it has.
 */
Test(verify_page, leads_from_a_suspicion_to_a_sentence_as_the_manual_shows_it)
{
	struct strbuf mail = STRBUF_INIT;
	struct two_histories t;
	struct cases c;

	cases_start(&c);
	tell_both(&t, rules_find(SPAN_LIT("whakka mole")));
	const struct record *r = &t.honest.record;
	const struct record_turn *turn = &r->turns[FORGED];
	size_t mine = 0;
	while (turn->revisions[mine].seat != 2)
		mine++;
	struct receipt_proof proof = archives_evidence(r, turn, &turn->revisions[mine]);
	struct seat_proof seat = archives_seat(r, 2);
	strbuf_adds(&mail, "The server's public key (Ed25519):\n key ");
	hash_add_hex(&mail, &t.key);
	strbuf_addc(&mail, '\n');
	proof_add_seat(&seat, t.honest.keys, &mail);
	put(&c, "you-are-in.eml", "[W17] Whakka Mole: you are in, seat 2 of 3", &mail);
	strbuf_clear(&mail);
	proof_add_receipt(&proof, t.honest.keys, &mail);
	put(&c, "monday.eml", "[W17 turn 3] 2 orders stored", &mail);
	put(&c, "W17-record.txt", NULL, &t.text);
	put(&c, "W17-record-from-the-website.txt", NULL, &t.other);
	strbuf_adds(&c.list,
	            "innocent - you-are-in.eml=kept monday.eml=kept W17-record.txt=signed\n"
	            "convicts - you-are-in.eml=kept monday.eml=broken "
	            "W17-record-from-the-website.txt=signed\n");
	c.walk = true;
	cases_judge(&c);
	strbuf_release(&mail);
	release_both(&t);
}

Test(verify_page, has_the_digest_that_the_manual_names)
{
	struct strbuf page = STRBUF_INIT, manual = STRBUF_INIT, hex = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct hash hash;

	cr_assert_eq(file_read(PAGE, MOST, &page, &e), ERR_NONE, "%s", e.text.ptr);
	cr_assert_eq(file_read(MANUAL, MOST, &manual, &e), ERR_NONE, "%s", e.text.ptr);
	hash = hash_of(strbuf_span(&page));
	hash_add_hex(&hex, &hash);
	cr_assert_not_null(strstr(manual.ptr, hex.ptr), "molepost(1) must name %s", hex.ptr);
	strbuf_release(&page);
	strbuf_release(&manual);
	strbuf_release(&hex);
}

Test(verify_page, has_its_pictures_beside_the_manual_that_names_them)
{
	static const char *const pictures[] = {"verify-1-drop.png", "verify-2-nothing.png",
	                                       "verify-3-convicts.png"};
	static const char *const quoted[] = {"Nothing here convicts the server",
	                                     "These files convict the server", "To hand on"};
	struct strbuf page = STRBUF_INIT, manual = STRBUF_INIT;

	cr_assert_eq(file_read(PAGE, MOST, &page, NULL), ERR_NONE);
	cr_assert_eq(file_read(MANUAL, MOST, &manual, NULL), ERR_NONE);
	for (size_t i = 0; i < sizeof(pictures) / sizeof(pictures[0]); i++) {
		struct strbuf path = STRBUF_INIT, bytes = STRBUF_INIT;

		strbuf_addf(&path, "processor/man/%s", pictures[i]);
		cr_assert_eq(file_read(path.ptr, 60 << 10, &bytes, NULL), ERR_NONE, "%s",
		             path.ptr);
		cr_expect_not_null(strstr(manual.ptr, pictures[i]), "%s", pictures[i]);
		cr_expect_not_null(strstr(manual.ptr, quoted[i]), "%s", quoted[i]);
		cr_expect_not_null(strstr(page.ptr, quoted[i]), "%s", quoted[i]);
		strbuf_release(&path);
		strbuf_release(&bytes);
	}
	strbuf_release(&page);
	strbuf_release(&manual);
}
