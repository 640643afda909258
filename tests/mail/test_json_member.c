/*
 * test_json_member.c - what authorization servers and domains say, and what broken ones do.
 */
#include <criterion/criterion.h>

#include "mail/text/json_member.h"
#include "mail/text/mail_servers.h"

static void expect_member(const char *text, const char *name, const char *want)
{
	struct strbuf out = STRBUF_INIT;
	bool found = json_member(span_of(text), name, &out);

	cr_expect_eq(found, want != NULL, "%s in %s", name, text);
	cr_expect_str_eq(out.ptr, want ? want : "", "%s in %s", name, text);
	strbuf_release(&out);
}

Test(json_member, values_come_as_they_are_meant)
{
	static const char text[] =
	    " {\"a\" : \"x\\\"y\\\\\\/\\u0041\\u00e9\\ud83d\", \"n\":3600,\r\n"
	    "\"o\":{\"b\":[1,\"}\",{\"a\":2}]}, \"b\":true , \"z\":\"\"}";

	expect_member(text, "a", "x\"y\\/A\xc3\xa9?");
	expect_member(text, "n", "3600");
	expect_member(text, "o", "");
	expect_member(text, "b", "true");
	expect_member(text, "z", "");
	expect_member(text, "c", NULL);
}

Test(json_member, what_is_no_object_has_no_members)
{
	static const char *const texts[] = {"",
	                                    "[]",
	                                    "{",
	                                    "{}",
	                                    "\"a\"",
	                                    "{a:1}",
	                                    "{\"a\"}",
	                                    "{\"a\":\"b",
	                                    "{\"a\":\"\\",
	                                    "{\"a\":\"\\u00",
	                                    "{\"a\":[",
	                                    "{\"a\":\"\\x\"}",
	                                    "<html>",
	                                    "{\"b\" \"a\":1}"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		expect_member(texts[i], "a", NULL);
	expect_member("{\"a\":1", "a", "1"); /* cut off behind it */
}

Test(json_member, depth_costs_no_stack)
{
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;

	strbuf_adds(&text, "{\"x\":");
	strbuf_add_repeat(&text, '[', 200000);
	strbuf_add_repeat(&text, ']', 200000);
	strbuf_adds(&text, ",\"a\":\"b\"}");
	cr_expect(json_member(strbuf_span(&text), "a", &out));
	cr_expect_str_eq(out.ptr, "b");
	strbuf_release(&text);
	strbuf_release(&out);
}

#define SERVER(tag, type, host, port, tls, user)                              \
	"<" tag " type=\"" type "\"><hostname>" host "</hostname><port>" port \
	"</port><socketType>" tls "</socketType><username>" user "</username></" tag ">"
#define IN(type, host, port, tls, user) SERVER("incomingServer", type, host, port, tls, user)
#define OUT(host, port, tls) SERVER("outgoingServer", "smtp", host, port, tls, "%EMAILADDRESS%")

static struct mail_servers servers(const char *inside)
{
	struct mail_servers out = {0};
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text,
	            "<?xml version=\"1.0\"?><clientConfig version=\"1.1\">%s</clientConfig>",
	            inside);
	autoconfig_read(strbuf_span(&text), &out);
	strbuf_release(&text);
	return out;
}

Test(autoconfig, the_better_of_two_ways_is_taken)
{
	struct mail_servers s =
	    servers(IN("pop3", "pop.example.org", "995", "SSL", "%EMAILADDRESS%")
	                IN("imap", "clear.example.org", "143", "plain", "%EMAILADDRESS%")
	                    IN("imap", "imap.example.org", " 993 ", "SSL", "%EMAILLOCALPART%")
	                        IN("imap", "other.example.org", "993", "SSL", "%EMAILADDRESS%")
	                            OUT("a.example.org", "587", "STARTTLS")
	                                OUT("b.example.org", "465", "SSL"));

	cr_assert(s.in.scheme && s.out.scheme);
	cr_expect_str_eq(s.in.scheme, "imaps");
	cr_expect_str_eq(s.in.host, "imap.example.org");
	cr_expect_eq(s.in.port, 993);
	cr_expect(s.in.user_is_local);
	cr_expect_str_eq(s.out.scheme, "smtps");
	cr_expect_str_eq(s.out.host, "b.example.org");
	cr_expect_not(s.out.user_is_local);
	s = servers(IN("pop3", "pop.example.org", "995", "SSL", "")
	                OUT("a.example.org", "587", "STARTTLS"));
	cr_expect_str_eq(s.in.scheme, "pop3s");
	cr_expect_str_eq(s.out.scheme, "smtp");
}

Test(autoconfig, what_is_no_host_or_no_port_is_no_server)
{
	static const char *const wrong[] = {
	    IN("imap", "", "993", "SSL", ""),
	    IN("imap", "a b", "993", "SSL", ""),
	    IN("imap", "a/../b", "993", "SSL", ""),
	    IN("imap", "-a", "993", "SSL", ""),
	    IN("imap", "&amp;", "993", "SSL", ""),
	    IN("imap", "a@b", "993", "SSL", ""),
	    IN("imap", "a.b", "0", "SSL", ""),
	    IN("imap", "a.b", "70000", "SSL", ""),
	    IN("imap", "a.b", "993", "plain", ""),
	    IN("imap", "a.b", "143", "STARTTLS", ""),
	    IN("nntp", "a.b", "993", "SSL", ""),
	    "<incomingServer type=\"imap\"><hostname>a.b</hostname>",
	    "<incomingServer",
	    ""};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct mail_servers s = servers(wrong[i]);

		cr_expect_null(s.in.scheme, "%s", wrong[i]);
		cr_expect_null(s.out.scheme, "%s", wrong[i]);
	}
}
