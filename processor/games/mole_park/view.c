#include "processor/games/mole_park/park.h"
void park_view(const struct game_state *s, unsigned viewer, struct doc *out){doc_in(out, DOC_STORY);doc_paragraph(out,"r %u",s->round);(void)viewer;}
void park_examples(const struct game_state *s, unsigned seat, struct doc *out){(void)s;(void)seat;(void)out;}
void park_guide(const struct options *o, struct doc *out){(void)o;doc_paragraph(out,"r");}
