/*
 * guide.c - the short guide, the table of commands, the rules of one game, and
 * help on one command.
 *
 * Examples name a real kind of game and orders that are legal in it: a small
 * game is set up for the purpose, so that they stay right when games change.
 */
#include <string.h>

#include "reports/parts.h"
#include "reports/topics.h"

enum { SHOW_UNREAD = 5 };

/* ---- examples ---- */

struct sample {
	const char *kind;   /* "whakka mole" */
	const char *game;   /* "W17", or the reader's own */
	const char *other;  /* "W17": one in which they do not sit */
	const char *orders; /* of its first turn */
	const char *option; /* "holes=9" */
	const char *table;  /* "players 3 bots 2": the usual number, one of them a person */
};

/* The first example of a fresh game of this kind; nothing if it cannot be had. */
static const char *sample_orders(const struct rules *kind, struct arena *arena)
{
	static const char *const names[] = {"",    "Ann", "Bob", "Cid", "Dot",
	                                    "Eve", "Fay", "Gus", "Hal"};
	struct seat_names seats = {.count = kind->usual_seats};
	struct options options;
	struct game_state *state = NULL;
	struct strbuf why = STRBUF_INIT, out = STRBUF_INIT;
	struct chance *chance = chance_from_seed(1, "example");

	options_init(&options, kind);
	for (unsigned i = 1; i <= seats.count && i < sizeof names / sizeof names[0]; i++)
		seats.names[i] = names[i];
	if (kind->new_game(&options, &seats, chance, &state, &why) &&
	    seat_in(kind->owes(state), 1))
		kind->sample_orders(state, 1, kind->efforts[BOT_LEVEL_EXAMPLE].policy, NULL,
		                    chance, &out);
	kind->free_state(state);
	chance_free(chance);
	strbuf_release(&why);
	return arena_take(arena, &out).ptr;
}

static const char *sample_word(const struct sample *s, struct span name)
{
	return span_eq_str(name, "kind")     ? s->kind
	       : span_eq_str(name, "game")   ? s->game
	       : span_eq_str(name, "other")  ? s->other
	       : span_eq_str(name, "option") ? s->option
	       : span_eq_str(name, "table")  ? s->table
	                                     : s->orders;
}

/* Fills in {kind}, {game}, {other}, {orders}, {option} and {table}. */
static void add_example(struct page *p, const struct sample *s, struct span line)
{
	struct strbuf text = STRBUF_INIT;
	while (line.len > 0) {
		size_t open = span_find_char(line, '{');
		strbuf_add_span(&text, span_slice(line, 0, open));
		line = span_slice(line, open, line.len);
		if (line.len == 0)
			break;
		size_t close = span_find_char(line, '}');
		strbuf_adds(&text, sample_word(s, span_slice(line, 1, close)));
		line = span_slice(line, close + 1, line.len);
	}
	page_example(p, strbuf_span(&text));
	strbuf_release(&text);
}

static void add_examples(struct page *p, const struct report_guide *r, const char *lines)
{
	struct span rest = span_of(lines), line;
	const struct rules *kind = r->kind ? r->kind : rules_at(0);
	const char *other = arena_printf(p->arena, "%c17", kind->letter);
	struct sample s = {.kind = phrase_lower(p->arena, kind->title),
	                   .game = r->game ? r->game->id : other,
	                   .other = other,
	                   .orders = r->orders ? r->orders : sample_orders(kind, p->arena),
	                   .option = kind->noptions > 0
	                                 ? arena_printf(p->arena, "%s=%s",
	                                                kind->options[0].name,
	                                                kind->options[0].default_value)
	                                 : "",
	                   .table = arena_printf(p->arena, "players %u bots %u",
	                                         kind->usual_seats, kind->usual_seats - 1)};

	while (span_next_line(&rest, &line))
		add_example(p, &s, line);
	page_gap(p);
}

/* ---- pieces ---- */

/* "JOIN game<TAB>take a seat<TAB>CHALLENGE", or a heading */
static void add_command(struct page *p, struct span row)
{
	struct span words = SPAN_EMPTY, meaning = SPAN_EMPTY, aliases = SPAN_EMPTY;
	struct strbuf s = STRBUF_INIT;
	if (span_find_char(row, '\t') == row.len) {
		page_heading(p, "%.*s", SPAN_ARGS(row));
		return;
	}
	if (!span_next_field(&row, '\t', &words) || !span_next_field(&row, '\t', &meaning))
		return;
	if (!span_next_field(&row, '\t', &aliases))
		aliases = SPAN_EMPTY;
	page_wrap(p, "  | ", "  |   ", words);
	strbuf_add_span(&s, meaning);
	if (aliases.len > 0)
		strbuf_addf(&s, " (also %.*s)", SPAN_ARGS(aliases));
	page_wrap(p, "  |     ", "  |     ", strbuf_span(&s));
	strbuf_release(&s);
}

/* ---- the four guides ---- */

static void add_short(struct page *p, const struct report_guide *r)
{
	page_say(
	    p,
	    "Board games by e-mail: you write your orders in an ordinary mail%s%s, the server "
	    "works out the turn when everybody's orders are in, and mails each player a "
	    "report.",
	    r->address ? " to " : "", r->address ? r->address : "");
	page_gap(p);
	part_kinds(p);
	page_say(p, "One line in a mail is enough. To play with others:");
	add_examples(p, r, "join {kind}");
	page_say(p, "To try it alone at once, with the server as your opponents:");
	add_examples(p, r, "create {kind} {table}");
	page_say(p, "To see the open games, or the rules of one kind:");
	add_examples(p, r, "list\nhelp {kind}");
	page_say(p, "When a turn report comes, reply with your orders, such as:");
	add_examples(p, r, "{orders}");
	page_say(p,
	         "Capital letters do not matter, quoted lines and signatures are ignored, and "
	         "what you send later replaces what you sent before. For everything else you "
	         "can write, send \"HELP COMMANDS\".");
}

static void add_commands(struct page *p, const struct report_guide *r)
{
	page_say(
	    p, "These are the commands, one to a line. What is in brackets may be left out; "
	       "capital letters do not matter. In an answer to a turn report you need none of "
	       "them: just write your orders.");
	page_gap(p);
	struct span table = r->command_table;
	struct span row;
	while (span_next_line(&table, &row))
		add_command(p, row);
	page_gap(p);
	page_say(p,
	         "Send \"HELP JOIN\" to have one command explained, \"HELP\" and the name of a "
	         "game for its rules, \"HELP LATE\" for what happens when you send nothing in "
	         "time.");
}

static void add_topic(struct page *p, const struct report_guide *r, const struct topic *t)
{
	struct span rest = span_of(t->text), paragraph;

	page_heading(p, "Help on %s", t->word);
	while (span_next_line(&rest, &paragraph)) {
		page_say(p, "%.*s", SPAN_ARGS(paragraph));
		page_gap(p);
	}
	page_say(p, "Written like this:");
	add_examples(p, r, t->examples);
	if (*t->aliases)
		page_say(p, "Understood as well: %s.", t->aliases);
	page_say(p, "Send \"HELP COMMANDS\" for the list of all commands.");
}

static void add_subject(struct strbuf *out, const struct report_guide *r, const struct topic *t)
{
	struct strbuf s = STRBUF_INIT;

	if (r->topic == GUIDE_KIND && r->kind)
		strbuf_addf(&s, "The rules of %s", r->kind->title);
	else if (r->topic == GUIDE_COMMANDS)
		strbuf_adds(&s, "The commands you can write");
	else if (t)
		strbuf_addf(&s, "How to use %s", t->word);
	else
		strbuf_adds(&s, "How to play by e-mail");
	if (r->game)
		part_subject_of_game(out, r->game, "%s", s.ptr);
	else
		strbuf_adds(out, s.ptr);
	strbuf_release(&s);
}

struct span report_topic(struct span words)
{
	const struct topic *t = topic_find(words);

	return t ? span_of(t->word) : SPAN_EMPTY;
}

void report_guide(const struct report_guide *r, struct report_out *out)
{
	struct page p;
	const struct topic *t = r->topic == GUIDE_TOPIC && r->topic_word
	                            ? topic_find(span_of(r->topic_word))
	                            : NULL;

	add_subject(&out->subject, r, t);
	page_start(&p, &out->body, out->form);
	if (r->reason)
		page_prose(&p, "", span_of(r->reason));
	if (r->example && *r->example) {
		page_say(&p, "For example:");
		page_example(&p, span_of(r->example));
	}
	page_gap(&p);
	struct span unread = r->unread;
	struct span line;
	size_t shown = 0;
	if (count_lines(unread) != 0) {
		page_say(&p, "This is what was not understood:");
		while (shown < SHOW_UNREAD && span_next_line(&unread, &line)) {
			page_echo(&p, line);
			shown += span_trim(line).len > 0;
		}
		if (count_lines(unread) > 0)
			page_say(&p, "... and %zu more.", count_lines(unread));
		page_gap(&p);
	}
	if (r->topic == GUIDE_KIND && r->kind) {
		page_say(&p, "%s", r->kind->about);
		page_gap(&p);
		for (int part = DOC_STORY; part < DOC_NPARTS; part++)
			part_doc(&p, r->kind_doc, (enum doc_part)part, NULL);
		page_gap(&p);
		page_say(&p, "To play:");
		add_examples(&p, r, "join {kind}\ncreate {kind} {table}");
		page_say(&p, "For the commands, send \"HELP COMMANDS\".");
	} else if (r->topic == GUIDE_COMMANDS)
		add_commands(&p, r);
	else if (t)
		add_topic(&p, r, t);
	else if (r->topic == GUIDE_TOPIC) {
		if (r->topic_word) {
			page_say(&p, "There is no help on this; here is the short guide.");
			page_echo(&p, span_of(r->topic_word));
			page_gap(&p);
		}
		add_short(&p, r);
	} else
		add_short(&p, r);
	if (r->game && r->clock) {
		page_gap(&p);
		part_clock(&p, r->game, r->clock, false);
	}
	if (r->game) {
		page_gap(&p);
		page_small_print(&p);
		part_footer(&p, r->game);
	}
	page_end(&p);
}
