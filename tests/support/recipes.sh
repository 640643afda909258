#!/bin/sh
# The recipes of processor/README.md against the tree and against what was last done by them.
#
#	recipes.sh		prints what is wrong; exit code 1 if anything is
#
# A recipe begins with "### NAME: ..."; what stands in `...` below it and has a slash, or is README.md,
# is a file or a pattern. Each must name something there is. The last commit with "Recipe: NAME" in its
# message may have touched these and, along with anything, tests/, CHANGES and goldens.
set -eu
page=${1:-processor/README.md}
bad=0

for name in $(sed -n 's/^### \([a-z]*\): .*/\1/p' "$page"); do
	patterns=$(awk -v name="$name" '
		/^#/ { within = index($0, "### " name ":") == 1; next }
		within { n = split($0, part, "`"); for (i = 2; i <= n; i += 2) print part[i] }' "$page" |
		grep -E '^[^ =()]*/[^ =()]*\.[^ =()]*$|^README\.md$' | sort -u)
	set -f
	for pattern in $patterns; do
		set +f
		# shellcheck disable=SC2086 # the pattern is to be expanded
		ls -d $pattern >/dev/null 2>&1 || { echo "recipe $name: there is no $pattern"; bad=1; }
	done
	last=$(git log -1 --format=%H --grep="^Recipe: $name\$" 2>/dev/null || true)
	[ -n "$last" ] || continue
	set -f
	for file in $(git show --format= --name-only --diff-filter=AM "$last"); do
		case $file in tests/* | processor/man/CHANGES | processor/README.md) continue ;; esac
		known=
		for pattern in $patterns; do
			# shellcheck disable=SC2254 # a pattern is wanted
			case $file in $pattern) known=1 ;; esac
		done
		[ -n "$known" ] || { echo "recipe $name: $(git log -1 --format=%h "$last") touched $file"; bad=1; }
	done
done
exit "$bad"
