/*
 * programs_usual.c - replies with all that today's mail programs and the servers on the way put in.
 *
 * The fields and the markup are those of replies to a plain-text mail as they come out of
 * each program; names of hosts and people are made up, signatures are noise of the usual length.
 */
#include "tests/support/programs_parts.h"
#include "tests/support/transfer.h"

enum {
	RSA_DIGITS = 344,   /* 2048 bits in base64 */
	STATE_DIGITS = 210, /* what a large provider notes for itself */
	FILTER_DIGITS = 1700
};

/* ---- what servers add ---- */

static void add_field_noise(struct strbuf *out, const char *name, unsigned n, size_t len)
{
	strbuf_addf(out, "%s: ", name);
	programs_add_noise(out, n, len, "\n ");
	strbuf_addc(out, '\n');
}

/* From the sender's provider to the server that molepost reads from. */
static void add_arrival(struct strbuf *out, const struct reply *r, const char *host)
{
	strbuf_addf(
	    out,
	    "Return-Path: <%.*s>\nX-Original-To: %.*s\nDelivered-To: moles@example.org\n"
	    "Received: from %s (%s [192.0.2.%u])\n",
	    SPAN_ARGS(r->from), SPAN_ARGS(r->to), host, host, 1 + r->n % 250);
	strbuf_addf(out,
	            "\t(using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits)\n"
	            "\t key-exchange X25519 server-signature RSA-PSS (2048 bits) server-digest "
	            "SHA256)\n\t(No client certificate requested)\n"
	            "\tby mx.example.org (Postfix) with ESMTPS id 4Xk%05u\n\tfor <%.*s>; ",
	            r->n, SPAN_ARGS(r->to));
	programs_add_date(out, r);
	strbuf_addf(out,
	            "\nAuthentication-Results: mx.example.org;\n"
	            "\tdkim=pass (2048-bit key; unprotected) header.d=example.net "
	            "header.i=@example.net\n\theader.a=rsa-sha256 header.s=20230601;\n"
	            "\tspf=pass smtp.mailfrom=%.*s;\n"
	            "\tdmarc=pass (p=none dis=none) header.from=example.net\n",
	            SPAN_ARGS(r->from));
}

static void add_hop(struct strbuf *out, const struct reply *r, const char *from, const char *by)
{
	strbuf_addf(out,
	            "Received: from %s (2603:10a6:20b:%x::%x)\n by %s (2603:10a6:150:7f::6)\n"
	            " with Microsoft SMTP Server (version=TLS1_2,\n"
	            " cipher=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384) id 15.20.9320.%u; ",
	            from, 256 + r->n % 4096, 1 + r->n % 15, by, r->n % 40);
	programs_add_date(out, r);
	strbuf_addc(out, '\n');
}

static void add_signature(struct strbuf *out, const struct reply *r, const char *name,
                          const char *fields)
{
	strbuf_addf(
	    out,
	    "%s: v=1; a=rsa-sha256; c=relaxed/relaxed;\n        d=example.net; s=20230601; "
	    "t=%lld; x=%lld; darn=example.org;\n        h=%s;\n        bh=",
	    name, (long long)r->date_utc, (long long)r->date_utc + 604800, fields);
	programs_add_noise(out, r->n, 43, "");
	strbuf_adds(out, "=;\n        b=");
	programs_add_noise(out, r->n + 1, RSA_DIGITS - 2, "\n         ");
	strbuf_adds(out, "==\n");
}

/* ---- parts ---- */

static void add_part(struct strbuf *out, const char *boundary, const char *type,
                     const char *encoding, struct span text)
{
	strbuf_addf(out, "--%s\nContent-Type: %s\n", boundary, type);
	if (span_eq_str(span_of(encoding), "7bit")) {
		strbuf_addc(out, '\n');
		strbuf_add_span(out, text);
	} else {
		strbuf_addf(out, "Content-Transfer-Encoding: %s\n\n", encoding);
		(span_eq_str(span_of(encoding), "base64") ? transfer_add_base64
		                                          : transfer_add_qp)(out, text);
	}
	strbuf_addc(out, '\n');
}

/* ---- pictures ---- */

enum { LOGO_DIGITS = 24000, PHOTO_DIGITS = 380000, PHOTO_EVERY = 28 };

/* Below signatures of firms; a photo, or a screen, that somebody thought worth sending along. */
static size_t picture_of(const struct reply *r, bool has_logo)
{
	if (r->no_pictures)
		return 0;
	return r->n % PHOTO_EVERY == 0 ? PHOTO_DIGITS : has_logo ? LOGO_DIGITS : 0;
}

static const char around[] = "_004_e0b7d6a25c0b4d6e4a0b9e0d6d2a1f3b_";

static void add_picture(struct strbuf *out, const struct reply *r, size_t picture)
{
	strbuf_addf(out,
	            "\n--%s\nContent-Type: image/png; name=\"image001.png\"\n"
	            "Content-Description: image001.png\n"
	            "Content-Disposition: inline; filename=\"image001.png\"; size=%zu\n"
	            "Content-ID: <image001.png@01DC2A1B.%08X>\n"
	            "Content-Transfer-Encoding: base64\n\n",
	            around, picture / 4 * 3, r->n);
	programs_add_noise(out, r->n, picture, "\n");
	strbuf_addf(out, "\n\n--%s--\n", around);
}

/* The same text twice, and perhaps a picture. */
struct alternative {
	const char *boundary;
	const char *plain_type, *plain_encoding, *html_type, *html_encoding;
	bool has_logo;
};

static void add_alternative(struct strbuf *out, const struct reply *r,
                            const struct alternative *a, struct span plain, struct span html)
{
	size_t picture = picture_of(r, a->has_logo);

	if (picture > 0)
		strbuf_addf(out,
		            "Content-Type: multipart/related;\n boundary=\"%s\";\n"
		            " type=\"multipart/alternative\"\n\n--%s\n",
		            around, around);
	strbuf_addf(out, "Content-Type: multipart/alternative;\n boundary=\"%s\"\n\n",
	            a->boundary);
	add_part(out, a->boundary, a->plain_type, a->plain_encoding, plain);
	add_part(out, a->boundary, a->html_type, a->html_encoding, html);
	strbuf_addf(out, "--%s--\n", a->boundary);
	if (picture > 0)
		add_picture(out, r, picture);
}

/* ---- the programs ---- */

static void add_gmail_html(struct strbuf *out, const struct reply *r)
{
	strbuf_adds(out, "<div dir=\"ltr\"><div dir=\"ltr\">");
	programs_add_escaped(out, r->orders, "</div><div>");
	strbuf_adds(
	    out,
	    "<div><br></div><div>Greetings, and good luck to everybody</div></div><br>"
	    "<div class=\"gmail_quote gmail_quote_container\"><div dir=\"ltr\" "
	    "class=\"gmail_attr\">On Fri, 13 Mar 2026 at 09:12, Molepost &lt;<a "
	    "href=\"mailto:moles@example.org\">moles@example.org</a>&gt; wrote:<br></div>"
	    "<blockquote class=\"gmail_quote\" style=\"margin:0px 0px 0px 0.8ex;border-left:"
	    "1px solid rgb(204,204,204);padding-left:1ex\">");
	programs_add_escaped(out, r->report, "<br>");
	strbuf_adds(out, "</blockquote></div></div>\n");
}

static void add_gmail(struct strbuf *out, const struct reply *r)
{
	static const struct alternative parts = {"0000000000006f3a2d0633c0ffee",
	                                         "text/plain; charset=\"UTF-8\"",
	                                         "7bit",
	                                         "text/html; charset=\"UTF-8\"",
	                                         "quoted-printable",
	                                         false};
	struct strbuf plain = STRBUF_INIT, html = STRBUF_INIT;

	programs_add_quoted(&plain, r);
	add_gmail_html(&html, r);
	add_arrival(out, r, "mail-lf1-f48.example.net");
	strbuf_addf(out,
	            "Received: by mail-lf1-f48.example.net with SMTP id "
	            "2adb3069b0e04-5943b62c47dso%07u\n        for <%.*s>; ",
	            r->n, SPAN_ARGS(r->to));
	programs_add_date(out, r);
	strbuf_addc(out, '\n');
	add_signature(out, r, "DKIM-Signature",
	              "to:subject:message-id:date:from:in-reply-to:references:mime-version\n"
	              "         :from:to:cc:subject:date:message-id:reply-to");
	add_signature(out, r, "X-Google-DKIM-Signature",
	              "to:subject:message-id:date:from:in-reply-to:references:mime-version\n"
	              "         :x-gm-gg:x-gm-message-state:from:to:cc:subject:date:message-id"
	              ":reply-to");
	add_field_noise(out, "X-Gm-Message-State", r->n + 2, STATE_DIGITS);
	add_field_noise(out, "X-Gm-Gg", r->n + 3, STATE_DIGITS + 40);
	add_field_noise(out, "X-Google-Smtp-Source", r->n + 4, 84);
	strbuf_addf(out,
	            "X-Received: by 2002:a05:6512:3d22:b0:594:2d0d:%x with SMTP id\n"
	            " 2adb3069b0e04-5969e2fd8c6mr%07u.28.%lld; ",
	            r->n % 65536, r->n, (long long)r->date_utc);
	programs_add_date(out, r);
	strbuf_adds(out, "\nMIME-Version: 1.0\n");
	programs_add_own_fields(out, r);
	add_field_noise(out, "X-Gm-Features", r->n + 5, 64);
	add_alternative(out, r, &parts, strbuf_span(&plain), strbuf_span(&html));
	strbuf_release(&plain);
	strbuf_release(&html);
}

static void add_apple_html(struct strbuf *out, const struct reply *r)
{
	strbuf_adds(out, "<html><head><meta http-equiv=\"content-type\" content=\"text/html; "
	                 "charset=utf-8\"></head><body dir=\"auto\">");
	programs_add_escaped(out, r->orders, "<br>");
	strbuf_adds(
	    out,
	    "<div><br></div><div>Greetings, and good luck to everybody</div>"
	    "<div><br id=\"lineBreakAtBeginningOfSignature\"><div dir=\"ltr\">Sent from my "
	    "iPhone</div><div dir=\"ltr\"><br><blockquote type=\"cite\">On 13 Mar 2026, at "
	    "09:12, Molepost &lt;moles@example.org&gt; wrote:<br><br></blockquote></div>"
	    "<blockquote type=\"cite\"><div dir=\"ltr\">");
	programs_add_escaped(out, r->report, "</span><br><span>");
	strbuf_adds(out, "</div></blockquote></div></body></html>\n");
}

static void add_apple(struct strbuf *out, const struct reply *r)
{
	static const struct alternative parts = {
	    "Apple-Mail-5C0B7D6E-2C56-4A0B-9E0D-6D2A1F3B7C88",
	    "text/plain;\n\tcharset=us-ascii",
	    "quoted-printable",
	    "text/html;\n\tcharset=utf-8",
	    "quoted-printable",
	    false};
	struct strbuf plain = STRBUF_INIT, html = STRBUF_INIT;

	programs_add_quoted(&plain, r);
	add_apple_html(&html, r);
	add_arrival(out, r, "outbound.ci.example.net");
	strbuf_addf(
	    out,
	    "Received: from outbound.ci.example.net (unknown [127.0.0.2])\n"
	    "\tby p00-icloudmta-asmtp-us-central-1k-100-percent-3 (Postfix) with ESMTPS id "
	    "%05uA1801CC7\n\tfor <%.*s>; ",
	    r->n, SPAN_ARGS(r->to));
	programs_add_date(out, r);
	strbuf_addc(out, '\n');
	add_signature(out, r, "DKIM-Signature",
	              "From:Content-Type:Mime-Version:Subject:Date:Message-Id:To:x-icloud-hme");
	strbuf_addf(out,
	            "Received: from smtpclient.apple (ci-asmtp-me-k8s.p00.prod.example.net "
	            "[17.57.156.36])\n\tby outbound.ci.example.net (Postfix) with ESMTPSA id "
	            "%05uB18000D5\n\tfor <%.*s>; ",
	            r->n, SPAN_ARGS(r->to));
	programs_add_date(out, r);
	strbuf_addc(out, '\n');
	strbuf_adds(out, "Content-Transfer-Encoding: 7bit\nMime-Version: 1.0 (1.0)\n");
	programs_add_own_fields(out, r);
	strbuf_adds(out, "X-Mailer: iPhone Mail (23B85)\n");
	add_field_noise(out, "X-Proofpoint-ORIG-GUID", r->n, 32);
	add_field_noise(out, "X-Proofpoint-GUID", r->n, 32);
	add_field_noise(out, "X-Proofpoint-Spam-Details-Enc", r->n + 6, 420);
	add_field_noise(out, "X-Authority-Info", r->n + 7, 180);
	add_alternative(out, r, &parts, strbuf_span(&plain), strbuf_span(&html));
	strbuf_release(&plain);
	strbuf_release(&html);
}

/* Outlook quotes without any mark: a line, four fields, the whole report. */
static void add_outlook_plain(struct strbuf *out, const struct reply *r)
{
	strbuf_add_span(out, r->orders);
	strbuf_addf(
	    out,
	    "\n\nGreetings, and good luck to everybody\n________________________________\n"
	    "From: Molepost <moles@example.org>\nSent: Friday, March 13, 2026 9:12 AM\n"
	    "To: %.*s <%.*s>\nSubject: %.*s\n\n",
	    SPAN_ARGS(r->from), SPAN_ARGS(r->from), SPAN_ARGS(r->subject));
	strbuf_add_span(out, r->report);
}

static void add_outlook_html(struct strbuf *out, const struct reply *r)
{
	static const char font[] = "style=\"font-family: Aptos, Aptos_EmbeddedFont, "
				   "Aptos_MSFontService, Calibri, Helvetica, "
				   "sans-serif; font-size: 12pt; color: rgb(0, 0, 0);\"";

	strbuf_adds(
	    out, "<html>\n<head>\n<meta http-equiv=\"Content-Type\" content=\"text/html; "
		 "charset=Windows-1252\">\n<style type=\"text/css\" style=\"display:none;\"> "
		 "P {margin-top:0;margin-bottom:0;} </style>\n</head>\n<body dir=\"ltr\">\n");
	strbuf_addf(out, "<div class=\"elementToProof\" %s>\n", font);
	programs_add_escaped(out, r->orders, "<br>");
	strbuf_addf(
	    out,
	    "</div>\n<div class=\"elementToProof\" %s>\n<br>\n</div>\n"
	    "<div class=\"elementToProof\" %s>\nGreetings, and good luck to everybody</div>\n",
	    font, font);
	strbuf_addf(
	    out,
	    "<div id=\"appendonsend\"></div>\n<hr style=\"display:inline-block;width:98%%\" "
	    "tabindex=\"-1\">\n<div id=\"divRplyFwdMsg\" dir=\"ltr\"><font face=\"Calibri, "
	    "sans-serif\" style=\"font-size:11pt\" color=\"#000000\"><b>From:</b> Molepost "
	    "&lt;moles@example.org&gt;<br>\n<b>Sent:</b> Friday, March 13, 2026 9:12 AM<br>\n"
	    "<b>To:</b> %.*s &lt;%.*s&gt;<br>\n<b>Subject:</b> %.*s</font>\n"
	    "<div>&nbsp;</div>\n</div>\n",
	    SPAN_ARGS(r->from), SPAN_ARGS(r->from), SPAN_ARGS(r->subject));
	strbuf_adds(
	    out,
	    "<div class=\"BodyFragment\"><font size=\"2\"><span style=\"font-size:11pt;\">\n"
	    "<div class=\"PlainText\">");
	programs_add_escaped(out, r->report, "<br>");
	strbuf_adds(out, "</div>\n</span></font></div>\n</body>\n</html>\n");
}

/* What the sender's own servers found, for each other. */
static void add_exchange_findings(struct strbuf *out, const struct reply *r)
{
	static const char *const across[] = {
	    "AuthAs: Internal",
	    "AuthSource: AM8P190MB0979.example.net",
	    "Network-Message-Id: 5d6a1c0e-2f4b-4f0e-9d7c-08de2a1b3c4d",
	    "FromEntityHeader: Hosted",
	    "Id: 84df9e7f-e9f6-40af-b435-aaaaaaaaaaaa",
	    "RMS-PersistedConsumerOrg: 00000000-0000-0000-0000-000000000000",
	    "OriginalArrivalTime: 13 Mar 2026 09:20:31.5710 (UTC)"};

	strbuf_adds(
	    out,
	    "Accept-Language: en-GB, en-US\nContent-Language: en-GB\nX-MS-Has-Attach:\n"
	    "X-MS-TNEF-Correlator:\nmsip_labels:\nx-ms-publictraffictype: Email\n"
	    "x-ms-traffictypediagnostic: AM8P190MB0979:EE_|DB9P190MB1739:EE_\n"
	    "x-ms-office365-filtering-correlation-id: 5d6a1c0e-2f4b-4f0e-9d7c-08de2a1b3c4d\n"
	    "x-ms-exchange-slblob-mailprops:\n ");
	programs_add_noise(out, r->n + 8, FILTER_DIGITS, "\n ");
	strbuf_adds(
	    out,
	    "\nx-microsoft-antispam:\n BCL:0;ARA:14566002|461199028|8062599012|15080799012|"
	    "8060799015|19110799012|\n 15030799006|31061999003|3412199025|440099028|102099032|"
	    "40105399003|1710799026;\nx-microsoft-antispam-message-info:\n =?iso-8859-1?Q?");
	programs_add_noise(out, r->n + 9, FILTER_DIGITS, "?=\n =?iso-8859-1?Q?");
	strbuf_adds(out, "?=\n");
	strbuf_adds(out, "X-OriginatorOrg: outlook.example.net\n");
	for (size_t i = 0; i < sizeof(across) / sizeof(across[0]); i++)
		strbuf_addf(out, "X-MS-Exchange-CrossTenant-%s\n", across[i]);
	strbuf_adds(out, "X-MS-Exchange-Transport-CrossTenantHeadersStamped: DB9P190MB1739\n");
}

static void add_outlook(struct strbuf *out, const struct reply *r)
{
	const struct alternative parts = {
	    "_000_AM8P190MB09790F4A6C2B4E0B3D5A1F0CB5CFAAM8P190MB0979EURP_",
	    "text/plain; charset=\"Windows-1252\"",
	    "quoted-printable",
	    "text/html; charset=\"Windows-1252\"",
	    "quoted-printable",
	    r->n % 20 == 2};
	static const char arc[] = "From:Date:Subject:Message-ID:Content-Type:MIME-Version"
				  ":X-MS-Exchange-AntiSpam-MessageData-ChunkCount\n         "
				  ":X-MS-Exchange-AntiSpam-MessageData-0"
				  ":X-MS-Exchange-AntiSpam-MessageData-1";
	struct strbuf plain = STRBUF_INIT, html = STRBUF_INIT;

	add_outlook_plain(&plain, r);
	add_outlook_html(&html, r);
	add_arrival(out, r, "db9p190cu003.outbound.example.net");
	add_signature(out, r, "ARC-Seal", "i=1; cv=none");
	add_signature(out, r, "ARC-Message-Signature", arc);
	strbuf_adds(out,
	            "ARC-Authentication-Results: i=1; mx.example.net 1; spf=none; dmarc=none;\n"
	            " dkim=none; arc=none\n");
	add_signature(out, r, "DKIM-Signature", arc);
	add_hop(out, r, "AM8P190MB0979.EURP190.PROD.EXAMPLE.NET",
	        "DB9P190MB1739.EURP190.PROD.EXAMPLE.NET");
	add_hop(out, r, "AM8P190MB0979.EURP190.PROD.EXAMPLE.NET ([fe80::5c2b:1f0e:9d7c:4d3a])",
	        "AM8P190MB0979.EURP190.PROD.EXAMPLE.NET ([fe80::5c2b:1f0e:9d7c:4d3a%4])");
	programs_add_own_fields(out, r);
	strbuf_addf(out, "Thread-Topic: %.*s\n", SPAN_ARGS(r->subject));
	add_field_noise(out, "Thread-Index", r->n, 56);
	add_exchange_findings(out, r);
	strbuf_adds(out, "MIME-Version: 1.0\n");
	add_alternative(out, r, &parts, strbuf_span(&plain), strbuf_span(&html));
	strbuf_release(&plain);
	strbuf_release(&html);
}

static void add_android(struct strbuf *out, const struct reply *r)
{
	static const struct alternative parts = {
	    "--_com.samsung.android.email_3140527891648940",
	    "text/plain; charset=utf-8",
	    "base64",
	    "text/html; charset=utf-8",
	    "base64",
	    false};
	struct strbuf plain = STRBUF_INIT, html = STRBUF_INIT;

	programs_add_quoted(&plain, r);
	strbuf_adds(&html, "<html><head><meta http-equiv=\"Content-Type\" content=\"text/html; "
	                   "charset=UTF-8\"></head><body dir=\"auto\">");
	programs_add_escaped(&html, r->orders, "<br>");
	strbuf_adds(
	    &html,
	    "<div dir=\"auto\"><br></div><div id=\"composer_signature\" dir=\"auto\">"
	    "<div style=\"font-size:12px;color:#575757\" dir=\"auto\">Sent from my Galaxy"
	    "</div></div><div dir=\"auto\"><br></div><div><div align=\"left\" dir=\"auto\" "
	    "style=\"font-size:100%;color:#000000\"><div>-------- Original message "
	    "--------</div><div>From: Molepost &lt;moles@example.org&gt; </div></div>");
	programs_add_escaped(&html, r->report, "<br>");
	strbuf_adds(&html, "</div></body></html>\n");
	add_arrival(out, r, "mout.example.net");
	add_signature(
	    out, r, "DKIM-Signature",
	    "X-UI-Sender-Class:Date:Subject:In-Reply-To:From:To:MIME-Version:Content-Type"
	    ":Message-ID");
	strbuf_adds(out, "X-UI-Sender-Class: 724b4f7f-cbec-4199-ad4e-598c01a50d3a\n"
	                 "Importance: normal\nMIME-Version: 1.0\n");
	programs_add_own_fields(out, r);
	add_field_noise(out, "X-Provags-ID", r->n, 80);
	add_field_noise(out, "UI-OutboundReport", r->n + 1, 1300);
	add_alternative(out, r, &parts, strbuf_span(&plain), strbuf_span(&html));
	strbuf_release(&plain);
	strbuf_release(&html);
}

/* Text alone; what servers add is as long as ever. */
static void add_text_only(struct strbuf *out, const struct reply *r, const char *fields)
{
	add_arrival(out, r, "smtp.example.net");
	add_signature(out, r, "DKIM-Signature", "Date:Subject:To:References:From:In-Reply-To");
	programs_add_own_fields(out, r);
	strbuf_addf(out, "MIME-Version: 1.0\n%s\n", fields);
	programs_add_quoted(out, r);
}

static void add_thunderbird(struct strbuf *out, const struct reply *r)
{
	add_text_only(out, r,
	              "User-Agent: Mozilla Thunderbird\nContent-Language: en-GB\n"
	              "Content-Type: text/plain; charset=UTF-8; format=flowed\n"
	              "Content-Transfer-Encoding: 7bit\n");
}

static void add_mutt(struct strbuf *out, const struct reply *r)
{
	add_text_only(out, r,
	              "User-Agent: Mutt/2.2.9 (2022-11-12)\n"
	              "Content-Type: text/plain; charset=utf-8\nContent-Disposition: inline\n"
	              "Content-Transfer-Encoding: 8bit\n");
}

void programs_add_usual(struct strbuf *out, const struct reply *r)
{
	static void (*const programs[])(struct strbuf *, const struct reply *) = {
	    add_gmail,   add_apple, add_outlook, add_thunderbird, add_gmail,
	    add_android, add_apple, add_gmail,   add_outlook,     add_mutt};

	programs[r->n % (sizeof(programs) / sizeof(programs[0]))](out, r);
}

void programs_add_written(struct strbuf *out, const struct reply *r)
{
	struct reply bare = *r;

	bare.no_pictures = true;
	programs_add_usual(out, &bare);
}
