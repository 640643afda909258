#!/usr/bin/env python3
"""pg_statements.py - what the store asks of its database, as a script for psql.

Prints the migrations of PostgreSQL, and after a line "-- STATEMENTS" one PREPARE for
each statement in store/*.c and store/*/*.c, named by its place in the list, each on a line of its
own behind a comment with its file. The statements are taken from the source as the compiler sees
it (cc -E): every string literal that begins like one. Only placeholders are changed: ? and ?2
become $1 and $2. What SQLite alone has (pragmas, its own tables) is left out.
"""
import glob
import os
import re
import subprocess

LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
STARTS = ("SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WITH ")
ONLY_SQLITE = re.compile(r"pragma_|sqlite_|PRAGMA|OR IGNORE|OR REPLACE")


def literals(text):
    """Adjacent string literals as one, in order."""
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    at = 0
    while True:
        m = LITERAL.search(text, at)
        if not m:
            return
        whole = m.group(1)
        at = m.end()
        while True:
            more = re.match(r'\s*"((?:[^"\\]|\\.)*)"', text[at:])
            if not more:
                break
            whole += more.group(1)
            at += more.end()
        yield whole.replace('\\"', '"').replace("\\n", "\n")


def outside_quotes(sql, change):
    return "".join(p if p.startswith("'") else change(p) for p in re.split(r"('[^']*')", sql))


def placeholders(sql):
    number = [0]

    def one(m):
        if m.group(1):
            number[0] = max(number[0], int(m.group(1)))
            return "$" + m.group(1)
        number[0] += 1
        return "$%d" % number[0]

    return outside_quotes(sql, lambda p: re.sub(r"\?(\d*)", one, p))


def main():
    listed = subprocess.run(["store/schema/list.sh"], check=True, capture_output=True, text=True).stdout
    files = dict(re.findall(r'SQL_FILE\((\w+), "(.*)"\)', listed))
    for symbol in re.findall(r"MIGRATION\(.*, (\w+)\)", listed):
        if symbol in files:
            with open("store/schema/" + files[symbol], encoding="utf-8") as text:
                print(text.read())
    print("-- STATEMENTS")
    seen = set()
    cc = os.environ.get("CC", "cc").split()
    for path in sorted(glob.glob("store/*.c") + glob.glob("store/*/*.c")):
        if os.path.basename(path) in ("sqlite.c", "postgresql.c", "copy.c"):
            continue  # these look into SQLite itself
        text = subprocess.run([*cc, "-E", "-P", "-I.", "-std=c17", "-D_DEFAULT_SOURCE", path],
                              check=True, capture_output=True, text=True).stdout
        for sql in literals(text):
            if not sql.startswith(STARTS) or ONLY_SQLITE.search(sql) or sql in seen:
                continue
            if sql.rstrip().endswith(("WHERE", "FROM", ",", "=")):
                continue  # half of one, for tests of macros
            seen.add(sql)
            print("-- %s" % path)
            print("PREPARE s%d AS %s;" % (len(seen), " ".join(placeholders(sql).split())))


main()
