/*
 * test_corpus.c - mails of an odd charset or MIME structure, and what is read out of them.
 *
 * Each tests/mail/corpus/NAME.eml holds orders of Whakka Mole as real mail programs packed them; NAME.expected
 * says what it comes to: the orders, and every line that is passed over or refused. The mails go through
 * the parsing child, the letter and the game. UPDATE=1 rewrites the expected files; a person reads
 * the difference. How programs quote is not here: test_answers makes that of today's mails.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mail/parser.h"
#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/base/seal.h"
#include "tests/support/parse_child.h"
#include "tests/support/reader.h"

#define CORPUS "tests/mail/corpus"

enum { MOST = 400, LARGEST = 1 << 20 };

struct corpus {
	char *names[MOST];
	struct span raws[MOST];
	struct mail_in mails[MOST];
	size_t n;
	struct arena *arena;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_names(struct corpus *c)
{
	DIR *d = opendir(CORPUS);
	struct dirent *entry;

	cr_assert(d);
	while ((entry = readdir(d)) != NULL) {
		size_t len = strlen(entry->d_name);

		if (len <= 4 || strcmp(entry->d_name + len - 4, ".eml") != 0)
			continue;
		cr_assert_lt(c->n, MOST);
		c->names[c->n++] =
		    arena_printf(c->arena, "%.*s", (int)(len - 4), entry->d_name);
	}
	closedir(d);
	qsort(c->names, c->n, sizeof(c->names[0]), by_name);
}

static struct span read_whole(struct arena *arena, const char *name, const char *suffix)
{
	const char *path = arena_printf(arena, CORPUS "/%s%s", name, suffix);
	struct strbuf bytes = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct span s;

	cr_assert_eq(file_read(path, LARGEST, &bytes, &e), ERR_NONE, "%s", e.text.ptr);
	s = arena_dup(arena, strbuf_span(&bytes));
	strbuf_release(&bytes);
	err_release(&e);
	return s;
}

static void parse_all(struct corpus *c)
{
	struct parser *p = parser_new(parse_child_exe(), &parser_default_limits);
	struct failure e = ERR_INIT;

	for (size_t i = 0; i < c->n; i++)
		c->raws[i] = read_whole(c->arena, c->names[i], ".eml");
	cr_assert_eq(parser_batch(p, c->raws, c->n, c->arena, c->mails, &e), ERR_NONE, "%s",
	             e.text.ptr);
	parser_free(p);
	err_release(&e);
}

static void write_expected(const char *name, struct span text)
{
	struct strbuf path = STRBUF_INIT;
	FILE *f;

	strbuf_addf(&path, CORPUS "/%s.expected", name);
	f = fopen(path.ptr, "w");
	cr_assert(f && fwrite(text.ptr, 1, text.len, f) == text.len && fclose(f) == 0);
	strbuf_release(&path);
}

static void show_difference(const char *name, struct span expected, struct span got)
{
	struct span e, g;
	unsigned line = 0;
	bool more_e = true, more_g = true;

	do {
		line++;
		more_e = span_next_line(&expected, &e);
		more_g = span_next_line(&got, &g);
	} while (more_e && more_g && span_eq(e, g));
	cr_expect(false, "%s, line %u\n  wanted: %.*s\n  read:   %.*s", name, line,
	          SPAN_ARGS(more_e ? e : SPAN_EMPTY), SPAN_ARGS(more_g ? g : SPAN_EMPTY));
}

static void check_mail(struct corpus *c, size_t i, const struct reader_seat *at)
{
	struct strbuf got = STRBUF_INIT;
	struct reader_result r;
	struct span expected;

	if (c->mails[i].fault == MAIL_OK) {
		reader_read(at, &c->mails[i], c->arena, &r);
		reader_describe(&r, &c->mails[i], &got);
		reader_release(&r);
	} else {
		strbuf_addf(&got, "fault: %s\n", mail_fault_name(c->mails[i].fault));
	}
	if (env_get("UPDATE"))
		write_expected(c->names[i], strbuf_span(&got));
	expected = read_whole(c->arena, c->names[i], ".expected");
	if (!span_eq(expected, strbuf_span(&got)))
		show_difference(c->names[i], expected, strbuf_span(&got));
	strbuf_release(&got);
}

static struct corpus *corpus_open(void)
{
	struct corpus *c = xcalloc(1, sizeof(*c));

	seal_start();
	c->arena = arena_new();
	list_names(c);
	parse_all(c);
	return c;
}

static void corpus_close(struct corpus *c)
{
	arena_free(c->arena);
	free(c);
}

static struct game_state *whakka_for_three(const struct rules **rules)
{
	const struct seat_names names = {3, {NULL, "Ann", "Bob", "Cy"}};
	struct chance *chance = chance_from_seed(4, "corpus");
	struct strbuf why = STRBUF_INIT;
	struct game_state *state = NULL;
	struct options options;

	*rules = rules_find(SPAN_LIT("whakka-mole"));
	options_init(&options, *rules);
	cr_assert((*rules)->new_game(&options, &names, chance, &state, &why), "%s", why.ptr);
	chance_free(chance);
	strbuf_release(&why);
	return state;
}

Test(corpus, every_answer_is_read_as_its_writer_meant_it)
{
	struct corpus *c = corpus_open();
	const struct rules *rules;
	struct game_state *state = whakka_for_three(&rules);
	const struct reader_seat ann = {.rules = rules, .state = state, .seat = 1};

	cr_expect_geq(c->n, 36);
	for (size_t i = 0; i < c->n; i++)
		check_mail(c, i, &ann);
	rules->free_state(state);
	corpus_close(c);
}
