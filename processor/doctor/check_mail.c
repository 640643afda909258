/*
 * check_mail.c - `molepost doctor`, the part about mail: where it comes from, where it goes,
 * whose word counts.
 */
#include "processor/doctor/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mail/parser.h"
#include "mail/sink.h"
#include "mail/source.h"
#include "mail/text/auth_results.h"
#include "processor/base/clock.h"
#include "processor/base/dns.h"
#include "processor/outgoing/round_trip.h"
#include "store/inbox.h"
#include "store/operator/outages.h"

static const char maildir[] = "maildir:";

static bool is_local(const char *url)
{
	return span_starts(span_of(url), maildir);
}

/* Opening a Maildir needs no right to write, handling mail does; nor has everybody any in it. */
static const char *not_writable(struct doctor *d, const char *url)
{
	static const char *const folders[] = {".", "tmp", "new", "cur"};

	if (!is_local(url))
		return NULL;
	const char *dir = doctor_path(d, url + strlen(maildir));
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		const char *path = arena_printf(d->srv.arena, "%s/%s", dir, folders[i]);

		doctor_check_mode(d, "mailbox", path, 02);
		if (i > 0 && faccessat(AT_FDCWD, path, R_OK | W_OK | X_OK, AT_EACCESS) != 0)
			return arena_printf(d->srv.arena,
			                    "%s: mail cannot be moved or written there", path);
	}
	return NULL;
}

/* How to mend a mailbox on another machine. */
static const char *advice_for_mailbox(enum err rc, const char *why)
{
	bool is_certificate = strstr(why, "certificate") != NULL;

	if (strstr(why, " command"))
		return "run that command by hand, as the user who runs molepost: it has to print "
		       "the secret within half a minute";
	if (rc == ERR_DENIED && is_certificate)
		return "the host must be named as in its certificate, and that must be valid; "
		       "an authority of your own is named by ca_file";
	if (rc == ERR_DENIED)
		return "check the user in the source line and what the line password (or "
		       "token) leads to; many providers want a password made for programs";
	if (rc == ERR_TIMEOUT || rc == ERR_IO)
		return "check host and port, and whether they can be reached from here; the "
		       "next run tries again by itself";
	if (rc == ERR_NOT_FOUND)
		return "check the name of the folder behind the host, and where the password "
		       "is kept";
	if (rc == ERR_CONFIG)
		return "correct that line; molepost.conf(5) explains every key";
	return "what stands above says what is missing";
}

static enum err look_into(struct doctor *d, struct source *s, size_t *n, bool *complete)
{
	struct source_mail *mails;
	struct span state;
	size_t unread = 0, first = 0;

	TRY(mailbox_state_get(d->srv.store, span_of(source_url(s)), d->srv.arena, &state));
	TRY(source_resume(s, state, &d->srv.fail));
	TRY(source_next(s, 1000, d->srv.arena, &mails, n, complete, &d->srv.fail));
	if (*n > 0 && (d->waits_since_utc == 0 || mails[0].arrived_utc < d->waits_since_utc))
		d->waits_since_utc = mails[0].arrived_utc;
	for (size_t i = 0; i < *n && source_is_local(s); i++) {
		const char *path = arena_printf(d->srv.arena, "%s/new/%.*s",
		                                doctor_path(d, source_url(s) + strlen(maildir)),
		                                SPAN_ARGS(mails[i].id));

		if (faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0 && errno == EACCES &&
		    unread++ == 0)
			first = i;
	}
	if (unread > 0)
		doctor_problem(
		    d, "source",
		    "chown and chmod u+r for the user who runs molepost; see by whom mail "
		    "is delivered there",
		    unread == 1 ? "%s: %zu mail there cannot be read, %.*s"
				: "%s: %zu mails there cannot be read, "
				  "the first is %.*s",
		    source_url(s), unread, SPAN_ARGS(mails[first].id));
	return ERR_NONE;
}

static void check_unmoved(struct doctor *d, const char *what, const struct source *s)
{
	size_t n = source_unmoved(s);

	if (n == 0)
		return;
	doctor_problem(d, what,
	               "make that folder by hand, or name another one with processed=FOLDER "
	               "behind the source; nothing is lost, and they are not read twice",
	               "%s: %zu %s been dealt with and could not be moved out "
	               "of the mailbox",
	               source_url(s), n, n == 1 ? "mail has" : "mails have");
}

/* Handled mail of which the database knows nothing. */
static enum err count_unseen(struct doctor *d, const char *url, size_t *unseen)
{
	enum { LOOKED_AT = 1000 };
	struct source *s = NULL;
	struct source_mail *mails;
	struct inbox_mail *rows;
	bool complete;
	size_t n = 0, nrows;
	enum err rc = source_open(url, &d->srv.cfg.settings, &s, &d->srv.fail);

	if (rc == ERR_NONE)
		rc = source_resume(s, SPAN_EMPTY, &d->srv.fail);
	if (rc == ERR_NONE)
		source_reread(s);
	if (rc == ERR_NONE)
		rc = source_next(s, LOOKED_AT, d->srv.arena, &mails, &n, &complete,
		                 &d->srv.fail);
	for (size_t i = 0; i < n && rc == ERR_NONE; i++) {
		if (!mails[i].handled)
			continue;
		rc = inbox_by_transport_id(d->srv.store, mails[i].id, d->srv.arena, &rows,
		                           &nrows);
		*unseen += rc == ERR_NONE && nrows == 0;
	}
	source_close(s);
	return rc;
}

/* A mail program that looks into the same folder takes new mail out of new/ before a run sees it. */
static void check_unseen(struct doctor *d, const char *what, const char *url)
{
	size_t n = 0;

	if (!is_local(url) || count_unseen(d, url, &n) != ERR_NONE || n == 0)
		return;
	doctor_problem(d, what,
	               "give molepost a mailbox of its own; `molepost run --reread` reads what "
	               "lies there",
	               n == 1 ? "%s: %zu mail lies in cur/ that no run has seen; "
	                        "another program or server reads this mailbox, or the "
	                        "database is an older copy"
	                      : "%s: %zu mails lie in cur/ that no run has seen; "
	                        "another program or server reads this mailbox, or the "
	                        "database is an older copy",
	               url, n);
}

static void check_source(struct doctor *d, const char *what, const char *url, const char *mend)
{
	struct source *s = NULL;
	size_t n;
	bool complete;
	enum err rc = source_open(url, &d->srv.cfg.settings, &s, &d->srv.fail);

	if (rc == ERR_NONE)
		rc = look_into(d, s, &n, &complete);
	const char *objection = not_writable(d, url);
	if (rc == ERR_NONE && objection)
		doctor_problem(d, what, mend, "%s", objection);
	else if (rc == ERR_NONE)
		doctor_ok(d, what, "%s: %s%zu mails waiting", url, complete ? "" : "at least ",
		          n);
	else
		doctor_problem(d, what,
		               is_local(url) ? mend
		                             : advice_for_mailbox(rc, server_why(&d->srv, rc)),
		               "%s", server_why(&d->srv, rc));
	if (rc == ERR_NONE) {
		check_unmoved(d, what, s);
		check_unseen(d, what, url);
	}
	source_close(s);
}

/* Whether two names lead to one mailbox, however they are spelt. */
static bool are_one(struct doctor *d, const char *a, const char *b)
{
	struct stat at_a, at_b;

	if (!is_local(a) || !is_local(b))
		return strcmp(a, b) == 0;
	return stat(doctor_path(d, a + strlen(maildir)), &at_a) == 0 &&
	       stat(doctor_path(d, b + strlen(maildir)), &at_b) == 0 &&
	       at_a.st_dev == at_b.st_dev && at_a.st_ino == at_b.st_ino;
}

void doctor_check_sources(struct doctor *d)
{
	const struct config *c = &d->srv.cfg;
	const char *spool = arena_printf(d->srv.arena, "maildir:%s", c->spool);
	size_t n = c->nsources;

	for (size_t i = 0; i < n + 2; i++)
		for (size_t k = 0; k < i && k <= n; k++) {
			const char *a = k < n ? c->sources[k] : spool;
			const char *b = i < n ? c->sources[i] : i == n ? spool : c->sink;

			if (are_one(d, a, b))
				doctor_problem(
				    d, i > n ? "sink" : "source",
				    i < n    ? "leave one of the two lines out"
				    : i == n ? "name another folder in the source line"
					     : "name another folder in the sink line: the "
					       "server would read what it sends",
				    "%s and %s are one mailbox", a, b);
		}
	for (size_t i = 0; i < n; i++)
		check_source(d, "source", c->sources[i],
		             "check the source line of molepost.conf and the permissions of "
		             "the mailbox");
	check_source(d, "spool", spool,
	             "make it a Maildir that the user who runs molepost may write");
}

static const char *advice_for_sink(struct doctor *d, enum err rc, const char *why)
{
	if (strstr(why, " command"))
		return advice_for_mailbox(rc, why);
	if (span_starts(span_of(d->srv.cfg.sink), "maildir:"))
		return "check the sink line of molepost.conf and that the folder is writable";
	if (rc == ERR_CONFIG || rc == ERR_NOT_FOUND)
		return "correct the sink line of molepost.conf or what it needs; see "
		       "molepost.conf(5), SENDING";
	if (rc == ERR_DENIED)
		return "check user, password and ca_file; mail is not sent where it cannot be "
		       "sent safely";
	if (rc == ERR_UNSUPPORTED)
		return "install that library";
	return "wait, or check host and port; until then the mails stay as they are";
}

/* What came of the mail that the server sends itself. */
static void check_round_trip(struct doctor *d)
{
	enum { MAY_TAKE_S = 3600 };
	struct mail_way trip;
	struct strbuf when = STRBUF_INIT;
	struct round_trip_place place = {0};

	if ((!round_trip_is_made(&d->srv.cfg) && !d->waits_for_mail) ||
	    mail_way_get(d->srv.store, d->srv.arena, &trip) != ERR_NONE || trip.sent_utc == 0)
		return;
	bool back = trip.back_utc >= trip.sent_utc;
	bool late = !back && (d->waits_for_mail || d->srv.now_utc - trip.sent_utc > MAY_TAKE_S);
	if (late && round_trip_find(&d->srv, &place) != ERR_NONE)
		place.url = NULL;
	utc_format_human(&when, back ? trip.back_utc : trip.sent_utc);
	if (place.url && !place.spam)
		doctor_ok(d, "round trip",
		          "the mail to itself of %s has come to %s; the next run takes "
		          "it in",
		          when.ptr, place.url);
	else if (place.url)
		doctor_problem(
		    d, "round trip",
		    "have the provider deliver mail for the server into the mailbox, or "
		    "name that folder with a source line of its own",
		    "the mail to itself of %s lies in %s", when.ptr, place.url);
	else if (late)
		doctor_problem(
		    d, "round trip",
		    d->srv.cfg.plus_address
			? "see molepost outbox list for whether it left, and the spam folder; a "
			  "provider that knows no addresses with a + needs plus_address = off"
			: "see molepost outbox list for whether it left, and the spam folder",
		    "the mail to itself of %s has not come back", when.ptr);
	else if (back)
		doctor_ok(d, "round trip", "a mail to itself came back %s: %.*s", when.ptr,
		          SPAN_ARGS(trip.said));
	strbuf_release(&when);
}

/*
 * What the names say of the domain that mail leaves from (RFC 5321, 7208, 7489, 7505): whether there is such a record, of
 * texts one that begins so. *refuses: it is one that takes no mail. Asked three or four times, by doctor alone.
 */
static enum dns_said ask(const char *name, ns_type type, const char *begins, bool *refuses)
{
	struct dns_answer answer;
	struct span data;
	enum dns_said said = dns_ask(name, type, &answer);

	if (said != DNS_RECORDS)
		return said;
	while (dns_next(&answer, &data)) {
		*refuses = type == ns_t_mx && data.len == 3 && data.ptr[2] == 0;
		if (!begins ||
		    (data.len > 0 && span_starts(span_slice(data, 1, data.len), begins)))
			return DNS_RECORDS;
	}
	return DNS_NO_RECORD;
}

static void check_domain(struct doctor *d)
{
	static const struct {
		const char *below, *begins, *name, *mend;
	} texts[] = {
	    {"", "v=spf1", "SPF", "\"v=spf1 ...\" as your mail provider gives it"},
	    {"_dmarc.", "v=DMARC1", "DMARC", "\"v=DMARC1; p=none\" to begin with"},
	};
	const char *domain = strrchr(d->srv.cfg.address, '@') + 1;
	struct arena *a = d->srv.arena;
	struct strbuf has = STRBUF_INIT;
	bool refuses = false;

	/* A name within this machine or house; and one whose mail somebody else sends. */
	if (!strchr(domain, '.') || *domain == '[' || strstr(domain, "localhost") ||
	    span_starts(span_of(d->srv.cfg.sink), "maildir:"))
		return;
	enum dns_said mx = ask(domain, ns_t_mx, NULL, &refuses);
	if (mx == DNS_NO_RECORD && (mx = ask(domain, ns_t_a, NULL, &refuses)) == DNS_NO_RECORD)
		mx = ask(domain, ns_t_aaaa, NULL, &refuses);
	if (mx == DNS_NO_ANSWER)
		doctor_remark(d, "domain", "nothing, if this machine has no server of names",
		              "%s could not be asked about", domain);
	else if (mx == DNS_NO_DOMAIN)
		doctor_problem(d, "domain", "check the address line of molepost.conf",
		               "there is no domain %s", domain);
	else if (mx != DNS_RECORDS || refuses)
		doctor_problem(d, "domain",
		               "give it an MX record with the server that takes its mail",
		               "%s takes no mail: no reply arrives", domain);
	else
		strbuf_adds(&has, "MX");
	bool answers = mx != DNS_NO_ANSWER && mx != DNS_NO_DOMAIN;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]) && answers; i++) {
		const char *name = arena_printf(a, "%s%s", texts[i].below, domain);

		if (ask(name, ns_t_txt, texts[i].begins, &refuses) == DNS_RECORDS)
			strbuf_addf(&has, "%s%s", has.len > 0 ? ", " : "", texts[i].name);
		else
			doctor_remark(
			    d, "domain",
			    arena_printf(a, "a TXT record at %s, %s", name, texts[i].mend),
			    "%s has no %s record: others may take its mail for spam", domain,
			    texts[i].name);
	}
	if (has.len > 0)
		doctor_ok(d, "domain", "%s has %s", domain, has.ptr);
	strbuf_release(&has);
}

/* Connects and logs in where the sink is a server; nothing is sent. */
void doctor_check_sink(struct doctor *d)
{
	struct sink *s = NULL;
	enum err rc = sink_open(d->srv.cfg.sink, &d->srv.cfg.settings, &s, &d->srv.fail);

	if (rc == ERR_NONE)
		rc = sink_ready(s, &d->srv.fail);
	const char *objection = rc == ERR_NONE ? not_writable(d, d->srv.cfg.sink)
	                                       : server_why(&d->srv, rc);
	struct mail_way way = {0};
	if (!objection && mail_way_get(d->srv.store, d->srv.arena, &way) == ERR_NONE &&
	    way.sender == SENDER_FIXED)
		doctor_remark(
		    d, "sink", "write sender = fixed into molepost.conf, or have it take them",
		    "the mail server takes no mail from addresses with a + in them; all "
		    "leave from the server's own, so mail that comes back is matched "
		    "less exactly");
	if (!objection)
		doctor_ok(d, "sink", "%s", d->srv.cfg.sink);
	else
		doctor_problem(d, "sink", advice_for_sink(d, rc, objection), "%s", objection);
	sink_close(s);
	check_domain(d);
	check_round_trip(d);
}

static const struct {
	enum cell_wall wall;
	const char *keeps_out, *mend;
} walls[] = {
    {CELL_PRIVILEGES, "new rights", "a Linux of 3.5 or later"},
    {CELL_FILES, "files", "a Linux of 5.13 or later, with Landlock switched on"},
    {CELL_NETWORK, "the network", "a Linux of 6.7 or later, with Landlock switched on"},
    {CELL_PROCESSES, "other processes", "a Linux of 6.12 or later, with Landlock switched on"},
    {CELL_CALLS, "system calls not on a list", "apt install libseccomp2"},
};

/* A sample is read, since only a child can say what stands around it. */
void doctor_check_walls(struct doctor *d)
{
	struct parser *p = parser_new(NULL, &parser_default_limits);
	const struct span sample = SPAN_LIT("From: doctor@localhost\n\nping\n");
	struct strbuf standing = STRBUF_INIT;
	struct mail_in out;
	enum err rc = parser_batch(p, &sample, 1, d->srv.arena, &out, &d->srv.fail);
	unsigned there = parser_walls(p);

	parser_free(p);
	if (rc != ERR_NONE) {
		doctor_problem(d, "reading mail", "what stands above says what is missing",
		               "%s", server_why(&d->srv, rc));
		return;
	}
	for (size_t i = 0; i < sizeof(walls) / sizeof(walls[0]); i++) {
		if (there & walls[i].wall)
			strbuf_addf(&standing, ", %s", walls[i].keeps_out);
		else
			doctor_remark(d, "walls", walls[i].mend,
			              "the process that parses mail is not kept from "
			              "%s by the wall made for that",
			              walls[i].keeps_out);
	}
	if (standing.len > 0)
		doctor_ok(d, "walls", "the process that parses mail is kept from%s",
		          standing.ptr + 1);
	strbuf_release(&standing);
}

/* Whether the border server takes forged results out can only be seen from outside. */
void doctor_check_authentication(struct doctor *d)
{
	static const char *const levels[] = {[AUTHENTICATION_IGNORE] = "ignored",
	                                     [AUTHENTICATION_WARN] = "lead to a remark",
	                                     [AUTHENTICATION_REQUIRE] = "are required"};
	const struct config *c = &d->srv.cfg;

	doctor_ok(
	    d, "known senders", "%s",
	    c->known_senders == KNOWN_ACCEPT
		? "a known From address is enough for orders"
		: "orders without reply address or answered mail wait for the player's yes");
	if (!c->authserv_id && c->known_senders == KNOWN_ACCEPT &&
	    c->unknown_senders == UNKNOWN_ACCEPT)
		doctor_remark(d, "known senders",
		              "nothing, if only people you trust can; else set "
		              "known_senders = confirm and unknown_senders = confirm, or "
		              "authserv_id",
		              "every From address is believed: whoever can get mail into the "
		              "mailbox writes in anybody's name");
	if (!c->authserv_id)
		return;
	doctor_ok(d, "authentication", "results of %s %s", c->authserv_id,
	          levels[c->authentication]);
	const char *const how[] = {
	    "to see whether that server takes forged results out, send",
	    arena_printf(d->srv.arena, "%s from elsewhere a mail with, three times over,",
	                 c->address),
	    arena_printf(d->srv.arena, "  Authentication-Results: %s; %s=pass", c->authserv_id,
	                 AUTH_TEST_METHOD),
	    "and ask after the next run: molepost why MESSAGE-ID",
	    arena_printf(d->srv.arena, "\"%s\" there means that it does", AUTH_TEST_SEEN),
	    "not: then set authentication = ignore"};
	for (size_t i = 0; i < sizeof(how) / sizeof(how[0]); i++)
		doctor_more(d, how[i]);
}
