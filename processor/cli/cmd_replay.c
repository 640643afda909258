/*
 * cmd_replay.c - `molepost replay [--turn N] [--seat N] [--states] [--speed N] [FILE]`:
 * an archived game, turn by turn; with --json or --html OUT as a file.
 *
 * Verified first, so that what is shown is what happened. On a terminal one
 * turn at a time with keys, and a board that has frames moves first; else all of it.
 */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "processor/archive/archive.h"
#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/cli/command_line.h"
#include "processor/replay/replay.h"
#include "reports/pictures/picture.h"
#include "reports/report.h"

/*
 * ---- Single key strokes from a terminal ----
 *
 * Between terminal_keys_start and terminal_keys_stop the terminal gives each byte at once and
 * without echo, and Ctrl-C comes as a key. No signal handler: signals that would end the program are
 * held back and looked for between key strokes, and when the terminal is itself again they are let
 * through.
 */

enum key { KEY_NEXT, KEY_PREVIOUS, KEY_FIRST, KEY_LAST, KEY_TURNS, KEY_QUIT };

struct keys {
	int fd;
	struct termios saved;
	sigset_t saved_mask;
};

enum { LOOK_FOR_SIGNALS_MS = 200, CTRL_C = 3, CTRL_D = 4, ESCAPE = 27 };

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { NSIGNALS = sizeof(ending_signals) / sizeof(ending_signals[0]) };

/* False when fd is no terminal; then there is nothing to stop. */
static bool terminal_keys_start(struct keys *k, int fd)
{
	struct termios raw;
	sigset_t held;

	k->fd = fd;
	if (!isatty(fd) || tcgetattr(fd, &k->saved) != 0)
		return false;

	sigemptyset(&held);
	for (size_t i = 0; i < NSIGNALS; i++)
		sigaddset(&held, ending_signals[i]);
	sigprocmask(SIG_BLOCK, &held, &k->saved_mask);
	raw = k->saved;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(fd, TCSADRAIN, &raw) == 0)
		return true;
	sigprocmask(SIG_SETMASK, &k->saved_mask, NULL);
	return false;
}

static void terminal_keys_stop(struct keys *k)
{
	tcsetattr(k->fd, TCSADRAIN, &k->saved);
	sigprocmask(SIG_SETMASK, &k->saved_mask, NULL);
}

static bool signal_waits(void)
{
	sigset_t waiting;

	if (sigpending(&waiting) != 0)
		return false;
	for (size_t i = 0; i < NSIGNALS; i++)
		if (sigismember(&waiting, ending_signals[i]) == 1)
			return true;
	return false;
}

/* The next byte, or CTRL_D when there will be none. */
static int next_byte(struct keys *k)
{
	struct pollfd p = {.fd = k->fd, .events = POLLIN};
	unsigned char c;
	int ready;

	do {
		if (signal_waits())
			return CTRL_D;
		ready = poll(&p, 1, LOOK_FOR_SIGNALS_MS);
	} while (ready == 0);
	if (ready < 0 || read(k->fd, &c, 1) != 1)
		return CTRL_D;
	return c;
}

/* Whether a key (of any kind) or a signal is there within so many milliseconds; reads nothing. */
static bool terminal_keys_wait(struct keys *k, int ms)
{
	struct pollfd p = {.fd = k->fd, .events = POLLIN};

	return signal_waits() || poll(&p, 1, ms) != 0 || signal_waits();
}

/* The rest of an arrow key, ESC [ A to D or ESC O A to D; false for all else. */
static bool read_arrow(struct keys *k, enum key *out)
{
	int c = next_byte(k);

	if (c == '[' || c == 'O')
		c = next_byte(k);
	if (c == CTRL_D || c == CTRL_C)
		*out = KEY_QUIT;
	else if (c == 'A' || c == 'D')
		*out = KEY_PREVIOUS;
	else if (c == 'B' || c == 'C')
		*out = KEY_NEXT;
	else
		return false;
	return true;
}

/*
 * Waits for a key that means something: n, blank, Enter, right, down; p, b, left, up; g; G; t;
 * q, Ctrl-C, Ctrl-D. End of input and a waiting signal are KEY_QUIT.
 */
static enum key terminal_keys_read(struct keys *k)
{
	enum key arrow;

	for (;;) {
		switch (next_byte(k)) {
		case 'n':
		case ' ':
		case '\n':
		case '\r':
			return KEY_NEXT;
		case 'p':
		case 'b':
			return KEY_PREVIOUS;
		case 'g':
			return KEY_FIRST;
		case 'G':
			return KEY_LAST;
		case 't':
			return KEY_TURNS;
		case 'q':
		case CTRL_C:
		case CTRL_D:
			return KEY_QUIT;
		case ESCAPE:
			if (read_arrow(k, &arrow))
				return arrow;
			break;
		default:
			break;
		}
	}
}

enum { FRAME_MS = 60, LEAST_MS = 1000, SPEED_MOST = 100 };

struct replay {
	struct cli *cli;
	const char *path;
	bool has_turn, states, chances;
	unsigned turn;  /* serial */
	unsigned seat;  /* 0: the public view */
	unsigned speed; /* of what moves; 0: nothing does */
	bool json, list;
	const char *html; /* the file to write; NULL: none */
	struct archive *archive;
	const struct record *record;
	struct strbuf *frames; /* one per turn */
};

static bool take_number(int argc, char **argv, int *i, unsigned min, unsigned max,
                        unsigned *out)
{
	return ++*i < argc && num_parse_uint(span_of(argv[*i]), min, max, out);
}

static bool take_option(int argc, char **argv, int *i, struct replay *r)
{
	if (strcmp(argv[*i], "--turn") == 0)
		return r->has_turn = take_number(argc, argv, i, 0, INT32_MAX, &r->turn);
	if (strcmp(argv[*i], "--seat") == 0)
		return take_number(argc, argv, i, 1, MAX_SEATS, &r->seat);
	if (strcmp(argv[*i], "--speed") == 0)
		return take_number(argc, argv, i, 0, SPEED_MOST, &r->speed);
	if (strcmp(argv[*i], "--states") == 0)
		return r->states = true;
	if (strcmp(argv[*i], "--chances") == 0)
		return r->chances = true;
	if (strcmp(argv[*i], "--json") == 0)
		return r->json = true;
	if (strcmp(argv[*i], "--list") == 0)
		return r->list = true;
	if (strcmp(argv[*i], "--html") == 0) {
		r->html = ++*i < argc ? argv[*i] : NULL;
		return r->html != NULL;
	}
	if ((argv[*i][0] == '-' && argv[*i][1] != '\0') || r->path != NULL)
		return false;
	r->path = argv[*i];
	return true;
}

static const char *seat_name(const struct replay *r, unsigned seat)
{
	return r->record->seats[seat].name;
}

/* Frames. */

/* Free text of an archive may hold anything, and must not reach a terminal as it is. */
static void add_clean(struct strbuf *out, struct span text)
{
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];

		strbuf_addc(out, c < 0x20 || c == 0x7f ? '?' : text.ptr[i]);
	}
}

static void add_frame(struct replay *r, size_t i, struct strbuf *out)
{
	const struct record_turn *t = &r->record->turns[i];
	struct failure e = ERR_INIT;
	const struct game_state *state = archive_state(r->archive, i, &e);

	strbuf_addf(out, "=== %s ", r->record->game);
	add_clean(out, t->label);
	strbuf_addf(out, " (serial %u), %s ", t->serial,
	            t->dropped_utc != 0 ? "broken off" : "sealed");
	utc_format_iso(out, t->dropped_utc != 0 ? t->dropped_utc : t->sealed_utc);
	strbuf_adds(out, " ===\n");
	for (size_t k = 0; k < t->nactions; k++) {
		strbuf_adds(out, "  ");
		add_clean(out, span_of(t->actions[k]));
		strbuf_addc(out, '\n');
	}
	if (i == 0) {
		const struct record_fork *f = &r->record->fork;

		if (f->game != NULL) {
			strbuf_addf(out, "  goes on from %s of ", f->game);
			add_clean(out, span_of(f->instance));
			strbuf_addf(out, ", after its turn with serial %u\n", f->serial);
		}
	}
	for (size_t k = 0; k < t->nused; k++) {
		struct span rest = t->used[k].canonical, line;
		const char *between = "";

		strbuf_addf(out, "  %s (%s): ", seat_name(r, t->used[k].seat),
		            order_origin_name(t->used[k].origin));
		while (span_next_line(&rest, &line)) {
			strbuf_adds(out, between);
			add_clean(out, line);
			between = "; ";
		}
		strbuf_addc(out, '\n');
	}
	strbuf_addc(out, '\n');
	if (state != NULL) {
		struct arena *arena = arena_new();
		struct doc doc;

		doc_init(&doc, arena);
		archive_rules(r->archive)->view(state, r->seat, &doc);
		report_text(&doc, out);
		arena_free(arena);
		if (r->states) {
			strbuf_adds(out, "\n--- state ---\n");
			archive_rules(r->archive)->encode(state, out);
		}
	} else {
		strbuf_adds(out, "The position stays hidden until the game has ended.\n");
	}
	err_release(&e);
}

static void add_ending(struct replay *r, struct strbuf *out)
{
	struct failure e = ERR_INIT;
	struct game_result result = {0};
	const struct game_state *last;

	if (!r->record->ended || r->record->nturns == 0)
		return;
	last = archive_state(r->archive, r->record->nturns - 1, &e);
	ENSURE(last != NULL);
	archive_rules(r->archive)->result(last, &result);
	if (r->record->agreed.bits != 0)
		game_result_agree(&result, r->record->agreed);
	strbuf_addf(out, "\n=== %s %s ", r->record->game, r->record->end_status);
	utc_format_iso(out, r->record->ended_utc);
	strbuf_adds(out, " ===\n");
	if (r->record->agreed.bits != 0)
		strbuf_adds(out, "Ended by agreement. ");

	const char *between = "Winner: ";

	for (unsigned seat = 1; seat <= r->record->nseats; seat++) {
		if (!seat_in(result.winners, seat))
			continue;
		strbuf_addf(out, "%s%s", between, seat_name(r, seat));
		between = ", ";
	}
	if (result.winners.bits == 0)
		strbuf_adds(out, "No winner");
	strbuf_addc(out, '\n');
	for (unsigned seat = 1; seat <= r->record->nseats; seat++)
		strbuf_addf(out, "  %s: %lld\n", seat_name(r, seat),
		            (long long)result.scores[seat]);
	err_release(&e);
}

/* Showing. */

/* "12  turn 11  Wed 25 Mar 2026 19:01 UTC  Ann 9, Bo 6": one turn of the list; `mark` stands before it. */
static void add_listed(struct replay *r, size_t i, char mark, struct strbuf *out)
{
	const struct record_turn *t = &r->record->turns[i];
	struct failure e = ERR_INIT;
	const struct game_state *state = archive_state(r->archive, i, &e);
	struct game_result result = {0};

	strbuf_addf(out, "%c%4u  ", mark, t->serial);
	add_clean(out, t->label);
	strbuf_adds(out, t->dropped_utc != 0 ? ", broken off, " : ", ");
	utc_format_human(out, t->dropped_utc != 0 ? t->dropped_utc : t->sealed_utc);
	if (state != NULL)
		archive_rules(r->archive)->result(state, &result);
	for (unsigned seat = 1; seat <= result.nseats; seat++)
		strbuf_addf(out, "%s %s %lld", seat > 1 ? "," : ":", seat_name(r, seat),
		            (long long)result.scores[seat]);
	strbuf_addc(out, '\n');
	err_release(&e);
}

static void animate(struct replay *r, struct keys *keys, size_t i)
{
	struct failure e = ERR_INIT;
	const struct game_state *state = r->speed ? archive_state(r->archive, i, &e) : NULL;
	struct arena *arena = arena_new();
	const struct doc_board *b;
	struct doc doc;

	doc_init(&doc, arena);
	if (state != NULL) {
		archive_rules(r->archive)->view(state, r->seat, &doc);
		b = report_moving_board(&doc);
		if (b != NULL) {
			/* Frame after frame, for a second at least; any key ends it, and then does what it does. */
			int frames = b->nframes;
			int ms = LEAST_MS / frames > FRAME_MS ? LEAST_MS / frames : FRAME_MS;
			struct strbuf text = STRBUF_INIT;

			for (int frame = 1;
			     frame <= frames && !terminal_keys_wait(keys, ms / (int)r->speed);
			     frame++) {
				strbuf_clear(&text);
				report_picture(b, frame, &text);
				fprintf(r->cli->out, "\033[H\033[J%s", text.ptr);
				fflush(r->cli->out);
			}
			(void)terminal_keys_wait(keys, LEAST_MS / (int)r->speed);
			strbuf_release(&text);
		}
	}
	arena_free(arena);
	err_release(&e);
}

static void browse(struct replay *r, struct keys *keys)
{
	size_t i = 0, last = r->record->nturns - 1, shown = r->record->nturns;
	bool listed = false;

	for (;;) {
		if (i != shown && !listed)
			animate(r, keys, i);
		if (!listed)
			shown = i;
		if (listed) {
			/* With the turn at hand in the middle. */
			enum { SCREEN = 20 };
			struct strbuf text = STRBUF_INIT;
			size_t n = r->record->nturns,
			       from = i > SCREEN / 2 ? i - SCREEN / 2 : 0;

			for (size_t k = from; k < n && k < from + SCREEN; k++)
				add_listed(r, k, k == i ? '>' : ' ', &text);
			fprintf(
			    r->cli->out,
			    "\033[H\033[2J%s\n[%zu/%zu] n down, p up, t shows the turn, q quit\n",
			    text.ptr, i + 1, n);
			fflush(r->cli->out);
			strbuf_release(&text);
		} else {
			fprintf(
			    r->cli->out,
			    "\033[H\033[2J%s\n[%zu/%zu] n next, p previous, t all turns, q quit\n",
			    r->frames[i].ptr, i + 1, r->record->nturns);
			fflush(r->cli->out);
		}
		switch (terminal_keys_read(keys)) {
		case KEY_NEXT:
			i += i < last;
			break;
		case KEY_PREVIOUS:
			i -= i > 0;
			break;
		case KEY_FIRST:
			i = 0;
			break;
		case KEY_LAST:
			i = last;
			break;
		case KEY_TURNS:
			listed = !listed;
			break;
		case KEY_QUIT:
			return;
		}
	}
}

static int show(struct replay *r)
{
	struct keys keys;

	if (r->list) {
		struct strbuf text = STRBUF_INIT;

		for (size_t i = 0; i < r->record->nturns; i++)
			add_listed(r, i, ' ', &text);
		fputs(text.ptr, r->cli->out);
		strbuf_release(&text);
		return EXIT_DONE;
	}
	if (r->has_turn) {
		for (size_t i = 0; i < r->record->nturns; i++) {
			if (r->record->turns[i].serial != r->turn)
				continue;
			fputs(r->frames[i].ptr, r->cli->out);
			return EXIT_DONE;
		}
		log_warnx(&r->cli->log, "replay: the archive has no turn with serial %u",
		          r->turn);
		return EXIT_DATA;
	}
	if (r->record->nturns > 0 && r->cli->out_is_terminal && !archive_is_stdin(r->path) &&
	    terminal_keys_start(&keys, fileno(r->cli->in))) {
		browse(r, &keys);
		terminal_keys_stop(&keys);
	} else {
		for (size_t i = 0; i < r->record->nturns; i++)
			fprintf(r->cli->out, "%s%s", i > 0 ? "\n" : "", r->frames[i].ptr);
		if (r->record->nturns == 0)
			fprintf(r->cli->out, "%s was never played.\n", r->record->game);
	}
	return EXIT_DONE;
}

/* Nobody sees more than the server would tell them now. */
static bool may_show(const struct replay *r)
{
	bool hidden = (archive_rules(r->archive)->facts & FACT_HIDDEN) != 0;

	if (r->seat > r->record->nseats)
		log_warnx(&r->cli->log, "replay: %s has %u seats", r->record->game,
		          r->record->nseats);
	else if (r->seat > 0 && !r->record->ended)
		log_warnx(&r->cli->log,
		          "replay: %s is still running, so only the public view can be shown",
		          r->record->game);
	else if (r->states && hidden && !r->record->ended)
		log_warnx(
		    &r->cli->log,
		    "replay: %s is still running, and its positions are hidden until it ends",
		    r->record->game);
	else
		return true;
	return false;
}

/* Written whole, or the file is not there. Without chances it is the page of the last mail, byte for byte. */
static int write_page(struct replay *r)
{
	struct strbuf page = STRBUF_INIT, why = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct failure e = ERR_INIT;
	struct analysis analysis;
	int code = EXIT_DONE;
	bool analysed = r->record->ended &&
	                analysis_make(r->archive, !r->chances, arena, &analysis, &why);

	replay_html(r->archive, NULL, analysed ? &analysis : NULL, &page);
	if (file_create(r->html, strbuf_span(&page), &e) != ERR_NONE) {
		log_warnx(&r->cli->log, "replay: %s", e.text.ptr);
		code = (int)err_exit_code(e.code);
	}
	strbuf_release(&page);
	strbuf_release(&why);
	arena_free(arena);
	err_release(&e);
	return code;
}

static int present(struct replay *r)
{
	int code;

	if (r->html != NULL)
		return write_page(r);
	if (r->json) {
		struct strbuf text = STRBUF_INIT;

		replay_json(r->archive, &text);
		fwrite(text.ptr, 1, text.len, r->cli->out);
		strbuf_release(&text);
		return EXIT_DONE;
	}

	size_t n = r->record->nturns;

	r->frames = xcalloc(n + 1, sizeof(r->frames[0]));
	for (size_t i = 0; i < n; i++) {
		strbuf_init(&r->frames[i]);
		add_frame(r, i, &r->frames[i]);
		if (i + 1 == n)
			add_ending(r, &r->frames[i]);
	}
	code = show(r);
	for (size_t i = 0; i < n; i++)
		strbuf_release(&r->frames[i]);
	free(r->frames);
	return code;
}

static int replay_text(struct replay *r, struct span text)
{
	struct archive_report report;
	struct failure e = ERR_INIT;
	int code = EXIT_DATA;

	archive_verify(text, NULL, NULL, &report);
	if (report.verdict == ARCHIVE_BROKEN || report.verdict == ARCHIVE_UNKNOWN) {
		log_warnx(&r->cli->log, "replay: the archive does not hold, line %u: %s",
		          report.line, report.why.ptr);
	} else if (archive_open(text, &r->archive, &e) != ERR_NONE) {
		log_warnx(&r->cli->log, "replay: %s", e.text.ptr);
	} else {
		r->record = archive_record(r->archive);
		if (may_show(r))
			code = present(r);
	}
	archive_free(r->archive);
	archive_report_release(&report);
	err_release(&e);
	return code;
}

int cmd_replay(struct cli *cli, int argc, char **argv)
{
	struct replay r = {.cli = cli, .speed = 1};
	struct strbuf text = STRBUF_INIT;
	struct failure e = ERR_INIT;
	int code;

	for (int i = 1; i < argc; i++)
		if (!take_option(argc, argv, &i, &r))
			return cli_usage(cli);
	if (archive_load(r.path, cli->in, &text, &e) == ERR_NONE) {
		code = replay_text(&r, strbuf_span(&text));
	} else {
		log_warnx(&cli->log, "replay: %s", e.text.ptr);
		code = (int)err_exit_code(e.code);
	}
	strbuf_release(&text);
	err_release(&e);
	return code;
}
