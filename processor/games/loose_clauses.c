/*
 * loose_clauses.c - what corrections, conditions and questions do to the tokens of a loose reading.
 *
 * A correction is put in the place of what it corrects: of the last order with the same word ("whack 5, sorry,
 * whack 6"), else of as many places, cards or numbers as it has itself, counted back from it, or from
 * the one it says again ("3 and 5, no, 3 and 6"), or behind the same little word ("from a4 to b4, I mean to
 * c4").
 */
#include "processor/clauses/clauses.h"
#include "processor/games/decoration.h"
#include "processor/games/loose.h"

/* What can stand for what: 0 says nothing, a verb is above all slots. */
static unsigned class_of(const struct loose_token *t)
{
	if (t->slot)
		return t->slot;
	if (t->kind == LOOSE_KNOWN)
		return 1000 + (unsigned)t->code;
	for (size_t i = 0; t->kind == LOOSE_OTHER && i < t->text.len; i++) /* "150x230" */
		if (t->text.ptr[i] >= '0' && t->text.ptr[i] <= '9')
			return LOOSE_SLOT_NUMBER;
	return 0;
}

/* An order begins with it: a verb, or the name of a piece. */
static bool is_verb(const struct loose_token *t)
{
	return (t->kind == LOOSE_KNOWN && !t->slot) || t->slot == LOOSE_SLOT_NAME;
}

static bool is_in(struct span all, struct span part)
{
	return all.len > 0 && part.len > 0 && part.ptr >= all.ptr &&
	       part.ptr < all.ptr + all.len;
}

struct stretch {
	size_t from, to;
};

static bool has_class(const struct loose_token *t, struct stretch s, unsigned class)
{
	for (size_t i = s.from; i < s.to; i++)
		if (class_of(&t[i]) == class)
			return true;
	return false;
}

/*
 * The order at the verb t[at], as far as one that begins with t[r.from] could say it again: up to a verb or a
 * kind of argument that is not in it, and up to "to" if it says no such word.
 */
static struct stretch order_at(const struct loose_token *t, size_t at, struct stretch r)
{
	struct stretch found = {at, at + 1};

	for (size_t i = at + 1; i < r.from; i++) {
		unsigned class = class_of(&t[i]);
		bool leads = t[i].kind == LOOSE_OTHER && leads_to(t[i].text);

		for (size_t k = r.from; k < r.to && leads; k++)
			leads = !span_eq(t[k].text, t[i].text);
		if (leads || (class && !has_class(t, r, class)))
			break;
		if (class)
			found.to = i + 1;
	}
	return found;
}

/* `k` arguments of a class before `end`: in the nearest run of so many between verbs, or from the one that says `again`. */
static struct stretch arguments_before(const struct loose_token *t, size_t end, unsigned class,
                                       size_t k, struct span again)
{
	struct stretch best = {0, 0};

	while (end > 0) {
		struct stretch run = {end, end}, said_again = {0, 0}, as_many = {0, 0};
		size_t n = 0;

		for (; run.from > 0 && !is_verb(&t[run.from - 1]); run.from--) {
			if (class_of(&t[run.from - 1]) != class)
				continue;
			run.to = n++ == 0 ? run.from : run.to;
			if (k > 1 && again.len > 0 && span_eq(t[run.from - 1].text, again))
				said_again = (struct stretch){run.from - 1, run.to};
			if (n == k)
				as_many = (struct stretch){run.from - 1, run.to};
		}
		if (n != k && said_again.to > 0)
			return said_again;
		if (n >= k)
			return as_many;
		if (n > 0 && best.to == 0)
			best = run;
		end = run.from > 0 ? run.from - 1 : 0;
	}
	return best;
}

/* What a correction at [r.from, r.to) corrects; to == 0: nothing. A verb of its own is a new order if `may_be_new`. */
static struct stretch reparandum(const struct loose_token *t, struct stretch *r,
                                 bool may_be_new)
{
	size_t k = 0;

	for (; r->from < r->to; r->from++) {
		const struct loose_token *first = &t[r->from];

		if (class_of(first) && !is_verb(first))
			break;
		for (size_t at = r->from; is_verb(first) && at-- > 0;)
			if (class_of(&t[at]) == class_of(first))
				return order_at(t, at, *r);
		if (is_verb(first) && may_be_new)
			return (struct stretch){0, 0};
	}
	if (r->from == r->to)
		return (struct stretch){0, 0};
	const struct loose_token *first = &t[r->from], *before = first - 1;
	for (size_t i = r->from; i < r->to && !is_verb(&t[i]); i++)
		k += class_of(&t[i]) == class_of(first);
	for (size_t at = r->from; k == 1 && at-- > 1;) /* "to c4", "from a3" */
		if (class_of(&t[at]) == class_of(first) && before->kind == LOOSE_OTHER &&
		    before->text.len > 0 && t[at - 1].kind == LOOSE_OTHER &&
		    span_eq(t[at - 1].text, before->text))
			return (struct stretch){at, at + 1};
	return arguments_before(t, r->from, class_of(first), k, first->text);
}

/* Puts [r) in the place of [old), which stands before it. */
static void move_back(struct loose_text *t, struct stretch old, struct stretch r)
{
	struct loose_token *to = arena_calloc(t->in, LOOSE_TOKENS_MOST + 1, sizeof *to);
	const struct stretch parts[] = {{0, old.from}, r, {old.to, r.from}, {r.to, t->count}};
	size_t n = 0;

	for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
		for (size_t i = parts[p].from; i < parts[p].to; i++)
			to[n++] = t->items[i];
	t->items = to;
	t->count = n;
}

static struct stretch tokens_of(const struct loose_text *t, size_t clause)
{
	struct stretch s = {0, 0};

	while (s.from < t->count && t->items[s.from].clause != clause)
		s.from++;
	for (s.to = s.from; s.to < t->count && t->items[s.to].clause == clause; s.to++)
		;
	while (s.to > s.from && t->items[s.to - 1].kind == LOOSE_BREAK)
		s.to--;
	return s;
}

static bool says_something(const struct loose_text *t, struct stretch s)
{
	for (size_t i = s.from; i < s.to; i++)
		if (class_of(&t->items[i]))
			return true;
	return false;
}

/* It has a verb and no arguments. */
static bool is_new_order(const struct loose_text *t, struct stretch s)
{
	bool verb = false, argument = false;

	for (size_t i = s.from; i < s.to; i++) {
		verb = verb || is_verb(&t->items[i]);
		argument = argument || t->items[i].slot;
	}
	return verb && !argument;
}

static bool adds(const struct loose_text *t, struct stretch s)
{
	for (size_t i = s.from; i < s.to; i++)
		if (t->items[i].kind == LOOSE_OTHER && adds_meaning(t->items[i].text))
			return true;
	return false;
}

static void correct(struct loose_text *t, const struct clause *c, size_t n)
{
	bool retracted = false; /* then all that follows corrects */

	for (size_t i = 0; i < n; i++) {
		bool corrects = c[i].kind == CLAUSE_REPAIR || c[i].kind == CLAUSE_RETRACT;
		struct stretch r = tokens_of(t, i), old;

		retracted = retracted || c[i].kind == CLAUSE_RETRACT;
		if (!corrects && !(retracted && c[i].kind == CLAUSE_PLAIN))
			continue;
		struct stretch whole = r;
		bool itself = says_something(t, r);

		if (corrects && itself && adds(t, r)) /* "actually add 6" */
			continue;
		old = itself ? reparandum(t->items, &r, !corrects) : (struct stretch){0, 0};
		/* "No, hang on, B4." */
		for (size_t k = i + 1;
		     corrects && !itself && old.to == 0 && k < n && k <= i + 3 &&
		     (k == i + 1 || !c[k - 1].ends_sentence) &&
		     (c[k].kind == CLAUSE_PLAIN || c[k].kind == CLAUSE_REJECT);
		     k++) {
			struct stretch next = tokens_of(t, k);

			if (!says_something(t, next))
				continue;
			whole = says_something(t, whole) ? whole : next;
			r = next;
			old = reparandum(t->items, &r, false);
			whole = old.to > 0 ? next : whole;
		}
		if (!says_something(t, whole))
			continue;
		/* "I discard. No wait, I pass." */
		if (old.to == 0 && corrects && is_new_order(t, whole))
			old = (struct stretch){0, whole.from};
		if (old.to > 0)
			move_back(t, old, old.to == whole.from ? whole : r);
	}
}

/*
 * "C3 rather than c4", "instead of the pan I roll the glove", "leave out the 8": the arguments behind the marker, up to
 * another kind, also where they stand before it.
 */
static void reject(struct loose_text *t, size_t marker)
{
	unsigned class = 0;

	for (size_t i = marker + 1; i < t->count && t->items[i].kind != LOOSE_BREAK; i++) {
		struct loose_token *k = &t->items[i];
		unsigned of = class_of(k);

		if (class && of != class && (is_verb(k) || of))
			return;
		class = class ? class : is_verb(k) ? 0 : of;
		for (size_t b = 0; b < marker && of && !is_verb(k); b++)
			if (class_of(&t->items[b]) == of && span_eq(t->items[b].text, k->text))
				t->items[b] =
				    (struct loose_token){.text = SPAN_LIT(""),
				                         .written = t->items[b].written,
				                         .clause = t->items[b].clause};
		k->kind = LOOSE_OTHER;
		k->text = SPAN_LIT("");
		k->slot = 0;
		k->exact = false;
	}
}

bool loose_is_both(struct span word)
{
	static const char *const both[] = {"both",     "beide",   "beiden", "ambos",
	                                   "entrambi", "allebei", "oba",    "obydwa"};

	return span_in_nocase(word, both, sizeof both / sizeof *both);
}

/* "1 to 110 280, 3 to 190 280, both with range 150": belongs to each of the two clauses of orders before it. */
static void distribute(struct loose_text *t, size_t clause)
{
	struct stretch r = tokens_of(t, clause), one;
	struct loose_token *to;
	size_t before = clause, found = 0, n = 0;

	if (r.from == r.to || !loose_is_both(t->items[r.from].text))
		return;
	while (++r.from < r.to && !class_of(&t->items[r.from]))
		;
	while (before > 0 && found < 2) {
		one = tokens_of(t, --before);
		found += says_something(t, one);
		if (r.from < r.to && has_class(t->items, one, class_of(&t->items[r.from])))
			return;
	}
	if (found < 2 || r.from == r.to || t->count + (r.to - r.from) > LOOSE_TOKENS_MOST)
		return;
	to = arena_calloc(t->in, LOOSE_TOKENS_MOST + 1, sizeof *to);
	for (size_t i = 0; i < t->count; i++) {
		for (size_t k = r.from; i == one.to && k < r.to; k++)
			to[n++] = t->items[k];
		to[n++] = t->items[i];
	}
	t->items = to;
	t->count = n;
}

/* Of the game, and not only a number. */
static bool is_content(const struct loose_token *t)
{
	return t->kind == LOOSE_KNOWN ||
	       (t->slot > LOOSE_SLOT_NUMBER && t->slot != LOOSE_SLOT_NAME);
}

void loose_apply_clauses(struct loose_text *t, const struct loose_language *language,
                         struct span text)
{
	size_t n, at = 0, count = 0;
	struct clause *c = clauses_split(text, t->in, &n);
	bool *knows = arena_calloc(t->in, n + 1, sizeof *knows); /* the game knows its marker */
	bool *numbers = arena_calloc(t->in, n + 1, sizeof *numbers);
	bool plain = false, asks = false, any_asks = false;

	for (size_t i = 0; i < t->count && n > 0; i++) {
		struct loose_token *k = &t->items[i];

		while (at + 1 < n && k->written.len > 0 && k->written.ptr >= c[at + 1].text.ptr)
			at++;
		k->clause = at;
		bool marks = is_in(c[at].marker, k->written);
		t->known += k->exact;
		/* "The same" may be a word for an order; "same holes" is none. */
		bool noun = i > 0 && span_eq_str(k[-1].text, "same");
		knows[at] = knows[at] || (marks && !noun && k->kind == LOOSE_KNOWN && k->exact);
		numbers[at] = numbers[at] || (!marks && class_of(k) && !is_verb(k));
		plain = plain || (!marks && is_content(k) && c[at].kind < CLAUSE_CONDITION);
		asks = asks || (is_content(k) && c[at].kind == CLAUSE_QUESTION);
	}
	for (size_t i = 0; i < n; i++)
		any_asks = any_asks || c[i].asks || c[i].kind == CLAUSE_QUESTION;
	t->asks = asks && !plain;
	for (size_t i = 0; i < t->count && n > 0 && language->condition; i++) {
		struct loose_token *k = &t->items[i];
		struct stretch s = tokens_of(t, k->clause);
		bool about = false;

		for (size_t w = s.from; w < s.to; w++)
			about = about || (t->items[w].kind == LOOSE_KNOWN &&
			                  t->items[w].code == language->about);
		if (c[k->clause].kind != CLAUSE_CONDITION || knows[k->clause] || !about ||
		    !is_in(c[k->clause].marker, k->written))
			continue;
		k->kind = LOOSE_KNOWN;
		k->code = language->condition;
		k->exact = knows[k->clause] = true;
	}
	/* "If somebody crowns, the prize die, else the pan." */
	for (size_t i = 0, condition = n; i < n; i++) {
		if (c[i].otherwise && condition < n && knows[condition])
			c[i].kind = CLAUSE_PLAIN;
		else if (c[i].kind == CLAUSE_CONDITION)
			condition = i;
	}
	for (size_t i = 0; i < t->count && n > 0; i++) {
		const struct clause *of = &c[t->items[i].clause];
		size_t first = i;

		while (first > 0 && is_in(of->marker, t->items[first - 1].written))
			first--;
		bool ends = i + 1 == t->count || !is_in(of->marker, t->items[i + 1].written);
		bool orders = t->items[first].kind == LOOSE_KNOWN && /* "strike 7" */
		              t->items[first].exact;
		if (of->kind == CLAUSE_REJECT && is_in(of->marker, t->items[i].written) &&
		    ends && !orders)
			reject(t, i);
	}
	for (size_t i = 0; i < t->count && n > 0; i++) {
		struct loose_token k = t->items[i];
		enum clause_kind kind = c[k.clause].kind;
		/* What only says which kind it is, is no word of an order. */
		bool marks = (kind != CLAUSE_PLAIN || c[k.clause].otherwise) &&
		             kind != CLAUSE_QUESTION && !knows[k.clause] &&
		             is_in(c[k.clause].marker, k.written);
		bool gone = /* of nothing but a condition the orders are asked about, with it */
		    (kind == CLAUSE_CONDITION && (plain || any_asks) && !knows[k.clause] &&
		     !language->ranks &&
		     !(language->nothing && k.kind == LOOSE_KNOWN &&
		       k.code == language->nothing)) ||
		    kind == CLAUSE_UNREAL || (kind == CLAUSE_QUESTION && plain) ||
		    (kind == CLAUSE_REFERENCE && !numbers[k.clause] && !knows[k.clause]);

		if (k.kind == LOOSE_BREAK || !(marks || gone))
			t->items[count++] = k;
		else if (gone && kind == CLAUSE_REFERENCE) /* "whack the same as last time" */
			while (count > 0 && is_verb(&t->items[count - 1]))
				count--;
	}
	t->count = n > 0 ? count : t->count;
	correct(t, c, n);
	for (size_t i = 2; i < n; i++)
		if (c[i].kind == CLAUSE_PLAIN)
			distribute(t, i);
}
