/*
 * test_violations.c - VIOLATIONS.md names what shows each deviation, and all of that exists.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "processor/base/strbuf.h"
#include "tests/support/answers.h"

enum { LARGEST = 1 << 20 };

static void read_page(const char *path, struct strbuf *out)
{
	struct failure e = ERR_INIT;

	cr_assert_eq(file_read(path, LARGEST, out, &e), ERR_NONE, "%s", e.text.ptr);
	err_release(&e);
}

static bool exists(const char *before, struct span name, const char *behind)
{
	struct strbuf path = STRBUF_INIT;
	bool is;

	strbuf_addf(&path, "%s%.*s%s", before, SPAN_ARGS(name), behind);
	is = access(path.ptr, R_OK) == 0;
	strbuf_release(&path);
	return is;
}

/* "suite: name" in one of the programs of tests/mail. */
static bool is_test(struct span what)
{
	static const char *const programs[] = {
	    "tests/mail/test_parse.c",        "tests/mail/test_html.c",
	    "tests/mail/test_clothing.c",     "tests/mail/test_violations.c",
	    "tests/mail/test_corpus.c",       "tests/mail/test_prose.c",
	    "tests/mail/test_header_facts.c", "tests/mail/test_answers.c"};
	size_t colon = span_find_char(what, ':');
	struct strbuf wanted = STRBUF_INIT;
	bool found = false;

	strbuf_addf(&wanted, "Test(%.*s, %.*s", SPAN_ARGS(span_slice(what, 0, colon)),
	            SPAN_ARGS(span_trim(span_slice(what, colon + 1, what.len))));
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]) && !found; i++) {
		struct strbuf text = STRBUF_INIT;

		read_page(programs[i], &text);
		found = span_find(strbuf_span(&text), strbuf_span(&wanted)) < text.len;
		strbuf_release(&text);
	}
	strbuf_release(&wanted);
	return found;
}

/* One of those of tests/mail/answers.txt. */
static bool is_program(struct span name)
{
	struct answers *programs = answers_read("tests/mail/answers.txt");
	bool found = false;

	for (size_t i = 0; i < answers_count(programs) && !found; i++)
		found = span_eq_str(name, answers_name(programs, i));
	answers_free(programs);
	return found;
}

/* The inside of one pair of brackets, on one line. */
static bool is_there(struct span what)
{
	struct span rest = what, kind;

	if (!span_next_word(&rest, "", &kind))
		return false;
	rest = span_trim(rest);
	if (span_eq_str(kind, "fixture"))
		return exists("tests/mail/fixtures/", rest, ".eml") &&
		       exists("tests/mail/fixtures/", rest, ".expected");
	if (span_eq_str(kind, "corpus"))
		return exists("tests/mail/corpus/", rest, ".eml") &&
		       exists("tests/mail/corpus/", rest, ".expected");
	if (span_eq_str(kind, "program"))
		return is_program(rest);
	if (span_eq_str(kind, "conversation"))
		return exists("tests/conversations/", rest, ".txt");
	return span_eq_str(kind, "test") && is_test(rest);
}

/* The number of references in one paragraph, which must all be good. */
static unsigned check_paragraph(struct span text)
{
	unsigned n = 0;
	size_t open;

	while ((open = span_find_char(text, '[')) < text.len) {
		struct span rest = span_slice(text, open + 1, text.len);
		size_t close = span_find_char(rest, ']');

		cr_expect(is_there(span_slice(rest, 0, close)), "there is no [%.*s]",
		          SPAN_ARGS(span_slice(rest, 0, close)));
		text = span_slice(rest, close, rest.len);
		n++;
	}
	return n;
}

/* Up to the next empty line. */
static struct span take_paragraph(struct span *rest)
{
	size_t end = span_find(*rest, SPAN_LIT("\n\n"));
	struct span paragraph = span_slice(*rest, 0, end);

	*rest = span_slice(*rest, end + 2, rest->len);
	return paragraph;
}

Test(violations, each_names_what_shows_it_and_all_of_that_exists)
{
	struct strbuf page = STRBUF_INIT;
	struct span rest;
	unsigned n = 0;

	read_page("tests/mail/VIOLATIONS.md", &page);
	rest = strbuf_span(&page);
	while (rest.len > 0) {
		struct span paragraph = take_paragraph(&rest);

		if (!span_starts(paragraph, "**"))
			continue;
		n++;
		cr_expect_gt(check_paragraph(paragraph), 0, "nothing shows: %.*s",
		             SPAN_ARGS(paragraph));
	}
	cr_expect_gt(n, 30);
	strbuf_release(&page);
}
