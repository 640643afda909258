#!/usr/bin/env python3
"""Reads mails with an HTML form in a Chromium, on a phone and on a desk, by day and by night.

    check-mail.py CHROMIUM FOLDER [SHOTS]

FOLDER holds messages (*.eml). Of each the HTML part is shown. Nothing may be wider than the
window, a link must be large enough for a thumb and begin the answer that it shows, letters must
be legible, nothing may be fetched or run, tags and styles must be such as mail programs know,
and what is read aloud must come in the order of the text. Pictures go to SHOTS. Exit status 0,
or 1 with a sentence.
"""

import email
import email.policy
import glob
import html.parser
import os
import re
import sys
import tempfile
import urllib.parse

sys.dont_write_bytecode = True  # nothing is left in the source tree
from browser import Browser  # noqa: E402
from check_page import CONTRAST, DULLEST, check_silence, expect  # noqa: E402

PHONE, DESK = (360, 780, True), (1200, 900, False)
THUMB = 40  # pixels
MOST = 100 * 1024
# What nearly all mail programs show; everything else is a surprise on some phone.
TAGS = set("html head meta title style body h2 p ul li a pre table tr th td div span br".split())
ATTRIBUTES = set("lang charset name content class style href".split())


class Checker(html.parser.HTMLParser):
    """Tags and attributes, the text in its order, and the links with what they show."""

    def __init__(self, name):
        super().__init__()
        self.name, self.links, self.words, self.inside = name, [], [], []

    def handle_starttag(self, tag, attrs):
        expect(tag in TAGS, "%s: <%s>", self.name, tag)
        for key, value in attrs:
            expect(key in ATTRIBUTES, "%s: <%s %s>", self.name, tag, key)
            expect("url(" not in (value or ""), "%s: %s=%s", self.name, key, value)
        if tag == "a":
            self.links.append([dict(attrs)["href"], ""])
        if tag == "br" and "a" in self.inside:
            self.links[-1][1] += "\n"
        if tag not in ("meta", "br"):
            self.inside.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in ("meta", "br"):
            self.inside.pop()

    def handle_endtag(self, tag):
        expect(self.inside and self.inside.pop() == tag, "%s: </%s>", self.name, tag)

    def handle_data(self, data):
        if "style" in self.inside or "title" in self.inside:
            return
        self.words += data.split()
        if "a" in self.inside:
            self.links[-1][1] += data


def check_links(name, message, checker):
    reply = message["Reply-To"] or message["From"].addresses[0].addr_spec
    for href, shown in checker.links:
        url = urllib.parse.urlsplit(href)
        query = dict(urllib.parse.parse_qsl(url.query, strict_parsing=True))
        expect(url.scheme == "mailto", "%s: a link to %s", name, href)
        expect(urllib.parse.unquote(url.path) == str(reply), "%s: %s", name, url.path)
        expect(query["In-Reply-To"] == message["Message-ID"], "%s: %s", name, query)
        lines = [re.sub(r"^\| ?", "", line) for line in shown.split("\n")]
        expect("\r\n".join(lines) == query["body"], "%s: %r is not %r", name, shown, query)


def check_words(name, text, checker):
    """All of the text, and in its order; the links to commands that fit come on top of it."""
    bare = re.sub(r"(?m)^== (.*?) ==$", r"\1", text)
    bare = re.sub(r"(?m)^(- |-- $)", "", bare)
    bare = re.sub(r"(?m)^  \|   ?", "  ", bare)
    words, at = bare.replace("==", "").split(), 0
    for word in words:
        while at < len(checker.words) and checker.words[at] != word:
            at += 1
        expect(at < len(checker.words), "%s: %r is not there, or not in its place", name, word)
        at += 1


def check(browser, path, shots, folder):
    name = os.path.basename(path)[:-4]
    with open(path, "rb") as file:
        message = email.message_from_binary_file(file, policy=email.policy.default)
    plain, page = message.get_body(("plain",)), message.get_body(("html",))
    expect(page is not None, "%s has no HTML", name)
    kinds = [part.get_content_type() for part in message.walk()]
    expect(kinds.index("text/plain") < kinds.index("text/html"), "%s: %s", name, kinds)
    source = page.get_content()
    expect(len(source.encode()) < MOST, "%s has %d bytes", name, len(source))
    checker = Checker(name)
    checker.feed(source)
    checker.close()
    check_links(name, message, checker)
    check_words(name, plain.get_content(), checker)
    address = os.path.join(folder, name + ".html")
    with open(address, "w", encoding="utf-8") as file:
        file.write(source)
    for screen in (PHONE, DESK):
        browser.size(*screen)
        browser.open("file://" + address)
        across = browser.ask("document.documentElement.scrollWidth")
        expect(across <= screen[0], "%s: %d pixels of %d", name, across, screen[0])
        small = browser.ask(
            "[...document.querySelectorAll('a')].map(a=>a.getBoundingClientRect())"
            ".filter(b=>b.height<%d||b.width<%d||b.right>%d).length" % (THUMB, THUMB, screen[0])
        )
        expect(small == 0, "%s: %s links are too small or outside", name, small)
        for light in ("light", "dark"):
            browser.prefer(color_scheme=light)
            worst, whose = browser.ask(DULLEST)
            expect(worst >= CONTRAST, "%s, %s: %.1f: %s", name, light, worst, whose)
            if shots:
                picture = "%s-%d-%s.png" % (name, screen[0], light)
                browser.shoot(os.path.join(shots, picture), whole=True)
        browser.prefer()
    check_silence(browser, "file://" + address)
    browser.heard.clear()


def main(program, mails, shots=None):
    browser = Browser(program)
    try:
        with tempfile.TemporaryDirectory() as folder:
            for path in sorted(glob.glob(os.path.join(mails, "*.eml"))):
                check(browser, path, shots, folder)
    finally:
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
