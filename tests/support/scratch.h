/*
 * scratch.h - a folder of its own for a test that needs files.
 */
#ifndef MOLEPOST_TESTS_SCRATCH_H
#define MOLEPOST_TESTS_SCRATCH_H

/* Makes an empty folder under $TMPDIR or /tmp; free with scratch_remove. */
char *scratch_new(void);
/*
 * For tests that are not about durability: the folders to come lie in memory, where a sync costs
 * nothing. Without effect when $TMPDIR says where they should be.
 */
void scratch_in_memory(void);
/* "FOLDER/name", free with free(). */
char *scratch_path(const char *scratch, const char *name);
/* Deletes the folder with all that is in it, and frees the name. */
void scratch_remove(char *scratch);

#endif
