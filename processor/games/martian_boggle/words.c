/*
 * words.c - the word list: lines of text, of which the five-letter lower-case ones count.
 *
 * Trusts: a list is whatever file the operator named; any bytes do.
 */
#include <string.h>

#include "processor/games/martian_boggle/boggle.h"

/* Capitals of five letters a to z, or false: names, plurals with a stroke and accents go. */
static bool take_word(const char *line, char word[BOGGLE_LETTERS + 1])
{
	for (unsigned i = 0; i < BOGGLE_LETTERS; i++) {
		if (line[i] < 'a' || line[i] > 'z')
			return false;
		word[i] = (char)(line[i] - 'a' + 'A');
	}
	word[BOGGLE_LETTERS] = '\0';
	return true;
}

bool boggle_next_word(struct span *rest, char word[BOGGLE_LETTERS + 1])
{
	while (rest->len) {
		const char *line = rest->ptr;
		const char *end = memchr(line, '\n', rest->len);
		size_t len = end ? (size_t)(end - line) : rest->len;

		rest->ptr += end ? len + 1 : len;
		rest->len -= end ? len + 1 : len;
		if (len == BOGGLE_LETTERS + 1 && line[BOGGLE_LETTERS] == '\r')
			len--;
		if (len == BOGGLE_LETTERS && take_word(line, word))
			return true;
	}
	return false;
}

/* A list with another digest than the game began with is another list. */
const struct table *boggle_list(const struct game_state *s, const struct tables *tables)
{
	for (size_t i = 0; tables && i < tables->count; i++) {
		const struct table *t = &tables->items[i];
		struct strbuf hex = STRBUF_INIT;
		bool same;

		if (strcmp(t->name, s->setup.wordlist) != 0 || !t->text.len)
			continue;
		strbuf_add_hex(&hex, t->hash.bytes, HASH_LEN);
		same = strcmp(s->setup.hash, "none") == 0 ||
		       strcmp(s->setup.hash, hex.ptr) == 0;
		strbuf_release(&hex);
		return same ? t : NULL;
	}
	return NULL;
}

enum boggle_lookup boggle_look_up(const struct game_state *s, const struct tables *tables,
                                  const char *word)
{
	const struct table *list = boggle_list(s, tables);
	char found[BOGGLE_LETTERS + 1];
	struct span rest;

	if (!tables || tables->count == 0)
		return BOGGLE_LISTED;
	if (!list)
		return BOGGLE_NO_LIST;
	rest = list->text;
	while (boggle_next_word(&rest, found))
		if (memcmp(found, word, BOGGLE_LETTERS) == 0)
			return BOGGLE_LISTED;
	return BOGGLE_UNLISTED;
}
