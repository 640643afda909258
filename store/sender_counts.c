/*
 * sender_counts.c - the table sender_days.
 */
#include "store/sender_counts.h"

#include "store/engine/row.h"
#include "store/engine/sealed.h"

static struct row_arg known_by(struct store *s, struct span address, bool proven)
{
	return row_address(s, "sender", proven ? "proven" : "claimed", address);
}

static enum err add_first(struct store *s, int64_t day, struct row_arg who)
{
	enum err err = row_do_of(
	    s, 0, "INSERT INTO sender_days (day, who, mails) VALUES (?, ?, 1)", ARGS(day, who));

	if (err != ERR_NONE || s->known.forgotten_day >= day - 1)
		return err;
	s->known.forgotten_day = day - 1;
	return row_do_of(s, 0, "DELETE FROM sender_days WHERE day < ?", ARGS(day - 1));
}

static const struct row_shape day_row =
    ROW_SHAPE(struct sender_day, COLUMNS(struct sender_day, mails, told));

enum err sender_day_get(struct store *s, struct span address, bool proven, int64_t day,
                        struct sender_day *out)
{
	return row_find(s, "SELECT mails, told FROM sender_days WHERE day = ? AND who = ?",
	                ARGS(day, known_by(s, address, proven)), &day_row, NULL, out);
}

enum err sender_count(struct store *s, struct span address, bool proven, int64_t day,
                      const struct sender_day *before)
{
	struct row_arg who = known_by(s, address, proven);

	if (before->mails == 0)
		return add_first(s, day, who);
	return row_do_of(s, 0,
	                 "UPDATE sender_days SET mails = mails + 1 WHERE day = ? AND who = ?",
	                 ARGS(day, who));
}

enum err sender_mark_told(struct store *s, struct span address, bool proven, int64_t day)
{
	return row_do(s, "UPDATE sender_days SET told = 1 WHERE who = ? AND day = ?",
	              ARGS(known_by(s, address, proven), day));
}
