/*
 * test_command_text.c - which words are which command, and what stands behind them, in tables.
 */
#include <criterion/criterion.h>

#include "processor/commandtext/grammar.h"
#include "tests/support/mail_read.h"

Test(command_text, help_is_asked_for_and_games_are_found_joined_and_left)
{
	static const struct letter_case cases[] = {
	    {"HELP", "help"},
	    {"help join", "help topic=JOIN"},
	    {"help set wait", "help topic=SET WAIT"},
	    {"help setnowait", "help topic=SET NO WAIT"},
	    {"help new", "help topic=CREATE"},
	    {"help commands", "help topic=COMMANDS"},
	    {"help late", "help topic=LATE"},
	    {"help whakka mole", "help kind=whakka-mole"},
	    {"help WhakkaMole", "help kind=whakka-mole"},
	    {"LIST", "list"},
	    {"list w17", "list W17"},
	    {"list 17", "list #17"},
	    {"list w 17", "list W17"},
	    {"list game W17", "list W17"},
	    {"JOIN W17", "join W17"},
	    {"join #17", "join #17"},
	    {"join whakka mole", "join kind=whakka-mole"},
	    {"join Whakka-Mole as Ann", "join kind=whakka-mole name=Ann"},
	    {"join W17 as Ann van Dyke", "join W17 name=Ann van Dyke"},
	    {"join W17 as \"The Mole of Doom\"", "join W17 name=The Mole of Doom"},
	    {"join W17 key sesame", "join W17 key=sesame"},
	    {"join W17 as Ann Lee key sesame", "join W17 name=Ann Lee key=sesame"},
	    {"join W17 as \"Key\" key k", "join W17 name=Key key=k"},
	    {"takeover w17", "take over W17"},
	    {"Take over W17", "take over W17"},
	    {"takeover seat 2 w17 key sesame", "take over W17 seat=2 key=sesame"},
	    {"takeover 2@W17", "take over W17 seat=2"},
	    {"replace w17", "take over W17"},
	    {"RESIGN", "resign"},
	    {"resign w17", "resign W17"},
	};

	EXPECT_ALL(cases);
}

Test(command_text, a_seat_is_chosen_by_signon)
{
	static const struct letter_case cases[] = {
	    {"SIGNON W17", "sign on W17"},
	    {"signon 2 W17", "sign on W17 seat=2"},
	    {"signon seat 2 w 17", "sign on W17 seat=2"},
	    {"signon 2 17", "sign on #17 seat=2"},
	    {"signon 2", "sign on #2"},
	    {"signon 2@W17", "sign on W17 seat=2"},
	    {"2@W17", "sign on W17 seat=2"},
	};

	EXPECT_ALL(cases);
}

Test(command_text, games_are_made_with_what_is_said_of_them)
{
	static const struct letter_case cases[] = {
	    {"CREATE whakka mole", "create kind=whakka-mole"},
	    {"create whakka mole Friday Fun", "create kind=whakka-mole title=Friday Fun"},
	    {"create whakka mole \"The best of games\" players 4",
	     "create kind=whakka-mole title=The best of games players=4"},
	    {"create whakka mole players 3 bots 1", "create kind=whakka-mole players=3 bots=1"},
	    {"create whakka mole players three bots two",
	     "create kind=whakka-mole players=3 bots=2"},
	    {"create whakka mole next 36h", "create kind=whakka-mole next=129600"},
	    {"create whakka mole players 2 bots 1 level 0",
	     "create kind=whakka-mole players=2 bots=1 level=0"},
	    {"create whakka mole next 2 days bots 1",
	     "create kind=whakka-mole bots=1 next=172800"},
	    {"create whakka mole target=30 Holes=12",
	     "create kind=whakka-mole options=target=30 holes=12"},
	    {"create whakka mole players=3 next=1D",
	     "create kind=whakka-mole players=3 next=86400"},
	    {"create whakka mole days mon-fri at 20:00 next 24h grace 6 hours",
	     "create kind=whakka-mole next=86400 calendar=days=mon-fri at=20:00 grace=6H"},
	    {"create whakka mole delay 30m zone new_york quiet on holidays 12-24..12-26,05-01",
	     "create kind=whakka-mole calendar=delay=30m zone=new_york quiet=on "
	     "holidays=12-24..12-26,05-01"},
	    {"create whakka mole phase 1:5d remind none misses=2 vacant bot",
	     "create kind=whakka-mole calendar=phase=1:5d remind=none misses=2 vacant=bot"},
	    {"create whakka mole days -MTWTF- bots 1",
	     "create kind=whakka-mole bots=1 calendar=days=-MTWTF-"},
	    {"create whakka mole players 2 as Ann",
	     "create kind=whakka-mole name=Ann players=2"},
	    {"create whakka mole as Ann players 2",
	     "create kind=whakka-mole name=Ann players=2"},
	    {"new whakka mole AS \"Ann Lee\" holes=12",
	     "create kind=whakka-mole name=Ann Lee options=holes=12"},
	    {"create whakka mole \"Sunday\" as ann next 2D",
	     "create kind=whakka-mole name=ann title=Sunday next=172800"},
	    {"create whakka mole without operator",
	     "create kind=whakka-mole without-operator=1"},
	    {"create whakka mole private", "create kind=whakka-mole private=1"},
	    {"create whakka mole key sesame",
	     "create kind=whakka-mole private=1 gamekey=sesame"},
	    {"FORK W17 AT 4", "fork W17 number=4"},
	    {"fork at 0", "fork"},
	    {"fork w17 at four bots 1 next 2D", "fork W17 number=4 bots=1 next=172800"},
	    {"fork w17 at 4 as Ann Lee bots 0 key k",
	     "fork W17 number=4 name=Ann Lee private=1 gamekey=k"},
	    {"fork 17 at 4 private as \"The Mole\"",
	     "fork #17 number=4 name=The Mole private=1"},
	};

	EXPECT_ALL(cases);
}

Test(command_text, a_turn_is_asked_about_and_held)
{
	static const struct letter_case cases[] = {
	    {"STATUS", "status"},
	    {"status W17", "status W17"},
	    {"CLEAR", "clear"},
	    {"CHECK popup 3", "check popup 3"},
	    {"PREVIEW popup 3, whack 5", "preview popup 3, whack 5"},
	    {"SET WAIT", "set wait"},
	    {"SET NOWAIT", "set no wait"},
	    {"set no wait", "set no wait"},
	    {"SALT pepper42", "salt name=pepper42"},
	};

	EXPECT_ALL(cases);
}

Test(command_text, mails_and_addresses_are_as_the_player_likes_them)
{
	static const struct letter_case cases[] = {
	    {"set quiet 22:00 07:00", "set quiet from=1320 to=420"},
	    {"set mail digest", "set mail number=3"},
	    {"SET MAIL Round", "set mail number=2"},
	    {"set mail all", "set mail number=1"},
	    {"set mail digest at 19:30", "set mail number=3 from=1170 to=1"},
	    {"set mail digest 8", "set mail number=3 from=480 to=1"},
	    {"set mail", "set mail"},
	    {"set quiet 22-7", "set quiet from=1320 to=420"},
	    {"set quiet 23:30 to 6", "set quiet from=1410 to=360"},
	    {"Setquiet off", "set quiet"},
	    {"set zone Europe/Berlin", "set zone name=Europe/Berlin"},
	    {"Setzone new york", "set zone name=new york"},
	    {"YES", "yes"},
	    {"NO", "no"},
	    {"TOKEN NEW", "token new"},
	    {"RESEND", "resend"},
	    {"resend 4", "resend number=4"},
	    {"resend 4 W17", "resend W17 number=4"},
	    {"resend w17", "resend W17"},
	    {"I AM ALSO ann@work.example", "i am also name=ann@work.example"},
	    {"SET ADDRESS ann@new.example", "set address name=ann@new.example"},
	};

	EXPECT_ALL(cases);
}

Test(command_text, the_past_is_asked_for)
{
	static const struct letter_case cases[] = {
	    {"HISTORY", "history"},
	    {"history W17", "history W17"},
	    {"history W17 from 2 to 5", "history W17 from=2 to=5"},
	    {"history from two", "history from=2"},
	    {"history 17 to 5", "history #17 to=5"},
	    {"SUMMARY", "summary"},
	    {"summary W17", "summary W17"},
	    {"ARCHIVE w17", "archive W17"},
	    {"VERIFY", "verify"},
	};

	EXPECT_ALL(cases);
}

Test(command_text, the_words_of_other_servers_are_understood)
{
	static const struct letter_case cases[] = {
	    {"GET", "help"},
	    {"INFO whakka mole", "help kind=whakka-mole"},
	    {"?", "help"},
	    {"? join", "help topic=JOIN"},
	    {"GAMES", "list"},
	    {"LIST GAMES", "list"},
	    {"SHOW", "list"},
	    {"show w17", "list W17"},
	    {"SIGNON ?W17", "join W17"},
	    {"signon ?whakka mole as Ann", "join kind=whakka-mole name=Ann"},
	    {"challenge whakka mole", "join kind=whakka-mole"},
	    {"LOGIN W17", "sign on W17"},
	    {"log in 2 W17", "sign on W17 seat=2"},
	    {"new whakka mole", "create kind=whakka-mole"},
	    {"WITHDRAW", "resign"},
	    {"SHOWAS", "status"},
	    {"clear orders", "clear"},
	    {"TEST popup 3", "preview popup 3"},
	    {"PREDICT popup 3", "preview popup 3"},
	    {"EXPORT W17", "archive W17"},
	    {"REPEAT", "resend"},
	};

	EXPECT_ALL(cases);
}

/* What mail programs make of an address, and what is none. */
Test(command_text, an_address_is_taken_out_of_what_mail_programs_make_of_it)
{
	static const struct letter_case cases[] = {
	    {"set address <ann@new.example>", "set address name=ann@new.example"},
	    {"set address ann@new.example.", "set address name=ann@new.example"},
	    {"set address ann@new.example<mailto:ann@new.example>",
	     "set address name=ann@new.example"},
	    {"set address ann@new.example <mailto:ann@new.example>",
	     "set address name=ann@new.example"},
	    {"i am also mailto:ann@work.example", "i am also name=ann@work.example"},
	    {"I am also happy", "orders I am also happy"},
	    {"i am also ann@work.example and bob", "orders i am also ann@work.example and bob"},
	    {"resend 4 17", "orders resend 4 17"},
	};

	EXPECT_ALL(cases);
}

Test(command_text, two_words_may_be_one)
{
	static const struct letter_case cases[] = {
	    {"SETWAIT", "set wait"},      {"setnowait", "set no wait"},
	    {"TokenNew", "token new"},    {"SIGN ON W17", "sign on W17"},
	    {"CLEARORDERS", "clear"},     {"show as", "status"},
	    {"login W17", "sign on W17"},
	};

	EXPECT_ALL(cases);
}

Test(command_text, orders_for_other_turns_are_no_orders_for_now)
{
	static const struct letter_case cases[] = {
	    {"ALWAYS\npopup 3\nwhack 5", "always /popup 3/whack 5"},
	    {"always popup 3; whack 5", "always popup 3; whack 5"},
	    {"Always NoWait popup 3", "always number=1 popup 3"},
	    {"always nowait\nwhack 2", "always number=1 /whack 2"},
	    {"always off", "always off"},
	    {"alwaysoff\npopup 3", "always off; orders /popup 3"},
	    {"popup 1\nalways\npopup 3", "orders popup 1; always //popup 3"},
	    {"always\npopup 3\nORDERS\npopup 1", "always /popup 3; orders ///popup 1"},
	    {"QUEUE 7 popup 3", "queue number=7 popup 3"},
	    {"queue turn 7: popup 3", "queue number=7 popup 3"},
	    {"queue 7\npopup 3\nqueue 8\npopup 4",
	     "queue number=7 /popup 3; queue number=8 ///popup 4"},
	    {"Round 7:\npopup 3", "queue number=7 /popup 3"},
	    {"phase 7\npopup 3", "queue number=7 /popup 3"},
	    {"queue 7 off", "queue off number=7"},
	    {"queue off 7", "queue off number=7"},
	    {"queue off", "queue off"},
	    {"queue", "orders queue"},
	    {"queue seven popup 3", "queue number=7 popup 3"},
	    {"set fallback repeat", "set fallback number=1"},
	    {"SETFALLBACK BOT", "set fallback number=2"},
	    {"set fallback default", "set fallback"},
	    {"set absence 24 Dec to 3 Jan", "set absence name=24 Dec to 3 Jan"},
	    {"Holiday 24.12. - 3.1.", "set absence name=24.12. - 3.1"},
	    {"vacation until 2026-12-31", "set absence name=until 2026-12-31"},
	    {"Holiday next week", "orders Holiday next week"},
	    {"set no absence", "set no absence"},
	    {"SET NOABSENCE", "set no absence"},
	};
	struct mail_read r = read_mail("popup 1\nwhack 2", "Re: queue 7");

	EXPECT_ALL(cases);
	cr_expect_str_eq(r.items.ptr, "queue number=7 popup 1/whack 2", "%s", r.items.ptr);
	mail_read_release(&r);
}

Test(command_text, commands_of_masters_name_what_they_are_about_and_the_game_if_need_be)
{
	static const struct letter_case cases[] = {
	    {"set deadline 2D", "set deadline when=172800"},
	    {"SET DEADLINE in 3 days w 17", "set deadline W17 when=259200"},
	    {"set deadline +1D", "set deadline when+86400"},
	    {"set deadline 2026-03-14 20:00", "set deadline when@1773518400"},
	    {"set deadline 2026-03-14 at 20:00 W17", "set deadline W17 when@1773518400"},
	    {"set deadline 2026-03-14", "set deadline when@1773532740"},
	    {"set deadline 2026-02-30", "orders set deadline 2026-02-30"},
	    {"set deadline soon", "orders set deadline soon"},
	    {"pause", "pause"},
	    {"SUSPEND W17", "pause W17"},
	    {"resume", "resume"},
	    {"process 4", "process number=4"},
	    {"process turn 4 W17", "process W17 number=4"},
	    {"process 4 17", "orders process 4 17"},
	    {"process", "orders process"},
	    {"rollback 0", "rollback"},
	    {"rollback to turn 3", "rollback number=3"},
	    {"eject 2", "eject seat=2"},
	    {"eject Bob", "eject name=Bob"},
	    {"eject Bot Ada W17", "eject W17 name=Bot Ada"},
	    {"eject \"To the moon\" W17", "eject W17 name=To the moon"},
	    {"eject him please", "orders eject him please"},
	    {"promote 3", "promote seat=3"},
	    {"become seat 2", "become seat=2"},
	    {"terminate W17", "terminate W17"},
	    {"terminate with prejudice", "orders terminate with prejudice"},
	    {"force begin", "force begin"},
	    {"forcebegin W17", "force begin W17"},
	    {"official: back on Monday", "official name=back on Monday"},
	    {"OFFICIAL back on Monday", "orders OFFICIAL back on Monday"},
	    {"official", "orders official"},
	    {"create whakka mole master", "create kind=whakka-mole master=1"},
	};

	EXPECT_ALL(cases);
}

Test(command_text, votes_are_given_and_taken_back)
{
	static const struct letter_case cases[] = {
	    {"set draw", "set draw"},
	    {"SETDRAW W17", "set draw W17"},
	    {"set nodraw", "set no draw"},
	    {"set no draw", "set no draw"},
	    {"set concede Bob", "set concede name=Bob"},
	    {"set concede to Bob W17", "set concede W17 name=Bob"},
	    {"set concede 2", "set concede seat=2"},
	    {"set no concede", "set no concede"},
	    {"vote pause", "vote number=1"},
	    {"vote resume W17", "vote W17 number=2"},
	    {"vote cancel", "vote number=3"},
	    {"vote no cancel", "vote number=3 off=1"},
	    {"vote for me", "orders vote for me"},
	    {"draw", "orders draw"},
	    {"concede", "orders concede"},
	};

	EXPECT_ALL(cases);
}

Test(command_text, games_are_watched_by_their_id)
{
	static const struct letter_case cases[] = {
	    {"observe w17", "observe W17"},
	    {"WATCH game 17 key walnut", "observe #17 key=walnut"},
	    {"monitor W17", "monitor W17"},
	    {"unobserve", "unobserve"},
	    {"Stop observing W17.", "unobserve W17"},
	};

	EXPECT_ALL(cases);
}

Test(command_text, records_and_rematches)
{
	static const struct letter_case cases[] = {
	    {"ratings", "ratings"},
	    {"STANDINGS whakka mole", "ratings kind=whakka-mole"},
	    {"who", "who"},
	    {"Who Ann Lee", "who name=Ann Lee"},
	    {"info player \"The Mole\"", "who name=The Mole"},
	    {"rematch", "rematch"},
	    {"Rematch w17", "rematch W17"},
	    {"help ratings", "help topic=RATINGS"},
	    {"join whakka mole wait", "join kind=whakka-mole wait=1"},
	    {"join whakka mole wait as Bob", "join kind=whakka-mole name=Bob wait=1"},
	    {"join whakka mole nowait", "join kind=whakka-mole wait=2"},
	    {"create whakka mole reliability 85%", "create kind=whakka-mole reliability=85"},
	};
	struct mail_read r = read_mail("create whakka mole reliability 101", "");

	EXPECT_ALL(cases);
	cr_expect_eq(r.text.nitems, 0);
	cr_expect(diags_has_errors(&r.text.diags));
	mail_read_release(&r);
}

Test(command_text, create_says_what_may_be_said)
{
	struct mail_read r =
	    read_mail("create whakka mole press=grey delivery report observers=none", "");

	cr_assert_eq(r.text.nitems, 1);
	cr_expect_eq(r.text.items[0].create.press, 2);
	cr_expect_eq(r.text.items[0].create.delivery, 2);
	cr_expect_eq(r.text.items[0].create.observers, 3);
	mail_read_release(&r);
	r = read_mail("create whakka mole press=pink", "");
	cr_expect_eq(r.text.nitems, 0);
	cr_expect(diags_has_errors(&r.text.diags));
	mail_read_release(&r);
}

Test(command_text, game_ids_are_read_in_the_ways_people_write_them)
{
	static const struct {
		const char *text;
		int64_t game;
		char letter;
	} good[] = {
	    {"W17", 17, 'W'},   {"w17", 17, 'W'}, {"w 17", 17, 'W'},          {"17", 17, 0},
	    {" W17 ", 17, 'W'}, {"#17", 17, 0},   {"999999999", 999999999, 0}};
	static const char *const bad[] = {"",    "W",    "W0",         "0",    "-1",  "WW17",
	                                  "17W", "W17x", "1000000000", "W1.5", "W+1", "\xff"};
	int64_t game;
	char letter;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		cr_expect(parse_game_id(span_of(good[i].text), &game, &letter));
		cr_expect(game == good[i].game && letter == good[i].letter, "%s", good[i].text);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_expect(!parse_game_id(span_of(bad[i]), &game, &letter), "%s", bad[i]);
}

Test(command_text, the_nearest_command_word_is_found)
{
	cr_expect_str_eq(suggest(SPAN_LIT("stauts")), "STATUS");
	cr_expect_str_eq(suggest(SPAN_LIT("jion")), "JOIN");
	cr_expect_str_eq(suggest(SPAN_LIT("creat")), "CREATE");
	cr_expect_null(suggest(SPAN_LIT("elephant")));
	cr_expect_null(suggest(SPAN_LIT("")));
	cr_expect_null(suggest(SPAN_LIT("ho")));
}

Test(command_text, the_table_of_commands_has_three_columns_and_headings)
{
	struct strbuf table = STRBUF_INIT;
	struct span rest, line, field;
	unsigned rows = 0, headings = 0;

	grammar_add_table(&table);
	rest = strbuf_span(&table);
	while (span_next_line(&rest, &line)) {
		unsigned fields = 0;

		while (span_next_field(&line, '\t', &field))
			fields++;
		cr_expect(fields == 3 || fields == 1);
		rows += fields == 3;
		headings += fields == 1;
		cr_expect_gt(headings, 0, "the first line is a heading");
	}
	cr_expect_eq(rows, grammar_row_count());
	cr_expect_gt(headings, 5);
	strbuf_release(&table);
}

/* Whatever HELP or a diagnostic shows as a line that works must work. */
Test(command_text, the_example_of_every_command_is_that_command)
{
	for (size_t i = 0; i < grammar_row_count(); i++) {
		const struct grammar_row *row = grammar_row_at(i);
		struct strbuf text = STRBUF_INIT;
		struct mail_read r;

		strbuf_addf(&text, "%s\npopup 3\n", row->example);
		r = read_mail(text.ptr, "");
		cr_expect_gt(r.text.nitems, 0);
		cr_expect_eq(r.text.items[0].verb, row->verb, "%s", row->example);
		mail_read_release(&r);
		strbuf_release(&text);
	}
}
