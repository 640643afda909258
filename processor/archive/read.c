/*
 * read.c - from chained lines to values.
 *
 * The grammar of molepost-archive(5), Order of lines, one function per group of
 * lines. Fields are taken one after another; after the first that does not fit
 * nothing more is taken and the fault stands in the archive.
 *
 * Trusts lines as archive_split leaves them. After archive_parse every number
 * is in its range, every seat is at the table, every text has its one form, and
 * every turn's parent is an earlier turn; whether any of it is true is for
 * verify.c to find out.
 */
#include <stdlib.h>

#include "processor/archive/private.h"
#include "processor/base/clock.h"

/*
 * ---- Taking lines and fields one by one ----
 *
 * One line is in hand at a time (reader_begin ... reader_end); its fields are taken from the left.
 * What does not fit is noted in the archive once, `ok` becomes false, and from then on every take
 * gives an empty value and notes nothing. Numbers, times, digests and texts come back in range and in
 * their one form.
 */

struct reader {
	struct archive *a;
	struct record *record;
	size_t at;        /* index of the next line */
	struct span rest; /* fields of the line in hand not taken yet; ptr NULL: none left */
	bool ended;       /* the archive's hidden lines are revealed */
	bool is_hidden;   /* the line in hand is closed: it has no fields */
	bool ok;
};

/* Says why the line in hand does not hold. */
static void reader_refuse(struct reader *r, const char *what)
{
	if (r->ok && r->at > 0)
		archive_fault(r->a, archive_line_number(r->a, r->at - 1), "%s", what);
	r->ok = false;
}

/* Lines. */

static bool reader_has_keyword(const struct reader *r, size_t i, const char *keyword)
{
	struct span k = span_of(keyword), text;

	if (i >= r->a->nlines)
		return false;
	text = r->a->lines[i].text;
	return text.len > k.len && span_starts(text, keyword) && text.ptr[k.len] == ' ';
}

/* How many lines with this keyword follow. */
static size_t reader_count(const struct reader *r, const char *keyword)
{
	size_t n = 0;

	while (r->ok && reader_has_keyword(r, r->at + n, keyword))
		n++;
	return n;
}

static bool form_fits(struct reader *r, const char *keyword, bool hidden)
{
	enum line_form expected = !hidden    ? LINE_PUBLIC
	                          : r->ended ? LINE_REVEALED
	                                     : LINE_HIDDEN;
	static const char *const forms[] = {"in clear", "as 'hidden'", "as 'revealed'"};

	if (r->at >= r->a->nlines)
		return archive_fault(r->a, r->a->chain_line,
		                     "a line '%s' is missing before this one", keyword);
	if (r->a->lines[r->at].form == expected)
		return true;
	return archive_fault(r->a, archive_line_number(r->a, r->at),
	                     "a line '%s' should stand here, %s", keyword, forms[expected]);
}

/* Takes the next line in hand; hidden_by as archive_is_hidden. */
static void reader_begin(struct reader *r, const char *keyword, unsigned hidden_by)
{
	r->is_hidden = !r->ended && archive_is_hidden(r->a->facts, hidden_by);
	r->rest = SPAN_EMPTY;
	if (!r->ok)
		return;
	r->ok = form_fits(r, keyword, archive_is_hidden(r->a->facts, hidden_by));
	if (r->ok && !r->is_hidden && !reader_has_keyword(r, r->at, keyword))
		r->ok = archive_fault(r->a, archive_line_number(r->a, r->at),
		                      "a line '%s' should stand here", keyword);
	if (!r->ok)
		return;
	if (!r->is_hidden)
		r->rest = span_slice(r->a->lines[r->at].text, span_of(keyword).len + 1,
		                     r->a->lines[r->at].text.len);
	r->at++;
}

/* No field may be left. */
static void reader_end(struct reader *r)
{
	if (r->ok && r->rest.ptr != NULL)
		reader_refuse(r, "it has more fields than it should");
}

/* Fields. */

static struct span take_field(struct reader *r)
{
	struct span f = SPAN_EMPTY;

	if (r->ok && !span_next_field(&r->rest, ' ', &f))
		reader_refuse(r, "it has fewer fields than it should");
	return f;
}

/* All that is left of the line, blanks and all. */
static struct span take_rest(struct reader *r)
{
	struct span f = r->rest;

	if (r->ok && f.ptr == NULL)
		reader_refuse(r, "it has fewer fields than it should");
	r->rest = SPAN_EMPTY;
	return f;
}

static int64_t take_number(struct reader *r, int64_t min, int64_t max)
{
	struct span f = take_field(r);
	int64_t n = min;

	if (r->ok && !archive_parse_number(f, min, max, &n))
		reader_refuse(r,
		              "a number in it is not written as it should be, or out of range");
	return n;
}

static unsigned take_small(struct reader *r, unsigned min, unsigned max)
{
	return (unsigned)take_number(r, min, max);
}

static unsigned take_seat(struct reader *r)
{
	return take_small(r, 1, r->record->nseats);
}

static int64_t take_time(struct reader *r)
{
	struct span f = take_field(r);
	int64_t t = 0;

	if (r->ok && !utc_parse_iso(f, &t))
		reader_refuse(r, "a time in it is not written as 2026-03-12T18:02:00Z");
	return t;
}

static struct hash take_hash(struct reader *r)
{
	struct span f = take_field(r);
	struct hash d = {{0}};

	if (r->ok && !hash_parse(f, &d))
		reader_refuse(r, "a digest in it does not have 64 digits 0-9 a-f");
	return d;
}

static struct span take_word(struct reader *r)
{
	struct span f = take_field(r), word = SPAN_EMPTY;

	if (r->ok && !archive_read_word(f, r->a->arena, &word))
		reader_refuse(r, "a word in it is not escaped as it should be");
	return word;
}

static struct span take_text(struct reader *r)
{
	struct span f = take_rest(r), text = SPAN_EMPTY;

	if (r->ok && !archive_read_text(f, r->a->arena, &text))
		reader_refuse(r, "the text in it is not escaped as it should be");
	return text;
}

/* For what becomes a C string: an escaped NUL would cut it short unseen. */
static const char *reader_cstr(struct reader *r, struct span text)
{
	if (r->ok && span_find_char(text, '\0') < text.len)
		reader_refuse(r, "it holds a NUL byte");
	return arena_cstr(r->a->arena, text);
}

/* One of two words; whether it is the first. */
static bool take_choice(struct reader *r, const char *yes, const char *no)
{
	struct span f = take_field(r);

	if (r->ok && !span_eq_str(f, yes) && !span_eq_str(f, no))
		reader_refuse(r, "a word in it is none of those that can stand there");
	return r->ok && span_eq_str(f, yes);
}

/* Lines with one field. */

static const char *read_text_line(struct reader *r, const char *keyword)
{
	reader_begin(r, keyword, 0);
	return arena_cstr(r->a->arena, take_rest(r));
}

/* optional: "-" gives 0. */
static int64_t read_time_line(struct reader *r, const char *keyword, bool optional)
{
	int64_t t = 0;

	reader_begin(r, keyword, 0);
	if (optional && span_eq_str(r->rest, "-"))
		r->rest = SPAN_EMPTY;
	else
		t = take_time(r);
	reader_end(r);
	return t;
}

/* Zero when the line is hidden. */
static struct hash read_hash_line(struct reader *r, const char *keyword, unsigned hidden_by)
{
	struct hash d = {{0}};

	reader_begin(r, keyword, hidden_by);
	if (!r->is_hidden)
		d = take_hash(r);
	reader_end(r);
	return d;
}

/* Header. */

/* A field since version 2. */
static struct hash take_contribution(struct reader *r)
{
	struct hash contribution = {{0}};
	struct span field;

	if (r->record->version == 1)
		return contribution;
	field = take_field(r);
	if (r->ok && !span_eq_str(field, "-") &&
	    (!hash_parse(field, &contribution) || hash_is_zero(&contribution)))
		reader_refuse(r, "a contribution is 64 digits 0-9 a-f, or -");
	return contribution;
}

static void person_field(struct reader *r, struct record_seat *s)
{
	struct span field;
	int64_t level;

	if (r->record->version == 1) {
		s->bot = take_choice(r, "bot", "player");
		return;
	}
	field = take_field(r);
	s->bot = span_starts(field, "bot-");
	if (!r->ok || span_eq_str(field, "player"))
		return;
	if (s->bot &&
	    archive_parse_number(span_slice(field, 4, field.len), 0, BOT_LEVEL_BEST, &level))
		s->bot_level = (unsigned)level;
	else
		reader_refuse(r, "a seat is a player's, or a bot's with its level: bot-2");
}

static void seat_line(struct reader *r, unsigned seat)
{
	struct record_seat *s = &r->record->seats[seat];

	reader_begin(r, "seat", 0);
	take_small(r, seat, seat);
	person_field(r, s);
	s->joined_utc = take_time(r);
	if (r->record->version > 2)
		s->joins = take_small(r, s->bot ? 0 : 1, s->bot ? 0 : INT32_MAX);
	s->contribution = take_contribution(r);
	if (r->ok && r->record->version > 2 && s->bot && !hash_is_zero(&s->contribution))
		reader_refuse(r, "a bot contributes nothing");
	s->salt = take_word(r);
	s->name = reader_cstr(r, take_text(r));
	reader_end(r);
}

static void fork_lines(struct reader *r)
{
	struct record_fork *f = &r->record->fork;

	r->a->fork_line = r->at;
	reader_begin(r, "fork", 0);
	f->game = reader_cstr(r, take_field(r));
	f->serial = take_small(r, 0, INT32_MAX);
	f->instance = reader_cstr(r, take_word(r));
	reader_end(r);
	f->key = read_hash_line(r, "fork-key", 0);
	f->parent = read_hash_line(r, "fork-parent", 0);
	f->orders = read_hash_line(r, "fork-orders", 0);
	f->state = read_hash_line(r, "fork-state", 0);
	reader_begin(r, "fork-position", 0);
	f->position = take_text(r);
	reader_end(r);
}

static void read_header(struct reader *r)
{
	struct record *record = r->record;

	record->game = read_text_line(r, "game");
	r->a->kind_line = r->at;
	record->kind = read_text_line(r, "kind");
	reader_begin(r, "rules", 0);
	record->rules_version = take_small(r, 1, INT32_MAX);
	reader_end(r);
	record->bots_version = 1;
	if (record->version > 1) {
		reader_begin(r, "bots", 0);
		record->bots_version = take_small(r, 1, INT32_MAX);
		reader_end(r);
	}
	r->a->facts_line = r->at;
	reader_begin(r, "facts", 0);
	if (r->ok && !archive_parse_facts(take_rest(r), &r->a->facts))
		reader_refuse(r, "the facts are not named, or not in their order");
	r->a->option_line = r->at;

	struct strbuf all = STRBUF_INIT;
	size_t n = reader_count(r, "option");
	for (size_t i = 0; i < n && r->ok; i++) {
		reader_begin(r, "option", 0);
		strbuf_addf(&all, "%s", i > 0 ? " " : "");
		strbuf_add_span(&all, take_field(r));
		reader_end(r);
	}
	record->options = arena_cstr(r->a->arena, strbuf_span(&all));
	strbuf_release(&all);
	reader_begin(r, "instance", 0);
	record->instance = reader_cstr(r, take_word(r));
	reader_end(r);
	record->created_utc = read_time_line(r, "created", false);
	record->started_utc = read_time_line(r, "started", true);
	if (reader_has_keyword(r, r->at, "fork"))
		fork_lines(r);
	reader_begin(r, "seats", 0);
	record->nseats = take_small(r, 0, MAX_SEATS);
	reader_end(r);
	r->a->seat_line = r->at;
	for (unsigned seat = 1; seat <= record->nseats && r->ok; seat++)
		seat_line(r, seat);
	r->a->secret_hash_line = r->at;
	record->secret_hash = read_hash_line(r, "secret-digest", 0);
	record->public_key = read_hash_line(r, "key", 0);
}

/* Turns. */

static void revision_line(struct reader *r, const struct record_turn *t, struct record_order *o,
                          struct hash *commitment)
{
	bool late;

	reader_begin(r, "revision", 0);
	o->seat = take_seat(r);
	o->revision = take_small(r, 1, INT32_MAX);
	o->received_utc = take_time(r);

	/* "cleared" or an origin; "default" needs no mail and so is no revision. */
	struct span f = take_field(r);

	o->cleared = span_eq_str(f, "cleared");
	if (r->ok && !o->cleared &&
	    (!order_origin_parse(f, &o->origin) || o->origin == ORDER_DEFAULT))
		reader_refuse(r, "orders cannot have come in this way");
	late = take_choice(r, "late", "in-time");
	o->salt = take_word(r);
	*commitment = take_hash(r);
	reader_end(r);
	if (r->ok && late != record_order_is_late(t, o))
		reader_refuse(r,
		              late ? "orders that came before the deadline are called late"
		                   : "orders that came after the deadline are called in time");
}

/*
 * The revision that used or closed orders name, with what is now known of it; NULL when there
 * is none. *from: where to look first, and after that where the next one can be.
 */
static const struct record_order *open_revision(struct reader *r, const struct record_turn *t,
                                                const struct record_order *o, size_t *from)
{
	size_t i = r->ok ? record_find_revision(t, *from, o) : t->nrevisions;

	if (i == t->nrevisions) {
		reader_refuse(
		    r, "that revision was not acknowledged to that seat, or is named twice");
		return NULL;
	}
	t->revisions[i].canonical = o->canonical;
	t->revisions[i].contribution = o->contribution;
	*from = i + 1;
	return &t->revisions[i];
}

static void used_revision_fields(struct reader *r, struct record_order *o, struct hash *nonce)
{
	struct span f = take_field(r);
	int64_t revision = 0;

	if (r->ok && !span_eq_str(f, "default") &&
	    !archive_parse_number(f, 1, INT32_MAX, &revision))
		reader_refuse(r, "the revision is neither a number nor 'default'");
	o->revision = (unsigned)revision;
	f = take_field(r);
	if (r->ok && !order_origin_parse(f, &o->origin))
		reader_refuse(r, "orders cannot have come in this way");
	if (o->revision > 0)
		*nonce = take_hash(r);
	else if (r->ok && !span_eq_str(take_field(r), "-"))
		reader_refuse(r, "orders that no mail brought have no nonce");
}

static void used_line(struct reader *r, const struct record_turn *t, struct record_order *o,
                      struct hash *nonce, size_t *from)
{
	const struct record_order *revision;

	reader_begin(r, "used", FACT_ORDERS_STAY_HIDDEN);
	o->seat = take_seat(r);
	used_revision_fields(r, o, nonce);
	o->contribution = take_contribution(r);
	o->canonical = take_text(r);
	reader_end(r);
	if (o->revision == 0)
		return;
	revision = open_revision(r, t, o, from);
	if (revision == NULL)
		return;
	o->received_utc = revision->received_utc;
	o->salt = revision->salt;
}

static void closed_line(struct reader *r, const struct record_turn *t, struct record_order *o,
                        struct hash *nonce, size_t *from)
{
	reader_begin(r, "closed", FACT_ALWAYS);
	if (r->is_hidden)
		return;
	o->seat = take_seat(r);
	o->revision = take_small(r, 1, INT32_MAX);
	*nonce = take_hash(r);
	o->contribution = take_contribution(r);
	o->canonical = take_text(r);
	reader_end(r);
	open_revision(r, t, o, from);
}

static void read_used(struct reader *r, struct record_turn *t, struct archive_turn *x)
{
	size_t from = 0;

	t->nused = reader_count(r, "used");
	x->used_line = r->at;
	t->used = arena_calloc(r->a->arena, t->nused + 1, sizeof(t->used[0]));
	x->nonces = arena_calloc(r->a->arena, t->nused + 1, sizeof(x->nonces[0]));
	for (size_t i = 0; i < t->nused && r->ok; i++)
		used_line(r, t, &t->used[i], &x->nonces[i], &from);
}

/* In a running archive they are hidden, and counted by the revisions not used. */
static void read_closed(struct reader *r, struct record_turn *t, struct archive_turn *x)
{
	size_t n = t->nrevisions, from = 0;

	for (size_t i = 0; i < t->nused; i++)
		if (t->used[i].revision > 0 && n > 0)
			n--;
	if (r->ended)
		n = reader_count(r, "closed");
	x->closed_line = r->at;
	x->closed = arena_calloc(r->a->arena, n + 1, sizeof(x->closed[0]));
	x->closed_nonces = arena_calloc(r->a->arena, n + 1, sizeof(x->closed_nonces[0]));
	for (size_t i = 0; i < n && r->ok; i++)
		closed_line(r, t, &x->closed[i], &x->closed_nonces[i], &from);
	x->nclosed = r->ended ? n : 0;
}

/*
 * The revision that the line in hand names next, behind those named before, of a bot or not; NULL with a
 * fault.
 */
static struct record_order *named_revision(struct reader *r, const struct record_turn *t,
                                           bool of_bot, size_t *from)
{
	struct record_order named = {.seat = take_seat(r)};
	size_t i;

	named.revision = take_small(r, 1, INT32_MAX);
	if (!r->ok)
		return NULL;
	i = record_find_revision(t, *from, &named);
	if (i == t->nrevisions || (t->revisions[i].origin == ORDER_BOT) != of_bot) {
		reader_refuse(r, of_bot
		                     ? "no bot drew for that revision, or it is named twice"
		                     : "no mail brought that revision, or it is named twice");
		return NULL;
	}
	*from = i + 1;
	return &t->revisions[i];
}

static size_t count_bots(const struct record_turn *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->nrevisions; i++)
		n += t->revisions[i].origin == ORDER_BOT;
	return n;
}

/* Lines still hidden before those of the position, of which `tail` may be hidden too. */
static size_t skip_hidden(struct reader *r, size_t tail)
{
	size_t n = 0;

	while (r->at + n < r->a->nlines && r->a->lines[r->at + n].form == LINE_HIDDEN)
		n++;
	n = n > tail ? n - tail : 0;
	r->at += n;
	return n;
}

/* Since version 2. In a running archive they are hidden, and at most one for each set of orders of a bot. */
static void read_drawn(struct reader *r, const struct record_turn *t, size_t tail)
{
	size_t n, from = 0;

	if (!r->ok || r->record->version == 1)
		return;
	if (!r->ended) {
		n = skip_hidden(r, tail);
		if (n > count_bots(t))
			reader_refuse(r,
			              "there are more hidden lines here than bots have drawn");
		return;
	}
	n = reader_count(r, "drawn");
	for (size_t i = 0; i < n && r->ok; i++) {
		reader_begin(r, "drawn", FACT_ALWAYS);
		struct record_order *o = named_revision(r, t, true, &from);
		struct span drawn = take_text(r);
		if (o)
			o->drawn = drawn.len > 0 ? drawn : SPAN_LIT("");
		reader_end(r);
	}
}

/* How many lines of the position are hidden. */
static size_t hidden_tail(const struct reader *r)
{
	return archive_is_hidden(r->a->facts, FACT_HIDDEN) ? 2 : 0;
}

/* Since version 2. */
static void read_operator(struct reader *r, const struct record_turn *t)
{
	size_t n = reader_count(r, "operator"), from = 0;

	for (size_t i = 0; i < n && r->ok; i++) {
		reader_begin(r, "operator", 0);
		struct record_order *o = named_revision(r, t, false, &from);
		if (o)
			o->by_operator = true;
		reader_end(r);
	}
}

/* That the words are those of the head, verify finds out. */
static void read_answered(struct reader *r, const struct record_turn *t, struct archive_turn *x)
{
	size_t from = 0;

	x->answered_line = r->at;
	x->nanswered = reader_count(r, "answered");
	x->answered = arena_calloc(r->a->arena, x->nanswered + 1, sizeof(x->answered[0]));
	for (size_t i = 0; i < x->nanswered && r->ok; i++) {
		reader_begin(r, "answered", 0);
		struct record_order *o = named_revision(r, t, false, &from);
		if (o)
			o->quotes_head = true;
		x->answered[i] = take_field(r);
		reader_end(r);
	}
}

static void read_dkim(struct reader *r, const struct record_turn *t, struct archive_turn *x)
{
	size_t n = reader_count(r, "dkim"), from = 0;

	x->dkim_line = r->at;

	for (size_t i = 0; i < n && r->ok; i++) {
		reader_begin(r, "dkim", 0);
		struct record_order *o = named_revision(r, t, false, &from);
		bool verified = take_choice(r, "verified", "unverified");
		struct hash dkim = take_hash(r);
		if (r->ok && hash_is_zero(&dkim))
			reader_refuse(r, "that is the digest of no signature");
		if (o) {
			o->dkim = dkim;
			o->dkim_verified = verified;
		}
		reader_end(r);
	}
}

/* Which acknowledgements there were is public; what they were for nobody used. */
static void read_dropped(struct reader *r, struct record_turn *t, struct archive_turn *x)
{
	x->dropped_line = r->at;
	t->dropped_utc = read_time_line(r, "dropped", false);
	if (r->ok && r->record->version > 1 && t->nactions == 0)
		reader_refuse(r, "no action says who broke this turn off");
	read_closed(r, t, x);
	read_drawn(r, t, 0);
	if (r->ok && t->serial == 0)
		reader_refuse(r, "the set-up cannot be broken off");
}

static void read_sealed(struct reader *r, struct record_turn *t, struct archive_turn *x)
{
	t->sealed_utc = read_time_line(r, "sealed", false);
	x->orders_hash_line = r->at;
	x->orders_hash = read_hash_line(r, "orders-digest", FACT_ORDERS_STAY_HIDDEN);
	x->orders_known = !r->is_hidden;
	if (x->orders_known) {
		read_used(r, t, x);
		read_closed(r, t, x);
		read_drawn(r, t, hidden_tail(r));
	} else if (r->ok) {
		/* All orders are hidden: only the number of lines can be checked. */
		size_t bots = r->record->version > 1 ? count_bots(t) : 0;
		size_t n = skip_hidden(r, hidden_tail(r));

		if (n < t->nrevisions || n > t->nrevisions + r->record->nseats + bots)
			reader_refuse(r,
			              "there are more or fewer hidden lines here than orders");
	}

	x->chance_line = r->at;
	reader_begin(r, "chance", FACT_HIDDEN);
	x->chance_known = !r->is_hidden;
	if (!r->is_hidden)
		t->chance = take_text(r);
	x->state_line = r->at;
	t->state_hash = read_hash_line(r, "state", FACT_HIDDEN);
	x->state_known = !r->is_hidden;
}

/* Index of the turn with this serial among the first n, whose serials grow; or n. */
static size_t find_turn(const struct record *record, unsigned serial, size_t n)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (record->turns[middle].serial < serial)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && record->turns[low].serial == serial ? low : n;
}

static void turn_line(struct reader *r, size_t i)
{
	struct record_turn *t = &r->record->turns[i];
	struct archive_turn *x = &r->a->turns[i];

	x->first_line = r->at;
	reader_begin(r, "turn", 0);
	t->serial = take_small(r, 0, INT32_MAX);
	t->parent = take_small(r, 0, INT32_MAX);
	t->label = take_text(r);
	if (r->ok && (t->serial == 0) != (i == 0))
		reader_refuse(r, "the first turn has serial 0, and no other");
	if (r->ok && i > 0 && t->serial <= r->record->turns[i - 1].serial)
		reader_refuse(r, "serials grow from turn to turn");
	if (r->ok && i > 0 && r->record->version > 1 &&
	    t->serial != r->record->turns[i - 1].serial + 1)
		reader_refuse(r, "a turn before this one is missing");
	x->parent = i == 0 ? 0 : find_turn(r->record, t->parent, i);
	if (r->ok && (i == 0 ? t->parent != 0 : x->parent == i))
		reader_refuse(r, "its parent is no earlier turn");
	if (r->ok && i > 0 && r->record->turns[x->parent].dropped_utc != 0)
		reader_refuse(r, "its parent was broken off, so nothing came out of it");
}

static void read_turn(struct reader *r, size_t i)
{
	struct record_turn *t = &r->record->turns[i];
	struct archive_turn *x = &r->a->turns[i];

	turn_line(r, i);
	t->opened_utc = read_time_line(r, "opened", false);
	t->deadline_utc = read_time_line(r, "deadline", true);

	const char **actions;

	t->nactions = reader_count(r, "action");
	actions = arena_calloc(r->a->arena, t->nactions + 1, sizeof(actions[0]));
	t->actions = actions;
	for (size_t k = 0; k < t->nactions && r->ok; k++) {
		int64_t when_utc;

		reader_begin(r, "action", 0);
		actions[k] = reader_cstr(r, take_text(r));
		if (r->ok &&
		    (!utc_parse_iso(span_slice(span_of(actions[k]), 0, 20), &when_utc) ||
		     actions[k][20] != ' '))
			reader_refuse(r, "an action begins with its time");
	}

	t->nrevisions = reader_count(r, "revision");
	x->revision_line = r->at;
	t->revisions = arena_calloc(r->a->arena, t->nrevisions + 1, sizeof(t->revisions[0]));
	x->commitments =
	    arena_calloc(r->a->arena, t->nrevisions + 1, sizeof(x->commitments[0]));
	for (size_t k = 0; k < t->nrevisions && r->ok; k++)
		revision_line(r, t, &t->revisions[k], &x->commitments[k]);
	if (r->record->version > 1) {
		read_operator(r, t);
		read_answered(r, t, x);
		read_dkim(r, t, x);
	}
	if (reader_has_keyword(r, r->at, "dropped"))
		read_dropped(r, t, x);
	else
		read_sealed(r, t, x);
	if (r->ok && i == 0 && t->nrevisions + t->nused > 0)
		reader_refuse(r, "nobody sends orders for the set-up");
}

/* End. */

/* Seats in their order. */
static struct seat_set take_seats(struct reader *r)
{
	struct seat_set seats = {0};
	unsigned last = 0;

	while (r->ok && r->rest.ptr != NULL) {
		last = take_small(r, last + 1, r->record->nseats);
		if (r->ok)
			seats = seat_with(seats, last);
	}
	return seats;
}

static void agreed_line(struct reader *r)
{
	r->a->agreed_line = r->at;
	if (!reader_has_keyword(r, r->at, "agreed"))
		return;
	reader_begin(r, "agreed", 0);
	r->record->agreed = take_seats(r);
	if (r->ok && r->record->agreed.bits == 0)
		reader_refuse(r, "an agreement names the seats that win by it");
}

static void read_result(struct reader *r)
{
	struct game_result *result = &r->a->result;

	r->a->has_result = true;
	agreed_line(r);
	r->a->result_line = r->at;
	result->nseats = r->record->nseats;

	reader_begin(r, "winners", 0);
	if (span_eq_str(r->rest, "-"))
		r->rest = SPAN_EMPTY;
	result->winners = take_seats(r);
	for (unsigned seat = 1; seat <= result->nseats && r->ok; seat++) {
		reader_begin(r, "score", 0);
		take_small(r, seat, seat);
		result->scores[seat] = take_number(r, INT64_MIN, INT64_MAX);
		result->ranks[seat] = take_small(r, 0, MAX_SEATS);
		if (take_choice(r, "out", "in"))
			result->eliminated = seat_with(result->eliminated, seat);
		reader_end(r);
	}
}

static void read_end(struct reader *r)
{
	if (r->record->nturns > 0)
		read_result(r);
	r->a->end_line = r->at;
	reader_begin(r, "ended", 0);

	static const char *const statuses[] = {"over", "cancelled", "abandoned"};
	struct span f = take_field(r);

	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		if (span_eq_str(f, statuses[i]))
			r->record->end_status = statuses[i];
	if (r->ok && r->record->end_status == NULL)
		reader_refuse(r, "a game ends over, cancelled or abandoned");
	r->record->ended_utc = take_time(r);
	r->a->result.over = r->ok && span_eq_str(span_of(r->record->end_status), "over");
	reader_end(r);
	r->a->secret_line = r->at;
	r->record->secret = read_hash_line(r, "secret", 0);
}

struct archive *archive_new(void)
{
	struct archive *a = xcalloc(1, sizeof(*a));

	a->arena = arena_new();
	strbuf_init(&a->why);
	return a;
}

void archive_free(struct archive *a)
{
	if (a == NULL)
		return;
	for (size_t i = 0; i < a->record.nturns && a->record.rules != NULL; i++)
		a->record.rules->free_state(a->turns[i].result);
	strbuf_release(&a->why);
	free(a->lines);
	arena_free(a->arena);
	free(a);
}

bool archive_parse(struct archive *a, struct span file)
{
	struct reader r = {.a = a, .record = &a->record, .ok = true};

	if (!archive_split(a, file))
		return false;
	if (a->nlines == 0)
		return archive_fault(a, a->chain_line, "the archive is empty");
	r.ended = reader_has_keyword(&r, a->nlines - 1, "secret");
	a->record.ended = r.ended;
	read_header(&r);

	size_t n = 0;

	for (size_t i = r.at; i < r.a->nlines; i++)
		n += reader_has_keyword(&r, i, "turn");

	r.record->turns = arena_calloc(r.a->arena, n + 1, sizeof(r.record->turns[0]));
	r.a->turns = arena_calloc(r.a->arena, n + 1, sizeof(r.a->turns[0]));
	while (r.ok && r.record->nturns < n && reader_has_keyword(&r, r.at, "turn"))
		read_turn(&r, r.record->nturns++);
	if (r.ok && r.record->nturns > 0 && r.record->started_utc == 0)
		reader_refuse(&r, "a game that never started has turns");
	if (r.ended)
		read_end(&r);
	if (r.ok && r.at < a->nlines)
		r.ok = archive_fault(a, archive_line_number(a, r.at),
		                     "this line does not belong here");
	return r.ok;
}
