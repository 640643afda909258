/*
 * cmd_doctor.c - `molepost doctor`: is this server healthy, and if not, what to do.
 */
#include <string.h>

#include "processor/base/clock.h"
#include "processor/cli/command_line.h"
#include "processor/doctor/doctor.h"
#include "processor/outgoing/outgoing.h"

int cmd_doctor(struct cli *cli, int argc, char **argv)
{
	struct doctor d = {.out = cli->out};
	const char *unit = NULL;
	int64_t began_ms = clock_monotonic_ms();

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--json") == 0)
			d.json = true;
		else if (strcmp(argv[i], "--unit") == 0 && i + 1 < argc)
			unit = argv[++i];
		else
			return cli_usage(cli);
	}
	enum err rc =
	    server_open(cli->dir, STORE_READ_ONLY, false, outgoing_words, &cli->log, &d.srv);
	if (rc == ERR_NONE)
		doctor_check_all(&d, unit);
	else
		doctor_problem(&d, "server", server_why(&d.srv, rc), doctor_advice(&d.srv, rc));
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
