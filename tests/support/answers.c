/*
 * answers.c - mails put together from the descriptions of mail programs.
 */
#include "tests/support/answers.h"

#include <iconv.h>
#include <stdlib.h>
#include <string.h>

#include "mail/compose.h"
#include "mail/text/flowed.h"
#include "processor/base/clock.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "tests/support/answers_html.h"
#include "tests/support/transfer.h"

const char *const answer_place_names[ANSWER_PLACES] = {"top", "below", "inline",
                                                       "under header"};

/* ---- the descriptions ---- */

enum { MOST_PROGRAMS = 120, MOST_FORMS = 40, FILE_MAX = 1 << 20, FLOWED_COLS = 72 };

/* A form of HTML; spans of the file. */
struct form {
	struct span name, begin, line, empty, head, above, headed, open, quoted, blank, close,
	    end, around;
	enum html_quoting how;   /* where `around` is not empty */
	bool keeps, quotes_html; /* the latter: this quotation */
};

enum { LINES_SENT, LINES_JOINED, LINES_WRAP, LINES_BREAK };

struct program {
	struct span name, subject, kind, charset, encoding, prefix, form;
	bool is_flowed, flat, nbsp, curly, trailing, is_unsigned, bom, enclosed, glued,
	    is_unnamed, is_open, shows_text;
	unsigned lines, cols;
	struct html_to_plain to_plain;
	struct strbuf header, above, signature, below;
	char *c_name;
};

struct answers {
	struct strbuf file;
	struct program programs[MOST_PROGRAMS];
	struct form forms[MOST_FORMS];
	size_t nprograms, nforms;
};

static void add_line(struct strbuf *out, struct span text)
{
	strbuf_addf(out, "%.*s\n", SPAN_ARGS(text));
}

static bool has_word(struct span text, const char *word)
{
	struct span one;

	while (span_next_word(&text, " ", &one))
		if (span_eq_str(one, word))
			return true;
	return false;
}

static void begin_program(struct answers *a, struct span name)
{
	struct program *p = &a->programs[a->nprograms++];
	struct strbuf c_name = STRBUF_INIT;

	ENSURE(a->nprograms < MOST_PROGRAMS);
	strbuf_add_span(&c_name, name);
	*p = (struct program){.name = name,
	                      .subject = SPAN_LIT("Re:"),
	                      .to_plain = {.item = SPAN_LIT("* "), .cell = SPAN_LIT(" ")},
	                      .header = STRBUF_INIT,
	                      .above = STRBUF_INIT,
	                      .signature = STRBUF_INIT,
	                      .below = STRBUF_INIT,
	                      .c_name = strbuf_detach(&c_name)};
}

static bool read_form_line(struct form *f, struct span key, struct span value)
{
	const struct {
		const char *key;
		struct span *to;
	} fields[] = {{"begin", &f->begin}, {"line", &f->line},     {"empty", &f->empty},
	              {"head", &f->head},   {"above", &f->above},   {"headed", &f->headed},
	              {"open", &f->open},   {"quoted", &f->quoted}, {"blank", &f->blank},
	              {"close", &f->close}, {"end", &f->end}};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (span_eq_str(key, fields[i].key)) {
			*fields[i].to = value;
			return true;
		}
	static const char *const ways[] = {"whole", "tags", "word", "flat"};
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (span_eq_str(key, ways[i])) {
			f->how = (enum html_quoting)i;
			f->around = value;
			return true;
		}
	f->keeps = f->keeps || span_eq_str(key, "keeps");
	return span_eq_str(key, "keeps");
}

static void read_ours(struct program *p, struct span value)
{
	static const char *const links[] = {"none", "glued", "apart", "square", "notes"};
	size_t quote = span_find_char(value, '"');

	p->shows_text = has_word(value, "text");
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		if (has_word(value, links[i]))
			p->to_plain.link = i;
	if (has_word(value, "tab"))
		p->to_plain.cell = SPAN_LIT("\t");
	else if (has_word(value, "cells"))
		p->to_plain.cell = SPAN_EMPTY;
	if (quote < value.len)
		p->to_plain.item = span_slice(value, quote + 1, value.len - 1);
}

static bool read_program_line(struct program *p, struct span key, struct span value)
{
	struct span rest = value, word = SPAN_EMPTY;

	if (span_eq_str(key, "header")) {
		add_line(&p->header, value);
	} else if (span_eq_str(key, "subject")) {
		p->subject = value;
	} else if (span_eq_str(key, "body")) {
		p->is_flowed = has_word(value, "flowed");
		return span_next_word(&rest, " ", &p->kind) &&
		       span_next_word(&rest, " ", &p->charset) &&
		       span_next_word(&rest, " ", &p->encoding);
	} else if (span_eq_str(key, "html")) {
		p->form = value;
	} else if (span_eq_str(key, "prefix")) {
		p->prefix = span_slice(value, 1, value.len - 1);
	} else if (span_eq_str(key, "lines")) {
		ENSURE(span_next_word(&rest, " ", &word));
		p->lines = span_eq_str(word, "joined")  ? LINES_JOINED
		           : span_eq_str(word, "wrap")  ? LINES_WRAP
		           : span_eq_str(word, "break") ? LINES_BREAK
		                                        : LINES_SENT;
		return p->lines < LINES_WRAP ||
		       num_parse_uint(span_trim(rest), 20, 200, &p->cols);
	} else if (span_eq_str(key, "quote")) {
		p->flat = has_word(value, "flat");
		p->nbsp = has_word(value, "nbsp");
		p->curly = has_word(value, "curly");
		p->trailing = has_word(value, "trailing");
		p->is_unsigned = has_word(value, "unsigned");
		p->bom = has_word(value, "bom");
		p->enclosed = has_word(value, "enclosed");
	} else if (span_eq_str(key, "text")) {
		p->glued = has_word(value, "glued");
	} else if (span_eq_str(key, "ours")) {
		read_ours(p, value);
	} else if (span_eq_str(key, "open")) {
		p->is_open = true;
	} else if (span_eq_str(key, "unnamed")) {
		p->is_unnamed = true;
	} else if (span_eq_str(key, "signature")) {
		add_line(&p->signature, value);
	} else if (span_eq_str(key, "above")) {
		add_line(&p->above, value);
	} else if (span_eq_str(key, "below")) {
		add_line(&p->below, value);
	} else {
		return false;
	}
	return true;
}

struct answers *answers_read(const char *path)
{
	struct answers *a = xcalloc(1, sizeof(*a));
	struct failure e = ERR_INIT;
	struct span rest, line;
	bool in_form = false, ok = true;

	ENSURE(file_read(path, FILE_MAX, &a->file, &e) == ERR_NONE);
	rest = strbuf_span(&a->file);
	while (span_next_line(&rest, &line)) {
		size_t blank = span_find_char(line, ' ');
		struct span key = span_slice(line, 0, blank),
			    value = span_slice(line, blank + 1, line.len);

		if (line.len == 0 || line.ptr[0] == '#')
			continue;
		if (span_eq_str(key, "program")) {
			begin_program(a, value);
			in_form = false;
		} else if (span_eq_str(key, "form")) {
			ENSURE(a->nforms < MOST_FORMS);
			a->forms[a->nforms++].name = value;
			in_form = true;
		} else if (in_form) {
			ok = read_form_line(&a->forms[a->nforms - 1], key, value);
		} else {
			ok = a->nprograms > 0 &&
			     read_program_line(&a->programs[a->nprograms - 1], key, value);
		}
		if (!ok)
			BUG("%s: %.*s", path, SPAN_ARGS(line));
	}
	return a;
}

void answers_free(struct answers *a)
{
	for (size_t i = 0; i < a->nprograms; i++) {
		struct program *p = &a->programs[i];

		strbuf_release(&p->header);
		strbuf_release(&p->above);
		strbuf_release(&p->signature);
		strbuf_release(&p->below);
		free(p->c_name);
	}
	strbuf_release(&a->file);
	free(a);
}

size_t answers_count(const struct answers *a)
{
	return a->nprograms;
}

const char *answers_name(const struct answers *a, size_t program)
{
	return a->programs[program].c_name;
}

bool answers_is_open(const struct answers *a, size_t program)
{
	return a->programs[program].is_open;
}

/* ---- what is quoted ---- */

/* One line, broken between words after so many columns; what begins with a blank stays as it is. */
static void add_broken(struct strbuf *out, struct span line, size_t cols)
{
	while (line.len > cols && line.ptr[0] != ' ') {
		size_t at = cols;

		while (at > 0 && line.ptr[at] != ' ')
			at--;
		if (at == 0)
			break;
		add_line(out, span_slice(line, 0, at));
		line = span_slice(line, at + 1, line.len);
	}
	add_line(out, line);
}

static void add_flat(struct strbuf *out, struct span line)
{
	struct span word;

	for (size_t n = 0; span_next_word(&line, " ", &word); n++)
		strbuf_addf(out, "%s%.*s", n ? " " : "", SPAN_ARGS(word));
	strbuf_addc(out, '\n');
}

static const char *curly(struct span text, size_t i)
{
	bool opens = i == 0 || text.ptr[i - 1] == ' ' || text.ptr[i - 1] == '(';

	switch (text.ptr[i]) {
	case '"':
		return opens ? "\u201c" : "\u201d";
	case '\'':
		return "\u2019";
	default:
		return i > 0 && i + 1 < text.len && text.ptr[i] == '-' &&
		               text.ptr[i - 1] == ' ' && text.ptr[i + 1] == ' '
		           ? "\u2013"
		           : NULL;
	}
}

/* One letter after another. Of two blanks, programs let the first not break. */
static void add_letters(struct strbuf *out, struct span line, const struct program *p)
{
	for (size_t i = 0; i < line.len; i++) {
		const char *other = p->curly ? curly(line, i) : NULL;

		if (p->nbsp && line.ptr[i] == ' ' && i + 1 < line.len && line.ptr[i + 1] == ' ')
			other = "\u00a0";
		if (other)
			strbuf_adds(out, other);
		else
			strbuf_addc(out, line.ptr[i]);
	}
	strbuf_adds(out, p->trailing ? " \n" : "\n");
}

/* The lines this program quotes, without what it puts before each. */
static void add_quotation(struct strbuf *out, const struct program *p, const struct post *to)
{
	struct strbuf sent = STRBUF_INIT, joined = STRBUF_INIT, broken = STRBUF_INIT;
	struct span rest, line;
	bool from_html = !p->shows_text && answers_our_html(to, &sent);

	if (from_html) {
		answers_html_to_plain(strbuf_span(&sent), &p->to_plain, &joined);
	} else {
		ENSURE(mail_read_back((struct span){to->raw, to->raw_len}, &sent));
		flowed_join(strbuf_span(&sent), false, &joined);
	}
	rest = from_html                                           ? strbuf_span(&joined)
	       : p->lines == LINES_SENT || p->lines == LINES_BREAK ? span_of(to->text)
	                                                           : strbuf_span(&joined);
	if (p->is_unsigned)
		rest = span_slice(rest, 0, span_find(rest, SPAN_LIT("\n-- \n")) + 1);
	strbuf_adds(out, p->bom ? "\ufeff" : p->enclosed ? "\"" : "");
	while (span_next_line(&rest, &line)) {
		strbuf_clear(&broken);
		if (p->lines == LINES_WRAP || p->lines == LINES_BREAK)
			add_broken(&broken, line, p->cols);
		else
			add_line(&broken, line);
		struct span pieces = strbuf_span(&broken), piece;
		while (span_next_line(&pieces, &piece)) {
			if (p->flat)
				add_flat(out, piece);
			else
				add_letters(out, piece, p);
		}
	}
	if (p->enclosed) {
		strbuf_trim_end(out);
		strbuf_adds(out, "\"\n");
	}
	strbuf_release(&sent);
	strbuf_release(&joined);
	strbuf_release(&broken);
}

/* Where somebody writes between our lines: behind the first empty line after so many bytes. */
static size_t gap_after(struct span quotation, size_t bytes)
{
	struct span rest = span_slice(quotation, bytes, quotation.len);

	return bytes + span_find(rest, SPAN_LIT("\n\n")) + 2;
}

/* ---- the text, plain and as HTML ---- */

enum piece { WORDS, SIGNATURE, ABOVE, QUOTED, BELOW };

typedef void add_piece_fn(struct strbuf *out, const struct program *p, const struct form *f,
                          enum piece piece, struct span text);

static struct span without_blank(struct span prefix)
{
	return prefix.len > 1 && prefix.ptr[prefix.len - 1] == ' '
	           ? span_slice(prefix, 0, prefix.len - 1)
	           : prefix;
}

static void add_plain(struct strbuf *out, const struct program *p, const struct form *f,
                      enum piece piece, struct span text)
{
	struct span line;

	(void)f;
	if (text.len == 0)
		return;
	while (span_next_line(&text, &line)) {
		if (piece == QUOTED && line.len == 0)
			add_line(out, without_blank(p->prefix));
		else if (piece == QUOTED)
			strbuf_addf(out, "%.*s%s%.*s\n", SPAN_ARGS(p->prefix),
			            p->prefix.len == 0 && p->is_flowed && line.len > 0 &&
			                    line.ptr[0] == ' '
			                ? " "
			                : "",
			            SPAN_ARGS(line));
		else
			add_line(out, line);
	}
	if (piece != ABOVE && piece != QUOTED)
		strbuf_addc(out, '\n');
}

static void add_escaped(struct strbuf *out, struct span text, bool keeps)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (c == '<' || c == '>' || c == '&' || c == '"')
			strbuf_adds(out, c == '<'   ? "&lt;"
			                 : c == '>' ? "&gt;"
			                 : c == '&' ? "&amp;"
			                            : "&quot;");
		else if (keeps && c == ' ' &&
		         (i == 0 || (i + 1 < text.len && text.ptr[i + 1] == ' ')))
			strbuf_adds(out, "&nbsp;");
		else
			strbuf_addc(out, c);
	}
}

static void add_tagged(struct strbuf *out, struct span tags, struct span text, bool keeps)
{
	size_t at = span_find(tags, SPAN_LIT("{}"));

	strbuf_add_span(out, span_slice(tags, 0, at));
	add_escaped(out, text, keeps);
	strbuf_add_span(out, span_slice(tags, at + 2, tags.len));
	strbuf_addc(out, '\n');
}

static void add_html(struct strbuf *out, const struct program *p, const struct form *f,
                     enum piece piece, struct span text)
{
	struct span line;

	(void)p;
	if (text.len == 0)
		return;
	if (piece == QUOTED && f->quotes_html) {
		size_t at = span_find(f->around, SPAN_LIT("{}"));

		strbuf_add_span(out, span_slice(f->around, 0, at));
		strbuf_add_span(out, text);
		strbuf_add_span(out, span_slice(f->around, at + 2, f->around.len));
		return;
	}
	strbuf_add_span(out, piece == ABOVE ? f->head : piece == QUOTED ? f->open : SPAN_EMPTY);
	while (span_next_line(&text, &line)) {
		if (piece == QUOTED && line.len == 0 && f->blank.len > 0)
			add_line(out, f->blank);
		else if (piece == QUOTED)
			add_tagged(out, f->quoted, line, f->keeps);
		else if (piece == ABOVE && (line.len == 0 || span_starts(line, "____")))
			continue; /* a rule, or a margin */
		else if (line.len == 0)
			add_line(out, f->empty);
		else
			add_tagged(out, piece == ABOVE ? f->above : f->line, line, f->keeps);
	}
	if (piece == WORDS || piece == SIGNATURE)
		add_line(out, f->empty);
	strbuf_add_span(out, piece == ABOVE    ? f->headed
	                     : piece == QUOTED ? f->close
	                                       : SPAN_EMPTY);
}

/* "{who}" and "{subject}" replaced. */
static void add_filled(struct strbuf *out, struct span text, const struct answer *answer)
{
	const struct span who = SPAN_LIT("{who}"), subject = SPAN_LIT("{subject}");

	while (text.len > 0) {
		if (span_starts(text, "{who}")) {
			strbuf_addf(out, "%s@example.net", answer->who);
			text = span_slice(text, who.len, text.len);
		} else if (span_starts(text, "{subject}")) {
			strbuf_adds(out, answer->to->subject);
			text = span_slice(text, subject.len, text.len);
		} else {
			strbuf_addc(out, text.ptr[0]);
			text = span_slice(text, 1, text.len);
		}
	}
}

static void add_empty(struct strbuf *out, const struct form *f)
{
	add_line(out, f ? f->empty : SPAN_EMPTY);
}

/* The quotation, and the words between its lines: their first paragraph alone, the rest further down. */
static void add_inline(struct strbuf *out, const struct program *p, const struct form *f,
                       struct span quoted, struct span words)
{
	add_piece_fn *add = f ? add_html : add_plain;
	size_t paragraph = span_find(words, SPAN_LIT("\n\n")) + 1;
	size_t one = gap_after(quoted, quoted.len / 3),
	       two = gap_after(quoted, quoted.len * 2 / 3);

	add(out, p, f, QUOTED, span_slice(quoted, 0, one));
	add_empty(out, f);
	add(out, p, f, WORDS, span_slice(words, 0, paragraph));
	if (paragraph < words.len) {
		add(out, p, f, QUOTED, span_slice(quoted, one, two));
		add_empty(out, f);
		add(out, p, f, WORDS, span_slice(words, paragraph + 1, words.len));
		one = two;
	}
	add(out, p, f, QUOTED, span_slice(quoted, one, quoted.len));
	add_empty(out, f);
}

static void add_text(struct strbuf *out, const struct program *p, const struct form *f,
                     const struct answer *answer)
{
	add_piece_fn *add = f ? add_html : add_plain;
	struct strbuf above = STRBUF_INIT, quotation = STRBUF_INIT;
	struct span quoted, signature = strbuf_span(&p->signature), words = answer->words;

	struct strbuf html = STRBUF_INIT;
	struct form ours = f ? *f : (struct form){0};

	add_filled(&above, strbuf_span(&p->above), answer);
	if (f && f->around.len > 0 && answers_our_html(answer->to, &html)) {
		ours.quotes_html = true;
		f = &ours;
		answers_quote_html(strbuf_span(&html), f->how, &quotation);
	} else {
		add_quotation(&quotation, p, answer->to);
	}
	quoted = strbuf_span(&quotation);
	if (f)
		add_line(out, f->begin);
	if (answer->place == ANSWER_TOP) {
		add(out, p, f, WORDS, words);
		add(out, p, f, SIGNATURE, signature);
	}
	add(out, p, f, ABOVE, strbuf_span(&above));
	switch (answer->place) {
	case ANSWER_TOP:
		add(out, p, f, QUOTED, quoted);
		break;
	case ANSWER_BELOW:
		add(out, p, f, QUOTED, quoted);
		add_empty(out, f);
		add(out, p, f, WORDS, words);
		add(out, p, f, SIGNATURE, signature);
		break;
	case ANSWER_INLINE:
		add_inline(out, p, f, quoted, words);
		add(out, p, f, SIGNATURE, signature);
		break;
	case ANSWER_UNDER_HEADER:
		add(out, p, f, WORDS, words);
		add(out, p, f, SIGNATURE, signature);
		add(out, p, f, QUOTED, quoted);
		break;
	}
	add(out, p, f, BELOW, strbuf_span(&p->below));
	if (f)
		add_line(out, f->end);
	strbuf_release(&above);
	strbuf_release(&quotation);
	strbuf_release(&html);
}

/* As programs make plain text of HTML that have no ends of lines. */
static void glue(struct strbuf *text)
{
	struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < text->len; i++)
		if (text->ptr[i] != '\n')
			strbuf_addc(&out, text->ptr[i]);
		else if (i > 0 && text->ptr[i - 1] == '\n')
			strbuf_addc(&out, ' ');
	strbuf_addc(&out, '\n');
	strbuf_swap(text, &out);
	strbuf_release(&out);
}

/* ---- the mail ---- */

/* False: a letter is not in it. */
static bool to_charset(struct strbuf *out, struct span text, struct span charset)
{
	struct strbuf name = STRBUF_INIT;
	char *in = (char *)(uintptr_t)text.ptr;
	size_t left = text.len, rc;

	strbuf_add_span(&name, charset);
	iconv_t to = iconv_open(name.ptr, "UTF-8");
	ENSURE(to != (iconv_t)-1);
	strbuf_release(&name);
	do {
		char piece[4096], *end = piece;
		size_t room = sizeof(piece);

		rc = iconv(to, left ? &in : NULL, &left, &end, &room);
		strbuf_add(out, piece, sizeof(piece) - room);
		if (rc == (size_t)-1 && room > 16)
			break;
	} while (rc == (size_t)-1 || left > 0);
	if (rc != (size_t)-1) {
		char piece[16], *end = piece;
		size_t room = sizeof(piece);

		rc = iconv(to, NULL, NULL, &end, &room);
		strbuf_add(out, piece, sizeof(piece) - room);
	}
	iconv_close(to);
	return rc != (size_t)-1;
}

static void add_part(struct strbuf *raw, const struct program *p, const char *type,
                     struct span text)
{
	struct strbuf bytes = STRBUF_INIT;
	struct span charset = p->charset, encoding = p->encoding;

	if (!to_charset(&bytes, text, charset)) {
		strbuf_clear(&bytes);
		strbuf_add_span(&bytes, text);
		charset = SPAN_LIT("utf-8");
		if (span_eq_str(encoding, "7bit"))
			encoding = SPAN_LIT("8bit");
	}
	strbuf_addf(raw, "Content-Type: text/%s; charset=\"%.*s\"%s\n", type,
	            SPAN_ARGS(charset),
	            p->is_flowed && strcmp(type, "plain") == 0 ? "; format=flowed" : "");
	strbuf_addf(raw, "Content-Transfer-Encoding: %.*s\n\n", SPAN_ARGS(encoding));
	if (span_eq_str(encoding, "quoted-printable"))
		transfer_add_qp(raw, strbuf_span(&bytes));
	else if (span_eq_str(encoding, "base64"))
		transfer_add_base64(raw, strbuf_span(&bytes));
	else
		strbuf_add_span(raw, strbuf_span(&bytes));
	strbuf_release(&bytes);
}

static const struct form *form_of(const struct answers *a, const struct program *p)
{
	for (size_t i = 0; i < a->nforms; i++)
		if (span_eq(a->forms[i].name, p->form))
			return &a->forms[i];
	BUG("%s: no such form of HTML", p->c_name);
}

static void add_header(struct strbuf *raw, const struct program *p, const struct answer *answer)
{
	const struct post *to = answer->to;

	strbuf_addf(raw, "From: %s@example.net\nTo: Molepost <%s>\nSubject: %.*s %s\n",
	            answer->who, *to->reply_to ? to->reply_to : "moles@example.org",
	            SPAN_ARGS(p->subject), to->subject);
	strbuf_addf(raw, "Message-ID: <%s.%s.%u@example.net>\nDate: ", p->c_name, answer->who,
	            (unsigned)answer->place);
	utc_format_rfc5322(raw, answer->date_utc);
	strbuf_addc(raw, '\n');
	if (!p->is_unnamed)
		strbuf_addf(raw, "In-Reply-To: %s\nReferences: %s\n", to->message_id,
		            to->message_id);
	strbuf_add_span(raw, strbuf_span(&p->header));
	strbuf_adds(raw, "MIME-Version: 1.0\n");
}

void answers_write(const struct answers *a, size_t program, const struct answer *answer,
                   struct strbuf *raw)
{
	static const char boundary[] = "=_0000_part";
	const struct program *p = &a->programs[program];
	bool both = span_eq_str(p->kind, "both");
	struct strbuf plain = STRBUF_INIT, html = STRBUF_INIT;

	add_header(raw, p, answer);
	add_text(&plain, p, NULL, answer);
	if (p->glued)
		glue(&plain);
	if (!span_eq_str(p->kind, "plain"))
		add_text(&html, p, form_of(a, p), answer);
	if (both)
		strbuf_addf(raw,
		            "Content-Type: multipart/alternative; boundary=\"%s\"\n\n--%s\n",
		            boundary, boundary);
	if (html.len == 0 || both)
		add_part(raw, p, "plain", strbuf_span(&plain));
	if (both)
		strbuf_addf(raw, "\n--%s\n", boundary);
	if (html.len > 0)
		add_part(raw, p, "html", strbuf_span(&html));
	if (both)
		strbuf_addf(raw, "\n--%s--\n", boundary);
	strbuf_release(&plain);
	strbuf_release(&html);
}
