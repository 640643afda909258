#!/bin/sh
# The migrations, for store/engine/schema.c: the files NNN-name.sql of this folder in the order of their numbers,
# which count from 001 without a gap. PostgreSQL is given the file of the same name in postgresql/, or the same
# text where there is none; the first file there makes all that the migrations up to it make.
set -eu
cd "$(dirname "$0")"
number=0 begun=
for file in [0-9]*.sql; do
	number=$((number + 1))
	case $file in
	$(printf %03d "$number")-*) ;;
	*) echo "store/schema/$file is not number $number" >&2; exit 1 ;;
	esac
	twin=${begun:+sqlite_$number}
	echo "SQL_FILE(sqlite_$number, \"$file\")"
	if [ -f "postgresql/$file" ]; then
		begun=yes twin=postgresql_$number
		echo "SQL_FILE($twin, \"postgresql/$file\")"
	fi
	echo "MIGRATION(\"${file%.sql}\", sqlite_$number, ${twin:-NULL})"
done
for file in postgresql/*.sql; do
	[ -f "${file#*/}" ] || { echo "store/schema/$file has no twin" >&2; exit 1; }
done
