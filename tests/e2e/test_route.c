/*
 * test_route.c - `molepost route`: two servers behind one address, each mail to the one it is for.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/file.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"
#include "tests/support/testbed.h"
#include "tests/support/testbed_parts.h"

struct pair {
	struct testbed *a, *b;
	unsigned mails;
};

static struct testbed *server(const char *instance, const char *first_game)
{
	struct testbed *s = testbed_new_empty(instance);
	const char *argv[] = {"init",       s->dir,   "--address", "moles@example.org",
	                      "--instance", instance, NULL};
	struct ran r;

	testbed_exec(s, argv, NULL, &r);
	cr_assert_eq(r.code, 0, "%s", r.err.ptr);
	ran_release(&r);
	testbed_configure(s, first_game);
	return s;
}

static struct pair pair_new(void)
{
	return (struct pair){server("one", "first_game = 1"),
	                     server("two", "first_game = 1000001"), 0};
}

static void pair_free(struct pair *p)
{
	testbed_free(p->a);
	testbed_free(p->b);
}

/* Through `route`, with these folders; its exit code. */
static int route_to(struct pair *p, const struct mail_written *m, const char *first,
                    const char *second, struct ran *r)
{
	const char *argv[] = {"route", first, second, NULL};
	char *file = scratch_path(p->a->scratch, "mail");
	struct strbuf raw = STRBUF_INIT;

	p->a->written = ++p->mails; /* a Message-ID of its own */
	testbed_compose(p->a, m, &raw);
	(void)unlink(file);
	cr_assert_eq(file_create(file, strbuf_span(&raw), NULL), ERR_NONE);
	p->a->input = file;
	testbed_exec(p->a, argv, NULL, r);
	p->a->input = NULL;
	free(file);
	strbuf_release(&raw);
	return r->code;
}

static unsigned waiting(const struct testbed *s)
{
	char *folder = testbed_path(s, "spool/new");
	size_t n = 0;
	char **names = folder_names(folder, &n);

	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
	free(folder);
	return (unsigned)n;
}

/* Routed, and taken in by both. The server it went to. */
static struct testbed *route(struct pair *p, const struct mail_written *m)
{
	struct ran r;

	cr_assert_eq(route_to(p, m, p->a->dir, p->b->dir, &r), 0, "%s", r.err.ptr);
	cr_expect_eq(r.out.len + r.err.len, 0, "%s%s", r.out.ptr, r.err.ptr);
	ran_release(&r);
	struct testbed *to = waiting(p->a) > 0 ? p->a : p->b;
	cr_assert_eq(waiting(p->a) + waiting(p->b), 1);
	testbed_run(p->a);
	testbed_run(p->b);
	return to;
}

/* Somebody new whose mail goes there, by their address. */
static const char *newcomer(struct pair *p, const struct testbed *to, const char *const names[],
                            const char *text)
{
	for (size_t i = 0; names[i]; i++)
		if (route(p, &(struct mail_written){.who = names[i], .text = text}) == to)
			return names[i];
	cr_assert_fail("nobody's mail went to %s", to->dir);
	return NULL;
}

Test(route, an_answer_goes_to_the_server_that_wrote, .timeout = 120)
{
	static const char create[] = "create whakka mole players 2";
	static const char *const some[] = {"ann", "bob", "cy", "dan", "eve", "fay", NULL};
	static const char *const more[] = {"gil", "hal", "ivy", "jon", "kim", "lee", NULL};
	struct pair p = pair_new();

	/* New people are spread over both, each always to the same one. */
	const char *ann = newcomer(&p, p.a, some, create);
	const char *gil = newcomer(&p, p.b, more, create);
	cr_expect_not_null(strstr(testbed_last(p.a, ann)->subject, "[W"));
	cr_expect_not_null(strstr(testbed_last(p.b, gil)->subject, "[W10000"));

	/* By name: the game of the other server. */
	const char *subject = testbed_last(p.b, gil)->subject;
	struct strbuf join = STRBUF_INIT;
	strbuf_addf(&join, "join %.*s", (int)strcspn(subject + 1, "]"), subject + 1);
	cr_expect_eq(route(&p, &(struct mail_written){.who = ann, .text = join.ptr}), p.b, "%s",
	             join.ptr);
	cr_expect_not_null(strstr(testbed_last(p.b, ann)->text, "turn 1"), "%s",
	                   testbed_last(p.b, ann)->text);

	/* By reply address, with nothing else that says so; ann is a player of both now. */
	const struct post *report = testbed_find(p.b, ann, "orders due");
	cr_expect_eq(route(&p, &(struct mail_written){.who = ann,
	                                              .to = report->reply_to,
	                                              .text = "popup 3, whack 5"}),
	             p.b);
	cr_expect_not_null(strstr(testbed_last(p.b, ann)->subject, "orders"));
	/* By what is answered alone. */
	cr_expect_eq(route(&p, &(struct mail_written){.who = ann,
	                                              .in_reply_to = report->message_id,
	                                              .text = "whack 4"}),
	             p.b);
	/* A mail that came back. */
	cr_expect_eq(route(&p, &(struct mail_written){.who = "mailer-daemon@example.com",
	                                              .to = report->sender,
	                                              .text = "No such user."}),
	             p.b);
	strbuf_release(&join);
	pair_free(&p);
}

Test(route, who_is_known_stays_where_they_are, .timeout = 120)
{
	static const char *const names[] = {"ann", "bob", "cy", "dan", "eve", "fay", NULL};
	struct pair p = pair_new();
	const char *who = newcomer(&p, p.b, names, "create whakka mole players 2 bots 1");
	struct ran r;

	/* In whatever order the folders are named, and wherever those who are new would go. */
	cr_assert_eq(route_to(&p, &(struct mail_written){.who = who, .text = "list"}, p.b->dir,
	                      p.a->dir, &r),
	             0);
	ran_release(&r);
	cr_expect_eq(waiting(p.b), 1);
	testbed_run(p.b);
	/* A game that neither has is nobody's; the player is. */
	cr_expect_eq(route(&p, &(struct mail_written){.who = who, .text = "status W77"}), p.b);
	/* Nor is a place on a board, which the game of another server may be called by. */
	expect_code(p.a, "game new mole majority players 2", 0);
	cr_expect_eq(route(&p, &(struct mail_written){.who = who, .text = "move m1 c3"}), p.b);
	cr_expect_eq(route(&p, &(struct mail_written){.who = who, .text = "status M1"}), p.a);
	/* A reply address of nobody's making counts for nothing. */
	cr_expect_eq(route(&p,
	                   &(struct mail_written){
			       .who = who,
			       .to = "moles+w1-1.1.aaaaaaaaaaaaaaaaaaaaaaaaaa@example.org",
			       .text = "list"}),
	             p.b);
	pair_free(&p);
}

Test(route, while_one_server_cannot_be_asked_the_mail_stays_with_the_mail_server,
     .timeout = 120)
{
	struct pair p = pair_new();
	struct ran r;
	const struct mail_written mail = {.who = "ann", .text = "help"};
	const char *nothing[] = {"route", p.a->dir, NULL};

	cr_expect_eq(route_to(&p, &mail, p.a->dir, "/nowhere", &r), 75);
	cr_expect_not_null(strstr(r.err.ptr, "/nowhere"), "%s", r.err.ptr);
	ran_release(&r);
	cr_expect_eq(waiting(p.a) + waiting(p.b), 0);
	testbed_exec(p.a, nothing, NULL, &r);
	cr_expect_eq(r.code, 65);
	cr_expect_not_null(strstr(r.err.ptr, "no mail"), "%s", r.err.ptr);
	ran_release(&r);
	pair_free(&p);
}
