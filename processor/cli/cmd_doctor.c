/*
 * cmd_doctor.c - `molepost doctor`: is this server healthy, and if not, what to do.
 */
#include <string.h>

#include "processor/base/clock.h"
#include "processor/cli/command_line.h"
#include "processor/doctor/doctor.h"
#include "processor/outgoing/outgoing.h"
#include "processor/outgoing/round_trip.h"

enum { WAIT_S = 30 };

int cmd_doctor(struct cli *cli, int argc, char **argv)
{
	struct doctor d = {.out = cli->out};
	const char *unit = NULL;
	int64_t began_ms = clock_monotonic_ms();

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--json") == 0)
			d.json = true;
		else if (strcmp(argv[i], "--mail") == 0)
			d.waits_for_mail = true;
		else if (strcmp(argv[i], "--unit") == 0 && i + 1 < argc)
			unit = argv[++i];
		else
			return cli_usage(cli);
	}
	/* The mail is given half a minute to arrive; what came of it the checks say. */
	if (d.waits_for_mail) {
		struct round_trip_place place;
		struct server srv = {0};
		bool refused;
		enum err sent = server_open(cli->dir, STORE_READ_WRITE, false, outgoing_words,
		                            &cli->log, &srv);

		if (sent == ERR_NONE && span_starts(span_of(srv.cfg.sink), "maildir:"))
			sent =
			    err_set(&srv.fail, ERR_CONFIG,
			            "the sink is a Maildir that somebody else empties: a mail "
			            "to itself would stay there");
		if (sent == ERR_NONE)
			sent = round_trip_try(&srv, WAIT_S, &place, &refused);
		if (sent != ERR_NONE)
			doctor_problem(&d, "round trip", doctor_advice(&srv, sent), "%s",
			               server_why(&srv, sent));
		server_close(&srv);
	}
	enum err rc =
	    server_open(cli->dir, STORE_READ_ONLY, false, outgoing_words, &cli->log, &d.srv);
	if (rc == ERR_NONE)
		doctor_check_all(&d, unit);
	else
		doctor_problem(&d, "server", doctor_advice(&d.srv, rc), "%s",
		               server_why(&d.srv, rc));
	if (rc == ERR_NONE && !d.json)
		fprintf(
		    cli->out,
		    "All of this took %s; every row and seal of the database is looked at by "
		    "molepost fsck.\n",
		    cli_duration(d.srv.arena, clock_monotonic_ms() - began_ms));
	if (d.problems == 0 && !d.json)
		fprintf(cli->out, "All is well.\n");
	server_close(&d.srv);
	if (rc != ERR_NONE)
		return err_exit_code(rc);
	return d.problems ? EXIT_DATA : EXIT_DONE;
}
