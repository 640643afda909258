/*
 * test_scenarios.c - the golden scenarios, over the same functions as test-resolve.
 *
 * tests/scenarios/KIND/NNN-NAME/ holds `rule` (what the scenario shows, and where the rules say
 * so), then for each turn `turn-N.in`, frames for test-resolve, and `turn-N.out`, what must
 * come of it: its frames and a last one, `== result`. From turn 2 on a missing `== state` is
 * the state that came of the turn before. With UPDATE=1 in the environment the .out files
 * are written anew; a person reads the diff.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/base/seal.h"
#include "processor/frames/rules_frames.h"

enum { FILE_MAX = 1 << 20 };

/* Kinds and scenarios have no dot in their names; "." and this file have. */
static int shown(const struct dirent *d)
{
	return strchr(d->d_name, '.') == NULL;
}

/* False when there is no such file. */
static bool read_text(const char *path, struct strbuf *out)
{
	struct failure e = ERR_INIT;
	enum err rc = file_read(path, FILE_MAX, out, &e);

	cr_assert(rc == ERR_NONE || rc == ERR_NOT_FOUND, "%s", e.text.ptr);
	err_release(&e);
	return rc == ERR_NONE;
}

static void write_text(const char *path, struct span text)
{
	FILE *f = fopen(path, "w");

	cr_assert(f && fwrite(text.ptr, 1, text.len, f) == text.len, "cannot write %s", path);
	cr_assert_eq(fclose(f), 0);
}

static void add_seats(const char *what, struct seat_set set, struct strbuf *out)
{
	strbuf_adds(out, what);
	for (unsigned seat = 1; seat <= MAX_SEATS; seat++)
		if (seat_in(set, seat))
			strbuf_addf(out, " %u", seat);
	strbuf_addc(out, '\n');
}

static void add_result(const struct rules *r, struct span state, struct strbuf *out)
{
	struct strbuf why = STRBUF_INIT;
	struct game_result result;
	struct game_state *s;

	cr_assert(r->decode(state, &s, &why), "%s", why.ptr);
	r->result(s, &result);
	strbuf_addf(out, "== result\nover: %s\n", result.over ? "yes" : "no");
	add_seats("awaited:", r->owes(s), out);
	add_seats("winners:", result.winners, out);
	add_seats("eliminated:", result.eliminated, out);
	for (unsigned seat = 1; seat <= result.nseats; seat++)
		strbuf_addf(out, "seat %u: score %lld rank %u\n", seat,
		            (long long)result.scores[seat], result.ranks[seat]);
	r->free_state(s);
	strbuf_release(&why);
}

/* Appends what comes of the turn, and leaves the next state in `state` ("" when refused). */
static void play_turn_file(const struct rules *r, const char *path, struct span input,
                           struct strbuf *state, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;
	struct frames frames = FRAMES_INIT;
	struct frames parts = FRAMES_INIT;
	struct failure e = ERR_INIT;

	if (state->len)
		strbuf_addf(&text, "== state\n%s", state->ptr);
	strbuf_add_span(&text, input);
	cr_assert_eq(frames_read(strbuf_span(&text), &frames, &e), ERR_NONE, "%s: %s", path,
	             e.text.ptr);
	strbuf_clear(state);
	if (rules_frames_resolve(r, &frames, out, &e)) {
		strbuf_addf(out, "== refused\n%s\n", e.text.ptr);
	} else {
		cr_assert_eq(frames_read(strbuf_span(out), &parts, &e), ERR_NONE, "%s",
		             e.text.ptr);
		strbuf_add_span(state, frames_find(&parts, "state")->text);
		add_result(r, strbuf_span(state), out);
	}
	frames_release(&frames);
	frames_release(&parts);
	strbuf_release(&text);
	err_release(&e);
}

static void compare(const char *path, struct span found)
{
	struct strbuf expected = STRBUF_INIT;

	if (env_get("UPDATE")) {
		write_text(path, found);
		return;
	}
	cr_expect(read_text(path, &expected), "%s is missing (UPDATE=1 writes it)", path);
	cr_expect(span_eq(found, strbuf_span(&expected)),
	          "%s:\n--- expected\n%s--- found\n%.*s", path, expected.ptr, SPAN_ARGS(found));
	strbuf_release(&expected);
}

static void run_scenario(const struct rules *r, const char *dir)
{
	struct strbuf path = STRBUF_INIT;
	struct strbuf input = STRBUF_INIT;
	struct strbuf state = STRBUF_INIT;
	struct strbuf out = STRBUF_INIT;
	unsigned turn;

	strbuf_addf(&path, "%s/rule", dir);
	cr_assert(read_text(path.ptr, &input) && input.len, "%s does not say what it shows",
	          dir);
	for (turn = 1;; turn++) {
		strbuf_clear(&path);
		strbuf_clear(&input);
		strbuf_clear(&out);
		strbuf_addf(&path, "%s/turn-%u.in", dir, turn);
		if (!read_text(path.ptr, &input))
			break;
		play_turn_file(r, path.ptr, strbuf_span(&input), &state, &out);
		strbuf_truncate(&path, path.len - strlen("in"));
		strbuf_adds(&path, "out");
		compare(path.ptr, strbuf_span(&out));
	}
	cr_assert_gt(turn, 1, "%s has no turn-1.in", dir);
	strbuf_release(&path);
	strbuf_release(&input);
	strbuf_release(&state);
	strbuf_release(&out);
}

/* Calls act for each entry of a folder, sorted by name; returns how many there were. */
static int each_entry(const char *dir, const struct rules *r,
                      void (*act)(const struct rules *r, const char *path))
{
	struct strbuf path = STRBUF_INIT;
	struct dirent **list;
	int n = scandir(dir, &list, shown, alphasort);

	cr_assert_geq(n, 0, "cannot list %s", dir);
	for (int i = 0; i < n; i++) {
		strbuf_clear(&path);
		strbuf_addf(&path, "%s/%s", dir, list[i]->d_name);
		act(r, path.ptr);
		free(list[i]);
	}
	free(list);
	strbuf_release(&path);
	return n;
}

static void run_kind(const struct rules *ignored, const char *dir)
{
	const struct rules *r = rules_find(span_of(strrchr(dir, '/') + 1));

	(void)ignored;
	cr_assert(r, "%s: no such game", dir);
	cr_assert_gt(each_entry(dir, r, run_scenario), 0, "%s is empty", dir);
}

Test(scenarios, every_golden_scenario_comes_out_as_written)
{
	seal_start();
	cr_assert_gt(each_entry("tests/scenarios", NULL, run_kind), 0);
}
