/*
 * option_text.c - CREATE with a text as an option's value, such as a board of one's own.
 *
 * "board=below": the text stands under the command or is attached. "board=3f9a2c1b77de": one that
 * somebody has brought before, by its name. From here on the value is the text itself, on one line.
 *
 * Trusts nothing: the mail is anybody's; the option's own reader (read_text) decides what is a text.
 */
#include "processor/commands/commands.h"
#include "store/games.h"

#include "processor/base/banned.h"

/* Reads the text under the command, else the first attached one that is any; or says why not. */
static bool read_from_mail(struct request *req, const struct command *item,
                           const struct game_option *option, struct strbuf *word,
                           struct strbuf *why)
{
	const struct span_list *attached = &req->mail->enclosed;
	struct strbuf unused = STRBUF_INIT;
	bool ok = item->message.len > 0 && option->read_text(item->message, word, why);

	for (size_t i = 0; i < attached->count && !ok; i++) {
		strbuf_clear(&unused);
		ok = option->read_text(attached->items[i], word, why->len > 0 ? &unused : why);
	}
	strbuf_release(&unused);
	if (!ok && why->len == 0)
		strbuf_addf(why,
		            "The lines of the %s stand under the command, or in a text that is "
		            "attached to the mail; this mail has neither.",
		            option->name);
	return ok;
}

static bool is_name(struct span value)
{
	for (size_t i = 0; i < value.len; i++)
		if (!((value.ptr[i] >= '0' && value.ptr[i] <= '9') ||
		      (value.ptr[i] >= 'a' && value.ptr[i] <= 'f')))
			return false;
	return value.len == TEXT_NAME_LEN;
}

/* One value: what stands for a text becomes it, everything else stays for game_options to judge. */
static enum err add_value(struct request *req, const struct command *item, struct span name,
                          struct span value, struct strbuf *out, struct strbuf *why)
{
	const struct rules *kind = item->create.kind;
	const struct game_option *option = options_text_option(kind, name);
	struct span kept;

	if (option && (span_eq_nocase(value, "below") || span_eq_nocase(value, "attached")))
		return read_from_mail(req, item, option, out, why) ? ERR_NONE : ERR_INVALID;
	if (!option || !is_name(value)) {
		strbuf_add_span(out, value);
		return ERR_NONE;
	}
	enum err rc = option_text_find(req->srv->store, span_of(kind->name), name, value,
	                               req->arena, &kept);
	if (rc == ERR_NOT_FOUND) {
		strbuf_addf(
		    why,
		    "No %s is known here by the name %.*s. Write %s=below and its lines "
		    "under the command.",
		    option->name, SPAN_ARGS(value), option->name);
		return ERR_INVALID;
	}
	if (rc == ERR_NONE)
		strbuf_add_span(out, kept);
	return rc;
}

enum err create_option_texts(struct request *req, const struct command *item,
                             struct span *options, struct strbuf *why)
{
	struct span rest = item->create.options, word;
	struct strbuf out = STRBUF_INIT;
	enum err rc = ERR_NONE;

	while (rc == ERR_NONE && span_next_word(&rest, "", &word)) {
		size_t equals = span_find_char(word, '=');

		strbuf_adds(&out, out.len > 0 ? " " : "");
		strbuf_add_span(&out, span_slice(word, 0, equals + 1));
		rc = add_value(req, item, span_slice(word, 0, equals),
		               span_slice(word, equals + 1, word.len), &out, why);
	}
	if (rc == ERR_NONE)
		*options = arena_dup(req->arena, strbuf_span(&out));
	strbuf_release(&out);
	return rc;
}
