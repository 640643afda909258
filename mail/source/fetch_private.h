/*
 * fetch_private.h - what the files of the fetching child share. Private to them.
 */
#ifndef MOLEPOST_MAIL_SOURCE_FETCH_PRIVATE_H
#define MOLEPOST_MAIL_SOURCE_FETCH_PRIVATE_H

#include "mail/source/curl_stream.h"
#include "mail/source/fetcher.h"

/* FETCH_OPEN, taken apart; owned texts. */
struct fetch_target {
	enum fetch_protocol protocol;
	struct curl_stream_peer peer;
	char *host, *user, *ca_file, *mailbox, *kept;
	struct strbuf secret;
	bool is_token;
};

/* One end of one mailbox. */
struct fetch_job {
	struct net_libs libs;
	struct fetch_target target;
	int socket; /* handed in for the stream; -1 = none, or it has it */
	struct curl_stream *stream;
	const struct fetch_driver *driver;
	void *link;             /* the protocol's */
	struct strbuf out;      /* the answer being made */
	struct strbuf gathered; /* answers that are made but not sent yet */
	struct failure fail;
};

/*
 * Appends, in base64, what a client says first to log in with the token: OAUTHBEARER (RFC 7628) or XOAUTH2, which
 * is older and better known. A secret: reserve room for the line before.
 */
void bearer_add(struct strbuf *out, const struct fetch_target *t, bool is_standard);

/* FETCH_LIST and FETCH_MAILS, taken apart; borrowed from the request. */
struct fetch_list {
	enum fetch_folder folder;
	uint32_t first, max;
	struct span names;
	bool sizes;
};
struct fetch_name {
	struct span name;
	bool cut; /* only the beginning is wanted */
};
struct fetch_wish {
	enum fetch_folder folder;
	uint32_t max;
	const struct fetch_name *items;
	size_t n;
};

/*
 * What a protocol can do. Pieces of an answer are sent with the fetch_send_* below; what a DONE
 * carries is appended to job->out, which is empty. All return the error that FETCH_FAILED is to
 * name, with the sentence in job->fail.
 */
struct fetch_driver {
	enum err (*open)(struct fetch_job *j);
	enum err (*list)(struct fetch_job *j, const struct fetch_list *l);
	enum err (*mails)(struct fetch_job *j, const struct fetch_wish *w);
	enum err (*settle)(struct fetch_job *j, uint32_t validity, struct span names);
	enum err (*purge)(struct fetch_job *j, uint32_t validity, struct span names);
	enum err (*wait)(struct fetch_job *j, unsigned most_s); /* NULL: cannot */
	void (*close)(struct fetch_job *j); /* takes its leave of the server, if it can */
};

extern const struct fetch_driver fetch_imap, fetch_pop3;

/*
 * Entries and mails are gathered, for there may be thousands; fetch_send_now is for who is about to
 * wait for the server. fetch_send_out sends job->out as a piece, at once, and all that was gathered
 * before it.
 */
void fetch_send_now(void *job);
void fetch_send_out(struct fetch_job *j, enum fetch_reply kind);
void fetch_send_entry(struct fetch_job *j, struct span name, size_t size, int64_t arrived_utc,
                      uint32_t place);
void fetch_send_mail(struct fetch_job *j, struct span name, bool cut, struct span raw);
void fetch_send_lacking(struct fetch_job *j, struct span name);
/* Opens j->stream over j->socket. A connection is made once in the life of a child. */
enum err fetch_connect(struct fetch_job *j) MUST_CHECK;
/* ": what the server said", made fit for an error text, appended to j->fail. */
void fetch_add_answer(struct fetch_job *j, const char *answer);

#endif
