/*
 * test_mutated_mails.c - spoilt mails through whole runs.
 *
 * Real and hostile mails, the server's own ones among them, are spoilt at random and delivered to a
 * server with games going on. No run may end in anything but 0, every mail must be accounted for,
 * and sound mails that lie between the spoilt ones are answered.
 *
 * 300 mails; 10,000 in `make test` (GAMES_PER_KIND of 300 or more) and in `make asan`; or MAILS=n.
 * SEED=n for others.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "tests/support/chosen.h"
#include "tests/support/play.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"
#include "tests/support/testbed.h"
#include "tests/support/testbed_parts.h"

enum { FILE_MAX = 4 << 20, BATCH = 500, SOUND_EVERY = 50, MOST_WOUNDS = 6, TALE = 40 };

struct mill {
	struct testbed *testbed;
	struct strbuf *models;
	size_t nmodels, cap;
	uint64_t dice;
	unsigned dropped, sound;
};

static unsigned env_number(const char *name, unsigned otherwise)
{
	const char *text = env_get(name);
	unsigned n = otherwise;

	cr_assert(!text || num_parse_uint(span_of(text), 0, 10000000, &n), "%s is no number",
	          name);
	return n;
}

static unsigned draw(struct mill *m, size_t n)
{
	return n ? play_draw(&m->dice, (unsigned)n) : 0;
}

/* ---- models ---- */

static void add_model(struct mill *m, struct span text)
{
	m->models = xgrow(m->models, &m->cap, m->nmodels + 1, sizeof(*m->models));
	strbuf_init(&m->models[m->nmodels]);
	strbuf_add_span(&m->models[m->nmodels++], text);
}

static void add_fixtures(struct mill *m)
{
	const char *dir = "tests/mail/fixtures";
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	size_t n;
	char **names = folder_names(dir, &n);

	for (size_t i = 0; i < n; i++) {
		if (strstr(names[i], ".eml")) {
			strbuf_clear(&path);
			strbuf_clear(&text);
			strbuf_addf(&path, "%s/%s", dir, names[i]);
			cr_assert_eq(file_read(path.ptr, FILE_MAX, &text, NULL), ERR_NONE);
			add_model(m, strbuf_span(&text));
		}
		free(names[i]);
	}
	free(names);
	strbuf_release(&path);
	strbuf_release(&text);
}

/* Answers of players, with good reply addresses, and our own mails as they come. */
static void add_answers(struct mill *m)
{
	static const char *const says[] = {"popup 1 5; whack 2",
	                                   "status\nhelp\nlist",
	                                   "resign",
	                                   "check popup 3\nset wait",
	                                   "create whakka mole \"x\" players 3 bots 2 next 3D",
	                                   "join w2 as Zoe key tulip\nhistory from 1 to 9",
	                                   "archive\nresend 2\nsalt pepper\nsummary w1"};

	for (size_t p = 0; p < m->testbed->nposts; p++) {
		const struct post *post = m->testbed->posts[p];
		for (size_t i = 0; i < sizeof(says) / sizeof(says[0]); i++) {
			struct strbuf raw = STRBUF_INIT;
			testbed_compose(m->testbed,
			                &(struct mail_written){.who = post->who,
			                                       .to = post->reply_to,
			                                       .in_reply_to = post->message_id,
			                                       .text = says[i]},
			                &raw);
			add_model(m, strbuf_span(&raw));
			strbuf_release(&raw);
		}
		add_model(m, (struct span){post->raw, post->raw_len});
	}
}

/* ---- wounds ---- */

static const char *const shrapnel[] = {
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "--",
    "=",
    "=?utf-8?q?=",
    "=?x?b?",
    "\"",
    "<",
    ">",
    "(",
    ";;",
    "\x80",
    "\xff\xfe",
    "\xe2\x80\xae",
    "\xf0\x9f\x90\xad",
    "Content-Type: multipart/mixed; boundary=\"a\"\n",
    "Content-Type: text/html; charset=utf-7\n",
    "Content-Transfer-Encoding: base64\n",
    "Content-Type: message/rfc822\n\n",
    "\n--a\n",
    "\n--a--\n",
    "From: ann@example.net\n",
    "X-Molepost-Instance: x\n",
    "Auto-Submitted: no\n",
    "popup ",
    "99999999999999999999",
    "%s%n",
};

static void strike(struct mill *m, struct strbuf *text)
{
	struct strbuf next = STRBUF_INIT;
	struct span all = strbuf_span(text);
	size_t at = draw(m, all.len + 1), to = at + draw(m, TALE);
	const struct strbuf *other = &m->models[draw(m, m->nmodels)];

	strbuf_add_span(&next, span_slice(all, 0, at));
	switch (draw(m, 8)) {
	case 0: /* lost */
		strbuf_add_span(&next, span_slice(all, to, all.len));
		break;
	case 1: /* doubled */
		strbuf_add_span(&next, span_slice(all, at, to));
		strbuf_add_span(&next, span_slice(all, at, all.len));
		break;
	case 2: /* cut off */
		break;
	case 3: /* goes on as another mail */
		strbuf_add_span(
		    &next, span_slice(strbuf_span(other), draw(m, other->len + 1), other->len));
		break;
	case 4: /* a byte of any value */
		strbuf_addc(&next, (char)draw(m, 256));
		strbuf_add_span(&next, span_slice(all, at + 1, all.len));
		break;
	case 5: /* very long */
		strbuf_add_repeat(&next, (char)('a' + draw(m, 26)), draw(m, 5000));
		strbuf_add_span(&next, span_slice(all, at, all.len));
		break;
	default:
		strbuf_adds(&next, shrapnel[draw(m, sizeof(shrapnel) / sizeof(shrapnel[0]))]);
		strbuf_add_span(&next, span_slice(all, at, all.len));
		break;
	}
	strbuf_swap(text, &next);
	strbuf_release(&next);
}

static void drop_spoilt(struct mill *m)
{
	struct strbuf text = STRBUF_INIT, name = STRBUF_INIT;
	const struct strbuf *model = &m->models[draw(m, m->nmodels)];

	strbuf_add_span(&text, strbuf_span(model));
	for (unsigned n = draw(m, MOST_WOUNDS + 1); n > 0; n--)
		strike(m, &text);
	if (draw(m, 50) == 0) { /* nothing but noise */
		strbuf_clear(&text);
		for (unsigned n = draw(m, 2000); n > 0; n--)
			strbuf_addc(&text, (char)draw(m, 256));
	}
	strbuf_addf(&name, "spoilt-%u", m->dropped++);
	testbed_drop(m->testbed, name.ptr, strbuf_span(&text), m->testbed->now_utc);
	strbuf_release(&text);
	strbuf_release(&name);
}

static void drop_sound(struct mill *m)
{
	struct strbuf who = STRBUF_INIT;

	strbuf_addf(&who, "sound%u", m->sound++);
	testbed_write(m->testbed, who.ptr, "help");
	strbuf_release(&who);
}

/* ---- what must hold ---- */

static void run(struct mill *m)
{
	struct ran r;

	testbed_do(m->testbed, "run", NULL, &r);
	cr_assert_eq(r.code, 0, "a run ended with %d (signal %d) after %u mails:\n%s", r.code,
	             r.signal, m->dropped, r.err.ptr);
	cr_expect(span_find(strbuf_span(&r.err), SPAN_LIT("BUG")) == r.err.len, "%s",
	          r.err.ptr);
	ran_release(&r);
	testbed_collect(m->testbed);
	testbed_wait(m->testbed, 3600);
}

static size_t count(struct span text, const char *needle)
{
	size_t n = 0;

	for (size_t at = 0; (at = span_find(text, span_of(needle))) < text.len; n++)
		text = span_slice(text, at + 1, text.len);
	return n;
}

static void every_mail_is_accounted_for(struct mill *m)
{
	char *path = testbed_path(m->testbed, "mail/new");
	struct strbuf dump = STRBUF_INIT;
	size_t waiting;
	char **names = folder_names(path, &waiting);

	testbed_dump(m->testbed, &dump);
	cr_expect_eq(count(strbuf_span(&dump), " transport_id=spoilt-") -
	                 count(strbuf_span(&dump), "\nquarantine transport_id=spoilt-") +
	                 waiting,
	             m->dropped, "%u mails came, %zu are in the books, %zu wait", m->dropped,
	             count(strbuf_span(&dump), " transport_id=spoilt-"), waiting);
	for (size_t i = 0; i < waiting; i++)
		free(names[i]);
	free(names);
	free(path);
	strbuf_release(&dump);
}

static void sound_mails_were_answered(struct mill *m)
{
	struct strbuf who = STRBUF_INIT;

	for (unsigned i = 0; i < m->sound; i++) {
		strbuf_clear(&who);
		strbuf_addf(&who, "sound%u", i);
		cr_expect(testbed_find(m->testbed, who.ptr, ""), "%s got no answer", who.ptr);
	}
	strbuf_release(&who);
}

static void start_games(struct mill *m)
{
	testbed_write(m->testbed, "ann", "create whakka mole players 3");
	testbed_write(m->testbed, "bob", "join w1");
	testbed_write(m->testbed, "cy", "join w1");
	testbed_write(m->testbed, "dan", "create whakka mole bots 2");
	testbed_write(m->testbed, "ann", "create whakka mole players 4");
	testbed_run(m->testbed);
}

Test(mutated_mails, spoil_no_run_and_none_is_lost, .timeout = 600)
{
	const char *build = env_get("MOLEPOST_BUILD");
	bool many = chosen_long() || (build && strstr(build, "asan"));
	unsigned mails = env_number("MAILS", many ? 10000 : 300);
	struct mill m = {.dice = env_number("SEED", 1)};

	scratch_in_memory();
	m.testbed = testbed_new("mutations");
	start_games(&m);
	add_fixtures(&m);
	add_answers(&m);
	while (m.dropped < mails) {
		drop_spoilt(&m);
		if (m.dropped % SOUND_EVERY == 0)
			drop_sound(&m);
		if (m.dropped % BATCH == 0 || m.dropped == mails)
			run(&m);
	}
	every_mail_is_accounted_for(&m);
	sound_mails_were_answered(&m);
	expect_sound(m.testbed);
	testbed_free(m.testbed);
	for (size_t i = 0; i < m.nmodels; i++)
		strbuf_release(&m.models[i]);
	free(m.models);
}
