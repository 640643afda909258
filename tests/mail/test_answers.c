/*
 * test_answers.c - an answer ends as its writer's words alone would, whatever program wrote it.
 *
 * As many pairs of people as there are mail programs (tests/mail/answers.txt) play one game each, at one server,
 * for a turn. Then the first of each pair sends the same words, once alone, and, at a copy of that server, as
 * their program writes an answer to one of the mails they got: the report of the turn, help, the rules, a
 * receipt, a question. Both must come to the same: the same mails to both of the pair, to the word, down to the
 * signature, which has nothing but numbers that differ from mail to mail.
 *
 * In a second pair for each program ann asks for HTML: these answer what the program makes of that, every other round.
 *
 * What was read otherwise is counted by program and by place, with an example of each program. Of
 * programs that are "open" in answers.txt, with the reason, messages without an end word do not count.
 * PROGRAM=outlook plays only programs whose names contain that, and lists all that fails; WORDS=help only words,
 * ANSWERED=report only the mails answered. SHOW=1 prints answers and what came of them. ANSWERS_EVERY=n plays
 * every nth round only.
 */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/num.h"
#include "tests/support/answers.h"
#include "tests/support/scratch.h"
#include "tests/support/testbed.h"

enum { MOST_STEPS = 4, MOST_WORDS = 4, MOST_PAIRS = 120, NAME_MAX_LEN = 24 };

/* What every pair of a game does before, and what ann writes in the end. The second words lead to a question. */
struct scene {
	const char *game;
	struct {
		bool bob;
		const char *text;
	} steps[MOST_STEPS];
	const char *words[MOST_WORDS];
};

static const char with_greetings[] =
    "Hi,\n\nsorry for being late with this, the train had no signal.\n\n{orders}\n\n"
    "Let us see how that goes.\n\nCheers, Ann\n";

/* Of any game. {orders} are the first words of the scene. */
static const char *const common_words[] = {
    with_greetings,
    "help\n",
    "When is the deadline?\n",
    "Could I have two more days?\n",
    "status\n",
    "check\n{orders}\n",
    "{orders}\nset wait\n",
    "always\n{orders}\n",
    "queue 9\n{orders}\n",
    "press to 2\nI will get you next time.\nendpress\n",
    "press to 2\nShall we call it a draw?\n",
    "Thanks, that was a nice turn!\n",
    "clear\n",
};

enum { COMMON_WORDS = sizeof(common_words) / sizeof(common_words[0]) };

/* To a question. */
static const char *const question_words[] = {"yes\n", "no\n", "{orders}\n", "YES, please!\n",
                                             "help\n"};

enum { QUESTION_WORDS = sizeof(question_words) / sizeof(question_words[0]) };

/* The mails answered. */
enum { REPORT, HELP, RULES, RECEIPT, QUESTION, MAILS };
static const char *const mail_names[MAILS] = {"report", "help", "rules", "receipt", "question"};

/* ---- one server with a pair of people for each program ---- */

struct server {
	const struct scene *scene;
	struct testbed *testbed;
	struct answers *programs;
	char ann[MOST_PAIRS][NAME_MAX_LEN], bob[MOST_PAIRS][NAME_MAX_LEN];
	size_t npairs;
	size_t answered[MAILS][MOST_PAIRS]; /* which of the posts */
	const char *only_program, *only_words, *only_answered;
	bool show;
	unsigned every, rounds;
	unsigned right[MOST_PAIRS], all[MOST_PAIRS]; /* by program */
	unsigned right_at[ANSWER_PLACES], all_at[ANSWER_PLACES];
};

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static size_t program_of(const struct server *s, size_t pair)
{
	return pair % answers_count(s->programs);
}

/* The mails of this pair have an HTML form. */
static bool has_html(const struct server *s, size_t pair)
{
	return pair >= answers_count(s->programs);
}

static bool plays(const struct server *s, size_t pair)
{
	return (!has_html(s, pair) || (pair + s->rounds) % 2 == 0) &&
	       strstr(answers_name(s->programs, program_of(s, pair)), s->only_program) != NULL;
}

static void everybody_replies(struct server *s, bool bob, const char *text)
{
	for (size_t i = 0; i < s->npairs; i++)
		testbed_reply(s->testbed, bob ? s->bob[i] : s->ann[i], text);
	testbed_wait(s->testbed, 60);
	testbed_run(s->testbed);
}

/* The last mail to each ann is the one that is answered. */
static void keep_last(struct server *s, unsigned mail)
{
	for (size_t i = 0; i < s->npairs; i++) {
		const struct post *last = testbed_last(s->testbed, s->ann[i]);

		for (size_t k = 0; k < s->testbed->nposts; k++)
			if (s->testbed->posts[k] == last)
				s->answered[mail][i] = k;
	}
}

static void everybody_begins(struct server *s)
{
	struct strbuf create = STRBUF_INIT, rules = STRBUF_INIT;

	strbuf_addf(&create, "create %s players 2", s->scene->game);
	strbuf_addf(&rules, "help %s", s->scene->game);
	for (size_t i = 0; i < s->npairs; i++) {
		snprintf(s->ann[i], NAME_MAX_LEN, "ann%zu", i);
		snprintf(s->bob[i], NAME_MAX_LEN, "bob%zu", i);
		testbed_write(s->testbed, s->ann[i], create.ptr);
	}
	testbed_run(s->testbed);
	testbed_wait(s->testbed, 60);
	for (size_t i = 0; i < s->npairs; i++) {
		struct strbuf join = STRBUF_INIT;
		struct span subject = span_of(testbed_last(s->testbed, s->ann[i])->subject);

		strbuf_addf(&join, "join %.*s",
		            (int)span_find_char(span_slice(subject, 1, subject.len), ']'),
		            subject.ptr + 1);
		testbed_write(s->testbed, s->bob[i], join.ptr);
		strbuf_release(&join);
	}
	testbed_run(s->testbed);
	testbed_wait(s->testbed, 60);
	for (size_t i = 0; i < s->npairs; i++)
		if (has_html(s, i))
			testbed_write(s->testbed, s->ann[i], "set mail html");
	for (size_t i = 0; i < MOST_STEPS && s->scene->steps[i].text; i++)
		everybody_replies(s, s->scene->steps[i].bob, s->scene->steps[i].text);
	keep_last(s, REPORT);
	everybody_replies(s, false, "help");
	keep_last(s, HELP);
	everybody_replies(s, false, rules.ptr);
	keep_last(s, RULES);
	/* So that no chance is drawn after an answer: it depends on all of the mail. */
	everybody_replies(s, false, "set wait");
	keep_last(s, RECEIPT);
	strbuf_release(&create);
	strbuf_release(&rules);
}

/* ---- what came of it ---- */

/* Without what a mail differs by from one that says the same: numbers of lines, of the mail, long numbers. */
static void add_masked(struct strbuf *out, struct span text)
{
	for (size_t i = 0; i < text.len;) {
		size_t n = 0;

		while (i + n < text.len && isxdigit((unsigned char)text.ptr[i + n]))
			n++;
		if (n >= 16 ||
		    (n > 0 && i >= 5 && strncasecmp(text.ptr + i - 5, "line ", 5) == 0))
			strbuf_addc(out, '#');
		else
			strbuf_add(out, text.ptr + i, n ? n : 1);
		i += n ? n : 1;
	}
}

/* The mails to this person from the post `from` on. */
static void add_mails(struct strbuf *out, const struct testbed *t, size_t from, const char *who)
{
	for (; from < t->nposts; from++) {
		const struct post *p = t->posts[from];
		struct span text = span_of(p->text);

		if (strcmp(p->who, who) != 0)
			continue;
		strbuf_addf(out, "==== to %s: %s\n", p->who, p->subject);
		add_masked(out, span_slice(text, 0, span_find(text, SPAN_LIT("\n-- \n"))));
		strbuf_addc(out, '\n');
	}
}

/* Each pair's mails. */
static void run_and_tell(struct testbed *t, const struct server *s, struct strbuf *outcomes)
{
	size_t from = t->nposts;

	testbed_wait(t, 60);
	testbed_run(t);
	for (size_t i = 0; i < s->npairs; i++) {
		add_mails(&outcomes[i], t, from, s->ann[i]);
		add_mails(&outcomes[i], t, from, s->bob[i]);
	}
}

/* What everybody sends, and how. */
struct round {
	struct span words;
	unsigned mail, shift;
};

static void show_difference(const struct server *s, const struct round *r, size_t pair,
                            enum answer_place place, struct span alone, struct span got)
{
	struct span a = SPAN_EMPTY, g = SPAN_EMPTY;
	bool more_a = true, more_g = true;

	do {
		more_a = span_next_line(&alone, &a);
		more_g = span_next_line(&got, &g);
	} while (more_a && more_g && span_eq(a, g));
	fprintf(stderr, "%s%s, %s, to a %s, \"%.*s\"\n\talone: %.*s\n\tso:    %.*s\n",
	        answers_name(s->programs, program_of(s, pair)),
	        has_html(s, pair) ? " (HTML)" : "", answer_place_names[place],
	        mail_names[r->mail], (int)span_find_char(r->words, '\n'), r->words.ptr,
	        SPAN_ARGS(more_a ? a : SPAN_EMPTY), SPAN_ARGS(more_g ? g : SPAN_EMPTY));
}

/* ---- a round: everybody sends the same words ---- */

static void send_alone(struct testbed *t, const struct server *s, const struct round *r)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_add_span(&text, r->words);
	for (size_t i = 0; i < s->npairs; i++)
		if (plays(s, i))
			testbed_reply_to(t, s->ann[i], t->posts[s->answered[r->mail][i]],
			                 text.ptr);
	strbuf_release(&text);
}

static enum answer_place place_of(size_t program, unsigned shift)
{
	return (enum answer_place)((program + shift) % ANSWER_PLACES);
}

static void send_answers(struct testbed *t, const struct server *s, const struct round *r)
{
	for (size_t i = 0; i < s->npairs; i++) {
		struct strbuf raw = STRBUF_INIT;
		const struct answer answer = {.who = s->ann[i],
		                              .to = t->posts[s->answered[r->mail][i]],
		                              .words = r->words,
		                              .place = place_of(i, r->shift),
		                              .date_utc = t->now_utc};

		if (!plays(s, i))
			continue;
		answers_write(s->programs, program_of(s, i), &answer, &raw);
		if (s->show)
			printf("%s\n", raw.ptr);
		testbed_drop(t, s->ann[i], strbuf_span(&raw), t->now_utc);
		strbuf_release(&raw);
	}
}

static bool is_open_message(const struct server *s, const struct round *r, size_t pair)
{
	return answers_is_open(s->programs, program_of(s, pair)) &&
	       span_starts(r->words, "press to") &&
	       span_find(r->words, SPAN_LIT("endpress")) == r->words.len;
}

static void compare(struct server *s, const struct round *r, const struct strbuf *alone,
                    const struct strbuf *got)
{
	for (size_t i = 0; i < s->npairs; i++) {
		enum answer_place place = place_of(i, r->shift);
		bool same = span_eq(strbuf_span(&alone[i]), strbuf_span(&got[i]));

		if (!plays(s, i))
			continue;
		if (is_open_message(s, r, i))
			continue;
		s->all[i]++;
		s->all_at[place]++;
		s->right[i] += same;
		s->right_at[place] += same;
		if (s->show)
			printf("---- alone\n%s---- so\n%s", alone[i].ptr, got[i].ptr);
		/* One of each program, or all of those that were asked for. */
		if (!same && (s->all[i] == s->right[i] + 1 || *s->only_program))
			show_difference(s, r, i, place, strbuf_span(&alone[i]),
			                strbuf_span(&got[i]));
	}
}

static void release_all(struct strbuf *outcomes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		strbuf_release(&outcomes[i]);
}

static void play_round(struct server *s, const struct round *r)
{
	struct testbed *one = testbed_clone(s->testbed), *other = testbed_clone(s->testbed);
	struct strbuf alone[MOST_PAIRS] = {0}, got[MOST_PAIRS] = {0};

	send_alone(one, s, r);
	run_and_tell(one, s, alone);
	send_answers(other, s, r);
	run_and_tell(other, s, got);
	compare(s, r, alone, got);
	release_all(alone, s->npairs);
	release_all(got, s->npairs);
	testbed_free(one);
	testbed_free(other);
}

static void fill_in(struct strbuf *out, const char *words, const char *orders)
{
	const char *gap = strstr(words, "{orders}");

	strbuf_addf(out, "%.*s%s%s", gap ? (int)(gap - words) : 0, words, gap ? orders : "",
	            gap ? gap + strlen("{orders}") : words);
}

static void play_words(struct server *s, const char *words, unsigned mail)
{
	struct strbuf text = STRBUF_INIT;

	fill_in(&text, words, s->scene->words[0]);
	if (text.ptr[text.len - 1] != '\n')
		strbuf_addc(&text, '\n');
	s->rounds++;
	if (strstr(text.ptr, s->only_words) && strstr(mail_names[mail], s->only_answered) &&
	    (s->rounds + strlen(s->scene->game)) % s->every == 0)
		play_round(s, &(struct round){.words = strbuf_span(&text),
		                              .mail = mail,
		                              .shift = s->rounds + s->rounds / MAILS +
		                                       (unsigned)strlen(s->scene->game)});
	strbuf_release(&text);
}

/* To the report, and to one of the other mails in turn. */
static void play_all_words(struct server *s)
{
	unsigned n = 0;

	for (size_t i = 0; i < MOST_WORDS && s->scene->words[i]; i++, n++) {
		play_words(s, s->scene->words[i], REPORT);
		play_words(s, s->scene->words[i], HELP + n % RECEIPT);
	}
	for (size_t i = 0; i < COMMON_WORDS; i++, n++) {
		play_words(s, common_words[i], REPORT);
		play_words(s, common_words[i], HELP + n % RECEIPT);
	}
	everybody_replies(s, false, s->scene->words[1]);
	keep_last(s, QUESTION);
	for (size_t i = 0; i < QUESTION_WORDS; i++)
		play_words(s, question_words[i], QUESTION);
}

static void report(const struct server *s)
{
	unsigned right = 0, all = 0;

	for (size_t i = 0; i < s->npairs; i++) {
		right += s->right[i];
		all += s->all[i];
		if (s->right[i] < s->all[i])
			fprintf(stderr, "%-28s %2u of %2u%s\n",
			        answers_name(s->programs, program_of(s, i)), s->right[i],
			        s->all[i], has_html(s, i) ? ", HTML" : "");
		cr_expect(s->right[i] == s->all[i], "%s: not all of %s is read", s->scene->game,
		          answers_name(s->programs, program_of(s, i)));
	}
	for (unsigned p = 0; p < ANSWER_PLACES; p++)
		fprintf(stderr, "%s %u of %u, ", answer_place_names[p], s->right_at[p],
		        s->all_at[p]);
	fprintf(stderr, "%s: %u of %u answers were read as their words alone\n", s->scene->game,
	        right, all);
}

static void play(const struct scene *scene)
{
	struct server s = {.scene = scene,
	                   .every = 1,
	                   .only_program = or_empty(env_get("PROGRAM")),
	                   .only_words = or_empty(env_get("WORDS")),
	                   .only_answered = or_empty(env_get("ANSWERED")),
	                   .show = env_get("SHOW") != NULL};
	const char *every = env_get("ANSWERS_EVERY");

	ENSURE(!every || num_parse_uint(span_of(every), 1, 1000, &s.every));
	scratch_in_memory();
	s.programs = answers_read("tests/mail/answers.txt");
	s.npairs = 2 * answers_count(s.programs);
	ENSURE(s.npairs <= MOST_PAIRS);
	s.testbed = testbed_new(scene->game);
	testbed_configure(s.testbed, "max_mails_per_day = 100000");
	everybody_begins(&s);
	play_all_words(&s);
	report(&s);
	testbed_free(s.testbed);
	answers_free(s.programs);
}

Test(answers, of_whakka_mole_are_read_as_their_words_alone)
{
	play(&(struct scene){
	    .game = "whakka mole",
	    .steps = {{false, "popup 1 3; whack 5"}, {true, "popup 2 4; whack 6"}},
	    .words = {"popup 3, whack 5", "up 3 and 5 please, and hit 2",
	              "popup 3\nwhack 12"}});
}

Test(answers, of_mole_park_are_read_as_their_words_alone)
{
	play(&(struct scene){.game = "mole park",
	                     .steps = {{false, "roll pan"}, {true, "roll glove"}},
	                     .words = {"roll mallet", "rol the mallet then", "roll the dice"}});
}

Test(answers, of_martian_boggle_are_read_as_their_words_alone)
{
	play(&(struct scene){.game = "martian boggle",
	                     .steps = {{true, "pass"}},
	                     .words = {"pass", "I pass this time", "move c5 a3; spell trend"}});
}

Test(answers, of_mole_majority_are_read_as_their_words_alone)
{
	play(&(struct scene){.game = "mole majority",
	                     .steps = {{false, "base b1 a2 d1; tiles c1 a1 e1"},
	                               {true, "base a2 b1 d1; tiles a1 c1 e1"},
	                               {true, "pass"}},
	                     .words = {"pass", "I want to pass", "move b1 b2 x3"}});
}

Test(answers, of_mole_are_read_as_their_words_alone)
{
	play(&(struct scene){
	    .game = "mole",
	    .steps = {{true, "nasdaq 1"}},
	    .words = {"flick m to 150 230", "shoot the mole at 150, 230", "flick m"}});
}
