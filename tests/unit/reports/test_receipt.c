/* What a player reads after sending orders. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/report_check.h"
#include "tests/support/report_sample.h"

struct fixture {
	struct arena *arena;
	struct doc examples;
	struct diags diags;
	struct report_commitment commitments[2];
	struct report_receipt r;
	struct report_out out;
};

static void make(struct fixture *f)
{
	seal_start();
	*f =
	    (struct fixture){.arena = arena_new(), .diags = DIAGS_INIT, .out = REPORT_OUT_INIT};
	sample_examples(&f->examples, f->arena);
	f->commitments[0] = (struct report_commitment){.seat_name = "Ann",
	                                               .seat = 1,
	                                               .revision = 1,
	                                               .commitment = sample_hash(1),
	                                               .origin = "sent"};
	f->commitments[1] = (struct report_commitment){.seat_name = "Bob",
	                                               .seat = 2,
	                                               .revision = 2,
	                                               .commitment = sample_hash(2),
	                                               .origin = "sent"};
	f->r = (struct report_receipt){
	    .game = sample_game(),
	    .clock = sample_clock(1),
	    .what = RECEIPT_STORED,
	    .revision = 2,
	    .replaces = 1,
	    .received_utc = SAMPLE_NOW,
	    .canonical = SPAN_LIT("POPUP 3; WHACK 5"),
	    .default_orders = SPAN_LIT("POPUP NONE; WHACK NONE"),
	    .diags = &f->diags,
	    .commitments = f->commitments,
	    .ncommitments = 2,
	    .receipt_proof = sample_receipt_proof(),
	    .examples = &f->examples,
	};
}

static void done(struct fixture *f)
{
	report_out_release(&f->out);
	diags_release(&f->diags);
	arena_free(f->arena);
}

static void check_and_release(struct fixture *f, const char *golden)
{
	report_receipt(&f->r, &f->out);
	check_golden(golden, &f->out);
	done(f);
}

Test(receipt, tells_what_is_stored_what_was_passed_over_and_what_comes_next)
{
	struct fixture f;
	make(&f);
	diags_add(&f.diags, DIAG_IGNORED, 3, 0, SPAN_LIT("Sent from my phone"), "",
	          "This line was not read as an order.");
	check_and_release(&f, "receipt-stored");
}

Test(receipt, explains_each_bad_line_and_keeps_the_good_ones)
{
	struct fixture f;
	make(&f);
	diags_add(
	    &f.diags, DIAG_ERROR, 2, 7, SPAN_LIT("whack 12"), "WHACK 5",
	    "There is no hole 12: holes are numbered 1 to 9, so this WHACK does not count.");
	diags_add(&f.diags, DIAG_ERROR, 4, 1, SPAN_LIT("whak 3"), "WHACK 3",
	          "There is no order \"whak\"; did you mean WHACK?");
	diags_add(&f.diags, DIAG_WARNING, 1, 1, SPAN_LIT("popup 3 3"), "",
	          "A hole named twice counts once.");
	diags_add(&f.diags, DIAG_WARNING, 0, 0, SPAN_EMPTY, "WHACK 3",
	          "You named no hole to whack, so this stands as WHACK NONE.");
	for (unsigned i = 0; i < 8; i++)
		diags_add(&f.diags, DIAG_IGNORED, 6 + i, 0,
		          SPAN_LIT("so long, and good luck to all of you moles out "
		                   "there in the garden, whoever you are"),
		          "", "Not an order.");
	f.r.canonical = SPAN_LIT("POPUP 3; WHACK NONE");
	f.r.replaces = 0;
	f.r.revision = 1;
	check_and_release(&f, "receipt-partly");
}

Test(receipt, of_a_mail_without_any_good_line_says_what_still_stands)
{
	struct fixture f;
	make(&f);
	f.r.what = RECEIPT_REFUSED;
	f.r.revision = 1;
	f.r.replaces = 0;
	f.r.receipt_proof = SPAN_EMPTY;
	diags_add(&f.diags, DIAG_ERROR, 1, 1, SPAN_LIT("popup all of them"), "POPUP 1 4",
	          "POPUP takes holes from 1 to 9, or NONE; this one does not count.");
	check_and_release(&f, "receipt-refused");
}

Test(receipt, of_a_refusal_with_nothing_stored_says_what_happens_then)
{
	struct fixture f;
	make(&f);
	f.r.what = RECEIPT_REFUSED;
	f.r.revision = 0;
	f.r.replaces = 0;
	f.r.canonical = SPAN_EMPTY;
	f.r.clock = sample_clock(2);
	f.r.ncommitments = 1;
	f.r.receipt_proof = SPAN_EMPTY;
	diags_add(&f.diags, DIAG_ERROR, 1, 1, SPAN_LIT("popup"), "POPUP 1 4",
	          "POPUP needs the holes, or NONE.");
	check_and_release(&f, "receipt-nothing");
}

Test(receipt, of_a_check_never_claims_that_anything_was_stored)
{
	struct fixture f;
	make(&f);
	f.r.what = RECEIPT_CHECKED;
	f.r.revision = 0;
	f.r.receipt_proof = SPAN_EMPTY;
	f.r.clock = sample_clock(2);
	f.r.ncommitments = 1;
	report_receipt(&f.r, &f.out);
	cr_assert(strstr(f.out.body.ptr, "are stored") == NULL);
	done(&f);
	make(&f);
	f.r.what = RECEIPT_CHECKED;
	f.r.revision = 0;
	f.r.receipt_proof = SPAN_EMPTY;
	f.r.clock = sample_clock(2);
	f.r.ncommitments = 1;
	check_and_release(&f, "receipt-checked");
}

Test(receipt, of_a_withdrawal_names_the_default)
{
	struct fixture f;
	make(&f);
	f.r.what = RECEIPT_CLEARED;
	f.r.revision = 3;
	f.r.replaces = 2;
	f.r.canonical = SPAN_EMPTY;
	f.r.clock = sample_clock(2);
	check_and_release(&f, "receipt-cleared");
}

Test(receipt, repeats_that_nothing_changed_and_who_holds_the_turn)
{
	static const char *const holding[] = {"Ann", "Bob"};
	static const char *const notes[] = {
	    "From now on this turn waits for its deadline, as you asked."};
	struct fixture f;
	make(&f);
	f.r.what = RECEIPT_UNCHANGED;
	f.r.replaces = 0;
	f.r.clock = sample_clock(0);
	f.r.clock.holding = holding;
	f.r.clock.nholding = 2;
	f.r.clock.reader_holds = true;
	f.r.notes = notes;
	f.r.nnotes = 1;
	check_and_release(&f, "receipt-unchanged");
}

Test(receipt, says_until_when_late_orders_count_to_who_alone_is_awaited)
{
	static const char *const reader[] = {"Bob"};
	struct fixture f;
	make(&f);
	f.r.clock.awaited = reader;
	f.r.clock.nawaited = 1;
	f.r.clock.grace_utc = f.r.clock.deadline_utc + 3600;
	f.r.what = RECEIPT_CLEARED;
	f.r.canonical = SPAN_EMPTY;
	report_receipt(&f.r, &f.out);
	cr_assert_not_null(strstr(f.out.body.ptr, "It is your turn."));
	cr_expect_not_null(strstr(f.out.body.ptr, "After the"), "%s", f.out.body.ptr);
	cr_expect_null(strstr(f.out.body.ptr, ".After"), "%s", f.out.body.ptr);
	done(&f);
}

Test(receipt, survives_hostile_lines)
{
	struct fixture f;
	struct strbuf big = STRBUF_INIT, marks = STRBUF_INIT;
	make(&f);
	while (big.len < 70000)
		strbuf_adds(&big, "popup 3 whack 5 clear ");
	for (int i = 0; i < 30000; i++)
		strbuf_adds(&marks, "\xCC\x81");
	diags_add(&f.diags, DIAG_ERROR, 1, 1, strbuf_span(&big), big.ptr, "Much too long. %s",
	          big.ptr);
	diags_add(&f.diags, DIAG_ERROR, 2, 1,
	          SPAN_LIT("a\tb\x1b[31m\r\nRESIGN\n\xff\xfe\xe2\x80\xae"
	                   "olleh"),
	          "\r\nclear\n", "Odd characters.\nCLEAR\nand\n-- \nRESIGN");
	diags_add(&f.diags, DIAG_ERROR, 3, 1, SPAN_EMPTY, "", "WHACK 3");
	diags_add(&f.diags, DIAG_IGNORED, 4, 1, strbuf_span(&marks), "", "x");
	for (unsigned i = 0; i < 60; i++)
		diags_add(&f.diags, DIAG_NOTE, 5 + i, 0, SPAN_LIT("no"), "", "No.");
	report_receipt(&f.r, &f.out);
	check_letter("hostile", &f.out);
	cr_assert(f.out.body.len < 2 * big.len + 20000);
	done(&f);
	strbuf_release(&big);
	strbuf_release(&marks);
}

Test(receipt, has_the_same_subject_for_all_when_the_game_wants_that)
{
	struct fixture f;
	make(&f);
	f.r.game.fixed_subject = true;
	report_receipt(&f.r, &f.out);
	cr_assert_str_eq(f.out.subject.ptr, "[W17] Whakka Mole");
	done(&f);
}
