#!/bin/sh
# How much of the code is cut into pieces that serve one place: may only become less.
#
#	shares.sh [UPDATE]	compares with tests/support/shares, or writes it anew
#
# For each room its lines, and two shares in percent: of its functions those that are static and
# named once in their file, and of its exported functions those that exactly one other file of
# the program names. A share above the table is refused, with the names that were not counted
# when the table was last changed. The way down is to put a piece back where it is used, or to
# give it a second user; never longer lines. Read as text: strings and comments do not count, a
# function begins where a line is "{" alone.
set -eu
table=tests/support/shares
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# count FOLDER: "ROOM lines N", "ROOM function|single|exported|one_user FILE NAME" for the tree in FOLDER.
count() {
	(cd "$1" && find processor mail store reports -name '*.[ch]' | sort | xargs awk '
	function room(f) {
		if (f ~ /^processor\/games\//) return "processor/games"
		sub("/[^/]*$", "", f)
		return f
	}
	# What stands between two functions, without attributes: the name before the first "(".
	function name_of(text) {
		gsub(/__attribute__\(\([^)]*(\([^)]*\))?[^)]*\)\)/, "", text)
		if (!match(text, /[A-Za-z_][A-Za-z0-9_]* *\(/)) return ""
		text = substr(text, RSTART, RLENGTH - 1)
		sub(/ *$/, "", text)
		return text
	}
	FNR == 1 { head = ""; inside = 0; source = FILENAME ~ /\.c$/ }
	{ lines[room(FILENAME)]++ }
	!source { next }
	{
		line = $0
		if (inside) {
			if (!match(line, /\*\//)) next
			line = substr(line, RSTART + 2)
			inside = 0
		}
		gsub(/\047([^\047\\]|\\.)+\047/, "0", line)
		gsub(/"([^"\\]|\\.)*"/, "0", line)
		while (match(line, /\/\*/)) {
			before = substr(line, 1, RSTART - 1)
			line = substr(line, RSTART + 2)
			if (!match(line, /\*\//)) { line = before; inside = 1; break }
			line = before " " substr(line, RSTART + 2)
		}
		sub(/\/\/.*/, "", line)
		if (line ~ /^[{]/) {
			name = name_of(head)
			if (name != "") {
				n++
				file[n] = FILENAME; called[n] = name
				static[n] = head ~ /^ *static /
				defined[FILENAME, name]++
			}
			head = ""
		} else if (line ~ /^[A-Za-z_]/ || (head != "" && line !~ /^[}#]/)) {
			head = head " " line
			if (line ~ /;[ \t]*$/) {
				# A prototype names, and does not use.
				if (head ~ /^ *(static )?[a-z][A-Za-z0-9_ *]*\(/ && head !~ /=/) {
					name = name_of(head)
					if (name != "") defined[FILENAME, name]++
				}
				head = ""
			}
		} else
			head = ""
		while (match(line, /[A-Za-z_][A-Za-z0-9_]*/)) {
			word = substr(line, RSTART, RLENGTH)
			line = substr(line, RSTART + RLENGTH)
			if (!((FILENAME, word) in uses)) users[word]++
			uses[FILENAME, word]++
		}
	}
	END {
		for (r in lines) print r, "lines", lines[r]
		for (i = 1; i <= n; i++) {
			f = file[i]; name = called[i]; r = room(f)
			print r, "function", f, name
			if (static[i]) {
				if (uses[f, name] - defined[f, name] == 1) print r, "single", f, name
			} else if (name != "main") {
				print r, "exported", f, name
				if (users[name] == 2) print r, "one_user", f, name
			}
		}
	}')
}

count . >"$work/now"
# ROOM, lines, statics used once, functions, names with one user, exported names.
awk '
	{ rooms[$1] = 1; if ($2 == "lines") lines[$1] = $3; else n[$1, $2]++ }
	END {
		for (r in rooms)
			print r, lines[r], n[r, "single"] + 0, n[r, "function"] + 0, n[r, "one_user"] + 0, n[r, "exported"] + 0
	}' "$work/now" | sort >"$work/shares"

if [ "${1:-}" = UPDATE ]; then
	{
		echo '# room, static functions used once, of all functions, exported functions with one user, of all exported.'
		echo '# The shares may only fall (shares.sh); make shares UPDATE=1 writes this file anew.'
		awk '$4 { printf "%-22s %5d %5d %5d %5d\n", $1, $3, $4, $5, $6 }' "$work/shares"
	} >"$table"
fi

awk '
	function share(part, all) { return all ? 100 * part / all : 0 }
	function row(room, lines, single, of, one, exported) {
		printf "  %-22s %7d lines %6.1f %% of %4d functions used once %6.1f %% of %4d names with one user\n",
			room, lines, share(single, of), of, share(one, exported), exported
	}
	{ row($1, $2, $3, $4, $5, $6); for (i = 2; i <= 6; i++) all[i] += $i }
	END { row("all rooms", all[2], all[3], all[4], all[5], all[6]) }' "$work/shares"

# What rose, and from what to what. A share that only rises because other functions were taken out has not risen.
sed '/^#/d' "$table" | awk -v shares="$work/shares" '
	function share(part, all) { return sprintf("%.1f", all ? 100 * part / all : 0) }
	{ single[$1] = $2; of[$1] = $3; one[$1] = $4; exported[$1] = $5 }
	END {
		while ((getline <shares) > 0) {
			if ($4 == 0) continue
			if (!($1 in of)) { print $1, "room", "-", "-"; continue }
			if ($3 > single[$1] && $3 * of[$1] > single[$1] * $4)
				print $1, "single", share(single[$1], of[$1]), share($3, $4)
			if ($5 > one[$1] && $5 * exported[$1] > one[$1] * $6)
				print $1, "one_user", share(one[$1], exported[$1]), share($5, $6)
		}
	}' >"$work/risen"
[ -s "$work/risen" ] || exit 0

mkdir "$work/then"
since=$(git log -1 --format=%H -- "$table" 2>/dev/null || true)
if [ -n "$since" ] && git archive "$since" processor mail store reports 2>/dev/null | tar -x -C "$work/then"; then
	count "$work/then" | sort >"$work/before"
fi
while read -r room what was is; do
	case $what in
	room) echo "shares: $room has no line in $table: make shares UPDATE=1" ;;
	single) echo "shares: $room: $is % of the functions are static and used once, $was % before. New:" ;;
	one_user) echo "shares: $room: $is % of the exported functions have one user, $was % before. New:" ;;
	esac
	grep "^$room $what " "$work/now" | sort >"$work/names"
	{ if [ -f "$work/before" ]; then comm -23 "$work/names" "$work/before"; else cat "$work/names"; fi; } |
		awk '{ print "  " $3 ": " $4 }'
done <"$work/risen"
exit 1
