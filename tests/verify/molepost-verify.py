#!/usr/bin/env python3
"""Checks archives of molepost games without any part of molepost.

    molepost-verify.py [--key HEX] [--head HEX] [--list FILE] [FILE ...]

A second implementation of what molepost-archive(5) defines, written from that page alone and in
need of nothing but Python's standard library: form of every line, hash chain, signature,
commitments, nonces, hidden lines, and every draw of chance. It does not know the rules of the
games, so it takes positions and results as the archive gives them; `molepost verify` resolves
the turns again as well.

--list names a file that holds names of archives, one per line. One line is printed per
archive. The exit status is 0 when all hold, 65 when one does not, 64 when it was called
wrongly.
"""

import datetime
import hashlib
import hmac
import os
import re
import sys

VERSIONS = (1, 2, 3)
BEGIN = {b"-----BEGIN MOLEPOST ARCHIVE %d-----" % version: version for version in VERSIONS}
END = {b"-----END MOLEPOST ARCHIVE %d-----" % version: version for version in VERSIONS}
FOLD = 160
MOST_SEATS = 16


class Broken(Exception):
    """A line (of the file, from 1; 0 = none) that does not hold, and the promise it breaks."""

    def __init__(self, line, why):
        super().__init__(why)
        self.line = line
        self.why = why


# ---- Ed25519 (RFC 8032, 5.1): extended coordinates, verification only ----

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


def recover_x(y, sign):
    if y >= P:
        return None
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if x2 == 0:
        return None if sign else 0
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - x2) % P:
        return None
    return P - x if x & 1 != sign else x


def point_of(raw):
    y = int.from_bytes(raw, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    x = recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


def point_add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def point_times(n, p):
    result = (0, 1, 1, 0)
    while n:
        if n & 1:
            result = point_add(result, p)
        p = point_add(p, p)
        n >>= 1
    return result


def point_bytes(p):
    z = pow(p[2], P - 2, P)
    x, y = p[0] * z % P, p[1] * z % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE = (recover_x(BASE_Y, 0), BASE_Y, 1, recover_x(BASE_Y, 0) * BASE_Y % P)


def signature_holds(key, message, signature):
    point = point_of(key)
    s = int.from_bytes(signature[32:], "little")
    if point is None or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    minus_key = (P - point[0], point[1], point[2], P - point[3])
    r = point_add(point_times(s, BASE), point_times(k, minus_key))
    return hmac.compare_digest(point_bytes(r), signature[:32])


# ---- Derivations ----


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def joined(*parts):
    """Each part as text, followed by LF."""
    return b"".join((p if isinstance(p, bytes) else str(p).encode()) + b"\n" for p in parts)


def keyed(key, *parts):
    return hmac.new(key, joined(*parts), hashlib.sha256).digest()


class Draws:
    """Numbers from the blocks of one label under one turn key."""

    def __init__(self, key, label):
        self.key, self.label = key, label
        self.block, self.words = 0, []

    def word(self):
        if not self.words:
            block = keyed(self.key, self.label, self.block)
            self.words = [block[at : at + 8] for at in (0, 8, 16, 24)]
            self.block += 1
        return int.from_bytes(self.words.pop(0), "big")

    def below(self, n):
        while True:
            w = self.word()
            if w < 2**64 - 2**64 % n:
                return w % n

    def outcome(self, how, n):
        if how == "die":
            return b"%d" % (1 + self.below(n))
        if how == "pick":
            return b"%d" % self.below(n)
        order = list(range(1, n + 1))
        for k in range(n - 1, 0, -1):
            other = self.below(k + 1)
            order[k], order[other] = order[other], order[k]
        return b" ".join(b"%d" % thing for thing in order) or b"-"


# What is drawn: label, kind of draw, from how many. The page has this table under "Draws".


def seats(game, turn, listed):
    return game["seats"]


def as_many_as_listed(game, turn, listed):
    return listed


def tiles_left(game, turn, listed):
    return (98 if game["options"]["blanks"] == "out" else 100) - turn["tiles"]


DRAWS = {
    ("whakka-mole", 1): [("seats round the table", "shuffle", seats)],
    ("mole-park", 1): [
        ("seats round the table", "shuffle", seats),
        ("King Mole", "pick", seats),
        ("mole deck", "shuffle", 125),
        ("prizes of (CANDY|TOYS|INFLATION|FURRY|ACTION|KINGS)", "shuffle", 8),
        ("crown", "pick", 8),
        ("(showdown )?(glove|pan|mallet|prize die) of seat [1-9]", "die", 6),
        ("(glove|pan|mallet|prize die) of seat [1-9] again", "die", 6),
        ("Mole Hill into a new deck", "shuffle", as_many_as_listed),
    ],
    ("martian-boggle", 1): [
        ("seat at row 1", "pick", 2),
        ("tile for [a-e][1-5]", "pick", tiles_left),
        ("(first|second) die", "die", 4),
    ],
    ("mole", 1): [
        ("who has the mole first", "pick", 2),
        (
            "flick [1-9][0-9]*, u[1-8]",
            "pick",
            lambda game, turn, listed: int(game["options"]["dexterity"]) + 1,
        ),
    ],
    ("mole-majority", 1): [
        ("seats", "shuffle", seats),
        ("hexes", "shuffle", lambda game, turn, listed: 24 - game["seats"]),
        (
            "deck of seat [1-9]",
            "shuffle",
            lambda game, turn, listed: listed if turn["serial"] else 18,
        ),
        ("home tokens", "shuffle", 24),
        ("first player", "pick", seats),
    ],
}


# Of serial 0 of a game that goes on from another: what was hidden there is dealt anew.
FORK_DRAWS = {
    ("mole-park", 1): [
        ("moles out of sight", "shuffle", as_many_as_listed),
        (
            "prizes out of sight of (CANDY|TOYS|INFLATION|FURRY|ACTION|KINGS)",
            "shuffle",
            as_many_as_listed,
        ),
    ],
    ("mole-majority", 1): [
        ("hand and deck of seat [1-9]", "shuffle", as_many_as_listed),
        ("home tokens out of sight", "shuffle", as_many_as_listed),
    ],
}


def tiles_gone(position):
    """Of a position of Martian Boggle: how many tiles are no longer in the bag."""
    rows = re.findall(rb"^row [1-5]: (.*)$", position, re.MULTILINE)
    words = re.findall(rb"^seat [12] word [0-9]+: ", position, re.MULTILINE)
    return sum(len(row.replace(b".", b"")) for row in rows) + 5 * len(words)


# ---- Fields ----


def is_utf8(raw):
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def write_field(raw, is_word):
    if raw == b"":
        return b"-"
    if raw == b"-":
        return b"\\x2d"
    escape_high = not is_utf8(raw)
    out = bytearray()
    for i, c in enumerate(raw):
        if c == 0x0A:
            out += b"|"
        elif c in b"|\\":
            out += b"\\" + bytes([c])
        elif c < 0x20 or c == 0x7F or c >= 0x80 and escape_high:
            out += b"\\x%02x" % c
        elif c == 0x20 and (is_word or i + 1 == len(raw)):
            out += b"\\x20"
        else:
            out.append(c)
    return bytes(out)


ESCAPE = re.compile(rb"\\x([0-9a-f]{2})|\\([|\\])|(\|)")


def unescaped(match):
    if match[1]:
        return bytes([int(match[1], 16)])
    return match[2] or b"\n"


def read_field(field, is_word):
    """The text behind a field; None when the field is not in its one form."""
    raw = b"" if field == b"-" else ESCAPE.sub(unescaped, field)
    return raw if field and write_field(raw, is_word) == field else None


NUMBER = re.compile(rb"0|-?[1-9][0-9]{0,18}")
HEX = re.compile(rb"[0-9a-f]*")
TIME = re.compile(rb"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


def is_time(text):
    if not TIME.fullmatch(text):
        return False
    try:
        datetime.datetime.strptime(text.decode(), "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        return False
    return True


# ---- From bytes to chained lines ----


class Line:
    def __init__(self, number, whole):
        self.number = number
        self.form, self.text, self.leaf = "public", whole, None
        if whole.startswith(b"revealed "):
            self.form, self.text = "revealed", whole[9:]
        elif whole.startswith(b"hidden "):
            self.form, self.text = "hidden", b""
            self.leaf = hex_bytes(whole[7:], 32, number, "leaf of a hidden line")

    def keyword(self):
        return self.text.split(b" ", 1)[0].decode("utf-8", "replace")


def hex_bytes(text, size, number, what):
    if len(text) != 2 * size or not HEX.fullmatch(text):
        raise Broken(number, "a %s has %d digits 0-9 a-f" % (what, 2 * size))
    return bytes.fromhex(text.decode())


def piece_length(rest, width):
    if len(rest) <= width:
        return len(rest)
    at = width
    while at > 0 and (rest[at - 1] == 0x20 or rest[at] & 0xC0 == 0x80):
        at -= 1
    return at or width


def fold(whole):
    at = piece_length(whole[: FOLD + 1], FOLD)
    pieces = [whole[:at]]
    while at < len(whole):
        size = piece_length(whole[at : at + FOLD], FOLD - 1)
        pieces.append(b"+" + whole[at : at + size])
        at += size
    return pieces


def lines_of_file(data):
    """Number and bytes of each; what stands behind the last LF is a line too."""
    for number, line in enumerate(data.split(b"\n"), 1):
        yield number, line[:-1] if line.endswith(b"\r") else line


def body_of(data):
    """Its version, and the lines between the first and the last one."""
    inside, done, version, body = False, False, None, []
    for number, line in lines_of_file(data):
        if line in BEGIN and (inside or done):
            raise Broken(number, "a second archive begins here")
        if not inside and not done:
            version, inside = BEGIN.get(line), line in BEGIN
        elif inside and END.get(line) == version:
            inside, done = False, True
        elif inside:
            body.append((number, line))
    if not body and not done:
        raise Broken(0, "there is no archive in it")
    if not done:
        last = body[-1][0] if body else 0
        raise Broken(last, "the archive breaks off: its end line is missing")
    return version, body


def check_bytes(number, line):
    if not line:
        raise Broken(number, "an archive has no empty lines")
    if any(c < 0x20 or c == 0x7F for c in line):
        raise Broken(number, "it holds a control character")
    if not is_utf8(line):
        raise Broken(number, "it is not valid UTF-8")


def collect(pieces):
    number = pieces[0][0]
    whole = pieces[0][1] + b"".join(piece[1:] for _, piece in pieces[1:])
    if fold(whole) != [p[1] for p in pieces]:
        raise Broken(number, "it is not folded at 160 bytes as it should be")
    return Line(number, whole)


def read_chain_line(number, line):
    fields = line.split(b" ")
    if len(fields) != 3 or not NUMBER.fullmatch(fields[1]):
        raise Broken(number, "the chain line is 'chain', a number and 64 digits")
    head = hex_bytes(fields[2], 32, number, "head")
    return {"line": number, "count": int(fields[1]), "head": head}


def split(data):
    """Version; chained lines; chain line; signature line or None."""
    lines, pieces, chain, signature = [], [], None, None
    version, body = body_of(data)
    for number, line in body:
        check_bytes(number, line)
        if chain:
            if signature or not line.startswith(b"signature "):
                raise Broken(number, "after the chain line there is at most a signature line")
            signature = {"line": number, "bytes": hex_bytes(line[10:], 64, number, "signature")}
            continue
        if line.startswith(b"+"):
            if not pieces:
                raise Broken(number, "it continues no line")
            pieces.append((number, line))
            continue
        if pieces:
            lines.append(collect(pieces))
        pieces = [(number, line)]
        if line.startswith(b"chain "):
            chain, pieces = read_chain_line(number, line), []
    if not chain:
        raise Broken(body[-1][0] if lines or pieces else 0, "the chain line is missing")
    return version, lines, chain, signature


# ---- From lines to a game ----


class Fields:
    """The fields of one line, taken from the left."""

    def __init__(self, line):
        self.number = line.number
        self.rest = line.text.split(b" ", 1)[1] if b" " in line.text else None

    def fail(self, why):
        raise Broken(self.number, why)

    def word(self):
        if self.rest is None:
            self.fail("it has fewer fields than it should")
        field, blank, rest = self.rest.partition(b" ")
        self.rest = rest if blank else None
        return field

    def all(self):
        if self.rest is None:
            self.fail("it has fewer fields than it should")
        field, self.rest = self.rest, None
        return field

    def end(self):
        if self.rest is not None:
            self.fail("it has more fields than it should")

    def number_in(self, least, most):
        field = self.word()
        if not NUMBER.fullmatch(field) or not least <= int(field) <= most:
            self.fail("a number in it is not written as it should be, or out of range")
        return int(field)

    def time(self):
        field = self.word()
        if not is_time(field):
            self.fail("a time in it is not written as 2026-03-12T18:02:00Z")
        return field

    def digest(self):
        return hex_bytes(self.word(), 32, self.number, "digest")

    def one_of(self, *words):
        field = self.word()
        if field.decode("utf-8", "replace") not in words:
            self.fail("a word in it is none of those that can stand there")
        return field.decode()

    def contribution(self):
        """Of version 2: a digest, or None for a dash."""
        if self.rest is not None and self.rest.startswith(b"- "):
            self.word()
            return None
        digest = self.digest()
        if digest == bytes(32):
            self.fail("a contribution of nothing is written as a dash")
        return digest

    def escaped_word(self):
        raw = read_field(self.word(), True)
        if raw is None:
            self.fail("a word in it is not escaped as it should be")
        return raw

    def text(self):
        raw = read_field(self.all(), False)
        if raw is None:
            self.fail("the text in it is not escaped as it should be")
        return raw


class Reader:
    """Takes the lines in the order of the grammar."""

    def __init__(self, version, lines, end_number):
        self.version = version
        self.lines, self.at, self.end_number = lines, 0, end_number
        self.ended = bool(lines) and lines[-1].text.startswith(b"secret ")
        self.facts = set()

    def next_is(self, keyword):
        return self.at < len(self.lines) and self.lines[self.at].text.startswith(
            keyword.encode() + b" "
        )

    def is_hidden(self, fact):
        return fact == "always" or fact in self.facts

    def take(self, keyword, hidden_by=None):
        """The fields of the next line, which must be of this kind; None while it is hidden."""
        if self.at >= len(self.lines):
            raise Broken(self.end_number, "a line '%s' is missing before this one" % keyword)
        line = self.lines[self.at]
        form = "public"
        if hidden_by and self.is_hidden(hidden_by):
            form = "revealed" if self.ended else "hidden"
        if line.form != form or form != "hidden" and not self.next_is(keyword):
            raise Broken(line.number, "a line '%s' should stand here, %s" % (keyword, form))
        self.at += 1
        return None if form == "hidden" else Fields(line)

    def single(self, keyword, how, hidden_by=None):
        fields = self.take(keyword, hidden_by)
        if fields is None:
            return None
        value = how(fields)
        fields.end()
        return value

    def line_number(self, at):
        return self.lines[at].number if at < len(self.lines) else self.end_number


def time_or_none(fields):
    if fields.rest == b"-":
        fields.rest = None
        return None
    return fields.time()


def read_facts(fields):
    known = ["simultaneous", "hidden", "chance", "orders-stay-hidden"]
    text = fields.all().decode("utf-8", "replace")
    facts = [] if text == "-" else text.split(" ")
    if facts != [f for f in known if f in facts]:
        fields.fail("these are no facts in their order")
    return set(facts)


def read_option(fields, options):
    name, equals, value = fields.all().decode().partition("=")
    if not equals or name in options:
        fields.fail("an option is NAME=VALUE, and stands there once")
    options[name] = value


def read_seat(reader, seat):
    fields = reader.take("seat")
    fields.number_in(seat, seat)
    bots = ("bot",) if reader.version == 1 else tuple("bot-%d" % level for level in range(6))
    person, when = fields.one_of("player", *bots), fields.time()
    if reader.version > 2:
        fields.number_in(*((1, 2**31 - 1) if person == "player" else (0, 0)))
    contribution = fields.contribution() if reader.version > 1 else None
    salt, name = fields.escaped_word(), fields.text()
    if reader.version > 2 and person != "player" and contribution:
        fields.fail("a bot contributes nothing")
    return {
        "person": person,
        "time": when,
        "contribution": contribution,
        "salt": salt,
        "name": name,
    }


def read_header(reader):
    game = {
        "id": reader.single("game", Fields.all),
        "kind": reader.single("kind", lambda f: f.all().decode()),
        "rules": reader.single("rules", lambda f: f.number_in(1, 2**31 - 1)),
        "options": {},
        "version": reader.version,
    }
    if reader.version > 1:
        reader.single("bots", lambda f: f.number_in(1, 2**31 - 1))
    reader.facts = game["facts"] = reader.single("facts", read_facts)
    while reader.next_is("option"):
        read_option(reader.take("option"), game["options"])
    reader.single("instance", Fields.escaped_word)
    reader.single("created", Fields.time)
    game["started"] = reader.single("started", time_or_none)
    game["fork"] = read_fork(reader) if reader.next_is("fork") else None
    game["seats"] = reader.single("seats", lambda f: f.number_in(0, MOST_SEATS))
    game["table"] = [read_seat(reader, seat) for seat in range(1, game["seats"] + 1)]
    game["secret digest"] = reader.single("secret-digest", Fields.digest)
    game["key line"] = reader.line_number(reader.at)
    game["key"] = reader.single("key", Fields.digest)
    return game


def read_fork(reader):
    fields = reader.take("fork")
    fork = {"game": fields.word(), "serial": fields.number_in(0, 2**31 - 1)}
    fields.escaped_word()
    fields.end()
    reader.single("fork-key", Fields.digest)
    fork["parent"] = reader.single("fork-parent", Fields.digest)
    fork["orders"] = reader.single("fork-orders", Fields.digest)
    fork["state line"] = reader.line_number(reader.at)
    fork["state"] = reader.single("fork-state", Fields.digest)
    fork["position"] = reader.single("fork-position", Fields.text)
    return fork


HOWS = ("sent", "standing", "bot", "resigned", "queued", "draft", "fallback", "cleared")


def read_revision(reader, game, turn):
    fields = reader.take("revision")
    revision = {
        "line": fields.number,
        "seat": fields.number_in(1, game["seats"]),
        "number": fields.number_in(1, 2**31 - 1),
        "time": fields.time(),
        "how": fields.one_of(*HOWS),
        "when": fields.one_of("late", "in-time"),
        "salt": fields.escaped_word(),
        "commitment": fields.digest(),
    }
    fields.end()
    late = turn["deadline"] is not None and revision["time"] > turn["deadline"]
    if late != (revision["when"] == "late"):
        fields.fail("whether it came late is not what its time and the deadline say")
    return revision


def read_known(reader, turn, keyword, take_more, hidden_by=None, by_bots=False):
    """Lines that say more of revisions, each of another one, in their order."""
    known, at = [], 0
    while reader.version > 1 and reader.next_is(keyword):
        fields = reader.take(keyword, hidden_by)
        named = fields.number_in(1, MOST_SEATS), fields.number_in(1, 2**31 - 1)
        while at < len(turn["revisions"]):
            revision = turn["revisions"][at]
            at += 1
            if (revision["seat"], revision["number"]) == named:
                break
        else:
            fields.fail("no such revision is left")
        if (revision["how"] == "bot") != by_bots:
            fields.fail("that revision is a bot's, or is none")
        known.append((fields.number, named, take_more(fields)))
        fields.end()
    return known


def take_dkim(fields):
    verified, digest = fields.one_of("verified", "unverified") == "verified", fields.digest()
    if digest == bytes(32):
        fields.fail("that is the digest of no signature")
    return verified, digest


def read_used(reader, game):
    fields = reader.take("used", "orders-stay-hidden")
    used = {"line": fields.number, "seat": fields.number_in(1, game["seats"])}
    if fields.rest is not None and fields.rest.startswith(b"default "):
        fields.word()
        used["number"], used["nonce"] = None, None
        used["how"] = fields.one_of("default", "resigned")
        if fields.word() != b"-":
            fields.fail("orders that nobody sent have no nonce")
    else:
        used["number"] = fields.number_in(1, 2**31 - 1)
        used["how"] = fields.one_of(*HOWS[:-1])
        used["nonce"] = fields.digest()
    used["contribution"] = fields.contribution() if reader.version > 1 else None
    used["orders"] = fields.text()
    return used


def read_closed(reader, game):
    fields = reader.take("closed", "always")
    closed = {
        "line": fields.number,
        "seat": fields.number_in(1, game["seats"]),
        "number": fields.number_in(1, 2**31 - 1),
        "nonce": fields.digest(),
    }
    closed["contribution"] = fields.contribution() if reader.version > 1 else None
    closed["orders"] = fields.text()
    return closed


def skip_hidden_closed(reader, turn):
    """While the game runs, one hidden line for each revision that was not used."""
    unused = len(turn["revisions"]) - sum(u["number"] is not None for u in turn["used"])
    for _ in range(unused):
        reader.take("closed", "always")


def skip_hidden_orders(reader, game, turn):
    count = 0
    for line in reader.lines[reader.at :]:
        if line.form != "hidden":
            break
        count += 1
    count -= 2 if "hidden" in game["facts"] else 0
    most = game["seats"] + (bots_in(turn) if reader.version > 1 else 0)
    if not len(turn["revisions"]) <= count <= len(turn["revisions"]) + most:
        number = reader.line_number(reader.at)
        raise Broken(number, "there are more or fewer hidden lines than orders")
    reader.at += count


def read_drawn(reader, turn):
    return read_known(reader, turn, "drawn", Fields.text, hidden_by="always", by_bots=True)


def skip_hidden_drawn(reader, turn, rest):
    """While the game runs, at most one hidden line for each set of orders of a bot."""
    count = 0
    while reader.at + count < len(reader.lines) and reader.lines[reader.at + count].form == "hidden":
        count += 1
    count = max(count - rest, 0)
    if count > (bots_in(turn) if reader.version > 1 else 0):
        raise Broken(reader.line_number(reader.at), "more is hidden here than bots have drawn")
    reader.at += count


def bots_in(turn):
    return sum(revision["how"] == "bot" for revision in turn["revisions"])


def read_closed_lines(reader, game, turn, rest):
    """`rest`: how many lines of the position are hidden as well."""
    if not reader.ended:
        skip_hidden_closed(reader, turn)
        skip_hidden_drawn(reader, turn, rest)
    while reader.ended and reader.next_is("closed"):
        turn["closed"].append(read_closed(reader, game))
    turn["drawn"] = read_drawn(reader, turn) if reader.ended else []


def read_orders(reader, game, turn):
    turn["sealed"] = reader.single("sealed", Fields.time)
    turn["orders digest line"] = reader.line_number(reader.at)
    turn["orders digest"] = reader.single("orders-digest", Fields.digest, "orders-stay-hidden")
    if turn["orders digest"] is None:
        skip_hidden_orders(reader, game, turn)
        return
    while reader.next_is("used"):
        turn["used"].append(read_used(reader, game))
    read_closed_lines(reader, game, turn, 2 if "hidden" in game["facts"] else 0)


def read_dropped(reader, game, turn):
    """A turn that was broken off: nothing was used or drawn, and nothing came out of it."""
    if reader.version > 1 and not turn["actions"]:
        raise Broken(turn["line"], "no action says who broke this turn off")
    turn["dropped"] = reader.single("dropped", Fields.time)
    read_closed_lines(reader, game, turn, 0)
    turn["chance line"] = reader.line_number(reader.at)
    if turn["serial"] == 0:
        raise Broken(turn["line"], "the set-up cannot be broken off")


def read_turn(reader, game, earlier):
    fields = reader.take("turn")
    turn = {
        "line": fields.number,
        "serial": fields.number_in(0, 2**31 - 1),
        "parent": fields.number_in(0, 2**31 - 1),
    }
    fields.text()
    serials = [t["serial"] for t in earlier]
    if serials and turn["serial"] <= serials[-1] or not serials and turn["serial"] != 0:
        fields.fail("serials begin with 0 and grow from turn to turn")
    if reader.version > 1 and serials and turn["serial"] != serials[-1] + 1:
        fields.fail("a turn before this one is missing")
    dropped = [t["serial"] for t in earlier if t["dropped"]]
    if turn["parent"] not in (serials or [0]) or turn["parent"] in dropped:
        fields.fail("its parent is no earlier turn")
    reader.single("opened", Fields.time)
    turn["deadline"] = reader.single("deadline", time_or_none)
    turn["actions"] = 0
    while reader.next_is("action"):
        turn["actions"] += 1
        fields = reader.take("action")
        if not re.match(rb"[^ ]{20} ", fields.rest) or not is_time(fields.text()[:20]):
            fields.fail("an action begins with its time")
    turn["revisions"], turn["used"], turn["closed"], turn["dropped"] = [], [], [], None
    while reader.next_is("revision"):
        turn["revisions"].append(read_revision(reader, game, turn))
    read_known(reader, turn, "operator", lambda fields: None)
    turn["answered"] = read_known(reader, turn, "answered", Fields.word)
    turn["dkim"] = read_known(reader, turn, "dkim", take_dkim)
    if reader.next_is("dropped"):
        read_dropped(reader, game, turn)
        return turn
    read_orders(reader, game, turn)
    if not earlier and (turn["revisions"] or turn["used"]):
        raise Broken(turn["line"], "nobody sends orders for the set-up")
    turn["chance line"] = reader.line_number(reader.at)
    turn["chance"] = reader.single("chance", Fields.text, "hidden")
    reader.single("state", Fields.digest, "hidden")
    return turn


def read_winners(fields, nseats):
    seats = []
    if fields.rest == b"-":
        fields.rest = None
    while fields.rest is not None:
        seats.append(fields.number_in(seats[-1] + 1 if seats else 1, nseats))
    return seats


def check_agreed(agreed, winners, scores, number):
    """Those named win and share the first rank, all others the next one; nobody of them is out."""
    for seat, (rank, standing) in enumerate(scores, 1):
        expected = 1 if seat in agreed else 1 + len(agreed)
        if rank != expected or seat in agreed and standing == "out":
            raise Broken(number, "winners and ranks are not what was agreed on")
    if not agreed or winners != agreed:
        raise Broken(number, "an agreement names the seats that win by it")


def read_end(reader, game):
    if game["turns"]:
        number, agreed, scores = reader.line_number(reader.at), None, []
        if reader.next_is("agreed"):
            agreed = reader.single("agreed", lambda f: read_winners(f, game["seats"]))
        winners = reader.single("winners", lambda f: read_winners(f, game["seats"]))
        for seat in range(1, game["seats"] + 1):
            fields = reader.take("score")
            fields.number_in(seat, seat)
            fields.number_in(-(2**63), 2**63 - 1)
            scores.append((fields.number_in(0, MOST_SEATS), fields.one_of("in", "out")))
            fields.end()
        if agreed is not None:
            check_agreed(agreed, winners, scores, number)
    fields = reader.take("ended")
    status = fields.one_of("over", "cancelled", "abandoned")
    if game["turns"] and agreed is not None and status != "over":
        fields.fail("a game that ended by agreement is over")
    if game["turns"] and any((rank == 0) == (status == "over") for rank, _ in scores):
        fields.fail("seats have a rank in a game that is over, and in no other")
    fields.time()
    fields.end()
    game["secret line"] = reader.line_number(reader.at)
    game["secret"] = reader.single("secret", Fields.digest)


def read_game(version, lines, end_number):
    reader = Reader(version, lines, end_number)
    game = read_header(reader)
    game["turns"], game["secret"] = [], None
    while reader.next_is("turn"):
        game["turns"].append(read_turn(reader, game, game["turns"]))
    if game["turns"] and game["started"] is None:
        raise Broken(game["turns"][0]["line"], "a game that never started has turns")
    if reader.ended:
        read_end(reader, game)
    if reader.at < len(lines):
        raise Broken(lines[reader.at].number, "this line does not belong here")
    return game


# ---- The promises ----


def check_fork(fork):
    """The position is the one that the digest of the other game's turn stands for."""
    head = joined(
        b"molepost/1 state",
        fork["game"],
        fork["serial"],
        fork["parent"].hex(),
        fork["orders"].hex(),
    )
    if sha(head, fork["position"]) != fork["state"]:
        raise Broken(fork["state line"], "it is not the digest of the position below")


def check_revisions(turn):
    """All acknowledgements of a seat, in order. Gives the last one of each seat."""
    last = {}
    seat = 0
    for revision in turn["revisions"]:
        expected = last[revision["seat"]]["number"] + 1 if revision["seat"] in last else 1
        if revision["seat"] < seat or revision["number"] != expected:
            raise Broken(revision["line"], "acknowledgements are missing or not in their order")
        seat = revision["seat"]
        last[seat] = revision
    return last


def hex_or_dash(digest):
    return digest.hex() if digest else "-"


def check_contribution(game, shown, how):
    """Since version 2: orders that a mail brought contribute something, all others nothing."""
    by_mail = shown["number"] is not None and how != "bot"
    if game["version"] > 1 and (shown["contribution"] is not None) != by_mail:
        raise Broken(shown["line"], "what contributes to the draws is what a mail brought")


def check_opening(game, turn, revision, shown):
    """`shown` opens the commitment of `revision`, with the nonce that comes from the secret."""
    serial, seat, number = turn["serial"], revision["seat"], revision["number"]
    if game["secret"]:
        nonce = keyed(game["secret"], b"molepost/1 nonce", serial, seat, number)
        if nonce != shown["nonce"]:
            raise Broken(shown["line"], "the nonce is not the one that comes from the secret")
    head = joined(
        b"molepost/%d orders" % min(game["version"], 2),
        game["id"],
        serial,
        seat,
        number,
        shown["nonce"].hex(),
        revision["salt"] or b"-",
    )
    if game["version"] > 1:
        head += joined(hex_or_dash(shown["contribution"]))
    if sha(head, shown["orders"]) != revision["commitment"]:
        raise Broken(
            revision["line"],
            "this commitment is not that of the orders and nonce in line %d" % shown["line"],
        )


def check_used(game, turn, last):
    seat = 0
    for used in turn["used"]:
        if used["seat"] <= seat:
            raise Broken(used["line"], "orders are not in the order of seats, one for each")
        seat = used["seat"]
        newest = last.get(seat)
        if newest and newest["how"] == "cleared":
            newest = None
        if (newest["number"] if newest else None) != used["number"]:
            raise Broken(used["line"], "these are not the seat's last acknowledged orders")
        if newest and newest["how"] != used["how"]:
            raise Broken(used["line"], "the orders did not come in this way")
        check_contribution(game, used, used["how"])
        if newest:
            check_opening(game, turn, newest, used)


def check_closed(game, turn):
    used = {(u["seat"], u["number"]) for u in turn["used"]}
    unused = [r for r in turn["revisions"] if (r["seat"], r["number"]) not in used]
    for revision, closed in zip(unused, turn["closed"]):
        if (closed["seat"], closed["number"]) != (revision["seat"], revision["number"]):
            raise Broken(closed["line"], "orders that were not used are not revealed here")
        if revision["how"] == "cleared" and closed["orders"]:
            raise Broken(closed["line"], "orders taken back are empty")
        if game["version"] > 2:
            check_contribution(game, closed, revision["how"])
        check_opening(game, turn, revision, closed)
    if len(unused) != len(turn["closed"]):
        number = turn["chance line"]
        raise Broken(number, "not just the orders that were not used are revealed above")


def firsts_of(game, turn):
    """Version 3: what each seat's first mail of a turn contributes, where one brought it."""
    shown = turn["used"] + turn["closed"]
    firsts = [(o["seat"], o["contribution"]) for o in shown if o["number"] == 1 and o["contribution"]]
    return sorted(firsts)


def inputs_digest(game, turn, last):
    """Since version 2: what the draws of a turn follow from. That of its parent is known by now."""
    rows = None
    if turn["serial"] == 0:
        table = enumerate(game["table"], 1)
        salted = game["version"] == 2
        rows = [(i, s["contribution"], salted and s["salt"], s["name"]) for i, s in table]
    elif game["version"] > 2:
        firsts = firsts_of(game, turn)
    else:
        rows = [
            (
                u["seat"],
                u["contribution"],
                last[u["seat"]]["salt"] if u["number"] else b"",
                u["orders"],
            )
            for u in turn["used"]
        ]
    parent = next((t for t in game["turns"] if t["serial"] == turn["parent"]), turn)
    head = joined(
        b"molepost/3 inputs" if rows is None else b"molepost/2 inputs",
        game["id"],
        "-" if parent is turn else parent["inputs"].hex(),
    )
    if rows is None:
        return sha(head, *(joined("%d %s" % (seat, gave.hex())) for seat, gave in firsts))
    lines = (
        b"%d %s %s %s\n" % (seat, hex_or_dash(gave).encode(), salt or b"-", sha(text).hex().encode())
        for seat, gave, salt, text in rows
    )
    return sha(head, *lines)


def orders_digest(game, turn, last):
    if turn["serial"] == 0 and game["version"] > 1:
        return inputs_digest(game, turn, last)
    if turn["serial"] == 0:
        rows = (
            (b"%d" % (i + 1), s["time"], s["salt"] or b"-", s["name"])
            for i, s in enumerate(game["table"])
        )
    else:
        rows = (
            (b"%d" % u["seat"], b"default", sha(u["orders"]).hex().encode())
            if u["number"] is None
            else (
                b"%d" % u["seat"],
                b"%d" % u["number"],
                last[u["seat"]]["commitment"].hex().encode(),
            )
            for u in turn["used"]
        )
    return sha(b"".join(b" ".join(row) + b"\n" for row in rows))


def check_orders(game, turn):
    last = check_revisions(turn)
    if turn["dropped"]:
        if game["secret"]:
            check_closed(game, turn)
            check_drawn(game, turn)
        return
    if turn["orders digest"] is None:
        return
    check_used(game, turn, last)
    if game["secret"]:
        check_closed(game, turn)
        check_drawn(game, turn)
    if orders_digest(game, turn, last) != turn["orders digest"]:
        what = "the orders used" if turn["serial"] else "the seats"
        raise Broken(turn["orders digest line"], "it is not the digest of %s" % what)


def split_draws(turn):
    if turn["chance"] and not turn["chance"].endswith(b"\n"):
        raise Broken(turn["chance line"], "a draw does not end in a line end")
    for line in turn["chance"].split(b"\n")[:-1]:
        label, equals, outcome = line.partition(b" = ")
        if not equals:
            number = turn["chance line"]
            raise Broken(number, "a draw is a label, an equals sign and an outcome")
        yield label, outcome


def check_draw(game, turn, table, key, label, outcome):
    listed = 0 if outcome == b"-" else len(outcome.split(b" "))
    for pattern, how, size in table:
        if not re.fullmatch(pattern, label.decode("utf-8", "replace")):
            continue
        n = size(game, turn, listed) if callable(size) else size
        if n < (0 if how == "shuffle" else 1) or Draws(key, label).outcome(how, n) != outcome:
            raise Broken(
                turn["chance line"],
                "the draw '%s' is not the one that secret and orders give" % label.decode(),
            )
        return
    name = label.decode("utf-8", "replace")
    raise Broken(turn["chance line"], "no draw is called '%s'" % name)


def check_drawn(game, turn):
    """What a bot drew to choose its orders comes from its key; from how many, the line says."""
    for number, (seat, _), text in turn["drawn"]:
        key = keyed(game["secret"], b"molepost/1 bot", turn["serial"], seat)
        if text and not text.endswith(b"\n"):
            raise Broken(number, "a draw does not end in a line end")
        for line in text.split(b"\n")[:-1]:
            label, equals, outcome = line.partition(b" = ")
            of = re.fullmatch(rb"([0-9]+) of ([0-9]+) to ([0-9]+)", outcome)
            if of and int(of[2]) <= int(of[3]):
                least, most = int(of[2]), int(of[3])
                holds = int(of[1]) == least + Draws(key, label).below(most - least + 1)
            else:
                n = 0 if outcome == b"-" else len(outcome.split(b" "))
                holds = equals and Draws(key, label).outcome("shuffle", n) == outcome
            if not holds:
                name = label.decode("utf-8", "replace")
                raise Broken(number, "the bot's key does not draw '%s' so" % name)


def check_chance(game, turn):
    """Every draw, and no label twice. Gives how many there were."""
    if not game["secret"] or turn["dropped"]:
        return 0
    table = DRAWS[game["kind"], game["rules"]]
    if game["fork"] and turn["serial"] == 0:
        table = FORK_DRAWS.get((game["kind"], game["rules"]), [])
    digest = turn["orders digest"].hex()
    key = keyed(game["secret"], b"molepost/1 turn", game["id"], turn["serial"], digest)
    if game["version"] > 1:
        turn["inputs"] = inputs_digest(game, turn, check_revisions(turn))
        key = keyed(game["secret"], b"molepost/2 turn", turn["inputs"].hex())
    parent = next((t for t in game["turns"] if t["serial"] == turn["parent"]), turn)
    turn["tiles"] = 0 if parent is turn else parent["tiles"]
    if game["fork"] and parent is turn:
        turn["tiles"] = tiles_gone(game["fork"]["position"])
    labels = set()
    for label, outcome in split_draws(turn):
        if label in labels:
            raise Broken(turn["chance line"], "two draws have one label")
        labels.add(label)
        check_draw(game, turn, table, key, label, outcome)
        turn["tiles"] += label.startswith(b"tile for ")
    return len(labels)


def word_list():
    """The English words of BIP 39, from the source tree; None where only this file is."""
    listed = os.path.join(os.path.dirname(__file__), "../../processor/base/bip39_words.inc")
    try:
        with open(listed) as file:
            return re.findall('"([a-z]+)"', file.read())
    except OSError:
        print("the words that mails quoted are not checked: no list of them", file=sys.stderr)
        return None


def check_answered(turn, head):
    """The first 44 bits of the head, eleven a word."""
    words = word_list() if turn["answered"] else None
    bits = int.from_bytes(head[:6], "big") >> 4
    for number, _, quoted in turn["answered"]:
        if not words:
            return
        four = "-".join(words[bits >> shift & 2047] for shift in (33, 22, 11, 0))
        if quoted != four.encode():
            raise Broken(number, "these are not the four words of the head before the turn")


def check_chain(game, lines, chain, expected_head):
    head, found = bytes(32), None
    begun = {turn["line"]: turn for turn in game["turns"]}
    for count, line in enumerate(lines, 1):
        if line.number in begun:
            check_answered(begun[line.number], head)
        if line.form == "hidden":
            leaf = line.leaf
        elif line.form == "revealed":
            blind = keyed(game["secret"], b"molepost/1 line", game["id"], count)
            leaf = sha(b"\1", blind, line.text)
        else:
            leaf = sha(b"\0", line.text)
        head = sha(head, leaf)
        if head == expected_head:
            found = count
    if chain["count"] != len(lines):
        why = "the chain has %d lines, but %d stand above" % (chain["count"], len(lines))
        raise Broken(chain["line"], why)
    if head != chain["head"]:
        raise Broken(chain["line"], "the lines above do not give this head: one was changed")
    if expected_head and not found:
        raise Broken(chain["line"], "the chain never had the head you gave")


def check_signature(game, chain, signature, expected_key):
    if expected_key and expected_key != game["key"]:
        raise Broken(game["key line"], "this is not the key you gave")
    if not signature:
        if expected_key:
            raise Broken(chain["line"], "a key was given, but nobody signed this head")
        return
    message = joined(b"molepost/1 head", game["id"], chain["count"], chain["head"].hex())
    if game["version"] > 1:
        serial = game["turns"][-1]["serial"] if game["turns"] else 0
        message = joined(
            b"molepost/2 head", game["id"], serial, chain["count"], chain["head"].hex()
        )
    if not signature_holds(game["key"], message, signature["bytes"]):
        number = signature["line"]
        raise Broken(number, "this is no signature of the head by the key in the header")


def signed_mails(game):
    """Of every revision with a signature: line, seat, whether verified, digest, and its mail if known."""
    for turn in game["turns"]:
        shown = {(o["seat"], o["number"]): o["contribution"] for o in turn["used"] + turn["closed"]}
        for number, named, (verified, digest) in turn["dkim"]:
            yield number, named[0], verified, digest, shown.get(named)


def check_signatures(game):
    """Version 3: one signature is that of one mail of its seat. Gives what is odd in others."""
    mails, odd = {}, []
    for number, seat, _, digest, gave in signed_mails(game):
        if gave and mails.setdefault((seat, digest), gave) != gave:
            if game["version"] > 2:
                raise Broken(number, "two mails of seat %d have one and the same signature" % seat)
            odd.append("line %d: two mails of seat %d have one signature" % (number, seat))
    sure = {seat for _, seat, verified, _, _ in signed_mails(game) if verified}
    for turn in game["turns"]:
        verified = {named for _, named, (is_verified, _) in turn["dkim"] if is_verified}
        for used in turn["used"]:
            named = used["seat"], used["number"]
            if used["how"] == "sent" and named[0] in sure and named not in verified:
                odd.append("line %d: orders of seat %d without a signature" % (used["line"], named[0]))
    return odd


def verify(data, key=None, head=None):
    """A sentence about an archive that holds, and what is odd in it. Raises Broken about another."""
    version, lines, chain, signature = split(data)
    if not lines:
        raise Broken(chain["line"], "the archive is empty")
    game = read_game(version, lines, chain["line"])
    if game["secret"] and sha(game["secret"]) != game["secret digest"]:
        raise Broken(game["secret line"], "its SHA-256 is not the one that was announced")
    if game["fork"]:
        check_fork(game["fork"])
    known = (game["kind"], game["rules"]) in DRAWS
    draws = 0
    for turn in game["turns"]:
        check_orders(game, turn)
        draws += check_chance(game, turn) if known else 0
    odd = check_signatures(game)
    check_chain(game, lines, chain, head)
    check_signature(game, chain, signature, key)
    if not known:
        what = (game["kind"], game["rules"])
        raise Broken(0, "all else holds, but no draws are known of %s %d" % what)
    verdict = "signed by key %s" % game["key"].hex() if signature else "consistent, not signed"
    hidden = sum(line.form == "hidden" for line in lines)
    counts = (verdict, len(lines), hidden, len(game["turns"]), draws)
    return "%s; %d lines, %d hidden, %d turns, %d draws" % counts, odd


# ---- The command ----


def check_file(name, key, head):
    with open(name, "rb") as file:
        data = file.read()
    try:
        sentence, odd = verify(data, key, head)
        print("%s: %s" % (name, sentence))
        for why in odd:
            print("%s: warning: %s" % (name, why))
    except Broken as broken:
        print("%s: broken: line %d: %s" % (name, broken.line, broken.why))
        return False
    return True


def usage():
    print(__doc__.strip().split("\n\n")[1].strip(), file=sys.stderr)
    sys.exit(64)


def main(words):
    names, digests = [], {}
    while words:
        word = words.pop(0)
        if word in ("--key", "--head") and words and re.fullmatch("[0-9a-f]{64}", words[0]):
            digests[word] = bytes.fromhex(words.pop(0))
        elif word == "--list" and words:
            with open(words.pop(0), encoding="utf-8") as file:
                names += file.read().split("\n")[:-1]
        elif word.startswith("-"):
            usage()
        else:
            names.append(word)
    if not names:
        usage()
    results = [check_file(name, digests.get("--key"), digests.get("--head")) for name in names]
    sys.exit(0 if all(results) else 65)


if __name__ == "__main__":
    main(sys.argv[1:])
