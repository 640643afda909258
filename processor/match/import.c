/*
 * import.c - an archive becomes rows.
 */
#include "processor/match/import.h"

#include "processor/archive/parsed.h"
#include "processor/base/clock.h"
#include "processor/base/utf8.h"
#include "processor/commandtext/command_text.h"
#include "store/audit.h"
#include "store/forks_and_imports.h"
#include "store/games.h"
#include "store/orders.h"
#include "store/turns.h"

/* ---- Reading ---- */

/* The archive's own lines, without what a mail put around them. */
static struct span bare_text(struct span file, struct arena *arena)
{
	struct strbuf out = STRBUF_INIT;
	struct span line;
	bool inside = false;

	while (span_next_line(&file, &line)) {
		bool ends = archive_ends(line) > 0;

		inside = inside || archive_begins(line) > 0;
		if (inside)
			strbuf_addf(&out, "%.*s\n", SPAN_ARGS(line));
		if (inside && ends)
			break;
	}
	return arena_take(arena, &out);
}

static struct span plain(struct span text, struct arena *arena)
{
	struct strbuf out = STRBUF_INIT;

	utf8_add_plain(&out, text);
	return arena_take(arena, &out);
}

static enum err refuse(struct server *srv, const char *what)
{
	return err_set(&srv->fail, ERR_INVALID, "%s", what);
}

static enum err check_report(struct server *srv, const struct archive_report *r)
{
	enum err rc = r->verdict == ARCHIVE_UNKNOWN ? ERR_UNSUPPORTED : ERR_INVALID;

	if (!archive_holds(r))
		return err_set(&srv->fail, rc, "the archive does not hold: line %u: %s",
		               r->line, r->why.ptr);
	if (!r->ended)
		return refuse(
		    srv, "this is the record of a game that was still running when it was "
			 "written. The secret that its dice and proofs come from is not in "
			 "it, so nobody can carry that game on. Import its archive when it "
			 "has ended; then FORK goes on from any of its positions");
	if (r->all_turns == 0)
		return refuse(srv, "that game ended before it began; there is nothing in it "
		                   "to keep");
	return ERR_NONE;
}

/* What verify leaves open and no server writes. */
static enum err check_values(struct server *srv, const struct record *r)
{
	bool times = r->created_utc > 0 && r->started_utc > 0 && r->ended_utc > 0, salts = true;

	for (unsigned seat = 1; seat <= r->nseats; seat++)
		salts = salts &&
		        span_eq(plain(r->seats[seat].salt, srv->arena), r->seats[seat].salt);
	for (size_t i = 0; i < r->nturns; i++) {
		const struct record_turn *t = &r->turns[i];

		times = times && t->opened_utc > 0 &&
		        (t->sealed_utc > 0 || t->dropped_utc > 0) &&
		        (t->deadline_utc == 0 || t->deadline_utc >= t->opened_utc);
		for (size_t k = 0; k < t->nrevisions && salts; k++)
			salts = span_eq(plain(t->revisions[k].salt, srv->arena),
			                t->revisions[k].salt);
	}
	if (!times)
		return refuse(srv, "the archive does not hold: a turn in it was sealed in no "
		                   "time there is, or was due before it was opened");
	if (!salts)
		return refuse(srv, "the archive does not hold: a salt in it is no word that "
		                   "anybody can have sent by mail");
	return ERR_NONE;
}

/* The number of this key among ours; 0: it is another's. */
static unsigned own_key(const struct server *srv, const struct hash *key)
{
	for (unsigned i = keyring_number(srv->keys); i > 0; i--) {
		struct hash own = keyring_public_key(keyring_numbered(srv->keys, i));

		if (hash_eq(key, &own))
			return i;
	}
	return 0;
}

enum err import_read(struct server *srv, struct span file, struct importing *out)
{
	struct archive_report report;
	enum err rc;

	*out = (struct importing){.text = bare_text(file, srv->arena)};
	archive_verify(file, NULL, NULL, &report);
	out->head = report.head;
	out->lines = report.lines;
	out->is_signed = report.verdict == ARCHIVE_SIGNED;
	out->own_key = out->is_signed ? own_key(srv, &report.key) : 0;
	rc = check_report(srv, &report);
	if (rc == ERR_NONE)
		rc = archive_open(file, &out->archive, &srv->fail);
	if (rc == ERR_NONE)
		rc = check_values(srv, archive_record(out->archive));
	archive_report_release(&report);
	return rc;
}

void import_release(struct importing *i)
{
	archive_free(i->archive);
	i->archive = NULL;
}

/* ---- Writing ---- */

/* Its old number, if it is this server's to give out again and free; else 0. */
static enum err old_number(struct server *srv, const struct importing *i, int64_t *number)
{
	struct span id = span_of(archive_record(i->archive)->game);
	struct game there;
	char letter;

	*number = 0;
	if (i->own_key == 0 || !parse_game_id(id, number, &letter))
		return ERR_NONE;
	enum err rc = game_get(srv->store, *number, srv->arena, &there);
	if (rc == ERR_NONE)
		*number = 0;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

static enum err check_new(struct server *srv, const struct record *r)
{
	int64_t game;
	enum err rc = game_of_record(srv->store, span_of(r->game), &r->secret_hash, &game);

	if (rc == ERR_NONE) {
		struct game g;

		TRY(game_get(srv->store, game, srv->arena, &g));
		return err_set(&srv->fail, ERR_EXISTS,
		               "that game is here already, as %s; see: molepost game show %s",
		               game_id_text(&g, srv->arena), game_id_text(&g, srv->arena));
	}
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

static enum game_status status_of(const struct record *r)
{
	static const enum game_status ends[] = {GAME_OVER, GAME_CANCELLED, GAME_ABANDONED};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (span_eq_str(span_of(r->end_status), game_status_name(ends[i])))
			return ends[i];
	BUG("no status is called %s", r->end_status);
}

static bool has_resigned(const struct record *r, unsigned seat)
{
	for (size_t i = 0; i < r->nturns; i++)
		for (size_t k = 0; k < r->turns[i].nused; k++)
			if (r->turns[i].used[k].seat == seat &&
			    r->turns[i].used[k].origin == ORDER_RESIGNED)
				return true;
	return false;
}

static enum err add_turn(struct server *srv, struct importing *i, size_t index, int64_t game)
{
	const struct record_turn *t = &archive_record(i->archive)->turns[index];
	const struct archive_turn *x = &i->archive->turns[index];
	struct turn row = {.game = game,
	                   .serial = t->serial,
	                   .parent = t->parent,
	                   .state = t->serial == 0 ? TURN_SEALED : TURN_OPEN,
	                   .label = plain(t->label, srv->arena),
	                   .opened_utc = t->opened_utc,
	                   .deadline_utc = t->deadline_utc,
	                   .sealed_utc = t->sealed_utc};

	if (t->serial == 0)
		row.orders_hash = x->orders_hash;
	else
		row.owes =
		    archive_rules(i->archive)->owes(i->archive->turns[x->parent].result).bits;
	TRY(turn_open(srv->store, &row));
	if (t->serial > 0) {
		for (size_t k = 0; k < t->nrevisions; k++) {
			const struct record_order *o = &t->revisions[k];
			struct order_revision r = {.game = game,
			                           .serial = t->serial,
			                           .seat = o->seat,
			                           .revision = o->revision,
			                           .origin = (int)o->origin,
			                           .cleared = o->cleared,
			                           .received_utc = o->received_utc,
			                           .contribution = o->contribution,
			                           .quotes_head = o->quotes_head,
			                           .dkim = o->dkim,
			                           .dkim_verified = o->dkim_verified,
			                           .by_operator = o->by_operator,
			                           .drawn = o->drawn,
			                           .salt = o->salt,
			                           .canonical = o->canonical};
			TRY(orders_append(srv->store, &r));
		}
		if (t->dropped_utc > 0) /* broken off: nothing came of it */
			return turn_drop(srv->store, game, t->serial, t->dropped_utc);
		TRY(turn_seal(srv->store, game, t->serial, &x->orders_hash, t->sealed_utc));
	}
	const struct game_state *state = archive_state(i->archive, index, &srv->fail);
	struct strbuf text = STRBUF_INIT;

	if (state == NULL)
		return ERR_INVALID;
	archive_rules(i->archive)->encode(state, &text);
	enum err rc = turn_resolved(srv->store, game, t->serial, strbuf_span(&text), t->chance,
	                            &t->state_hash, NULL);
	strbuf_release(&text);
	return rc == ERR_NONE ? turn_reported(srv->store, game, t->serial) : rc;
}

/* "2026-03-12T18:02:00Z operator: held: ..." */
static enum err add_action(struct server *srv, int64_t game, const char *action)
{
	struct span all = plain(span_of(action), srv->arena), rest;
	size_t at;
	int64_t when;
	const char *actor = "record";

	if (!utc_parse_iso(span_slice(all, 0, 20), &when))
		return refuse(srv, "the archive does not hold: a line of its log has no time");
	rest = span_slice(all, 21, all.len);
	at = span_find(rest, SPAN_LIT(": "));
	if (at < rest.len) {
		actor = arena_cstr(srv->arena, span_slice(rest, 0, at));
		rest = span_slice(rest, at + 2, rest.len);
	}
	return audit_add(srv->store, game, 0, actor, true, when, arena_cstr(srv->arena, rest));
}

/* Log lines join the newest turn there is, so they are written turn by turn. */
static enum err add_turns(struct server *srv, struct importing *i, struct game *g)
{
	const struct record *r = archive_record(i->archive);

	for (size_t k = 0; k < r->nturns; k++) {
		TRY(add_turn(srv, i, k, g->id));
		g->serial = r->turns[k].serial;
		TRY(game_update(srv->store, g));
		for (size_t a = 0; a < r->turns[k].nactions; a++)
			TRY(add_action(srv, g->id, r->turns[k].actions[a]));
	}
	return ERR_NONE;
}

static enum err add_origin(struct server *srv, const struct importing *i)
{
	const struct record *r = archive_record(i->archive);
	struct import row = {.game = i->game,
	                     .record_id = span_of(r->game),
	                     .instance = plain(span_of(r->instance), srv->arena),
	                     .key = r->public_key,
	                     .imported_utc = srv->now_utc};

	TRY(import_add(srv->store, &row, i->text));
	return audit_add(srv->store, i->game, 0, "operator", false, srv->now_utc,
	                 arena_printf(srv->arena,
	                              i->is_signed
	                                  ? "taken over from the record of %s of %.*s"
	                                  : "taken over from the record of %s of %.*s, "
	                                    "which nobody has signed",
	                              r->game, SPAN_ARGS(row.instance)));
}

enum err import_write(struct server *srv, struct importing *i)
{
	const struct record *r = archive_record(i->archive);
	int64_t number;

	TRY(check_new(srv, r));
	TRY(old_number(srv, i, &number));
	struct game g = (struct game){.id = number,
	                              .letter = r->rules->letter,
	                              .kind = span_of(r->rules->name),
	                              .rules_version = r->rules->version,
	                              .record_version = r->version,
	                              .bots_version = r->bots_version,
	                              .options = span_of(r->options),
	                              .title = SPAN_LIT(""),
	                              .status = status_of(r),
	                              .origin = GAME_IMPORTED,
	                              .nseats = r->nseats,
	                              .created_utc = r->created_utc,
	                              .started_utc = r->started_utc,
	                              .ended_utc = r->ended_utc,
	                              .agreed = r->agreed.bits,
	                              .secret_hash = r->secret_hash};
	g.key = i->own_key;
	if (g.id == 0)
		TRY(game_next_id(srv->store, srv->cfg.first_game, &g.id));
	TRY(game_add(srv->store, &g, &archive_record(i->archive)->secret));
	i->game = g.id;
	i->id = game_id_text(&g, srv->arena);
	/* Names without people. */
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		const struct record_seat *from = &r->seats[seat];
		struct seat s = {.game = g.id,
		                 .seat = seat,
		                 /* How well it plays, an archive of version 1 does not say. */
		                 .bot_level = !from->bot       ? -1
		                              : r->version > 1 ? (int)from->bot_level
		                                               : BOT_LEVEL_USUAL,
		                 .contribution = from->contribution,
		                 .name = span_of(from->name),
		                 .salt = from->salt,
		                 .joined_utc = from->joined_utc,
		                 .joins = from->joins,
		                 .confirmed = true,
		                 .resigned = has_resigned(r, seat)};
		TRY(seat_add(srv->store, &s));
	}
	TRY(add_turns(srv, i, &g));
	g.record_lines = i->lines;
	g.record_head = i->head;
	TRY(game_update(srv->store, &g));
	return add_origin(srv, i);
}
