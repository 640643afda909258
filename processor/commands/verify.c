/*
 * verify.c - VERIFY: a receipt, a turn report or a whole record that somebody sends in.
 *
 * Looked for in all of the mail, quoted or not, attached or not, for it is meant to be forwarded. Receipts and
 * heads are judged against the game's record as the server would give it to anybody now; of a
 * turn that is still open that says nothing, so there the seat itself, and nobody else, is
 * told how its orders stand.
 */
#include "processor/archive/evidence.h"
#include "processor/commands/commands.h"
#include "processor/match/match_record.h"
#include "processor/request/request.h"
#include "processor/request/which_game.h"
#include "processor/server/word_lists.h"

static enum err nothing_found(struct request *req)
{
	return request_notice(
	    req, NULL, NULL, "nothing to verify", "",
	    "Your mail asks for a check, but holds neither a proof nor the record of a "
	    "game. Forward a receipt or a report with what is attached to it and a line "
	    "that says just VERIFY above everything else; or attach that mail, or its proof "
	    "alone.");
}

/* Of the open turn the record says nothing yet. */
static enum err add_open_turn(struct request *req, struct match *match, const struct seat *seat,
                              const struct receipt_proof *ev, struct strbuf *out)
{
	struct order_set set;
	const struct seat_entry *e;

	if (!seat || seat->seat != ev->seat || !match->has_turn ||
	    match->turn.serial != ev->serial || match->turn.state != TURN_OPEN)
		return ERR_NONE;
	TRY(order_set_load(req->srv, match, &set));
	e = &set.seats[seat->seat];
	if (e->acts && e->revision == ev->revision)
		strbuf_adds(out, " It is your last word so far: those orders are in force.");
	else if (e->acts && e->revision > ev->revision)
		strbuf_addf(out, " It has been replaced: orders #%u are in force.",
		            e->revision);
	else
		strbuf_adds(out, " Those orders have been taken back since.");
	return ERR_NONE;
}

static const char *subject_of(enum evidence_verdict v, bool is_head)
{
	switch (v) {
	case EVIDENCE_KEPT:
		return is_head ? "the report holds" : "the receipt holds";
	case EVIDENCE_AHEAD:
		return is_head ? "the report is genuine" : "the receipt is genuine";
	case EVIDENCE_BROKEN:
		return "a broken promise";
	case EVIDENCE_FORGED:
	case EVIDENCE_OTHER:
		break;
	}
	return "not what this server wrote";
}

enum { MOST_WARNINGS = 40 };

/* What is told of a mail: the worst that is in it, and a paragraph on each. */
struct judgement {
	enum evidence_verdict verdict;
	bool has_head;
	struct span orders; /* opened by the first that was */
	const char *paragraphs[EVIDENCE_MOST + MOST_WARNINGS + 3]; /* NULL ends them */
	size_t n;
};

/* As the command line prints them; the most that a mail has room for. */
static void add_warnings(struct request *req, const struct strbuf *warnings,
                         struct judgement *j)
{
	struct span rest = strbuf_span(warnings), line;

	for (size_t i = 0; i < MOST_WARNINGS && span_next_line(&rest, &line); i++)
		j->paragraphs[j->n++] =
		    arena_printf(req->arena, "Warning: %.*s", SPAN_ARGS(line));
	if (rest.len > 0)
		j->paragraphs[j->n++] = "There are more: \"molepost verify\" prints all.";
}

static enum err answer(struct request *req, struct match *match, struct seat *seat,
                       const char *subject, const struct judgement *j)
{
	const char *example = arena_printf(req->arena, "archive %s", match ? match->id : "");

	return request_answer_notice(
	    req, match, seat, match ? "verify" : "notice",
	    &(struct report_notice){.subject = subject,
	                            .paragraphs = j->paragraphs,
	                            .orders = j->orders,
	                            .examples = match ? TEXTS(example) : NULL});
}

/* What the mail holds, the receipts its sender should have beside it, and what is odd in the record. */
static enum err judge_all(struct request *req, struct match *match, struct seat *seat,
                          const struct evidence_list *list, struct archive *a,
                          const struct hash *key)
{
	const char *website = req->srv->cfg.website;
	const struct evidence *all[EVIDENCE_MOST];
	struct strbuf warnings = STRBUF_INIT;
	struct judgement j = {.n = 0};
	enum err rc = ERR_NONE;

	for (size_t i = 0; rc == ERR_NONE && i < list->n; i++) {
		all[i] = &list->items[i];
		struct evidence_finding f = {.what = STRBUF_INIT, .fate = STRBUF_INIT};
		struct strbuf text = STRBUF_INIT;

		evidence_judge(all[i], a, key, &f);
		strbuf_addf(&text, "%s%s%s", f.what.ptr, f.what.len > 0 ? " " : "", f.fate.ptr);
		if (f.verdict == EVIDENCE_AHEAD && all[i]->what == EVIDENCE_RECEIPT)
			rc = add_open_turn(req, match, seat, &all[i]->receipt, &text);
		if (j.n == 0 || evidence_is_worse(f.verdict, j.verdict))
			j.verdict = f.verdict;
		j.has_head = j.has_head || all[i]->what == EVIDENCE_HEAD;
		if (j.orders.len == 0)
			j.orders = arena_dup(req->arena, f.orders);
		j.paragraphs[j.n++] = arena_take(req->arena, &text).ptr;
		evidence_finding_release(&f);
	}
	if (rc == ERR_NONE) {
		evidence_missing(all, list->n, a, &warnings);
		archive_add_warnings(a, &warnings);
		add_warnings(req, &warnings, &j);
		j.paragraphs[j.n++] =
		    website
			? arena_printf(
			      req->arena,
			      "You need not take our word for it. Save that mail and the "
			      "record of the game as files, and drop both on this page: "
			      "%s/verify.html. To get the record, send:",
			      website)
			: "You need not take our word for it. Save that mail and the record of "
			  "the game as files; anybody who has the program finds out with "
			  "\"molepost verify --receipt MAIL RECORD\". To get the record, send:";
		rc = answer(req, match, seat, subject_of(j.verdict, j.has_head), &j);
	}
	strbuf_release(&warnings);
	return rc;
}

static enum err judge(struct request *req, struct match *match, struct seat *seat,
                      struct evidence_list *list)
{
	struct hash key = keyring_public_key(match_keys(req->srv, match));
	struct strbuf text = STRBUF_INIT;
	struct archive *a = NULL;
	enum err rc = record_text(req->srv, match, &text);

	/* Once more, now that it is known with which key it must be signed. */
	evidence_in_mail(req->whole, &key, req->arena, list);
	if (rc == ERR_NONE)
		rc = archive_open(strbuf_span(&text), &a, &req->srv->fail);
	if (rc == ERR_NONE)
		rc = judge_all(req, match, seat, list, a, &key);
	archive_free(a);
	strbuf_release(&text);
	return rc;
}

/* Word lists are read only for a game whose bots cannot be played again without. */
static void check_with_key(const struct request *req, struct span text, const struct hash *key,
                           struct archive_report *r)
{
	archive_verify(text, key, NULL, r);
	if (r->unchecked_bots == 0)
		return;
	archive_report_release(r);
	archive_verify_tables(server_all_tables(req->srv), text, key, NULL, r);
}

/* With the newest key of ours, or with the older one that it names. */
static void check_archive(const struct request *req, struct span text, struct archive_report *r)
{
	const struct keyring *newest = req->srv->keys;
	struct hash key = keyring_public_key(newest);

	check_with_key(req, text, &key, r);
	for (unsigned i = keyring_number(newest) - 1; i > 0; i--) {
		key = keyring_public_key(keyring_numbered(newest, i));
		if (!hash_eq(&key, &r->key))
			continue;
		archive_report_release(r);
		check_with_key(req, text, &key, r);
		return;
	}
}

static enum err verify_archive(struct request *req, struct span text)
{
	struct judgement j = {.n = 1};
	struct archive_report r;
	bool holds;

	check_archive(req, text, &r);
	holds = r.verdict == ARCHIVE_SIGNED;
	j.paragraphs[0] =
	    holds ? arena_printf(
			req->arena,
			"The record in your mail is one that this server signed, and nothing "
			"in it was changed since: %u lines hold, %u of %u turns were resolved "
			"again%s.",
			r.lines, r.turns, r.all_turns,
			r.ended ? "" : ", and what is still hidden was taken on trust")
		  : arena_printf(
			req->arena,
			"The record in your mail does not hold: line %u of the text that holds "
			"it: %s. Mail programs may break long lines; send it as an attachment "
			"of plain text, or check it with \"molepost verify\".",
			r.line, r.why.ptr);
	add_warnings(req, &r.warnings, &j);
	archive_report_release(&r);
	return answer(req, NULL, NULL, holds ? "the record holds" : "the record does not hold",
	              &j);
}

enum err do_verify(struct request *req, const struct command *item)
{
	struct hash key = keyring_public_key(req->srv->keys);
	struct span archive = archive_in_mail(req->whole);
	struct evidence_list *list = arena_calloc(req->arena, 1, sizeof(*list));

	request_understood(req);
	evidence_in_mail(req->whole, &key, req->arena, list);
	if (list->n > 0) {
		struct match *match;
		struct seat *seat;
		bool found;

		/* The game that the receipt names, else the one that the line names or the mail answers. */
		const char *game = list->items[0].game;
		struct command about = *item;

		if (*game && !parse_game_id(span_of(game), &about.game, &about.game_letter))
			return nothing_found(req);
		TRY(request_game(req, &about, &match, &seat, &found));
		return found ? judge(req, match, seat, list) : ERR_NONE;
	}
	return archive.len > 0 ? verify_archive(req, archive) : nothing_found(req);
}
