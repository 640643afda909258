#!/bin/sh
# PostgreSQL and molepost on two machines, from nothing, by the blocks of README.md, "With a PostgreSQL server".
#
#	pg-two-machines.sh PROGRAM FOLDER
#
# Each machine is a network namespace, 192.0.2.1 and 192.0.2.7; what they write lies in FOLDER and ends with this. The
# commands are taken out of the page; what molepost(1) shows of the same is compared with them. Nothing of the machine's own PostgreSQL is read or touched but its
# programs. Exit: 77, with a sentence, this cannot be done here.
set -eu
if [ "${3:-}" != inside ]; then
	for need in pg_createcluster openssl setpriv unshare ip; do
		command -v "$need" >/dev/null || { echo "$need is not installed"; exit 77; }
	done
	[ "$(id -u)" -eq 0 ] && unshare -mnpf --mount-proc ip link add end type veth peer name other 2>/dev/null ||
		{ echo 'no network namespaces with a cable between them can be made here'; exit 77; }
	exec unshare -mnpf --mount-proc --kill-child "$0" "$1" "$2" inside
fi
program=$1 folder=$2

# The n-th block of the section.
block() {
	sed -n '/^## With a PostgreSQL server/,/^## Where/p' README.md |
		awk -v n="$1" '/^```/ { on = ++k == 2 * n - 1; next } on'
}

# The manual has the same commands, but shows the lines of two files as they are: its second example.
block 1 | sed 's/  *#.*//' >"$folder/server"
block 2 | sed 's/  *#.*//' >"$folder/client"
sed -n '/^\.Sh THE STORE ON POSTGRESQL/,/^\.Ss/p' processor/man/molepost.1 | sed 's/\\e$/\\/' |
	awk '/^\.Ed/ { on = 0 } on; /^\.Bd/ { on = ++k == 1 || k == 3 }' >"$folder/manual"
sed '/^printf/,/^echo .hostssl/d' "$folder/server" | cat - "$folder/client" | diff "$folder/manual" -

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
printf 'a secret\na secret\n' | on db setsid setpriv --reuid=postgres --regid=postgres --init-groups \
	env HOME=/var/lib/postgresql sh -eu "$folder/server"
cd "$OLDPWD"
on db pg_ctlcluster --skip-systemctl-redirect "$version" main restart

# ---- the machine of molepost ----
cp /var/lib/postgresql/authority.pem /etc/ssl/
mkdir "$folder/bin" "$folder/home"
ln -s "$program" "$folder/bin/molepost"
# What is installed is all that apt can have here.
printf '#!/bin/sh\n[ "$1" = install ] && dpkg-query -W "$2"\n' >"$folder/bin/apt"
chmod 755 "$folder/bin/apt"
sed -i 's/PASSWORD/a secret/' "$folder/client"
cd "$folder/home"
on play env HOME="$folder/home" PATH="$folder/bin:$PATH" sh -eu "$folder/client"
grep -q '^store = postgresql://molepost@db.example.org/' server/molepost.conf
printf '%s\n' 'From: Ann <ann@example.net>' 'To: moles@localhost.localdomain' 'Subject: hi' '' \
	'create whakka mole players 3 bots 2' >server/mail/new/1
on play env HOME="$folder/home" "$program" -C server run
ls server/outbox/new | wc -l
on db setpriv --reuid=postgres --regid=postgres --init-groups psql -Atc 'SELECT count(*) FROM games' molepost
on db pg_ctlcluster --skip-systemctl-redirect "$version" main stop -m immediate
