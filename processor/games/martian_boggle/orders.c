/*
 * orders.c - reading MOVE, SPELL and PASS.
 *
 * A mail is a whole turn: it replaces what was sent before, and one bad line refuses all of
 * it. SPELL ends the turn, so that what stands below it is only pointed out. A line that is
 * nothing but two squares is a move too.
 *
 * Trusts: `text` is anybody's. Diagnostics speak of the text, the position and the word list,
 * which everybody may know.
 */
#include <string.h>

#include "processor/games/decoration.h"
#include "processor/games/martian_boggle/reading.h"
#include "processor/games/order_text.h"

enum verb { VERB_MOVE, VERB_SPELL, VERB_PASS, VERB_RESIGN, VERBS };

static const char *const verbs[VERBS] = {"MOVE", "SPELL", "PASS", "RESIGN"};

enum { MOVE_SQUARES = 4, TALK_WORDS = 4 };

/* "e1-b2", "e1->b2", "e1b2": two squares in one word. */
static bool parse_pair(struct span word, unsigned pair[2])
{
	size_t end = word.len;

	return end >= 4 && end <= 6 && boggle_parse_square(span_slice(word, 0, 2), &pair[0]) &&
	       boggle_parse_square(span_slice(word, end - 2, end), &pair[1]) &&
	       (end < 5 || word.ptr[2] == '-') && (end < 6 || strchr(">-", word.ptr[3]));
}

static bool is_argument(struct span word)
{
	unsigned pair[2];

	return boggle_parse_square(word, pair) || parse_pair(word, pair);
}

/* "c5-a3 (TREND)": but "c5-a3, merci" thanks. */
static bool could_be_spelled(struct span word)
{
	char letters[BOGGLE_LETTERS + 1];

	return boggle_parse_word(word, letters) && !is_courtesy(word);
}

/* "SPELL MERCI" */
static size_t free_words(struct span word)
{
	return span_eq_nocase(word, verbs[VERB_SPELL]) ? 1 : 0;
}

static const struct order_language language = {
    .verbs = verbs,
    .nverbs = VERBS,
    .is_argument = is_argument,
    .means_alone = could_be_spelled,
    .free_words = free_words,
};

/* A copy: the reader forgets a line when it takes the next. */
static struct boggle_place place_of(const struct order_clause *c)
{
	struct span quote = order_quote(c->text);
	struct boggle_place at = {.line = c->line, .column = c->head.column};

	if (quote.len)
		memcpy(at.quoted, quote.ptr, quote.len);
	return at;
}

static void refuse(struct boggle_reading *r, const struct order_clause *c, const char *example,
                   const char *what)
{
	struct boggle_place at = place_of(c);

	r->refused = true;
	diags_add(r->diags, DIAG_ERROR, at.line, at.column, span_of(at.quoted), example, "%s",
	          what);
}

static void add_move(struct boggle_reading *r, const struct order_clause *c,
                     const unsigned pair[2])
{
	unsigned n = r->orders.nmoves;

	if (n == 2) {
		refuse(r, c, "", "There are two dice, so a turn has two moves at most.");
		return;
	}
	r->orders.moves[n] = (struct boggle_move){pair[0], pair[1]};
	r->places[n] = place_of(c);
	r->orders.nmoves++;
}

static bool is_joint(struct span word)
{
	return span_eq_nocase(word, "to") || span_eq_nocase(word, "from") ||
	       span_eq_nocase(word, "and") || span_eq_str(word, "-") ||
	       span_eq_str(word, "->") || span_eq_str(word, ";");
}

/* Two squares, or four: two moves in one clause. */
static void read_move(struct boggle_reading *r, const struct order_clause *c)
{
	unsigned found[MOVE_SQUARES + 2];
	size_t n = 0;

	for (size_t i = 0; i < c->nargs && n <= MOVE_SQUARES; i++) {
		struct span word = c->args[i].text;

		if (boggle_parse_square(word, &found[n])) {
			n++;
		} else if (parse_pair(word, &found[n])) {
			n += 2;
		} else if (!is_joint(word)) {
			refuse(r, c, r->example,
			       "MOVE takes two squares from a1 to e5: the one a piece leaves "
			       "and the one it goes to.");
			return;
		}
	}
	if (n != 2 && n != MOVE_SQUARES) {
		refuse(r, c, r->example,
		       "MOVE takes two squares: the one a piece leaves and the one it goes "
		       "to.");
		return;
	}
	for (size_t i = 0; i < n; i += 2)
		add_move(r, c, &found[i]);
}

/* "SPELL PHIAL; e5-c1": what is behind the word are moves without their verb, or nothing. */
static bool has_only_moves_behind(const struct order_clause *c)
{
	for (size_t i = 1; i < c->nargs; i++)
		if (!is_argument(c->args[i].text) && !is_joint(c->args[i].text))
			return false;
	return c->nargs > 0;
}

static void read_spell(struct boggle_reading *r, const struct order_clause *c)
{
	if (!has_only_moves_behind(c) || !boggle_parse_word(c->args[0].text, r->orders.word)) {
		refuse(r, c, "", "SPELL takes one word of five letters from A to Z.");
		return;
	}
	r->places[2] = place_of(c);
	if (c->nargs > 1)
		diags_add(r->diags, DIAG_WARNING, c->line, 0, order_quote(c->text), "",
		          "SPELL ends the turn, so the moves behind it do not count.");
}

static void read_pass(struct boggle_reading *r, const struct order_clause *c)
{
	if (c->nargs)
		refuse(r, c, "PASS", "PASS stands alone.");
	r->passed = true;
	r->pass = place_of(c);
}

static void read_resign(struct boggle_reading *r, const struct order_clause *c)
{
	if (order_resigns(c, r->diags))
		r->orders.resign = true;
	else
		r->refused = true;
}

/* "SPEL PHIAL": two words, the first nearly SPELL. Anything longer is talk. */
static bool is_nearly_spell(struct span line)
{
	char word[BOGGLE_LETTERS + 1];
	const char *meant;
	struct span first, second;

	if (!span_next_word(&line, "", &first) || !span_next_word(&line, ".!", &second) ||
	    span_next_word(&line, ".!", &line))
		return false;
	meant = order_suggest(&language, first);
	return meant && strcmp(meant, verbs[VERB_SPELL]) == 0 &&
	       boggle_parse_word(second, word);
}

static void explain_misspelt(struct boggle_reading *r, const struct order_clause *c)
{
	const char *example = "";

	/* A word that could be spelled is not ours to say. */
	if (strcmp(c->meant, verbs[VERB_MOVE]) == 0)
		example = r->example;
	else if (strcmp(c->meant, verbs[VERB_PASS]) == 0)
		example = verbs[VERB_PASS];
	r->refused = true;
	order_tell_misspelt(c, example, r->diags);
}

static bool is_after_spell(const struct boggle_reading *r, const struct order_clause *c)
{
	return r->orders.word[0] && c->verb != VERB_PASS && c->verb != VERB_RESIGN;
}

/* "Move on, Bob, or we shall be here for ever": many words, and nothing that orders need. */
static bool is_talk(const struct order_clause *c)
{
	size_t longest = 0;

	if (c->verb == VERB_RESIGN || c->nargs < TALK_WORDS)
		return false;
	for (size_t i = 0; i < c->nargs; i++) {
		if (is_argument(c->args[i].text))
			return false;
		longest = c->args[i].text.len > longest ? c->args[i].text.len : longest;
	}
	return longest > 2; /* "SPELL P H I A L" is no talk */
}

/* "c2-a2; spell trend sorry for that": talk on a line of orders is not passed over. */
static bool stands_beside_orders(const struct boggle_reading *r, const struct order_clause *c)
{
	for (unsigned i = 0; i < r->orders.nmoves; i++)
		if (r->places[i].line == c->line)
			return true;
	return false;
}

static void read_prose(struct boggle_reading *r, const struct order_clause *c);

static void read_clause(struct boggle_reading *r, const struct order_clause *c)
{
	if (is_after_spell(r, c)) {
		diags_add(r->diags, c->verb == ORDER_PROSE ? DIAG_IGNORED : DIAG_WARNING,
		          c->line, 0, order_quote(c->text), "",
		          "SPELL ends the turn, so this line behind it does not count.");
		return;
	}
	if (c->verb >= 0 && is_talk(c) && !stands_beside_orders(r, c)) {
		order_ignore(c, r->diags);
		return;
	}
	r->understood = r->understood || c->verb != ORDER_PROSE;
	switch (c->verb) {
	case VERB_MOVE:
		read_move(r, c);
		break;
	case VERB_SPELL:
		read_spell(r, c);
		break;
	case VERB_PASS:
		read_pass(r, c);
		break;
	case VERB_RESIGN:
		read_resign(r, c);
		break;
	case ORDER_MISSPELT:
		explain_misspelt(r, c);
		break;
	default:
		read_prose(r, c);
	}
}

static struct span without_end_marks(struct span text)
{
	while (text.len && strchr(".!", text.ptr[text.len - 1]))
		text.len--;
	return text;
}

/* SPELL is a word of five letters itself: then two verbs stand side by side. */
static void take_spelled_verb(struct order_reader *reader, struct order_clause *c)
{
	struct order_clause next;
	struct span word;

	if (c->verb != VERB_SPELL || c->nargs || reader->at >= reader->count)
		return;
	word = without_end_marks(reader->words[reader->at].text);
	if (!span_eq_nocase(word, verbs[VERB_SPELL]))
		return;
	reader->words[reader->at].text = word;
	if (order_next_clause(reader, &next)) {
		c->args = reader->words + (next.args - reader->words) - 1;
		c->nargs = next.nargs + 1;
		c->text.len = (size_t)(next.text.ptr + next.text.len - c->text.ptr);
	}
}

/* Whether a MOVE has nothing but squares behind it, beginning with one. */
static bool has_only_squares(const struct order_clause *c)
{
	for (size_t i = 0; i < c->nargs; i++)
		if (!is_argument(c->args[i].text) && (i == 0 || !is_joint(c->args[i].text)))
			return false;
	return c->nargs > 0;
}

/* "e1-b2" or "e1 b2; spell phial": a line that begins with squares is read as if after MOVE. */
static bool read_bare_move(struct boggle_reading *r, const struct order_clause *line)
{
	struct strbuf text = STRBUF_INIT;
	struct order_reader reader;
	struct order_clause c;
	bool taken = false;

	strbuf_addf(&text, "%s %.*s", verbs[VERB_MOVE], SPAN_ARGS(line->text));
	order_reader_start(&reader, &language, strbuf_span(&text));
	while (order_next_clause(&reader, &c)) {
		if (!taken && !has_only_squares(&c))
			break;
		taken = true;
		take_spelled_verb(&reader, &c);
		c.line = line->line;
		c.head.column = 0;
		read_clause(r, &c);
	}
	order_reader_release(&reader);
	strbuf_release(&text);
	return taken;
}

/* A line that is nothing but a word of five letters: what it was meant for shows at the end. */
static bool keep_lone_word(struct boggle_reading *r, const struct order_clause *c)
{
	struct boggle_lone *lone = &r->lone[r->nlone];

	if (r->nlone == BOGGLE_LONE_WORDS ||
	    !boggle_parse_word(without_end_marks(c->text), lone->word))
		return false;
	lone->place = place_of(c);
	r->nlone++;
	return true;
}

static void read_prose(struct boggle_reading *r, const struct order_clause *c)
{
	if (read_bare_move(r, c) || keep_lone_word(r, c))
		return;
	if (is_nearly_spell(c->text)) {
		refuse(r, c, "", "This is no order; did you mean SPELL?");
		r->understood = true;
	} else {
		order_ignore(c, r->diags);
	}
}

static void read_all(struct boggle_reading *r, struct span text)
{
	struct order_reader reader;
	struct order_clause clause;

	order_reader_start(&reader, &language, text);
	while (order_next_clause(&reader, &clause)) {
		take_spelled_verb(&reader, &clause);
		read_clause(r, &clause);
	}
	order_reader_release(&reader);
}

/* Whether SPELL is what a lone word lacks: nothing else is wrong, and its letters are there. */
static bool lacks_spell(const struct boggle_reading *r, const char *word)
{
	struct boggle_judgement j;
	char tiles[BOGGLE_LETTERS + 1], lacking;

	if (r->refused || r->passed || r->orders.resign || r->orders.word[0] ||
	    !seat_in(boggle_owes(r->state), r->seat))
		return false;
	boggle_judge(r->state, r->seat, &r->orders, &j);
	return j.verdict == BOGGLE_FINE && boggle_spells(j.letters, word, tiles, &lacking);
}

/*
 * The moves would be made and the turn be over: better to ask. Any other lone word is a
 * greeting or a name.
 */
static void settle_lone_words(struct boggle_reading *r)
{
	for (unsigned i = 0; i < r->nlone; i++) {
		const struct boggle_place *at = &r->lone[i].place;
		struct span quoted = span_of(at->quoted);

		if (!lacks_spell(r, r->lone[i].word)) {
			diags_add(r->diags, DIAG_IGNORED, at->line, 0, quoted, "",
			          "This line was not read as an order.");
			continue;
		}
		r->refused = r->understood = true;
		diags_add(r->diags, DIAG_ERROR, at->line, at->column, quoted, "",
		          "Did you mean SPELL %s? A word needs SPELL before it.",
		          r->lone[i].word);
	}
}

static bool refuse_whole(struct boggle_reading *r, const char *what)
{
	diags_add(r->diags, DIAG_ERROR, 0, 0, SPAN_EMPTY, "", "%s", what);
	return false;
}

/* The lines from the first order to the last; false when there is none. */
static bool lines_of_orders(const struct boggle_reading *r, unsigned *first, unsigned *last)
{
	const struct boggle_place *const places[] = {
	    r->orders.nmoves > 0 ? &r->places[0] : NULL,
	    r->orders.nmoves > 1 ? &r->places[1] : NULL,
	    r->orders.word[0] ? &r->places[2] : NULL, r->passed ? &r->pass : NULL};

	*first = *last = 0;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		if (!places[i])
			continue;
		if (*first == 0 || places[i]->line < *first)
			*first = places[i]->line;
		if (places[i]->line > *last)
			*last = places[i]->line;
	}
	return *first > 0;
}

/* A line without a verb may be a move that was read. */
static bool was_left_out(const void *ctx, unsigned number, struct span line)
{
	const struct boggle_reading *r = ctx;

	for (unsigned i = 0; i < r->orders.nmoves; i++)
		if (r->places[i].line == number)
			return false;
	return boggle_could_belong(line);
}

/* A word or a move that was not read would be lost with the turn. */
static void refuse_with_bystander(struct boggle_reading *r, struct span text)
{
	struct strbuf quoted = STRBUF_INIT;
	unsigned first, last, line = 0;

	if (!r->refused && lines_of_orders(r, &first, &last))
		line = order_bystander(&language, text, first, last, was_left_out, r, &quoted);
	if (line != 0) {
		r->refused = true;
		diags_add(
		    r->diags, DIAG_ERROR, line, 0, order_quote(strbuf_span(&quoted)),
		    r->example,
		    "This line was not understood and may belong to your turn, so nothing "
		    "was played.");
	}
	strbuf_release(&quoted);
}

/* Rule 4 of the turn and the grammar: what the lines are together. */
static bool is_whole(struct boggle_reading *r)
{
	const struct game_state *s = r->state;

	if (boggle_over(s))
		return refuse_whole(r, "The game is over; it takes no more orders.");
	if (!seat_in(boggle_owes(s), r->seat))
		return refuse_whole(r, "It is not your turn. You will get a mail when it is.");
	if (r->refused)
		return false;
	if (r->passed && (r->orders.nmoves || r->orders.word[0])) {
		diags_add(r->diags, DIAG_ERROR, r->pass.line, r->pass.column,
		          span_of(r->pass.quoted), "",
		          "PASS stands alone: it does not go with MOVE or SPELL.");
		return false;
	}
	return boggle_check(r);
}

bool boggle_read_orders(const struct game_state *s, unsigned seat, struct span before,
                        const struct tables *tables, struct span text, struct strbuf *canonical,
                        struct diags *diags)
{
	struct boggle_reading r = {.state = s, .seat = seat, .tables = tables, .diags = diags};
	struct boggle_move m;

	(void)before;
	if (boggle_example_move(s, seat, &m))
		boggle_write_move(&m, r.example);
	read_all(&r, text);
	settle_lone_words(&r);
	refuse_with_bystander(&r, text);
	if (r.orders.resign) {
		if (r.orders.nmoves || r.orders.word[0] || r.passed || r.refused)
			diags_add(diags, DIAG_WARNING, 0, 0, SPAN_EMPTY, "",
			          "RESIGN takes you out of the game, so your other orders do "
			          "not count.");
		strbuf_clear(canonical);
		strbuf_adds(canonical, ORDER_RESIGN_TEXT);
		return true;
	}
	if (!r.understood || !is_whole(&r))
		return false;
	strbuf_clear(canonical);
	boggle_write_orders(&r.orders, canonical);
	return true;
}
