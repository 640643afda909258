#!/bin/sh
# What test programs are linked from.
#
#	links.sh rooms	a line a room: its name, and the rooms it may use ("..." of floors written out)
#	links.sh	a line a program of tests/: "tests/unit/base/test_num:A.o,B.o,C.a", objects first,
#			archives from the top down
#
# Follows the lines #include "..." of a program. One of tests/support/NAME.h, or NAME_parts.h, brings
# the objects of NAME.c, and of each NAME_*.c that has no header of its own, and what those include.
# One of a room brings the archives of that room and of those it may use; "mail" are all rooms of mail/.
# Benchmarks measure the program as it is shipped: they have no hooks.
set -eu
here=tests/support
case ${1:-} in
'') grep -H '^#include "' tests/*/*.[ch] tests/unit/*/*.c ;;
esac | awk -v floors=$here/floors -v what="${1:-}" -v sources="$(echo $here/*.[ch])" '
BEGIN {
	while ((getline line < floors) > 0) {
		n = split(line, word, " ")
		if (line ~ /^#/ || n == 0) continue
		rooms[++nrooms] = room = word[1]
		used[room] = ""
		for (i = 2; i <= n; i++) used[room] = used[room] " " word[i]
		if (word[2] == "...") used[room] = " mail" all
		all = all " " room
		if (what == "rooms") print room used[room]
	}
	n = split(sources, word, " ")
	for (i = 1; i <= n; i++) is_there[word[i]] = 1
}
{
	file = substr($1, 1, index($1, ":") - 1)
	split($0, quoted, "\"")
	includes[file] = includes[file] " " quoted[2]
	if (file ~ /\.c$/ && file !~ /^tests\/support\//) programs[file] = 1
}
function add_room(room,   i, n, name) {
	if (room in has_room) return
	has_room[room] = 1
	n = split(used[room], name, " ")
	for (i = 1; i <= n; i++)
		if (name[i] != "mail") has_room[name[i]] = 1
}
function add_support(header,   name, file, rest) {
	name = header
	sub(/(_parts)?\.h$/, "", name)
	for (file in is_there) {
		if (file !~ /\.c$/ || substr(file, 1, length(name)) != name) continue
		rest = substr(file, length(name) + 1)
		sub(/\.c$/, "", rest)
		if (rest == "" || (rest ~ /^_/ && !((name rest ".h") in is_there))) {
			sub(/\.c$/, ".o", file)
			objects[file] = 1
			sub(/\.o$/, ".c", file)
			follow(file)
		}
	}
	follow(header)
}
function follow(file,   i, n, path, dir) {
	if (file in seen) return
	seen[file] = 1
	n = split(includes[file], path, " ")
	for (i = 1; i <= n; i++) {
		dir = path[i]
		sub(/\/[^\/]*$/, "", dir)
		if (path[i] ~ /^tests\//) add_support(path[i])
		else if (dir ~ /^processor\/games/) add_room("processor/games")
		else if (dir == "mail") for (r = 1; r <= nrooms; r++) {
			if (rooms[r] ~ /^mail\//) add_room(rooms[r])
		} else add_room(dir)
	}
}
END {
	for (program in programs) {
		split("", seen); split("", has_room); split("", objects)
		if (program !~ /^tests\/bench\//) add_support("tests/support/hooks.h")
		follow(program)
		if (program !~ /^tests\/bench\// && ("processor/games" in has_room))
			objects["tests/support/extra_game.o"] = 1
		line = ""
		for (o in objects) line = line "," o
		for (r = nrooms; r > 0; r--)
			if (rooms[r] in has_room) line = line "," rooms[r] ".a"
		sub(/\.c$/, "", program)
		print program ":" substr(line, 2)
	}
}'
