#!/bin/sh
# Lines reached by the last `make coverage`, the least covered file first.
#
#	coverage.sh FOLDER FILE.c ...	FOLDER holds the objects, below it the paths of the files
set -eu
objects=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for file in "$@"; do
	if [ -f "$objects/${file%.c}.gcda" ]; then
		gcov -n -o "$objects/${file%.c}.gcno" "$file" 2>/dev/null |
			awk -v want="$file" '
				/^File / { here = ($0 == "File '\''" want "'\''") }
				here && /^Lines executed:/ {
					split($2, part, /[:%]/)
					print part[2], $4, want
					exit
				}'
	else
		echo "0.00 ? $file"
	fi
done | sort -n | tee "$work/table" | awk '{ printf "%7.2f %%  of %5s  %s\n", $1, $2, $3 }'
awk '{ lines += $2; reached += $1 * $2 / 100 }
	END { if (lines) printf "%7.2f %%  of %5d  all\n", 100 * reached / lines, lines }' "$work/table"
