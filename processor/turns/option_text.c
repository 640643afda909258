/*
 * option_text.c - CREATE with a text as an option's value, such as a board of one's own.
 *
 * "board=below": the text stands under the command or is attached. "board=3f9a2c1b77de": one that
 * somebody has brought before, by its name. From here on the value is the text itself, on one line.
 *
 * Trusts nothing: the mail is anybody's; the option's own reader (read_text) decides what is a text.
 */
#include "processor/turns/option_text.h"

#include "store/games.h"

/* Reads the text under the command, else the first attached one that is any; or says why not. */
static bool read_from_mail(const struct option_texts *from, const struct game_option *option,
                           struct strbuf *word, struct strbuf *why)
{
	struct strbuf unused = STRBUF_INIT;
	bool ok = from->below.len > 0 && option->read_text(from->below, word, why);

	for (size_t i = 0; i < from->attached->count && !ok; i++) {
		strbuf_clear(&unused);
		ok = option->read_text(from->attached->items[i], word,
		                       why->len > 0 ? &unused : why);
	}
	strbuf_release(&unused);
	if (ok)
		strbuf_clear(why); /* what was wrong with another text */
	else if (why->len == 0)
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
static enum err add_value(const struct option_texts *from, struct span name, struct span value,
                          struct arena *arena, struct strbuf *out, struct strbuf *why)
{
	const struct game_option *option = options_text_option(from->kind, name);
	struct span kept;

	if (option && (span_eq_nocase(value, "below") || span_eq_nocase(value, "attached")))
		return read_from_mail(from, option, out, why) ? ERR_NONE : ERR_INVALID;
	if (!option || !is_name(value)) {
		strbuf_add_span(out, value);
		return ERR_NONE;
	}
	enum err rc =
	    option_text_find(from->store, span_of(from->kind->name), name, value, arena, &kept);
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

enum err option_texts_fill(const struct option_texts *from, struct span *options,
                           struct arena *arena, struct strbuf *why)
{
	struct span rest = *options, word;
	struct strbuf out = STRBUF_INIT;
	enum err rc = ERR_NONE;

	while (rc == ERR_NONE && span_next_word(&rest, "", &word)) {
		size_t equals = span_find_char(word, '=');

		strbuf_adds(&out, out.len > 0 ? " " : "");
		strbuf_add_span(&out, span_slice(word, 0, equals + 1));
		rc = add_value(from, span_slice(word, 0, equals),
		               span_slice(word, equals + 1, word.len), arena, &out, why);
	}
	if (rc == ERR_NONE)
		*options = arena_take(arena, &out);
	return rc;
}
