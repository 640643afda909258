/*
 * admin_write.c - the operator's writing steps.
 */
#include "processor/cli/admin_write.h"

struct act {
	enum err (*act)(struct server *srv, void *ctx);
	void *ctx;
};

static enum err in_transaction(struct server *srv, void *ctx)
{
	const struct act *d = ctx;

	TRY(store_begin(srv->store));
	enum err rc = d->act(srv, d->ctx);
	if (rc == ERR_NONE)
		return store_commit(srv->store);
	store_rollback(srv->store);
	return rc;
}

enum err admin_write_alone(struct server *srv, enum err (*act)(struct server *, void *),
                           void *ctx)
{
	int fd = -1;
	enum err rc = server_lock(srv, STORE_LOCK_RUN, &fd, NULL);

	if (rc == ERR_BUSY)
		return err_set(&srv->fail, rc,
		               "a run is at work just now; try again in a moment");
	TRY(rc);
	rc = act(srv, ctx);
	server_unlock(srv, STORE_LOCK_RUN, &fd);
	return rc;
}

enum err admin_write(struct server *srv, enum err (*act)(struct server *, void *), void *ctx)
{
	return admin_write_alone(srv, in_transaction, &(struct act){act, ctx});
}
