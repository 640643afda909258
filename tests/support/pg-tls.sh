#!/bin/sh
# A PostgreSQL that is reached over TLS only, on a port of 127.0.0.1, with a password (SCRAM).
#
#	pg-tls.sh start FOLDER PID  prints the port; the user store has the password "a secret" and the database games.
#	                            FOLDER/ca.pem has signed the certificate, which is for localhost. It ends
#	                            with that process at the latest
#	pg-tls.sh stop FOLDER       ends it and removes FOLDER
#
# Root starts it as the user postgres, or nobody. Exit: 77 there is no PostgreSQL or openssl here.
set -eu
what=$1 work=$2
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
[ -n "$bin" ] && [ -x "$bin/initdb" ] && command -v openssl >/dev/null || exit 77
as=
if [ "$(id -u)" -eq 0 ]; then
	user=nobody
	! id postgres >/dev/null 2>&1 || user=postgres
	as="setpriv --reuid=$user --regid=$(id -g "$user") --clear-groups"
fi

certificates() {
	key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
	# shellcheck disable=SC2086 # several words
	openssl req -x509 $key -keyout ca.key -out ca.pem -days 2 -subj /CN=authority
	echo subjectAltName=DNS:localhost >names
	# shellcheck disable=SC2086
	openssl req -new $key -keyout key.pem -out request -subj /CN=localhost
	openssl x509 -req -in request -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out cert.pem
}

case $what in
start)
	mkdir -p "$work"
	(cd "$work" && certificates) >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
	[ -z "$as" ] || chown "$user" "$work" "$work/key.pem"
	$as env HOME="$work" "$bin/initdb" -D "$work/data" -A trust -U admin -E UTF8 --locale=C -N >"$work/log"
	$as sh -c "cat >'$work/data/pg_hba.conf'" <<-END
		local all admin trust
		hostssl all store 127.0.0.1/32 scram-sha-256
	END
	$as sh -c "cat >>'$work/data/postgresql.conf'" <<-END
		listen_addresses = '127.0.0.1'
		unix_socket_directories = '$work'
		ssl = on
		ssl_cert_file = '$work/cert.pem'
		ssl_key_file = '$work/key.pem'
	END
	port=$((20000 + $(od -An -N2 -tu2 /dev/urandom) % 20000))
	until $as "$bin/pg_ctl" -D "$work/data" -l "$work/data/log" -w -o "-c port=$port" start >/dev/null; do
		grep -q 'Address already in use' "$work/data/log" || { cat "$work/data/log"; exit 1; }
		port=$((port + 1))
	done
	psql -X -q -h "$work" -p "$port" -U admin -c "CREATE ROLE store LOGIN PASSWORD 'a secret'" \
		-c 'CREATE DATABASE games OWNER store' postgres
	(
		while kill -0 "$3" 2>/dev/null; do sleep 1; done
		exec "$0" stop "$work"
	) </dev/null >/dev/null 2>&1 &
	echo "$port"
	;;
stop)
	$as "$bin/pg_ctl" -D "$work/data" -m immediate stop >/dev/null 2>&1 || true
	rm -rf "$work"
	;;
esac
