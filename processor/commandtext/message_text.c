/*
 * message_text.c - which lines of a mail are the text of a message.
 *
 * Errs towards too little: a line too few is seen in the receipt and can be sent again, a quoted report
 * in a message shows its reader what they must not know.
 */
#include "processor/commandtext/message_text.h"

#include "processor/base/strbuf.h"

enum { INTRODUCTION_LINES = 3, HEADER_LINES = 3, FIELD_NAME_BYTES = 24 };

void message_open(struct message *m, struct command *item, size_t room, struct arena *arena)
{
	if (!m->lines) {
		m->lines = arena_calloc(arena, room, sizeof(*m->lines));
		m->room = room;
	}
	m->open = true;
	m->item = item;
	m->nlines = m->rule = 0;
}

static void add_line(struct message *m, struct span line)
{
	if (m->open && m->nlines < m->room)
		m->lines[m->nlines++] = line;
}

void message_add(struct message *m, struct span bare, struct span clean)
{
	add_line(m, clean);
	if (m->rule == 0 && (span_starts(bare, "-----") || span_starts(bare, "__________")))
		m->rule = m->nlines;
}

void message_add_gap(struct message *m)
{
	if (m->nlines > 0 && m->lines[m->nlines - 1].len > 0)
		add_line(m, SPAN_EMPTY);
}

static void drop_gap(struct message *m)
{
	while (m->nlines > 0 && m->lines[m->nlines - 1].len == 0)
		m->nlines--;
}

static char last_char(struct span s)
{
	return s.len > 0 ? s.ptr[s.len - 1] : '\0';
}

static bool has_digit_or_at(struct span s)
{
	for (size_t i = 0; i < s.len; i++)
		if ((s.ptr[i] >= '0' && s.ptr[i] <= '9') || s.ptr[i] == '@')
			return true;
	return false;
}

/* "On Thu, 12 Mar 2026, Molepost <...>" / "wrote:", in any language: a date or an address, then ':'. */
static void drop_introduction(struct message *m)
{
	size_t from;
	bool dated;

	drop_gap(m);
	from = m->nlines;
	if (from == 0 || last_char(m->lines[from - 1]) != ':')
		return;
	dated = has_digit_or_at(m->lines[--from]);
	while (!dated && from > 0 && m->nlines - from < INTRODUCTION_LINES &&
	       m->lines[from - 1].len > 0)
		dated = has_digit_or_at(m->lines[--from]);
	if (dated)
		m->nlines = from;
}

void message_before_quote(struct message *m)
{
	if (m->open)
		drop_introduction(m);
}

/* "From: ...", "*Gesendet:* ..." */
static bool is_field(struct span line)
{
	size_t colon = span_find_char(line, ':');

	if (colon == 0 || colon == line.len || colon > FIELD_NAME_BYTES)
		return false;
	return span_find_char(span_slice(line, 0, colon), ' ') == colon;
}

/* What telephones write below everything. */
static void drop_advertisement(struct message *m)
{
	static const char *const starts[] = {"sent from my ",
	                                     "sent from mail",
	                                     "sent with ",
	                                     "get outlook for",
	                                     "gesendet von ",
	                                     "von meinem ",
	                                     "diese nachricht wurde von mein",
	                                     "envoy\xc3\xa9 "};

	drop_gap(m);
	for (size_t i = 0; m->nlines > 0 && i < sizeof(starts) / sizeof(starts[0]); i++)
		if (span_starts_nocase(m->lines[m->nlines - 1], starts[i])) {
			m->nlines--;
			return;
		}
}

bool message_is_end_word(struct span bare)
{
	static const char *const words[] = {
	    "endpress", "end press", "endbroadcast", "enddiary", "end diary", "end broadcast",
	    "endnote",  "end note",  "endmessage",   "end chat", "endchat",   "end message"};

	return span_in_nocase(bare, words, sizeof words / sizeof *words);
}

void message_close(struct message *m, bool ended, bool at_marker, struct arena *arena)
{
	if (!m->open)
		return;
	if (!ended && m->rule > 0)
		m->nlines = m->rule - 1;
	if (at_marker) {
		size_t from;

		drop_gap(m);
		from = m->nlines;
		while (from > 0 && is_field(m->lines[from - 1]))
			from--;
		if (m->nlines - from >= HEADER_LINES)
			m->nlines = from;
		drop_introduction(m);
	}
	if (!ended)
		drop_advertisement(m);
	drop_gap(m);
	if (m->item) {
		struct strbuf text = STRBUF_INIT;

		for (size_t i = 0; i < m->nlines; i++) {
			strbuf_add_span(&text, m->lines[i]);
			strbuf_addc(&text, '\n');
		}
		struct span copy = arena_dup(arena, strbuf_span(&text));
		strbuf_release(&text);
		m->item->message = copy;
		m->item->ended = ended;
	}
	m->open = false;
}
