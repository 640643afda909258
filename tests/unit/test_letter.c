/*
 * test_letter.c - what a mail's text is read as, in tables.
 *
 * An item is compared as one line of text ("join kind=whakka-mole name=Ann"), so that a case is
 * one line and a failure shows both readings.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "processor/base/chance.h"
#include "processor/base/file.h"
#include "processor/base/seal.h"
#include "processor/base/utf8.h"
#include "processor/letter.h"
#include "processor/letter_table.h"

static const char *const verb_names[] = {
    [CMD_ORDERS] = "orders",
    [CMD_HELP] = "help",
    [CMD_LIST] = "list",
    [CMD_JOIN] = "join",
    [CMD_SIGNON] = "signon",
    [CMD_CREATE] = "create",
    [CMD_RESIGN] = "resign",
    [CMD_STATUS] = "status",
    [CMD_CLEAR] = "clear",
    [CMD_CHECK] = "check",
    [CMD_PREVIEW] = "preview",
    [CMD_SET_WAIT] = "wait",
    [CMD_SET_NOWAIT] = "nowait",
    [CMD_SET_ZONE] = "zone",
    [CMD_YES] = "yes",
    [CMD_NO] = "no",
    [CMD_TOKEN_NEW] = "token",
    [CMD_SALT] = "salt",
    [CMD_HISTORY] = "history",
    [CMD_SUMMARY] = "summary",
    [CMD_ARCHIVE] = "archive",
    [CMD_RESEND] = "resend",
    [CMD_ALSO] = "also",
    [CMD_ADDRESS] = "address",
    [CMD_SET_DEADLINE] = "deadline",
    [CMD_SET_GRACE] = "grace",
    [CMD_SET_START] = "start",
    [CMD_PAUSE] = "pause",
    [CMD_RESUME] = "resume",
    [CMD_PROCESS] = "process",
    [CMD_ROLLBACK] = "rollback",
    [CMD_EJECT] = "eject",
    [CMD_PROMOTE] = "promote",
    [CMD_BECOME] = "become",
    [CMD_TERMINATE] = "terminate",
    [CMD_FORCE_BEGIN] = "begin",
    [CMD_OFFICIAL] = "official",
    [CMD_SET_DRAW] = "draw",
    [CMD_SET_NODRAW] = "nodraw",
    [CMD_SET_CONCEDE] = "concede",
    [CMD_SET_NOCONCEDE] = "noconcede",
    [CMD_VOTE] = "vote",
    [CMD_VERIFY] = "verify",
    [CMD_PRESS] = "press",
    [CMD_BROADCAST] = "broadcast",
    [CMD_DIARY] = "diary",
    [CMD_OBSERVE] = "observe",
    [CMD_MONITOR] = "monitor",
    [CMD_UNOBSERVE] = "unobserve",
    [CMD_FORK] = "fork",
    [CMD_TAKEOVER] = "takeover",
    [CMD_SET_QUIET] = "quiet",
    [CMD_SET_MAIL] = "mail",
    [CMD_RATINGS] = "ratings",
    [CMD_WHO] = "who",
    [CMD_REMATCH] = "rematch",
    [CMD_ALWAYS] = "always",
    [CMD_ALWAYS_OFF] = "always-off",
    [CMD_QUEUE] = "queue",
    [CMD_QUEUE_OFF] = "queue-off",
    [CMD_SET_FALLBACK] = "fallback",
    [CMD_SET_ABSENCE] = "absence",
    [CMD_SET_NOABSENCE] = "noabsence",
};

static void add_text(struct strbuf *out, const char *name, struct span value)
{
	if (value.len > 0)
		strbuf_addf(out, " %s=%.*s", name, SPAN_ARGS(value));
}

static void add_number(struct strbuf *out, const char *name, int64_t value)
{
	if (value != 0)
		strbuf_addf(out, " %s=%lld", name, (long long)value);
}

static void add_create(struct strbuf *out, const struct letter_create *c)
{
	add_text(out, "title", c->title);
	add_number(out, "players", c->players);
	add_number(out, "bots", c->bots);
	if (c->kind != NULL && c->bot_level != BOT_LEVEL_USUAL)
		strbuf_addf(out, " level=%u", c->bot_level);
	add_number(out, "next", c->next_s);
	add_number(out, "private", c->is_private);
	add_text(out, "gamekey", c->key);
	add_text(out, "calendar", c->calendar);
	add_number(out, "reliability", c->reliability);
	add_text(out, "options", c->options);
}

/* Line ends of orders become '/', one for every line. */
static void add_orders(struct strbuf *out, struct span orders)
{
	if (orders.len == 0)
		return;
	strbuf_addc(out, ' ');
	for (size_t i = 0; i < orders.len; i++)
		strbuf_addc(out, orders.ptr[i] == '\n' ? '/' : orders.ptr[i]);
}

static void add_when(struct strbuf *out, const struct letter_when *w)
{
	static const char signs[] = {[WHEN_IN] = '=', [WHEN_MORE] = '+', [WHEN_AT] = '@'};

	if (w->s != 0)
		strbuf_addf(out, " when%c%lld", signs[w->how], (long long)w->s);
}

static void add_item(struct strbuf *out, const struct letter_item *item)
{
	if (out->len > 0)
		strbuf_adds(out, "; ");
	strbuf_adds(out, verb_names[item->verb]);
	if (item->game != 0)
		strbuf_addf(out, " %c%lld", item->game_letter != '\0' ? item->game_letter : '#',
		            (long long)item->game);
	if (item->kind != NULL)
		strbuf_addf(out, " kind=%s", item->kind->name);
	add_number(out, "seat", item->seat);
	add_number(out, "number", item->number);
	add_number(out, "from", item->from);
	add_number(out, "to", item->to);
	add_when(out, &item->when);
	add_number(out, "off", item->off);
	add_text(out, "topic", item->topic);
	add_text(out, "name", item->name);
	add_text(out, "key", item->key);
	add_create(out, &item->create);
	add_orders(out, item->orders);
	add_number(out, "anon", item->unnamed);
	add_number(out, "wait", item->wait);
	if (item->message.len > 0)
		add_text(out, item->ended ? "text" : "open", SPAN_LIT(" "));
	add_orders(out, item->message);
}

/* A mail that was read, and its items as text. */
struct reading {
	struct arena *arena;
	struct letter letter;
	struct strbuf items;
};

static struct reading read_span(struct span text, const char *subject)
{
	struct reading r = {.arena = arena_new(), .items = STRBUF_INIT};

	letter_read(text, span_of(subject), LETTER_USUAL_COMMANDS, r.arena, &r.letter);
	for (size_t i = 0; i < r.letter.nitems; i++)
		add_item(&r.items, &r.letter.items[i]);
	return r;
}

static struct reading read_mail(const char *text, const char *subject)
{
	return read_span(span_of(text), subject);
}

static void reading_release(struct reading *r)
{
	letter_release(&r->letter);
	strbuf_release(&r->items);
	arena_free(r->arena);
}

static void expect(const char *text, const char *subject, const char *items)
{
	struct reading r = read_mail(text, subject);

	cr_expect_str_eq(r.items.ptr, items, "%s\nread as: %s\nexpected: %s", text, r.items.ptr,
	                 items);
	reading_release(&r);
}

struct letter_case {
	const char *text, *items;
};

static void expect_all(const struct letter_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++)
		expect(cases[i].text, "", cases[i].items);
}
#define EXPECT_ALL(cases) expect_all((cases), sizeof(cases) / sizeof((cases)[0]))

Test(letter, every_command_is_read_with_its_arguments)
{
	static const struct letter_case cases[] = {
	    {"HELP", "help"},
	    {"help join", "help topic=JOIN"},
	    {"help set wait", "help topic=SET WAIT"},
	    {"help setnowait", "help topic=SET NO WAIT"},
	    {"help new", "help topic=CREATE"},
	    {"help commands", "help topic=COMMANDS"},
	    {"help late", "help topic=LATE"},
	    {"help whakka mole", "help kind=whakka-mole"},
	    {"help WhakkaMole", "help kind=whakka-mole"},
	    {"LIST", "list"},
	    {"list w17", "list W17"},
	    {"list 17", "list #17"},
	    {"list w 17", "list W17"},
	    {"list game W17", "list W17"},
	    {"JOIN W17", "join W17"},
	    {"join #17", "join #17"},
	    {"join whakka mole", "join kind=whakka-mole"},
	    {"join Whakka-Mole as Ann", "join kind=whakka-mole name=Ann"},
	    {"join W17 as Ann van Dyke", "join W17 name=Ann van Dyke"},
	    {"join W17 as \"The Mole of Doom\"", "join W17 name=The Mole of Doom"},
	    {"join W17 key sesame", "join W17 key=sesame"},
	    {"join W17 as Ann Lee key sesame", "join W17 name=Ann Lee key=sesame"},
	    {"join W17 as \"Key\" key k", "join W17 name=Key key=k"},
	    {"SIGNON W17", "signon W17"},
	    {"signon 2 W17", "signon W17 seat=2"},
	    {"signon seat 2 w 17", "signon W17 seat=2"},
	    {"signon 2 17", "signon #17 seat=2"},
	    {"signon 2", "signon #2"},
	    {"signon 2@W17", "signon W17 seat=2"},
	    {"2@W17", "signon W17 seat=2"},
	    {"CREATE whakka mole", "create kind=whakka-mole"},
	    {"create whakka mole Friday Fun", "create kind=whakka-mole title=Friday Fun"},
	    {"create whakka mole \"The best of games\" players 4",
	     "create kind=whakka-mole title=The best of games players=4"},
	    {"create whakka mole players 3 bots 1", "create kind=whakka-mole players=3 bots=1"},
	    {"create whakka mole players three bots two",
	     "create kind=whakka-mole players=3 bots=2"},
	    {"create whakka mole next 36h", "create kind=whakka-mole next=129600"},
	    {"create whakka mole players 2 bots 1 level 0",
	     "create kind=whakka-mole players=2 bots=1 level=0"},
	    {"create whakka mole next 2 days bots 1",
	     "create kind=whakka-mole bots=1 next=172800"},
	    {"create whakka mole target=30 Holes=12",
	     "create kind=whakka-mole options=target=30 holes=12"},
	    {"create whakka mole players=3 next=1D",
	     "create kind=whakka-mole players=3 next=86400"},
	    {"create whakka mole days mon-fri at 20:00 next 24h grace 6 hours",
	     "create kind=whakka-mole next=86400 calendar=days=mon-fri at=20:00 grace=6H"},
	    {"create whakka mole delay 30m zone new_york quiet on holidays 12-24..12-26,05-01",
	     "create kind=whakka-mole calendar=delay=30m zone=new_york quiet=on "
	     "holidays=12-24..12-26,05-01"},
	    {"create whakka mole phase 1:5d remind none misses=2 vacant bot",
	     "create kind=whakka-mole calendar=phase=1:5d remind=none misses=2 vacant=bot"},
	    {"create whakka mole days -MTWTF- bots 1",
	     "create kind=whakka-mole bots=1 calendar=days=-MTWTF-"},
	    {"takeover w17", "takeover W17"},
	    {"Take over W17", "takeover W17"},
	    {"takeover seat 2 w17 key sesame", "takeover W17 seat=2 key=sesame"},
	    {"takeover 2@W17", "takeover W17 seat=2"},
	    {"replace w17", "takeover W17"},
	    {"set quiet 22:00 07:00", "quiet from=1320 to=420"},
	    {"set mail digest", "mail number=3"},
	    {"SET MAIL Round", "mail number=2"},
	    {"set mail all", "mail number=1"},
	    {"set mail digest at 19:30", "mail number=3 from=1170 to=1"},
	    {"set mail digest 8", "mail number=3 from=480 to=1"},
	    {"set mail", "mail"},
	    {"set quiet 22-7", "quiet from=1320 to=420"},
	    {"set quiet 23:30 to 6", "quiet from=1410 to=360"},
	    {"Setquiet off", "quiet"},
	    {"create whakka mole private", "create kind=whakka-mole private=1"},
	    {"create whakka mole key sesame",
	     "create kind=whakka-mole private=1 gamekey=sesame"},
	    {"RESIGN", "resign"},
	    {"resign w17", "resign W17"},
	    {"STATUS", "status"},
	    {"status W17", "status W17"},
	    {"CLEAR", "clear"},
	    {"CHECK popup 3", "check popup 3"},
	    {"PREVIEW popup 3, whack 5", "preview popup 3, whack 5"},
	    {"SET WAIT", "wait"},
	    {"set zone Europe/Berlin", "zone name=Europe/Berlin"},
	    {"Setzone new york", "zone name=new york"},
	    {"SET NOWAIT", "nowait"},
	    {"set no wait", "nowait"},
	    {"YES", "yes"},
	    {"NO", "no"},
	    {"TOKEN NEW", "token"},
	    {"SALT pepper42", "salt name=pepper42"},
	    {"HISTORY", "history"},
	    {"history W17", "history W17"},
	    {"history W17 from 2 to 5", "history W17 from=2 to=5"},
	    {"history from two", "history from=2"},
	    {"history 17 to 5", "history #17 to=5"},
	    {"SUMMARY", "summary"},
	    {"summary W17", "summary W17"},
	    {"ARCHIVE w17", "archive W17"},
	    {"RESEND", "resend"},
	    {"VERIFY", "verify"},
	    {"FORK W17 AT 4", "fork W17 number=4"},
	    {"fork at 0", "fork"},
	    {"fork w17 at four bots 1 next 2D", "fork W17 number=4 bots=1 next=172800"},
	    {"fork w17 at 4 as Ann Lee bots 0 key k",
	     "fork W17 number=4 name=Ann Lee private=1 gamekey=k"},
	    {"fork 17 at 4 private as \"The Mole\"",
	     "fork #17 number=4 name=The Mole private=1"},
	    {"resend 4", "resend number=4"},
	    {"resend 4 W17", "resend W17 number=4"},
	    {"resend w17", "resend W17"},
	    {"I AM ALSO ann@work.example", "also name=ann@work.example"},
	    {"SET ADDRESS ann@new.example", "address name=ann@new.example"},
	};

	EXPECT_ALL(cases);
}

Test(letter, the_words_of_other_servers_are_understood)
{
	static const struct letter_case cases[] = {
	    {"GET", "help"},
	    {"INFO whakka mole", "help kind=whakka-mole"},
	    {"?", "help"},
	    {"? join", "help topic=JOIN"},
	    {"GAMES", "list"},
	    {"LIST GAMES", "list"},
	    {"SHOW", "list"},
	    {"show w17", "list W17"},
	    {"SIGNON ?W17", "join W17"},
	    {"signon ?whakka mole as Ann", "join kind=whakka-mole name=Ann"},
	    {"challenge whakka mole", "join kind=whakka-mole"},
	    {"LOGIN W17", "signon W17"},
	    {"log in 2 W17", "signon W17 seat=2"},
	    {"new whakka mole", "create kind=whakka-mole"},
	    {"WITHDRAW", "resign"},
	    {"SHOWAS", "status"},
	    {"clear orders", "clear"},
	    {"TEST popup 3", "preview popup 3"},
	    {"PREDICT popup 3", "preview popup 3"},
	    {"EXPORT W17", "archive W17"},
	    {"REPEAT", "resend"},
	};

	EXPECT_ALL(cases);
}

/* What mail programs make of an address, and what is none. */
Test(letter, an_address_is_taken_out_of_what_mail_programs_make_of_it)
{
	static const struct letter_case cases[] = {
	    {"set address <ann@new.example>", "address name=ann@new.example"},
	    {"set address ann@new.example.", "address name=ann@new.example"},
	    {"set address ann@new.example<mailto:ann@new.example>",
	     "address name=ann@new.example"},
	    {"set address ann@new.example <mailto:ann@new.example>",
	     "address name=ann@new.example"},
	    {"i am also mailto:ann@work.example", "also name=ann@work.example"},
	    {"I am also happy", "orders I am also happy"},
	    {"i am also ann@work.example and bob", "orders i am also ann@work.example and bob"},
	    {"resend 4 17", "orders resend 4 17"},
	};

	EXPECT_ALL(cases);
}

Test(letter, two_words_may_be_one)
{
	static const struct letter_case cases[] = {
	    {"SETWAIT", "wait"},           {"setnowait", "nowait"},  {"TokenNew", "token"},
	    {"SIGN ON W17", "signon W17"}, {"CLEARORDERS", "clear"}, {"show as", "status"},
	    {"login W17", "signon W17"},
	};

	EXPECT_ALL(cases);
}

/* Plain lines come out as orders, with the line numbers they had. */
Test(letter, what_is_no_command_is_kept_for_the_game)
{
	static const struct letter_case cases[] = {
	    {"popup 3, whack 5", "orders popup 3, whack 5"},
	    {"\n\npopup 3\n\nwhack 5\n", "orders //popup 3//whack 5"},
	    {"popup 3\nset wait\nwhack 5", "orders popup 3//whack 5; wait"},
	    {"ORDERS\npopup 3", "orders /popup 3"},
	    {"Orders: popup 3", "orders popup 3"},
	    {"> popup 1\npopup 3\n> whack 2\nwhack 5", "orders /popup 3//whack 5"},
	    {"help me please", "orders help me please"},
	    {"resign please", "orders resign please"},
	    {"join", "orders join"},
	    {"resign W17 W18", "orders resign W17 W18"},
	    {"create chess", "orders create chess"},
	    {"salt", "orders salt"},
	    {"salt a b", "orders salt a b"},
	    {"salt -", "orders salt -"},
	    {"resend 0", "orders resend 0"},
	    {"history from x", "orders history from x"},
	    {"yes no", "orders yes no"},
	    {"0@W17", "orders 0@W17"},
	    {"17@W17", "orders 17@W17"},
	    {"join W0", "orders join W0"},
	    {"join 99999999999999999999", "orders join 99999999999999999999"},
	    {"s e t wait", "orders s e t wait"},
	    {"setwaits", "orders setwaits"},
	};

	EXPECT_ALL(cases);
}

Test(letter, clear_and_signon_part_the_orders_above_from_those_below)
{
	static const struct letter_case cases[] = {
	    {"popup 1\nCLEAR\npopup 2", "orders popup 1; clear; orders //popup 2"},
	    {"popup 1\nsignon W18\npopup 2", "orders popup 1; signon W18; orders //popup 2"},
	    {"popup 1\nstatus\npopup 2", "orders popup 1//popup 2; status"},
	    {"3@W17\npopup 2\n4@W18\npopup 1",
	     "signon W17 seat=3; orders /popup 2; signon W18 seat=4; orders ///popup 1"},
	};

	EXPECT_ALL(cases);
}

Test(letter, check_and_preview_take_the_lines_below_up_to_the_next_command)
{
	static const struct letter_case cases[] = {
	    {"CHECK\npopup 1\nwhack 2", "check /popup 1/whack 2"},
	    {"CHECK popup 1\nwhack 2", "check popup 1/whack 2"},
	    {"CHECK:\npopup 1\nSTATUS\nwhack 2", "check /popup 1; status; orders ///whack 2"},
	    {"popup 1\nCHECK\npopup 2\nORDERS\nwhack 3",
	     "orders popup 1////whack 3; check //popup 2"},
	    {"PREVIEW\npopup 1\nCHECK\npopup 2", "preview /popup 1; check ///popup 2"},
	    {"CHECK", "check"},
	    /* With nothing below, what stands right above is meant, and not stored. */
	    {"popup 1\nCHECK", "check popup 1"},
	    {"popup 1\nwhack 2\nTEST", "preview popup 1/whack 2"},
	    {"popup 1\nSTATUS\nCHECK", "orders popup 1; status; check"},
	    {"CHECK RESIGN", "check RESIGN"},
	    /* Talk does not turn the orders below it into mere checks. */
	    {"Check this out:\npopup 3", "orders Check this out:/popup 3"},
	};

	EXPECT_ALL(cases);
}

Test(letter, orders_for_other_turns_are_no_orders_for_now)
{
	static const struct letter_case cases[] = {
	    {"ALWAYS\npopup 3\nwhack 5", "always /popup 3/whack 5"},
	    {"always popup 3; whack 5", "always popup 3; whack 5"},
	    {"Always NoWait popup 3", "always number=1 popup 3"},
	    {"always nowait\nwhack 2", "always number=1 /whack 2"},
	    {"always off", "always-off"},
	    {"alwaysoff\npopup 3", "always-off; orders /popup 3"},
	    {"popup 1\nalways\npopup 3", "orders popup 1; always //popup 3"},
	    {"always\npopup 3\nORDERS\npopup 1", "always /popup 3; orders ///popup 1"},
	    {"QUEUE 7 popup 3", "queue number=7 popup 3"},
	    {"queue turn 7: popup 3", "queue number=7 popup 3"},
	    {"queue 7\npopup 3\nqueue 8\npopup 4",
	     "queue number=7 /popup 3; queue number=8 ///popup 4"},
	    {"Round 7:\npopup 3", "queue number=7 /popup 3"},
	    {"phase 7\npopup 3", "queue number=7 /popup 3"},
	    {"queue 7 off", "queue-off number=7"},
	    {"queue off 7", "queue-off number=7"},
	    {"queue off", "queue-off"},
	    {"queue", "orders queue"},
	    {"queue seven popup 3", "queue number=7 popup 3"},
	    {"set fallback repeat", "fallback number=1"},
	    {"SETFALLBACK BOT", "fallback number=2"},
	    {"set fallback default", "fallback"},
	    {"set absence 24 Dec to 3 Jan", "absence name=24 Dec to 3 Jan"},
	    {"Holiday 24.12. - 3.1.", "absence name=24.12. - 3.1"},
	    {"vacation until 2026-12-31", "absence name=until 2026-12-31"},
	    {"Holiday next week", "orders Holiday next week"},
	    {"set no absence", "noabsence"},
	    {"SET NOABSENCE", "noabsence"},
	};
	struct reading r = read_mail("popup 1\nwhack 2", "Re: queue 7");

	EXPECT_ALL(cases);
	cr_expect_str_eq(r.items.ptr, "queue number=7 popup 1/whack 2", "%s", r.items.ptr);
	reading_release(&r);
}

Test(letter, reading_ends_at_the_words_and_marks_that_end_a_mail)
{
	static const struct letter_case cases[] = {
	    {"popup 1\nSIGNOFF\nwhack 2", "orders popup 1"},
	    {"popup 1\nsign off\nwhack 2", "orders popup 1"},
	    {"popup 1\nEnd.\nwhack 2", "orders popup 1"},
	    {"popup 1\n-- \nRESIGN", "orders popup 1"},
	    {"popup 1\r\n-- \r\nRESIGN", "orders popup 1"},
	    {"popup 1\n--\xc2\xa0\nRESIGN", "orders popup 1"},
	    {"popup 1\n##### Reply above this line\nRESIGN", "orders popup 1"},
	    {"popup 1\n  #####\nRESIGN", "orders popup 1"},
	    {"> #####\nRESIGN", "resign"},
	    {"> -- \nRESIGN", "resign"},
	    {"> SIGNOFF\nRESIGN", "resign"},
	    {"--\nRESIGN", "orders --; resign"},
	    {"end of story\nRESIGN", "orders end of story; resign"},
	};
	struct reading r = read_mail("a\n-- \nb", "");

	EXPECT_ALL(cases);
	cr_expect(r.letter.stopped_at_signature && !r.letter.stopped_at_marker);
	reading_release(&r);
	r = read_mail("a\n##### b", "");
	cr_expect(!r.letter.stopped_at_signature && r.letter.stopped_at_marker);
	reading_release(&r);
}

Test(letter, quoted_and_barred_lines_are_not_read)
{
	static const struct letter_case cases[] = {
	    {"> RESIGN", ""},
	    {"  > RESIGN", ""},
	    {">> RESIGN\n>RESIGN", ""},
	    {"| RESIGN", ""},
	    {"|RESIGN", ""},
	    {" | popup 3", ""},
	    {"\xc2\xa0> RESIGN", ""},
	    {"\xef\xbc\x9e RESIGN", ""},
	    {"\xe2\x80\x8b> RESIGN", ""},
	};
	struct reading r = read_mail("hello\n| popup 3\n || *RESIGN*.\n|\n", "");

	EXPECT_ALL(cases);
	cr_assert_eq(r.letter.nbarred, 2);
	cr_expect_eq(r.letter.barred[0].line, 2);
	cr_expect(span_eq_str(r.letter.barred[0].text, "popup 3"));
	cr_expect(span_eq_str(r.letter.barred[1].text, "RESIGN"));
	cr_assert_eq(r.letter.diags.count, 1);
	cr_expect_eq(r.letter.diags.items[0].level, DIAG_NOTE);
	cr_expect_eq(r.letter.diags.items[0].line, 3);
	cr_expect_str_eq(r.letter.diags.items[0].example, "RESIGN");
	reading_release(&r);
}

Test(letter, the_subject_is_a_fallback_for_one_command)
{
	expect("", "HELP", "help");
	expect("", "Re: help", "help");
	expect("", "AW: Fwd: [games] Re[2]: join whakka mole", "join kind=whakka-mole");
	expect("\n\n", "*LIST*.", "list");
	expect("Hello", "status W17", "status W17; orders Hello");
	expect("Hello", "Hello there", "orders Hello");
	expect("LIST", "RESIGN", "list");
	expect("> quoted", "list", "list");
	expect("popup 3", "check", "check popup 3");
	expect("popup 3", "check popup 4", "orders popup 3");
	expect("popup 3", "orders", "orders popup 3");
	expect("popup 3", "SIGNON W17", "signon W17; orders popup 3");
	/* An answer to a mail of ours: its subject says nothing new. */
	expect("popup 3", "Re: [W17 turn 3] Status", "orders popup 3");
	expect("", "[W17] help", "");
	expect("", "Re: Re: Re:", "");
	expect("", "[", "");
	expect("", "[]:", "");
}

Test(letter, commands_of_masters_name_what_they_are_about_and_the_game_if_need_be)
{
	static const struct letter_case cases[] = {
	    {"set deadline 2D", "deadline when=172800"},
	    {"SET DEADLINE in 3 days w 17", "deadline W17 when=259200"},
	    {"set deadline +1D", "deadline when+86400"},
	    {"set deadline 2026-03-14 20:00", "deadline when@1773518400"},
	    {"set deadline 2026-03-14 at 20:00 W17", "deadline W17 when@1773518400"},
	    {"set deadline 2026-03-14", "deadline when@1773532740"},
	    {"set deadline 2026-02-30", "orders set deadline 2026-02-30"},
	    {"set deadline soon", "orders set deadline soon"},
	    {"pause", "pause"},
	    {"SUSPEND W17", "pause W17"},
	    {"resume", "resume"},
	    {"process 4", "process number=4"},
	    {"process turn 4 W17", "process W17 number=4"},
	    {"process 4 17", "orders process 4 17"},
	    {"process", "orders process"},
	    {"rollback 0", "rollback"},
	    {"rollback to turn 3", "rollback number=3"},
	    {"eject 2", "eject seat=2"},
	    {"eject Bob", "eject name=Bob"},
	    {"eject Bot Ada W17", "eject W17 name=Bot Ada"},
	    {"eject \"To the moon\" W17", "eject W17 name=To the moon"},
	    {"eject him please", "orders eject him please"},
	    {"promote 3", "promote seat=3"},
	    {"become seat 2", "become seat=2"},
	    {"terminate W17", "terminate W17"},
	    {"terminate with prejudice", "orders terminate with prejudice"},
	    {"force begin", "begin"},
	    {"forcebegin W17", "begin W17"},
	    {"official: back on Monday", "official name=back on Monday"},
	    {"OFFICIAL back on Monday", "official name=back on Monday"},
	    {"official", "orders official"},
	    {"create whakka mole master", "create kind=whakka-mole"},
	};

	EXPECT_ALL(cases);
}

Test(letter, votes_are_given_and_taken_back)
{
	static const struct letter_case cases[] = {
	    {"set draw", "draw"},
	    {"SETDRAW W17", "draw W17"},
	    {"set nodraw", "nodraw"},
	    {"set no draw", "nodraw"},
	    {"set concede Bob", "concede name=Bob"},
	    {"set concede to Bob W17", "concede W17 name=Bob"},
	    {"set concede 2", "concede seat=2"},
	    {"set no concede", "noconcede"},
	    {"vote pause", "vote topic=pause"},
	    {"vote resume W17", "vote W17 topic=resume"},
	    {"vote cancel", "vote topic=cancel"},
	    {"vote no cancel", "vote off=1 topic=cancel"},
	    {"vote for me", "orders vote for me"},
	    {"draw", "orders draw"},
	    {"concede", "orders concede"},
	};

	EXPECT_ALL(cases);
}

static const char *const commands[] = {
    "join whakka mole as Ann Lee",
    "create whakka mole Friday Fun players 3 bots 1 next 2d target=30 key sesame",
    "resign W17",
    "set nowait",
    "token new",
    "history W17 from 2 to 5",
    "salt pepper",
    "yes",
    "set deadline +2D",
    "rollback to turn 2 W17",
    "eject Ann Lee W17",
    "set concede 2",
    "vote no pause W17",
};
enum { NCOMMANDS = sizeof(commands) / sizeof(commands[0]) };

/* Each takes a command and puts it as mail programs and people do. */
static void dress(struct strbuf *out, const char *command, unsigned clothing)
{
	static const char *const around[][2] = {
	    {"", ""},
	    {"  ", "  "},
	    {"\t", "\r"},
	    {"- ", ""},
	    {"* ", ""},
	    {"\xe2\x80\xa2 ", ""},
	    {"1. ", ""},
	    {"2) ", ""},
	    {"", "."},
	    {"*", "*"},
	    {"**", "**"},
	    {"_", "_"},
	    {"- *", "*."},
	    {"\xef\xbb\xbf", ""},
	    {"\xc2\xa0", "\xc2\xa0"},
	    {"\xe2\x80\x8b", "\xe2\x80\x8b"},
	    {"\x01", "\x7f"},
	};
	size_t n = sizeof(around) / sizeof(around[0]);

	strbuf_adds(out, around[clothing % n][0]);
	for (; *command != '\0'; command++) {
		if (*command == ' ' && clothing % 3 == 1)
			strbuf_adds(out, "\xc2\xa0");
		else if (*command == ' ' && clothing % 3 == 2)
			strbuf_adds(out, " \t \xe2\x80\x89");
		else if (*command == '2' && clothing % 5 == 1)
			strbuf_adds(out, "\xef\xbc\x92"); /* full width */
		else
			strbuf_addc(out, *command);
	}
	strbuf_adds(out, around[clothing % n][1]);
}

Test(letter, a_command_in_any_clothing_is_the_same_command)
{
	for (size_t c = 0; c < NCOMMANDS; c++) {
		struct reading plain = read_mail(commands[c], "");

		cr_assert_eq(plain.letter.nitems, 1);
		for (unsigned clothing = 0; clothing < 17 * 15; clothing++) {
			struct strbuf text = STRBUF_INIT;

			dress(&text, commands[c], clothing);
			expect(text.ptr, "", plain.items.ptr);
			strbuf_release(&text);
		}
		reading_release(&plain);
	}
}

Test(letter, orders_come_out_plain)
{
	static const struct letter_case cases[] = {
	    {"*popup 3*", "orders popup 3"},
	    {"- popup 3", "orders popup 3"},
	    {"1. popup 3.", "orders popup 3"},
	    {"1. 3", "orders 1. 3"},
	    {"popup\xc2\xa0"
	     "3 \xe2\x80\x93 whack \xef\xbc\x95",
	     "orders popup 3 - whack 5"},
	    {"wait...", "orders wait..."},
	    {"a_b *c d", "orders a_b *c d"},
	    {"**popup** 3", "orders popup 3"},
	    {"bad \xff bytes \x01", "orders bad \xef\xbf\xbd bytes"},
	};

	EXPECT_ALL(cases);
}

Test(letter, a_message_runs_to_its_end_word)
{
	static const struct letter_case cases[] = {
	    {"PRESS TO Bea\nShall we?\nENDPRESS\npopup 3",
	     "press name=Bea text=  Shall we?/; orders ///popup 3"},
	    {"popup 3\npress to Bea, 3 anon:\none\n\n\ntwo\nend press\nwhack 5",
	     "orders popup 3///////whack 5; press name=Bea, 3 anon=1 text=  one//two/"},
	    {"message to Bea and Cy\nhi\nendmessage", "press name=Bea and Cy text=  hi/"},
	    {"Broadcast:\nall of you\nEndBroadcast\nstatus",
	     "broadcast text=  all of you/; status"},
	    {"BROADCAST ANON\nhi\nENDPRESS", "broadcast anon=1 text=  hi/"},
	    {"DIARY\nHe bluffs.\nENDPRESS", "diary text=  He bluffs./"},
	    {"note\nHe bluffs.\nendnote", "diary text=  He bluffs./"},
	    {"press to Grey\nhi\nendpress", "press name=Grey text=  hi/"},
	    {"PRESS TO 2\nENDPRESS", "press name=2"},
	    /* Ended by END, and nothing below is read. */
	    {"press to 2\nhi\nend\npopup 3", "press name=2 text=  hi/"},
	    /* Two in a row; a second one without the end word of the first. */
	    {"press to 2\nhi\npress to 3\nyou\nendpress",
	     "press name=2 open=  hi/; press name=3 text=  you/"},
	};

	EXPECT_ALL(cases);
}

Test(letter, a_message_without_end_word_is_what_the_writer_wrote_and_no_more)
{
	static const struct letter_case cases[] = {
	    {"press to 2\nhi\n\nthere\n", "press name=2 open=  hi//there/"},
	    {"press to 2\nhi\n-- \nBea, 5 Mole Lane", "press name=2 open=  hi/"},
	    {"press to 2\nhi\n\nSent from my iPhone\n", "press name=2 open=  hi/"},
	    {"press to 2\nhi\n\nOn Thu, 12 Mar 2026 Molepost <m@example.org>\nwrote:\n\n"
	     "> Your orders\n> popup 3",
	     "press name=2 open=  hi/"},
	    {"press to 2\nhi:\n> popup 3\nyes\nendpress", "press name=2 text=  hi:/yes/"},
	    {"press to 2\nhi\n-----\npopup 3\nendpress\nwhack 5",
	     "press name=2 text=  hi/-----/popup 3/; orders /////whack 5"},
	    {"press to 2\nhi\n-----Original Message-----\nFrom: moles\nSent: today\n",
	     "press name=2 open=  hi/"},
	    {"press to 2\nhi\n\nVon: Molepost\n*Gesendet:* heute\nAn: Bea\nBetreff: W1\n\n"
	     "##### Reply above this line\nsecret",
	     "press name=2 open=  hi/"},
	};

	EXPECT_ALL(cases);
}

/* Nothing of a message is ever tried as orders, whatever became of the line above it. */
Test(letter, the_text_below_a_message_that_is_refused_is_no_order)
{
	static const struct letter_case cases[] = {
	    {"PRESS TO\npopup 3\nENDPRESS\nwhack 5", "orders ///whack 5"},
	    {"I think so.\nDo you?\nI do not.\nWhy not?\nWell...\nPRESS TO 2\npopup "
	     "3\nENDPRESS",
	     "orders I think so/Do you?/I do not/Why not?/Well..."},
	};

	EXPECT_ALL(cases);
}

Test(letter, sentences_about_pressing_and_watching_are_prose)
{
	static const struct letter_case cases[] = {
	    {"Press to the limit of what you can stand",
	     "orders Press to the limit of what you can stand"},
	    {"Message to Bob: where are you?", "orders Message to Bob: where are you?"},
	    {"Watch out", "orders Watch out"},
	    {"Note that I am away", "orders Note that I am away"},
	    {"Broadcast news at ten", "orders Broadcast news at ten"},
	    {"Stop that!", "orders Stop that!"},
	};

	EXPECT_ALL(cases);
}

Test(letter, games_are_watched_by_their_id)
{
	static const struct letter_case cases[] = {
	    {"observe w17", "observe W17"},
	    {"WATCH game 17 key walnut", "observe #17 key=walnut"},
	    {"monitor W17", "monitor W17"},
	    {"unobserve", "unobserve"},
	    {"Stop observing W17.", "unobserve W17"},
	};

	EXPECT_ALL(cases);
}

Test(letter, records_and_rematches)
{
	static const struct letter_case cases[] = {
	    {"ratings", "ratings"},
	    {"STANDINGS whakka mole", "ratings kind=whakka-mole"},
	    {"who", "who"},
	    {"Who Ann Lee", "who name=Ann Lee"},
	    {"info player \"The Mole\"", "who name=The Mole"},
	    {"rematch", "rematch"},
	    {"Rematch w17", "rematch W17"},
	    {"help ratings", "help topic=RATINGS"},
	    {"join whakka mole wait", "join kind=whakka-mole wait=1"},
	    {"join whakka mole wait as Bob", "join kind=whakka-mole name=Bob wait=1"},
	    {"join whakka mole nowait", "join kind=whakka-mole wait=2"},
	    {"create whakka mole reliability 85%", "create kind=whakka-mole reliability=85"},
	};
	struct reading r = read_mail("create whakka mole reliability 101", "");

	EXPECT_ALL(cases);
	cr_expect_eq(r.letter.nitems, 0);
	cr_expect(diags_has_errors(&r.letter.diags));
	reading_release(&r);
}

Test(letter, create_says_what_may_be_said)
{
	struct reading r =
	    read_mail("create whakka mole press=grey delivery report observers=none", "");

	cr_assert_eq(r.letter.nitems, 1);
	cr_expect_eq(r.letter.items[0].create.press, 2);
	cr_expect_eq(r.letter.items[0].create.delivery, 2);
	cr_expect_eq(r.letter.items[0].create.observers, 3);
	reading_release(&r);
	r = read_mail("create whakka mole press=pink", "");
	cr_expect_eq(r.letter.nitems, 0);
	cr_expect(diags_has_errors(&r.letter.diags));
	reading_release(&r);
}

static bool changes_something(enum letter_verb verb)
{
	switch (verb) {
	case CMD_JOIN:
	case CMD_CREATE:
	case CMD_FORK:
	case CMD_RESIGN:
	case CMD_CLEAR:
	case CMD_SET_WAIT:
	case CMD_SET_NOWAIT:
	case CMD_SET_ZONE:
	case CMD_SET_QUIET:
	case CMD_SET_MAIL:
	case CMD_TAKEOVER:
	case CMD_YES:
	case CMD_NO:
	case CMD_TOKEN_NEW:
	case CMD_SALT:
	case CMD_ALSO:
	case CMD_ADDRESS:
	case CMD_PRESS:
	case CMD_BROADCAST:
	case CMD_DIARY:
	case CMD_OBSERVE:
	case CMD_MONITOR:
	case CMD_UNOBSERVE:
	case CMD_SET_DEADLINE:
	case CMD_SET_GRACE:
	case CMD_SET_START:
	case CMD_PAUSE:
	case CMD_RESUME:
	case CMD_PROCESS:
	case CMD_ROLLBACK:
	case CMD_EJECT:
	case CMD_PROMOTE:
	case CMD_BECOME:
	case CMD_TERMINATE:
	case CMD_FORCE_BEGIN:
	case CMD_OFFICIAL:
	case CMD_SET_DRAW:
	case CMD_SET_NODRAW:
	case CMD_SET_CONCEDE:
	case CMD_SET_NOCONCEDE:
	case CMD_VOTE:
	case CMD_REMATCH:
	case CMD_ALWAYS:
	case CMD_ALWAYS_OFF:
	case CMD_QUEUE:
	case CMD_QUEUE_OFF:
	case CMD_SET_FALLBACK:
	case CMD_SET_ABSENCE:
	case CMD_SET_NOABSENCE:
		return true;
	case CMD_ORDERS:
	case CMD_HELP:
	case CMD_LIST:
	case CMD_SIGNON:
	case CMD_STATUS:
	case CMD_CHECK:
	case CMD_PREVIEW:
	case CMD_HISTORY:
	case CMD_SUMMARY:
	case CMD_ARCHIVE:
	case CMD_RESEND:
	case CMD_VERIFY:
	case CMD_RATINGS:
	case CMD_WHO:
		return false;
	}
	return false;
}

static struct strbuf chatter(void)
{
	struct strbuf text = STRBUF_INIT;
	struct failure e = ERR_INIT;

	cr_assert_eq(file_read("tests/unit/chatter.txt", 65536, &text, &e), ERR_NONE, "%s",
	             e.text.ptr);
	err_release(&e);
	return text;
}

/* Line by line, and each line as subject: real mail is full of our verbs. */
Test(letter, chatter_executes_nothing)
{
	struct strbuf text = chatter();
	struct span rest = strbuf_span(&text), line;
	unsigned lines = 0, remarks = 0;

	while (span_next_line(&rest, &line)) {
		struct strbuf one = STRBUF_INIT;
		struct reading body, subject;

		strbuf_add_span(&one, line);
		body = read_span(line, "");
		subject = read_mail("", one.ptr);
		cr_expect(body.letter.nitems == 1 && body.letter.items[0].verb == CMD_ORDERS,
		          "'%s' is read as: %s", one.ptr, body.items.ptr);
		cr_expect_eq(subject.letter.nitems, 0, "as subject, '%s' is read as: %s",
		             one.ptr, subject.items.ptr);
		remarks += (unsigned)body.letter.diags.count;
		reading_release(&body);
		reading_release(&subject);
		strbuf_release(&one);
		lines++;
	}
	cr_expect_geq(lines, 200);
	/* A few short lines may be taken for mistakes; prose as such is left alone. */
	cr_expect_leq(remarks, 8, "%u of %u lines are remarked upon", remarks, lines);
	strbuf_release(&text);
}

static void add_garbage(struct strbuf *out, struct chance *c, unsigned n)
{
	unsigned length = chance_pick(c, 400, "length %u", n);

	for (unsigned i = 0; i < length; i++) {
		unsigned what = chance_pick(c, 8, "kind %u %u", n, i);

		if (what == 0)
			strbuf_addc(out, '\n');
		else if (what < 4)
			strbuf_addc(out, (char)chance_pick(c, 256, "byte %u %u", n, i));
		else
			strbuf_addc(out,
			            (char)('a' + chance_pick(c, 26, "letter %u %u", n, i)));
	}
}

static void check_spans(const struct letter *l)
{
	for (size_t i = 0; i < l->nitems; i++) {
		cr_assert(utf8_valid(l->items[i].text));
		cr_assert(utf8_valid(l->items[i].orders));
		cr_assert(utf8_valid(l->items[i].name));
	}
	for (size_t i = 0; i < l->nlines; i++)
		cr_assert(utf8_valid(l->lines[i].text));
}

Test(letter, garbage_changes_nothing)
{
	const char *seed_text = getenv("SEED");
	uint64_t seed = seed_text != NULL ? strtoull(seed_text, NULL, 10) : 20260312;
	struct chance *c;

	seal_start();
	c = chance_from_seed(seed, "garbage mails");
	for (unsigned n = 0; n < 200; n++) {
		struct strbuf text = STRBUF_INIT;
		struct reading r;

		add_garbage(&text, c, n);
		r = read_span(strbuf_span(&text), "");
		check_spans(&r.letter);
		for (size_t i = 0; i < r.letter.nitems; i++)
			/* Two letters come up by chance. */
			cr_expect(r.letter.items[i].verb == CMD_NO ||
			              !changes_something(r.letter.items[i].verb),
			          "seed %llu mail %u: %s", (unsigned long long)seed, n,
			          r.items.ptr);
		reading_release(&r);
		strbuf_release(&text);
	}
	chance_free(c);
}

/* What a mail's diagnostics say: level, line, example, of the first; "" when there is none. */
static void expect_diag(const char *text, const char *first)
{
	struct reading r = read_mail(text, "");
	struct strbuf got = STRBUF_INIT;

	if (r.letter.diags.count > 0) {
		const struct diag *d = &r.letter.diags.items[0];

		strbuf_addf(&got, "%s %u: %s", diag_level_name(d->level), d->line, d->example);
		cr_expect(d->message[0] != '\0' && d->quoted[0] != '\0');
	}
	cr_expect_str_eq(got.ptr, first, "%s\nsays: %s\nexpected: %s", text, got.ptr, first);
	strbuf_release(&got);
	reading_release(&r);
}

Test(letter, a_misspelt_verb_is_suggested_and_not_done)
{
	expect_diag("STAUTS W17", "error 1: STATUS W17");
	expect_diag("\njion whakka mole as Ann", "error 2: JOIN whakka mole as Ann");
	expect_diag("resing", "error 1: RESIGN");
	expect_diag("set wiat", "error 1: SET WAIT");
	expect_diag("setwiat", "");
	expect_diag("histroy from 2", "error 1: HISTORY from 2");
	expect_diag("creat whakka mole players 3", "error 1: CREATE whakka mole players 3");
	expect_diag("wihtdraw", "error 1: WITHDRAW");
	/* Names, orders and words of letters are no misspelt commands. */
	expect_diag("Clara", "");
	expect_diag("Joan", "");
	expect_diag("Joan W17 is fun", "");
	expect_diag("popup 3 whack 5", "");
	expect_diag("yea", "");
	expect("STAUTS W17", "", "orders STAUTS W17");
}

Test(letter, a_wrong_argument_is_explained_with_a_line_that_works)
{
	static const char create[] = "error 1: CREATE whakka mole PLAYERS 3 BOTS 1 NEXT 2D";

	expect_diag("CREATE whakka PLAYERS many", create);
	expect_diag("create whakka players many", create);
	expect_diag("create whakka mole players many", create);
	expect_diag("create whakka mole players 99", create);
	expect_diag("create whakka mole players 1", create);
	expect_diag("create whakka mole players 2 bots 3", create);
	expect_diag("create whakka mole bots -1", create);
	expect_diag("create whakka mole bots 1 level 4", create);
	expect_diag("create whakka mole bots 1 level", create);
	expect_diag("create whakka mole next tuesday", create);
	expect_diag("create whakka mole next", create);
	expect_diag("create whakka mole days mo-fr", create);
	expect_diag("create whakka mole grace long", create);
	expect_diag("create whakka mole at noon", create);
	expect_diag("create whakka mole at 25:00", create);
	expect_diag("create whakka mole holidays 02-30", create);
	expect_diag("create whakka mole remind 4H,24H", create);
	expect_diag("create whakka mole phase 5D", create);
	expect_diag("create whakka mole players 3 players 4", create);
	expect_diag("create whakka mole players 3 today", create);
	expect_diag("create whakka mole target= 30", create);
	expect_diag("create whakka mole =30", create);
	expect_diag("create whakka mole key", create);
	expect_diag("create chess", create);
	expect_diag("join chess", "error 1: JOIN whakka mole AS Ann");
	expect_diag("join W17 today", "");
	expect_diag("JOIN W17 AS The Big Bad Mole", "error 1: JOIN whakka mole AS Ann");
	expect_diag("RESIGN NOW", "error 1: RESIGN");
	expect_diag("history W17 from 5 to 2", "error 1: HISTORY W17 FROM 2 TO 5");
	expect_diag("status W17 W18", "error 1: STATUS W17");
	expect_diag("SETWAIT please", "error 1: SET WAIT");
	expect_diag("List of my ideas", "");
	expect_diag("Join us tomorrow for beer", "");
	expect_diag("No problem", "");
}

Test(letter, the_table_of_commands_has_three_columns_and_headings)
{
	struct strbuf table = STRBUF_INIT;
	struct span rest, line, field;
	unsigned rows = 0, headings = 0;

	letter_add_table(&table);
	rest = strbuf_span(&table);
	while (span_next_line(&rest, &line)) {
		unsigned fields = 0;

		while (span_next_field(&line, '\t', &field))
			fields++;
		cr_expect(fields == 3 || fields == 1);
		rows += fields == 3;
		headings += fields == 1;
		cr_expect_gt(headings, 0, "the first line is a heading");
	}
	cr_expect_eq(rows, letter_row_count());
	cr_expect_gt(headings, 5);
	strbuf_release(&table);
}

/* Whatever HELP or a diagnostic shows as a line that works must work. */
Test(letter, the_example_of_every_command_is_that_command)
{
	for (size_t i = 0; i < letter_row_count(); i++) {
		const struct letter_row *row = letter_row_at(i);
		struct strbuf text = STRBUF_INIT;
		struct reading r;

		strbuf_addf(&text, "%s\npopup 3\n", row->example);
		r = read_mail(text.ptr, "");
		cr_expect_gt(r.letter.nitems, 0);
		cr_expect_eq(r.letter.items[0].verb, row->verb, "%s", row->example);
		reading_release(&r);
		strbuf_release(&text);
	}
}

Test(letter, below_five_lines_of_talk_commands_are_no_longer_looked_for)
{
	static const char talk[] = "Dear friends,\n"
				   "I have been thinking about the game.\n"
				   "It is not as easy as I thought.\n"
				   "> quoted\n\n"
				   "What do you think?\n"
				   "Please let me know.\n";
	struct strbuf text = STRBUF_INIT;
	struct reading r;

	strbuf_addf(&text, "%sRESIGN\npopup 3\n", talk);
	r = read_mail(text.ptr, "");
	cr_assert_eq(r.letter.nitems, 1);
	cr_expect_eq(r.letter.items[0].verb, CMD_ORDERS);
	cr_assert_eq(r.letter.diags.count, 1);
	cr_expect_eq(r.letter.diags.items[0].level, DIAG_WARNING);
	cr_expect_eq(r.letter.diags.items[0].line, 8);
	reading_release(&r);
	/* Orders in a row are no talk, and a command ends a row of talk. */
	expect("popup 1\npopup 2\npopup 3\npopup 4\npopup 5\npopup 6\nset wait", "",
	       "orders popup 1/popup 2/popup 3/popup 4/popup 5/popup 6; wait");
	strbuf_release(&text);
}

Test(letter, a_mail_holds_a_bounded_number_of_commands)
{
	struct strbuf text = STRBUF_INIT;
	struct reading r;

	for (unsigned i = 0; i < 3000; i++)
		strbuf_adds(&text, "popup 1\nCLEAR\n");
	r = read_span(strbuf_span(&text), "RESIGN");
	/* Each has orders above it, and so has the first that is one too many. */
	cr_expect_eq(r.letter.nitems, 2 * LETTER_USUAL_COMMANDS + 1);
	cr_expect_eq(r.letter.diags.count, 1);
	reading_release(&r);
	strbuf_release(&text);
}

/* The commands carried out of a mail that may hold `most`, and whether something was refused. */
static unsigned commands_of(const char *text, unsigned most, bool *refused)
{
	struct arena *arena = arena_new();
	struct letter l;
	unsigned n = 0;

	letter_read(span_of(text), SPAN_EMPTY, most, arena, &l);
	for (size_t i = 0; i < l.nitems; i++)
		n += l.items[i].verb != CMD_ORDERS;
	*refused = diags_has_errors(&l.diags);
	letter_release(&l);
	arena_free(arena);
	return n;
}

Test(letter, the_last_command_allowed_is_read_and_the_next_is_refused)
{
	bool refused;

	cr_expect_eq(commands_of("status\npopup 1\nlist\nyes\n", 3, &refused), 3);
	cr_expect_not(refused);
	cr_expect_eq(commands_of("status\npopup 1\nlist\nyes\nno\n", 3, &refused), 3);
	cr_expect(refused);
}

/* SIGNON and CHECK say what the lines below them are; refused, they must not leave them to others. */
Test(letter, orders_below_a_command_too_many_are_nobodys)
{
	struct arena *arena = arena_new();
	struct letter l;

	letter_read(SPAN_LIT("popup 1\nstatus\nsignon W17\npopup 2\n"), SPAN_EMPTY, 1, arena,
	            &l);
	cr_assert_eq(l.nitems, 2);
	cr_expect(span_eq_str(span_trim(l.items[0].orders), "popup 1"));
	letter_release(&l);
	letter_read(SPAN_LIT("popup 1\nstatus\ncheck\npopup 2\n"), SPAN_EMPTY, 1, arena, &l);
	cr_assert_eq(l.nitems, 2);
	cr_expect(span_eq_str(span_trim(l.items[0].orders), "popup 1"));
	letter_release(&l);
	arena_free(arena);
}

Test(letter, game_ids_are_read_in_the_ways_people_write_them)
{
	static const struct {
		const char *text;
		int64_t game;
		char letter;
	} good[] = {
	    {"W17", 17, 'W'},   {"w17", 17, 'W'}, {"w 17", 17, 'W'},          {"17", 17, 0},
	    {" W17 ", 17, 'W'}, {"#17", 17, 0},   {"999999999", 999999999, 0}};
	static const char *const bad[] = {"",    "W",    "W0",         "0",    "-1",  "WW17",
	                                  "17W", "W17x", "1000000000", "W1.5", "W+1", "\xff"};
	int64_t game;
	char letter;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		cr_expect(letter_parse_game(span_of(good[i].text), &game, &letter));
		cr_expect(game == good[i].game && letter == good[i].letter, "%s", good[i].text);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_expect(!letter_parse_game(span_of(bad[i]), &game, &letter), "%s", bad[i]);
}

Test(letter, the_nearest_command_word_is_found)
{
	cr_expect_str_eq(letter_suggest(SPAN_LIT("stauts")), "STATUS");
	cr_expect_str_eq(letter_suggest(SPAN_LIT("jion")), "JOIN");
	cr_expect_str_eq(letter_suggest(SPAN_LIT("creat")), "CREATE");
	cr_expect_null(letter_suggest(SPAN_LIT("elephant")));
	cr_expect_null(letter_suggest(SPAN_LIT("")));
	cr_expect_null(letter_suggest(SPAN_LIT("ho")));
}

/* A line may look wrong as a command and be right, or wrong, as an order of the game. */
Test(letter, the_game_has_the_last_word_on_lines_it_was_given)
{
	struct reading r = read_mail("STAUTS W17\nJOIN chess\nhello\nCHECK 1 2\n", "");
	struct diags game = DIAGS_INIT, all = DIAGS_INIT;

	cr_assert_eq(r.letter.diags.count, 2);
	diags_add(&game, DIAG_IGNORED, 1, 0, SPAN_LIT("STAUTS W17"), "", "Prose.");
	diags_add(&game, DIAG_IGNORED, 3, 0, SPAN_LIT("hello"), "", "Prose.");
	letter_merge_diags(&r.letter, r.letter.items[0].orders, &game, &all);
	cr_assert_eq(all.count, 2);
	cr_expect_eq(all.items[0].level, DIAG_ERROR);
	cr_expect_eq(all.items[0].line, 1);
	cr_expect_eq(all.items[1].level, DIAG_IGNORED);
	cr_expect_eq(all.items[1].line, 3);
	diags_clear(&all);
	letter_merge_diags(&r.letter, SPAN_EMPTY, NULL, &all);
	cr_expect_eq(all.count, 2);
	diags_release(&game);
	diags_release(&all);
	reading_release(&r);
}
