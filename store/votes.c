/*
 * votes.c - votes: one row per seat that has voted in a turn, sealed.
 */
#include "store/votes.h"

#include "processor/base/num.h"
#include "store/engine/row.h"
#include "store/engine/sealed.h"

/*
 * Per kind: '-', or 'y' when it stands and 'n' when it was taken back, then whether it was
 * seen, then the seat in two digits.
 */
enum { KIND_LEN = 4 };

const char *vote_kind_name(enum vote_kind k)
{
	static const char *const names[] = {
	    [VOTE_DRAW] = "draw",     [VOTE_CONCEDE] = "concede", [VOTE_PAUSE] = "pause",
	    [VOTE_RESUME] = "resume", [VOTE_CANCEL] = "cancel",   [VOTE_MOTION] = "motion",
	    [VOTE_KINDS] = ""};
	return names[k];
}

static void add_vote(struct strbuf *out, const struct vote *v)
{
	strbuf_addf(out, "%c%c%02u", v->stands ? 'y' : '-', v->was_seen ? 's' : '-', v->whom);
}

static bool read_vote(struct span text, struct vote *out)
{
	struct span whom = span_slice(text, 2, KIND_LEN);

	if (text.len != KIND_LEN)
		return false;
	if (whom.ptr[0] == '0')
		whom = span_slice(whom, 1, whom.len);
	out->stands = text.ptr[0] == 'y';
	out->was_seen = text.ptr[1] == 's';
	return num_parse_uint(whom, 0, 32, &out->whom);
}

static void read_votes(struct query *q, int64_t game, unsigned serial, struct votes *out)
{
	struct strbuf text = STRBUF_INIT;
	bool ok = true;

	out->seat = col_uint(q);
	out->revision = col_uint(q);
	col_sealed(q, SEALED_PADDED,
	           seal_context(q->s, "votes", ARGS(game, serial, out->seat, out->revision)),
	           &text);
	/* Votes of an earlier program know no motions. */
	for (size_t k = 0; k < VOTE_KINDS && (k < VOTE_MOTION || text.len > k * KIND_LEN); k++)
		ok = ok &&
		     read_vote(span_slice(strbuf_span(&text), k * KIND_LEN, (k + 1) * KIND_LEN),
		               &out->of[k]);
	if (!ok && q->err == ERR_NONE)
		db_spoil(q,
		         db_fail(q->s, ERR_CORRUPT, "votes of game %lld, turn %u do not read",
		                 (long long)game, serial));
	strbuf_release(&text);
}

enum err votes_list(struct store *s, int64_t game, unsigned serial, struct votes *out,
                    size_t max, size_t *n)
{
	struct query q = db_read(s, "SELECT seat, revision, sealed_votes FROM votes"
	                            " WHERE game = ? AND serial = ? ORDER BY seat");

	row_bind(&q, ARGS(game, serial));
	*n = 0;
	while (*n < max && db_next(&q)) {
		out[*n] = (struct votes){0};
		read_votes(&q, game, serial, &out[(*n)++]);
	}
	return db_end(&q);
}

enum err votes_put(struct store *s, int64_t game, unsigned serial, struct votes *v)
{
	struct strbuf text = STRBUF_INIT;

	v->revision++;
	for (size_t k = 0; k < VOTE_KINDS; k++)
		add_vote(&text, &v->of[k]);
	enum err err = row_do(
	    s,
	    "INSERT INTO votes (game, serial, seat, revision, sealed_votes)"
	    " VALUES (?, ?, ?, ?, ?) ON CONFLICT (game, serial, seat)"
	    " DO UPDATE SET revision = excluded.revision,"
	    " sealed_votes = excluded.sealed_votes",
	    ARGS(game, serial, v->seat, v->revision,
	         row_sealed(SEALED_PADDED, "votes", ARGS(game, serial, v->seat, v->revision),
	                    strbuf_span(&text))));
	strbuf_release(&text);
	return err;
}

enum err motion_put(struct store *s, const struct motion *m)
{
	return row_do(
	    s,
	    "INSERT INTO motions (game, serial, line, seat, asker, proposer, at_utc, asked_utc,"
	    " is_open) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1) ON CONFLICT (game) DO UPDATE SET"
	    " serial = excluded.serial, line = excluded.line, seat = excluded.seat,"
	    " asker = excluded.asker, proposer = excluded.proposer, at_utc = excluded.at_utc, "
	    "asked_utc = "
	    "excluded.asked_utc, is_open = 1",
	    ARGS(m->game, m->serial, m->line, m->seat, m->asker, m->proposer, m->at_utc,
	         m->asked_utc));
}

static const struct row_shape motion_row = ROW_SHAPE(
    struct motion, COLUMNS(struct motion, line, seat, asker, proposer, at_utc, asked_utc));

enum err motion_get(struct store *s, int64_t game, unsigned serial, struct arena *arena,
                    struct motion *out)
{
	*out = (struct motion){.game = game, .serial = serial};
	return row_get(s,
	               "SELECT line, seat, asker, proposer, at_utc, asked_utc FROM motions"
	               " WHERE game = ? AND serial = ? AND is_open = 1",
	               ARGS(game, serial), &motion_row, arena, out, "open motion");
}

enum err motion_close(struct store *s, int64_t game)
{
	return row_do(s, "UPDATE motions SET is_open = 0 WHERE game = ?", ARGS(game));
}
