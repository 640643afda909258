/*
 * fuzz_archive.c - any bytes as an archive: verified, opened, played through.
 */
#include <stddef.h>
#include <stdint.h>

#include "processor/archive/archive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void play_through(struct archive *a, struct failure *e)
{
	for (size_t i = 0; i < archive_turn_count(a); i++)
		if (archive_state(a, i, e) == NULL)
			break;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = {(const char *)data, size};
	struct failure e = ERR_INIT;
	struct archive_report report;
	struct archive *a;

	seal_start();
	archive_verify(text, NULL, NULL, &report);
	archive_report_release(&report);
	if (archive_open(text, &a, &e) == ERR_NONE) {
		play_through(a, &e);
		archive_free(a);
	}
	err_release(&e);
	return 0;
}
