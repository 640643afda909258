/*
 * turn_mails.c - the mails about a turn that is over: to its players, to its master, to
 * who watches.
 */
#include "mail/compose.h"
#include "mail/text/header.h"
#include "processor/games/registry.h"
#include "processor/match/match_record.h"
#include "processor/match/ratings_update.h"
#include "processor/match/report_values.h"
#include "processor/outgoing/digest.h"
#include "processor/outgoing/outgoing.h"
#include "processor/outgoing/receipt.h"
#include "processor/outgoing/unreachable.h"
#include "processor/replay/highlights.h"
#include "processor/turns/missed_turns.h"
#include "processor/turns/private.h"
#include "store/digests.h"
#include "store/ratings.h"

/* ---- the end of a game ---- */

/* What its last mail tells besides a report: highlights, and what it changes in the reader's figures. */
struct ending {
	struct standings standings;
	const char *highlights[HIGHLIGHTS];
	size_t nhighlights;
	unsigned
	    fork_turn; /* in the middle of it, with everybody still in the game; 0 = none */
};

/* Places in all->turns on the line of play, the set-up first; those taken back or broken off are not. */
static size_t line_of_play(const struct record *all, size_t *line)
{
	size_t n = 0, at = all->nturns;

	while (at > 0 && all->turns[at - 1].dropped_utc != 0)
		at--;
	while (at > 0) {
		const struct record_turn *t = &all->turns[at - 1];

		line[n++] = at - 1;
		if (t->serial == 0)
			break;
		while (at > 0 && (all->turns[at - 1].serial != t->parent ||
		                  all->turns[at - 1].dropped_utc != 0))
			at--;
	}
	for (size_t i = 0; i < n / 2; i++) {
		size_t other = line[i];
		line[i] = line[n - 1 - i];
		line[n - 1 - i] = other;
	}
	return n;
}

/* From the whole record, its end included; in the match's arena. */
static enum err ending_load(struct server *srv, struct match *match, const struct record *all,
                            struct ending *out)
{
	struct highlights *h = highlights_new(match->rules, match->arena);
	size_t *line = arena_calloc(match->arena, all->nturns + 1, sizeof(*line));
	size_t n = line_of_play(all, line);

	*out = (struct ending){0};
	TRY(ratings_update_game(srv, match, all, &out->standings));
	for (size_t i = 0; i < n && match->game.status == GAME_OVER; i++) {
		struct game_result result = {0};

		const struct record_turn *t = &all->turns[line[i]];
		struct strbuf why = STRBUF_INIT;
		struct game_state *state = NULL;
		enum err rc = ERR_NONE;

		if (match->rules->decode(t->state, &state, &why)) {
			highlights_add(h, state, arena_cstr(match->arena, t->label));
			match->rules->result(state, &result);
		} else {
			rc = err_set(&srv->fail, ERR_CORRUPT, "serial %u: %s", t->serial,
			             why.ptr);
		}
		match->rules->free_state(state);
		strbuf_release(&why);
		TRY(rc);
		if (n > 2 && i == (n - 1) / 2 && seat_count(result.eliminated) == 0)
			out->fork_turn = (unsigned)i;
	}
	out->nhighlights = highlights_choose(h, out->highlights);
	return ERR_NONE;
}

/* As this reader hears of it. */
static enum err ending_told(struct server *srv, const struct match *match,
                            const struct ending *e, int64_t player, struct report_ending *out)
{
	struct rating_change change;

	TRY(ratings_update_change(srv, &e->standings, player, match->arena, &change));
	*out = (struct report_ending){.highlights = e->highlights,
	                              .nhighlights = e->nhighlights,
	                              .counted = change.counted,
	                              .reliability_before = change.reliability_before,
	                              .reliability_after = change.reliability_after,
	                              .rated = change.rated,
	                              .rating_before = rating_points(change.before.rating),
	                              .rating_after = rating_points(change.after.rating),
	                              .provisional = change.after.provisional,
	                              .fork_turn = e->fork_turn};
	return ERR_NONE;
}

/* ---- reports ---- */

enum err resolved_turn_load_seats(struct resolved_turn *r)
{
	for (size_t i = 0; i < r->match->nseats; i++)
		if (r->match->seats[i].player != 0)
			TRY(player_get(r->srv->store, r->match->seats[i].player,
			               r->match->arena, &r->players[i]));
	return standing_orders_load(r->srv, r->match, &r->standing);
}

/* ---- what a report says ---- */

static struct seat_set seats_by_origin(const struct resolved_turn *r, enum order_origin origin)
{
	struct seat_set seats = {0};

	for (unsigned s = 1; s <= r->match->nseats; s++) {
		const struct seat_entry *e = &r->item->set.seats[s];
		if (e->acts && e->origin == origin)
			seats = seat_with(seats, s);
	}
	return seats;
}

static size_t names_of(const struct resolved_turn *r, enum order_origin origin,
                       const char *const **out)
{
	return match_seat_names(r->match, seats_by_origin(r, origin).bits, out);
}

/* How orders of people came that did not come in mails of this turn, and which are the operator's. */
static size_t ways_of(const struct resolved_turn *r, const char *const **out)
{
	enum { WAYS = 4 };
	struct arena *arena = r->match->arena;
	const char **ways = arena_calloc(arena, WAYS, sizeof(*ways));
	struct seat_set standing = seats_by_origin(r, ORDER_STANDING),
			drafts = seats_by_origin(r, ORDER_DRAFT),
			fallback = seats_by_origin(r, ORDER_FALLBACK), operators = {0};
	size_t n = 0;

	/* Those that had orders in this turn, if the server shows who that is. */
	for (unsigned s = 1; s <= r->match->nseats; s++)
		if (r->match->seats[s - 1].is_operator && r->item->set.seats[s].revision > 0)
			operators = seat_with(operators, s);
	if (standing.bits)
		ways[n++] = arena_printf(arena, "Standing orders were used for %s.",
		                         match_names_in(r->match, standing));
	if (drafts.bits)
		ways[n++] =
		    arena_printf(arena,
		                 seat_count(drafts) == 1
		                     ? "Nothing more was sent by %s, so a draft was used."
		                     : "Nothing more was sent by %s, so drafts were used.",
		                 match_names_in(r->match, drafts));
	if (fallback.bits)
		ways[n++] = arena_printf(arena,
		                         seat_count(fallback) == 1
		                             ? "Nothing came from %s, so what that player had "
		                               "chosen for such a turn "
		                               "was done."
		                             : "Nothing came from %s, so what these players "
		                               "had chosen for such a turn "
		                               "was done.",
		                         match_names_in(r->match, fallback));
	if (operators.bits)
		ways[n++] = arena_printf(arena,
		                         seat_count(operators) == 1
		                             ? "%s runs this server."
		                             : "%s are seats of the person who runs this "
		                               "server.",
		                         match_names_in(r->match, operators));
	*out = ways;
	return n;
}

static unsigned people_in(const struct match *match)
{
	unsigned n = 0;

	for (size_t i = 0; i < match->nseats; i++)
		n += match->seats[i].player != 0;
	return n;
}

/* Somebody at a seat, or one who watches (seat NULL) and `hears` what is written to all or not. */
struct reader {
	struct seat *seat;
	const struct player *player;
	bool hears, had_seat;
};

/* What every reader's report has in common. */
static void common_report(struct resolved_turn *r, struct report_turn *t)
{
	t->resolved_label = r->resolved_label;
	t->goes_on = r->goes_on;
	if (!r->resolved_label && people_in(r->match) > 1)
		t->master = master_sentence(r->match);
	if (!r->resolved_label)
		t->bots = bots_sentence(r->match);
	t->result = &r->result;
	t->names = report_values_players(r->match);
	t->aborted_label = r->aborted_label;
	if (!r->aborted_label) {
		t->nmissed = names_of(r, ORDER_DEFAULT, &t->missed);
		t->nresigned = names_of(r, ORDER_RESIGNED, &t->resigned);
		t->ncame = ways_of(r, &t->came);
	}
	t->commitments = r->commitments;
	t->ncommitments = r->ncommitments;
	t->firsts = r->firsts;
	t->nfirsts = r->nfirsts;
	t->head = r->chain.head;
	t->head_lines = r->chain.lines;
	t->head_serial = r->turn.serial;
	t->head_has_words = r->match->game.record_version > 1;
	for (size_t i = 0; i < SIGNATURE_LEN; i++)
		t->head_signature[i] = r->signature[i];
	t->absences = r->resolved_label ? report_values_absences(r->match) : "";
	t->actions = r->turn.actions;
	t->nactions = r->turn.nactions;
	t->idle_turns = r->match->game.idle_turns + 1 == IDLE_TURNS ? IDLE_TURNS - 1 : 0;
	t->put_off = r->put_off;
	t->ended = r->item->ended;
	t->end_status = r->item->ended ? game_status_name(r->match->game.status) : NULL;
	t->secret = r->item->ended ? r->match->secret : (struct hash){{0}};
}

/* What the seat has stored for the turn that opens, and for the case that nothing comes. */
static enum err standing_orders_of(struct resolved_turn *r, unsigned seat,
                                   struct report_turn *t)
{
	const struct opening *opening = &r->item->opening;
	struct silence silence;

	if (r->item->ended)
		return ERR_NONE;
	TRY(substitute_silence(r->srv, r->match, &r->standing, seat, &silence));
	t->silence = silence.lead;
	t->default_orders = silence.orders;
	t->last_chance = t->last_chance && !substitute_covers(silence.origin);
	t->note = opening->notes[seat];
	for (size_t i = 0; i < opening->nrevisions; i++)
		if (opening->revisions[i].seat == seat) {
			t->in_force = opening->revisions[i].canonical;
			t->in_force_as = opening->revisions[i].origin == ORDER_QUEUED
			                     ? "queued orders"
			                     : "standing orders";
		}
	return ERR_NONE;
}

static void view_of(struct resolved_turn *r, unsigned seat, const struct mail_form *form,
                    struct report_turn *t)
{
	t->view = report_values_view(r->match, r->state, seat, form);
	t->examples = report_values_examples(r->match, seat);
	t->reader_owes = !r->item->ended &&
	                 seat_in((struct seat_set){r->match->turn.owes}, seat);
	if (!r->item->ended)
		t->moving = match_names_in(r->match, (struct seat_set){r->match->turn.owes});
}

/* ---- one mail ---- */

enum { FOLDS_MOST = 9 };

/* A mail on its way: whether it waits, as what, and whether it takes along what has waited. */
struct travelling {
	struct digest_policy keep;
	struct report_out carried;
	bool brings;
	int64_t *folds; /* outbox rows that stand in it and go out no more */
	size_t nfolds;
	struct span answers; /* the mail that they answer: its Message-ID */
};

/* `how` it travels; what goes out at once with nothing in it says {0}. */
static void post_report(struct resolved_turn *r, struct seat *seat, const struct player *p,
                        const char *kind, const struct report_out *report,
                        const struct travelling *how)
{
	struct outgoing outgoing = {.kind = kind,
	                            .key = r->key,
	                            .game = &r->match->game,
	                            .seat = seat,
	                            .serial = r->match->turn.serial,
	                            .player = p->id,
	                            .address = p->address,
	                            .form = p->form,
	                            .report = report,
	                            .keep = how->keep,
	                            .carried = &how->carried,
	                            .brings = how->brings,
	                            .folds = how->folds,
	                            .nfolds = how->nfolds,
	                            .in_reply_to = how->answers};

	if (!seat && p->id != r->match->game.master && !r->item->ended)
		outgoing.unsubscribe =
		    arena_printf(r->match->arena, "unobserve %s", r->match->id);
	if (seat && seat->player == 0) /* no longer: nothing of this game is answered by them */
		outgoing.reply_to = r->srv->cfg.address;
	outgoing_prepare(r->srv, &outgoing, r->match->arena,
	                 &r->item->mails[r->item->nmails++]);
}

/* A mail that cannot be read goes its own way, and is told of there: no reason to hold the game. */
static enum err unless_unreadable(enum err rc)
{
	return rc == ERR_NOT_FOUND || rc == ERR_CORRUPT || rc == ERR_UNSUPPORTED ? ERR_NONE
	                                                                         : rc;
}

/* What has waited for this very report; of reports to this seat that asked for nothing their story and proofs. */
static enum err take_along(struct resolved_turn *r, const struct reader *reader,
                           struct report_turn *t, struct travelling *how)
{
	struct arena *arena = r->match->arena;
	struct report_digest_item *list;
	struct report_earlier *earlier;
	struct queued_mail *queued;
	struct outbox_mail mail;
	struct header h;
	size_t n;

	if (reader->player->mail_mode == MAIL_DIGEST)
		return ERR_NONE;
	TRY(digest_queue_list(r->srv->store, reader->player->id, r->match->game.id, arena,
	                      &queued, &n));
	t->enclosed = list = arena_calloc(arena, n + 1, sizeof(*list));
	t->earlier = earlier = arena_calloc(arena, n + 1, sizeof(*earlier));
	for (size_t i = 0; i < n; i++) {
		struct report_out was = REPORT_OUT_INIT;
		bool told = false, welcome = span_eq_str(queued[i].kind, "welcome");

		if (reader->seat && queued[i].seat == reader->seat->seat &&
		    (welcome || span_eq_str(queued[i].kind, "report"))) {
			enum err rc =
			    outbox_message(r->srv->store, queued[i].outbox, arena, &mail);

			told = rc == ERR_NONE && outgoing_read_back(mail.message, &was) &&
			       (welcome ||
			        report_turn_take_over(arena_dup(arena, strbuf_span(&was.body)),
			                              arena_dup(arena, strbuf_span(&was.proof)),
			                              &earlier[t->nearlier]));
			report_out_release(&was);
			TRY(unless_unreadable(rc));
		}
		if (told && welcome) {
			struct report_digest_item w = digest_item(&queued[i], r->match);

			earlier[t->nearlier] = (struct report_earlier){.proofs = w.proof};
			t->note = arena_cstr(arena, w.text);
			struct doc *doc = arena_alloc(r->match->arena, sizeof(*doc));
			doc_init(doc, r->match->arena);
			r->match->rules->basics(&r->match->options, doc);
			t->basics = doc;
		}
		if (!told) {
			list[t->nenclosed++] = digest_item(&queued[i], r->match);
			continue;
		}
		t->nearlier++;
		header_split(mail.message, arena, &h);
		for (size_t k = 0; k < h.count; k++)
			if (span_eq_nocase(h.fields[k].name, "In-Reply-To"))
				how->answers = h.fields[k].value;
	}
	how->brings = n > 0;
	return ERR_NONE;
}

/* Receipts for orders of this very turn that have not left yet: one mail tells all. */
static enum err fold_receipts(struct resolved_turn *r, const struct reader *reader,
                              struct report_turn *t, struct travelling *how)
{
	struct arena *arena = r->match->arena;
	struct outbox_outline *list;
	struct report_stored *stored;
	size_t n;

	if (!reader->seat || reader->player->mail_mode != MAIL_ALL || !r->resolved_label)
		return ERR_NONE;
	enum err rc = outbox_new_outlines(r->srv->store, r->match->game.id, r->turn.serial,
	                                  reader->seat->seat, reader->player->id, arena, &list,
	                                  &n);
	if (rc != ERR_NONE)
		return unless_unreadable(rc);
	t->stored = stored = arena_calloc(arena, n + 1, sizeof(*stored));
	how->folds = arena_calloc(arena, FOLDS_MOST, sizeof(*how->folds));
	for (size_t i = 0; i < n && how->nfolds < FOLDS_MOST - 1; i++) {
		struct span answers = SPAN_EMPTY;
		struct receipt_draft *receipt =
		    outgoing_receipt(r->srv, list[i].outline, arena, &answers);

		if (!receipt)
			continue;
		if (receipt->receipt.what == RECEIPT_STORED) {
			how->answers = answers;
			struct strbuf proof = STRBUF_INIT, remarks = STRBUF_INIT;
			struct report_receipt said = receipt->receipt;

			said.diags = &receipt->diags;
			report_receipt_remarks(&said, report_form_of(&reader->player->form),
			                       &remarks);
			receipt_add_proof(receipt, &proof);
			stored[t->nstored++] =
			    (struct report_stored){.mail_number = list[i].number,
			                           .canonical = receipt->receipt.canonical,
			                           .remarks = arena_take(arena, &remarks),
			                           .receipt_proof = arena_take(arena, &proof)};
			how->folds[how->nfolds++] = list[i].id;
		}
		receipt_release(receipt);
	}
	return ERR_NONE;
}

/* Whether a player never had a seat in another game, or in another `of_kind`. */
static enum err is_first_game(struct resolved_turn *r, const struct player *p, bool of_kind,
                              bool *yes)
{
	struct game *games;
	size_t n;

	*yes = true;
	TRY(game_list_of_player(r->srv->store, p->id, ~0u, r->match->arena, &games, &n));
	for (size_t i = 0; i < n; i++)
		if (games[i].id != r->match->game.id &&
		    (!of_kind || span_eq(games[i].kind, r->match->game.kind)))
			*yes = false;
	return ERR_NONE;
}

/* "Mole Park, Mole and Mole Majority" */
static const char *other_kinds(const struct match *match)
{
	struct strbuf s = STRBUF_INIT;
	unsigned n = 0, all = 0;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < rules_count(); i++) {
			const struct rules *k = rules_at(i);

			if (k != rules_find(span_of(k->name)) || k == match->rules)
				continue;
			if (pass == 0) {
				all++;
				continue;
			}
			strbuf_add_sep(&s, n++, all, " and ");
			strbuf_adds(&s, k->title);
		}
	return arena_take(match->arena, &s).ptr;
}

static enum err report_to(struct resolved_turn *r, const struct reader *reader,
                          const struct ending *ending)
{
	struct seat *seat = reader->seat;
	const struct player *player = reader->player;
	struct report_form form = report_form_of(&player->form);
	struct travelling how = {.carried = REPORT_OUT_FOR(form)};
	struct report_out out = REPORT_OUT_FOR(form);
	struct report_ending end = {0};
	struct report_turn t = {0};

	common_report(r, &t);
	t.game = report_values_game(r->srv, r->match, seat, player);
	t.clock = report_values_clock(r->srv, r->match, seat);
	t.last_chance = seat && report_values_last_chance(r->match, seat);
	view_of(r, seat ? seat->seat : SEAT_PUBLIC, &player->form, &t);
	if (seat)
		TRY(standing_orders_of(r, seat->seat, &t));
	/* In the first turns of their first game of a kind. */
	bool alone = seat_count((struct seat_set){r->match->turn.owes}) == 1;
	unsigned nth = (r->match->rules->phase(r->match->state) - 1) /
	               (alone ? r->match->game.nseats : 1);
	bool first = false;
	if (t.reader_owes && nth < RULES_TIPS)
		TRY(is_first_game(r, player, true, &first));
	t.tip = first ? r->match->rules->tips[nth] : NULL;
	press_due_for(r->match, &r->item->press, seat ? seat->seat : 0, reader->hears, &t);
	how.keep = digest_policy_of(r->srv, player, OUTGOING_REPORT,
	                            t.reader_owes ? t.clock.deadline_utc : 0);
	/*
	 * Whether it goes out with the next report: it asks its reader for nothing, and nothing
	 * happened to them, or the next one is written at once, since bots, or orders that were
	 * there before the turn, have moved.
	 */
	const struct report_clock *c = &t.clock;
	bool at_once = !c->held && !c->paused && c->nawaited + c->nholding == 0 &&
	               c->settle_utc <= c->now_utc;

	t.acted = seat && r->item->set.seats[seat->seat].acts;
	bool has_moved = t.reader_owes && t.in_force.len > 0 && at_once && !t.aborted_label;
	t.waits = reader->seat && (report_turn_is_idle(&t) || has_moved) &&
	          reader->player->mail_mode != MAIL_DIGEST && t.nmessages == 0 && !t.note &&
	          (at_once || (r->resolved_label && !t.view->concerns_viewer && !t.acted));
	if (t.waits)
		how.keep = (struct digest_policy){true, r->srv->now_utc + DIGEST_LONGEST_S};
	else
		TRY(take_along(r, reader, &t, &how));
	TRY(fold_receipts(r, reader, &t, &how));
	/* With how it ended; what is sent by itself brings files (outgoing/send.c). */
	if (ending) {
		TRY(ending_told(r->srv, r->match, ending, reader->player->id, &end));
		end.had_seat = reader->had_seat;
		t.ending = &end;
		bool first_game = false;
		if (reader->seat && people_in(r->match) == 1)
			TRY(is_first_game(r, reader->player, false, &first_game));
		end.other_kinds = first_game ? other_kinds(r->match) : NULL;
	}
	end.is_attached = true;
	end.website = r->srv->cfg.website;
	report_turn(&t, &out);
	end.is_attached = false; /* nothing goes with a digest */
	digest_policy_carry(&t.game, &t.clock);
	if (how.keep.waits)
		report_turn(&t, &how.carried);
	post_report(r, seat, player, ending ? END_KIND : "report", &out, &how);
	report_out_release(&out);
	report_out_release(&how.carried);
	return ERR_NONE;
}

/* ---- to whom ---- */

static bool is_vacated(const struct resolved_turn *r, const struct seat *seat)
{
	return seat_in((struct seat_set){r->item->vacated}, seat->seat);
}

/* The one way to everybody who hears of the turn. */
static enum err tell(struct resolved_turn *r, const struct reader *reader,
                     const struct ending *ending)
{
	const struct player *p = reader->player;

	if (p->id == 0 || p->forgotten || p->address.len == 0 || (!reader->seat && p->blocked))
		return ERR_NONE;
	if (!reader->seat || !is_vacated(r, reader->seat))
		return report_to(r, reader, ending);
	/* In place of the report: the position is no longer theirs to see. */
	struct report_out out = REPORT_OUT_FOR(report_form_of(&reader->player->form));
	missed_turns_mail(r->srv, r->match, reader->seat, reader->player, &out);
	post_report(r, reader->seat, reader->player, "vacated", &out, &(struct travelling){0});
	report_out_release(&out);
	return ERR_NONE;
}

/* A person hears of every turn; one who has left, of the turn they left in and of the end. */
static bool is_told(const struct resolved_turn *r, const struct seat *seat, bool had_left)
{
	return is_vacated(r, seat) || (seat->player != 0 && (!had_left || r->item->ended));
}

/* Who is told at a seat is not told as an observer too. */
static bool is_told_at_seat(const struct resolved_turn *r, int64_t player, const bool *had_left)
{
	for (size_t i = 0; i < r->match->nseats; i++)
		if (r->players[i].id == player && is_told(r, &r->match->seats[i], had_left[i]))
			return true;
	return false;
}

/* What somebody would only watch is not kept for them while mail to them comes back. */
static enum err tell_observers(struct resolved_turn *r, const struct observer *list, size_t n,
                               const bool *had_left, const struct ending *ending)
{
	struct player p;
	bool lost;

	for (size_t i = 0; i < n; i++) {
		if (list[i].player == r->match->game.master ||
		    is_told_at_seat(r, list[i].player, had_left))
			continue;
		TRY(player_get(r->srv->store, list[i].player, r->match->arena, &p));
		TRY(unreachable_now(r->srv, p.id, r->match->arena, &lost));
		if (!lost)
			TRY(tell(r, &(struct reader){.player = &p, .hears = list[i].press},
			         ending));
	}
	return ERR_NONE;
}

/* Who lost a seat hears how it ended; nobody else's mistake in an address does. */
static enum err tell_former(struct resolved_turn *r, const struct observer *list, size_t n,
                            const int64_t *had, size_t nhad, const bool *had_left,
                            const struct ending *ending)
{
	struct player p;
	bool lost;

	for (size_t i = 0; i < nhad; i++) {
		bool watches = false;

		for (size_t k = 0; k < n; k++)
			watches = watches || list[k].player == had[i];
		if (had[i] == 0 || had[i] == r->match->game.master || watches ||
		    is_told_at_seat(r, had[i], had_left))
			continue;
		TRY(player_get(r->srv->store, had[i], r->match->arena, &p));
		TRY(unreachable_now(r->srv, p.id, r->match->arena, &lost));
		if (!lost && p.confirmed)
			TRY(tell(r, &(struct reader){.player = &p, .had_seat = true}, ending));
	}
	return ERR_NONE;
}

enum err resolved_turn_mails(struct resolved_turn *r, const bool *had_left)
{
	bool reveal = r->item->ended || !(r->match->rules->facts & FACT_ORDERS_STAY_HIDDEN);
	struct ending ending, *end = r->item->ended ? &ending : NULL;
	struct turn resolved = r->match->turn;
	struct observer *observers;
	int64_t *had = NULL;
	size_t n, nhad = 0;
	struct player p;

	if (end) {
		struct record all;

		/* This last turn included, though it is not stored as reported yet. */
		TRY(record_load(r->srv, r->match, &all));
		all.turns[all.nturns++] = r->turn;
		TRY(ending_load(r->srv, r->match, &all, end));
		TRY(seat_holder_players(r->srv->store, r->match->game.id, r->match->arena, &had,
		                        &nhad));
	}
	if (resolved.serial > 0 && !r->aborted_label)
		r->ncommitments =
		    report_values_commitments(r->match, &r->item->set, reveal, &r->commitments);
	if (!r->aborted_label)
		r->nfirsts = report_values_firsts(r->match, &r->item->set, &r->firsts);
	/* From here on the match shows the game as it stands after the turn. */
	if (r->match->state)
		r->match->rules->free_state(r->match->state);
	r->match->state = r->state;
	if (!r->item->ended)
		r->match->turn = r->item->next;
	TRY(press_due_load(r->srv, r->match, r->item->ended, &r->item->press));
	TRY(observer_list(r->srv->store, r->match->game.id, r->match->arena, &observers, &n));
	r->item->mails = arena_calloc(r->match->arena, r->match->nseats + n + nhad + 1,
	                              sizeof(*r->item->mails));
	for (size_t i = 0; i < r->match->nseats; i++)
		if (is_told(r, &r->match->seats[i], had_left[i]))
			TRY(tell(r,
			         &(struct reader){.seat = &r->match->seats[i],
			                          .player = &r->players[i]},
			         end));
	TRY(tell_observers(r, observers, n, had_left, end));
	TRY(tell_former(r, observers, n, had, nhad, had_left, end));
	/* Who has no seat sees what everybody may. */
	int64_t master = r->match->game.master;
	if (master == 0 || is_told_at_seat(r, master, had_left))
		return ERR_NONE;
	TRY(player_get(r->srv->store, master, r->match->arena, &p));
	return tell(r, &(struct reader){.player = &p, .hears = true}, end);
}
