#include <criterion/criterion.h>
#include <stdio.h>
#include "processor/games/mole_majority/majority.h"
#include "tests/support/play.h"
#include "processor/games/registry.h"
Test(mm, stats) {
	seal_start();
	for (unsigned n = 2; n <= 4; n++) {
		unsigned turns = 0, ends[32] = {0}, lv[4]={0}, lc[4]={0};
		for (unsigned seed = 1; seed <= 200; seed++) {
			struct play p;
			unsigned t0 = turns;
			play_start(&p, &mole_majority_1, n, seed);
			while (play_goes_on(&p)) { play_turn(&p); turns++; }
			ends[mm_ends(p.now)]++;
			lv[p.levels[1]] += turns - t0; lc[p.levels[1]]++;
			play_release(&p);
		}
		printf("%u players: %u turns a game;", n, turns / 200);
		for (unsigned i = 0; i < 32; i++) if (ends[i]) printf(" end %u: %u", i, ends[i]);
		for (unsigned i = 0; i < 4; i++) printf(" L%u %u", i, lv[i]/(lc[i]?lc[i]:1));
		printf("\n");
	}
}
