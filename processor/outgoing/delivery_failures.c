/*
 * delivery_failures.c - from a mail that was refused to what follows for its player.
 */
#include "processor/outgoing/delivery_failures.h"

#include "processor/base/step.h"
#include "processor/outgoing/invitation.h"
#include "processor/outgoing/unreachable.h"
#include "store/audit.h"

enum { MOST_TRIES = 3 };

static const char *what_follows(const struct unreached_outcome *o)
{
	if (o->known)
		return "its address was given up before";
	if (o->redirected)
		return "its address is given up, and another is used";
	return o->given_up ? "its address is given up" : "its address is used as before";
}

/* For the operator, who finds it with the game. */
static enum err write_down(struct server *srv, const struct outbox_mail *m,
                           const struct unreached_outcome *o, struct arena *arena)
{
	return audit_add(srv->store, m->game, m->seat, "server", false, srv->now_utc,
	                 arena_printf(arena, "outbox mail %lld to player %lld was refused; %s",
	                              (long long)m->id, (long long)m->player, what_follows(o)));
}

static enum err follow_up(struct server *srv, const struct outbox_mail *m, struct arena *arena)
{
	struct unreached_outcome o;
	struct unreached u = {
	    .mail = m,
	    .key = arena_printf(arena, "outbox %lld", (long long)m->id),
	    .points = m->refused == REFUSED_UNCLEAR ? 1 : 2,
	    .address_is_dead = m->refused == REFUSED_ADDRESS,
	    .said = m->answer,
	};

	TRY(outbox_refusal_done(srv->store, m->id));
	TRY(invitation_came_back(srv, m, arena));
	if (m->player == 0 || m->rcpt.len == 0)
		return ERR_NONE;
	TRY(unreachable_count(srv, &u, arena, &o));
	return write_down(srv, m, &o, arena);
}

static enum err leave_out(struct server *srv, const struct outbox_mail *m, const char *why)
{
	log_warnx(srv->log, "what follows from the refusal of mail %lld is left out: %s",
	          (long long)m->id, why);
	return outbox_refusal_done(srv->store, m->id);
}

/* One transaction: all of it or nothing. `why`: it is left out. */
static enum err in_transaction(struct server *srv, const struct outbox_mail *m, const char *why,
                               struct arena *arena)
{
	TRY(store_begin(srv->store));
	enum err rc = why ? leave_out(srv, m, why) : follow_up(srv, m, arena);
	if (rc == ERR_NONE)
		rc = in_flight_clear(srv->store);
	if (rc == ERR_NONE)
		rc = store_commit(srv->store);
	if (rc != ERR_NONE)
		store_rollback(srv->store);
	else
		step("refusal followed up");
	return rc;
}

/* Says what is in hand, so that the next run knows if this one dies. */
static enum err mark_in_flight(struct server *srv, const struct in_flight *left,
                               const struct outbox_mail *m, struct arena *arena,
                               unsigned *tries)
{
	const char *object = arena_printf(arena, "%lld", (long long)m->id);

	*tries = 1;
	if (left->present && span_eq_str(left->kind, "refusals") &&
	    span_eq_str(left->object, object))
		*tries += left->tries;
	TRY(store_begin_relaxed(srv->store));
	enum err rc = in_flight_set(srv->store, "refusals", object, *tries, srv->now_utc);
	if (rc == ERR_NONE)
		return store_commit_relaxed(srv->store);
	store_rollback(srv->store);
	return rc;
}

static enum err take_one(struct server *srv, const struct in_flight *left,
                         const struct outbox_mail *m, struct arena *arena)
{
	unsigned tries;

	TRY(mark_in_flight(srv, left, m, arena, &tries));
	step_in_hand(m->message_id, 0);
	if (tries > MOST_TRIES)
		return in_transaction(srv, m, "molepost crashed each time on it", arena);
	enum err rc = in_transaction(srv, m, NULL, arena);
	if (!server_blames_game(rc))
		return rc;
	return in_transaction(srv, m, arena_strdup(arena, server_why(srv, rc)), arena);
}

enum err delivery_failures_follow_up(struct server *srv, const struct in_flight *left)
{
	struct arena *arena = arena_new();
	struct outbox_mail m = {0};
	enum err rc;

	do {
		int64_t after = m.id;
		arena_clear(arena);
		rc = outbox_next_refused(srv->store, after, arena, &m);
		if (rc == ERR_NONE)
			rc = take_one(srv, left, &m, arena);
		else if (rc == ERR_NOT_FOUND)
			break;
	} while (rc == ERR_NONE);
	arena_free(arena);
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}
