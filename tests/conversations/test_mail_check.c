/*
 * test_mail_check.c - one wrong character in a mail, and what sees to all conversations sees it.
 */
#include <criterion/criterion.h>
#include <ctype.h>
#include <string.h>

#include "tests/support/conversation.h"
#include "tests/support/mail_check.h"
#include "tests/support/scratch.h"

static void expect_sound_mails(struct conversation *c)
{
	struct strbuf problem = STRBUF_INIT;

	mail_check_all(c->testbed, strbuf_span(&c->came_in), &problem);
	cr_expect_eq(problem.len, 0, "%s", problem.ptr);
	strbuf_release(&problem);
}

/* Spoils the first letter or digit behind `mark` in a text; false: it is not there. */
static bool spoil(char *text, const char *mark, char **where, char *was)
{
	char *at = text ? strstr(text, mark) : NULL;

	if (!at)
		return false;
	for (at += strlen(mark); *at && !isalnum((unsigned char)*at);)
		at++;
	*where = at;
	*was = *at;
	*at = *at == '1' || *at == 'a'      ? (char)(*at + 1)
	      : isdigit((unsigned char)*at) ? '1'
	                                    : 'a';
	return true;
}

/* In the first mail that has it: its raw form, where the header is looked at, or its text or proof. */
static void expect_seen(struct conversation *c, bool in_header, const char *mark,
                        const char *said)
{
	struct testbed *s = c->testbed;
	struct strbuf problem = STRBUF_INIT;
	char *where = NULL, was = 0;
	size_t i = 0;

	while (i < s->nposts &&
	       !(in_header ? spoil(s->posts[i]->raw, mark, &where, &was)
	                   : spoil(s->posts[i]->text, mark, &where, &was) ||
	                         spoil(s->posts[i]->proof, mark, &where, &was)))
		i++;
	cr_assert_lt(i, s->nposts, "no mail has \"%s\"", mark);
	mail_check_all(s, strbuf_span(&c->came_in), &problem);
	cr_expect(strstr(problem.ptr, said), "another character behind \"%s\": %s", mark,
	          problem.len ? problem.ptr : "nothing is said");
	*where = was;
	strbuf_release(&problem);
}

struct planted {
	bool in_header;
	const char *mark, *said;
};

static const struct planted in_running[] = {
    {true, "Auto-Submitted: ", "Auto-Submitted is"},
    {true, "In-Reply-To: ", "In-Reply-To names no mail of theirs"},
    {true, "References: ", "References names no mail of theirs"},
    {false, "\n seals  ", "are not those of the record"},
    {false, "\n words  ", "the four words are"},
};

static const struct planted in_ended[] = {
    {false, "\nMail ", "has number"},
    {false, "\n key    ", "the key is not the server's"},
    {false, "\n sha256 ", "is another than before"},
    {false, "\ncommitment\n", "not signed"},
    {false, "\nnonce\n", "not signed"},
    {false, "\nmail\n", "not signed"},
    {false, "\nsignature\n", "not signed"},
    {false, "\nreceived 2", "not signed"},
    {false, "\n words  ", "the four words are"},
    {false, "\n head   ", "forged"},
    {false, "\n sig 1  ", "forged"},
    {false, "\n sig 2  ", "forged"},
    {false, " lines up to serial ", "forged"},
    {false, ": orders #1, sent.\n  > POPUP ", "are shown as"},
    {false, "\n commit ", "does not give its commitment"},
    {false, "\n nonce  ", "does not give its commitment"},
    {false, "\n secret ", "is not what the first mail stood for"},
};

static void expect_all_seen(const char *path, const struct planted *planted, size_t n)
{
	struct strbuf problem = STRBUF_INIT;
	struct conversation c;
	char *mac;

	scratch_in_memory();
	conversation_play(&c, path);
	expect_sound_mails(&c);
	for (size_t i = 0; i < n; i++)
		expect_seen(&c, planted[i].in_header, planted[i].mark, planted[i].said);
	mac = strchr(c.testbed->posts[0]->reply_to, '@') - 1;
	*mac = 'A';
	mail_check_all(c.testbed, strbuf_span(&c.came_in), &problem);
	cr_expect(strstr(problem.ptr, "Reply-To is no address of ours"), "%s", problem.ptr);
	strbuf_release(&problem);
	conversation_free(&c);
}

Test(mail_check, sees_a_wrong_character_while_a_game_runs, .timeout = 120)
{
	expect_all_seen("tests/conversations/030-orders-in-a-reply.txt", in_running,
	                sizeof(in_running) / sizeof(in_running[0]));
}

Test(mail_check, sees_a_wrong_character_when_all_is_opened, .timeout = 120)
{
	expect_all_seen("tests/conversations/386-after-the-end.txt", in_ended,
	                sizeof(in_ended) / sizeof(in_ended[0]));
}
