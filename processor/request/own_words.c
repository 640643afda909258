/*
 * own_words.c - which unquoted lines of a mail are the writer's own.
 */
#include "processor/request/own_words.h"

#include <string.h>

#include "mail/compose.h"
#include "processor/base/utf8.h"

enum { RUN_LINES = 3 };

/* Words with one blank before and behind each, without punctuation that quoting may change. */
static void add_words(struct strbuf *out, struct span text)
{
	struct strbuf plain = STRBUF_INIT;
	struct span line, word;

	while (span_next_line(&text, &line)) {
		strbuf_clear(&plain);
		utf8_add_plain(&plain, line);
		struct span rest = strbuf_span(&plain);
		while (span_next_word(&rest, " \t", &word))
			if (!span_eq_str(word, ">") && !span_eq_str(word, "|"))
				strbuf_addf(out, "%.*s ", SPAN_ARGS(word));
	}
	strbuf_release(&plain);
}

/* The mail that is answered: the one named, else the newest of that seat. *found false: unknown. */
static enum err load_answered(struct request *req, struct outbox_mail *row, bool *found)
{
	enum err rc = ERR_NOT_FOUND;

	if (req->mail->in_reply_to.len > 0)
		rc = outbox_by_message_id(req->srv->store, req->mail->in_reply_to, req->arena,
		                          row);
	if (rc == ERR_NONE && row->player != 0 && row->player != req->who.player.id)
		rc = ERR_NOT_FOUND;
	if (rc == ERR_NONE)
		rc = outbox_message(req->srv->store, row->id, req->arena, row);
	else if (rc == ERR_NOT_FOUND && req->about.game != 0 && req->about.seat != 0)
		rc = outbox_by_number(req->srv->store, req->about.game, req->about.seat, 0,
		                      req->arena, row);
	*found = rc == ERR_NONE;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

/* " word word " of the answered mail; empty when it is not known. */
static enum err answered_words(struct request *req, struct strbuf *out)
{
	struct outbox_mail row;
	struct strbuf body = STRBUF_INIT;
	bool found;

	TRY(load_answered(req, &row, &found));
	if (found && mail_read_back(row.message, &body)) {
		strbuf_addc(out, ' ');
		add_words(out, strbuf_span(&body));
	}
	strbuf_release(&body);
	return ERR_NONE;
}

/* Where in `all` the words of a line stand, from `from` on; all.len = nowhere. */
static size_t find_words(struct span all, size_t from, struct span line, size_t *end)
{
	struct strbuf words = STRBUF_INIT;

	strbuf_addc(&words, ' ');
	add_words(&words, line);
	size_t at = words.len < 2
	                ? all.len - from
	                : span_find(span_slice(all, from, all.len), strbuf_span(&words));
	*end = from + at + words.len - 1;
	strbuf_release(&words);
	return from + at >= all.len ? all.len : from + at;
}

/* How many lines from i on repeat `all`, one behind the other. */
static size_t run_length(const struct command_text *text, size_t i, struct span all)
{
	size_t from = 0, end, n = 0;

	while (i + n < text->nlines) {
		size_t at = find_words(all, from, text->lines[i + n].text, &end);

		if (at == all.len)
			break;
		from = end;
		n++;
	}
	return n;
}

static bool begins_with_kind(struct span text)
{
	for (size_t i = 0; i < rules_count(); i++)
		if (span_starts(text, rules_at(i)->title))
			return true;
	return false;
}

/* "Game W1, Whakka Mole, turn 1.", "Receipt W1/1/1"; also in the middle, where lines were broken anew. */
static bool names_a_game(struct span text, const char *lead)
{
	size_t at = span_find(text, span_of(lead)), end = 0;
	struct span rest = span_slice(text, at + strlen(lead), text.len);
	int64_t game;
	char letter;

	if (at == text.len)
		return false;
	while (end < rest.len && rest.ptr[end] != ',' && rest.ptr[end] != '/')
		end++;
	return end < rest.len && parse_game_id(span_slice(rest, 0, end), &game, &letter) &&
	       letter != '\0' &&
	       (at == 0 || begins_with_kind(span_trim(span_slice(rest, end + 1, rest.len))));
}

static bool ends_with(struct span line, const char *end)
{
	size_t len = span_of(end).len;

	return line.len >= len && span_eq_str(span_slice(line, line.len - len, line.len), end);
}

/* A line that only a mail of ours has. */
static bool is_ours(struct span line)
{
	static const char *const starts[] = {"For help, send \"HELP\"",
	                                     "For help, answer with \"HELP\"",
	                                     "For help, send HELP",
	                                     "For help, reply HELP",
	                                     "Board games by e-mail: ",
	                                     "Stored for ",
	                                     "Still stored for ",
	                                     "Everyone has sent orders. ",
	                                     "If you send nothing, ",
	                                     "To change them, reply ",
	                                     "You will get a mail with the first position",
	                                     "The game starts ",
	                                     "Not understood: ",
	                                     "Not accepted: ",
	                                     "Nothing is stored for ",
	                                     "Nothing was stored from this mail",
	                                     "Nothing changed",
	                                     "Only checked, as you asked",
	                                     "These would work now:",
	                                     "This would work:",
	                                     "Your orders for ",
	                                     "You are away from ",
	                                     "You get one mail a day",
	                                     "You have no orders stored",
	                                     "You had no orders stored"};

	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		if (span_starts(line, starts[i]))
			return true;
	if (span_starts(line, "Orders for ") && span_find(line, SPAN_LIT(" due")) < line.len)
		return true;
	return ends_with(line, " was not accepted:") || ends_with(line, " told by:") ||
	       ends_with(line, " shown by:") || ends_with(line, ", send:") ||
	       names_a_game(line, "Game ") || names_a_game(line, "Receipt ") ||
	       (span_starts(line, "== ") &&
	        span_find(span_slice(line, 3, line.len), SPAN_LIT(" ==")) < line.len - 3);
}

/* Whatever a program did to the ends of its lines. */
static bool has_our_footer(const struct command_text *own)
{
	static const char *const footers[] = {"For help, send HELP", "For help, reply HELP"};
	struct strbuf all = STRBUF_INIT;
	bool found = false;

	for (size_t i = 0; i < own->nlines; i++)
		strbuf_addf(&all, "%.*s ", SPAN_ARGS(span_trim(own->lines[i].text)));
	for (size_t i = 0; i < sizeof footers / sizeof *footers; i++)
		found = found || span_find(strbuf_span(&all), span_of(footers[i])) < all.len;
	strbuf_release(&all);
	return found;
}

/* What a signature begins with: in a mail of ours, with what nobody has to read. */
static struct span signature_of(struct span text)
{
	struct span line;

	while (span_next_line(&text, &line))
		if (span_eq_str(span_trim(line), "--"))
			break;
	while (span_next_line(&text, &line))
		if (span_trim(line).len > 0)
			return line;
	return SPAN_EMPTY;
}

/*
 * Another mail of ours than the one answered: where it begins cannot be told. closed: the words end with
 * those of the mail answered, so that, if it was named, a signature below them is its own.
 */
static bool repeats_our_mail(const struct request *req, const struct command_text *own,
                             bool closed)
{
	for (size_t i = 0; i < own->nlines; i++)
		if (is_ours(own->lines[i].text))
			return true;
	if (has_our_footer(own))
		return true;
	if ((closed && req->mail->in_reply_to.len > 0) || !req->text->stopped_at_signature)
		return false;
	for (size_t i = 0; i < req->mail->ntexts; i++)
		if (is_ours(signature_of(req->mail->texts[i].text)))
			return true;
	return false;
}

/* The mail holds nothing else. A single short line may be an example that somebody copied by hand. */
static bool repeats_all(const struct command_text *text, size_t run)
{
	enum { SENTENCE_BYTES = 30 };

	return run > 0 && run == text->nlines &&
	       (run > 1 || text->lines[0].text.len >= SENTENCE_BYTES);
}

enum err own_words(struct request *req, const struct command_text **out)
{
	const struct command_text *text = req->text;
	struct strbuf all = STRBUF_INIT;
	bool closed = false;

	if (req->own.of == text) {
		*out = req->own.text;
		return ERR_NONE;
	}
	struct command_text *own = arena_calloc(req->arena, 1, sizeof(*own));
	own->lines = arena_calloc(req->arena, text->nlines + 1, sizeof(*own->lines));
	enum err rc = answered_words(req, &all);
	for (size_t i = 0; rc == ERR_NONE && i < text->nlines;) {
		size_t run = all.len ? run_length(text, i, strbuf_span(&all)) : 0;

		if (text->quote_line != 0 && text->lines[i].line >= text->quote_line)
			break;
		closed = run >= RUN_LINES || repeats_all(text, run);
		if (closed)
			i += run;
		else
			own->lines[own->nlines++] = text->lines[i++];
	}
	strbuf_release(&all);
	if (repeats_our_mail(req, own, closed))
		own->nlines = 0;
	req->own.of = text;
	req->own.text = own;
	*out = own;
	return rc;
}

static bool has_line(const struct command_text *own, unsigned line)
{
	for (size_t i = 0; i < own->nlines; i++)
		if (own->lines[i].line == line)
			return true;
	return false;
}

enum err own_order_lines(struct request *req, struct span orders, struct span *out)
{
	const struct command_text *own;
	struct strbuf text = STRBUF_INIT;
	struct span line;

	TRY(own_words(req, &own));
	for (unsigned n = 1; span_next_line(&orders, &line); n++) {
		if (has_line(own, n))
			strbuf_add_span(&text, line);
		strbuf_addc(&text, '\n');
	}
	*out = arena_dup(req->arena, strbuf_span(&text));
	strbuf_release(&text);
	return ERR_NONE;
}
