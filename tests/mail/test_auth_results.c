/*
 * test_auth_results.c - Authentication-Results as mail servers write them, and as forgers do.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "mail/text/auth_results.h"
#include "processor/base/strbuf.h"

struct fixture {
	const char *id;    /* of the operator's server */
	const char *from;  /* address in the From field */
	const char *field; /* topmost */
	enum auth_state state;
	const char *why;
};

#define P AUTH_PASSED
#define F AUTH_FAILED
#define U AUTH_UNSAID
#define NOT_OURS "the results on top are another server's"
#define UNREADABLE "the results cannot be read"
#define NONE_ON_TOP "no results on top of the mail"
#define NOBODY_FOR(domain) "nothing vouches for " domain

static const struct fixture fixtures[] = {
    /* Gmail */
    {"mx.google.com", "ann@gmail.com",
     "mx.google.com;\r\n       dkim=pass header.i=@gmail.com header.s=20230601 "
     "header.b=AbCdEf12;\r\n"
     "       spf=pass (google.com: domain of ann@gmail.com designates 209.85.220.41 as "
     "permitted sender) smtp.mailfrom=ann@gmail.com;\r\n"
     "       dmarc=pass (p=NONE sp=QUARANTINE dis=NONE) header.from=gmail.com;\r\n"
     "       dara=pass header.i=@gmail.com",
     P, "dmarc=pass"},
    {"mx.google.com", "ann@example.net",
     "mx.google.com; spf=neutral (google.com: 192.0.2.1 is neither permitted nor denied by "
     "best guess record for domain of ann@example.net) smtp.mailfrom=ann@example.net",
     F, NOBODY_FOR("example.net")},
    {"mx.google.com", "ann@example.net",
     "mx.google.com; dkim=pass header.i=@mg.example.net header.s=k1 header.b=zzz=; spf=pass "
     "(google.com: domain of bounce@mg.example.net designates 192.0.2.9 as permitted sender) "
     "smtp.mailfrom=\"bounce+1.2-ann=gmail.com@mg.example.net\"",
     P, "dkim=pass"},
    {"mx.google.com", "ann@example.net",
     "mx.google.com; dkim=fail header.i=@example.net header.s=x header.b=abc; arc=pass (i=1 "
     "spf=pass spfdomain=list.example dkim=pass dkdomain=example.net); spf=pass "
     "smtp.mailfrom=list-bounces@list.example; dmarc=fail (p=REJECT sp=REJECT dis=QUARANTINE "
     "arc=pass) header.from=example.net",
     F, "dmarc=fail"},
    {"mx.google.com", "ann@example.net",
     "mx.google.com; spf=softfail (google.com: domain of transitioning ann@example.net does "
     "not designate 198.51.100.7 as permitted sender) smtp.mail=ann@example.net",
     F, NOBODY_FOR("example.net")},
    {"mx.google.com", "ann@example.net",
     "mx.google.com; spf=pass (google.com: best guess record for domain of ann@example.net "
     "designates 192.0.2.1 as permitted sender) smtp.mail=ann@example.net",
     P, "spf=pass"},

    /* Outlook and Exchange Online, which name no server */
    {"mail.contoso.com", "ann@contoso.com",
     "spf=pass (sender IP is 40.107.22.83) smtp.mailfrom=contoso.com; dkim=pass (signature "
     "was verified) header.d=contoso.com;dmarc=pass action=none "
     "header.from=contoso.com;compauth=pass reason=100",
     U, NOT_OURS},
    {"spf", "ann@contoso.com", "spf=pass (sender IP is 1.2.3.4) smtp.mailfrom=contoso.com", U,
     NOT_OURS},
    {"relay.contoso.com", "ann@contoso.com",
     "relay.contoso.com 1; spf=pass smtp.mailfrom=contoso.com smtp.remote-ip=40.107.22.83; "
     "dmarc=bestguesspass action=none header.from=contoso.com",
     P, "spf=pass"},
    {"relay.contoso.com", "ann@contoso.com",
     "relay.contoso.com; dkim=none (message not signed) header.d=none;relay.contoso.com; "
     "dmarc=none action=none header.from=contoso.com;",
     F, NOBODY_FOR("contoso.com")},

    /* Fastmail */
    {"mx1.messagingengine.com", "ann@example.org",
     "mx1.messagingengine.com;\r\n    dkim=pass (2048-bit rsa key sha256) "
     "header.d=example.org\r\n      header.i=@example.org header.b=SgVZ0y7q "
     "header.a=rsa-sha256\r\n      header.s=fm1 x-bits=2048;\r\n    dmarc=pass "
     "policy.published-domain-policy=none\r\n      policy.applied-disposition=none "
     "policy.evaluated-disposition=none\r\n      (p=none,d=none,d.eval=none) "
     "policy.policy-from=p\r\n      header.from=example.org;\r\n    iprev=pass "
     "smtp.remote-ip=66.111.4.25\r\n      (out1-smtp.messagingengine.com);\r\n    spf=pass "
     "smtp.mailfrom=ann@example.org\r\n      smtp.helo=out1-smtp.messagingengine.com;\r\n"
     "    x-me-sender=pass policy.xms=abc",
     P, "dmarc=pass"},
    {"mx1.messagingengine.com", "ann@example.org",
     "mx1.messagingengine.com; x-csa=none; x-me-sender=none; x-ptr=pass smtp.helo=x "
     "policy.ptr=x; bimi=skipped (DMARC did not pass); arc=none (no signatures found); "
     "dkim=none (no signatures found); dmarc=none policy.published-domain-policy=none "
     "header.from=example.org; spf=none smtp.mailfrom=ann@example.org smtp.helo=x",
     F, NOBODY_FOR("example.org")},

    /* OpenDMARC, OpenDKIM, pypolicyd-spf: one field each, the last one on top */
    {"mx.example.org", "ann@example.net",
     "mx.example.org; dmarc=pass (p=none dis=none) header.from=example.net", P, "dmarc=pass"},
    {"mx.example.org", "ann@example.net",
     "OpenDMARC; dmarc=pass (p=reject dis=none) header.from=example.net", U, NOT_OURS},
    {"OpenDMARC", "ann@example.net",
     "OpenDMARC; dmarc=pass (p=reject dis=none) header.from=example.net", P, "dmarc=pass"},
    {"mx.example.org", "ann@example.net",
     "mx.example.org;\n\tdkim=pass (2048-bit key; secure) header.d=example.net "
     "header.i=@example.net header.a=rsa-sha256 header.s=mail header.b=fnZ5lZ4J;\n\t"
     "dkim-atps=neutral",
     P, "dkim=pass"},
    {"mx.example.org", "ann@example.net",
     "mx.example.org; dkim=pass reason=\"1024-bit key; insecure; not \\\"trusted\\\"\" "
     "header.d=example.net header.i=@example.net",
     P, "dkim=pass"},
    {"mx.example.org", "ann@example.net",
     "mx.example.org; dkim=permerror (bad message/signature format)", F,
     NOBODY_FOR("example.net")},
    {"mx.example.org", "ann@example.net",
     "mx.example.org; spf=pass (sender SPF authorized) smtp.mailfrom=example.net "
     "(client-ip=192.0.2.4; helo=out.example.net; envelope-from=ann@example.net; "
     "receiver=<UNKNOWN>)",
     P, "spf=pass"},
    {"mx.example.org", "ann@example.net", "mx.example.org; spf=pass smtp.helo=out.example.net",
     F, NOBODY_FOR("example.net")},

    /* rspamd */
    {"mail.example.org", "ann@gmail.com",
     "mail.example.org;\n\tdkim=pass header.d=gmail.com header.s=20230601 header.b=kqRJ0F7y;\n"
     "\tdmarc=pass (policy=none) header.from=gmail.com;\n\tspf=pass (mail.example.org: domain "
     "of ann@gmail.com designates 209.85.128.54 as permitted sender) "
     "smtp.mailfrom=ann@gmail.com",
     P, "dmarc=pass"},
    {"mail.example.org", "ann@gmail.com",
     "mail.example.org;\n\tdkim=none;\n\tdmarc=fail reason=\"SPF not aligned (relaxed), No "
     "valid DKIM\" header.from=gmail.com (policy=none);\n\tspf=pass smtp.mailfrom=evil.example",
     F, "dmarc=fail"},
    {"mail.example.org", "ann@example.net",
     "mail.example.org; dkim=pass header.d=list.example header.s=s1 header.b=x; dkim=fail "
     "(\"body hash did not verify\") header.d=example.net header.s=s2 header.b=y; dmarc=none; "
     "spf=pass smtp.mailfrom=bounces@list.example",
     F, NOBODY_FOR("example.net")},

    /* Others: Yahoo, Zoho, Exim, Stalwart, mailbox.org, Apple */
    {"atlas112.free.mail.bf1.yahoo.com", "ann@example.net",
     "atlas112.free.mail.bf1.yahoo.com;\r\n dkim=pass header.i=@example.net "
     "header.s=20210112;\r\n spf=pass smtp.mailfrom=example.net;\r\n "
     "dmarc=pass(p=NONE,sp=QUARANTINE) header.from=example.net;",
     P, "dmarc=pass"},
    {"mx.zohomail.com", "ann@example.net",
     "mx.zohomail.com;\r\n\tdkim=pass;\r\n\tspf=pass (zohomail.com: domain of ann@example.net "
     "designates 192.0.2.2 as permitted sender)  smtp.mailfrom=ann@example.net;\r\n\t"
     "dmarc=pass(p=none dis=none)  header.from=example.net",
     P, "dmarc=pass"},
    {"mail.exim.example", "ann@example.net",
     "mail.exim.example;\n\tiprev=pass (out.example.net) smtp.remote-ip=192.0.2.1;\n\tspf=pass "
     "smtp.mailfrom=example.net;\n\tdkim=pass header.d=example.net header.s=sel "
     "header.a=rsa-sha256;\n\tdmarc=pass header.from=example.net;\n\tarc=none",
     P, "dmarc=pass"},
    {"mx.stalwart.example", "ann@example.net",
     "mx.stalwart.example;\r\n\tdkim=pass header.d=example.net header.s=ed25519 header.b=abc;"
     "\r\n\tspf=pass (mx.stalwart.example: domain of ann@example.net designates 192.0.2.1 as "
     "permitted sender) smtp.mailfrom=ann@example.net smtp.helo=out;\r\n\tiprev=pass "
     "policy.iprev=192.0.2.1;\r\n\tdmarc=pass header.from=example.net policy.dmarc=reject",
     P, "dmarc=pass"},
    {"spamd.mailbox.example", "ann@example.net",
     "spamd.mailbox.example (amavisd-new); dkim=pass (2048-bit key) header.d=example.net", P,
     "dkim=pass"},
    {"bimi.icloud.com", "ann@example.net", "bimi.icloud.com; bimi=none", F,
     NOBODY_FOR("example.net")},
    {"dmarc.icloud.com", "ann@example.net",
     "dmarc.icloud.com; dmarc=pass header.from=example.net", P, "dmarc=pass"},

    /* From the RFC itself: comments, quoted strings, versions, nothing done */
    {"example.com", "ann@example.net", "example.com 1; none", F, NOBODY_FOR("example.net")},
    {"example.org", "ann@example.net", "example.org (Sendmail) 1 ; none", F,
     NOBODY_FOR("example.net")},
    {"example.com", "sender@example.net",
     "example.com;\n auth=pass (cram-md5) smtp.auth=sender@example.net;\n spf=pass "
     "smtp.mailfrom=example.net",
     P, "spf=pass"},
    {"foo.example.net", "ann@foo.com",
     "foo.example.net (foobar) 1 (baz);\n dkim (Because I like it) / 1 (One yay) = (wait for "
     "it) fail\n   policy (A dot can go here) . (like that) expired\n   (this surprised me) = "
     "(as I wasn't expecting it) 1362471462",
     F, NOBODY_FOR("foo.com")},
    {"foo.example.net", "ann@foo.com",
     "foo.example.net (a (nested \\) one) here) 1; dkim (x) / 1 = (y) pass header (z) . (w) d "
     "= (v) foo.com",
     P, "dkim=pass"},
    {"mx.example.org", "ann@example.net",
     "\"mx.example.org\"; dmarc=\"pass\" header.from=\"example.net\"", P, "dmarc=pass"},
    {"mx.example.org", "ann@example.net", "MX.Example.ORG; DMARC=Pass Header.From=EXAMPLE.net.",
     P, "DMARC=pass"},
    {"mx.example.org", "ann@example.net",
     "mx.example.org 2; dmarc=pass header.from=example.net", U,
     "the results are of an unknown version"},

    /* Alignment */
    {"mx.example.org", "ann@mail.example.net", "mx.example.org; dkim=pass header.d=example.net",
     P, "dkim=pass"},
    {"mx.example.org", "ann@example.net",
     "mx.example.org; spf=pass smtp.mailfrom=b@bounce.example.net", P, "spf=pass"},
    {"mx.example.org", "ann@one.co.uk", "mx.example.org; dkim=pass header.d=two.co.uk", F,
     NOBODY_FOR("one.co.uk")},
    {"mx.example.org", "ann@example.net", "mx.example.org; dkim=pass header.d=net", F,
     NOBODY_FOR("example.net")},
    {"mx.example.org", "ann@example.net", "mx.example.org; dkim=pass header.d=notexample.net",
     F, NOBODY_FOR("example.net")},
    {"mx.example.org", "ann@example.net", "mx.example.org; dkim=pass header.d=.example.net", F,
     NOBODY_FOR("example.net")},
    {"mx.example.org", "ann@example.net",
     "mx.example.org; dmarc=pass header.from=mail.example.net", F, NOBODY_FOR("example.net")},
    {"mx.example.org", "ann@example.net", "mx.example.org; dmarc=pass", F,
     NOBODY_FOR("example.net")},
    {"mx.example.org", "ann@example.net", "mx.example.org; dkim=pass", F,
     NOBODY_FOR("example.net")},
    {"mx.example.org", "ann@example.net",
     "mx.example.org; x-dkim=pass header.d=example.net; dkim=policy header.d=example.net", F,
     NOBODY_FOR("example.net")},

    /* Forged, or broken on purpose */
    {"mx.example.org", "ann@example.net", "", U, NONE_ON_TOP},
    {"mx.example.org", "ann@example.net",
     "evil.example; dmarc=pass header.from=example.net; mx.example.org; dmarc=pass "
     "header.from=example.net",
     U, NOT_OURS},
    {"mx.example.org", "ann@example.net",
     "mx.example.org.evil.example; dmarc=pass header.from=example.net", U, NOT_OURS},
    {"mx.example.org", "ann@example.net",
     "evil.example (mx.example.org; dmarc=pass header.from=example.net)", U, NOT_OURS},
    {"mx.example.org", "ann@example.net",
     "mx.example.org; spf=fail (dmarc=pass header.from=example.net) smtp.mailfrom=evil.example",
     F, NOBODY_FOR("example.net")},
    {"mx.example.org", "ann@example.net",
     "mx.example.org; spf=fail smtp.mailfrom=\"x; dmarc=pass header.from=example.net; "
     "y\"@evil.example",
     F, NOBODY_FOR("example.net")},
    {"mx.example.org", "ann@example.net",
     "mx.example.org; dmarc=pass header.from=example.net (no end", U, UNREADABLE},
    {"mx.example.org", "ann@example.net",
     "mx.example.org; dmarc=pass header.from=\"example.net", U, UNREADABLE},
    {"mx.example.org", "ann@example.net", "mx.example.org dkim=pass header.d=example.net", U,
     UNREADABLE},
    {"mx.example.org", "ann@example.net",
     "mx.example.org; spf=pass smtp.mailfrom=ann@evil.example@example.net.evil.example", F,
     NOBODY_FOR("example.net")},
    {"mx.example.org", "ann@example.net",
     "mx.example.org; dmarc=pass header.from=example.net; dmarc=fail header.from=example.net",
     F, "dmarc=fail"},
    {"mx.example.org", "ann@example.net",
     "mx.example.org; dmarc=pass header.from=example.net; x-molepost-check=pass", F,
     AUTH_TEST_SEEN},
    {"", "ann@example.net", "; dmarc=pass header.from=example.net", U, NOT_OURS},
    {"mx.example.org", "", "mx.example.org; dmarc=pass header.from=", F, NOBODY_FOR("")},
};

enum { FIXTURES = sizeof(fixtures) / sizeof(fixtures[0]) };

Test(auth_results, each_field_is_judged_as_a_careful_reader_would)
{
	struct arena *arena = arena_new();

	cr_assert_geq(FIXTURES, 40);
	for (size_t i = 0; i < FIXTURES; i++) {
		const struct fixture *f = &fixtures[i];
		struct auth_verdict v = auth_results_judge(span_of(f->field), span_of(f->id),
		                                           span_of(f->from), arena);

		cr_expect_eq(v.state, f->state, "%s: state %d, %s", f->field, (int)v.state,
		             v.why);
		cr_expect_str_eq(v.why, f->why, "%s", f->field);
		arena_clear(arena);
	}
	arena_free(arena);
}

/* Whatever a field says, it is nothing to a server of another name. */
Test(auth_results, no_field_passes_under_another_id)
{
	struct arena *arena = arena_new();

	for (size_t i = 0; i < FIXTURES; i++) {
		struct auth_verdict v = auth_results_judge(span_of(fixtures[i].field),
		                                           SPAN_LIT("other.example"),
		                                           span_of(fixtures[i].from), arena);
		cr_expect_eq(v.state, AUTH_UNSAID, "%s", fixtures[i].field);
	}
	arena_free(arena);
}

Test(auth_results, methods_results_and_properties_are_taken_apart)
{
	struct arena *arena = arena_new();
	struct auth_results r;

	cr_assert(auth_results_read(
	    SPAN_LIT(
		"mx.example.org 1; dkim/1=pass (ok) reason=\"it \\\"fits\\\"\" header.d=a.b "
		"header.i=@a.b; odd words here spf=none"),
	    arena, &r));
	cr_expect(span_eq_str(r.authserv_id, "mx.example.org"));
	cr_expect_eq(r.version, 1);
	cr_assert_eq(r.nresults, 2);
	cr_expect(span_eq_str(r.results[0].method, "dkim"));
	cr_expect(span_eq_str(r.results[0].result, "pass"));
	cr_assert_eq(r.results[0].nproperties, 3);
	cr_expect(span_eq_str(r.results[0].properties[0].value, "it \"fits\""));
	cr_expect(span_eq_str(r.results[0].properties[2].name, "header.i"));
	cr_expect(span_eq_str(r.results[0].properties[2].value, "@a.b"));
	cr_expect(span_eq_str(r.results[1].method, "spf"));
	arena_free(arena);
}

/* More than fits is not cut short: then none of it counts. */
Test(auth_results, too_much_is_refused_as_a_whole)
{
	struct arena *arena = arena_new();
	struct strbuf field = STRBUF_INIT;
	struct auth_results r;

	strbuf_adds(&field, "mx.example.org");
	for (int i = 0; i < AUTH_RESULTS_MAX; i++)
		strbuf_adds(&field, "; spf=none");
	cr_expect(auth_results_read(strbuf_span(&field), arena, &r));
	strbuf_adds(&field, "; spf=none");
	cr_expect_not(auth_results_read(strbuf_span(&field), arena, &r));
	strbuf_clear(&field);
	strbuf_adds(&field, "mx.example.org; dkim=pass");
	strbuf_add_repeat(&field, '(', 1000);
	strbuf_add_repeat(&field, ')', 1000);
	cr_expect_not(auth_results_read(strbuf_span(&field), arena, &r));
	strbuf_release(&field);
	arena_free(arena);
}

/* The signature of whose b= a result may give the beginning (RFC 6008). */
Test(auth_results, a_signature_is_verified_only_by_a_result_about_that_very_one)
{
	static const struct {
		const char *field;
		bool verified;
	} cases[] = {
	    {"mx.example.org; dkim=pass header.d=example.net", true},
	    {"mx.example.org; dkim=pass header.i=@Example.NET header.s=s1 header.b=dzdV", true},
	    {"mx.example.org; dkim=fail header.d=a.b; dkim=pass header.d=example.net", true},
	    {"mx.example.org; dkim=pass header.d=example.net header.b=AAAA", false},
	    {"mx.example.org; dkim=pass header.d=example.net header.b=dzdVyOfAx", false},
	    {"mx.example.org; dkim=pass header.d=example.net header.s=s2", false},
	    {"mx.example.org; dkim=pass header.d=mail.example.net", false},
	    {"mx.example.org; dkim=fail header.d=example.net", false},
	    {"mx.example.org; dmarc=pass header.from=example.net", false},
	    {"mx.example.com; dkim=pass header.d=example.net", false},
	    {"mx.example.org; dkim=pass header.d=example.net; x-molepost-check=pass", false},
	    {"", false},
	};
	struct mail_dkim dkim = {SPAN_LIT("example.net"), SPAN_LIT("s1"), SPAN_LIT("dzdVyOfA")};
	struct mail_dkim none = {SPAN_EMPTY, SPAN_EMPTY, SPAN_EMPTY};
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_eq(auth_results_verified(span_of(cases[i].field),
		                                   SPAN_LIT("mx.example.org"), &dkim, arena),
		             cases[i].verified, "%s", cases[i].field);
	cr_expect_not(auth_results_verified(span_of(cases[0].field), SPAN_LIT("mx.example.org"),
	                                    &none, arena));
	cr_expect_not(auth_results_verified(span_of(cases[0].field), SPAN_EMPTY, &dkim, arena));
	arena_free(arena);
}

Test(dkim, the_field_is_read_as_servers_write_it)
{
	static const struct {
		const char *field, *domain, *selector,
		    *signature; /* domain NULL: not readable */
	} cases[] = {
	    {"v=1; d=Example.net; s=S1; bh=x=; b=ab/+\r\n c d==", "example.net", "s1",
	     "ab/+cd=="},
	    {" b = A ; s = k.2026_a ;\td\t=\ta-b.example ;", "a-b.example", "k.2026_a", "A"},
	    {"d=example.net; s=s1", NULL, NULL, NULL},
	    {"d=example.net; b=AA", NULL, NULL, NULL},
	    {"s=s1; b=AA", NULL, NULL, NULL},
	    {"d=example.net; d=example.org; s=s1; b=AA", NULL, NULL, NULL},
	    {"d=example..net; s=s1; b=AA", NULL, NULL, NULL},
	    {"d=ex\"ample.net; s=s1; b=AA", NULL, NULL, NULL},
	    {"d=example.net; s=s1; b=A*", NULL, NULL, NULL},
	    {"D=example.net; s=s1; b=AA", NULL, NULL, NULL},
	    {"", NULL, NULL, NULL},
	};
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mail_dkim dkim;
		bool read = dkim_read(span_of(cases[i].field), arena, &dkim);

		cr_assert_eq(read, cases[i].domain != NULL, "%s", cases[i].field);
		if (!read)
			continue;
		cr_expect(span_eq_str(dkim.domain, cases[i].domain), "%s", cases[i].field);
		cr_expect(span_eq_str(dkim.selector, cases[i].selector), "%s", cases[i].field);
		cr_expect(span_eq_str(dkim.signature, cases[i].signature), "%s",
		          cases[i].field);
	}
	arena_free(arena);
}
