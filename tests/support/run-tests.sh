#!/bin/sh
# Runs test programs and adds up what they say.
#
#	run-tests.sh PROGRAM ...
#
# A program below .../tests/fuzz/ is a fuzz target and counts as one test: a short run from a
# fixed seed over its corpus. Any other is a Criterion program, whose synthesis line is read
# but never believed against its exit code. What is known to take long (tests/support/longest) begins
# first, so that all processors have work to the end. Each program has a line with its seconds by the
# clock and by the processor, those of all its children that it waited for. Environment:
#
#	T=glob          suite/test, or program/suite/test, or one word: a program or a suite;
#	                conversations/030*: those of tests/conversations whose names begin so
#	V=1             show everything, not only failures
#	JOBS=n          programs at a time (2)
#	TEST_TIMEOUT=s  per program (3000)
#	FUZZ_TIME=s     per fuzz target (2)
#	VALGRIND=cmd    put before each program
#
# The last line is "N passed, N failed". A program that ran no test has failed, unless T or GAMES is
# set; then it is a failure if none of them ran one.
set -u

export LC_ALL=C
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}abort_on_error=1:detect_leaks=1:verify_asan_link_order=0"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:+$UBSAN_OPTIONS:}halt_on_error=1:print_stacktrace=1"

case ${T:-} in
conversations/[0-9]*)
	T1=${T#*/}
	T1=${T1%\*}
	T=test_conversations
	export T T1
	;;
esac

# The Criterion filter for this program on stdout; status 1 = leave the program out.
filter_for() {
	case ${T:-} in
	'') ;;
	*/*/*)
		# shellcheck disable=SC2254 # the first part is meant as a glob
		case $1 in ${T%%/*}) printf '%s' "${T#*/}" ;; *) return 1 ;; esac
		;;
	*/*) printf '%s' "$T" ;;
	*)
		# shellcheck disable=SC2254
		case $1 in $T) ;; *) printf '%s' "$T/*" ;; esac
		;;
	esac
}

# A field of the synthesis line; empty if the program died before it.
tally() {
	sed -n "s/.*Synthesis:.*$1: *\\([0-9]*\\).*/\\1/p" "$2" | tail -n 1
}

run_fuzz() {
	target=${1##*/}
	# shellcheck disable=SC2254
	case $target in ${T:-*}) ;; *) return 2 ;; esac
	corpus=tests/fuzz/corpus/$target
	[ -d "$corpus" ] || corpus=
	scratch=$(mktemp -d)
	# shellcheck disable=SC2086 # no corpus = no word
	timeout -k 5 "$limit" "$1" -seed=1 -max_total_time="${FUZZ_TIME:-2}" -timeout=10 \
		-rss_limit_mb=2048 -artifact_prefix="$1-" "$scratch" $corpus \
		</dev/null >"$log" 2>&1
	code=$?
	rm -rf "$scratch"
	tested=1
	passing=$((code == 0))
}

run_criterion() {
	filter=$(filter_for "${1##*/}") || return 2
	# shellcheck disable=SC2086 # several words
	set -- ${VALGRIND:-} "$1" --color=never
	[ -z "$filter" ] || set -- "$@" --filter "$filter"
	[ "${V:-0}" != 1 ] || set -- "$@" --verbose
	timeout -k 5 "$limit" "$@" </dev/null >"$log" 2>&1
	code=$?
	tested=$(tally Tested "$log")
	passing=$(tally Passing "$log")
	tested=${tested:-0}
	passing=${passing:-0}
}

# One program: writes NAME.result with "passed failed ran" and shows what a person must see.
run_one() {
	name=${1#*/tests/}
	limit=${TEST_TIMEOUT:-3000}
	began=$(date +%s)
	log=$out/$(echo "$name" | tr / .).log
	code=0
	tested=0
	passing=0
	case $1 in
	*/tests/fuzz/*) run_fuzz "$1" ;;
	*) run_criterion "$1" ;;
	esac
	[ $? -ne 2 ] || return 0
	times >"$log.times" # not in a pipe: that would be another process, with children of its own
	took=$(($(date +%s) - began))\ s,\ processor\ $(sed -n '2s/[ms]/ /gp' "$log.times" |
		awk '{ printf "%.1f", 60 * $1 + $2 + 60 * $3 + $4 }')\ s
	failed=$((tested - passing))
	[ "$code" -ne 124 ] || echo "$name: stopped after $limit s" >>"$log"
	if [ "$code" -ne 0 ] && [ "$failed" -eq 0 ]; then
		echo "$name: exit code $code, although no test failed" >>"$log"
		failed=1
	elif [ "$tested" -eq 0 ] && [ -z "${T:-}${GAMES:-}" ]; then
		echo "$name: ran no test" >>"$log"
		failed=1
	fi
	echo "$passing $failed $tested" >"${log%.log}.result"
	if [ "$failed" -ne 0 ] || [ "${V:-0}" = 1 ]; then
		{
			echo "== $name: $passing passed, $failed failed, $took"
			cat "$log"
		} >"$log.show"
		cat "$log.show"
	elif [ "$tested" -ne 0 ]; then
		# shellcheck disable=SC2012 # a number is wanted, not names
		printf '  %-7s %s (%s) %s, %s of %s\n' OK "$name" "$tested" "$took" \
			"$(ls "$out"/*.result | wc -l)" "${PROGRAMS_ALL:-?}"
	fi
}

if [ "${1:-}" = --one ]; then
	out=$2
	run_one "$3"
	exit 0
fi

longest_first() {
	awk '{ name = $1 } NR == FNR { rank[name] = NR; next }
		{ sub(".*/tests/", "", name); print (name in rank ? rank[name] : 1000), $1 }' \
		tests/support/longest - | sort -sn -k 1,1 | cut -d ' ' -f 2
}

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
trap 'exit 1' HUP INT TERM
begun=$(date +%s)
export PROGRAMS_ALL=$#
if [ $# -gt 0 ]; then
	printf '%s\n' "$@" | longest_first | xargs -n 1 -P "${JOBS:-2}" "$0" --one "$out"
fi
if [ $# -eq 0 ] || ! ls "$out"/*.result >/dev/null 2>&1; then
	echo "run-tests: nothing to run${T:+ for T=$T}"
	echo "0 passed, 1 failed"
	exit 1
fi
cat "$out"/*.result | {
	passed=0
	failed=0
	ran=0
	while read -r p f t; do
		passed=$((passed + p))
		failed=$((failed + f))
		ran=$((ran + t))
	done
	if [ "$ran" -eq 0 ] && [ "$failed" -eq 0 ]; then
		echo "run-tests: no test matches T=${T:-}"
		failed=1
	fi
	echo "run-tests: it took $(($(date +%s) - begun)) s"
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ]
}
