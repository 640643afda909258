/*
 * turn_mails.c - the mails about a turn that is over: to its players, to its master, to
 * who watches.
 */
#include "processor/match/report_values.h"
#include "processor/outgoing/digest.h"
#include "processor/outgoing/outgoing.h"
#include "processor/outgoing/unreachable.h"
#include "processor/turns/missed_turns.h"
#include "processor/turns/private.h"
#include "store/digest_queue.h"

#include "processor/base/banned.h"

enum err reporting_load_players(struct reporting *r)
{
	for (size_t i = 0; i < r->h->nseats; i++)
		if (r->h->seats[i].player != 0)
			TRY(player_get(r->srv->store, r->h->seats[i].player, r->h->arena,
			               &r->players[i]));
	return ERR_NONE;
}

/* ---- what a report says ---- */

static size_t names_of(const struct reporting *r, enum order_origin origin,
                       const char *const **out)
{
	const char **names = arena_calloc(r->h->arena, r->h->nseats + 1, sizeof(*names));
	size_t n = 0;

	for (unsigned s = 1; s <= r->h->nseats; s++) {
		const struct seat_entry *e = &r->item->set.seats[s];
		if (e->acts && e->origin == origin)
			names[n++] = r->h->names.names[s];
	}
	*out = names;
	return n;
}

/* How orders of people came that did not come in mails of this turn. */
static size_t ways_of(const struct reporting *r, const char *const **out)
{
	const char **ways = arena_calloc(r->h->arena, r->h->nseats + 1, sizeof(*ways));
	size_t n = 0;

	for (unsigned s = 1; s <= r->h->nseats; s++) {
		const struct seat_entry *e = &r->item->set.seats[s];
		const char *name = r->h->names.names[s];

		if (e->acts && e->origin == ORDER_STANDING)
			ways[n++] = arena_printf(r->h->arena,
			                         "Standing orders were used for %s.", name);
		else if (e->acts && e->origin == ORDER_DRAFT)
			ways[n++] = arena_printf(r->h->arena,
			                         "Nothing was sent by %s, so orders were used "
			                         "that had only been checked.",
			                         name);
		else if (e->acts && e->origin == ORDER_FALLBACK)
			ways[n++] = arena_printf(r->h->arena,
			                         "Nothing came from %s, so what that player "
			                         "had chosen for such a turn was done.",
			                         name);
	}
	*out = ways;
	return n;
}

/* What every reader's report has in common. */
static void common_report(struct reporting *r, struct report_turn *t)
{
	t->resolved_label = r->resolved_label;
	t->goes_on = r->goes_on;
	t->result = &r->result;
	t->names = r->h->names.names;
	t->broken_label = r->broken_label;
	if (!r->broken_label) {
		t->nmissed = names_of(r, ORDER_DEFAULT, &t->missed);
		t->nresigned = names_of(r, ORDER_RESIGNED, &t->resigned);
		t->ncame = ways_of(r, &t->came);
	}
	t->commitments = r->commitments;
	t->ncommitments = r->ncommitments;
	t->head = r->chain.head;
	t->head_lines = r->chain.lines;
	for (size_t i = 0; i < SIGNATURE_LEN; i++)
		t->head_signature[i] = r->signature[i];
	t->absences = r->resolved_label ? brief_absences(r->h) : "";
	t->actions = r->turn.actions;
	t->nactions = r->turn.nactions;
	t->idle_turns = r->h->game.idle_turns + 1 == IDLE_TURNS ? IDLE_TURNS - 1 : 0;
	t->put_off = r->put_off;
	t->ended = r->item->ended;
	t->end_status = r->item->ended ? game_status_name(r->h->game.status) : NULL;
	t->secret = r->item->ended ? r->h->secret : (struct digest){{0}};
}

static const struct order_revision *laid_in_force(const struct reporting *r, unsigned seat)
{
	for (size_t i = 0; i < r->item->opening.nrevisions; i++)
		if (r->item->opening.revisions[i].seat == seat)
			return &r->item->opening.revisions[i];
	return NULL;
}

/* What the seat has laid down for the turn that opens, and for the case that nothing comes. */
static enum err provisions_of(struct reporting *r, unsigned seat, struct report_turn *t)
{
	const struct order_revision *in_force = laid_in_force(r, seat);
	struct silence silence;

	if (r->item->ended)
		return ERR_NONE;
	TRY(stand_in_silence(r->srv, r->h, &r->laid, seat, &silence));
	t->silence = silence.lead;
	t->default_orders = silence.orders;
	t->last_chance = t->last_chance && !silence_covers(&silence);
	t->note = r->item->opening.notes[seat];
	if (in_force) {
		t->in_force = in_force->canonical;
		t->in_force_as = in_force->origin == ORDER_QUEUED ? "queued orders"
		                                                  : "standing orders";
	}
	return ERR_NONE;
}

static void view_of(struct reporting *r, unsigned seat, struct report_turn *t)
{
	t->view = brief_view(r->h, r->state, seat);
	t->examples = brief_examples(r->h, seat);
	t->reader_owes = !r->item->ended && seat_in((struct seat_set){r->h->turn.owes}, seat);
}

/* ---- one letter ---- */

/* A letter on its way: whether it waits, as what, and whether it takes along what has waited. */
struct travelling {
	struct keeping keep;
	struct letter_out carried;
	bool brings;
};

/* `how` it travels; what goes out at once with nothing in it says {0}. */
static void post_letter(struct reporting *r, struct seat *seat, const struct player *p,
                        const char *kind, const struct letter_out *letter,
                        const struct travelling *how)
{
	struct post post = {.kind = kind,
	                    .key = r->key,
	                    .game = &r->h->game,
	                    .seat = seat,
	                    .serial = r->h->turn.serial,
	                    .player = p->id,
	                    .address = p->address,
	                    .ascii = p->ascii,
	                    .letter = letter,
	                    .keep = how->keep,
	                    .carried = &how->carried,
	                    .brings = how->brings};

	if (seat && seat->player == 0) /* no longer: nothing of this game is answered by him */
		post.reply_to = r->srv->cfg.address;
	post_prepare(r->srv, &post, r->h->arena, &r->item->mails[r->item->nmails++]);
}

static void archive_letter(struct reporting *r, const struct seat *seat,
                           const struct player *reader, struct span archive,
                           struct letter_out *out)
{
	struct report_game game = brief_game(r->srv, r->h, seat, reader);

	report_notice(
	    &(struct report_notice){
		.game = &game,
		.subject = "archive of the game",
		.paragraphs =
		    (const char *const[]){
			"The game has ended, and this is its record. Save the part between the "
			"two lines of dashes, with them, into a file: anybody who has this "
			"program can replay it turn by turn and check that nothing was "
			"changed."},
		.nparagraphs = 1,
		.attachment = archive,
	    },
	    out);
}

/* Somebody at a seat, or one who watches (seat NULL) and `hears` what is written to all or not. */
struct reader {
	struct seat *seat;
	const struct player *player;
	bool hears;
};

static void post_archive(struct reporting *r, const struct reader *reader, struct span archive)
{
	struct letter_out record = LETTER_OUT_INIT;

	archive_letter(r, reader->seat, reader->player, archive, &record);
	post_letter(r, reader->seat, reader->player, "archive", &record,
	            &(struct travelling){0});
	letter_out_release(&record);
}

/* What has waited for this very report. */
static enum err take_along(struct reporting *r, const struct player *player,
                           struct report_turn *t, struct travelling *how)
{
	struct kept_mail *kept;
	struct report_kept *list;
	size_t n;

	how->brings = player->mail_mode == MAIL_ROUND;
	if (!how->brings)
		return ERR_NONE;
	TRY(kept_list(r->srv->store, player->id, r->h->game.id, r->h->arena, &kept, &n));
	list = arena_calloc(r->h->arena, n + 1, sizeof(*list));
	for (size_t i = 0; i < n; i++)
		list[i] = bundle_item(&kept[i], r->h);
	t->kept = list;
	t->nkept = n;
	return ERR_NONE;
}

static enum err report_to(struct reporting *r, const struct reader *reader, struct span archive)
{
	struct travelling how = {.carried = LETTER_OUT_INIT};
	struct letter_out out = LETTER_OUT_INIT;
	struct seat *seat = reader->seat;
	const struct player *player = reader->player;
	struct report_turn t = {0};

	common_report(r, &t);
	t.game = brief_game(r->srv, r->h, seat, player);
	t.clock = brief_clock(r->srv, r->h, seat);
	t.last_chance = seat && brief_last_chance(r->h, seat);
	view_of(r, seat ? seat->seat : SEAT_PUBLIC, &t);
	if (seat)
		TRY(provisions_of(r, seat->seat, &t));
	press_due_for(r->h, &r->item->press, seat ? seat->seat : 0, reader->hears, &t);
	how.keep =
	    keeping_of(r->srv, player, LETTER_REPORT, t.reader_owes ? t.clock.deadline_utc : 0);
	TRY(take_along(r, player, &t, &how));
	report_turn(&t, &out);
	keeping_carry(&t.game, &t.clock);
	if (how.keep.kept)
		report_turn(&t, &how.carried);
	post_letter(r, seat, player, "report", &out, &how);
	letter_out_release(&out);
	letter_out_release(&how.carried);
	/* Too long for a digest, which says how to have it. */
	if (archive.len > 0 && !how.keep.kept)
		post_archive(r, reader, archive);
	return ERR_NONE;
}

/* In place of the report: the position is no longer his to see. */
static void farewell_to(struct reporting *r, const struct reader *was)
{
	struct letter_out out = LETTER_OUT_INIT;

	absence_letter(r->srv, r->h, was->seat, was->player, &out);
	post_letter(r, was->seat, was->player, "vacated", &out, &(struct travelling){0});
	letter_out_release(&out);
}

/* ---- to whom ---- */

/* The whole archive, this last turn included though it is not stored as reported yet. */
static enum err final_archive(struct reporting *r, struct span *out)
{
	struct record all;
	struct strbuf text = STRBUF_INIT;

	*out = SPAN_EMPTY;
	if (!r->item->ended)
		return ERR_NONE;
	TRY(record_load(r->srv, r->h, &all));
	all.turns[all.nturns++] = r->turn;
	archive_write(&all, r->srv->keys, &text);
	*out = arena_dup(r->h->arena, strbuf_span(&text));
	strbuf_release(&text);
	return ERR_NONE;
}

static bool is_vacated(const struct reporting *r, const struct seat *seat)
{
	return seat_in((struct seat_set){r->item->vacated}, seat->seat);
}

/* The one way to everybody who hears of the turn. */
static enum err tell(struct reporting *r, const struct reader *reader, struct span archive)
{
	const struct player *p = reader->player;

	if (p->id == 0 || p->forgotten || p->address.len == 0 || (!reader->seat && p->blocked))
		return ERR_NONE;
	if (!reader->seat || !is_vacated(r, reader->seat))
		return report_to(r, reader, archive);
	farewell_to(r, reader);
	return ERR_NONE;
}

/* A person hears of every turn; one who has left, of the turn he left in and of the end. */
static bool is_told(const struct reporting *r, const struct seat *seat, bool had_left)
{
	return is_vacated(r, seat) || (seat->player != 0 && (!had_left || r->item->ended));
}

/* Who is told at a seat is not told as an observer too. */
static bool is_told_at_seat(const struct reporting *r, int64_t player, const bool *had_left)
{
	for (size_t i = 0; i < r->h->nseats; i++)
		if (r->players[i].id == player && is_told(r, &r->h->seats[i], had_left[i]))
			return true;
	return false;
}

/* What somebody would only watch is not kept for him while mail to him comes back. */
static enum err tell_observers(struct reporting *r, const struct observer *list, size_t n,
                               const bool *had_left, struct span archive)
{
	struct player p;
	bool lost;

	for (size_t i = 0; i < n; i++) {
		if (list[i].player == r->h->game.master ||
		    is_told_at_seat(r, list[i].player, had_left))
			continue;
		TRY(player_get(r->srv->store, list[i].player, r->h->arena, &p));
		TRY(unreachable_now(r->srv, p.id, r->h->arena, &lost));
		if (!lost)
			TRY(tell(r, &(struct reader){.player = &p, .hears = list[i].press},
			         archive));
	}
	return ERR_NONE;
}

/* Who has no seat sees what everybody may. */
static enum err tell_master(struct reporting *r, const bool *had_left, struct span archive)
{
	struct player p;
	int64_t master = r->h->game.master;

	if (master == 0 || is_told_at_seat(r, master, had_left))
		return ERR_NONE;
	TRY(player_get(r->srv->store, master, r->h->arena, &p));
	return tell(r, &(struct reader){.player = &p, .hears = true}, archive);
}

enum err reporting_mails(struct reporting *r, const bool *had_left)
{
	bool reveal = r->item->ended || !(r->h->rules->facts & FACT_ORDERS_STAY_HIDDEN);
	struct span archive;
	struct turn resolved = r->h->turn;
	struct observer *observers;
	size_t n;

	TRY(final_archive(r, &archive));
	if (resolved.serial > 0 && !r->broken_label)
		r->ncommitments =
		    brief_commitments(r->h, &r->item->set, reveal, &r->commitments);
	/* From here on the hand shows the game as it stands after the turn. */
	if (r->h->state)
		r->h->rules->free_state(r->h->state);
	r->h->state = r->state;
	if (!r->item->ended)
		r->h->turn = r->item->next;
	TRY(provisions_load(r->srv, r->h, &r->laid));
	TRY(press_due_load(r->srv, r->h, r->item->ended, &r->item->press));
	TRY(observer_list(r->srv->store, r->h->game.id, r->h->arena, &observers, &n));
	r->item->mails =
	    arena_calloc(r->h->arena, 2 * (r->h->nseats + n) + 3, sizeof(*r->item->mails));
	for (size_t i = 0; i < r->h->nseats; i++)
		if (is_told(r, &r->h->seats[i], had_left[i]))
			TRY(tell(
			    r,
			    &(struct reader){.seat = &r->h->seats[i], .player = &r->players[i]},
			    archive));
	TRY(tell_observers(r, observers, n, had_left, archive));
	return tell_master(r, had_left, archive);
}
