/*
 * maildir_faults.c - a short list, kept as text.
 */
#include "mail/source/maildir_faults.h"

#include <stdlib.h>
#include <string.h>

#include "processor/base/num.h"

enum { NAME_BYTES = 255, STUCK_MOST = 1000 };

static struct maildir_fault *find(const struct maildir_faults *f, struct span name)
{
	for (size_t i = 0; i < f->n; i++)
		if (span_eq_str(name, f->items[i].name))
			return &f->items[i];
	return NULL;
}

static struct maildir_fault *find_or_add(struct maildir_faults *f, struct span name)
{
	struct maildir_fault *old = find(f, name);

	if (old)
		return old;
	f->items = xgrow(f->items, &f->cap, f->n + 1, sizeof(*f->items));
	f->items[f->n] = (struct maildir_fault){.name = strndup(name.ptr, name.len)};
	return &f->items[f->n++];
}

static void read_line(struct maildir_faults *f, struct span line)
{
	char name[NAME_BYTES];
	struct span kind, number, hex;
	struct maildir_fault *m;
	unsigned tries;

	if (!span_next_field(&line, ' ', &kind) || !span_next_field(&line, ' ', &number) ||
	    !span_next_field(&line, ' ', &hex) || !num_parse_uint(number, 0, 1000, &tries) ||
	    hex.len == 0 || hex.len > 2 * sizeof(name) || hex.len % 2 != 0 ||
	    !num_parse_hex(hex, (unsigned char *)name, hex.len / 2) ||
	    memchr(name, '\0', hex.len / 2))
		return;
	m = find_or_add(f, (struct span){name, hex.len / 2});
	m->tries = tries;
	m->is_stuck = span_eq_str(kind, "stuck");
}

void maildir_faults_read(struct maildir_faults *f, struct span text)
{
	struct span line;

	while (span_next_line(&text, &line))
		read_line(f, line);
}

static bool is_among(const struct maildir_fault *m, const struct source_mail *const *done,
                     size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (span_eq_str(done[i]->id, m->name))
			return true;
	return false;
}

void maildir_faults_write(const struct maildir_faults *f, const struct source_mail *const *done,
                          size_t n, struct strbuf *text)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct maildir_fault *m = &f->items[i];

		if (is_among(m, done, n))
			continue;
		strbuf_addf(text, "%s %u ", m->is_stuck ? "stuck" : "unread", m->tries);
		strbuf_add_hex(text, m->name, strlen(m->name));
		strbuf_addc(text, '\n');
	}
}

void maildir_faults_release(struct maildir_faults *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->items[i].name);
	free(f->items);
	*f = (struct maildir_faults){0};
}

unsigned maildir_faults_count(struct maildir_faults *f, struct span name)
{
	struct maildir_fault *m = find_or_add(f, name);

	m->tries += !m->counted;
	m->counted = true;
	return m->tries;
}

void maildir_faults_add_stuck(struct maildir_faults *f, struct span name)
{
	if (f->n < STUCK_MOST)
		find_or_add(f, name)->is_stuck = true;
}

bool maildir_faults_is_stuck(const struct maildir_faults *f, struct span name)
{
	const struct maildir_fault *m = f->n > 0 ? find(f, name) : NULL;

	return m && m->is_stuck;
}

void maildir_faults_forget(struct maildir_faults *f, struct span name)
{
	struct maildir_fault *m = f->n > 0 ? find(f, name) : NULL;

	if (!m)
		return;
	free(m->name);
	*m = f->items[--f->n];
}
