/*
 * test_testbed.c - the ground the tests of whole servers stand on.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/testbed.h"

TestSuite(testbed, .timeout = 600);

Test(testbed, a_mail_goes_in_and_its_answer_comes_out)
{
	struct testbed *s = testbed_new("site");

	testbed_write(s, "ann", "create whakka mole players 2 target=20");
	cr_assert_eq(testbed_run(s), 1);
	cr_assert(strstr(testbed_last(s, "ann")->text, "is open"));
	testbed_write(s, "bob", "join W1");
	testbed_run(s);
	testbed_reply(s, "bob", "popup 3, whack 1");
	cr_assert_eq(testbed_run(s), 1);
	cr_assert(strstr(testbed_last(s, "bob")->text, "Stored for turn"));
	cr_assert(testbed_find(s, "ann", "W1"));
	cr_assert_null(testbed_find(s, "cy", "W1"));
	testbed_free(s);
}

Test(testbed, a_clone_goes_its_own_way_and_the_same_script_gives_the_same_mails)
{
	struct testbed *s = testbed_new("site"), *copy;
	struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;

	testbed_write(s, "ann", "create whakka mole players 2");
	testbed_run(s);
	copy = testbed_clone(s);
	testbed_write(s, "bob", "join W1");
	testbed_run(s);
	testbed_mails(s, &a);
	testbed_mails(copy, &b);
	cr_assert_neq(a.len, b.len);
	strbuf_clear(&b);
	testbed_write(copy, "bob", "join W1");
	testbed_run(copy);
	testbed_mails(copy, &b);
	cr_assert_str_eq(a.ptr, b.ptr);
	strbuf_clear(&a);
	strbuf_clear(&b);
	testbed_dump(s, &a);
	testbed_dump(copy, &b);
	cr_assert_str_eq(a.ptr, b.ptr);
	strbuf_release(&a);
	strbuf_release(&b);
	testbed_free(s);
	testbed_free(copy);
}
