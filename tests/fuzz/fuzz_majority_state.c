/*
 * fuzz_majority_state.c - any bytes as a state of Mole Majority.
 */
#include "processor/games/registry.h"
#include "tests/support/fuzz_state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_state(&mole_majority_1, NULL, data, size);
	return 0;
}
