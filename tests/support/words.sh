#!/bin/sh
# Words that must not stand in the source.
#
#	words.sh		prints every line that has one; exit code 1 if there was any
#
# Unfinished business, anywhere; and in the program but its games the names that things had before
# each was given the one the field uses (processor/README.md, Words). Texts between quotes are left
# alone: messages, and what seals are bound to, which is stored. Last, phrases that readers of our mails
# stumbled over, each replaced by a plain one, plurals glued to their word, and halves of sentences: a
# text that begins with a blank and a small letter is glued to something, and nobody can read, grep or
# translate the whole. Lists ("A, B and C") and orders ("create ... players 3") are made of pieces.
set -u
bad=0

found=$(grep -rnwE 'TODO|FIXME|XXX' --include='*.[ch]' --include='*.[157]' processor mail store reports || true)
[ -z "$found" ] || { printf 'unfinished:\n%s\n' "$found"; bad=1; }

old='lector|scribe|courier|syncer|checkpointer|dealing|sitting|standin|stand_in[a-z_]*|breaking|tryout'
old="$old|founding|tape(_[a-z_]+)?|brief_[a-z_]+|pace_[a-z_]+|deed(_[a-z_]+)?|bundl[a-z_]+|crew(_[a-z_]+)?"
old="$old|keeping(_[a-z_]+)?|letter_(out|item|verb|read)[a-z_]*|hand_[a-z_]+|speaker_[a-z_]+|joining_[a-z_]+"
old="$old|counting_[a-z_]+|tally(_[a-z_]+)?|promise_[a-z_]+|provisions?(_[a-z_]+)?|laid_text[a-z_]*"
for file in $(find processor mail store reports -name '*.[ch]' ! -path 'processor/games/*' \
	! -name sealed.h); do
	found=$(sed 's/"[^"]*"/""/g' "$file" | grep -nwE "$old" | sed "s|^|$file:|" || true)
	[ -z "$found" ] || { printf '%s\n' "$found"; bad=1; }
done
while read -r phrase; do
	found=$(grep -rniE -e "\"[^\"]*$phrase" --include='*.c' processor mail store reports || true)
	[ -z "$found" ] || { printf 'say it plainly: %s\n%s\n' "$phrase" "$found"; bad=1; }
done <<'PHRASES'
are wanted by
would do now
(was|were) passed over
you no longer hold this turn
is spelt like this
put (you |yourself )?out( of|;)
stands? in (it|the|no|every|this|brackets)
turns are taken back
drawn anew
gives some grace
more such days
they hold until
everybody finds this game
round the table sit
he whacks
hand that is too full
once more\?
begins with a bar
you hear from us
there is no such day
the program died each time
can be listed but not
a word of the master
came as a web page
(an?|the) . too few
at least one mole in the hand
is made up: with these
(mole|point|turn|seat|line|day|player|game|card|tile|star|word|step|token)%s
PHRASES
found=$(grep -nwE '[Hh]e|[Hh]is|[Hh]im|[Hh]imself|passed over|laid down' processor/man/*.[157] || true)
[ -z "$found" ] || { printf 'in the manual, of a player:\n%s\n' "$found"; bad=1; }
found=$(grep -rnwE '[Hh]e|[Hh]im|[Hh]imself' --include="*.h" processor mail store reports | grep -v "processor/games/mole/" || true)
[ -z "$found" ] || { printf 'of a player, in a comment:\n%s\n' "$found"; bad=1; }
for room in processor/games processor/commands processor/request processor/turns processor/master \
	processor/match processor/calendar processor/archive processor/outgoing processor/replay \
	processor/intake processor/server reports; do
	found=$(grep -rnE '(add[sf]\(.*|[?:] *)[^\]" [a-z]{2}|add[sf]\(.*[a-z] [a-z]{2,} "[,)]' --include='*.c' "$room" |
		grep -vE '" (and|or|to|key|players|press|observers|delivery|reliability|operator|ready|class|style)\b' |
		grep -vE ':[0-9]+:[[:space:]]*(/\*| \*)' |
		grep -vE '/(state|canonical|skeleton|svg|web|mail_html|mail_history)[a-z_]*\.c:' || true)
	[ -z "$found" ] || { printf 'half a sentence:\n%s\n' "$found"; bad=1; }
done
# A sentence that changes should change few conversations; the others have `...` in its place.
found=$(awk 'FNR == 1 { expected = 0 } /^==== / { expected = /^==== to /; next }
	expected && /[a-z]+ [a-z]+ [a-z]+/ {
		gsub(/[0-9]+/, "N")
		if (!seen[FILENAME, $0]++ && ++files[$0] == 40)
			print
	}' tests/conversations/*.txt)
[ -z "$found" ] || { printf 'expected in 40 conversations:\n%s\n' "$found"; bad=1; }
exit "$bad"
