/*
 * test_near_misses.c - what is nearly a command, too much of it, or only talk: nothing is
 * carried out that was not meant, and what was meant is explained.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "processor/base/chance.h"
#include "processor/base/file.h"
#include "processor/base/seal.h"
#include "processor/base/utf8.h"
#include "tests/support/mail_read.h"

static bool changes_something(enum verb verb)
{
	switch (verb) {
	case CMD_JOIN:
	case CMD_CREATE:
	case CMD_FORK:
	case CMD_PRACTICE:
	case CMD_RESIGN:
	case CMD_CLEAR:
	case CMD_SET_WAIT:
	case CMD_SET_NOWAIT:
	case CMD_SET_ZONE:
	case CMD_SET_QUIET:
	case CMD_SET_MAIL:
	case CMD_SET_WIDTH:
	case CMD_SET_BOARD:
	case CMD_SET_PROOF:
	case CMD_SET_REMINDERS:
	case CMD_SET_PUZZLE:
	case CMD_NUDGE:
	case CMD_INVITE:
	case CMD_ASK_FOR:
	case CMD_SET_INVITES:
	case CMD_THANKS:
	case CMD_TAKEOVER:
	case CMD_YES:
	case CMD_NO:
	case CMD_TOKEN_NEW:
	case CMD_SALT:
	case CMD_ALSO:
	case CMD_ADDRESS:
	case CMD_PRESS:
	case CMD_BROADCAST:
	case CMD_DIARY:
	case CMD_OBSERVE:
	case CMD_MONITOR:
	case CMD_UNOBSERVE:
	case CMD_SET_DEADLINE:
	case CMD_SET_GRACE:
	case CMD_SET_START:
	case CMD_PAUSE:
	case CMD_RESUME:
	case CMD_PROCESS:
	case CMD_ROLLBACK:
	case CMD_EJECT:
	case CMD_PROMOTE:
	case CMD_DEMOTE:
	case CMD_ALLOW:
	case CMD_DENY:
	case CMD_BECOME:
	case CMD_REPLACE:
	case CMD_START_WITH_BOTS:
	case CMD_TERMINATE:
	case CMD_FORCE_BEGIN:
	case CMD_OFFICIAL:
	case CMD_SET_DRAW:
	case CMD_SET_NODRAW:
	case CMD_SET_CONCEDE:
	case CMD_SET_NOCONCEDE:
	case CMD_VOTE:
	case CMD_REMATCH:
	case CMD_ALWAYS:
	case CMD_ALWAYS_OFF:
	case CMD_QUEUE:
	case CMD_QUEUE_OFF:
	case CMD_SET_FALLBACK:
	case CMD_SET_ABSENCE:
	case CMD_SET_NOABSENCE:
		return true;
	case CMD_ORDERS:
	case CMD_HELP:
	case CMD_LIST:
	case CMD_SIGNON:
	case CMD_STATUS:
	case CMD_MY_GAMES:
	case CMD_CHECK:
	case CMD_PREVIEW:
	case CMD_HISTORY:
	case CMD_SUMMARY:
	case CMD_ARCHIVE:
	case CMD_ANALYSE:
	case CMD_RESEND:
	case CMD_VERIFY:
	case CMD_RATINGS:
	case CMD_WHO:
		return false;
	}
	return false;
}

static struct strbuf chatter(void)
{
	struct strbuf text = STRBUF_INIT;
	struct failure e = ERR_INIT;

	cr_assert_eq(file_read("tests/unit/commandtext/chatter.txt", 65536, &text, &e),
	             ERR_NONE, "%s", e.text.ptr);
	err_release(&e);
	return text;
}

/* Line by line, and each line as subject: real mail is full of our verbs. */
Test(command_text, chatter_executes_nothing)
{
	struct strbuf text = chatter();
	struct span rest = strbuf_span(&text), line;
	unsigned lines = 0, remarks = 0;

	while (span_next_line(&rest, &line)) {
		struct strbuf one = STRBUF_INIT;
		struct mail_read body, subject;

		strbuf_add_span(&one, line);
		body = read_mail_bytes(line, "");
		subject = read_mail("", one.ptr);
		/* What a mail program says is nobody's line. */
		cr_expect(body.text.nitems == 0
		              ? body.text.nlines == 0
		              : body.text.nitems == 1 && body.text.items[0].verb == CMD_ORDERS,
		          "'%s' is read as: %s", one.ptr, body.items.ptr);
		cr_expect_eq(subject.text.nitems, 0, "as subject, '%s' is read as: %s", one.ptr,
		             subject.items.ptr);
		remarks += (unsigned)body.text.diags.count;
		mail_read_release(&body);
		mail_read_release(&subject);
		strbuf_release(&one);
		lines++;
	}
	cr_expect_geq(lines, 200);
	/* A few short lines may be taken for mistakes; prose as such is left alone. */
	cr_expect_leq(remarks, 8, "%u of %u lines are remarked upon", remarks, lines);
	strbuf_release(&text);
}

static void add_garbage(struct strbuf *out, struct chance *c, unsigned n)
{
	unsigned length = chance_pick(c, 400, "length %u", n);

	for (unsigned i = 0; i < length; i++) {
		unsigned what = chance_pick(c, 8, "kind %u %u", n, i);

		if (what == 0)
			strbuf_addc(out, '\n');
		else if (what < 4)
			strbuf_addc(out, (char)chance_pick(c, 256, "byte %u %u", n, i));
		else
			strbuf_addc(out,
			            (char)('a' + chance_pick(c, 26, "letter %u %u", n, i)));
	}
}

static void check_spans(const struct command_text *l)
{
	for (size_t i = 0; i < l->nitems; i++) {
		cr_assert(utf8_valid(l->items[i].text));
		cr_assert(utf8_valid(l->items[i].orders));
		cr_assert(utf8_valid(l->items[i].name));
	}
	for (size_t i = 0; i < l->nlines; i++)
		cr_assert(utf8_valid(l->lines[i].text));
}

Test(command_text, garbage_changes_nothing)
{
	const char *seed_text = getenv("SEED");
	uint64_t seed = seed_text != NULL ? strtoull(seed_text, NULL, 10) : 20260312;
	struct chance *c;

	seal_start();
	c = chance_from_seed(seed, "garbage mails");
	for (unsigned n = 0; n < 200; n++) {
		struct strbuf text = STRBUF_INIT;
		struct mail_read r;

		add_garbage(&text, c, n);
		r = read_mail_bytes(strbuf_span(&text), "");
		check_spans(&r.text);
		for (size_t i = 0; i < r.text.nitems; i++)
			/* Two letters come up by chance. */
			cr_expect(r.text.items[i].verb == CMD_NO ||
			              !changes_something(r.text.items[i].verb),
			          "seed %llu mail %u: %s", (unsigned long long)seed, n,
			          r.items.ptr);
		mail_read_release(&r);
		strbuf_release(&text);
	}
	chance_free(c);
}

/* What a mail's diagnostics say: level, line, example, of the first; "" when there is none. */
static void expect_diag(const char *text, const char *first)
{
	struct mail_read r = read_mail(text, "");
	struct strbuf got = STRBUF_INIT;

	if (r.text.diags.count > 0) {
		const struct diag *d = &r.text.diags.items[0];

		strbuf_addf(&got, "%s %u: %s", diag_level_name(d->level), d->line, d->example);
		cr_expect(d->message[0] != '\0' && d->quoted[0] != '\0');
	}
	cr_expect_str_eq(got.ptr, first, "%s\nsays: %s\nexpected: %s", text, got.ptr, first);
	strbuf_release(&got);
	mail_read_release(&r);
}

Test(command_text, a_misspelt_verb_is_suggested_and_not_done)
{
	expect_diag("STAUTS W17", "error 1: STATUS W17");
	expect_diag("\njion whakka mole as Ann", "error 2: JOIN whakka mole as Ann");
	expect_diag("resing", "error 1: RESIGN");
	expect_diag("set wiat", "error 1: SET WAIT");
	expect_diag("setwiat", "");
	expect_diag("histroy from 2", "error 1: HISTORY from 2");
	expect_diag("creat whakka mole players 3", "error 1: CREATE whakka mole players 3");
	expect_diag("wihtdraw", "error 1: WITHDRAW");
	/* Names, orders and words of letters are no misspelt commands. */
	expect_diag("Clara", "");
	expect_diag("Joan", "");
	expect_diag("Joan W17 is fun", "");
	expect_diag("popup 3 whack 5", "");
	expect_diag("yea", "");
	expect_items("STAUTS W17", "", "orders STAUTS W17");
}

Test(command_text, a_wrong_argument_is_explained_with_a_line_that_works)
{
	static const char create[] = "error 1: CREATE whakka mole PLAYERS 3 BOTS 1 NEXT 2D",
			  without[] = "error 1: create whakka mole";

	expect_diag("CREATE whakka PLAYERS many", create);
	expect_diag("create whakka players many", create);
	expect_diag("create whakka mole players many", without);
	expect_diag("create whakka mole players 99", without);
	expect_diag("create whakka mole players 1", without);
	expect_diag("create whakka mole players 2 bots 3", create);
	expect_diag("create whakka mole bots -1", without);
	expect_diag("create whakka mole bots 1 level 6", "error 1: create whakka mole bots 1");
	expect_diag("create whakka mole bots 1 level", "error 1: create whakka mole bots 1");
	expect_diag("create whakka mole next tuesday", "error 1: create whakka mole next 3D");
	expect_diag("create whakka mole next", "error 1: create whakka mole next 3D");
	expect_diag("create whakka mole days mo-fr",
	            "error 1: create whakka mole days mon-fri");
	expect_diag("create whakka mole grace long", "error 1: create whakka mole grace 6H");
	expect_diag("create whakka mole at noon", "error 1: create whakka mole at 20:00");
	expect_diag("create whakka mole at 25:00", "error 1: create whakka mole at 20:00");
	expect_diag("create whakka mole holidays 02-30", without);
	expect_diag("create whakka mole remind 4H,24H", without);
	expect_diag("create whakka mole phase 5D", without);
	expect_diag("create whakka mole players 3 players 4",
	            "error 1: create whakka mole players 3");
	expect_diag("create whakka mole players 3 today",
	            "error 1: create whakka mole players 3");
	expect_diag("create whakka mole target= 30", without);
	expect_diag("create whakka mole =30", without);
	expect_diag("create whakka mole key", without);
	expect_diag("create chess", create);
	expect_diag("join chess", "error 1: JOIN whakka mole AS Ann");
	expect_diag("join W17 today", "");
	expect_diag("JOIN W17 AS The Big Bad Mole", "error 1: JOIN whakka mole AS Ann");
	expect_diag("RESIGN NOW", "error 1: RESIGN");
	expect_diag("history W17 from 5 to 2", "error 1: HISTORY W17 FROM 2 TO 5");
	expect_diag("status W17 W18", "error 1: STATUS W17");
	expect_diag("SETWAIT please", "error 1: SET WAIT");
	expect_diag("List of my ideas", "");
	expect_diag("Join us tomorrow for beer", "");
	expect_diag("No problem", "");
}

Test(command_text, below_five_lines_of_talk_commands_are_no_longer_looked_for)
{
	static const char talk[] = "Dear friends,\n"
				   "I have been thinking about the game.\n"
				   "It is not as easy as I thought.\n"
				   "> quoted\n\n"
				   "What do you think?\n"
				   "Please let me know.\n";
	struct strbuf text = STRBUF_INIT;
	struct mail_read r;

	strbuf_addf(&text, "%sSET WAIT\npopup 3\n", talk);
	r = read_mail(text.ptr, "");
	cr_assert_eq(r.text.nitems, 1);
	cr_expect_eq(r.text.items[0].verb, CMD_ORDERS);
	cr_assert_eq(r.text.diags.count, 1);
	cr_expect_eq(r.text.diags.items[0].level, DIAG_WARNING);
	cr_expect_eq(r.text.diags.items[0].line, 8);
	mail_read_release(&r);
	/* Orders in a row are no talk, and a command ends a row of talk. */
	expect_items("popup 1\npopup 2\npopup 3\npopup 4\npopup 5\npopup 6\nset wait", "",
	             "orders popup 1/popup 2/popup 3/popup 4/popup 5/popup 6; set wait");
	strbuf_release(&text);
}

Test(command_text, a_mail_holds_a_bounded_number_of_commands)
{
	struct strbuf text = STRBUF_INIT;
	struct mail_read r;

	for (unsigned i = 0; i < 3000; i++)
		strbuf_adds(&text, "popup 1\nCLEAR\n");
	r = read_mail_bytes(strbuf_span(&text), "RESIGN");
	/* Each has orders above it, and so has the first that is one too many. */
	cr_expect_eq(r.text.nitems, 2 * USUAL_COMMANDS + 1);
	cr_expect_eq(r.text.diags.count, 1);
	mail_read_release(&r);
	strbuf_release(&text);
}

/* The commands carried out of a mail that may hold `most`, and whether something was refused. */
static unsigned commands_of(const char *text, unsigned most, bool *refused)
{
	struct arena *arena = arena_new();
	struct command_text l;
	unsigned n = 0;

	command_text_read(span_of(text), SPAN_EMPTY, most, arena, &l);
	for (size_t i = 0; i < l.nitems; i++)
		n += l.items[i].verb != CMD_ORDERS;
	*refused = diags_has_errors(&l.diags);
	command_text_release(&l);
	arena_free(arena);
	return n;
}

Test(command_text, the_last_command_allowed_is_read_and_the_next_is_refused)
{
	bool refused;

	cr_expect_eq(commands_of("status\npopup 1\nlist\nyes\n", 3, &refused), 3);
	cr_expect_not(refused);
	cr_expect_eq(commands_of("status\npopup 1\nlist\nyes\nno\n", 3, &refused), 3);
	cr_expect(refused);
}

/*
 * SIGNON and CHECK say what the lines below them are; refused, they must not leave them to
 * others.
 */
Test(command_text, orders_below_a_command_too_many_are_nobodys)
{
	struct arena *arena = arena_new();
	struct command_text l;

	command_text_read(SPAN_LIT("popup 1\nstatus\nsignon W17\npopup 2\n"), SPAN_EMPTY, 1,
	                  arena, &l);
	cr_assert_eq(l.nitems, 2);
	cr_expect(span_eq_str(span_trim(l.items[0].orders), "popup 1"));
	command_text_release(&l);
	command_text_read(SPAN_LIT("popup 1\nstatus\ncheck\npopup 2\n"), SPAN_EMPTY, 1, arena,
	                  &l);
	cr_assert_eq(l.nitems, 2);
	cr_expect(span_eq_str(span_trim(l.items[0].orders), "popup 1"));
	command_text_release(&l);
	arena_free(arena);
}

/* A line may look wrong as a command and be right, or wrong, as an order of the game. */
Test(command_text, the_game_has_the_last_word_on_lines_it_was_given)
{
	struct mail_read r = read_mail("STAUTS W17\nJOIN chess\nhello\nCHECK 1 2\n", "");
	struct diags game = DIAGS_INIT, all = DIAGS_INIT;

	cr_assert_eq(r.text.diags.count, 2);
	diags_add(&game, DIAG_IGNORED, 1, 0, SPAN_LIT("STAUTS W17"), "", "Prose.");
	diags_add(&game, DIAG_IGNORED, 3, 0, SPAN_LIT("hello"), "", "Prose.");
	merge_diags(&r.text, r.text.items[0].orders, &game, &all);
	cr_assert_eq(all.count, 2);
	cr_expect_eq(all.items[0].level, DIAG_ERROR);
	cr_expect_eq(all.items[0].line, 1);
	cr_expect_eq(all.items[1].level, DIAG_IGNORED);
	cr_expect_eq(all.items[1].line, 3);
	diags_clear(&all);
	merge_diags(&r.text, SPAN_EMPTY, NULL, &all);
	cr_expect_eq(all.count, 2);
	diags_release(&game);
	diags_release(&all);
	mail_read_release(&r);
}
