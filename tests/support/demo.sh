#!/bin/sh
# A whole game of Whakka Mole for three players through the real mail path: mails go into a
# Maildir, `molepost run` is called as cron would call it, answers are taken out of another
# Maildir. Usage: demo.sh PROGRAM. Everything happens in a temporary folder. One turn is shown whole,
# every other in a line.
set -eu

prog=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
dir=$(mktemp -d "${TMPDIR:-/tmp}/molepost-demo.XXXXXX")
trap 'rm -rf "$dir"' EXIT
play=$dir/play
number=0

title() { printf '\n======== %s ========\n' "$1"; }

# The mails that have come out since the last call go to the players' own folders.
fetch() {
	for f in $(find "$play/outbox/new" -type f | sort -V); do
		who=$(sed -n 's/^To: *<*\([a-z]*\)@.*/\1/p;/^$/q' "$f")
		mkdir -p "$dir/$who"
		mv "$f" "$dir/$who/"
		last=$dir/$who/$(basename "$f")
		cp "$last" "$dir/$who.last"
	done
}

run() { "$prog" -C "$play" run; fetch; }

header() { sed -n "s/^$1: *//p;/^\$/q" "$2"; }

# The text of a mail as a mail program shows it, down to its signature.
show() {
	"$prog" test-text <"$1" | sed '1,/^== text/d;/^== enclosed/,$d' >"$dir/text"
	sed '/^-- $/,$d' "$dir/text" | fold -s -w 96
	printf '[%s more lines: how to get help, and that the proof is attached]\n' "$(sed '1,/^-- $/d' "$dir/text" | wc -l)"
}

# mail WHO TO TEXT [IN-REPLY-TO]: what WHO writes, delivered into the server's Maildir.
mail() {
	number=$((number + 1))
	{
		printf 'From: %s <%s@example.net>\nTo: %s\nSubject: moles\n' "$1" "$1" "$2"
		printf 'Message-ID: <demo-%s@example.net>\nDate: %s\n' "$number" "$(date -R)"
		[ -z "${4:-}" ] || printf 'In-Reply-To: %s\n' "$4"
		printf '\n%s\n' "$3"
	} >"$play/mail/tmp/demo-$number"
	mv "$play/mail/tmp/demo-$number" "$play/mail/new/demo-$number"
}

# reply WHO TEXT: hitting Reply on the last mail WHO got.
reply() { mail "$1" "$(header Reply-To "$dir/$1.last")" "$2" "$(header Message-ID "$dir/$1.last")"; }

title "molepost init: a folder is all there is"
"$prog" init "$play" --address moles@example.org >"$dir/said"
sed -n "s|$dir/||g;2,5p" "$dir/said"

title "ann opens a game with one mail, bob and cy join with one each"
ann='create whakka mole players 3 target=20' bob='join whakka mole' cy='join W1 as Cy'
printf 'ann writes: %s\nbob writes: %s\ncy writes:  %s\n' "$ann" "$bob" "$cy"
mail ann moles@example.org "$ann"
run
printf '\nThe first answer to ann begins:\n\n'
show "$dir/ann.last" | sed -n '1,5p'
mail bob moles@example.org "$bob"
mail cy moles@example.org "$cy"
run

turn=0
while grep -q '^Subject: .*orders due' "$dir/ann.last"; do
	turn=$((turn + 1))
	# Some digits of pi serve as the players' ideas.
	set -- $(echo 314159265358979323846264338327954288419716939937514582974944592378164628629 |
		tr -d 0 | cut -c "$((turn * 5 % 60 + 1))-$((turn * 5 % 60 + 9))" | sed 's/./& /g')
	ann="popup $1 $2, whack $3"
	bob="Popup $4 $5
Whack $6

Sent from my phone"
	cy="whack $9; popup $7 $8"
	[ $turn -gt 1 ] || {
		title "what bob reads first when the game begins"
		show "$dir/bob.last" | sed '/^== /,$d'
		title "the answers to it"
		printf '%s\n' "ann writes: $ann" "bob writes: Popup $4 $5 / Whack $6 / Sent from my phone" \
			"cy writes:  $cy"
	}
	reply ann "$ann"
	reply bob "$bob"
	run
	[ $turn -gt 1 ] || { title "bob's receipt, while cy is waited for"; show "$dir/bob.last"; }
	reply cy "$cy"
	run
	[ $turn -gt 1 ] || { title "what ann reads after turn 1"; show "$dir/ann.last"; title "and so on"; }
	[ $turn -eq 1 ] || printf 'turn %s: %s\n' "$turn" "$("$prog" test-text <"$dir/ann.last" |
		sed '1,/^== text/d' | sed -n 1p)"
	[ $turn -lt 60 ] || break
done

title "the record of the game, checked and replayed"
"$prog" -C "$play" archive W1 >"$dir/w1.txt"
"$prog" verify "$dir/w1.txt"
"$prog" replay --turn "$turn" "$dir/w1.txt" | sed -n '1,4p'
printf '\nThe game was played in %s turns; %s mails went in and %s came out.\n' "$turn" "$number" \
	"$(find "$dir/ann" "$dir/bob" "$dir/cy" -type f | wc -l)"
"$prog" -C "$play" game list | grep -q ' over ' || {
	echo "demo: the game did not come to its end" >&2
	exit 1
}
