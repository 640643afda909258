/*
 * votes.c - counting votes, and saying how they stand.
 */
#include "processor/match/votes.h"

#include "processor/server/zones.h"

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

struct votes *ballot_of_seat(struct ballot *b, unsigned seat)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->of[i].seat == seat)
			return &b->of[i];
	b->of[b->n] = (struct votes){.seat = seat};
	return &b->of[b->n++];
}

enum err ballot_forget_motion(struct server *srv, const struct match *match, struct ballot *b)
{
	for (size_t i = 0; i < b->n; i++) {
		struct votes *v = &b->of[i];

		if (!v->of[VOTE_MOTION].was_seen)
			continue;
		v->of[VOTE_MOTION] = (struct vote){0};
		TRY(votes_put(srv->store, match->game.id, match->turn.serial, v));
	}
	return ERR_NONE;
}

static struct seat_set masters_seat(const struct match *match)
{
	struct seat_set set = {0};

	for (size_t i = 0; i < match->nseats; i++)
		if (match->game.master != 0 && match->seats[i].player == match->game.master)
			set = seat_with(set, match->seats[i].seat);
	return set;
}

/* Those with a vote whom the game waits for, besides the one who asks. */
static struct seat_set others_awaited(const struct match *match, const struct ballot *b,
                                      unsigned asker)
{
	struct seat_set awaited = {b->voters.bits & match->turn.owes & ~match->turn.have};

	return asker > 0 ? seat_without(awaited, asker) : awaited;
}

bool motion_stands(const struct match *match, const struct motion *motion, int64_t arrived_utc)
{
	int64_t deadline_utc = match->turn.deadline_utc;

	return motion->asker == 0 || (deadline_utc != 0 && deadline_utc < motion->at_utc &&
	                              !match_came_after(match, arrived_utc, deadline_utc));
}

struct seat_set motion_voters(const struct match *match, const struct ballot *b,
                              const struct motion *motion)
{
	struct seat_set master = masters_seat(match);
	struct seat_set awaited = others_awaited(match, b, motion->asker);
	struct seat_set others = {b->voters.bits & ~master.bits};

	if (motion->proposer != 0)
		others = seat_without(b->voters, motion->proposer);
	if (motion->asker == 0)
		return motion->seat > 0 ? seat_without(others, motion->seat) : others;
	if (seat_count(awaited) == 0)
		awaited = b->voters;
	return seat_without((struct seat_set){awaited.bits | (master.bits & b->voters.bits)},
	                    motion->asker);
}

struct vote_count motion_count(const struct match *match, const struct ballot *b,
                               const struct motion *motion)
{
	struct seat_set voters = motion_voters(match, b, motion), against = {0};
	struct seat_set awaited = others_awaited(match, b, motion->asker);
	struct seat_set master = {masters_seat(match).bits & voters.bits};
	struct vote_count t = {.voters = seat_count(voters)};
	bool any = seat_count(awaited) == 0; /* of the others will do */

	for (size_t i = 0; i < b->n; i++) {
		const struct vote *v = &b->of[i].of[VOTE_MOTION];

		if (!v->was_seen || !seat_in(voters, b->of[i].seat))
			continue;
		if (v->stands)
			t.by = seat_with(t.by, b->of[i].seat);
		else
			against = seat_with(against, b->of[i].seat);
	}
	t.given = seat_count(t.by);
	if (motion->asker == 0) {
		t.needed = t.voters / 2 + 1;
		t.failed = seat_count(against) + t.needed > t.voters;
		t.passed = t.voters > 0 && t.given >= t.needed;
		return t;
	}
	struct seat_set need = {awaited.bits & ~master.bits};
	bool master_may = (master.bits & ~against.bits) != 0;
	t.needed = any || need.bits == 0 ? 1 : seat_count(need);
	t.passed = (t.by.bits & master.bits) != 0 ||
	           (any ? t.given > 0 : need.bits != 0 && (need.bits & ~t.by.bits) == 0);
	t.failed = !master_may && (any ? (voters.bits & ~against.bits) == 0
	                               : need.bits == 0 || (need.bits & against.bits) != 0);
	return t;
}

const char *motion_shown(const struct match *match, const struct motion *motion)
{
	char *copy = arena_cstr(match->arena, motion->line);

	for (char *at = copy; *at != '\0'; at++) {
		if (motion->at_utc != 0 && motion->asker == 0 && at[0] == ' ' && at[1] >= '0' &&
		    at[1] <= '9') {
			*at = '\0';
			break;
		}
		if (*at >= 'a' && *at <= 'z')
			*at = (char)(*at - 'a' + 'A');
	}
	return copy;
}

const char *motion_count_words(const struct match *match, const struct vote_count *t)
{
	return arena_printf(match->arena,
	                    t->given == 1
	                        ? "%u of %u has said yes, %u needed before the turn ends"
	                        : "%u of %u have said yes, %u needed before the turn ends",
	                    t->given, t->voters, t->needed);
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
	case VOTE_MOTION:
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
	    arena_calloc(match->arena, VOTE_KINDS + MAX_SEATS + 2, sizeof(*lines));
	struct ballot b;
	struct motion motion;

	*out = lines;
	*n = 0;
	TRY(ballot_load(srv, match, &b));
	enum err rc =
	    motion_get(srv->store, match->game.id, match->turn.serial, match->arena, &motion);
	if (!(rc == ERR_NOT_FOUND ||
	      (rc == ERR_NONE && !motion_stands(match, &motion, srv->now_utc)))) {
		TRY(rc);
		struct vote_count t = motion_count(match, &b, &motion);
		lines[(*n)++] = arena_printf(
		    match->arena, "%s asks: \"%s\"%s%s: %s",
		    motion.asker      ? match->names.names[motion.asker]
		    : motion.proposer ? match->names.names[motion.proposer]
				      : "the master",
		    motion_shown(match, &motion), motion.at_utc != 0 ? " to " : "",
		    motion.at_utc != 0 ? zone_human(NULL, motion.at_utc, match->arena) : "",
		    motion_count_words(match, &t));
	}
	for (int k = 0; k < VOTE_MOTION && b.n > 0; k++)
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
