/* Help and notices, and docs as plain text. */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/base/file.h"
#include "processor/commandtext/grammar.h"
#include "reports/topics.h"
#include "tests/support/report_check.h"
#include "tests/support/report_sample.h"

static void check_guide(const char *golden, const struct report_guide *r)
{
	struct report_out out = REPORT_OUT_INIT;
	report_guide(r, &out);
	check_golden(golden, &out);
	report_out_release(&out);
}

Test(guide, tells_a_stranger_in_a_screenful_how_to_play)
{
	struct report_guide r = {.topic = GUIDE_SHORT, .address = "moles@example.org"};
	seal_start();
	check_guide("guide-short", &r);
}

Test(guide, echoes_what_a_player_wrote_that_was_not_understood)
{
	struct report_guide r = {
	    .topic = GUIDE_SHORT,
	    .address = "moles@example.org",
	    .reason = "Nothing in your mail was understood, so nothing was changed.",
	    .unread =
		SPAN_LIT("Hello moles,\nCLEAR everything please\n\nwhen does it start?\nbye\n"
	                 "Bob\n-- \nBob Mole\nMolehill Lane"),
	};
	seal_start();
	check_guide("guide-unread", &r);
}

Test(guide, lists_the_commands)
{
	struct report_guide r = {
	    .topic = GUIDE_COMMANDS,
	    .command_table =
		SPAN_LIT("A heading\n"
	                 "HELP [command or kind]\tthe short guide, one command, the rules of "
	                 "one game\tGET, INFO, ?\n"
	                 "JOIN game or kind [AS name] [KEY word]\ttake a seat\tCHALLENGE\n"
	                 "CREATE kind [name] [PLAYERS n] [BOTS n] [LEVEL n] [NEXT 3D] "
	                 "[option=value ...] "
	                 "[PRIVATE] [KEY "
	                 "word]\ta new game\tNEW\n"
	                 "CLEAR\twithdraw your stored orders of this turn\t\n"),
	};
	seal_start();
	check_guide("guide-commands", &r);
}

Test(guide, has_something_to_say_about_each_command)
{
	for (size_t i = 0; i < grammar_row_count(); i++) {
		const char *words = grammar_row_at(i)->words;

		cr_expect_not_null(topic_find(span_of(words)), "no HELP on %s", words);
	}
}

/* What HELP answers with when these words stand behind it; NULL: it is no HELP. */
static const struct topic *asked(struct span words, struct arena *arena)
{
	const struct grammar_row *row;
	struct command item;
	const char *line = arena_printf(arena, "help %.*s", SPAN_ARGS(words));

	if (grammar_fit_line(span_of(line), arena, &item, &row, NULL) != FIT_YES ||
	    item.verb != CMD_HELP)
		return NULL;
	return topic_find(item.topic);
}

static void expect_each(const char *words, const struct topic *t)
{
	struct arena *arena = arena_new();
	struct span rest = span_of(words), word;

	while (rest.len > 0 && span_next_field(&rest, ',', &word))
		cr_expect_eq(asked(span_trim(word), arena), t, "HELP %.*s does not explain %s",
		             SPAN_ARGS(word), t->word);
	arena_free(arena);
}

Test(guide, is_found_by_each_word_under_which_people_look)
{
	for (size_t i = 0; topic_at(i); i++) {
		expect_each(topic_at(i)->word, topic_at(i));
		expect_each(topic_at(i)->aliases, topic_at(i));
		expect_each(topic_at(i)->asked_as, topic_at(i));
	}
}

static bool is_capital(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* The next run of two capitals or more, nothing else touching it; false when there is none. */
static bool next_capitals(struct span *rest, struct span *word)
{
	while (rest->len > 0) {
		size_t n = 0;
		while (n < rest->len && is_capital(rest->ptr[n]))
			n++;
		bool alone = n >= 2 &&
		             (n == rest->len || rest->ptr[n] < 'a' || rest->ptr[n] > 'z');
		*word = span_slice(*rest, 0, n);
		*rest = span_slice(*rest, n > 0 ? n : 1, rest->len);
		if (alone)
			return true;
	}
	return false;
}

static void expect_explained(const char *where, struct span text)
{
	static const char said_with_others[] =
	    "AM AS COMMANDS FROM IN MY NONE OBSERVING OFF ON TODAY TO TOMORROW UTC WATCHING ";
	struct arena *arena = arena_new();
	struct span word;

	while (next_capitals(&text, &word)) {
		const char *padded = arena_printf(arena, "%.*s ", SPAN_ARGS(word));
		cr_expect(strstr(said_with_others, padded) || asked(word, arena),
		          "%s: HELP %.*s explains nothing", where, SPAN_ARGS(word));
	}
	arena_free(arena);
}

Test(guide, explains_every_word_in_capitals_that_it_shows)
{
	struct strbuf table = STRBUF_INIT;

	grammar_add_table(&table);
	expect_explained("the table of commands", strbuf_span(&table));
	for (size_t i = 0; topic_at(i); i++)
		expect_explained(topic_at(i)->word, span_of(topic_at(i)->text));
	strbuf_release(&table);
}

Test(guide, explains_each_command_with_an_example)
{
	seal_start();
	for (size_t i = 0; topic_at(i); i++) {
		struct report_out out = REPORT_OUT_INIT;
		struct report_guide r = {.topic = GUIDE_TOPIC, .topic_word = topic_at(i)->word};
		report_guide(&r, &out);
		check_letter(topic_at(i)->word, &out);
		cr_assert(strstr(out.body.ptr, "  | "), "%s has no example", topic_at(i)->word);
		cr_assert(strchr(out.body.ptr, '{') == NULL, "%s: a place was not filled",
		          topic_at(i)->word);
		report_out_release(&out);
	}
	struct report_guide join = {.topic = GUIDE_TOPIC, .topic_word = "challenge"};
	check_guide("guide-join", &join);
	struct report_guide wait = {.topic = GUIDE_TOPIC, .topic_word = "set  NoWait"};
	check_guide("guide-wait", &wait);
}

/* `template` with the places filled as in a mail. */
static void fill(struct strbuf *out, const char *template)
{
	static const char *const places[][2] = {{"{kind}", "whakka mole"},
	                                        {"{game}", "W17"},
	                                        {"{other}", "W17"},
	                                        {"{option}", "holes=9"},
	                                        {"{table}", "players 3 bots 2"},
	                                        {"{orders}", "popup 3"}};

	while (*template != '\0') {
		size_t i = 0, n = sizeof(places) / sizeof(places[0]);

		while (i < n && strncmp(template, places[i][0], strlen(places[i][0])) != 0)
			i++;
		if (i < n)
			strbuf_adds(out, places[i][1]);
		else
			strbuf_addc(out, *template);
		template += i < n ? strlen(places[i][0]) : 1;
	}
}

/* The lines of a message are its text. */
static void expect_lines_work(const char *topic, struct span lines, struct arena *arena)
{
	const struct grammar_row *row;
	struct command item;
	struct span line;

	while (span_next_line(&lines, &line)) {
		cr_expect_eq(grammar_fit_line(line, arena, &item, &row, NULL), FIT_YES,
		             "HELP %s: %.*s", topic, SPAN_ARGS(line));
		if (row && (row->flags & ROW_TAKES_TEXT) != 0)
			return;
	}
}

Test(guide, shows_examples_that_work_as_they_stand)
{
	struct arena *arena = arena_new();

	for (size_t i = 0; topic_at(i); i++) {
		struct strbuf lines = STRBUF_INIT;

		fill(&lines, topic_at(i)->examples);
		if (strcmp(topic_at(i)->word, "ORDERS") != 0 &&
		    strcmp(topic_at(i)->word, "SIGNOFF") != 0)
			expect_lines_work(topic_at(i)->word, strbuf_span(&lines), arena);
		strbuf_release(&lines);
	}
	arena_free(arena);
}

Test(guide, on_an_unknown_topic_is_the_short_one)
{
	struct report_guide r = {.topic = GUIDE_TOPIC,
	                         .topic_word = "RESIGN\r\nresign",
	                         .address = "moles@example.org"};
	struct report_out out = REPORT_OUT_INIT;
	seal_start();
	report_guide(&r, &out);
	check_letter("unknown topic", &out);
	cr_assert(strstr(out.body.ptr, "no help on this"));
	report_out_release(&out);
}

Test(guide, of_a_kind_shows_what_the_game_wrote)
{
	struct arena *a = arena_new();
	struct doc d;
	seal_start();
	doc_init(&d, a);
	doc_in(&d, DOC_HELP);
	doc_heading(&d, "Whakka Mole");
	doc_paragraph(
	    &d, "Everybody has a sheet with 9 holes. Each turn you choose in secret the holes "
		"in which your moles pop up, and the one hole you whack on the sheet of the "
		"player to your left.");
	doc_item(&d, "A whack into a hole with a mole is worth 6 points to the whacker.");
	doc_item(&d, "Each mole on a sheet that was not hit is worth 1 point to its owner.");
	doc_heading(&d, "Orders");
	doc_example(&d, "POPUP NONE, or POPUP <hole> <hole> ...");
	doc_example(&d, "WHACK NONE, or WHACK <hole>");
	doc_paragraph(&d, "Both orders may share a line, in either order.");
	struct report_guide r = {.topic = GUIDE_KIND, .kind = rules_at(0), .kind_doc = &d};
	check_guide("guide-kind", &r);
	arena_free(a);
}

static void check_notice(const char *golden, const struct report_notice *r)
{
	struct report_out out = REPORT_OUT_INIT;
	report_notice(r, &out);
	check_golden(golden, &out);
	report_out_release(&out);
}

Test(notice, says_where_late_orders_belonged)
{
	static const char *const paragraphs[] = {
	    "Your mail answers turn 4, which is over: it ended on Thu 12 Mar 2026 18:00 UTC. "
	    "Its orders "
	    "were not stored.",
	    "Turn 5 is open now, and waits for you until Sun 15 Mar 2026 18:02 UTC. If you "
	    "still want "
	    "these orders, send them as an answer to the report of turn 5.",
	    NULL,
	};
	static const char *const examples[] = {"POPUP 1 4; WHACK 2", NULL};
	struct report_game g = sample_game();
	struct report_notice r = {.game = &g,
	                          .subject = "too late for turn 4",
	                          .paragraphs = paragraphs,
	                          .examples = examples};
	check_notice("notice-late", &r);
}

Test(notice, carries_an_archive_as_it_is)
{
	static const char *const paragraphs[] = {"Here is the record of game W17 so far.",
	                                         NULL};
	struct report_notice r = {
	    .subject = "W17: the record of the game",
	    .paragraphs = paragraphs,
	    .attachment = SPAN_LIT("-----BEGIN MOLEPOST ARCHIVE-----\nkind: whakka-mole 1\n"),
	};
	check_notice("notice-archive", &r);
}

Test(text, of_a_doc_is_made_for_the_terminal)
{
	struct arena *a = arena_new();
	struct strbuf out = STRBUF_INIT;
	struct doc d;
	sample_view(&d, a);
	report_text(&d, &out);
	check_lines("text", strbuf_span(&out));
	cr_assert(strncmp(out.ptr, "- Ann whacked", 13) == 0);
	strbuf_release(&out);
	arena_free(a);
}

Test(text, of_a_table_that_is_too_wide_becomes_a_list)
{
	enum { NCOLS = 20 };
	struct doc_column columns[NCOLS];
	struct arena *a = arena_new();
	struct strbuf out = STRBUF_INIT;
	struct doc d;
	for (int i = 0; i < NCOLS; i++)
		columns[i] = (struct doc_column){"a column", DOC_LEFT};
	doc_init(&d, a);
	doc_table(&d, columns, NCOLS);
	for (int i = 0; i < 2 * NCOLS; i++)
		doc_cell(&d, "value %d", i);
	report_text(&d, &out);
	check_lines("wide table", strbuf_span(&out));
	cr_assert(strstr(out.ptr, "a column: value 39"));
	strbuf_release(&out);
	arena_free(a);
}

Test(text, of_nothing_is_nothing)
{
	struct arena *a = arena_new();
	struct strbuf out = STRBUF_INIT;
	struct doc d;
	doc_init(&d, a);
	report_text(&d, &out);
	doc_paragraph(&d, "%s", "");
	doc_table(&d, NULL, 0);
	doc_board(&d, "");
	report_text(&d, &out);
	cr_assert_eq(out.len, 0);
	strbuf_release(&out);
	arena_free(a);
}

static bool holds_word(const struct strbuf *words, struct span word)
{
	struct strbuf padded = STRBUF_INIT;

	strbuf_addf(&padded, " %.*s ", SPAN_ARGS(word));
	bool found = strstr(words->ptr, padded.ptr) != NULL;
	strbuf_release(&padded);
	return found;
}

/* Adds what consists of capitals, each with a blank before and behind it. */
static void add_capitals(struct strbuf *out, struct span text)
{
	struct span word;

	while (span_next_word(&text, " \t[],:|", &word)) {
		size_t n = 0;

		while (n < word.len && (is_capital(word.ptr[n]) || word.ptr[n] == '-'))
			n++;
		if (n == word.len && n > 1)
			strbuf_addf(out, " %.*s ", SPAN_ARGS(word));
	}
}

/* What the page shows as words of commands: all, or those of the entries of its lists. */
static struct strbuf words_of_manual(bool of_entries)
{
	struct strbuf page = STRBUF_INIT, words = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct span rest, line;

	cr_assert_eq(file_read("processor/man/molepost-orders.7", 1 << 20, &page, &e),
	             ERR_NONE);
	rest = strbuf_span(&page);
	while (span_next_line(&rest, &line))
		if (span_starts(line, ".It Ic ") ||
		    (!of_entries && span_starts(line, ".") &&
		     span_find(line, SPAN_LIT("Ic ")) < line.len))
			add_capitals(&words, line);
	strbuf_release(&page);
	err_release(&e);
	return words;
}

Test(guide, the_manual_and_the_table_of_commands_have_the_same_words)
{
	struct strbuf manual = words_of_manual(false), entries = words_of_manual(true);
	struct strbuf table = STRBUF_INIT, known = STRBUF_INIT;
	struct span rest, line, usage, word;

	grammar_add_table(&table);
	for (rest = strbuf_span(&table); span_next_line(&rest, &line);) {
		struct strbuf words = STRBUF_INIT;

		if (span_find_char(line, '\t') == line.len ||
		    !span_next_field(&line, '\t', &usage))
			continue;
		add_capitals(&words, usage);
		for (struct span w = strbuf_span(&words); span_next_word(&w, "", &word);)
			cr_expect(holds_word(&manual, word), "not in the manual: %.*s of %.*s",
			          SPAN_ARGS(word), SPAN_ARGS(usage));
		strbuf_add_span(&known, strbuf_span(&words));
		strbuf_release(&words);
	}
	for (size_t i = 0; i < grammar_row_count(); i++)
		for (const struct slot *s = grammar_row_at(i)->slots; s && s->type != SLOT_NONE;
		     s++) {
			add_capitals(&known, span_of(s->keyword ? s->keyword : ""));
			add_capitals(&known, span_of(s->words ? s->words : ""));
		}
	strbuf_adds(&known, " SIGNOFF "); /* ends the reading, and is no command */
	for (rest = strbuf_span(&entries); span_next_word(&rest, "", &word);)
		cr_expect(holds_word(&known, word), "only in the manual: %.*s",
		          SPAN_ARGS(word));
	strbuf_release(&manual);
	strbuf_release(&entries);
	strbuf_release(&table);
	strbuf_release(&known);
}
