#!/bin/sh
# pg-prepare.sh - every statement of the store, prepared by a PostgreSQL of its own.
#
# Prints "N prepared, N refused" and before it a line for each that is refused: its file, what
# PostgreSQL says, the statement. Exit: 0 done, 77 there is no PostgreSQL here. The server has a folder
# of its own, no network, and is stopped at the end; root starts it as the user postgres, or nobody.
set -eu
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
[ -n "$bin" ] && [ -x "$bin/initdb" ] && command -v psql >/dev/null || exit 77

work=$(mktemp -d)
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

cd "$(dirname "$0")/../.."
python3 tests/support/pg_statements.py >"$work/statements.sql"
$as env HOME="$work" "$bin/initdb" -D "$work/data" -A trust -U store -E UTF8 --locale=C -N >"$work/initdb.log" 2>&1 ||
	{ cat "$work/initdb.log"; exit 1; }
$as "$bin/pg_ctl" -D "$work/data" -l "$work/data/log" -w -o \
	"-c listen_addresses= -c unix_socket_directories=$work -c fsync=off" start >/dev/null
psql -X -q -h "$work" -U store -f "$work/statements.sql" postgres >"$work/said" 2>&1 || true

# "psql:FILE:LINE: ERROR:  what" to the file of the source, from the comment above that line.
sed -n 's/^psql:[^:]*:\([0-9]*\): ERROR:  \(.*\)/\1 \2/p' "$work/said" | while read -r line what; do
	printf '%s: %s\n    %s\n' "$(sed -n "$((line - 1))s/^-- //p" "$work/statements.sql")" "$what" \
		"$(sed -n "${line}p" "$work/statements.sql")"
done
all=$(grep -c '^PREPARE' "$work/statements.sql")
refused=$(grep -c '^psql:[^:]*:[0-9]*: ERROR' "$work/said" || true)
echo "$((all - refused)) prepared, $refused refused"
