/*
 * welcome.c - the mail to who has a seat in a game that has not begun.
 */
#include "processor/request/welcome.h"

#include "processor/match/fork.h"
#include "processor/match/match_clock.h"
#include "processor/match/press.h"
#include "processor/request/admission.h"

#include "processor/base/banned.h"

/* Examples of orders in a game that has not begun. */
static const struct doc *trial_examples(const struct hand *h)
{
	struct doc *doc = arena_alloc(h->arena, sizeof(*doc));
	struct game_state *state = hand_trial_position(h);

	doc_init(doc, h->arena);
	doc_in(doc, DOC_HELP);
	if (state) {
		h->rules->examples(state, 1, doc);
		h->rules->free_state(state);
	}
	return doc;
}

static unsigned bots_in(const struct hand *h)
{
	unsigned n = 0;
	for (size_t i = 0; i < h->nseats; i++)
		n += h->seats[i].bot_level >= 0;
	return n;
}

enum err welcome_letter(struct server *srv, struct hand *h, const struct seat *seat,
                        const struct player *reader, bool created, const char *key,
                        const char *note, struct letter_out *out)
{
	struct strbuf options = STRBUF_INIT;
	struct press_rules press;
	const char *alone, *notes[1];
	int64_t kept;
	size_t n = 0;

	TRY(fork_against_bots(srv, h, &alone));
	if (note)
		notes[n++] = note;
	TRY(press_rules_get(srv->store, h->game.id, &press));
	TRY(entry_kept_until(srv, h->game.id, &kept));
	TRY(entry_add_options(srv, h->game.id, &options));
	strbuf_addc(&options, ' ');
	options_format(&h->options, true, &options);
	press_add_options(&press, &options);
	report_welcome(
	    &(struct report_welcome){
		.game = brief_game(srv, h, seat, reader),
		.created = created,
		.seats_are_kept = kept != 0,
		.waiting_confirmation = seat && !seat->confirmed,
		.seats_taken = hand_taken(h),
		.bots = bots_in(h),
		.names = brief_names(h),
		.options = arena_cstr(h->arena, span_trim(strbuf_span(&options))),
		.next = brief_interval(h->arena, h->game.next_s),
		.pace = pace_words(srv, h),
		.start_utc = h->game.start_utc > srv->now_utc ? h->game.start_utc : 0,
		.now_utc = srv->now_utc,
		.is_private = h->game.is_private,
		.join_key = created && h->game.is_private ? key : NULL,
		.alone = alone,
		.fair = {h->game.secret_digest, keyring_public_key(srv->keys)},
		.examples = trial_examples(h),
		.notes = notes,
		.nnotes = n,
	    },
	    out);
	strbuf_release(&options);
	return ERR_NONE;
}

enum err welcome_send(struct dealing *d, struct hand *h, struct seat *seat, bool created,
                      const char *key, const char *note)
{
	struct letter_out out = LETTER_OUT_INIT;
	enum err rc = welcome_letter(d->srv, h, seat, &d->player, created, key, note, &out);

	if (rc == ERR_NONE)
		rc = dealing_answer(d, h, seat, "welcome", &out);
	letter_out_release(&out);
	return rc;
}
