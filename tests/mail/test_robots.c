/*
 * test_robots.c - people, programs and bounces told apart.
 *
 * Each tests/mail/robots/NAME.eml is a mail as some program or person writes it; the file
 * `expected` beside them holds a line for each: its class as in mail/robot.h, the status of a
 * bounce, and "dead" when a report says that the address is none. Written by hand.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <string.h>

#include "mail/parser.h"
#include "mail/robot.h"
#include "processor/base/file.h"
#include "processor/base/seal.h"

#define ROBOTS "tests/mail/robots"

enum { MAX_SIZE = 1 << 20 };

static void read_file(const char *name, const char *suffix, struct strbuf *out)
{
	struct strbuf path = STRBUF_INIT;
	struct failure e = ERR_INIT;

	strbuf_addf(&path, "%s/%s%s", ROBOTS, name, suffix);
	cr_assert_eq(file_read(path.ptr, MAX_SIZE, out, &e), ERR_NONE, "%s", e.text.ptr);
	strbuf_release(&path);
	err_release(&e);
}

/* Parses and classifies what the server named "moles" was sent. */
static void judge(struct span raw, struct arena *arena, struct mail_in *m, struct robot *out)
{
	seal_start();
	parser_parse_here(raw, &mail_usual_limits, arena, m);
	robot_classify(m, "moles", out);
}

static void check_line(struct span line)
{
	struct span name, class, status = SPAN_EMPTY, dead = SPAN_EMPTY;
	struct strbuf raw = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct mail_in m;
	struct robot got;

	cr_assert(span_next_word(&line, NULL, &name) && span_next_word(&line, NULL, &class));
	cr_assert(span_next_word(&line, NULL, &status));
	span_next_word(&line, NULL, &dead);
	const char *file = arena_cstr(arena, name);
	read_file(file, ".eml", &raw);
	judge(strbuf_span(&raw), arena, &m, &got);
	cr_expect(span_eq_str(class, robot_class_name(got.class)), "%s: %s", file,
	          robot_class_name(got.class));
	cr_expect(span_eq(status, got.status) || (span_eq_str(status, "-") && !got.status.len),
	          "%s: status %.*s", file, SPAN_ARGS(got.status));
	cr_expect(got.address_is_dead == span_eq_str(dead, "dead"), "%s: dead", file);
	strbuf_release(&raw);
	arena_free(arena);
}

static unsigned count_mails(void)
{
	DIR *d = opendir(ROBOTS);
	const struct dirent *entry;
	unsigned n = 0;

	cr_assert(d);
	while ((entry = readdir(d)) != NULL)
		n += strstr(entry->d_name, ".eml") != NULL;
	closedir(d);
	return n;
}

Test(robots, every_mail_of_the_collection_is_what_stands_beside_it)
{
	struct strbuf table = STRBUF_INIT;
	struct span rest, line;
	unsigned n = 0;

	read_file("expected", "", &table);
	rest = strbuf_span(&table);
	while (span_next_line(&rest, &line)) {
		if (line.len == 0 || line.ptr[0] == '#')
			continue;
		check_line(line);
		n++;
	}
	strbuf_release(&table);
	cr_expect_eq(n, count_mails());
	cr_expect_geq(n, 60);
}

/* One mail that is written here: header lines, then a text. */
static enum robot_class class_of(const char *header, const char *text)
{
	struct strbuf raw = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct mail_in m;
	struct robot got;

	strbuf_addf(&raw, "From: ann@example.net\nTo: moles@example.org\n%s\n%s\n", header,
	            text);
	judge(strbuf_span(&raw), arena, &m, &got);
	strbuf_release(&raw);
	arena_free(arena);
	return got.class;
}

Test(robots, wording_alone_never_makes_a_robot)
{
	static const char bounce[] =
	    "Hi. This is the qmail-send program. 550 5.1.1 user unknown, permanent error";

	cr_expect_eq(class_of("Subject: hi\n", bounce), ROBOT_PERSON);
	cr_expect_eq(class_of("Subject: Automatic reply: hi\n", "popup 3"), ROBOT_DOUBTFUL);
	cr_expect_eq(class_of("Subject: Undelivered mail\n", "popup 3"), ROBOT_DOUBTFUL);
}

Test(robots, one_more_field_makes_the_same_wording_an_automatic_answer)
{
	static const char *const fields[] = {"Precedence: junk\n", "X-Autoreply: yes\n",
	                                     "X-Auto-Response-Suppress: OOF, AutoReply\n",
	                                     "Return-Path: <>\n", "X-Vacation: 1\n"};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		struct strbuf header = STRBUF_INIT;

		strbuf_addf(&header, "Subject: Abwesend: hi\n%s", fields[i]);
		cr_expect_eq(class_of(header.ptr, "popup 3"), ROBOT_AUTO_REPLY, "%s",
		             fields[i]);
		strbuf_release(&header);
	}
}

Test(robots, fields_are_read_without_case_and_with_comments)
{
	cr_expect_eq(class_of("AUTO-SUBMITTED: Auto-Replied (rejected)\n", "x"),
	             ROBOT_AUTO_REPLY);
	cr_expect_eq(class_of("auto-submitted: No; comment=x\n", "x"), ROBOT_PERSON);
	cr_expect_eq(class_of("precedence:  BULK \n", "x"), ROBOT_BULK);
	cr_expect_eq(class_of("X-Molepost-Instance: moles\n", "x"), ROBOT_LOOP);
	cr_expect_eq(class_of("X-Molepost-Instance: mole\n", "x"), ROBOT_AUTO_SENT);
}

/* A delivery report around these lines of its status part. */
static struct robot report_of(const char *lines, struct arena *arena, struct mail_in *m)
{
	struct strbuf raw = STRBUF_INIT;
	struct robot got;

	strbuf_addf(
	    &raw,
	    "From: MAILER-DAEMON@mx\nContent-Type: multipart/report; "
	    "report-type=delivery-status; boundary=b\n\n--b\nContent-Type: text/plain\n\n"
	    "x\n--b\nContent-Type: message/delivery-status\n\n%s\n--b--\n",
	    lines);
	judge(arena_dup(arena, strbuf_span(&raw)), arena, m, &got);
	strbuf_release(&raw);
	return got;
}

Test(robots, a_report_is_read_whatever_is_wrong_with_some_of_its_fields)
{
	struct arena *arena = arena_new();
	struct mail_in m;
	struct robot got;

	got =
	    report_of("Reporting-MTA: dns; x\n\nAction: FAILED (really)\nStatus: 5.1.1 (gone)\n"
	              "Final-Recipient: RFC822; <ann@Example.NET>\nDiagnostic-Code: x",
	              arena, &m);
	cr_expect_eq(got.class, ROBOT_HARD);
	cr_expect(span_eq_str(m.report.action, "failed"));
	cr_expect(span_eq_str(m.report.status, "5.1.1"));
	cr_expect(span_eq_str(m.report.recipient, "ann@example.net"));
	got = report_of("Reporting-MTA: dns; x\n\nAction: failed\nStatus: 5.1.1.1.1.1.1.1\n"
	                "Final-Recipient: rfc822; two words",
	                arena, &m);
	cr_expect_eq(got.class, ROBOT_UNCLEAR);
	cr_expect_eq(m.report.status.len + m.report.recipient.len, 0);
	got = report_of("Action: failed", arena, &m);
	cr_expect_eq(got.class, ROBOT_UNCLEAR);
	got = report_of("", arena, &m);
	cr_expect_eq(got.class, ROBOT_UNCLEAR);
	arena_free(arena);
}

Test(robots, a_full_mailbox_or_an_unwanted_mail_is_no_dead_address)
{
	static const struct {
		const char *status;
		bool dead;
	} rows[] = {{"5.0.0", true},  {"5.1.1", true},  {"5.1.10", true}, {"5.2.1", true},
	            {"5.4.1", true},  {"5.4.4", true},  {"5.5.0", true},  {"5.2.2", false},
	            {"5.2.3", false}, {"5.3.4", false}, {"5.4.6", false}, {"5.6.1", false},
	            {"5.7.1", false}, {"4.1.1", false}};
	struct arena *arena = arena_new();
	struct mail_in m;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *lines =
		    arena_printf(arena, "a: b\n\nAction: failed\nStatus: %s", rows[i].status);
		struct robot got = report_of(lines, arena, &m);

		cr_expect_eq(got.address_is_dead, rows[i].dead, "%s", rows[i].status);
	}
	arena_free(arena);
}

/* Each group costs a list of fields; a megabyte of them must not cost gigabytes. */
Test(robots, a_report_about_very_many_recipients_is_read_as_far_as_it_makes_sense)
{
	struct arena *arena = arena_new();
	struct strbuf lines = STRBUF_INIT;
	struct mail_in m;

	strbuf_adds(&lines, "Reporting-MTA: dns; x\n\n");
	for (unsigned i = 0; i < 30000; i++)
		strbuf_addf(&lines, "Action: %s\nStatus: 4.4.1\n\n",
		            i == 100 ? "failed" : "delayed");
	cr_expect_eq(report_of(lines.ptr, arena, &m).class, ROBOT_SOFT);
	cr_expect(span_eq_str(m.report.action, "delayed"));
	strbuf_release(&lines);
	arena_free(arena);
}

Test(robots, a_refusal_names_the_address_or_only_the_mail)
{
	static const struct {
		const char *words;
		bool address;
	} said[] = {
	    {"550 5.1.1 <zed@example.net>: Recipient address rejected: User unknown", true},
	    {"550-5.1.1 The email account that you tried to reach does not exist.", true},
	    {"550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found", true},
	    {"550 5.4.1 Recipient address rejected: Access denied", true},
	    {"550 5.2.1 The email account that you tried to reach is disabled", true},
	    {"556 5.1.10 Domain does not accept mail (nullMX)", true},
	    {"550 No such user here", true},
	    {"550 unknown user", true},
	    {"553 sorry, no mailbox here by that name", true},
	    {"550 5.5.0 no such user", true},
	    {"550 5.0.0 rejected", false},
	    {"554 5.5.1 Error: no valid recipients", false},
	    {"550 5.2.2 over quota", false},
	    {"552 5.2.3 too large", false},
	    {"554 5.7.1 <bob@example.net>: Relay access denied", false},
	    {"550 5.7.1 the user does not exist in our white list", false},
	    {"550 5.1.8 sender's domain does not exist", false},
	    {"554 5.7.1 Service unavailable; client 192.0.2.5 blocked, see 5.1.1.example",
	     false},
	    {"550 mailbox unavailable", false},
	    {"554 no", false},
	    {"", false},
	};

	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
		cr_expect_eq(robot_refuses_address(span_of(said[i].words)), said[i].address,
		             "%s", said[i].words);
}
