/*
 * test_phrasings.c - orders and requests as people write them, sent as mail.
 *
 * Each file NAME.txt beside this one is a game: lines of set-up, then phrasings. A phrasing is sent by
 * the first player as an answer to their last mail; if a "did you mean" comes back, they answer YES.
 *
 *	create whakka mole players 2 seats=join     the first mail of ann; bob joins
 *	bob popup 1; whack 2                        one more mail before: who, and the text; an answer, if they got any
 *	as bob                                      who sends the phrasings, if not ann
 *	> up 3 and 5, hit 2                         a phrasing, on one or more lines
 *	= POPUP 3 5; WHACK 2                        the orders stored in the end, as text of a part of it
 *	? RESIGN W1                                 or: the command asked about; no orders are stored
 *	! Orders due                                or: the answer says this; no orders, no question
 *	~                                           or: beyond us. Nothing may be stored
 *	-                                           or: no answer at all
 *
 * "= A" is one mail or two. PHRASE=text in the environment plays one and prints the answers.
 */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/file.h"
#include "tests/support/scratch.h"
#include "tests/support/testbed.h"

/* Who sends them. */
static char sender[20];
static bool is_stranger; /* nobody has heard of them */

struct phrasing {
	struct strbuf text, wanted;
	char how; /* '=', '?', '!', '~', '-' */
};

struct tally {
	unsigned clear, right, wrong;
	unsigned unanswered; /* of those without orders: not what is wanted */
	unsigned others;     /* all of those */
};

/* All orders of people that a dump shows, in force or as a draft. */
static void stored_orders(struct testbed *s, struct strbuf *out)
{
	struct strbuf dump = STRBUF_INIT;
	struct span rest, line;

	testbed_dump(s, &dump);
	rest = strbuf_span(&dump);
	while (span_next_line(&rest, &line)) {
		if ((span_starts(line, "orders ") &&
		     span_find(line, SPAN_LIT(" how=3 ")) == line.len) ||
		    span_starts(line, "standing_orders "))
			strbuf_addf(out, "%.*s\n", SPAN_ARGS(line));
	}
	strbuf_release(&dump);
}

/* Whether these orders are in a row of orders that was not there before, and is not a draft's. */
static bool in_force(struct span before, struct span rows, const char *wanted)
{
	struct span line;

	while (span_next_line(&rows, &line))
		if (span_starts(line, "orders ") && span_find(before, line) == before.len &&
		    span_find(line, span_of(wanted)) < line.len)
			return true;
	return false;
}

static void show(const struct post *p)
{
	if (env_get("PHRASE"))
		printf("--- %s\n%s\n", p->subject, p->text);
}

static bool asks(const struct post *p)
{
	return strstr(p->subject, "did you mean") != NULL;
}

/* Whether it says so, however months and spans of time are spelt. */
static bool says(const char *text, const char *wanted)
{
	static const char *const forms[][2] = {
	    {"January", "Jan"}, {"February", "Feb"},  {"March", "Mar"},    {"April", "Apr"},
	    {"August", "Aug"},  {"September", "Sep"}, {"October", "Oct"},  {"November", "Nov"},
	    {"June", "Jun"},    {"July", "Jul"},      {"December", "Dec"}, {" DAYS", "D"},
	    {" DAY", "D"},      {" HOURS", "H"},      {" WEEKS", "W"},     {" WEEK", "W"}};
	struct strbuf plain[2] = {STRBUF_INIT, STRBUF_INIT};

	for (int side = 0; side < 2; side++)
		for (const char *c = side ? wanted : text; *c;) {
			size_t f = 0, n = sizeof forms / sizeof *forms;

			while (f < n && strncmp(c, forms[f][0], strlen(forms[f][0])) != 0)
				f++;
			if (f < n)
				strbuf_adds(&plain[side], forms[f][1]);
			else
				strbuf_addc(&plain[side], *c);
			c += f < n ? strlen(forms[f][0]) : 1;
		}
	bool found = false;
	for (const char *c = plain[0].ptr; *c && !found; c++)
		found = span_starts_nocase(span_of(c), plain[1].ptr);
	strbuf_release(&plain[0]);
	strbuf_release(&plain[1]);
	return found;
}

/* NULL: somebody never heard of got none. */
static const struct post *answer_to(struct testbed *s)
{
	return is_stranger ? testbed_find(s, sender, "") : testbed_last(s, sender);
}

/* Sends the phrasing to a copy of `base`, in which the orders `before` are stored; "" or what came out wrong. */
static void try_phrasing(const struct testbed *base, struct span before,
                         const struct phrasing *p, struct strbuf *problem, struct tally *t)
{
	struct testbed *s = testbed_clone(base);
	struct strbuf stored = STRBUF_INIT;
	const struct post *answer;
	bool asked;

	if (env_get("PHRASE"))
		printf("=== %s", p->text.ptr);
	if (is_stranger)
		testbed_write(s, sender, p->text.ptr);
	else
		testbed_reply(s, sender, p->text.ptr);
	testbed_run(s);
	answer = answer_to(s);
	asked = answer && asks(answer);
	if (answer)
		show(answer);
	if ((answer == NULL) != (p->how == '-'))
		strbuf_adds(problem, answer ? "answered" : "no answer");
	else if (p->how == '?' && ((!asked && !strstr(answer->subject, "a way to begin")) ||
	                           !says(answer->text, p->wanted.ptr)))
		strbuf_addf(problem, "not asked about %s", p->wanted.ptr);
	else if (p->how == '!' && (asked || !says(answer->text, p->wanted.ptr)))
		strbuf_addf(problem, "the answer does not say %s", p->wanted.ptr);
	if (p->how == '=' && asked) {
		testbed_wait(s, 60);
		testbed_reply(s, sender, "yes");
		testbed_run(s);
		show(testbed_last(s, sender));
	}
	stored_orders(s, &stored);
	bool changed = !span_eq(before, strbuf_span(&stored));
	if (p->how == '=') {
		t->clear++;
		bool right = in_force(before, strbuf_span(&stored), p->wanted.ptr);
		t->right += right;
		if (!right)
			strbuf_addf(problem, "%s instead of %s",
			            changed ? "other orders" : "nothing", p->wanted.ptr);
		t->wrong += !right && changed;
	} else if (changed && p->how != '?') {
		strbuf_adds(problem, "orders were stored");
		t->wrong++;
	}
	strbuf_release(&stored);
	testbed_free(s);
}

/* A game that began as version 1 of the record, whose set-up the phrasings are about. */
static struct testbed *set_up(struct span *rest, struct span *line)
{
	static const char *const old_record[] = {"MOLEPOST_TEST_RECORD=1", NULL};
	struct testbed *s = testbed_new("phrasings");

	s->extra_env = old_record;
	snprintf(sender, sizeof sender, "ann");
	is_stranger = false;
	ENSURE(span_next_line(rest, line));
	char first[300];
	snprintf(first, sizeof first, "%.*s", SPAN_ARGS(*line));
	testbed_write(s, "ann", first);
	testbed_run(s);
	testbed_wait(s, 60);
	testbed_write(s, "bob", "join 1 as bob");
	testbed_run(s);
	testbed_wait(s, 60);
	testbed_reply(s, "bob", "yes");
	testbed_reply(s, "ann", "yes");
	testbed_run(s);
	while (span_next_line(rest, line) && line->len && *line->ptr != '>') {
		char who[20];
		size_t blank = span_find_char(*line, ' ');

		if (*line->ptr == '#')
			continue;
		snprintf(who, sizeof who, "%.*s", (int)blank, line->ptr);
		snprintf(first, sizeof first, "%.*s", (int)(line->len - blank - 1),
		         line->ptr + blank + 1);
		if (strcmp(who, "as") == 0) {
			snprintf(sender, sizeof sender, "%.19s", first);
			is_stranger = !testbed_find(s, sender, "");
			continue;
		}
		testbed_wait(s, 60);
		if (testbed_find(s, who, ""))
			testbed_reply(s, who, first);
		else
			testbed_write(s, who, first);
		testbed_run(s);
	}
	return s;
}

static void finish(const struct testbed *base, struct span before, struct phrasing *p,
                   const char *name, struct tally *t)
{
	struct strbuf problem = STRBUF_INIT;
	const char *only = env_get("PHRASE");

	if (p->how && (!only || !*only || strstr(p->text.ptr, only))) {
		try_phrasing(base, before, p, &problem, t);
		if (problem.len)
			fprintf(stderr, "%s: %s\n    %s\n", name, p->text.ptr, problem.ptr);
		t->unanswered += problem.len && p->how != '=';
		t->others += p->how != '=';
	}
	strbuf_clear(&p->text);
	strbuf_clear(&p->wanted);
	p->how = 0;
	strbuf_release(&problem);
}

static struct tally play_file(const char *name)
{
	struct strbuf text = STRBUF_INIT, before = STRBUF_INIT;
	struct phrasing p = {STRBUF_INIT, STRBUF_INIT, 0};
	struct tally t = {0};
	struct failure f = ERR_INIT;
	char path[200];

	snprintf(path, sizeof path, "tests/phrasings/%s.txt", name);
	cr_assert_eq(file_read(path, 1 << 20, &text, &f), ERR_NONE, "%s", f.text.ptr);
	struct span rest = strbuf_span(&text), line;
	struct testbed *s = set_up(&rest, &line);
	stored_orders(s, &before);
	do {
		if (line.len < 1 || *line.ptr == '#')
			continue;
		if (*line.ptr == '>') {
			if (p.how)
				finish(s, strbuf_span(&before), &p, name, &t);
			strbuf_addf(&p.text, "%.*s\n", (int)(line.len - 1 - (line.len > 1)),
			            line.ptr + 1 + (line.len > 1));
		} else {
			p.how = *line.ptr;
			strbuf_addf(&p.wanted, "%.*s", (int)(line.len - 1 - (line.len > 1)),
			            line.ptr + 1 + (line.len > 1));
		}
	} while (span_next_line(&rest, &line));
	finish(s, strbuf_span(&before), &p, name, &t);
	fprintf(stderr,
	        "%s: %u of %u with a clear meaning ended in the right orders, %u in others\n",
	        name, t.right, t.clear, t.wrong);
	strbuf_release(&p.text);
	strbuf_release(&p.wanted);
	strbuf_release(&text);
	strbuf_release(&before);
	testbed_free(s);
	return t;
}

static void expect_most(const char *name)
{
	scratch_in_memory();
	struct tally t = play_file(name);

	if (env_get("PHRASE"))
		return;
	cr_expect_eq(t.wrong, 0);
	cr_expect_eq(t.unanswered, 0);
	cr_expect(t.right * 100 >= t.clear * 95);
}

/*
 * Sets written in one sitting before any run; each file tells the figures of its first. With all up to
 * k, and with t, was then worked. UNSEEN="unseen-d-park" counts such files and says
 * what came otherwise.
 */
static void expect_of_set(char letter, unsigned percent)
{
	char pattern[60];
	struct tally all = {0};
	glob_t files;

	scratch_in_memory();
	snprintf(pattern, sizeof pattern, "tests/phrasings/unseen-%c-*.txt", letter);
	cr_assert_eq(glob(pattern, 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		char name[100];

		snprintf(name, sizeof name, "%s", strrchr(files.gl_pathv[i], '/') + 1);
		*strrchr(name, '.') = '\0';
		struct tally t = play_file(name);
		all.clear += t.clear + t.others;
		all.right += t.right + t.others - t.unanswered;
		all.wrong += t.wrong;
	}
	globfree(&files);
	fprintf(stderr, "set %c: %u of %u came right, %u in other orders\n", letter, all.right,
	        all.clear, all.wrong);
	cr_expect(all.right * 100 >= all.clear * percent);
}

Test(phrasings, of_the_first_unseen_set)
{
	expect_of_set('a', 97);
}

Test(phrasings, of_the_second_unseen_set)
{
	expect_of_set('b', 94);
}

Test(phrasings, of_a_set_that_was_only_counted)
{
	expect_of_set('d', 87);
}

Test(phrasings, of_the_last_set_that_somebody_else_wrote)
{
	expect_of_set('f', 85);
}

Test(phrasings, of_a_set_that_somebody_else_wrote)
{
	expect_of_set('e', 85);
}

Test(phrasings, of_a_set_of_who_works_on_the_reader)
{
	expect_of_set('g', 75);
}

Test(phrasings, of_a_set_of_orders_alone)
{
	expect_of_set('h', 80);
}

Test(phrasings, of_a_set_without_orders)
{
	expect_of_set('i', 75);
}

Test(phrasings, of_a_set_written_blind)
{
	expect_of_set('j', 75);
}

Test(phrasings, of_a_set_of_orders_written_blind)
{
	expect_of_set('k', 75);
}

Test(phrasings, of_the_last_set_written_blind)
{
	expect_of_set('l', 60);
}

Test(phrasings, of_a_set_that_was_worked_with)
{
	expect_of_set('t', 87);
}

/* No single word ends anything, and who says it in a sentence is asked by name. */
Test(phrasings, what_ends_something_is_never_asked_about_on_a_word)
{
	static const struct {
		const char *text, *asked; /* NULL: not at all */
	} rows[] = {{"resign", NULL},
	            {"quit", NULL},
	            {"leave", NULL},
	            {"terminate", NULL},
	            {"terminat", NULL},
	            {"resing", NULL},
	            {"eject", NULL},
	            {"ejcet", NULL},
	            {"rollback", NULL},
	            {"rolback", NULL},
	            {"process", NULL},
	            {"proces", NULL},
	            {"end", NULL},
	            {"kick", NULL},
	            {"I have to leave the game, sorry", "RESIGN W1"},
	            {"Please end this game for all of us now", "TERMINATE W1"},
	            {"Please throw bob out of the game", "EJECT bob"},
	            {"Please undo the last turn for us", "ROLLBACK 0"},
	            {"Please end this turn now for everybody", "PROCESS 2"}};

	scratch_in_memory();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct testbed *s = testbed_new("ends");

		testbed_write(s, "ann", "create whakka mole players 2 seats=join");
		testbed_run(s);
		testbed_wait(s, 60);
		testbed_write(s, "bob", "join 1 as bob");
		testbed_run(s);
		testbed_reply(s, "ann", "popup 1; whack 2");
		testbed_reply(s, "bob", "popup 1; whack 2");
		testbed_run(s);
		testbed_wait(s, 60);
		testbed_reply(s, "ann", rows[i].text);
		testbed_run(s);
		const struct post *q = testbed_last(s, "ann");
		show(q);
		cr_expect_eq(asks(q), rows[i].asked != NULL && strstr(q->text, rows[i].asked),
		             "%s: %s\n%s", rows[i].text, q->subject, q->text);
		cr_expect(!rows[i].asked || asks(q), "%s: %s", rows[i].text, q->subject);
		if (rows[i].asked) {
			testbed_wait(s, 60);
			testbed_reply(s, "ann", "yes");
			testbed_run(s);
			const char *then = testbed_last(s, "ann")->text;
			cr_expect(strstr(then, "YES, "), "%s: a YES without the command: %s",
			          rows[i].text, then);
		}
		testbed_free(s);
	}
}

/* The first of two questions: a player or a word of the game, that the orders asked about do not use. */
Test(phrasings, what_a_question_leaves_out_is_named)
{
	static const struct {
		const char *game, *text, *named; /* NULL: nothing is left out */
	} rows[] = {
	    {"mole park", "if Bot Ada goes for the crown I roll the prize die, else pan",
	     "Bot Ada"},
	    {"mole park", "I use the pan, prizes toys, then marbles", "\"then marbles\""},
	    {"mole park", "not the glove, I use the pan, my love to Bot Ada", NULL},
	    {"whakka mole", "I pop up 3 and 5 and hit Bot Ada on 2", "Bot Ada"},
	    {"whakka mole", "I pop up 3 and 5, hit 2, and 11", "11"},
	    {"whakka mole", "I pop up 3 and 5, hit 2, and my youngest cousin is 11 today",
	     "11"},
	    {"whakka mole", "Hello Bot Ada, I pop up 3 and 5, hit 2", NULL},
	};

	scratch_in_memory();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct testbed *s = testbed_new("ledger");
		char create[60];

		snprintf(create, sizeof create, "create %s players 2 bots 1", rows[i].game);
		testbed_write(s, "ann", create);
		testbed_run(s);
		testbed_wait(s, 60);
		testbed_reply(s, "ann", rows[i].text);
		testbed_run(s);
		const char *q = testbed_last(s, "ann")->text, *unused = strstr(q, "Not used: ");
		show(testbed_last(s, "ann"));
		cr_expect_eq(unused != NULL, rows[i].named != NULL, "%s: %s", rows[i].text, q);
		cr_expect(!unused || !rows[i].named || strstr(unused, rows[i].named), "%s: %s",
		          rows[i].text, q);
		testbed_free(s);
	}
}

/* What a question would leave out may be an order itself: then there is nothing to say YES to. */
Test(phrasings, what_may_be_an_order_is_asked_about_openly)
{
	static const struct {
		const char *game, *text;
		bool asked;
	} rows[] = {{"whakka mole", "2 4 7 up, 1 gets smashed", false},
	            {"whakka mole", "2 4 7 up, whack 1, 9 of my cousins are here", true},
	            {"mole park", "I use the pan, prizes toys, then marbles", false},
	            {"mole park", "I use the pan, prizes toys, then candy", true}};

	scratch_in_memory();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct testbed *s = testbed_new("openly");
		char create[60];

		snprintf(create, sizeof create, "create %s players 2 bots 1", rows[i].game);
		testbed_write(s, "ann", create);
		testbed_run(s);
		testbed_wait(s, 60);
		testbed_reply(s, "ann", rows[i].text);
		testbed_run(s);
		show(testbed_last(s, "ann"));
		cr_expect_eq(asks(testbed_last(s, "ann")), rows[i].asked, "%s: %s",
		             rows[i].text, testbed_last(s, "ann")->text);
		testbed_free(s);
	}
}

Test(phrasings, of_files_that_are_only_counted)
{
	struct span rest = span_of(env_get("UNSEEN") ? env_get("UNSEEN") : ""), word;

	scratch_in_memory();
	while (span_next_word(&rest, "", &word)) {
		char name[100];

		snprintf(name, sizeof name, "%.*s", SPAN_ARGS(word));
		struct tally t = play_file(name);
		fprintf(stderr, "%s: %u of %u others\n", name, t.unanswered, t.others);
	}
}

Test(phrasings, whakka_mole)
{
	expect_most("whakka-mole");
}
Test(phrasings, whakka_changes)
{
	expect_most("whakka-changes");
}
Test(phrasings, mole_park)
{
	expect_most("mole-park");
}
Test(phrasings, martian_boggle)
{
	expect_most("martian-boggle");
}
Test(phrasings, mole)
{
	expect_most("mole");
}
Test(phrasings, mole_mignettes)
{
	expect_most("mole-mignettes");
}
Test(phrasings, mole_majority)
{
	expect_most("mole-majority");
}
Test(phrasings, mole_majority_setup)
{
	expect_most("mole-majority-setup");
}
Test(phrasings, server)
{
	expect_most("server");
}

/* Sentences that ask for a command, of sets whose first run their files tell. */
Test(phrasings, server_in_sentences)
{
	expect_most("unseen-a-server");
	expect_most("unseen-c-server");
}

Test(phrasings, masters)
{
	expect_most("masters");
}
Test(phrasings, votes)
{
	expect_most("votes");
}
Test(phrasings, taken_back)
{
	expect_most("taken-back");
}
Test(phrasings, after_the_end)
{
	expect_most("after-the-end");
}
Test(phrasings, newcomers)
{
	expect_most("newcomers");
}
Test(phrasings, strangers)
{
	expect_most("strangers");
}

/* Somebody new asks in words, says YES, and plays. */
Test(phrasings, a_stranger_gets_in)
{
	static const char *const asked[] = {"Could I join W1?",
	                                    "Hi! I'd love to play in W1, please.",
	                                    "join w1 as Eve please",
	                                    "joim w1",
	                                    "Kann ich bei W1 mitspielen?",
	                                    "Hi,\n\nBob gave me this address. Is there a seat "
	                                    "left in W1? I'd love to play.\n\nEve",
	                                    "Hello there,\n\na friend of mine told me about "
	                                    "your server, where people play board games by "
	                                    "mail, and I have always wanted to try something "
	                                    "like that, ever since I was a child and read "
	                                    "about chess players who sent each other "
	                                    "postcards. Could I join W1?\n\nBest wishes,\nEve"};

	scratch_in_memory();
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		struct testbed *s = testbed_new("stranger");

		testbed_write(s, "ann", "create whakka mole players 2");
		testbed_run(s);
		testbed_wait(s, 60);
		testbed_write(s, "eve", asked[i]);
		testbed_run(s);
		cr_expect(asks(testbed_last(s, "eve")), "%s: %s", asked[i],
		          testbed_last(s, "eve")->text);
		show(testbed_last(s, "eve"));
		testbed_wait(s, 60);
		testbed_reply(s, "eve", "Yes, please!");
		testbed_run(s);
		cr_expect(strstr(testbed_last(s, "eve")->text, "W1"), "%s: %s", asked[i],
		          testbed_last(s, "eve")->text);
		show(testbed_last(s, "eve"));
		testbed_free(s);
	}
}

/* Somebody never heard of writes it: how many mails come back. */
static size_t answers_to_stranger(const char *text)
{
	struct testbed *s = testbed_new("never heard of");

	testbed_write(s, "zoe", text);
	testbed_run(s);
	size_t n = s->nposts;
	if (n > 0)
		show(testbed_last(s, "zoe"));
	testbed_free(s);
	return n;
}

/* The address may be forged: whoever owns it never wrote to us. */
Test(phrasings, of_strangers_that_ask_this_server_for_nothing_get_no_answer)
{
	static const char *const mails[] = {
	    "Dear Sir,\njoin our free webinar on cloud security next Tuesday.\nRegister now!",
	    "Congratulations! You have won a prize. Enter your details to claim.",
	    "Please find attached the invoice. Payment is due within 14 days.",
	    "Your account will be suspended. Update your address within 24 hours.",
	    "Watch our new video and take over your market. Unsubscribe here.",
	    "New game releases this week! Create your own style. Play now.",
	    "Hi, could we postpone the meeting? I am away next week.",
	    "How many leads do you want? What is the best time to call?",
	    "History of the company, rankings and ratings of our products. Help us grow.",
	    "Do you need more time to pay? We extend your loan. No rules, no hints.",
	    "Join 10,000 traders. Observe the charts and participate in the rally.",
	    "I would like to join your company as an engineer. My CV is attached.",
	    "Please participate in our survey. It takes 5 minutes.",
	    "Your domain expires. Status: pending. Deadline: tomorrow.",
	    "hello"};

	scratch_in_memory();
	for (size_t i = 0; i < sizeof mails / sizeof *mails; i++)
		cr_expect_eq(answers_to_stranger(mails[i]), 0, "%s", mails[i]);
}

Test(phrasings, of_newcomers_are_answered)
{
	static const char *const mails[] = {"Could I join a game?",
	                                    "I'd like to play whakka mole",
	                                    "help",
	                                    "Please help me",
	                                    "which games are open?",
	                                    "What games do you have?",
	                                    "How do I play Mole Park?",
	                                    "Ich will mitspielen",
	                                    "Hallo, kann ich bei einem Spiel mitmachen?",
	                                    "I want to start a new game",
	                                    "Bonjour, je voudrais jouer \xc3\xa0 une partie"};

	scratch_in_memory();
	for (size_t i = 0; i < sizeof mails / sizeof *mails; i++)
		cr_expect_eq(answers_to_stranger(mails[i]), 1, "%s", mails[i]);
}

/* A program that quotes without any mark: the orders, then our whole mail with its small print. */
Test(phrasings, are_read_above_an_unmarked_copy_of_the_mail_answered)
{
	struct testbed *s = testbed_new("unmarked copy");
	struct strbuf text = STRBUF_INIT;

	scratch_in_memory();
	testbed_write(s, "ann", "create whakka mole players 3 bots 2");
	testbed_run(s);
	const struct post *report = testbed_find(s, "ann", "orders due");
	cr_assert(report);
	strbuf_addf(&text, "my moles come up in 3 and 5, and I hit 2\n\n%s", report->text);
	testbed_wait(s, 60);
	testbed_reply_to(s, "ann", report, text.ptr);
	testbed_run(s);
	cr_expect(asks(testbed_last(s, "ann")), "%s", testbed_last(s, "ann")->text);
	cr_expect(strstr(testbed_last(s, "ann")->text, "POPUP 3 5; WHACK 2"), "%s",
	          testbed_last(s, "ann")->text);
	strbuf_release(&text);
	testbed_free(s);
}

/* As Outlook answers: the whole question below, without any mark, and here without saying which mail it answers. */
Test(phrasings, a_yes_above_an_unmarked_copy_of_the_question)
{
	static const struct {
		const char *asked, *yes, *then;
	} rows[] = {{"popup 2 6 and whack 5 unless Bob hides, see you on the 9th", "Yes please",
	             "Stored for turn 1: POPUP 2 6; WHACK 5"},
	            {"my moles come up in 3 and 5, I hit 2", "Yes", "POPUP 3 5; WHACK 2"},
	            {"I have to leave the game, sorry", "Yes", "did not say what to"},
	            {"I have to leave the game, sorry", "YES, RESIGN W1", "RESIGN"}};

	scratch_in_memory();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct testbed *s = testbed_new("outlook");
		struct strbuf text = STRBUF_INIT;

		testbed_write(s, "ann", "create whakka mole players 2");
		testbed_write(s, "bob", "join W1");
		testbed_run(s);
		testbed_wait(s, 60);
		testbed_reply(s, "ann", rows[i].asked);
		testbed_run(s);
		const struct post *q = testbed_last(s, "ann");
		cr_expect(asks(q), "%s", q->text);
		strbuf_addf(&text,
		            "%s\n\nVon meinem iPhone\n\n________________________________\n"
		            "From: Molepost <%s>\nSent: Thursday, March 12, 2026 6:02 PM\n"
		            "To: ann@example.net\nSubject: %s\n\n%s",
		            rows[i].yes, q->reply_to, q->subject, q->text);
		testbed_wait(s, 60);
		testbed_mail(s, &(struct mail_written){
				    .who = "ann", .to = q->reply_to, .text = text.ptr});
		testbed_run(s);
		show(testbed_last(s, "ann"));
		cr_expect(strstr(testbed_last(s, "ann")->text, rows[i].then), "%s: %s",
		          rows[i].asked, testbed_last(s, "ann")->text);
		strbuf_release(&text);
		testbed_free(s);
	}
}
