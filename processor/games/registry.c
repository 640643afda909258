/*
 * registry.c - finding a game by what people and files call it.
 *
 * Archives name kind and version exactly; people write "Whakka Mole",
 * "whakka-mole" or "WHAKKAMOLE" and mean the newest version.
 */
#include "processor/games/registry.h"

#include "processor/base/err.h"

static const struct rules *const registry[] = {
    &whakka_mole_1, &mole_park_1, &martian_boggle_1, &mole_1, &mole_majority_1,
};

enum { NREGISTRY = sizeof registry / sizeof *registry };

size_t rules_count(void)
{
	return NREGISTRY + (extra_game != NULL);
}

const struct rules *rules_at(size_t i)
{
	ENSURE(i < rules_count());
	return i < NREGISTRY ? registry[i] : extra_game;
}

static bool is_joint(char c)
{
	return c == ' ' || c == '-' || c == '_' || c == '\t';
}

/* Compares letters only: case, blanks and hyphens do not count. */
static bool same_kind(struct span said, const char *name)
{
	for (size_t i = 0; i < said.len; i++) {
		if (is_joint(said.ptr[i]))
			continue;
		while (is_joint(*name))
			name++;
		if (*name == '\0' || ascii_lower(said.ptr[i]) != ascii_lower(*name))
			return false;
		name++;
	}
	while (is_joint(*name))
		name++;
	return *name == '\0';
}

const struct rules *rules_find(struct span kind)
{
	const struct rules *found = NULL;

	for (size_t i = 0; i < rules_count(); i++)
		if (same_kind(kind, rules_at(i)->name) &&
		    (!found || rules_at(i)->version > found->version))
			found = rules_at(i);
	return found;
}

const struct rules *rules_find_version(struct span name, unsigned version)
{
	for (size_t i = 0; i < rules_count(); i++)
		if (span_eq_str(name, rules_at(i)->name) && rules_at(i)->version == version)
			return rules_at(i);
	return NULL;
}

const struct rules *rules_by_letter(char letter)
{
	const struct rules *found = NULL;

	for (size_t i = 0; i < rules_count(); i++)
		if (ascii_lower(rules_at(i)->letter) == ascii_lower(letter) &&
		    (!found || rules_at(i)->version > found->version))
			found = rules_at(i);
	return found;
}
