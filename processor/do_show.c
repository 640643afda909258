/*
 * do_show.c - HELP, LIST, STATUS, HISTORY, SUMMARY, ARCHIVE, RESEND: what changes nothing.
 */
#include <stdio.h>

#include "mail/compose.h"
#include "processor/brief.h"
#include "processor/bundle.h"
#include "processor/dealing.h"
#include "processor/entry.h"
#include "processor/forking.h"
#include "processor/master.h"
#include "processor/pace.h"
#include "processor/press.h"
#include "processor/question.h"
#include "processor/record.h"
#include "processor/standin.h"
#include "processor/voting.h"
#include "processor/zones.h"
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
	bool imported = g->origin == GAME_IMPORTED;
	struct press_rules press;
	const char *from;
	int64_t kept;
	bool asked;

	TRY(hand_load(d->srv, g->id, d->arena, h));
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
	    .deadline_utc = h->has_turn && !imported ? h->turn.deadline_utc : 0,
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
	row.press = press_phrase(&press, d->arena);
	row.master = master_words(&h);
	return send_list(d, &(struct report_list){.rows = &row,
	                                          .nrows = 1,
	                                          .one = true,
	                                          .names = brief_table(&h),
	                                          .now_utc = d->srv->now_utc,
	                                          .zone = zone_of_reader(d->srv, &d->player)});
}

/* The position as this seat may see it, NULL before the start. */
static const struct doc *view_for(struct hand *h, const struct game_state *state, unsigned seat)
{
	struct doc *doc = arena_alloc(h->arena, sizeof(*doc));

	doc_init(doc, h->arena);
	doc->tables = h->tables;
	h->rules->view(state, seat, doc);
	return doc;
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
	};
	status_orders(&set, seat, out);
	out->ncommitments =
	    brief_commitments_so_far(h, &set, seat ? seat->seat : 0, &commitments);
	out->commitments = commitments;
	if (open && seat && d->player.id == seat->player)
		TRY(status_laid(d, h, seat->seat, out));
	if (h->state) {
		out->view = view_for(h, h->state, seat ? seat->seat : SEAT_PUBLIC);
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

static bool is_in(const unsigned *line, size_t n, unsigned serial)
{
	for (size_t i = 0; i < n; i++)
		if (line[i] == serial)
			return true;
	return false;
}

/* The reports of turns from..to as this reader may see them, drawn anew from the positions. */
static enum err history_text(struct dealing *d, struct hand *h, const struct seat *seat,
                             unsigned from, unsigned to, struct strbuf *out)
{
	struct turn *turns;
	unsigned *line;
	size_t n, nline;

	TRY(turn_list(d->srv->store, h->game.id, h->arena, &turns, &n));
	TRY(line_of_play(d->srv, h, &line, &nline));
	for (size_t i = 0; i < n; i++) {
		struct game_state *state = NULL;
		unsigned number = turns[i].serial == 0 ? 0 : hand_turn_number(turns[i].label);
		if (number < from || (to != 0 && number > to) ||
		    turns[i].state != TURN_REPORTED)
			continue;
		TRY(hand_result(d->srv, h, turns[i].serial, &state));
		if (turns[i].serial == 0)
			strbuf_adds(out, "== At the start ==\n\n");
		else
			strbuf_addf(out, "== After %.*s%s ==\n\n", SPAN_ARGS(turns[i].label),
			            is_in(line, nline, turns[i].serial) ? "" : " (taken back)");
		report_text(view_for(h, state, seat ? seat->seat : SEAT_PUBLIC), out);
		strbuf_addc(out, '\n');
		h->rules->free_state(state);
	}
	return ERR_NONE;
}

static enum err send_attachment(struct dealing *d, struct hand *h, struct seat *seat,
                                const char *subject, const char *paragraph, struct span text)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct report_game game = brief_game(d->srv, h, seat, &d->player);

	report_notice(&(struct report_notice){.game = &game,
	                                      .subject = subject,
	                                      .paragraphs = (const char *const[]){paragraph},
	                                      .nparagraphs = 1,
	                                      .attachment = text},
	              &out);
	enum err rc = dealing_answer(d, h, seat, "record", &out);
	letter_out_release(&out);
	return rc;
}

static enum err show_history(struct dealing *d, const struct letter_item *item, struct hand *h,
                             struct seat *seat)
{
	struct strbuf text = STRBUF_INIT;
	enum err rc = history_text(d, h, seat, item->from, item->to, &text);

	if (rc == ERR_NONE && text.len == 0)
		rc = dealing_notice(d, h, seat, "no history yet", "",
		                    "No turn of %s in that range has been played yet.", h->id);
	else if (rc == ERR_NONE)
		rc = send_attachment(
		    d, h, seat, "the turns played so far",
		    "The positions after each turn, as you may see them:", strbuf_span(&text));
	strbuf_release(&text);
	return rc;
}

enum err do_history(struct dealing *d, const struct letter_item *item)
{
	return dealing_with_game(d, item, show_history);
}

static const char *const *score_texts(struct hand *h, const struct game_state *state)
{
	struct game_result result;
	const char **texts = arena_calloc(h->arena, h->nseats + 2, sizeof(*texts));

	h->rules->result(state, &result);
	for (unsigned s = 1; s <= h->nseats; s++)
		texts[s] = arena_printf(h->arena, "%lld", (long long)result.scores[s]);
	return texts;
}

static unsigned missed_in(const struct order_set *set, size_t nseats)
{
	unsigned n = 0;

	for (unsigned s = 1; s <= nseats; s++)
		n += set->seats[s].acts && set->seats[s].revision == 0;
	return n;
}

static enum err summary_row(struct dealing *d, struct hand *h, const struct turn *turn,
                            struct report_summary_row *row)
{
	struct game_state *state = NULL;
	struct order_set set;
	struct hand at = *h;

	TRY(hand_result(d->srv, h, turn->serial, &state));
	at.turn = *turn;
	at.state = NULL;
	enum err rc = order_set_load(d->srv, &at, &set);
	if (rc == ERR_NONE)
		*row = (struct report_summary_row){.label = arena_cstr(h->arena, turn->label),
		                                   .sealed_utc = turn->sealed_utc,
		                                   .scores = score_texts(h, state),
		                                   .missed = missed_in(&set, h->nseats)};
	hand_release(&at);
	h->rules->free_state(state);
	return rc;
}

static enum err show_summary(struct dealing *d, const struct letter_item *item, struct hand *h,
                             struct seat *seat)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct turn *turns;
	unsigned *line;
	size_t n, nline, nrows = 0;

	(void)item;
	TRY(turn_list(d->srv->store, h->game.id, h->arena, &turns, &n));
	TRY(line_of_play(d->srv, h, &line, &nline)); /* what was taken back is passed over */
	struct report_summary_row *rows = arena_calloc(h->arena, n + 1, sizeof(*rows));
	for (size_t i = 0; i < n; i++)
		if (turns[i].state == TURN_REPORTED && turns[i].serial > 0 &&
		    is_in(line, nline, turns[i].serial))
			TRY(summary_row(d, h, &turns[i], &rows[nrows++]));
	report_summary(&(struct report_summary){.game = brief_game(d->srv, h, seat, &d->player),
	                                        .names = brief_names(h),
	                                        .rows = rows,
	                                        .nrows = nrows},
	               &out);
	enum err rc = dealing_answer(d, h, seat, "summary", &out);
	letter_out_release(&out);
	return rc;
}

enum err do_summary(struct dealing *d, const struct letter_item *item)
{
	return dealing_with_game(d, item, show_summary);
}

static enum err show_archive(struct dealing *d, const struct letter_item *item, struct hand *h,
                             struct seat *seat)
{
	struct strbuf text = STRBUF_INIT;
	enum err rc = record_text(d->srv, h, &text);

	(void)item;
	if (rc == ERR_NONE)
		rc = send_attachment(
		    d, h, seat, "the record so far",
		    "The record of the game as far as it has been played. Save the part "
		    "between the two lines of dashes, with them; anybody who has this program "
		    "can replay and check it.",
		    strbuf_span(&text));
	strbuf_release(&text);
	return rc;
}

enum err do_archive(struct dealing *d, const struct letter_item *item)
{
	return dealing_with_game(d, item, show_archive);
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
	dealing_say_last(valve, &out.body);
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
