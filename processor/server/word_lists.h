/*
 * word_lists.h - the word lists of the configuration, for the games that look things up.
 *
 * A file is read when a game first asks for it, so that runs without such games do not pay
 * for it, and is kept until the server is closed.
 */
#ifndef MOLEPOST_PROCESSOR_SERVER_WORD_LISTS_H
#define MOLEPOST_PROCESSOR_SERVER_WORD_LISTS_H

#include "processor/server/server.h"

/*
 * What a game with these options may look into: nothing for most games; else all lists, those
 * named by the options read. A list that cannot be read has an empty text. Never NULL.
 */
const struct tables *server_tables(struct server *srv, const struct options *o);
/* All lists of the configuration, read. Never NULL. */
const struct tables *server_all_tables(struct server *srv);
/* Reads list i of the configuration; ERR_NOT_FOUND, ERR_IO, ERR_LIMIT, the sentence in `e`. */
enum err server_table_read(struct server *srv, size_t i, struct failure *e) MUST_CHECK;

#endif
