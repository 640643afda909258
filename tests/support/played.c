/*
 * played.c - plays games in memory, doing by hand what the server does with rows.
 */
#include "tests/support/played.h"

#include <stdlib.h>

#include "processor/archive/private.h"
#include "processor/bots/bots.h"
#include "tests/support/play.h"

enum { START_UTC = 1773342000, DAY = 86400, MAX_TURNS = 200 };

/* The text moves to the arena. */
static struct span kept(struct played *p, struct strbuf *text)
{
	struct span copy = arena_dup(p->arena, strbuf_span(text));

	strbuf_release(text);
	return copy;
}

static struct span encoded(struct played *p, const struct game_state *s)
{
	struct strbuf text = STRBUF_INIT;

	p->record.rules->encode(s, &text);
	return kept(p, &text);
}

static struct span label_of(struct played *p, const struct game_state *s)
{
	struct strbuf text = STRBUF_INIT;

	p->record.rules->label(s, &text);
	return kept(p, &text);
}

static struct span draws_of(struct played *p, const struct chance *c)
{
	struct strbuf text = STRBUF_INIT;

	chance_add_record(c, &text);
	return kept(p, &text);
}

static void make_options(struct played *p, const struct rules *rules, const char *options,
                         struct options *out)
{
	struct strbuf why = STRBUF_INIT;

	options_init(out, rules);
	if (!options_parse(out, span_of(options), p->arena, &why))
		BUG("%s", why.ptr);
}

static struct hash contribution_of(unsigned serial, unsigned seat, unsigned revision)
{
	struct strbuf text = STRBUF_INIT;
	struct hash d;

	strbuf_addf(&text, "mail %u %u %u", serial, seat, revision);
	d = hash_of(strbuf_span(&text));
	strbuf_release(&text);
	return d;
}

static void make_header(struct played *p, const struct rules *rules, const char *options,
                        unsigned nseats)
{
	static const char *const names[] = {"",    "Ann",  "Björn", "Cy van B", "Dora",
	                                    "Eve", "Finn", "Gül",   "Hal"};
	struct record *r = &p->record;
	struct strbuf text = STRBUF_INIT;
	struct options o;

	make_options(p, rules, options, &o);
	options_format(&o, OPTIONS_ALL, &text);
	r->options = arena_cstr(p->arena, strbuf_span(&text));
	strbuf_addf(&text, " %llu", (unsigned long long)p->wild);
	r->rules = rules;
	r->version = p->wild % 4 == 1 ? 1 : p->wild % 4 == 3 ? 2 : RECORD_VERSION_NEWEST;
	if (p->cheat.version > 0)
		r->version = p->cheat.version;
	r->bots_version = rules->bots_version;
	r->game = arena_printf(p->arena, "%c17", rules->letter);
	r->kind = rules->name;
	r->rules_version = rules->version;
	r->instance = "demo";
	r->created_utc = START_UTC - DAY;
	r->started_utc = START_UTC;
	r->nseats = nseats;
	for (unsigned seat = 1; seat <= nseats; seat++)
		r->seats[seat] = (struct record_seat){
		    .name = names[seat],
		    .joined_utc = START_UTC - DAY + seat,
		    .joins = r->version < 3 || seat == 3 ? 0
		             : p->wild > 0 && seat == 2  ? 2
		                                         : 1,
		    .contribution = r->version > 1 && seat != 3 ? contribution_of(0, seat, 0)
		                                                : (struct hash){{0}},
		    .salt = seat == 2 ? SPAN_LIT("wört") : SPAN_EMPTY,
		    .bot = seat == 3,
		    .bot_level = seat == 3 && r->version > 1 ? BOT_LEVEL_USUAL : 0};
	r->secret = hash_of(p->wild > 0 ? strbuf_span(&text) : SPAN_LIT("a secret for tests"));
	r->secret_hash = hash_of(hash_span(&r->secret));
	r->public_key = keyring_public_key(p->keys);
	strbuf_release(&text);
}

static struct hash orders_hash(const struct record *r, const struct record_turn *t)
{
	struct proof_orders_line lines[MAX_SEATS];

	for (size_t i = 0; i < t->nused; i++) {
		const struct record_order *o = &t->used[i];

		lines[i] =
		    (struct proof_orders_line){o->seat, o->revision, hash_of(o->canonical)};
		if (o->revision > 0)
			lines[i].commitment = proof_commitment(&(struct committed_orders){
			    .version = r->version,
			    .game = r->game,
			    .serial = t->serial,
			    .seat = o->seat,
			    .revision = o->revision,
			    .nonce = proof_nonce(&r->secret, t->serial, o->seat, o->revision),
			    .contribution = o->contribution,
			    .salt = o->salt,
			    .canonical = o->canonical});
	}
	return proof_orders_hash(lines, t->nused);
}

/* For the draws of turn i, which goes on from p->at. */
static struct hash turn_key(struct played *p, size_t i, const struct hash *orders)
{
	const struct record *r = &p->record;
	const struct record_turn *t = &r->turns[i];

	if (r->version == 1)
		return proof_turn_key(&r->secret, r->game, t->serial, orders);
	p->inputs[i] = record_inputs_hash(r, t, i > 0 ? &p->inputs[p->at] : NULL);
	return proof_inputs_key(&r->secret, &p->inputs[i]);
}

static void finish_turn(struct played *p, size_t i, const struct hash *orders,
                        struct chance *chance)
{
	static const struct hash none = {{0}};
	struct record_turn *t = &p->record.turns[i];

	t->chance = draws_of(p, chance);
	t->state = encoded(p, p->states[i]);
	t->state_hash = proof_state_hash(p->record.game, t->serial,
	                                 i > 0 ? &p->record.turns[p->at].state_hash : &none,
	                                 orders, t->state);
	p->at = i;
	chance_free(chance);
}

static void set_up(struct played *p)
{
	struct record *r = &p->record;
	struct strbuf why = STRBUF_INIT;
	struct seat_names names = {.count = r->nseats};
	struct chance *chance;
	struct hash d, key;
	struct options o;

	for (unsigned seat = 1; seat <= r->nseats; seat++)
		names.names[seat] = r->seats[seat].name;
	r->turns[0] = (struct record_turn){
	    .label = SPAN_LIT("set-up"), .opened_utc = START_UTC, .sealed_utc = START_UTC};
	d = record_joins_hash(r);
	key = turn_key(p, 0, &d);
	chance = chance_from_key(&key);
	make_options(p, r->rules, r->options, &o);
	if (!r->rules->new_game(&o, &names, chance, &p->states[0], &why))
		BUG("%s", why.ptr);
	r->nturns = 1;
	finish_turn(p, 0, &d, chance);
}

static struct span sample(struct played *p, const struct game_state *now, unsigned seat,
                          unsigned n)
{
	static const struct tables none = {NULL, 0};
	struct chance *c = chance_from_seed(n, "sample");
	struct strbuf text = STRBUF_INIT;

	p->record.rules->sample_orders(now, seat, 1, &none, c, &text);
	chance_free(c);
	return kept(p, &text);
}

/* In a record of version 2 what the server plays follows from the secret. */
static void play_by_server(struct played *p, const struct record_turn *t,
                           const struct game_state *now, struct record_order *o)
{
	static const struct tables none = {NULL, 0};
	const struct record *r = &p->record;
	struct hash key = proof_bot_key(&r->secret, t->serial, o->seat);
	struct strbuf text = STRBUF_INIT, drawn = STRBUF_INIT;

	if (r->version == 1 || (o->origin != ORDER_BOT && o->origin != ORDER_FALLBACK))
		return;
	bot_orders(r->rules, r->bots_version, now, o->seat,
	           r->seats[o->seat].bot ? r->seats[o->seat].bot_level : BOT_LEVEL_USUAL, &none,
	           &key, &text, &drawn);
	o->canonical = kept(p, &text);
	if (o->origin == ORDER_BOT && p->wild > 0)
		o->drawn = kept(p, &drawn);
	else
		strbuf_release(&drawn);
}

static struct record_order *add_revision(struct played *p, struct record_turn *t, unsigned seat)
{
	struct record_order *o = &t->revisions[t->nrevisions];
	bool same = t->nrevisions > 0 && o[-1].seat == seat;

	t->nrevisions++;
	o->seat = seat;
	o->revision = same ? o[-1].revision + 1 : 1;
	o->received_utc = t->opened_utc + 600 * (int64_t)t->nrevisions;
	o->origin = p->record.seats[seat].bot ? ORDER_BOT : ORDER_SENT;
	if (p->record.version > 1 && o->origin != ORDER_BOT)
		o->contribution = contribution_of(t->serial, seat, o->revision);
	if (seat == 1)
		o->salt = SPAN_LIT("a|b");
	return o;
}

/* What a seat does this turn, by a number drawn for it. */
static void send_orders(struct played *p, struct record_turn *t, unsigned seat,
                        const struct game_state *now, unsigned fate, unsigned n)
{
	struct record_order *o;

	if (fate == 0)
		return; /* sends nothing */
	o = add_revision(p, t, seat);
	o->canonical = sample(p, now, seat, n);
	play_by_server(p, t, now, o);
	if (fate == 1 || fate == 2) {
		o = add_revision(p, t, seat);
		o->canonical = sample(p, now, seat, n + 1000);
		play_by_server(p, t, now, o);
	}
	if (fate == 2) {
		o = add_revision(p, t, seat);
		o->cleared = true;
		o->salt = SPAN_EMPTY;
		if (p->record.version > 2)
			o->contribution = contribution_of(t->serial, seat, o->revision);
	}
	if (fate == 3)
		o->received_utc = t->deadline_utc + 1;
	static const enum order_origin standing_words[] = {ORDER_STANDING, ORDER_QUEUED,
	                                                   ORDER_DRAFT, ORDER_FALLBACK};
	if (fate == 4 && p->wild > 0 && (p->record.version == 1 || o->origin != ORDER_BOT))
		o->origin = standing_words[n % 4];
	if (fate == 4 && o->origin == ORDER_FALLBACK) {
		o->contribution = contribution_of(t->serial, seat, o->revision);
		play_by_server(p, t, now, o);
	}
	if (p->wild > 0 && p->record.version > 1 && o->origin != ORDER_BOT) {
		o->by_operator = seat == 2;
		o->quotes_head = n % 2 == 0;
		if (n % 3 == 0)
			o->dkim = contribution_of(t->serial, seat, 0);
		o->dkim_verified = n % 3 == 0 && n % 5 > 0;
	}
}

/* In wild games any seat may leave in any turn, whether it owes orders or not. */
static bool leaves(struct played *p, struct record_turn *t, unsigned seat, struct chance *fates)
{
	struct record_order *o;

	if (p->wild == 0 || chance_pick(fates, 100, "whether %u leaves", seat) > 0)
		return false;
	o = add_revision(p, t, seat);
	o->origin = ORDER_RESIGNED;
	if (p->record.version > 1)
		o->contribution = contribution_of(t->serial, seat, o->revision);
	o->canonical = SPAN_LIT(ORDER_RESIGN_TEXT);
	return true;
}

static void use_orders(struct played *p, struct record_turn *t, unsigned seat,
                       const struct game_state *now)
{
	const struct record_order *last = t->nrevisions > 0 ? &t->revisions[t->nrevisions - 1]
	                                                    : NULL;
	struct record_order *o = &t->used[t->nused++];
	struct strbuf text = STRBUF_INIT;

	if (last != NULL && last->seat == seat && !last->cleared) {
		*o = *last;
		return;
	}
	*o = (struct record_order){.seat = seat, .origin = ORDER_DEFAULT};
	p->record.rules->default_orders(now, seat, &text);
	o->canonical = kept(p, &text);
}

static const char *const actions[] = {"2026-03-13T10:00:00Z operator moved the deadline"};

static void open_turn(struct played *p, size_t i)
{
	struct record_turn *t = &p->record.turns[i];

	*t = (struct record_turn){.serial = (unsigned)i,
	                          .parent = (unsigned)p->at,
	                          .label = label_of(p, p->states[p->at]),
	                          .opened_utc = START_UTC + DAY * (int64_t)i};
	t->deadline_utc = t->opened_utc + DAY;
	t->sealed_utc = t->deadline_utc + 60;
	t->revisions = arena_calloc(p->arena, 3 * MAX_SEATS, sizeof(t->revisions[0]));
	t->used = arena_calloc(p->arena, MAX_SEATS, sizeof(t->used[0]));
	if (i == 1) {
		t->actions = actions;
		t->nactions = 1;
	}
}

/* Its orders were taken, and never used. */
static void break_off(struct played *p, struct record_turn *t)
{
	t->nused = 0;
	t->sealed_utc = 0;
	t->dropped_utc = t->opened_utc + DAY / 2;
	t->actions = actions;
	t->nactions = 1;
	t->state = encoded(p, p->states[p->at]);
	p->record.nturns++;
}

static void played_turn(struct played *p, uint64_t seed)
{
	struct record *r = &p->record;
	size_t i = r->nturns;
	struct record_turn *t = &r->turns[i];
	const struct game_state *now = p->states[p->at];
	struct chance *fates = chance_from_seed(seed + i, "fates");
	struct seat_orders orders[MAX_SEATS + 1] = {0};
	struct seat_set owing = r->rules->owes(now);
	bool forged = p->forged_from > 0 && i >= p->forged_from;
	struct strbuf why = STRBUF_INIT;
	struct hash d, key;
	struct chance *chance;

	open_turn(p, i);
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		unsigned fate = chance_pick(fates, 8, "fate of %u", seat);
		bool gone = leaves(p, t, seat, fates);

		if (!gone && !seat_in(owing, seat))
			continue;
		if (!gone)
			send_orders(
			    p, t, seat, now, fate,
			    (unsigned)((forged ? seed + 7 : seed) * 31 + i * MAX_SEATS + seat));
		use_orders(p, t, seat, now);
	}
	if (p->cheat.with_turn)
		p->cheat.with_turn(p, t);
	bool broken = p->wild > 0 && chance_pick(fates, 12, "whether it is broken off") == 0;
	size_t back = broken ? chance_pick(fates, 3, "how far it goes back") : 0;
	chance_free(fates);
	if (broken) {
		break_off(p, t);
		while (back-- > 0 && p->at > 0)
			p->at = r->turns[p->at].parent;
		return;
	}
	for (size_t k = 0; k < t->nused; k++)
		orders[t->used[k].seat] =
		    (struct seat_orders){t->used[k].canonical, t->used[k].origin};
	d = orders_hash(r, t);
	key = turn_key(p, i, &d);
	chance = chance_from_key(&key);
	if (!r->rules->resolve(now, orders, chance, &p->states[i], &why))
		BUG("%s", why.ptr);
	r->nturns++;
	finish_turn(p, i, &d, chance);
}

void played_game(struct played *p, const struct rules *rules, unsigned nseats,
                 unsigned max_turns, uint64_t seed)
{
	played_game_with(p, rules, "", nseats, max_turns, seed);
}

/* With the last turn broken off: a vote, or the master's word. */
static bool ends_early(const struct played *p)
{
	return p->wild % 5 == 1 && p->record.turns[p->record.nturns - 1].dropped_utc != 0;
}

/* A draw of all who are still in it, or a concession to the first of them. */
static void agree(struct played *p, const struct game_result *result)
{
	for (unsigned seat = 1; seat <= p->record.nseats; seat++)
		if (!seat_in(result->eliminated, seat) &&
		    (p->wild % 4 == 0 || p->record.agreed.bits == 0))
			p->record.agreed = seat_with(p->record.agreed, seat);
}

static void play_through(struct played *p, const struct rules *rules, const char *options,
                         unsigned nseats, unsigned max_turns, uint64_t seed)
{
	struct game_result result = {0};

	p->arena = arena_new();
	p->keys = keyring_from_seed(SPAN_LIT("keys for tests"));
	p->record.turns = arena_calloc(p->arena, MAX_TURNS, sizeof(p->record.turns[0]));
	p->states = arena_calloc(p->arena, MAX_TURNS, sizeof(p->states[0]));
	p->inputs = arena_calloc(p->arena, MAX_TURNS, sizeof(p->inputs[0]));
	make_header(p, rules, options, nseats);
	if (p->cheat.with_header)
		p->cheat.with_header(&p->record);
	set_up(p);
	while (!result.over && p->record.nturns <= max_turns && p->record.nturns < MAX_TURNS) {
		played_turn(p, seed);
		rules->result(p->states[p->at], &result);
		if (ends_early(p) && p->record.nturns > 3)
			break;
	}
	if (!result.over && p->wild > 0 && p->wild % 2 == 0 && p->record.nturns > 1)
		agree(p, &result);
	p->record.ended = true;
	p->record.end_status = result.over || p->record.agreed.bits != 0 ? "over" : "cancelled";
	p->record.ended_utc = START_UTC + DAY * (int64_t)p->record.nturns;
}

void played_game_with(struct played *p, const struct rules *rules, const char *options,
                      unsigned nseats, unsigned max_turns, uint64_t seed)
{
	*p = (struct played){.wild = 0};
	play_through(p, rules, options, nseats, max_turns, seed);
}

void played_forged_game(struct played *p, const struct rules *rules, const char *options,
                        unsigned nseats, unsigned max_turns, uint64_t seed, unsigned from)
{
	*p = (struct played){.forged_from = from};
	play_through(p, rules, options, nseats, max_turns, seed);
}

void played_cheating_game(struct played *p, const struct rules *rules, unsigned nseats,
                          unsigned max_turns, uint64_t seed, struct cheat cheat)
{
	*p = (struct played){.cheat = cheat};
	play_through(p, rules, "", nseats, max_turns, seed);
}

void played_wild_game(struct played *p, const struct rules *rules, uint64_t seed)
{
	unsigned nseats = rules->min_seats +
	                  (unsigned)(seed % (rules->max_seats - rules->min_seats + 1));
	struct strbuf options = STRBUF_INIT;
	struct play draw;

	if (!play_start(&draw, rules, nseats, seed))
		BUG("%s", draw.problem.ptr);
	options_format(&draw.options, OPTIONS_CHANGED, &options);
	*p = (struct played){.wild = seed + 1};
	play_through(p, rules, options.ptr, nseats, MAX_TURNS, seed);
	strbuf_release(&options);
	play_release(&draw);
}

void played_release(struct played *p)
{
	for (size_t i = 0; i < p->record.nturns; i++)
		p->record.rules->free_state(p->states[i]);
	keyring_free(p->keys);
	arena_free(p->arena);
}

struct record played_until(const struct played *p, size_t n)
{
	struct record r = p->record;

	r.nturns = n;
	r.ended = false;
	r.end_status = NULL;
	r.ended_utc = 0;
	return r;
}

void played_head(const struct played *p, size_t turn, struct strbuf *mail)
{
	const struct record *r = &p->record;
	struct record_chain chain = {0};
	unsigned char sig[SIGNATURE_LEN];

	archive_add_header(r, false, &chain, NULL);
	for (size_t i = 0; i <= turn; i++)
		archive_add_turn(r, &r->turns[i], false, &chain, NULL);
	proof_sign_head(&(struct proof_head){r->version, r->game, r->turns[turn].serial,
	                                     chain.lines, chain.head},
	                p->keys, sig);
	strbuf_clear(mail);
	strbuf_addf(mail,
	            "Game %s, Some Kind, turn 2.\nThe record of the game has %u lines up to "
	            "serial %u. This number\nstands for all of them.\n head  ",
	            r->game, chain.lines, r->turns[turn].serial);
	hash_add_hex(mail, &chain.head);
	strbuf_adds(mail, "\n sig 1 ");
	strbuf_add_hex(mail, sig, SIGNATURE_LEN / 2);
	strbuf_adds(mail, "\n sig 2 ");
	strbuf_add_hex(mail, sig + SIGNATURE_LEN / 2, SIGNATURE_LEN / 2);
	strbuf_addc(mail, '\n');
}
