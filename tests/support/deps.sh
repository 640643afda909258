#!/bin/sh
# Installs what a set of Debian packages is missing, and says of each why it is needed.
#
#	deps.sh build|test|lint|package ...
#	deps.sh look build|test|lint|package ...	only says what is missing; exit 1 if anything is
#
# While packages come it says how far that is: on a terminal each second, in the same line, elsewhere every ten.
# Only packages that dpkg does not know as installed are asked for. Nothing is removed, no
# question is asked and no service is started. DEPS=skip turns all of it off. Exit: 0 done or
# nothing to do, 78 when a person has to decide, otherwise what apt-get said.
set -eu

look=
if [ "$1" = look ]; then
	look=yes
	shift
elif [ "${DEPS:-}" = skip ]; then
	exit 0
fi

# One line per package: name, then the reason that is printed.
build_set() {
	cat <<-'LIST'
	gcc the C compiler
	libc6-dev headers of the C library
	libetpan-dev reads MIME mail, speaks IMAP and POP3
	libsqlite3-dev the database
	libpq-dev the database, for who has it on a PostgreSQL server
	libsodium-dev seals, hashes, signatures
	libseccomp-dev keeps the processes that read foreign mail from system calls
	libutf8proc-dev Unicode: normal form, case folding, widths
	zlib1g-dev packs what is attached to mails
	libcairo2 paints the boards of mails that have an HTML form
	fonts-dejavu-core the letters in them
	libedit2 edits lines at the prompt of molepost play
	tzdata time zones of players
	wamerican word list of Martian Boggle: american
	wbritish word list of Martian Boggle: british, and with the first: both
	wamerican-large word list of Martian Boggle: large
	LIST
}

test_set() {
	cat <<-'LIST'
	libcriterion-dev the test framework
	clang builds the fuzz targets
	libclang-rt-dev run-time of the fuzzer and the sanitizers
	python3 a second program that checks archives, sharing nothing with the first
	dovecot-imapd a real IMAP server to read from
	dovecot-pop3d the same for POP3
	postgresql a real PostgreSQL to keep games on
	postfix a real SMTP server to send through
	iproute2 joins machines that are processes of this one
	tidy checks the HTML of the pages of `molepost site`
	mmdebstrap puts servers that exclude each other (Exim, Courier, Cyrus) into folders of their own
	LIST
}

# Large, and not for every machine: where it cannot be had, its tests are skipped.
browser=chromium

lint_set() {
	cat <<-'LIST'
	clang second compiler for the header check
	clang-tidy static analysis
	clang-format checks the layout
	cppcheck static analysis
	mandoc checks the manual pages
	LIST
}

package_set() {
	cat <<-'LIST'
	debhelper makes the Debian package
	dpkg-dev the same
	fakeroot so that the files in it belong to root
	lintian checks it
	LIST
}

installed() {
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Another mail server than Postfix: installing Postfix would replace it.
other_mail_server() {
	dpkg-query -W -f '${db:Status-Status} ${Package} ${Provides}\n' 2>/dev/null |
		sed -n '/^installed postfix /d; s/^installed \([^ ]*\) .*mail-transport-agent.*/\1/p' |
		head -n 1
}

# libetpan-dev needs the GnuTLS flavour of libcurl's headers, which cannot be installed beside
# the OpenSSL one. Which of the two stays is not ours to decide.
check_curl_flavour() {
	installed libcurl4-openssl-dev || return 0
	cat >&2 <<-'TEXT'
	deps: libetpan-dev needs libcurl4-gnutls-dev, which cannot be installed beside the
	deps: libcurl4-openssl-dev that this machine has. Nothing was changed. Either
	deps:   apt-get install libcurl4-gnutls-dev     (replaces the OpenSSL flavour; programs
	deps:                                            built against it keep running)
	deps: or build in a container or chroot of its own.
	TEXT
	exit 78
}

without_browser() {
	echo "deps: $browser could not be installed: skipped are the tests e2e/browser"
}

missing=
wanted=
why=
for set in "$@"; do
	case $set in
	build | test | lint | package) ;;
	*)
		echo "deps: unknown set '$set' (build, test, lint, package)" >&2
		exit 64
		;;
	esac
	if [ "$set" = test ] && ! command -v "$browser" >/dev/null; then
		wanted=$browser
		why="$why  $browser: a real browser leafs through pages (400 MB)
"
	fi
	list=$("${set}_set")
	while read -r package reason; do
		case " $missing " in *" $package "*) continue ;; esac
		if installed "$package"; then
			continue
		fi
		if [ "$package" = postfix ] && mta=$(other_mail_server) && [ -n "$mta" ]; then
			echo "deps: postfix left out, $mta is installed: skipped are the tests e2e/postfix"
			continue
		fi
		missing="$missing $package"
		why="$why  $package: $reason
"
	done <<-LIST
	$list
	LIST
done

if [ -z "$missing$wanted" ]; then
	[ -z "$look" ] || echo 'deps: nothing is missing'
	exit 0
fi
if [ "$look" ]; then
	printf 'deps: missing here\n%s' "$why"
	exit 1
fi
printf 'deps: installing what is missing\n%s' "$why"
case " $missing " in
*" libetpan-dev "*) check_curl_flavour ;;
esac
give_up() {
	if [ -z "$missing" ]; then
		without_browser
		exit 0
	fi
	echo "deps: $1" >&2
	exit 78
}
if ! command -v apt-get >/dev/null; then
	give_up "no apt-get here; please install these by hand, or run with DEPS=skip"
fi

as_root=
if [ "$(id -u)" -ne 0 ]; then
	as_root=sudo
	if ! command -v sudo >/dev/null; then
		give_up "not root and no sudo; as root run: apt-get install$missing"
	fi
fi

log=$(mktemp)
policy=
watch=
clean_up() {
	[ -z "$watch" ] || kill "$watch" 2>/dev/null || true
	rm -f "$log"
	if [ -n "$policy" ]; then
		$as_root rm -f "$policy"
	fi
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

# invoke-rc.d asks this file before it starts anything; 101 means "do not".
if [ ! -e /usr/sbin/policy-rc.d ]; then
	policy=/usr/sbin/policy-rc.d
	printf '#!/bin/sh\nexit 101\n' | $as_root tee "$policy" >/dev/null
	$as_root chmod 755 "$policy"
fi

# The variables are set behind sudo, which does not pass them on.
apt() {
	$as_root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 \
		apt-get -q -o DPkg::Lock::Timeout=600 "$@" </dev/null >>"$log" 2>&1
}

# As apt-get's own lines have it.
tell_progress() {
	seconds=0
	while sleep 1; do
		seconds=$((seconds + 1))
		[ -t 1 ] || [ $((seconds % 10)) -eq 0 ] || continue
		said="deps: $seconds s: $(grep -c '^Get:' "$log") files fetched, $(grep -c '^Setting up' "$log" || :) packages set up"
		if [ -t 1 ]; then printf '\r%s ' "$said"; else echo "$said"; fi
	done
}
tell_progress &
watch=$!

# A mirror that cannot be reached is no reason to stop if the packages are at hand.
apt update || echo "deps: apt-get update failed; trying with the lists that are here" >&2
get() {
	apt install -y --no-install-recommends --no-remove "$@"
}
status=0
# shellcheck disable=SC2086 # one word per package
[ -z "$missing" ] || get $missing || status=$?
if [ "$status" -ne 0 ]; then
	cat "$log" >&2
	echo "deps: apt-get failed; nothing was removed. DEPS=skip builds without this step." >&2
	exit "$status"
fi
[ -z "$wanted" ] || get "$wanted" || without_browser
[ ! -t 1 ] || echo
