#!/usr/bin/env python3
"""Plants mistakes in the rules of games, and has the contract look for each.

    planted.py LIST BUILD CLANG

LIST is planted.txt. Of each mistake the changed file is compiled under the sanitizers and linked
with test_contract and test_states, which must fail; with nothing changed they must pass. Prints
what was noticed, by name; exit status 1 when something was not.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

SANITIZE = "-fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all"
COMPILE = ("-I. -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -std=c17 -O1 -w "
           + SANITIZE)
LIBRARIES = "-lcriterion -lsqlite3 -lsodium -lutf8proc -lz"
SEATS, GAMES, STATES, PATIENCE = "3", "30", "3", 300


class Mistake:
    def __init__(self, name):
        self.name, self.changes = name, []

    def file(self):
        return self.changes[0][0]

    def kind(self):
        return self.file().split("/")[0].replace("_", "-")

    def source(self):
        path = pathlib.Path("processor/games", self.file())
        text = path.read_text(encoding="utf-8")
        for _, old, new in self.changes:
            old, new = "\n".join(old), "\n".join(new)
            if text.count(old) != 1:
                sys.exit("%s: stands %d times in %s:\n%s" % (self.name, text.count(old), path, old))
            text = text.replace(old, new)
        return text


def read_list(path):
    mistakes = []
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        if line.startswith("* "):
            mistakes.append(Mistake(line[2:]))
        elif line.startswith("in "):
            mistakes[-1].changes.append((line[3:], [], []))
        elif line.startswith("- "):
            mistakes[-1].changes[-1][1].append(line[2:])
        elif line.startswith("+ ") or line == "+":
            mistakes[-1].changes[-1][2].append(line[2:])
    return mistakes


def notices(kind, source, build, clang, folder):
    """What the contract says when it fails with this source among the rules, else ""; None: nothing changed."""
    parts = pathlib.Path(build, "tests/games/test_states.parts").read_text(encoding="utf-8").split()
    # The contract plays bots as well, above the games.
    objects = [build + "/fuzzing/tests/games/test_contract.o", build + "/fuzzing/processor/bots.a"]
    if source is not None:
        changed = folder + "/changed.c"
        pathlib.Path(changed).write_text(source, encoding="utf-8")
        subprocess.run([clang, *COMPILE.split(), "-c", "-o", changed[:-1] + "o", changed], check=True)
        objects.append(changed[:-1] + "o")
    program = folder + "/contract"
    subprocess.run(
        [clang, *SANITIZE.split(), "-o", program, *objects, *parts, *LIBRARIES.split()],
        check=True,
    )
    # Started by a test, this program must not take itself for a part of that test.
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("BXFI", "CRITERION"))}
    env = {**clean, "GAMES": kind, "GAMES_PER_KIND": GAMES, "PLAYERS": SEATS,
           "STATES": STATES, "STATE_GAMES": "1"}
    try:
        ran = subprocess.run([program, "-j1"], env=env, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return "it does not end"
    said = (ran.stdout + ran.stderr).decode("utf-8", "replace")
    return "" if ran.returncode == 0 else said or "status %d" % ran.returncode


def look(mistake, build, clang):
    with tempfile.TemporaryDirectory(prefix="molepost-planted-") as folder:
        if mistake is None:
            kinds = ("skeleton", "whakka-mole")
            return "".join(notices(k, None, build, clang, folder) for k in kinds)
        return notices(mistake.kind(), mistake.source(), build, clang, folder)


def main(path, build, clang):
    chosen = [k for k in os.environ.get("GAMES", "").split(",") if k]
    mistakes = [m for m in read_list(path) if not chosen or m.kind() in chosen]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        sound = pool.submit(look, None, build, clang)
        found = list(pool.map(lambda m: look(m, build, clang), mistakes))
    for mistake, noticed in zip(mistakes, found):
        print("%s  %s: %s" % ("noticed" if noticed else "MISSED ", mistake.kind(), mistake.name))
    if sound.result():
        sys.exit("the contract fails with nothing changed:\n" + sound.result())
    print("%d planted, %d noticed" % (len(found), sum(map(bool, found))))
    sys.exit(0 if all(found) and (chosen or len(found) >= 20) else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
