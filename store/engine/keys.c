/*
 * keys.c - which keys this database is used with.
 */
#include "store/engine/row.h"

/* The first key's mark in the row of the server; NULL there: none has been seen yet. */
static enum err check_first(struct store *s, bool *known, struct hash *mark)
{
	struct hash seen;
	struct query q = db_read(s, "SELECT key_check FROM server");
	bool found = db_next(&q);

	*mark = keyring_mac(keyring_first(s->keys), "database", span_of(s->instance));
	*known = found && !col_is_null(&q);
	if (*known)
		col_hash(&q, &seen);
	enum err err = db_end_found(&q, found, "row that names the server");
	if (err != ERR_NONE || !*known || hash_eq(mark, &seen))
		return err;
	return db_fail(s, ERR_DENIED,
	               "the key file is not the one that database %s was used with", s->path);
}

/* *n: how many keys are noted here; each must be in the file, with this number. */
static enum err check_all(struct store *s, unsigned *n)
{
	struct query q = db_read(s, "SELECT number, public_key FROM keys ORDER BY number");
	unsigned missing = 0, other = 0;

	*n = 0;
	while (db_next(&q)) {
		struct hash seen, here;
		const struct keyring *k;

		*n = col_uint(&q);
		col_hash(&q, &seen);
		k = keyring_numbered(s->keys, *n);
		if (k)
			here = keyring_public_key(k);
		if (!k && missing == 0)
			missing = *n;
		else if (k && !hash_eq(&here, &seen) && other == 0)
			other = *n;
	}
	enum err err = db_end(&q);
	if (err == ERR_NONE && missing > 0)
		return db_fail(s, ERR_DENIED,
		               "the key file is a copy from before `molepost key rotate`: "
		               "database %s knows %u keys, and key %u is not in it",
		               s->path, *n, missing);
	if (err == ERR_NONE && other > 0)
		return db_fail(
		    s, ERR_DENIED,
		    "key %u of the key file is not the one that database %s was used "
		    "with",
		    other, s->path);
	return err;
}

static enum err note(struct store *s, unsigned from, int64_t now_utc)
{
	enum err err = ERR_NONE;

	for (unsigned i = from; err == ERR_NONE && i <= keyring_number(s->keys); i++) {
		struct hash key = keyring_public_key(keyring_numbered(s->keys, i));

		err = row_do(s,
		             "INSERT INTO keys (number, public_key, since_utc)"
		             " VALUES (?, ?, ?)",
		             ARGS(i, &key, now_utc));
	}
	return err;
}

static enum err remember(struct store *s, const struct hash *mark, unsigned from,
                         int64_t now_utc)
{
	TRY(store_begin(s));
	enum err err = row_do_one(s, "UPDATE server SET key_check = ?", ARGS(mark),
	                          "row that names the server");
	if (err == ERR_NONE)
		err = note(s, from, now_utc);
	return store_end(s, err);
}

enum err store_check_keys(struct store *s, int64_t now_utc)
{
	bool known;
	struct hash mark;
	unsigned n;
	enum err err = check_first(s, &known, &mark);

	if (err == ERR_NONE)
		err = check_all(s, &n);
	if (err != ERR_NONE || s->read_only || (known && n == keyring_number(s->keys)))
		return err;
	return remember(s, &mark, n + 1, now_utc);
}
