/*
 * ports.h - where a server of a test can listen, and whether it does.
 */
#ifndef MOLEPOST_TESTS_PORTS_H
#define MOLEPOST_TESTS_PORTS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * n different ports of this machine that nobody listens on. Somebody may be faster with one before the
 * server has it: then the server ends, and is started again with others.
 */
void ports_find(unsigned *ports, size_t n);
/*
 * Whether the server behind that port says `mark` when it greets; waits wait_ms for it to do so. The server that
 * answers there may be that of another test.
 */
bool port_greets(unsigned port, const char *mark, int wait_ms);

#endif
