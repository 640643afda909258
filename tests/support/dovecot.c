/*
 * dovecot.c - starting and ending a mail server for a test, and looking into its mailboxes.
 */
#include "tests/support/dovecot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processor/base/clock.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/subprocess.h"
#include "tests/support/ports.h"
#include "tests/support/scratch.h"
#include "tests/support/testbed_parts.h"

enum { START_MS = 60 * 1000, SHELL_MS = 120 * 1000 };

static const char dovecot_program[] = "/usr/sbin/dovecot";
static const char *const people[] = {"moles", "ann", "bob", "cy"};

bool dovecot_is_installed(void)
{
	return access(dovecot_program, X_OK) == 0 &&
	       access("/usr/lib/dovecot/imap", X_OK) == 0 &&
	       access("/usr/lib/dovecot/pop3", X_OK) == 0 &&
	       access("/usr/bin/openssl", X_OK) == 0;
}

/* ---- who it runs as ---- */

struct owner {
	uid_t uid;
	gid_t gid;
	const char *user, *group;
};

static struct owner owner_of_server(void)
{
	const struct passwd *p = geteuid() == 0 ? getpwnam("nobody") : getpwuid(geteuid());
	const struct group *g;
	struct owner o;

	ENSURE(p);
	o = (struct owner){.uid = p->pw_uid, .gid = p->pw_gid, .user = xstrdup(p->pw_name)};
	g = getgrgid(o.gid);
	ENSURE(g);
	o.group = xstrdup(g->gr_name);
	return o;
}

/* In the folder of the server; $1 and so on are `a` and `b`. */
static void shell(const struct dovecot *d, const char *script, const char *a, const char *b)
{
	struct strbuf out = STRBUF_INIT, line = STRBUF_INIT;
	struct failure e = ERR_INIT;
	int code = 0;

	strbuf_addf(&line, "cd \"$0\"; exec 2>&1; %s", script);
	const char *const argv[] = {"/bin/sh", "-ec", line.ptr, d->dir, a, b, NULL};
	if (subprocess_run(argv, SPAN_EMPTY, 65536, SHELL_MS, &out, &code, &e) != ERR_NONE ||
	    code != 0)
		BUG("%s: %d %s %s", script, code, e.text.ptr, out.ptr);
	strbuf_release(&out);
	strbuf_release(&line);
	err_release(&e);
}

/* ---- its files ---- */

/* $1: name of the host; $2: how long the certificate is good, in days. */
static const char make_certificates[] =
    "k='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'\n"
    "openssl req -x509 $k -keyout ca.key -out ca.pem -days 2 -subj '/CN=authority'\n"
    "echo \"subjectAltName=DNS:$1,DNS:autoconfig.example.org\" >names\n"
    "openssl req -new $k -keyout key.pem -out request -subj \"/CN=$1\"\n"
    "openssl x509 -req -in request -CA ca.pem -CAkey ca.key -CAcreateserial -days \"$2\" "
    "-extfile names -out cert.pem\n";

static const char make_self_signed[] =
    "k='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'\n"
    "openssl req -x509 $k -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost "
    "-addext subjectAltName=DNS:localhost\n";

static void make_all_certificates(const struct dovecot *d, enum dovecot_certificate kind)
{
	shell(d, make_certificates,
	      kind == CERTIFICATE_OTHER_HOST ? "mail.example" : "localhost",
	      kind == CERTIFICATE_EXPIRED ? "-1" : "2");
	if (kind == CERTIFICATE_SELF_SIGNED)
		shell(d, make_self_signed, "", "");
}

/* A token as an authority would sign it, and the key by which Dovecot checks it. */
static const char make_token[] =
    "mkdir -p keys/default/HS256\n"
    "printf 'a key of the test' | base64 >keys/default/HS256/default\n"
    "printf 'introspection_mode = local\nusername_attribute = sub\n' >oauth2.conf\n"
    "printf 'local_validation_key_dict = fs:posix:prefix=%s/keys/\n' \"$PWD\" >>oauth2.conf\n"
    "b() { base64 -w0 | tr '+/' '-_' | tr -d =; }\n"
    "now=$(date +%s)\n"
    "t=$(printf '{\"alg\":\"HS256\",\"typ\":\"JWT\"}' | b)\n"
    "t=$t.$(printf '{\"sub\":\"moles\",\"iat\":%d,\"exp\":%d}' $((now - 9)) $((now + 9999)) | "
    "b)\n"
    "s=$(printf %s \"$t\" | openssl dgst -sha256 -hmac 'a key of the test' -binary | b)\n"
    "echo \"$t.$s\" >token\n";

static void add_services(struct strbuf *c, const struct dovecot *d)
{
	const struct {
		const char *name;
		unsigned plain, tls;
	} services[] = {{"imap", d->imap, d->imaps}, {"pop3", d->pop3, d->pop3s}};

	for (size_t i = 0; i < 2; i++)
		strbuf_addf(c,
		            "service %s-login {\n  chroot =\n"
		            "  inet_listener %s {\n    port = %u\n  }\n"
		            "  inet_listener %ss {\n    port = %u\n    ssl = yes\n  }\n}\n",
		            services[i].name, services[i].name, services[i].plain,
		            services[i].name, services[i].tls);
	strbuf_adds(c, "service anvil {\n  chroot =\n"
	               /* no longer wait after each wrong password */
	               "  unix_listener anvil-auth-penalty {\n    mode = 0\n  }\n}\n"
	               "service stats {\n  chroot =\n}\n"
	               "service auth {\n  unix_listener sasl {\n    mode = 0666\n  }\n}\n");
}

static void write_config(const struct dovecot *d, const struct dovecot_setup *setup,
                         const struct owner *o)
{
	struct strbuf c = STRBUF_INIT;
	char *path = scratch_path(d->dir, "dovecot.conf");
	char *users = scratch_path(d->dir, "users");

	strbuf_addf(&c,
	            "base_dir = %s/run\nstate_dir = %s/state\nlog_path = %s/log\n"
	            "protocols = imap pop3\nlisten = 127.0.0.1\nfirst_valid_uid = 1\n"
	            "default_internal_user = %s\ndefault_login_user = %s\n"
	            "default_internal_group = %s\n",
	            d->dir, d->dir, d->dir, o->user, o->user, o->group);
	strbuf_addf(
	    &c,
	    "ssl = yes\nssl_cert = <%s/cert.pem\nssl_key = <%s/key.pem\n"
	    "disable_plaintext_auth = no\nauth_failure_delay = 0\n"
	    "auth_username_format = %%Ln\n"
	    "mail_max_userip_connections = 100\n"
	    "passdb {\n  driver = passwd-file\n  args = %s/users\n}\n"
	    "userdb {\n  driver = static\n  args = uid=%s gid=%s home=%s/%%u\n}\n"
	    "mail_location = maildir:~/Maildir\nnamespace inbox {\n  inbox = yes\n%s}\n",
	    d->dir, d->dir, d->dir, o->user, o->group, d->dir,
	    setup->names ? setup->names : "");
	add_services(&c, d);
	strbuf_addf(&c, "login_greeting = %s\n", d->dir);
	if (setup->imap_capability)
		strbuf_addf(&c, "imap_capability = %s\n", setup->imap_capability);
	strbuf_addf(&c, "auth_mechanisms = %s\n",
	            setup->mechanisms ? setup->mechanisms
	            : setup->tokens   ? "xoauth2"
	                              : "plain");
	if (setup->tokens)
		strbuf_addf(&c,
		            "passdb {\n  driver = oauth2\n"
		            "  mechanisms = xoauth2 oauthbearer\n  args = %s/oauth2.conf\n}\n",
		            d->dir);
	ENSURE(file_create(path, strbuf_span(&c), NULL) == ERR_NONE);
	strbuf_clear(&c);
	for (size_t i = 0; i < sizeof(people) / sizeof(people[0]); i++)
		strbuf_addf(&c, "%s:{PLAIN}" DOVECOT_PASSWORD "\n", people[i]);
	ENSURE(file_create(users, strbuf_span(&c), NULL) == ERR_NONE);
	strbuf_release(&c);
	free(path);
	free(users);
}

static void find_ports(struct dovecot *d)
{
	unsigned found[4];

	ports_find(found, 4);
	d->imap = found[0];
	d->imaps = found[1];
	d->pop3 = found[2];
	d->pop3s = found[3];
}

/* ---- starting and ending ---- */

/* A master that gets SIGTERM ends everything it has started. */
static _Noreturn void become_dovecot(const struct dovecot *d, const struct owner *o)
{
	char *conf = scratch_path(d->dir, "dovecot.conf");
	int null = open("/dev/null", O_RDWR);

	if (geteuid() == 0 &&
	    (setgroups(0, NULL) != 0 || setgid(o->gid) != 0 || setuid(o->uid) != 0))
		_exit(125);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	dup2(null, 0);
	dup2(null, 1);
	dup2(null, 2);
	execl(dovecot_program, "dovecot", "-F", "-c", conf, (char *)NULL);
	_exit(126);
}

/* False: it ended, since somebody else was faster with one of its ports. */
static bool launch(struct dovecot *d)
{
	struct owner o = owner_of_server();
	int64_t until = clock_monotonic_ms() + START_MS;

	d->pid = fork();
	ENSURE(d->pid >= 0);
	if (d->pid == 0)
		become_dovecot(d, &o);
	free((char *)(uintptr_t)o.user);
	free((char *)(uintptr_t)o.group);
	while (!port_greets(d->imap, d->dir, START_MS) ||
	       !port_greets(d->pop3, d->dir, START_MS)) {
		if (waitpid(d->pid, NULL, WNOHANG) != 0)
			return false;
		if (clock_monotonic_ms() > until)
			BUG("Dovecot does not answer, see %s/log", d->dir);
		poll(NULL, 0, 20);
	}
	return true;
}

static void launch_again(struct dovecot *d)
{
	enum { TRIES = 20 };

	for (unsigned i = 0; i < TRIES; i++) {
		if (launch(d))
			return;
		poll(NULL, 0, 200);
	}
	BUG("Dovecot does not start, see %s/log", d->dir);
}

static void end(struct dovecot *d)
{
	kill(d->pid, SIGTERM);
	while (waitpid(d->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* With ports of its own; false when one of them was taken meanwhile. */
static bool set_up(struct dovecot *d, const struct dovecot_setup *setup)
{
	struct owner o = owner_of_server();
	char who[64];

	find_ports(d);
	shell(d, "rm -f dovecot.conf users", "", "");
	write_config(d, setup, &o);
	snprintf(who, sizeof(who), "%u:%u", (unsigned)o.uid, (unsigned)o.gid);
	shell(d, "chmod 755 .; chmod 644 *.pem; chown -R \"$1\" .", who, "");
	free((char *)(uintptr_t)o.user);
	free((char *)(uintptr_t)o.group);
	return launch(d);
}

struct dovecot *dovecot_start(const struct dovecot_setup *setup)
{
	enum { TRIES = 10 };
	static const struct dovecot_setup usual = {0};
	struct dovecot *d = xcalloc(1, sizeof(*d));

	if (!setup)
		setup = &usual;
	d->dir = scratch_new();
	d->ca_file = scratch_path(d->dir, "ca.pem");
	d->token_file = scratch_path(d->dir, "token");
	d->sasl = scratch_path(d->dir, "run/sasl");
	make_all_certificates(d, setup->certificate);
	shell(d, make_token, "", "");
	shell(d,
	      "mkdir -p run state; for u in moles ann bob cy; do "
	      "mkdir -p $u/Maildir/new $u/Maildir/cur $u/Maildir/tmp; done",
	      "", "");
	for (unsigned i = 0; i < TRIES; i++)
		if (set_up(d, setup))
			return d;
	BUG("Dovecot does not start, see %s/log", d->dir);
}

void dovecot_stop(struct dovecot *d)
{
	end(d);
	scratch_remove(d->dir);
	free(d->ca_file);
	free(d->token_file);
	free(d->sasl);
	free(d);
}

void dovecot_restart(struct dovecot *d)
{
	end(d);
	launch_again(d);
}

void dovecot_say(struct dovecot *d, const char *line)
{
	shell(d, "echo \"$1\" >>dovecot.conf", line, "");
	dovecot_restart(d);
}

/* ---- mail ---- */

static char *mail_path(const struct dovecot *d, const char *name)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/moles/Maildir/%s", d->dir, name);
	return strbuf_detach(&path);
}

static void give_away(const char *path)
{
	struct owner o = owner_of_server();

	ENSURE(geteuid() != 0 || chown(path, o.uid, o.gid) == 0);
	free((char *)(uintptr_t)o.user);
	free((char *)(uintptr_t)o.group);
}

/*
 * Names sort in the order of delivery, which is the order of their UIDs. As delivery agents do it,
 * they tell the size, and what it is with CRLF; so the server can list a mail without reading it.
 */
static char *next_name(struct dovecot *d, int64_t arrived_utc, struct span raw)
{
	size_t lines = 0;
	char name[128];

	for (size_t i = 0; i < raw.len; i++)
		lines += raw.ptr[i] == '\n';
	snprintf(name, sizeof(name), "new/%lld.M%06uP1.test,S=%zu,W=%zu",
	         (long long)arrived_utc, ++d->delivered, raw.len, raw.len + lines);
	return mail_path(d, name);
}

void dovecot_deliver(struct dovecot *d, struct span raw, int64_t arrived_utc)
{
	struct timespec times[2] = {{.tv_sec = (time_t)arrived_utc},
	                            {.tv_sec = (time_t)arrived_utc}};
	char *to = next_name(d, arrived_utc, raw), *tmp = mail_path(d, "tmp/delivery");

	ENSURE(file_create(tmp, raw, NULL) == ERR_NONE);
	ENSURE(utimensat(AT_FDCWD, tmp, times, 0) == 0);
	give_away(tmp);
	ENSURE(rename(tmp, to) == 0);
	free(tmp);
	free(to);
}

void dovecot_take_over(struct dovecot *d, struct testbed *s)
{
	char *folder = testbed_path(s, "mail/new");
	size_t n;
	char **names = folder_names(folder, &n);

	for (size_t i = 0; i < n; i++) {
		char *from = scratch_path(folder, names[i]), *to;
		struct strbuf raw = STRBUF_INIT;
		struct stat st;

		ENSURE(stat(from, &st) == 0 &&
		       file_read(from, 64 << 20, &raw, NULL) == ERR_NONE);
		to = next_name(d, st.st_mtim.tv_sec, strbuf_span(&raw));
		strbuf_release(&raw);
		give_away(from);
		ENSURE(rename(from, to) == 0);
		free(from);
		free(to);
		free(names[i]);
	}
	free(names);
	free(folder);
}

/* In the name of a file: "...:2,RS". */
static bool is_seen(const char *name)
{
	const char *flags = strstr(name, ":2,");

	return flags && strchr(flags, 'S');
}

static size_t count(const struct dovecot *d, const char *folder, bool seen_only)
{
	static const char *const parts[] = {"new", "cur"};
	size_t all = 0;

	for (size_t p = 0; p < 2; p++) {
		struct strbuf name = STRBUF_INIT;
		char *path;
		size_t n;

		strbuf_addf(&name, "%s%s%s", folder, *folder ? "/" : "", parts[p]);
		path = mail_path(d, name.ptr);
		if (access(path, F_OK) == 0) {
			char **names = folder_names(path, &n);

			for (size_t i = 0; i < n; i++) {
				all += !seen_only || is_seen(names[i]);
				free(names[i]);
			}
			free(names);
		}
		free(path);
		strbuf_release(&name);
	}
	return all;
}

size_t dovecot_count(const struct dovecot *d, const char *folder)
{
	return count(d, folder, false);
}

size_t dovecot_count_seen(const struct dovecot *d, const char *folder)
{
	return count(d, folder, true);
}

void dovecot_bar_folder(struct dovecot *d, const char *name, bool barred)
{
	shell(d, barred ? "touch \"moles/Maildir/.$1\"" : "rm \"moles/Maildir/.$1\"", name, "");
}

void dovecot_mark_seen(struct dovecot *d)
{
	shell(d,
	      "cd moles/Maildir; for f in new/*; do [ ! -e \"$f\" ] || "
	      "mv \"$f\" \"cur/${f#new/}:2,S\"; done",
	      "", "");
}

void dovecot_call_spam(struct dovecot *d)
{
	shell(
	    d,
	    "cd moles/Maildir; mkdir -p .Junk/new .Junk/cur .Junk/tmp; for f in new/* cur/*; do "
	    "[ ! -e \"$f\" ] || mv \"$f\" .Junk/cur; done; chmod -R a+rwX .Junk",
	    "", "");
}

void dovecot_lock_mail(struct dovecot *d, unsigned n, bool locked)
{
	char name[32];

	snprintf(name, sizeof(name), "*.M%06uP1.test*", n);
	shell(d, "chmod \"$2\" moles/Maildir/*/$1", name, locked ? "000" : "600");
}

void dovecot_hide_sizes(struct dovecot *d)
{
	shell(d, "for f in moles/Maildir/new/*; do mv \"$f\" \"${f%%,*}\"; done", "", "");
}

/* What a restored mailbox or a converted server looks like. */
void dovecot_renumber(struct dovecot *d)
{
	end(d);
	shell(d,
	      "cd moles/Maildir; now=$(sed -n '1s/^3 V\\([0-9]*\\).*/\\1/p' dovecot-uidlist); "
	      "rm -f dovecot.index* dovecot-uidlist; "
	      "printf '3 V%s N1\\n' $((now + 1000)) >dovecot-uidlist; "
	      "chmod 666 dovecot-uidlist",
	      "", "");
	launch_again(d);
}

/* ---- a testbed ---- */

void dovecot_set(struct testbed *s, const char *key, const char *value)
{
	char *path = testbed_path(s, "molepost.conf");
	struct strbuf text = STRBUF_INIT, changed = STRBUF_INIT;
	struct span rest, line;

	ENSURE(file_read(path, 1 << 20, &text, NULL) == ERR_NONE);
	rest = strbuf_span(&text);
	while (span_next_line(&rest, &line))
		if (!span_starts(line, key))
			strbuf_addf(&changed, "%.*s\n", SPAN_ARGS(line));
	strbuf_addf(&changed, "%s = %s\n", key, value);
	ENSURE(unlink(path) == 0 && file_create(path, strbuf_span(&changed), NULL) == ERR_NONE);
	strbuf_release(&text);
	strbuf_release(&changed);
	free(path);
}

void dovecot_set_login(struct testbed *s, const struct dovecot *d)
{
	char *password = testbed_path(s, "password");

	ENSURE(file_create(password, SPAN_LIT(DOVECOT_PASSWORD "\n"), NULL) == ERR_NONE);
	dovecot_set(s, "ca_file", d->ca_file);
	testbed_configure(s, "password = file:password");
	testbed_configure(s, "unknown_senders = accept");
	free(password);
}

static unsigned port_for(const struct dovecot *d, const char *scheme)
{
	if (strcmp(scheme, "imaps") == 0)
		return d->imaps;
	if (strcmp(scheme, "imap") == 0)
		return d->imap;
	return strcmp(scheme, "pop3s") == 0 ? d->pop3s : d->pop3;
}

struct testbed *dovecot_site(struct dovecot *d, const char *seed, const char *scheme,
                             unsigned port, const char *rest)
{
	struct testbed *s = testbed_new(seed);
	struct strbuf line = STRBUF_INIT;

	strbuf_addf(&line, "%s://moles@localhost:%u%s", scheme,
	            port ? port : port_for(d, scheme), rest);
	dovecot_set(s, "source", line.ptr);
	dovecot_set_login(s, d);
	strbuf_release(&line);
	return s;
}
