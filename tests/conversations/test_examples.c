/*
 * test_examples.c - whatever a player is told he did wrong comes with a line that works.
 *
 * Each row is a mail with something wrong and words of the answer it gets. Every line the answer
 * shows behind "| " is sent back as an answer to it, and must be carried out.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/base/err.h"
#include "processor/base/strbuf.h"
#include "tests/support/scratch.h"
#include "tests/support/testbed.h"

/*
 * dan and ann play W1; bob and cy wait in W2; W3 of eve is private; fay plays W4 and W5; gus is
 * King Mole of P6.
 */
static struct testbed *base_site(void)
{
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new("examples");
	testbed_write(s, "dan", "create whakka mole players 2 maxtokens=2");
	testbed_run(s);
	testbed_write(s, "ann", "join w1");
	testbed_write(s, "bob", "create whakka mole players 3");
	testbed_write(s, "cy", "join w2");
	testbed_run(s);
	testbed_write(s, "eve", "create whakka mole players 2 private key tulip");
	testbed_write(s, "fay", "create whakka mole bots 1 players 2");
	testbed_write(s, "fay", "create whakka mole bots 1 players 2");
	testbed_write(s, "gus", "create mole park bots 1 players 2 king=1");
	testbed_run(s);
	return s;
}

struct row {
	const char *who, *text, *told;
	bool anew;   /* a new mail, no answer */
	bool silent; /* shows no example, since there is nothing to write */
};

static const struct row rows[] = {
    /* The game's diagnostics. */
    {"ann", "popup 12", "There is no hole 12", false, false},
    {"ann", "whack 99", "There is no hole 99", false, false},
    {"ann", "whack 4 5", "takes one hole only", false, false},
    {"ann", "whack", "needs a hole", false, false},
    {"ann", "popup", "needs", false, false},
    {"ann", "popup tree", "takes holes from 1 to 9", false, false},
    {"ann", "popup 1..9", "takes no range", false, false},
    {"ann", "popup 1 none", "NONE", false, false},
    {"ann", "popup 1 2 3", "POPUP may list at most 2 holes", false, false},
    {"ann", "popup 3 3", "A hole named twice counts once", false, false},
    {"ann", "popup 3\npopup 4", "replaces the POPUP of line 1", false, false},
    {"ann", "popup 3", "You named no hole to whack", false, false},
    {"ann", "whack 3", "You named no hole to pop up", false, false},
    {"ann", "wack 5", "Did you mean this?   > POPUP NONE; WHACK 5", false, false},
    {"ann", "poppup 5", "Did you mean this?   > POPUP 5; WHACK NONE", false, false},
    {"ann", "| popup 3", "begin with |", false, false},
    {"ann", "popup 3\n| whack 3", "skipped because it begins with", false, false},
    {"ann", "check\npopup 77", "There is no hole 77", false, false},
    {"gus", "roll", "ROLL needs a die", false, false},
    {"gus", "roll the pot", "ROLL takes one die", false, false},
    {"gus", "roll pan glove", "ROLL takes one die only", false, false},
    {"gus", "roll pan if it rains", "Not used: \"if it rains\"", false, false},
    {"gus", "crown", "needs at least one mole in your hand", false, false},
    {"gus", "prizes moon", "PRIZES takes shops", false, false},
    {"gus", "prizes none toys", "at the end of the list only", false, false},
    {"gus", "discard 9", "There is no value 9", false, false},
    {"gus", "favour zoe", "takes names of players", false, false},
    {"gus", "style crown", "takes up to 30 letters", false, false},
    {"gus", "roll prize", "wins nothing without a mole", false, false},
    {"gus", "prizes toys", "You named no die", false, false},
    {"gus", "discart low", "Did you mean this?", false, false},
    /* Commands that are nearly right. */
    {"ann", "HISTORY FROM 5 TO 2", "FROM must not be later than TO", false, false},
    {"ann", "SALT -", "SALT takes one word", false, false},
    {"ann", "JOIN everything", "JOIN needs the id of a game", false, false},
    {"ann", "JOIN w2 AS one two three four five", "Behind AS stands a name", false, false},
    {"ann", "CREATE chess", "CREATE needs a kind of game", false, false},
    {"ann", "CREATE whakka mole players 99", "CREATE", false, false},
    {"ann", "HELP PARKING", "HELP knows the commands", false, false},
    {"ann", "STATUS OF EVERYTHING NOW", "STATUS", false, false},
    {"ann", "SIGNON me", "SIGN ON", false, false},
    {"ann", "RESEND all", "RESEND", false, false},
    {"ann", "STATSU w1", "STATUS", false, false},
    /* What cannot be carried out. */
    {"ann", "create whakka mole players 3 bots 3", "more than the 3 seats", false, false},
    {"ann", "create whakka mole colour=red", "has no option \"colour\"", false, false},
    {"ann", "create whakka mole holes=99", "cannot be \"99\"", false, false},
    {"ann", "create mole next 2D Garden", "  | create mole Garden next 2D", false, false},
    {"ann", "create mole next 2D Old Garden bots 1",
     "  | create mole Old Garden next 2D bots 1", false, false},
    {"ann", "create mole next Garden", "\"Garden\" was not understood there. NEXT takes", false,
     false},
    {"ann", "create mole next Garden bots 1", "  | create mole next 3D bots 1", false, false},
    {"ann", "create mole Garden next 2D because it rains", "  | create mole Garden next 2D",
     false, false},
    {"ann", "create mole players 3 next 2D", "  | create mole next 2D", false, false},
    {"ann", "create mole bots 1 next 2D bots 0", "BOTS stands there twice", false, false},
    {"ann", "fork w1 at 0 next 2D Garden",
     "\"Garden\" was not understood there. It is no setting", false, false},
    {"ann", "fork w1 at 3", "nothing to go on from after turn 3", false, false},
    {"ann", "fork w1 at 0 bots 9", "only 1 seat for bots", false, false},
    {"ann", "fork w1 at 0 as Zed", "nobody called \"Zed\"", false, false},
    {"ann", "FORK W1 AT LAST", "Behind AT stands the number", false, false},
    {"ann", "fork w1 at 0 holes=9", "keeps the options", false, false},
    {"ann", "FORK W1", "FORK is written", false, false},
    {"ann", "fork w99 at 0", "no game W99", true, false},
    {"gus", "fork p6 at 0", "still being played", false, false},
    {"bob", "fork w2 at 0", "has not begun", false, false},
    {"ann", "join w99", "no such game", false, false},
    {"ann", "join p1", "no such game", false, false},
    {"ann", "join w1", "has begun", false, false},
    {"bob", "join w2", "already", false, false},
    {"ann", "join w3", "private", false, false},
    {"ann", "join w2 as 17", "cannot be part of a name", false, false},
    {"ann", "list w99", "no game W99", true, false},
    {"ann", "list w3", "private", true, false},
    {"fay", "popup 1; whack 1", "which of them", true, false},
    {"ann", "signon w2\npopup 3", "no seat", true, false},
    {"ann", "resend 99", "there is no number 99", false, false},
    {"ann", "no", "Nothing was waiting", false, false},
    {"ann", "set address ann@localhost..", "no mail address", false, false},
    {"ann", "set address moles@example.org", "address of this server", false, true},
    {"cy", "token new w2", "", false, true},
    {"bob", "popup 3; whack 5", "has not begun", false, true},
    {"ann", "salt pepper", "A salt is stored with orders", false, true},
    {"ann", "history from 7", "has been played yet", false, true},
    /* Messages and observers. */
    {"ann", "press to zoe\nhello\nendpress", "is called", false, false},
    {"ann", "press to dam\nhello\nendpress", "did you mean dan", false, false},
    {"ann", "press to 2\nhello\nendpress", "you do not get it", false, false},
    {"ann", "press to dan\nendpress", "There is no text", false, false},
    {"ann", "press to dan anon\nhello\nendpress", "press in W1 is white", false, false},
    {"ann", "press to dan\npopup 1; whack 1", "has no end word", false, false},
    {"ann", "PRESS TO\nhello\nendpress", "needs the names", false, false},
    {"ann", "broadcast\nendbroadcast", "There is no text", false, false},
    {"fay", "signon w4\nbroadcast\nhello\nendpress", "nobody else", true, true},
    {"ann", "observe w99", "no such game", false, false},
    {"ann", "observe w3", "private", false, false},
    {"ann", "observe w1", "You play in W1", false, false},
    {"ann", "observe w2", "You observe W2 from now on", false, false},
    {"ann", "unobserve", "You observe no game", false, false},
    {"ann", "OBSERVE everything", "id of a game", false, false},
    {"ann", "Hello, how are you?", "Not understood: \"Hello, how are you?\".", false, false},
    /* What is laid down. */
    {"dan", "queue 0 popup 1", "QUEUE takes the number of a turn", false, false},
    {"dan", "queue 2", "no orders behind that word", false, false},
    {"dan", "queue 999 popup 1", "cannot have so many turns", false, false},
    {"dan", "queue off", "Nothing of yours was queued", false, false},
    {"dan", "always resign", "cannot be stored for later", false, false},
    {"dan", "always off", "You have no standing orders", false, false},
    {"dan", "set fallback maybe", "SET FALLBACK takes", false, false},
    {"dan", "set absence soon", "SET ABSENCE takes", false, false},
    {"dan", "set absence 30 Feb", "date does not exist", false, false},
    {"dan", "set absence 1 Apr to 1 Sep", "no absence may be longer", false, false},
    {"dan", "set noabsence", "not said that you are away", false, false},
    /* Masters and votes. */
    {"dan", "set deadline soon", "A time is written", false, false},
    {"dan", "set deadline 10M", "too soon for everybody", false, false},
    {"dan", "set deadline 2028-01-01", "more than a year away", false, false},
    {"dan", "set grace forever", "SET GRACE", false, false},
    {"dan", "process", "number of a turn is missing", false, false},
    {"dan", "process 3", "no turn number 3", false, false},
    {"dan", "rollback 3", "No turn with number 3", false, false},
    {"dan", "eject 1", "cannot remove yourself", false, false},
    {"dan", "eject zoe", "names nobody at this table", false, true},
    {"dan", "promote dan", "You are the master already", false, false},
    {"dan", "resume", "The game is not paused", false, false},
    {"dan", "set start 2D", "has begun already", false, false},
    {"dan", "force begin", "has begun already", false, false},
    {"bob", "process 1", "has not begun", false, false},
    {"bob", "become 3", "has not begun", false, false},
    {"dan", "eject", "EJECT is written", false, false},
    {"dan", "promote", "PROMOTE is written", false, false},
    {"dan", "become", "BECOME is written", false, false},
    {"ann", "pause", "Only the master of W1", false, false},
    {"ann", "eject 1", "Only the master of W1", false, true},
    {"ann", "vote draw", "What can be voted for", false, false},
    {"ann", "set nodraw", "no such vote", false, false},
    {"ann", "set concede ann", "give the game to yourself", false, false},
    {"ann", "set concede me", "SET CONCEDE is written", false, false},
    {"bob", "vote pause", "nothing to vote for yet", false, false},
    {"bob", "vote pause w1", "no vote", false, false},
    /* Seats, places, people. */
    {"ann", "rematch", "is not over yet", false, false},
    {"ann", "rematch w2", "To take a seat", false, false},
    {"bob", "rematch w2", "You have a seat in it", false, false},
    {"ann", "rematch w3", "Only somebody who has played W3", false, false},
    {"bob", "rematch w1", "Only somebody who has played W1", false, false},
    {"ann", "takeover w1", "No seat of W1 is vacant", false, false},
    {"ann", "takeover w2", "has not begun", false, false},
    {"ann", "takeover w99", "no such game", false, false},
    {"ann", "takeover", "TAKEOVER needs the id of a game", false, false},
    {"ann", "join mole nowait", "You are not in the queue", false, false},
    {"ann", "join mole wait as 7", "cannot be part of a name", false, false},
    {"ann", "who zorro", "Nobody here goes by the name", false, false},
    {"ann", "ratings chess", "RATINGS takes a kind", false, false},
    {"ann", "set mail weekly", "SET MAIL takes", false, false},
    {"ann", "set quiet at night", "SET QUIET takes", false, false},
    {"ann", "set zone Brlin", "no time zone \"Brlin\"", false, false},
};

/* Subjects of answers to which nothing was carried out. */
static bool is_refusal(const struct post *p)
{
	static const char *const subjects[] = {"refused",
	                                       "nothing stored",
	                                       "no game was created",
	                                       "no game was forked",
	                                       "you have not joined",
	                                       "which game?",
	                                       "How to play",
	                                       "no such",
	                                       "not understood",
	                                       "not carried out",
	                                       "did you mean",
	                                       "no seat",
	                                       "was not sent",
	                                       "you do not observe",
	                                       "nothing was queued",
	                                       "no standing orders were",
	                                       "no absence was noted",
	                                       "nothing was done",
	                                       "nobody of that name",
	                                       "was not counted",
	                                       "no rematch",
	                                       "not in the queue",
	                                       "goes by that name",
	                                       "could not be"};

	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++)
		if (strstr(p->subject, subjects[i]) && !strstr(p->subject, "only checked"))
			return true;
	return false;
}

static const struct post *ask(struct testbed *s, const struct row *row)
{
	size_t before = s->nposts;

	if (row->anew)
		testbed_write(s, row->who, row->text);
	else
		testbed_reply(s, row->who, row->text);
	testbed_run(s);
	cr_assert_gt(s->nposts, before, "\"%s\" got no answer", row->text);
	return s->posts[before];
}

static void try_example(const struct testbed *asked, const struct post *answer,
                        const struct row *row, struct span line)
{
	struct testbed *s = testbed_clone(asked);
	size_t before = s->nposts;
	struct strbuf text = STRBUF_INIT;

	strbuf_add_span(&text, line);
	testbed_reply_to(s, row->who, answer, text.ptr);
	testbed_run(s);
	cr_assert_gt(s->nposts, before, "the example \"%s\" got no answer", text.ptr);
	cr_expect(!is_refusal(s->posts[before]) || strcmp(text.ptr, "help\n") == 0,
	          "\"%s\" was answered with the example \"%s\", which does not work: %s\n%s",
	          row->text, text.ptr, s->posts[before]->subject, s->posts[before]->text);
	strbuf_release(&text);
	testbed_free(s);
}

/* An example behind its bar; one of a message goes on down to its end word. */
static bool next_example(struct span *rest, struct strbuf *out)
{
	struct span line;
	bool message = false;

	strbuf_clear(out);
	while (span_next_line(rest, &line)) {
		line = span_trim(line);
		if (!span_starts(line, "| "))
			continue;
		line = span_slice(line, 2, line.len);
		message = message || span_starts_nocase(line, "press to") ||
		          span_eq_nocase(line, "broadcast") || span_eq_nocase(line, "diary");
		strbuf_add_span(out, line);
		strbuf_addc(out, '\n');
		if (!message || span_eq_nocase(line, "endpress") ||
		    span_eq_nocase(line, "endbroadcast"))
			return true;
	}
	return out->len > 0;
}

static void try_examples(const struct testbed *asked, const struct post *answer,
                         const struct row *row)
{
	struct span rest = span_of(answer->text);
	struct strbuf example = STRBUF_INIT;
	unsigned n = 0;

	for (; next_example(&rest, &example); n++)
		try_example(asked, answer, row, strbuf_span(&example));
	if (strstr(answer->subject, "did you mean")) {
		try_example(asked, answer, row, SPAN_LIT("yes\n"));
		n++;
	}
	cr_expect(n > 0 || row->silent, "the answer to \"%s\" shows no line that works:\n%s",
	          row->text, answer->text);
	strbuf_release(&example);
}

/* Line ends are no part of the words. */
static bool says(const struct post *p, const char *words)
{
	struct strbuf flat = STRBUF_INIT;

	for (const char *c = p->text; *c; c++)
		strbuf_addc(&flat, *c == '\n' ? ' ' : *c);
	bool yes = strstr(flat.ptr, words) != NULL;
	strbuf_release(&flat);
	return yes;
}

Test(examples, of_every_answer_to_a_mistake_work, .timeout = 600)
{
	struct testbed *base = base_site();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct testbed *s = testbed_clone(base);
		const struct post *answer = ask(s, &rows[i]);
		cr_expect(says(answer, rows[i].told), "\"%s\" is not told \"%s\":\n%s",
		          rows[i].text, rows[i].told, answer->text);
		try_examples(s, answer, &rows[i]);
		testbed_free(s);
	}
	testbed_free(base);
}

/* The answer may go to somebody whose name was put on the mail. */
Test(examples, a_stranger_is_told_what_is_wrong_without_his_own_words)
{
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new("stranger");
	testbed_write(s, "zoe", "create whakka mole players 3 evil.example");
	testbed_run(s);
	cr_expect(says(testbed_last(s, "zoe"), "Line 1 of your mail was not understood"), "%s",
	          testbed_last(s, "zoe")->text);
	cr_expect(says(testbed_last(s, "zoe"), "A title comes right after the"), "%s",
	          testbed_last(s, "zoe")->text);
	cr_expect_not(says(testbed_last(s, "zoe"), "evil"), "%s", testbed_last(s, "zoe")->text);
	testbed_free(s);
}
