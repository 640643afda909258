/*
 * substitute_orders.c - drafts, queued and standing orders, fallbacks: read in the turn they are for.
 */
#include "processor/match/substitute_orders.h"

#include "processor/archive/proof.h"
#include "processor/match/report_values.h"
#include "store/ratings.h"

#include "processor/base/banned.h"

enum { LOOK_BACK = 2 * MAX_SEATS }; /* turns in which the last own orders are looked for */

enum err provisions_load(struct server *srv, const struct hand *h, struct provisions *out)
{
	return provision_list(srv->store, h->game.id, h->arena, &out->items, &out->n);
}

const struct provision *provision_of(const struct provisions *all, unsigned seat,
                                     enum provision_kind kind, unsigned number)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->items[i].seat == seat && all->items[i].kind == kind &&
		    all->items[i].number == number)
			return &all->items[i];
	return NULL;
}

static bool reads(const struct hand *h, unsigned seat, struct span text,
                  struct strbuf *canonical, struct diags *diags)
{
	struct diags unheard = DIAGS_INIT;
	bool ok = h->rules->read_orders(h->state, seat, SPAN_EMPTY, h->tables, text, canonical,
	                                diags ? diags : &unheard) &&
	          !span_eq_str(span_trim(strbuf_span(canonical)), ORDER_RESIGN_TEXT);

	diags_release(&unheard);
	return ok;
}

bool provision_reads(const struct hand *h, const struct provision *p, struct strbuf *canonical,
                     struct diags *diags)
{
	return reads(h, p->seat, p->text, canonical, diags);
}

/* ---- one seat ---- */

/* Came while orders for the turn in hand could still be given. */
static bool was_in_time(const struct hand *h, const struct provision *p)
{
	const struct turn *t = &h->turn;
	int64_t end_utc = t->grace_utc > t->deadline_utc ? t->grace_utc : t->deadline_utc;

	return !hand_came_after(h, p->received_utc, end_utc);
}

/* What was laid down before the turn opened was there when it did. */
static int64_t time_in_turn(const struct turn *t, const struct provision *p)
{
	return p->received_utc > t->opened_utc ? p->received_utc : t->opened_utc;
}

static bool try_provision(const struct hand *h, const struct provision *p,
                          enum order_origin origin, struct stand_in *out)
{
	struct strbuf canonical = STRBUF_INIT;
	bool ok = p && was_in_time(h, p) && provision_reads(h, p, &canonical, NULL);

	if (ok)
		*out = (struct stand_in){
		    .origin = origin,
		    .canonical = arena_dup(h->arena, strbuf_span(&canonical)),
		    .received_utc = time_in_turn(&h->turn, p),
		    .mail = p->mail,
		};
	strbuf_release(&canonical);
	return ok;
}

/*
 * The orders this player had in force last at the seat, in a turn before the one in hand: what another
 * has given there is neither his to repeat nor, in games that keep it secret, to know.
 */
static enum err last_orders(struct server *srv, const struct hand *h, unsigned seat,
                            struct span *out)
{
	struct turn t = h->turn;
	struct sitting *all;
	size_t n;

	*out = SPAN_EMPTY;
	TRY(sitting_list(srv->store, h->game.id, h->arena, &all, &n));
	for (unsigned i = 0; i < LOOK_BACK && t.parent > 0; i++) {
		struct order_revision r;
		bool own = sitting_player(all, n, seat, t.parent) == h->seats[seat - 1].player;
		enum err rc =
		    own ? orders_last(srv->store, h->game.id, t.parent, seat, h->arena, &r)
			: ERR_NOT_FOUND;

		if (rc == ERR_NONE && !r.cleared && r.origin != ORDER_BOT) {
			*out = r.canonical;
			return ERR_NONE;
		}
		if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
			return rc;
		TRY(turn_get(srv->store, h->game.id, t.parent, h->arena, &t));
	}
	return ERR_NONE;
}

void stand_in_bot(const struct hand *h, const struct game_state *position, unsigned serial,
                  unsigned seat, unsigned level, struct strbuf *canonical)
{
	struct digest key = proof_bot_key(&h->secret, serial, seat);
	struct chance *chance = chance_from_key(&key);
	struct game_state *seen = h->rules->resample(position, seat, chance);

	h->rules->sample_orders(seen, seat, level, h->tables, chance, canonical);
	h->rules->free_state(seen);
	chance_free(chance);
}

static enum err repeat_last(struct server *srv, const struct hand *h, unsigned seat, bool *ok,
                            struct strbuf *canonical)
{
	struct span last;

	TRY(last_orders(srv, h, seat, &last));
	*ok = last.len > 0 && reads(h, seat, last, canonical, NULL);
	return ERR_NONE;
}

/* What a bot would do need not be known before the turn ends. */
static enum err try_fallback(struct server *srv, struct hand *h, const struct provision *p,
                             bool ends, struct stand_in *out)
{
	struct strbuf canonical = STRBUF_INIT;
	bool bot = span_eq_str(p->text, "bot"), ok = bot;
	enum err rc = bot ? hand_secret(srv, h) : repeat_last(srv, h, p->seat, &ok, &canonical);

	if (rc == ERR_NONE && bot && ends)
		stand_in_bot(h, h->state, h->turn.serial, p->seat, BOT_LEVEL_USUAL, &canonical);
	if (rc == ERR_NONE && ok)
		*out = (struct stand_in){
		    .origin = ORDER_FALLBACK,
		    .canonical = arena_dup(h->arena, strbuf_span(&canonical)),
		    .by_server = bot,
		    .received_utc = h->turn.opened_utc,
		};
	strbuf_release(&canonical);
	return rc;
}

static enum err find(struct server *srv, struct hand *h, const struct provisions *all,
                     unsigned seat, bool ends, struct stand_in *out)
{
	const struct provision *fallback = provision_of(all, seat, PROVISION_FALLBACK, 0);

	*out = (struct stand_in){.origin = ORDER_DEFAULT};
	if (try_provision(h, provision_of(all, seat, PROVISION_DRAFT, h->turn.serial),
	                  ORDER_DRAFT, out) ||
	    try_provision(h, provision_of(all, seat, PROVISION_ALWAYS, 0), ORDER_STANDING, out))
		return ERR_NONE;
	return fallback && was_in_time(h, fallback) ? try_fallback(srv, h, fallback, ends, out)
	                                            : ERR_NONE;
}

enum err stand_in_find(struct server *srv, struct hand *h, const struct provisions *all,
                       unsigned seat, struct stand_in *out)
{
	return find(srv, h, all, seat, false, out);
}

static bool covers(enum order_origin origin)
{
	return origin == ORDER_DRAFT || origin == ORDER_STANDING;
}

bool stand_in_covers(const struct stand_in *s)
{
	return covers(s->origin);
}

static struct order_revision revision_of(const struct hand *h, unsigned seat, unsigned number,
                                         const struct stand_in *s)
{
	return (struct order_revision){.game = h->game.id,
	                               .serial = h->turn.serial,
	                               .seat = seat,
	                               .revision = number,
	                               .origin = (int)s->origin,
	                               .received_utc = s->received_utc,
	                               .mail = s->mail,
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

/* Behind the others of its seat: the list is by seat, then number. */
static void insert_revision(struct order_set *set, const struct order_revision *r)
{
	size_t at = set->nrevisions++;

	for (; at > 0 && set->revisions[at - 1].seat > r->seat; at--)
		set->revisions[at] = set->revisions[at - 1];
	set->revisions[at] = *r;
}

static void make_room(const struct hand *h, struct order_set *set)
{
	struct order_revision *more =
	    arena_calloc(h->arena, set->nrevisions + h->nseats + 1, sizeof(*more));

	for (size_t i = 0; i < set->nrevisions; i++)
		more[i] = set->revisions[i];
	set->revisions = more;
}

static bool is_silent(const struct hand *h, const struct order_set *set, unsigned seat)
{
	const struct seat *s = &h->seats[seat - 1];

	return set->seats[seat].acts && set->seats[seat].revision == 0 && s->player != 0 &&
	       !s->resigned;
}

enum err stand_in_seal(struct server *srv, struct hand *h, struct order_set *set,
                       struct order_revision **out, size_t *n)
{
	struct provisions all;

	*n = 0;
	*out = NULL;
	TRY(provisions_load(srv, h, &all));
	if (all.n == 0)
		return ERR_NONE;
	*out = arena_calloc(h->arena, h->nseats + 1, sizeof(**out));
	make_room(h, set);
	for (unsigned seat = 1; seat <= h->nseats; seat++) {
		struct stand_in s;

		if (!is_silent(h, set, seat))
			continue;
		TRY(find(srv, h, &all, seat, true, &s));
		if (s.origin == ORDER_DEFAULT)
			continue;
		struct order_revision r =
		    revision_of(h, seat, last_revision(set, seat) + 1, &s);
		insert_revision(set, &r);
		order_set_put(h, set, &r);
		(*out)[(*n)++] = r;
	}
	return ERR_NONE;
}

/* ---- a turn that opens ---- */

/* What the game objected to, with an example that works if it gave one. */
static void add_objections(struct strbuf *text, const struct diags *diags)
{
	for (size_t i = 0; i < diags->count; i++) {
		const struct diag *g = &diags->items[i];

		if (g->level != DIAG_ERROR)
			continue;
		strbuf_addf(text, "%s%s%s %s", g->quoted[0] ? " \"" : "", g->quoted,
		            g->quoted[0] ? "\":" : "", g->message);
		if (g->example[0])
			strbuf_addf(text, " One that would do: %s.", g->example);
	}
}

static const char *keep_text(const struct hand *h, struct strbuf *text)
{
	const char *copy = arena_strdup(h->arena, text->ptr);

	strbuf_release(text);
	return copy;
}

static void add_note(const struct hand *h, struct opening *o, unsigned seat, const char *note)
{
	const char *before = o->notes[seat];

	o->notes[seat] = before ? arena_printf(h->arena, "%s %s", before, note) : note;
}

static void drop_queued(struct opening *o, const struct provision *p)
{
	o->gone[o->ngone++] = *p;
}

static void put_in_force(struct hand *h, struct opening *o, unsigned seat,
                         const struct stand_in *s)
{
	o->revisions[o->nrevisions++] = revision_of(h, seat, 1, s);
	h->turn.have = seat_with((struct seat_set){h->turn.have}, seat).bits;
}

static void take_up(struct hand *h, struct opening *o, const struct provision *p)
{
	struct strbuf canonical = STRBUF_INIT, why = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	bool ok = provision_reads(h, p, &canonical, &diags);

	if (ok)
		put_in_force(h, o, p->seat,
		             &(struct stand_in){
				 .origin = ORDER_QUEUED,
				 .canonical = arena_dup(h->arena, strbuf_span(&canonical)),
				 .received_utc = h->turn.opened_utc,
				 .mail = p->mail,
			     });
	if (!ok || diags_has_errors(&diags)) {
		strbuf_addf(&why,
		            ok ? "Not all you had queued for %.*s could be used."
		               : "The orders you had queued for %.*s could not be used as "
		                 "it opened, and they are dropped.",
		            SPAN_ARGS(h->turn.label));
		add_objections(&why, &diags);
		add_note(h, o, p->seat, keep_text(h, &why));
	}
	drop_queued(o, p);
	strbuf_release(&canonical);
	strbuf_release(&why);
	diags_release(&diags);
}

static void lapse(const struct hand *h, struct opening *o, const struct provision *p)
{
	add_note(
	    h, o, p->seat,
	    arena_printf(h->arena,
	                 "The orders you had queued for turn %u were not wanted there, and "
	                 "they are dropped.",
	                 p->number));
	drop_queued(o, p);
}

static bool owes_orders(const struct hand *h, unsigned seat)
{
	return seat_in((struct seat_set){h->turn.owes}, seat) &&
	       !seat_in((struct seat_set){h->turn.have}, seat);
}

static void open_queue(struct hand *h, struct opening *o, const struct provisions *all)
{
	unsigned number = hand_turn_number(h->turn.label);

	for (size_t i = 0; i < all->n && number > 0; i++) {
		const struct provision *p = &all->items[i];

		if (p->kind != PROVISION_QUEUED || h->seats[p->seat - 1].player == 0)
			continue;
		if (p->number < number)
			lapse(h, o, p);
		else if (p->number == number && owes_orders(h, p->seat))
			take_up(h, o, p);
	}
}

static void open_standing(struct hand *h, struct opening *o, const struct provisions *all)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct provision *p = &all->items[i];
		struct stand_in s;

		if (p->kind != PROVISION_ALWAYS || h->seats[p->seat - 1].player == 0 ||
		    !owes_orders(h, p->seat) || !try_provision(h, p, ORDER_STANDING, &s))
			continue;
		h->turn.covered = seat_with((struct seat_set){h->turn.covered}, p->seat).bits;
		if (p->nowait)
			put_in_force(h, o, p->seat, &s);
	}
}

static bool has_queued(const struct opening *o)
{
	for (size_t i = 0; i < o->nrevisions; i++)
		if (o->revisions[i].origin == ORDER_QUEUED)
			return true;
	return false;
}

/* They step in at the deadline instead. */
static void wait_after_all(struct hand *h, struct opening *o)
{
	for (size_t i = 0; i < o->nrevisions; i++)
		h->turn.have =
		    seat_without((struct seat_set){h->turn.have}, o->revisions[i].seat).bits;
	o->nrevisions = 0;
}

enum err stand_in_open(struct server *srv, struct hand *h, bool quietly, struct opening *out)
{
	struct provisions all;

	*out = (struct opening){0};
	TRY(provisions_load(srv, h, &all));
	if (all.n == 0)
		return ERR_NONE;
	out->revisions = arena_calloc(h->arena, h->nseats + 1, sizeof(*out->revisions));
	out->gone = arena_calloc(h->arena, all.n, sizeof(*out->gone));
	open_queue(h, out, &all);
	open_standing(h, out, &all);
	if (quietly && (h->turn.owes & ~h->turn.have) == 0 && !has_queued(out))
		wait_after_all(h, out);
	return ERR_NONE;
}

/* ---- for people ---- */

static const char *lead_of(const struct hand *h, const struct stand_in *s, bool late)
{
	const char *when = late ? "when the grace ends" : "at the deadline";

	switch (s->origin) {
	case ORDER_DRAFT:
		return arena_printf(h->arena,
		                    "If you send nothing more, the orders you have only had "
		                    "checked are used %s (\"CLEAR\" throws them away):",
		                    when);
	case ORDER_STANDING:
		return arena_printf(
		    h->arena, "If you send nothing, your standing orders are used %s:", when);
	case ORDER_FALLBACK:
		return s->by_server
		           ? "If you send nothing, the server plays this turn for you, as you "
		             "have chosen (SET FALLBACK)."
		           : "If you send nothing, your last orders are given once more, as "
		             "you "
		             "have chosen (SET FALLBACK):";
	case ORDER_SENT:
	case ORDER_DEFAULT:
	case ORDER_BOT:
	case ORDER_RESIGNED:
	case ORDER_QUEUED:
		break;
	}
	return NULL;
}

bool silence_covers(const struct silence *s)
{
	return covers(s->origin);
}

enum err stand_in_silence(struct server *srv, struct hand *h, const struct provisions *all,
                          unsigned seat, struct silence *out)
{
	struct stand_in s;

	*out = (struct silence){.orders = brief_default(h, seat), .origin = ORDER_DEFAULT};
	if (!h->state || !seat_in(h->rules->owes(h->state), seat))
		return ERR_NONE;
	TRY(stand_in_find(srv, h, all, seat, &s));
	out->origin = s.origin;
	out->lead = lead_of(h, &s, hand_came_after(h, srv->now_utc, h->turn.deadline_utc));
	if (out->lead)
		out->orders = s.by_server ? SPAN_EMPTY : s.canonical;
	return ERR_NONE;
}

static const char *lead_of_provision(const struct hand *h, const struct provision *p)
{
	switch (p->kind) {
	case PROVISION_DRAFT:
		return "a draft for this turn, only checked so far (CHECK):";
	case PROVISION_QUEUED:
		return arena_printf(h->arena, "orders for turn %u (QUEUE %u):", p->number,
		                    p->number);
	case PROVISION_ALWAYS:
		return p->nowait ? "standing orders, in force as soon as a turn opens (ALWAYS "
		                   "NOWAIT):"
		                 : "standing orders, for turns in which you send nothing "
		                   "(ALWAYS):";
	case PROVISION_FALLBACK:
		break;
	}
	return span_eq_str(p->text, "bot")
	           ? "instead of the default, the server plays for you (SET FALLBACK BOT)"
	           : "instead of the default, your last orders once more (SET FALLBACK REPEAT)";
}

size_t provisions_words(const struct hand *h, const struct provisions *all, unsigned seat,
                        size_t more, struct report_provision **out)
{
	struct report_provision *words =
	    arena_calloc(h->arena, all->n + more + 1, sizeof(*words));
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct provision *p = &all->items[i];

		if (p->seat != seat)
			continue;
		words[n].lead = lead_of_provision(h, p);
		words[n++].text = p->kind == PROVISION_FALLBACK ? SPAN_EMPTY : p->text;
	}
	*out = words;
	return n;
}
