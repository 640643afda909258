#!/bin/sh
# A PostgreSQL with a synchronous standby, whose machine can be lost.
#
#	pg-pair.sh start FOLDER PID two servers, sockets in FOLDER/sa and FOLDER/sb; the user store may make databases;
#	                            they end with that process at the latest
#	pg-pair.sh lose FOLDER      SIGKILL for the primary, with all its processes
#	pg-pair.sh fail-over FOLDER the standby becomes the primary, and gets a standby in the place of the one lost
#	pg-pair.sh stop FOLDER      ends both and removes FOLDER
#
# No network, fsync on. A commit is answered when the standby has it on its disk and can show it: a client asks
# either first, and one that does not know a database made just now would be the last it asks. Root starts them as the user
# postgres, or nobody. Exit: 77 there is no PostgreSQL here.
set -eu
what=$1 work=$2
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
[ -n "$bin" ] && [ -x "$bin/initdb" ] || exit 77
as=
if [ "$(id -u)" -eq 0 ]; then
	user=nobody
	! id postgres >/dev/null 2>&1 || user=postgres
	as="setpriv --reuid=$user --regid=$(id -g "$user") --clear-groups"
fi

start_one() {
	$as mkdir -p "$work/s$1"
	$as "$bin/pg_ctl" -D "$work/$1" -l "$work/log-$1" -w -o "-c listen_addresses= -c unix_socket_directories=$work/s$1" \
		start >/dev/null || { tail "$work/log-$1"; exit 1; }
}
# $1 follows $2, which goes on only when it is there.
make_standby() {
	$as rm -rf "$work/$1"
	$as "$bin/pg_basebackup" -D "$work/$1" -h "$work/s$2" -U admin -X stream -c fast -R
	start_one "$1"
}
kill_one() {
	[ -f "$work/$1/postmaster.pid" ] || return 0
	pid=$(head -n 1 "$work/$1/postmaster.pid")
	children=$(grep -ls "^PPid:[[:space:]]*$pid\$" /proc/[0-9]*/status | sed 's|[^0-9]||g') || true
	# shellcheck disable=SC2086 # one word each
	kill -9 $children "$pid" 2>/dev/null || true
	# What a machine that is lost does not leave behind: its socket, its segment of shared memory.
	rm -f "$work/s$1"/.s.PGSQL.*
	segment=$(sed -n '7s/.* //p' "$work/$1/postmaster.pid")
	[ -z "$segment" ] || ipcrm -m "$segment" 2>/dev/null || true
}

case $what in
start)
	mkdir -p "$work"
	[ -z "$as" ] || chown "$user" "$work"
	$as env HOME="$work" "$bin/initdb" -D "$work/a" -A trust -U admin -E UTF8 --locale=C -N --wal-segsize=1 >"$work/log"
	$as sh -c "cat >>'$work/a/postgresql.conf'" <<-END
		dynamic_shared_memory_type = mmap
		synchronous_commit = remote_apply
		min_wal_size = 8MB
		max_wal_size = 32MB
		wal_keep_size = 16MB
	END
	start_one a
	psql -X -q -h "$work/sa" -U admin -c 'CREATE ROLE store LOGIN CREATEDB' postgres
	make_standby b a
	psql -X -q -h "$work/sa" -U admin -c "ALTER SYSTEM SET synchronous_standby_names = '*'" postgres
	# It comes to the standby with the next one only: so by hand.
	$as sh -c "echo \"synchronous_standby_names = '*'\" >>'$work/b/postgresql.conf'"
	$as "$bin/pg_ctl" -D "$work/a" reload >/dev/null
	$as "$bin/pg_ctl" -D "$work/b" reload >/dev/null
	echo "a b" >"$work/roles"
	(
		while kill -0 "$3" 2>/dev/null; do sleep 1; done
		exec "$0" stop "$work"
	) </dev/null >/dev/null 2>&1 &
	;;
lose)
	read -r primary standby <"$work/roles"
	kill_one "$primary"
	;;
fail-over)
	read -r primary standby <"$work/roles"
	$as "$bin/pg_ctl" -D "$work/$standby" -w promote >/dev/null
	make_standby "$primary" "$standby"
	echo "$standby $primary" >"$work/roles"
	;;
stop)
	kill_one a
	kill_one b
	rm -rf "$work"
	;;
esac
