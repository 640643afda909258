/*
 * votes.c - counting votes, and saying how they stand.
 */
#include "processor/match/votes.h"

#include "processor/base/banned.h"

static bool has_vote(const struct seat *s)
{
	return s->player != 0 && s->confirmed && !s->resigned;
}

enum err ballot_load(struct server *srv, struct match *match, struct ballot *out)
{
	struct game_result result = {0};

	*out = (struct ballot){.n = 0};
	TRY(match_position(srv, match));
	match->rules->result(match->state, &result);
	for (unsigned seat = 1; seat <= match->nseats && seat <= MAX_SEATS; seat++) {
		const struct seat *s = &match->seats[seat - 1];
		if (seat_in(result.eliminated, seat))
			continue;
		if (has_vote(s))
			out->voters = seat_with(out->voters, seat);
		if (has_vote(s) || s->bot_level >= 0)
			out->living = seat_with(out->living, seat);
	}
	return votes_list(srv->store, match->game.id, match->turn.serial, out->of, MAX_SEATS,
	                  &out->n);
}

struct vote_count ballot_count(const struct ballot *b, enum vote_kind kind, unsigned whom)
{
	/* The one who is to win has no say in it. */
	struct seat_set voters = seat_in(b->voters, whom) ? seat_without(b->voters, whom)
	                                                  : b->voters;
	struct vote_count t = {.voters = seat_count(voters)};

	for (size_t i = 0; i < b->n; i++) {
		const struct vote *v = &b->of[i].of[kind];
		unsigned seat = b->of[i].seat;
		if (v->stands && v->whom == whom && seat_in(voters, seat))
			t.by = seat_with(t.by, seat);
	}
	t.given = seat_count(t.by);
	t.needed = kind == VOTE_PAUSE || kind == VOTE_RESUME ? t.voters / 2 + 1 : t.voters;
	t.passed = t.voters > 0 && t.given >= t.needed;
	return t;
}

static const char *aim(const struct match *match, enum vote_kind kind, unsigned whom)
{
	switch (kind) {
	case VOTE_DRAW:
		return "to end the game as a draw";
	case VOTE_CONCEDE:
		return arena_printf(match->arena, "to give the game to %s",
		                    match->names.names[whom]);
	case VOTE_PAUSE:
		return "to pause the game";
	case VOTE_RESUME:
		return "to let the game go on";
	case VOTE_CANCEL:
		return "to cancel the game";
	case VOTE_KINDS:
		break;
	}
	return "";
}

const char *vote_count_words(const struct match *match, enum vote_kind kind, unsigned whom,
                             const struct vote_count *t)
{
	const char *to = aim(match, kind, whom);

	if (t->needed < t->voters)
		return arena_printf(match->arena,
		                    "%s: %u of %u have voted for it, %u are needed", to,
		                    t->given, t->voters, t->needed);
	return arena_printf(match->arena,
	                    t->voters == 1 ? "%s: %u of %u has voted for it, all are needed"
	                                   : "%s: %u of %u have voted for it, all are needed",
	                    to, t->given, t->voters);
}

static bool votes_for(const struct ballot *b, unsigned seat, enum vote_kind kind, unsigned whom)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->of[i].seat == seat)
			return b->of[i].of[kind].stands && b->of[i].of[kind].whom == whom;
	return false;
}

enum err votes_now(struct server *srv, struct match *match, unsigned seat,
                   const char *const **out, size_t *n)
{
	const char **lines =
	    arena_calloc(match->arena, VOTE_KINDS + MAX_SEATS + 1, sizeof(*lines));
	struct ballot b;

	*out = lines;
	*n = 0;
	TRY(ballot_load(srv, match, &b));
	for (int k = 0; k < VOTE_KINDS && b.n > 0; k++)
		for (unsigned whom = 0; whom <= match->nseats; whom++) {
			struct vote_count t = ballot_count(&b, (enum vote_kind)k, whom);
			if (t.given == 0)
				continue;
			lines[(*n)++] = arena_printf(
			    match->arena, "%s%s",
			    vote_count_words(match, (enum vote_kind)k, whom, &t),
			    votes_for(&b, seat, (enum vote_kind)k, whom) ? " (you have)" : "");
		}
	return ERR_NONE;
}
