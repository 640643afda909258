/*
 * test_config_keys.c - what goes for every row of the table of keys: what does not fit is refused with
 * a sentence that helps, what the sentence offers is taken, and the default is the same in the
 * program, in the example and in molepost.conf(5).
 *
 * UPDATE=1 writes the example and the first line of each key in the manual page anew.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/server/private.h"

#define EXAMPLE "processor/man/examples/molepost.conf"
#define PAGE "processor/man/molepost.conf.5"

static const char minimal[] = "instance = moles\naddress = moles@example.org\n"
			      "source = maildir:mail\nsink = maildir:outbox\n";

/*
 * Parses the least that works, with one line in the place of what it says of this key. NULL when it
 * was taken, else the sentence.
 */
static const char *refusal(const char *key, const char *value, struct arena *a,
                           struct config *c)
{
	struct strbuf text = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct span rest = span_of(minimal), line;
	const char *said = NULL;

	strbuf_addf(&text, "%s = %s\n", key, value);
	while (span_next_line(&rest, &line))
		if (!span_starts(line, key))
			strbuf_addf(&text, "%.*s\n", SPAN_ARGS(line));
	if (strcmp(key, "authentication") == 0)
		strbuf_adds(&text, "authserv_id = mx\n");
	if (config_parse(strbuf_span(&text), "f", "play", a, c, &e) != ERR_NONE)
		said = arena_strdup(a, e.text.ptr);
	err_release(&e);
	strbuf_release(&text);
	return said;
}

static void expect_taken(const struct config_key *key, const char *value)
{
	struct arena *a = arena_new();
	struct config c;
	const char *said = refusal(key->name, value, a, &c);

	cr_expect_null(said, "%s = %s: %s", key->name, value, said);
	arena_free(a);
}

/* What stands behind "such as" or the last "or" is taken: nobody is sent from one refusal to the next. */
static void expect_help_works(const struct config_key *key, const char *said, struct arena *a)
{
	const char *such = strstr(said, "such as "), *last = NULL, *end;

	if (such) {
		such += strlen("such as ");
		end = such + strlen(such);
		for (const char *p = such; *p; p++)
			if (end[0] == '\0' &&
			    (strncmp(p, ", ", 2) == 0 || strncmp(p, " or ", 4) == 0))
				end = p;
		expect_taken(key, arena_cstr(a, (struct span){such, (size_t)(end - such)}));
	}
	for (const char *p = strstr(said, " or "); p; p = strstr(p + 1, " or "))
		last = p + strlen(" or ");
	if (last && key->kind != KEY_OWN)
		expect_taken(key, last);
}

static void expect_refused(const struct config_key *key, const char *value)
{
	struct arena *a = arena_new();
	struct config c;
	const char *said = refusal(key->name, value, a, &c);
	const char *wanted = said ? strstr(said, " should be ") : NULL;

	cr_expect_not_null(said, "%s = %s is taken", key->name, value);
	cr_assert_not_null(wanted, "%s = %s: %s", key->name, value, said);
	cr_expect_not_null(strstr(said, arena_printf(a, "f:1: '%s' ", key->name)), "%s", said);
	if (key->secret)
		cr_expect_null(strstr(said, value), "%s", said);
	else
		cr_expect_not_null(strstr(said, arena_printf(a, "'%s'", value)), "%s", said);
	cr_expect_gt(strlen(wanted), strlen(" should be ") + 5, "%s", said);
	expect_help_works(key, wanted, a);
	arena_free(a);
}

/* As one writes it: 64K where it is a size. */
static const char *amount(const struct config_key *key, int64_t n, struct arena *a)
{
	if (key->kind == KEY_SIZE && n != 0 && n % 1024 == 0)
		return n % (1024 * 1024) == 0
		           ? arena_printf(a, "%lldM", (long long)n / (1024 * 1024))
		           : arena_printf(a, "%lldK", (long long)n / 1024);
	return arena_printf(a, "%lld", (long long)n);
}

static void try_amounts(const struct config_key *key, struct arena *a)
{
	static const char *const bad[] = {"many", "-1", "+5", "1.5", "0x10", "1 2", "1e3",
	                                  "99999999999999999999",
	                                  /* With 32 bits this would be 0, or 1, again. */
	                                  "4294967296", "4294967297", "18446744073709551617",
	                                  "4194304K", "4294967295M", "K", "64G"};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		expect_refused(key, bad[i]);
	expect_refused(key, arena_printf(a, "%lld", (long long)key->max + 1));
	if (key->min > 0)
		expect_refused(key, arena_printf(a, "%lld", (long long)key->min - 1));
	expect_taken(key, amount(key, key->min, a));
	expect_taken(key, amount(key, key->max, a));
}

static void try_times(const struct config_key *key, struct arena *a)
{
	static const char *const bad[] = {"soon",
	                                  "3",
	                                  "-3D",
	                                  "0M",
	                                  "0D",
	                                  "59S",
	                                  "367D",
	                                  "3D4H",
	                                  "99999999999999999999D",
	                                  "3D # three days"};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		expect_refused(key, bad[i]);
	if (!key->words || strcmp(key->words, "0") != 0)
		expect_refused(key, "0");
	if (key->min > 0) {
		expect_refused(key, arena_printf(a, "%lldM", (long long)key->min / 60 - 1));
		expect_taken(key, arena_printf(a, "%lldM", (long long)key->min / 60));
	}
	expect_taken(key, "366D");
}

static void try_words(const struct config_key *key, struct arena *a)
{
	struct span rest = span_of(key->words), word;
	bool folds_case = key->kind == KEY_CALENDAR; /* as CREATE does */

	expect_refused(key, "yes");
	expect_refused(key, "1");
	expect_refused(key, key->words);
	while (span_next_word(&rest, "", &word)) {
		char *upper = arena_printf(a, "%.*s", SPAN_ARGS(word));

		expect_taken(key, upper);
		expect_refused(key, arena_printf(a, "%sx", upper));
		expect_refused(key, arena_printf(a, "x%s", upper));
		upper[0] = (char)(upper[0] - 'a' + 'A');
		if (!folds_case)
			expect_refused(key, upper);
	}
}

static void try_row(const struct config_key *key, struct arena *a)
{
	if (key->words && key->kind != KEY_TIME)
		try_words(key, a);
	else if (key->kind == KEY_NUMBER || key->kind == KEY_SIZE || key->max > 64)
		try_amounts(key, a);
	else if (key->kind == KEY_TIME)
		try_times(key, a);
	else if (key->kind == KEY_ADDRESS)
		expect_refused(key, "a@b.example, c@d.example");
	else if (key->kind == KEY_TEXT && key->max > 0) {
		expect_refused(key, arena_printf(a, "%0*d", (int)key->max + 1, 0));
		expect_taken(key, arena_printf(a, "%0*d", (int)key->max, 0));
	}
	if (key->kind != KEY_TEXT)
		expect_refused(key, "?;");
}

Test(config_keys, what_does_not_fit_is_refused_with_a_sentence_that_helps)
{
	struct arena *a = arena_new();
	struct config c;

	for (size_t k = 0; k < config_nkeys; k++) {
		const struct config_key *key = &config_keys[k];
		const char *said = refusal(key->name, "", a, &c);

		try_row(key, a);
		cr_assert_not_null(said, "%s", key->name);
		cr_expect_not_null(
		    strstr(said, arena_printf(a, "'%s' has no value", key->name)));
		cr_expect_not_null(refusal(key->name, "a\x01z", a, &c), "%s", key->name);
		cr_expect_not_null(refusal(key->name, "a\xff", a, &c), "%s", key->name);
	}
	arena_free(a);
}

/* A row that names no member, or that of another, would write where it should not. */
Test(config_keys, each_has_a_member_of_its_own_that_is_as_large_as_its_kind_wants)
{
	static const size_t sizes[] = {[KEY_TEXT] = sizeof(char *),
	                               [KEY_ADDRESS] = sizeof(char *),
	                               [KEY_PROGRAM] = sizeof(char *),
	                               [KEY_NUMBER] = sizeof(unsigned),
	                               [KEY_SIZE] = sizeof(unsigned),
	                               [KEY_TIME] = sizeof(int64_t),
	                               [KEY_SWITCH] = sizeof(bool),
	                               [KEY_WORD] = sizeof(unsigned),
	                               [KEY_CALENDAR] = 0,
	                               [KEY_OWN] = 0};

	for (size_t k = 0; k < config_nkeys; k++) {
		const struct config_key *key = &config_keys[k];

		cr_expect(key->size == sizes[key->kind] ||
		              (key->kind == KEY_SIZE && key->size == sizeof(size_t)) ||
		              (key->kind == KEY_WORD && key->size == sizeof(bool)),
		          "%s", key->name);
		cr_expect_eq(key->read != NULL, key->kind == KEY_OWN, "%s", key->name);
		for (size_t i = 0; i < k; i++) {
			cr_expect_str_neq(key->name, config_keys[i].name);
			cr_expect(key->size == 0 || config_keys[i].size == 0 ||
			              key->at >= config_keys[i].at + config_keys[i].size ||
			              key->at + key->size <= config_keys[i].at,
			          "%s and %s", key->name, config_keys[i].name);
		}
	}
}

static void expect_same(const struct config *c, const struct config *usual, const char *what)
{
	struct strbuf calendar = STRBUF_INIT;

	for (size_t k = 0; k < config_nkeys; k++) {
		const struct config_key *key = &config_keys[k];
		const void *one = (const char *)c + key->at,
			   *other = (const char *)usual + key->at;

		if (!key->usual)
			continue;
		if (key->kind == KEY_TEXT)
			cr_expect_str_eq(*(const char *const *)one,
			                 *(const char *const *)other);
		else
			cr_expect_eq(memcmp(one, other, key->size), 0, "%s: %s", what,
			             key->name);
	}
	calendar_format(&c->calendar, &calendar);
	cr_expect_str_eq(calendar.ptr, "", "%s", what);
	strbuf_release(&calendar);
	cr_expect(c->known_senders == usual->known_senders &&
	          c->unknown_senders == usual->unknown_senders);
}

Test(config_keys, saying_the_default_changes_nothing)
{
	struct arena *a = arena_new();
	struct config usual, c;

	cr_assert_null(refusal("instance", "moles", a, &usual));
	for (size_t k = 0; k < config_nkeys; k++) {
		const struct config_key *key = &config_keys[k];
		struct span rest = span_of(key->usual), line;

		while (span_next_line(&rest, &line)) {
			cr_assert_null(refusal(key->name, arena_cstr(a, line), a, &c), "%s",
			               key->name);
			expect_same(&c, &usual, key->name);
		}
	}
	cr_expect_eq(memcmp(&usual.limits, &mail_usual_limits, sizeof(usual.limits)), 0);
	arena_free(a);
}

/* ---- the example, and the manual page ---- */

static void read_shipped(const char *path, struct strbuf *out)
{
	cr_assert_eq(file_read(path, 1 << 20, out, NULL), ERR_NONE, "%s", path);
}

/* UPDATE=1 writes the file that is shipped; else it must be this one already. */
static void expect_shipped(const char *path, const struct strbuf *text)
{
	struct strbuf shipped = STRBUF_INIT;

	if (env_get("UPDATE")) {
		FILE *file = fopen(path, "w");

		cr_assert(file && fwrite(text->ptr, 1, text->len, file) == text->len &&
		          fclose(file) == 0);
	}
	read_shipped(path, &shipped);
	cr_expect(span_eq(strbuf_span(&shipped), strbuf_span(text)),
	          "%s is behind the table of keys; UPDATE=1 writes it", path);
	strbuf_release(&shipped);
}

Test(config_keys, the_example_shows_each_with_its_default_and_is_what_is_shipped)
{
	struct arena *a = arena_new();
	struct strbuf text = STRBUF_INIT, all = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct span rest, line;
	struct config c, usual;

	config_add_example(&text, "moles", "moles@example.org");
	expect_shipped(EXAMPLE, &text);
	for (size_t k = 0; k < config_nkeys; k++) {
		const struct config_key *key = &config_keys[k];
		const char *value = key->usual ? key->usual : key->example ? key->example : "";
		const char *shown =
		    arena_printf(a, "\n%s%s = %s", key->required ? "" : "#", key->name, value);

		if (key->list)
			shown =
			    arena_printf(a, "\n%s%s = ", key->required ? "" : "#", key->name);
		if (strcmp(key->name, "store") != 0) /* one or the other: see database */
			cr_expect_not_null(strstr(text.ptr, shown), "%s", shown);
	}
	/* With every key taken in, nothing changes. */
	rest = strbuf_span(&text);
	while (span_next_line(&rest, &line)) {
		if (line.len > 1 && line.ptr[0] == '#' && line.ptr[1] != ' ')
			line = span_slice(line, 1, line.len);
		strbuf_addf(&all, "%.*s\n", SPAN_ARGS(line));
	}
	cr_assert_null(refusal("instance", "moles", a, &usual));
	cr_assert_eq(config_parse(strbuf_span(&text), "f", "play", a, &c, &e), ERR_NONE, "%s",
	             e.text.ptr);
	expect_same(&c, &usual, "the example");
	cr_assert_eq(config_parse(strbuf_span(&all), "f", "play", a, &c, &e), ERR_NONE, "%s",
	             e.text.ptr);
	expect_same(&c, &usual, "the example with every key");
	cr_expect_str_eq(c.sources[0], usual.sources[0]);
	cr_expect_str_eq(c.sink, usual.sink);
	err_release(&e);
	strbuf_release(&text);
	strbuf_release(&all);
	arena_free(a);
}

/* ".It Ic html No = Cm offer | off | on No (default offer)" */
static const char *page_line(const struct config_key *key, struct arena *a)
{
	static const char *const forms[] = {
	    [KEY_TEXT] = "text", [KEY_ADDRESS] = "address", [KEY_NUMBER] = "number",
	    [KEY_SIZE] = "size", [KEY_TIME] = "time",       [KEY_CALENDAR] = "number"};
	struct strbuf out = STRBUF_INIT, facts = STRBUF_INIT;
	struct span rest = span_of(key->words), word;
	const char *line;

	strbuf_addf(&out, ".It Ic %s No = ", key->name);
	if (key->form || !key->words || key->kind == KEY_TIME)
		strbuf_addf(&out, "Ar %s", key->form ? key->form : forms[key->kind]);
	for (size_t i = 0; span_next_word(&rest, "", &word); i++)
		strbuf_addf(&out, "%s%.*s",
		            i > 0                   ? " | "
		            : key->kind == KEY_TIME ? " | Cm "
		                                    : "Cm ",
		            SPAN_ARGS(word));
	if (key->required)
		strbuf_adds(&facts, "; must be there");
	if (key->list)
		strbuf_adds(&facts, "; may come several times");
	if (key->max > 0 && key->kind != KEY_TEXT)
		strbuf_addf(&facts, "; %s to %s", amount(key, key->min, a),
		            amount(key, key->max, a));
	else if (key->kind == KEY_TIME && key->min > 0)
		strbuf_addf(&facts, "; %dD or more", (int)(key->min / 86400));
	if (key->usual && !key->list)
		strbuf_addf(&facts, "; default %s", key->usual);
	if (facts.len > 0)
		strbuf_addf(&out, " No (%s)", facts.ptr + 2);
	line = arena_cstr(a, strbuf_span(&out));
	strbuf_release(&out);
	strbuf_release(&facts);
	return line;
}

/* The row whose item begins with this line of the page; the number of rows: none does. */
static size_t row_of(struct span line)
{
	static const char item[] = ".It Ic ", equals[] = " No =";
	size_t k = config_nkeys;
	struct span name;

	if (!span_starts(line, item))
		return k;
	line = span_slice(line, sizeof(item) - 1, line.len);
	if (!span_next_word(&line, "", &name) || !span_starts(line, equals))
		return k;
	for (k = 0; k < config_nkeys && !span_eq_str(name, config_keys[k].name); k++)
		;
	cr_expect(k < config_nkeys, "%s: %.*s is no key", PAGE, SPAN_ARGS(name));
	return k;
}

/*
 * The page as it should be: the first line of each key as its row has it, and keys that are missing
 * behind the one above them in the table, with what the example says of them.
 */
static void add_page(struct strbuf *out, struct span page, const bool *there, struct arena *a)
{
	struct span rest = page, line;
	size_t last = config_nkeys; /* the key whose item this is */
	unsigned lists = 0;         /* that are open in it */

	while (span_next_line(&rest, &line)) {
		size_t k = row_of(line);
		bool closes = span_starts(line, ".El");

		if (lists == 0 && (closes || span_starts(line, ".It"))) {
			for (size_t i = last + 1; i < config_nkeys && !there[i]; i++)
				strbuf_addf(out, "%s\n%s\n", page_line(&config_keys[i], a),
				            config_keys[i].comment ? config_keys[i].comment
				                                   : ".\\\" Say what it does.");
			last = config_nkeys;
		}
		if (span_starts(line, ".Bl"))
			lists++;
		else if (closes && lists > 0)
			lists--;
		if (k < config_nkeys) {
			last = k;
			lists = 0;
			line = span_of(page_line(&config_keys[k], a));
		}
		strbuf_addf(out, "%.*s\n", SPAN_ARGS(line));
	}
}

Test(config_keys, the_manual_page_lists_each_with_range_and_default)
{
	struct arena *a = arena_new();
	struct strbuf page = STRBUF_INIT, right = STRBUF_INIT;
	bool *there = arena_calloc(a, config_nkeys + 1, sizeof(*there));
	struct span rest, line;

	read_shipped(PAGE, &page);
	rest = strbuf_span(&page);
	while (span_next_line(&rest, &line)) {
		size_t k = row_of(line);

		cr_expect(k == config_nkeys || !there[k], "twice: %.*s", SPAN_ARGS(line));
		there[k] = true;
	}
	add_page(&right, strbuf_span(&page), there, a);
	expect_shipped(PAGE, &right);
	strbuf_release(&page);
	strbuf_release(&right);
	arena_free(a);
}
