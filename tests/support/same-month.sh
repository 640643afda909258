#!/bin/sh
# The same seeded month, played by two builds of the program, leaves the same behind.
#
#	same-month.sh BUILD OTHER	two build folders that hold tests/molepost
#
# A simulated month of players who get their mail in three ways: every mail in and out, all orders,
# positions, ratings and records, as test-dump prints them with seals opened, compared to the byte.
# For changes that must not change what the program does.
set -eu
[ $# -eq 2 ] || { echo 'usage: same-month.sh BUILD OTHER' >&2; exit 64; }
one=$(realpath "$1") other=$(realpath "$2")
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for build in "$one" "$other"; do
	MOLEPOST_BUILD=$build MONTH_SAVE=$work/$([ "$build" = "$one" ] && echo one || echo other) \
		BENCH_PLAYERS="${PLAYERS:-24}" BENCH_DAYS="${DAYS:-30}" build/tests/bench/month >/dev/null
done
if cmp "$work/one" "$work/other"; then
	echo "same-month: $(wc -c <"$work/one") bytes, the same"
else
	diff "$work/one" "$work/other" | head -n 40
	exit 1
fi
