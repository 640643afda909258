/*
 * sender_counts.c - the table sender_days.
 */
#include "store/sender_counts.h"

#include "processor/base/utf8.h"
#include "store/engine/db.h"
#include "store/engine/sealed.h"

#include "processor/base/banned.h"

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

/* Most who write on a day write once: that there is no row yet is found out while adding it. */
static enum err add_first(struct store *s, int64_t day, const unsigned char *who, bool *first)
{
	struct query q = db_write(s,
	                          "INSERT INTO sender_days (day, who, mails) VALUES (?, ?, 1)"
	                          " ON CONFLICT (who, day) DO NOTHING");

	bind_int(&q, day);
	bind_blob(&q, (struct span){(const char *)who, SHORT_HASH_LEN});
	unsigned rows;
	enum err err = db_run_count(&q, &rows);
	*first = rows == 1;
	return err;
}

static enum err add_next(struct store *s, int64_t day, const unsigned char *who)
{
	struct query q =
	    db_write(s, "UPDATE sender_days SET mails = mails + 1 WHERE day = ? AND who = ?");

	bind_int(&q, day);
	bind_blob(&q, (struct span){(const char *)who, SHORT_HASH_LEN});
	return db_run(&q);
}

static enum err read_one(struct store *s, int64_t day, const unsigned char *who,
                         struct sender_day *out)
{
	struct query q =
	    db_read(s, "SELECT mails, told FROM sender_days WHERE day = ? AND who = ?");

	bind_int(&q, day);
	bind_blob(&q, (struct span){(const char *)who, SHORT_HASH_LEN});
	if (db_next(&q)) {
		out->mails = col_uint(&q);
		out->told = col_uint(&q) != 0;
	}
	return db_end(&q);
}

/* Plain statements: one that inserts or updates and returns what it did costs six of them. */
static enum err add_one(struct store *s, struct span who, int64_t day, struct sender_day *out)
{
	unsigned char hash[SHORT_HASH_LEN];
	bool first;

	short_hash(s, "sender", who, hash);
	enum err err = add_first(s, day, hash, &first);
	if (err != ERR_NONE || first) {
		out->mails = first;
		return err;
	}
	err = add_next(s, day, hash);
	return err == ERR_NONE ? read_one(s, day, hash, out) : err;
}

enum err sender_count(struct store *s, struct span address, bool proven, int64_t day,
                      struct sender_day *out)
{
	struct strbuf who = STRBUF_INIT;
	enum err err;

	*out = (struct sender_day){0};
	add_identity(&who, address, proven);
	err = add_one(s, strbuf_span(&who), day, out);
	if (err == ERR_NONE && out->mails == 1 && s->known.forgotten_day < day - 1)
		err = forget_past(s, day);
	strbuf_release(&who);
	return err;
}

enum err sender_mails(struct store *s, struct span address, bool proven, int64_t day,
                      unsigned *n)
{
	struct sender_day found = {0};
	struct strbuf who = STRBUF_INIT;
	unsigned char hash[SHORT_HASH_LEN];

	add_identity(&who, address, proven);
	short_hash(s, "sender", strbuf_span(&who), hash);
	enum err err = read_one(s, day, hash, &found);
	*n = found.mails;
	strbuf_release(&who);
	return err;
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
