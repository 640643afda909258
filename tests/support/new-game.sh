#!/bin/sh
# Copies the skeleton of a game under a name of its own, and enters it in the registry.
#
#	new-game.sh NAME [ROOT]		NAME as people write it, "coin toss"; ROOT of the sources, "." if unset
#
# Exit: 0, or 64 with a sentence when the name will not do or is taken.
set -eu
root=${2:-.}
games=$root/processor/games

refuse() {
	printf 'new-game: %s\n' "$1" >&2
	exit 64
}

name=$(printf '%s' "${1:-}" | tr 'A-Z _' 'a-z--')
printf '%s' "$name" | grep -qE '^[a-z]+(-[a-z]+)*$' ||
	refuse 'the name is one word or more, of letters only: make game NAME="coin toss"'
word=$(printf '%s' "$name" | tr - _)
title=$(printf '%s' "$name" | tr - ' ' | awk '{ for (i = 1; i <= NF; i++)
	$i = toupper(substr($i, 1, 1)) substr($i, 2); print }')
[ ! -e "$games/$word" ] || refuse "there is a game in $games/$word"

# A letter for the numbers of its games: one of its own, else any that is free.
letter=
taken=$(sed -n "s/.*\.letter = '\(.\)'.*/\1/p" "$games"/*/*.c | tr -d '\n')
for try in $(printf '%s%s' "$name" abcdefghijklmnopqrstuvwxyz | tr -d - | tr a-z A-Z | fold -w 1); do
	case $taken in *"$try"*) ;; *) letter=$try && break ;; esac
done
[ -n "$letter" ] || refuse 'no letter is free'

mkdir "$games/$word"
sed -e "s/skeleton_1/${word}_1/g; s/\"skeleton\"/\"$name\"/g; s/\"skeleton: 1/\"$name: 1/g" \
	-e "s/\"Skeleton\"/\"$title\"/; s/\.letter = 'X'/.letter = '$letter'/" \
	-e "s/ \* skeleton\.c - the null game: what a new game copies\./ * rules.c - $title./" \
	-e '/^ \* a board in its three forms/{s/ Only tests play it (extra_game\.c)\.//;n;d;}' \
	-e '/^ \* To make a game of it/,/^ \* orders, resolve, view/d' \
	"$games/skeleton/skeleton.c" >"$games/$word/rules.c"
sed -i "s|^extern const struct rules skeleton_1;|extern const struct rules ${word}_1;\n&|" "$games/registry.h"
sed -i "s|^    &whakka_mole_1,|    \&${word}_1,\n&|" "$games/registry.c"
printf '%s is in %s, under the letter %s. Next:\n' "$title" "$games/$word" "$letter"
printf '  make build/tests/games/test_contract && GAMES=%s build/tests/games/test_contract\n' "$name"
printf 'and then as processor/games/README.md has it, from step 1 on.\n'
