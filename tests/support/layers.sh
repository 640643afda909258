#!/bin/sh
# Who may use whom.
#
#	layers.sh FOLDER	FOLDER holds one archive per layer: base.a games.a mail.a ...
#
# Three ways of looking: the includes, as written; each archive linked whole against an empty
# main with nothing but what its row allows; and the symbols that games/ takes from libc, against
# a list. Every line that is printed is a violation; the exit code says whether there was one.
set -u
rel=$1
CC=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

complain() {
	printf 'layers: %s\n' "$*"
	bad=1
}

# ---- Includes ------------------------------------------------------------------------------

# includes LAYER OURS SYSTEM FILE...: our headers must match OURS, <...> must not match SYSTEM.
includes() {
	layer=$1 ours=$2 forbidden=$3
	shift 3
	found=$(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$@" /dev/null |
		grep -vE ":[0-9]+:[^\"]*\"($ours)" || true)
	[ -z "$found" ] || complain "$layer must not include:
$found"
	found=$(grep -nE "^[[:space:]]*#[[:space:]]*include[[:space:]]*<($forbidden)" "$@" \
		/dev/null || true)
	[ -z "$found" ] || complain "$layer must not include:
$found"
}

base='processor/base/'
libraries='sqlite3|libetpan/|curl/'
# What a game could learn the time, the weather or other people's hands from.
world='time\.h|sys/|unistd|fcntl|dirent|dlfcn|pthread|signal|locale|math|fenv|complex|sodium'
public='processor/games/(doc|rules)\.h|reports/'

# shellcheck disable=SC2046 # a list of plain file names is wanted
{
	includes base "$base" "$libraries" processor/base/*.[ch]
	includes games "$base|processor/games/" "$libraries|$world" \
		$(find processor/games -name '*.[ch]')
	includes mail "$base|mail/" sqlite3 mail/*.[ch]
	includes store "$base|store/" 'libetpan/|curl/' store/*.[ch]
	includes reports "$base|$public" "$libraries|time\.h" reports/*.[ch]
	includes processor '(processor|mail|store|reports)/' "$libraries" processor/*.[ch]
	includes 'store outside db.c' '[^"]*' sqlite3 $(find store -name '*.[ch]' ! -name 'db*.c')
	includes 'a header of mail' '[^"]*' 'libetpan/|curl/' mail/mail.h mail/parser.h \
		mail/source.h mail/sink.h mail/compose.h
}

# ---- Names of games ------------------------------------------------------------------------

# A folder below games/ names a game. "mole" alone is no name: it stands in our own.
for folder in processor/games/*/; do
	game=$(basename "$folder" | sed 's/_/[_ -]?/g')
	[ "$game" != mole ] || continue
	for file in processor/*.c; do
		# Comments may give examples.
		found=$("$CC" -fpreprocessed -dD -E -P "$file" 2>/dev/null | grep -iE "$game" || true)
		[ -z "$found" ] || complain "$file names the game $(basename "$folder"):
$found"
	done
done

# ---- Linking -------------------------------------------------------------------------------

# link_alone LAYER MORE...: all of LAYER, with nothing but MORE, leaves no symbol open.
link_alone() {
	layer=$1
	shift
	if ! "$CC" -o "$work/main" "$work/main.c" -Wl,--whole-archive "$rel/$layer.a" \
		-Wl,--no-whole-archive "$@" 2>"$work/errors"; then
		complain "$layer does not link with $*:
$(grep -E 'undefined reference|cannot find' "$work/errors" | sed 's/^[^ ]*ld: //' | sort -u | head -n 20)"
	fi
}

echo 'int main(void) { return 0; }' >"$work/main.c"
link_alone base -lsodium -lutf8proc
link_alone games "$rel/base.a" -lsodium -lutf8proc
link_alone mail "$rel/base.a" -lsodium -lutf8proc
link_alone store "$rel/base.a" -lsodium -lutf8proc -lsqlite3
link_alone reports "$rel/games.a" "$rel/base.a" -lsodium -lutf8proc
link_alone processor "$rel/reports.a" "$rel/store.a" "$rel/mail.a" "$rel/games.a" \
	"$rel/base.a" -lsodium -lutf8proc -lsqlite3

# ---- Symbols -------------------------------------------------------------------------------

wanted() {
	nm -u "$@" 2>/dev/null | awk '$1 == "U" || $1 == "w" { print $2 }' | sed 's/@.*//' | sort -u
}
offered() { nm -g --defined-only "$@" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u; }

# Lines of the first file that are not in the second.
missing_from() { comm -23 "$1" "$2"; }

# reports may take from games what doc.h and rules.h declare, nothing of a single game.
wanted "$rel/reports.a" >"$work/reports"
offered "$rel/games.a" >"$work/games"
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
wanted "$rel/games.a" >"$work/needs"
offered "$rel/base.a" >"$work/base"
sort -u "$work/allowed" "$work/games" "$work/base" >"$work/fine"
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
# shellcheck disable=SC2044 # no blanks in our file names
for object in $(find "$rel" -name '*.o' ! -path '*/tests/*'); do
	doors='time|gettimeofday|clock_gettime|getenv|secure_getenv|rand|random|getrandom|randombytes_buf'
	case $object in
	*/base/clock.o) doors='getenv|rand' ;;
	*/base/env.o) doors='time|clock_gettime|rand' ;;
	*/base/random.o) doors='time|clock_gettime|getenv' ;;
	esac
	found=$(wanted "$object" | grep -xE "$doors" | tr '\n' ' ')
	[ -z "$found" ] || complain "$object calls $found itself"
done

exit "$bad"
