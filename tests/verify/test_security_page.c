/*
 * test_security_page.c - what molepost(1) promises under SECURITY CONSIDERATIONS, and molepost-archive(5)
 * under WHAT IS PROVED, is promised by a test.
 *
 * Each sentence of these sections begins like one of the rows below, which names the test that would fail
 * if it were not so, or says that it promises nothing; and the test is there.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "processor/base/subprocess.h"

/* tested_by: "suite, test" of Criterion, or a file of tests/conversations. */
struct promise {
	const char *begins, *tested_by;
};

static const struct promise security[] = {
    {"Each receipt is signed", "receipt_proof, its_signature_covers_every_field"},
    {"The proof beside each report",
     "verify, every_receipt_and_report_of_a_game_is_kept_by_its_record"},
    {"So whoever keeps their mails",
     "tampering, a_broken_promise_is_named_with_its_line_though_all_is_signed_anew"},
    {"These ten cheats change", "a heading"},
    {"Later mails of a player are invented",
     "cheats, invented_later_mails_paid_before_version_3_and_draw_the_same_since"},
    {"A first mail is invented",
     "cheats, an_invented_first_mail_pays_and_is_missed_by_the_player_it_was_invented_for"},
    {"Other orders, or another mail",
     "cheats, another_contribution_than_the_receipt_has_convicts"},
    {"A player is made to leave", "cheats, a_join_invented_in_the_place_of_the_first_convicts"},
    {"Seats change places", "cheats, seats_that_change_places_convict"},
    {"The secret of the game is exchanged",
     "cheats, a_secret_exchanged_with_its_digest_convicts_by_the_receipt_of_any_seat"},
    {"Bots play by another key", "cheats, a_bot_with_another_key_is_found"},
    {"A turn is left out", "cheats, a_turn_left_out_is_found"},
    {"Late orders are called punctual", "cheats, late_orders_called_punctual_convict"},
    {"Two players are shown",
     "cheats, two_heads_of_one_turn_convict_however_long_the_records_are"},
    {"An invented mail has no signature",
     "cheats, orders_without_a_signature_where_others_have_one_are_named"},
    {"Orders without one are named", "cheats, one_signature_on_two_mails_is_found"},
    {"The server can read orders", "store_turns, what_is_sealed_is_resolved_and_then_reported"},
    {"Of two mails of a seat",
     "cheats, of_mails_without_a_receipt_each_seat_has_one_outcome_more_than_mails"},
    {"A mail with a receipt has",
     "cheats, invented_later_mails_paid_before_version_3_and_draw_the_same_since"},
    {"An operator who holds a seat",
     "cheats, the_first_mail_of_an_operators_own_seat_is_not_found"},
    {"In a game that depends on one",
     "cheats, a_secret_chosen_before_anybody_else_joined_is_not_found"},
    {"An archive that nobody signed",
     "forger, is_convicted_by_the_signature_or_by_a_head_printed_in_a_mail"},
    {"Games made before version 3",
     "cheats, invented_later_mails_paid_before_version_3_and_draw_the_same_since"},
    {"In the database orders, positions", "store_sealed, another_key_opens_nothing"},
    {"Orders, positions, chance and mails are brought",
     "lengths, are_the_same_for_one_mole_and_for_many"},
    {"Mail in mailboxes",
     "forget, reaches_texts_originals_and_what_was_told_and_says_what_stays"},
    {"A mail is taken once", "copies, with_what_relays_write_above_them_are_copies"},
    {"The first copy counts", "copies, are_copies_whichever_comes_first"},
    {"Mails that say something else", "copies, are_not_made_of_real_mails_by_forged_ones"},
    {"A sender's address can be forged", "085-a-forged-reply-address"},
    {"A digest carries one as well", "345-answers-to-digests"},
    {"The code in it is nowhere else", "codes, no_conversation_shows_one"},
    {"A player who has shown", "658-token-new-without-reply-addresses"},
    {"Where every source is a Maildir", "647-a-known-sender-on-a-network"},
    {"What people who have proved nothing",
     "strangers, of_one_domain_share_what_it_is_answered"},
    {"Nothing they ask for", "strangers, make_nothing_public_before_their_yes"},
    {"Mail is parsed, IMAP, POP3 and SMTP are spoken, and tokens",
     "smtp, no_process_that_has_the_database_loads_libcurl"},
    {"Such a process is started afresh", "cell, of_the_parser_holds_against_everything"},
    {"A mail that has taken its process over",
     "cell, keeps_the_mails_of_a_batch_from_each_other"},
    {"Where more than 64 mails wait",
     "cell, with_several_mails_holds_no_secrets_among_them_and_none_of_others"},
    {"Whoever can read the file of login",
     "oauth, a_mailbox_is_opened_in_a_browser_and_by_imap_from_then_on"},
    {"A server that has taken the sending process over",
     "sending_child, is_believed_of_the_mail_in_its_hand_and_nothing_else"},
    {"While a command has the keys",
     "cell, keys_in_memory_are_hidden_from_other_processes_and_core_files"},
    {"Where the kernel lacks a wall",
     "operator, doctor_says_which_walls_stand_around_the_reading_of_mail"},
};

static const struct promise proved[] = {
    {"A server that has sent receipts",
     "tampering, a_broken_promise_is_named_with_its_line_though_all_is_signed_anew"},
    {"Of games with version 3", "a heading"},
    {"The secret was fixed",
     "cheats, a_secret_exchanged_with_its_digest_convicts_by_the_receipt_of_any_seat"},
    {"Draws depend on the secret and",
     "proof, draws_come_from_what_each_seat_has_fixed_up_to_then"},
    {"An invented later one",
     "cheats, an_invented_clear_and_the_same_orders_again_draw_the_same"},
    {"An invented first one",
     "cheats, an_invented_first_mail_pays_and_is_missed_by_the_player_it_was_invented_for"},
    {"What a mail contributes is in its receipt",
     "cheats, another_contribution_than_the_receipt_has_convicts"},
    {"Seats cannot change places", "cheats, seats_that_change_places_convict"},
    {"Bots choose their own orders", "cheats, a_bot_with_another_key_is_found"},
    {"They choose anew when a turn", "253-turns-are-taken-back"},
    {"Orders were fixed with the receipt",
     "proof, a_commitment_covers_game_turn_seat_revision_nonce_salt_and_orders"},
    {"Each turn has one head",
     "proof, the_head_is_signed_with_game_and_count_and_since_version_2_with_its_turn"},
    {"A server that shows two players",
     "cheats, two_heads_of_one_turn_convict_however_long_the_records_are"},
    {"Four words read out", "cheats, two_players_find_two_histories_from_their_mails_alone"},
    {"A record that says which words",
     "provenance, words_of_the_last_report_that_a_mail_quotes_are_in_the_record"},
    {"The player keeps it",
     "provenance, the_signature_of_the_senders_domain_is_in_the_record_and_not_the_domain"},
    {"Not proved is", "a heading"},
    {"The server can read orders", "store_turns, what_is_sealed_is_resolved_and_then_reported"},
    {"What is left to try out are", "a heading"},
    {"Of n mails of a seat",
     "cheats, of_mails_without_a_receipt_each_seat_has_one_outcome_more_than_mails"},
    {"Several seats multiply",
     "cheats, of_mails_without_a_receipt_each_seat_has_one_outcome_more_than_mails"},
    {"With a receipt for the first mail",
     "cheats, invented_later_mails_paid_before_version_3_and_draw_the_same_since"},
    {"In which order mails of different seats",
     "cheats, when_and_in_which_order_seats_sent_draws_the_same"},
    {"Whoever sent a mail that was dropped", "a limit: nothing is promised"},
    {"An operator can draw secrets", "a limit: nothing is promised"},
    {"In a game with others", "archive, a_whole_game_verifies_and_is_signed"},
    {"An operator who holds a seat", "a limit: nothing is promised"},
    {"The others notice at most", "a limit: nothing is promised"},
    {"An operator who says so",
     "provenance, orders_of_the_operator_are_shown_as_such_if_they_say_so"},
    {"Whether a mail had a signature", "a limit: nothing is promised"},
    {"Whoever doubts it asks", "a limit: nothing is promised"},
    {"Receipts name what a mail contributes", "contributions, of_a_seat_is_that_of_the_join"},
    {"Orders given ahead contribute",
     "contributions, of_every_way_to_give_orders_are_those_of_the_mail_that_gave_them"},
    {"So the operator knows the draws", "a limit: nothing is promised"},
    {"In games with version 1",
     "second_opinion, it_agrees_about_the_archives_that_are_kept_for_ever"},
    {"An operator can try out", "a limit: nothing is promised"},
    {"Salts help there", "a limit: nothing is promised"},
    {"Nobody would notice", "a limit: nothing is promised"},
};

struct section {
	const char *page, *begins;
	const struct promise *promises;
	size_t n;
};

static const struct section sections[] = {
    {"processor/man/molepost.1", ".Sh SECURITY CONSIDERATIONS", security,
     sizeof(security) / sizeof(security[0])},
    {"processor/man/molepost-archive.5", ".Sh WHAT IS PROVED", proved,
     sizeof(proved) / sizeof(proved[0])},
};
enum { NSECTIONS = sizeof(sections) / sizeof(sections[0]), MOST_PROMISES = 100 };

/* A line of mdoc as text: without the macros, and the section number of a page's name. */
static void add_text(struct span line, struct strbuf *out)
{
	struct span word;

	if (span_starts(line, ".Bl") || span_starts(line, ".El") || span_starts(line, ".It") ||
	    span_starts(line, ".Pp")) {
		strbuf_adds(out, "\n");
		return;
	}
	bool is_macro = span_starts(line, ".");
	while (span_next_word(&line, "", &word)) {
		if (is_macro && (word.ptr[0] == '.' || span_eq_str(word, "Ic") ||
		                 span_eq_str(word, "Fl") || span_eq_str(word, "Sx") ||
		                 span_eq_str(word, "1") || span_eq_str(word, "5")))
			continue;
		strbuf_add_span(out, word);
		strbuf_addc(out, ' ');
	}
}

/* The section as text, a line for each of its paragraphs. */
static void read_section(const struct section *s, struct strbuf *out)
{
	struct strbuf page = STRBUF_INIT;
	struct span rest, line;
	bool inside = false;

	cr_assert_eq(file_read(s->page, 1 << 20, &page, NULL), ERR_NONE);
	rest = strbuf_span(&page);
	while (span_next_line(&rest, &line)) {
		if (span_starts(line, ".Sh"))
			inside = span_starts(line, s->begins);
		else if (inside)
			add_text(line, out);
	}
	strbuf_release(&page);
}

static size_t row_of(const struct section *s, struct span sentence)
{
	size_t i = 0;

	while (i < s->n && !span_starts(sentence, s->promises[i].begins))
		i++;
	return i;
}

/* "What is sealed." above its paragraph. */
static bool is_heading(struct span sentence)
{
	struct span rest = sentence, word;
	unsigned n = 0;

	while (span_next_word(&rest, "", &word))
		n++;
	return n <= 5;
}

static void expect_every_sentence_has_a_row(const struct section *s)
{
	struct strbuf text = STRBUF_INIT;
	struct span rest, line;
	bool used[MOST_PROMISES] = {false};

	read_section(s, &text);
	rest = strbuf_span(&text);
	while (span_next_line(&rest, &line)) {
		while (line.len > 0) {
			size_t end = span_find(line, SPAN_LIT(". "));
			struct span sentence = span_trim(span_slice(line, 0, end));
			size_t row = row_of(s, sentence);

			line = span_slice(line, end + 2, line.len);
			if (sentence.len == 0 || (row == s->n && is_heading(sentence)))
				continue;
			cr_expect_lt(row, s->n, "%.*s", SPAN_ARGS(sentence));
			if (row < s->n)
				used[row] = true;
		}
	}
	for (size_t i = 0; i < s->n; i++)
		cr_expect(used[i], "no sentence begins \"%s\"", s->promises[i].begins);
	strbuf_release(&text);
}

Test(security_page, has_no_sentence_that_no_test_stands_for)
{
	for (size_t i = 0; i < NSECTIONS; i++)
		expect_every_sentence_has_a_row(&sections[i]);
}

/* At most two screens of 40 lines, as man(1) shows it on 80 columns: nobody reads more. */
Test(security_page, is_two_screens_long)
{
	const char *const argv[] = {"mandoc",         "-T", "ascii", "-O", "width=80",
	                            sections[0].page, NULL};
	struct strbuf out = STRBUF_INIT, plain = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct span rest, line;
	bool inside = false;
	size_t rows = 0;
	int code = -1;

	if (access("/usr/bin/mandoc", X_OK) != 0)
		cr_skip_test("skipped: mandoc is not installed");
	cr_assert_eq(subprocess_run(argv, SPAN_EMPTY, 1 << 20, 60000, &out, &code, &e),
	             ERR_NONE, "%s", e.text.ptr);
	cr_assert_eq(code, 0);
	for (size_t i = 0; i < out.len; i++) /* bold is a letter, a step back, the letter */
		if (i + 1 == out.len || out.ptr[i + 1] != '\b')
			strbuf_addc(&plain, out.ptr[i]);
		else
			i++;
	for (rest = strbuf_span(&plain); span_next_line(&rest, &line);) {
		if (line.len > 0 && line.ptr[0] != ' ')
			inside = span_starts(line, "SECURITY CONSIDERATIONS");
		rows += inside;
	}
	cr_assert(rows > 40 && rows <= 80, "%zu", rows);
	strbuf_release(&plain);
	strbuf_release(&out);
}

static bool is_a_test(const char *name)
{
	struct strbuf pattern = STRBUF_INIT, out = STRBUF_INIT, file = STRBUF_INIT;
	int code = -1;
	struct stat st;
	bool yes;

	strbuf_addf(&file, "tests/conversations/%s.txt", name);
	yes = stat(file.ptr, &st) == 0;
	/* Test(, or a macro of its own kind such as SERVER_TEST(. */
	strbuf_addf(&pattern, "test(%s[,)]", name);
	yes = yes ||
	      (subprocess_run((const char *const[]){"grep", "-rqi", pattern.ptr, "tests",
	                                            "--include=*.c", NULL},
	                      SPAN_EMPTY, 1 << 16, 60000, &out, &code, NULL) == ERR_NONE &&
	       code == 0);
	strbuf_release(&pattern);
	strbuf_release(&out);
	strbuf_release(&file);
	return yes;
}

static bool promises_nothing(const struct promise *p)
{
	return strncmp(p->tested_by, "a limit", 7) == 0 ||
	       strcmp(p->tested_by, "a heading") == 0;
}

Test(security_page, names_tests_that_are_there)
{
	for (size_t i = 0; i < NSECTIONS; i++)
		for (size_t k = 0; k < sections[i].n; k++) {
			const struct promise *p = &sections[i].promises[k];

			if (!promises_nothing(p))
				cr_expect(is_a_test(p->tested_by), "%s", p->tested_by);
		}
}
