/*
 * copy.h - one store copied into another: from a file to PostgreSQL, back, or from file to file.
 */
#ifndef MOLEPOST_STORE_ENGINE_COPY_H
#define MOLEPOST_STORE_ENGINE_COPY_H

#include "store/engine/store.h"

/* Before each table: how many are done, of how many, and its name. */
typedef void store_copy_progress(void *ctx, unsigned done, unsigned total, const char *table);

/*
 * Makes the store `to` (a path or a URL, as for store_create; ERR_EXISTS if there is one) with all that
 * `from` holds at this moment; *rows: how many. Needs no keys: what is sealed stays so. When it fails or is
 * stopped, there is no such file, and no server in such a database; called again it begins anew.
 */
enum err store_copy(const char *from, const char *to, store_copy_progress *progress, void *ctx,
                    int64_t *rows, struct failure *e) MUST_CHECK;

#endif
