/*
 * show.c - HELP, LIST, STATUS, RESEND: what is there, and what was sent.
 */
#include <stdio.h>

#include "mail/compose.h"
#include "processor/commands/commands.h"
#include "processor/commands/mail.h"
#include "processor/match/fork.h"
#include "processor/match/match_clock.h"
#include "processor/match/press.h"
#include "processor/match/report_values.h"
#include "processor/match/substitute_orders.h"
#include "processor/match/votes.h"
#include "processor/outgoing/digest.h"
#include "processor/request/admission.h"
#include "processor/request/confirmation.h"
#include "processor/request/master.h"
#include "processor/request/request.h"
#include "processor/request/which_game.h"
#include "processor/server/zones.h"
#include "store/rematches.h"

#include "processor/base/banned.h"

static enum err help_kind(struct dealing *d, const struct rules *kind)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct options options;
	struct doc doc;

	options_init(&options, kind);
	doc_init(&doc, d->arena);
	kind->guide(&options, &doc);
	report_guide(&(struct report_guide){.topic = GUIDE_KIND,
	                                    .kind = kind,
	                                    .kind_doc = &doc,
	                                    .address = d->srv->cfg.address},
	             &out);
	enum err rc = dealing_answer(d, NULL, NULL, "help", &out);
	letter_out_release(&out);
	return rc;
}

static enum err help_words(struct dealing *d, const struct letter_item *item)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct strbuf table = STRBUF_INIT;

	letter_add_table(&table);
	report_guide(
	    &(struct report_guide){
		.topic = item->topic.len == 0                      ? GUIDE_SHORT
	                 : span_eq_nocase(item->topic, "COMMANDS") ? GUIDE_COMMANDS
	                                                           : GUIDE_TOPIC,
		.topic_word = arena_cstr(d->arena, item->topic),
		.command_table = strbuf_span(&table),
		.address = d->srv->cfg.address,
	    },
	    &out);
	enum err rc = dealing_answer(d, NULL, NULL, "help", &out);
	letter_out_release(&out);
	strbuf_release(&table);
	return rc;
}

enum err do_help(struct dealing *d, const struct letter_item *item)
{
	d->understood = true;
	return item->kind ? help_kind(d, item->kind) : help_words(d, item);
}

static enum err list_row(struct dealing *d, const struct game *g, struct report_list_row *row,
                         struct hand *h)
{
	struct strbuf options = STRBUF_INIT;
	bool imported = g->origin == GAME_IMPORTED, runs;
	struct press_rules press;
	const char *from;
	int64_t kept;
	bool asked;

	TRY(hand_load(d->srv, g->id, d->arena, h));
	runs = h->has_turn && g->status == GAME_RUNNING && !g->held;
	TRY(game_provenance(d->srv, h, &from));
	TRY(press_rules_get(d->srv->store, g->id, &press));
	TRY(entry_kept_until(d->srv, g->id, &kept));
	TRY(invitation_exists(d->srv->store, g->id, d->player.id, &asked));
	TRY(entry_add_options(d->srv, g->id, &options));
	strbuf_addc(&options, ' ');
	options_format(&h->options, true, &options);
	press_add_options(&press, &options);
	*row = (struct report_list_row){
	    .id = h->id,
	    .kind_title = h->rules->title,
	    .title = arena_cstr(d->arena, g->title),
	    .status = game_status_name(g->status),
	    .options = arena_cstr(d->arena, span_trim(strbuf_span(&options))),
	    .next = imported ? NULL : brief_interval(d->arena, g->next_s),
	    .pace = pace_words(d->srv, h),
	    .nseats = g->nseats,
	    .taken = hand_taken(h),
	    .is_private = g->is_private,
	    .seats_are_kept = kept != 0 && !asked,
	    .secret_digest = g->secret_digest,
	    .label = h->has_turn && h->turn.serial > 0 ? arena_cstr(d->arena, h->turn.label)
	                                               : "",
	    .deadline_utc = runs && !imported ? h->turn.deadline_utc : 0,
	    .start_utc = g->start_utc > d->srv->now_utc ? g->start_utc : 0,
	    .from = from,
	};
	for (size_t i = 0; i < h->nseats; i++) {
		row->bots += h->seats[i].bot_level >= 0 && h->seats[i].vacated_utc == 0;
		row->vacant += h->seats[i].vacated_utc != 0;
	}
	strbuf_release(&options);
	return observer_count(d->srv->store, g->id, &row->observers);
}

/* What players want to know before they take a seat. */
static const char *misses_phrase(const struct calendar *c, struct arena *arena)
{
	if (c->misses == 0)
		return "Nobody loses his seat by sending nothing.";
	return arena_printf(arena, "Who sends nothing for %s loses the seat%s.",
	                    c->misses == 1 ? "a turn"
	                                   : arena_printf(arena, "%u turns running", c->misses),
	                    c->vacant_bot ? ", which the server plays then" : "");
}

static enum err send_list(struct dealing *d, const struct report_list *list)
{
	struct letter_out out = LETTER_OUT_INIT;

	report_list(list, &out);
	enum err rc = dealing_answer(d, NULL, NULL, "list", &out);
	letter_out_release(&out);
	return rc;
}

enum { LIST_MOST = 100 };

/* Those in which the speaker does not sit: he has seen them already. */
static enum err list_others(struct dealing *d, const struct game *games, size_t ngames,
                            const struct game *own, size_t nown, struct report_list_row *rows,
                            size_t *n)
{
	struct hand h;

	for (size_t i = 0; i < ngames && *n < LIST_MOST; i++) {
		bool already = games[i].is_private;
		for (size_t k = 0; k < nown; k++)
			already = already || own[k].id == games[i].id;
		if (!already)
			TRY(list_row(d, &games[i], &rows[(*n)++], &h));
	}
	return ERR_NONE;
}

/*
 * Open public games and those with a vacant seat; games of the speaker's own are shown too, private
 * or not.
 */
static enum err list_all(struct dealing *d)
{
	struct game *open, *own = NULL, *vacant;
	size_t nopen, nown = 0, nvacant, n = 0;
	unsigned mine = 1u << GAME_GATHERING | 1u << GAME_RUNNING | 1u << GAME_PAUSED;
	struct report_list_row *rows = arena_calloc(d->arena, LIST_MOST, sizeof(*rows));
	struct hand h;

	TRY(game_list(d->srv->store, 1u << GAME_GATHERING, 0, LIST_MOST / 2, d->arena, &open,
	              &nopen));
	TRY(game_list_vacant(d->srv->store, LIST_MOST / 4, d->arena, &vacant, &nvacant));
	if (d->player.id != 0)
		TRY(game_list_of_player(d->srv->store, d->player.id, mine, d->arena, &own,
		                        &nown));
	for (size_t i = 0; i < nown && n < LIST_MOST / 2; i++) {
		TRY(list_row(d, &own[i], &rows[n], &h));
		rows[n++].readers_own = true;
	}
	TRY(list_others(d, open, nopen, own, nown, rows, &n));
	TRY(list_others(d, vacant, nvacant, own, nown, rows, &n));
	return send_list(d, &(struct report_list){.rows = rows,
	                                          .nrows = n,
	                                          .now_utc = d->srv->now_utc,
	                                          .zone = zone_of_reader(d->srv, &d->player)});
}

enum err do_list(struct dealing *d, const struct letter_item *item)
{
	struct hand h;
	struct seat *seat;
	bool found;
	struct report_list_row row;

	d->understood = true;
	if (item->game == 0)
		return list_all(d);
	TRY(dealing_game(d, item, &h, &seat, &found));
	if (!found)
		return ERR_NONE;
	struct game g = h.game;
	struct press_rules press;
	TRY(list_row(d, &g, &row, &h));
	TRY(press_rules_get(d->srv->store, g.id, &press));
	row.press = g.ended_utc == 0 ? press_phrase(&press, d->arena) : NULL;
	row.misses = g.ended_utc == 0 ? misses_phrase(&h.calendar, d->arena) : NULL;
	row.master = master_words(&h);
	return send_list(d, &(struct report_list){.rows = &row,
	                                          .nrows = 1,
	                                          .one = true,
	                                          .names = brief_table(&h),
	                                          .now_utc = d->srv->now_utc,
	                                          .zone = zone_of_reader(d->srv, &d->player)});
}

/* The newest position there is: that of the open turn, or the final one. */
static enum err newest_position(struct server *srv, struct hand *h)
{
	if (!h->has_turn || h->state)
		return ERR_NONE;
	if (h->turn.state == TURN_DROPPED)
		return hand_result(srv, h, h->turn.parent, &h->state);
	if (h->turn.state == TURN_REPORTED)
		return hand_result(srv, h, h->turn.serial, &h->state);
	return hand_position(srv, h);
}

static void status_orders(const struct order_set *set, const struct seat *seat,
                          struct report_status *s)
{
	const struct seat_entry *e = seat ? &set->seats[seat->seat] : NULL;

	if (!e || !e->acts || e->revision == 0)
		return;
	s->canonical = e->canonical;
	s->revision = e->revision;
	s->received_utc = e->received_utc;
}

static enum err status_laid(struct dealing *d, struct hand *h, unsigned seat,
                            struct report_status *s)
{
	struct report_provision *laid;
	struct provisions all;
	struct silence silence;
	enum { LAID_ABSENCES = 4 };

	TRY(provisions_load(d->srv, h, &all));
	TRY(stand_in_silence(d->srv, h, &all, seat, &silence));
	s->silence = silence.lead;
	s->default_orders = silence.orders;
	s->last_chance = s->last_chance && !silence_covers(&silence);
	s->nlaid = provisions_words(h, &all, seat, LAID_ABSENCES, &laid);
	s->laid = laid;
	return absence_words(d, laid, s->nlaid + LAID_ABSENCES, &s->nlaid);
}

enum err status_of(struct dealing *d, struct hand *h, struct seat *seat,
                   struct report_status *out)
{
	struct order_set set = {0};
	struct report_commitment *commitments = NULL;
	bool open = h->has_turn && h->turn.serial > 0 && h->turn.state == TURN_OPEN;

	TRY(newest_position(d->srv, h));
	if (open)
		TRY(order_set_load(d->srv, h, &set));
	*out = (struct report_status){
	    .game = brief_game(d->srv, h, seat, &d->player),
	    .clock = brief_clock(d->srv, h, seat),
	    .status = game_status_name(h->game.status),
	    .reader_owes = open && seat && seat_in((struct seat_set){h->turn.owes}, seat->seat),
	    .names = brief_table(h),
	    .pace = pace_words(d->srv, h),
	    .last_chance = seat && brief_last_chance(h, seat),
	    .stepped_in = brief_stepped_in(d->srv, h, seat),
	};
	status_orders(&set, seat, out);
	out->ncommitments =
	    brief_commitments_so_far(h, &set, seat ? seat->seat : 0, &commitments);
	out->commitments = commitments;
	if (open && seat && d->player.id == seat->player)
		TRY(status_laid(d, h, seat->seat, out));
	if (h->state) {
		out->view = brief_view(h, h->state, seat ? seat->seat : SEAT_PUBLIC);
		out->examples = brief_examples(h, seat ? seat->seat : 0);
	}
	if (open) {
		unsigned *line;
		size_t n;
		TRY(line_of_play(d->srv, h, &line, &n));
		out->turn_number = (unsigned)n - 1;
		TRY(votes_now(d->srv, h, seat ? seat->seat : 0, &out->votes, &out->nvotes));
	}
	out->master = master_words(h);
	out->reader_is_master = h->game.master != 0 && h->game.master == d->player.id;
	return ERR_NONE;
}

static enum err show_status(struct dealing *d, const struct letter_item *item, struct hand *h,
                            struct seat *seat)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct report_status s;

	(void)item;
	TRY(status_of(d, h, seat, &s));
	report_status(&s, &out);
	enum err rc = dealing_answer(d, h, seat, "status", &out);
	letter_out_release(&out);
	return rc;
}

enum err do_status(struct dealing *d, const struct letter_item *item)
{
	return dealing_with_game(d, item, show_status);
}

/* The text of a mail of ours once more, under a new Message-ID, so that no mail program hides it. */
static enum err repeat(struct dealing *d, struct hand *h, struct seat *seat,
                       const struct outbox_mail *old)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct strbuf reply = STRBUF_INIT;
	struct question question;
	enum question_end end;
	char key[64];
	enum err asks = question_of_row(d, old, &question, &end);

	if (asks != ERR_NONE && asks != ERR_NOT_FOUND)
		return asks;
	if (asks == ERR_NONE && d->srv->cfg.plus_address)
		question_add_reply(d->srv, &question, end, &reply);

	strbuf_addf(&out.subject, "[%s] mail %u, once more", h->id, old->number);
	if (!mail_read_back(old->message, &out.body)) {
		letter_out_release(&out);
		strbuf_release(&reply);
		return err_set(&d->srv->fail, ERR_CORRUPT, "outbox row %lld does not read back",
		               (long long)old->id);
	}
	snprintf(key, sizeof(key), "inbox %lld %u", (long long)d->inbox_id, ++d->item);
	/* A question that is still open is answered by its repetition as well. */
	struct post post = {.kind = asks == ERR_NONE ? arena_cstr(d->arena, old->kind)
	                                             : "resend",
	                    .key = key,
	                    .game = &h->game,
	                    .seat = seat,
	                    .serial = old->serial,
	                    .player = d->player.id,
	                    .address = d->player.address,
	                    .ascii = d->player.ascii,
	                    .letter = &out,
	                    .question = asks == ERR_NONE ? question.id : 0,
	                    .cause = asks == ERR_NONE ? old->cause : d->inbox_id,
	                    .in_reply_to = d->mail->message_id,
	                    .reply_to = reply.len > 0 ? reply.ptr : NULL,
	                    .replied = true,
	                    .resend = true};
	enum valve valve = VALVE_SHUT;
	enum err rc = d->may_answer ? dealing_may_send(d, h, seat, post.kind, &out, &valve)
	                            : ERR_NONE;
	post.postscript = dealing_last_words(valve);
	if (rc == ERR_NONE && valve != VALVE_SHUT)
		rc = post_add(d->srv, &post, d->arena);
	letter_out_release(&out);
	strbuf_release(&reply);
	return rc;
}

static enum err resend(struct dealing *d, const struct letter_item *item, struct hand *h,
                       struct seat *seat)
{
	struct outbox_mail old;

	if (!seat)
		return dealing_notice(
		    d, h, NULL, "you have no seat there", "list",
		    "Only mails to a seat of yours can be repeated. Open games are shown by:");
	enum err rc = outbox_by_number(d->srv->store, h->game.id, seat->seat, item->number,
	                               d->arena, &old);
	if (rc == ERR_NOT_FOUND)
		return dealing_notice(
		    d, h, seat, "no such mail", "resend",
		    "You have been sent %u mails in %s so far; there is no number %u. "
		    "The last report comes again with:",
		    seat->mails, h->id, item->number);
	TRY(rc);
	if (old.player != d->player.id)
		return dealing_notice(
		    d, h, seat, "no such mail", "resend",
		    "That mail went to somebody who held your seat before you. The last "
		    "report comes again with:");
	return repeat(d, h, seat, &old);
}

enum err do_resend(struct dealing *d, const struct letter_item *item)
{
	if (bundle_is_meant(d, item))
		return bundle_resend(d, item);
	return dealing_with_game(d, item, resend);
}
