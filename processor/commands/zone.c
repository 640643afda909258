/*
 * zone.c - SET ZONE and SET QUIET: the clocks of the reader's place, and when they sleep by them.
 */
#include "processor/commands/commands.h"
#include "processor/request/identify.h"
#include "processor/request/request.h"
#include "processor/server/zones.h"

static enum err unknown_place(struct request *req, const struct command *item)
{
	request_verdict(req, "command", "no such time zone");
	return request_notice(
	    req, NULL, NULL, "no such time zone", "set zone Europe/Berlin",
	    "There is no time zone \"%.*s\", so nothing has changed. Zones have the names of "
	    "large cities; name the one whose clocks show what yours show, for example:",
	    SPAN_ARGS(item->name));
}

static enum err several_places(struct request *req, const struct command *item,
                               const char *const *names, size_t n)
{
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
	    "\"%.*s\" may be %s. Nothing has changed; write the whole name, for example:",
	    SPAN_ARGS(item->name), list.ptr);
	strbuf_release(&list);
	return rc;
}

static enum err change_zone(struct request *req, const char *name)
{
	struct strbuf now = STRBUF_INIT;
	const struct zone *zone;
	enum err rc;

	struct player p = req->who.player;
	p.zone = arena_dup(req->arena, span_of(name));
	identify_player(req, &p);
	zone = zone_of_reader(req->srv, &req->who.player);
	TRY(player_set_zone(req->srv->store, req->who.player.id, req->who.player.zone));
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

static enum err for_players_only(struct request *req, const char *what)
{
	return request_notice(
	    req, NULL, NULL, "for players only", "list",
	    "Only somebody who plays here can set %s. To see the games you can join, send:",
	    what);
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
	if (n == 0)
		return unknown_place(req, item);
	if (n > 1)
		return several_places(req, item, names, n);
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
