/*
 * config_keys.c - every key of molepost.conf, one row each.
 *
 * A new key is a row here, a member of struct config, and its use. The ranges are those that are
 * safe: a parser that looks at longer headers or at more parts can be made to use up its stack or
 * its time (mail.h, struct mail_limits). What CREATE knows too is read as CREATE reads it
 * (KEY_CALENDAR), so that the two cannot differ. Above the table are the readers of values that
 * are of no common kind, below it the keys that are gone.
 */
#include "processor/server/private.h"

#include <string.h>

#include "mail/mail.h"
#include "processor/base/zone.h"
#include "store/engine/store.h"

enum { KIB = 1024, MIB = 1024 * 1024, INSTANCE_MAX = 32 };
/* Less would take from a player what they may still answer, or from a mail that comes back its trail. */
enum { KEEP_LEAST_S = 7 * 86400 };

static const char *read_instance(struct config *c, struct span value, struct arena *arena)
{
	bool ok = value.len >= 1 && value.len <= INSTANCE_MAX;

	for (size_t i = 0; ok && i < value.len; i++)
		ok = (value.ptr[i] >= 'a' && value.ptr[i] <= 'z') ||
		     (value.ptr[i] >= '0' && value.ptr[i] <= '9') || value.ptr[i] == '-';
	if (!ok)
		return "1 to 32 of the characters a-z, 0-9 and '-'";
	c->instance = arena_cstr(arena, value);
	return NULL;
}

/* ---- from where, to where ---- */

/* The scheme must be known and something must stand behind it; the rest is for source_open. */
static bool has_scheme(struct span value, const char *const *schemes)
{
	for (; *schemes != NULL; schemes++)
		if (span_starts(value, *schemes) && value.len > strlen(*schemes))
			return true;
	return false;
}

bool config_url_holds_password(struct span url)
{
	struct span rest = span_slice(url, span_find_char(url, '/'), url.len);
	size_t at = rest.len;

	while (at > 0 && rest.ptr[at - 1] != '@')
		at--;
	return span_find_char(rest, ':') < at;
}

static const char password_elsewhere[] = "without a password; see the key 'password'";

static const char *read_source(struct config *c, struct span value, struct arena *arena)
{
	static const char *const schemes[] = {"maildir:", "imap://",  "imaps://",
	                                      "pop3://",  "pop3s://", NULL};

	if (!has_scheme(value, schemes))
		return "maildir:FOLDER, imaps://..., imap://..., pop3s://... or pop3://...";
	if (config_url_holds_password(value))
		return password_elsewhere;
	if (c->nsources == CONFIG_SOURCES_MAX)
		return "left out: 16 sources are the most";
	c->sources[c->nsources++] = arena_cstr(arena, value);
	return NULL;
}

static const char *read_sink(struct config *c, struct span value, struct arena *arena)
{
	static const char *const schemes[] = {"maildir:", "smtp://", "smtps://",
	                                      "sendmail:", NULL};

	if (!has_scheme(value, schemes))
		return "maildir:FOLDER, smtps://..., smtp://... or sendmail:PROGRAM";
	if (!span_starts(value, "sendmail:") && config_url_holds_password(value))
		return password_elsewhere;
	c->sink = arena_cstr(arena, value);
	return NULL;
}

/* "WHERE" for every login, "USER@HOST WHERE" for one. */
static const char *read_login(struct config *c, struct span value, bool is_token,
                              struct arena *arena)
{
	struct login_rule rule = {.is_token = is_token};
	struct span who, rest = value;

	if (!login_where_ok(value, is_token)) {
		if (!span_next_word(&rest, "", &who) || span_find_char(who, '@') == who.len)
			return is_token
			           ? "oauth:PATH, file:PATH, command:LINE or env:NAME, or user@host "
			             "and one of them"
			           : "file:PATH, command:LINE or env:NAME, or user@host and one of "
			             "them";
		rule.who = arena_cstr(arena, who);
		rest = span_trim(rest);
	}
	if (!login_where_ok(rest, is_token))
		return "file:PATH, command:LINE or env:NAME (or of a token oauth:PATH) behind user@host";
	if (c->settings.nlogins == CONFIG_LOGINS_MAX)
		return "left out: 32 logins are the most";
	rule.where = arena_cstr(arena, rest);
	c->logins[c->settings.nlogins++] = rule;
	return NULL;
}

static const char *read_password(struct config *c, struct span value, struct arena *arena)
{
	return read_login(c, value, false, arena);
}

static const char *read_token(struct config *c, struct span value, struct arena *arena)
{
	return read_login(c, value, true, arena);
}

/* Who gives tokens, and who we are there. */
static const char *read_oauth(struct config *c, struct span value, struct arena *arena)
{
	struct span issuer, client = value;

	if (!span_next_word(&client, "", &issuer) || span_trim(client).len == 0 ||
	    !(span_eq_str(issuer, "google") || span_eq_str(issuer, "microsoft") ||
	      span_starts(issuer, "https://")))
		return "google, microsoft or https://HOST, and a client id behind it";
	c->oauth_issuer = arena_cstr(arena, issuer);
	c->oauth_client = arena_cstr(arena, span_trim(client));
	return NULL;
}

static const char *read_authserv_id(struct config *c, struct span value, struct arena *arena)
{
	for (size_t i = 0; i < value.len; i++)
		if (value.ptr[i] <= ' ' || value.ptr[i] > '~' || value.ptr[i] == ';' ||
		    value.ptr[i] == '"' || value.ptr[i] == '=' || value.ptr[i] == '(')
			return "one word, such as mx.example.org, as the server writes it";
	c->authserv_id = arena_cstr(arena, value);
	return NULL;
}

static const char *read_store(struct config *c, struct span value, struct arena *arena)
{
	c->database = arena_cstr(arena, value);
	if (config_url_holds_password(value))
		return "no password; password = USER@HOST file:NAME says where that is kept";
	if (!store_is_url(c->database))
		return "postgresql://user@host/database; a file is named with database";
	return NULL;
}

static const char *read_zone(struct config *c, struct span value, struct arena *arena)
{
	if (!zone_name_ok(value))
		return "a name such as Europe/Berlin or UTC";
	c->zone = arena_cstr(arena, value);
	return NULL;
}

/* ---- word lists ---- */

static bool has_wordlist(const struct config *c, struct span name)
{
	for (size_t i = 0; i < c->nwordlists; i++)
		if (span_eq_str(name, c->wordlists[i].name))
			return true;
	return false;
}

static const char *read_wordlist(struct config *c, struct span value, struct arena *arena)
{
	struct span name, files = value;

	if (!span_next_word(&files, "", &name) || span_trim(files).len == 0)
		return "a name and one or more files, such as american /usr/share/dict/words";
	if (c->nwordlists == CONFIG_WORDLISTS_MAX)
		return "left out: 16 word lists are the most";
	if (has_wordlist(c, name))
		return "left out: a list of this name stands above";
	c->wordlists[c->nwordlists++] = (struct config_wordlist){
	    arena_cstr(arena, name), arena_cstr(arena, span_trim(files)), false};
	return NULL;
}

/* Where Debian puts its lists. */
static const char usual_wordlists[] =
    "american /usr/share/dict/american-english\n"
    "british /usr/share/dict/british-english\n"
    "both /usr/share/dict/american-english /usr/share/dict/british-english\n"
    "large /usr/share/dict/american-english-large";

void config_add_usual_wordlists(struct config *c, struct arena *arena)
{
	struct span rest = SPAN_LIT(usual_wordlists), line, name;

	while (span_next_line(&rest, &line))
		if (span_next_word(&line, "", &name) && !has_wordlist(c, name))
			c->wordlists[c->nwordlists++] = (struct config_wordlist){
			    arena_cstr(arena, name), arena_cstr(arena, span_trim(line)), true};
}

/* ---- the keys ---- */

#define AT(member) \
	.at = offsetof(struct config, member), .size = sizeof(((struct config *)0)->member)

const struct config_key config_keys[] = {
    {"instance", KEY_OWN, .required = true, .read = read_instance, .form = "name",
     .comment = "The name of this server in Message-IDs and reply addresses: a-z, 0-9, -."},
    {"address", KEY_ADDRESS, AT(address), .required = true,
     .wanted = "one plain mail address such as moles@example.org",
     .comment = "The address players write to."},
    {"name", KEY_TEXT, AT(from_name), .max = 64, .usual = "Molepost",
     .comment = "The name people see beside the address."},
    {"source", KEY_OWN, .required = true, .list = true, .read = read_source, .form = "where",
     .example = "maildir:mail",
     .comment = "Where mail comes from; the key may stand several times. Paths without a\n"
                "leading / start in the folder of this file. A mailbox elsewhere is read as\n"
                "imaps://user@host or pop3s://user@host; it must be the server's alone."},
    {"sink", KEY_OWN, .required = true, .read = read_sink, .form = "where",
     .example = "maildir:outbox",
     .comment = "Where mail goes: a folder that somebody else empties, a mail server\n"
                "(smtps://moles@example.org@smtp.example.org, or smtp://127.0.0.1 on this\n"
                "machine) or a program (sendmail:/usr/sbin/sendmail). See molepost.conf(5),\n"
                "SENDING."},
    {"password", KEY_OWN, .list = true, .secret = true, .read = read_password,
     .form = "[user@host] where", .example = "file:password",
     .comment = "Where the passwords for network mailboxes are kept, never the passwords\n"
                "themselves: file:PATH, command:LINE or env:NAME; for all logins, or behind\n"
                "user@host for one. token instead of password: an OAuth 2.0 access token;\n"
                "oauth:PATH is the file that molepost login makes, with what oauth says."},
    {"token", KEY_OWN, .list = true, .secret = true, .read = read_token,
     .form = "[user@host] where", .example = "oauth:oauth-token"},
    {"oauth", KEY_OWN, .read = read_oauth, .form = "authority client-id",
     .example = "microsoft 00000000-0000-0000-0000-000000000000"},
    {"oauth_secret", KEY_TEXT, AT(oauth_secret), .form = "where",
     .example = "file:oauth-secret"},
    {"oauth_scope", KEY_TEXT, AT(oauth_scope), .form = "words",
     .example = "https://mail.google.com/"},
    {"ca_file", KEY_TEXT, AT(settings.ca_file), .form = "file", .example = "our-ca.pem",
     .comment = "Trust these authorities (PEM) in place of the system's."},
    {"database", KEY_TEXT, AT(database), .rival = "store", .form = "file",
     .usual = "molepost.db",
     .comment = "The games, the server's keys (keep a copy of both, in different places),\n"
                "and the folder in which `molepost receive` puts mail down. store in place of\n"
                "database: postgresql://user@host/database, see molepost(1)."},
    {"store", KEY_OWN, .rival = "database", .read = read_store,
     .form = "postgresql://user@host/database[?options]"},
    {"key_file", KEY_TEXT, AT(key_file), .form = "file", .usual = "molepost.key"},
    {"spool", KEY_TEXT, AT(spool), .form = "folder", .usual = "spool"},
    {"syslog", KEY_SWITCH, AT(syslog), .words = "on off", .usual = "off",
     .comment = "Each event also as a line of the system's log (mail.info), without orders."},
    {"host_id", KEY_TEXT, AT(host_id), .form = "file", .example = "/etc/molepost-host",
     .comment =
         "A database runs on the machine it was made on, and on a copy of it nowhere: known\n"
         "by the host name, or by the first word of a file of that machine. Use a file\n"
         "where host names come and go, as in containers."},
    {"wordlist", KEY_OWN, .list = true, .read = read_wordlist, .form = "name file ...",
     .usual = usual_wordlists,
     .comment = "Word lists for the games that need one: a name and its files. These are\n"
                "Debian's; a copy of a list outlives upgrades, which may end running games."},
    {"operator", KEY_ADDRESS, AT(operator_address),
     .wanted = "one plain mail address such as ann@example.org", .example = "you@example.net",
     .comment = "Who is told when mail cannot be read or sent, or a game is held: an address,\n"
                "and a program for when the mail server is what is broken. See molepost(1),\n"
                "WHEN SOMETHING FAILS."},
    {"show_operator", KEY_SWITCH, AT(show_operator), .words = "on off", .usual = "off",
     .comment =
         "Whether players see which seat is yours: on or off. On, they can also ask for\n"
         "games without you.",
     .beside = true},
    {"alarm", KEY_PROGRAM, AT(alarm), .form = "command:path",
     .example = "command:/usr/local/bin/ring"},
    {"after_game", KEY_PROGRAM, AT(after_game), .form = "command:path",
     .example = "command:/usr/local/bin/publish",
     .comment =
         "A program that is run when a game has ended, with its name as argument and its\n"
         "record on standard input."},
    {"website", KEY_TEXT, AT(website), .form = "https://host/folder",
     .example = "https://games.example.org",
     .comment = "Where people find the folder that `molepost site` writes: the last mail of a\n"
                "game names the page there that checks its record."},
    {"unknown_senders", KEY_WORD, AT(unknown_senders), .words = "accept confirm known",
     .example = "accept",
     .comment = "Senders never seen before: accept (seated at once), confirm (they answer\n"
                "one mail first) or known (ignored). When every source is a Maildir the\n"
                "default is accept, else confirm."},
    {"newcomers", KEY_WORD, AT(newcomers), .words = "game ask", .example = "game",
     .comment =
         "Whoever writes for the first time and wants to play: game (a game against bots\n"
         "has begun), or ask (it begins with their YES). The default is game where\n"
         "unknown_senders is accept or authserv_id is set, else ask."},
    {"known_senders", KEY_WORD, AT(known_senders), .words = "accept confirm",
     .example = "accept",
     .comment = "Orders from a known address that come neither to a reply address nor as an\n"
                "answer to a mail of this server: accept, or confirm (the player is asked by\n"
                "mail first). When every source is a Maildir the default is accept, else\n"
                "confirm."},
    {"authserv_id", KEY_OWN, .read = read_authserv_id, .form = "name",
     .example = "mx.example.org",
     .comment = "The name under which your own mail server writes Authentication-Results, and\n"
                "what to do with mail for whose sender it does not vouch: ignore it, warn in\n"
                "the receipt, or require (ask the player first). See molepost.conf(5) before\n"
                "you believe it."},
    {"authentication", KEY_WORD, AT(authentication), .words = "ignore warn require",
     .example = "warn"},
    {"plus_address", KEY_SWITCH, AT(plus_address), .words = "on off", .usual = "on",
     .comment = "Replies go to moles+SEAT.SERIAL.MAC@host; off if your mail server cannot\n"
                "deliver such addresses."},
    {"sender", KEY_WORD, AT(fixed_sender), .words = "varying fixed", .usual = "varying",
     .comment =
         "varying: each mail leaves from moles+b-NUMBER-MAC@host, to which it comes back. fixed:\n"
         "all from the address, for providers that refuse others."},
    {"shared_address", KEY_SWITCH, AT(shared_address), .words = "on off", .usual = "off",
     .comment = "Whether one address may hold several seats of one game."},
    {"masters", KEY_SWITCH, AT(has_masters), .words = "creator nobody", .usual = "creator",
     .comment = "creator: whoever creates a game by mail is its master; or nobody."},
    {"ready", KEY_WORD, AT(strangers_are_asked), .words = "asked strangers",
     .usual = "strangers",
     .comment =
         "Before a game begins its players are asked whether they are still there: asked,\n"
         "where CREATE says READY; strangers, also in each public game of three or more."},
    {"subject", KEY_WORD, AT(fixed_subject), .words = "varying fixed", .usual = "varying",
     .comment = "varying: the subject names the turn. fixed: one subject for a whole game,\n"
                "for readers that build threads from subjects."},
    {"charset", KEY_WORD, AT(ascii), .words = "utf-8 ascii", .usual = "utf-8",
     .comment = "utf-8, or ascii for readers that can show nothing else."},
    {"html", KEY_WORD, AT(html), .words = "offer off on", .usual = "offer",
     .comment =
         "An HTML form beside the text of a mail, with orders that are sent by tapping:\n"
         "offer: to whoever writes HTML, or says SET MAIL HTML; off; on: to all but SET MAIL PLAIN."},
    {"zone", KEY_OWN, .read = read_zone, .form = "name", .usual = "UTC",
     .comment = "Times in mails are those of this place, until a player says SET ZONE."},
    {"next", KEY_TIME, AT(next_s), .wanted = "a length of time such as 3D or 12H",
     .usual = "3D",
     .comment = "Time for a turn when the creator of a game says nothing: 45M, 12H, 3D, 2W."},
    {"days", KEY_CALENDAR, .form = "days",
     .wanted = "days of the week such as mon-fri or sat,sun", .usual = "mon-sun",
     .comment = "The other clocks of such games; see molepost-orders(7), CLOCKS. Days of\n"
                "the week and hour at which turns end, in the time zone of the creator."},
    {"at", KEY_CALENDAR, .form = "hour", .wanted = "an hour of the day such as 20:00, or any",
     .usual = "any"},
    {"grace", KEY_CALENDAR, .form = "time", .wanted = "a length of time such as 6H, or 0",
     .usual = "0",
     .comment = "How long after a deadline those who are late may still order, and how long a\n"
                "turn stays open after its last orders."},
    {"delay", KEY_CALENDAR, .form = "time", .wanted = "a length of time such as 30M, or 0",
     .usual = "0"},
    {"holidays", KEY_CALENDAR, .form = "days",
     .wanted = "days such as 12-24..12-26,2027-01-01, or none", .usual = "none",
     .comment =
         "Days on which no turn of any game ends: 2027-04-05, or 12-24..12-26 for every\n"
         "year."},
    {"remind", KEY_CALENDAR, .form = "times",
     .wanted = "lengths of time, the longest first, such as 24H,4H, or none", .usual = "24H,4H",
     .comment = "How long before the deadline those are reminded who have sent nothing."},
    {"misses", KEY_CALENDAR, .max = 100, .usual = "3",
     .comment = "After so many turns running without orders a seat becomes vacant (0: never);\n"
                "until somebody takes it over it is open, or the server plays it (bot)."},
    {"vacant", KEY_CALENDAR, .words = "open bot", .usual = "open"},
    {"outage", KEY_TIME, AT(outage.least_s), .words = "off", .usual = "2H",
     .comment =
         "When the server did not run, or could not read or send mail, for this long or\n"
         "longer, the deadlines of running games move by as much; off: never. How far\n"
         "apart runs usually are is learned (auto) unless it is said here."},
    {"run_every", KEY_TIME, AT(outage.every_s), .words = "auto",
     .wanted = "a length of time such as 5M, or auto", .usual = "auto"},
    {"keep_mail", KEY_TIME, AT(keep_mail_s), .words = "0", .usual = "7D",
     .comment = "How long handled mail is kept, in plain text, to bring a restored backup up\n"
                "to date; 0 deletes it at once."},
    {"keep_texts", KEY_TIME, AT(keep.texts_s), .min = KEEP_LEAST_S, .words = "always",
     .usual = "180D",
     .comment = "How long the database keeps the texts of mails it has sent (what they prove\n"
                "stays), and other things nobody plays with: molepost.conf(5), RETENTION."},
    {"keep_inbox", KEY_TIME, AT(keep.inbox_s), .min = KEEP_LEAST_S, .words = "always",
     .usual = "365D"},
    {"keep_outbox", KEY_TIME, AT(keep.outbox_s), .min = KEEP_LEAST_S, .words = "always",
     .usual = "365D"},
    {"keep_audit", KEY_TIME, AT(keep.audit_s), .min = KEEP_LEAST_S, .words = "always",
     .usual = "365D"},
    {"keep_runs", KEY_TIME, AT(keep.runs_s), .min = KEEP_LEAST_S, .words = "always",
     .usual = "365D"},
    {"keep_quarantine", KEY_TIME, AT(keep.quarantine_s), .min = KEEP_LEAST_S, .words = "always",
     .usual = "180D"},
    {"max_mail_size", KEY_SIZE, AT(limits.max_size), .min = 4 * KIB, .max = 64 * MIB,
     .usual = "1M",
     .comment = "What is larger, longer or nested deeper is refused, and the sender is told;\n"
                "see molepost.conf(5), SIZES AND COUNTS."},
    {"max_header_size", KEY_SIZE, AT(limits.header_bytes), .min = KIB, .max = 64 * KIB,
     .usual = "64K"},
    {"max_header_fields", KEY_NUMBER, AT(limits.header_fields), .min = 10, .max = 500,
     .usual = "500"},
    {"max_parts", KEY_NUMBER, AT(limits.parts), .min = 1, .max = 64, .usual = "64"},
    {"max_depth", KEY_NUMBER, AT(limits.depth), .min = 1, .max = 64, .usual = "20"},
    {"max_recipients", KEY_NUMBER, AT(limits.recipients), .min = 1, .max = 500, .usual = "50"},
    {"max_text_size", KEY_SIZE, AT(limits.text_bytes), .min = KIB, .max = 64 * KIB,
     .usual = "64K"},
    {"max_text_lines", KEY_NUMBER, AT(limits.text_lines), .min = 10, .max = 2000,
     .usual = "2000"},
    {"max_parse_seconds", KEY_NUMBER, AT(max_parse_seconds), .min = 1, .max = 60, .usual = "2"},
    {"max_commands", KEY_NUMBER, AT(max_commands), .min = 1, .max = 1000, .usual = "100"},
    {"max_mails_per_day", KEY_NUMBER, AT(max_mails_per_day), .min = 1, .max = 100000,
     .usual = "200",
     .comment = "Mails of one sender in one day (UTC). More are recorded and not carried out."},
    {"answers_per_day", KEY_NUMBER, AT(answers_per_day), .min = 1, .max = 10000, .usual = "100",
     .comment =
         "How often a day one seat is answered; what nobody proved, what is refused and\n"
         "strangers get a share of that (molepost.conf(5), LIMITS). What comes beyond is\n"
         "dealt with in silence, so that programs cannot write to each other for ever."},
    {"press", KEY_WORD, AT(press.mode), .words = "white grey none", .usual = "white",
     .comment = "What players may write to each other, unless the creator of a game says\n"
                "otherwise: white (the writer is always named), grey (the writer chooses),\n"
                "none. It goes out now, or with the next turn report."},
    {"press_delivery", KEY_WORD, AT(press.waits), .words = "now report", .usual = "now"},
    {"observers", KEY_WORD, AT(press.observers), .words = "now report none", .usual = "now",
     .comment = "When people who observe a game get what is written to all: now, with the\n"
                "next report, or none: nobody may observe."},
    {"max_press_size", KEY_SIZE, AT(max_press_size), .min = 256, .max = 64 * KIB, .usual = "4K",
     .comment = "The longest message, how many one seat may write in a day, how many may\n"
                "observe one game, and how many games one person."},
    {"press_per_day", KEY_NUMBER, AT(press_per_day), .min = 1, .max = 1000, .usual = "20"},
    {"max_observers", KEY_NUMBER, AT(max_observers), .min = 0, .max = 10000, .usual = "50"},
    {"max_observed", KEY_NUMBER, AT(max_observed), .min = 1, .max = 10000, .usual = "20"},
    {"invites_per_day", KEY_NUMBER, AT(invites_per_day), .min = 0, .max = 1000, .usual = "10",
     .comment = "How many invitations into games a player may have sent in a day; 0 = none."},
    {"absence_days", KEY_NUMBER, AT(absence_days), .min = 0, .max = 366, .usual = "21",
     .comment =
         "How many days a player may be away at a time, and in any 365 days (SET ABSENCE);\n"
         "0 = not at all."},
    {"absence_days_per_year", KEY_NUMBER, AT(absence_days_per_year), .min = 0, .max = 366,
     .usual = "42"},
    {"first_game", KEY_NUMBER, AT(first_game), .min = 1, .max = 1000000000, .usual = "1",
     .comment =
         "Games are numbered from here on: for one of several servers behind one address,\n"
         "each with numbers of its own; see molepost(1), SEVERAL SERVERS."},
};
const size_t config_nkeys = sizeof(config_keys) / sizeof(config_keys[0]);

const struct retired_key config_retired[] = {
    {"answers_per_domain", "it is a share of answers_per_day"},
    {"answers_to_strangers", "it is a share of answers_per_day"},
    {"receipts_per_day", "answers_per_day says it"},
    {"mails_per_player", "max_mails_per_day says it"},
    {"strangers_per_run", "it is a share of answers_per_day"},
    {"source_wait", "nothing ever obeyed it"},
};
const size_t config_nretired = sizeof(config_retired) / sizeof(config_retired[0]);
