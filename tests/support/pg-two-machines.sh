#!/bin/sh
# PostgreSQL and molepost on two machines, from nothing, by the examples of molepost(1), THE STORE ON POSTGRESQL.
#
#	pg-two-machines.sh PROGRAM FOLDER
#
# Each machine is a network namespace, 192.0.2.1 and 192.0.2.7; what they write lies in FOLDER and ends with this. The
# commands and settings are taken out of the page. Nothing of the machine's own PostgreSQL is read or touched but its
# programs. Exit: 77, with a sentence, this cannot be done here.
set -eu
page=processor/man/molepost.1
if [ "${3:-}" != inside ]; then
	for need in pg_createcluster openssl setpriv unshare ip; do
		command -v "$need" >/dev/null || { echo "$need is not installed"; exit 77; }
	done
	[ "$(id -u)" -eq 0 ] && unshare -mnpf --mount-proc ip link add end type veth peer name other 2>/dev/null ||
		{ echo 'no network namespaces with a cable between them can be made here'; exit 77; }
	exec unshare -mnpf --mount-proc --kill-child "$0" "$1" "$2" inside
fi
program=$1 folder=$2

# The n-th example of the chapter.
example() {
	sed -n '/^\.Sh THE STORE ON POSTGRESQL/,/^\.Ss/p' "$page" |
		sed 's/\\e$/\\/' | awk -v n="$1" '/^\.Ed/ { on = 0 } on; /^\.Bd/ { on = ++k == n }'
}

on() {
	machine=$1
	shift
	ip netns exec "$machine" "$@"
}

# ---- two bare machines and a cable ----
mount --make-rprivate /
mkdir -p /run/netns
for there in /run/netns /etc/postgresql /var/lib/postgresql /var/log/postgresql /run/postgresql /etc/ssl; do
	keep=$folder/$(echo "$there" | tr / _)
	mkdir -p "$keep"
	[ "$there" != /etc/ssl ] || cp -a /etc/ssl/. "$keep"
	case $there in *postgresql) chown postgres:postgres "$keep" ;; esac
	mount --bind "$keep" "$there"
done
mount --make-private /run/netns
printf '127.0.0.1 localhost\n192.0.2.1 db.example.org\n' >"$folder/hosts"
mount --bind "$folder/hosts" /etc/hosts
for machine in db play; do
	ip netns add "$machine"
	ip -n "$machine" link set lo up
done
ip link add end type veth peer name other
ip link set end netns db
ip link set other netns play
ip -n db addr add 192.0.2.1/24 dev end
ip -n play addr add 192.0.2.7/24 dev other
ip -n db link set end up
ip -n play link set other up

# ---- the machine of the database, as Debian makes one ----
version=$(basename "$(ls -d /usr/lib/postgresql/* | tail -n 1)")
on db pg_createcluster "$version" main >/dev/null
on db pg_ctlcluster --skip-systemctl-redirect "$version" main start
# The commands of the user postgres; the password is asked for twice, where there is no terminal on standard input.
cd /var/lib/postgresql
example=$(cd "$OLDPWD" && example 1)
printf 'a secret\na secret\n' | on db setsid setpriv --reuid=postgres --regid=postgres --init-groups \
	env HOME=/var/lib/postgresql sh -euc "$example"
cd "$OLDPWD"
example 2 | while read -r line; do
	file=${line##*(}
	echo "${line%(*}" >>"/etc/postgresql/$version/main/${file%)}"
done
on db pg_ctlcluster --skip-systemctl-redirect "$version" main restart

# ---- the machine of molepost ----
cp /var/lib/postgresql/authority.pem /etc/ssl/
mkdir "$folder/bin" "$folder/home"
ln -s "$program" "$folder/bin/molepost"
# What is installed is all that apt can have here.
printf '#!/bin/sh\n[ "$1" = install ] && dpkg-query -W "$2"\n' >"$folder/bin/apt"
chmod 755 "$folder/bin/apt"
commands=$(example 3 | sed 's/PASSWORD/a secret/')
cd "$folder/home"
on play env HOME="$folder/home" PATH="$folder/bin:$PATH" sh -euc "$commands"
grep -q '^store = postgresql://molepost@db.example.org/' play/molepost.conf
printf '%s\n' 'From: Ann <ann@example.net>' 'To: moles@localhost.localdomain' 'Subject: hi' '' \
	'create whakka mole players 3 bots 2' >play/mail/new/1
on play env HOME="$folder/home" "$program" -C play run
ls play/outbox/new | wc -l
on db setpriv --reuid=postgres --regid=postgres --init-groups psql -Atc 'SELECT count(*) FROM games' molepost
on db pg_ctlcluster --skip-systemctl-redirect "$version" main stop -m immediate
