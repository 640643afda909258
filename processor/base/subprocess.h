/*
 * subprocess.h - another program, fed and listened to, within a time.
 */
#ifndef MOLEPOST_PROCESSOR_BASE_SUBPROCESS_H
#define MOLEPOST_PROCESSOR_BASE_SUBPROCESS_H

#include <stddef.h>

#include "processor/base/err.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"

/*
 * Runs argv[0] (looked up in PATH) with `in` as standard input, our standard error, no other
 * descriptor of ours, and a process group of its own. Appends to `out` what it prints, at most `max`
 * bytes; the rest is thrown away. *code: its exit code, 128 + the signal it died of. After
 * timeout_ms the whole group is killed: ERR_TIMEOUT. ERR_NOT_FOUND: no such program. ERR_IO.
 */
enum err subprocess_run(const char *const argv[], struct span in, size_t max, int timeout_ms,
                        struct strbuf *out, int *code, struct failure *e) MUST_CHECK;

#endif
