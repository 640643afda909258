#!/bin/sh
# Which room may use which.
#
#	layers.sh FOLDER PROGRAM	FOLDER holds one archive per room: processor/base.a mail/text.a ...
#
# The includes, as written, of rooms and of their unit tests; each archive linked whole against an empty main with nothing but what
# its row of tests/support/floors allows; circles of calls inside a room, against a list; the symbols that games/ takes
# from libc, against a list; that the program as it is shipped holds nothing of tests. Every line that is printed is a violation; the exit code says whether
# there was one.
set -u
rel=$1 program=$2
CC=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

complain() {
	printf 'layers: %s\n' "$*"
	bad=1
}

# ---- The rooms -----------------------------------------------------------------------------

tests/support/links.sh rooms >"$work/floors" # a line a room: it, and those it may use

# files ROOM: its sources and headers; mail alone are its public headers.
files() {
	case $1 in
	mail) ls mail/*.h ;;
	processor/games) find processor/games -name '*.[ch]' ;;
	*) ls "$1"/*.[ch] ;;
	esac
}

# includes WHO OURS FORBIDDEN FILE...: "..." must lie in one of the folders OURS, <...> must not match.
includes() {
	who=$1 ours=$2 forbidden=$3
	shift 3
	found=$(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$@" /dev/null |
		grep -vE ":[0-9]+:[^\"]*\"($ours)/[a-z_0-9]+\.(h|inc)\"" || true)
	[ -z "$found" ] || complain "$who must not include:
$found"
	found=$(grep -nE "^[[:space:]]*#[[:space:]]*include[[:space:]]*<($forbidden)" "$@" \
		/dev/null || true)
	[ -z "$found" ] || complain "$who must not include:
$found"
}

# link_alone ROOM LIBRARIES USED...: all of the room, with nothing but what it may use.
echo 'int main(void) { return 0; }' >"$work/main.c"
link_alone() {
	room=$1 libraries=$2
	shift 2
	archives=
	for used in "$@"; do
		[ "$used" = mail ] || archives="$rel/$used.a $archives"
	done
	# shellcheck disable=SC2086 # lists of words
	if ! $CC -o "$work/main" "$work/main.c" -Wl,-s,--whole-archive "$rel/$room.a" \
		-Wl,--no-whole-archive $archives $libraries 2>"$work/errors"; then
		complain "$room does not link with $*:
$(sed 's/^[^ ]*ld: //' "$work/errors" | grep -v ': in function ' | sort -u | head -n 20)"
	fi
}

# What a game could learn the time, the weather or other people's hands from.
world='time\.h|sys/|unistd|fcntl|dirent|dlfcn|pthread|signal|locale|math|fenv|complex|sodium'

while read -r room used; do
	forbidden='sqlite3|postgresql/|libetpan/|curl/' libraries='-lsodium -lutf8proc -lz'
	case $room in
	processor/games) forbidden="$forbidden|$world" ;;
	mail/*) forbidden=sqlite3 ;;
	store/engine) forbidden='libetpan/|curl/' libraries="$libraries -lsqlite3" ;;
	reports) forbidden="$forbidden|time\.h" ;;
	esac
	case " $used " in *' store/engine '*) libraries="$libraries -lsqlite3" ;; esac
	own=$room
	[ "$room" != processor/games ] || own='processor/games|processor/games/[a-z_]+'
	# shellcheck disable=SC2046,SC2086 # lists of plain file names
	includes "$room" "$own$(printf '|%s' $used)" "$forbidden" $(files "$room")
	# shellcheck disable=SC2086 # a list of rooms
	link_alone "$room" "$libraries" $used
done <"$work/floors"
includes mail 'processor/base|mail|mail/text' 'sqlite3|libetpan/|curl/' mail/*.h
# A unit test sees no more than its room does. Those of tests/unit/support are about tests/support.
for folder in tests/unit/*/; do
	[ "$folder" != tests/unit/support/ ] || continue
	floor=$(grep -E "^([a-z]*/)?$(basename "$folder")( |\$)" "$work/floors")
	[ -n "$floor" ] || complain "$folder is called after no room"
	own=$(echo "$floor" | tr ' ' '|')
	includes "a test of ${floor%% *}" "tests/support|processor/games/[a-z_]+|$own" '$' "$folder"*.c
done

found=$(grep -lE '<sqlite3|<postgresql/' -r processor mail reports store --include=*.[ch] |
	grep -vE '^store/engine/(sqlite|postgresql)\.c$' || true)
[ -z "$found" ] || complain "an engine's header belongs to store/engine/sqlite.c or postgresql.c: $found"

# A room that lies in no row, a file that lies in no room.
for folder in processor/*/ mail/*/ store/*/; do
	folder=${folder%/}
	ls "$folder"/*.[ch] >/dev/null 2>&1 || continue
	grep -qE "^$folder( |\$)" "$work/floors" || complain "$folder has no row above"
done
found=$(ls processor/*.[ch] mail/*.c 2>/dev/null)
[ -z "$found" ] || complain "these lie in no room: $found"

# private.h is its room's own.
found=$(grep -nE '#include "[a-z/_]*private\.h"' -r processor mail store reports |
	awk -F'[:"]' '{ f = $1; h = $4; sub("/[^/]*$", "", f); sub("/[^/]*$", "", h)
		if (f != h) print }')
[ -z "$found" ] || complain "a private header is included from another room:
$found"

# The parts of a request are each written by one file: who writes and what it is about by
# identify.c, the answer by request.c.
written() {
	found=$(grep -nE "(->|\\.)($1)\\.[a-z_.]+ (\\||\\+)?= |(\\+\\+|&)[a-z]+->($1)\\.[a-z_]+(\\+\\+)? = " \
		processor/*/*.c | grep -v "^processor/request/$2:" || true)
	[ -z "$found" ] || complain "only $2 writes $1:
$found"
}
written 'who|about' identify.c
written answer request.c

# At most 40 sources in a folder, at most 7,500 lines in a room of processor/.
for folder in $(awk '{ print $1 }' "$work/floors"); do
	n=$(ls "$folder"/*.c | wc -l)
	[ "$n" -le 40 ] || complain "$folder has $n sources"
	case $folder in processor/games) continue ;; esac
	n=$(cat "$folder"/*.[ch] | wc -l)
	[ "$n" -le 7500 ] || complain "$folder has $n lines"
done

# ---- Three circles -------------------------------------------------------------------------

# The server, that is what a mail and a turn pass through; games and what proves them; tools on top. The server
# opens the second by these headers alone (a room, then its headers), and nothing of the third, which the floors
# hold. The list may only become shorter.
cat >"$work/doors" <<'LIST'
clauses clauses
games rules registry doc loose repair decoration
bots bots
archive archive proof resolve parsed evidence
replay replay highlights analysis
LIST
awk '{ for (i = 2; i <= NF; i++) print "processor/" $1 "/" $i ".h" }' "$work/doors" | sort >"$work/may_open"
inner=$(awk '{ print $1 }' "$work/doors" | paste -sd '|')
grep -rhoE "#include \"processor/($inner|frames)/[^\"]*\"" mail store reports processor/base \
	processor/quotes processor/commandtext processor/calendar processor/server processor/match processor/outgoing \
	processor/turns processor/request processor/master processor/commands processor/intake |
	sed 's/.*"\(.*\)"/\1/' | sort -u >"$work/opens"
found=$(comm -23 "$work/opens" "$work/may_open")
[ -z "$found" ] || complain "the server opens more of the games and proofs than it may: $found"
found=$(comm -13 "$work/opens" "$work/may_open")
[ -z "$found" ] || complain "the server opens this no more, take it out: $found"

# ---- Circles -------------------------------------------------------------------------------

# Files of one room that call each other in a circle. They may only become fewer: whoever breaks
# one takes its line out. All of 2026-11.
#	base: an error is text, and a text too large is a BUG
#	games: a position holds its rules, and the rules point at what reads and resolves it
#	mail/parse: a part may be a report or a mail, whose parts are read as all others are
#	mail/sink: the list of sinks, and what each of them uses, are one file
#	mail/source: the fetching child with a file for each protocol
cat >"$work/known" <<'LIST'
mail/parse/parse_enclosed.c mail/parse/parse_report.c mail/parse/parse_text.c
mail/sink/sink.c mail/sink/sink_maildir.c mail/sink/sink_sendmail.c mail/sink/sink_smtp.c mail/sink/smtp_talk.c
mail/source/fetch_child.c mail/source/fetch_imap.c mail/source/fetch_pop3.c
processor/base/err.c processor/base/strbuf.c
processor/games/martian_boggle/guide.c processor/games/martian_boggle/rules.c processor/games/martian_boggle/state.c
processor/games/mole/coast.c processor/games/mole/physics.c
processor/games/mole/guide.c processor/games/mole/rules.c processor/games/mole/state.c
processor/games/mole_majority/guide.c processor/games/mole_majority/rules.c processor/games/mole_majority/state.c
processor/games/mole_park/guide.c processor/games/mole_park/rules.c processor/games/mole_park/state.c
processor/games/mole_park/orders.c processor/games/mole_park/players.c
processor/games/whakka_mole/guide.c processor/games/whakka_mole/orders.c processor/games/whakka_mole/resolve.c processor/games/whakka_mole/rules.c processor/games/whakka_mole/sample.c processor/games/whakka_mole/sheets.c processor/games/whakka_mole/solution.c processor/games/whakka_mole/state.c processor/games/whakka_mole/view.c
LIST
# Symbols with the object that defines or uses them; then pairs of files of one folder; then, by
# following them from each file, which of them lead back.
find processor mail store reports -name '*.c' >"$work/sources"
sed "s|^|$rel/|; s|c\$|o|" "$work/sources" | xargs nm -A -g 2>/dev/null | sed "s|^$rel/||; s|o:| |" | awk '
	{ file = $1 "c" }
	$2 == "U" || $2 == "w" { sub("@.*", "", $3); print file, "uses", $3; next }
	NF == 4 { print file, "has", $4 }' >"$work/symbols"
awk '
	function folder(f) { sub("/[^/]*$", "", f); return f }
	function walk(from, at,   i, k, next_) {
		k = split(edges[at], next_, " ")
		for (i = 1; i <= k; i++)
			if (!((from, next_[i]) in reach)) {
				reach[from, next_[i]] = 1
				walk(from, next_[i])
			}
	}
	$2 == "has" { owner[$3] = $1; next }
	{ user[++uses] = $1; symbol[uses] = $3 }
	END {
		for (u = 1; u <= uses; u++) {
			a = user[u]; b = owner[symbol[u]]
			if (b == "" || a == b || folder(a) != folder(b) || ((a, b) in edge))
				continue
			edge[a, b] = 1; edges[a] = edges[a] " " b; file[a] = 1
		}
		for (f in file) walk(f, f)
		for (f in file) {
			if (!((f, f) in reach)) continue
			line = ""
			for (g in file) if (((f, g) in reach) && ((g, f) in reach)) line = line " " g
			print substr(line, 2)
		}
	}' "$work/symbols" | while read -r circle; do
	# shellcheck disable=SC2086 # several words
	printf '%s\n' $circle | sort | tr '\n' ' ' | sed 's/ $//'
	echo
done | sort -u >"$work/circles"
while read -r circle; do
	grep -qxF "$circle" "$work/known" || complain "these call each other in a circle: $circle"
done <"$work/circles"
while read -r circle; do
	grep -qxF "$circle" "$work/circles" || complain "no circle any more, take it out: $circle"
done <"$work/known"

# ---- Names of games ------------------------------------------------------------------------

# A folder below games/ names a game. "mole" alone is no name: it stands in our own.
games=$(ls -d processor/games/*/ | sed 's|processor/games/||; s|/$||; s|_|[_ -]?|g' | grep -vx mole | paste -sd '|')
for file in $(grep -liE "$games" processor/*/*.c); do
	case $file in processor/games/* | processor/base/*) continue ;; esac
	# Comments may give examples.
	found=$($CC -fpreprocessed -dD -E -P "$file" 2>/dev/null | grep -iE "$games" || true)
	[ -z "$found" ] || complain "$file names a game:
$found"
done

# ---- Symbols -------------------------------------------------------------------------------

wanted() {
	nm -u "$@" 2>/dev/null | awk '$1 == "U" || $1 == "w" { print $2 }' | sed 's/@.*//' | sort -u
}
offered() { nm -g --defined-only "$@" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u; }

# Lines of the first file that are not in the second.
missing_from() { comm -23 "$1" "$2"; }

# reports may take from games what doc.h and rules.h declare, nothing of a single game.
wanted "$rel/reports.a" >"$work/reports"
offered "$rel/processor/games.a" >"$work/games"
for symbol in $(comm -12 "$work/reports" "$work/games"); do
	grep -qw "$symbol" processor/games/doc.h processor/games/rules.h ||
		complain "reports uses $symbol, which doc.h and rules.h do not have"
done

# games: pure. From libc only memory and text; from base nothing that reaches out.
cat >"$work/allowed" <<'LIST'
__popcountdi2
__stack_chk_fail
_GLOBAL_OFFSET_TABLE_
abort
bsearch
calloc
free
malloc
memchr
memcmp
memcpy
memmove
memset
qsort
realloc
strchr
strcmp
strlen
strncmp
strrchr
LIST
wanted "$rel/processor/games.a" >"$work/needs"
offered "$rel/processor/base.a" >"$work/base"
offered "$rel/processor/clauses.a" >"$work/clauses"
sort -u "$work/allowed" "$work/games" "$work/base" "$work/clauses" >"$work/fine"
for symbol in $(missing_from "$work/needs" "$work/fine"); do
	complain "games needs $symbol, which is not on the list of tests/support/layers.sh"
done
for part in clock random file env log step keyring; do
	[ -f "$rel/processor/base/$part.o" ] || continue
	offered "$rel/processor/base/$part.o" >"$work/part"
	for symbol in $(comm -12 "$work/needs" "$work/part"); do
		complain "games uses $symbol of base/$part.c"
	done
done

# The clock, the environment and randomness each have one door.
found=$(awk '
	{ doors = "^(time|gettimeofday|clock_gettime|(secure_)?getenv|rand|random|getrandom|randombytes_buf)$" }
	$1 == "processor/base/clock.c" { doors = "^(getenv|rand)$" }
	$1 == "processor/base/env.c" { doors = "^(time|clock_gettime|rand)$" }
	$1 == "processor/base/random.c" { doors = "^(time|clock_gettime|getenv)$" }
	$2 == "uses" && $3 ~ doors { print $1, "calls", $3, "itself" }' "$work/symbols")
[ -z "$found" ] || complain "$found"

# The program as it is shipped cannot be made to do what tests do, nor plays their game.
found=$({ offered "$program"; strings "$program"; } |
	grep -iE '^(skeleton_1|break_out)$|MOLEPOST_TEST|Molepost-Test' || true)
[ -z "$found" ] || complain "$program holds what only tests may have:
$found"

exit "$bad"
