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

static void add_string(struct strbuf *out, const char *name, struct span text)
{
	json_add_name(out, name);
	json_add_string(out, text);
}

static void add_number(struct strbuf *out, const char *name, long long n)
{
	json_add_name(out, name);
	strbuf_addf(out, "%lld", n);
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

static void open_list(struct strbuf *out, const char *name)
{
	json_add_name(out, name);
	strbuf_addc(out, '[');
}

static void add_orders(struct strbuf *out, const struct record_turn *t)
{
	open_list(out, "orders");
	for (size_t i = 0; i < t->nused; i++) {
		const struct record_order *o = &t->used[i];

		json_add_comma(out);
		strbuf_addc(out, '{');
		add_number(out, "seat", o->seat);
		add_number(out, "revision", o->revision);
		add_string(out, "origin", span_of(order_origin_name(o->origin)));
		add_string(out, "text", o->canonical);
		strbuf_addc(out, '}');
	}
	strbuf_addc(out, ']');
}

static void add_turn(struct strbuf *out, struct archive *a, size_t i)
{
	const struct record_turn *t = &a->record.turns[i];

	json_add_comma(out);
	strbuf_addc(out, '{');
	add_number(out, "serial", t->serial);
	add_number(out, "parent", t->parent);
	add_string(out, "label", t->label);
	add_time(out, "opened", t->opened_utc);
	add_time(out, "deadline", t->deadline_utc);
	add_time(out, "sealed", t->sealed_utc);
	if (t->dropped_utc != 0)
		add_time(out, "dropped", t->dropped_utc);
	open_list(out, "actions");
	for (size_t k = 0; k < t->nactions; k++) {
		json_add_comma(out);
		json_add_string(out, span_of(t->actions[k]));
	}
	strbuf_addc(out, ']');
	add_orders(out, t);
	struct span rest = t->chance, line;

	open_list(out, "draws");
	while (span_next_line(&rest, &line)) {
		size_t at = span_find(line, SPAN_LIT(" = "));

		json_add_comma(out);
		strbuf_addc(out, '{');
		add_string(out, "label", span_slice(line, 0, at));
		add_string(out, "outcome", span_slice(line, at + 3, line.len));
		strbuf_addc(out, '}');
	}
	strbuf_addc(out, ']');
	struct arena *arena = arena_new();

	open_list(out, "views");
	for (unsigned seat = 0; seat <= replay_seats(a); seat++) {
		struct doc *doc = replay_view(a, i, seat, arena);

		if (doc == NULL)
			break;
		json_add_comma(out);
		strbuf_addc(out, '{');
		add_number(out, "seat", seat);
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
	add_number(out, "molepost-replay", 1);
	add_string(out, "game", span_of(r->game));
	add_string(out, "kind", span_of(r->kind));
	add_string(out, "title", span_of(r->rules->title));
	add_number(out, "rules", r->rules_version);
	add_string(out, "instance", span_of(r->instance));
	/* "holes=9 target=20" as an object of strings. */
	struct span rest = span_of(r->options), word;

	json_add_name(out, "options");
	strbuf_addc(out, '{');
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
		json_add_name(out, "fork");
		strbuf_addc(out, '{');
		add_string(out, "game", span_of(r->fork.game));
		add_string(out, "instance", span_of(r->fork.instance));
		add_number(out, "serial", r->fork.serial);
		strbuf_addc(out, '}');
	}
	open_list(out, "seats");
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		json_add_comma(out);
		strbuf_addc(out, '{');
		add_number(out, "seat", seat);
		add_string(out, "name", span_of(r->seats[seat].name));
		add_string(out, "person",
		           r->seats[seat].bot ? SPAN_LIT("bot") : SPAN_LIT("player"));
		strbuf_addc(out, '}');
	}
	strbuf_addc(out, ']');
	add_time(out, "started", r->started_utc);
	open_list(out, "turns");
	for (size_t i = 0; i < r->nturns; i++)
		add_turn(out, a, i);
	strbuf_addc(out, ']');
	add_string(out, "status", span_of(r->ended ? r->end_status : "running"));
	add_time(out, "ended", r->ended_utc);
	open_list(out, "result");
	for (unsigned seat = 1; a->has_result && seat <= a->record.nseats; seat++) {
		json_add_comma(out);
		strbuf_addc(out, '{');
		add_number(out, "seat", seat);
		add_number(out, "score", (long long)a->result.scores[seat]);
		add_number(out, "rank", a->result.ranks[seat]);
		json_add_name(out, "won");
		strbuf_adds(out, seat_in(a->result.winners, seat) ? "true" : "false");
		json_add_name(out, "out");
		strbuf_adds(out, seat_in(a->result.eliminated, seat) ? "true" : "false");
		strbuf_addc(out, '}');
	}
	strbuf_addc(out, ']');
	strbuf_adds(out, "}\n");
}
