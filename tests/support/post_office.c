/*
 * post_office.c - carrying mail between three real programs.
 */
#include "tests/support/post_office.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/file.h"
#include "tests/support/scratch.h"
#include "tests/support/smtp_client.h"
#include "tests/support/table.h"

enum { MAIL_MAX = 1 << 20 };

static const char *const people[] = {"ann", "bob", "cy"};

const char *post_office_is_missing(void)
{
	const char *why = postfix_is_missing();

	return why ? why : dovecot_is_installed() ? NULL : "Dovecot is not installed";
}

/* Both authorities in one file. */
static void trust(struct post_office *o)
{
	struct strbuf pem = STRBUF_INIT;
	char *path = testbed_path(o->testbed, "ca.pem");

	ENSURE(file_read(o->dovecot->ca_file, MAIL_MAX, &pem, NULL) == ERR_NONE);
	ENSURE(file_read(postfix_ca_file(o->postfix), MAIL_MAX, &pem, NULL) == ERR_NONE);
	ENSURE(file_create(path, strbuf_span(&pem), NULL) == ERR_NONE);
	dovecot_set(o->testbed, "ca_file", path);
	strbuf_release(&pem);
	free(path);
}

static void write_password(struct testbed *s)
{
	char *path = testbed_path(s, "password");

	ENSURE(file_create(path, SPAN_LIT(DOVECOT_PASSWORD "\n"), NULL) == ERR_NONE);
	ENSURE(chmod(path, 0600) == 0);
	free(path);
}

void post_office_open(struct post_office *o)
{
	signal(SIGPIPE, SIG_IGN);
	o->grey = greylist_new();
	o->dovecot = dovecot_start(NULL);
	o->postfix = postfix_new_beside(o->dovecot, greylist_port(o->grey));
	o->testbed = testbed_new("post office");
	o->testbed->now_utc = (int64_t)time(NULL);
	write_password(o->testbed);
	trust(o);
}

void post_office_close(struct post_office *o)
{
	testbed_free(o->testbed);
	postfix_free(o->postfix);
	dovecot_stop(o->dovecot);
	greylist_free(o->grey);
}

void post_office_submit(struct post_office *o, const char *who, const char *to,
                        const struct post *reply_to, const char *text)
{
	struct strbuf raw = STRBUF_INIT, from = STRBUF_INIT, subject = STRBUF_INIT;

	if (!to)
		to = reply_to && *reply_to->reply_to ? reply_to->reply_to : "moles@example.org";
	strbuf_addf(&from, "%s@example.net", who);
	strbuf_addf(&subject, "%s%s", reply_to ? "Re: " : "hello",
	            reply_to ? reply_to->subject : "");
	testbed_compose(
	    o->testbed,
	    &(struct mail_written){.who = who,
	                           .to = to,
	                           .subject = subject.ptr,
	                           .in_reply_to = reply_to ? reply_to->message_id : NULL,
	                           .text = text},
	    &raw);
	o->testbed->written++;
	smtp_client_send(postfix_port(o->postfix, POSTFIX_PLAIN), from.ptr, to,
	                 strbuf_span(&raw));
	postfix_wait_queue(o->postfix);
	strbuf_release(&raw);
	strbuf_release(&from);
	strbuf_release(&subject);
}

static void move_mail(const char *from, const char *to, const char *name)
{
	char *a = scratch_path(from, name), *b = scratch_path(to, name);
	struct strbuf bytes = STRBUF_INIT;

	ENSURE(file_read(a, MAIL_MAX, &bytes, NULL) == ERR_NONE);
	ENSURE(file_create(b, strbuf_span(&bytes), NULL) == ERR_NONE);
	ENSURE(unlink(a) == 0);
	strbuf_release(&bytes);
	free(a);
	free(b);
}

static void empty_mailbox(struct post_office *o, const char *who)
{
	char *keep, *to = testbed_path(o->testbed, "outbox/new");
	char *from = scratch_path(postfix_maildir(o->postfix, who, &keep), "new");
	DIR *dir = opendir(from);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.')
			move_mail(from, to, entry->d_name);
	if (dir)
		closedir(dir);
	free(keep);
	free(to);
	free(from);
}

void post_office_collect(struct post_office *o)
{
	postfix_wait_queue(o->postfix);
	for (size_t i = 0; i < sizeof(people) / sizeof(people[0]); i++)
		empty_mailbox(o, people[i]);
	(void)testbed_collect(o->testbed);
}

void post_office_run(struct post_office *o, int code, const char *says)
{
	int64_t now_utc = (int64_t)time(NULL);

	if (o->testbed->now_utc < now_utc)
		o->testbed->now_utc = now_utc;
	expect(o->testbed, "run", code, says);
	post_office_collect(o);
}
