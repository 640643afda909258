/*
 * html_form.c - whether, with which links, and with which picture.
 */
#include "processor/outgoing/html_form.h"

#include "mail/text/header.h"
#include "processor/base/mailto.h"
#include "processor/match/report_values.h"
#include "processor/outgoing/outgoing.h"
#include "reports/report.h"

enum { TEXT_MOST = 40 * 1024 }; /* with its tags below 100 KB */
enum {
	PICTURE_TEXT_MOST = 12 * 1024,
	PICTURE_MOST = 45 * 1024
}; /* so are text, tags and picture */

void html_form_ask_ahead(struct server *srv, const struct outbox_mail *row, struct arena *arena)
{
	struct player p;

	if (srv->cfg.html != HTML_OFF && row->player != 0)
		store_only_asked(player_get(srv->store, row->player, arena, &p));
}

bool html_form_is_wanted(const struct server *srv, const struct player *p)
{
	return srv->cfg.html != HTML_OFF &&
	       (p->form.html == HTML_YES ||
	        (p->form.html == HTML_AS_SERVER &&
	         (srv->cfg.html == HTML_ON || p->form.writes_html)));
}

/* With commas between them: those that the news name in a sentence, and those that fit the kind of mail. */
static void add_command_words(const struct outbox_mail *row, struct span text,
                              struct strbuf *out)
{
	static const char *const named[][2] = {
	    {" CLEAR", "clear,"}, {" TEST", "test,"}, {" PASS", "pass,"}};
	struct span news = span_slice(text, 0, span_find(text, SPAN_LIT("\n-- \n")));

	for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
		if (span_find(news, span_of(named[i][0])) < news.len)
			strbuf_adds(out, named[i][1]);
	strbuf_adds(out, (span_find(news, SPAN_LIT(" YES")) < news.len &&
	                  span_find(news, SPAN_LIT("\n  | yes\n")) == news.len)
	                     ? "yes,no,help"
	                 : span_eq_str(row->kind, END_KIND)  ? "summary,ratings,list"
	                 : span_eq_str(row->kind, "receipt") ? "status,help"
	                 : row->seat != 0                    ? "status,summary,help"
	                 : row->game != 0                    ? "help"
	                                                     : "status,list,help");
	strbuf_adds(out, ",set mail plain");
}

void html_form_add_commands(const struct outbox_mail *row, struct strbuf *text)
{
	struct span all = strbuf_span(text), rest, word;
	size_t end = span_find(all, SPAN_LIT("\n-- \n"));
	struct strbuf words = STRBUF_INIT, with = STRBUF_INIT;

	if (end == all.len)
		return;
	add_command_words(row, all, &words);
	rest = strbuf_span(&words);
	strbuf_add_span(&with, span_slice(all, 0, end));
	strbuf_adds(&with, "\n-- \n");
	while (span_next_field(&rest, ',', &word))
		strbuf_addf(&with, "| %.*s ", SPAN_ARGS(word));
	strbuf_add_span(&with, span_slice(all, end, all.len));
	strbuf_swap(text, &with);
	strbuf_release(&with);
	strbuf_release(&words);
}

/* ---- the picture ---- */

void html_forms_forget_game(struct html_forms *forms)
{
	if (forms->game != 0)
		match_release(&forms->match);
	forms->match = (struct match){0};
	forms->game = 0;
	arena_free(forms->arena);
	forms->arena = NULL;
}

void html_forms_release(struct html_forms *forms)
{
	png_close(forms->painter);
	*forms = (struct html_forms){0};
}

/* Of the newest turn: before it, or when that is over what came of it. ERR_NOT_FOUND: there is none. */
static enum err load_position(struct server *srv, struct html_forms *f, int64_t game)
{
	struct match *m = &f->match;

	if (f->game == game)
		return m->state ? ERR_NONE : ERR_NOT_FOUND;
	html_forms_forget_game(f);
	f->arena = arena_new();
	f->game = game;
	TRY(match_load_to_read(srv, game, f->arena, m));
	if (m->has_turn && (m->turn.state == TURN_RESOLVED || m->turn.state == TURN_REPORTED))
		TRY(match_result(srv, m, m->turn.serial, &m->state));
	else
		TRY(match_position_to_read(srv, m));
	return m->state ? ERR_NONE : ERR_NOT_FOUND;
}

/* The board that the text draws, painted; false: there is none, or it is not painted. */
static bool find_board(struct server *srv, struct html_forms *f, const struct outbox_mail *row,
                       struct span text, const struct player *p, struct report_picture *out,
                       struct strbuf *png)
{
	/* A board stands below a heading, if perhaps not at once. */
	if (row->game == 0 || span_eq_str(row->kind, "receipt") ||
	    span_find(text, SPAN_LIT("\n== ")) == text.len || text.len > PICTURE_TEXT_MOST ||
	    p->form.words_first)
		return false;
	if (!f->tried)
		f->painter = png_open();
	f->tried = true;
	if (!f->painter || load_position(srv, f, row->game) != ERR_NONE)
		return false;
	const struct doc *view =
	    report_values_view(&f->match, f->match.state, row->seat, &p->form);
	for (const struct doc_block *b = view->first; b; b = b->next) {
		struct strbuf drawn = STRBUF_INIT;

		if (b->kind != DOC_BOARD)
			continue;
		report_text_board(b, report_form_of(&p->form), &drawn);
		size_t at = span_find(text, strbuf_span(&drawn));
		bool is_line = at < text.len && drawn.len > 0 && at > 0 &&
		               text.ptr[at - 1] == '\n' &&
		               (at + drawn.len == text.len || text.ptr[at + drawn.len] == '\n');
		out->drawn = span_slice(text, at, at + drawn.len);
		out->board = &b->board;
		strbuf_release(&drawn);
		if (is_line && png_paint(f->painter, &b->board, png) &&
		    png->len <= PICTURE_MOST)
			return true;
		strbuf_clear(png);
	}
	return false;
}

/* ---- the form ---- */

static void make_form(struct server *srv, struct html_forms *forms,
                      const struct outbox_mail *row, struct span text, const struct player *p,
                      struct arena *arena, struct mail_page *out)
{
	struct strbuf subject = STRBUF_INIT, words = STRBUF_INIT, html = STRBUF_INIT,
		      png = STRBUF_INIT;
	struct mailto answer = {.in_reply_to = row->message_id};
	/* Two pixels of it to one of a screen that has many, and no higher than such a screen. */
	struct report_picture picture = {.across = PNG_ACROSS * 3 / 4};
	struct span id = row->message_id;
	struct header h;

	header_split(row->message, arena, &h);
	answer.address = header_value(&h, "Reply-To", arena);
	if (answer.address.len == 0)
		answer.address = span_of(srv->cfg.address);
	strbuf_adds(&subject, "Re: ");
	mail_read_subject(row->message, &subject);
	answer.subject = strbuf_span(&subject);
	picture.id = span_of(
	    arena_printf(arena, "board.%.*s", id.len > 2 ? (int)id.len - 2 : 0, id.ptr + 1));
	bool painted = find_board(srv, forms, row, text, p, &picture, &png);
	add_command_words(row, text, &words);
	report_html(text, &answer, words.ptr, painted ? &picture : NULL, &html);
	*out = (struct mail_page){.html = arena_take(arena, &html),
	                          .picture = arena_take(arena, &png),
	                          .picture_id = picture.id};
	strbuf_release(&subject);
	strbuf_release(&words);
}

enum err html_form_make(struct server *srv, struct html_forms *forms,
                        const struct outbox_mail *row, struct arena *arena,
                        struct mail_page *out)
{
	struct strbuf text = STRBUF_INIT;
	struct player p = {0};
	enum err rc = ERR_NONE;

	*out = (struct mail_page){.html = SPAN_EMPTY};
	if (srv->cfg.html != HTML_OFF && row->player != 0)
		rc = player_get(srv->store, row->player, arena, &p);
	if (rc != ERR_NONE)
		return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
	if (html_form_is_wanted(srv, &p) && mail_read_back(row->message, &text) &&
	    text.len <= TEXT_MOST)
		make_form(srv, forms, row, strbuf_span(&text), &p, arena, out);
	strbuf_release(&text);
	return ERR_NONE;
}
