/*
 * command_text.c - reading a mail line by line.
 *
 * Quoted lines are skipped, never cut at, because people answer below what they quote; what else
 * mail programs write around them gets a '>' first (quoted_lines.h).
 * What stands unquoted is a command when the whole line fits one, else it may be an order.
 */
#include "processor/commandtext/command_text.h"

#include <string.h>

#include "processor/commandtext/grammar.h"
#include "processor/commandtext/meant_here.h"
#include "processor/commandtext/message_text.h"
#include "processor/quotes/quoted_lines.h"
#include "processor/quotes/text_line.h"

enum {
	TEXT_MAX_LINES = 4000, /* mail/ lets no more than 2,000 through */
	COMMAND_MAX_BYTES = 500,
	TALK_MAX_LINES = 5 /* lines of talk in a row after which no command is looked for */
};

static const size_t NOBODY = (size_t)-1;

/* A line that is an order of items[owner], until all lines are known. */
struct order_line {
	size_t owner;
	struct span text;
};

struct reader {
	struct arena *arena;
	struct command_text *out;
	unsigned line;
	struct order_line *orders; /* index = line number */
	size_t stretch;            /* the CMD_ORDERS item that plain lines join, or NOBODY */
	size_t checked; /* the CHECK, QUEUE and so on that plain lines belong to, or NOBODY */
	unsigned talk_lines; /* in a row */
	bool deaf;           /* no command is looked for any more */
	unsigned commands, max_commands;
	bool full; /* there was one command too many; nothing below it counts */
	bool done; /* nothing below is read */
	struct message message;
	size_t nlines; /* of the whole mail */
	unsigned
	    header; /* line at which a mail begins that is quoted without any sign, else 0 */
	struct place place; /* of the line in hand */
	bool talk;          /* own words above it that are neither command nor greeting */
};

static size_t add_item(struct reader *r, const struct command *item)
{
	r->out->items[r->out->nitems] = *item;
	return r->out->nitems++;
}

static void add_order_line(struct reader *r, struct span bare, struct span clean)
{
	size_t owner = r->checked;

	if (owner == NOBODY) {
		if (r->stretch == NOBODY && !r->full)
			r->stretch = add_item(r, &(struct command){.verb = CMD_ORDERS,
			                                           .line = r->line,
			                                           .text = clean});
		owner = r->stretch;
	}
	r->orders[r->line] = (struct order_line){owner, bare};
}

bool verb_ends_orders(enum verb verb)
{
	return (grammar_row_of(verb)->flags & ROW_ENDS_ORDERS) != 0;
}

bool verb_must_be_named(enum verb verb)
{
	return (grammar_row_of(verb)->flags & ROW_IS_NAMED) != 0;
}

bool verb_takes_orders(enum verb verb)
{
	return verb == CMD_CHECK || verb == CMD_PREVIEW || verb == CMD_ALWAYS ||
	       verb == CMD_QUEUE;
}

struct span grammar_own_line(const struct command *item)
{
	struct span rest = item->orders, line = SPAN_EMPTY;

	for (unsigned n = 0; n < item->line; n++)
		if (!span_next_line(&rest, &line))
			return SPAN_EMPTY;
	return line;
}

/* ORDERS, CHECK, PREVIEW and so on: what stands on the line itself is the first line of theirs. */
static void open_lines(struct reader *r, const struct command *item, struct span clean)
{
	if (item->verb == CMD_ORDERS) {
		r->checked = NOBODY;
		if (item->orders.len > 0)
			add_order_line(r, item->orders, clean);
		return;
	}
	r->checked = add_item(r, item);
	if (item->orders.len > 0)
		add_order_line(r, item->orders, clean);
}

static void add_command(struct reader *r, const struct grammar_row *row, struct command *item,
                        struct span clean)
{
	item->line = r->line;
	item->text = clean;
	r->commands++;
	r->talk_lines = 0;
	if (verb_takes_orders(item->verb) || item->verb == CMD_ORDERS) {
		open_lines(r, item, clean);
		return;
	}
	r->checked = NOBODY;
	if ((row->flags & ROW_ENDS_ORDERS) != 0)
		r->stretch = NOBODY;
	r->done = (row->flags & ROW_ENDS_MAIL) != 0;
	(void)add_item(r, item);
}

static void count_talk(struct reader *r, struct span bare)
{
	if (!is_prose(bare))
		return;
	r->talk_lines++;
	if (r->talk_lines >= TALK_MAX_LINES)
		r->deaf = true;
}

static enum fit fit(struct reader *r, struct span bare, struct command *item,
                    const struct grammar_row **row, struct misfit *misfit)
{
	*row = NULL;
	*misfit = (struct misfit){.why = NULL};
	if (bare.len > COMMAND_MAX_BYTES)
		return FIT_NO;
	return grammar_fit_line(bare, r->arena, item, row, misfit);
}

static void read_unquoted(struct reader *r, struct span bare, struct span clean)
{
	const struct grammar_row *row;
	struct command item;
	struct misfit misfit;
	enum fit f = fit(r, bare, &item, &row, &misfit);

	if (f != FIT_NO && !is_meant_here(&r->place, row, &item, bare, r->arena)) {
		if ((row->verb == CMD_OFFICIAL || row->verb == CMD_BROADCAST) &&
		    r->place.first_block && !is_prose(bare))
			diags_add(
			    &r->out->diags, DIAG_ERROR, r->line, 0, clean,
			    row->verb == CMD_OFFICIAL ? row->example : "BROADCAST:",
			    "What everybody is to read needs a colon behind %s; nothing was sent.",
			    row->words);
		f = FIT_NO;
		row = NULL;
	}
	bool accepted = f == FIT_YES && !r->deaf && r->commands < r->max_commands;

	if (f == FIT_YES && r->deaf) {
		diags_add(
		    &r->out->diags, DIAG_WARNING, r->line, 0, clean, row->example,
		    "This was not carried out, because it stands below %d lines of talk; put "
		    "commands first.",
		    TALK_MAX_LINES);
	} else if (f == FIT_YES && r->commands == r->max_commands) {
		if (!r->full)
			diags_add(
			    &r->out->diags, DIAG_ERROR, r->line, 0, clean, "",
			    "One mail may hold %u commands; from here on nothing was carried "
			    "out.",
			    r->max_commands);
		r->full = true;
		/* Orders below may belong to a game that it names, or be for a mere check. */
		r->stretch = r->checked = NOBODY;
	} else if (f == FIT_YES) {
		add_command(r, row, &item, clean);
	} else if (f == FIT_REFUSED) {
		args_refuse(bare, row, &misfit, r->line, clean, r->arena, &r->out->diags);
	} else {
		if (!r->deaf)
			grammar_explain(bare, row, &misfit, r->line, clean, r->arena,
			                &r->out->diags);
		count_talk(r, bare);
		r->talk = r->talk || !is_greeting(bare);
		r->place.first_line = r->place.first_line && !r->talk;
		add_order_line(r, bare, clean);
	}
	/* Also below a line that is not carried out: a message is never tried as orders. */
	if (f != FIT_NO && ((row->flags & ROW_TAKES_TEXT) != 0 || item.create.text_below))
		message_open(&r->message, accepted ? &r->out->items[r->out->nitems - 1] : NULL,
		             r->nlines, r->arena);
}

/* False when the line is no part of the message that is open. */
static bool read_message(struct reader *r, struct span bare, struct span clean)
{
	const struct grammar_row *row;
	struct command item;
	struct misfit misfit;
	struct span rest = bare;
	bool ended = message_is_end_word(bare);

	/* One without an end word ends at the next PRESS TO, BROADCAST or DIARY, under no other name. */
	if (ended ||
	    (fit(r, bare, &item, &row, &misfit) == FIT_YES &&
	     (row->flags & ROW_TAKES_TEXT) != 0 && take_phrase(&rest, span_of(row->words)))) {
		message_close(&r->message, ended, false, r->arena);
		return ended;
	}
	message_add(&r->message, bare, clean);
	return true;
}

static bool is_command(struct reader *r, struct span bare)
{
	const struct grammar_row *row;
	struct command item;
	struct misfit misfit;

	return fit(r, bare, &item, &row, &misfit) == FIT_YES;
}

/* Kept for the caller, who can try it as an order; commands are pointed out here. */
static void read_barred(struct reader *r, struct span plain, struct span clean)
{
	struct span bare;

	while (plain.len > 0 && (plain.ptr[0] == '|' || plain.ptr[0] == ' '))
		plain = span_slice(plain, 1, plain.len);
	if (plain.len == 0)
		return;
	bare = text_bare(plain, r->arena);
	r->out->barred[r->out->nbarred++] = (struct text_line){r->line, bare};
	if (is_command(r, bare))
		diags_add(&r->out->diags, DIAG_NOTE, r->line, 0, clean,
		          arena_cstr(r->arena, bare),
		          "Lines behind '|' are not read; without it this would be a command.");
}

static bool ends_mail(struct reader *r, struct span raw, struct span plain)
{
	struct span bare = text_bare(plain, r->arena);

	r->out->stopped_at_signature = is_signature(raw);
	r->out->stopped_at_marker = span_starts(plain, text_marker);
	return r->out->stopped_at_signature || r->out->stopped_at_marker ||
	       span_eq_nocase(bare, "end") || span_eq_nocase(bare, "signoff") ||
	       span_eq_nocase(bare, "sign off");
}

/* Most lines of most mails, known without a closer look. */
static bool is_surely_unread(struct span raw)
{
	return raw.len == 0 || (raw.ptr[0] == '>' && !span_starts(raw, QUOTED_ADDED));
}

/* An empty line, or a quoted one. */
static bool pass_over(struct reader *r, struct span line)
{
	r->place.first_block = r->place.first_block && !r->talk;
	if (line.len == 0)
		message_add_gap(&r->message);
	else
		message_before_quote(&r->message);
	r->place.quote_above = r->place.quote_above || r->line == r->header ||
	                       (line.len > 0 && r->out->nlines > 0);
	return true;
}

/* False when nothing below is to be read. */
static bool read_line(struct reader *r, struct span raw)
{
	struct span clean, plain, marked = raw;
	bool added = span_starts(raw, QUOTED_ADDED);

	if (added)
		raw = span_slice(raw, strlen(QUOTED_ADDED), raw.len);
	if (is_surely_unread(raw))
		return pass_over(r, raw);
	clean = text_clean_line(raw, r->arena);
	plain = text_plain(clean, r->arena);
	if (plain.len == 0 || plain.ptr[0] == '>')
		return pass_over(r, plain);
	if (plain.ptr[0] == '|') {
		if (!r->message.open)
			read_barred(r, plain, clean);
		return true;
	}
	if (ends_mail(r, raw, plain))
		return false;
	if (!r->message.open && is_program_line(plain))
		return true;
	struct span bare = text_bare(plain, r->arena);
	if (added && !r->message.open && !is_command(r, bare))
		return pass_over(r, marked);
	r->out->lines[r->out->nlines++] = (struct text_line){r->line, clean};
	r->place.indented = *raw.ptr == '\t' || span_starts(raw, "    ");
	if (!r->message.open || !read_message(r, bare, clean))
		read_unquoted(r, bare, clean);
	return !r->done;
}

/* One item's orders, each line at its number. */
static struct span orders_of(const struct reader *r, size_t owner)
{
	struct strbuf text = STRBUF_INIT;
	struct span result;
	unsigned at = 1;

	for (unsigned n = 1; n <= r->line; n++) {
		if (r->orders[n].owner != owner || r->orders[n].text.len == 0)
			continue;
		strbuf_add_repeat(&text, '\n', n - at);
		strbuf_add_span(&text, r->orders[n].text);
		at = n;
	}
	result = arena_dup(r->arena, strbuf_span(&text));
	strbuf_release(&text);
	return result;
}

/*
 * CHECK or PREVIEW with nothing below it, and orders right above: those are meant. Storing what somebody
 * only wants to try would be the worse mistake.
 */
static void look_above(struct command_text *l)
{
	for (size_t i = 1; i < l->nitems; i++) {
		struct command *item = &l->items[i];

		if ((item->verb != CMD_CHECK && item->verb != CMD_PREVIEW) ||
		    item->orders.len > 0 || l->items[i - 1].verb != CMD_ORDERS ||
		    /* each line of orders is at its number */
		    span_count_char(l->items[i - 1].orders, '\n') + 2 != item->line)
			continue;
		item->orders = l->items[i - 1].orders;
		l->nitems--;
		memmove(&l->items[i - 1], item, (l->nitems - i + 1) * sizeof *item);
	}
}

/* CHECK in the subject speaks of the body; orders in a subject are not read. */
static void apply_to_body(struct command_text *l, const struct command *item)
{
	if (item->verb == CMD_ORDERS || item->orders.len > 0)
		return;
	for (size_t i = 0; i < l->nitems; i++) {
		l->items[i].verb = item->verb;
		l->items[i].number = item->number;
	}
}

static void read_subject(struct reader *r, struct span subject, struct span text)
{
	const struct place place = {.first_block = true, .first_line = true, .below = text};
	struct span clean = text_clean_line(subject, r->arena);
	struct span plain = text_subject(text_plain(clean, r->arena));
	struct span bare = text_bare(plain, r->arena);
	const struct grammar_row *row;
	struct command item;
	struct misfit misfit;

	if (fit(r, bare, &item, &row, &misfit) != FIT_YES ||
	    (row->flags & ROW_TAKES_TEXT) != 0 ||
	    !is_meant_here(&place, row, &item, bare, r->arena))
		return;
	item.text = plain;
	if (verb_takes_orders(item.verb) || item.verb == CMD_ORDERS) {
		apply_to_body(r->out, &item);
	} else {
		for (size_t i = r->out->nitems; i > 0; i--)
			r->out->items[i] = r->out->items[i - 1];
		r->out->items[0] = item;
		r->out->nitems++;
	}
}

struct line_count {
	size_t all, read;
};

static struct line_count count_lines(struct span text)
{
	struct line_count n = {0, 0};
	struct span line;

	while (n.all < TEXT_MAX_LINES && span_next_line(&text, &line)) {
		n.all++;
		n.read += !is_surely_unread(line);
	}
	return n;
}

static struct reader reader_start(struct span text, unsigned max_commands, struct arena *arena,
                                  struct command_text *out)
{
	struct line_count n = count_lines(text);
	struct reader r = {.arena = arena,
	                   .out = out,
	                   .stretch = NOBODY,
	                   .checked = NOBODY,
	                   .max_commands = max_commands};

	*out = (struct command_text){.diags = DIAGS_INIT};
	/* A line gives one item at most, and so does a stretch of orders; the subject may give one more. */
	size_t most = 2 * (size_t)max_commands + 1;
	out->items =
	    arena_calloc(arena, (n.read < most ? n.read : most) + 1, sizeof(*out->items));
	out->lines = arena_calloc(arena, n.read, sizeof(*out->lines));
	out->barred = arena_calloc(arena, n.read, sizeof(*out->barred));
	r.orders = arena_calloc(arena, n.all + 1, sizeof(*r.orders));
	r.nlines = n.all;
	return r;
}

bool command_text_has_command(const struct command_text *l)
{
	for (size_t i = 0; i < l->nitems; i++)
		if (l->items[i].verb != CMD_ORDERS)
			return true;
	return false;
}

void command_text_read(struct span text, struct span subject, unsigned max_commands,
                       struct arena *arena, struct command_text *out)
{
	unsigned header;
	struct span own = quoted_lines_mark(text, NULL, arena, &header);
	struct reader r = reader_start(own, max_commands, arena, out);
	struct span rest = own, line, plain;
	bool more = true;

	r.header = header;

	plain = text_plain(text_clean_line(subject, arena), arena);
	r.place.first_block = r.place.first_line = true;
	r.place.in_our_thread = plain.len > 0 && text_subject(plain).len == 0;
	while (more && r.line < TEXT_MAX_LINES && span_next_line(&rest, &line)) {
		r.line++;
		r.orders[r.line].owner = NOBODY;
		r.place.below = rest;
		more = read_line(&r, line);
	}
	while (!more && !out->stopped_at_signature && !out->stopped_at_marker &&
	       span_next_line(&rest, &line) && !is_signature(line))
		out->nbelow += !is_surely_unread(line);
	message_close(&r.message,
	              !more && !out->stopped_at_signature && !out->stopped_at_marker,
	              out->stopped_at_marker, r.arena);
	for (size_t i = 0; i < out->nitems; i++) {
		struct command *item = &out->items[i];

		if (item->verb == CMD_ORDERS || verb_takes_orders(item->verb))
			item->orders = orders_of(&r, i);
	}
	look_above(out);
	if (!command_text_has_command(out))
		read_subject(&r, subject, own);
}

void command_text_release(struct command_text *l)
{
	diags_release(&l->diags);
}

size_t command_text_count(const struct mail_in *mail)
{
	enum { TEXTS_MOST = 8, BYTES_MOST = 64 * 1024 };
	size_t n = 0, bytes = 0;

	while (n < mail->ntexts && n < TEXTS_MOST && bytes < BYTES_MOST)
		bytes += mail->texts[n++].text.len;
	return n;
}
