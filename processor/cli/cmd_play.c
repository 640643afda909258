/*
 * cmd_play.c - `molepost play`: one person at a terminal, against bots, by the same mails as everybody.
 *
 *	init -> CREATE into mail/new -> run -> what lies in outbox/new is shown -> a line is read
 *	     -> that is the answer into mail/new -> run -> ...    until no game is left that goes on
 *
 * A mail leaves the outbox when it has been answered, so that whoever comes back to a folder reads it again.
 */
#define _GNU_SOURCE /* pipe2 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mail/compose.h"
#include "mail/source.h"
#include "mail/text/header.h"
#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/base/line_editor.h"
#include "processor/base/nearest.h"
#include "processor/base/num.h"
#include "processor/cli/command_line.h"
#include "processor/commandtext/slots.h"
#include "processor/games/registry.h"
#include "processor/outgoing/outgoing.h"
#include "processor/server/server.h"
#include "store/games.h"

/* How a server of this command is told from one that plays with others. */
#define PLAY_INSTANCE "play"
#define PLAY_ADDRESS "moles@localhost.localdomain"
enum { MAILS_AT_ONCE = 100, LIKE_NONE = 4, MAIL_MOST = 64 << 20 };

struct play {
	struct cli cli; /* that of init and run, which say nothing here */
	FILE *out;
	struct arena *arena; /* of the whole session */
	bool whole_mails;
	struct line_editor editor;
	const char *to;     /* where an answer goes */
	struct failure why; /* set when a step has failed */
};

/* ---- The game ---- */

/* "mole park level 4" -> "create mole park level 4 bots 3", in the arena; NULL, with p->why: no game begins so. */
static const char *creating_line(struct play *p, const char *words)
{
	struct span rest = span_of(words), more, word;
	const char *nearest = EXAMPLE_KIND;
	const struct rules *kind;
	unsigned players, errors = LIKE_NONE;
	bool has_bots = false;

	for (size_t i = 0; i < rules_count(); i++) {
		const char *title = rules_at(i)->title;
		unsigned e = typing_errors(span_of(words), span_of(title), errors);

		nearest = e < errors ? title : nearest;
		errors = e < errors ? e : errors;
	}
	/* "mole majorty" is not the game of Mole with that title. */
	if (!args_take_kind(&rest, &kind) || (rest.len > 0 && errors < LIKE_NONE)) {
		(void)err_set(&p->why, ERR_INVALID,
		              "there is no game '%s'; try: molepost play %s", words, nearest);
		return NULL;
	}
	players = kind->usual_seats;
	more = rest;
	while (span_next_word(&more, " \t", &word)) {
		struct span behind = more, number;

		if (span_eq_nocase(word, "players") && span_next_word(&behind, " \t", &number))
			(void)num_parse_uint(number, 1, MAX_SEATS, &players);
		has_bots = has_bots || span_eq_nocase(word, "bots");
	}
	return arena_printf(p->arena, has_bots ? "create %s %.*s" : "create %s %.*s bots %u",
	                    kind->title, SPAN_ARGS(rest), players - 1);
}

static enum err games_that_go_on(struct play *p, size_t *going, size_t *all)
{
	struct server srv;
	struct game *games;

	*going = *all = 0;
	enum err rc =
	    server_open(p->cli.dir, STORE_READ_ONLY, false, outgoing_words, &p->cli.log, &srv);

	if (rc == ERR_NONE && strcmp(srv.cfg.instance, PLAY_INSTANCE) != 0)
		rc = err_set(&srv.fail, ERR_EXISTS,
		             "%s is the folder of a server, and not one of 'molepost play'",
		             p->cli.dir);
	if (rc == ERR_NONE)
		rc = game_list(srv.store, GAMES_LIVE, 0, 1, srv.arena, &games, going);
	if (rc == ERR_NONE)
		rc = game_list(srv.store, ~0u, 0, 1, srv.arena, &games, all);
	if (rc != ERR_NONE)
		rc = err_set(&p->why, rc, "%s", server_why(&srv, rc));
	server_close(&srv);
	return rc;
}

static enum err write_mail(struct play *p, const char *text)
{
	const char *user = env_get("USER"), *name = "Player";
	struct strbuf mail = STRBUF_INIT;

	/* Some login names are no names of players. */
	if (user && strspn(user, "abcdefghijklmnopqrstuvwxyz") == strlen(user) &&
	    strlen(user) <= SEAT_NAME_COLS)
		name = arena_printf(p->arena, "%c%s", user[0] - 'a' + 'A', user + 1);
	strbuf_addf(&mail,
	            "From: %s <player@localhost.localdomain>\nTo: %s\nSubject: play\n"
	            "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
	            "Content-Transfer-Encoding: 8bit\n\n%s\n",
	            name, p->to, text);
	enum err rc = maildir_deliver(arena_printf(p->arena, "%s/mail", p->cli.dir),
	                              strbuf_span(&mail), &p->why);
	strbuf_release(&mail);
	return rc;
}

static void show_mail(struct play *p, struct span raw, struct arena *arena)
{
	struct header h;
	struct strbuf subject = STRBUF_INIT, text = STRBUF_INIT;
	struct span reply_to, shown;

	header_split(raw, arena, &h);
	reply_to = header_value(&h, "Reply-To", arena);
	if (reply_to.len > 0)
		p->to = arena_cstr(p->arena, reply_to);
	mail_read_subject(raw, &subject);
	if (!mail_read_back(raw, &text))
		strbuf_add_span(&text, h.body);
	shown = span_slice(strbuf_span(&text), 0,
	                   span_find(strbuf_span(&text), SPAN_LIT("\n-- \n")));
	if (p->whole_mails)
		fprintf(p->out, "%.*s\n\n", SPAN_ARGS(raw));
	else
		fprintf(p->out, "==== %s ====\n\n%.*s\n\n", subject.ptr,
		        SPAN_ARGS(span_trim(shown)));
	strbuf_release(&subject);
	strbuf_release(&text);
}

/* Shows what has come; unless all games have ended, reads the answer to it. */
static enum err show_and_ask(struct play *p, struct source *outbox, bool over,
                             const char **answer, struct arena *arena)
{
	struct source_mail *mails;
	struct strbuf raw = STRBUF_INIT;
	bool complete;
	size_t n;
	enum err rc = source_next(outbox, MAILS_AT_ONCE, arena, &mails, &n, &complete, &p->why);

	for (size_t i = 0; i < n && rc == ERR_NONE; i++) {
		strbuf_clear(&raw);
		rc = source_fetch(outbox, &mails[i], MAIL_MOST, &raw, &p->why);
		if (rc == ERR_NONE)
			show_mail(p, strbuf_span(&raw), arena);
	}
	strbuf_release(&raw);
	TRY(rc);
	if (n == 0)
		fputs("(No mail has come.)\n", p->out);
	*answer = over ? NULL : line_editor_read(&p->editor, "Your answer> ", p->arena);
	for (size_t i = 0; i < n && (over || *answer); i++)
		TRY(source_settle(outbox, &mails[i], &p->why));
	return source_sync(outbox, &p->why);
}

static enum err play_on(struct play *p, const char *line)
{
	struct mail_settings settings = {.base = p->cli.dir, .instance = PLAY_INSTANCE};
	size_t going, all;

	for (;;) {
		if (line)
			TRY(write_mail(p, line));
		int code = cmd_run(&p->cli, 1, (char **)(const char *[]){"run", NULL});

		if (code != EXIT_DONE)
			return err_set(&p->why, ERR_BUSY, "a run ended with code %d", code);
		TRY(games_that_go_on(p, &going, &all));
		struct source *outbox = NULL;
		struct arena *arena = arena_new();
		enum err rc = source_open("maildir:outbox", &settings, &outbox, &p->why);

		if (rc == ERR_NONE)
			rc = source_resume(outbox, SPAN_EMPTY, &p->why);
		if (rc == ERR_NONE)
			rc = show_and_ask(p, outbox, all > 0 && going == 0, &line, arena);
		source_close(outbox);
		arena_free(arena);
		TRY(rc);
		if (!line)
			break;
	}
	if (all > 0 && going == 0)
		fputs("The game is over. With friends it is the same, by mail. To begin:\n"
		      "    molepost init --address YOU@EXAMPLE.ORG FOLDER\n"
		      "README and molepost(1) say how mail gets there and back.\n",
		      p->out);
	return ERR_NONE;
}

/*
 * A process of its own, which waits until this one has ended in whatever way, then removes the folder. *end:
 * a descriptor that is open until then.
 */
static pid_t remove_at_the_end(const char *dir, int *end)
{
	int pipe_fds[2];
	char byte;

	if (pipe2(pipe_fds, O_CLOEXEC) != 0)
		return -1;
	pid_t child = fork();
	if (child == 0) {
		setsid(); /* Ctrl-C is for the other */
		close(pipe_fds[1]);
		(void)!read(pipe_fds[0], &byte, 1);
		execlp("rm", "rm", "-rf", "--", dir, (char *)NULL);
		_exit(EXIT_LATER);
	}
	close(pipe_fds[0]);
	*end = pipe_fds[1];
	return child;
}

static enum err make_folder(struct play *p)
{
	/* Nobody needs to be kept from writing too many mails here. */
	static const char own_lines[] = "\nanswers_per_day = 10000\n";
	const char *const argv[] = {"init",       "--instance", PLAY_INSTANCE, "--address",
	                            PLAY_ADDRESS, p->cli.dir,   NULL};
	const char *conf = arena_printf(p->arena, "%s/molepost.conf", p->cli.dir);

	if (file_exists(conf))
		return ERR_NONE;
	if (cmd_init(&p->cli, 6, (char **)argv) != EXIT_DONE)
		return err_set(&p->why, ERR_IO, "%s could not be made", p->cli.dir);
	FILE *f = fopen(conf, "a");
	if (!f || fputs(own_lines, f) < 0 || fclose(f) != 0)
		return err_set_errno(&p->why, ERR_IO, "%s", conf);
	return ERR_NONE;
}

static enum err play(struct play *p, const char *words)
{
	const char *line = NULL;
	size_t going = 0, all;

	if (*words && !(line = creating_line(p, words)))
		return p->why.code;
	TRY(make_folder(p));
	TRY(games_that_go_on(p, &going, &all));
	if (!line && going == 0) {
		for (size_t i = 0; i < rules_count(); i++)
			if (rules_find(span_of(rules_at(i)->name)) == rules_at(i))
				fprintf(p->out, "%s\n    %s\n", rules_at(i)->title,
				        rules_at(i)->about);
		while (!line) {
			words = line_editor_read(&p->editor, "Which game? ", p->arena);
			if (!words)
				return ERR_NONE;
			line = creating_line(p, words);
			if (!line)
				fprintf(p->out, "%s\n", p->why.text.ptr);
		}
	}
	fputs("Everybody else is a bot. Each line you write is a mail: orders, or HELP, or a\n"
	      "question. Ctrl-D leaves; with --folder DIR the game is kept.\n\n",
	      p->out);
	return play_on(p, line);
}

int cmd_play(struct cli *cli, int argc, char **argv)
{
	struct play p = {.cli = *cli, .out = cli->out, .why = ERR_INIT, .to = PLAY_ADDRESS};
	struct strbuf words = STRBUF_INIT;
	char *temporary = NULL;
	bool bad = false;
	int end = -1;
	pid_t cleaner = -1;

	p.cli.dir = NULL;
	p.cli.err_is_terminal = false; /* no line of progress between the mails */
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--mail") == 0)
			p.whole_mails = true;
		else if (strcmp(argv[i], "--folder") == 0 && i + 1 < argc)
			p.cli.dir = argv[++i];
		else if (argv[i][0] != '-')
			strbuf_addf(&words, words.len ? " %s" : "%s", argv[i]);
		else
			bad = true;
	}
	if (bad) {
		strbuf_release(&words);
		return cli_usage(cli);
	}
	p.arena = arena_new();
	p.cli.out = fopen("/dev/null", "w");
	temporary = arena_printf(p.arena, "%s/molepost-play.XXXXXX",
	                         env_get("TMPDIR") ? env_get("TMPDIR") : "/tmp");
	if (!p.cli.dir && mkdtemp(temporary)) {
		p.cli.dir = temporary;
		cleaner = remove_at_the_end(temporary, &end);
	}
	line_editor_open(&p.editor, cli->in, cli->out);
	enum err rc = p.cli.dir && p.cli.out
	                  ? play(&p, words.ptr)
	                  : err_set_errno(&p.why, ERR_IO, "%s cannot be made", temporary);
	if (rc != ERR_NONE)
		log_warnx(&cli->log, "%s", p.why.text.ptr);
	if (cleaner > 0) {
		close(end);
		waitpid(cleaner, NULL, 0);
	}
	if (p.cli.out)
		fclose(p.cli.out);
	line_editor_close(&p.editor);
	strbuf_release(&words);
	err_release(&p.why);
	arena_free(p.arena);
	return err_exit_code(rc);
}
