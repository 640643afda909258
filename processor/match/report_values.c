/*
 * report_values.c - from rows and positions to the values reports are made of.
 */
#include "processor/match/report_values.h"

#include "processor/bots/bots.h"
#include "processor/calendar/deadline.h"
#include "processor/server/zones.h"

bool report_values_observes(const struct server *srv, const struct match *match,
                            const struct player *person)
{
	struct observer o;

	return person && person->id != 0 &&
	       observer_get(srv->store, match->game.id, person->id, &o) == ERR_NONE;
}

struct report_game report_values_game(struct server *srv, const struct match *match,
                                      const struct seat *seat, const struct player *reader)
{
	return (struct report_game){
	    .id = match->id,
	    .kind_title = match->rules->title,
	    .title = arena_cstr(match->arena, match->game.title),
	    .label = match->has_turn && match->turn.serial > 0
	                 ? arena_cstr(match->arena, match->turn.label)
	                 : "",
	    .serial = match->has_turn ? match->turn.serial : 0,
	    .seat = seat ? seat->seat : 0,
	    .seat_name = seat ? arena_cstr(match->arena, seat->name) : "",
	    .nseats = match->game.nseats,
	    .mail_number = seat ? seat->mails + 1 : 0,
	    .fixed_subject = srv->cfg.fixed_subject,
	    .observer = !seat && report_values_observes(srv, match, reader),
	    .ended = match->game.ended_utc != 0,
	    .zone = zone_of_reader(srv, reader),
	};
}

static uint32_t vacant_seats(const struct match *match)
{
	struct seat_set vacant = {0};

	for (size_t i = 0; i < match->nseats; i++)
		if (match->seats[i].vacated_utc != 0)
			vacant = seat_with(vacant, match->seats[i].seat);
	return vacant.bits;
}

bool report_values_stepped_in(const struct server *srv, const struct match *match,
                              const struct seat *seat)
{
	const struct turn *t = &match->turn;

	return seat && match->has_turn && t->state == TURN_OPEN &&
	       match->game.status == GAME_RUNNING && !match->game.held &&
	       t->deadline_utc != 0 && t->deadline_utc <= srv->now_utc &&
	       seat_in((struct seat_set){t->owes & ~t->have & t->covered}, seat->seat);
}

struct report_clock report_values_clock(const struct server *srv, const struct match *match,
                                        const struct seat *seat)
{
	struct report_clock c = {.now_utc = srv->now_utc};

	c.held = match->game.held;
	c.paused = match->game.status == GAME_PAUSED;
	c.held_reason = arena_cstr(match->arena, match->game.held_reason);
	if (!match->has_turn || match->turn.serial == 0 || match->turn.state != TURN_OPEN)
		return c;
	c.deadline_utc = match->turn.deadline_utc;
	/* As deadline_decide: of vacant seats only where they alone owe orders. */
	uint32_t people = match->turn.owes & ~vacant_seats(match);
	struct seat_set awaited = {(people != 0 ? people : match->turn.owes) &
	                           ~match->turn.have};
	if (report_values_stepped_in(srv, match, seat)) /* the others do not learn of it yet */
		awaited = seat_without(awaited, seat->seat);
	c.nawaited = match_seat_names(match, awaited.bits, &c.awaited);
	c.nholding = match_seat_names(match, match->turn.waiting, &c.holding);
	c.grace_utc = match->turn.grace_utc;
	c.settle_utc = match->turn.settle_utc;
	if (c.deadline_utc != 0 && c.settle_utc > c.deadline_utc)
		c.settle_utc = c.deadline_utc;
	c.nvacant = match_seat_names(match, vacant_seats(match), &c.vacant);
	c.reader_holds = seat && seat_in((struct seat_set){match->turn.waiting}, seat->seat);
	return c;
}

static struct report_commitment commitment_of(const struct match *match,
                                              const struct order_set *set, unsigned seat)
{
	const struct seat_entry *e = &set->seats[seat];

	return (struct report_commitment){.seat_name = match->names.names[seat],
	                                  .seat = seat,
	                                  .revision = e->revision,
	                                  .commitment = e->commitment,
	                                  .origin = order_origin_name(e->origin)};
}

size_t report_values_commitments_so_far(const struct match *match, const struct order_set *set,
                                        unsigned viewer, struct report_commitment **out)
{
	struct report_commitment *c = arena_calloc(match->arena, match->nseats + 1, sizeof(*c));
	size_t n = 0;

	for (unsigned s = 1; s <= match->nseats; s++) {
		const struct seat_entry *e = &set->seats[s];

		if (!e->acts || e->revision == 0 ||
		    (s != viewer && !seat_in((struct seat_set){match->turn.owes}, s)))
			continue;
		c[n] = commitment_of(match, set, s);
		/* Nobody may see yet that a seat resigns, nor that another has standing orders. */
		if (e->origin == ORDER_RESIGNED || (s != viewer && e->origin != ORDER_BOT))
			c[n].origin = order_origin_name(ORDER_SENT);
		n++;
	}
	*out = c;
	return n;
}

size_t report_values_commitments(const struct match *match, const struct order_set *set,
                                 bool reveal, struct report_commitment **out)
{
	struct report_commitment *c = arena_calloc(match->arena, match->nseats + 1, sizeof(*c));
	size_t n = 0;

	for (unsigned s = 1; s <= match->nseats; s++) {
		const struct seat_entry *e = &set->seats[s];

		if (!e->acts)
			continue;
		c[n] = commitment_of(match, set, s);
		if (reveal) {
			c[n].orders = e->canonical;
			c[n].nonce = e->nonce;
			c[n].salt = e->salt;
		}
		n++;
	}
	*out = c;
	return n;
}

size_t report_values_firsts(const struct match *match, const struct order_set *set,
                            struct report_first **out)
{
	struct report_first *f = arena_calloc(match->arena, match->nseats + 1, sizeof(*f));
	unsigned serial = match->turn.serial;

	*out = f;
	if (match->game.record_version < 3)
		return 0;
	for (unsigned s = 1; s <= match->nseats; s++) {
		f[s - 1].seat = s;
		if (serial == 0) {
			f[s - 1].receipts = match->seats[s - 1].joins;
			f[s - 1].first = match->seats[s - 1].contribution;
		}
	}
	for (size_t i = 0; i < set->nrevisions; i++) {
		const struct order_revision *r = &set->revisions[i];
		struct report_first *of = &f[r->seat - 1];

		of->receipts = r->revision;
		if (r->revision == 1)
			of->first = order_revision_commitment(match, r);
	}
	return match->nseats;
}

struct span report_values_default(const struct match *match, unsigned seat)
{
	struct strbuf text = STRBUF_INIT;

	if (!match->state || !seat_in(match->rules->owes(match->state), seat))
		return SPAN_EMPTY;
	match->rules->default_orders(match->state, seat, &text);
	return arena_take(match->arena, &text);
}

const struct doc *report_values_view(const struct match *match, const struct game_state *state,
                                     unsigned seat, const struct mail_form *form)
{
	struct doc *doc = arena_alloc(match->arena, sizeof(*doc));

	doc_init(doc, match->arena);
	doc->tables = match->tables;
	if (form->cols > 0)
		doc->cols = form->cols;
	match->rules->view(state, seat, doc);
	return doc;
}

const struct doc *report_values_examples(const struct match *match, unsigned seat)
{
	struct doc *d = arena_alloc(match->arena, sizeof(*d));

	doc_init(d, match->arena);
	d->tables = match->tables;
	if (match->state)
		bot_examples(match->rules, match->state, seat, d);
	return d;
}

/* What somebody who has not said yes yet calls themselves is for nobody else to read. */
static bool is_unconfirmed(const struct match *match, const struct seat *s)
{
	return match->game.status == GAME_GATHERING && s->player != 0 && !s->confirmed;
}

static const char *name_of(const struct match *match, size_t i, unsigned reader)
{
	return reader != i + 1 && is_unconfirmed(match, &match->seats[i])
	           ? "(not confirmed yet)"
	           : match->names.names[i + 1];
}

const char *const *report_values_names(const struct match *match, unsigned reader)
{
	const char **names = arena_calloc(match->arena, match->game.nseats + 1, sizeof(*names));

	for (size_t i = 0; i < match->nseats && i < match->game.nseats; i++)
		if (match_seat_is_named(match, &match->seats[i]))
			names[i + 1] = name_of(match, i, reader);
	return names;
}

const char *const *report_values_players(const struct match *match)
{
	const char **names = arena_calloc(match->arena, match->game.nseats + 1, sizeof(*names));

	for (size_t i = 0; i < match->nseats && i < match->game.nseats; i++) {
		const struct seat *s = &match->seats[i];

		names[i + 1] = match->names.names[i + 1];
		if (s->played_by.len > 0 && s->vacated_utc == 0)
			names[i + 1] = arena_printf(match->arena, "%.*s (for %s)",
			                            SPAN_ARGS(s->played_by), names[i + 1]);
	}
	return names;
}

const struct seat *master_seat(const struct match *match)
{
	for (size_t i = 0; i < match->nseats; i++)
		if (match->game.master != 0 && match->seats[i].player == match->game.master &&
		    !match->seats[i].resigned)
			return &match->seats[i];
	return NULL;
}

bool match_has_master(const struct match *match, int64_t player)
{
	bool has = player != 0 && match->game.master == player;

	for (size_t i = 0; i < match->nseats; i++)
		has = has || (player != 0 && match->seats[i].player == player &&
		              match->seats[i].co_master);
	return has;
}

const char *master_words(const struct match *match)
{
	const struct seat *s = master_seat(match);
	struct seat_set co_masters = {0};

	for (size_t i = 0; i < match->nseats; i++)
		if (match->seats[i].co_master)
			co_masters = seat_with(co_masters, match->seats[i].seat);
	if (match->game.master == 0 && seat_count(co_masters) == 0)
		return NULL;
	const char *master =
	    match->game.master == 0 ? "nobody at present"
	    : s ? arena_printf(match->arena, "%s, who plays too", match->names.names[s->seat])
		: "somebody who does not play";
	return seat_count(co_masters) == 0
	           ? master
	           : arena_printf(match->arena,
	                          seat_count(co_masters) == 1 ? "%s; co-master: %s"
	                                                      : "%s; co-masters: %s",
	                          master, match_names_in(match, co_masters));
}

const char *master_sentence(const struct match *match)
{
	const struct seat *s = master_seat(match);

	if (match->game.master == 0)
		return NULL;
	return s ? arena_printf(match->arena, "%s is the master of the game, and plays too.",
	                        match->names.names[s->seat])
	         : "The master of the game does not play.";
}

const char *bots_sentence(const struct match *match)
{
	const char *all = NULL;

	for (int level = 0; level <= BOT_LEVEL_BEST; level++) {
		struct seat_set bots = {0};

		for (size_t i = 0; i < match->nseats; i++)
			if (match->seats[i].bot_level == level)
				bots = seat_with(bots, match->seats[i].seat);
		unsigned n = seat_count(bots);
		if (n > 0)
			all = arena_printf(match->arena,
			                   n == 1 ? "%s%s%s plays at level %d of %d."
			                          : "%s%s%s play at level %d of %d.",
			                   all ? all : "", all ? " " : "",
			                   match_names_in(match, bots), level, BOT_LEVEL_BEST);
	}
	return all;
}

static void add_mark(struct strbuf *marks, bool holds, const char *mark)
{
	if (holds)
		strbuf_addf(marks, marks->len > 0 ? ", %s" : " (%s", mark);
}

const char *const *report_values_table(const struct match *match, unsigned reader)
{
	const char **names = arena_calloc(match->arena, match->game.nseats + 1, sizeof(*names));
	unsigned people = match->game.nseats;

	for (size_t i = 0; i < match->nseats; i++)
		people -= match->seats[i].bot_level >= 0;
	/* Whether there is anybody, or may come, whom it concerns who that is. */
	const struct seat *master = people > 1 ? master_seat(match) : NULL;
	for (size_t i = 0; i < match->nseats && i < match->game.nseats; i++)
		if (match_seat_is_named(match, &match->seats[i])) {
			/* "Ann (master, you)" */
			const struct seat *s = &match->seats[i];
			bool vacant = s->vacated_utc != 0, known = !is_unconfirmed(match, s);
			struct strbuf text = STRBUF_INIT, marks = STRBUF_INIT;

			strbuf_adds(&text, name_of(match, i, reader));
			if (s->played_by.len > 0)
				add_mark(&marks, true,
				         arena_printf(match->arena, "played by %.*s",
				                      SPAN_ARGS(s->played_by)));
			add_mark(&marks, vacant, "vacant");
			add_mark(&marks, vacant && s->bot_level >= 0, "played by the server");
			add_mark(&marks, s == master && known && !vacant, "master");
			add_mark(&marks, s->co_master && s != master, "co-master");
			add_mark(&marks, s->is_operator && known && !vacant,
			         "runs this server");
			add_mark(&marks, reader == s->seat && !vacant, "you");
			strbuf_adds(&text, marks.ptr);
			strbuf_adds(&text, marks.len > 0 ? ")" : "");
			strbuf_release(&marks);
			names[i + 1] = arena_take(match->arena, &text).ptr;
		}
	return names;
}

const char *report_values_absences(const struct match *match)
{
	struct strbuf text = STRBUF_INIT, missed = STRBUF_INIT, late = STRBUF_INIT;

	/* "Turns missed so far: Ann 2 (1 excused), Bob 1. Orders after the deadline: Ann 1." */
	for (size_t i = 0; i < match->nseats; i++) {
		const struct seat *s = &match->seats[i];
		const char *name = match->names.names[i + 1];

		if (s->player == 0)
			continue;
		if (s->missed_all != 0)
			strbuf_addf(&missed, missed.len ? ", %s %u" : "%s %u", name,
			            s->missed_all);
		if (s->missed_all != 0 && s->excused_all > 0)
			strbuf_addf(&missed, " (%u excused)", s->excused_all);
		if (s->late_all != 0)
			strbuf_addf(&late, late.len ? ", %s %u" : "%s %u", name, s->late_all);
	}
	if (missed.len > 0)
		strbuf_addf(&text, "Turns missed so far: %s. ", missed.ptr);
	if (late.len > 0)
		strbuf_addf(&text, "Orders after the deadline: %s.", late.ptr);
	strbuf_release(&missed);
	strbuf_release(&late);
	return arena_take(match->arena, &text).ptr;
}

bool report_values_last_chance(const struct match *match, const struct seat *seat)
{
	return match->calendar.misses > 0 && seat->missed + 1 == match->calendar.misses;
}

const char *report_values_interval(struct arena *arena, int64_t seconds)
{
	struct strbuf text = STRBUF_INIT;

	interval_format(&text, seconds);
	return arena_take(arena, &text).ptr;
}
