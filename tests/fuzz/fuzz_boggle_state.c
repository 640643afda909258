/*
 * fuzz_boggle_state.c - any bytes as a state of Martian Boggle.
 */
#include "processor/games/registry.h"
#include "tests/support/fuzz_state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct table list = {
	    "american", {"stone\nspell\nquick\nabout\n", 24}, {{0}}};
	static const struct tables tables = {&list, 1};

	fuzz_state(&martian_boggle_1, &tables, data, size);
	return 0;
}
