/*
 * fuzz_chance_script.c - any bytes as a script of draws; its record must serve as a script.
 */
#include <stddef.h>
#include <stdint.h>

#include "processor/base/chance.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void draw(struct chance *c)
{
	unsigned order[6], seen = 0;
	unsigned die = chance_die(c, 6, "d"), pick = chance_pick(c, 3, "p");

	chance_shuffle(c, order, 6, "s");
	for (unsigned i = 0; i < 6; i++)
		seen |= 1u << order[i];
	ENSURE(seen == 63);
	ENSURE(die >= 1 && die <= 6 && pick < 3);
	chance_shuffle(c, order, 0, "nothing");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf record = STRBUF_INIT, second = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct chance *c, *again;

	if (chance_from_script((struct span){(const char *)data, size}, &c, &e) == ERR_NONE) {
		draw(c);
		chance_add_record(c, &record);
		ENSURE(chance_from_script(strbuf_span(&record), &again, &e) == ERR_NONE);
		draw(again);
		ENSURE(chance_problem(again) == NULL);
		chance_add_record(again, &second);
		ENSURE(span_eq(strbuf_span(&record), strbuf_span(&second)));
		chance_free(again);
		chance_free(c);
	}
	strbuf_release(&record);
	strbuf_release(&second);
	err_release(&e);
	return 0;
}
