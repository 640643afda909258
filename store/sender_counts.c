/*
 * sender_counts.c - the table sender_days.
 */
#include "store/sender_counts.h"

#include "processor/base/utf8.h"
#include "store/engine/db.h"
#include "store/engine/sealed.h"

/* People do not notice case in addresses. */
static void add_identity(struct strbuf *out, struct span address, bool proven)
{
	strbuf_adds(out, proven ? "proven\n" : "claimed\n");
	utf8_add_folded(out, address);
}

static enum err forget_past(struct store *s, int64_t day)
{
	struct query q = db_write(s, "DELETE FROM sender_days WHERE day < ?");

	bind_int(&q, day - 1);
	s->known.forgotten_day = day - 1;
	return db_run(&q);
}

static enum err add_first(struct store *s, int64_t day, const unsigned char *who)
{
	struct query q =
	    db_write_of(s, 0, "INSERT INTO sender_days (day, who, mails) VALUES (?, ?, 1)");

	bind_int(&q, day);
	bind_blob(&q, (struct span){(const char *)who, SHORT_HASH_LEN});
	enum err err = db_run(&q);
	if (err == ERR_NONE && s->known.forgotten_day < day - 1)
		err = forget_past(s, day);
	return err;
}

static enum err add_next(struct store *s, int64_t day, const unsigned char *who)
{
	struct query q = db_write_of(
	    s, 0, "UPDATE sender_days SET mails = mails + 1 WHERE day = ? AND who = ?");

	bind_int(&q, day);
	bind_blob(&q, (struct span){(const char *)who, SHORT_HASH_LEN});
	return db_run(&q);
}

enum err sender_day_get(struct store *s, struct span address, bool proven, int64_t day,
                        struct sender_day *out)
{
	struct query q =
	    db_read(s, "SELECT mails, told FROM sender_days WHERE day = ? AND who = ?");
	struct strbuf who = STRBUF_INIT;

	*out = (struct sender_day){0};
	add_identity(&who, address, proven);
	bind_int(&q, day);
	bind_short_hash(&q, "sender", strbuf_span(&who));
	strbuf_release(&who);
	if (db_next(&q)) {
		out->mails = col_uint(&q);
		out->told = col_uint(&q) != 0;
	}
	return db_end(&q);
}

enum err sender_count(struct store *s, struct span address, bool proven, int64_t day,
                      const struct sender_day *before)
{
	unsigned char hash[SHORT_HASH_LEN];
	struct strbuf who = STRBUF_INIT;

	add_identity(&who, address, proven);
	short_hash(s, "sender", strbuf_span(&who), hash);
	strbuf_release(&who);
	return before->mails == 0 ? add_first(s, day, hash) : add_next(s, day, hash);
}

enum err sender_mark_told(struct store *s, struct span address, bool proven, int64_t day)
{
	struct strbuf who = STRBUF_INIT;
	struct query q =
	    db_write(s, "UPDATE sender_days SET told = 1 WHERE who = ? AND day = ?");

	add_identity(&who, address, proven);
	bind_short_hash(&q, "sender", strbuf_span(&who));
	bind_int(&q, day);
	strbuf_release(&who);
	return db_run(&q);
}
