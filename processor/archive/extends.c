/*
 * extends.c - whether one archive is another one continued.
 *
 * The chain makes this simple: what two archives of one game have in common has the same
 * leaves, hidden or revealed. So they are compared line by line, and the first line that
 * differs can be named, which a head alone could not do.
 */
#include "processor/archive/private.h"

#include <string.h>

/* The first line in which they differ, or the length of the shorter one. */
static size_t common_lines(const struct archive *a, const struct archive *b)
{
	size_t i = 0;

	for (; i < a->nlines && i < b->nlines; i++) {
		struct hash la = archive_line_leaf(a, i), lb = archive_line_leaf(b, i);

		if (!hash_eq(&la, &lb))
			break;
	}
	return i;
}

static enum archive_kinship compare(const struct archive *older, const struct archive *newer,
                                    struct archive_extension *out)
{
	size_t common = common_lines(older, newer);

	out->common = (unsigned)common;
	out->older_line = archive_line_number(older, common);
	out->newer_line = archive_line_number(newer, common);
	if (strcmp(older->record.game, newer->record.game) != 0 ||
	    !hash_eq(&older->record.public_key, &newer->record.public_key))
		return ARCHIVE_STRANGERS;
	if (common == older->nlines)
		return common == newer->nlines ? ARCHIVE_SAME : ARCHIVE_EXTENDS;
	return common == newer->nlines ? ARCHIVE_IS_OLDER : ARCHIVE_DIFFERS;
}

enum err archive_extends(struct span older, struct span newer, struct archive_extension *out,
                         struct failure *e)
{
	struct archive *a = archive_new(), *b = archive_new();
	enum err err = ERR_NONE;

	*out = (struct archive_extension){.kinship = ARCHIVE_DIFFERS};
	if (!archive_parse(a, older))
		err = err_set(e, ERR_INVALID, "the older archive, line %u: %s", a->bad_line,
		              a->why.ptr);
	else if (!archive_parse(b, newer))
		err = err_set(e, ERR_INVALID, "the newer archive, line %u: %s", b->bad_line,
		              b->why.ptr);
	else
		out->kinship = compare(a, b, out);
	archive_free(a);
	archive_free(b);
	return err;
}
