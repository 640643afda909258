/*
 * test_prefetch.c - mails fetched and parsed ahead.
 */
#include <criterion/criterion.h>

#include "mail/source/private.h"
#include "processor/commandtext/command_text.h"
#include "processor/intake/prefetch.h"
#include "tests/support/parse_child.h"

enum { MANY = 1000, BATCH = 130, SOURCES = 2 };

/* What a source says when mail n is asked for. */
typedef enum err answer_fn(unsigned n);

/* Two sources, whose mails come by turns, and who fetches them ahead. */
struct post {
	struct arena *arena;
	struct config cfg;
	answer_fn *answer;
	struct source sources[SOURCES];
	bool out[SOURCES];
	struct found_mail list[MANY];
	struct prefetch *prefetch;
	struct strbuf told; /* what came, and what was lost, a word each */
	size_t batches;
};

static enum err fetch(struct source *s, const struct source_mail *m, size_t max,
                      struct strbuf *raw, struct failure *e)
{
	const struct post *p = s->state;
	unsigned n = (unsigned)m->size;
	enum err rc = p->answer(n);

	(void)max;
	if (rc == ERR_NONE || rc == ERR_LIMIT)
		strbuf_addf(raw,
		            "From: p%u@example.org\nMessage-ID: <%u@example.org>\n\npopup %u\n",
		            n, n, n);
	return rc == ERR_NONE ? rc : err_set(e, rc, "lost-%u", n);
}

static bool is_here(struct source *s, const struct source_mail *m)
{
	(void)s;
	(void)m;
	return true;
}

static const struct source_driver driver = {
    .scheme = "test", .fetch = fetch, .is_here = is_here};

static void poll_nothing(void *ctx)
{
	(void)ctx;
}

static void note_loss(void *ctx, enum err rc, const char *why)
{
	struct post *p = ctx;

	cr_assert(rc == ERR_INVALID || rc == ERR_IO);
	strbuf_addf(&p->told, "%s ", why);
}

static struct post *post_new(answer_fn *answer)
{
	struct post *p = xcalloc(1, sizeof(*p));
	struct prefetch_hooks hooks = {p, poll_nothing, note_loss};

	(void)parse_child_exe(); /* links it in: its children are this program */
	p->arena = arena_new();
	p->answer = answer;
	strbuf_init(&p->told);
	p->cfg.limits = mail_usual_limits;
	p->cfg.max_commands = USUAL_COMMANDS;
	p->cfg.max_parse_seconds = 60;
	for (unsigned i = 0; i < SOURCES; i++)
		p->sources[i] = (struct source){.driver = &driver, .state = p};
	for (unsigned i = 0; i < MANY; i++) {
		p->list[i].source = &p->sources[i % SOURCES];
		p->list[i].is_out = &p->out[i % SOURCES];
		p->list[i].mail = (struct source_mail){
		    .id = span_of(arena_printf(p->arena, "%u", i)), .size = i};
	}
	p->prefetch = prefetch_new(&p->cfg, &hooks);
	return p;
}

static void post_free(struct post *p)
{
	prefetch_free(p->prefetch);
	strbuf_release(&p->told);
	arena_free(p->arena);
	free(p);
}

/* One mail as it was handed out. */
static void tell(struct post *p, const struct arrival *a)
{
	struct span id = a->found.id;

	if (a->condemned)
		strbuf_addf(&p->told, "condemned-%.*s ", SPAN_ARGS(id));
	else if ((a->mail.flags & MAIL_TEXT_CUT) != 0)
		strbuf_addf(&p->told, "large-%.*s ", SPAN_ARGS(id));
	else
		strbuf_addf(&p->told, "%.*s ", SPAN_ARGS(id));
	if (a->condemned)
		return;
	cr_assert_eq(a->mail.fault, MAIL_OK);
	cr_assert(span_eq_str(a->mail.from,
	                      arena_printf(p->arena, "p%.*s@example.org", SPAN_ARGS(id))));
	cr_assert(a->mail.ntexts == 1 &&
	          span_eq_str(span_trim(a->mail.texts[0].text),
	                      arena_printf(p->arena, "popup %.*s", SPAN_ARGS(id))));
	cr_assert_eq(a->source, &p->sources[a->found.size % SOURCES]);
}

/* Up to so many batches; false: that was all. */
static bool take(struct post *p, size_t batches)
{
	struct arrival *mails;
	struct failure e = ERR_INIT;
	size_t n = 1;

	for (; batches > 0 && n > 0; batches--) {
		cr_assert_eq(prefetch_next(p->prefetch, BATCH, true, &mails, &n, &e), ERR_NONE,
		             "%s", e.text.ptr);
		cr_assert_leq(n, (size_t)BATCH);
		for (size_t i = 0; i < n; i++)
			tell(p, &mails[i]);
		p->batches += n > 0;
	}
	err_release(&e);
	return n > 0;
}

static void drop(struct post *p)
{
	struct failure e = ERR_INIT;

	cr_assert_eq(prefetch_drop(p->prefetch, &e), ERR_NONE, "%s", e.text.ptr);
}

static void take_all(struct post *p)
{
	prefetch_give(p->prefetch, p->list, MANY);
	while (take(p, 1))
		;
	drop(p);
}

static void expect_told(answer_fn *answer, const char *expected)
{
	struct post *p = post_new(answer);

	take_all(p);
	cr_assert_str_eq(p->told.ptr, expected);
	post_free(p);
}

static enum err all_is_well(unsigned n)
{
	(void)n;
	return ERR_NONE;
}

static char *all_numbers(void)
{
	struct strbuf text = STRBUF_INIT;

	for (unsigned i = 0; i < MANY; i++)
		strbuf_addf(&text, "%u ", i);
	return strbuf_detach(&text);
}

Test(prefetch, brings_every_mail_once_and_in_order)
{
	char *all = all_numbers();

	expect_told(all_is_well, all);
	free(all);
}

Test(prefetch, goes_through_a_list_again)
{
	char *all = all_numbers();
	struct post *p = post_new(all_is_well);

	prefetch_give(p->prefetch, p->list, MANY);
	cr_assert(take(p, 2));
	drop(p);
	cr_assert_not(prefetch_is_ready(p->prefetch, 0));
	strbuf_clear(&p->told);
	take_all(p);
	cr_assert_str_eq(p->told.ptr, all);
	post_free(p);
	free(all);
}

Test(prefetch, is_ready_when_the_next_call_will_not_wait)
{
	struct post *p = post_new(all_is_well);

	prefetch_give(p->prefetch, p->list, MANY);
	cr_assert_not(prefetch_is_ready(p->prefetch, 0));
	cr_assert(take(p, 1));
	while (!prefetch_is_ready(p->prefetch, 0))
		;
	cr_assert(take(p, 1));
	cr_assert(prefetch_is_ready(p->prefetch, 60000), "so long the next is waited for");
	while (take(p, 1))
		;
	cr_assert_not(prefetch_is_ready(p->prefetch, 60000), "nothing is waited for");
	post_free(p);
}

Test(prefetch, may_be_freed_at_any_time)
{
	for (size_t batches = 0; batches < 4; batches++) {
		struct post *p = post_new(all_is_well);

		prefetch_give(p->prefetch, p->list, MANY);
		cr_assert(batches == 0 || take(p, batches));
		post_free(p);
	}
}

/* ---- mails that cannot be had ---- */

static enum err trouble(unsigned n)
{
	switch (n) {
	case 3:
	case 20:
		return ERR_NOT_FOUND;
	case 5:
		return ERR_INVALID;
	case 8:
		return ERR_CORRUPT;
	case 10:
		return ERR_LIMIT;
	default:
		return n < 300 ? ERR_NONE : ERR_NOT_FOUND;
	}
}

Test(prefetch, tells_what_could_not_be_had_and_brings_the_others)
{
	struct strbuf text = STRBUF_INIT;

	for (unsigned i = 0; i < 300; i++)
		if (trouble(i) == ERR_CORRUPT)
			strbuf_addf(&text, "condemned-%u ", i);
		else if (trouble(i) == ERR_LIMIT)
			strbuf_addf(&text, "large-%u ", i);
		else if (trouble(i) == ERR_NONE)
			strbuf_addf(&text, "%u ", i);
	struct post *p = post_new(trouble);

	take_all(p);
	cr_assert(span_starts(strbuf_span(&p->told), "lost-5 0 1 2 4 6 7 condemned-8"));
	cr_assert_str_eq(p->told.ptr + strlen("lost-5 "), text.ptr);
	post_free(p);
	strbuf_release(&text);
}

static enum err second_source_fails(unsigned n)
{
	return n % SOURCES == 1 && n > 400 ? ERR_IO : ERR_NONE;
}

Test(prefetch, asks_a_source_that_has_failed_for_nothing_more)
{
	struct post *p = post_new(second_source_fails);
	size_t lost = 0;

	take_all(p);
	for (const char *at = p->told.ptr; (at = strstr(at, "lost-")) != NULL; at++)
		lost++;
	cr_assert_eq(lost, 1u);
	cr_assert(strstr(p->told.ptr, "lost-401 "));
	cr_assert(strstr(p->told.ptr, " 399 "));
	cr_assert_not(strstr(p->told.ptr, " 403 "));
	cr_assert(strstr(p->told.ptr, " 998 "));
	cr_assert(p->out[1] && !p->out[0]);
	post_free(p);
}

/* Or the run would believe that it has read everything. */
Test(prefetch, tells_of_losses_in_what_is_dropped_too)
{
	struct post *p = post_new(second_source_fails);

	prefetch_give(p->prefetch, p->list, MANY);
	while (!p->out[1])
		cr_assert(take(p, 1));
	drop(p);
	cr_assert(strstr(p->told.ptr, "lost-401 "));
	post_free(p);
}
