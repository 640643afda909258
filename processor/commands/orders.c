/*
 * orders.c - orders, CHECK, CLEAR, SET WAIT, SALT and RESIGN.
 */
#include "processor/clauses/clauses.h"
#include "processor/commands/commands.h"
#include "processor/commandtext/loose_commands.h"
#include "processor/games/loose.h"
#include "processor/outgoing/receipt.h"
#include "processor/request/authenticate.h"
#include "processor/request/order_entry.h"
#include "processor/request/seats.h"
#include "processor/request/unclear.h"
#include "processor/request/which_game.h"

static bool would_be_orders(const struct order_entry *s, struct span line)
{
	struct strbuf text = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;

	while (line.len > 0 && (line.ptr[0] == '|' || line.ptr[0] == ' '))
		line = span_slice(line, 1, line.len);
	bool yes = s->match->rules->read_orders(s->match->state, s->seat->seat, SPAN_EMPTY,
	                                        s->match->tables, line, &text, &diags);
	strbuf_release(&text);
	diags_release(&diags);
	return yes;
}

/* Lines behind a bar that would have been orders: worth pointing out, once for all of them. */
static const char *barred_note(struct request *req, const struct order_entry *s)
{
	unsigned n = 0, first = 0;

	for (size_t i = 0; i < req->text->nbarred; i++)
		if (would_be_orders(s, req->text->barred[i].text) && n++ == 0)
			first = req->text->barred[i].line;
	return n == 1
	           ? arena_printf(req->arena,
	                          "Line %u was skipped because it begins with |. Remove the | "
	                          "and send it again if you meant it.",
	                          first)
	           : NULL; /* several are our examples, quoted */
}

struct receipt_of {
	int what; /* RECEIPT_... */
	unsigned revision, replaces;
	struct span canonical;
	const struct diags *diags;
	const char *subject, *note; /* NULL = the usual one; none */
	const char *overtaken;      /* receipt_note_overtaken */
	struct span salt;           /* of these orders */
	bool drafted;               /* what was checked is used if nothing else comes */
};

/* What the proofs of the orders that are listed are made of. */
static void leave_unproven(const struct request *req, const struct order_entry *s,
                           struct receipt_draft *draft)
{
	const struct report_receipt *r = &draft->receipt;
	struct seat_entry *list = arena_calloc(req->arena, r->ncommitments + 1, sizeof(*list));

	for (size_t i = 0; i < r->ncommitments; i++) {
		list[i] = s->set.seats[r->commitments[i].seat];
		list[i].salt = arena_dup(req->arena, list[i].salt);
	}
	draft->unproven = list;
	draft->secret = s->match->secret;
	draft->record_id = s->match->record_id;
	draft->record_version = s->match->game.record_version;
}

/* Without its proofs: leave_unproven. */
static struct receipt_proof receipt_proof_of(const struct order_entry *s)
{
	const struct seat_entry *e = &s->set.seats[s->seat->seat];

	if (!e->acts || e->revision == 0)
		return (struct receipt_proof){0};
	return (struct receipt_proof){.version = s->match->game.record_version,
	                              .contribution = e->contribution,
	                              .game = s->match->id,
	                              .serial = s->match->turn.serial,
	                              .seat = s->seat->seat,
	                              .revision = e->revision,
	                              .received_utc = e->received_utc};
}

enum { NOTES_MOST = 6 };

static size_t notes_of(struct request *req, const struct order_entry *s,
                       const struct receipt_of *r, const char **notes)
{
	size_t n = 0;

	if (r->note)
		notes[n++] = r->note;
	if (r->salt.len > 0)
		notes[n++] = arena_printf(req->arena,
		                          "Your salt \"%.*s\" goes into the chance of this "
		                          "turn.",
		                          SPAN_ARGS(r->salt));
	const char *barred = barred_note(req, s);
	if (barred)
		notes[n++] = barred;
	if (r->overtaken)
		notes[n++] = r->overtaken;
	if (req->mail->flags & MAIL_TEXT_CUT)
		notes[n++] = arena_printf(
		    req->arena,
		    "Your mail is long, so only its beginning was read: %u KiB or %u lines of "
		    "text, and %zu KiB of mail with all that is attached.",
		    req->srv->cfg.limits.text_bytes / 1024, req->srv->cfg.limits.text_lines,
		    req->srv->cfg.limits.max_size / 1024);
	const char *doubt = authenticate_remark(req);
	if (doubt)
		notes[n++] = doubt;
	return n;
}

/*
 * It only says that all is as it was meant to be. Who sends the same orders again wants to hear of them;
 * a remark is to be read while something can be done.
 */
static bool can_wait(const struct receipt_of *r, const struct report_receipt *receipt)
{
	size_t remarks = receipt->nnotes - (r->salt.len > 0);

	for (size_t i = 0; r->diags && i < r->diags->count; i++)
		if (r->diags->items[i].level > DIAG_NOTE)
			return false;
	return r->what == RECEIPT_STORED && remarks == 0;
}

static enum err send_receipt(struct request *req, struct order_entry *s,
                             const struct receipt_of *r)
{
	struct receipt_draft *draft;
	struct report_commitment *commitments;
	struct silence silence;
	const char **notes;

	if (!req->answer.allowed)
		return ERR_NONE;
	TRY(substitute_silence(req->srv, s->match, &s->standing, s->seat->seat, &silence));
	notes = arena_calloc(req->arena, NOTES_MOST, sizeof(*notes));
	draft = arena_alloc(req->arena, sizeof(*draft));
	*draft =
	    (struct receipt_draft){.diags = DIAGS_INIT, .keys = match_keys(req->srv, s->match)};
	draft->receipt = (struct report_receipt){
	    .game = report_values_game(req->srv, s->match, s->seat, &req->who.player),
	    .clock = report_values_clock(req->srv, s->match, s->seat),
	    .subject = r->subject,
	    .revision = r->revision,
	    .replaces = r->replaces,
	    .received_utc = req->arrived_utc,
	    .canonical = r->canonical.ptr ? arena_dup(req->arena, r->canonical) : SPAN_EMPTY,
	    .silence = silence.lead,
	    .default_orders = silence.orders,
	    .drafted = r->drafted,
	    .not_awaited = !seat_in((struct seat_set){s->match->turn.owes}, s->seat->seat),
	    .notes = notes,
	    .nnotes = notes_of(req, s, r, notes),
	    /* Drawn by a bot, for who has orders to send yet. */
	    .examples = r->what == RECEIPT_STORED
	                    ? NULL
	                    : report_values_examples(s->match, s->seat->seat),
	};
	draft->receipt.what = (unsigned)r->what;
	draft->receipt.ncommitments =
	    report_values_commitments_so_far(s->match, &s->set, s->seat->seat, &commitments);
	draft->receipt.commitments = commitments;
	leave_unproven(req, s, draft);
	if (r->what != RECEIPT_CHECKED)
		draft->receipt_proof = receipt_proof_of(s);
	if (r->diags)
		diags_append(&draft->diags, r->diags);
	struct digest_policy keep = {0};
	if (can_wait(r, &draft->receipt))
		keep = digest_policy_of(req->srv, &req->who.player, OUTGOING_RECEIPT, 0);
	if (keep.waits) {
		/* It waits for another mail: how it stands there is settled now. */
		struct report_out out = REPORT_OUT_TO_SENDER(req),
				  carried = REPORT_OUT_TO_SENDER(req);

		receipt_write(draft, &out);
		digest_policy_carry(&draft->receipt.game, &draft->receipt.clock);
		receipt_write(draft, &carried);
		enum err rc = request_answer_later(req, s->match, s->seat, "receipt", &out,
		                                   &keep, &carried);
		report_out_release(&out);
		report_out_release(&carried);
		receipt_release(draft);
		return rc;
	}
	struct outgoing_writer writer = receipt_writer(draft);
	return request_answer_written(req, s->match, s->seat, "receipt", &writer);
}

/* That of this mail, else the one that came with the orders in force. */
static struct span salt_now(const struct request *req, const struct order_entry *s)
{
	struct span given = request_salt(req);

	return given.len > 0 || !s->before.ptr ? given : s->set.seats[s->seat->seat].salt;
}

static enum err store_revision(struct request *req, struct order_entry *s,
                               struct span canonical, bool cleared)
{
	return order_entry_store(req, s,
	                         &(struct order_revision){
				     .origin = ORDER_SENT,
				     .cleared = cleared,
				     .mail = req->inbox_id,
				     .received_utc = req->arrived_utc,
				     .salt = cleared ? SPAN_EMPTY : salt_now(req, s),
				     .canonical = canonical,
				 });
}

static enum err keep_orders(struct request *req, struct order_entry *s, struct span canonical,
                            const struct diags *diags, const char *note)
{
	const struct seat_entry *e = &s->set.seats[s->seat->seat];
	unsigned replaces = s->before.ptr ? e->revision : 0;
	bool same = s->before.ptr && span_eq(s->before, canonical) &&
	            e->origin != ORDER_STANDING && span_eq(e->salt, salt_now(req, s));

	const char *overtaken = NULL;

	if (!same)
		TRY(receipt_note_overtaken(req, s, false, &overtaken));
	if (!same)
		TRY(store_revision(req, s, canonical, false));
	request_verdict(req, "orders", "%s/%u/%u #%u%s%s", s->match->id, s->match->turn.serial,
	                s->seat->seat, s->set.seats[s->seat->seat].revision,
	                same ? ", unchanged" : "",
	                overtaken ? ", overtaken by a newer mail" : "");
	return send_receipt(req, s,
	                    &(struct receipt_of){
				.what = same ? RECEIPT_UNCHANGED : RECEIPT_STORED,
				.revision = s->set.seats[s->seat->seat].revision,
				.replaces = same ? 0 : replaces,
				.canonical = s->set.seats[s->seat->seat].canonical,
				.diags = diags,
				.note = note,
				.overtaken = overtaken,
				.salt = s->set.seats[s->seat->seat].salt,
			    });
}

static enum err refuse_orders(struct request *req, struct order_entry *s,
                              const struct diags *diags)
{
	request_verdict(req, "refused", "orders of %s/%u/%u were not understood", s->match->id,
	                s->match->turn.serial, s->seat->seat);
	return send_receipt(
	    req, s,
	    &(struct receipt_of){
		.what = RECEIPT_REFUSED,
		.revision = s->before.ptr ? s->set.seats[s->seat->seat].revision : 0,
		.canonical = s->before,
		.diags = diags,
	    });
}

/* The whole line as it was written, for a piece of it. */
static struct span line_of(const struct request *req, const struct diag *g)
{
	for (size_t i = 0; g->line != 0 && i < req->text->nlines; i++)
		if (req->text->lines[i].line == g->line)
			return req->text->lines[i].text;
	return span_of(g->quoted);
}

/* What command_text_read and the game have to say, in the order of the lines. */
static enum err all_diags(struct request *req, struct span orders, const struct diags *game,
                          struct diags *out)
{
	struct diags merged = DIAGS_INIT, whole = DIAGS_INIT;

	request_note_answer(req, ANSWER_TELLS_DIAGS);
	merge_diags(req->text, orders, game, &merged);
	for (size_t i = 0; i < merged.count; i++) {
		const struct diag *g = &merged.items[i];
		diags_add(&whole, g->level, g->line, g->column,
		          g->quoted[0] ? line_of(req, g) : SPAN_EMPTY, g->example, "%s",
		          g->message);
	}
	enum err rc = request_add_diags(req, &whole, out);
	diags_release(&merged);
	diags_release(&whole);
	return rc;
}

/* What the orders of a mail change: those in force, else those that are not finished. */
static struct span base_of(const struct order_entry *s)
{
	return s->before.ptr ? s->before : order_entry_draft(s);
}

/* Where nothing is stored for the seat, what the game made of them when they were tried is it. */
static bool read_orders(struct request *req, const struct order_entry *s, struct span lines,
                        struct strbuf *canonical, struct diags *diags)
{
	struct tried_orders *t = &req->tried;
	struct span base = base_of(s);
	bool ok, was_read = lines.ptr && t->lines.ptr == lines.ptr &&
	                    t->lines.len == lines.len && t->position == s->match->state &&
	                    t->seat == s->seat->seat;

	if (base.ptr || !was_read) {
		ok = s->match->rules->read_orders(s->match->state, s->seat->seat, base,
		                                  s->match->tables, lines, canonical, diags);
	} else {
		ok = t->tried == TRIED_GOOD;
		strbuf_add_span(canonical, t->canonical);
		*diags = t->diags;
		t->diags = (struct diags)DIAGS_INIT;
		tried_orders_clear(t);
	}
	order_entry_repair(s, base, lines, ok, diags);
	return ok;
}

/* What the game has made of the orders of a mail. */
struct reading {
	bool ok;    /* `canonical` is a set of orders */
	bool whole; /* and nothing of the mail was left out */
	struct strbuf canonical;
	struct diags diags;
	struct order_guesses guesses; /* unless it is whole */
	const char *scope; /* of these: the other turns that they are for; NULL: this one */
};

/*
 * A line that the game passed over speaks of orders: in its own words, or so that with it the whole
 * would have been read as other orders. "No, not 5 but 6" changes those it stands below: r->guesses.
 */
static bool leaves_orders_out(const struct order_entry *s, struct span base, struct span own,
                              struct reading *r)
{
	const struct rules *rules = s->match->rules;
	struct order_guesses line_says = {.count = 0}, all = {.count = 0};
	struct span canonical = strbuf_span(&r->canonical), rest = own, line = SPAN_EMPTY;
	struct strbuf left = STRBUF_INIT;
	bool other = false, rejects = false;

	for (unsigned n = 1; !line_says.plain && span_next_line(&rest, &line); n++)
		for (size_t i = 0; line.len > 0 && i < r->diags.count && !line_says.plain;
		     i++) {
			if (r->diags.items[i].level != DIAG_IGNORED ||
			    r->diags.items[i].line != n)
				continue;
			strbuf_addf(&left, "%.*s\n", SPAN_ARGS(line));
			rejects = rejects || clauses_have(line, CLAUSE_REJECT);
			order_guess(rules->loose, s->match->state, s->seat->seat, line,
			            &line_says);
			rejects = rejects || line_says.denies;
			order_guesses_release(&line_says);
		}
	if (rejects)
		order_guesses(rules, s->match->state, s->seat->seat, canonical,
		              s->match->tables, strbuf_span(&left), true, &r->guesses);
	if (!r->guesses.changed)
		order_guesses_release(&r->guesses);
	if (!r->guesses.changed && !line_says.plain && (line_says.meant || rejects)) {
		order_guesses(rules, s->match->state, s->seat->seat, base, s->match->tables,
		              own, false, &all);
		other = all.count > 0 && !span_eq(strbuf_span(&all.texts[0]), canonical);
		order_guesses_release(&all);
	}
	strbuf_release(&left);
	return r->guesses.changed || line_says.plain || other;
}

/* "This turn 3 and 5, next turn 2 and 4": both are asked about together. False: it is not so. */
static bool judge_two_turns(struct request *req, const struct order_entry *s, struct span lines,
                            struct reading *r)
{
	struct order_guesses later = {.count = 0};
	struct span now, next;

	if (!loose_next_turn_apart(lines, req->arena, &now, &next))
		return false;
	order_guesses(s->match->rules, s->match->state, s->seat->seat, SPAN_EMPTY,
	              s->match->tables, next, false, &later);
	order_guesses(s->match->rules, s->match->state, s->seat->seat, SPAN_EMPTY,
	              s->match->tables, now, true, &r->guesses);
	bool found = later.count > 0 && r->guesses.count > 0;
	if (found) {
		const char *both = arena_printf(
		    req->arena, "%s\nQUEUE %u %s", r->guesses.texts[0].ptr,
		    match_turn_number(s->match->turn.label) + 1, later.texts[0].ptr);

		strbuf_clear(&r->guesses.texts[0]);
		strbuf_adds(&r->guesses.texts[0], both);
		while (r->guesses.count > 1)
			strbuf_release(&r->guesses.texts[--r->guesses.count]);
		r->whole = false;
	} else {
		order_guesses_release(&r->guesses);
	}
	order_guesses_release(&later);
	return found;
}

/* "Same moles as before, whack 9" changes the orders of the turn before; other words those of this one. */
static enum err judge_reading(struct request *req, const struct order_entry *s,
                              struct span lines, struct reading *r)
{
	struct span base = {NULL, 0}, rest;

	if (clauses_have(lines, CLAUSE_REFERENCE))
		TRY(orders_before(req, s->match, s->seat->seat, &base));
	if (!base.ptr)
		base = base_of(s);
	r->whole = r->ok && !diags_has_errors(&r->diags) &&
	           !leaves_orders_out(s, base, lines, r);
	if (r->guesses.changed || judge_two_turns(req, s, lines, r))
		return ERR_NONE;
	r->scope = loose_order_scope(lines, match_turn_number(s->match->turn.label), r->whole,
	                             req->arena, &rest);
	if (r->scope) {
		lines = rest;
		base = (struct span){NULL, 0};
		r->whole = false;
	}
	if (!r->whole)
		order_guesses(s->match->rules, s->match->state, s->seat->seat, base,
		              s->match->tables, lines, true, &r->guesses);
	return ERR_NONE;
}

/* Where one seat moves after the other, orders of who is not to move now: whether they are for their next turn. */
static enum err ask_to_queue(struct request *req, struct order_entry *s, struct span lines,
                             const struct diags *diags)
{
	const struct match *m = s->match;
	struct order_guesses typed = {.count = 0};
	struct strbuf text = STRBUF_INIT;
	struct span line;
	struct game_result result = {0};
	/* A round has a turn of each seat, so it is the one that is open. */
	unsigned number = match_turn_number(m->turn.label) +
	                  !span_starts(m->turn.label, "round ");

	m->rules->result(m->state, &result);
	if (seat_in(result.eliminated, s->seat->seat))
		return refuse_orders(req, s, diags);
	while (span_next_line(&lines, &line))
		if (span_trim(line).len > 0)
			strbuf_addf(&text, "%s%.*s", text.len > 0 ? "; " : "",
			            SPAN_ARGS(span_trim(line)));
	order_guess_add(&typed, strbuf_span(&text));
	enum err rc = ask_about_orders(req, s, (struct span){NULL, 0}, diags, &typed,
	                               arena_printf(req->arena, "QUEUE %u", number));
	order_guesses_release(&typed);
	strbuf_release(&text);
	return rc;
}

static enum err keep_reading(struct request *req, struct order_entry *s,
                             const struct command *item, struct reading *r)
{
	struct span canonical = strbuf_span(&r->canonical);
	struct diags all = DIAGS_INIT;
	enum err rc;

	if (!r->ok && !r->guesses.meant && !diags_has_errors(&r->diags)) {
		request_not_understood(
		    req); /* talk; the answer to a command beside it says so */
		return ERR_NONE;
	}
	rc = all_diags(req, item->orders, &r->diags, &all);
	/* Late, in the grace, there is no later moment at which a draft could count. */
	if (rc == ERR_NONE && !r->whole && order_entry_in_time(req, s) &&
	    !span_eq_str(canonical, ORDER_RESIGN_TEXT) &&
	    seat_in((struct seat_set){s->match->turn.owes}, s->seat->seat))
		rc = ask_about_orders(req, s, r->ok ? canonical : (struct span){NULL, 0}, &all,
		                      &r->guesses, r->scope);
	else if (rc == ERR_NONE && !r->ok && order_entry_in_time(req, s) &&
	         match_turn_number(s->match->turn.label) > 0 &&
	         seat_count((struct seat_set){s->match->turn.owes}) == 1 &&
	         !seat_in((struct seat_set){s->match->turn.owes}, s->seat->seat))
		rc = ask_to_queue(req, s, item->orders, &all);
	else if (rc == ERR_NONE)
		rc = r->ok ? keep_orders(req, s, canonical, &all, NULL)
		           : refuse_orders(req, s, &all);
	diags_release(&all);
	return rc;
}

/* "Could I join W1?" is no order to whack hole 1: what sounds like a command is one. */
static enum err is_loosely_for(struct request *req, int64_t game, const struct command *item,
                               bool *yes)
{
	bool command = diags_has_errors(&req->text->diags);
	struct orders_meant m;
	struct span rest;
	const char *scope = loose_order_scope(item->orders, 0, false, req->arena, &rest);

	*yes = scope && span_eq_str(span_of(scope), "PREVIEW");
	if (*yes) /* "what would happen if I hit 5?" */
		return ERR_NONE;
	TRY(orders_meant(req, game, item->orders, &m));
	if (m.meant && !m.plain && !command)
		TRY(sounds_like_a_command(req, m.good, &command));
	*yes = m.meant && (m.plain || !command);
	return ERR_NONE;
}

enum err orders_are_meant(struct request *req, const struct command *item, bool *yes)
{
	struct game *games;
	size_t n;
	enum tried r;

	*yes = false;
	if (req->about.game != 0) {
		TRY(orders_try(req, req->about.game, item->orders, &r));
		*yes = r != TRIED_TALK;
		return *yes ? ERR_NONE : is_loosely_for(req, req->about.game, item, yes);
	}
	TRY(request_games(req, &games, &n));
	for (size_t i = 0; i < n && !*yes; i++) {
		TRY(orders_try(req, games[i].id, item->orders, &r));
		*yes = r == TRIED_GOOD || (n == 1 && r == TRIED_WRONG);
		if (n == 1 && r == TRIED_TALK)
			TRY(is_loosely_for(req, games[0].id, item, yes));
	}
	return ERR_NONE;
}

enum err do_orders(struct request *req, const struct command *item)
{
	struct order_entry s;
	bool ready, yes, before = req->answer.understood;

	if (span_trim(item->orders).len == 0)
		return ERR_NONE;
	TRY(orders_are_meant(req, item, &yes));
	if (!yes)
		return ERR_NONE;
	enum err rc = order_entry_open(req, item, &s, &ready);
	if (rc == ERR_NONE && ready) {
		struct reading r = {.canonical = STRBUF_INIT, .diags = DIAGS_INIT};

		r.ok = read_orders(req, &s, item->orders, &r.canonical, &r.diags);
		rc = judge_reading(req, &s, item->orders, &r);
		if (rc == ERR_NONE)
			rc = keep_reading(req, &s, item, &r);
		order_guesses_release(&r.guesses);
		strbuf_release(&r.canonical);
		diags_release(&r.diags);
	}
	if (before)
		request_understood(req);
	return rc;
}

/* Somebody who is not surely the player must not lay anything down for them. */
static bool can_be_draft(const struct request *req, const struct order_entry *s,
                         struct span canonical)
{
	const struct seat_entry *e = &s->set.seats[s->seat->seat];

	return authenticate_is_sure(req, s->match->game.id) &&
	       !span_eq_str(span_trim(canonical), ORDER_RESIGN_TEXT) &&
	       seat_in((struct seat_set){s->match->turn.owes}, s->seat->seat) &&
	       (!s->before.ptr || e->origin == ORDER_STANDING);
}

enum err do_check(struct request *req, struct order_entry *s, const struct command *item)
{
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT, all = DIAGS_INIT;
	bool ok = s->match->rules->read_orders(s->match->state, s->seat->seat, s->before,
	                                       s->match->tables, item->orders, &canonical,
	                                       &diags);
	bool drafted = ok && can_be_draft(req, s, strbuf_span(&canonical));
	unsigned gives_way = drafted && s->before.ptr ? s->set.seats[s->seat->seat].revision
	                                              : 0;
	enum err rc = all_diags(req, item->orders, &diags, &all);

	request_verdict(req, "check",
	                drafted ? "orders were checked, nothing was stored but a draft"
	                        : "orders were checked, nothing was stored");
	if (rc == ERR_NONE && drafted)
		rc = order_entry_store_draft(req, s, strbuf_span(&canonical));
	if (rc == ERR_NONE)
		rc = send_receipt(
		    req, s,
		    &(struct receipt_of){.what = RECEIPT_CHECKED,
		                         .canonical = ok ? strbuf_span(&canonical) : SPAN_EMPTY,
		                         .diags = &all,
		                         .replaces = gives_way,
		                         .drafted = drafted});
	strbuf_release(&canonical);
	diags_release(&diags);
	diags_release(&all);
	return rc;
}

/* The draft goes with the orders; what is stored for every turn stays. */
enum err do_clear(struct request *req, struct order_entry *s, const struct command *item)
{
	unsigned serial = s->match->turn.serial, seat = s->seat->seat;
	bool draft = standing_order_of(&s->standing, seat, STANDING_DRAFT, serial) != NULL;
	unsigned replaces = s->before.ptr ? s->set.seats[seat].revision : 0;
	const char *overtaken;

	(void)item;
	TRY(receipt_note_overtaken(req, s, true, &overtaken));
	if (s->before.ptr)
		TRY(store_revision(req, s, SPAN_EMPTY, true));
	if (draft)
		TRY(order_entry_drop_standing(req, s, STANDING_DRAFT, serial));
	request_verdict(req, "clear", "orders withdrawn");
	return send_receipt(
	    req, s,
	    &(struct receipt_of){.what = RECEIPT_CLEARED,
	                         .overtaken = overtaken,
	                         .subject = draft && replaces == 0 ? "your draft is thrown away"
	                                                           : NULL,
	                         .note = !draft         ? NULL
	                                 : replaces > 0 ? "Your draft is thrown away as well."
	                                                : "Your draft is thrown away.",
	                         .replaces = replaces});
}

enum err do_wait(struct request *req, struct order_entry *s, const struct command *item)
{
	bool hold = item->verb == CMD_SET_WAIT;
	struct seat_set waiting = {s->match->turn.waiting};

	if (order_entry_is_late(req, s)) {
		request_verdict(req, "refused", "SET WAIT: the deadline has passed");
		return request_notice(
		    req, s->match, s->seat, "the deadline has passed",
		    arena_printf(req->arena, "status %s", s->match->id),
		    "The deadline of %.*s has passed, so whether you are set to wait "
		    "no longer matters: the turn ends when the last orders have "
		    "come, or with the grace. To see how it stands, send:",
		    SPAN_ARGS(s->match->turn.label));
	}
	waiting = hold ? seat_with(waiting, s->seat->seat)
	               : seat_without(waiting, s->seat->seat);
	s->match->turn.waiting = waiting.bits;
	TRY(turn_set_waiting(req->srv->store, s->match->game.id, s->match->turn.serial,
	                     s->seat->seat, hold));
	request_verdict(req, "command", hold ? "holds the turn" : "no longer holds the turn");
	return send_receipt(
	    req, s,
	    &(struct receipt_of){
		.what = RECEIPT_UNCHANGED,
		.subject = hold ? "the turn waits for its deadline" : "the turn need not wait",
		.revision = s->before.ptr ? s->set.seats[s->seat->seat].revision : 0,
		.canonical = s->before,
		.note = hold ? "The turn now waits for its deadline, even when everyone has "
	                       "sent orders."
	                     : "You are no longer waiting for the deadline."});
}

/* A salt goes with the orders or the JOIN of its mail; alone it renews the orders in force. */
enum err do_salt(struct request *req, const struct command *item)
{
	struct order_entry s;
	bool ready, taken = false;

	for (size_t i = 0; i < req->text->nitems && !taken; i++) {
		const struct command *other = &req->text->items[i];
		enum tried r = TRIED_TALK;
		if (other->verb == CMD_ORDERS && req->about.game != 0)
			TRY(orders_try(req, req->about.game, other->orders, &r));
		taken = r == TRIED_GOOD || other->verb == CMD_JOIN;
	}
	if (taken)
		return ERR_NONE;
	enum err rc = order_entry_open(req, item, &s, &ready);
	if (rc == ERR_NONE && ready && s.before.ptr)
		rc = keep_orders(req, &s, s.before, NULL, NULL);
	else if (rc == ERR_NONE && ready)
		rc = request_notice(
		    req, s.match, s.seat, "a salt goes with orders", "",
		    "A salt is stored with orders, and none of yours are stored for this "
		    "turn. Send both in one mail.");
	return rc;
}

enum err do_resign(struct request *req, const struct command *item)
{
	struct order_entry s;
	bool ready, gone = false;

	TRY(seats_leave(req, item, &gone));
	if (gone)
		return ERR_NONE;
	enum err rc = order_entry_open(req, item, &s, &ready);
	if (rc == ERR_NONE && ready)
		rc = keep_orders(
		    req, &s, SPAN_LIT(ORDER_RESIGN_TEXT), NULL,
		    "You leave the game when this turn is resolved. Until then new orders or "
		    "\"CLEAR\" take it back.");
	return rc;
}
