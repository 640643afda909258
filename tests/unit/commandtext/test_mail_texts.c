/*
 * test_mail_texts.c - what the child reads is what would be read here, and whatever it says does no harm.
 */
#include <criterion/criterion.h>
#include <sys/resource.h>

#include "processor/base/codec.h"
#include "processor/commandtext/mail_texts.h"
#include "tests/support/mail_read.h"

/* Commands of every kind, orders, talk, lines that are nearly commands. */
static const char *const mails[] = {
    "popup 3, whack 5\n",
    "join whakka mole as Ann key sesame\nhelp\nhelp press\n",
    "join W17 as \"Ann B\"\njoin mole park wait\n",
    "create whakka mole players 3 bots 2 days mon-fri at 20:00 next 24h grace 6h private\n",
    "create mole \"My game\" master reliability 85 press anon goal=30\n",
    "fork W17 at 4 bots 2\nrematch W3\n",
    "signon 2 W17\npopup 1\nsignon W3\nwhack 2\n",
    "list\nlist W17\nstatus\nstatus P3\nhistory W17 from 2 to 5\nsummary W17\narchive W17\n",
    "check popup 3\nwhack 4\npreview\npopup 2\n",
    "always nowait\npopup 3\nqueue 5\nwhack 3\nalways off\nqueue 4 off\nset fallback bot\n",
    "press to bob, 3\nHello there.\n> quoted\nendpress\nbroadcast\nAll of you!\nendbroadcast\n",
    "diary\nfor later\nendpress\nobserve W17\nmonitor P3\nunobserve W17\n",
    "set absence 24 Dec to 3 Jan\nset noabsence\nset zone Europe/Berlin\nset quiet 22:00 "
    "07:00\n",
    "set mail digest 08:00\nset address ann@example.net\ni am also ann2@example.net\ntoken "
    "new\n",
    "salt banana\nset wait\nset nowait\nclear\nresign\nyes\nno\nresend 4\nverify\n",
    "set deadline W17 2026-03-05 18:00\nset grace 6h\nset start +2d\npause\nresume\nprocess "
    "4\n",
    "rollback 3\neject 2\npromote bob\nbecome 3\nterminate\nforce begin\nofficial: no game "
    "today\n",
    "set draw\nset nodraw\nset concede bob\nset noconcede\nvote pause\nratings whakka "
    "mole\nwho Ann\n",
    "statsu\njoim whakka mole\nlist of my ideas\n| popup 2\n##### Reply above this line\npopup "
    "9\n",
    "f\xc3\xbcr Ann \xe2\x80\x9cpopup 3\xe2\x80\x9d\n\n\n-- \nAnn\npopup 4\n",
    "",
};
enum { NMAILS = sizeof(mails) / sizeof(mails[0]) };

static void describe(struct strbuf *out, const struct command_text *l)
{
	command_text_add_items(out, l);
	for (size_t i = 0; i < l->nitems; i++)
		strbuf_addf(out, "\nitem %u %.*s | %.*s", l->items[i].line,
		            SPAN_ARGS(l->items[i].text), SPAN_ARGS(l->items[i].message));
	for (size_t i = 0; i < l->nlines; i++)
		strbuf_addf(out, "\nline %u %.*s", l->lines[i].line,
		            SPAN_ARGS(l->lines[i].text));
	for (size_t i = 0; i < l->nbarred; i++)
		strbuf_addf(out, "\nbarred %u %.*s", l->barred[i].line,
		            SPAN_ARGS(l->barred[i].text));
	for (size_t i = 0; i < l->diags.count; i++)
		strbuf_addf(out, "\nremark %u %u %u %s: %s (%s)", l->diags.items[i].level,
		            l->diags.items[i].line, l->diags.items[i].column,
		            l->diags.items[i].quoted, l->diags.items[i].message,
		            l->diags.items[i].example);
	strbuf_addf(out, "\n%d %d", l->stopped_at_signature, l->stopped_at_marker);
}

/* A mail with two texts, the second empty, as the child gives it back; `read` is cut to so many bytes. */
static struct mail_in mail_of(const char *text, struct arena *arena)
{
	struct strbuf read = STRBUF_INIT;
	struct mail_in m = {.ntexts = 2, .subject = SPAN_LIT("Re: status W4")};

	m.texts = arena_calloc(arena, m.ntexts, sizeof(*m.texts));
	m.texts[0].text = span_of(text);
	m.texts[1].text = SPAN_LIT("popup 8\n");
	mail_texts_read(&m, USUAL_COMMANDS, arena, &read);
	m.read = arena_dup(arena, strbuf_span(&read));
	strbuf_release(&read);
	return m;
}

static void expect_same(const struct mail_in *m, size_t i, struct arena *arena)
{
	struct strbuf have = STRBUF_INIT, want = STRBUF_INIT;
	struct command_text l;

	mail_text_command(m, i, USUAL_COMMANDS, arena, &l);
	describe(&have, &l);
	command_text_release(&l);
	command_text_read(m->texts[i].text, m->subject, USUAL_COMMANDS, arena, &l);
	describe(&want, &l);
	command_text_release(&l);
	cr_assert_str_eq(have.ptr, want.ptr);
	strbuf_release(&have);
	strbuf_release(&want);
}

Test(mail_texts, what_the_child_has_read_is_what_would_be_read_here)
{
	for (size_t i = 0; i < NMAILS; i++) {
		struct arena *arena = arena_new();
		struct mail_in m = mail_of(mails[i], arena);

		cr_assert_gt(m.read.len, 0u);
		expect_same(&m, 0, arena);
		expect_same(&m, 1, arena);
		arena_free(arena);
	}
}

Test(mail_texts, are_taken_from_the_child_and_not_read_again)
{
	struct arena *arena = arena_new();
	struct mail_in m = mail_of("popup 3\n", arena);
	struct command_text l;

	m.texts[0].text = SPAN_LIT("whack 5\n"); /* nobody looks at it any more */
	mail_text_command(&m, 0, USUAL_COMMANDS, arena, &l);
	cr_assert_eq(l.nlines, 1u);
	cr_assert(span_eq_str(l.lines[0].text, "popup 3"));
	command_text_release(&l);
	/* With another number of commands it was another reading. */
	mail_text_command(&m, 0, USUAL_COMMANDS + 1, arena, &l);
	cr_assert(span_eq_str(l.lines[0].text, "whack 5"));
	command_text_release(&l);
	arena_free(arena);
}

/* A child may have been taken over by a mail. */
Test(mail_texts, bytes_that_were_cut_or_changed_do_no_harm)
{
	for (size_t i = 0; i < NMAILS; i++) {
		struct arena *arena = arena_new();
		struct mail_in m = mail_of(mails[i], arena);
		struct span whole = m.read;
		char *bytes = arena_cstr(arena, whole);

		for (size_t at = 0; at < whole.len; at++) {
			static const unsigned char with[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
			struct command_text l;

			m.read = span_slice(whole, 0, at);
			mail_text_command(&m, 0, USUAL_COMMANDS, arena, &l);
			command_text_release(&l);
			for (size_t k = 0; k < sizeof(with); k++) {
				char was = bytes[at];

				bytes[at] = (char)with[k];
				m.read = (struct span){bytes, whole.len};
				mail_text_command(&m, 0, USUAL_COMMANDS, arena, &l);
				for (size_t n = 0; n < l.nitems; n++)
					cr_assert_not_null(verb_words(l.items[n].verb));
				command_text_release(&l);
				bytes[at] = was;
			}
		}
		arena_free(arena);
	}
}

/* Sixteen million commands in sixteen megabytes would be ten gigabytes here. */
Test(mail_texts, more_than_a_text_can_come_to_is_not_made_room_for)
{
	static char zeros[1 << 20];
	struct strbuf said = STRBUF_INIT, inner = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct codec one = codec_record(&inner), t = codec_record(&said);
	struct mail_in m = mail_of("popup 3\n", arena);
	struct span bytes;
	unsigned max = USUAL_COMMANDS;
	size_t n = sizeof(zeros), texts = 1;
	struct rusage before, after;

	codec_count(&one, &n);
	strbuf_add(&inner, zeros, sizeof(zeros));
	bytes = strbuf_span(&inner);
	codec_uint(&t, &max);
	codec_count(&t, &texts);
	codec_span(&t, &bytes);
	m.read = strbuf_span(&said);
	getrusage(RUSAGE_SELF, &before);
	expect_same(&m, 0, arena); /* it is read here instead */
	getrusage(RUSAGE_SELF, &after);
	cr_expect_lt(after.ru_maxrss - before.ru_maxrss, 64 * 1024, "%ld KiB more",
	             after.ru_maxrss - before.ru_maxrss);
	strbuf_release(&said);
	strbuf_release(&inner);
	arena_free(arena);
}
