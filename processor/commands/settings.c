/*
 * settings.c - how a player has their mails: by which clocks (SET ZONE, SET QUIET), how they look
 * (SET WIDTH, SET BOARD, SET PROOF, SET MAIL HTML), whether reminders and puzzles come (SET REMINDERS, SET PUZZLE), and
 * when (SET MAIL).
 */
#include "processor/commands/commands.h"
#include "processor/outgoing/digest.h"
#include "processor/request/identify.h"
#include "processor/request/request.h"
#include "processor/server/zones.h"
#include "store/digests.h"

static enum err for_players_only(struct request *req, const char *what)
{
	return request_notice(
	    req, NULL, NULL, "for players only", "list",
	    "Only somebody who plays here can set %s. To see the games you can join, send:",
	    what);
}

/* ---- the clocks of the reader's place ---- */

static enum err change_zone(struct request *req, const char *name)
{
	struct strbuf now = STRBUF_INIT;
	const struct zone *zone;
	enum err rc;

	struct player p = req->who.player;
	p.zone = arena_dup(req->arena, span_of(name));
	identify_player(req, &p);
	zone = zone_of_reader(req->srv, &req->who.player);
	TRY(player_set_form(req->srv->store, &req->who.player));
	request_verdict(req, "command", "time zone %s", name);
	zone_format_human(&now, zone, req->srv->now_utc);
	rc = request_notice(req, NULL, NULL, "your time zone",
	                    zone ? "set zone UTC" : "set zone Europe/Berlin",
	                    "From now on, times in mails to you are those of %s. It is now %s. "
	                    "To choose another place, for example:",
	                    name, now.ptr);
	strbuf_release(&now);
	return rc;
}

enum err do_zone(struct request *req, const struct command *item)
{
	const char *names[ZONE_MATCHES];
	size_t n;

	request_understood(req);
	if (req->who.player.id == 0)
		return for_players_only(req, "a time zone");
	if (span_eq_nocase(item->name, "utc"))
		return change_zone(req, "UTC");
	zones_match(req->srv, item->name, names, &n);
	if (n == 0) {
		request_verdict(req, "command", "no such time zone");
		return request_notice(
		    req, NULL, NULL, "no such time zone", "set zone Europe/Berlin",
		    "There is no time zone \"%.*s\", so nothing has changed. Zones have the "
		    "names of large cities; name the one whose clocks show what yours show, "
		    "for example:",
		    SPAN_ARGS(item->name));
	}
	if (n > 1) {
		struct strbuf list = STRBUF_INIT;
		enum err rc;

		for (size_t i = 0; i < n; i++) {
			strbuf_add_sep(&list, i, n, " or ");
			strbuf_adds(&list, names[i]);
		}
		request_verdict(req, "command", "several such time zones");
		rc = request_notice(
		    req, NULL, NULL, "which time zone?",
		    arena_printf(req->arena, "set zone %s", names[0]),
		    "\"%.*s\" may be %s. Nothing has changed; write the whole name, for "
		    "example:",
		    SPAN_ARGS(item->name), list.ptr);
		strbuf_release(&list);
		return rc;
	}
	return change_zone(req, names[0]);
}

static const char *hour(struct request *req, int minute)
{
	return arena_printf(req->arena, "%02d:%02d", minute / 60, minute % 60);
}

enum err do_quiet(struct request *req, const struct command *item)
{
	struct player changed = req->who.player;
	const struct player *p = &req->who.player;

	request_understood(req);
	if (p->id == 0)
		return for_players_only(req, "quiet hours");
	changed.quiet_from = (int)item->from;
	changed.quiet_to = (int)item->to;
	identify_player(req, &changed);
	TRY(player_set_quiet(req->srv->store, p->id, p->quiet_from, p->quiet_to));
	if (p->quiet_from == p->quiet_to) {
		request_verdict(req, "command", "no quiet hours");
		return request_notice(
		    req, NULL, NULL, "no quiet hours", "set quiet 22:00 07:00",
		    "You have no quiet hours any more: reminders come whenever they are due. "
		    "To set quiet hours, for example:");
	}
	const struct zone *zone = zone_of_reader(req->srv, p);
	const char *place = zone ? zone_name(zone) : "UTC";
	request_verdict(req, "command", "quiet from %s to %s", hour(req, p->quiet_from),
	                hour(req, p->quiet_to));
	return request_notice(
	    req, NULL, NULL, "your quiet hours", "set quiet off",
	    "From %s to %s, by the clocks of %s, no reminders are sent to you; they come "
	    "before or after. Receipts and reports come at any time, and deadlines keep out of "
	    "these hours only in games that were created so (QUIET ON). To end them, send:",
	    hour(req, p->quiet_from), hour(req, p->quiet_to), place);
}

/* ---- what mails look like ---- */

/* What has two ways: of each, the first is that of `number` 1. */
struct way {
	const char *subject, *says, *back; /* a sentence or more; the line that undoes it */
};
static const struct way boards[] = {
    {"boards in words",
     "Boards are now told in words. This line undoes it:", "set board drawn"},
    {"boards drawn", "Boards are now drawn. This line undoes it:", "set board words"}};
static const struct way proofs[] = {
    {"proofs in the mail",
     "The proof of a mail now stands below its small print. This line undoes it:",
     "set proof attached"},
    {"proofs attached",
     "The proof of a mail is now in a small text attached to it. This line undoes it:",
     "set proof shown"}};
static const struct way reminders[] = {
    {"no reminders",
     "You get no reminders any more: if you forget a deadline, the default orders are used, or "
     "what you have stored. This line undoes it:",
     "set reminders on"},
    {"reminders come",
     "Reminders come again, when your orders are due soon. This line undoes it:",
     "set reminders off"}};
static const struct way puzzles[] = {
    {"no puzzles", "You get no puzzles any more. This line undoes it:", "set puzzle on"},
    {"a puzzle on Monday",
     "On Monday you get a position from a game that was played here, if there is a good one, and say what you would "
     "order. This line undoes it:",
     "set puzzle off"}};
static const struct way forms[] = {
    {"mails with an HTML form",
     "Your mails now have two forms: the text as before, and HTML, in which an order or a "
     "command is sent by tapping it. This line undoes it:",
     "set mail plain"},
    {"mails as plain text",
     "Your mails are plain text alone. This line undoes it:", "set mail html"}};

/* Whether it is the first. */
static bool change_to(struct way *chosen, const struct way *ways, bool first)
{
	*chosen = ways[first ? 0 : 1];
	return first;
}

enum err do_form(struct request *req, const struct command *item)
{
	struct player p = req->who.player;
	struct way c;

	request_understood(req);
	if (req->who.player.id == 0)
		return for_players_only(req, "how mails look");
	if (item->verb == CMD_SET_WIDTH) {
		p.form.cols = item->number == REPORT_COLS ? 0 : item->number;
		c.subject = arena_printf(req->arena, "lines of %u columns",
		                         item->number ? item->number : REPORT_COLS);
		c.says =
		    p.form.cols == 0
			? "Your mails have lines of 72 columns again, as at first. To get "
			  "shorter ones for a narrow screen, for example:"
			: arena_printf(req->arena,
		                       "Your mails now have lines of at most %u columns, and "
		                       "boards and tables are drawn for them. A board that "
		                       "cannot be so narrow is told in words. This line "
		                       "undoes it:",
		                       item->number);
		c.back = p.form.cols == 0 ? "set width 40" : "set width off";
	} else if (item->verb == CMD_SET_BOARD)
		p.form.words_first = change_to(&c, boards, item->number == 1);
	else if (item->verb == CMD_SET_PROOF)
		p.form.proof_shown = change_to(&c, proofs, item->number == 1);
	else if (item->verb == CMD_SET_REMINDERS)
		p.no_reminders = change_to(&c, reminders, item->number == 1);
	else if (item->verb == CMD_SET_PUZZLE)
		p.puzzles = !change_to(&c, puzzles, item->number == 1);
	else if (req->srv->cfg.html == HTML_OFF && item->number == SET_MAIL_HTML)
		return request_notice(
		    req, NULL, NULL, "no HTML here", "set width 40",
		    "This server sends plain text alone. To get shorter lines, for example:");
	else
		p.form.html = change_to(&c, forms, item->number == SET_MAIL_HTML) ? HTML_YES
		                                                                  : HTML_NO;
	identify_player(req, &p);
	TRY(player_set_form(req->srv->store, &req->who.player));
	request_verdict(req, "command", "%s", c.subject);
	return request_notice(req, NULL, NULL, c.subject, c.back, "%s", c.says);
}

/* ---- when they come ---- */

static const char *how_it_is_set(struct request *req)
{
	switch (req->who.player.mail_mode) {
	case MAIL_ROUND:
		return "You get one mail for each turn of a game: its report. Receipts for "
		       "orders that were taken, messages of other players and news of them "
		       "wait for it and are in it. At once come reminders, questions, what a "
		       "vote or a master changes, what you ask for, and everything that was "
		       "not carried out: when you hear nothing, your orders are stored.";
	case MAIL_DIGEST:
		return arena_printf(
		    req->arena,
		    "You get one mail a day for all your games, a digest, whenever there is "
		    "something new. %s Receipts for orders that were taken are part of the "
		    "next one. At once come questions, what a vote or a master changes, what "
		    "you ask for, and everything that was not carried out: when you hear "
		    "nothing, your orders are stored.",
		    digest_rhythm(req->srv, &req->who.player, req->arena));
	case MAIL_ALL:
		break;
	}
	return "You get every mail at once: receipts, reports, messages, reminders.";
}

static const char *other_setting(const struct player *p)
{
	return p->mail_mode == MAIL_ALL ? "set mail digest" : "set mail all";
}

static enum err change_mode(struct request *req, const struct command *item)
{
	static const char *const subjects[] = {[MAIL_ALL] = "each mail comes at once",
	                                       [MAIL_ROUND] = "one mail for each turn",
	                                       [MAIL_DIGEST] = "one mail a day"};
	const struct player *p = &req->who.player;
	struct player changed = *p;
	unsigned waiting;

	changed.mail_mode = (enum mail_mode)(item->number - SET_MAIL_ALL);
	if (item->to)
		changed.digest_min = (int)item->from;
	identify_player(req, &changed);
	TRY(player_set_form(req->srv->store, p));
	/* What waits does so no longer than they want it to. */
	int64_t due = req->srv->now_utc;
	if (req->who.player.mail_mode == MAIL_ROUND)
		due += DIGEST_LONGEST_S;
	else if (req->who.player.mail_mode == MAIL_DIGEST)
		due = digest_policy_next(req->srv, &req->who.player);
	TRY(digest_queue_hurry(req->srv->store, req->who.player.id, due, &waiting));
	request_verdict(req, "command", "mail: %s", subjects[p->mail_mode]);
	return request_notice(req, NULL, NULL, subjects[p->mail_mode], other_setting(p),
	                      "%s%s To choose another way, for example:", how_it_is_set(req),
	                      waiting > 0 && p->mail_mode == MAIL_ALL
	                          ? " What has waited so far comes in a last digest."
	                          : "");
}

enum err do_mail(struct request *req, const struct command *item)
{
	request_understood(req);
	if (req->who.player.id == 0)
		return for_players_only(req, "how mails come");
	if (item->number == SET_MAIL_HTML || item->number == SET_MAIL_PLAIN)
		return do_form(req, item);
	if (item->number > 0)
		return change_mode(req, item);
	return request_notice(req, NULL, NULL, "how your mail comes",
	                      other_setting(&req->who.player),
	                      "%s To choose another way, for example:", how_it_is_set(req));
}
