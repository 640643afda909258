/*
 * mail_texts.c - command texts on their way from the child to the program.
 *
 * One list of fields records and plays, so the two cannot disagree (codec.h).
 */
#include "processor/commandtext/mail_texts.h"

#include "mail/text/charset.h"
#include "processor/base/codec.h"
#include "processor/commandtext/same_words.h"
#include "processor/games/registry.h"

enum { TEXTS_TRIED = 8, BYTES_TRIED = 64 * 1024 };
/* As much as a text can come to, or the child could have the program make room for anything. */
enum { LINES_MOST = 4000, ITEMS_MOST = 2 * LINES_MOST };

size_t mail_texts_to_try(const struct mail_in *mail)
{
	size_t n = 0, bytes = 0;

	while (n < mail->ntexts && n < TEXTS_TRIED && bytes < BYTES_TRIED)
		bytes += mail->texts[n++].text.len;
	return n;
}

/* ---- fields ---- */

static void codec_clean(struct codec *t, struct span *value)
{
	codec_span(t, value);
	if (!codec_records(t) && value->len > 0 && !charset_text_is_clean(*value))
		t->failed = true;
}

static void codec_enum(struct codec *t, unsigned *value, unsigned most)
{
	codec_uint(t, value);
	if (!codec_records(t) && *value > most)
		t->failed = true;
}

static void codec_count_to(struct codec *t, size_t *n, size_t most)
{
	codec_count(t, n);
	if (!codec_records(t) && *n > most) {
		t->failed = true;
		*n = 0;
	}
}

/* By its name: the newest version is what a command means. */
static void codec_kind(struct codec *t, const struct rules **kind)
{
	struct span name = codec_records(t) && *kind ? span_of((*kind)->name) : SPAN_EMPTY;

	codec_span(t, &name);
	if (!codec_records(t))
		*kind = name.len > 0 ? rules_find(name) : NULL;
}

static void codec_letter(struct codec *t, char *letter)
{
	unsigned n = (unsigned char)*letter;

	codec_enum(t, &n, 'z');
	*letter = (char)n;
}

static void codec_create(struct codec *t, struct create_arguments *c)
{
	codec_kind(t, &c->kind);
	codec_clean(t, &c->title);
	codec_uint(t, &c->players);
	codec_uint(t, &c->bots);
	codec_bool(t, &c->says_bots);
	codec_uint(t, &c->bot_level);
	codec_int(t, &c->next_s);
	codec_clean(t, &c->calendar);
	codec_bool(t, &c->is_private);
	codec_clean(t, &c->key);
	codec_uint(t, &c->press);
	codec_uint(t, &c->delivery);
	codec_uint(t, &c->observers);
	codec_bool(t, &c->presides);
	codec_uint(t, &c->reliability);
	codec_bool(t, &c->without_operator);
	codec_bool(t, &c->ready);
	codec_clean(t, &c->guests);
	codec_clean(t, &c->options);
}

static void codec_when(struct codec *t, struct when *w)
{
	unsigned how = w->how;

	codec_enum(t, &how, WHEN_AT);
	w->how = how;
	codec_int(t, &w->s);
}

static void codec_command(struct codec *t, struct command *c)
{
	unsigned verb = c->verb, wait = c->wait;
	/* Most commands are not about a new game, and most are orders and nothing else. */
	bool creates = c->verb == CMD_CREATE || c->verb == CMD_FORK || c->verb == CMD_PRACTICE;

	codec_enum(t, &verb, CMD_VOTE);
	c->verb = (enum verb)verb;
	codec_uint(t, &c->line);
	codec_clean(t, &c->text);
	codec_clean(t, &c->orders);
	if (c->verb == CMD_ORDERS)
		return;
	codec_int(t, &c->game);
	codec_letter(t, &c->game_letter);
	codec_kind(t, &c->kind);
	codec_uint(t, &c->seat);
	codec_uint(t, &c->number);
	codec_uint(t, &c->from);
	codec_uint(t, &c->to);
	codec_clean(t, &c->topic);
	codec_clean(t, &c->name);
	codec_clean(t, &c->key);
	codec_when(t, &c->when);
	codec_bool(t, &c->off);
	codec_bool(t, &creates);
	if (creates)
		codec_create(t, &c->create);
	codec_clean(t, &c->message);
	codec_bool(t, &c->ended);
	codec_bool(t, &c->unnamed);
	codec_bool(t, &c->unrated);
	codec_enum(t, &wait, WAIT_NO_MORE);
	c->wait = (enum wait_wish)wait;
}

static void codec_lines(struct codec *t, struct text_line **lines, size_t *n)
{
	codec_count_to(t, n, LINES_MOST);
	if (!codec_records(t))
		*lines = arena_calloc(t->arena, *n, sizeof(**lines));
	for (size_t i = 0; i < *n && !t->failed; i++) {
		codec_uint(t, &(*lines)[i].line);
		codec_clean(t, &(*lines)[i].text);
	}
}

static void codec_diag(struct codec *t, struct diags *diags, size_t i)
{
	static const struct diag none = {0};
	const struct diag *d = codec_records(t) ? &diags->items[i] : &none;
	unsigned level = d->level, line = d->line, column = d->column;
	const char *message = d->message, *example = d->example;
	struct span quoted = span_of(d->quoted);

	codec_enum(t, &level, DIAG_ERROR);
	codec_uint(t, &line);
	codec_uint(t, &column);
	codec_clean(t, &quoted);
	codec_text(t, &message);
	codec_text(t, &example);
	if (!codec_records(t) && !t->failed && message && example)
		diags_add(diags, (enum diag_level)level, line, column, quoted, example, "%s",
		          message);
}

static void codec_command_text(struct codec *t, struct command_text *c)
{
	size_t ndiags = c->diags.count;

	codec_count_to(t, &c->nitems, ITEMS_MOST);
	if (!codec_records(t))
		c->items = arena_calloc(t->arena, c->nitems, sizeof(*c->items));
	for (size_t i = 0; i < c->nitems && !t->failed; i++)
		codec_command(t, &c->items[i]);
	codec_lines(t, &c->lines, &c->nlines);
	codec_lines(t, &c->barred, &c->nbarred);
	codec_count_to(t, &ndiags, DIAGS_MOST);
	for (size_t i = 0; i < ndiags && !t->failed; i++)
		codec_diag(t, &c->diags, i);
	codec_uint(t, &c->quote_line);
	codec_bool(t, &c->stopped_at_signature);
	codec_bool(t, &c->stopped_at_marker);
}

/* ---- there and back ---- */

/* A proof that is to be verified is an attachment. */
static void add_enclosed(struct quick_hasher *h, const struct mail_in *mail)
{
	for (size_t i = 0; i < mail->enclosed.count; i++)
		quick_hasher_add(h, mail->enclosed.items[i]);
}

void mail_texts_read(const struct mail_in *mail, unsigned max_commands, struct arena *arena,
                     struct strbuf *out)
{
	struct strbuf texts = STRBUF_INIT;
	struct codec t = codec_record(&texts), head = codec_record(out);
	size_t n = mail->fault == MAIL_OK ? mail_texts_to_try(mail) : 0;
	struct hash digest;
	struct quick_hasher h;

	quick_hasher_start(&h);
	codec_uint(&t, &max_commands);
	codec_count(&t, &n);
	for (size_t i = 0; i < n; i++) {
		struct command_text c;
		struct strbuf one = STRBUF_INIT;
		struct codec inner = codec_record(&one);

		command_text_read(mail->texts[i].text, mail->subject, max_commands, arena, &c);
		codec_command_text(&inner, &c);
		struct span bytes = strbuf_span(&one);
		codec_span(&t, &bytes);
		if (!mail->texts[i].is_html || mail->texts[0].is_html)
			same_words_add(&h, mail->texts[i].text, &c, arena);
		command_text_release(&c);
		strbuf_release(&one);
	}
	add_enclosed(&h, mail);
	digest = quick_hasher_end(&h);
	codec_hash(&head, &digest);
	strbuf_add_span(out, strbuf_span(&texts));
	strbuf_release(&texts);
}

bool mail_texts_same_words(const struct mail_in *mail, struct hash *digest)
{
	struct codec t = codec_play(mail->read, NULL);

	codec_hash(&t, digest);
	return mail->fault == MAIL_OK && !t.failed;
}

/* False: the child has not read it, or what it said is no command text. */
static bool take(const struct mail_in *mail, size_t i, unsigned max_commands,
                 struct arena *arena, struct command_text *out)
{
	struct codec t = codec_play(mail->read, arena);
	struct span bytes = SPAN_EMPTY;
	struct hash digest;
	unsigned max = 0;
	size_t n = 0;

	codec_hash(&t, &digest);
	codec_uint(&t, &max);
	codec_count_to(&t, &n, TEXTS_TRIED);
	if (t.failed || max != max_commands || i >= n)
		return false;
	for (size_t k = 0; k <= i; k++)
		codec_span(&t, &bytes);
	struct codec inner = codec_play(bytes, arena);
	*out = (struct command_text){.diags = DIAGS_INIT};
	codec_command_text(&inner, out);
	if (!t.failed && codec_is_over(&inner))
		return true;
	command_text_release(out);
	return false;
}

void mail_text_command(const struct mail_in *mail, size_t i, unsigned max_commands,
                       struct arena *arena, struct command_text *out)
{
	if (mail->read.len == 0 || !take(mail, i, max_commands, arena, out))
		command_text_read(mail->texts[i].text, mail->subject, max_commands, arena, out);
}
