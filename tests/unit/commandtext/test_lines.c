/*
 * test_lines.c - which lines of a mail are commands, orders, a message, or nobody's.
 */
#include <criterion/criterion.h>

#include "tests/support/mail_read.h"

/* Plain lines come out as orders, with the line numbers they had. */
Test(command_text, what_is_no_command_is_kept_for_the_game)
{
	static const struct letter_case cases[] = {
	    {"popup 3, whack 5", "orders popup 3, whack 5"},
	    {"\n\npopup 3\n\nwhack 5\n", "orders //popup 3//whack 5"},
	    {"popup 3\nset wait\nwhack 5", "orders popup 3//whack 5; set wait"},
	    {"ORDERS\npopup 3", "orders /popup 3"},
	    {"Orders: popup 3", "orders popup 3"},
	    {"> popup 1\npopup 3\n> whack 2\nwhack 5", "orders /popup 3//whack 5"},
	    {"help me please", "orders help me please"},
	    {"resign please", "orders resign please"},
	    {"join", "orders join"},
	    {"resign W17 W18", "orders resign W17 W18"},
	    {"create chess", "orders create chess"},
	    {"salt", "orders salt"},
	    {"salt a b", "orders salt a b"},
	    {"salt -", "orders salt -"},
	    {"resend 0", "orders resend 0"},
	    {"history from x", "orders history from x"},
	    {"yes no", "orders yes no"},
	    {"0@W17", "orders 0@W17"},
	    {"17@W17", "orders 17@W17"},
	    {"join W0", "orders join W0"},
	    {"join 99999999999999999999", "orders join 99999999999999999999"},
	    {"s e t wait", "orders s e t wait"},
	    {"setwaits", "orders setwaits"},
	};

	EXPECT_ALL(cases);
}

Test(command_text, clear_and_signon_part_the_orders_above_from_those_below)
{
	static const struct letter_case cases[] = {
	    {"popup 1\nCLEAR\npopup 2", "orders popup 1; clear; orders //popup 2"},
	    {"popup 1\nsignon W18\npopup 2", "orders popup 1; sign on W18; orders //popup 2"},
	    {"popup 1\nstatus\npopup 2", "orders popup 1//popup 2; status"},
	    {"3@W17\npopup 2\n4@W18\npopup 1",
	     "sign on W17 seat=3; orders /popup 2; sign on W18 seat=4; orders ///popup 1"},
	};

	EXPECT_ALL(cases);
}

Test(command_text, check_and_preview_take_the_lines_below_up_to_the_next_command)
{
	static const struct letter_case cases[] = {
	    {"CHECK\npopup 1\nwhack 2", "check /popup 1/whack 2"},
	    {"CHECK popup 1\nwhack 2", "check popup 1/whack 2"},
	    {"CHECK:\npopup 1\nSTATUS\nwhack 2", "check /popup 1; status; orders ///whack 2"},
	    {"popup 1\nCHECK\npopup 2\nORDERS\nwhack 3",
	     "orders popup 1////whack 3; check //popup 2"},
	    {"PREVIEW\npopup 1\nCHECK\npopup 2", "preview /popup 1; check ///popup 2"},
	    {"CHECK", "check"},
	    /* With nothing below, what stands right above is meant, and not stored. */
	    {"popup 1\nCHECK", "check popup 1"},
	    {"popup 1\nwhack 2\nTEST", "preview popup 1/whack 2"},
	    {"popup 1\nSTATUS\nCHECK", "orders popup 1; status; check"},
	    {"CHECK RESIGN", "check RESIGN"},
	    /* Talk does not turn the orders below it into mere checks. */
	    {"Check this out:\npopup 3", "orders Check this out:/popup 3"},
	};

	EXPECT_ALL(cases);
}

Test(command_text, reading_ends_at_the_words_and_marks_that_end_a_mail)
{
	static const struct letter_case cases[] = {
	    {"popup 1\nSIGNOFF\nwhack 2", "orders popup 1"},
	    {"popup 1\nsign off\nwhack 2", "orders popup 1"},
	    {"popup 1\nEnd.\nwhack 2", "orders popup 1"},
	    {"popup 1\n-- \nRESIGN", "orders popup 1"},
	    {"popup 1\r\n-- \r\nRESIGN", "orders popup 1"},
	    {"popup 1\n--\xc2\xa0\nRESIGN", "orders popup 1"},
	    {"popup 1\n##### Reply above this line\nRESIGN", "orders popup 1"},
	    {"popup 1\n  #####\nRESIGN", "orders popup 1"},
	    {"> #####\nRESIGN", "resign"},
	    {"> -- \nRESIGN", "resign"},
	    {"> SIGNOFF\nRESIGN", "resign"},
	    {"--\nSTATUS", "orders --; status"},
	    {"end of story\nSTATUS", "orders end of story; status"},
	};
	struct mail_read r = read_mail("a\n-- \nb", "");

	EXPECT_ALL(cases);
	cr_expect(r.text.stopped_at_signature && !r.text.stopped_at_marker);
	mail_read_release(&r);
	r = read_mail("a\n##### b", "");
	cr_expect(!r.text.stopped_at_signature && r.text.stopped_at_marker);
	mail_read_release(&r);
}

Test(command_text, quoted_and_barred_lines_are_not_read)
{
	static const struct letter_case cases[] = {
	    {"> RESIGN", ""},
	    {"  > RESIGN", ""},
	    {">> RESIGN\n>RESIGN", ""},
	    {"| RESIGN", ""},
	    {"|RESIGN", ""},
	    {" | popup 3", ""},
	    {"\xc2\xa0> RESIGN", ""},
	    {"\xef\xbc\x9e RESIGN", ""},
	    {"\xe2\x80\x8b> RESIGN", ""},
	};
	struct mail_read r = read_mail("hello\n| popup 3\n || *RESIGN*.\n|\n", "");

	EXPECT_ALL(cases);
	cr_assert_eq(r.text.nbarred, 2);
	cr_expect_eq(r.text.barred[0].line, 2);
	cr_expect(span_eq_str(r.text.barred[0].text, "popup 3"));
	cr_expect(span_eq_str(r.text.barred[1].text, "RESIGN"));
	cr_assert_eq(r.text.diags.count, 1);
	cr_expect_eq(r.text.diags.items[0].level, DIAG_NOTE);
	cr_expect_eq(r.text.diags.items[0].line, 3);
	cr_expect_str_eq(r.text.diags.items[0].example, "RESIGN");
	mail_read_release(&r);
}

Test(command_text, the_subject_is_a_fallback_for_one_command)
{
	expect_items("", "HELP", "help");
	expect_items("", "Re: help", "help");
	expect_items("", "AW: Fwd: [games] Re[2]: join whakka mole", "join kind=whakka-mole");
	expect_items("\n\n", "*LIST*.", "list");
	expect_items("Hello", "status W17", "status W17; orders Hello");
	expect_items("Hello", "Hello there", "orders Hello");
	expect_items("LIST", "RESIGN", "list");
	expect_items("> quoted", "list", "list");
	expect_items("popup 3", "check", "check popup 3");
	expect_items("popup 3", "check popup 4", "orders popup 3");
	expect_items("popup 3", "orders", "orders popup 3");
	expect_items("popup 3", "SIGNON W17", "sign on W17; orders popup 3");
	/* An answer to a mail of ours: its subject says nothing new. */
	expect_items("popup 3", "Re: [W17 turn 3] Status", "orders popup 3");
	expect_items("", "[W17] help", "");
	expect_items("", "Re: Re: Re:", "");
	expect_items("", "[", "");
	expect_items("", "[]:", "");
}

static const char *const commands[] = {
    "join whakka mole as Ann Lee",
    "create whakka mole Friday Fun players 3 bots 1 next 2d target=30 key sesame",
    "resign W17",
    "set nowait",
    "token new",
    "history W17 from 2 to 5",
    "salt pepper",
    "yes",
    "set deadline +2D",
    "rollback to turn 2 W17",
    "eject Ann Lee W17",
    "set concede 2",
    "vote no pause W17",
};
enum { NCOMMANDS = sizeof(commands) / sizeof(commands[0]) };

/* Each takes a command and puts it as mail programs and people do. */
static void dress(struct strbuf *out, const char *command, unsigned clothing)
{
	static const char *const around[][2] = {
	    {"", ""},
	    {"  ", "  "},
	    {"\t", "\r"},
	    {"- ", ""},
	    {"* ", ""},
	    {"\xe2\x80\xa2 ", ""},
	    {"1. ", ""},
	    {"2) ", ""},
	    {"", "."},
	    {"*", "*"},
	    {"**", "**"},
	    {"_", "_"},
	    {"- *", "*."},
	    {"\xef\xbb\xbf", ""},
	    {"\xc2\xa0", "\xc2\xa0"},
	    {"\xe2\x80\x8b", "\xe2\x80\x8b"},
	    {"\x01", "\x7f"},
	};
	size_t n = sizeof(around) / sizeof(around[0]);

	strbuf_adds(out, around[clothing % n][0]);
	for (; *command != '\0'; command++) {
		if (*command == ' ' && clothing % 3 == 1)
			strbuf_adds(out, "\xc2\xa0");
		else if (*command == ' ' && clothing % 3 == 2)
			strbuf_adds(out, " \t \xe2\x80\x89");
		else if (*command == '2' && clothing % 5 == 1)
			strbuf_adds(out, "\xef\xbc\x92"); /* full width */
		else
			strbuf_addc(out, *command);
	}
	strbuf_adds(out, around[clothing % n][1]);
}

Test(command_text, a_command_in_any_clothing_is_the_same_command)
{
	for (size_t c = 0; c < NCOMMANDS; c++) {
		struct mail_read plain = read_mail(commands[c], "");

		cr_assert_eq(plain.text.nitems, 1);
		for (unsigned clothing = 0; clothing < 17 * 15; clothing++) {
			struct strbuf text = STRBUF_INIT;

			dress(&text, commands[c], clothing);
			expect_items(text.ptr, "", plain.items.ptr);
			strbuf_release(&text);
		}
		mail_read_release(&plain);
	}
}

Test(command_text, orders_come_out_plain)
{
	static const struct letter_case cases[] = {
	    {"*popup 3*", "orders popup 3"},
	    {"- popup 3", "orders popup 3"},
	    {"1. popup 3.", "orders popup 3"},
	    {"1. 3", "orders 1. 3"},
	    {"popup\xc2\xa0"
	     "3 \xe2\x80\x93 whack \xef\xbc\x95",
	     "orders popup 3 - whack 5"},
	    {"wait...", "orders wait..."},
	    {"a_b *c d", "orders a_b *c d"},
	    {"**popup** 3", "orders popup 3"},
	    {"bad \xff bytes \x01", "orders bad \xef\xbf\xbd bytes"},
	};

	EXPECT_ALL(cases);
}

Test(command_text, a_message_runs_to_its_end_word)
{
	static const struct letter_case cases[] = {
	    {"PRESS TO Bea\nShall we?\nENDPRESS\npopup 3",
	     "press to name=Bea text=  Shall we?/; orders ///popup 3"},
	    {"popup 3\npress to Bea, 3 anon:\none\n\n\ntwo\nend press\nwhack 5",
	     "orders popup 3///////whack 5; press to name=Bea, 3 anon=1 text=  one//two/"},
	    {"message to Bea and Cy\nhi\nendmessage", "press to name=Bea and Cy text=  hi/"},
	    {"Broadcast:\nall of you\nEndBroadcast\nstatus",
	     "broadcast text=  all of you/; status"},
	    {"BROADCAST ANON\nhi\nENDPRESS", "broadcast anon=1 text=  hi/"},
	    {"DIARY\nHe bluffs.\nENDPRESS", "diary text=  He bluffs./"},
	    {"note\nHe bluffs.\nendnote", "diary text=  He bluffs./"},
	    {"press to Grey\nhi\nendpress", "press to name=Grey text=  hi/"},
	    {"PRESS TO 2\nENDPRESS", "press to name=2"},
	    /* Ended by END, and nothing below is read. */
	    {"press to 2\nhi\nend\npopup 3", "press to name=2 text=  hi/"},
	    /* Two in a row; a second one without the end word of the first. */
	    {"press to 2\nhi\npress to 3\nyou\nendpress",
	     "press to name=2 open=  hi/; press to name=3 text=  you/"},
	};

	EXPECT_ALL(cases);
}

Test(command_text, a_message_without_end_word_is_what_the_writer_wrote_and_no_more)
{
	static const struct letter_case cases[] = {
	    {"press to 2\nhi\n\nthere\n", "press to name=2 open=  hi//there/"},
	    {"press to 2\nhi\n-- \nBea, 5 Mole Lane", "press to name=2 open=  hi/"},
	    {"press to 2\nhi\n\nSent from my iPhone\n", "press to name=2 open=  hi/"},
	    {"press to 2\nhi\n\nOn Thu, 12 Mar 2026 Molepost <m@example.org>\nwrote:\n\n"
	     "> Your orders\n> popup 3",
	     "press to name=2 open=  hi/"},
	    {"press to 2\nhi:\n> popup 3\nyes\nendpress", "press to name=2 text=  hi:/yes/"},
	    {"press to 2\nhi\n-----\npopup 3\nendpress\nwhack 5",
	     "press to name=2 text=  hi/-----/popup 3/; orders /////whack 5"},
	    {"press to 2\nhi\n-----Original Message-----\nFrom: moles\nSent: today\n",
	     "press to name=2 open=  hi/"},
	    {"press to 2\nhi\n\nVon: Molepost\n*Gesendet:* heute\nAn: Bea\nBetreff: W1\n\n"
	     "##### Reply above this line\nsecret",
	     "press to name=2 open=  hi/"},
	};

	EXPECT_ALL(cases);
}

/* Nothing of a message is ever tried as orders, whatever became of the line above it. */
Test(command_text, the_text_below_a_message_that_is_refused_is_no_order)
{
	static const struct letter_case cases[] = {
	    {"PRESS TO\npopup 3\nENDPRESS\nwhack 5", "orders ///whack 5"},
	    {"I think so.\nDo you?\nI do not.\nWhy not?\nWell...\nPRESS TO 2\npopup "
	     "3\nENDPRESS",
	     "orders I think so/Do you?/I do not/Why not?/Well..."},
	};

	EXPECT_ALL(cases);
}

Test(command_text, sentences_about_pressing_and_watching_are_prose)
{
	static const struct letter_case cases[] = {
	    {"Press to the limit of what you can stand",
	     "orders Press to the limit of what you can stand"},
	    {"Message to Bob: where are you?", "orders Message to Bob: where are you?"},
	    {"Watch out", "orders Watch out"},
	    {"Note that I am away", "orders Note that I am away"},
	    {"Broadcast news at ten", "orders Broadcast news at ten"},
	    {"Stop that!", "orders Stop that!"},
	};

	EXPECT_ALL(cases);
}

/* ---- words that act only where they are meant ---- */

Test(command_text, everyday_words_act_only_in_the_first_block_of_own_words)
{
	static const struct letter_case cases[] = {
	    {"yes", "yes"},
	    {"\n\nYes.\n\nBest,\nJames", "yes; orders ////Best,/James"},
	    {"Hi Ann,\n\nyes\n", "orders Hi Ann,; yes"},
	    {"Hello!\n\nno\n", "orders Hello!; no"},
	    {"set wait\n\nyes\n", "set wait; yes"},
	    {"The kernel does not boot\n\nyes\n", "orders The kernel does not boot//yes"},
	    {"popup 3\n\ncheck\n\nwhack 5", "orders popup 3//check//whack 5"},
	    {"popup 3\n\ncheck\nwhack 5", "orders popup 3; check ///whack 5"},
	    {"It fails like this:\n\n\tcheck\n\t> boom", "orders It fails like this://check"},
	    {"It fails like this:\n    test\n", "orders It fails like this:/test"},
	    {"I wonder.\n\nnote\nBob bluffs\nendnote",
	     "orders I wonder; diary text=  Bob bluffs/"},
	    {"I wonder.\n\nnote\nBob bluffs\n", "orders I wonder//note/Bob bluffs"},
	    {"Ignore it.\n\nunsubscribe\n", "orders Ignore it//unsubscribe"},
	    /* A line of marks alone, of which nothing is left. */
	    {"**\nwhack 5\n", "orders /whack 5"},
	    {"Ignore it.\n\nunsubscribe W17\n", "orders Ignore it; unobserve W17"},
	    {"Shouldn't that read\n\n?\n", "orders Shouldn't that read//?"},
	};

	EXPECT_ALL(cases);
}

Test(command_text, what_speaks_to_all_or_ends_something_wants_a_colon_or_its_game)
{
	static const struct letter_case cases[] = {
	    {"resign", "resign"},
	    {"Hi,\n\nresign\n\nThanks\nBob", "orders Hi,; resign; orders ////Thanks/Bob"},
	    {"I have had enough of this list now\nresign\n",
	     "orders I have had enough of this list now/resign"},
	    {"pause\n\nI will be back some day next month",
	     "orders pause//I will be back some day next month"},
	    {"I will be back some day next month\n\npause W17",
	     "orders I will be back some day next month; pause W17"},
	    {"Official residence had a title", "orders Official residence had a title"},
	    {"Hi all\n\nOfficial: back on Monday",
	     "orders Hi all; official name=back on Monday"},
	    {"Terminate\n\nis a word for the end of many things",
	     "orders Terminate//is a word for the end of many things"},
	    {"BROADCAST\nHello\nENDBROADCAST", "broadcast text=  Hello/"},
	    {"BROADCAST:\nHello", "broadcast open=  Hello/"},
	    {"Broadcast\nHello to everybody in this thread",
	     "orders Broadcast/Hello to everybody in this thread"},
	};

	EXPECT_ALL(cases);
	/* An answer to a mail of the game names it. */
	expect_items("resign\nI have had enough of this game now",
	             "Re: [W17 turn 3] orders due",
	             "resign; orders /I have had enough of this game now");
	expect_items("official back on Monday", "Re: [W17 turn 3]",
	             "official name=back on Monday");
	expect_items("I have had enough of this game now", "resign",
	             "orders I have had enough of this game now");
	expect_items("", "resign", "resign");
}
