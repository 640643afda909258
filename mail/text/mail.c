/*
 * mail.c - names of faults, identity of a mail, and the forms of addresses and ids.
 */
#include "mail/mail.h"

#include <string.h>

#include "mail/text/header.h"
#include "processor/base/seal.h"
#include "processor/base/utf8.h"

enum { NAME_COLS = 50 }; /* of an attachment */

const struct mail_limits mail_usual_limits = MAIL_USUAL_LIMITS;

/* The sentence: NULL for those that mail_fault_explain() puts numbers into. */
static const struct {
	const char *name, *text;
} faults[] = {
    [MAIL_OK] = {"ok", "The mail is fine."},
    [MAIL_TOO_LARGE] = {"too-large", NULL},
    [MAIL_HEADER_TOO_LARGE] = {"header-too-large", NULL},
    [MAIL_TOO_MANY_PARTS] = {"too-many-parts", NULL},
    [MAIL_TOO_DEEP] = {"too-deep", NULL},
    [MAIL_TOO_MANY_RECIPIENTS] = {"too-many-recipients", NULL},
    [MAIL_HAS_NUL] = {"has-nul", "The mail has zero bytes in it, so it is not text."},
    [MAIL_BARE_CR] = {"bare-cr", "The mail has carriage returns in the middle of its lines."},
    [MAIL_DUPLICATE_FIELD] = {"duplicate-field",
                              "The mail names its sender, its id or its kind twice."},
    [MAIL_NO_TEXT] = {"no-text", "The mail has no readable text; please write plain text."},
    [MAIL_UNPARSABLE] = {"unparsable", "The mail is built in a way that cannot be read."},
};

static bool fault_known(enum mail_fault f)
{
	return (size_t)f < sizeof(faults) / sizeof(faults[0]);
}

const char *mail_fault_name(enum mail_fault f)
{
	ENSURE(fault_known(f));
	return faults[f].name;
}

/* "64 KiB" */
static void add_size(struct strbuf *out, size_t bytes)
{
	if (bytes % (1 << 20) == 0)
		strbuf_addf(out, "%zu MiB", bytes >> 20);
	else if (bytes % 1024 == 0)
		strbuf_addf(out, "%zu KiB", bytes >> 10);
	else
		strbuf_addf(out, "%zu bytes", bytes);
}

void mail_add_attachments(const struct mail_in *m, struct strbuf *out)
{
	for (size_t i = 0; i < m->nattachments; i++) {
		const struct mail_attachment *a = &m->attachments[i];
		struct strbuf name = STRBUF_INIT;

		/* Without what turns the words behind it round. */
		utf8_add_plain(&name, a->name);
		strbuf_addf(out, "%s%.*s",
		            i == 0                    ? ""
		            : i + 1 < m->nattachments ? ", "
		                                      : " and ",
		            SPAN_ARGS(utf8_clip(strbuf_span(&name), NAME_COLS)));
		strbuf_release(&name);
		if (a->bytes >= 950000)
			strbuf_addf(out, " (%u.%u MB)", (a->bytes + 50000) / 1000000,
			            (a->bytes + 50000) / 100000 % 10);
		else if (a->bytes >= 1000)
			strbuf_addf(out, " (%u kB)", (a->bytes + 500) / 1000);
		else if (a->bytes > 0)
			strbuf_addf(out, " (%u bytes)", a->bytes);
	}
}

void mail_fault_explain(enum mail_fault f, const struct mail_limits *l, struct strbuf *out)
{
	ENSURE(fault_known(f));
	if (f == MAIL_TOO_LARGE) {
		strbuf_adds(out, "The mail is larger than ");
		add_size(out, l->max_size);
		strbuf_adds(out,
		            " and holds no whole text in the first of them; orders need only a "
		            "few lines.");
	} else if (f == MAIL_HEADER_TOO_LARGE) {
		strbuf_addf(out, "The header of the mail has more than %u lines or ",
		            l->header_fields);
		add_size(out, l->header_bytes);
		strbuf_adds(out, ", more than any real mail.");
	} else if (f == MAIL_TOO_MANY_PARTS) {
		strbuf_addf(out, "The mail consists of more than %u parts.", l->parts);
	} else if (f == MAIL_TOO_DEEP) {
		strbuf_addf(out, "The mail has parts within parts, more than %u deep.",
		            l->depth);
	} else if (f == MAIL_TOO_MANY_RECIPIENTS) {
		strbuf_addf(out,
		            "The mail is addressed to more than %u people; please write "
		            "to the server alone.",
		            l->recipients);
	} else {
		strbuf_adds(out, faults[f].text);
	}
}

enum { GATHERED = 4096 };

/*
 * Takes the next bytes off *s, CRLF as LF. Lines are gathered: hashers are slow to take them one by one.
 * What is returned is in `lines`, or borrowed from *s.
 */
static struct span take_as_lf(struct span *s, char lines[static GATHERED])
{
	size_t n = 0;

	while (s->len > 0) {
		size_t crlf = span_find(*s, SPAN_LIT("\r\n"));
		struct span stretch = span_slice(*s, 0, crlf);

		if (crlf > GATHERED - n && n > 0)
			break;
		*s = span_slice(*s, crlf + 1, s->len); /* the LF opens the next stretch */
		if (crlf > GATHERED)
			return stretch;
		memcpy(lines + n, stretch.ptr, crlf);
		n += crlf;
	}
	return (struct span){lines, n};
}

static void hash_as_lf(struct quick_hasher *h, struct span s)
{
	char lines[GATHERED];

	while (s.len > 0)
		quick_hasher_add(h, take_as_lf(&s, lines));
}

void mail_content_hash(struct span raw, unsigned char hash[32])
{
	struct span mail = header_skip_mbox_line(raw);
	struct span rest = mail, line;
	size_t kept = 0, at = 0; /* mail[kept, at) is to be hashed */
	bool trace = false;
	struct quick_hasher h;
	struct hash d;

	quick_hasher_start(&h);
	while (span_next_line(&rest, &line) && line.len > 0) {
		if (!ascii_is_blank(line.ptr[0])) /* a folded line goes with its field */
			trace = header_is_trace(
			    span_trim(span_slice(line, 0, span_find_char(line, ':'))));
		if (trace) {
			hash_as_lf(&h, span_slice(mail, kept, at));
			kept = mail.len - rest.len;
		}
		at = mail.len - rest.len;
	}
	hash_as_lf(&h, span_slice(mail, kept, mail.len));
	d = quick_hasher_end(&h);
	memcpy(hash, d.bytes, sizeof(d.bytes));
}

void mail_body_hash(struct span raw, unsigned char hash[32])
{
	struct span body = header_skip_mbox_line(raw), line;
	char lines[GATHERED];
	struct hasher h;
	struct hash d;

	while (span_next_line(&body, &line) && line.len > 0)
		;
	while (body.len > 0 &&
	       (body.ptr[body.len - 1] == '\n' || body.ptr[body.len - 1] == '\r'))
		body.len--;
	hasher_start(&h);
	while (body.len > 0)
		hasher_add(&h, take_as_lf(&body, lines));
	d = hasher_end(&h);
	memcpy(hash, d.bytes, sizeof(d.bytes));
}

static bool local_part_ok(struct span local)
{
	size_t i;

	/* A leading '-' could pass for an option of some mailer's command line. */
	if (local.len == 0 || local.ptr[0] == '-')
		return false;
	for (i = 0; i < local.len; i++)
		if (!ascii_is_alnum(local.ptr[i]) &&
		    !(local.ptr[i] && strchr("!#$%&'*+-/=?^_`{|}~.", local.ptr[i])))
			return false;
	return true;
}

static bool domain_ok(struct span domain)
{
	struct span label;
	size_t i;

	if (domain.len == 0 || domain.ptr[domain.len - 1] == '.')
		return false;
	while (domain.len > 0) {
		size_t dot = span_find_char(domain, '.');

		label = span_slice(domain, 0, dot);
		domain = span_slice(domain, dot + 1, domain.len);
		if (label.len == 0 || label.ptr[0] == '-' || label.ptr[label.len - 1] == '-')
			return false;
		for (i = 0; i < label.len; i++)
			if (!ascii_is_alnum(label.ptr[i]) && label.ptr[i] != '-' &&
			    label.ptr[i] != '_')
				return false;
	}
	return true;
}

bool mail_address_ok(struct span address)
{
	size_t at = span_find_char(address, '@');

	return address.len <= 254 && at < address.len &&
	       local_part_ok(span_slice(address, 0, at)) &&
	       domain_ok(span_slice(address, at + 1, address.len));
}

struct span mail_address_normalize(struct span address, struct arena *arena)
{
	if (!mail_address_ok(address))
		return SPAN_EMPTY;
	char *copy = arena_cstr(arena, address);
	for (size_t i = span_find_char(address, '@'); i < address.len; i++)
		copy[i] = ascii_lower(copy[i]);
	return (struct span){copy, address.len};
}

bool mail_message_id_ok(struct span id)
{
	size_t i;

	if (id.len < 3 || id.len > 252 || id.ptr[0] != '<' || id.ptr[id.len - 1] != '>')
		return false;
	for (i = 1; i + 1 < id.len; i++)
		if (id.ptr[i] < '!' || id.ptr[i] > '~' || id.ptr[i] == '<' || id.ptr[i] == '>')
			return false;
	return true;
}

bool mail_has_html(const struct mail_in *m)
{
	size_t i = 0;

	while (i < m->ntexts && !m->texts[i].is_html)
		i++;
	return i < m->ntexts;
}
