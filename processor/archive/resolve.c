/*
 * resolve.c - one turn: orders in, position out.
 */
#include "processor/archive/resolve.h"

#include "processor/archive/fork_point.h"
#include "processor/archive/proof.h"

static bool next_state(const struct resolve_input *in, struct chance *chance,
                       struct game_state **next, struct strbuf *why)
{
	if (in->serial == 0 && in->now != NULL) {
		*next = fork_point_deal(in->rules, in->now, chance, why);
		return *next != NULL;
	}
	if (in->serial == 0)
		return in->rules->new_game(in->options, in->names, chance, next, why);
	return in->rules->resolve(in->now, in->orders, chance, next, why);
}

/*
 * What will be stored must say the same when it is read again. *state becomes what was read, so that
 * everything further comes from what is stored and nothing else.
 */
static bool encoding_holds(const struct rules *rules, struct span text,
                           struct game_state **state, struct strbuf *why)
{
	struct game_state *again = NULL;
	struct strbuf second = STRBUF_INIT;
	bool ok = rules->decode(text, &again, why);

	if (ok) {
		rules->encode(again, &second);
		ok = span_eq(strbuf_span(&second), text);
		if (!ok)
			strbuf_adds(why,
			            "the new position does not read back as it was written.");
		rules->free_state(*state);
		*state = again;
	}
	strbuf_release(&second);
	return ok;
}

bool resolve_compute(const struct resolve_input *in, struct resolve_output *out,
                     struct strbuf *why)
{
	*out = (struct resolve_output){NULL, STRBUF_INIT, STRBUF_INIT, {{0}}};
	struct chance *chance = chance_from_key(&in->key);
	bool ok = next_state(in, chance, &out->next, why);

	if (ok) {
		in->rules->encode(out->next, &out->state_text);
		chance_add_record(chance, &out->chance_text);
		ok = encoding_holds(in->rules, strbuf_span(&out->state_text), &out->next, why);
	}
	if (ok)
		out->hash = proof_state_hash(in->game, in->serial, &in->parent_hash,
		                             &in->orders_hash, strbuf_span(&out->state_text));
	chance_free(chance);
	return ok;
}

void resolve_output_release(const struct rules *rules, struct resolve_output *out)
{
	if (out->next)
		rules->free_state(out->next);
	strbuf_release(&out->state_text);
	strbuf_release(&out->chance_text);
}
