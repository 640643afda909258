/*
 * board_text.c - a board as text, on lines or on one line, and back.
 *
 * On one line `;` stands for the end of a line and `,` for a blank; people may write so too. A word that
 * only helps to read ("radius", "to", "mm") is passed over. What stands below the last line of the
 * board and has no number in it is a greeting.
 */
#include "processor/games/mole/mole.h"
#include "processor/games/order_text.h"

enum { NUMBERS_MOST = 5 };

struct statement {
	const char *word;
	unsigned numbers;
	const char *example;
};

enum kind {
	SIZE,
	CIRCLE,
	ROSSERIE,
	NICHEE,
	LOUP,
	WALL,
	POST,
	GATE,
	RAMP,
	MOLE_START,
	MIGNETTE_START,
	KINDS
};

static const struct statement statements[KINDS] = {
    [SIZE] = {"size", 2, "size 300 600"},
    [CIRCLE] = {"circle", 3, "circle 150 130 30"},
    [ROSSERIE] = {"rosserie", 4, "rosserie 35 230 95 290"},
    [NICHEE] = {"nichee", 4, "nichee 60 330 240 420"},
    [LOUP] = {"loup", 1, "loup 70"},
    [WALL] = {"wall", 5, "wall 120 450 180 450 3"},
    [POST] = {"post", 3, "post 100 520 6"},
    [GATE] = {"gate", 5, "gate 100 520 200 520 6"},
    [RAMP] = {"ramp", 4, "ramp 100 440 200 500"},
    [MOLE_START] = {"mole", 2, "mole 150 130"},
    [MIGNETTE_START] = {"mignette", 3, "mignette 1 90 360"},
};

struct reading {
	struct mole_board *board;
	struct strbuf *why;
	unsigned lines;
	bool said[KINDS], said_mignette[MOLE_COINS];
	struct span stray; /* the first line that is none of a board, until another one is */
};

/* --- lines and words --------------------------------------------------- */

static bool next_statement(struct span *rest, struct span *line)
{
	size_t end = 0;

	if (rest->len == 0)
		return false;
	while (end < rest->len && rest->ptr[end] != '\n' && rest->ptr[end] != ';')
		end++;
	*line = span_trim(span_slice(*rest, 0, end));
	*rest = span_slice(*rest, end + 1, rest->len);
	return true;
}

static bool is_filler(struct span word)
{
	static const char *const fillers[] = {"mm", "at",     "from",   "to",   "by",
	                                      "x",  "radius", "centre", "line", "center"};

	return span_in_nocase(word, fillers, sizeof fillers / sizeof *fillers);
}

static bool next_word(struct span *rest, struct span *word)
{
	do
		if (!span_next_word(rest, ",:=()\r", word))
			return false;
	while (is_filler(*word));
	return true;
}

static bool has_digit(struct span line)
{
	for (size_t i = 0; i < line.len; i++)
		if (line.ptr[i] >= '0' && line.ptr[i] <= '9')
			return true;
	return false;
}

static bool refuse(struct reading *r, struct span line, const char *what, const char *example)
{
	strbuf_addf(r->why, "The line \"%.*s\" of the board %s", SPAN_ARGS(order_quote(line)),
	            what);
	strbuf_addf(r->why, *example ? ", for example \"%s\"." : ".", example);
	return false;
}

/* --- a line ------------------------------------------------------------ */

static struct mole_rect rect_of(const int64_t *n)
{
	return (struct mole_rect){n[0] < n[2] ? n[0] : n[2], n[1] < n[3] ? n[1] : n[3],
	                          n[0] < n[2] ? n[2] : n[0], n[1] < n[3] ? n[3] : n[1]};
}

static bool add_wall(struct reading *r, struct span line, struct mole_wall w)
{
	if (r->board->nwalls == MOLE_MOST_WALLS)
		return refuse(r, line,
		              "is too much: a board has 24 walls and posts at most, and a gate "
		              "counts as two",
		              "");
	r->board->walls[r->board->nwalls++] = w;
	return true;
}

static bool take_wall(struct reading *r, struct span line, const int64_t *n)
{
	struct mole_rect ends = rect_of(n);

	if (n[0] != n[2] && n[1] != n[3])
		return refuse(r, line, "goes aslant; walls go straight across or along",
		              statements[WALL].example);
	return add_wall(r, line, (struct mole_wall){ends.x0, ends.y0, ends.x1, ends.y1, n[4]});
}

static bool take(struct reading *r, enum kind kind, struct span line, const int64_t *n)
{
	struct mole_board *b = r->board;
	bool many = kind == ROSSERIE || kind == WALL || kind == POST || kind == GATE ||
	            kind == MIGNETTE_START;

	if (r->said[kind] && !many)
		return refuse(r, line, "is there twice; a board has one of that", "");
	r->said[kind] = true;
	switch (kind) {
	case SIZE:
		b->width = n[0];
		b->length = n[1];
		return true;
	case CIRCLE:
		b->circle = (struct mole_disc){n[0], n[1], n[2]};
		return true;
	case ROSSERIE:
		if (b->nrosseries == MOLE_MOST_ROSSERIES)
			return refuse(r, line,
			              "is too much: a board has four Rosseries at most", "");
		b->rosseries[b->nrosseries++] = rect_of(n);
		return true;
	case NICHEE:
		b->nichee = rect_of(n);
		return true;
	case LOUP:
		b->has_loup = true;
		b->loup = n[0];
		return true;
	case WALL:
		return take_wall(r, line, n);
	case POST:
		return add_wall(r, line, (struct mole_wall){n[0], n[1], n[0], n[1], n[2]});
	case GATE:
		return add_wall(r, line, (struct mole_wall){n[0], n[1], n[0], n[1], n[4]}) &&
		       add_wall(r, line, (struct mole_wall){n[2], n[3], n[2], n[3], n[4]});
	case RAMP:
		b->has_ramp = true;
		b->ramp = rect_of(n);
		return true;
	case MOLE_START:
		b->start[MOLE] = (struct mole_point){n[0], n[1]};
		return true;
	case MIGNETTE_START: {
		int64_t coin = n[0] / MOLE_MM;

		if (n[0] % MOLE_MM != 0 || coin < 1 || coin >= MOLE_COINS)
			return refuse(r, line, "needs the mignette, 1 to 3, and then its place",
			              statements[MIGNETTE_START].example);
		if (r->said_mignette[coin])
			return refuse(r, line, "is there twice", "");
		r->said_mignette[coin] = true;
		b->start[coin] = (struct mole_point){n[1], n[2]};
		return true;
	}
	case KINDS:
		break;
	}
	return false;
}

static bool read_numbers(struct reading *r, enum kind kind, struct span line, struct span rest)
{
	static const char *const counts[] = {"no number",     "a number",     "two numbers",
	                                     "three numbers", "four numbers", "five numbers"};
	const struct statement *s = &statements[kind];
	struct strbuf needs = STRBUF_INIT;
	int64_t n[NUMBERS_MOST] = {0};
	struct span word;
	unsigned count = 0;
	bool ok = true;

	while (ok && next_word(&rest, &word))
		ok = count < s->numbers && mole_parse_mm(word, &n[count++]);
	ok = ok && count == s->numbers;
	if (!ok) {
		strbuf_addf(&needs, "needs %s, millimetres with two decimals at most",
		            counts[s->numbers]);
		ok = refuse(r, line, needs.ptr, s->example);
	} else {
		ok = take(r, kind, line, n);
	}
	strbuf_release(&needs);
	return ok;
}

static bool refuse_stray(struct reading *r, struct span line)
{
	return refuse(r, line, "is none that a board has; write", statements[POST].example);
}

static bool read_statement(struct reading *r, struct span line)
{
	struct span rest = line, word;

	if (line.len == 0 || line.ptr[0] == '#' || !next_word(&rest, &word))
		return true;
	for (unsigned k = 0; k < KINDS; k++)
		if (span_eq_nocase(word, statements[k].word))
			return r->stray.len == 0 ? read_numbers(r, (enum kind)k, line, rest)
			                         : refuse_stray(r, r->stray);
	if (has_digit(line))
		return refuse_stray(r, line);
	if (r->stray.len == 0)
		r->stray = line;
	return true;
}

/* --- a whole board ----------------------------------------------------- */

static int64_t hundredths(int64_t nm)
{
	return nm / MOLE_STEP * MOLE_STEP;
}

bool mole_board_read(struct span text, struct mole_board *out, struct strbuf *why)
{
	struct mole_board board = {0};
	struct reading r = {.board = &board, .why = why};
	struct strbuf word = STRBUF_INIT;
	struct span line;
	bool fits;

	while (next_statement(&text, &line)) {
		if (line.len > 0 && ++r.lines > MOLE_BOARD_LINES) {
			strbuf_addf(why, "A board has at most %d lines.", MOLE_BOARD_LINES);
			return false;
		}
		if (!read_statement(&r, line))
			return false;
	}

	static const enum kind needed[] = {SIZE, CIRCLE, NICHEE};

	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
		const struct statement *s = &statements[needed[i]];

		if (r.said[needed[i]])
			continue;
		strbuf_addf(r.why, "The board has no line for its %s, for example \"%s\".",
		            s->word, s->example);
		return false;
	}

	/* The mole in the middle of its circle, the mignettes side by side in the first third of the nichee. */
	struct mole_board *b = r.board;
	int64_t wide = b->nichee.x1 - b->nichee.x0, deep = b->nichee.y1 - b->nichee.y0;

	if (!r.said[MOLE_START])
		b->start[MOLE] = (struct mole_point){b->circle.x, b->circle.y};
	for (unsigned i = 1; i < MOLE_COINS; i++)
		if (!r.said_mignette[i])
			b->start[i] = (struct mole_point){
			    b->nichee.x0 + hundredths(wide * (2 * i - 1) / 6),
			    b->nichee.y0 + hundredths(deep / 3)};
	if (!mole_board_sound(&board, why))
		return false;
	mole_board_write(&board, &word);
	fits = word.len <= MOLE_BOARD_BYTES;
	if (!fits)
		strbuf_addf(why,
		            "The board is too long: on one line it takes %zu letters, and "
		            "may take %d. Leave something out.",
		            word.len, MOLE_BOARD_BYTES);
	else
		*out = board;
	strbuf_release(&word);
	return fits;
}

static void write_line(struct strbuf *out, enum kind kind, const int64_t *n)
{
	if (kind != SIZE)
		strbuf_addc(out, ';');
	strbuf_adds(out, statements[kind].word);
	for (unsigned i = 0; i < statements[kind].numbers; i++) {
		strbuf_addc(out, ',');
		mole_add_mm(out, n[i]);
	}
}

static void write_rect(struct strbuf *out, enum kind kind, const struct mole_rect *r)
{
	write_line(out, kind, (const int64_t[NUMBERS_MOST]){r->x0, r->y0, r->x1, r->y1});
}

void mole_board_write(const struct mole_board *b, struct strbuf *out)
{
	write_line(out, SIZE, (const int64_t[NUMBERS_MOST]){b->width, b->length});
	write_line(out, CIRCLE,
	           (const int64_t[NUMBERS_MOST]){b->circle.x, b->circle.y, b->circle.r});
	for (size_t i = 0; i < b->nrosseries; i++)
		write_rect(out, ROSSERIE, &b->rosseries[i]);
	write_rect(out, NICHEE, &b->nichee);
	if (b->has_loup)
		write_line(out, LOUP, (const int64_t[NUMBERS_MOST]){b->loup});
	for (size_t i = 0; i < b->nwalls; i++) {
		const struct mole_wall *w = &b->walls[i];

		if (w->x1 == w->x2 && w->y1 == w->y2)
			write_line(out, POST,
			           (const int64_t[NUMBERS_MOST]){w->x1, w->y1, w->h});
		else
			write_line(
			    out, WALL,
			    (const int64_t[NUMBERS_MOST]){w->x1, w->y1, w->x2, w->y2, w->h});
	}
	if (b->has_ramp)
		write_rect(out, RAMP, &b->ramp);
	write_line(out, MOLE_START,
	           (const int64_t[NUMBERS_MOST]){b->start[0].x, b->start[0].y});
	for (unsigned i = 1; i < MOLE_COINS; i++)
		write_line(out, MIGNETTE_START,
		           (const int64_t[NUMBERS_MOST]){(int64_t)i * MOLE_MM, b->start[i].x,
		                                         b->start[i].y});
}
