/*
 * fuzz_state.h - any bytes as a state of a game.
 */
#ifndef MOLEPOST_TESTS_FUZZ_STATE_H
#define MOLEPOST_TESTS_FUZZ_STATE_H

#include <stdint.h>

#include "processor/games/rules.h"

/*
 * A state that is let in has exactly these bytes, is looked at by everybody, also drawn anew for each,
 * and is played on from by bots of every level, with and without somebody resigning; what comes of it
 * is let in again. `tables` may be NULL. Aborts when a promise is broken.
 */
void fuzz_state(const struct rules *rules, const struct tables *tables, const uint8_t *data,
                size_t size);

#endif
