/*
 * fuzz_bounce.c - any bytes as the status part of a delivery report, and as the mail returned in it.
 *
 * What comes out is what mail.h promises, survives the way from the parsing child, and the classifier
 * never calls an address dead without a permanent failure in the report.
 */
#include <stddef.h>
#include <stdint.h>

#include "mail/child/packet.h"
#include "mail/parse/private.h"
#include "mail/parser.h"
#include "mail/robot.h"
#include "mail/text/charset.h"
#include "processor/base/seal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONGEST = 200 };

static void check_report(const struct mail_report *r)
{
	ENSURE(r->kind <= MAIL_REPORT_OTHER);
	ENSURE(charset_line_is_clean(r->action) && charset_line_is_clean(r->status));
	ENSURE(charset_line_is_clean(r->diagnostic) && r->diagnostic.len <= LONGEST);
	ENSURE(r->recipient.len == 0 || mail_address_ok(r->recipient));
	ENSURE(r->returned_id.len == 0 || mail_message_id_ok(r->returned_id));
	ENSURE(r->status.len == 0 || (r->status.len >= 5 && r->status.ptr[1] == '.'));
}

static void check_frame(const struct mail_in *m, struct arena *arena)
{
	struct strbuf frame = STRBUF_INIT;
	struct mail_in back = {0};

	packet_add_result(&frame, m);
	ENSURE(packet_read_result(span_slice(strbuf_span(&frame), PACKET_HEAD, frame.len),
	                          &mail_usual_limits, arena, &back));
	ENSURE(span_eq(back.report.status, m->report.status));
	ENSURE(span_eq(back.report.diagnostic, m->report.diagnostic));
	strbuf_release(&frame);
}

static void check_mail(struct span raw, struct arena *arena)
{
	struct robot robot;
	struct mail_in m;
	struct span id;

	parser_parse_here(raw, &mail_usual_limits, arena, &m);
	check_report(&m.report);
	check_frame(&m, arena);
	robot_classify(&m, "moles", &robot);
	ENSURE(!robot.address_is_dead ||
	       (robot.class == ROBOT_HARD && span_starts(m.report.status, "5.")));
	ENSURE(robot.class != ROBOT_PERSON || m.report.kind == MAIL_REPORT_NONE);
	id = robot_returned_id(&m);
	ENSURE(id.len == 0 || mail_message_id_ok(id));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = {(const char *)data, size};
	struct arena *arena = arena_new();
	struct mail_report report = {0};
	struct strbuf raw = STRBUF_INIT;

	seal_start();
	parse_delivery_status(text, arena, &report);
	check_report(&report);
	strbuf_adds(&raw, "From: MAILER-DAEMON@mx\nContent-Type: multipart/report;"
	                  " report-type=delivery-status; boundary=\"=b\"\n\n--=b\n\nx\n"
	                  "--=b\nContent-Type: message/delivery-status\n\n");
	strbuf_add_span(&raw, text);
	strbuf_adds(&raw, "\n--=b\nContent-Type: text/rfc822-headers\n\n");
	strbuf_add_span(&raw, text);
	strbuf_adds(&raw, "\n--=b--\n");
	check_mail(strbuf_span(&raw), arena);
	strbuf_release(&raw);
	arena_free(arena);
	return 0;
}
