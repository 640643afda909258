/*
 * digest_form.c - the form at the head of a digest, as it comes back.
 *
 * Trusts nothing: the text is that of any mail. What comes out is read like any text afterwards; a
 * SIGNON by itself changes nothing.
 */
#include "processor/commandtext/digest_form.h"

#include "processor/base/num.h"
#include "processor/commandtext/command_text.h"
#include "reports/report.h"

struct form_line {
	struct span bare; /* without marks and blanks around it */
	unsigned depth;   /* how often it is quoted */
	bool marked;      /* "|" or ">" stands before it */
};

struct form {
	struct strbuf out;
	bool inside, found;
	bool past; /* below the form, or below the line of ours under which none stands */
	struct span signon; /* "SIGNON W17" of the part that is read; "" once it is written */
	size_t signon_at;   /* where in `out` its line begins */
};

static struct form_line read_line(struct span line)
{
	struct form_line l = {.bare = span_trim(line)};

	while (l.bare.len > 0 && (l.bare.ptr[0] == '>' || l.bare.ptr[0] == '|')) {
		l.depth += l.bare.ptr[0] == '>';
		l.marked = true;
		l.bare = span_trim(span_slice(l.bare, 1, l.bare.len));
	}
	return l;
}

/*
 * "SIGNON W17", "SIGNON 2 W17": as the form has it; examples elsewhere in our mails have small
 * letters.
 */
static bool is_signon(struct span bare)
{
	struct span word;
	int64_t game;
	unsigned seat;
	char letter;

	if (!span_next_word(&bare, "", &word) || !span_eq_str(word, "SIGNON") ||
	    !span_next_word(&bare, "", &word))
		return false;
	if (num_parse_uint(word, 1, MAX_SEATS, &seat) && !span_next_word(&bare, "", &word))
		return false;
	return parse_game_id(word, &game, &letter) && letter != 0 && span_trim(bare).len == 0;
}

/* What stands there besides "(your orders for W17)". */
static struct span filled_in(struct span bare)
{
	size_t end = span_find_char(bare, ')');

	if (!span_starts(bare, report_form_begin) || end == bare.len)
		return bare;
	return span_trim(span_slice(bare, end + 1, bare.len));
}

/* Somebody has written below it. */
static void write_signon(struct form *f)
{
	struct strbuf rest = STRBUF_INIT;
	struct span all = strbuf_span(&f->out);

	if (f->signon.len == 0)
		return;
	strbuf_add_span(&rest, span_slice(all, f->signon_at, all.len));
	strbuf_truncate(&f->out, f->signon_at);
	strbuf_add_span(&f->out, f->signon);
	strbuf_add_span(&f->out, strbuf_span(&rest));
	strbuf_release(&rest);
	f->signon = SPAN_EMPTY;
}

static void read_inside(struct form *f, struct span line, const struct form_line *l)
{
	struct span own = l->marked ? filled_in(l->bare) : line;

	if (l->marked && is_signon(l->bare)) {
		f->signon = l->bare;
		f->signon_at = f->out.len;
	} else if (span_starts(l->bare, report_form_end) ||
	           span_starts(l->bare, text_marker)) { /* of ours: its end may be gone */
		f->inside = false;
		f->past = true;
		if (!span_starts(l->bare, report_form_end))
			strbuf_add_span(&f->out,
			                line); /* the marker ends the reading as ever */
	} else if (l->depth <= 1 && span_trim(own).len > 0) {
		write_signon(f);
		strbuf_add_span(&f->out, own);
	}
}

/* "From: ...", "-----Original Message-----" and the like. */
static bool is_of_header(struct span line)
{
	struct span word, rest = line;

	return span_starts(line, "---") || span_starts(line, "___") ||
	       (span_next_word(&rest, "", &word) && word.len > 1 &&
	        word.ptr[word.len - 1] == ':');
}

/*
 * Where the last line of `text` begins that is not empty; its length with all behind it if
 * there is none.
 */
static size_t last_line(struct span text)
{
	size_t end = text.len;

	while (end > 0 && (text.ptr[end - 1] == '\n' || text.ptr[end - 1] == ' '))
		end--;
	while (end > 0 && text.ptr[end - 1] != '\n')
		end--;
	return end;
}

/*
 * Programs that do not mark what they quote put some lines of its header above it. Five lines of
 * prose in a row, and commands below them would not be looked for any more (command_text.c).
 */
static void forget_header(struct strbuf *out)
{
	enum { HEADER_LINES = 3 };
	struct strbuf kept = STRBUF_INIT;
	struct span text = strbuf_span(out);
	size_t at = last_line(text), from = text.len, n = 0;

	while (is_of_header(span_trim(span_slice(text, at, from)))) {
		n++;
		from = at;
		at = last_line(span_slice(text, 0, from));
	}
	if (n >= HEADER_LINES) {
		strbuf_add_span(&kept, span_slice(text, 0, from));
		for (size_t i = from; i < text.len; i++)
			if (text.ptr[i] == '\n')
				strbuf_addc(&kept, '\n');
		strbuf_swap(out, &kept);
	}
	strbuf_release(&kept);
}

struct span digest_form_read(struct span text, struct arena *arena)
{
	struct form f = {.out = STRBUF_INIT};
	struct span rest = text, line;

	while (span_next_line(&rest, &line)) {
		struct form_line l = read_line(line);

		f.past = f.past ||
		         (!f.inside && l.depth <= 1 && span_starts(l.bare, text_marker));
		if (!f.inside && l.marked && l.depth <= 1 && !f.past && is_signon(l.bare)) {
			f.inside = f.found = true;
			if (l.depth == 0)
				forget_header(&f.out);
		}
		if (f.inside)
			read_inside(&f, line, &l);
		else if (!span_eq_str(l.bare, report_form_lead))
			strbuf_add_span(&f.out, line);
		strbuf_addc(&f.out, '\n');
	}
	if (f.found)
		text = arena_dup(arena, strbuf_span(&f.out));
	strbuf_release(&f.out);
	return text;
}
