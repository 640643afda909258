/*
 * press_recipients.c - from the names behind PRESS TO to seats.
 */
#include "processor/request/press_recipients.h"

#include "processor/base/nearest.h"
#include "processor/base/num.h"
#include "processor/request/request.h"

void press_add_note(struct press_request *p, const char *text)
{
	if (p->nnotes < PRESS_NOTES)
		p->notes[p->nnotes++] = text;
}

/* The words of one entry between commas; the longest run of them that is a number or a name. 0: there is none. */
static unsigned take_seat_name(const struct match *match, struct span *rest)
{
	struct span whole = span_trim(*rest);

	for (struct span s = whole; s.len > 0;) {
		const struct seat *named = match_seat_named(match, 0, s);
		unsigned seat = named ? named->seat : 0;

		if (num_parse_uint(s, 1, match->game.nseats, &seat) || named) {
			*rest = span_trim(span_slice(whole, s.len, whole.len));
			return seat;
		}
		while (s.len > 0 && s.ptr[s.len - 1] != ' ')
			s.len--;
		s = span_trim(s);
	}
	return 0;
}

static const char *nearest_name(const struct match *match, struct span name)
{
	/* There are few names, so that one error leaves even a short one recognisable. */
	unsigned allowed = typing_errors_allowed(name.len);
	unsigned best = (allowed > 0 ? allowed : name.len > 1 ? 1 : 0) + 1;
	const char *found = NULL;

	for (size_t i = 0; i < match->nseats; i++) {
		unsigned d = seat_is_taken(&match->seats[i])
		                 ? typing_errors(name, match->seats[i].name, best - 1)
		                 : best;

		if (d < best) {
			best = d;
			found = match->names.names[i + 1];
		}
	}
	return found;
}

static const char *unknown(struct press_request *p, struct span name)
{
	const char *near = nearest_name(p->match, name);
	struct strbuf names = STRBUF_INIT;

	for (size_t i = 0; i < p->match->nseats; i++)
		if (seat_is_taken(&p->match->seats[i]))
			strbuf_addf(&names, "%s%u %s", names.len > 0 ? ", " : "",
			            p->match->seats[i].seat, p->match->names.names[i + 1]);
	const char *text =
	    near
		? arena_printf(p->req->arena,
	                       "Nobody in %s is called \"%.*s\"; did you mean %s? At the table "
	                       "sit: %s.",
	                       p->match->id, SPAN_ARGS(name), near, names.ptr)
		: arena_printf(p->req->arena,
	                       "Nobody in %s is called \"%.*s\". At the table sit: %s.",
	                       p->match->id, SPAN_ARGS(name), names.ptr);
	strbuf_release(&names);
	return text;
}

/* Notes who is named; a sentence when somebody is not known. */
static const char *read_entry(struct press_request *p, struct span entry, uint32_t *named)
{
	struct span word, peek;

	for (entry = span_trim(entry); entry.len > 0;) {
		peek = entry;
		(void)span_next_word(&peek, "", &word);
		bool filler = span_eq_nocase(word, "seat") || span_eq_nocase(word, "and") ||
		              span_eq_str(word, "&");
		unsigned seat = take_seat_name(p->match, &entry);

		if (seat != 0) {
			*named = seat_with((struct seat_set){*named}, seat).bits;
		} else if (span_eq_nocase(word, "all") || span_eq_nocase(word, "everybody") ||
		           span_eq_nocase(word, "everyone")) {
			p->press.kind = PRESS_TO_ALL;
			entry = span_trim(peek);
		} else if (filler) {
			entry = span_trim(peek);
		} else {
			return unknown(
			    p, span_slice(entry, 0, span_find(entry, SPAN_LIT(" and "))));
		}
	}
	return NULL;
}

const char *press_read_names(struct press_request *p, uint32_t *named)
{
	struct span list = p->item->name;
	const char *why = NULL;

	while (list.len > 0 && !why) {
		size_t at = 0;

		while (at < list.len && list.ptr[at] != ',' && list.ptr[at] != ';')
			at++;
		why = read_entry(p, span_slice(list, 0, at), named);
		list = span_slice(list, at + 1, list.len);
	}
	return why;
}

/* Why a seat does not get it; NULL when it does. */
static const char *reader_objection(struct press_request *p, const struct seat *s)
{
	const char *name = p->match->names.names[s->seat];

	if (s == p->seat)
		return "You are among those you named; you do not get it.";
	if (s->bot_level >= 0)
		return arena_printf(p->req->arena,
		                    "%s is played by the server and reads no messages.", name);
	if (s->player == 0)
		return arena_printf(p->req->arena, "Nobody sits on seat %u now.", s->seat);
	if (s->resigned && p->match->game.ended_utc == 0)
		return arena_printf(p->req->arena, "%s has left the game and does not get it.",
		                    name);
	if (!s->confirmed)
		return arena_printf(p->req->arena,
		                    "%s has not confirmed the seat yet and does not get it.",
		                    name);
	return NULL;
}

void press_choose_readers(struct press_request *p, uint32_t named)
{
	struct seat_set set = {0};
	bool all = p->press.kind == PRESS_TO_ALL;

	for (unsigned n = 1; n <= p->match->game.nseats; n++) {
		const struct seat *s = match_seat(p->match, n);
		bool meant = seat_in((struct seat_set){named}, n);

		if (!meant && !all)
			continue;
		const char *why =
		    s ? reader_objection(p, s)
		      : arena_printf(p->req->arena, "Nobody sits on seat %u yet.", n);
		if (!why)
			set = seat_with(set, n);
		else if (meant)
			press_add_note(p, why);
	}
	p->press.seats = set.bits;
}
