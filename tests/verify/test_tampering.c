/*
 * test_tampering.c - archives of all games, changed in every way somebody might think of.
 *
 * Three kinds of hands: clumsy ones, which flip bytes and move lines; those of a server that
 * changes one promise and makes chain and signature anew; and the careful forger's, who writes
 * another game under the revealed secret. `make test` (GAMES_PER_KIND of 300) flips every
 * byte and moves every line, else every 23rd and every second one.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/file.h"
#include "processor/base/subprocess.h"
#include "tests/support/chosen.h"
#include "tests/support/lies.h"
#include "tests/support/scratch.h"

enum { TURNS = 5, SEED = 14, FORGED = 3, MOST_OUTPUT = 1 << 22 };

static void setup(void)
{
	seal_start();
	scratch_in_memory();
}

TestSuite(tampering, .init = setup, .timeout = 800);
TestSuite(forger, .init = setup, .timeout = 800);

/* Coins are only drawn for where fingers shake. */
static const char *options_of(const struct rules *rules)
{
	return span_eq_str(span_of(rules->name), "mole") ? "dexterity=300" : "";
}

static void play(struct played *p, const struct rules *rules)
{
	played_game_with(p, rules, options_of(rules), rules->usual_seats, TURNS, SEED);
}

static size_t stride(size_t usual)
{
	return chosen_long() ? 1 : usual;
}

/* Found, with a line that there is and a promise in words. */
static void expect_found(const struct played *p, struct span text, const char *what, size_t at)
{
	struct archive_report report;
	struct span rest = text, first;

	archive_verify(text, &p->record.public_key, NULL, &report);
	cr_assert_eq(report.verdict, ARCHIVE_BROKEN, "%s: %s %zu was not found:\n%.*s",
	             p->record.kind, what, at, SPAN_ARGS(text));
	cr_assert_gt(report.why.len, 0, "%s: %s %zu", p->record.kind, what, at);
	/* Only a broken begin line leaves no line to name. */
	cr_assert(report.line > 0 || !span_next_line(&rest, &first) || !archive_begins(first),
	          "%s: %s %zu: %s", p->record.kind, what, at, report.why.ptr);
	archive_report_release(&report);
}

/* Clumsy hands. */

static char flipped(char c, size_t i)
{
	static const char masks[] = {1, 0x20, 2, 0x40, 0x10, (char)0x80, 4, 8};

	return (char)(c ^ masks[i * 7 % 8]);
}

static void for_each_game(void (*look)(const struct played *p, struct span text))
{
	for (size_t i = 0; i < rules_count(); i++) {
		struct strbuf text = STRBUF_INIT;
		struct played p;

		if (!archives_is_played(rules_at(i)))
			continue;
		play(&p, rules_at(i));
		archive_write(&p.record, p.keys, &text);
		look(&p, strbuf_span(&text));
		strbuf_release(&text);
		played_release(&p);
	}
}

static void flip_bytes(const struct played *p, struct span text)
{
	struct strbuf changed = STRBUF_INIT;
	size_t step = stride(23);

	strbuf_add_span(&changed, text);
	for (size_t i = p->record.nseats % step; i + 1 < text.len; i += step) {
		changed.ptr[i] = flipped(text.ptr[i], i);
		expect_found(p, strbuf_span(&changed), "the changed byte", i);
		changed.ptr[i] = text.ptr[i];
	}
	strbuf_release(&changed);
}

Test(tampering, a_changed_byte_is_found_in_archives_of_all_games)
{
	for_each_game(flip_bytes);
}

enum change { DROPPED, SWAPPED, REPEATED, NCHANGES };

/* The text with line n changed; false when that changes nothing that is said. */
static bool change_line(struct span text, size_t n, enum change change, struct strbuf *out)
{
	struct span rest = text, line, next = SPAN_EMPTY;

	strbuf_clear(out);
	for (size_t i = 0; i < n; i++)
		span_next_line(&rest, &line);
	strbuf_add_span(out, span_slice(text, 0, (size_t)(rest.ptr - text.ptr)));
	span_next_line(&rest, &line);
	if (change == SWAPPED && (!span_next_line(&rest, &next) || span_eq(line, next)))
		return false;
	if (change == SWAPPED)
		strbuf_addf(out, "%.*s\n", SPAN_ARGS(next));
	if (change != DROPPED)
		strbuf_addf(out, "%.*s\n", SPAN_ARGS(line));
	if (change == REPEATED)
		strbuf_addf(out, "%.*s\n", SPAN_ARGS(line));
	strbuf_add_span(out, rest);
	/* Text outside is skipped: the end line twice is as good as once. */
	return change != REPEATED || !archive_ends(line);
}

static size_t count_lines(struct span text)
{
	struct span line;
	size_t n = 0;

	while (span_next_line(&text, &line))
		n++;
	return n;
}

static void move_lines(const struct played *p, struct span text)
{
	static const char *const names[] = {"the dropped line", "the swapped line",
	                                    "the repeated line"};
	struct strbuf changed = STRBUF_INIT;
	size_t n = count_lines(text);

	for (size_t i = 0; i < n; i += stride(2))
		for (enum change c = DROPPED; c < NCHANGES; c++)
			if (change_line(text, i, c, &changed))
				expect_found(p, strbuf_span(&changed), names[c], i);
	strbuf_release(&changed);
}

Test(tampering, a_dropped_or_swapped_or_repeated_line_is_found_in_archives_of_all_games)
{
	for_each_game(move_lines);
}

/* One promise broken, chain and signature made anew. */

static unsigned number_in_file(struct span text, size_t line)
{
	struct archive *a = archive_new();
	unsigned number = 0;

	if (archive_split(a, text) && line < a->nlines)
		number = a->lines[line].number;
	archive_free(a);
	return number;
}

/* The fault stands at the line that was changed, or speaks of it. */
static void expect_named(const struct played *p, const struct lie *lie, struct span text,
                         size_t line)
{
	struct archive_report report;
	char number[32];

	snprintf(number, sizeof(number), "line %u:", number_in_file(text, line));
	archive_verify(text, &p->record.public_key, NULL, &report);
	cr_assert_eq(report.verdict, ARCHIVE_BROKEN, "%s: %s was not found", p->record.kind,
	             lie->what);
	cr_assert_not_null(strstr(report.why.ptr, lie->evidence), "%s: %s: %s", p->record.kind,
	                   lie->what, report.why.ptr);
	cr_assert(report.line == number_in_file(text, line) || strstr(report.why.ptr, number),
	          "%s: %s, %s but: line %u: %s", p->record.kind, lie->what, number, report.line,
	          report.why.ptr);
	archive_report_release(&report);
}

/* False when this game gives no occasion to lie so. */
static bool tell(const struct played *p, const struct lie *lie, struct strbuf *out,
                 size_t *line)
{
	struct sheet s;
	bool told;

	sheet_read(&s, p);
	*line = lie->tell(&s);
	told = *line < s.n;
	if (told)
		sheet_write(&s, p->keys, out);
	sheet_release(&s);
	return told;
}

static unsigned lies_found(const struct lie *lie)
{
	unsigned n = 0;

	for (size_t i = 0; i < rules_count(); i++) {
		struct strbuf text = STRBUF_INIT;
		struct played p;
		size_t line;

		if (!archives_is_played(rules_at(i)))
			continue;
		play(&p, rules_at(i));
		if (tell(&p, lie, &text, &line)) {
			expect_named(&p, lie, strbuf_span(&text), line);
			n++;
		}
		strbuf_release(&text);
		played_release(&p);
	}
	return n;
}

Test(tampering, a_sheet_that_nothing_was_changed_on_is_the_same_archive)
{
	struct strbuf text = STRBUF_INIT, again = STRBUF_INIT;
	struct sheet s;
	struct played p;

	play(&p, rules_find(SPAN_LIT("mole park")));
	archive_write(&p.record, p.keys, &text);
	sheet_read(&s, &p);
	sheet_write(&s, p.keys, &again);
	cr_assert_str_eq(again.ptr, text.ptr);
	sheet_release(&s);
	strbuf_release(&text);
	strbuf_release(&again);
	played_release(&p);
}

Test(tampering, a_broken_promise_is_named_with_its_line_though_all_is_signed_anew)
{
	for (size_t i = 0; i < lies_count(); i++)
		cr_assert_geq(lies_found(&lies[i]), lies[i].games,
		              "%s: too few games to tell it in", lies[i].what);
}

/* The careful forger: another game under the same secret, consistent to the last byte. */

static enum archive_verdict judge(const struct strbuf *text, const struct hash *key,
                                  const struct hash *head, const char *words)
{
	struct archive_report report;
	enum archive_verdict verdict;

	archive_verify(strbuf_span(text), key, head, &report);
	verdict = report.verdict;
	cr_assert(words == NULL || strstr(report.why.ptr, words), "line %u: %s", report.line,
	          report.why.ptr);
	archive_report_release(&report);
	return verdict;
}

static struct record_chain chain_after(const struct record *r, size_t turns)
{
	struct record_chain chain = {0};

	archive_add_header(r, false, &chain, NULL);
	for (size_t i = 0; i < turns; i++)
		archive_add_turn(r, &r->turns[i], false, &chain, NULL);
	return chain;
}

struct forgery {
	struct played honest, forged;
	struct strbuf text;
	const struct hash *key;
};

static void forge(struct forgery *f, const struct rules *rules, unsigned from)
{
	*f = (struct forgery){.text = STRBUF_INIT};
	play(&f->honest, rules);
	played_forged_game(&f->forged, rules, options_of(rules), rules->usual_seats, TURNS,
	                   SEED, from);
	f->key = &f->honest.record.public_key;
}

static void forgery_release(struct forgery *f)
{
	strbuf_release(&f->text);
	played_release(&f->honest);
	played_release(&f->forged);
}

/* Without signature, and with that of the honest archive. */
static void expect_key_convicts(struct forgery *f)
{
	struct strbuf honest = STRBUF_INIT;
	size_t at;

	archive_write(&f->forged.record, NULL, &f->text);
	cr_assert_eq(judge(&f->text, NULL, NULL, NULL), ARCHIVE_CONSISTENT);
	cr_assert_eq(judge(&f->text, f->key, NULL, "nobody signed this head"), ARCHIVE_BROKEN);

	archive_write(&f->honest.record, f->honest.keys, &honest);
	at = span_find(strbuf_span(&honest), SPAN_LIT("signature "));
	strbuf_truncate(&f->text, f->text.len - strlen(archive_end(RECORD_VERSION_NEWEST)) - 1);
	strbuf_adds(&f->text, honest.ptr + at);
	cr_assert_eq(judge(&f->text, NULL, NULL, "no signature of the head by the key"),
	             ARCHIVE_BROKEN);
	strbuf_release(&honest);
}

/* Signed with a key of his own: under the server's name, and under his. */
static void expect_name_convicts(struct forgery *f)
{
	struct keyring *own = keyring_from_seed(SPAN_LIT("a forger"));
	struct record r = f->forged.record;

	strbuf_clear(&f->text);
	archive_write(&r, own, &f->text);
	cr_assert_eq(judge(&f->text, NULL, NULL, "no signature of the head by the key"),
	             ARCHIVE_BROKEN);
	r.public_key = keyring_public_key(own);
	strbuf_clear(&f->text);
	archive_write(&r, own, &f->text);
	cr_assert_eq(judge(&f->text, NULL, NULL, NULL), ARCHIVE_SIGNED);
	cr_assert_eq(judge(&f->text, f->key, NULL, "not the key you gave"), ARCHIVE_BROKEN);
	keyring_free(own);
}

/* The server itself is the forger: the heads in its own turn reports stand against it. */
static void expect_heads_convict(struct forgery *f)
{
	strbuf_clear(&f->text);
	archive_write(&f->forged.record, f->forged.keys, &f->text);
	cr_assert_eq(judge(&f->text, f->key, NULL, NULL), ARCHIVE_SIGNED);
	for (size_t n = 0; n <= f->honest.record.nturns; n++) {
		struct record_chain promised = chain_after(&f->honest.record, n);

		if (n <= FORGED)
			cr_assert_eq(judge(&f->text, f->key, &promised.head, NULL),
			             ARCHIVE_SIGNED);
		else
			cr_assert_eq(judge(&f->text, f->key, &promised.head,
			                   "never had the head you gave"),
			             ARCHIVE_BROKEN);
	}
}

Test(forger, is_convicted_by_the_signature_or_by_a_head_printed_in_a_mail)
{
	for (size_t i = 0; i < rules_count(); i++) {
		struct forgery f;

		if (!archives_is_played(rules_at(i)))
			continue;
		forge(&f, rules_at(i), FORGED);
		cr_assert_gt(f.honest.record.nturns, FORGED + 1);
		expect_key_convicts(&f);
		expect_name_convicts(&f);
		expect_heads_convict(&f);
		forgery_release(&f);
	}
}

/* The other program. */

struct folder {
	char *dir;
	struct strbuf list;
	unsigned n;
};

static void put(struct folder *f, const struct strbuf *text)
{
	struct failure e = ERR_INIT;
	char name[32];
	char *path;

	snprintf(name, sizeof(name), "%u.txt", f->n++);
	path = scratch_path(f->dir, name);
	cr_assert_eq(file_create(path, strbuf_span(text), &e), ERR_NONE, "%s", e.text.ptr);
	strbuf_addf(&f->list, "%s\n", path);
	free(path);
}

static void put_clumsy(struct folder *f, struct span text)
{
	struct strbuf changed = STRBUF_INIT;
	size_t n = count_lines(text);

	for (size_t i = text.len / 13; i + 1 < text.len; i += 1 + text.len / 13) {
		strbuf_clear(&changed);
		strbuf_add_span(&changed, text);
		changed.ptr[i] = flipped(text.ptr[i], i);
		put(f, &changed);
	}
	for (size_t i = 1; i < n; i += 1 + n / 5)
		for (enum change c = DROPPED; c < NCHANGES; c++)
			if (change_line(text, i, c, &changed))
				put(f, &changed);
	strbuf_release(&changed);
}

static void put_lies(struct folder *f, const struct played *p)
{
	for (size_t i = 0; i < lies_count(); i++) {
		struct strbuf text = STRBUF_INIT;
		size_t line;

		if (!lies[i].takes_rules && tell(p, &lies[i], &text, &line))
			put(f, &text);
		strbuf_release(&text);
	}
}

static unsigned count_words(const char *text, const char *words)
{
	unsigned n = 0;

	while ((text = strstr(text, words)) != NULL) {
		text++;
		n++;
	}
	return n;
}

static void ask_other_program(struct folder *f, const struct hash *key, struct strbuf *out)
{
	char *list = scratch_path(f->dir, "list");
	struct strbuf hex = STRBUF_INIT;
	struct failure e = ERR_INIT;
	int code;

	hash_add_hex(&hex, key);
	cr_assert_eq(file_create(list, strbuf_span(&f->list), &e), ERR_NONE);
	cr_assert_eq(subprocess_run((const char *const[]){SECOND_OPINION, "--key", hex.ptr,
	                                                  "--list", list, NULL},
	                            SPAN_EMPTY, MOST_OUTPUT, 600000, out, &code, &e),
	             ERR_NONE, "%s", e.text.ptr);
	cr_assert_eq(code, 65);
	strbuf_release(&hex);
	free(list);
}

Test(tampering, the_other_program_finds_what_takes_no_rules)
{
	struct folder f = {.dir = scratch_new(), .list = STRBUF_INIT};
	struct strbuf out = STRBUF_INIT;
	struct hash key = {{0}};

	for (size_t i = 0; i < rules_count(); i++) {
		struct strbuf text = STRBUF_INIT;
		struct played p;

		if (!archives_is_played(rules_at(i)))
			continue;
		play(&p, rules_at(i));
		key = p.record.public_key;
		archive_write(&p.record, p.keys, &text);
		put_clumsy(&f, strbuf_span(&text));
		put_lies(&f, &p);
		strbuf_release(&text);
		played_release(&p);
	}
	ask_other_program(&f, &key, &out);
	cr_assert_eq(count_words(out.ptr, ": broken: line "), f.n, "%s", out.ptr);
	cr_assert_gt(f.n, 150);
	strbuf_release(&out);
	strbuf_release(&f.list);
	scratch_remove(f.dir);
}
