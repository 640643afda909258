#!/usr/bin/env python3
"""Changes one condition, constant or statement of the program at a time, and sees whether a test notices.

    mutate.py N FOLDER BUILD [SEED]

N changes in the .c files of FOLDER, or in one file, each made in a copy of the sources, compiled, and shown to the
fast tests that could notice, and what these miss to a few under the sanitizers, which see a look beyond an array.
What does not compile is drawn again, and so is what tests/support/mutate-equal.txt lists with the reason why it
changes nothing that can be seen. Prints each, the score and the survivors. The sources themselves are not
touched. Exit status 1 below 85 percent.
"""

import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

LEAST, PATIENCE, SANITIZED = 0.85, 600, "build/asan"
# What a change is: a pattern, and what stands there instead.
CHANGES = (
    (re.compile(r" == "), " != "),
    (re.compile(r" != "), " == "),
    (re.compile(r" < "), " <= "),
    (re.compile(r" <= "), " < "),
    (re.compile(r" > (?!=)"), " >= "),
    (re.compile(r" >= "), " > "),
    (re.compile(r" && "), " || "),
    (re.compile(r" \|\| "), " && "),
    (re.compile(r"(?<=[(=,] )\b(\d{1,4})\b(?=[;,)])"), lambda m: str(int(m.group(1)) + 1)),
    (re.compile(r" \+ 1\b"), ""),
    (re.compile(r"\breturn true;"), "return false;"),
    (re.compile(r"\breturn false;"), "return true;"),
    (re.compile(r"^\t+[a-z_]+\([^;{}]*\);$"), ";"),
    (re.compile(r"^\t+[a-z_>.\[\]-]+ = [^;{}]*;$"), ";"),
)
# What memory is not given back the sanitizers see, not these tests.
FREES = re.compile(r"\b(\w+_release|\w*free|\w+_close)\(")
CONVERSATIONS = ["conversations/test_" + name for name in (
    "conversations", "seats", "masters", "clocks", "pauses", "standing", "queue", "ending", "provenance",
    "invitations", "outages", "ratings", "contributions", "codes", "examples", "totals", "secrecy", "word_lists")]
# Each a few seconds long.
WHOLE = ["e2e/test_" + name for name in (
    "which_game", "quota", "abort_turn", "lengths", "strangers", "bounces", "authenticate", "commands", "copies", "verify",
    "retention", "limits", "store_copy", "month")]


def tests_for(folder):
    """Fast ones first."""
    room = folder.strip("/").removesuffix("/" + pathlib.Path(folder).name if folder.endswith(".c") else "")
    room = room.removeprefix("processor/")
    if room == "games":
        all_of_them = sorted(str(p)[len("tests/"):-2] for p in pathlib.Path("tests/games").glob("test_*.c"))
        slow = ("planted", "new_game", "states", "contract")  # the first three compile, or try every byte
        return ([t for t in all_of_them if not t.endswith(slow)] +
                ["games/test_contract", "scenarios/test_scenarios", "phrasings/test_phrasings",
                 "conversations/test_conversations"])
    if room.startswith("games/"):
        kind = room.split("/")[1]
        own = ["games/test_" + kind] + (["games/test_boards", "games/test_mole_physics"] if kind == "mole" else [])
        return own + ["games/test_bots", "games/test_shapes", "games/test_contract", "games/test_refusals",
                      "scenarios/test_scenarios", "phrasings/test_phrasings", "conversations/test_conversations"]
    rooms = ["store", "operator"] if room.startswith("store") else [pathlib.Path(room).name]
    units = sorted(str(p)[len("tests/"):-2] for r in rooms for p in pathlib.Path("tests/unit", r).glob("test_*.c"))
    return units + CONVERSATIONS + WHOLE


def sanitized(tests):
    """Those of them that look at most of the program, and are not slow."""
    return [t for t in tests if t.startswith(("unit/", "games/", "phrasings/")) and not t.endswith("contract")] + [
        "conversations/test_conversations"]


def named_after(path):
    """Programs of tests/ that are called as the file is."""
    return sorted(str(p)[len("tests/"):-2] for folder in ("e2e", "conversations")
                  for p in pathlib.Path("tests", folder).glob("test_%s.c" % path.stem))


def places(folder):
    """(file, line number, column, what stands there, what shall) of all changes that could be made."""
    root = pathlib.Path(folder)
    for path in sorted(root.rglob("*.c")) if root.is_dir() else [root]:
        comment = False
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            comment = (comment or "/*" in line) and "*/" not in line
            if comment or '"' in line or "*/" in line or line.startswith(("#", "enum", "static const")):
                continue
            if FREES.search(line):
                continue
            for pattern, instead in CHANGES:
                for m in pattern.finditer(line):
                    new = instead(m) if callable(instead) else instead
                    yield path, number, m.start(), m.group(0), new


def without_effect():
    """Lines of mutate-equal.txt: "file: the line: old -> new", and below each why, indented."""
    text = pathlib.Path("tests/support/mutate-equal.txt").read_text(encoding="utf-8")
    return {line for line in text.splitlines() if line and not line.startswith((" ", "\t", "#"))}


def end_group(leader):
    """What a change has made run for ever outlives the program that has started it."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run(tree, program, kind, patience=PATIENCE, build="build"):
    """Whether the program passes, and how many seconds that took. It stops at the first test that fails, and is
    stopped when its patience is over: a change can make it run for ever."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("BXFI", "CRITERION"))}
    env.update(MOLEPOST_BUILD=build, GAMES_PER_KIND="20")
    if kind:
        env["GAMES"] = kind
    began = time.monotonic()
    with subprocess.Popen([build + "/tests/" + program, "--fail-fast"], cwd=tree, env=env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as ran:
        try:
            passed = ran.wait(timeout=patience) == 0
        except subprocess.TimeoutExpired:
            passed = False
        finally:
            end_group(ran.pid)
    return passed, time.monotonic() - began


def noticed_by(tree, tests, kind, patience, build="build"):
    """The first of them that fails; "... (no end)": it was stopped."""
    for t in tests:
        passed, took = run(tree, t, kind, patience.get(t, PATIENCE), build)
        if not passed:
            return t + (" (no end)" if took >= patience.get(t, PATIENCE) else "")
    return None


def make(tree, *targets):
    return subprocess.run(["make", "-s", "-j2", "DEPS=skip", *targets], cwd=tree, check=False,
                          capture_output=True).returncode == 0


def make_sanitized(tree, tests):
    return make(tree, "BUILD=" + SANITIZED, "CFLAGS=-O1 -g $(SANITIZE)", SANITIZED + "/tests/molepost",
                *[SANITIZED + "/tests/" + t for t in tests])


def main(count, folder, build, seed="1"):
    tests = tests_for(folder)
    programs = ["build/tests/" + t for t in tests] + ["build/tests/molepost"]
    kind = folder.split("games/")[1].strip("/").replace("_", "-") if "games/" in folder else ""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # with what it has started
    draw, equal = random.Random(seed), without_effect()
    found = list(places(folder))
    killed, survivors = 0, []
    with tempfile.TemporaryDirectory(prefix="molepost-mutate-") as tree:
        for name in subprocess.check_output(["git", "ls-files"], text=True).split("\n"):
            if name and os.path.isfile(name):
                os.makedirs(os.path.dirname(os.path.join(tree, name)) or tree, exist_ok=True)
                shutil.copy2(name, os.path.join(tree, name))
        os.mkdir(os.path.join(tree, "build"))
        for name in ("flags", "version"):
            shutil.copy2(os.path.join(build, name), os.path.join(tree, "build", name))
        for part in ("obj", "asan"):  # what is compiled already need not be again
            if os.path.isdir(os.path.join(build, part)):
                shutil.copytree(os.path.join(build, part), os.path.join(tree, "build", part))
        if not make(tree, *programs):
            sys.exit("the sources do not compile as they are")
        patience = {}
        for t in tests:
            passed, took = run(tree, t, kind)
            if not passed:
                sys.exit("%s fails with nothing changed" % t)
            patience[t] = 20 + 4 * took
        slow = sanitized(tests)
        if not make_sanitized(tree, slow) or not all(run(tree, t, kind, build=SANITIZED)[0] for t in slow):
            sys.exit("under the sanitizers something fails with nothing changed")
        while killed + len(survivors) < int(count) and found:
            path, number, column, old, new = found.pop(draw.randrange(len(found)))
            there = pathlib.Path(tree, path)
            text = there.read_text(encoding="utf-8")
            lines = text.splitlines()
            change = "%s -> %s" % (old.strip(), new.strip() or "nothing")
            if "%s: %s: %s" % (path, lines[number].strip(), change) in equal:
                continue
            lines[number] = lines[number][:column] + new + lines[number][column + len(old):]
            there.write_text("\n".join(lines) + "\n", encoding="utf-8")
            what = "%s:%d: %s" % (path, number + 1, change)
            own = [t for t in named_after(path) if t not in tests]
            if make(tree, *programs, *["build/tests/" + t for t in own]):
                by = noticed_by(tree, tests + own, kind, patience)
                if not by and make_sanitized(tree, slow):
                    by = noticed_by(tree, slow, kind, {}, SANITIZED)
                print("%s  %s" % ("by " + by if by else "SURVIVED", what), flush=True)
                killed += by is not None
                if not by:
                    survivors.append(what)
            there.write_text(text, encoding="utf-8")
    total = killed + len(survivors)
    print("%d of %d noticed, %d %%" % (killed, total, 100 * killed // max(total, 1)))
    sys.exit(0 if killed >= LEAST * total else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
