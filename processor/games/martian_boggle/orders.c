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
#include "processor/games/loose.h"
#include "processor/games/martian_boggle/reading.h"

enum { TALK_WORDS = 4 };

static bool is_argument(struct span word)
{
	struct boggle_move m = {0};

	return boggle_parse_square(word, &m.from) || boggle_parse_pair(word, &m);
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
	return span_eq_nocase(word, boggle_verbs[VERB_SPELL]) ? 1 : 0;
}

static const struct order_language language = {
    .verbs = boggle_verbs,
    .nverbs = VERBS,
    .is_argument = is_argument,
    .means_alone = could_be_spelled,
    .free_words = free_words,
};

/* A move that is legal now, or nothing. */
static void add_example(const void *game, struct strbuf *out)
{
	const struct boggle_reading *r = game;
	struct boggle_move m;

	if (boggle_example_move(r->state, r->seat, &m))
		order_form_write(&boggle_forms, VERB_MOVE, NULL, &m, out);
}

/* A copy: the reader forgets a line when it takes the next. */
static struct boggle_place place_of(const struct order_clause *c)
{
	struct span quote = order_quote(c->text);
	struct boggle_place at = {.line = c->line, .column = c->head.column};

	if (quote.len)
		memcpy(at.quoted, quote.ptr, quote.len);
	return at;
}

/* Two squares, or four: two moves in one clause. */
static void read_move(struct boggle_reading *r, const struct order_clause *c)
{
	unsigned n = r->orders.nmoves;
	const char *why =
	    order_form_take(&boggle_forms, VERB_MOVE, NULL, &r->orders, c->args, c->nargs);

	if (why) {
		order_mail_refuse(&r->mail, c, why);
		r->orders.nmoves = n;
	} else if (r->orders.nmoves > 2) { /* what stands before it is the example */
		diags_add(r->mail.diags, DIAG_ERROR, c->line, c->head.column,
		          order_quote(c->text), "",
		          "There are two dice, so a turn has two moves at most.");
		r->mail.wrong = true;
		r->orders.nmoves = n;
	}
	for (; n < r->orders.nmoves; n++)
		r->places[n] = place_of(c);
}

/* Words from `from` on are moves without their verb, or nothing, beginning with one. */
static bool has_only_moves(const struct order_clause *c, size_t from)
{
	size_t at = from;

	while (at < c->nargs &&
	       (is_argument(c->args[at].text) ||
	        ((at || from) && order_fillers(&boggle_forms, &c->args[at], 1))))
		at++;
	return c->nargs > 0 && at == c->nargs;
}

/* "SPELL PHIAL; e5-c1" */
static void read_spell(struct boggle_reading *r, const struct order_clause *c)
{
	const char *why = has_only_moves(c, 1) ? NULL : boggle_forms.rows[VERB_SPELL].takes;

	if (!why)
		why = order_form_take(&boggle_forms, VERB_SPELL, NULL, &r->orders, c->args, 1);
	if (why) {
		order_mail_refuse(&r->mail, c, why);
		return;
	}
	r->places[2] = place_of(c);
	if (c->nargs > 1)
		diags_add(r->mail.diags, DIAG_WARNING, c->line, 0, order_quote(c->text), "",
		          "SPELL ends the turn, so the moves behind it do not count.");
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
	return meant && strcmp(meant, boggle_verbs[VERB_SPELL]) == 0 &&
	       boggle_parse_word(second, word);
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
	if (r->orders.word[0] && c->verb != VERB_PASS && c->verb != VERB_RESIGN) {
		diags_add(r->mail.diags, c->verb == ORDER_PROSE ? DIAG_IGNORED : DIAG_WARNING,
		          c->line, 0, order_quote(c->text), "",
		          "SPELL ends the turn, so this line behind it does not count.");
		return;
	}
	if (c->verb >= 0 && is_talk(c) && !stands_beside_orders(r, c)) {
		order_ignore(c, r->mail.diags);
		return;
	}
	r->mail.said += c->verb != ORDER_PROSE && c->verb != VERB_RESIGN;
	if (c->verb >= 0) {
		r->mail.first = r->mail.first ? r->mail.first : c->line;
		r->mail.last = c->line;
	}
	switch (c->verb) {
	case VERB_MOVE:
		read_move(r, c);
		break;
	case VERB_SPELL:
		read_spell(r, c);
		break;
	case VERB_PASS:
		if (c->nargs)
			order_mail_refuse(&r->mail, c, boggle_forms.rows[VERB_PASS].takes);
		r->passed = true;
		r->pass = place_of(c);
		break;
	case VERB_RESIGN:
		order_mail_resign(&r->mail, c);
		break;
	case ORDER_MISSPELT:
		order_mail_misspelt(&r->mail, c);
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
	if (!span_eq_nocase(word, boggle_verbs[VERB_SPELL]))
		return;
	reader->words[reader->at].text = word;
	if (order_next_clause(reader, &next)) {
		c->args = reader->words + (next.args - reader->words) - 1;
		c->nargs = next.nargs + 1;
		c->text.len = (size_t)(next.text.ptr + next.text.len - c->text.ptr);
	}
}

/* "e1-b2" or "e1 b2; spell phial": a line that begins with squares is read as if after MOVE. */
static bool read_bare_move(struct boggle_reading *r, const struct order_clause *line)
{
	struct strbuf text = STRBUF_INIT;
	struct order_reader reader;
	struct order_clause c;
	bool taken = false;

	strbuf_addf(&text, "%s %.*s", boggle_verbs[VERB_MOVE], SPAN_ARGS(line->text));
	order_reader_start(&reader, &language, strbuf_span(&text));
	while (order_next_clause(&reader, &c)) {
		if (!taken && !has_only_moves(&c, 0))
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
	struct order_clause c_spell = *c;

	if (read_bare_move(r, c) || keep_lone_word(r, c))
		return;
	if (is_nearly_spell(c->text)) {
		r->mail.said++;
		c_spell.verb = VERB_SPELL;
		order_mail_refuse(&r->mail, &c_spell, "This is no order; did you mean SPELL?");
	} else {
		order_ignore(c, r->mail.diags);
	}
}

/* Whether SPELL is what a lone word lacks: nothing else is wrong, and its letters are there. */
static bool lacks_spell(const struct boggle_reading *r, const char *word)
{
	struct boggle_judgement j;
	char tiles[BOGGLE_LETTERS + 1], lacking;

	if (r->mail.wrong || r->passed || r->mail.resigned || r->orders.word[0] ||
	    !r->mail.owes)
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
			diags_add(r->mail.diags, DIAG_IGNORED, at->line, 0, quoted, "",
			          "This line was not read as an order.");
			continue;
		}
		r->mail.wrong = true;
		r->mail.said++;
		diags_add(r->mail.diags, DIAG_ERROR, at->line, at->column, quoted, "",
		          "Did you mean SPELL %s? A word needs SPELL before it.",
		          r->lone[i].word);
	}
}

static bool refuse_whole(struct boggle_reading *r, const char *what)
{
	diags_add(r->mail.diags, DIAG_ERROR, 0, 0, SPAN_EMPTY, "", "%s", what);
	return false;
}

/* A line without a verb may be a move that was read. */
static bool was_left_out(const void *ctx, unsigned number, struct span line)
{
	const struct boggle_reading *r = ctx;

	for (unsigned i = 0; i < r->orders.nmoves; i++)
		if (r->places[i].line == number)
			return false;
	return loose_could_belong(line, &boggle_loose);
}

/* Rule 4 of the turn and the grammar: what the lines are together. */
static bool is_whole(struct boggle_reading *r)
{
	const struct game_state *s = r->state;

	if (boggle_over(s))
		return refuse_whole(r, "The game is over; it takes no more orders.");
	if (!r->mail.owes)
		return refuse_whole(r, "It is not your turn. You will get a mail when it is.");
	if (r->mail.wrong)
		return false;
	if (r->passed && (r->orders.nmoves || r->orders.word[0])) {
		diags_add(r->mail.diags, DIAG_ERROR, r->pass.line, r->pass.column,
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
	struct boggle_reading r = {.mail = {.forms = &boggle_forms,
	                                    .language = &language,
	                                    .diags = diags,
	                                    .owes = seat_in(boggle_owes(s), seat),
	                                    .example = add_example,
	                                    .shown = STRBUF_INIT},
	                           .state = s,
	                           .seat = seat,
	                           .tables = tables};
	struct order_reader reader;
	struct order_clause clause;
	bool ok = true;

	(void)before;
	r.mail.game = &r;
	order_reader_start(&reader, &language, text);
	while (order_next_clause(&reader, &clause)) {
		take_spelled_verb(&reader, &clause);
		read_clause(&r, &clause);
	}
	order_reader_release(&reader);
	settle_lone_words(&r);
	/* A word or a move that was not read would be lost with the turn. */
	order_mail_bystander(&r.mail, text, was_left_out);
	r.orders.resign = order_mail_resigns(&r.mail, "game");
	if (!r.orders.resign)
		ok = (r.mail.said || r.mail.wrong) && is_whole(&r);
	strbuf_release(&r.mail.shown);
	if (!ok)
		return false;
	strbuf_clear(canonical);
	boggle_write_orders(&r.orders, canonical);
	return true;
}
