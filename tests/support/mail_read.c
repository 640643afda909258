/*
 * mail_read.c - what a mail was read as, on one line.
 */
#include "tests/support/mail_read.h"

#include <criterion/criterion.h>

#include "processor/base/utf8.h"

static void add_text(struct strbuf *out, const char *name, struct span value)
{
	if (value.len > 0)
		strbuf_addf(out, " %s=%.*s", name, SPAN_ARGS(value));
}

static void add_number(struct strbuf *out, const char *name, int64_t value)
{
	if (value != 0)
		strbuf_addf(out, " %s=%lld", name, (long long)value);
}

static void add_create(struct strbuf *out, const struct create_arguments *c)
{
	add_text(out, "title", c->title);
	add_number(out, "players", c->players);
	add_number(out, "bots", c->bots);
	if (c->kind != NULL && c->bot_level != BOT_LEVEL_USUAL)
		strbuf_addf(out, " level=%u", c->bot_level);
	add_number(out, "next", c->next_s);
	add_number(out, "private", c->is_private);
	add_number(out, "master", c->presides);
	add_text(out, "gamekey", c->key);
	add_text(out, "calendar", c->calendar);
	add_number(out, "reliability", c->reliability);
	add_number(out, "without-operator", c->without_operator);
	add_text(out, "options", c->options);
}

/* Line ends of orders become '/', one for every line. */
static void add_orders(struct strbuf *out, struct span orders)
{
	if (orders.len == 0)
		return;
	strbuf_addc(out, ' ');
	for (size_t i = 0; i < orders.len; i++)
		strbuf_addc(out, orders.ptr[i] == '\n' ? '/' : orders.ptr[i]);
}

static void add_when(struct strbuf *out, const struct when *w)
{
	static const char signs[] = {[WHEN_IN] = '=', [WHEN_MORE] = '+', [WHEN_AT] = '@'};

	if (w->s != 0)
		strbuf_addf(out, " when%c%lld", signs[w->how], (long long)w->s);
}

static void add_item(struct strbuf *out, const struct command *item)
{
	if (out->len > 0)
		strbuf_adds(out, "; ");
	utf8_add_folded(out, span_of(verb_words(item->verb)));
	if (item->game != 0)
		strbuf_addf(out, " %c%lld", item->game_letter != '\0' ? item->game_letter : '#',
		            (long long)item->game);
	if (item->kind != NULL)
		strbuf_addf(out, " kind=%s", item->kind->name);
	add_number(out, "seat", item->seat);
	add_number(out, "number", item->number);
	add_number(out, "from", item->from);
	add_number(out, "to", item->to);
	add_when(out, &item->when);
	add_number(out, "off", item->off);
	add_text(out, "topic", item->topic);
	add_text(out, "name", item->name);
	add_text(out, "key", item->key);
	add_create(out, &item->create);
	add_orders(out, item->orders);
	add_number(out, "anon", item->unnamed);
	add_number(out, "wait", item->wait);
	if (item->message.len > 0)
		add_text(out, item->ended ? "text" : "open", SPAN_LIT(" "));
	add_orders(out, item->message);
}

void command_text_add_items(struct strbuf *out, const struct command_text *l)
{
	for (size_t i = 0; i < l->nitems; i++)
		add_item(out, &l->items[i]);
}

struct mail_read read_mail_bytes(struct span text, const char *subject)
{
	struct mail_read r = {.arena = arena_new(), .items = STRBUF_INIT};

	command_text_read(text, span_of(subject), USUAL_COMMANDS, r.arena, &r.text);
	command_text_add_items(&r.items, &r.text);
	return r;
}

struct mail_read read_mail(const char *text, const char *subject)
{
	return read_mail_bytes(span_of(text), subject);
}

void mail_read_release(struct mail_read *r)
{
	command_text_release(&r->text);
	strbuf_release(&r->items);
	arena_free(r->arena);
}

void expect_items(const char *text, const char *subject, const char *items)
{
	struct mail_read r = read_mail(text, subject);

	cr_expect_str_eq(r.items.ptr, items, "%s\nread as: %s\nexpected: %s", text, r.items.ptr,
	                 items);
	mail_read_release(&r);
}

void expect_all_items(const struct letter_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++)
		expect_items(cases[i].text, "", cases[i].items);
}
