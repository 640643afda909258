/*
 * list_mails.c - mails that people wrote to each other, read as if a player of each game had sent them.
 *
 * Each file below the folder BENCH_MAILS is one mail, as archives of mailing lists and collections
 * for spam filters have them; none are part of this program. Each goes through the parsing child,
 * the reader of commands and each game, before its first turn and after. Printed is every mail that
 * came to an order or a command, and at the end how many did. None may come to an order, or to a
 * command that others notice; a mail of one line, "help", asks for help wherever it is sent.
 *
 * BENCH_MAILS=tests/mail/corpus: whose mails are orders, to see that something is found
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mail/parser.h"
#include "processor/base/env.h"
#include "processor/base/file.h"
#include "tests/support/bench.h"
#include "tests/support/parse_child.h"
#include "tests/support/play.h"
#include "tests/support/reader.h"

enum { BATCH = 64, LARGEST = 32 << 20, MOST_SEATS = 16 };

struct readers {
	struct play plays[MOST_SEATS];
	struct reader_seat seats[MOST_SEATS];
	size_t n;
	struct parser *parser;
	struct arena *arena; /* of the batch */
	const char *names[BATCH];
	struct span raws[BATCH];
	size_t nraws;
	unsigned mails, unreadable, with_orders, with_commands, noticed;
};

/* The first seat that owes something, in a position `turns` after the beginning. */
static void seat_after(struct readers *r, const struct rules *rules, unsigned turns)
{
	struct play *p = &r->plays[r->n];

	ENSURE(play_start(p, rules, rules->usual_seats, 7));
	while (turns-- > 0 && play_goes_on(p))
		ENSURE(play_turn(p));
	for (unsigned seat = 1; seat <= MAX_SEATS; seat++)
		if (seat_in(rules->owes(p->now), seat)) {
			r->seats[r->n++] =
			    (struct reader_seat){.rules = rules, .state = p->now, .seat = seat};
			return;
		}
	play_release(p);
}

/* Answered to who wrote, noted for him alone, or of no effect unless he was asked. */
static bool only_he_notices(struct span commands)
{
	static const char *const words[] = {"help", "?",     "get",  "info",  "list",
	                                    "note", "diary", "yes",  "no",    "status",
	                                    "who",  "games", "show", "check", "unsubscribe"};
	struct span line;

	while (span_next_line(&commands, &line)) {
		bool known = line.len == 0;

		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			known = known || span_starts_nocase(line, words[i]);
		if (!known)
			return false;
	}
	return true;
}

static void read_mail(struct readers *r, const char *name, const struct mail_in *mail)
{
	bool orders = false, commands = false, noticed = false;

	r->mails++;
	r->unreadable += mail->fault != MAIL_OK || mail->ntexts == 0;
	if (mail->fault != MAIL_OK)
		return;
	for (size_t i = 0; i < r->n; i++) {
		struct reader_result result;

		reader_read(&r->seats[i], mail, r->arena, &result);
		if (result.orders.len > 0)
			printf("%s, %s, orders: %s\n", name, r->seats[i].rules->name,
			       result.orders.ptr);
		if (result.commands.len > 0 && !commands)
			printf("%s, commands: %s\n", name, result.commands.ptr);
		orders = orders || result.orders.len > 0;
		commands = commands || result.commands.len > 0;
		noticed = noticed || !only_he_notices(strbuf_span(&result.commands));
		reader_release(&result);
	}
	r->with_orders += orders;
	r->with_commands += commands;
	r->noticed += noticed;
}

static void read_batch(struct readers *r)
{
	struct mail_in mails[BATCH];
	struct failure e = ERR_INIT;

	ENSURE(parser_batch(r->parser, r->raws, r->nraws, r->arena, mails, &e) == ERR_NONE);
	for (size_t i = 0; i < r->nraws; i++)
		read_mail(r, r->names[i], &mails[i]);
	arena_free(r->arena);
	r->arena = arena_new();
	r->nraws = 0;
}

static void take_file(struct readers *r, const char *path)
{
	struct strbuf bytes = STRBUF_INIT;
	struct failure e = ERR_INIT;

	if (file_read(path, LARGEST, &bytes, &e) != ERR_NONE) {
		err_release(&e);
		return;
	}
	r->names[r->nraws] = arena_cstr(r->arena, span_of(path));
	r->raws[r->nraws++] = arena_dup(r->arena, strbuf_span(&bytes));
	strbuf_release(&bytes);
	if (r->nraws == BATCH)
		read_batch(r);
}

static void take_folder(struct readers *r, const char *folder)
{
	DIR *d = opendir(folder);
	struct dirent *entry;

	if (!d) {
		take_file(r, folder);
		return;
	}
	while ((entry = readdir(d)) != NULL) {
		struct strbuf path = STRBUF_INIT;

		if (entry->d_name[0] == '.')
			continue;
		strbuf_addf(&path, "%s/%s", folder, entry->d_name);
		take_folder(r, path.ptr);
		strbuf_release(&path);
	}
	closedir(d);
}

int main(void)
{
	const char *folder = env_get("BENCH_MAILS");
	struct readers r = {.arena = arena_new()};

	r.parser = parser_new(parse_child_exe(), &parser_default_limits);
	for (size_t i = 0; i < rules_count(); i++) {
		seat_after(&r, rules_at(i), 0);
		seat_after(&r, rules_at(i), 2);
	}
	take_folder(&r, folder ? folder : "tests/mail/prose");
	if (r.nraws > 0)
		read_batch(&r);
	printf("%u mails, %u without a text that can be read\n", r.mails, r.unreadable);
	bench_at_most("mails of people to each other: orders", r.with_orders, 0);
	bench_at_most("mails of people to each other: commands that others notice", r.noticed,
	              0);
	bench_at_most("mails of people to each other: commands at all, of 1,000",
	              r.mails ? 1000.0 * r.with_commands / r.mails : 0, 5);
	parser_free(r.parser);
	arena_free(r.arena);
	for (size_t i = 0; i < r.n; i++)
		play_release(&r.plays[i]);
	return r.with_orders + r.noticed == 0 ? 0 : 1;
}
