/*
 * terminal_keys.c - single key strokes from a terminal.
 *
 * No signal handler: signals are held back and looked for between key strokes,
 * and when the terminal is itself again they are let through.
 */
#include "processor/cli/terminal_keys.h"

#include <poll.h>
#include <unistd.h>

enum { LOOK_FOR_SIGNALS_MS = 200, CTRL_C = 3, CTRL_D = 4, ESCAPE = 27 };

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { NSIGNALS = sizeof(ending_signals) / sizeof(ending_signals[0]) };

static void held_signals(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < NSIGNALS; i++)
		sigaddset(set, ending_signals[i]);
}

bool terminal_keys_start(struct keys *k, int fd)
{
	struct termios raw;
	sigset_t held;

	k->fd = fd;
	if (!isatty(fd) || tcgetattr(fd, &k->saved) != 0)
		return false;
	held_signals(&held);
	sigprocmask(SIG_BLOCK, &held, &k->saved_mask);
	raw = k->saved;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(fd, TCSADRAIN, &raw) == 0)
		return true;
	sigprocmask(SIG_SETMASK, &k->saved_mask, NULL);
	return false;
}

void terminal_keys_stop(struct keys *k)
{
	tcsetattr(k->fd, TCSADRAIN, &k->saved);
	sigprocmask(SIG_SETMASK, &k->saved_mask, NULL);
}

static bool signal_waits(void)
{
	sigset_t waiting;

	if (sigpending(&waiting) != 0)
		return false;
	for (size_t i = 0; i < NSIGNALS; i++)
		if (sigismember(&waiting, ending_signals[i]) == 1)
			return true;
	return false;
}

/* The next byte, or CTRL_D when there will be none. */
static int next_byte(struct keys *k)
{
	struct pollfd p = {.fd = k->fd, .events = POLLIN};
	unsigned char c;
	int ready;

	do {
		if (signal_waits())
			return CTRL_D;
		ready = poll(&p, 1, LOOK_FOR_SIGNALS_MS);
	} while (ready == 0);
	if (ready < 0 || read(k->fd, &c, 1) != 1)
		return CTRL_D;
	return c;
}

bool terminal_keys_wait(struct keys *k, int ms)
{
	struct pollfd p = {.fd = k->fd, .events = POLLIN};

	return signal_waits() || poll(&p, 1, ms) != 0 || signal_waits();
}

/* The rest of an arrow key, ESC [ A to D or ESC O A to D; false for all else. */
static bool read_arrow(struct keys *k, enum key *out)
{
	int c = next_byte(k);

	if (c == '[' || c == 'O')
		c = next_byte(k);
	if (c == CTRL_D || c == CTRL_C)
		*out = KEY_QUIT;
	else if (c == 'A' || c == 'D')
		*out = KEY_PREVIOUS;
	else if (c == 'B' || c == 'C')
		*out = KEY_NEXT;
	else
		return false;
	return true;
}

enum key terminal_keys_read(struct keys *k)
{
	enum key arrow;

	for (;;) {
		switch (next_byte(k)) {
		case 'n':
		case ' ':
		case '\n':
		case '\r':
			return KEY_NEXT;
		case 'p':
		case 'b':
			return KEY_PREVIOUS;
		case 'g':
			return KEY_FIRST;
		case 'G':
			return KEY_LAST;
		case 't':
			return KEY_TURNS;
		case 'q':
		case CTRL_C:
		case CTRL_D:
			return KEY_QUIT;
		case ESCAPE:
			if (read_arrow(k, &arrow))
				return arrow;
			break;
		default:
			break;
		}
	}
}
