/*
 * testbed_mail.c - the players' side of a server under test: their mails, and the server's.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mail/compose.h"
#include "mail/parser.h"
#include "mail/text/header.h"
#include "processor/base/clock.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/base/seal.h"
#include "tests/support/scratch.h"
#include "tests/support/testbed_parts.h"

enum { MAIL_MAX = 16 << 20 };

/* ---- folders ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **folder_names(const char *path, size_t *n)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;
	char **names = NULL;
	size_t cap = 0;

	*n = 0;
	ENSURE(dir != NULL);
	while ((entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		names = xgrow(names, &cap, *n + 1, sizeof(*names));
		names[(*n)++] = xstrdup(entry->d_name);
	}
	closedir(dir);
	if (*n > 0)
		qsort(names, *n, sizeof(*names), by_name);
	return names;
}

/* ---- mail in ---- */

/*
 * Seconds are too coarse to keep the order of one test's mails: their number goes into the
 * rest.
 */
static void set_arrival(const struct testbed *s, const char *path, int64_t arrived_utc)
{
	struct timespec times[2];

	times[0].tv_sec = times[1].tv_sec = (time_t)arrived_utc;
	times[0].tv_nsec = times[1].tv_nsec = (long)s->written * 1000;
	ENSURE(utimensat(AT_FDCWD, path, times, 0) == 0);
}

void testbed_drop(struct testbed *s, const char *name, struct span raw, int64_t arrived_utc)
{
	char *tmp = testbed_path(s, "mail/tmp/being-written"), *new;
	struct strbuf to = STRBUF_INIT;
	int fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (s->on_drop)
		s->on_drop(s->on_drop_ctx, name, raw, arrived_utc);
	ENSURE(fd >= 0 && file_write_fd(fd, raw, NULL) == ERR_NONE);
	close(fd);
	s->written++;
	set_arrival(s, tmp, arrived_utc);
	strbuf_addf(&to, "mail/new/%s", name);
	new = testbed_path(s, to.ptr);
	ENSURE(rename(tmp, new) == 0);
	strbuf_release(&to);
	free(new);
	free(tmp);
}

static int64_t testbed_now(const struct testbed *s)
{
	return s->now_utc == INT64_MIN ? clock_now_utc() : s->now_utc;
}

void testbed_compose(struct testbed *s, const struct mail_written *m, struct strbuf *raw)
{
	strbuf_addf(raw, "From: %s%s\n", m->who, strchr(m->who, '@') ? "" : "@example.net");
	strbuf_addf(raw, "To: %s\n", m->to ? m->to : "moles@example.org");
	strbuf_addf(raw, "Subject: %s\n", m->subject ? m->subject : "moles");
	strbuf_addf(raw, "Message-ID: <m%u@mua.example.net>\nDate: ", s->written);
	utc_format_rfc5322(raw, testbed_now(s));
	strbuf_addc(raw, '\n');
	if (m->in_reply_to)
		strbuf_addf(raw, "In-Reply-To: %s\nReferences: %s\n", m->in_reply_to,
		            m->in_reply_to);
	strbuf_addf(raw, "%sMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n",
	            m->more_header ? m->more_header : "");
	strbuf_addf(raw, "Content-Transfer-Encoding: 8bit\n\n%s\n", m->text);
}

void testbed_mail(struct testbed *s, const struct mail_written *m)
{
	struct strbuf raw = STRBUF_INIT, name = STRBUF_INIT;

	testbed_compose(s, m, &raw);
	strbuf_addf(&name, "%lld.M%u.mua", (long long)testbed_now(s), s->written);
	testbed_drop(s, name.ptr, strbuf_span(&raw), testbed_now(s));
	strbuf_release(&raw);
	strbuf_release(&name);
}

void testbed_write(struct testbed *s, const char *who, const char *text)
{
	testbed_mail(s, &(struct mail_written){.who = who, .text = text});
}

void testbed_reply_to(struct testbed *s, const char *who, const struct post *to,
                      const char *text)
{
	struct strbuf subject = STRBUF_INIT;

	strbuf_addf(&subject, "Re: %s", to->subject);
	testbed_mail(s, &(struct mail_written){.who = who,
	                                       .to = *to->reply_to ? to->reply_to : NULL,
	                                       .subject = subject.ptr,
	                                       .in_reply_to = to->message_id,
	                                       .text = text});
	strbuf_release(&subject);
}

void testbed_reply(struct testbed *s, const char *who, const char *text)
{
	testbed_reply_to(s, who, testbed_last(s, who), text);
}

/* ---- mail out ---- */

void post_free(struct post *p)
{
	free(p->raw);
	free(p->file);
	free(p->who);
	free(p->subject);
	free(p->message_id);
	free(p->in_reply_to);
	free(p->reply_to);
	free(p->sender);
	free(p->text);
	free(p->proof);
	free(p->proof_name);
	free(p->files);
	free(p->record);
	free(p->page);
	free(p);
}

static char *copy_span(struct span s)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_add_span(&text, s);
	return strbuf_detach(&text);
}

static char *person_of(struct span to)
{
	const struct span home = SPAN_LIT("@example.net");
	size_t at = span_find(to, home);

	return copy_span(at + home.len == to.len ? span_slice(to, 0, at) : to);
}

static char *field(const struct header *h, const char *name, struct arena *arena)
{
	for (size_t i = 0; i < h->count; i++)
		if (span_eq_nocase(h->fields[i].name, name))
			return copy_span(header_unfold(h->fields[i].value, arena));
	return xstrdup("");
}

/* Without the angles. */
static char *bare_field(const struct header *h, const char *name, struct arena *arena)
{
	char *value = field(h, name, arena);
	size_t len = strlen(value);

	if (len >= 2 && value[0] == '<' && value[len - 1] == '>') {
		memmove(value, value + 1, len - 2);
		value[len - 2] = '\0';
	}
	return value;
}

/* As a program shows it that knows nothing of flowed text: blanks at line ends are not seen. */
static char *shown(struct strbuf *text)
{
	struct strbuf out = STRBUF_INIT;
	struct span rest = strbuf_span(text), line;

	while (span_next_line(&rest, &line)) {
		while (line.len > 0 && line.ptr[line.len - 1] == ' ' &&
		       !span_eq_str(line, "-- "))
			line.len--;
		strbuf_add_span(&out, line);
		strbuf_addc(&out, '\n');
	}
	strbuf_release(text);
	return strbuf_detach(&out);
}

/* Each begins with its header, which mail_read_back reads like that of a mail. */
static void read_files(struct post *p, struct span raw)
{
	static const char boundary[] = "\n--=_molepost_mixed\n";
	struct strbuf names = STRBUF_INIT, record = STRBUF_INIT, page = STRBUF_INIT,
		      proof = STRBUF_INIT;
	const struct span whole = raw;
	size_t at = span_find(raw, span_of(boundary));

	while (at < raw.len) {
		raw = span_slice(raw, at + strlen(boundary), raw.len);
		at = span_find(raw, span_of(boundary));
		struct span part = span_slice(raw, 0, at), name;
		size_t from = span_find(part, SPAN_LIT("filename=\""));
		if (from > span_find(part, SPAN_LIT("\n\n")))
			continue;
		name = span_slice(part, from + strlen("filename=\""), part.len);
		name = span_slice(name, 0, span_find_char(name, '"'));
		if (span_find(name, SPAN_LIT("proof")) < name.len) {
			strbuf_clear(&proof);
			mail_read_file(whole, &proof);
			p->proof_name = copy_span(name);
			continue;
		}
		strbuf_addf(&names, "%.*s\n", SPAN_ARGS(name));
		part = span_slice(part, 0, span_find(part, SPAN_LIT("\n--=_molepost_mixed--")));
		bool is_record = span_find(name, SPAN_LIT("-record.txt")) < name.len;
		if (span_find(name, SPAN_LIT(".gz")) == name.len &&
		    !mail_read_back(part, is_record ? &record : &page))
			BUG("a file does not read back");
	}
	p->files = strbuf_detach(&names);
	p->proof = strbuf_detach(&proof);
	p->record = record.len > 0 ? strbuf_detach(&record) : NULL;
	p->page = page.len > 0 ? strbuf_detach(&page) : NULL;
	strbuf_release(&record);
	strbuf_release(&page);
}

/* Ours by construction: anything that mail_read_back refuses is a bug. */
static struct post *post_read(const char *file, struct span raw)
{
	struct post *p = xcalloc(1, sizeof(*p));
	struct arena *arena = arena_new();
	struct mail_limits limits = mail_usual_limits;
	struct strbuf text = STRBUF_INIT;
	struct header h;
	struct mail_in m;

	limits.max_size = MAIL_MAX; /* the record of a long game */
	parser_parse_here(raw, &limits, arena, &m);
	header_split(raw, arena, &h);
	if (m.fault != MAIL_OK || !mail_read_back(raw, &text))
		BUG("%s is no mail of ours", file);
	p->raw = copy_span(raw);
	p->raw_len = raw.len;
	p->file = xstrdup(file);
	p->who = person_of(m.recipients.count > 0 ? m.recipients.items[0] : SPAN_EMPTY);
	p->subject = copy_span(m.subject);
	p->message_id = copy_span(m.message_id);
	p->in_reply_to = copy_span(m.in_reply_to);
	p->reply_to = field(&h, "Reply-To", arena);
	p->sender = bare_field(&h, "Return-Path", arena);
	p->text = shown(&text);
	read_files(p, raw);
	arena_free(arena);
	return p;
}

struct post *post_copy(const struct post *p)
{
	struct post *copy = xcalloc(1, sizeof(*copy));

	*copy = *p;
	copy->raw = copy_span((struct span){p->raw, p->raw_len});
	copy->file = xstrdup(p->file);
	copy->who = xstrdup(p->who);
	copy->subject = xstrdup(p->subject);
	copy->message_id = xstrdup(p->message_id);
	copy->in_reply_to = xstrdup(p->in_reply_to);
	copy->reply_to = xstrdup(p->reply_to);
	copy->sender = xstrdup(p->sender);
	copy->text = xstrdup(p->text);
	copy->proof = xstrdup(p->proof);
	copy->proof_name = p->proof_name ? xstrdup(p->proof_name) : NULL;
	copy->files = xstrdup(p->files);
	copy->record = p->record ? xstrdup(p->record) : NULL;
	copy->page = p->page ? xstrdup(p->page) : NULL;
	return copy;
}

/*
 * The mail without its envelope: the sink writes the sender above it, with the number of the
 * outbox row, which is another when a run was stopped in between.
 */
static struct span message_of(const struct post *p)
{
	struct span raw = {p->raw, p->raw_len}, line;

	if (span_starts(raw, "Return-Path: "))
		span_next_line(&raw, &line);
	return raw;
}

static bool same_bytes(const struct post *a, const struct post *b)
{
	return span_eq(message_of(a), message_of(b));
}

static void outgoing_add(struct testbed *s, struct post *p)
{
	for (size_t i = 0; i < s->nposts; i++) {
		if (strcmp(s->posts[i]->message_id, p->message_id) != 0)
			continue;
		p->again = true;
		p->differs = p->differs || !same_bytes(s->posts[i], p);
	}
	s->posts = xgrow(s->posts, &s->cap_posts, s->nposts + 1, sizeof(*s->posts));
	s->posts[s->nposts++] = p;
}

/* The outbox row, from "TIME.Q<row>.INSTANCE"; 0 for other names. */
static uint64_t row_of(const char *file)
{
	struct span rest = span_of(file), part;
	uint64_t row = 0;

	if (span_next_field(&rest, '.', &part) && span_next_field(&rest, '.', &part) &&
	    part.len > 0 && part.ptr[0] == 'Q')
		(void)!num_parse_u64(span_slice(part, 1, part.len), UINT64_MAX, &row);
	return row;
}

static int by_row(const void *a, const void *b)
{
	uint64_t x = row_of(*(char *const *)a), y = row_of(*(char *const *)b);

	return x < y ? -1 : x > y;
}

size_t testbed_take_out(struct testbed *s, testbed_mail_taken *each, void *ctx)
{
	char *folder = testbed_path(s, "outbox/new");
	size_t n;
	char **names = folder_names(folder, &n);

	if (n > 0)
		qsort(names, n, sizeof(*names), by_row);
	for (size_t i = 0; i < n; i++) {
		char *path = scratch_path(folder, names[i]);
		struct strbuf raw = STRBUF_INIT;

		ENSURE(file_read(path, MAIL_MAX, &raw, NULL) == ERR_NONE && unlink(path) == 0);
		each(ctx, names[i], strbuf_span(&raw));
		strbuf_release(&raw);
		free(path);
		free(names[i]);
	}
	free(names);
	free(folder);
	return n;
}

static void keep(void *ctx, const char *file, struct span raw)
{
	outgoing_add(ctx, post_read(file, raw));
}

size_t testbed_collect(struct testbed *s)
{
	return testbed_take_out(s, keep, s);
}

void posts_write(const struct testbed *s, const char *dir)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/posts", dir);
	ENSURE(file_mkdir(path.ptr, NULL) == ERR_NONE);
	for (size_t i = 0; i < s->nposts; i++) {
		const struct post *p = s->posts[i];

		strbuf_clear(&path);
		strbuf_addf(&path, "%s/posts/%06zu=%s", dir, i, p->file);
		ENSURE(file_create(path.ptr, (struct span){p->raw, p->raw_len}, NULL) ==
		       ERR_NONE);
	}
	strbuf_release(&path);
}

void posts_read(struct testbed *s)
{
	char *folder = testbed_path(s, "posts");
	size_t n;
	char **names = folder_names(folder, &n);

	for (size_t i = 0; i < n; i++) {
		char *path = scratch_path(folder, names[i]);
		struct strbuf raw = STRBUF_INIT;

		ENSURE(file_read(path, MAIL_MAX, &raw, NULL) == ERR_NONE);
		keep(s, strchr(names[i], '=') + 1, strbuf_span(&raw));
		strbuf_release(&raw);
		free(path);
		free(names[i]);
	}
	free(names);
	scratch_remove(folder);
}

const struct post *testbed_last(const struct testbed *s, const char *who)
{
	for (size_t i = s->nposts; i-- > 0;)
		if (strcmp(s->posts[i]->who, who) == 0)
			return s->posts[i];
	BUG("%s has had no mail", who);
}

const struct post *testbed_find(const struct testbed *s, const char *who, const char *subject)
{
	for (size_t i = s->nposts; i-- > 0;)
		if ((!who || strcmp(s->posts[i]->who, who) == 0) &&
		    strstr(s->posts[i]->subject, subject))
			return s->posts[i];
	return NULL;
}

static char *fingerprint(const struct post *p)
{
	struct hash d = hash_of(message_of(p));
	struct strbuf line = STRBUF_INIT;

	strbuf_addf(&line, "%s ", p->message_id);
	strbuf_add_hex(&line, d.bytes, sizeof(d.bytes));
	return strbuf_detach(&line);
}

void testbed_mails(const struct testbed *s, struct strbuf *out)
{
	char **lines = xcalloc(s->nposts + 1, sizeof(*lines));

	for (size_t i = 0; i < s->nposts; i++)
		lines[i] = fingerprint(s->posts[i]);
	if (s->nposts > 0)
		qsort(lines, s->nposts, sizeof(*lines), by_name);
	for (size_t i = 0; i < s->nposts; i++)
		if (i == 0 || strcmp(lines[i], lines[i - 1]) != 0)
			strbuf_addf(out, "%s\n", lines[i]);
	for (size_t i = 0; i < s->nposts; i++)
		free(lines[i]);
	free(lines);
}

bool testbed_mails_agree(const struct testbed *s)
{
	for (size_t i = 0; i < s->nposts; i++)
		if (s->posts[i]->differs)
			return false;
	return true;
}
