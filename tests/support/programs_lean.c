/*
 * programs_lean.c - the least that a reply can be, in four encodings.
 */
#include "tests/support/programs_parts.h"
#include "tests/support/transfer.h"

typedef void add_body_fn(struct strbuf *out, const struct reply *r, struct span text);

static void add_plain(struct strbuf *out, const struct reply *r, struct span text)
{
	(void)r;
	strbuf_adds(out, "Content-Type: text/plain; charset=utf-8; format=flowed\n"
	                 "Content-Transfer-Encoding: 8bit\n\n");
	strbuf_add_span(out, text);
}

static void add_quoted_printable(struct strbuf *out, const struct reply *r, struct span text)
{
	(void)r;
	strbuf_adds(out, "Content-Type: text/plain; charset=\"iso-8859-1\"\n"
	                 "Content-Transfer-Encoding: quoted-printable\n\n");
	transfer_add_qp(out, text);
}

static void add_encoded(struct strbuf *out, const struct reply *r, struct span text)
{
	(void)r;
	strbuf_adds(out, "Content-Type: text/plain; charset=\"utf-8\"\n"
	                 "Content-Transfer-Encoding: base64\n\n");
	transfer_add_base64(out, text);
}

/* Orders and report as a web mailer puts them into HTML. */
static void add_html(struct strbuf *out, struct span text)
{
	struct span line;

	strbuf_adds(out, "<div dir=3D\"ltr\">");
	while (span_next_line(&text, &line)) {
		if (line.len > 0 && line.ptr[0] == '>')
			line = span_slice(line, 1, line.len);
		transfer_add_qp(out, line);
		strbuf_adds(out, "<br>\n");
	}
	strbuf_adds(out, "</div>\n");
}

static void add_alternative(struct strbuf *out, const struct reply *r, struct span text)
{
	strbuf_addf(out,
	            "Content-Type: multipart/alternative; boundary=\"000000000000%06u\"\n\n",
	            r->n);
	strbuf_addf(out,
	            "--000000000000%06u\nContent-Type: text/plain; charset=\"UTF-8\"\n"
	            "Content-Transfer-Encoding: quoted-printable\n\n",
	            r->n);
	transfer_add_qp(out, text);
	strbuf_addf(out,
	            "\n--000000000000%06u\nContent-Type: text/html; charset=\"UTF-8\"\n"
	            "Content-Transfer-Encoding: quoted-printable\n\n",
	            r->n);
	add_html(out, text);
	strbuf_addf(out, "\n--000000000000%06u--\n", r->n);
}

static void add_received(struct strbuf *out, const struct reply *r, const char *from,
                         const char *by)
{
	strbuf_addf(out,
	            "Received: from %s (%s [192.0.2.%u])\n"
	            "\t(using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits)\n"
	            "\t key-exchange X25519 server-signature RSA-PSS (2048 bits))\n"
	            "\tby %s (Postfix) with ESMTPS id 4Xk%05u\n"
	            "\tfor <%.*s>; ",
	            from, from, 1 + r->n % 250, by, r->n, SPAN_ARGS(r->to));
	programs_add_date(out, r);
	strbuf_addc(out, '\n');
}

/* What servers on the way put above the header. */
static void add_trace(struct strbuf *out, const struct reply *r)
{
	strbuf_addf(out, "Return-Path: <%.*s>\nDelivered-To: moles@example.org\n",
	            SPAN_ARGS(r->from));
	add_received(out, r, "mail.example.net", "mx.example.org");
	add_received(out, r, "smtp-out.example.net", "mail.example.net");
	strbuf_addf(out,
	            "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.net;\n"
	            "\ts=2026; t=%lld; h=from:to:subject:date:message-id:in-reply-to;\n"
	            "\tbh=frcCV1k9oG9oKj3dpUqdJg1PxRT2RSN/XKdLCPjaYaY=;\n\tb=",
	            (long long)r->date_utc);
	programs_add_noise(out, r->n, 214, "\n\t ");
	strbuf_addf(
	    out,
	    "==\nAuthentication-Results: mx.example.org; dkim=pass header.d=example.net\n"
	    "\theader.s=2026; spf=pass smtp.mailfrom=%.*s;\n\tdmarc=pass (p=none)\n",
	    SPAN_ARGS(r->from));
	strbuf_adds(out,
	            "X-Spam-Status: No, score=-0.2 required=5.0 tests=DKIM_SIGNED,DKIM_VALID,\n"
	            "\tDKIM_VALID_AU,RCVD_IN_DNSWL_NONE,SPF_PASS autolearn=ham\n"
	            "\tautolearn_force=no version=4.0.1\nX-Message-State: ");
	programs_add_noise(out, r->n + 1, 200, "\n\t");
	strbuf_addc(out, '\n');
}

void programs_add_lean(struct strbuf *out, const struct reply *r)
{
	static add_body_fn *const bodies[] = {add_plain, add_quoted_printable, add_encoded,
	                                      add_alternative};
	struct strbuf text = STRBUF_INIT;

	programs_add_quoted(&text, r);
	add_trace(out, r);
	programs_add_own_fields(out, r);
	strbuf_adds(out, "User-Agent: Mutt/2.2.9 (2022-11-12)\nMIME-Version: 1.0\n");
	bodies[r->n % 4](out, r, strbuf_span(&text));
	strbuf_release(&text);
}
