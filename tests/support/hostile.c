/*
 * hostile.c - one row for each mail: what stands first, what is repeated how often, what stands last.
 *
 * Most are as large as a mail may be, so that whatever grows faster than the mail shows.
 */
#include "tests/support/hostile.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/strbuf.h"

#define FIXTURES "tests/mail/fixtures"

enum { FULL = (1 << 20) - 2048, HEADER = 64000, TEXT = 65000, FIXTURE_MAX = 1 << 20 };

#define FROM "From: Ann <ann@example.net>\n"
#define MULTI FROM "Content-Type: multipart/mixed; boundary=b\n\n"
#define PLAIN(charset, encoding)                          \
	FROM "Content-Type: text/plain; charset=" charset \
	     "\nContent-Transfer-Encoding: " encoding "\n\n"
#define HTML FROM "Content-Type: text/html; charset=utf-8\n\n"
#define FLOWED FROM "Content-Type: text/plain; format=flowed\n\n"

static const struct row {
	const char *name, *start, *fill;
	size_t room; /* fill is repeated as often as it fits */
	const char *end;
} rows[] = {
    /* headers */
    {"comments in From", "From: ", "(", HEADER, "\n\nhi\n"},
    {"comments in Content-Type", FROM "Content-Type: ", "(", HEADER - 100, "\n\nhi\n"},
    {"comments in every To", FROM, "To: ((((((((((((((((((((((((((((((((((((((((\n", 20000,
     "\nhi\n"},
    {"open quotes in To", FROM "To: ", "\"", HEADER, "\n\nhi\n"},
    {"brackets in To", FROM "To: ", "<", HEADER, "\n\nhi\n"},
    {"addresses in To", FROM "To: a@b", ",a@b", HEADER, "\n\nhi\n"},
    {"groups in To", FROM "To: g:a@b;", ",g:a@b;", HEADER, "\n\nhi\n"},
    {"route in From", "From: <", "@a,", HEADER, ":a@b>\n\nhi\n"},
    {"encoded words", FROM "Subject:", " =?utf-8?Q?=C3=A4?=", HEADER, "\n\nhi\n"},
    {"encoded words that never end", FROM "Subject:", " =?utf-8?Q?x", HEADER, "\n\nhi\n"},
    {"encoded words in ISO-2022-JP", FROM "Subject:", " =?iso-2022-jp?B?GyRCGyhC?=", HEADER,
     "\n\nhi\n"},
    {"ids in References", FROM "References:", " <a@b>", HEADER, "\n\nhi\n"},
    {"ids that never end", FROM "References:", " <", HEADER, "\n\nhi\n"},
    {"500 fields", FROM, "X: y\n", 5 * 498, "\nhi\n"},
    {"half a million fields", FROM, "X: y\n", FULL, "\nhi\n"},
    {"folds", FROM "X: y", "\n ", HEADER, "\n\nhi\n"},
    {"a header without end", FROM, "X-Long: ", FULL, ""},
    {"lines without a colon", FROM, "x\n", HEADER, "\nhi\n"},
    {"parameters of Content-Type", FROM "Content-Type: text/plain", "; a=b", HEADER - 100,
     "\n\nhi\n"},
    {"numbered parameters", FROM "Content-Type: text/plain", "; a*1*=b", HEADER - 100,
     "\n\nhi\n"},
    /* parts */
    {"empty parts", MULTI, "--b\n", FULL, "--b--\n"},
    {"parts with a field", MULTI, "--b\nX: y\n\n", FULL, "--b--\n"},
    {"empty parts of a digest", FROM "Content-Type: multipart/digest; boundary=b\n\n",
     "--b\n\n", FULL, "--b--\n"},
    {"lines that nearly are boundaries", MULTI, "--a\n", FULL, "--b--\n"},
    {"dashes and nothing else", MULTI, "-", FULL, "\n--b--\n"},
    {"dashed lines", MULTI, "--\n", FULL, "--b--\n"},
    {"empty parts, as many as are read", MULTI, "--b\n", 4 * 9990, "--b--\n"},
    {"digest, as many as are read", FROM "Content-Type: multipart/digest; boundary=b\n\n",
     "--b\n\n", 5 * 9990, "--b--\n"},
    {"a boundary that ends at once", MULTI, "--b--\n", FULL, ""},
    {"attached mails in each other", FROM "Content-Type: message/rfc822\n\n",
     "Content-Type: message/rfc822\n\n", 30 * 60, "hi\n"},
    {"attached mails, too many", FROM, "Content-Type: message/rfc822\n\n", FULL, "hi\n"},
    {"multiparts in each other, same name", MULTI,
     "--b\nContent-Type: multipart/mixed; boundary=b\n\n", 46 * 60, "--b--\n"},
    {"multiparts in each other, too many", MULTI,
     "--b\nContent-Type: multipart/mixed; boundary=b\n\n", FULL, "--b--\n"},
    /* transfer encodings and charsets */
    {"base64 of nothing", PLAIN("utf-8", "base64"), "\n", FULL, ""},
    {"base64 in one line", PLAIN("utf-8", "base64"), "eHh4", FULL, "\n"},
    {"base64, one character a line", PLAIN("utf-8", "base64"), "e\n", FULL, ""},
    {"base64 that is none", PLAIN("utf-8", "base64"), "!", FULL, "\n"},
    {"padding only", PLAIN("utf-8", "base64"), "=", FULL, "\n"},
    {"soft line breaks", PLAIN("utf-8", "quoted-printable"), "=\n", FULL, ""},
    {"equal signs", PLAIN("utf-8", "quoted-printable"), "=", FULL, "\n"},
    {"blanks before line ends", PLAIN("utf-8", "quoted-printable"), " ", FULL, "\n"},
    {"escapes of ISO-2022-JP", PLAIN("iso-2022-jp", "7bit"), "\033$B\033(B", FULL, "\n"},
    {"halves of Shift_JIS", PLAIN("shift_jis", "8bit"), "\x82", FULL, "\n"},
    {"GB18030 of four bytes", PLAIN("gb18030", "8bit"), "\x81\x30\x81\x30", FULL, "\n"},
    {"Big5 that turns invalid", PLAIN("big5", "8bit"), "\xa4\x40", FULL, "\xff\n"},
    {"UTF-8 that turns invalid", PLAIN("utf-8", "8bit"), "\xc3\xa4", FULL, "\xff\n"},
    {"bytes of no charset", PLAIN("utf-8", "8bit"), "\x81\x8d", FULL, "\n"},
    {"a charset of long name", FROM "Content-Type: text/plain; charset=", "x", HEADER - 100,
     "\n\nhi\n"},
    /* texts */
    {"one line", PLAIN("utf-8", "7bit"), "x", FULL, "\n"},
    {"empty lines", PLAIN("utf-8", "7bit"), "\n", FULL, ""},
    {"quote marks in one line", FLOWED, ">", FULL, "\n"},
    {"flowed without end", FLOWED, "x \n", FULL, ""},
    {"flowed, quoted deeper and deeper", FLOWED, ">> \n> \n", FULL, ""},
    {"less-than signs", HTML, "<", FULL, ""},
    {"tags that never end", HTML, "<a ", FULL, ""},
    {"open quotes in tags", HTML, "<a b=\"", FULL, ""},
    {"open comments", HTML, "<!--", FULL, ""},
    {"open declarations", HTML, "<!", FULL, ""},
    {"nested elements", HTML, "<div>", FULL, "popup 1"},
    {"nested quotes", HTML, "<blockquote>", FULL, "popup 1"},
    {"raw text that never ends", HTML, "<style></styl", FULL, ""},
    {"attributes", HTML "<p", " a=b", FULL, ">popup 1"},
    {"class words", HTML "<p class=\"", " gmail", FULL, "\">popup 1"},
    {"ampersands", HTML, "&", FULL, ""},
    {"references", HTML, "&#x1F600;", FULL, ""},
    {"references without end", HTML, "&#000000", FULL, ""},
    {"line breaks of HTML", HTML, "<br>", FULL, ""},
    {"preformatted nothing", HTML, "<pre>\n", FULL, ""},
    /* letters */
    {"orders in one line", FROM "\n", "popup 1 ", TEXT, "\n"},
    {"orders that end in a question", FROM "\n", "popup 1 ", TEXT, "?\n"},
    {"orders in many lines", FROM "\n", "whack 1; popup 2 3 whack 4\n", 1999 * 27, ""},
    {"misspelt orders", FROM "\n", "wack 5 poppup 3 wahck 1\n", 1999 * 24, ""},
    {"misspelt commands", FROM "\n", "creat whaka mole plyers 3\n", 1999 * 26, ""},
    {"nearly commands", FROM "\n", "SIGNON W17 W18 W19\n", 1999 * 19, ""},
    {"lines behind a bar", FROM "\n", "| status\n", 1999 * 9, ""},
    {"stars", FROM "\n", "*a* ", TEXT, "\n"},
    {"brackets and commas", FROM "\n", "([{,=", TEXT, "\n"},
    {"checks", FROM "\n", "check popup 1\n", 1999 * 14, ""},
    {"quoted words", FROM "\n", "join W1 as \"x\" \"\n", 1999 * 16, ""},
    {"names to join by", FROM "\n", "join whakka mole as a b c d e f g\n", 1900 * 34, ""},
    {"options", FROM "\ncreate whakka mole ", "a=b ", 480, "\n"},
};

static void show_row(const struct row *r, hostile_fn *show, void *ctx)
{
	struct strbuf raw = STRBUF_INIT;
	size_t len = strlen(r->fill);

	strbuf_adds(&raw, r->start);
	for (size_t n = r->room / len; n > 0; n--)
		strbuf_add(&raw, r->fill, len);
	strbuf_adds(&raw, r->end);
	show(r->name, strbuf_span(&raw), ctx);
	strbuf_release(&raw);
}

/* Levels with names of their own, each searched for in all that is inside. */
static void show_levels(const char *name, unsigned levels, hostile_fn *show, void *ctx)
{
	struct strbuf raw = STRBUF_INIT;

	strbuf_adds(&raw, FROM);
	for (unsigned i = 0; i < levels; i++)
		strbuf_addf(&raw, "Content-Type: multipart/mixed; boundary=b%ux\n\n--b%ux\n", i,
		            i);
	strbuf_adds(&raw, "Content-Type: text/plain\n\n");
	while (raw.len < FULL)
		strbuf_adds(&raw, "-b0x\n");
	show(name, strbuf_span(&raw), ctx);
	strbuf_release(&raw);
}

/* As many texts as there may be, each as long as it may be. */
static void show_texts(const char *name, const char *type, hostile_fn *show, void *ctx)
{
	struct strbuf raw = STRBUF_INIT;

	strbuf_adds(&raw, MULTI);
	for (unsigned i = 0; i < 63; i++) {
		strbuf_addf(&raw, "--b\nContent-Type: %s\n\n", type);
		for (unsigned k = 0; k < 640; k++)
			strbuf_adds(&raw, "popup 1, whack 22 x x x\n");
	}
	strbuf_adds(&raw, "--b--\n");
	show(name, strbuf_span(&raw), ctx);
	strbuf_release(&raw);
}

/* A boundary as long as a header, and a body that agrees with it but for its last character. */
static void show_long_boundary(hostile_fn *show, void *ctx)
{
	struct strbuf raw = STRBUF_INIT;

	strbuf_adds(&raw, FROM "Content-Type: multipart/mixed; boundary=\"");
	strbuf_add_repeat(&raw, '-', 60000);
	strbuf_adds(&raw, "x\"\n\n");
	while (raw.len < FULL - 60002) {
		strbuf_add_repeat(&raw, '-', 60002);
		strbuf_adds(&raw, "y\n");
	}
	show("a boundary of 60,000 dashes", strbuf_span(&raw), ctx);
	strbuf_release(&raw);
}

static void show_fixtures(hostile_fn *show, void *ctx)
{
	DIR *d = opendir(FIXTURES);
	struct dirent *entry;

	ENSURE(d);
	while ((entry = readdir(d)) != NULL) {
		struct strbuf path = STRBUF_INIT, raw = STRBUF_INIT;
		size_t len = strlen(entry->d_name);

		if (strncmp(entry->d_name, "hostile-", 8) != 0 ||
		    strcmp(entry->d_name + len - 4, ".eml") != 0)
			continue;
		strbuf_addf(&path, FIXTURES "/%s", entry->d_name);
		ENSURE(file_read(path.ptr, FIXTURE_MAX, &raw, NULL) == ERR_NONE);
		show(entry->d_name, strbuf_span(&raw), ctx);
		strbuf_release(&path);
		strbuf_release(&raw);
	}
	closedir(d);
}

void hostile_each(hostile_fn *show, void *ctx)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		show_row(&rows[i], show, ctx);
	show_levels("8 levels of parts", 8, show, ctx);
	show_levels("20 levels of parts", 20, show, ctx);
	show_levels("63 levels of parts", 63, show, ctx);
	show_levels("64 levels of parts, too many", 64, show, ctx);
	show_texts("63 texts", "text/plain", show, ctx);
	show_texts("63 flowed texts", "text/plain; format=flowed", show, ctx);
	show_texts("63 texts in HTML", "text/html", show, ctx);
	show_long_boundary(show, ctx);
	show_fixtures(show, ctx);
}
