/*
 * config.h - the configuration file, strict: an unknown key or a bad value is an error
 * with file and line (exit 78); a key there was once is ignored, and `retired` says so. The keys and their defaults: config_keys.c, molepost.conf(5).
 */
#ifndef MOLEPOST_PROCESSOR_SERVER_CONFIG_H
#define MOLEPOST_PROCESSOR_SERVER_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "mail/mail.h"
#include "mail/text/credentials.h"
#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/calendar/deadline.h"
#include "store/press.h"

/* When nothing is said: accept if every source is a local Maildir, else confirm. */
enum unknown_senders { UNKNOWN_ACCEPT, UNKNOWN_CONFIRM, UNKNOWN_KNOWN };

/*
 * What a known From address is worth without a reply address or an answered mail of ours: ACCEPT
 * it is enough, CONFIRM what would change something waits for a yes. When nothing is said: accept
 * if every source is a local Maildir, else confirm.
 */
enum known_senders { KNOWN_ACCEPT, KNOWN_CONFIRM };

/* A wish to play of who never has: a game begins, or they are asked first. */
enum newcomers { NEWCOMERS_GAME, NEWCOMERS_ASK };

/* What is done with what the receiving mail server found out (mail/text/auth_results.h). */
enum authentication { AUTHENTICATION_IGNORE, AUTHENTICATION_WARN, AUTHENTICATION_REQUIRE };

/* A word list for games: the texts of its files, one behind the other. */
struct config_wordlist {
	const char *name;
	const char *files; /* paths with blanks between, absolute or relative to dir */
	bool usual;        /* nobody asked for it: no mistake if it is not there */
};

/* How long the server has to be of no use to its players before their clocks get the time back. */
struct outage_rules {
	int64_t least_s; /* what is shorter does not count; 0 = nothing counts */
	int64_t every_s; /* between runs, as cron starts them; 0 = to be learned */
};

/* How long what is stored is kept (retention.h), in seconds; 0 = always. */
struct keep_rules {
	int64_t texts_s;      /* of mails sent */
	int64_t inbox_s;      /* Message-IDs and what became of mails taken in */
	int64_t outbox_s;     /* addresses of mails sent, and what failed */
	int64_t audit_s;      /* of the server and of games that are over, what is not public */
	int64_t runs_s;       /* the log of runs */
	int64_t quarantine_s; /* mails set aside, whole */
};

/* Mails with an HTML form: for whoever asks, for nobody, for whoever does not refuse it. */
enum html_mode { HTML_OFFER, HTML_OFF, HTML_ON };

struct config {
	const char *dir;       /* the folder of the configuration; relative paths start here */
	const char *instance;  /* of Message-IDs, tokens, loop header: [a-z0-9-]{1,32} */
	const char *address;   /* "moles@example.org" */
	const char *from_name; /* shown beside it */
	/*
	 * Absolute or relative to dir. lock_file has no key: it is the database's name with
	 * ".lock".
	 */
	const char *database, *key_file, *lock_file, *spool;
	const char **sources; /* "maildir:mail", ... */
	size_t nsources;
	const char *sink; /* "maildir:outbox" */
	struct login_rule *logins;
	const char *oauth_issuer,
	    *oauth_client;        /* who gives tokens, who we are there; NULL = nobody */
	const char *oauth_secret; /* where it is kept; NULL = there is none */
	const char *oauth_scope;  /* NULL = that of the authority */
	struct mail_settings
	    settings; /* passwords, authorities: what sources and sinks borrow */
	/* Those of the file, then the usual ones that it does not name. */
	struct config_wordlist *wordlists;
	size_t nwordlists;
	const char *operator_address; /* who hears of troubles by mail; NULL = nobody */
	bool show_operator;           /* players see which seat and which orders are theirs */
	const char *alarm;            /* the program that hears of them; NULL = none */
	const char *after_game; /* the one that hears of games that have ended; NULL = none */
	const char *website;    /* "https://host/folder" of `molepost site`; NULL = none */
	enum unknown_senders unknown_senders;
	enum known_senders known_senders;
	enum newcomers newcomers;
	/* Of the server whose Authentication-Results are believed; NULL = nobody's are. */
	const char *authserv_id;
	enum authentication
	    authentication; /* IGNORE without authserv_id, else WARN if not said */
	bool plus_address;  /* Reply-To carries the token */
	bool fixed_sender;  /* mails leave from `address`, none from one that names the mail */
	bool has_masters;   /* who creates a game is its master */
	bool
	    strangers_are_asked; /* whether they are there, before a game of three or more begins */
	bool shared_address;     /* one address may hold several seats of one game */
	bool fixed_subject;      /* subject = fixed */
	bool ascii;              /* mails in plain ASCII */
	enum html_mode html;
	const char *zone; /* time zone of readers who chose none; "" = UTC */
	int64_t next_s;   /* default deadline interval */
	/* Of games whose creators say nothing else; its holidays go for all. next_s is not set. */
	struct calendar calendar;
	struct outage_rules outage; /* when lost time is given back */
	bool syslog;                /* each event also goes to the system's log */
	const char *host_id; /* a file that names this machine; NULL = its host name does */
	int64_t keep_mail_s;
	struct keep_rules keep;
	struct press_rules press; /* of games whose creator says nothing */
	struct mail_limits limits;
	unsigned max_parse_seconds;
	unsigned max_commands;      /* in one mail */
	unsigned max_mails_per_day; /* of one sender */
	/* Mails to one address within a day because of what it wrote: */
	unsigned answers_per_day; /* scales outgoing/budget.h */
	/* What players write to each other, and who watches: */
	unsigned max_press_size;        /* bytes of a message */
	unsigned press_per_day;         /* messages of one seat */
	unsigned invites_per_day;       /* invitations of one player */
	unsigned max_observers;         /* of one game; 0 = none */
	unsigned absence_days;          /* of one SET ABSENCE; 0 = there is none */
	unsigned absence_days_per_year; /* of one player */
	unsigned max_observed;          /* games one person observes */
	unsigned first_game;            /* the number of the first one */
	const char
	    *retired; /* a line for each line of the file whose key is gone: what goes now */
};

/* Reads DIR/molepost.conf. ERR_CONFIG, ERR_NOT_FOUND. Everything lives in `arena`. */
enum err config_load(const char *dir, struct arena *arena, struct config *out,
                     struct failure *e) MUST_CHECK;
/* As config_load from text, for tests; `file` names it in errors. */
enum err config_parse(struct span text, const char *file, const char *dir, struct arena *arena,
                      struct config *out, struct failure *e) MUST_CHECK;
/* The commented file `init` writes. */
void config_add_example(struct strbuf *out, const char *instance, const char *address);
/* Whether players see which seats and orders are the operator's; and whether this address is theirs then. */
bool config_names_operator(const struct config *c);
bool config_shows_operator(const struct config *c, struct span address);
/* path if absolute, else dir/path; in the arena. */
const char *config_path(const struct config *c, const char *path, struct arena *arena);

#endif
