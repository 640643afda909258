/*
 * guide.c - the rules of Mole, the coin game, in a screenful.
 */
#include "processor/games/mole/drawing.h"

void mole_guide(const struct options *o, struct doc *out)
{
	struct mole_setup setup;
	struct strbuf why = STRBUF_INIT;

	doc_in(out, DOC_HELP);
	doc_heading(out, "Mole (the coin game)");
	if (mole_setup_read(&setup, o, &why))
		mole_draw_bare(&setup, out);
	strbuf_release(&why);
}
