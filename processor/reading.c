/*
 * reading.c - choosing among the texts of a mail.
 */
#include "processor/reading.h"

#include "processor/base/banned.h"

static bool has_command(const struct letter *l)
{
	for (size_t i = 0; i < l->nitems; i++)
		if (l->items[i].verb != CMD_ORDERS)
			return true;
	return false;
}

static enum err judge_letter(const struct letter *l, reading_judge_fn *judge, void *ctx,
                             enum speech *out)
{
	enum err rc = judge(ctx, l, out);

	if (rc == ERR_NONE && *out == SPEECH_NONE && has_command(l))
		*out = diags_has_errors(&l->diags) ? SPEECH_FLAWED : SPEECH_CLEAR;
	return rc;
}

/* The index of the text that says most, the first of those that say the same. */
static enum err find_best(const struct mail_in *mail, unsigned max_commands,
                          struct arena *arena, reading_judge_fn *judge, void *ctx, size_t *best)
{
	enum speech most = SPEECH_NONE, says;

	*best = 0;
	for (size_t i = 0; i < mail->ntexts && most != SPEECH_CLEAR; i++) {
		struct letter l;

		letter_read(mail->texts[i].text, mail->subject, max_commands, arena, &l);
		enum err rc = judge_letter(&l, judge, ctx, &says);
		letter_release(&l);
		if (rc != ERR_NONE)
			return rc;
		if (says > most) {
			most = says;
			*best = i;
		}
	}
	return ERR_NONE;
}

enum err reading_choose(const struct mail_in *mail, unsigned max_commands, struct arena *arena,
                        reading_judge_fn *judge, void *ctx, struct letter *out, size_t *which)
{
	size_t best = 0;
	enum err rc = ERR_NONE;

	if (mail->ntexts > 1)
		rc = find_best(mail, max_commands, arena, judge, ctx, &best);
	if (rc != ERR_NONE)
		return rc;
	letter_read(mail->texts[best].text, mail->subject, max_commands, arena, out);
	if (which)
		*which = best;
	return ERR_NONE;
}
