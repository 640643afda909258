#!/bin/sh
# other-servers.sh - real mail servers that cannot be installed beside those of this machine.
#
#	other-servers.sh make FOLDER		a Debian with Exim and Courier, and one with Cyrus, below FOLDER
#	other-servers.sh start NAME FOLDER PORT	courier, cyrus or exim, in the foreground, on 127.0.0.1
#	other-servers.sh put PORT FILE		a mail into the inbox at that IMAP server
#	other-servers.sh count PORT MAILBOX	how many mails lie there
#	other-servers.sh clear PORT		throws away what tests before have left
#
# The user is moles, the password geheim. Exim takes mail for anybody but "refused@..." (550) and
# "later@..." (451) and puts it into the Maildir /tmp/mail of its Debian. Each server runs in name
# spaces of its own for processes and mounts, which end with it: nothing is left running or mounted.
# Needs root, mmdebstrap and Debian's packages; exit 77 where these are not to be had.
set -eu

make_all() {
	[ "$(id -u)" -eq 0 ] && command -v mmdebstrap >/dev/null || exit 77
	mkdir -p "$1"
	make_one "$1/one" exim4-daemon-light,courier-imap,courier-authlib-userdb
	make_one "$1/two" cyrus-imapd,sasl2-bin,libsasl2-modules
}

make_one() {
	[ ! -e "$1/made" ] || return 0
	rm -rf "$1"
	timeout 300 mmdebstrap --variant=minbase --mode=root --include="$2" \
		bookworm "$1" >"$1.log" 2>&1 || { tail -n 3 "$1.log"; exit 77; }
	touch "$1/made"
}

start_courier='
id moles >/dev/null 2>&1 || useradd -m -s /bin/sh moles
[ -d /home/moles/Maildir ] || su moles -c "cd && maildirmake Maildir"
sed -i "s/^authmodulelist=.*/authmodulelist=\"authuserdb\"/" /etc/courier/authdaemonrc
mkdir -p /run/courier/authdaemon
touch /etc/courier/userdb && chmod 600 /etc/courier/userdb
userdb moles set uid=$(id -u moles) gid=$(id -g moles) home=/home/moles shell=/bin/sh \
	mail=/home/moles/Maildir systempw="$(perl -e "print crypt(q(geheim), q(\$1\$abcdefgh\$))")"
makeuserdb
rm -f /run/courier/authdaemon/*
authdaemond start
set -a
. /etc/courier/imapd
set +a
exec couriertcpd -address=127.0.0.1 -nodnslookup -noidentlookup -maxprocs=20 -maxperip=20 \
	$1 /usr/lib/courier/courier/imaplogin /usr/bin/imapd Maildir
'

start_cyrus='
sed -i "s/^autocreate_quota:.*/autocreate_quota: 0/" /etc/imapd.conf
for realm in localhost $(uname -n); do echo geheim | saslpasswd2 -p -c -u $realm moles; done
chown cyrus /etc/sasldb2
mkdir -p /run/cyrus/socket /run/cyrus/proc /run/cyrus/lock
chown -R cyrus:mail /run/cyrus
cat >/etc/cyrus.conf <<-CONF
START {
	recover cmd="/usr/sbin/cyrus ctl_cyrusdb -r"
}
SERVICES {
	imap cmd="imapd -U 30" listen="127.0.0.1:$1" prefork=0 maxchild=20
}
EVENTS {
}
CONF
exec cyrmaster -D -l 10 -M /etc/cyrus.conf
'

start_exim='
mkdir -p /tmp/mail && chown Debian-exim /tmp/mail
cat >/tmp/exim.conf <<-CONF
primary_hostname = localhost
local_interfaces = 127.0.0.1
daemon_smtp_ports = $1
host_lookup =
rfc1413_query_timeout = 0s
acl_smtp_rcpt = rcpt
begin acl
rcpt:
	deny local_parts = refused
		message = no such person here
	defer local_parts = later
		message = come back later
	accept
begin routers
everybody:
	driver = accept
	transport = folder
begin transports
folder:
	driver = appendfile
	directory = /tmp/mail
	maildir_format
	user = Debian-exim
	group = Debian-exim
CONF
exec exim4 -C /tmp/exim.conf -bdf
'

case $1 in
make) make_all "$2" ;;
start)
	root=$3/one
	script=$start_courier
	case $2 in
	cyrus) root=$3/two script=$start_cyrus ;;
	exim) script=$start_exim ;;
	esac
	mkdir -p "$root/proc" "$root/dev"
	# The shell stays the first process of its name space: a server that becomes another user would
	# not be told that unshare has ended, and with the first process all others end.
	# shellcheck disable=SC2016 # these are for the inner shell
	exec unshare --mount --pid --fork --kill-child sh -c '
		mount -t proc proc "$1/proc" && mount --bind /dev "$1/dev" || exit 1
		env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			chroot "$1" sh -ec "$2" start "$3" &
		wait' start "$root" "$script" "$4"
	;;
put)
	python3 -c '
import imaplib, sys
m = imaplib.IMAP4("127.0.0.1", int(sys.argv[1])); m.login("moles", "geheim")
assert m.append("INBOX", None, None, open(sys.argv[2], "rb").read().replace(b"\n", b"\r\n"))[0] == "OK"
m.logout()' "$2" "$3"
	;;
count)
	python3 -c '
import imaplib, sys
m = imaplib.IMAP4("127.0.0.1", int(sys.argv[1])); m.login("moles", "geheim")
ok, n = m.select(sys.argv[2], True)
print(int(n[0]) if ok == "OK" else "none")
m.logout()' "$2" "$3"
	;;
clear)
	python3 -c '
import imaplib, sys
m = imaplib.IMAP4("127.0.0.1", int(sys.argv[1])); m.login("moles", "geheim")
for box in "INBOX", "INBOX.Processed":
    if m.select(box)[0] == "OK" and m.search(None, "ALL")[1][0]:
        m.store("1:*", "+FLAGS", r"(\Deleted)"); m.expunge()
m.logout()' "$2"
	;;
*) exit 64 ;;
esac
