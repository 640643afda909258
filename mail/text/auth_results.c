/*
 * auth_results.c - what the receiving mail server found out about a sender, and who has signed.
 */
#include "mail/text/auth_results.h"

#include "processor/base/num.h"
#include "processor/base/strbuf.h"

enum { COMMENT_DEPTH_MAX = 16 };

/* A place in the field; once something had no end, `bad` stays set. */
struct tried {
	struct span rest;
	struct arena *arena;
	bool bad;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static char peek(const struct tried *r)
{
	return r->rest.len > 0 ? r->rest.ptr[0] : '\0';
}

static void advance(struct tried *r, size_t n)
{
	r->rest = span_slice(r->rest, n, r->rest.len);
}

/* Comments nest, and a backslash takes away the meaning of what follows it. */
static void skip_comment(struct tried *r)
{
	unsigned depth = 0;

	for (; r->rest.len > 0; advance(r, 1)) {
		char c = peek(r);

		if (c == '\\')
			advance(r, 1);
		else if (c == '(')
			depth++;
		else if (c == ')' && --depth == 0) {
			advance(r, 1);
			return;
		}
		if (depth > COMMENT_DEPTH_MAX)
			break;
	}
	r->bad = true;
	r->rest = SPAN_EMPTY;
}

static void skip_blanks(struct tried *r)
{
	while (r->rest.len > 0) {
		if (peek(r) == '(')
			skip_comment(r);
		else if (is_blank(peek(r)))
			advance(r, 1);
		else
			return;
	}
}

static void take_quoted(struct tried *r, struct strbuf *out)
{
	for (advance(r, 1); r->rest.len > 0; advance(r, 1)) {
		if (peek(r) == '"') {
			advance(r, 1);
			return;
		}
		if (peek(r) == '\\')
			advance(r, 1);
		if (r->rest.len > 0)
			strbuf_addc(out, peek(r));
	}
	r->bad = true;
}

/* Up to a blank, ';', a comment, or one of `stops`; quoted parts lose their quotes. */
static struct span take_value(struct tried *r, const char *stops)
{
	struct strbuf text = STRBUF_INIT;
	struct span all = span_of(stops);

	while (r->rest.len > 0 && !is_blank(peek(r)) && peek(r) != ';' && peek(r) != '(' &&
	       span_find_char(all, peek(r)) == all.len) {
		if (peek(r) == '"') {
			take_quoted(r, &text);
		} else {
			strbuf_addc(&text, peek(r));
			advance(r, 1);
		}
	}
	return arena_take(r->arena, &text);
}

/* "header . from" is one name, "dkim / 1" too; an empty one at ';', '=' and the end. */
static struct span take_name(struct tried *r)
{
	struct strbuf name = STRBUF_INIT;
	bool joined;

	do {
		strbuf_add_span(&name, take_value(r, "=./"));
		skip_blanks(r);
		joined = peek(r) == '.' || peek(r) == '/';
		if (joined) {
			strbuf_addc(&name, peek(r));
			advance(r, 1);
			skip_blanks(r);
		}
	} while (joined);
	return arena_take(r->arena, &name);
}

/* The next "name = value" before ';'. Words without '=' are passed over. */
static bool take_pair(struct tried *r, struct auth_property *out)
{
	for (;;) {
		skip_blanks(r);
		if (r->bad || r->rest.len == 0 || peek(r) == ';')
			return false;
		out->name = take_name(r);
		if (peek(r) == '=')
			break;
	}
	advance(r, 1);
	skip_blanks(r);
	out->value = take_value(r, "");
	return true;
}

static void read_result(struct tried *r, struct auth_result *out)
{
	struct auth_property pair;

	*out = (struct auth_result){0};
	if (!take_pair(r, &pair))
		return;
	out->method = span_slice(pair.name, 0, span_find_char(pair.name, '/'));
	out->result = pair.value;
	out->properties = arena_calloc(r->arena, AUTH_PROPERTIES_MAX, sizeof(*out->properties));
	while (take_pair(r, &pair)) {
		if (out->nproperties == AUTH_PROPERTIES_MAX) {
			r->bad = true;
			return;
		}
		out->properties[out->nproperties++] = pair;
	}
}

/* Some servers name none and begin with the first result at once. */
static void read_head(struct tried *r, struct auth_results *out)
{
	struct tried start = *r;
	struct span version;

	skip_blanks(r);
	out->version = 1;
	out->authserv_id = take_value(r, "=");
	skip_blanks(r);
	if (peek(r) == '=') {
		out->authserv_id = SPAN_EMPTY;
		*r = start;
		return;
	}
	version = take_value(r, "");
	if (version.len > 0 && !num_parse_uint(version, 0, 1000, &out->version))
		r->bad = true;
	skip_blanks(r);
	if (r->rest.len > 0 && peek(r) != ';')
		r->bad = true;
	advance(r, 1);
}

bool auth_results_read(struct span field, struct arena *arena, struct auth_results *out)
{
	struct tried r = {.rest = field, .arena = arena};
	struct auth_result one;

	*out = (struct auth_results){0};
	out->results = arena_calloc(arena, AUTH_RESULTS_MAX, sizeof(*out->results));
	read_head(&r, out);
	while (!r.bad && r.rest.len > 0) {
		read_result(&r, &one);
		if (one.method.len > 0 && out->nresults == AUTH_RESULTS_MAX)
			r.bad = true;
		else if (one.method.len > 0)
			out->results[out->nresults++] = one;
		advance(&r, 1);
	}
	return !r.bad;
}

/* ---- judging ---- */

/* What stands behind the last '@', or all of it; a dot at its end is the root's. */
struct span auth_domain_of(struct span address)
{
	size_t at = address.len;

	while (at > 0 && address.ptr[at - 1] != '@')
		at--;
	address = span_slice(address, at, address.len);
	if (address.len > 0 && address.ptr[address.len - 1] == '>')
		address.len--;
	if (address.len > 0 && address.ptr[address.len - 1] == '.')
		address.len--;
	return address;
}

static bool lies_below(struct span low, struct span high)
{
	if (low.len <= high.len + 1 || span_find_char(high, '.') == high.len)
		return false;
	return low.ptr[low.len - high.len - 1] == '.' && high.ptr[0] != '.' &&
	       span_alike(span_slice(low, low.len - high.len, low.len), high);
}

bool auth_domains_aligned(struct span a, struct span b)
{
	if (a.len == 0 || b.len == 0)
		return false;
	return span_alike(a, b) || lies_below(a, b) || lies_below(b, a);
}

static struct span property(const struct auth_result *r, const char *name)
{
	for (size_t i = 0; i < r->nproperties; i++)
		if (span_eq_nocase(r->properties[i].name, name))
			return r->properties[i].value;
	return SPAN_EMPTY;
}

/* The domain a result of this method is about; empty when it names none. */
static struct span subject_of(const struct auth_result *r)
{
	struct span s;

	if (span_eq_nocase(r->method, "dmarc"))
		return auth_domain_of(property(r, "header.from"));
	if (span_eq_nocase(r->method, "dkim")) {
		s = property(r, "header.d");
		return auth_domain_of(s.len > 0 ? s : property(r, "header.i"));
	}
	s = property(r, "smtp.mailfrom");
	return auth_domain_of(s.len > 0 ? s : property(r, "smtp.mail"));
}

/* The result that vouches for the domain: by dmarc if there is one. NULL: none does. */
static const struct auth_result *find_voucher(const struct auth_results *all,
                                              struct span domain)
{
	const struct auth_result *found = NULL;

	for (size_t i = 0; i < all->nresults; i++) {
		const struct auth_result *r = &all->results[i];
		bool dmarc = span_eq_nocase(r->method, "dmarc"),
		     other = span_eq_nocase(r->method, "dkim") ||
		             span_eq_nocase(r->method, "spf");

		if (span_eq_nocase(r->result, "pass") &&
		    (dmarc ? span_alike(subject_of(r), domain)
		           : !found && other && auth_domains_aligned(subject_of(r), domain)))
			found = r;
	}
	return found;
}

/* `result` NULL: any. */
static bool has_result(const struct auth_results *all, const char *method, const char *result)
{
	for (size_t i = 0; i < all->nresults; i++)
		if (span_eq_nocase(all->results[i].method, method) &&
		    (!result || span_eq_nocase(all->results[i].result, result)))
			return true;
	return false;
}

static struct auth_verdict verdict(enum auth_state state, const char *why)
{
	return (struct auth_verdict){state, why};
}

struct auth_verdict auth_results_judge(struct span field, struct span authserv_id,
                                       struct span from, struct arena *arena)
{
	struct auth_results all;
	struct span domain = auth_domain_of(from);
	const struct auth_result *r;

	if (span_trim(field).len == 0)
		return verdict(AUTH_UNSAID, "no results on top of the mail");
	if (!auth_results_read(field, arena, &all))
		return verdict(AUTH_UNSAID, "the results cannot be read");
	if (authserv_id.len == 0 || !span_alike(all.authserv_id, authserv_id))
		return verdict(AUTH_UNSAID, "the results on top are another server's");
	if (all.version != 1)
		return verdict(AUTH_UNSAID, "the results are of an unknown version");
	if (has_result(&all, AUTH_TEST_METHOD, NULL))
		return verdict(AUTH_FAILED, AUTH_TEST_SEEN);
	if (has_result(&all, "dmarc", "fail"))
		return verdict(AUTH_FAILED, "dmarc=fail");
	r = domain.len > 0 ? find_voucher(&all, domain) : NULL;
	if (r)
		return verdict(AUTH_PASSED,
		               arena_printf(arena, "%.*s=pass", SPAN_ARGS(r->method)));
	return verdict(AUTH_FAILED,
	               arena_printf(arena, "nothing vouches for %.*s", SPAN_ARGS(domain)));
}

bool auth_results_verified(struct span field, struct span authserv_id,
                           const struct mail_dkim *dkim, struct arena *arena)
{
	struct auth_results all;

	if (dkim->domain.len == 0 || authserv_id.len == 0 ||
	    !auth_results_read(field, arena, &all) ||
	    !span_alike(all.authserv_id, authserv_id) || all.version != 1 ||
	    has_result(&all, AUTH_TEST_METHOD, NULL))
		return false;
	for (size_t i = 0; i < all.nresults; i++) {
		const struct auth_result *r = &all.results[i];
		struct span selector = property(r, "header.s"), start = property(r, "header.b");

		if (span_eq_nocase(r->method, "dkim") && span_eq_nocase(r->result, "pass") &&
		    span_alike(subject_of(r), dkim->domain) &&
		    (selector.len == 0 || span_alike(selector, dkim->selector)) &&
		    span_eq(span_slice(dkim->signature, 0, start.len), start))
			return true;
	}
	return false;
}

/* ---- signatures: a list of "tag=value", parted by semicolons, with blanks anywhere ---- */

enum { NAME_MAX_LEN = 253, SIGNATURE_MAX_LEN = 1024 };

bool dkim_name_ok(struct span name)
{
	char before = '.';

	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];

		if ((c == '.' && before == '.') ||
		    (c != '.' && !ascii_is_alnum(c) && c != '-' && c != '_'))
			return false;
		before = c;
	}
	return before != '.' && name.len <= NAME_MAX_LEN;
}

bool dkim_signature_ok(struct span signature)
{
	for (size_t i = 0; i < signature.len; i++) {
		char c = signature.ptr[i];

		if (!ascii_is_alnum(c) && c != '+' && c != '/' && c != '=')
			return false;
	}
	return signature.len > 0 && signature.len <= SIGNATURE_MAX_LEN;
}

/* A copy without blanks, and in lower case if asked for. */
static struct span squeezed(struct span value, bool lower, struct arena *arena)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < value.len; i++)
		if (!is_blank(value.ptr[i]))
			strbuf_addc(&sb, lower ? ascii_lower(value.ptr[i]) : value.ptr[i]);
	return arena_take(arena, &sb);
}

/* Into a field that is still empty. */
static bool set_once(struct span *field, struct span value)
{
	bool first = field->len == 0;

	*field = value;
	return first;
}

bool dkim_read(struct span field, struct arena *arena, struct mail_dkim *out)
{
	struct span rest = field, item, tag;

	*out = (struct mail_dkim){SPAN_EMPTY, SPAN_EMPTY, SPAN_EMPTY};
	while (span_next_field(&rest, ';', &item)) {
		if (!span_next_field(&item, '=', &tag))
			continue;
		tag = squeezed(tag, false, arena);
		if ((span_eq_str(tag, "d") &&
		     !set_once(&out->domain, squeezed(item, true, arena))) ||
		    (span_eq_str(tag, "s") &&
		     !set_once(&out->selector, squeezed(item, true, arena))) ||
		    (span_eq_str(tag, "b") &&
		     !set_once(&out->signature, squeezed(item, false, arena))))
			return false;
	}
	return dkim_name_ok(out->domain) && dkim_name_ok(out->selector) &&
	       dkim_signature_ok(out->signature);
}
