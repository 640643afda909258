/*
 * proxy.h - a line between two programs that is slower than it was, or is cut, in a thread.
 */
#ifndef MOLEPOST_TESTS_PROXY_H
#define MOLEPOST_TESTS_PROXY_H

struct proxy;

/*
 * Listens on a free port of 127.0.0.1 and carries every connection to `port`. Each byte arrives
 * delay_ms after it was sent, in either direction; how many are under way does not matter.
 */
struct proxy *proxy_new(unsigned port, unsigned delay_ms);
void proxy_free(struct proxy *p);
unsigned proxy_port(const struct proxy *p);
/* Once these bytes have gone to the server, nothing more comes back: the client is cut off. */
void proxy_cut_after(struct proxy *p, const char *bytes);

#endif
