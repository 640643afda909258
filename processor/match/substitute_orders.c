/*
 * substitute_orders.c - drafts, queued and standing orders, fallbacks: read in the turn they are for.
 */
#include "processor/match/substitute_orders.h"

#include "processor/archive/archive.h"
#include "processor/archive/proof.h"
#include "processor/bots/bots.h"
#include "processor/match/report_values.h"
#include "store/ratings.h"

enum err standing_orders_load(struct server *srv, const struct match *match,
                              struct standing_orders *out)
{
	return standing_order_list(srv->store, match->game.id, match->arena, &out->items,
	                           &out->n);
}

const struct standing_order *standing_order_of(const struct standing_orders *all, unsigned seat,
                                               enum standing_order_kind kind, unsigned number)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->items[i].seat == seat && all->items[i].kind == kind &&
		    all->items[i].number == number)
			return &all->items[i];
	return NULL;
}

static bool reads(const struct match *match, unsigned seat, struct span text,
                  struct strbuf *canonical, struct diags *diags)
{
	struct diags unheard = DIAGS_INIT;
	bool ok = match->rules->read_orders(match->state, seat, SPAN_EMPTY, match->tables, text,
	                                    canonical, diags ? diags : &unheard) &&
	          !span_eq_str(span_trim(strbuf_span(canonical)), ORDER_RESIGN_TEXT);

	diags_release(&unheard);
	return ok;
}

bool standing_order_next(struct span *rest, struct span *alternative)
{
	bool line_begins = true;
	size_t i = 0;

	if (rest->ptr == NULL)
		return false;
	for (; i < rest->len && (rest->ptr[i] != '|' || line_begins); i++)
		line_begins = rest->ptr[i] == '\n' ||
		              (line_begins && (rest->ptr[i] == ' ' || rest->ptr[i] == '|'));
	*alternative = span_slice(*rest, 0, i);
	*rest = i < rest->len ? span_slice(*rest, i + 1, rest->len) : (struct span){NULL, 0};
	return true;
}

bool standing_order_reads(const struct match *match, const struct standing_order *p,
                          struct strbuf *canonical, struct diags *diags)
{
	struct span rest = p->text, one, first, chosen;
	struct strbuf tried = STRBUF_INIT;
	bool ok = false;

	if (!standing_order_next(&rest, &first))
		first = SPAN_EMPTY;
	chosen = first;
	for (rest = p->text; !ok && standing_order_next(&rest, &one);) {
		strbuf_clear(&tried);
		ok = reads(match, p->seat, one, &tried, NULL);
		if (ok)
			chosen = one;
	}
	strbuf_release(&tried);
	return reads(match, p->seat, chosen, canonical, diags);
}

/* ---- one seat ---- */

/* Came while orders for the turn in hand could still be given. */
static bool was_in_time(const struct match *match, const struct standing_order *p)
{
	const struct turn *t = &match->turn;
	int64_t end_utc = t->grace_utc > t->deadline_utc ? t->grace_utc : t->deadline_utc;

	return !match_came_after(match, p->received_utc, end_utc);
}

static bool try_standing_order(const struct match *match, const struct standing_order *p,
                               enum order_origin origin, struct substitute *out)
{
	struct strbuf canonical = STRBUF_INIT;
	bool ok = p && was_in_time(match, p) &&
	          standing_order_reads(match, p, &canonical, NULL);

	if (ok)
		*out = (struct substitute){
		    .origin = origin,
		    .canonical = arena_dup(match->arena, strbuf_span(&canonical)),
		    /* What was stored before the turn opened was there when it did. */
		    .received_utc = p->received_utc > match->turn.opened_utc
		                        ? p->received_utc
		                        : match->turn.opened_utc,
		    .mail = p->mail,
		    .contribution = p->contribution,
		};
	strbuf_release(&canonical);
	return ok;
}

/*
 * The orders this player had in force last at the seat, in a turn before the one in hand: what another
 * has given there is neither theirs to repeat nor, in games that keep it secret, to know.
 */
static enum err last_orders(struct server *srv, const struct match *match, unsigned seat,
                            struct span *out)
{
	struct turn t = match->turn;
	struct seat_holder *all;
	size_t n;

	*out = SPAN_EMPTY;
	TRY(seat_holder_list(srv->store, match->game.id, match->arena, &all, &n));
	for (unsigned i = 0; i < FALLBACK_LOOKS_BACK && t.parent > 0; i++) {
		struct order_revision r;
		bool own = seat_holder_player(all, n, seat, t.parent) ==
		           match->seats[seat - 1].player;
		enum err rc = own ? orders_last(srv->store, match->game.id, t.parent, seat,
		                                match->arena, &r)
		                  : ERR_NOT_FOUND;

		if (rc == ERR_NONE && !r.cleared && r.origin != ORDER_BOT) {
			*out = r.canonical;
			return ERR_NONE;
		}
		if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
			return rc;
		TRY(turn_get(srv->store, match->game.id, t.parent, match->arena, &t));
	}
	return ERR_NONE;
}

void substitute_bot(const struct match *match, const struct game_state *position,
                    unsigned serial, unsigned seat, unsigned level, struct strbuf *canonical,
                    struct strbuf *drawn)
{
	struct hash key = proof_bot_key(&match->secret, serial, seat);

	bot_orders(match->rules, match->game.bots_version, position, seat, level, match->tables,
	           &key, canonical, drawn);
}

enum err substitute_find(struct server *srv, struct match *match,
                         const struct standing_orders *all, unsigned seat, bool ends,
                         struct substitute *out)
{
	const struct standing_order *fallback =
	    standing_order_of(all, seat, STANDING_FALLBACK, 0);

	*out = (struct substitute){.origin = ORDER_DEFAULT};
	if (try_standing_order(match,
	                       standing_order_of(all, seat, STANDING_DRAFT, match->turn.serial),
	                       ORDER_DRAFT, out) ||
	    try_standing_order(match, standing_order_of(all, seat, STANDING_ALWAYS, 0),
	                       ORDER_STANDING, out))
		return ERR_NONE;
	if (!fallback || !was_in_time(match, fallback))
		return ERR_NONE;
	/* What a bot would do need not be known before the turn ends. */
	struct strbuf canonical = STRBUF_INIT;
	struct span last = SPAN_EMPTY;
	bool bot = span_eq_str(fallback->text, "bot");

	if (bot)
		TRY(match_secret(srv, match));
	else
		TRY(last_orders(srv, match, seat, &last));
	bool ok = bot || (last.len > 0 && reads(match, seat, last, &canonical, NULL));
	if (bot && ends)
		substitute_bot(match, match->state, match->turn.serial, seat, BOT_LEVEL_USUAL,
		               &canonical, NULL);
	if (ok)
		*out = (struct substitute){
		    .origin = ORDER_FALLBACK,
		    .canonical = arena_dup(match->arena, strbuf_span(&canonical)),
		    .by_server = bot,
		    .mail = fallback->mail,
		    .contribution = fallback->contribution,
		    .received_utc = match->turn.opened_utc,
		};
	strbuf_release(&canonical);
	return ERR_NONE;
}

bool substitute_covers(enum order_origin origin)
{
	return origin == ORDER_DRAFT || origin == ORDER_STANDING;
}

static struct order_revision revision_of(const struct match *match, unsigned seat,
                                         unsigned number, const struct substitute *s)
{
	return (struct order_revision){.game = match->game.id,
	                               .serial = match->turn.serial,
	                               .seat = seat,
	                               .revision = number,
	                               .origin = (int)s->origin,
	                               .received_utc = s->received_utc,
	                               .mail = s->mail,
	                               .contribution = s->contribution,
	                               .by_operator = match->seats[seat - 1].is_operator,
	                               .canonical = s->canonical};
}

/* ---- a turn that ends ---- */

static unsigned last_revision(const struct order_set *set, unsigned seat)
{
	unsigned last = 0;

	for (size_t i = 0; i < set->nrevisions; i++)
		if (set->revisions[i].seat == seat)
			last = set->revisions[i].revision;
	return last;
}

static bool is_silent(const struct match *match, const struct order_set *set, unsigned seat)
{
	const struct seat *s = &match->seats[seat - 1];

	return set->seats[seat].acts && set->seats[seat].revision == 0 && s->player != 0 &&
	       !s->resigned;
}

enum err substitute_seal(struct server *srv, struct match *match, struct order_set *set,
                         struct order_revision **out, size_t *n)
{
	struct standing_orders all;

	*n = 0;
	*out = NULL;
	TRY(standing_orders_load(srv, match, &all));
	if (all.n == 0)
		return ERR_NONE;
	*out = arena_calloc(match->arena, match->nseats + 1, sizeof(**out));
	/* With room for them. */
	struct order_revision *more =
	    arena_calloc(match->arena, set->nrevisions + match->nseats + 1, sizeof(*more));
	for (size_t i = 0; i < set->nrevisions; i++)
		more[i] = set->revisions[i];
	set->revisions = more;
	for (unsigned seat = 1; seat <= match->nseats; seat++) {
		struct substitute s;

		if (!is_silent(match, set, seat))
			continue;
		TRY(substitute_find(srv, match, &all, seat, true, &s));
		if (s.origin == ORDER_DEFAULT)
			continue;
		struct order_revision r =
		    revision_of(match, seat, last_revision(set, seat) + 1, &s);
		/* Behind the others of its seat: the list is by seat, then number. */
		size_t at = set->nrevisions++;
		for (; at > 0 && set->revisions[at - 1].seat > r.seat; at--)
			set->revisions[at] = set->revisions[at - 1];
		set->revisions[at] = r;
		order_set_put(match, set, &r);
		(*out)[(*n)++] = r;
	}
	return ERR_NONE;
}

/* ---- a turn that opens ---- */

static void add_note(const struct match *match, struct opening *o, unsigned seat,
                     const char *note)
{
	const char *before = o->notes[seat];

	o->notes[seat] = before ? arena_printf(match->arena, "%s %s", before, note) : note;
}

static void put_in_force(struct match *match, struct opening *o, unsigned seat,
                         const struct substitute *s)
{
	o->revisions[o->nrevisions++] = revision_of(match, seat, 1, s);
	match->turn.have = seat_with((struct seat_set){match->turn.have}, seat).bits;
}

static void take_up(struct match *match, struct opening *o, const struct standing_order *p)
{
	struct strbuf canonical = STRBUF_INIT, why = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	bool ok = standing_order_reads(match, p, &canonical, &diags);

	if (ok)
		put_in_force(match, o, p->seat,
		             &(struct substitute){
				 .origin = ORDER_QUEUED,
				 .canonical = arena_dup(match->arena, strbuf_span(&canonical)),
				 .received_utc = match->turn.opened_utc,
				 .mail = p->mail,
				 .contribution = p->contribution,
			     });
	if (!ok || diags_has_errors(&diags)) {
		strbuf_addf(&why,
		            ok ? "Not all you had queued for %.*s could be used."
		               : "The orders you had queued for %.*s could not be used as "
		                 "it opened, and they are dropped.",
		            SPAN_ARGS(match->turn.label));
		/* What the game objected to, with an example that works if it gave one. */
		for (size_t i = 0; i < diags.count; i++) {
			const struct diag *g = &diags.items[i];

			if (g->level != DIAG_ERROR)
				continue;
			strbuf_addf(&why, "%s%s%s %s", g->quoted[0] ? " \"" : "", g->quoted,
			            g->quoted[0] ? "\":" : "", g->message);
			if (g->example[0])
				strbuf_addf(&why, " This would work: %s.", g->example);
		}
		add_note(match, o, p->seat, arena_take(match->arena, &why).ptr);
	}
	o->gone[o->ngone++] = *p;
	strbuf_release(&canonical);
	diags_release(&diags);
}

static bool owes_orders(const struct match *match, unsigned seat)
{
	return seat_in((struct seat_set){match->turn.owes}, seat) &&
	       !seat_in((struct seat_set){match->turn.have}, seat);
}

void substitute_open(struct match *match, const struct standing_orders *all, bool quietly,
                     struct opening *out)
{
	*out = (struct opening){0};
	if (all->n == 0)
		return;
	out->revisions = arena_calloc(match->arena, match->nseats + 1, sizeof(*out->revisions));
	out->gone = arena_calloc(match->arena, all->n, sizeof(*out->gone));
	unsigned number = match_turn_number(match->turn.label);
	/* Where turns go round they wait for the first that is their player's. */
	bool wait = span_starts(match->turn.label, "turn ") &&
	            seat_count((struct seat_set){match->turn.owes}) == 1;

	for (size_t i = 0; i < all->n && number > 0; i++) {
		const struct standing_order *p = &all->items[i], *next = p + 1;
		bool newer = i + 1 < all->n && next->seat == p->seat &&
		             next->kind == STANDING_QUEUED && next->number <= number;

		if (p->kind != STANDING_QUEUED || match->seats[p->seat - 1].player == 0)
			continue;
		if (p->number < number && (newer || !wait)) {
			add_note(
			    match, out, p->seat,
			    arena_printf(match->arena,
			                 "The orders you had queued for %s %u were not needed "
			                 "there, so they were dropped.",
			                 match_turn_unit(match->turn.label), p->number));
			out->gone[out->ngone++] = *p;
		} else if (p->number <= number && owes_orders(match, p->seat)) {
			take_up(match, out, p);
		}
	}
	for (size_t i = 0; i < all->n; i++) {
		const struct standing_order *p = &all->items[i];
		struct substitute s;

		if (p->kind != STANDING_ALWAYS || match->seats[p->seat - 1].player == 0 ||
		    !owes_orders(match, p->seat) ||
		    !try_standing_order(match, p, ORDER_STANDING, &s))
			continue;
		match->turn.covered =
		    seat_with((struct seat_set){match->turn.covered}, p->seat).bits;
		if (p->nowait)
			put_in_force(match, out, p->seat, &s);
	}
	bool queued = false;
	for (size_t i = 0; i < out->nrevisions; i++)
		queued = queued || out->revisions[i].origin == ORDER_QUEUED;
	if (quietly && (match->turn.owes & ~match->turn.have) == 0 && !queued) {
		/* They step in at the deadline instead. */
		for (size_t i = 0; i < out->nrevisions; i++)
			match->turn.have = seat_without((struct seat_set){match->turn.have},
			                                out->revisions[i].seat)
			                       .bits;
		out->nrevisions = 0;
	}
}

/* ---- for people ---- */

static const char *lead_of(const struct match *match, const struct substitute *s, bool late)
{
	const char *when = late ? "when the grace ends" : "at the deadline";

	switch (s->origin) {
	case ORDER_DRAFT:
		return arena_printf(match->arena,
		                    "If you send nothing more, your draft is used %s "
		                    "(\"CLEAR\" throws it away):",
		                    when);
	case ORDER_STANDING:
		return arena_printf(
		    match->arena,
		    "If you send nothing, your standing orders are used %s:", when);
	case ORDER_FALLBACK:
		return s->by_server
		           ? "If you send nothing, the server plays this turn for you, as you "
		             "have chosen (SET FALLBACK)."
		           : "If you send nothing, your last orders are given once more, as "
		             "you have chosen (SET FALLBACK):";
	case ORDER_SENT:
	case ORDER_DEFAULT:
	case ORDER_BOT:
	case ORDER_RESIGNED:
	case ORDER_QUEUED:
		break;
	}
	return NULL;
}

enum err substitute_silence(struct server *srv, struct match *match,
                            const struct standing_orders *all, unsigned seat,
                            struct silence *out)
{
	struct substitute s;

	*out = (struct silence){.orders = report_values_default(match, seat),
	                        .origin = ORDER_DEFAULT};
	if (!match->state || !seat_in(match->rules->owes(match->state), seat))
		return ERR_NONE;
	TRY(substitute_find(srv, match, all, seat, false, &s));
	out->origin = s.origin;
	out->lead =
	    lead_of(match, &s, match_came_after(match, srv->now_utc, match->turn.deadline_utc));
	if (out->lead)
		out->orders = s.by_server ? SPAN_EMPTY : s.canonical;
	return ERR_NONE;
}

static const char *lead_of_standing_order(const struct match *match,
                                          const struct standing_order *p)
{
	switch (p->kind) {
	case STANDING_DRAFT:
		return "a draft for this turn, checked or not finished:";
	case STANDING_QUEUED:
		return arena_printf(match->arena, "orders for %s %u (QUEUE %u):",
		                    match_turn_unit(match->turn.label), p->number, p->number);
	case STANDING_ALWAYS:
		return p->nowait ? "standing orders, in force as soon as a turn opens (ALWAYS "
		                   "NOWAIT):"
		                 : "standing orders, for turns in which you send nothing "
		                   "(ALWAYS):";
	case STANDING_FALLBACK:
		break;
	}
	return span_eq_str(p->text, "bot")
	           ? "instead of the default, the server plays for you (SET FALLBACK BOT)"
	           : "instead of the default, your last orders once more (SET FALLBACK REPEAT)";
}

size_t standing_orders_words(const struct match *match, const struct standing_orders *all,
                             unsigned seat, size_t more, struct report_standing_order **out)
{
	struct report_standing_order *words =
	    arena_calloc(match->arena, all->n + more + 1, sizeof(*words));
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct standing_order *p = &all->items[i];

		if (p->seat != seat)
			continue;
		words[n].lead = lead_of_standing_order(match, p);
		words[n++].text = p->kind == STANDING_FALLBACK ? SPAN_EMPTY : p->text;
	}
	*out = words;
	return n;
}
