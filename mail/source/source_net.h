/*
 * source_net.h - what IMAP and POP3 sources have in common. Private to mail/.
 *
 * Mails are asked for in sets, some ahead of what the caller wants now, so that the server, the
 * fetching child and the parser work side by side. A connection that breaks is made again and
 * the sets become small; a mail that breaks one by itself twice, or that the server lists and
 * will not give, is left out, and the source says so.
 */
#ifndef MOLEPOST_MAIL_SOURCE_SOURCE_NET_H
#define MOLEPOST_MAIL_SOURCE_SOURCE_NET_H

#include "mail/source/fetcher.h"
#include "mail/source/private.h"
#include "mail/text/net_url.h"

enum net_stage {
	NET_LISTED,
	NET_ASKED,
	NET_HERE,    /* raw is filled */
	NET_GIVEN,   /* and has been handed out */
	NET_LACKING, /* there, but not to be had */
	NET_GONE     /* not there any more */
};

struct net_mail {
	char *name; /* as in fetcher.h */
	char *id;   /* as in struct source_mail */
	size_t size;
	int64_t arrived_utc;
	uint32_t place;
	enum fetch_folder folder;
	enum net_stage stage;
	bool handled; /* as in struct source_mail */
	bool cut;
	unsigned losses; /* connections that broke with this mail alone in hand */
	struct strbuf raw;
};

enum { NET_AHEAD = 6 }; /* sets asked for at a time */

struct net_set {
	size_t first, n;
};

struct net_source {
	struct source *source;
	struct net_url url;
	enum fetch_protocol protocol;
	bool is_tls;
	unsigned timeout_s;
	const char *mailbox, *kept; /* borrowed from url, or literal */

	struct fetcher *fetcher;
	bool is_open; /* logged in */
	/* Of the mailbox: at the last connection, and when it was listed. */
	uint32_t validity, listed_validity;
	bool keeps; /* handled mail can be moved away */
	/* As the mailbox was found when it was opened; 0 if unknown. */
	uint32_t exists, next_uid;
	/* Mails that the next listing will bring, and nobody has been told of. */
	size_t waiting;

	struct net_mail *mails; /* the last listing, oldest first once it is sorted */
	size_t n, cap, hint;
	struct net_set asked[NET_AHEAD]; /* under way, oldest first */
	size_t nasked, ask_next;
	size_t asked_max;  /* bytes of a mail */
	size_t held_bytes; /* of mails that are here and have not been handed out */
	size_t set_max;    /* how many mails a set may have at present */
	unsigned losses;
};

/* Reads the URL; connects to nobody. ERR_CONFIG. */
enum err net_open(struct net_source *n, struct source *s, const char *rest,
                  struct failure *e) MUST_CHECK;
void net_close(struct net_source *n);
/* Members of a driver whose state begins with its struct net_source. net_start connects to nobody. */
void net_start(struct source *s);
bool net_is_here(struct source *s, const struct source_mail *mail);
void net_poll(struct source *s);
/* Logs in, unless that is done. ERR_DENIED, ERR_CONFIG, ERR_TIMEOUT, ERR_IO, ... */
enum err net_connect(struct net_source *n, struct failure *e) MUST_CHECK;

/* Throws the listing away, and with it all that is under way. */
void net_forget(struct net_source *n);
/*
 * Adds to the listing: mails from `first` on and those named, at most `max`. *validity: of that
 * folder, 0 when it is not there. Ids are for the caller to fill.
 */
enum err net_list(struct net_source *n, enum fetch_folder folder, uint32_t first,
                  struct span names, size_t max, bool *complete, uint32_t *validity,
                  struct failure *e) MUST_CHECK;
/* Takes one out of the listing, by its index; another takes its place. */
void net_drop(struct net_source *n, size_t at);
/* Oldest first, and gives the first `max` as next() wants them. */
size_t net_offer(struct net_source *n, size_t max, struct arena *arena,
                 struct source_mail **out);
/* The listed mail with this id; NULL. */
struct net_mail *net_find(struct net_source *n, struct span id);
/*
 * Appends the mail. ERR_LIMIT as source_fetch; ERR_NOT_FOUND: it has gone; ERR_INVALID: the
 * server does not give it. Anything else: the source is of no use for now.
 */
enum err net_fetch(struct net_source *n, struct net_mail *m, size_t max, struct strbuf *raw,
                   struct failure *e) MUST_CHECK;
/* Told where mails went: names here, names there, folder's validity. */
typedef void net_moved_fn(void *ctx, struct span from, uint32_t validity, struct span to);
/* FETCH_SETTLE or FETCH_PURGE, tried again once when the connection breaks. */
enum err net_settle(struct net_source *n, uint32_t validity, struct span names,
                    net_moved_fn *moved, void *ctx, struct failure *e) MUST_CHECK;
enum err net_purge(struct net_source *n, uint32_t validity, struct span names,
                   struct failure *e) MUST_CHECK;

#endif
