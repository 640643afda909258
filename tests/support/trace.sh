#!/bin/sh
# The way of one order mail through the rooms.
#
#	trace.sh		needs gcc and addr2line; builds its own program in build/trace
#
# A server is made, a game against two bots begins, and one order mail is taken in by a program that
# notes every function it enters. What is printed: for the run, and for dispatch_mail alone, how many
# calls of how many functions in how many files; then each room in the order in which it is first
# entered, how often it is entered from another room, and how many calls are made in it. base/ and
# games/ are left out: every room stands on them.
set -eu
cd "$(dirname "$0")/../.."
make --no-print-directory BUILD=build/trace DEPS=skip LDFLAGS=-no-pie \
	CFLAGS='-O0 -g -fno-pie -finstrument-functions' build/trace/molepost build/trace/trace_calls.so >&2
program=$PWD/build/trace/molepost
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$program" init --address moles@example.org "$work/play" >/dev/null
printf '%s\n' 'From: Ann <ann@example.net>' 'To: moles@example.org' 'Subject: hi' '' \
	'create whakka mole players 3 bots 2' >"$work/play/mail/new/1"
"$program" -C "$work/play" run
to=$(sed -n 's/^Reply-To: //p' "$work"/play/outbox/new/* | tail -n 1)
printf '%s\n' 'From: Ann <ann@example.net>' "To: $to" 'Subject: Re: orders due' '' \
	'popup 3, whack 5' >"$work/play/mail/new/2"
TRACE_TO=$work/trace LD_PRELOAD=$PWD/build/trace/trace_calls.so "$program" -C "$work/play" run --no-send

# Addresses to "file function".
sed 's/^.//' "$work/trace" | sort -u >"$work/addresses"
addr2line -f -e "$program" <"$work/addresses" | paste - - |
	sed "s|$PWD/||; s|:[0-9?].*||" | paste "$work/addresses" - >"$work/names"
awk -v names="$work/names" '
	function report(what,   i, n, nf, nfiles) {
		for (i in called) nf++
		for (i in file) nfiles++
		printf "%s: %d calls of %d functions in %d files\n", what, calls, nf, nfiles
		for (i = 1; i <= norder; i++)
			printf "  %2d %-24s entered %4d times, %5d calls\n", i, order[i], entered[order[i]], made[order[i]]
		split("", called); split("", file); split("", entered); split("", made); split("", order)
		split("", known); calls = norder = 0
	}
	BEGIN {
		while ((getline line < names) > 0) {
			split(line, p, /[ \t]+/)
			func_[p[1]] = p[2]; path[p[1]] = p[3]
			room = p[3]; sub("/[^/]*$", "", room)
			if (room ~ "^processor/games") room = "processor/games"
			at[p[1]] = room
		}
	}
	{
		a = substr($0, 2); r = at[a]
		if (substr($0, 1, 1) == "-") {
			depth--
			if (func_[a] == "dispatch_mail" && inside) { report("dispatch_mail"); inside = 0 }
			next
		}
		stack[++depth] = r
		if (func_[a] == "dispatch_mail" && !done) { inside = 1; done = 1; skip = depth }
		if (!inside) { all++; next }
		if (r ~ "processor/(base|games)$") next
		calls++; called[func_[a]] = 1; file[path[a]] = 1; made[r]++
		above = depth - 1
		while (above > 0 && stack[above] ~ "processor/(base|games)$") above--
		if (above == 0 || stack[above] != r) {
			entered[r]++
			if (!(r in known)) { known[r] = 1; order[++norder] = r }
		}
	}
	END { printf "the run: %d calls outside of it\n", all }' "$work/trace"
