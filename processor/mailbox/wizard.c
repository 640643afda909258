/*
 * wizard.c - questions, the lines that follow from the answers, and whether they work.
 */
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/base/seal.h"
#include "processor/mailbox/mailbox.h"
#include "processor/outgoing/outgoing.h"
#include "processor/outgoing/round_trip.h"
#include "processor/server/server.h"

enum { LINE_MAX_BYTES = 4096, WAIT_S = 30 };

/* One line, "" at the end of the answers; what is typed as a secret is not shown. */
static const char *ask(struct mailbox *m, const char *question, bool is_secret)
{
	int fd = fileno(m->in);
	struct termios before, silent;
	bool quiet = is_secret && isatty(fd) == 1 && tcgetattr(fd, &before) == 0;
	char line[LINE_MAX_BYTES];

	fprintf(m->out, "%s: ", question);
	fflush(m->out);
	if (quiet) {
		silent = before;
		silent.c_lflag &= ~(tcflag_t)ECHO;
		(void)tcsetattr(fd, TCSANOW, &silent);
	}
	bool got = fgets(line, sizeof(line), m->in) != NULL;
	if (quiet)
		(void)tcsetattr(fd, TCSANOW, &before);
	if (quiet || isatty(fd) != 1)
		fputc('\n', m->out);
	struct span said = got ? span_trim(span_of(line)) : SPAN_EMPTY;
	if (!is_secret)
		return arena_cstr(m->arena, said);
	strbuf_grow(&m->secret, LINE_MAX_BYTES);
	strbuf_add_span(&m->secret, said);
	explicit_bzero(line, sizeof(line));
	return m->secret.ptr;
}

/* "mail.example.org", or with a port behind it. */
static void ask_server(struct mailbox *m, const char *question, const char *scheme,
                       uint64_t port, struct mail_server *s)
{
	if (s->scheme)
		return;
	struct span said = span_of(ask(m, question, false));
	size_t colon = span_find_char(said, ':');
	if (colon == said.len ||
	    num_parse_u64(span_slice(said, colon + 1, said.len), UINT16_MAX, &port))
		(void)mail_server_set(s, scheme, span_slice(said, 0, colon), port);
}

/* "imaps://moles@example.org@imap.example.org:993" */
static void add_url(struct strbuf *conf, const char *key, const struct mailbox *m,
                    const struct mail_server *s)
{
	struct span user = span_of(m->address);

	if (s->user_is_local)
		user = span_slice(user, 0, span_find_char(user, '@'));
	strbuf_addf(conf, "%s = %s://%.*s@%s:%u\n", key, s->scheme, SPAN_ARGS(user), s->host,
	            (unsigned)s->port);
}

static void drop_lines(struct strbuf *conf)
{
	struct strbuf kept = STRBUF_INIT;
	struct span rest = strbuf_span(conf), line;

	while (span_next_line(&rest, &line))
		if (!span_starts(line, "source = ") && !span_starts(line, "sink = "))
			strbuf_addf(&kept, "%.*s\n", SPAN_ARGS(line));
	strbuf_swap(conf, &kept);
	strbuf_release(&kept);
}

enum err mailbox_ask(struct mailbox *m, struct strbuf *conf, struct failure *e)
{
	struct span address = span_of(m->address);
	struct span domain = span_slice(address, span_find_char(address, '@') + 1, address.len);
	const struct mailbox_provider *p = mailbox_provider_of(domain);
	const char *way = "the table of providers", *client = "";
	struct mail_servers found = {0};

	if (p) {
		(void)mail_server_set(&found.in, "imaps", span_of(p->imap), 993);
		(void)mail_server_set(&found.out, p->out_scheme, span_of(p->out), p->out_port);
	} else
		mailbox_find_servers(m, domain, &found, &way);
	if (found.in.scheme && found.out.scheme)
		fprintf(m->out,
		        "Mail is read at %s port %u and sent through %s port %u (%s).\n",
		        found.in.host, (unsigned)found.in.port, found.out.host,
		        (unsigned)found.out.port, way);
	ask_server(m, "Which server is mail read from (IMAP with TLS, port 993)", "imaps", 993,
	           &found.in);
	ask_server(m, "Which server is it sent through (SMTP with TLS, port 465)", "smtps", 465,
	           &found.out);
	if (!found.in.scheme || !found.out.scheme)
		return err_set(e, ERR_INVALID, "no servers are known for %s", m->address);
	if (!m->authority && p)
		m->authority = p->authority;
	m->in_browser = m->authority != NULL;
	if (m->in_browser)
		client = ask(
		    m,
		    "Client id that the authority has given this server (molepost.conf(5), LOGINS IN A BROWSER)",
		    false);
	else
		(void)ask(m,
		          p ? arena_printf(m->arena, "Password (%s)", p->password) : "Password",
		          true);
	if (m->in_browser ? *client == '\0' : m->secret.len == 0)
		return err_set(e, ERR_INVALID, "without %s there is no mailbox",
		               m->in_browser ? "a client id" : "a password");
	drop_lines(conf);
	strbuf_addf(conf,
	            "\n# The mailbox, by molepost init --mailbox; the servers are from %s.\n",
	            way);
	add_url(conf, "source", m, &found.in);
	add_url(conf, "sink", m, &found.out);
	if (m->in_browser)
		strbuf_addf(conf, "oauth = %s %s\ntoken = oauth:oauth-token\n", m->authority,
		            client);
	else
		strbuf_adds(conf, "password = file:password\n");
	if (m->ca_file)
		strbuf_addf(conf, "ca_file = %s\n", m->ca_file);
	if (p && !p->plus)
		strbuf_adds(conf, "plus_address = off\n");
	return ERR_NONE;
}

/*
 * What a configuration may have to say of the way that mails take, each tried if nothing
 * before it works.
 */
static const struct attempt {
	const char *line, *why;
	bool fixed_sender, no_plus;
} attempts[] = {
    {.line = NULL},
    {"sender = fixed", "The server takes no sender but the address itself",
     .fixed_sender = true},
    {"plus_address = off", "The mail to an address with a + has not come", .no_plus = true},
};

/* One mail to itself. *refused: as round_trip_try. */
static enum err send_and_find(struct mailbox *m, const char *dir, struct log *log,
                              const struct attempt *how, bool *refused, bool *there,
                              struct failure *e)
{
	struct server srv = {0};
	struct round_trip_place place = {0};
	enum err r = server_open(dir, STORE_READ_WRITE, false, outgoing_words, log, &srv);

	srv.cfg.fixed_sender = srv.cfg.fixed_sender || how->fixed_sender;
	srv.cfg.plus_address = srv.cfg.plus_address && !how->no_plus;
	if (r == ERR_NONE)
		r = round_trip_try(&srv, WAIT_S, &place, refused);
	*there = place.url != NULL;
	if (place.url)
		fprintf(
		    m->out, "A mail to itself has come to %s; %s%s.\n%s", place.url,
		    srv.cfg.plus_address ? "addresses with a + work, " : "", place.sender,
		    place.spam
			? "That is a folder for spam: have the provider let mail for the server through.\n"
			: "");
	if (r != ERR_NONE)
		err_set(e, r, "%s", server_why(&srv, r));
	server_close(&srv);
	return r;
}

enum err mailbox_try(struct mailbox *m, const char *dir, struct log *log, struct failure *e)
{
	const char *conf = arena_printf(m->arena, "%s/molepost.conf", dir);
	bool there = false, refused = false;
	struct config cfg = {0};
	enum err r = ERR_NONE;

	if (!m->in_browser)
		r = file_create(arena_printf(m->arena, "%s/password", dir),
		                strbuf_span(&m->secret), e);
	if (r == ERR_NONE)
		r = config_load(dir, m->arena, &cfg, e);
	if (r == ERR_NONE && m->in_browser)
		r = mailbox_login(&cfg, m->out, e);
	for (size_t i = 0;
	     i < sizeof(attempts) / sizeof(attempts[0]) && (r == ERR_NONE || refused) && !there;
	     i++) {
		const struct attempt *f = &attempts[i];

		/*
		 * What was taken had no sender that is not wanted; and without a + there is
		 * only one.
		 */
		if (f->line && (!cfg.plus_address || (f->fixed_sender && !refused)))
			continue;
		err_release(e);
		if (f->line)
			(void)sleep(1); /* by which the mails have different names */
		r = send_and_find(m, dir, log, f, &refused, &there, e);
		if (r != ERR_NONE || !there || !f->line)
			continue;
		FILE *file = fopen(conf, "a");
		bool ok = file && fprintf(file, "%s\n", f->line) > 0;

		if ((file && fclose(file) != 0) || !ok)
			r = err_set_errno(e, ERR_IO, "cannot write molepost.conf");
		else
			fprintf(m->out, "%s, so molepost.conf says %s.\n", f->why, f->line);
	}
	if (r == ERR_NONE && !there)
		r = err_set(
		    e, ERR_TIMEOUT,
		    "the mail to itself was sent and has not come within %d seconds; molepost doctor --mail looks again",
		    WAIT_S);
	return r;
}
