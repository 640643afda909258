/*
 * fuzz_whakka_state.c - any bytes as a state of Whakka Mole.
 */
#include "processor/games/registry.h"
#include "tests/support/fuzz_state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_state(&whakka_mole_1, NULL, data, size);
	return 0;
}
