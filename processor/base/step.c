/*
 * step.c - dying on purpose at a durable boundary. Test builds only.
 */
#include "processor/base/step.h"

#ifdef MOLEPOST_TEST_HOOKS

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <unistd.h>

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/num.h"

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

void step_in_hand(struct span what, unsigned serial)
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

void step(const char *name)
{
	/*
	 * How many steps this process has taken. The one mutable static allowed here: it
	 * counts across modules that must not know of each other, and no release build has it.
	 */
	static _Atomic uint64_t count;
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

bool step_is_broken(const char *how)
{
	const char *broken = env_get("MOLEPOST_TEST_BREAK");

	return broken != NULL && span_eq_str(span_of(broken), how);
}

unsigned step_record_version(unsigned newest)
{
	const char *wanted = env_get("MOLEPOST_TEST_RECORD");
	unsigned version = newest;

	if (wanted != NULL && !num_parse_uint(span_of(wanted), 1, newest, &version))
		BUG("MOLEPOST_TEST_RECORD=%s is no version", wanted);
	return version;
}

#endif
