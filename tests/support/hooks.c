/*
 * hooks.c - how tests reach into the program: step_hooks of processor/base/step.h, for every test
 * program and for build/tests/molepost. Each hook sleeps until its variable is set:
 *
 *	MOLEPOST_TEST_STOP_AT=n      the n-th step of a process ends it at once, by SIGKILL
 *	MOLEPOST_TEST_STEP_LOG=FILE  gets a line for each step
 *	MOLEPOST_TEST_ABORT_ON=X     BUG() when X is in hand, a mail "<the@id>" or a turn "W17/4", as a
 *	                             fault that one mail or turn brings out would
 *	MOLEPOST_TEST_BREAK=WORD     step_is_broken(WORD)
 *	MOLEPOST_TEST_RECORD=n       new games have records of that version
 *	MOLEPOST_TEST_NOW=TIME       stops the clock, "2026-03-12T18:02:00Z"; "@FILE": at the first line
 *	                             of that file, read on every call, so that a test moves it
 *	MOLEPOST_TEST_SEED=TEXT      random bytes are HMAC-SHA-256(seed, label, counter block)
 *	MOLEPOST_TEST_FETCH=WORD     what the fetching child does that no library should; MOLEPOST_TEST_CONNECT
 *	                             and MOLEPOST_TEST_SEND the sending child, before it greets or with a mail
 *	MOLEPOST_TEST_FS_TYPE=n      every file system is of that type
 *	MOLEPOST_TEST_NAME_SERVER=n  the port of the server of names; without it nobody answers
 *
 * A mail with a field X-Molepost-Test-Child does the same to the parsing child.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "processor/base/clock.h"
#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/base/seal.h"
#include "processor/base/step.h"
#include "tests/support/break_out.h"

static void log_step(const char *path, const char *name)
{
	struct strbuf line = STRBUF_INIT;
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	if (fd < 0)
		BUG("cannot open MOLEPOST_TEST_STEP_LOG=%s", path);
	strbuf_addf(&line, "%s\n", name);
	if (file_write_fd(fd, strbuf_span(&line), NULL) != ERR_NONE)
		BUG("cannot write to MOLEPOST_TEST_STEP_LOG=%s", path);
	close(fd);
	strbuf_release(&line);
}

static void take_step(const char *name)
{
	static _Atomic uint64_t count; /* of this process, in all modules together */
	const char *log_path = env_get("MOLEPOST_TEST_STEP_LOG");
	const char *stop_at = env_get("MOLEPOST_TEST_STOP_AT");
	uint64_t last, now = ++count;

	if (log_path != NULL)
		log_step(log_path, name);
	if (stop_at == NULL)
		return;
	if (!num_parse_u64(span_of(stop_at), UINT64_MAX, &last))
		BUG("MOLEPOST_TEST_STOP_AT=%s is not a number", stop_at);
	if (now == last)
		kill(getpid(), SIGKILL);
}

static void abort_on(struct span what, unsigned serial)
{
	const char *fatal = env_get("MOLEPOST_TEST_ABORT_ON");
	struct strbuf name = STRBUF_INIT;

	if (fatal == NULL)
		return;
	strbuf_add_span(&name, what);
	if (serial > 0)
		strbuf_addf(&name, "/%u", serial);
	if (span_eq_str(strbuf_span(&name), fatal))
		BUG("%s is in hand, as MOLEPOST_TEST_ABORT_ON wanted", fatal);
	strbuf_release(&name);
}

static bool is_broken(const char *how)
{
	const char *broken = env_get("MOLEPOST_TEST_BREAK");

	return broken != NULL && span_eq_str(span_of(broken), how);
}

static unsigned record_version(unsigned newest)
{
	const char *wanted = env_get("MOLEPOST_TEST_RECORD");
	unsigned version = newest;

	if (wanted != NULL && !num_parse_uint(span_of(wanted), 1, newest, &version))
		BUG("MOLEPOST_TEST_RECORD=%s is no version", wanted);
	return version;
}

static bool stopped_clock(int64_t *now_utc)
{
	const char *setting = env_get("MOLEPOST_TEST_NOW");
	struct strbuf text = STRBUF_INIT;
	struct span rest, line;

	if (setting == NULL)
		return false;
	if (setting[0] != '@')
		strbuf_adds(&text, setting);
	else if (file_read(setting + 1, 4096, &text, NULL) != ERR_NONE)
		BUG("cannot read MOLEPOST_TEST_NOW=%s", setting);
	rest = strbuf_span(&text);
	if (!span_next_line(&rest, &line) || !utc_parse_iso(line, now_utc))
		BUG("MOLEPOST_TEST_NOW=%s is not a time", setting);
	strbuf_release(&text);
	return true;
}

static bool seeded_bytes(const char *label, void *out, size_t len)
{
	const char *seed = env_get("MOLEPOST_TEST_SEED");
	struct strbuf name = STRBUF_INIT;
	unsigned char *to = out;
	struct hash key;

	if (seed == NULL)
		return false;
	key = hash_of(span_of(seed));
	for (unsigned counter = 0; len > 0; counter++) {
		struct hash block;
		size_t n = len < HASH_LEN ? len : HASH_LEN;

		strbuf_clear(&name);
		strbuf_addf(&name, "%s\n%u\n", label, counter);
		block = hash_keyed(&key, strbuf_span(&name));
		memcpy(to, block.bytes, n);
		to += n;
		len -= n;
	}
	strbuf_release(&name);
	return true;
}

/* Hexadecimal digits, two a byte, in the place of an answer. */
static void say_and_leave(struct span digits)
{
	static const char hex[] = "0123456789abcdef";

	for (size_t i = 0; i + 1 < digits.len; i += 2) {
		const char *high = strchr(hex, digits.ptr[i]),
			   *low = strchr(hex, digits.ptr[i + 1]);
		char byte = (char)(high && low ? (high - hex) * 16 + (low - hex) : 0);

		ENSURE(write(STDOUT_FILENO, &byte, 1) == 1);
	}
	_exit(0);
}

static void misbehave_in_parser(struct span raw)
{
	size_t at = span_find(raw, SPAN_LIT("X-Molepost-Test-Child: "));
	struct span what = span_slice(raw, at + strlen("X-Molepost-Test-Child: "), raw.len);
	volatile unsigned spin = 0;

	if (at == raw.len)
		return;
	if (span_starts(what, "abort"))
		abort();
	if (span_starts(what, "exit"))
		_exit(0);
	if (span_starts(what, "hang"))
		for (;;)
			poll(NULL, 0, -1);
	if (span_starts(what, "break-out "))
		break_out(span_slice(what, strlen("break-out "), span_find_char(what, '\n')));
	if (span_starts(what, "break-in "))
		break_in(raw, what.ptr + strlen("break-in "));
	if (span_starts(what, "spin"))
		for (;;)
			spin++;
	if (span_starts(what, "junk") && write(STDOUT_FILENO, "\xff\xff\xff\xff", 4) == 4)
		_exit(0);
	if (span_starts(what, "say "))
		say_and_leave(span_slice(what, strlen("say "), span_find_char(what, '\n')));
	if (span_starts(what, "chatter"))
		for (int i = 0; i < 20000; i++)
			fprintf(stderr, "libetpan says something on line %d\n", i);
}

static void misbehave_with_server(const char *what)
{
	char variable[40];
	const char *how;

	(void)snprintf(variable, sizeof(variable), "MOLEPOST_TEST_%s", what);
	how = env_get(variable);
	if (how == NULL)
		return;
	if (strcmp(how, "abort") == 0)
		abort();
	while (strcmp(how, "hang") == 0)
		poll(NULL, 0, -1);
	if (strncmp(how, "break-out ", strlen("break-out ")) == 0)
		break_out(span_of(how + strlen("break-out ")));
	if (strncmp(how, "say ", strlen("say ")) == 0)
		say_and_leave(span_of(how + strlen("say ")));
	if (strcmp(how, "junk") == 0)
		ENSURE(write(STDOUT_FILENO, "\377\377\377\377\377\377\377\377", 8) == 8);
}

static bool is_hook(const char *variable)
{
	return strncmp(variable, "MOLEPOST_TEST_", strlen("MOLEPOST_TEST_")) == 0;
}

static unsigned long file_system(unsigned long type)
{
	const char *setting = env_get("MOLEPOST_TEST_FS_TYPE");
	unsigned wanted;

	return setting && num_parse_uint(span_of(setting), 0, UINT32_MAX, &wanted) ? wanted
	                                                                           : type;
}

static unsigned name_server(void)
{
	const char *setting = env_get("MOLEPOST_TEST_NAME_SERVER");
	unsigned port;

	return setting && num_parse_uint(span_of(setting), 1, UINT16_MAX, &port) ? port : 1;
}

static const struct step_hooks hooks = {
    .step = take_step,
    .in_hand = abort_on,
    .is_broken = is_broken,
    .record_version = record_version,
    .clock = stopped_clock,
    .random_bytes = seeded_bytes,
    .parse_child = misbehave_in_parser,
    .server_child = misbehave_with_server,
    .is_kept = is_hook,
    .file_system = file_system,
    .name_server = name_server,
};
const struct step_hooks *const step_hooks = &hooks;
