/*
 * config.c - molepost.conf, read strictly.
 *
 * Trusts nothing in the file: every key has a row in one table, every value a reader that
 * says what it wants. What struct config holds afterwards has been checked for form; whether a
 * mailbox or a folder exists is found out by those who open it.
 */
#include "processor/server/config.h"

#include <string.h>

#include "mail/mail.h"
#include "processor/base/file.h"
#include "processor/base/nearest.h"
#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/base/zone.h"
#include "processor/calendar/deadline.h"
#include "processor/server/private.h"
#include "store/engine/store.h"

enum {
	CONFIG_MAX_BYTES = 65536,
	WORDLISTS_MAX = 16, /* the usual ones are not counted */
	INSTANCE_MAX = 32,
	NAME_MAX_COLS = 64
};

struct config_key {
	const char *name;
	bool required, list;
	config_read_fn *read;
};

static bool is_low_alnum(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static const char *read_instance(struct config *c, struct span value, struct arena *arena)
{
	bool ok = value.len >= 1 && value.len <= INSTANCE_MAX;

	for (size_t i = 0; ok && i < value.len; i++)
		ok = is_low_alnum(value.ptr[i]) || value.ptr[i] == '-';
	if (!ok)
		return "1 to 32 of the characters a-z, 0-9 and '-'";
	c->instance = arena_cstr(arena, value);
	return NULL;
}

static const char *read_address(struct config *c, struct span value, struct arena *arena)
{
	struct strbuf normal = STRBUF_INIT;
	bool ok = mail_address_normalize(value, &normal);

	if (ok)
		c->address = arena_strdup(arena, normal.ptr);
	strbuf_release(&normal);
	return ok ? NULL : "one plain mail address such as moles@example.org";
}

static const char *read_name(struct config *c, struct span value, struct arena *arena)
{
	if (utf8_width(value) > NAME_MAX_COLS)
		return "at most 64 characters";
	c->from_name = arena_cstr(arena, value);
	return NULL;
}

static const char usual_database[] = "molepost.db";

static const char *read_database(struct config *c, struct span value, struct arena *arena)
{
	if (store_is_url(c->database))
		return "left out: store has been given, and it is one or the other";
	c->database = arena_cstr(arena, value);
	return NULL;
}

static const char *read_store(struct config *c, struct span value, struct arena *arena)
{
	if (c->database != usual_database)
		return "left out: database has been given, and it is one or the other";
	c->database = arena_cstr(arena, value);
	if (config_url_holds_password(value))
		return "no password; password = USER@HOST file:NAME says where that is kept";
	if (!store_is_url(c->database))
		return "postgresql://user@host/database; a file is named with database";
	return NULL;
}

static const char *read_host_id(struct config *c, struct span value, struct arena *arena)
{
	c->host_id = arena_cstr(arena, value);
	return NULL;
}

static const char *read_key_file(struct config *c, struct span value, struct arena *arena)
{
	c->key_file = arena_cstr(arena, value);
	return NULL;
}

static const char *read_spool(struct config *c, struct span value, struct arena *arena)
{
	c->spool = arena_cstr(arena, value);
	return NULL;
}

/* Where Debian puts its lists; a line of the file with the same name goes before. */
static const struct config_wordlist usual_wordlists[] = {
    {"american", "/usr/share/dict/american-english", true},
    {"british", "/usr/share/dict/british-english", true},
    {"both", "/usr/share/dict/american-english /usr/share/dict/british-english", true},
    {"large", "/usr/share/dict/american-english-large", true},
};
enum { USUAL_WORDLISTS = sizeof(usual_wordlists) / sizeof(usual_wordlists[0]) };

static const struct config_wordlist *find_wordlist(const struct config *c, struct span name)
{
	for (size_t i = 0; i < c->nwordlists; i++)
		if (span_eq_str(name, c->wordlists[i].name))
			return &c->wordlists[i];
	return NULL;
}

static const char *read_wordlist(struct config *c, struct span value, struct arena *arena)
{
	struct span name, files = value;

	if (!span_next_word(&files, "", &name) || span_trim(files).len == 0)
		return "a name and one or more files, such as american /usr/share/dict/words";
	if (c->nwordlists == WORDLISTS_MAX)
		return "left out: 16 word lists are the most";
	if (find_wordlist(c, name))
		return "left out: a list of this name stands above";
	c->wordlists[c->nwordlists++] = (struct config_wordlist){
	    arena_cstr(arena, name), arena_cstr(arena, span_trim(files)), false};
	return NULL;
}

static void add_usual_wordlists(struct config *c)
{
	for (size_t i = 0; i < USUAL_WORDLISTS; i++)
		if (!find_wordlist(c, span_of(usual_wordlists[i].name)))
			c->wordlists[c->nwordlists++] = usual_wordlists[i];
}

static bool read_choice(struct span value, const char *yes, const char *no, bool *out)
{
	*out = span_eq_str(value, yes);
	return *out || span_eq_str(value, no);
}

static const char *read_plus_address(struct config *c, struct span value, struct arena *arena)
{
	(void)arena;
	return read_choice(value, "on", "off", &c->plus_address) ? NULL : "on or off";
}

static const char *read_masters(struct config *c, struct span value, struct arena *arena)
{
	(void)arena;
	return read_choice(value, "creator", "nobody", &c->has_masters) ? NULL
	                                                                : "creator or nobody";
}

static const char *read_ready(struct config *c, struct span value, struct arena *arena)
{
	(void)arena;
	return read_choice(value, "strangers", "asked", &c->strangers_are_asked)
	           ? NULL
	           : "asked or strangers";
}

static const char *read_show_operator(struct config *c, struct span value, struct arena *arena)
{
	(void)arena;
	return read_choice(value, "on", "off", &c->show_operator) ? NULL : "on or off";
}

static const char *read_shared_address(struct config *c, struct span value, struct arena *arena)
{
	(void)arena;
	return read_choice(value, "on", "off", &c->shared_address) ? NULL : "on or off";
}

static const char *read_syslog(struct config *c, struct span value, struct arena *arena)
{
	(void)arena;
	return read_choice(value, "on", "off", &c->syslog) ? NULL : "on or off";
}

static const char *read_subject(struct config *c, struct span value, struct arena *arena)
{
	(void)arena;
	if (!read_choice(value, "fixed", "varying", &c->fixed_subject))
		return "varying or fixed";
	return NULL;
}

static const char *read_charset(struct config *c, struct span value, struct arena *arena)
{
	(void)arena;
	return read_choice(value, "ascii", "utf-8", &c->ascii) ? NULL : "utf-8 or ascii";
}

static const char *read_html(struct config *c, struct span value, struct arena *arena)
{
	static const char *const words[] = {
	    [HTML_OFFER] = "offer", [HTML_OFF] = "off", [HTML_ON] = "on"};

	(void)arena;
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (span_eq_str(value, words[i])) {
			c->html = (enum html_mode)i;
			return NULL;
		}
	return "offer, off or on";
}

static const char *read_zone(struct config *c, struct span value, struct arena *arena)
{
	if (!zone_name_ok(value))
		return "a name such as Europe/Berlin or UTC";
	c->zone = arena_cstr(arena, value);
	return NULL;
}

static const char *read_keep_mail(struct config *c, struct span value, struct arena *arena)
{
	(void)arena;
	c->keep_mail_s = 0;
	if (span_eq_str(value, "0") || interval_parse(value, &c->keep_mail_s))
		return NULL;
	return "a length of time such as 7D, or 0 for no keeping";
}

static const struct config_key keys[] = {
    {"instance", true, false, read_instance},
    {"address", true, false, read_address},
    {"name", false, false, read_name},
    {"database", false, false, read_database},
    {"store", false, false, read_store},
    {"key_file", false, false, read_key_file},
    {"host_id", false, false, read_host_id},
    {"spool", false, false, read_spool},
    {"source", true, true, config_read_source},
    {"sink", true, false, config_read_sink},
    {"password", false, true, config_read_password},
    {"token", false, true, config_read_token},
    {"ca_file", false, false, config_read_ca_file},
    {"operator", false, false, config_read_operator},
    {"show_operator", false, false, read_show_operator},
    {"alarm", false, false, config_read_alarm},
    {"syslog", false, false, read_syslog},
    {"wordlist", false, true, read_wordlist},
    {"unknown_senders", false, false, config_read_unknown_senders},
    {"known_senders", false, false, config_read_known_senders},
    {"authserv_id", false, false, config_read_authserv_id},
    {"authentication", false, false, config_read_authentication},
    {"plus_address", false, false, read_plus_address},
    {"masters", false, false, read_masters},
    {"ready", false, false, read_ready},
    {"shared_address", false, false, read_shared_address},
    {"subject", false, false, read_subject},
    {"charset", false, false, read_charset},
    {"html", false, false, read_html},
    {"zone", false, false, read_zone},
    {"next", false, false, config_read_next},
    {"days", false, false, config_read_days},
    {"at", false, false, config_read_at},
    {"grace", false, false, config_read_grace},
    {"delay", false, false, config_read_delay},
    {"holidays", false, false, config_read_holidays},
    {"remind", false, false, config_read_remind},
    {"misses", false, false, config_read_misses},
    {"vacant", false, false, config_read_vacant},
    {"outage", false, false, config_read_outage},
    {"run_every", false, false, config_read_run_every},
    {"keep_mail", false, false, read_keep_mail},
    {"keep_texts", false, false, config_read_keep_texts},
    {"keep_inbox", false, false, config_read_keep_inbox},
    {"keep_outbox", false, false, config_read_keep_outbox},
    {"keep_audit", false, false, config_read_keep_audit},
    {"keep_runs", false, false, config_read_keep_runs},
    {"keep_quarantine", false, false, config_read_keep_quarantine},
    {"max_mail_size", false, false, config_read_max_mail_size},
    {"max_header_size", false, false, config_read_max_header_size},
    {"max_header_fields", false, false, config_read_max_header_fields},
    {"max_parts", false, false, config_read_max_parts},
    {"max_depth", false, false, config_read_max_depth},
    {"max_recipients", false, false, config_read_max_recipients},
    {"max_text_size", false, false, config_read_max_text_size},
    {"max_text_lines", false, false, config_read_max_text_lines},
    {"max_parse_seconds", false, false, config_read_max_parse_seconds},
    {"max_commands", false, false, config_read_max_commands},
    {"max_mails_per_day", false, false, config_read_max_mails_per_day},
    {"answers_per_day", false, false, config_read_answers_per_day},
    {"answers_per_domain", false, false, config_read_answers_per_domain},
    {"answers_to_strangers", false, false, config_read_answers_to_strangers},
    {"receipts_per_day", false, false, config_read_receipts_per_day},
    {"press", false, false, config_read_press},
    {"press_delivery", false, false, config_read_press_delivery},
    {"observers", false, false, config_read_observers},
    {"max_press_size", false, false, config_read_max_press_size},
    {"press_per_day", false, false, config_read_press_per_day},
    {"invites_per_day", false, false, config_read_invites_per_day},
    {"max_observers", false, false, config_read_max_observers},
    {"absence_days", false, false, config_read_absence_days},
    {"absence_days_per_year", false, false, config_read_absence_days_per_year},
    {"max_observed", false, false, config_read_max_observed},
    {"first_game", false, false, config_read_first_game},
};
enum { NKEYS = sizeof(keys) / sizeof(keys[0]) };

struct config_reader {
	const char *file;
	unsigned line;
	unsigned seen[NKEYS]; /* the line where it stood first; 0 = not yet */
	struct arena *arena;
	struct config *out;
	struct failure *e;
};

static size_t key_index(struct span name)
{
	size_t k = 0;

	while (k < NKEYS && !span_eq_str(name, keys[k].name))
		k++;
	return k;
}

static const char *nearest_key(struct span name)
{
	unsigned best = typing_errors_allowed(name.len) + 1;
	const char *found = NULL;

	for (size_t k = 0; k < NKEYS; k++) {
		unsigned d = typing_errors(name, span_of(keys[k].name), best - 1);

		if (d < best) {
			best = d;
			found = keys[k].name;
		}
		if (best == 0)
			break;
	}
	return found;
}

static enum err unknown_key(const struct config_reader *r, struct span name)
{
	const char *near = nearest_key(name);

	if (near == NULL)
		return err_set(r->e, ERR_CONFIG, "%s:%u: unknown key '%.*s'", r->file, r->line,
		               SPAN_ARGS(name));
	return err_set(r->e, ERR_CONFIG, "%s:%u: unknown key '%.*s'; did you mean '%s'?",
	               r->file, r->line, SPAN_ARGS(name), near);
}

static bool is_printable_text(struct span s)
{
	if (!utf8_valid(s))
		return false;
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.ptr[i];

		if ((c < 0x20 && c != '\t') || c == 0x7f)
			return false;
	}
	return true;
}

/* A password where none should stand must not get into a log. */
static bool is_secret(const char *key, struct span value)
{
	return strcmp(key, "password") == 0 || strcmp(key, "token") == 0 ||
	       config_url_holds_password(value);
}

static enum err read_pair(struct config_reader *r, struct span name, struct span value)
{
	size_t k = key_index(name);
	const char *wanted;

	if (k == NKEYS)
		return unknown_key(r, name);
	if (r->seen[k] != 0 && !keys[k].list)
		return err_set(r->e, ERR_CONFIG, "%s:%u: '%s' stands already in line %u",
		               r->file, r->line, keys[k].name, r->seen[k]);
	r->seen[k] = r->line;
	if (value.len == 0)
		return err_set(r->e, ERR_CONFIG, "%s:%u: '%s' has no value", r->file, r->line,
		               keys[k].name);
	wanted = keys[k].read(r->out, value, r->arena);
	if (wanted == NULL)
		return ERR_NONE;
	if (is_secret(keys[k].name, value))
		return err_set(r->e, ERR_CONFIG, "%s:%u: '%s' should be %s", r->file, r->line,
		               keys[k].name, wanted);
	return err_set(r->e, ERR_CONFIG, "%s:%u: '%s' cannot be '%.*s'; it should be %s",
	               r->file, r->line, keys[k].name, SPAN_ARGS(value), wanted);
}

static enum err read_line(struct config_reader *r, struct span line)
{
	size_t eq;

	if (!is_printable_text(line))
		return err_set(r->e, ERR_CONFIG, "%s:%u: bytes that are no UTF-8 text", r->file,
		               r->line);
	line = span_trim(line);
	if (line.len == 0 || line.ptr[0] == '#')
		return ERR_NONE;
	eq = span_find_char(line, '=');
	if (eq == line.len)
		return err_set(r->e, ERR_CONFIG,
		               "%s:%u: '%.*s' is no line of the form key = value", r->file,
		               r->line, SPAN_ARGS(line));
	return read_pair(r, span_trim(span_slice(line, 0, eq)),
	                 span_trim(span_slice(line, eq + 1, line.len)));
}

static enum err check_required(const struct config_reader *r)
{
	for (size_t k = 0; k < NKEYS; k++)
		if (keys[k].required && r->seen[k] == 0)
			return err_set(r->e, ERR_CONFIG, "%s: the key '%s' is missing", r->file,
			               keys[k].name);
	return ERR_NONE;
}

static void set_defaults(struct config *c, const char *dir, struct arena *arena)
{
	*c = (struct config){
	    .dir = arena_strdup(arena, dir),
	    .from_name = "Molepost",
	    .database = usual_database,
	    .key_file = "molepost.key",
	    .spool = "spool",
	    .zone = "",
	    .sources = arena_calloc(arena, CONFIG_SOURCES_MAX, sizeof(char *)),
	    .wordlists = arena_calloc(arena, WORDLISTS_MAX + USUAL_WORDLISTS,
	                              sizeof(struct config_wordlist)),
	    .logins = arena_calloc(arena, CONFIG_LOGINS_MAX, sizeof(struct login_rule)),
	    .plus_address = true,
	    .has_masters = true,
	    .strangers_are_asked = true,
	    .next_s = 3 * 86400,
	    .outage = {.least_s = 2 * 3600},
	    .keep_mail_s = 7 * 86400,
	};
	calendar_init(&c->calendar);
	config_usual_limits(c);
}

/* A local folder is fed by people who may write there; from a network anybody can send. */
static bool reads_a_network(const struct config *c)
{
	for (size_t i = 0; i < c->nsources; i++)
		if (!span_starts(span_of(c->sources[i]), "maildir:"))
			return true;
	return false;
}

static bool was_said(const struct config_reader *r, const char *name)
{
	return r->seen[key_index(span_of(name))] != 0;
}

/* Where addresses are taken as they are, only a flood is worth a limit. */
static void settle_budgets(const struct config_reader *r)
{
	bool trusts = r->out->unknown_senders == UNKNOWN_ACCEPT;

	if (!was_said(r, "answers_per_domain"))
		r->out->answers_per_domain = trusts ? 1000 : 50;
	if (!was_said(r, "answers_to_strangers"))
		r->out->answers_to_strangers = trusts ? 10000 : 300;
}

/* What one key means when another is set, or is not. */
static enum err settle_senders(const struct config_reader *r)
{
	struct config *c = r->out;

	if (!was_said(r, "unknown_senders"))
		c->unknown_senders = reads_a_network(c) ? UNKNOWN_CONFIRM : UNKNOWN_ACCEPT;
	if (!was_said(r, "known_senders"))
		c->known_senders = reads_a_network(c) ? KNOWN_CONFIRM : KNOWN_ACCEPT;
	settle_budgets(r);
	if (!was_said(r, "authentication") && c->authserv_id)
		c->authentication = AUTHENTICATION_WARN;
	if (c->authentication != AUTHENTICATION_IGNORE && !c->authserv_id)
		return err_set(r->e, ERR_CONFIG,
		               "%s:%u: 'authentication' needs to know whose results to "
		               "believe: set 'authserv_id'",
		               r->file, r->seen[key_index(SPAN_LIT("authentication"))]);
	return ERR_NONE;
}

enum err config_parse(struct span text, const char *file, const char *dir, struct arena *arena,
                      struct config *out, struct failure *e)
{
	struct config_reader r = {.file = file, .arena = arena, .out = out, .e = e};
	struct span line;
	enum err err = ERR_NONE;

	set_defaults(out, dir, arena);
	if (span_starts(text, "\xef\xbb\xbf")) /* some editors put it there */
		text = span_slice(text, 3, text.len);
	while (err == ERR_NONE && span_next_line(&text, &line)) {
		r.line++;
		err = read_line(&r, line);
	}
	if (err == ERR_NONE)
		err = check_required(&r);
	if (err != ERR_NONE)
		return err;
	err = settle_senders(&r);
	if (err != ERR_NONE)
		return err;
	add_usual_wordlists(out);
	out->access.base = out->dir;
	out->access.instance = out->instance;
	out->access.address = out->address;
	out->access.logins = out->logins;
	if (out->access.ca_file)
		out->access.ca_file = config_path(out, out->access.ca_file, arena);
	out->lock_file = store_is_url(out->database)
	                     ? "molepost.lock"
	                     : arena_printf(arena, "%s.lock", out->database);
	return ERR_NONE;
}

enum err config_load(const char *dir, struct arena *arena, struct config *out,
                     struct failure *e)
{
	struct strbuf text = STRBUF_INIT;
	const char *file = arena_printf(arena, "%s/molepost.conf", dir);
	enum err err = file_read(file, CONFIG_MAX_BYTES, &text, e);

	if (err == ERR_NONE)
		err = config_parse(strbuf_span(&text), file, dir, arena, out, e);
	strbuf_release(&text);
	return err;
}

const char *config_path(const struct config *c, const char *path, struct arena *arena)
{
	if (path[0] == '/' || store_is_url(path))
		return path;
	return arena_printf(arena, "%s/%s", c->dir, path);
}
