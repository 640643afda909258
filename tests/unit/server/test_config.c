/*
 * test_config.c - the configuration file as a whole, and what is peculiar to single keys; what goes for
 * each key is in test_config_keys.c.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/file.h"
#include "processor/server/config.h"
#include "tests/support/scratch.h"

#define MINIMAL                                                                  \
	"instance = moles\naddress = moles@example.org\nsource = maildir:mail\n" \
	"sink = maildir:outbox\n"

static enum err parse(const char *text, struct arena *arena, struct config *c,
                      struct failure *e)
{
	return config_parse(span_of(text), "play/molepost.conf", "play", arena, c, e);
}

/* Parses MINIMAL with `more` behind it. */
static struct config good(const char *more, struct arena *arena)
{
	struct failure e = ERR_INIT;
	struct config c;

	cr_assert_eq(parse(arena_printf(arena, MINIMAL "%s", more), arena, &c, &e), ERR_NONE,
	             "%s: %s", more, e.text.ptr);
	err_release(&e);
	return c;
}

Test(config, defaults_stand_where_nothing_is_said)
{
	struct arena *a = arena_new();
	struct config c = good("", a);

	cr_expect_str_eq(c.dir, "play");
	cr_expect_str_eq(c.instance, "moles");
	cr_expect_str_eq(c.address, "moles@example.org");
	cr_expect_str_eq(c.from_name, "Molepost");
	cr_expect_str_eq(c.database, "molepost.db");
	cr_expect_str_eq(c.key_file, "molepost.key");
	cr_expect_str_eq(c.lock_file, "molepost.db.lock");
	cr_expect_str_eq(c.spool, "spool");
	cr_expect_str_eq(c.zone, "");
	cr_assert_eq(c.nsources, 1);
	cr_expect_str_eq(c.sources[0], "maildir:mail");
	cr_expect_str_eq(c.sink, "maildir:outbox");
	cr_expect_eq(c.unknown_senders, UNKNOWN_ACCEPT);
	cr_expect_eq(c.known_senders, KNOWN_ACCEPT);
	cr_expect_null(c.authserv_id);
	cr_expect_eq(c.authentication, AUTHENTICATION_IGNORE);
	cr_expect(c.has_masters && c.strangers_are_asked);
	cr_expect(c.plus_address && !c.shared_address && !c.fixed_subject && !c.ascii);
	cr_expect_eq(c.next_s, 3 * 86400);
	cr_expect_eq(c.keep_mail_s, 7 * 86400);
	cr_expect_eq(c.answers_per_day, 100);
	cr_expect(c.press.mode == PRESS_WHITE && !c.press.waits &&
	          c.press.observers == OBSERVERS_NOW);
	cr_expect(c.outage.least_s == 7200 && c.outage.every_s == 0);
	cr_expect(c.max_press_size == 4096 && c.press_per_day == 20);
	cr_expect(c.max_observers == 50 && c.max_observed == 20 && c.first_game == 1);
	cr_expect(c.absence_days == 21 && c.absence_days_per_year == 42);
	cr_expect_eq(c.limits.max_size, 1048576);
	cr_expect_eq(c.limits.header_bytes, 65536);
	cr_expect_eq(c.limits.text_lines, 2000);
	cr_expect_eq(c.max_parse_seconds, 2);
	cr_expect_eq(c.max_commands, 100);
	cr_expect_eq(c.max_mails_per_day, 200);
	arena_free(a);
}

Test(config, every_key_is_read)
{
	struct arena *a = arena_new();
	struct config c = good(
	    "# comment\n\n  name  =  Moles & Co \r\n\tdatabase = /var/lib/m.db\n"
	    "key_file=k\nspool = s\nsource = imaps://mail.example.org/INBOX\n"
	    "unknown_senders = known\nknown_senders = confirm\n"
	    "authserv_id = mx.example.org\nauthentication = require\nplus_address = "
	    "off\nshared_address = on\nmasters = nobody\nready = asked\n"
	    "subject = fixed\ncharset = ascii\nhtml = on\nzone = Europe/Berlin\nnext = "
	    "12H\nkeep_mail = 0\n"
	    "max_mail_size = 64K\nanswers_per_day = 3\n"
	    "press = grey\npress_delivery = report\nobservers = none\n"
	    "max_press_size = 1K\npress_per_day = 7\nmax_observers = 0\n"
	    "max_observed = 3\nfirst_game = 5001\nabsence_days = 0\nabsence_days_per_year = 9\n"
	    "max_header_size = 2K\nmax_header_fields = 51\n"
	    "max_parts = 11\nmax_depth = 5\nmax_recipients = 7\nmax_text_size = 4096\n"
	    "max_text_lines = 99\nmax_parse_seconds = 9\nmax_commands = 12\n"
	    "max_mails_per_day = 31\noperator = Ann@Example.net\n"
	    "alarm = command:/bin/ring\n"
	    "days = mon-fri\nat = 20:00\ngrace = 6H\ndelay = 30M\n"
	    "holidays = 12-24..12-26,2027-04-05\nremind = 12H\nmisses = 5\n"
	    "vacant = bot\noutage = 45M\nrun_every = 1D\n"
	    "keep_texts = 60D\nkeep_inbox = always\nkeep_outbox = 7D\n"
	    "syslog = on\nhost_id = /etc/h\nkeep_audit = 9D\nkeep_runs = "
	    "8D\nkeep_quarantine = 10D",
	    a);
	struct strbuf calendar = STRBUF_INIT;

	calendar_format(&c.calendar, &calendar);
	cr_expect_str_eq(calendar.ptr,
	                 "days=mon,tue,wed,thu,fri at=20:00 grace=6H delay=30M "
	                 "holidays=12-24..12-26,2027-04-05 remind=12H misses=5 vacant=bot");
	strbuf_release(&calendar);

	cr_expect_str_eq(c.from_name, "Moles & Co");
	cr_expect_str_eq(c.database, "/var/lib/m.db");
	cr_expect_str_eq(c.lock_file, "/var/lib/m.db.lock");
	cr_expect_str_eq(c.key_file, "k");
	cr_expect_str_eq(c.spool, "s");
	cr_assert_eq(c.nsources, 2);
	cr_expect_str_eq(c.sources[1], "imaps://mail.example.org/INBOX");
	cr_expect_eq(c.unknown_senders, UNKNOWN_KNOWN);
	cr_expect_eq(c.known_senders, KNOWN_CONFIRM);
	cr_expect(!c.has_masters && !c.strangers_are_asked);
	cr_expect_str_eq(c.authserv_id, "mx.example.org");
	cr_expect_eq(c.authentication, AUTHENTICATION_REQUIRE);
	cr_expect(!c.plus_address && c.shared_address && c.fixed_subject && c.ascii);
	cr_expect_eq(c.html, HTML_ON);
	cr_expect_str_eq(c.zone, "Europe/Berlin");
	cr_expect_str_eq(c.operator_address, "Ann@example.net");
	cr_expect_str_eq(c.alarm, "/bin/ring");
	cr_expect_eq(c.next_s, 12 * 3600);
	cr_expect_eq(c.keep_mail_s, 0);
	cr_expect(c.syslog);
	cr_expect_str_eq(c.host_id, "/etc/h");
	cr_expect(c.keep.texts_s == 60 * 86400 && c.keep.inbox_s == 0 &&
	          c.keep.outbox_s == 7 * 86400 && c.keep.audit_s == 9 * 86400 &&
	          c.keep.runs_s == 8 * 86400 && c.keep.quarantine_s == 10 * 86400);
	cr_expect(c.outage.least_s == 45 * 60 && c.outage.every_s == 86400);
	cr_expect_eq(c.answers_per_day, 3);
	cr_expect(c.press.mode == PRESS_GREY && c.press.waits &&
	          c.press.observers == OBSERVERS_NONE);
	cr_expect(c.max_press_size == 1024 && c.press_per_day == 7);
	cr_expect(c.max_observers == 0 && c.max_observed == 3 && c.first_game == 5001);
	cr_expect(c.absence_days == 0 && c.absence_days_per_year == 9);
	cr_expect_eq(c.limits.max_size, 65536);
	cr_expect_eq(c.limits.header_bytes, 2048);
	cr_expect_eq(c.limits.header_fields, 51);
	cr_expect_eq(c.limits.parts, 11);
	cr_expect_eq(c.limits.depth, 5);
	cr_expect_eq(c.limits.recipients, 7);
	cr_expect_eq(c.limits.text_bytes, 4096);
	cr_expect_eq(c.limits.text_lines, 99);
	cr_expect_eq(c.max_parse_seconds, 9);
	cr_expect_eq(c.max_commands, 12);
	cr_expect_eq(c.max_mails_per_day, 31);
	arena_free(a);
}

Test(config, strangers_from_a_network_confirm_unless_told_otherwise)
{
	struct arena *a = arena_new();

	cr_expect_eq(good("source = imap://x\n", a).unknown_senders, UNKNOWN_CONFIRM);
	cr_expect_eq(good("source = pop3s://x\nunknown_senders = accept\n", a).unknown_senders,
	             UNKNOWN_ACCEPT);
	cr_expect_eq(good("source = imap://x\n", a).known_senders, KNOWN_CONFIRM);
	cr_expect_eq(good("source = imap://x\nknown_senders = accept\n", a).known_senders,
	             KNOWN_ACCEPT);
	arena_free(a);
}

Test(config, results_are_worth_a_warning_once_it_is_said_whose)
{
	struct arena *a = arena_new();

	cr_expect_eq(good("authserv_id = mx\n", a).authentication, AUTHENTICATION_WARN);
	cr_expect_eq(good("authserv_id = mx\nauthentication = ignore\n", a).authentication,
	             AUTHENTICATION_IGNORE);
	cr_expect_eq(good("unknown_senders = confirm\n", a).unknown_senders, UNKNOWN_CONFIRM);
	arena_free(a);
}

static const struct config_wordlist *wordlist(const struct config *c, const char *name)
{
	for (size_t i = 0; i < c->nwordlists; i++)
		if (strcmp(c->wordlists[i].name, name) == 0)
			return &c->wordlists[i];
	return NULL;
}

Test(config, the_usual_word_lists_need_no_line_and_give_way_to_one)
{
	struct arena *a = arena_new();
	struct config c = good("wordlist = british lists/mine   /srv/more \n"
	                       "wordlist = klingon qo'noS\n",
	                       a);

	cr_assert_eq(c.nwordlists, 5);
	cr_assert_str_eq(wordlist(&c, "british")->files, "lists/mine   /srv/more");
	cr_assert_not(wordlist(&c, "british")->usual);
	cr_assert_str_eq(wordlist(&c, "klingon")->files, "qo'noS");
	cr_assert_str_eq(wordlist(&c, "american")->files, "/usr/share/dict/american-english");
	cr_assert(wordlist(&c, "american")->usual);
	cr_assert(wordlist(&c, "both") && wordlist(&c, "large"));
	arena_free(a);
}

static void expect_refused(const char *text, const char *why)
{
	struct arena *a = arena_new();
	struct failure e = ERR_INIT;
	struct config c;

	cr_expect_eq(parse(text, a, &c, &e), ERR_CONFIG, "%s", text);
	cr_expect_not_null(strstr(e.text.ptr, why), "%s\nsays: %s\nnot: %s", text, e.text.ptr,
	                   why);
	err_release(&e);
	arena_free(a);
}

Test(config, a_password_is_only_ever_where_it_is_kept)
{
	struct arena *a = arena_new();
	struct config c = good("password = file:pw\ntoken = moles@example.org@imap.example.org "
	                       "command:get a token\nca_file = our.pem\n",
	                       a);

	cr_assert_eq(c.settings.nlogins, 2);
	cr_expect_null(c.settings.logins[0].who);
	cr_expect_str_eq(c.settings.logins[0].where, "file:pw");
	cr_expect_not(c.settings.logins[0].is_token);
	cr_expect_str_eq(c.settings.logins[1].who, "moles@example.org@imap.example.org");
	cr_expect_str_eq(c.settings.logins[1].where, "command:get a token");
	cr_expect(c.settings.logins[1].is_token);
	cr_expect_str_eq(c.settings.base, "play");
	cr_expect_str_eq(c.settings.instance, "moles");
	cr_expect_str_eq(c.settings.ca_file, "play/our.pem");
	arena_free(a);
}

struct mistake {
	const char *text, *why;
};

static void expect_all_refused(const struct mistake *cases, size_t n)
{
	for (size_t i = 0; i < n; i++)
		expect_refused(cases[i].text, cases[i].why);
}
#define EXPECT_REFUSED(cases) expect_all_refused((cases), sizeof(cases) / sizeof((cases)[0]))

Test(config, mistakes_are_named_with_file_and_line)
{
	static const struct mistake cases[] = {
	    {"# a\n\nsorce = maildir:x\n",
	     "play/molepost.conf:3: unknown key 'sorce'; did you mean 'source'?"},
	    {"adress = a@b.org\n", ":1: unknown key 'adress'; did you mean 'address'?"},
	    {"colour = red\n", ":1: unknown key 'colour'"},
	    {"Sink = maildir:x\n", ":1: unknown key 'Sink'; did you mean 'sink'?"},
	    {"next = 3D\nnext = 3D\n", ":2: 'next' stands already in line 1"},
	    {"next\n", ":1: 'next' is no line of the form key = value"},
	    {"next =\n", ":1: 'next' has no value"},
	    {"= 3\n", ":1: unknown key ''"},
	    {"name = \xff\n", ":1: bytes that are no UTF-8 text"},
	    {"name = a\x01z\n", ":1: bytes that are no UTF-8 text"},
	    {"", "play/molepost.conf: the key 'instance' is missing"},
	    {"instance = m\naddress = a@b.org\nsink = maildir:x\n",
	     "the key 'source' is missing"},
	    {"instance = m\naddress = a@b.org\nsource = maildir:x\n",
	     "the key 'sink' is missing"},
	};

	EXPECT_REFUSED(cases);
}

Test(config, where_mail_comes_from_and_who_may_write_is_one_of_the_words_for_it)
{
	static const struct mistake cases[] = {
	    {"instance = Moles\n", "'instance' cannot be 'Moles'"},
	    {"instance = a.b\n", "'instance' cannot be"},
	    {"instance = abcdefghijklmnopqrstuvwxyz0123456\n", "'instance' cannot be"},
	    {"address = moles\n", "'address' cannot be 'moles'"},
	    {"address = a@b.org, c@d.org\n", "'address' cannot be"},
	    {"wordlist = american\n",
	     "'wordlist' cannot be 'american'; it should be a name and"},
	    {"wordlist = mine a\nwordlist = mine b\n",
	     ":2: 'wordlist' cannot be 'mine b'; it "
	     "should be left out: a list of this name"},
	    {"source = mail\n", "'source' cannot be 'mail'"},
	    {"source = maildir:\n", "'source' cannot be 'maildir:'"},
	    {"source = smtp://x\n", "'source' cannot be"},
	    {"sink = imap://x\n", "'sink' cannot be"},
	    {"unknown_senders = maybe\n", "it should be accept, confirm or known"},
	    {"known_senders = known\n", "it should be accept or confirm"},
	    {"operator = me\n", "it should be one plain mail address"},
	    {"alarm = ring\n", "it should be command: and the whole path of a program"},
	    {"authserv_id = mx; dmarc=pass\n", "it should be one word, such as mx.example.org"},
	    {"authserv_id = mx\nauthentication = yes\n",
	     "it should be ignore, warn or require"},
	    {"plus_address = yes\n", "it should be on or off"},
	    {"shared_address = 1\n", "it should be on or off"},
	    {"subject = same\n", "it should be varying or fixed"},
	    {"charset = latin1\n", "it should be utf-8 or ascii"},
	    {"html = yes\n", "it should be offer, off or on"},
	    {"password = hunter2\n",
	     ":1: 'password' should be file:PATH, command:LINE or env:"},
	    {"token = a@b hunter2\n", ":1: 'token' should be file:PATH, command:LINE or env:"},
	    {"password = file:\n", "'password' should be file:PATH"},
	    {"source = imaps://u:hunter2@h\n", ":1: 'source' should be without a password"},
	    {"sink = smtps://u@x:hunter2@h\n", ":1: 'sink' should be without a password"},
	};

	EXPECT_REFUSED(cases);
}

Test(config, a_clock_that_cannot_be_is_refused_with_one_that_can)
{
	static const struct mistake cases[] = {
	    {"next = soon\n", ":1: 'next' cannot be 'soon'; it should be a length of time"},
	    {"next = 0\n", "'next' cannot be '0'"},
	    {"next = 3D # three days\n", "'next' cannot be"},
	    {"zone = ../../etc/passwd\n", "it should be a name such as Europe/Berlin"},
	    {"days = mo-fr\n", "it should be days of the week such as mon-fri"},
	    {"at = noon\n", "it should be an hour of the day such as 20:00"},
	    {"grace = some\n", "it should be a length of time such as 6H, or 0"},
	    {"delay = some\n", "it should be a length of time such as 30M, or 0"},
	    {"holidays = xmas\n", "it should be days such as 12-24..12-26"},
	    {"remind = 4H,24H\n", "it should be lengths of time, the longest first"},
	    {"misses = 101\n", "it should be a number from 0 to 100"},
	    {"vacant = yes\n", "it should be open or bot"},
	    {"outage = never\n", "it should be a length of time such as 2H, or off"},
	    {"run_every = 0\n", "it should be a length of time such as 5M, or auto"},
	    {"keep_texts = 6D\n",
	     "it should be a length of time from 7D on such as 180D, or always"},
	    {"absence_days = 367\n", "a number from 0 to 366"},
	};

	EXPECT_REFUSED(cases);
}

Test(config, limits_and_press_stay_within_bounds)
{
	static const struct mistake cases[] = {
	    {"max_mail_size = 1\n", "a size from 4K to 64M"},
	    {"max_mail_size = 65M\n", "a size from 4K to 64M"},
	    {"max_mail_size = 99999999999999999999\n", "a size from 4K to 64M"},
	    {"max_mail_size = M\n", "a size from 4K to 64M"},
	    {"answers_per_day = 0\n", "a number from 1 to 10000"},
	    {"press = pink\n", "white, grey or none"},
	    {"press_delivery = later\n", "now or report"},
	    {"observers = some\n", "now, report or none"},
	    {"max_press_size = 100\n", "a size from 256 to 64K"},
	    {"press_per_day = 0\n", "a number from 1 to 1000"},
	    {"max_observed = 0\n", "a number from 1 to 10000"},
	    {"first_game = 0\n", "a number from 1 to 1000000000"},
	    {"max_header_size = 65K\n", "a size from 1K to 64K"},
	    {"max_header_size = 1023\n", "a size from 1K to 64K"},
	    {"max_header_fields = 501\n", "a number from 10 to 500"},
	    {"max_parts = 65\n", "a number from 1 to 64"},
	    {"max_depth = 0\n", "a number from 1 to 64"},
	    {"max_recipients = many\n", "a number from 1 to 500"},
	    {"max_text_size = 1M\n", "a size from 1K to 64K"},
	    {"max_text_lines = 9\n", "a number from 10 to 2000"},
	    {"max_parse_seconds = 61\n", "a number from 1 to 60"},
	    {"max_commands = 0\n", "a number from 1 to 1000"},
	    {"max_mails_per_day = -1\n", "a number from 1 to 100000"},
	};

	EXPECT_REFUSED(cases);
}

Test(config, a_key_of_before_is_ignored_and_noted)
{
	static const char *const gone[] = {
	    "answers_per_domain = 50", "answers_to_strangers = 300", "receipts_per_day = 100",
	    "mails_per_player = 8",    "strangers_per_run = many",   "source_wait = "};
	struct arena *a = arena_new();

	cr_expect_str_eq(good("", a).retired, "");
	for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) {
		struct config c =
		    good(arena_printf(a, "%s\nanswers_per_day = 7\n", gone[i]), a);

		cr_expect_eq(c.answers_per_day, 7, "%s", gone[i]);
		cr_expect_not_null(strstr(c.retired, "play/molepost.conf:5: the key '"), "%s",
		                   c.retired);
	}
	cr_expect_str_eq(good("receipts_per_day = 9\nsource_wait = 1\n", a).retired,
	                 "play/molepost.conf:5: the key 'receipts_per_day' is gone and was "
	                 "ignored: answers_per_day says it\n"
	                 "play/molepost.conf:6: the key 'source_wait' is gone and was ignored: "
	                 "nothing ever obeyed it\n");
	expect_refused(MINIMAL "receipt_per_day = 9\n", "unknown key 'receipt_per_day'");
	arena_free(a);
}

Test(config, results_are_not_used_without_saying_whose)
{
	expect_refused(MINIMAL "authentication = warn\n",
	               ":5: 'authentication' needs to know whose results to believe");
}

Test(config, a_store_on_postgresql_is_named_by_a_url_without_a_password)
{
	static const char url[] =
	    "postgresql://moles@db.example.org:5433/games?sslmode=require";
	static const char *const bad[] = {"store = mysql://a@b/c", "store = molepost.db",
	                                  "store = postgresql://a:secret@b/c",
	                                  "database = x.db\nstore = postgresql://a@b/c",
	                                  "store = postgresql://a@b/c\ndatabase = x.db"};
	struct arena *a = arena_new();
	struct config c = good(arena_printf(a, "store = %s", url), a);

	cr_expect_str_eq(c.database, url);
	cr_expect_str_eq(c.lock_file, "molepost.lock");
	cr_expect_str_eq(config_path(&c, c.database, a), url);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct failure e = ERR_INIT;
		const char *text = arena_printf(a, "%s\n%s\n", MINIMAL, bad[i]);

		cr_expect_eq(config_parse(span_of(text), "f", "play", a, &c, &e), ERR_CONFIG);
		cr_expect_null(strstr(e.text.ptr, "secret"), "%s", e.text.ptr);
		err_release(&e);
	}
	arena_free(a);
}

Test(config, it_is_read_from_its_folder)
{
	char *dir = scratch_new(), *path = scratch_path(dir, "molepost.conf");
	struct arena *a = arena_new();
	struct failure e = ERR_INIT;
	struct config c;

	cr_expect_eq(config_load(dir, a, &c, &e), ERR_NOT_FOUND);
	cr_expect_gt(e.text.len, 0);
	err_clear(&e);
	cr_assert_eq(file_create(path, SPAN_LIT(MINIMAL), &e), ERR_NONE, "%s", e.text.ptr);
	cr_assert_eq(config_load(dir, a, &c, &e), ERR_NONE, "%s", e.text.ptr);
	cr_expect_str_eq(c.dir, dir);
	cr_expect_str_eq(config_path(&c, "/abs", a), "/abs");
	cr_expect_str_eq(config_path(&c, "x", a), arena_printf(a, "%s/x", dir));
	err_release(&e);
	arena_free(a);
	free(path);
	scratch_remove(dir);
}
