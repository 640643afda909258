/*
 * subcommands.c - the table of subcommands.
 */
#include "processor/cli/command_line.h"

#include <string.h>

#include "processor/base/nearest.h"

/* clang-format off */
static const struct cli_command commands[] = {
	{ "init", "init [--instance NAME] [--address ADDRESS] [--store URL] DIR\n"
	  "       molepost init --mailbox ADDRESS [--oauth AUTHORITY] [--ca-file FILE] DIR",
	  "make a server's folder: configuration, keys, database", cmd_init },
	{ "login", "login",
	  "let the server into a mailbox that wants a login in a browser (OAuth2)", cmd_login },
	{ "play", "play [--mail] [--folder DIR] [GAME [WORD ...]]",
	  "play at the terminal against bots, to try it out", cmd_play },
	{ "run", "run [--dry-run] [--reread] [--no-send] [--take-over] [--clock-is-right]",
	  "read the mail, resolve what is due, send what is written", cmd_run },
	{ "wait", "wait [--every SECONDS]",
	  "run as soon as mail comes or a deadline is due, in place of cron", cmd_wait },
	{ "receive", "receive < MAIL",
	  "take one mail from standard input, for a mail server's pipe", cmd_receive },
	{ "route", "route DIR... < MAIL",
	  "give one mail to that of several servers it is for", cmd_route },
	{ "game",
	  "game list | show GAME | new KIND [WORD ...] | fork GAME at N [WORD ...] |\n"
	  "       hold GAME [REASON] | resume GAME",
	  "look at games, make one, hold one", cmd_game },
	{ "player",
	  "player list | show | block | unblock | forget | token PLAYER | drop ADDRESS",
	  "look at players, block or forget one, new reply addresses", cmd_player },
	{ "ratings", "ratings [KIND] | rebuild",
	  "who plays best; work all ratings out anew from the records", cmd_ratings },
	{ "archive", "archive GAME",
	  "print the record of a game", cmd_archive },
	{ "import", "import FILE",
	  "take the archive of a finished game back into the database", cmd_import },
	{ "replay",
	  "replay [--turn N] [--seat N] [--states] [--speed N] [--list | --json | --html OUT [--chances]] [FILE]",
	  "show the turns of an archive, on the terminal, as JSON, as a web page", cmd_replay },
	{ "site", "site DIR",
	  "write the public games as pages for a web server", cmd_site },
	{ "verify",
	  "verify [--key HEX] [--head HEX] [--receipt MAIL]... [--extends OLD] [FILE]\n"
	  "       molepost verify [--key HEX] [--jobs N] --folder DIR\n"
	  "       molepost verify --page FILE",
	  "check an archive, against mails and older ones too, or a receipt", cmd_verify },
	{ "board", "board check [--rounds N] [--level N] FILE [molerange=160 ...]",
	  "draw a board of the coin game, and let bots judge it", cmd_board },
	{ "fsck", "fsck",
	  "check every invariant of the database", cmd_fsck },
	{ "backup", "backup FILE | backup [--keep N] FOLDER",
	  "copy the database while it is in use", cmd_backup },
	{ "restore", "restore FILE",
	  "put a copy of the database in its place", cmd_restore },
	{ "compact", "compact",
	  "take out what has been kept long enough, and shrink the file", cmd_compact },
	{ "store", "store copy FROM TO",
	  "move the database: from a file to PostgreSQL, or back", cmd_store },
	{ "export", "export [--log-it] PLAYER",
	  "all that is stored about one person, as JSON", cmd_export },
	{ "key", "key check | rotate | export --words | import --words < PAPER",
	  "the server's keys: a new one, and as words for paper", cmd_key },
	{ "doctor", "doctor [--json] [--mail] [--unit FILE]",
	  "check the installation and say how to mend it", cmd_doctor },
	{ "status", "status [--json | --prometheus FILE]",
	  "how the server stands, in numbers", cmd_status },
	{ "log", "log [--since 24H] [--game GAME | --not-understood] [--json]",
	  "what has happened: mails, turns, runs, troubles, by time", cmd_log },
	{ "why", "why MESSAGE-ID",
	  "the whole trail of one mail", cmd_why },
	{ "outbox", "outbox list | retry MAIL | retry all | drop MAIL | drop all",
	  "look at mail that did not get through, try it again or let it rest", cmd_outbox },
	/* Windows into the insides, for scripts and tests. */
	{ "test-new", "test-new KIND < FRAMES", NULL, cmd_test_new },
	{ "test-resolve", "test-resolve KIND < FRAMES", NULL, cmd_test_resolve },
	{ "test-view", "test-view KIND SEAT < STATE", NULL, cmd_test_view },
	{ "test-text", "test-text < MAIL", NULL, cmd_test_text },
	{ "test-robot", "test-robot [INSTANCE] < MAIL", NULL, cmd_test_robot },
	{ "test-letter", "test-letter [SUBJECT] < TEXT", NULL, cmd_test_command_text },
	{ "test-dump", "test-dump [--log-it]", NULL, cmd_test_dump },
};
/* clang-format on */
enum { NCOMMANDS = sizeof(commands) / sizeof(commands[0]) };

const struct cli_command *cli_find(const char *name)
{
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

const struct cli_command *cli_at(size_t i)
{
	return i < NCOMMANDS ? &commands[i] : NULL;
}

const char *cli_suggest(const char *name)
{
	unsigned best = strlen(name) > 3 ? 2 : 1;
	const char *found = NULL;

	for (size_t i = 0; i < NCOMMANDS; i++) {
		unsigned d;

		if (commands[i].summary == NULL)
			continue;
		d = typing_errors(span_of(name), span_of(commands[i].name), best);
		if (d < best || (d == best && found == NULL)) {
			best = d;
			found = commands[i].name;
		}
	}
	return found;
}
