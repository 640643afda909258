/*
 * match_record.c - rows become the values an archive is written from.
 */
#include "processor/match/match_record.h"

#include "processor/archive/proof.h"
#include "processor/base/clock.h"
#include "processor/base/utf8.h"
#include "store/audit.h"

static void add_seats(const struct match *match, struct record *out)
{
	out->nseats = (unsigned)match->nseats;
	for (size_t i = 0; i < match->nseats; i++) {
		bool bot = seat_was_bot(&match->seats[i]);

		out->seats[i + 1] = (struct record_seat){
		    .name = match->names.names[match->seats[i].seat],
		    .joined_utc = match->seats[i].first_joined_utc
		                      ? match->seats[i].first_joined_utc
		                      : match->seats[i].joined_utc,
		    .joins = match->seats[i].joins,
		    .contribution = match->seats[i].contribution,
		    .salt = match->seats[i].salt,
		    .bot = bot,
		    .bot_level = bot ? (unsigned)match->seats[i].bot_level : 0};
	}
}

enum err record_header(struct server *srv, struct match *match, struct record *out)
{
	struct fork f;

	TRY(match_secret(srv, match));
	*out = (struct record){
	    .version = match->game.record_version,
	    .bots_version = match->game.bots_version,
	    .game = match->record_id,
	    .kind = match->rules->name,
	    .rules_version = match->rules->version,
	    .options = arena_cstr(match->arena, match->game.options),
	    .instance = srv->cfg.instance,
	    .created_utc = match->game.created_utc,
	    .started_utc = match->game.started_utc,
	    .secret_hash = match->game.secret_hash,
	    .public_key = keyring_public_key(match_keys(srv, match)),
	    .secret = match->secret,
	};
	add_seats(match, out);
	if (match->game.status == GAME_OVER || match->game.status == GAME_CANCELLED ||
	    match->game.status == GAME_ABANDONED) {
		out->ended = true;
		out->end_status = game_status_name(match->game.status);
		out->ended_utc = match->game.ended_utc;
		out->agreed = (struct seat_set){match->game.agreed};
	}
	/* Into a header otherwise complete. */
	if (match->game.origin != GAME_FORKED)
		return ERR_NONE;
	TRY(match_fork(srv, match, &f, NULL));
	out->fork = (struct record_fork){.game = arena_cstr(match->arena, f.source),
	                                 .serial = f.serial,
	                                 .instance = arena_cstr(match->arena, f.instance),
	                                 .key = f.key,
	                                 .parent = f.parent_hash,
	                                 .orders = f.orders_hash,
	                                 .state = f.state_hash,
	                                 .position = f.position};
	return ERR_NONE;
}

void record_turn_of(const struct match *match, const struct turn *turn,
                    const struct order_set *set, struct span chance, struct span state,
                    const struct hash *state_hash, struct record_turn *out)
{
	*out = (struct record_turn){
	    .serial = turn->serial,
	    .parent = turn->parent,
	    .label = turn->label,
	    .opened_utc = turn->opened_utc,
	    .deadline_utc = turn->deadline_utc,
	    .sealed_utc = turn->sealed_utc,
	    .dropped_utc = turn->dropped_utc,
	    .nrevisions = set->nrevisions,
	    .chance = chance,
	    .state = state,
	    .state_hash = *state_hash,
	};
	out->revisions =
	    arena_calloc(match->arena, set->nrevisions + 1, sizeof(*out->revisions));
	for (size_t i = 0; i < set->nrevisions; i++)
		out->revisions[i] =
		    (struct record_order){.seat = set->revisions[i].seat,
		                          .revision = set->revisions[i].revision,
		                          .received_utc = set->revisions[i].received_utc,
		                          .origin = match_origin(&set->revisions[i]),
		                          .cleared = set->revisions[i].cleared,
		                          .contribution = set->revisions[i].contribution,
		                          .quotes_head = set->revisions[i].quotes_head,
		                          .dkim = set->revisions[i].dkim,
		                          .dkim_verified = set->revisions[i].dkim_verified,
		                          .by_operator = set->revisions[i].by_operator,
		                          .drawn = set->revisions[i].drawn,
		                          .salt = set->revisions[i].salt,
		                          .canonical = set->revisions[i].canonical};
	out->used = arena_calloc(match->arena, match->nseats + 1, sizeof(*out->used));
	for (unsigned s = 1; s <= match->nseats && turn->dropped_utc == 0; s++)
		if (set->seats[s].acts)
			out->used[out->nused++] =
			    (struct record_order){.seat = s,
			                          .revision = set->seats[s].revision,
			                          .received_utc = set->seats[s].received_utc,
			                          .origin = set->seats[s].origin,
			                          .contribution = set->seats[s].contribution,
			                          .salt = set->seats[s].salt,
			                          .canonical = set->seats[s].canonical};
}

/* As much of a record as its digests are made from. */
static struct record seats_only(const struct match *match)
{
	struct record r = {.version = match->game.record_version, .game = match->record_id};

	add_seats(match, &r);
	return r;
}

struct hash order_set_inputs_hash(const struct match *match, const struct order_set *set)
{
	static const struct hash none = {{0}};
	const struct record r = seats_only(match);
	struct record_turn t;

	record_turn_of(match, &match->turn, set, SPAN_EMPTY, SPAN_EMPTY, &none, &t);
	return record_inputs_hash(&r, &t, t.serial > 0 ? &match->parent.inputs_hash : NULL);
}

struct hash order_set_hash(const struct match *match, const struct order_set *set)
{
	struct proof_orders_line lines[MAX_SEATS];
	size_t n = 0;

	if (match->turn.serial == 0) {
		const struct record r = seats_only(match);

		return record_joins_hash(&r);
	}
	for (unsigned seat = 1; seat <= match->nseats; seat++)
		if (set->seats[seat].acts)
			lines[n++] = (struct proof_orders_line){seat, set->seats[seat].revision,
			                                        set->seats[seat].commitment};
	return proof_orders_hash(lines, n);
}

bool order_set_is_sealed(const struct match *match, const struct order_set *set)
{
	struct hash d = order_set_hash(match, set);

	return hash_eq(&d, &match->turn.orders_hash);
}

static const char *action_text(struct arena *arena, const struct audit_entry *a)
{
	struct strbuf text = STRBUF_INIT;

	utc_format_iso(&text, a->at_utc);
	strbuf_addf(&text, " %.*s: ", SPAN_ARGS(a->actor));
	utf8_add_plain(&text, a->what);
	return arena_take(arena, &text).ptr;
}

enum err record_actions(struct server *srv, const struct match *match, unsigned serial,
                        struct record_turn *out)
{
	struct audit_entry *log;
	size_t n;

	TRY(audit_list(srv->store, match->game.id, match->arena, &log, &n));
	const char **texts = arena_calloc(match->arena, n + 1, sizeof(*texts));
	out->nactions = 0;
	for (size_t i = 0; i < n; i++)
		if (log[i].is_public && log[i].serial == serial)
			texts[out->nactions++] = action_text(match->arena, &log[i]);
	out->actions = texts;
	return ERR_NONE;
}

void record_add_action(struct arena *arena, struct record_turn *turn, int64_t at_utc,
                       const char *actor, const char *what)
{
	struct audit_entry entry = {
	    .at_utc = at_utc, .actor = span_of(actor), .what = span_of(what)};
	const char **texts = arena_calloc(arena, turn->nactions + 2, sizeof(*texts));

	for (size_t i = 0; i < turn->nactions; i++)
		texts[i] = turn->actions[i];
	texts[turn->nactions++] = action_text(arena, &entry);
	turn->actions = texts;
}

/*
 * One stored turn, its orders completed with the defaults of its own position. What was broken
 * off has the state it began with.
 */
static enum err load_turn(struct server *srv, struct match *match, const struct turn *turn,
                          struct record_turn *out)
{
	struct match at = *match; /* the same game, looked at in that turn */
	struct order_set set;
	struct strbuf state = STRBUF_INIT, chance = STRBUF_INIT;

	bool dropped = turn->state == TURN_DROPPED;

	at.turn = *turn;
	at.state = NULL;
	enum err rc = order_set_load(srv, &at, &set);
	if (rc == ERR_NONE && !dropped && !order_set_is_sealed(&at, &set))
		rc = err_set(&srv->fail, ERR_CORRUPT,
		             "the orders of serial %u are not those that were sealed",
		             turn->serial);
	if (rc == ERR_NONE)
		rc = turn_result(srv->store, match->game.id,
		                 dropped ? turn->parent : turn->serial, &state,
		                 dropped ? NULL : &chance);
	if (rc == ERR_NONE)
		record_turn_of(&at, turn, &set, arena_dup(match->arena, strbuf_span(&chance)),
		               arena_dup(match->arena, strbuf_span(&state)), &turn->result_hash,
		               out);
	if (rc == ERR_NONE)
		rc = record_actions(srv, match, turn->serial, out);
	match_release(&at);
	strbuf_release(&state);
	strbuf_release(&chance);
	return rc;
}

enum err record_load(struct server *srv, struct match *match, struct record *out)
{
	struct turn *turns;
	size_t n;

	TRY(record_header(srv, match, out));
	TRY(turn_list(srv->store, match->game.id, match->arena, &turns, &n));
	out->turns = arena_calloc(match->arena, n + 1, sizeof(*out->turns));
	for (size_t i = 0; i < n; i++)
		if (turns[i].state == TURN_REPORTED || turns[i].state == TURN_DROPPED)
			TRY(load_turn(srv, match, &turns[i], &out->turns[out->nturns++]));
	return ERR_NONE;
}

enum err record_text(struct server *srv, struct match *match, struct strbuf *out)
{
	struct record r;

	if (match->game.origin == GAME_IMPORTED)
		return import_archive(srv->store, match->game.id, out);
	TRY(record_load(srv, match, &r));
	archive_write(&r, match_keys(srv, match), out);
	return ERR_NONE;
}
