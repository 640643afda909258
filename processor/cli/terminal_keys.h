/*
 * terminal_keys.h - single key strokes from a terminal.
 *
 * Between terminal_keys_start and terminal_keys_stop the terminal gives each byte at once and
 * without echo, Ctrl-C comes as a key, and the signals that would end the
 * program wait, so that the terminal is always put back first.
 */
#ifndef MOLEPOST_PROCESSOR_CLI_TERMINAL_KEYS_H
#define MOLEPOST_PROCESSOR_CLI_TERMINAL_KEYS_H

#include <signal.h>
#include <stdbool.h>
#include <termios.h>

enum key { KEY_NEXT, KEY_PREVIOUS, KEY_FIRST, KEY_LAST, KEY_TURNS, KEY_QUIT };

struct keys {
	int fd;
	struct termios saved;
	sigset_t saved_mask;
};

/* False when fd is no terminal; then there is nothing to stop. */
bool terminal_keys_start(struct keys *k, int fd);
/*
 * Waits for a key that means something: n, blank, Enter, right, down; p, b, left, up; g; G; t;
 * q, Ctrl-C, Ctrl-D. End of input and a waiting signal are KEY_QUIT.
 */
enum key terminal_keys_read(struct keys *k);
/* Whether a key (of any kind) or a signal is there within so many milliseconds; reads nothing. */
bool terminal_keys_wait(struct keys *k, int ms);
/* Puts everything back; a signal that came in between takes effect now. */
void terminal_keys_stop(struct keys *k);

#endif
