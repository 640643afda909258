/*
 * private.h - what a key of molepost.conf is: one row of the table in config_keys.c, from which
 * config.c reads the file and writes the example, and by which tests/unit/server/test_config_keys.c
 * holds the list in molepost.conf(5).
 */
#ifndef MOLEPOST_PROCESSOR_SERVER_PRIVATE_H
#define MOLEPOST_PROCESSOR_SERVER_PRIVATE_H

#include "processor/base/span.h"
#include "processor/server/config.h"

/* As many have room in struct config. */
enum { CONFIG_SOURCES_MAX = 16, CONFIG_LOGINS_MAX = 32, CONFIG_WORDLISTS_MAX = 16 };

/* What stands behind the '=', and the type of the member of struct config that takes it. */
enum key_kind {
	KEY_TEXT,    /* const char *: as it is, of at most `max` columns; 0 = any */
	KEY_ADDRESS, /* const char *: one mail address */
	KEY_PROGRAM, /* const char *: the path behind "command:" */
	KEY_NUMBER,  /* unsigned: min to max */
	KEY_SIZE,    /* unsigned or size_t: bytes, "64K", "1M"; min to max */
	KEY_TIME,   /* int64_t: "3D", `min` seconds or more; `words` is one that stands for 0 */
	KEY_SWITCH, /* bool: the first of two words is true */
	KEY_WORD,   /* bool or enum: which of the words it is, from 0 */
	KEY_CALENDAR, /* a setting of struct calendar that has the name of the key */
	KEY_OWN       /* anything: `read` */
};

/* Reads one value: NULL, or what it should have been, the end of a sentence. */
typedef const char *config_read_fn(struct config *c, struct span value, struct arena *arena);

struct config_key {
	const char *name;
	enum key_kind kind;
	size_t at, size; /* of the member */
	int64_t min, max;
	const char *words; /* with blanks between */
	config_read_fn *read;
	bool required, list; /* must be there; may come several times */
	bool secret;       /* a value that was refused is not repeated: it may be a password */
	const char *rival; /* the key beside which it cannot be */
	/* What it should have been, "a number from 1 to 64"; NULL: what its kind and range say. */
	const char *wanted;
	/* The default, as one would write it; NULL: there is none, or other keys decide. */
	const char *usual;
	/* What stands behind '=' in the example, if not the default; a line for each of a list. */
	const char *example;
	/* What the example says above it, or above several; a new paragraph, unless `beside`. */
	const char *comment;
	bool beside;
	/* What the manual page calls the value; NULL: by its kind, or its words. */
	const char *form;
};

/* In the order of the example. */
extern const struct config_key config_keys[];
extern const size_t config_nkeys;

/*
 * A key that there was once: read and ignored, so that a new program starts with an old file. A key that is
 * taken out of config_keys gets a row here, and its name is never used again.
 */
struct retired_key {
	const char *name;
	const char *since; /* what goes now, the end of a sentence */
};
extern const struct retired_key config_retired[];
extern const size_t config_nretired;

/* The word lists that need no line, but for those of which the file names another. */
void config_add_usual_wordlists(struct config *c, struct arena *arena);
/* "scheme://user:password@host" */
bool config_url_holds_password(struct span url);

#endif
