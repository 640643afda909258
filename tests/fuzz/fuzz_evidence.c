/*
 * fuzz_evidence.c - any bytes as a mail with a receipt or a turn report, judged against an
 * archive; and the same bytes as text of a web page and of JSON.
 */
#include <stddef.h>
#include <stdint.h>

#include "processor/archive/evidence.h"
#include "reports/json.h"
#include "reports/web.h"
#include "tests/support/played.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The game of the corpus: its receipts and heads are kept. Made once, kept to the end. */
static struct archive *the_archive(struct hash *key)
{
	static struct archive *kept;
	static struct hash kept_key;
	struct strbuf text = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct played p;

	if (kept == NULL) {
		seal_start();
		played_game(&p, rules_find(SPAN_LIT("whakka mole")), 3, 3, 1);
		archive_write(&p.record, p.keys, &text);
		if (archive_open(strbuf_span(&text), &kept, &e) != ERR_NONE)
			BUG("%s", e.text.ptr);
		kept_key = p.record.public_key;
		strbuf_release(&text);
		played_release(&p);
	}
	*key = kept_key;
	return kept;
}

static void write_out(struct span text)
{
	struct strbuf out = STRBUF_INIT;

	web_add_text(&out, text);
	json_add_string(&out, text);
	strbuf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = {(const char *)data, size};
	struct arena *arena;
	struct evidence_finding f;
	struct evidence_list list;
	struct hash key;
	const struct archive *a = the_archive(&key);

	arena = arena_new();
	evidence_read(text, &key, arena, &list);
	for (size_t i = 0; i < list.n; i++) {
		list.items[i].is_signed = true; /* else no changed receipt would be looked at */
		evidence_judge(&list.items[i], a, &key, &f);
		evidence_finding_release(&f);
	}
	write_out(text);
	arena_free(arena);
	return 0;
}
