/*
 * guide.c - the short guide, for who has written nothing that was understood.
 */

#include "processor/request/request.h"

#include "processor/base/banned.h"

enum { WEEK_S = 7 * 24 * 3600 };

/* The first command of a stranger that was nearly right; NULL if none. */
static const struct diag *nearly_right(const struct dealing *d)
{
	if (d->player.id != 0 || !d->letter)
		return NULL;
	for (size_t i = 0; i < d->letter->diags.count; i++)
		if (d->letter->diags.items[i].level == DIAG_ERROR)
			return &d->letter->diags.items[i];
	return NULL;
}

/*
 * His line is not shown to him: it may be somebody else's, who gets this mail. That holds since no
 * message of the letter has words of the line in it.
 */
static const char *why_wrong(const struct dealing *d, const struct diag *near)
{
	if (near->line == 0)
		return arena_printf(d->arena,
		                    "The subject of your mail was not carried out. %s",
		                    near->message);
	return arena_printf(d->arena, "Line %u of your mail was not carried out. %s",
	                    near->line, near->message);
}

enum err dealing_guide(struct dealing *d, const char *reason)
{
	const struct diag *near = reason ? NULL : nearly_right(d);
	struct letter_out out = LETTER_OUT_INIT;
	struct strbuf table = STRBUF_INIT, unread = STRBUF_INIT;
	const char *example = NULL;
	bool allowed = true;
	enum err rc = ERR_NONE;

	dealing_verdict(d, d->player.id ? "not-understood" : "stranger",
	                "no line was understood");
	if (!d->may_answer)
		return ERR_NONE;
	if (d->player.id == 0)
		TRY(stranger_allow(d->srv->store, d->player.address, "guide",
		                   d->srv->now_utc - WEEK_S, 1, d->srv->now_utc, &allowed));
	if (!allowed) {
		dealing_verdict(d, "stranger",
		                "no line was understood; this address was sent "
		                "the guide less than a week ago");
		return ERR_NONE;
	}
	if (near)
		TRY(dealing_example(d, near->example, &example));
	letter_add_table(&table);
	for (size_t i = 0; d->player.id && d->letter && i < d->letter->nlines && i < 5; i++)
		if (d->letter->lines[i].text.len > 0)
			strbuf_addf(&unread, "%.*s\n", SPAN_ARGS(d->letter->lines[i].text));
	report_guide(&(struct report_guide){.topic = GUIDE_SHORT,
	                                    .command_table = strbuf_span(&table),
	                                    .unread = strbuf_span(&unread),
	                                    .reason = near ? why_wrong(d, near) : reason,
	                                    .example = example,
	                                    .address = d->srv->cfg.address},
	             &out);
	rc = dealing_answer(d, NULL, NULL, "guide", &out);
	letter_out_release(&out);
	strbuf_release(&table);
	strbuf_release(&unread);
	return rc;
}
