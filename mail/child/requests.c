/*
 * requests.c - packets in, one by one.
 */
#include "mail/child/requests.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "mail/child/child.h"
#include "mail/child/child_limits.h"
#include "processor/base/seal.h"

enum { READ_AT_ONCE = 64 * 1024, OPEN_FILES = 64, REQUEST_MAX = 64 << 20 };
#define MEMORY_BYTES ((rlim_t)768 << 20)

void requests_answer(struct span bytes)
{
	while (bytes.len > 0) {
		ssize_t n = write(STDOUT_FILENO, bytes.ptr, bytes.len);

		if (n < 0 && errno != EINTR)
			_exit(EXIT_LATER);
		if (n > 0)
			bytes = span_slice(bytes, (size_t)n, bytes.len);
	}
}

/* A server that promises a huge text costs this process only. */
void requests_serve(const struct requests_served *s)
{
	struct packet_stream stream = {.in = STRBUF_INIT};
	int socket = -1;
	bool bad = false;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	child_limit_memory(MEMORY_BYTES);
	child_limit(RLIMIT_NOFILE, OPEN_FILES);
	seal_start();
	while (!bad) {
		struct span request;
		int came;
		ssize_t n;

		if (packet_stream_next(&stream, REQUEST_MAX, &request, &bad)) {
			s->answer(s->ctx, request, &socket);
			stream.taken += sizeof(uint32_t) + request.len;
			continue;
		}
		packet_stream_forget(&stream);
		s->wait(s->ctx);
		strbuf_grow(&stream.in, READ_AT_ONCE);
		n = child_receive(STDIN_FILENO, stream.in.ptr + stream.in.len, READ_AT_ONCE,
		                  &came);
		if (n <= 0)
			break;
		if (came >= 0)
			socket = came;
		stream.in.len += (size_t)n;
	}
	secret_release(&stream.in);
}
