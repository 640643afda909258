/*
 * inbox.c - what became of each mail that came in.
 */
#include "store/inbox.h"

#include <string.h>

#include "processor/base/step.h"
#include "store/engine/row.h"
#include "store/engine/sealed.h"

/* ----------------------------------------------------------------- sources */

static enum err find_source(struct store *s, struct span url, int64_t *id)
{
	return row_find(s, "SELECT id FROM sources WHERE url = ?", ARGS(url), &row_int64, NULL,
	                id);
}

/* Most mails of a transaction come from the same mailbox. */
static enum err known_source(struct store *s, struct span url, int64_t *id)
{
	enum err err;

	*id = s->known.source;
	if (*id != 0 && span_eq(url, strbuf_span(&s->source_url)))
		return ERR_NONE;
	err = find_source(s, url, id);
	if (err == ERR_NONE && s->tx != DB_TX_NONE) {
		s->known.source = *id;
		strbuf_clear(&s->source_url);
		strbuf_add_span(&s->source_url, url);
	}
	return err;
}

static enum err need_source(struct store *s, struct span url, int64_t *id)
{
	struct query q;
	enum err err = known_source(s, url, id);

	if (err != ERR_NONE || *id != 0)
		return err;
	q = db_write(s, "INSERT INTO sources (url) VALUES (?) RETURNING id");
	bind_text(&q, url);
	return db_run_id(&q, id);
}

/* ----------------------------------------------------------------- reading */

#define INBOX_COLUMNS                                                                         \
	"SELECT i.id, i.source, (SELECT url FROM sources WHERE id = i.source), transport_id," \
	" message_id, arrived_utc, sent_utc, handled_utc, player, game, serial, seat, "       \
	"verdict,"                                                                            \
	" sealed_detail, purge_utc FROM inbox i "

static const struct row_shape mail_row = ROW_SHAPE(
    struct inbox_mail,
    COLUMNS(struct inbox_mail, id, source_id, source, transport_id, message_id, arrived_utc,
            sent_utc, handled_utc, player, game, serial, seat, verdict),
    COLUMN_SEALED(struct inbox_mail, detail, SEALED, "detail", source_id, transport_id),
    COLUMNS(struct inbox_mail, purge_utc));

static enum err find_by_transport(struct store *s, int64_t source, struct span transport_id,
                                  struct arena *arena, struct inbox_mail *out)
{
	*out = (struct inbox_mail){0};
	return row_get(s, INBOX_COLUMNS "WHERE transport_id = ? AND i.source = ?",
	               ARGS(transport_id, source), &mail_row, arena, out, "such mail");
}

/*
 * In a row: of a mail with a claim the digest of that, and in `said` those of its bytes and its words;
 * of others, and in rows of the time before there were claims, the digest of its bytes.
 */
enum { SAID_BYTES = 8 };

typedef unsigned char mac[SHORT_HASH_LEN];
enum { OF_BYTES, OF_CLAIM, OF_WORDS };

/* Asked for before the row is written: the digests of the last mail are kept. */
static const mac *macs_of(struct store *s, const struct mail_identity *i)
{
	const struct hash of[] = {i->bytes, i->claim, i->words};
	struct db_known *known = &s->known;

	if (memcmp(known->mail, of, sizeof(of)) != 0) {
		short_hash(s, "content", hash_span(&i->bytes), known->mail_macs[OF_BYTES]);
		short_hash(s, "claim", hash_span(&i->claim), known->mail_macs[OF_CLAIM]);
		short_hash(s, "words", hash_span(&i->words), known->mail_macs[OF_WORDS]);
		memcpy(known->mail, of, sizeof(of));
	}
	return (const mac *)known->mail_macs;
}

/* The first `len` bytes, or NULL for who has none. */
static struct row_arg mac_arg(const struct hash *of, const mac m, size_t len)
{
	return hash_is_zero(of) ? row_null() : row_blob((struct span){(const char *)m, len});
}

#define SAME_BYTES "content = ? AND said IS NULL"
#define SAME_WORDS \
	"content = ? AND said IS NOT NULL AND (substr(said, 1, 8) = ? OR substr(said, 9) = ?)"

#define SAME(i, macs)                                               \
	mac_arg(&(i)->bytes, (macs)[OF_BYTES], SHORT_HASH_LEN),     \
	    mac_arg(&(i)->claim, (macs)[OF_CLAIM], SHORT_HASH_LEN), \
	    mac_arg(&(i)->bytes, (macs)[OF_BYTES], SAID_BYTES),     \
	    mac_arg(&(i)->words, (macs)[OF_WORDS], SAID_BYTES)

static enum err find_same(struct store *s, const struct mail_identity *identity,
                          struct arena *arena, struct inbox_mail *out)
{
	const mac *macs = macs_of(s, identity);

	*out = (struct inbox_mail){0};
	return row_get(
	    s, INBOX_COLUMNS "WHERE " SAME_BYTES " OR " SAME_WORDS " ORDER BY i.id LIMIT 1",
	    ARGS(SAME(identity, macs)), &mail_row, arena, out, "such mail");
}

/* Nearly every mail is new, and one question finds that out. */
static enum err is_new(struct store *s, struct span source, struct span transport_id,
                       const struct mail_identity *identity, bool *new)
{
	struct query q =
	    db_read(s, "SELECT NOT EXISTS (SELECT 1 FROM inbox WHERE transport_id = ? AND"
	               " source = (SELECT id FROM sources WHERE url = ?)) AND NOT EXISTS "
	               "(SELECT 1 FROM inbox WHERE " SAME_BYTES
	               ") AND NOT EXISTS (SELECT 1 FROM inbox WHERE " SAME_WORDS ")");

	const mac *macs = macs_of(s, identity);

	row_bind(&q, ARGS(transport_id, source, SAME(identity, macs)));
	*new = !db_next(&q) || col_bool(&q); /* no row: it is only asked ahead */
	return db_end(&q);
}

enum err inbox_find(struct store *s, struct span source, struct span transport_id,
                    const struct mail_identity *identity, struct arena *arena,
                    struct inbox_mail *out)
{
	int64_t id;
	bool new = false;
	enum err err = is_new(s, source, transport_id, identity, &new);

	if (err == ERR_NONE && (new || step_is_broken("no-unique-key")))
		return ERR_NOT_FOUND;
	if (err == ERR_NONE)
		err = known_source(s, source, &id);
	if (err == ERR_NONE)
		err = find_by_transport(s, id, transport_id, arena, out);
	if (err == ERR_NOT_FOUND)
		err = find_same(s, identity, arena, out);
	return err;
}

enum err inbox_by_message_id(struct store *s, struct span message_id, struct arena *arena,
                             struct inbox_mail **out, size_t *n)
{
	return row_list(s, INBOX_COLUMNS "WHERE message_id = ? ORDER BY i.id", ARGS(message_id),
	                &mail_row, arena, out, n);
}

enum err inbox_by_transport_id(struct store *s, struct span id, struct arena *arena,
                               struct inbox_mail **out, size_t *n)
{
	return row_list(s, INBOX_COLUMNS "WHERE transport_id = ? ORDER BY i.id", ARGS(id),
	                &mail_row, arena, out, n);
}

enum err inbox_sent(struct store *s, int64_t id, int64_t *sent_utc)
{
	*sent_utc = 0;
	return row_get(s, "SELECT sent_utc FROM inbox WHERE id = ?", ARGS(id), &row_int64, NULL,
	               sent_utc, "such mail");
}

enum err inbox_purge_due(struct store *s, int64_t now_utc, size_t max, struct arena *arena,
                         struct inbox_mail **out, size_t *n)
{
	return row_list(s,
	                INBOX_COLUMNS "WHERE purge_utc > 0 AND purge_utc <= ?"
	                              " ORDER BY purge_utc, i.id LIMIT ?",
	                ARGS(now_utc, max), &mail_row, arena, out, n);
}

/* ----------------------------------------------------------------- writing */

enum err inbox_next_id(struct store *s, int64_t *id)
{
	return row_next_id(s, "SELECT coalesce(max(id), 0) + 1 FROM inbox",
	                   &s->known.next_inbox, id);
}

static void bind_identity(struct query *q, const struct mail_identity *i)
{
	const mac *macs = macs_of(q->s, i);
	bool claims = !hash_is_zero(&i->claim);
	mac said;

	memcpy(said, macs[OF_BYTES], SAID_BYTES);
	memcpy(said + SAID_BYTES, macs[OF_WORDS], SAID_BYTES);
	row_bind(q, ARGS(mac_arg(claims ? &i->claim : &i->bytes,
	                         macs[claims ? OF_CLAIM : OF_BYTES], SHORT_HASH_LEN)));
	if (claims)
		bind_blob_copy(q, (struct span){(const char *)said, sizeof(said)});
	else
		bind_null(q);
}

enum err inbox_add(struct store *s, const struct inbox_mail *m, int64_t *id)
{
	int64_t source = 0, number = m->id;
	struct query q = db_write_of(
	    s, 0,
	    "INSERT INTO inbox (id, source, transport_id, content, said, message_id,"
	    " arrived_utc, sent_utc, handled_utc, player, game, serial, seat, verdict,"
	    " sealed_detail, purge_utc)"
	    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	enum err err = need_source(s, m->source, &source);

	*id = 0;
	if (err == ERR_NONE && number == 0)
		err = inbox_next_id(s, &number);
	db_spoil(&q, err);
	row_bind(&q, ARGS(number, source, m->transport_id));
	bind_identity(&q, &m->identity);
	row_bind(
	    &q,
	    ARGS(row_text_or_null(m->message_id), m->arrived_utc, m->sent_utc, m->handled_utc,
	         row_ref(m->player), row_ref(m->game), m->serial, m->seat, m->verdict,
	         m->detail.len == 0
	             ? row_null()
	             : row_sealed(SEALED, "detail", ARGS(source, m->transport_id), m->detail),
	         m->purge_utc));
	err = db_run(&q);
	if (err != ERR_NONE)
		return err;
	*id = number;
	s->known.next_inbox = *id == s->known.next_inbox ? *id + 1 : 0;
	return ERR_NONE;
}

enum err inbox_purged(struct store *s, int64_t id)
{
	return row_do_one(s, "UPDATE inbox SET purge_utc = 0 WHERE id = ?", ARGS(id),
	                  "such mail");
}

enum err inbox_purge_later(struct store *s, int64_t id, int64_t purge_utc)
{
	return row_do_one(s, "UPDATE inbox SET purge_utc = ? WHERE id = ?", ARGS(purge_utc, id),
	                  "such mail");
}

/* --------------------------------------------------------------- mailboxes */

enum err mailbox_state_get(struct store *s, struct span source, struct arena *arena,
                           struct span *state)
{
	return row_find(s,
	                "SELECT state FROM mailbox_states WHERE source ="
	                " (SELECT id FROM sources WHERE url = ?)",
	                ARGS(source), &row_text, arena, state);
}

enum err mailbox_state_set(struct store *s, struct span source, struct span state,
                           int64_t now_utc)
{
	int64_t id;

	TRY(need_source(s, source, &id));
	return row_do(s,
	              "INSERT INTO mailbox_states (source, state, at_utc) VALUES (?, ?, ?)"
	              " ON CONFLICT (source) DO UPDATE SET state = excluded.state,"
	              " at_utc = excluded.at_utc",
	              ARGS(id, state, now_utc));
}

/* -------------------------------------------------------------- quarantine */

enum err quarantine_add(struct store *s, int64_t inbox_id, const char *reason, struct span raw,
                        int64_t now_utc)
{
	return row_do(
	    s,
	    "INSERT INTO quarantine (inbox, at_utc, reason, sealed_raw)"
	    " VALUES (?, ?, ?, ?)",
	    ARGS(inbox_id, now_utc, reason, row_sealed(SEALED, "raw", ARGS(inbox_id), raw)));
}

enum err quarantine_count(struct store *s, unsigned *n)
{
	return row_find(s, "SELECT count(*) FROM quarantine", NO_ARGS, &row_uint, NULL, n);
}

enum err quarantine_count_reason(struct store *s, const char *reason, unsigned *n)
{
	return row_find(s, "SELECT count(*) FROM quarantine WHERE reason = ?", ARGS(reason),
	                &row_uint, NULL, n);
}

enum err quarantine_list(struct store *s, size_t max, struct arena *arena,
                         struct inbox_mail **out, size_t *n)
{
	return row_list(s,
	                INBOX_COLUMNS "WHERE i.id IN (SELECT inbox FROM quarantine"
	                              " ORDER BY inbox DESC LIMIT ?) ORDER BY i.id DESC",
	                ARGS(max), &mail_row, arena, out, n);
}

/* --------------------------------------------------------------- in flight */

static const struct row_shape in_flight_row =
    ROW_SHAPE(struct in_flight, COLUMNS(struct in_flight, kind, object, tries, since_utc));

enum err in_flight_get(struct store *s, struct arena *arena, struct in_flight *out)
{
	enum err err = row_find(s,
	                        "SELECT kind, object, tries, since_utc FROM in_flight"
	                        " ORDER BY id LIMIT 1",
	                        NO_ARGS, &in_flight_row, arena, out);

	out->present = out->kind.len > 0;
	return err;
}

enum err in_flight_set(struct store *s, const char *kind, const char *object, unsigned tries,
                       int64_t now_utc)
{
	return row_do(s,
	              "INSERT INTO in_flight (id, kind, object, tries, since_utc)"
	              " VALUES (1, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
	              " kind = excluded.kind, object = excluded.object,"
	              " tries = excluded.tries, since_utc = excluded.since_utc",
	              ARGS(kind, object, tries, now_utc));
}

enum err in_flight_clear(struct store *s)
{
	return row_do(s, "DELETE FROM in_flight", NO_ARGS);
}
