/*
 * round_trip.c - a mail to oneself: made, recognized, looked for.
 */
#include "processor/outgoing/round_trip.h"

#include <string.h>
#include <time.h>

#include "mail/source.h"
#include "mail/text/address_list.h"
#include "mail/text/auth_results.h"
#include "mail/text/header.h"
#include "processor/base/step.h"
#include "processor/base/utf8.h"
#include "processor/outgoing/outgoing.h"
#include "processor/outgoing/send.h"
#include "store/inbox.h"

enum { DAY_S = 24 * 3600, NO_SEAT = 64, LOOKED_AT = 1000, READ_AT_MOST = 64 * 1024 };

#define SUBJECT "round trip of a mail"

static bool is_maildir(const char *url)
{
	return span_starts(span_of(url), "maildir:");
}

bool round_trip_is_made(const struct config *cfg)
{
	bool elsewhere = false;

	for (size_t i = 0; i < cfg->nsources; i++)
		elsewhere = elsewhere || !is_maildir(cfg->sources[i]);
	return elsewhere && !is_maildir(cfg->sink);
}

/* ---- making ---- */

static void to_itself(const struct server *srv, int64_t sent_utc, struct strbuf *out)
{
	if (srv->cfg.plus_address)
		address_add_reply(srv, &(struct game){.letter = 'W'},
		                  &(struct seat){.seat = NO_SEAT}, (unsigned)(sent_utc / DAY_S),
		                  out);
	else
		strbuf_adds(out, srv->cfg.address);
}

enum err round_trip_start(struct server *srv, bool now)
{
	static const char paragraphs[] =
	    "The server mails itself once a day. This shows that its mail leaves and arrives, "
	    "and by what way. molepost doctor tells what came of it.";
	struct report_out out = REPORT_OUT_INIT;
	struct strbuf address = STRBUF_INIT;
	struct mail_way trip;

	if (!round_trip_is_made(&srv->cfg) && !now)
		return ERR_NONE;
	TRY(mail_way_get(srv->store, srv->arena, &trip));
	if (!now && srv->now_utc - trip.sent_utc < DAY_S && srv->now_utc >= trip.sent_utc)
		return ERR_NONE;
	TRY(store_begin(srv->store));
	report_notice(
	    &(struct report_notice){.subject = SUBJECT, .paragraphs = TEXTS(paragraphs)}, &out);
	to_itself(srv, srv->now_utc, &address);
	enum err rc = outgoing_add(
	    srv,
	    &(struct outgoing){.kind = "round-trip",
	                       .key = arena_printf(srv->arena, "%lld", (long long)srv->now_utc),
	                       .address = strbuf_span(&address),
	                       .exactly = true,
	                       .report = &out},
	    srv->arena);
	report_out_release(&out);
	strbuf_release(&address);
	trip.sent_utc = srv->now_utc;
	if (rc == ERR_NONE)
		rc = mail_way_set(srv->store, &trip);
	rc = store_end(srv->store, rc);
	if (rc == ERR_NONE)
		step("round trip begun");
	return rc;
}

/* ---- recognizing ---- */

static bool has_code(const struct server *srv, const struct mail_in *mail,
                     const struct recipient *recipients)
{
	for (size_t i = 0; i < mail->recipients.count; i++)
		if (recipients[i].kind == RECIPIENT_SEAT && recipients[i].seat.game == 0 &&
		    recipients[i].seat.seat == NO_SEAT)
			return address_check(srv, &recipients[i].seat,
			                     &(struct seat){.seat = NO_SEAT});
	return false;
}

/* Of whom it says it is from, on the envelope. */
static const char *sender_words(struct server *srv, struct span raw)
{
	struct header header;
	struct mailbox path;

	header_split(header_skip_mbox_line(raw), srv->arena, &header);
	struct address_list list =
	    address_list_of(header_value(&header, "return-path", srv->arena));
	if (!address_list_next(&list, srv->arena, &path))
		return "its envelope sender is not shown";
	struct span local = span_slice(path.address, 0, span_find_char(path.address, '@'));
	if (span_find(local, SPAN_LIT("+b-")) < local.len)
		return "its envelope sender was its own";
	if (utf8_eq_folded(path.address, span_of(srv->cfg.address)))
		return "its envelope sender was the server's address";
	return arena_printf(srv->arena, "its envelope sender had become %.*s",
	                    SPAN_ARGS(path.address));
}

enum err round_trip_end(struct server *srv, const struct mail_in *mail,
                        const struct recipient *recipients, struct span url,
                        int64_t arrived_utc, bool *yes)
{
	static const char *const methods[] = {"spf", "dkim", "dmarc"};
	bool plus = has_code(srv, mail, recipients);
	struct strbuf said = STRBUF_INIT;
	struct outbox_mail row = {.kind = SPAN_EMPTY};
	struct mail_way trip;
	struct auth_results all;

	*yes = plus;
	if (!plus && utf8_eq_folded(mail->from, span_of(srv->cfg.address))) {
		enum err rc =
		    outbox_by_message_id(srv->store, mail->message_id, srv->arena, &row);

		if (rc != ERR_NOT_FOUND)
			TRY(rc);
		*yes = span_eq_str(row.kind, "round-trip");
	}
	if (!*yes)
		return ERR_NONE;
	TRY(mail_way_get(srv->store, srv->arena, &trip));
	strbuf_addf(&said, "it came to %.*s%s; %s", SPAN_ARGS(url),
	            plus ? ", addresses with a + work" : "", sender_words(srv, mail->raw));
	if (!auth_results_read(mail->auth_results, srv->arena, &all))
		all.nresults = 0;
	for (size_t m = 0; m < sizeof(methods) / sizeof(methods[0]); m++) {
		const struct auth_result *verdict = NULL;

		for (size_t i = 0; i < all.nresults; i++)
			if (span_eq_nocase(all.results[i].method, methods[m]))
				verdict = verdict ? verdict : &all.results[i];
		if (verdict)
			strbuf_addf(&said, ", %s=%.*s", methods[m], SPAN_ARGS(verdict->result));
		else
			strbuf_addf(&said, ", nothing said of %s", methods[m]);
	}
	trip.said = arena_dup(srv->arena, strbuf_span(&said));
	trip.back_utc = arrived_utc;
	strbuf_release(&said);
	return mail_way_set(srv->store, &trip);
}

/* ---- looking for it ---- */

/* Sets place->url to `url` if it does. */
static enum err lies_in(struct server *srv, const char *url, struct span state, struct span id,
                        struct round_trip_place *place)
{
	struct source *s = NULL;
	struct source_mail *mails;
	struct strbuf raw = STRBUF_INIT;
	bool complete;
	size_t n = 0;
	enum err rc = source_open(url, &srv->cfg.settings, &s, &srv->fail);

	if (rc == ERR_NONE)
		rc = source_resume(s, state, &srv->fail);
	if (rc == ERR_NONE)
		rc = source_next(s, LOOKED_AT, srv->arena, &mails, &n, &complete, &srv->fail);
	while (rc == ERR_NONE && n-- > 0 && !place->url) {
		strbuf_clear(&raw);
		enum err had = source_fetch(s, &mails[n], READ_AT_MOST, &raw, &srv->fail);

		if ((had != ERR_NONE && had != ERR_LIMIT) ||
		    span_find(strbuf_span(&raw), id) == raw.len)
			continue;
		place->url = url;
		place->sender = sender_words(srv, strbuf_span(&raw));
	}
	source_close(s);
	strbuf_release(&raw);
	return rc;
}

/* "imaps://moles@host:993/Folder?x=y" with another folder; NULL: it is no such mailbox. */
static const char *with_folder(struct server *srv, const char *url, const char *folder)
{
	struct span all = span_of(url), rest, server, options;
	size_t host = span_find(all, SPAN_LIT("://")) + 3;

	if (!span_starts(all, "imap"))
		return NULL;
	rest = span_slice(all, host, all.len);
	size_t question = span_find_char(rest, '?');
	options = span_slice(rest, question, rest.len);
	server = span_slice(rest, 0, question);
	server = span_slice(server, 0, span_find_char(server, '/'));
	return arena_printf(srv->arena, "%.*s%.*s/%s%.*s", (int)host, url, SPAN_ARGS(server),
	                    folder, SPAN_ARGS(options));
}

enum err round_trip_find(struct server *srv, struct round_trip_place *place)
{
	static const char *const folders[] = {
	    "Junk", "Spam", "INBOX.Junk", "INBOX.Spam", "Junk%20E-mail", "%5BGmail%5D/Spam"};
	enum { NFOLDERS = sizeof(folders) / sizeof(folders[0]) };
	struct strbuf address = STRBUF_INIT;
	struct mail_way way;
	struct span id = SPAN_LIT(SUBJECT), state;

	*place = (struct round_trip_place){0};
	TRY(mail_way_get(srv->store, srv->arena, &way));
	if (srv->cfg.plus_address) {
		to_itself(srv, way.sent_utc, &address);
		id = arena_take(srv->arena, &address);
	}
	/* A mailbox that cannot be read has nothing in it. */
	for (size_t i = 0; i < srv->cfg.nsources && !place->url; i++) {
		const char *url = srv->cfg.sources[i];

		TRY(mailbox_state_get(srv->store, span_of(url), srv->arena, &state));
		(void)lies_in(srv, url, state, id, place);
	}
	place->spam = !place->url;
	for (size_t i = 0; i < srv->cfg.nsources; i++)
		for (size_t k = 0; k < NFOLDERS && !place->url; k++) {
			const char *url = with_folder(srv, srv->cfg.sources[i], folders[k]);

			if (url)
				(void)lies_in(srv, url, SPAN_EMPTY, id, place);
		}
	return ERR_NONE;
}

enum err round_trip_try(struct server *srv, unsigned wait_s, struct round_trip_place *place,
                        bool *refused)
{
	const struct timespec second = {.tv_sec = 1};
	struct send_result out;

	*place = (struct round_trip_place){0};
	*refused = false;
	TRY(round_trip_start(srv, true));
	enum err rc = send_due(srv, &out);
	*refused = rc == ERR_DENIED && out.in_doubt;
	TRY(rc);
	for (unsigned i = 0; i < wait_s && !place->url; i++) {
		TRY(round_trip_find(srv, place));
		if (!place->url)
			(void)nanosleep(&second, NULL);
	}
	return ERR_NONE;
}
