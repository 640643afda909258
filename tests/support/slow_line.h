/*
 * slow_line.h - a line between two programs that is slower than it was, or is cut, in a thread.
 */
#ifndef MOLEPOST_TESTS_SLOW_LINE_H
#define MOLEPOST_TESTS_SLOW_LINE_H

struct slow_line;

/*
 * Listens on a free port of 127.0.0.1 and carries every connection to `port`. Each byte arrives
 * delay_ms after it was sent, in either direction; how many are under way does not matter.
 */
struct slow_line *slow_line_new(unsigned port, unsigned delay_ms);
/* The same to a Unix socket. */
struct slow_line *slow_line_to_socket(const char *path, unsigned delay_ms);
void slow_line_free(struct slow_line *p);
unsigned slow_line_port(const struct slow_line *p);
/* How often so far a client has said something after the server had. */
unsigned slow_line_round_trips(const struct slow_line *p);
/* Once these bytes have gone to the server, nothing more comes back: the client is cut off. */
void slow_line_cut_after(struct slow_line *p, const char *bytes);

#endif
