/*
 * replay_json.c - `molepost replay --json`.
 */
#include "processor/replay/replay.h"

#include "processor/archive/parsed.h"
#include "processor/base/clock.h"
#include "reports/json.h"

unsigned replay_seats(const struct archive *a)
{
	return a->record.ended ? a->record.nseats : 0;
}

struct doc *replay_view(struct archive *a, size_t i, unsigned seat, struct arena *arena)
{
	struct failure e = ERR_INIT;
	const struct game_state *state = archive_state(a, i, &e);
	struct doc *doc = NULL;

	if (state != NULL) {
		doc = arena_alloc(arena, sizeof(*doc));
		doc_init(doc, arena);
		a->record.rules->view(state, seat, doc);
	}
	err_release(&e);
	return doc;
}

/* null for a time that there is not. */
static void add_time(struct strbuf *out, const char *name, int64_t t)
{
	struct strbuf text = STRBUF_INIT;

	json_add_name(out, name);
	utc_format_iso(&text, t);
	if (t != 0)
		json_add_string(out, strbuf_span(&text));
	else
		strbuf_adds(out, "null");
	strbuf_release(&text);
}

static void add_orders(struct strbuf *out, const struct record_turn *t)
{
	json_open(out, "orders", '[');
	for (size_t i = 0; i < t->nused; i++) {
		const struct record_order *o = &t->used[i];

		json_open(out, NULL, '{');
		json_add_number(out, "seat", o->seat);
		json_add_number(out, "revision", o->revision);
		json_add_text(out, "origin", span_of(order_origin_name(o->origin)));
		json_add_text(out, "text", o->canonical);
		strbuf_addc(out, '}');
	}
	strbuf_addc(out, ']');
}

static void add_turn(struct strbuf *out, struct archive *a, size_t i)
{
	const struct record_turn *t = &a->record.turns[i];

	json_open(out, NULL, '{');
	json_add_number(out, "serial", t->serial);
	json_add_number(out, "parent", t->parent);
	json_add_text(out, "label", t->label);
	add_time(out, "opened", t->opened_utc);
	add_time(out, "deadline", t->deadline_utc);
	add_time(out, "sealed", t->sealed_utc);
	if (t->dropped_utc != 0)
		add_time(out, "dropped", t->dropped_utc);
	json_open(out, "actions", '[');
	for (size_t k = 0; k < t->nactions; k++) {
		json_add_comma(out);
		json_add_string(out, span_of(t->actions[k]));
	}
	strbuf_addc(out, ']');
	add_orders(out, t);
	struct span rest = t->chance, line;

	json_open(out, "draws", '[');
	while (span_next_line(&rest, &line)) {
		size_t at = span_find(line, SPAN_LIT(" = "));

		json_open(out, NULL, '{');
		json_add_text(out, "label", span_slice(line, 0, at));
		json_add_text(out, "outcome", span_slice(line, at + 3, line.len));
		strbuf_addc(out, '}');
	}
	strbuf_addc(out, ']');
	struct arena *arena = arena_new();

	json_open(out, "views", '[');
	for (unsigned seat = 0; seat <= replay_seats(a); seat++) {
		struct doc *doc = replay_view(a, i, seat, arena);

		if (doc == NULL)
			break;
		json_open(out, NULL, '{');
		json_add_number(out, "seat", seat);
		json_add_name(out, "blocks");
		json_add_doc(out, doc);
		strbuf_addc(out, '}');
	}
	strbuf_addc(out, ']');
	arena_free(arena);
	strbuf_addc(out, '}');
}

void replay_json(struct archive *a, struct strbuf *out)
{
	const struct record *r = &a->record;

	strbuf_addc(out, '{');
	json_add_number(out, "molepost-replay", 1);
	json_add_text(out, "game", span_of(r->game));
	json_add_text(out, "kind", span_of(r->kind));
	json_add_text(out, "title", span_of(r->rules->title));
	json_add_number(out, "rules", r->rules_version);
	json_add_text(out, "instance", span_of(r->instance));
	/* "holes=9 target=20" as an object of strings. */
	struct span rest = span_of(r->options), word;

	json_open(out, "options", '{');
	while (span_next_word(&rest, "", &word)) {
		size_t equals = span_find_char(word, '=');

		json_add_comma(out);
		json_add_string(out, span_slice(word, 0, equals));
		strbuf_addc(out, ':');
		json_add_string(out, span_slice(word, equals + 1, word.len));
	}
	strbuf_addc(out, '}');
	/* Only in a game that goes on from another. */
	if (r->fork.game != NULL) {
		json_open(out, "fork", '{');
		json_add_text(out, "game", span_of(r->fork.game));
		json_add_text(out, "instance", span_of(r->fork.instance));
		json_add_number(out, "serial", r->fork.serial);
		strbuf_addc(out, '}');
	}
	json_open(out, "seats", '[');
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		json_open(out, NULL, '{');
		json_add_number(out, "seat", seat);
		json_add_text(out, "name", span_of(r->seats[seat].name));
		json_add_text(out, "person",
		              r->seats[seat].bot ? SPAN_LIT("bot") : SPAN_LIT("player"));
		strbuf_addc(out, '}');
	}
	strbuf_addc(out, ']');
	add_time(out, "started", r->started_utc);
	json_open(out, "turns", '[');
	for (size_t i = 0; i < r->nturns; i++)
		add_turn(out, a, i);
	strbuf_addc(out, ']');
	json_add_text(out, "status", span_of(r->ended ? r->end_status : "running"));
	add_time(out, "ended", r->ended_utc);
	json_open(out, "result", '[');
	for (unsigned seat = 1; a->has_result && seat <= a->record.nseats; seat++) {
		json_open(out, NULL, '{');
		json_add_number(out, "seat", seat);
		json_add_number(out, "score", a->result.scores[seat]);
		json_add_number(out, "rank", a->result.ranks[seat]);
		json_add_name(out, "won");
		strbuf_adds(out, seat_in(a->result.winners, seat) ? "true" : "false");
		json_add_name(out, "out");
		strbuf_adds(out, seat_in(a->result.eliminated, seat) ? "true" : "false");
		strbuf_addc(out, '}');
	}
	strbuf_addc(out, ']');
	strbuf_adds(out, "}\n");
}
