/*
 * report_values.c - from rows and positions to the values reports are made of.
 */
#include "processor/match/report_values.h"

#include "processor/calendar/deadline.h"
#include "processor/server/zones.h"

bool brief_observes(const struct server *srv, const struct hand *h, const struct player *person)
{
	struct observer o;

	return person && person->id != 0 &&
	       observer_get(srv->store, h->game.id, person->id, &o) == ERR_NONE;
}

struct report_game brief_game(struct server *srv, const struct hand *h, const struct seat *seat,
                              const struct player *reader)
{
	return (struct report_game){
	    .id = h->id,
	    .kind_title = h->rules->title,
	    .title = arena_cstr(h->arena, h->game.title),
	    .label = h->has_turn && h->turn.serial > 0 ? arena_cstr(h->arena, h->turn.label)
	                                               : "",
	    .serial = h->has_turn ? h->turn.serial : 0,
	    .seat = seat ? seat->seat : 0,
	    .seat_name = seat ? arena_cstr(h->arena, seat->name) : "",
	    .nseats = h->game.nseats,
	    .mail_number = seat ? seat->mails + 1 : 0,
	    .fixed_subject = srv->cfg.fixed_subject,
	    .observer = !seat && brief_observes(srv, h, reader),
	    .ended = h->game.ended_utc != 0,
	    .zone = zone_of_reader(srv, reader),
	};
}

static size_t names_in(const struct hand *h, uint32_t seats, const char *const **out)
{
	const char **names = arena_calloc(h->arena, h->nseats + 1, sizeof(*names));
	size_t n = 0;

	for (unsigned s = 1; s <= h->nseats; s++)
		if (seat_in((struct seat_set){seats}, s))
			names[n++] = h->names.names[s];
	*out = names;
	return n;
}

static uint32_t vacant_seats(const struct hand *h)
{
	struct seat_set vacant = {0};

	for (size_t i = 0; i < h->nseats; i++)
		if (h->seats[i].vacated_utc != 0)
			vacant = seat_with(vacant, h->seats[i].seat);
	return vacant.bits;
}

bool brief_stepped_in(const struct server *srv, const struct hand *h, const struct seat *seat)
{
	const struct turn *t = &h->turn;

	return seat && h->has_turn && t->state == TURN_OPEN && h->game.status == GAME_RUNNING &&
	       !h->game.held && t->deadline_utc != 0 && t->deadline_utc <= srv->now_utc &&
	       seat_in((struct seat_set){t->owes & ~t->have & t->covered}, seat->seat);
}

struct report_clock brief_clock(const struct server *srv, const struct hand *h,
                                const struct seat *seat)
{
	struct report_clock c = {.now_utc = srv->now_utc};

	c.held = h->game.held;
	c.paused = h->game.status == GAME_PAUSED;
	c.held_reason = arena_cstr(h->arena, h->game.held_reason);
	if (!h->has_turn || h->turn.serial == 0 || h->turn.state != TURN_OPEN)
		return c;
	c.deadline_utc = h->turn.deadline_utc;
	struct seat_set awaited = {h->turn.owes & ~h->turn.have};
	if (brief_stepped_in(srv, h, seat)) /* the others do not learn of it yet */
		awaited = seat_without(awaited, seat->seat);
	c.nawaited = names_in(h, awaited.bits, &c.awaited);
	c.nholding = names_in(h, h->turn.waiting, &c.holding);
	c.grace_utc = h->turn.grace_utc;
	c.settle_utc = h->turn.settle_utc;
	if (c.deadline_utc != 0 && c.settle_utc > c.deadline_utc)
		c.settle_utc = c.deadline_utc;
	c.nvacant = names_in(h, vacant_seats(h), &c.vacant);
	c.reader_holds = seat && seat_in((struct seat_set){h->turn.waiting}, seat->seat);
	return c;
}

static struct report_commitment commitment_of(const struct hand *h, const struct order_set *set,
                                              unsigned seat)
{
	const struct seat_entry *e = &set->seats[seat];

	return (struct report_commitment){.seat_name = h->names.names[seat],
	                                  .seat = seat,
	                                  .revision = e->revision,
	                                  .commitment = e->commitment,
	                                  .origin = order_origin_name(e->origin)};
}

static bool owes_orders(const struct hand *h, unsigned seat)
{
	return seat_in((struct seat_set){h->turn.owes}, seat);
}

size_t brief_commitments_so_far(const struct hand *h, const struct order_set *set,
                                unsigned viewer, struct report_commitment **out)
{
	struct report_commitment *c = arena_calloc(h->arena, h->nseats + 1, sizeof(*c));
	size_t n = 0;

	for (unsigned s = 1; s <= h->nseats; s++) {
		const struct seat_entry *e = &set->seats[s];

		if (!e->acts || e->revision == 0 || (s != viewer && !owes_orders(h, s)))
			continue;
		c[n] = commitment_of(h, set, s);
		/* Nobody may see yet that a seat resigns, nor that another has laid down orders. */
		if (e->origin == ORDER_RESIGNED || (s != viewer && e->origin != ORDER_BOT))
			c[n].origin = order_origin_name(ORDER_SENT);
		n++;
	}
	*out = c;
	return n;
}

size_t brief_commitments(const struct hand *h, const struct order_set *set, bool reveal,
                         struct report_commitment **out)
{
	struct report_commitment *c = arena_calloc(h->arena, h->nseats + 1, sizeof(*c));
	size_t n = 0;

	for (unsigned s = 1; s <= h->nseats; s++) {
		const struct seat_entry *e = &set->seats[s];

		if (!e->acts)
			continue;
		c[n] = commitment_of(h, set, s);
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

struct span brief_default(const struct hand *h, unsigned seat)
{
	struct strbuf text = STRBUF_INIT;

	if (!h->state || !seat_in(h->rules->owes(h->state), seat))
		return SPAN_EMPTY;
	h->rules->default_orders(h->state, seat, &text);
	struct span copy = arena_dup(h->arena, strbuf_span(&text));
	strbuf_release(&text);
	return copy;
}

const struct doc *brief_view(const struct hand *h, const struct game_state *state,
                             unsigned seat)
{
	struct doc *doc = arena_alloc(h->arena, sizeof(*doc));

	doc_init(doc, h->arena);
	doc->tables = h->tables;
	h->rules->view(state, seat, doc);
	return doc;
}

const struct doc *brief_examples(const struct hand *h, unsigned seat)
{
	struct doc *d = arena_alloc(h->arena, sizeof(*d));

	doc_init(d, h->arena);
	d->tables = h->tables;
	doc_in(d, DOC_HELP);
	if (h->state && seat_in(h->rules->owes(h->state), seat))
		h->rules->examples(h->state, seat, d);
	return d;
}

const char *const *brief_names(const struct hand *h)
{
	const char **names = arena_calloc(h->arena, h->game.nseats + 1, sizeof(*names));

	for (size_t i = 0; i < h->nseats && i < h->game.nseats; i++)
		if (hand_seat_is_named(h, &h->seats[i]))
			names[i + 1] = h->names.names[i + 1];
	return names;
}

const char *const *brief_table(const struct hand *h)
{
	const char **names = arena_calloc(h->arena, h->game.nseats + 1, sizeof(*names));

	for (size_t i = 0; i < h->nseats && i < h->game.nseats; i++) {
		const struct seat *s = &h->seats[i];
		const char *name = h->names.names[i + 1];
		if (s->vacated_utc != 0)
			names[i + 1] =
			    arena_printf(h->arena, "%s (vacant%s)", name,
			                 s->bot_level >= 0 ? ", played by the server" : "");
		else if (hand_seat_is_named(h, s))
			names[i + 1] = name;
	}
	return names;
}

/* "Turns missed so far: Ann 2 (1 excused), Bob 1." */
static void add_missed(const struct hand *h, struct strbuf *out)
{
	const char *before = "Turns missed so far: ";

	for (size_t i = 0; i < h->nseats; i++) {
		const struct seat *s = &h->seats[i];
		if (s->player == 0 || s->missed_all == 0)
			continue;
		strbuf_addf(out, "%s%s %u", before, h->names.names[i + 1], s->missed_all);
		if (s->excused_all > 0)
			strbuf_addf(out, " (%u excused)", s->excused_all);
		before = ", ";
	}
	strbuf_adds(out, *before == ',' ? ". " : "");
}

static void add_late(const struct hand *h, struct strbuf *out)
{
	const char *before = "Orders after the deadline: ";

	for (size_t i = 0; i < h->nseats; i++) {
		const struct seat *s = &h->seats[i];
		if (s->player == 0 || s->late_all == 0)
			continue;
		strbuf_addf(out, "%s%s %u", before, h->names.names[i + 1], s->late_all);
		before = ", ";
	}
	strbuf_adds(out, *before == ',' ? "." : "");
}

const char *brief_absences(const struct hand *h)
{
	struct strbuf text = STRBUF_INIT;

	add_missed(h, &text);
	add_late(h, &text);
	const char *copy = arena_strdup(h->arena, text.ptr);
	strbuf_release(&text);
	return copy;
}

bool brief_last_chance(const struct hand *h, const struct seat *seat)
{
	return h->calendar.misses > 0 && seat->missed + 1 == h->calendar.misses;
}

const char *brief_interval(struct arena *arena, int64_t seconds)
{
	struct strbuf text = STRBUF_INIT;

	interval_format(&text, seconds);
	char *copy = arena_strdup(arena, text.ptr);
	strbuf_release(&text);
	return copy;
}
