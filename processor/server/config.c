/*
 * config.c - molepost.conf, read strictly, and the example of one.
 *
 * Trusts nothing in the file: every key has a row in one table (config_keys.c), which says what
 * its value may be. What struct config holds afterwards has been checked for form; whether a
 * mailbox or a folder exists is found out by those who open it.
 */
#include "processor/server/config.h"

#include <string.h>

#include "mail/mail.h"
#include "processor/base/file.h"
#include "processor/base/nearest.h"
#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/calendar/deadline.h"
#include "processor/server/private.h"
#include "store/engine/store.h"

enum { CONFIG_MAX_BYTES = 65536, KIB = 1024, MIB = 1024 * 1024 };

/* ---- one value ---- */

/* Which of the words it is; -1: none of them. */
static int find_word(const char *words, struct span value)
{
	struct span rest = span_of(words), word;

	for (int i = 0; span_next_word(&rest, "", &word); i++)
		if (span_eq(word, value))
			return i;
	return -1;
}

static bool read_size(struct span value, unsigned min, unsigned max, unsigned *out)
{
	unsigned unit = 1, number;

	if (value.len > 0 && value.ptr[value.len - 1] == 'K')
		unit = KIB;
	else if (value.len > 0 && value.ptr[value.len - 1] == 'M')
		unit = MIB;
	if (unit != 1)
		value = span_slice(value, 0, value.len - 1);
	if (!num_parse_uint(value, (min + unit - 1) / unit, max / unit, &number))
		return false;
	*out = number * unit;
	return true;
}

/* As one writes it: 64K where it is a size. */
static const char *amount(const struct config_key *key, int64_t n, struct arena *arena)
{
	if (key->kind == KEY_SIZE && n > 0 && n % MIB == 0)
		return arena_printf(arena, "%lldM", (long long)n / MIB);
	if (key->kind == KEY_SIZE && n > 0 && n % KIB == 0)
		return arena_printf(arena, "%lldK", (long long)n / KIB);
	return arena_printf(arena, "%lld", (long long)n);
}

/* What a value of this key should have been: the end of a sentence, with one that would do. */
static const char *key_wanted(const struct config_key *key, struct arena *arena)
{
	const char *from, *to;

	if (key->wanted)
		return key->wanted;
	if (key->kind == KEY_TEXT)
		return arena_printf(arena, "at most %d characters", (int)key->max);
	if (key->kind == KEY_PROGRAM)
		return arena_printf(arena,
		                    "command: and the whole path of a program, such as %s",
		                    key->example);
	if (key->kind == KEY_TIME) {
		from = key->min == 0
		           ? ""
		           : arena_printf(arena, " from %dD on", (int)(key->min / 86400));
		to = key->words ? arena_printf(arena, ", or %s", key->words) : "";
		return arena_printf(arena, "a length of time%s such as %s%s", from, key->usual,
		                    to);
	}
	if (key->words) {
		/* "accept, confirm or known" */
		struct strbuf out = STRBUF_INIT;
		struct span rest = span_of(key->words), word;
		size_t n = span_count_char(rest, ' ') + 1;

		for (size_t i = 0; span_next_word(&rest, "", &word); i++) {
			strbuf_add_sep(&out, i, n, " or ");
			strbuf_add_span(&out, word);
		}
		const char *text = arena_cstr(arena, strbuf_span(&out));
		strbuf_release(&out);
		return text;
	}
	from = amount(key, key->min, arena);
	to = amount(key, key->max, arena);
	if (key->kind == KEY_SIZE)
		return arena_printf(arena, "a size from %s to %s, such as %s", from, to,
		                    key->usual);
	return arena_printf(arena, "a number from %s to %s", from, to);
}

/* Into the member that the row names. NULL, or what it should have been. */
static const char *read_value(struct config *c, const struct config_key *key, struct span value,
                              struct arena *arena)
{
	void *member = (char *)c + key->at;
	struct strbuf text = STRBUF_INIT;
	unsigned small = 0;
	int64_t number = 0;
	bool ok = false;

	switch (key->kind) {
	case KEY_TEXT:
		ok = key->max == 0 || (int64_t)utf8_width(value) <= key->max;
		strbuf_add_span(&text, value);
		break;
	case KEY_ADDRESS:
		ok = mail_address_ok(value);
		strbuf_add_span(&text, mail_address_normalize(value, arena));
		break;
	case KEY_PROGRAM:
		ok = span_starts(value, "command:/");
		strbuf_add_span(&text, span_slice(value, strlen("command:"), value.len));
		break;
	case KEY_NUMBER:
		ok = num_parse_uint(value, (unsigned)key->min, (unsigned)key->max, &small);
		number = small;
		break;
	case KEY_SIZE:
		ok = read_size(value, (unsigned)key->min, (unsigned)key->max, &small);
		number = small;
		break;
	case KEY_TIME:
		ok = (key->words && span_eq_str(value, key->words)) ||
		     (interval_parse(value, &number) && number >= key->min);
		break;
	case KEY_SWITCH:
		ok = find_word(key->words, value) >= 0;
		number = find_word(key->words, value) == 0;
		break;
	case KEY_WORD:
		number = find_word(key->words, value);
		ok = number >= 0;
		break;
	case KEY_CALENDAR:
		ok = calendar_set(&c->calendar, span_of(key->name), value, arena, &text);
		break;
	case KEY_OWN:
		return key->read(c, value, arena);
	}
	if (ok && key->kind <= KEY_PROGRAM)
		*(const char **)member = arena_strdup(arena, text.len ? text.ptr : "");
	else if (ok && key->kind != KEY_CALENDAR) {
		/* Numbers of all kinds, into a member of its size. */
		bool flag = number != 0;

		small = (unsigned)number;
		if (key->size == sizeof(flag))
			memcpy(member, &flag, key->size);
		else if (key->size == sizeof(small))
			memcpy(member, &small, key->size);
		else
			memcpy(member, &number, sizeof(number));
	}
	strbuf_release(&text);
	return ok ? NULL : key_wanted(key, arena);
}

/* ---- the file ---- */

struct config_reader {
	const char *file;
	unsigned line;
	unsigned *seen; /* by row of the table: the line where it stood first; 0 = not yet */
	struct arena *arena;
	struct config *out;
	struct failure *e;
};

static size_t key_index(struct span name)
{
	size_t k = 0;

	while (k < config_nkeys && !span_eq_str(name, config_keys[k].name))
		k++;
	return k;
}

static bool was_said(const struct config_reader *r, const char *name)
{
	return r->seen[key_index(span_of(name))] != 0;
}

/* A key that is gone is noted and ignored. */
static enum err unknown_key(const struct config_reader *r, struct span name)
{
	unsigned best = typing_errors_allowed(name.len) + 1;
	const char *found = NULL;

	for (size_t k = 0; k < config_nkeys; k++) {
		unsigned d = typing_errors(name, span_of(config_keys[k].name), best - 1);

		if (d < best) {
			best = d;
			found = config_keys[k].name;
		}
		if (best == 0)
			break;
	}
	for (size_t i = 0; i < config_nretired; i++)
		if (span_eq_str(name, config_retired[i].name)) {
			r->out->retired = arena_printf(
			    r->arena, "%s%s:%u: the key '%s' is gone and was ignored: %s\n",
			    r->out->retired, r->file, r->line, config_retired[i].name,
			    config_retired[i].since);
			return ERR_NONE;
		}

	if (found == NULL)
		return err_set(r->e, ERR_CONFIG, "%s:%u: unknown key '%.*s'", r->file, r->line,
		               SPAN_ARGS(name));
	return err_set(r->e, ERR_CONFIG, "%s:%u: unknown key '%.*s'; did you mean '%s'?",
	               r->file, r->line, SPAN_ARGS(name), found);
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

static enum err read_pair(struct config_reader *r, struct span name, struct span value)
{
	size_t k = key_index(name);
	const struct config_key *key = &config_keys[k];
	const char *wanted;

	if (k == config_nkeys)
		return unknown_key(r, name);
	if (r->seen[k] != 0 && !key->list)
		return err_set(r->e, ERR_CONFIG, "%s:%u: '%s' stands already in line %u",
		               r->file, r->line, key->name, r->seen[k]);
	r->seen[k] = r->line;
	if (value.len == 0)
		return err_set(r->e, ERR_CONFIG, "%s:%u: '%s' has no value", r->file, r->line,
		               key->name);
	if (key->rival && was_said(r, key->rival))
		wanted = arena_printf(r->arena,
		                      "left out: %s has been given, and it is one or the other",
		                      key->rival);
	else
		wanted = read_value(r->out, key, value, r->arena);
	if (wanted == NULL)
		return ERR_NONE;
	/* A password where none should stand must not get into a log. */
	if (key->secret || config_url_holds_password(value))
		return err_set(r->e, ERR_CONFIG, "%s:%u: '%s' should be %s", r->file, r->line,
		               key->name, wanted);
	return err_set(r->e, ERR_CONFIG, "%s:%u: '%s' cannot be '%.*s'; it should be %s",
	               r->file, r->line, key->name, SPAN_ARGS(value), wanted);
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
	for (size_t k = 0; k < config_nkeys; k++)
		if (config_keys[k].required && r->seen[k] == 0)
			return err_set(r->e, ERR_CONFIG, "%s: the key '%s' is missing", r->file,
			               config_keys[k].name);
	return ERR_NONE;
}

/* A local folder is fed by people who may write there; from a network anybody can send. */
static bool reads_a_network(const struct config *c)
{
	for (size_t i = 0; i < c->nsources; i++)
		if (!span_starts(span_of(c->sources[i]), "maildir:"))
			return true;
	return false;
}

/* What one key means when another is set, or is not. */
static enum err settle_senders(const struct config_reader *r)
{
	struct config *c = r->out;

	if (!was_said(r, "unknown_senders"))
		c->unknown_senders = reads_a_network(c) ? UNKNOWN_CONFIRM : UNKNOWN_ACCEPT;
	if (!was_said(r, "known_senders"))
		c->known_senders = reads_a_network(c) ? KNOWN_CONFIRM : KNOWN_ACCEPT;
	if (!was_said(r, "newcomers") && c->unknown_senders != UNKNOWN_ACCEPT &&
	    !c->authserv_id)
		c->newcomers = NEWCOMERS_ASK;
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

	r.seen = arena_calloc(arena, config_nkeys, sizeof(*r.seen));
	*out = (struct config){
	    .dir = arena_strdup(arena, dir),
	    .sources = arena_calloc(arena, CONFIG_SOURCES_MAX, sizeof(char *)),
	    /* The usual ones are not counted. */
	    .wordlists =
		arena_calloc(arena, 2 * CONFIG_WORDLISTS_MAX, sizeof(struct config_wordlist)),
	    .logins = arena_calloc(arena, CONFIG_LOGINS_MAX, sizeof(struct login_rule)),
	};
	calendar_init(&out->calendar);
	for (size_t k = 0; k < config_nkeys; k++) {
		const struct config_key *key = &config_keys[k];

		if (key->usual && !key->list &&
		    read_value(out, key, span_of(key->usual), arena) != NULL)
			BUG("the default of %s cannot be %s", key->name, key->usual);
	}
	out->retired = "";
	out->zone = ""; /* UTC without being said: games are stored without it */
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
	config_add_usual_wordlists(out, arena);
	out->settings.base = out->dir;
	out->settings.instance = out->instance;
	out->settings.address = out->address;
	out->settings.logins = out->logins;
	if (out->settings.ca_file)
		out->settings.ca_file = config_path(out, out->settings.ca_file, arena);
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

bool config_names_operator(const struct config *c)
{
	return c->show_operator && c->operator_address;
}

bool config_shows_operator(const struct config *c, struct span address)
{
	return config_names_operator(c) && span_eq_nocase(address, c->operator_address);
}

/* ---- the example ---- */

void config_add_example(struct strbuf *out, const char *instance, const char *address)
{
	strbuf_adds(out, "# molepost.conf - see molepost.conf(5). One `key = value` a line.\n");
	for (size_t k = 0; k < config_nkeys; k++) {
		const struct config_key *key = &config_keys[k];
		const char *value = key->example ? key->example : key->usual;

		if (strcmp(key->name, "instance") == 0)
			value = instance;
		else if (strcmp(key->name, "address") == 0)
			value = address;
		struct span rest = span_of(key->comment), line;
		if (key->comment && !key->beside)
			strbuf_addc(out, '\n');
		while (span_next_line(&rest, &line))
			strbuf_addf(out, "# %.*s\n", SPAN_ARGS(line));
		rest = span_of(value);
		while (span_next_line(&rest, &line))
			strbuf_addf(out, "%s%s = %.*s\n", key->required ? "" : "#", key->name,
			            SPAN_ARGS(line));
	}
}
