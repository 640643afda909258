#!/bin/sh
# A domain that says where its mailboxes are, seen by `molepost init --mailbox` in a network of its own.
#
#	own-names.sh PROGRAM FOLDER	FOLDER is empty; needs unshare and ip, and root or user namespaces
#
# Prints what init says of moles@srv.test (SRV records) and moles@auto.test (an autoconfig file), each ended by the
# missing password. 77: there can be no such network here.
set -u
if [ "${3:-}" != inside ]; then
	unshare -rmn true 2>/dev/null || exit 77
	exec unshare -rmn "$0" "$1" "$2" inside
fi
program=$1 folder=$2
ip link set lo up || exit 77
echo 'nameserver 127.0.0.1' >"$folder/resolv.conf"
mount --bind "$folder/resolv.conf" /etc/resolv.conf || exit 77
cp "$folder/config" "$folder/config-v1.1.xml"
k='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
# shellcheck disable=SC2086 # a list of words
openssl req -x509 $k -keyout "$folder/key.pem" -out "$folder/cert.pem" -days 2 -subj /CN=autoconfig.auto.test \
	-addext subjectAltName=DNS:autoconfig.auto.test 2>/dev/null || exit 77
python3 tests/support/names.py "$folder/names" &
names=$!
python3 tests/support/authority.py "$folder" "$folder/cert.pem" "$folder/key.pem" x 443 &
web=$!
trap 'kill $names $web' EXIT
while [ ! -e "$folder/names" ] || [ ! -e "$folder/port" ]; do sleep 0.1; done
for domain in srv auto; do
	MOLEPOST_TEST_NAME_SERVER=53 "$program" init --mailbox "moles@$domain.test" --ca-file "$folder/cert.pem" "$folder/$domain" </dev/null 2>&1
	[ ! -e "$folder/$domain" ] || echo "$folder/$domain was made"
done
exit 0
