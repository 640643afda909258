/*
 * imap_state.c - what an IMAP source remembers between runs, as text and back.
 */
#include "mail/source/imap_state.h"

#include <stdlib.h>
#include <string.h>

#include "processor/base/num.h"

/* Mails come and go in order, so a few ranges hold them all; of the oldest more are forgotten. */
enum { KEPT_MAX = 4096 };

void imap_state_release(struct imap_state *s)
{
	uid_set_release(&s->open);
	uid_set_release(&s->unmoved);
	free(s->tries);
	free(s->kept);
	memset(s, 0, sizeof(*s));
}

void imap_state_restart(struct imap_state *s, uint32_t validity)
{
	uid_set_clear(&s->open);
	uid_set_clear(&s->unmoved);
	s->ntries = 0;
	s->last = 0;
	s->validity = validity;
}

/* ---- text ---- */

static void write_set(const char *key, const struct uid_set *set, struct strbuf *out)
{
	if (set->n == 0)
		return;
	strbuf_addf(out, "%s ", key);
	uid_set_write(set, out);
	strbuf_addc(out, '\n');
}

void imap_state_write(const struct imap_state *s, struct strbuf *out)
{
	if (s->validity == 0)
		return;
	strbuf_addf(out, "mailbox %u last %u\n", (unsigned)s->validity, (unsigned)s->last);
	write_set("open", &s->open, out);
	for (size_t i = 0; i < s->ntries; i++)
		strbuf_addf(out, "tries %u %u\n", (unsigned)s->tries[i].uid, s->tries[i].n);
	write_set("unmoved", &s->unmoved, out);
	for (size_t i = 0; i < s->nkept; i++)
		strbuf_addf(out, "kept %u %u %u %u %u\n", (unsigned)s->kept[i].from.validity,
		            (unsigned)s->kept[i].from.uid, (unsigned)s->kept[i].to.validity,
		            (unsigned)s->kept[i].to.uid, (unsigned)s->kept[i].n);
}

static bool next_number(struct span *rest, uint32_t *out)
{
	struct span word;
	unsigned n = 0;
	bool ok = span_next_word(rest, "", &word) && num_parse_uint(word, 0, UINT32_MAX, &n);

	*out = n;
	return ok;
}

static struct imap_tries *need_tries(struct imap_state *s, uint32_t uid)
{
	for (size_t i = 0; i < s->ntries; i++)
		if (s->tries[i].uid == uid)
			return &s->tries[i];
	s->tries = xgrow(s->tries, &s->cap_tries, s->ntries + 1, sizeof(*s->tries));
	s->tries[s->ntries] = (struct imap_tries){uid, 0};
	return &s->tries[s->ntries++];
}

static void add_kept(struct imap_state *s, const struct imap_kept *k)
{
	s->kept = xgrow(s->kept, &s->cap_kept, s->nkept + 1, sizeof(*s->kept));
	s->kept[s->nkept++] = *k;
}

static bool read_line(struct imap_state *s, struct span key, struct span rest)
{
	struct imap_kept k;
	struct span word;
	uint32_t uid, n;

	if (span_eq_str(key, "mailbox"))
		return next_number(&rest, &s->validity) && span_next_word(&rest, "", &word) &&
		       next_number(&rest, &s->last);
	if (span_eq_str(key, "open"))
		return uid_set_read(&s->open, span_trim(rest));
	if (span_eq_str(key, "unmoved"))
		return uid_set_read(&s->unmoved, span_trim(rest));
	if (span_eq_str(key, "tries")) {
		if (!next_number(&rest, &uid) || !next_number(&rest, &n))
			return false;
		need_tries(s, uid)->n = n;
		return true;
	}
	if (!span_eq_str(key, "kept") || !next_number(&rest, &k.from.validity) ||
	    !next_number(&rest, &k.from.uid) || !next_number(&rest, &k.to.validity) ||
	    !next_number(&rest, &k.to.uid) || !next_number(&rest, &k.n) || k.n == 0)
		return false;
	add_kept(s, &k);
	return true;
}

bool imap_state_read(struct imap_state *s, struct span text)
{
	struct span line, key;
	bool ok = true;

	imap_state_release(s);
	while (ok && span_next_line(&text, &line))
		ok = span_next_word(&line, "", &key) && read_line(s, key, line);
	if (!ok)
		imap_state_release(s);
	return ok;
}

/* ---- mails of the mailbox ---- */

/* Those between the last UID so far and this one have been seen, if not dealt with. */
static void advance(struct imap_state *s, const struct uid_set *listed, uint32_t uid)
{
	if (uid <= s->last)
		return;
	for (size_t i = 0; i < listed->n; i++) {
		uint32_t first = listed->items[i].first, last = listed->items[i].last;

		first = first > s->last ? first : s->last + 1;
		last = last < uid ? last : uid - 1;
		if (first <= last)
			uid_set_add_range(&s->open, first, last);
	}
	s->last = uid;
}

void imap_state_done(struct imap_state *s, const struct uid_set *listed, uint32_t uid)
{
	advance(s, listed, uid);
	uid_set_remove(&s->open, uid);
	for (size_t i = s->ntries; i > 0; i--)
		if (s->tries[i - 1].uid == uid)
			s->tries[i - 1] = s->tries[--s->ntries];
}

unsigned imap_state_failed(struct imap_state *s, const struct uid_set *listed, uint32_t uid)
{
	advance(s, listed, uid);
	uid_set_add(&s->open, uid);
	return ++need_tries(s, uid)->n;
}

/* ---- mails that are kept ---- */

static void append_kept(struct imap_state *s, const struct imap_kept *k)
{
	struct imap_kept *a = s->nkept > 0 ? &s->kept[s->nkept - 1] : NULL;

	if (a && a->from.validity == k->from.validity && a->to.validity == k->to.validity &&
	    a->from.uid + a->n == k->from.uid && a->to.uid + a->n == k->to.uid) {
		a->n += k->n;
		return;
	}
	if (s->kept && s->nkept == KEPT_MAX) {
		s->nkept--;
		memmove(s->kept, s->kept + 1, s->nkept * sizeof(*s->kept));
	}
	add_kept(s, k);
}

/* A server's word: two sets of one size, or it is not believed. */
void imap_state_moved(struct imap_state *s, struct span from, uint32_t validity, struct span to)
{
	struct uid_set a = UID_SET_INIT, b = UID_SET_INIT;
	size_t i = 0, k = 0;
	uint32_t used_a = 0, used_b = 0;
	bool ok = uid_set_read(&a, from) && uid_set_read(&b, to) &&
	          uid_set_count(&a) == uid_set_count(&b);

	while (ok && i < a.n && k < b.n) {
		uint32_t left_a = a.items[i].last - a.items[i].first + 1 - used_a;
		uint32_t left_b = b.items[k].last - b.items[k].first + 1 - used_b;
		uint32_t n = left_a < left_b ? left_a : left_b;

		append_kept(s, &(struct imap_kept){{s->validity, a.items[i].first + used_a},
		                                   {validity, b.items[k].first + used_b},
		                                   n});
		used_a += n;
		used_b += n;
		if (used_a == a.items[i].last - a.items[i].first + 1)
			i++, used_a = 0;
		if (used_b == b.items[k].last - b.items[k].first + 1)
			k++, used_b = 0;
	}
	uid_set_release(&a);
	uid_set_release(&b);
}

static bool lies_in(struct imap_place p, struct imap_place begin, uint32_t n)
{
	return p.validity == begin.validity && p.uid >= begin.uid && p.uid - begin.uid < n;
}

static bool find_kept(const struct imap_state *s, struct imap_place at, bool by_from,
                      struct imap_place *other)
{
	for (size_t i = s->nkept; i > 0; i--) {
		const struct imap_kept *k = &s->kept[i - 1];
		struct imap_place here = by_from ? k->from : k->to,
				  there = by_from ? k->to : k->from;

		if (!lies_in(at, here, k->n))
			continue;
		*other = (struct imap_place){there.validity, there.uid + (at.uid - here.uid)};
		return true;
	}
	return false;
}

bool imap_state_where(const struct imap_state *s, struct imap_place from, struct imap_place *to)
{
	return find_kept(s, from, true, to);
}

bool imap_state_origin(const struct imap_state *s, struct imap_place to,
                       struct imap_place *from)
{
	return find_kept(s, to, false, from);
}

void imap_state_forget(struct imap_state *s, struct imap_place to)
{
	struct imap_kept *k = s->kept;
	struct imap_kept rest;
	uint32_t before;

	while (k < s->kept + s->nkept && !lies_in(to, k->to, k->n))
		k++;
	if (k == s->kept + s->nkept)
		return;
	before = to.uid - k->to.uid;
	rest = (struct imap_kept){{k->from.validity, k->from.uid + before + 1},
	                          {k->to.validity, to.uid + 1},
	                          k->n - before - 1};
	k->n = before;
	if (before > 0 && rest.n > 0) {
		size_t at = (size_t)(k - s->kept) + 1;

		add_kept(s, &rest);
		memmove(&s->kept[at + 1], &s->kept[at], (s->nkept - 1 - at) * sizeof(*s->kept));
		s->kept[at] = rest;
	} else if (rest.n > 0) {
		*k = rest;
	} else if (before == 0) {
		s->nkept--;
		memmove(k, k + 1, (s->nkept - (size_t)(k - s->kept)) * sizeof(*k));
	}
}
