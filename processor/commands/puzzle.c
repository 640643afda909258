/*
 * puzzle.c - the answer to a mail with a puzzle: are these orders right?
 */
#include "processor/outgoing/puzzle.h"
#include "processor/bots/bots.h"
#include "processor/commands/commands.h"
#include "processor/request/answered_mails.h"

/* Each costs a part of what ANALYSE does. */
enum { MOST_IN_A_RUN = 40 };

enum err puzzle_answered(struct request *req, struct puzzle *out)
{
	struct outbox_mail row;
	int64_t week;
	bool found;

	*out = (struct puzzle){0};
	if (req->about.game != 0 || req->who.player.id == 0)
		return ERR_NONE;
	TRY(answered_mail(req, &row, &found));
	if (!found || !span_eq_str(row.kind, PUZZLE_KIND) || row.player != req->who.player.id)
		return ERR_NONE;
	week = puzzle_week(row.created_utc);
	enum err rc = puzzle_get(req->srv->store, week, req->arena, out);
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

static const char *judge(struct request *req, const struct puzzle_shown *p, struct span orders)
{
	const bool at_once = advice_is_win(p->row.wins);
	const struct hash key = hash_of(p->row.position);
	const unsigned less = bot_falls_short(p->match.rules, p->state, p->row.seat,
	                                      p->match.tables, p->row.orders, at_once, orders,
	                                      &key);

	req->srv->analysed++;
	request_verdict(req, "command", "a puzzle, %u of 1000 less than the best", less);
	if (less <= BOT_AS_GOOD)
		return at_once ? "Right! These orders win at once."
		               : "Right! Nothing better is known.";
	return arena_printf(req->arena,
	                    at_once
	                        ? "Not yet: the best orders win at once %u times of 100 more "
	                          "than these. To try again, reply to the mail with the puzzle."
	                        : "Not yet: the best orders win %u games of 100 more than "
	                          "these. To try again, reply to the mail with the puzzle.",
	                    less / 10);
}

enum err do_puzzle(struct request *req, const struct command *item, const struct puzzle *puzzle)
{
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	struct puzzle_shown p;
	enum err rc = puzzle_open(req->srv, puzzle, req->arena, &p);

	if (rc == ERR_NONE) {
		const bool full = req->srv->analysed >= MOST_IN_A_RUN;
		const bool ok = !full && p.match.rules->read_orders(
					     p.state, puzzle->seat, SPAN_EMPTY, p.match.tables,
					     item->orders, &canonical, &diags);
		const char *says =
		    full ? "So many answers came at once that yours was left out. Please send "
			   "it again in an hour."
		    : ok ? judge(req, &p, strbuf_span(&canonical))
			 : "No orders were understood in your mail, so nothing was judged.";
		request_understood(req);
		/* Thanks, or an away text: answered only so often. */
		if (!ok)
			request_verdict(req,
			                full || diags_has_errors(&diags) ? "refused"
			                                                 : "not-understood",
			                "an answer to a puzzle was not judged");
		rc = request_answer_notice(
		    req, NULL, NULL, "puzzle-answer",
		    &(struct report_notice){
			.subject = ok ? "your answer to the puzzle" : "the puzzle: not judged",
			.paragraphs = TEXTS(ok ? "You would order:" : says, ok ? says : NULL),
			.orders = strbuf_span(&canonical),
			.diags = ok ? NULL : &diags});
	}
	puzzle_close(&p);
	diags_release(&diags);
	strbuf_release(&canonical);
	return rc;
}
