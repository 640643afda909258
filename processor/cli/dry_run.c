/*
 * dry_run.c - a rehearsal on a copy.
 */
#include "processor/cli/command_line.h"

#include <unistd.h>

#include "processor/intake/arrivals.h"
#include "processor/intake/take_in.h"
#include "processor/outgoing/digest.h"
#include "processor/outgoing/outgoing.h"
#include "processor/turns/remind.h"
#include "processor/turns/stages.h"
#include "store/outbox.h"

enum { SHOWN_MOST = 100000 };

static enum err print_outbox(struct server *srv, FILE *out, const struct take_in_result *in,
                             unsigned turns)
{
	struct outbox_mail *rows;
	struct strbuf id = STRBUF_INIT;
	size_t n;

	TRY(outbox_due(srv->store, srv->now_utc, 0, SHOWN_MOST, srv->arena, &rows, &n));

	/*
	 * Without moving mail only the oldest can be looked at; the rest is named, not silently left
	 * out.
	 */
	bool all = in->read_through_utc != INT64_MIN;

	fprintf(out, "%s%u mails would be read", all ? "" : "the oldest ", in->mails);
	if (!all)
		fputs(" and then the others, which this rehearsal leaves out", out);
	fprintf(out, ", %u turns reported, %zu mails sent:\n", turns, n);
	for (size_t i = 0; i < n; i++) {
		strbuf_clear(&id);
		if (rows[i].game)
			strbuf_addf(&id, "game %lld seat %u", (long long)rows[i].game,
			            rows[i].seat);
		fprintf(out, "  %-8.*s %-20s to %.*s\n", SPAN_ARGS(rows[i].kind), id.ptr,
		        SPAN_ARGS(rows[i].rcpt));
	}
	strbuf_release(&id);
	return ERR_NONE;
}

static enum err rehearse(struct server *srv, struct arrivals *from, FILE *out)
{
	struct take_in_result in;
	struct run_limits limits = {0};
	unsigned turns, reminders, hashes;

	TRY(take_in(srv, from, NULL, NULL, &in));
	limits.read_through_utc = in.read_through_utc;
	TRY(turns_run_all_due(srv, &limits, &turns));
	TRY(remind_all_due(srv, &limits, &reminders));
	TRY(digest_all_due(srv, NULL, &hashes));
	return print_outbox(srv, out, &in, turns);
}

enum err dry_run(struct server *srv, struct arrivals *from, FILE *out)
{
	const char *database = config_path(&srv->cfg, srv->cfg.database, srv->arena);
	const char *copy = arena_printf(srv->arena, "%s.dry-%ld", database, (long)getpid());
	struct store *real = srv->store;

	if (store_is_url(database))
		return err_set(&srv->fail, ERR_UNSUPPORTED,
		               "a rehearsal is played on a copy of the database, and one on "
		               "PostgreSQL is too large a thing to copy for that: copy it with "
		               "`molepost store copy`, and rehearse there");
	enum err rc = store_backup(real, copy, NULL, NULL);
	if (rc != ERR_NONE)
		return err_set(&srv->fail, rc, "copying the database for the rehearsal: %s",
		               store_error(real)->text.ptr);
	srv->dry = true;
	rc = store_open(copy, STORE_READ_WRITE, srv->keys, &srv->store, &srv->fail);
	if (rc == ERR_NONE)
		store_words(srv->store, outgoing_words, srv);
	if (rc == ERR_NONE)
		rc = rehearse(srv, from, out);
	if (rc != ERR_NONE && srv->fail.code != rc && srv->store)
		rc = err_set(&srv->fail, rc, "%s", store_error(srv->store)->text.ptr);
	store_close(srv->store);
	srv->store = real;

	static const char *const tails[] = {"", "-wal", "-shm", "-journal"};

	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
		const char *file = arena_printf(srv->arena, "%s%s", copy, tails[i]);
		if (unlink(file) != 0)
			log_debug(srv->log, "%s was not there", file);
	}
	return rc;
}
