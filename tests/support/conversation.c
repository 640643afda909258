/*
 * conversation.c - plays the text of a conversation against a server and compares what comes out.
 */
#include "tests/support/conversation.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mail/text/header.h"
#include "processor/base/clock.h"
#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/base/seal.h"
#include "processor/base/utf8.h"
#include "processor/calendar/deadline.h"
#include "tests/support/conversation_file.h"
#include "tests/support/crowd.h"
#include "tests/support/expected_text.h"
#include "tests/support/postgresql.h"

enum { MINUTE_S = 60, TEXT_MAX = 1 << 20 };

/* The keys and draws of all conversations come from this word. */
#define SEED "threads"

/* One file being played: the one of the conversation, or one that is given. */
struct script {
	struct conversation *c;
	const char *path;
	struct conversation_file file;
	bool compares;            /* false: given */
	const struct block *step; /* the last one begun */
	bool pending;
	struct strbuf *renewed; /* UPDATE: what the file is to be; NULL: compares only */
};

static void problem(const struct script *s, const struct block *b, const char *what,
                    struct span detail)
{
	strbuf_addf(&s->c->problem, "%s:%u: \"%.*s\" %s\n%.*s", s->path, b->line,
	            SPAN_ARGS(b->marker), what, SPAN_ARGS(detail));
	if (detail.len > 0 && detail.ptr[detail.len - 1] != '\n')
		strbuf_addc(&s->c->problem, '\n');
}

/* ---- what came of a step ---- */

/* The body down to the line "-- ", and that line and what stands below it: small print, proof and record. */
static void add_body(const struct testbed *t, const struct post *p, struct strbuf *above,
                     struct strbuf *below)
{
	struct span text = span_of(p->text);
	size_t end = span_starts(text, "-- \n") ? 0 : span_find(text, SPAN_LIT("\n-- \n")) + 1;

	conversation_mask(t, span_slice(text, 0, end), above);
	conversation_mask(t, span_slice(text, end, text.len), below);
	if (p->proof_name) {
		strbuf_addf(below, "\nAttached: %s\n\n", p->proof_name);
		conversation_mask(t, span_of(p->proof), below);
	}
	if (p->record)
		conversation_mask(t, span_of(p->record), below);
	if (above->len > 0 && above->ptr[above->len - 1] != '\n')
		strbuf_addc(above, '\n');
	while (above->len > 1 && above->ptr[above->len - 2] == '\n')
		strbuf_truncate(above, above->len - 1);
}

static bool has_signature(struct span expected)
{
	struct span line;

	while (span_next_line(&expected, &line))
		if (span_eq_str(line, "-- "))
			return true;
	return false;
}

static void add_attached(const struct post *p, struct strbuf *out)
{
	struct span rest = span_of(p->files), line;

	while (span_next_line(&rest, &line))
		strbuf_addf(out, "Attached: %.*s\n", SPAN_ARGS(line));
}

static void renew(const struct script *s, struct span marker, struct span header,
                  struct span old, struct span text)
{
	strbuf_addf(s->renewed, "\n==== %.*s\n%.*s", SPAN_ARGS(marker), SPAN_ARGS(header));
	expected_text_renew(old, text, s->renewed);
}

/* `expected` NULL: nothing of the kind is written. */
static void compare_post(const struct script *s, const struct block *expected,
                         const struct post *p)
{
	struct strbuf above = STRBUF_INIT, below = STRBUF_INIT, header = STRBUF_INIT,
		      marker = STRBUF_INIT;
	struct span want_header = SPAN_EMPTY, want = SPAN_EMPTY;

	if (expected)
		block_split(expected, &want_header, &want);
	strbuf_addf(&marker, "to %s: %s", p->who, p->subject);
	add_attached(p, &header);
	strbuf_addc(&header, '\n');
	add_body(s->c->testbed, p, &above, &below);
	if (has_signature(want)) {
		strbuf_addc(&above, '\n');
		strbuf_add_span(&above, strbuf_span(&below));
	}
	if (expected && want.len == 0)
		strbuf_clear(&above); /* only its subject counts */
	if (s->renewed) {
		renew(s, strbuf_span(&marker),
		      above.len > 0 ? strbuf_span(&header) : SPAN_EMPTY, want,
		      strbuf_span(&above));
	} else if (!expected) {
		strbuf_addf(&s->c->problem, "%s: came, but is not written:\n==== %s\n\n%s",
		            s->path, marker.ptr, above.ptr);
	} else {
		if (!span_eq(expected->marker, strbuf_span(&marker)))
			problem(s, expected, "came as", strbuf_span(&marker));
		if (above.len > 0 && !span_eq(want_header, strbuf_span(&header)))
			problem(s, expected, "came with", strbuf_span(&header));
		if (!expected_text_fits(want, strbuf_span(&above))) {
			struct strbuf diff = STRBUF_INIT;

			expected_text_diff(want, strbuf_span(&above), &diff);
			problem(s, expected, "came otherwise:", strbuf_span(&diff));
			strbuf_release(&diff);
		}
	}
	if (p->differs)
		strbuf_addf(&s->c->problem, "%s: \"%s\" came out before with other bytes\n",
		            s->path, p->subject);
	strbuf_release(&above);
	strbuf_release(&below);
	strbuf_release(&header);
	strbuf_release(&marker);
}

/* What is written of this mail: the first that has its person and subject, else its person, below the step. */
static struct block *find_written(const struct script *s, const struct post *p)
{
	struct block *end = s->file.blocks + s->file.n, *same_person = NULL;

	for (struct block *b = s->file.blocks + (s->step - s->file.blocks) + 1;
	     b < end && b->kind == BLOCK_TO; b++) {
		if (b->found || !span_eq_str(b->who, p->who))
			continue;
		if (span_eq_str(b->rest, p->subject))
			return b;
		if (!same_person)
			same_person = b;
	}
	return same_person;
}

static void compare_posts(const struct script *s, size_t from)
{
	const struct block *last = NULL;

	for (size_t i = from; i < s->c->testbed->nposts; i++) {
		struct block *b = find_written(s, s->c->testbed->posts[i]);

		compare_post(s, b, s->c->testbed->posts[i]);
		if (!b)
			continue;
		b->found = true;
		if (last && b < last && !s->renewed)
			problem(s, b, "came later than it is written", SPAN_EMPTY);
		last = b;
	}
}

/* What was written and did not come. */
static void compare_rest(const struct script *s)
{
	for (size_t i = 0; i < s->file.n && !s->renewed; i++)
		if (s->file.blocks[i].kind == BLOCK_TO && !s->file.blocks[i].found)
			problem(s, &s->file.blocks[i], "did not come", SPAN_EMPTY);
}

/* ---- commands ---- */

static bool prints(const struct block *b)
{
	return b->kind == BLOCK_RUN || b->kind == BLOCK_DO;
}

/* What the command printed stands below its step. */
static void compare_output(const struct script *s, struct span text)
{
	struct strbuf diff = STRBUF_INIT;

	if (prints(s->step) && s->renewed) {
		renew(s, s->step->marker, SPAN_EMPTY, s->step->text, text);
	} else if (!expected_text_fits(prints(s->step) ? s->step->text : SPAN_EMPTY, text)) {
		expected_text_diff(prints(s->step) ? s->step->text : SPAN_EMPTY, text, &diff);
		problem(s, s->step, "printed otherwise:", strbuf_span(&diff));
	}
	strbuf_release(&diff);
}

/* A line of a proof: what players copy into other mails byte by byte. */
static bool has_digest(struct span line)
{
	size_t digits = 0;

	for (size_t i = 0; i < line.len && digits < 2 * HASH_LEN; i++)
		digits = strchr("0123456789abcdef", line.ptr[i]) ? digits + 1 : 0;
	return digits == 2 * HASH_LEN;
}

/*
 * A row whose end is missing, or a heading that is broken in two or cut; dots alone are the
 * spaces of a map.
 */
static bool is_cut(struct span line)
{
	bool heading = span_starts(line, "== "), letters = false;
	size_t end = heading ? span_find(line, SPAN_LIT(" ==")) : line.len;

	for (size_t i = 0; i < end; i++)
		letters = letters || islower((unsigned char)line.ptr[i]);
	if (heading && end != line.len - strlen(" =="))
		return true;
	return (heading || span_starts(line, " ") || span_starts(line, "| ")) &&
	       !span_starts(line, "  >") && letters && end >= 3 &&
	       memcmp(line.ptr + end - 3, "...", 3) == 0;
}

/* What is longer than a line may be, without the blank behind which the next one goes on. */
static void check_lines(struct conversation *c, const char *path, const struct post *p)
{
	struct span rest = span_of(p->text), line;
	struct strbuf sql = STRBUF_INIT;

	strbuf_addf(
	    &sql,
	    "SELECT count(*) FROM players WHERE address = '%s%s' AND created_utc < %lld AND cols = %u",
	    p->who, strchr(p->who, '@') ? "" : "@example.net", (long long)c->testbed->now_utc,
	    c->cols);
	/* A stranger has chosen no width, and what went to one goes out once more as it was. */
	if (crowd_number(c->testbed, sql.ptr) == 0 || strstr(p->subject, ", once more"))
		rest = SPAN_EMPTY;
	strbuf_release(&sql);
	while (span_next_line(&rest, &line)) {
		size_t len = line.len - (line.len > 0 && line.ptr[line.len - 1] == ' ');

		if ((utf8_width(span_slice(line, 0, len)) > c->cols && !has_digest(line)) ||
		    is_cut(span_slice(line, 0, len)))
			strbuf_addf(&c->problem, "%s: \"%s\" to %s has\n%.*s\n", path,
			            p->subject, p->who, SPAN_ARGS(line));
	}
}

static void command(struct script *s, const char *words)
{
	struct testbed *t = s->c->testbed;
	size_t before = t->nposts;
	struct strbuf text = STRBUF_INIT;
	struct ran r;

	testbed_do(t, words, NULL, &r);
	testbed_collect(t);
	if (s->compares) {
		conversation_mask(t, strbuf_span(&r.out), &text);
		conversation_mask(t, strbuf_span(&r.err), &text);
		if (r.code != 0)
			strbuf_addf(&text, "(ended with %d)\n",
			            r.code < 0 ? -r.signal : r.code);
		compare_output(s, strbuf_span(&text));
		compare_posts(s, before);
	}
	for (size_t i = before; s->c->cols > 0 && i < t->nposts; i++)
		check_lines(s->c, s->path, t->posts[i]);
	strbuf_release(&text);
	ran_release(&r);
}

static void run_pending(struct script *s)
{
	if (s->pending)
		command(s, "run");
	s->pending = false;
}

/* ---- placeholders ---- */

static const struct post *post_named(const struct conversation *c, struct span who,
                                     unsigned number)
{
	const struct post *found = NULL;
	unsigned n = 0;

	for (size_t i = 0; i < c->testbed->nposts; i++) {
		const struct post *p = c->testbed->posts[i];
		if (!span_eq_str(who, p->who))
			continue;
		n++;
		if (number == n || number == 0)
			found = p;
	}
	return found;
}

static bool add_named(const struct post *p, struct span what, struct strbuf *out)
{
	if (p && span_eq_str(what, "raw"))
		strbuf_add(out, p->raw, p->raw_len);
	else if (p && span_eq_str(what, "sender"))
		strbuf_adds(out, p->sender);
	else if (span_eq_str(what, "reply"))
		strbuf_adds(out, p && *p->reply_to ? p->reply_to : "moles@example.org");
	else if (p && span_eq_str(what, "id"))
		strbuf_adds(out, p->message_id);
	else if (p && span_eq_str(what, "subject"))
		strbuf_adds(out, p->subject);
	else if (p && span_eq_str(what, "text"))
		strbuf_adds(out, p->text);
	else if (p && span_eq_str(what, "proof"))
		strbuf_adds(out, p->proof);
	else if (p && span_eq_str(what, "quoted-proof"))
		conversation_quote(span_of(p->proof), out);
	else if (p && span_eq_str(what, "quoted"))
		conversation_quote(span_of(p->text), out);
	else
		return false;
	return true;
}

/* "reply", "id 2", "text bob 3" */
static bool add_placeholder(const struct conversation *c, struct span who, struct span words,
                            struct strbuf *out)
{
	struct span what, word;
	unsigned number = 0;

	if (!span_next_word(&words, "", &what))
		return false;
	while (span_next_word(&words, "", &word))
		if (!num_parse_uint(word, 1, 9999, &number))
			who = word;
	return add_named(post_named(c, who, number), what, out);
}

static void fill_in(const struct script *s, struct span who, struct span text,
                    struct strbuf *out)
{
	for (size_t i = 0; i < text.len; i++) {
		struct span rest = span_slice(text, i + 1, text.len);
		size_t end = span_find_char(rest, '}');

		if (text.ptr[i] == '{' && end < rest.len &&
		    span_find_char(span_slice(rest, 0, end), '\n') == end) {
			if (!add_placeholder(s->c, who, span_slice(rest, 0, end), out))
				BUG("%s:%u: {%.*s} stands for nothing", s->path, s->step->line,
				    SPAN_ARGS(span_slice(rest, 0, end)));
			i += end + 1;
			continue;
		}
		strbuf_addc(out, text.ptr[i]);
	}
}

/* ---- mail in ---- */

static bool has_field(const struct header *h, const char *name)
{
	for (size_t i = 0; i < h->count; i++)
		if (span_eq_nocase(h->fields[i].name, name))
			return true;
	return false;
}

static void add_missing(const struct header *h, const char *name, const char *value,
                        struct span more, struct strbuf *out)
{
	if (!has_field(h, name))
		strbuf_addf(out, "%s: %s%.*s\n", name, value, SPAN_ARGS(more));
}

/* The fields every mail program writes, where the file leaves them out. */
static void complete(const struct script *s, struct span text, struct strbuf *out)
{
	const struct block *b = s->step;
	struct strbuf value = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct header h;

	header_split(text, arena, &h);
	if (b->kind == BLOCK_REPLIES) {
		strbuf_addf(&value, " %.*s}", SPAN_ARGS(b->rest));
		add_missing(&h, "To", "{reply", strbuf_span(&value), out);
		add_missing(&h, "In-Reply-To", "{id", strbuf_span(&value), out);
		add_missing(&h, "Subject", "Re: {subject", strbuf_span(&value), out);
	} else {
		add_missing(&h, "To", "moles@example.org", SPAN_EMPTY, out);
		add_missing(&h, "Subject", "moles", SPAN_EMPTY, out);
	}
	strbuf_clear(&value);
	strbuf_addf(&value, "%.*s@example.net", SPAN_ARGS(b->who));
	add_missing(&h, "From", "", strbuf_span(&value), out);
	strbuf_clear(&value);
	if (!s->compares) /* mails of a given conversation also carry its number */
		strbuf_addf(&value, "%.3s.", strrchr(s->path, '/') + 1);
	strbuf_addf(&value, "%03u-%.*s@example.net>", b->number, SPAN_ARGS(b->who));
	add_missing(&h, "Message-ID", "<", strbuf_span(&value), out);
	strbuf_clear(&value);
	utc_format_rfc5322(&value, s->c->testbed->now_utc);
	add_missing(&h, "Date", "", strbuf_span(&value), out);
	if (!has_field(&h, "Content-Type"))
		strbuf_adds(out, "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
		                 "Content-Transfer-Encoding: 8bit\n");
	strbuf_add_span(out, text);
	arena_free(arena);
	strbuf_release(&value);
}

static void note_id(struct conversation *c, struct span raw, struct span who)
{
	struct arena *arena = arena_new();
	struct header h;

	header_split(raw, arena, &h);
	for (size_t i = 0; i < h.count; i++)
		if (span_eq_nocase(h.fields[i].name, "Message-ID"))
			strbuf_addf(&c->came_in, "%.*s %.*s\n", SPAN_ARGS(h.fields[i].value),
			            SPAN_ARGS(who));
	arena_free(arena);
}

static void deliver(struct script *s)
{
	struct strbuf text = STRBUF_INIT, whole = STRBUF_INIT, filled = STRBUF_INIT;
	struct testbed *t = s->c->testbed;
	struct strbuf file = STRBUF_INIT;

	testbed_wait(t, MINUTE_S);
	block_add_text(s->step, &text);
	if (s->step->kind == BLOCK_SENDS)
		strbuf_swap(&text, &whole);
	else
		complete(s, strbuf_span(&text), &whole);
	fill_in(s, s->step->who, strbuf_span(&whole), &filled);
	strbuf_addf(&file, "%u.%03u-%.*s.%s", t->written, s->step->number,
	            SPAN_ARGS(s->step->who), s->step->kind == BLOCK_SENDS ? "raw" : "eml");
	testbed_drop(t, file.ptr, strbuf_span(&filled), t->now_utc);
	note_id(s->c, strbuf_span(&filled), s->step->who);
	s->pending = true;
	strbuf_release(&text);
	strbuf_release(&filled);
	strbuf_release(&whole);
	strbuf_release(&file);
}

/* ---- steps ---- */

static void move_clock(struct script *s)
{
	struct span by = s->step->rest;
	int64_t seconds;

	if (!span_starts(by, "+") || !interval_parse(span_slice(by, 1, by.len), &seconds))
		BUG("%s:%u: +3D, +90M", s->path, s->step->line);
	testbed_wait(s->c->testbed, seconds);
	s->pending = true;
}

static void do_step(struct script *s, const struct block *b)
{
	struct strbuf words = STRBUF_INIT;

	if (b->kind == BLOCK_CLOCK || b->kind == BLOCK_DO)
		run_pending(s);
	s->step = b;
	if (s->renewed && !prints(b))
		strbuf_addf(s->renewed, "\n==== %.*s\n%.*s", SPAN_ARGS(b->marker),
		            SPAN_ARGS(b->text));
	switch (b->kind) {
	case BLOCK_WRITES:
	case BLOCK_REPLIES:
	case BLOCK_SENDS:
		deliver(s);
		break;
	case BLOCK_RUN:
		s->pending = true;
		run_pending(s);
		break;
	case BLOCK_CLOCK:
	case BLOCK_WAIT:
		move_clock(s);
		break;
	case BLOCK_DO:
		fill_in(s, SPAN_LIT("ann"), b->rest, &words);
		command(s, words.ptr);
		break;
	case BLOCK_TO:
		break;
	}
	strbuf_release(&words);
}

static void play_script(struct conversation *c, const char *path, bool compares);

/* {tests} is where this folder is. */
static void configure(struct testbed *t, struct span line)
{
	const struct span mark = SPAN_LIT("{tests}");
	struct strbuf text = STRBUF_INIT;
	char *here = realpath("tests", NULL);
	size_t at;

	ENSURE(here != NULL);
	for (; (at = span_find(line, mark)) < line.len;
	     line = span_slice(line, at + mark.len, line.len)) {
		strbuf_add_span(&text, span_slice(line, 0, at));
		strbuf_adds(&text, here);
	}
	strbuf_add_span(&text, line);
	testbed_configure(t, text.ptr);
	strbuf_release(&text);
	free(here);
}

/* What makes the server a conversation leaves: its text, and those of the ones that go before it. */
static void add_texts(const char *path, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT, given = STRBUF_INIT;
	struct span rest, line;

	ENSURE(file_read(path, TEXT_MAX, &text, NULL) == ERR_NONE);
	strbuf_add_span(out, strbuf_span(&text));
	rest = strbuf_span(&text);
	while (span_next_line(&rest, &line) && !span_starts(line, "==== ")) {
		if (!span_starts(line, "given "))
			continue;
		strbuf_clear(&given);
		strbuf_addf(&given, "tests/conversations/%.*s.txt",
		            SPAN_ARGS(span_trim(span_slice(line, 6, line.len))));
		add_texts(given.ptr, out);
	}
	strbuf_release(&text);
	strbuf_release(&given);
}

/* Half of all conversations begin where one of a few others ends: each of those is played once, and kept. */
static void play_given(struct conversation *c, const char *path)
{
	struct strbuf text = STRBUF_INIT, name = STRBUF_INIT;
	struct hash hash;
	struct testbed *kept;
	struct stat st;

	add_texts(path, &text);
	ENSURE(stat("/proc/self/exe", &st) == 0);
	strbuf_addf(&text, "%lld.%09ld", (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	hash = hash_of(strbuf_span(&text));
	strbuf_addf(&name, "given-%.3s=", strrchr(path, '/') + 1);
	strbuf_add_hex(&name, hash.bytes, 8);
	kept = testbed_kept(SEED, name.ptr, &c->came_in);
	if (kept) {
		testbed_free(c->testbed);
		c->testbed = kept;
	} else {
		play_script(c, path, false);
		if (!c->testbed->extra_env) /* a record of version 1 goes on to be one */
			testbed_keep(c->testbed, name.ptr, strbuf_span(&c->came_in));
	}
	strbuf_release(&text);
	strbuf_release(&name);
}

/* Below the sentences that say what the conversation shows, and an empty line. */
static void set_up(struct script *s)
{
	static const char *const old_record[] = {"MOLEPOST_TEST_RECORD=1", NULL};
	struct span rest = s->file.setup, line, word;
	struct strbuf given = STRBUF_INIT;
	bool as_new = s->c->testbed->nposts == 0; /* nothing has been configured or played */

	while (span_next_line(&rest, &line) && line.len > 0)
		;
	while (span_next_line(&rest, &line)) {
		if (!span_next_word(&line, "", &word))
			continue;
		line = span_trim(line);
		if (span_eq_str(word, "config")) {
			configure(s->c->testbed, line);
		} else if (span_eq_str(word, "record") && span_eq_str(line, "1")) {
			s->c->testbed->extra_env = old_record;
		} else if (span_eq_str(word, "given")) {
			strbuf_clear(&given);
			strbuf_addf(&given, "tests/conversations/%.*s.txt", SPAN_ARGS(line));
			if (as_new && !on_postgresql() && s->c->cols == 0)
				play_given(s->c, given.ptr);
			else
				play_script(s->c, given.ptr, false);
		} else {
			BUG("%s: \"%.*s\" sets up nothing", s->path, SPAN_ARGS(word));
		}
		as_new = false;
	}
	strbuf_release(&given);
}

static void write_renewed(const struct script *s)
{
	struct failure e = ERR_INIT;

	unlink(s->path);
	if (file_create(s->path, strbuf_span(s->renewed), &e) != ERR_NONE)
		BUG("%s", e.text.ptr);
	err_release(&e);
}

static void play_script(struct conversation *c, const char *path, bool compares)
{
	struct strbuf renewed = STRBUF_INIT;
	struct script s = {.c = c,
	                   .path = path,
	                   .compares = compares,
	                   .renewed = compares && env_get("UPDATE") ? &renewed : NULL};

	conversation_file_read(path, &s.file);
	strbuf_add_span(&renewed, s.file.setup);
	set_up(&s);
	for (size_t i = 0; i < s.file.n; i++)
		if (s.file.blocks[i].kind != BLOCK_TO)
			do_step(&s, &s.file.blocks[i]);
	run_pending(&s);
	if (compares)
		compare_rest(&s);
	if (s.renewed)
		write_renewed(&s);
	conversation_file_free(&s.file);
	strbuf_release(&renewed);
}

void conversation_play(struct conversation *c, const char *path)
{
	*c = (struct conversation){
	    .testbed = testbed_new(SEED), .problem = STRBUF_INIT, .came_in = STRBUF_INIT};
	play_script(c, path, true);
}

void conversation_play_narrow(struct conversation *c, const char *path, unsigned cols)
{
	struct strbuf sql = STRBUF_INIT;

	*c = (struct conversation){.testbed = testbed_new(SEED),
	                           .problem = STRBUF_INIT,
	                           .came_in = STRBUF_INIT,
	                           .cols = cols};
	strbuf_addf(&sql,
	            "CREATE TRIGGER narrow AFTER INSERT ON players BEGIN "
	            "UPDATE players SET cols = %u WHERE rowid = new.rowid; END",
	            cols);
	crowd_sql(c->testbed, sql.ptr);
	strbuf_release(&sql);
	play_script(c, path, false);
}

void conversation_free(struct conversation *c)
{
	testbed_free(c->testbed);
	strbuf_release(&c->problem);
	strbuf_release(&c->came_in);
}
