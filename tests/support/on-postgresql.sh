#!/bin/sh
# Runs test programs with every store on a PostgreSQL of their own.
#
#	on-postgresql.sh [-v] PROGRAM...
#
# The server has a folder in memory where there is one, no network, fsync on, and is stopped at the end; root
# starts it as the user postgres, or nobody. Prints a line a program; of one that fails, and with -v, all that
# it said.
# Exit: 0 all passed, 1 one did not, 77 there is no PostgreSQL here.
set -eu
verbose=
if [ "${1:-}" = -v ]; then
	verbose=yes
	shift
fi
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
[ -n "$bin" ] && [ -x "$bin/initdb" ] || exit 77

in=${TMPDIR:-/tmp}
[ ! -w /dev/shm ] || in=/dev/shm
work=$(mktemp -d "$in/molepost-postgresql-XXXXXX")
as=
if [ "$(id -u)" -eq 0 ]; then
	user=nobody
	! id postgres >/dev/null 2>&1 || user=postgres
	chown "$user" "$work"
	as="setpriv --reuid=$user --regid=$(id -g "$user") --clear-groups"
fi
stop() {
	$as "$bin/pg_ctl" -D "$work/data" -m immediate stop >/dev/null 2>&1 || true
	rm -rf "$work"
}
trap stop EXIT
trap 'exit 1' INT TERM HUP

$as env HOME="$work" "$bin/initdb" -D "$work/data" -A trust -U admin -E UTF8 --locale=C -N >"$work/log" 2>&1 ||
	{ cat "$work/log"; exit 1; }
$as "$bin/pg_ctl" -D "$work/data" -l "$work/data/log" -w -o \
	"-c listen_addresses= -c unix_socket_directories=$work -c max_connections=200" start >/dev/null
# As an operator has it: a user who owns the databases and may do nothing else.
psql -X -q -h "$work" -U admin -c 'CREATE ROLE store LOGIN CREATEDB' postgres

# Started by a test, these must not take themselves for a part of it.
for name in $(env | sed -n 's/^\(BXFI[A-Z_]*\|CRITERION[A-Z_]*\)=.*/\1/p'); do
	unset "$name"
done
bad=0
for program in "$@"; do
	if MOLEPOST_POSTGRESQL=$work "$program" -j"$(nproc)" >"$work/said" 2>&1 </dev/null; then
		if [ -n "$verbose" ]; then
			cat "$work/said"
		else
			printf '%s: %s\n' "$program" "$(tail -n 1 "$work/said")"
		fi
	else
		printf '%s fails on PostgreSQL:\n' "$program"
		cat "$work/said"
		bad=1
	fi
done
exit "$bad"
