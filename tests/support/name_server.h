/*
 * name_server.h - a server of names (RFC 1035, by UDP) in a thread of the test, that knows what it is given.
 */
#ifndef MOLEPOST_TESTS_NAME_SERVER_H
#define MOLEPOST_TESTS_NAME_SERVER_H

#include <stddef.h>

enum name_type { NAME_A = 1, NAME_MX = 15, NAME_TXT = 16, NAME_SRV = 33 };

struct name_record {
	const char *name;
	enum name_type type;
	/* Of MX a name, "." for none; of TXT the text; of SRV "PRIORITY PORT NAME". */
	const char *data;
};

struct name_server;

/* The records are borrowed. On a free port of 127.0.0.1. A name none of them has does not exist. */
struct name_server *name_server_new(const struct name_record *records, size_t n);
void name_server_free(struct name_server *s);
unsigned name_server_port(const struct name_server *s);
/* How many questions came so far. */
unsigned name_server_asked(const struct name_server *s);

#endif
