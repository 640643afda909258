/*
 * test_verify.c - a game by mail to its end, and then every receipt and every report of it,
 * saved as it came out of the outbox, against the record.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mail/compose.h"
#include "mail/text/base64.h"
#include "processor/base/file.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

enum { TURNS_MOST = 15 };

/*
 * Two people, one with letters that no mail carries as they are; the game ends by itself. Ann has the proofs in her
 * mails, as everybody had before they were attached.
 */
static void play_to_the_end(struct testbed *s)
{
	testbed_write(s, "ann", "create whakka mole players 2 target=20\njoin w1 as Ann");
	testbed_run(s);
	testbed_write(s, "ann", "set proof shown");
	testbed_write(s, "jo", "join w1 as J\xc3\xb6rg");
	testbed_run(s);
	for (unsigned turn = 1; turn <= TURNS_MOST && !testbed_find(s, "ann", "the record");
	     turn++) {
		testbed_reply(s, "ann", "popup 1 2, whack 5\nsalt pepper");
		testbed_run(s);
		testbed_reply(s, "jo", turn % 2 ? "popup 3 4, whack 6" : "popup 7, whack 1");
		testbed_run(s);
	}
}

static void put(const char *path, struct span text)
{
	struct failure e = ERR_INIT;

	remove(path);
	cr_assert_eq(file_create(path, text, &e), ERR_NONE, "%s", e.text.ptr);
}

static char *save_record(struct testbed *s)
{
	struct strbuf text = STRBUF_INIT;
	char *path = scratch_path(s->scratch, "w1.txt");

	testbed_archive(s, "w1", &text);
	put(path, strbuf_span(&text));
	cr_assert_not_null(strstr(text.ptr, "\nended over "), "the game did not end");
	strbuf_release(&text);
	return path;
}

/* verify --receipt MAIL RECORD prints "kept: " first, and `says` somewhere. */
static void expect_kept(struct testbed *s, struct span raw, const char *record,
                        const char *says)
{
	char *mail = scratch_path(s->scratch, "mail.eml");
	const char *argv[] = {"verify", "--receipt", mail, record, NULL};
	struct ran r;

	put(mail, raw);
	testbed_exec(s, argv, NULL, &r);
	cr_assert_eq(r.code, 0, "%s%s", r.out.ptr, r.err.ptr);
	cr_assert_eq(strncmp(r.out.ptr, "kept: ", 6), 0, "%s", r.out.ptr);
	for (char *c = r.out.ptr; *c; c++)
		if (*c == '\n')
			*c = ' ';
	cr_assert(strstr(r.out.ptr, says), "%s", r.out.ptr);
	ran_release(&r);
	free(mail);
}

static const char seals_fit[] = "that it calls sealed are those of the record";

/* The list of seals is not signed: changing it convicts nobody, and is told. */
static void expect_a_changed_seal_to_be_told(struct testbed *s, const struct post *post,
                                             const char *record)
{
	struct strbuf raw = STRBUF_INIT;

	strbuf_add(&raw, post->raw, post->raw_len);
	char *digit = strstr(raw.ptr, " seals  ");
	cr_assert(digit, "%s", post->text);
	digit += strlen(" seals  ");
	*digit = *digit == '0' ? '1' : '0';
	expect_kept(s, strbuf_span(&raw), record, "that it calls sealed are not those");
	strbuf_release(&raw);
}

/* Attached, or in its text. */
static const char *proof_in(const struct post *p)
{
	return *p->proof ? p->proof : p->text;
}

Test(verify, every_receipt_and_report_of_a_game_is_kept_by_its_record)
{
	struct testbed *s = testbed_new("kept");
	unsigned receipts = 0, reports = 0, together = 0;
	char *record;

	play_to_the_end(s);
	record = save_record(s);
	for (size_t i = 0; i < s->nposts; i++) {
		const char *proof = proof_in(s->posts[i]);
		bool receipt = strstr(proof, "BEGIN MOLEPOST RECEIPT") != NULL;
		bool report = strstr(proof, "The record of the game has ") != NULL;
		bool seat = strstr(proof, "\njoined W1 seat ") != NULL;

		/* A report may hold the receipt of its turn: both are judged. */
		if (receipt || report)
			expect_kept(s, (struct span){s->posts[i]->raw, s->posts[i]->raw_len},
			            record,
			            report ? "The record has just this head"
			            : seat ? "of the record says the same."
			                   : seals_fit);
		if (receipt && report)
			expect_kept(s, (struct span){s->posts[i]->raw, s->posts[i]->raw_len},
			            record, "opens the receipt's commitment");
		together += receipt && report;
		if (receipt && !report && !seat)
			expect_a_changed_seal_to_be_told(s, s->posts[i], record);
		receipts += receipt;
		reports += report;
	}
	cr_assert_gt(receipts, 4);
	cr_assert_gt(reports, 4);
	cr_assert_gt(together, 2);
	free(record);
	testbed_free(s);
}

/*
 * tests/verify/mails: a receipt, and a report with one, sent before proofs were attached; the record of their game; and
 * another record of that game, signed by the same server.
 */
Test(verify, mails_of_before_proofs_were_attached_are_kept_or_convict)
{
	static const char *const mails[] = {"receipt.eml", "report.eml"};
	struct testbed *s = testbed_new("old");

	for (size_t i = 0; i < 2 * sizeof mails / sizeof mails[0]; i++) {
		bool lie = i % 2;
		struct strbuf words = STRBUF_INIT;
		struct ran r;

		strbuf_addf(&words, "tests/verify/mails/%s", mails[i / 2]);
		testbed_exec(s,
		             (const char *const[]){"verify", "--receipt", words.ptr,
		                                   lie ? "tests/verify/mails/other.txt"
		                                       : "tests/verify/mails/kept.txt",
		                                   NULL},
		             NULL, &r);
		cr_expect_eq(r.code, lie ? 65 : 0, "%s%s", r.out.ptr, r.err.ptr);
		cr_expect(strncmp(r.out.ptr, lie ? "broken: " : "kept: ", 6) == 0, "%s",
		          r.out.ptr);
		cr_expect_eq(strstr(r.out.ptr, "together they prove it to anybody") != NULL,
		             lie, "%s", r.out.ptr);
		ran_release(&r);
		strbuf_release(&words);
	}
	testbed_free(s);
}

/* ---- forwarded ---- */

static void add_lines(const struct post *p, const char *before, const char *after,
                      struct strbuf *out)
{
	struct span rest = span_of(p->text), line;

	while (span_next_line(&rest, &line))
		strbuf_addf(out, "%s%.*s%s\n", before, SPAN_ARGS(line), after);
}

static void add_head(const char *type, struct strbuf *out)
{
	strbuf_addf(out,
	            "From: bob@example.net\nTo: carl@example.net\nSubject: Fwd: our game\n"
	            "MIME-Version: 1.0\nContent-Type: %s\nContent-Transfer-Encoding: 8bit\n\n"
	            "See what the server wrote.\n\n",
	            type);
}

static void as_gmail(const struct post *p, struct strbuf *out)
{
	add_head("text/plain; charset=utf-8", out);
	strbuf_addf(
	    out,
	    "---------- Forwarded message ---------\nFrom: Molepost <moles@example.org>\n"
	    "Date: Thu, Mar 12, 2026 at 7:02 PM\nSubject: %s\nTo: <ann@example.net>\n\n\n",
	    p->subject);
	add_lines(p, "", "", out);
}

static void as_apple_mail(const struct post *p, struct strbuf *out)
{
	add_head("text/plain; charset=utf-8", out);
	strbuf_addf(out,
	            "Begin forwarded message:\n\n> From: Molepost <moles@example.org>\n"
	            "> Subject: %s\n> Date: 12 March 2026 at 19:02:00 CET\n"
	            "> To: ann@example.net\n> \n",
	            p->subject);
	add_lines(p, "> ", "", out);
}

static void as_outlook(const struct post *p, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;

	add_head("text/html; charset=utf-8", out);
	strbuf_addf(
	    out,
	    "<html><body><p>See below.</p><hr><p><b>From:</b> Molepost "
	    "&lt;moles@example.org&gt;<br><b>Sent:</b> Thursday, March 12, 2026 7:02 PM<br>"
	    "<b>To:</b> ann@example.net<br><b>Subject:</b> %s</p>\n",
	    p->subject);
	add_lines(p, "", "", &text);
	struct span rest = strbuf_span(&text), line;
	while (span_next_line(&rest, &line)) {
		strbuf_adds(out, "<div>");
		for (size_t i = 0; i < line.len; i++)
			switch (line.ptr[i]) {
			case '<':
				strbuf_adds(out, "&lt;");
				break;
			case '>':
				strbuf_adds(out, "&gt;");
				break;
			case '&':
				strbuf_adds(out, "&amp;");
				break;
			case ' ': /* several blanks, as Word writes them */
				strbuf_adds(out,
				            i == 0 || line.ptr[i - 1] == ' ' ? "&nbsp;" : " ");
				break;
			default:
				strbuf_addc(out, line.ptr[i]);
			}
		strbuf_adds(out, line.len ? "</div>\n" : "<br></div>\n");
	}
	strbuf_adds(out, "</body></html>\n");
	strbuf_release(&text);
}

/* Whole, as an attachment. */
static void as_thunderbird(const struct post *p, struct strbuf *out)
{
	strbuf_adds(out,
	            "From: bob@example.net\nTo: carl@example.net\nSubject: Fwd: our game\n"
	            "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"fwd\"\n\n"
	            "--fwd\nContent-Type: text/plain; charset=utf-8\n\n"
	            "See what the server wrote.\n\n"
	            "--fwd\nContent-Type: message/rfc822; name=\"mail.eml\"\n"
	            "Content-Disposition: attachment; filename=\"mail.eml\"\n\n");
	strbuf_add(out, p->raw, p->raw_len);
	strbuf_adds(out, "\n--fwd--\n");
}

static void as_mutt(const struct post *p, struct strbuf *out)
{
	add_head("text/plain; charset=utf-8", out);
	strbuf_addf(out,
	            "----- Forwarded message from Molepost <moles@example.org> -----\n\n"
	            "Date: Thu, 12 Mar 2026 18:02:00 +0000\nSubject: %s\n\n",
	            p->subject);
	add_lines(p, "", "", out);
	strbuf_adds(out, "\n----- End forwarded message -----\n");
}

/* What was attached goes along, each in its own way; mutt puts a text into the text. */
struct forwards {
	void (*text)(const struct post *, struct strbuf *);
	const char *attached; /* NULL: the mail goes whole */
	bool base64;
};

static void forward(const struct forwards *f, const struct post *p, struct strbuf *out)
{
	if (!f->attached || !p->proof_name) {
		f->text(p, out);
		return;
	}
	strbuf_adds(out,
	            "From: bob@example.net\nTo: carl@example.net\nSubject: Fwd: our game\n"
	            "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"fwd\"\n\n"
	            "--fwd\n");
	f->text(p, out);
	strbuf_addf(out, "\n--fwd\n%s\n", f->attached);
	if (f->base64)
		base64_add(out, span_of(p->proof));
	else
		quoted_printable_add(out, span_of(p->proof));
	strbuf_adds(out, "\n--fwd--\n");
}

Test(verify, what_five_programs_forward_is_kept_too)
{
	static const struct forwards programs[] = {
	    {as_gmail,
	     "Content-Type: text/plain; charset=\"US-ASCII\"; name=\"W1-proof-3.txt\"\n"
	     "Content-Disposition: attachment; filename=\"W1-proof-3.txt\"\n"
	     "Content-Transfer-Encoding: base64\nX-Attachment-Id: f_1\n",
	     true},
	    {as_apple_mail,
	     "Content-Disposition: inline; filename=W1-proof-3.txt\n"
	     "Content-Type: text/plain; x-unix-mode=0644; name=\"W1-proof-3.txt\"\n"
	     "Content-Transfer-Encoding: quoted-printable\n",
	     false},
	    {as_outlook,
	     "Content-Type: application/octet-stream; name=\"W1-proof-3.txt\"\n"
	     "Content-Description: W1-proof-3.txt\n"
	     "Content-Disposition: attachment; filename=\"W1-proof-3.txt\"; size=900\n"
	     "Content-Transfer-Encoding: base64\n",
	     true},
	    {as_thunderbird, NULL, false},
	    {as_mutt,
	     "Content-Type: text/plain; charset=utf-8\nContent-Disposition: attachment; "
	     "filename=\"W1-proof-3.txt\"\nContent-Transfer-Encoding: quoted-printable\n",
	     false}};
	struct testbed *s = testbed_new("forwarded");
	unsigned n = 0;
	char *record;

	play_to_the_end(s);
	record = save_record(s);
	for (size_t i = 0; i < s->nposts; i++) {
		if (!strstr(proof_in(s->posts[i]), "BEGIN MOLEPOST RECEIPT") &&
		    !strstr(proof_in(s->posts[i]), "The record of the game has "))
			continue;
		for (size_t k = 0; k < sizeof programs / sizeof programs[0]; k++, n++) {
			struct strbuf mail = STRBUF_INIT;

			forward(&programs[k], s->posts[i], &mail);
			expect_kept(s, strbuf_span(&mail), record, "");
			strbuf_release(&mail);
		}
	}
	cr_assert_gt(n, 50);
	free(record);
	testbed_free(s);
}

Test(verify, a_mail_with_the_record_in_the_middle_is_extended_by_the_record_of_the_end)
{
	struct testbed *s = testbed_new("extended");
	const struct post *middle;
	char *older = scratch_path(s->scratch, "older.txt"), *newer;
	struct ran r;

	testbed_write(s, "ann", "create whakka mole players 2 target=20\njoin w1 as Ann");
	testbed_run(s);
	testbed_write(s, "jo", "join w1 as J\xc3\xb6rg");
	testbed_run(s);
	testbed_write(s, "jo", "archive w1");
	testbed_run(s);
	middle = testbed_find(s, "jo", "the record so far");
	cr_assert_not_null(strstr(middle->raw, "quoted-printable"), "nothing is encoded");
	put(older, (struct span){middle->raw, middle->raw_len});
	for (unsigned turn = 1; turn <= TURNS_MOST; turn++) {
		testbed_reply_to(s, "ann", testbed_last(s, "ann"), "popup 1 2, whack 5");
		testbed_reply_to(s, "jo", testbed_last(s, "jo"),
		                 turn % 2 ? "popup 3 4, whack 6" : "popup 7");
		testbed_run(s);
	}
	newer = save_record(s);
	testbed_exec(s, (const char *const[]){"verify", "--extends", older, newer, NULL}, NULL,
	             &r);
	cr_assert_eq(r.code, 0, "%s%s", r.out.ptr, r.err.ptr);
	cr_assert_eq(strncmp(r.out.ptr, "extends: ", 9), 0, "%s", r.out.ptr);
	ran_release(&r);
	testbed_exec(s, (const char *const[]){"replay", "--turn", "0", older, NULL}, NULL, &r);
	cr_assert_eq(r.code, 0, "%s%s", r.out.ptr, r.err.ptr);
	ran_release(&r);
	free(older);
	free(newer);
	testbed_free(s);
}
