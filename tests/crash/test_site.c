/*
 * test_site.c - the ground the tests of whole servers stand on.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/server.h"

TestSuite(site, .timeout = 600);

Test(site, a_mail_goes_in_and_its_answer_comes_out)
{
	struct site *s = site_new("site");

	site_write(s, "ann", "create whakka mole players 2 target=20");
	cr_assert_eq(site_run(s), 1);
	cr_assert(strstr(site_last(s, "ann")->text, "is open"));
	site_write(s, "bob", "join W1");
	site_run(s);
	site_reply(s, "bob", "popup 3, whack 1");
	cr_assert_eq(site_run(s), 1);
	cr_assert(strstr(site_last(s, "bob")->text, "Stored for turn"));
	cr_assert(site_find(s, "ann", "W1"));
	cr_assert_null(site_find(s, "cy", "W1"));
	site_free(s);
}

Test(site, a_clone_goes_its_own_way_and_the_same_script_gives_the_same_mails)
{
	struct site *s = site_new("site"), *copy;
	struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;

	site_write(s, "ann", "create whakka mole players 2");
	site_run(s);
	copy = site_clone(s);
	site_write(s, "bob", "join W1");
	site_run(s);
	site_mails(s, &a);
	site_mails(copy, &b);
	cr_assert_neq(a.len, b.len);
	strbuf_clear(&b);
	site_write(copy, "bob", "join W1");
	site_run(copy);
	site_mails(copy, &b);
	cr_assert_str_eq(a.ptr, b.ptr);
	strbuf_clear(&a);
	strbuf_clear(&b);
	site_dump(s, &a);
	site_dump(copy, &b);
	cr_assert_str_eq(a.ptr, b.ptr);
	strbuf_release(&a);
	strbuf_release(&b);
	site_free(s);
	site_free(copy);
}
