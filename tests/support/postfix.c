/*
 * postfix.c - configuration written, certificates made, master started and stopped.
 */
#define _GNU_SOURCE /* accept4, pipe2, closefrom */
#include "tests/support/postfix.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/subprocess.h"
#include "tests/support/dovecot.h"
#include "tests/support/ports.h"
#include "tests/support/scratch.h"

static const char master_program[] = "/usr/lib/postfix/sbin/master";
enum { COMMAND_MS = 120 * 1000, PATIENCE_MS = 120 * 1000, LOOK_MS = 20, NOBODY = 65534 };
enum { MOST_TRIES = 10 };

struct postfix {
	char *dir, *conf, *ca;
	const struct dovecot *dovecot; /* NULL: none */
	unsigned ports[POSTFIX_DOORS];
	pid_t guard;
	int leash; /* closed, it ends Postfix */
};

static void wait_ms(unsigned ms)
{
	struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};

	nanosleep(&t, NULL);
}

const char *postfix_is_missing(void)
{
	if (geteuid() != 0)
		return "Postfix can be started by root only";
	if (access(master_program, X_OK) != 0 || access("/usr/sbin/postfix", X_OK) != 0)
		return "Postfix is not installed";
	if (access("/usr/bin/openssl", X_OK) != 0)
		return "openssl is not installed";
	return getpwnam("postfix") ? NULL : "there is no user postfix";
}

/* A shell line in the folder; it must work. */
static void shell(const struct postfix *p, const char *line)
{
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	struct failure e = ERR_INIT;
	int code = 0;

	strbuf_addf(&text, "cd '%s' && { %s; } 2>&1", p->dir, line);
	const char *const argv[] = {"/bin/sh", "-c", text.ptr, NULL};
	if (subprocess_run(argv, SPAN_EMPTY, 1 << 16, COMMAND_MS, &out, &code, &e) !=
	        ERR_NONE ||
	    code != 0)
		BUG("%s: %s%s", line, e.text.ptr, out.ptr);
	strbuf_release(&text);
	strbuf_release(&out);
	err_release(&e);
}

static void write_text(const struct postfix *p, const char *name, struct strbuf *text)
{
	char *path = scratch_path(p->dir, name);

	ENSURE(file_create(path, strbuf_span(text), NULL) == ERR_NONE &&
	       chmod(path, 0644) == 0);
	free(path);
	strbuf_clear(text);
}

/* ------------------------------------------------------------------ setting up */

static void make_certificates(const struct postfix *p)
{
	shell(p, "new='openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes' && "
	         "sign='openssl x509 -req -CA ca.pem -CAkey ca.key -CAcreateserial' && "
	         "printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\\n' >here && "
	         "printf 'subjectAltName=DNS:mail.example.com,IP:192.0.2.1\\n' >there && "
	         "$new -x509 -keyout ca.key -out ca.pem -subj /CN=authority -days 30 && "
	         "$new -keyout key.pem -out ask.pem -subj /CN=localhost && "
	         "$sign -in ask.pem -days 30 -extfile here -out good.pem && "
	         "$sign -in ask.pem -days 30 -extfile there -out other.pem && "
	         "$sign -in ask.pem -days -1 -extfile here -out expired.pem && "
	         "openssl req -x509 -key key.pem -out self.pem -subj /CN=localhost -days 30 "
	         "-addext subjectAltName=DNS:localhost,IP:127.0.0.1");
}

static void write_main(const struct postfix *p, unsigned policy_port)
{
	static const char *const people[] = {"ann", "bob", "cy", "moles"};
	const char *folder = p->dovecot ? "/Maildir/" : "/";
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text,
	            "compatibility_level = 3.6\nqueue_directory = %s/queue\n"
	            "data_directory = %s/data\nmaillog_file = %s/data/log\n"
	            "maillog_file_prefixes = %s\nvirtual_mailbox_base = %s%s\n"
	            "smtpd_tls_key_file = %s/key.pem\n",
	            p->dir, p->dir, p->dir, p->dir, p->dovecot ? p->dovecot->dir : p->dir,
	            p->dovecot ? "" : "/mail", p->dir);
	if (p->dovecot)
		strbuf_addf(&text, "smtpd_sasl_type = dovecot\nsmtpd_sasl_path = %s\n",
		            p->dovecot->sasl);
	strbuf_addf(&text,
	            "with_login = %s\nwith_login_recipients =", p->dovecot ? "yes" : "no");
	if (policy_port)
		strbuf_addf(&text,
		            " check_recipient_access inline:{cy@example.net=greylisted}\n"
		            "smtpd_restriction_classes = greylisted\n"
		            "greylisted = check_policy_service inet:127.0.0.1:%u",
		            policy_port);
	strbuf_addf(&text,
	            "\nforward_path = %s/forward\nlocal_recipient_maps =\n"
	            "virtual_alias_maps = inline:{fwd@example.org=nobody@home.example}\n",
	            p->dir);
	strbuf_addf(
	    &text,
	    "command_directory = /usr/sbin\ndaemon_directory = /usr/lib/postfix/sbin\n"
	    "mail_owner = postfix\nsetgid_group = postdrop\n"
	    "myhostname = mail.example.org\nmydestination = home.example\nalias_maps =\n"
	    "alias_database =\ninet_interfaces = 127.0.0.1\ninet_protocols = ipv4\n"
	    "smtpd_banner = $myhostname ESMTP $queue_directory\n"
	    "recipient_delimiter = +\ndefault_transport = error\n"
	    "virtual_mailbox_domains = example.net, example.org\n"
	    "virtual_uid_maps = static:%d\nvirtual_gid_maps = static:%d\n"
	    "smtpd_tls_session_cache_database =\nsmtpd_tls_security_level = may\n"
	    "smtpd_client_connection_count_limit = 0\nsmtpd_error_sleep_time = 0\n"
	    "virtual_mailbox_maps = inline:{",
	    NOBODY, NOBODY);
	for (size_t i = 0; i < sizeof(people) / sizeof(people[0]); i++)
		strbuf_addf(&text, "%s%s@example.net=%s%s, %s@example.org=%s%s", i ? ", " : "",
		            people[i], people[i], folder, people[i], people[i], folder);
	strbuf_adds(&text, "}\n");
	write_text(p, "conf/main.cf", &text);
	strbuf_release(&text);
}

/* The doors with a login; what stands behind $ is in main.cf. */
#define LOGIN                                                              \
	"\n -o smtpd_client_restrictions=permit_sasl_authenticated,reject" \
	"\n -o smtpd_sasl_auth_enable=$with_login"                         \
	"\n -o smtpd_recipient_restrictions=$with_login_recipients"

static void write_master(const struct postfix *p, unsigned policy_port)
{
	static const char *const doors[] = {
	    [POSTFIX_PLAIN] = "smtpd_tls_security_level=none",
	    [POSTFIX_STARTTLS] = "smtpd_tls_cert_file=%s/good.pem",
	    [POSTFIX_SMTPS] = "smtpd_tls_cert_file=%s/good.pem\n -o smtpd_tls_wrappermode=yes",
	    [POSTFIX_SELF] = "smtpd_tls_cert_file=%s/self.pem",
	    [POSTFIX_OTHER] = "smtpd_tls_cert_file=%s/other.pem",
	    [POSTFIX_EXPIRED] = "smtpd_tls_cert_file=%s/expired.pem",
	    [POSTFIX_GREY] = ("smtpd_tls_security_level=none\n -o smtpd_recipient_restrictions="
	                      "check_policy_service,inet:127.0.0.1:%u"),
	    [POSTFIX_SUBMIT] =
		"smtpd_tls_cert_file=%s/good.pem\n -o smtpd_tls_auth_only=yes" LOGIN,
	    [POSTFIX_SUBMITS] =
		"smtpd_tls_cert_file=%s/good.pem\n -o smtpd_tls_wrappermode=yes" LOGIN,
	};
	static const char others[] =
	    "pickup unix n - n 1 1 pickup\ncleanup unix n - n - 0 cleanup\n"
	    "qmgr unix n - n 300 1 qmgr\nrewrite unix - - n - - trivial-rewrite\n"
	    "bounce unix - - n - 0 bounce\ndefer unix - - n - 0 bounce\n"
	    "trace unix - - n - 0 bounce\nerror unix - - n - - error\n"
	    "retry unix - - n - - error\nvirtual unix - n n - - virtual\n"
	    "local unix - n n - - local\n"
	    "proxymap unix - - n - - proxymap\ntlsmgr unix - - n 1000? 1 tlsmgr\n"
	    "anvil unix - - n - 1 anvil\nshowq unix n - n - - showq\n"
	    "postlog unix-dgram n - n - 1 postlogd\n";
	struct strbuf text = STRBUF_INIT;

	for (int i = 0; i < POSTFIX_DOORS; i++) {
		const char *at = strstr(doors[i], "%s"), *port = strstr(doors[i], "%u");
		const char *mark = at ? at : port;

		strbuf_addf(&text, "127.0.0.1:%u inet n - n - - smtpd\n -o %.*s", p->ports[i],
		            (int)(mark ? mark - doors[i] : (long)strlen(doors[i])), doors[i]);
		if (at)
			strbuf_addf(&text, "%s%s", p->dir, at + 2);
		if (port)
			strbuf_addf(&text, "%u", policy_port);
		strbuf_addc(&text, '\n');
	}
	strbuf_adds(&text, others);
	write_text(p, "conf/master.cf", &text);
	strbuf_release(&text);
}

static void make_folders(const struct postfix *p)
{
	shell(p, "chmod 755 . && mkdir conf queue data mail && chown postfix data && "
	         "chown nobody mail && chmod 755 conf queue data mail");
}

/* ------------------------------------------------------------------ running */

static pid_t spawn_master(const struct postfix *p)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	execl(master_program, master_program, "-c", p->conf, "-s", (char *)NULL);
	_exit(1);
}

/*
 * Between the test and Postfix stands a process that waits for the end of either, whichever way
 * it comes: with the test the other end of its pipe is gone. It keeps no other descriptor of the test,
 * or those who read its output would wait for Postfix.
 */
static void guard(const struct postfix *p, int end)
{
	struct pollfd leash = {.fd = STDIN_FILENO, .events = POLLIN};
	pid_t master, ended;

	if (dup2(end, STDIN_FILENO) < 0 || !freopen("/dev/null", "w", stdout) ||
	    !freopen("/dev/null", "w", stderr))
		_exit(1);
	closefrom(STDERR_FILENO + 1);
	master = spawn_master(p);
	while ((ended = waitpid(master, NULL, WNOHANG)) == 0 && poll(&leash, 1, LOOK_MS) <= 0)
		;
	if (ended == 0 && master > 0)
		kill(master, SIGTERM);
	while (ended == 0 && waitpid(master, NULL, 0) < 0 && errno == EINTR)
		;
	_exit(0);
}

static void start_master(struct postfix *p)
{
	int ends[2];

	ENSURE(pipe2(ends, O_CLOEXEC) == 0);
	p->guard = fork();
	ENSURE(p->guard >= 0);
	if (p->guard == 0)
		guard(p, ends[0]);
	close(ends[0]);
	p->leash = ends[1];
}

static void end_guard(const struct postfix *p)
{
	close(p->leash);
	while (waitpid(p->guard, NULL, 0) < 0 && errno == EINTR)
		;
}

/* False: it ended, since somebody else was faster with one of its ports. */
static bool answers(const struct postfix *p)
{
	for (unsigned ms = 0; ms < PATIENCE_MS; ms += LOOK_MS) {
		if (port_greets(p->ports[POSTFIX_GREY], p->dir, PATIENCE_MS))
			return true;
		if (waitpid(p->guard, NULL, WNOHANG) != 0) {
			close(p->leash);
			return false;
		}
		wait_ms(LOOK_MS);
	}
	end_guard(p);
	return false;
}

/* With ports of its own. */
static bool set_up(struct postfix *p, unsigned policy_port)
{
	ports_find(p->ports, POSTFIX_DOORS);
	shell(p, "rm -f conf/main.cf conf/master.cf");
	write_main(p, policy_port);
	write_master(p, policy_port);
	shell(p, "postfix -c \"$PWD/conf\" check");
	start_master(p);
	return answers(p);
}

struct postfix *postfix_new(unsigned policy_port)
{
	return postfix_new_beside(NULL, policy_port);
}

struct postfix *postfix_new_beside(const struct dovecot *d, unsigned policy_port)
{
	struct postfix *p = xcalloc(1, sizeof(*p));

	p->dovecot = d;
	p->dir = scratch_new();
	p->conf = scratch_path(p->dir, "conf");
	p->ca = scratch_path(p->dir, "ca.pem");
	make_folders(p);
	make_certificates(p);
	for (int i = 0; i < MOST_TRIES; i++)
		if (set_up(p, policy_port))
			return p;
	shell(p, "cat data/log; false");
	return NULL;
}

void postfix_free(struct postfix *p)
{
	end_guard(p);
	scratch_remove(p->dir);
	free(p->conf);
	free(p->ca);
	free(p);
}

void postfix_say(struct postfix *p, const char *line)
{
	struct strbuf command = STRBUF_INIT;

	strbuf_addf(&command, "postconf -c \"$PWD/conf\" -e '%s'", line);
	shell(p, command.ptr);
	strbuf_release(&command);
	end_guard(p);
	start_master(p);
	if (!answers(p))
		BUG("Postfix does not start again, see %s/data/log", p->dir);
}

unsigned postfix_port(const struct postfix *p, enum postfix_door door)
{
	return p->ports[door];
}

const char *postfix_ca_file(const struct postfix *p)
{
	return p->ca;
}

const char *postfix_config(const struct postfix *p)
{
	return p->conf;
}

void postfix_forward(const struct postfix *p, const char *line)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "%s\n", line);
	write_text(p, "forward", &text);
	strbuf_release(&text);
}

const char *postfix_maildir(const struct postfix *p, const char *who, char **keep)
{
	struct strbuf path = STRBUF_INIT;

	if (p->dovecot)
		strbuf_addf(&path, "%s/%s/Maildir", p->dovecot->dir, who);
	else
		strbuf_addf(&path, "%s/mail/%s", p->dir, who);
	*keep = strbuf_detach(&path);
	return *keep;
}

static size_t count_new(const char *maildir)
{
	char *path = scratch_path(maildir, "new");
	DIR *dir = opendir(path);
	struct dirent *entry;
	size_t n = 0;

	while (dir && (entry = readdir(dir)) != NULL)
		n += entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	free(path);
	return n;
}

size_t postfix_count_mails(const struct postfix *p, const char *who)
{
	char *keep;
	size_t n = count_new(postfix_maildir(p, who, &keep));

	free(keep);
	return n;
}

size_t postfix_wait_mails(const struct postfix *p, const char *who, size_t n)
{
	size_t there = postfix_count_mails(p, who);

	for (unsigned ms = 0; ms < PATIENCE_MS && there < n; ms += LOOK_MS) {
		wait_ms(LOOK_MS);
		there = postfix_count_mails(p, who);
	}
	return there;
}

void postfix_wait_queue(const struct postfix *p)
{
	shell(p, "for i in $(seq 400); do test -z \"$(find queue/incoming queue/active "
	         "queue/maildrop queue/deferred -type f)\" && exit 0; sleep 0.05; done; false");
}

void postfix_wait_kept(const struct postfix *p)
{
	shell(p,
	      "for i in $(seq 400); do test -n \"$(find queue/deferred -type f)\" && exit 0; "
	      "sleep 0.05; done; false");
}

void postfix_flush(const struct postfix *p)
{
	shell(p, "postqueue -c \"$PWD/conf\" -f");
}

/* ------------------------------------------------------------------ greylisting */

enum { KNOWN_MAX = 64, CLIENTS_MAX = 64 };

struct greylist {
	int fd;
	unsigned port;
	pthread_t thread;
	char *known[KNOWN_MAX];
	size_t nknown;
};

static bool is_known(struct greylist *g, const char *who)
{
	for (size_t i = 0; i < g->nknown; i++)
		if (strcmp(g->known[i], who) == 0)
			return true;
	ENSURE(g->nknown < KNOWN_MAX);
	g->known[g->nknown++] = xstrdup(who);
	return false;
}

/* One request, lines "name=value" up to an empty one (SMTPD_POLICY_README); false: the client has gone. */
static bool answer_policy(struct greylist *g, FILE *client)
{
	char line[1024], who[1024] = "";

	while (fgets(line, sizeof(line), client)) {
		if (strncmp(line, "recipient=", 10) == 0)
			(void)snprintf(who, sizeof(who), "%s", line + 10);
		if (line[0] == '\n')
			return fputs(is_known(g, who)
			                 ? "action=permit\n\n"
			                 : "action=defer 4.7.1 Greylisted, come back\n\n",
			             client) >= 0 &&
			       fflush(client) == 0;
	}
	return false;
}

/* Postfix may have several processes that ask, and each keeps its connection: whoever is not answered
 * waits for 100 s (smtpd_policy_service_timeout). Ends when the listening socket is shut down. */
static void *serve_policy(void *arg)
{
	struct greylist *g = arg;
	struct pollfd fds[1 + CLIENTS_MAX] = {{.fd = g->fd, .events = POLLIN}};
	FILE *clients[CLIENTS_MAX];
	size_t n = 0;

	while (poll(fds, 1 + n, -1) > 0) {
		for (size_t i = n; i > 0; i--) {
			if (!fds[i].revents || answer_policy(g, clients[i - 1]))
				continue;
			(void)fclose(clients[i - 1]);
			n--;
			clients[i - 1] = clients[n];
			fds[i] = fds[1 + n];
		}
		if (!fds[0].revents)
			continue;
		ENSURE(n < CLIENTS_MAX);
		fds[1 + n] = (struct pollfd){.fd = accept4(g->fd, NULL, NULL, SOCK_CLOEXEC),
		                             .events = POLLIN};
		if (fds[1 + n].fd < 0)
			break;
		clients[n] = fdopen(fds[1 + n].fd, "r+");
		ENSURE(clients[n] != NULL);
		n++;
	}
	while (n > 0)
		(void)fclose(clients[--n]);
	return NULL;
}

static int bind_any(unsigned *port)
{
	struct sockaddr_in a = {.sin_family = AF_INET,
	                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;

	ENSURE(fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) == 0);
	ENSURE(bind(fd, (struct sockaddr *)&a, sizeof(a)) == 0);
	ENSURE(getsockname(fd, (struct sockaddr *)&a, &len) == 0);
	*port = ntohs(a.sin_port);
	return fd;
}

struct greylist *greylist_new(void)
{
	struct greylist *g = xcalloc(1, sizeof(*g));

	g->fd = bind_any(&g->port);
	ENSURE(listen(g->fd, 8) == 0);
	ENSURE(pthread_create(&g->thread, NULL, serve_policy, g) == 0);
	return g;
}

unsigned greylist_port(const struct greylist *g)
{
	return g->port;
}

void greylist_free(struct greylist *g)
{
	shutdown(g->fd, SHUT_RDWR);
	pthread_join(g->thread, NULL);
	close(g->fd);
	for (size_t i = 0; i < g->nknown; i++)
		free(g->known[i]);
	free(g);
}
