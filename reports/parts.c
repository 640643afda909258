/*
 * parts.c - pieces that several mails share, and small pieces of English made from values.
 */
#include "reports/parts.h"

#include <stdarg.h>
#include <string.h>

#include "processor/base/clock.h"
#include "processor/base/num.h"

enum { NEAR_S = 180 * 86400 }; /* then nobody doubts which year it is */

static bool is_reader(const char *name, const char *reader)
{
	return reader && *reader && strcmp(name, reader) == 0;
}

const char *phrase_names(struct arena *a, const char *const *names, size_t n,
                         const char *reader)
{
	struct strbuf out = STRBUF_INIT;
	size_t said = 0;

	for (size_t i = 0; i < n && said == 0; i++)
		if (is_reader(names[i], reader)) {
			strbuf_adds(&out, "you");
			said++;
		}
	for (size_t i = 0; i < n; i++) {
		if (is_reader(names[i], reader))
			continue;
		strbuf_add_sep(&out, said++, n, " and ");
		text_clean(&out, span_of(names[i]));
	}
	return arena_take(a, &out).ptr;
}

const char *phrase_count(struct arena *a, size_t n, const char *one, const char *many)
{
	return arena_printf(a, "%zu %s", n, n == 1 ? one : many);
}

const char *phrase_lower(struct arena *a, const char *text)
{
	char *lower = arena_strdup(a, text);

	for (char *c = lower; *c; c++)
		*c = *c >= 'A' && *c <= 'Z' ? (char)(*c | 0x20) : *c;
	return lower;
}

const char *phrase_moment(struct arena *a, const struct zone *zone, int64_t at_utc)
{
	struct strbuf out = STRBUF_INIT;

	zone_format_human(&out, zone, at_utc);
	return arena_take(a, &out).ptr;
}

const char *phrase_interval(struct arena *a, const char *interval)
{
	static const struct {
		char letter;
		const char *one, *many;
	} units[] = {{'M', "minute", "minutes"},
	             {'H', "hour", "hours"},
	             {'D', "day", "days"},
	             {'W', "week", "weeks"}};
	struct span text = span_of(interval);
	unsigned n;
	if (text.len < 2 || !num_parse_uint(span_slice(text, 0, text.len - 1), 1, 1000000, &n))
		return interval;
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (units[i].letter == text.ptr[text.len - 1])
			return phrase_count(a, n, units[i].one, units[i].many);
	return interval;
}

const char *phrase_deadline(struct arena *a, const struct zone *zone, int64_t now_utc,
                            int64_t deadline_utc)
{
	struct strbuf out = STRBUF_INIT;
	bool ahead = deadline_utc > now_utc;
	int64_t away = ahead ? deadline_utc - now_utc : now_utc - deadline_utc;

	if (away < NEAR_S)
		zone_format_near(&out, zone, deadline_utc);
	else
		zone_format_local(&out, zone, deadline_utc);
	if (zone || ahead)
		strbuf_adds(&out, " (");
	if (zone)
		zone_format_utc_hour(&out, zone, deadline_utc);
	if (zone && ahead)
		strbuf_adds(&out, ", ");
	if (ahead)
		duration_format_human(&out, deadline_utc - now_utc);
	if (zone || ahead)
		strbuf_addc(&out, ')');
	return arena_take(a, &out).ptr;
}

const char *phrase_day(struct arena *a, const struct zone *zone, int64_t at_utc)
{
	struct strbuf when = STRBUF_INIT;
	struct span rest, word = SPAN_EMPTY;

	zone_format_near(&when, zone, at_utc);
	rest = strbuf_span(&when);
	for (unsigned n = 0; n < 3; n++)
		(void)span_next_word(&rest, "", &word);
	strbuf_truncate(&when, (size_t)(word.ptr + word.len - when.ptr));
	return arena_take(a, &when).ptr;
}

const char *phrase_clock(struct arena *a, const struct zone *zone, const struct report_clock *c,
                         int64_t at_utc)
{
	return phrase_deadline(a, zone, c->undated ? at_utc : c->now_utc, at_utc);
}

const char *phrase_status(const char *status)
{
	struct span word = span_of(status);
	if (span_eq_str(word, "gathering"))
		return "waiting for players";
	if (span_eq_str(word, "abandoned"))
		return "given up, since no orders came for several turns";
	return status;
}

size_t count_orders(struct span canonical)
{
	size_t n = 0;
	struct span line, order;
	while (span_next_line(&canonical, &line))
		while (span_next_field(&line, ';', &order))
			n += span_trim(order).len > 0;
	return n;
}

size_t count_lines(struct span text)
{
	size_t n = 0;
	struct span line;
	while (span_next_line(&text, &line))
		n += span_trim(line).len > 0;
	return n;
}

enum {
	SILENCE_COLS = 60,
	SUBJECT_COLS = 100,
	TITLE_COLS = 40,
	SHOW_IGNORED = 5,
	SHOW_PROBLEMS = 20
};

/* ---- subjects ---- */

static void add_subject(struct strbuf *subject, const struct report_game *g, const char *label,
                        const char *fmt, va_list ap) __attribute__((format(printf, 4, 0)));
static void add_subject(struct strbuf *subject, const struct report_game *g, const char *label,
                        const char *fmt, va_list ap)
{
	strbuf_addf(subject, "[%s%s%s] ", g->id, *label ? " " : "", label);
	struct strbuf text = STRBUF_INIT, cleaned = STRBUF_INIT;
	strbuf_vaddf(&text, fmt, ap);
	text_clean(&cleaned, strbuf_span(&text));
	text_clip(subject, strbuf_span(&cleaned), SUBJECT_COLS);
	strbuf_release(&text);
	strbuf_release(&cleaned);
}

void part_subject(struct strbuf *subject, const struct report_game *g, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	if (g->fixed_subject)
		strbuf_addf(subject, "[%s] %s", g->id, g->kind_title);
	else
		add_subject(subject, g, g->label, fmt, ap);
	va_end(ap);
}

void part_subject_of_game(struct strbuf *subject, const struct report_game *g, const char *fmt,
                          ...)
{
	va_list ap;
	va_start(ap, fmt);
	if (g->fixed_subject)
		strbuf_addf(subject, "[%s] %s", g->id, g->kind_title);
	else
		add_subject(subject, g, "", fmt, ap);
	va_end(ap);
}

/* ---- the game ---- */

void part_game(struct page *p, const struct report_game *g)
{
	struct strbuf line = STRBUF_INIT;
	strbuf_addf(&line, "Game %s, %s", g->id, g->kind_title);
	if (g->title && *g->title) {
		strbuf_adds(&line, " \"");
		text_clip(&line, span_of(g->title), TITLE_COLS);
		strbuf_addc(&line, '"');
	}
	if (*g->label)
		strbuf_addf(&line, ", %s", g->label);
	strbuf_addc(&line, '.');
	if (g->seat > 0)
		strbuf_addf(&line, " You are %s, seat %u of %u.", g->seat_name, g->seat,
		            g->nseats);
	else if (g->observer)
		strbuf_adds(&line, " You observe it.");
	page_say(p, "%s", line.ptr);
	strbuf_release(&line);
}

void part_footer(struct page *p, const struct report_game *g)
{
	if (g->carried)
		return;
	part_game(p, g);
	if (g->mail_number > 0)
		page_say(p, "Mail %u of this game.", g->mail_number);
	if (g->observer && !g->ended) {
		page_say(p, "You get this because you observe the game. To stop, reply with:");
		page_example(p, span_of(arena_printf(p->arena, "unobserve %s", g->id)));
	}
	page_say(p, "For help, reply HELP (the commands) or HELP %s (the rules).",
	         g->kind_title);
	page_gap(p);
}

/* ---- the clock ---- */

/* Of the reader part_clock says more. */
static void add_holding(struct strbuf *s, const struct report_game *g,
                        const struct report_clock *c, struct arena *arena)
{
	const char **others = arena_calloc(arena, c->nholding + 1, sizeof(const char *));
	size_t n = 0;

	for (size_t i = 0; i < c->nholding && !clock_has_passed(c); i++)
		if (!c->reader_holds || strcmp(c->holding[i], g->seat_name) != 0)
			others[n++] = c->holding[i];
	if (n > 0)
		strbuf_addf(s,
		            n == 1 ? "%s wants to wait for the deadline. "
		                   : "%s want to wait for the deadline. ",
		            phrase_names(arena, others, n, NULL));
}

/* When the turn of an open clock ends, and what still counts. */
static void add_deadline(struct strbuf *s, const struct zone *zone,
                         const struct report_clock *c, bool told, struct arena *arena)
{
	const char *deadline = phrase_clock(arena, zone, c, c->deadline_utc);
	const char *grace = phrase_clock(arena, zone, c, c->grace_utc);
	bool complete = c->nawaited == 0 && c->nholding == 0;
	bool passed = c->deadline_utc <= c->now_utc;

	if (complete && c->settle_utc > c->now_utc)
		strbuf_addf(s,
		            "They can still be changed; the turn ends %s unless new ones come.",
		            phrase_clock(arena, zone, c, c->settle_utc));
	else if (complete)
		strbuf_adds(s, "The report is on its way.");
	else if (c->deadline_utc == 0)
		strbuf_adds(
		    s, "There is no deadline: the turn ends when everyone has sent orders.");
	else if (passed && c->grace_utc > c->now_utc)
		strbuf_addf(
		    s,
		    "The deadline (%s) has passed. Orders that were in time can no longer "
		    "be changed; late ones count until %s. The turn ends then, or when the "
		    "last ones have come.",
		    deadline, grace);
	else if (passed)
		strbuf_addf(s, "The deadline (%s) has passed. The report is on its way.",
		            deadline);
	else if (!told)
		strbuf_addf(s,
		            c->nholding > 0 ? "Deadline: %s."
		                            : "Deadline: %s, or when everyone has sent orders.",
		            deadline);
	if (!complete && c->deadline_utc != 0 && !passed && c->grace_utc > c->deadline_utc)
		strbuf_addf(s,
		            told ? "After the deadline, late orders count until %s."
		                 : " After it, late orders count until %s.",
		            grace);
}

void part_clock(struct page *p, const struct report_game *g, const struct report_clock *c,
                bool told)
{
	struct strbuf s = STRBUF_INIT;
	/* `told`: the reader has been asked for orders already, so only the others are named. */
	const char **who = arena_calloc(p->arena, c->nawaited + 1, sizeof(*who));
	size_t n = 0;

	for (size_t i = 0; i < c->nawaited; i++)
		if (!told || strcmp(c->awaited[i], g->seat_name) != 0)
			who[n++] = c->awaited[i];
	bool only_reader = n == 1 && g->seat > 0 && strcmp(who[0], g->seat_name) == 0 &&
	                   c->nholding == 0 && !c->paused && !c->held &&
	                   c->deadline_utc > c->now_utc;

	if (only_reader) {
		strbuf_addf(&s, "It is your turn. Deadline: %s. ",
		            phrase_clock(p->arena, g->zone, c, c->deadline_utc));
	} else if (n > 0)
		strbuf_addf(&s, told ? "Waiting for %s too. " : "Waiting for %s. ",
		            phrase_names(p->arena, who, n, g->seat_name));
	else if (!told)
		strbuf_adds(&s, "Everyone has sent orders. ");
	add_holding(&s, g, c, p->arena);
	if (c->paused)
		strbuf_adds(&s, "The game is paused: there is no deadline now, and orders are "
		                "still stored.");
	if (c->paused && c->held)
		strbuf_addc(&s, ' ');
	if (c->held) {
		strbuf_adds(&s, "The operator holds this game: there is no deadline now, and "
		                "orders are still "
		                "stored.");
		if (c->held_reason && *c->held_reason)
			strbuf_addf(&s, " Reason: %s", c->held_reason);
	} else if (!c->paused) {
		add_deadline(&s, g->zone, c, told || only_reader, p->arena);
	}
	page_say(p, "%s", s.ptr);
	strbuf_release(&s);
	if (c->nvacant > 0)
		page_say(p,
		         c->nvacant == 1
		             ? "The seat of %s is free. To take it, send: takeover %s"
		             : "The seats of %s are free. To take one, send: takeover %s",
		         phrase_names(p->arena, c->vacant, c->nvacant, NULL), g->id);
	if (c->reader_holds && !clock_has_passed(c))
		page_say(
		    p, "You asked to wait for the deadline. To let the turn end when everyone "
		       "has sent orders, reply SET NOWAIT.");
}

void part_sample_orders(struct page *p, const struct report_game *g, const char *lead,
                        const struct doc *examples)
{
	const struct doc_block *b = examples ? examples->first : NULL;
	while (b && b->kind != DOC_EXAMPLE)
		b = b->next;
	if (b) {
		page_say(p, "%s For example:", lead);
		part_examples(p, examples);
	} else {
		page_say(p, "%s See \"HELP %s\" for how they are written.", lead,
		         g->kind_title);
	}
}

bool clock_ends_now(const struct report_clock *c)
{
	return !c->held && !c->paused && c->nawaited == 0 && c->nholding == 0 &&
	       c->settle_utc <= c->now_utc;
}

bool clock_has_passed(const struct report_clock *c)
{
	return !c->held && !c->paused && c->deadline_utc != 0 && c->deadline_utc <= c->now_utc;
}

bool clock_is_over(const struct report_clock *c)
{
	return clock_has_passed(c) && c->grace_utc <= c->now_utc;
}

/* The beginning is enough where the rest are lists that stay as they are. */
static void add_silence(struct page *p, struct span orders)
{
	static const char lead[] = "If you send nothing";
	struct strbuf brief = STRBUF_INIT;
	struct span rest = orders, clause;
	size_t most = SILENCE_COLS < p->form.cols ? SILENCE_COLS : p->form.cols, n = 0;

	while (count_lines(orders) == 1 && span_next_field(&rest, ';', &clause) &&
	       sizeof lead + brief.len + clause.len + strlen("; ...") < most && ++n)
		strbuf_addf(&brief, n > 1 ? "; %.*s" : "%.*s", SPAN_ARGS(span_trim(clause)));
	if (n > 1 && brief.len + 1 < orders.len) {
		strbuf_adds(&brief, "; ...");
		orders = strbuf_span(&brief);
	}
	part_orders(p, most, lead, "If you send nothing, these orders are used", orders);
	strbuf_release(&brief);
}

void part_silence(struct page *p, const char *lead, struct span orders)
{
	if (lead) {
		page_say(p, "%s", lead);
		if (count_lines(orders) > 0)
			page_orders(p, orders);
		return;
	}
	if (count_lines(orders) == 0) {
		page_say(p, "If you send nothing, you do nothing this turn.");
		return;
	}
	add_silence(p, orders);
}

/*
 * Never so long that a mail program breaks the line anew, which would leave an order at the beginning of one.
 */
void part_orders(struct page *p, size_t most, const char *brief, const char *lead,
                 struct span orders)
{
	struct span line, rest = orders;

	if (span_next_line(&rest, &line) && rest.len == 0 &&
	    strlen(brief) + 2 + text_width(line) <=
	        (most < p->form.cols ? most : p->form.cols)) {
		page_say(p, "%s: %.*s", brief, SPAN_ARGS(line));
	} else {
		page_say(p, "%s:", lead);
		page_orders(p, orders);
	}
}

void part_last_chance(struct page *p, const struct report_game *g)
{
	page_say(p,
	         "If you send nothing this turn, you lose your seat and somebody else "
	         "may take it. "
	         "If you cannot play on, reply RESIGN %s: that is fairer to the others.",
	         g->id);
}

/* ---- what is proved ---- */

void part_proof_page(struct page *p, struct report_out *out)
{
	bool shown = out->form.proof_shown;

	page_start(p, &out->proof, shown ? out->form : (struct report_form){0});
	p->fixed = !shown; /* a file: no mail program joins its lines */
}

void part_proof(struct page *p, struct report_out *out, const struct report_game *g,
                const char *words)
{
	bool carried = g && g->carried;

	if (out->proof.len == 0)
		return;
	page_gap(p);
	if (out->form.proof_shown) {
		page_verbatim(p, strbuf_span(&out->proof));
		strbuf_clear(&out->proof);
		return;
	}
	if (g) {
		struct strbuf whole = STRBUF_INIT;
		struct page top;

		page_start(&top, &whole, (struct report_form){0});
		top.fixed = true;
		part_game(&top, g);
		if (g->mail_number > 0)
			page_say(&top, "Mail %u of this game.", g->mail_number);
		page_gap(&top);
		page_verbatim(&top, strbuf_span(&out->proof));
		page_end(&top);
		strbuf_swap(&out->proof, &whole);
		strbuf_release(&whole);
	}
	p->gap_due = carried; /* a line of the small print */
	if (words)
		page_say(p,
		         carried ? "Four words: %s."
		                 : "Four words: %s. The proof is in this mail: see HELP PROOF.",
		         words);
	else if (!carried)
		page_say(p, "The proof is in this mail: see HELP PROOF.");
}

/* ---- commitments ---- */

/* The word of the archive, for people. */
static const char *origin_phrase(const char *origin)
{
	struct span word = span_of(origin);
	if (span_eq_str(word, "bot"))
		return "played by the server";
	if (span_eq_str(word, "standing"))
		return "standing orders";
	if (span_eq_str(word, "queued"))
		return "queued before the turn opened";
	if (span_eq_str(word, "draft"))
		return "a draft, fixed as the turn ended";
	if (span_eq_str(word, "fallback"))
		return "chosen in place of the default, fixed as the turn ended";
	if (span_eq_str(word, "resigned"))
		return "left the game";
	return origin;
}

void part_commitments(struct page *p, const struct report_game *g,
                      const struct report_commitment *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *you = g->seat > 0 && list[i].seat == g->seat ? ", you" : "";
		if (list[i].revision == 0)
			page_say(p, "Seat %u (%s%s): nothing sent, default orders.",
			         list[i].seat, list[i].seat_name, you);
		else
			page_say(p, "Seat %u (%s%s): orders #%u, %s.", list[i].seat,
			         list[i].seat_name, you, list[i].revision,
			         origin_phrase(list[i].origin));
		bool revealed = list[i].orders.ptr != NULL;
		if (revealed)
			page_orders(p, list[i].orders);
		if (revealed && list[i].salt.len > 0)
			page_wrap(p, "  > SALT ", "  >      ", list[i].salt);
		page_hash(p, list[i].revision == 0 ? "sha256" : "commit",
		          list[i].commitment.bytes);
		if (revealed && list[i].revision > 0)
			page_hash(p, "nonce", list[i].nonce.bytes);
	}
}

void part_seals(struct page *p, const struct report_commitment *list, size_t n)
{
	struct strbuf seats = STRBUF_INIT, all = STRBUF_INIT;

	for (size_t i = 0; i < n; i++) {
		strbuf_addf(&seats, " %u#%u", list[i].seat, list[i].revision);
		strbuf_addf(&all, "%u %u ", list[i].seat, list[i].revision);
		strbuf_add_hex(&all, list[i].commitment.bytes, HASH_LEN);
		strbuf_addc(&all, '\n');
	}
	struct hash seals = hash_of(strbuf_span(&all));
	page_say(
	    p, "Sealed so far, seat by seat:%s. The SHA-256 of their commitments:", seats.ptr);
	page_hash(p, "seals", seals.bytes);
	strbuf_release(&seats);
	strbuf_release(&all);
}

void part_fair(struct page *p, const struct report_fair *f)
{
	page_say(p, "All chance in this game comes from a secret that was fixed before anybody "
	            "joined. The last report shows it; this is its SHA-256:");
	page_hash(p, "sha256", f->secret_hash.bytes);
	page_say(p, "The server signs its receipts and reports. Its public key (Ed25519):");
	page_hash(p, "key", f->public_key.bytes);
	page_gap(p);
}

/* ---- what was wrong ---- */

/* What was read, why it does not work here, and the line that would. */
static void add_problem(struct page *p, const struct diag *d, const char *last_example)
{
	bool refused = d->level == DIAG_ERROR, echoed = *d->quoted;

	if (d->line > 0 && echoed)
		page_say(p,
		         refused                    ? "Line %u was not accepted:"
		         : d->level == DIAG_WARNING ? "Please check line %u:"
		                                    : "A remark on line %u:",
		         d->line);
	page_echo(p, span_of(d->quoted));
	if (refused)
		page_say(p, echoed ? "Reason: %s" : "Not accepted: %s", d->message);
	else
		page_say(p,
		         guard_paragraph_start(span_of(d->message), p->form.cols)
		             ? "Please note: %s"
		             : "%s",
		         d->message);
	if (*d->example && !span_eq_str(span_of(d->example), last_example)) {
		page_say(p, refused ? "This would work:" : "For example:");
		page_example(p, span_of(d->example));
	}
	page_gap(p);
}

void part_problems(struct page *p, const struct diags *d)
{
	size_t shown = 0, more = 0;
	const char *last_example = "";
	for (size_t i = 0; d && i < d->count; i++) {
		if (d->items[i].level == DIAG_IGNORED)
			continue;
		if (shown == SHOW_PROBLEMS) {
			more++;
			continue;
		}
		add_problem(p, &d->items[i], last_example);
		last_example = d->items[i].example;
		shown++;
	}
	if (more > 0)
		page_say(p, "... and %zu more of this kind.", more);
	page_gap(p);
}

void part_ignored(struct page *p, const struct diags *d)
{
	size_t shown = 0, more = 0;
	for (size_t i = 0; d && i < d->count; i++) {
		if (d->items[i].level != DIAG_IGNORED)
			continue;
		if (shown == SHOW_IGNORED) {
			more++;
			continue;
		}
		if (shown == 0) {
			page_gap(p);
			page_say(p, "Ignored:");
		}
		page_echo(p, span_of(d->items[i].quoted));
		shown++;
	}
	if (more > 0)
		page_say(p, "... and %zu more %s.", more, more == 1 ? "line" : "lines");
	page_gap(p);
}

void part_kinds(struct page *p)
{
	page_say(p, "These games are played here:");
	for (size_t i = 0; i < rules_count(); i++) {
		const struct rules *kind = rules_at(i);
		if (rules_find(span_of(kind->name)) != kind)
			continue;
		if (kind->min_seats == kind->max_seats)
			page_item(p, "%s, %u players. %s", kind->title, kind->min_seats,
			          kind->about);
		else
			page_item(p, "%s, %u to %u players. %s", kind->title, kind->min_seats,
			          kind->max_seats, kind->about);
	}
	page_gap(p);
}
