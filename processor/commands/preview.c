/*
 * preview.c - PREVIEW: how a turn might go with these orders.
 *
 * Nothing of the real turn enters: the position is one the reader cannot tell from the
 * real one, the others' orders are made up by bots who see only that, and the dice are
 * not those of the game. So a preview can be asked for as often as one likes.
 *
 * Where nothing had to be made up the preview is exact, and says so. What is only drawn after the orders
 * the game leaves out; where the draws decide how they go, there is no preview: made-up dice would
 * only say how dice can fall, and people would try until they like it.
 */
#include <stdio.h>

#include "processor/bots/bots.h"
#include "processor/commands/commands.h"
#include "processor/request/order_entry.h"

/* The least that looks at what its orders bring. */
enum { OTHERS_LEVEL = 3 };

/* What had to be made up. */
struct imagined {
	bool others, hidden, dice;
};

/*
 * Of made-up chance, which nobody can make up again: who knew it could undo what it did to the hidden parts
 * of the real position.
 */
static struct hash imagined_key(const struct request *req, const char *what)
{
	const char *text = arena_printf(req->arena, "%lld %u %s", (long long)req->inbox_id,
	                                req->answer.count, what);

	return keyring_mac(req->srv->keys, "preview", span_of(text));
}

/* The imagined turn as the reader would be told of it. False with a sentence in `why`. */
static bool imagine_turn(const struct request *req, const struct order_entry *s,
                         struct span own, struct doc *out, struct imagined *what,
                         struct strbuf *why)
{
	const struct rules *rules = s->match->rules;
	struct seat_orders orders[MAX_SEATS + 1] = {0};
	struct game_state *next = NULL;
	const struct hash of_position = imagined_key(req, "position"),
			  of_dice = imagined_key(req, "dice");
	struct chance *chance = chance_from_key(&of_position);
	struct chance *dice = chance_from_key(&of_dice);
	struct game_state *seen = rules->resample(s->match->state, s->seat->seat, chance);

	/* Orders for every seat of it: the reader's own, made-up ones for the rest. */
	struct seat_set owes = rules->owes(seen);
	struct strbuf text = STRBUF_INIT;

	for (unsigned seat = 1; seat <= s->match->nseats; seat++) {
		if (seat == s->seat->seat) {
			orders[seat] = (struct seat_orders){own, ORDER_SENT};
		} else if (seat_in(owes, seat)) {
			const struct hash key =
			    imagined_key(req, arena_printf(req->arena, "seat %u", seat));
			what->others = true;
			strbuf_clear(&text);
			bot_orders(rules, rules->bots_version, seen, seat, OTHERS_LEVEL,
			           s->match->tables, &key, &text, NULL);
			orders[seat] = (struct seat_orders){
			    arena_dup(s->match->arena, strbuf_span(&text)), ORDER_BOT};
		}
	}
	strbuf_release(&text);
	what->hidden = (rules->facts & FACT_HIDDEN) != 0;
	bool ok = rules->resolve(seen, orders, dice, &next, why);
	what->dice = chance_count(dice) > 0;
	if (ok) {
		rules->view(next, s->seat->seat, out);
		rules->free_state(next);
	}
	rules->free_state(seen);
	chance_free(chance);
	chance_free(dice);
	return ok;
}

static const char *explain(const struct imagined *what)
{
	if (what->others)
		return "This is only an example of how the turn might go: what the others do "
		       "here, and every draw, is made up. Nothing was stored. To give these "
		       "orders, send them without \"PREVIEW\".";
	if (what->hidden)
		return "This is what your orders do, as far as you can know; what is hidden "
		       "from you, and every draw, is made up. Nothing was stored. To give "
		       "these orders, send them without \"PREVIEW\" or \"TEST\".";
	if (what->dice)
		return "This is what your orders do; what is drawn after them is left to "
		       "chance. Nothing "
		       "was stored. To give these orders, send them without \"PREVIEW\" or "
		       "\"TEST\".";
	return "This is exactly what would happen. Nothing was stored. To give them, send them "
	       "without \"PREVIEW\" or \"TEST\".";
}

static enum err send_preview(struct request *req, struct order_entry *s, struct span own)
{
	struct strbuf text = STRBUF_INIT, why = STRBUF_INIT;
	struct imagined what = {false, false, false};
	struct doc doc;

	doc_init(&doc, req->arena);
	if (req->who.player.form.cols > 0)
		doc.cols = req->who.player.form.cols;
	doc.tables = s->match->tables;
	doc.draws_imagined = true;
	if (!imagine_turn(req, s, own, &doc, &what, &why)) {
		enum err bad = err_set(&req->srv->fail, ERR_CORRUPT, "%s: preview: %s",
		                       s->match->id, why.ptr);
		strbuf_release(&why);
		return bad;
	}
	if (what.dice && doc.draws_decided) {
		strbuf_release(&why);
		request_verdict(req, "check", "no preview, chance decides");
		return request_notice(
		    req, s->match, s->seat, "no preview, nothing stored", "",
		    "How these orders would turn out is a matter of chance alone, so there is "
		    "no preview. Nothing was stored. \"CHECK\" says whether orders would be "
		    "taken.");
	}
	report_text_for(&doc, report_form_of(&req->who.player.form), &text);
	request_verdict(req, "check", "a preview, nothing was stored");
	enum err rc = request_answer_notice(
	    req, s->match, s->seat, "preview",
	    &(struct report_notice){
		.subject = "a preview, nothing stored",
		.paragraphs = TEXTS("Your orders would be:", explain(&what)),
		.orders = own,
		.attachment = strbuf_span(&text),
	    });
	strbuf_release(&text);
	return rc;
}

enum err do_preview(struct request *req, struct order_entry *s, const struct command *item)
{
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	bool none = span_trim(item->orders).len == 0;
	bool ok = none ? s->before.ptr != NULL
	               : s->match->rules->read_orders(s->match->state, s->seat->seat, s->before,
	                                              s->match->tables, item->orders,
	                                              &canonical, &diags);

	if (none && ok)
		strbuf_add_span(&canonical, s->before);
	enum err rc = ok ? send_preview(req, s, strbuf_span(&canonical))
	                 : do_check(req, s, item);
	strbuf_release(&canonical);
	diags_release(&diags);
	return rc;
}
