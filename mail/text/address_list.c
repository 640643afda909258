/*
 * address_list.c - one mailbox after the other, off the front of a field.
 *
 * What stands between two separators is collected twice until it is known what it is: as the words of
 * a name, and as `bare`, which is an address if no angle comes.
 */
#include "mail/text/address_list.h"

#include "mail/text/encoded_words.h"
#include "processor/base/strbuf.h"

/* The length of a quoted string or comment at the start of s, its ends included; 0: it has no end. */
static size_t enclosed_length(struct span s, char open, char close)
{
	size_t depth = 0;

	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] == '\\')
			i++;
		else if (s.ptr[i] == close && (open != close || i > 0) && --depth == 0)
			return i + 1;
		else if (s.ptr[i] == open)
			depth++;
	}
	return 0;
}

/*
 * The length of an encoded word with its end. It may hold any of the list's own characters, but not "<" and
 * "@" behind it: other programs might find an address there.
 */
static size_t word_length(struct address_list *list)
{
	struct span s = list->rest;
	struct encoded_word word;
	bool angle = false;
	size_t i;

	if (s.ptr < list->no_word_before || !encoded_word_opens(s, &word))
		return 0;
	for (i = word.len; i < s.len && !(angle && s.ptr[i] == '@'); i++) {
		if (span_starts(span_slice(s, i, s.len), "?="))
			return i + 2;
		angle = angle || s.ptr[i] == '<';
	}
	list->no_word_before = s.ptr + i;
	return 0;
}

/*
 * What has its own end and stands next in the list, off its front: 'q' for a quoted string, 'c' for a
 * comment, 'w' for an encoded word, 0 for none of them.
 */
static char take_enclosed(struct address_list *list, bool at_word, struct span *out)
{
	char kind = 0, c = list->rest.ptr[0];
	size_t len = 0;

	if (c == '"' && !list->no_quotes) {
		len = enclosed_length(list->rest, '"', '"');
		list->no_quotes = len == 0;
		kind = 'q';
	} else if (c == '(' && !list->no_comments) {
		len = enclosed_length(list->rest, '(', ')');
		list->no_comments = len == 0;
		kind = 'c';
	} else if (c == '=' && at_word) {
		len = word_length(list);
		kind = 'w';
	}
	*out = span_slice(list->rest, 0, len);
	list->rest = span_slice(list->rest, len, list->rest.len);
	return len > 0 ? kind : '\0';
}

/*
 * Behind "<", up to ">" or what shows that there is none. A route ends at ':' (RFC 5322, 4.4). Blanks
 * are left out wherever they are: some programs fold there.
 */
static void take_angle(struct address_list *list, struct strbuf *address)
{
	struct span whole;

	while (list->rest.len > 0) {
		char c = list->rest.ptr[0], kind = take_enclosed(list, false, &whole);
		bool route = address->len > 0 && address->ptr[0] == '@';

		if (kind == 'q')
			strbuf_add_span(address, whole);
		if (kind)
			continue;
		if (c == '<' || (!route && (c == ',' || c == ';')))
			return;
		list->rest = span_slice(list->rest, 1, list->rest.len);
		if (c == '>')
			return;
		if (c == ':' && route)
			strbuf_clear(address);
		else if (!ascii_is_blank(c))
			strbuf_addc(address, c);
	}
}

struct collected {
	struct strbuf name, bare;
	bool gap;     /* in bare */
	bool in_word; /* of the name */
	bool has_at;  /* in bare, outside of words that are quoted or encoded */
};

/* A blank that was before it counts unless '.' or '@' is beside it. */
static void add_bare(struct collected *c, char byte)
{
	char before = c->bare.len > 0 ? c->bare.ptr[c->bare.len - 1] : '.';

	if (c->gap && before != '.' && before != '@' && byte != '.' && byte != '@')
		strbuf_addc(&c->bare, ' ');
	c->gap = false;
	strbuf_addc(&c->bare, byte);
}

static void add_name_word(struct collected *c, struct span word)
{
	if (c->name.len > 0)
		strbuf_addc(&c->name, ' ');
	strbuf_add_span(&c->name, word);
	c->in_word = false;
}

static void add_quoted_name(struct collected *c, struct span quoted)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 1; i + 1 < quoted.len; i++) {
		char byte = quoted.ptr[i];

		if (byte == '\\' && i + 2 < quoted.len)
			strbuf_addc(&text, quoted.ptr[++i]);
		else if (!ascii_is_blank(byte))
			strbuf_addc(&text, byte);
		else if (!ascii_is_blank(quoted.ptr[i - 1]))
			strbuf_addc(&text, ' ');
	}
	add_name_word(c, strbuf_span(&text));
	strbuf_release(&text);
}

/* Nothing of it may pass for an address or part one: no address we write to has quotes. */
static void add_quoted_bare(struct collected *c, struct span word)
{
	add_bare(c, '"');
	for (size_t i = 0; i < word.len; i++)
		strbuf_addc(&c->bare, ascii_is_blank(word.ptr[i]) || word.ptr[i] == '@'
		                          ? '"'
		                          : word.ptr[i]);
	strbuf_addc(&c->bare, '"');
}

/* The last word if it alone has an '@': "Ann ann@example.org". Else all. */
static struct span bare_address(const struct collected *c)
{
	struct span all = strbuf_span(&c->bare);
	size_t start = all.len, at;

	while (start > 0 && all.ptr[start - 1] != ' ')
		start--;
	at = span_find_char(all, '@');
	return at < start || at == all.len ? all : span_slice(all, start, all.len);
}

/*
 * What was collected up to a separator is a mailbox. Not so if there is nothing, or a few words behind
 * "<...>" that are no address.
 */
static bool ends_mailbox(const struct address_list *list, const struct collected *c)
{
	return c->has_at || (c->bare.len > 0 && !list->behind_angle);
}

/* Up to the end of one mailbox; true if it was in angles, and *address is what was in them. */
static bool collect(struct address_list *list, struct collected *c, struct strbuf *address)
{
	struct span whole;

	while (list->rest.len > 0) {
		char byte = list->rest.ptr[0], kind = take_enclosed(list, !c->in_word, &whole);

		if (kind == 'q')
			add_quoted_name(c, whole);
		else if (kind)
			add_name_word(c, whole);
		if (kind == 'q' || kind == 'w')
			add_quoted_bare(c, whole);
		c->gap = c->gap || kind == 'c';
		if (kind)
			continue;
		/* `ann@a.org (oops <bob@b.org>`: who knows; two mailboxes. */
		if (byte == '<' && c->has_at && (list->no_quotes || list->no_comments))
			return false;
		list->rest = span_slice(list->rest, 1, list->rest.len);
		if (byte == '<') {
			take_angle(list, address);
			return true;
		}
		if (byte == ',' || byte == ';' || byte == ':') {
			bool ends = byte == ':' ? c->has_at : ends_mailbox(list, c);

			list->behind_angle = false;
			if (ends)
				return false;
			strbuf_clear(&c->name);
			strbuf_clear(&c->bare);
			c->in_word = c->gap = false;
		} else if (ascii_is_blank(byte) || byte == '>') {
			c->in_word = false;
			c->gap = true;
		} else {
			if (c->name.len > 0 && !c->in_word)
				strbuf_addc(&c->name, ' ');
			strbuf_addc(&c->name, byte);
			c->in_word = true;
			c->has_at = c->has_at || byte == '@';
			add_bare(c, byte);
		}
	}
	return false;
}

bool address_list_next(struct address_list *list, struct arena *arena, struct mailbox *out)
{
	struct collected c = {.name = STRBUF_INIT, .bare = STRBUF_INIT};
	struct strbuf address = STRBUF_INIT;
	bool in_angles = collect(list, &c, &address);
	bool found = in_angles || ends_mailbox(list, &c);

	*out = (struct mailbox){SPAN_EMPTY, SPAN_EMPTY};
	if (in_angles) {
		out->name = arena_dup(arena, strbuf_span(&c.name));
		out->address = arena_dup(arena, strbuf_span(&address));
	} else if (found) {
		out->address = arena_dup(arena, bare_address(&c));
	}
	list->behind_angle = in_angles;
	strbuf_release(&c.name);
	strbuf_release(&c.bare);
	strbuf_release(&address);
	return found;
}
