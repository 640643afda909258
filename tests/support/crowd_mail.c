/*
 * crowd_mail.c - replies to reports, as the mail programs of different people write them.
 */
#include <stdio.h>
#include <string.h>

#include "mail/compose.h"
#include "processor/address.h"
#include "processor/base/clock.h"
#include "store/outbox.h"
#include "tests/support/crowd.h"
#include "tests/support/crowd_parts.h"

#include "processor/base/banned.h"

enum { ORDERING_SEATS = 2, BATCH_MAILS = 1000, QP_COLUMNS = 72, BASE64_LINE = 57 };

/* What one reply is made of. */
struct reply {
	unsigned n;              /* of all mails: makes ids and orders differ */
	struct span from, to, subject, answers;
	struct span text;        /* orders above the quoted report, LF */
	int64_t date_utc;
};

void crowd_add_orders(struct strbuf *out, unsigned variant)
{
	strbuf_addf(out, "popup %u %u, whack %u", 1 + variant % 4, 5 + variant / 4 % 5,
	            1 + variant / 20 % 9);
}

/* ---- transfer encodings ---- */

static bool qp_is_plain(char c)
{
	return c >= ' ' && c <= '~' && c != '=';
}

static void add_qp(struct strbuf *out, struct span text)
{
	size_t column = 0;

	for (size_t i = 0; i < text.len; i++) {
		if (column >= QP_COLUMNS && text.ptr[i] != '\n') {
			strbuf_adds(out, "=\n");
			column = 0;
		}
		if (text.ptr[i] == '\n' || qp_is_plain(text.ptr[i]))
			strbuf_addc(out, text.ptr[i]);
		else
			strbuf_addf(out, "=%02X", (unsigned char)text.ptr[i]);
		column = text.ptr[i] == '\n' ? 0 : column + 1;
	}
}

static void add_base64_line(struct strbuf *out, struct span bytes)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < bytes.len; i += 3) {
		unsigned v = 0;
		size_t left = bytes.len - i;

		for (size_t k = 0; k < 3; k++)
			v = v << 8 | (k < left ? (unsigned char)bytes.ptr[i + k] : 0);
		strbuf_addc(out, digits[v >> 18]);
		strbuf_addc(out, digits[v >> 12 & 63]);
		strbuf_addc(out, left > 1 ? digits[v >> 6 & 63] : '=');
		strbuf_addc(out, left > 2 ? digits[v & 63] : '=');
	}
	strbuf_addc(out, '\n');
}

static void add_base64(struct strbuf *out, struct span text)
{
	for (size_t at = 0; at < text.len; at += BASE64_LINE)
		add_base64_line(out, span_slice(text, at, at + BASE64_LINE));
}

/* ---- the kinds of mail program ---- */

static void add_plain(struct strbuf *out, const struct reply *r)
{
	strbuf_adds(out, "Content-Type: text/plain; charset=utf-8; format=flowed\n"
	                 "Content-Transfer-Encoding: 8bit\n\n");
	strbuf_add_span(out, r->text);
}

static void add_quoted_printable(struct strbuf *out, const struct reply *r)
{
	strbuf_adds(out, "Content-Type: text/plain; charset=\"iso-8859-1\"\n"
	                 "Content-Transfer-Encoding: quoted-printable\n\n");
	add_qp(out, r->text);
}

static void add_encoded(struct strbuf *out, const struct reply *r)
{
	strbuf_adds(out, "Content-Type: text/plain; charset=\"utf-8\"\n"
	                 "Content-Transfer-Encoding: base64\n\n");
	add_base64(out, r->text);
}

/* Orders and report as a web mailer puts them into HTML. */
static void add_html(struct strbuf *out, struct span text)
{
	struct span line;

	strbuf_adds(out, "<div dir=3D\"ltr\">");
	while (span_next_line(&text, &line)) {
		if (line.len > 0 && line.ptr[0] == '>')
			line = span_slice(line, 1, line.len);
		add_qp(out, line);
		strbuf_adds(out, "<br>\n");
	}
	strbuf_adds(out, "</div>\n");
}

static void add_alternative(struct strbuf *out, const struct reply *r)
{
	strbuf_addf(out, "Content-Type: multipart/alternative; boundary=\"000000000000%06u\"\n\n",
	            r->n);
	strbuf_addf(out, "--000000000000%06u\nContent-Type: text/plain; charset=\"UTF-8\"\n"
	                 "Content-Transfer-Encoding: quoted-printable\n\n", r->n);
	add_qp(out, r->text);
	strbuf_addf(out, "\n--000000000000%06u\nContent-Type: text/html; charset=\"UTF-8\"\n"
	                 "Content-Transfer-Encoding: quoted-printable\n\n", r->n);
	add_html(out, r->text);
	strbuf_addf(out, "\n--000000000000%06u--\n", r->n);
}

static void add_received(struct strbuf *out, const struct reply *r, const char *from,
                         const char *by)
{
	strbuf_addf(out, "Received: from %s (%s [192.0.2.%u])\n"
	                 "\t(using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits)\n"
	                 "\t key-exchange X25519 server-signature RSA-PSS (2048 bits))\n"
	                 "\tby %s (Postfix) with ESMTPS id 4Xk%05u\n"
	                 "\tfor <%.*s>; ",
	            from, from, 1 + r->n % 250, by, r->n, SPAN_ARGS(r->to));
	utc_format_rfc5322(out, r->date_utc);
	strbuf_addc(out, '\n');
}

/* What servers on the way put above the header. */
static void add_trace(struct strbuf *out, const struct reply *r)
{
	strbuf_addf(out, "Return-Path: <%.*s>\nDelivered-To: moles@example.org\n", SPAN_ARGS(r->from));
	add_received(out, r, "mail.example.net", "mx.example.org");
	add_received(out, r, "smtp-out.example.net", "mail.example.net");
	strbuf_addf(out, "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.net;\n"
	                 "\ts=2026; t=%lld; h=from:to:subject:date:message-id:in-reply-to;\n"
	                 "\tbh=frcCV1k9oG9oKj3dpUqdJg1PxRT2RSN/XKdLCPjaYaY=;\n"
	                 "\tb=Ik7mPfQ0dHrnBqeS0pZ9nR8yTuf2CzYz0pU1E3uF3mQz5T4z5oN6Jw7aK8bC9dE0fG1%05u\n"
	                 "\t aW8rYt2LqVx5HdKcPz0BnEfSgJ3mUoTi7wXyRb4ZkNl6CvQeAs9DhMpGjF1uIxLtOwE2%05u\n"
	                 "\t Tz6YqKd8VsWnRb3XcJm5HgPf0LaEu7IoNt4ZxBvCyQlSrMhDk9GpFj1wUiTe2OaXnRz%05u==\n",
	            (long long)r->date_utc, r->n, r->n, r->n);
	strbuf_addf(out, "Authentication-Results: mx.example.org; dkim=pass header.d=example.net\n"
	                 "\theader.s=2026; spf=pass smtp.mailfrom=%.*s;\n\tdmarc=pass (p=none)\n",
	            SPAN_ARGS(r->from));
	strbuf_adds(out, "X-Spam-Status: No, score=-0.2 required=5.0 tests=DKIM_SIGNED,DKIM_VALID,\n"
	                 "\tDKIM_VALID_AU,RCVD_IN_DNSWL_NONE,SPF_PASS autolearn=ham\n"
	                 "\tautolearn_force=no version=4.0.1\n");
	strbuf_addf(out, "X-Message-State: AOJu0YxTq7n3LkVwZcB5dRfEgHs8MpUoJi2aNy4XtQ6WzKvCl1Sb9%05u\n"
	                 "\tPq7RfYk3HtWx5ZdLm8VcJb2NgSa4UoEi6TyXw1QrKp9MlDh0FzGjBvCnAe3SuIO5%05u\n"
	                 "\tHk2YtVr8WqLs6XdNz4PfMc1JbUg9EaToQi7CyKwRv3SxBnDl5GhAmZjFp0IuOe%05u==\n",
	            r->n, r->n, r->n);
}

static void add_reply(struct strbuf *out, const struct reply *r)
{
	static void (*const programs[])(struct strbuf *, const struct reply *) = {
		add_plain, add_quoted_printable, add_encoded, add_alternative
	};

	add_trace(out, r);
	strbuf_addf(out, "From: %.*s\nTo: Molepost <%.*s>\nSubject: Re: %.*s\n", SPAN_ARGS(r->from),
	            SPAN_ARGS(r->to), SPAN_ARGS(r->subject));
	strbuf_addf(out, "Message-ID: <CA+reply%u@mail.example.net>\nIn-Reply-To: %.*s\n"
	                 "References: %.*s\nDate: ",
	            r->n, SPAN_ARGS(r->answers), SPAN_ARGS(r->answers));
	utc_format_rfc5322(out, r->date_utc);
	strbuf_adds(out, "\nUser-Agent: Mutt/2.2.9 (2022-11-12)\nMIME-Version: 1.0\n");
	programs[r->n % 4](out, r);
}

/* ---- from the report to the reply ---- */

/* The orders of this mail, then the report behind '>'. */
static struct span reply_text(unsigned n, const struct outbox_mail *report, struct arena *arena)
{
	struct strbuf body = STRBUF_INIT, text = STRBUF_INIT;
	struct span rest, line;

	ENSURE(mail_read_back(report->message, &body));
	crowd_add_orders(&text, n);
	strbuf_adds(&text, "\n\nGreetings, and good luck to everybody\n\n"
	                   "On Fri, 13 Mar 2026 at 09:12, Molepost <moles@example.org> wrote:\n");
	rest = strbuf_span(&body);
	while (span_next_line(&rest, &line))
		strbuf_addf(&text, ">%s%.*s\n", line.len > 0 ? " " : "", SPAN_ARGS(line));
	rest = arena_dup(arena, strbuf_span(&text));
	strbuf_release(&body);
	strbuf_release(&text);
	return rest;
}

/* The newest report of a seat. */
static const struct outbox_mail *report_of(struct server *srv, int64_t game, unsigned seat,
                                           struct arena *arena)
{
	struct outbox_mail *all;
	size_t n;

	crowd_must(srv, outbox_history(srv->store, game, seat, "report", 0, UINT32_MAX, arena, &all, &n));
	ENSURE(n > 0);
	return &all[n - 1];
}

/* Mail n goes over all seats in steps that have no common factor with their number. */
static void drop_one(struct site *s, struct server *srv, unsigned games, unsigned n,
                     struct arena *arena)
{
	enum { STEP = 7919 }; /* a prime larger than any factor of a round number of games */
	uint64_t place = (uint64_t)n * STEP % ((uint64_t)games * ORDERING_SEATS);
	int64_t game = 1 + (int64_t)(place / ORDERING_SEATS);
	unsigned seat = 1 + (unsigned)(place % ORDERING_SEATS);
	const struct outbox_mail *report = report_of(srv, game, seat, arena);
	struct strbuf raw = STRBUF_INIT, to = STRBUF_INIT;
	struct game g;
	struct seat row;

	crowd_must(srv, game_get(srv->store, game, arena, &g));
	crowd_must(srv, seat_get(srv->store, game, seat, arena, &row));
	address_add_reply(srv, &g, &row, report->serial, &to);
	add_reply(&raw, &(struct reply){
		.n = n,
		.from = report->rcpt,
		.to = strbuf_span(&to),
		.subject = SPAN_LIT("[moles] turn 1 - your orders"),
		.answers = report->message_id,
		.text = reply_text(n, report, arena),
		.date_utc = srv->now_utc,
	});
	site_drop(s, arena_printf(arena, "%lld.M%uP1.mx", (long long)srv->now_utc, n),
	          strbuf_span(&raw), srv->now_utc);
	strbuf_release(&raw);
	strbuf_release(&to);
}

void crowd_mails(struct site *s, unsigned games, unsigned n)
{
	struct crowd_place p = { s->dir, s->now_utc };
	struct arena *arena = arena_new();
	struct server srv;
	struct log log;

	crowd_open(&p, &log, &srv);
	for (unsigned i = 0; i < n; i++) {
		drop_one(s, &srv, games, s->written, arena);
		arena_clear(arena);
	}
	server_close(&srv);
	arena_free(arena);
}
