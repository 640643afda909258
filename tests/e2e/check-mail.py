#!/usr/bin/env python3
"""Reads mails with an HTML form in a Chromium, on a phone and on a desk, by day and by night.

    check-mail.py CHROMIUM FOLDER [SHOTS]

FOLDER holds messages (*.eml). Of each the HTML part is shown. Nothing may be wider than the
window, a link must be large enough for a thumb and begin the answer that it shows, letters must
be legible, nothing may be fetched or run, tags and styles must be such as mail programs know,
and what is read aloud must come in the order of the text. A picture comes with the mail, fills a phone,
stands in the place of the drawn board, and says in words what that says. Pictures of the windows go
to SHOTS. Exit status 0, or 1 with a sentence; on standard output a line for each mail: how many
bytes, whether with a picture, subject.
"""

import email
import email.policy
import base64
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

PHONE, DESK = (360, 780, True), (1280, 900, False)
THUMB = 40  # pixels
LEAST = 11  # pixels high are letters; those of drawings, in their place, are as they fit
# The smallest letters, what is cut off, and what would have to be moved sideways.
SMALL = """(()=>{const texts=[...document.querySelectorAll('body *')].filter(e=>e.offsetWidth&&
!e.closest('pre,.bar')&&[...e.childNodes].some(n=>n.nodeType===3&&n.data.trim()));
return texts.map(e=>[parseFloat(getComputedStyle(e).fontSize),e.textContent]).sort((a,b)=>a[0]-b[0])[0]})()"""
CUT = """[...document.querySelectorAll('body,body *')].filter(e=>e.scrollWidth>e.clientWidth+1&&
e.clientWidth||e.getBoundingClientRect().right>innerWidth).map(e=>e.outerHTML.slice(0,99))"""
MOST = 100 * 1024
# What nearly all mail programs show; everything else is a surprise on some phone.
TAGS = set("html head meta title style body h2 p ul li a pre table tr th td div span br img".split())
ATTRIBUTES = set("lang charset name content class style href src width alt".split())


class Checker(html.parser.HTMLParser):
    """Tags and attributes, the text in its order, and the links with what they show."""

    def __init__(self, name):
        super().__init__()
        self.name, self.links, self.words, self.inside = name, [], [], []
        self.pictures = []

    def handle_starttag(self, tag, attrs):
        expect(tag in TAGS, "%s: <%s>", self.name, tag)
        for key, value in attrs:
            expect(key in ATTRIBUTES, "%s: <%s %s>", self.name, tag, key)
            expect("url(" not in (value or ""), "%s: %s=%s", self.name, key, value)
        if tag == "a":
            self.links.append([dict(attrs)["href"], ""])
        if tag == "img":
            self.pictures.append(dict(attrs))
            self.words.append(None)  # the drawn board is here
        if tag == "br" and "a" in self.inside:
            self.links[-1][1] += "\n"
        if tag not in ("meta", "br", "img"):
            self.inside.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in ("meta", "br", "img"):
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


def bare_words(text):
    bare = re.sub(r"(?m)^== (.*?) ==$", r"\1", text)
    bare = re.sub(r"(?m)^(- |-- $)", "", bare)
    return re.sub(r"(?m)^  \|   ?", "  ", bare).replace("==", "").split()


def found(words, shown):
    """How many of the words come there, in their order, until one does not."""
    rest = iter(shown)
    return next((n for n, word in enumerate(words) if word not in rest), len(words))


def check_words(name, text, checker):
    """All of the text but a board in whose place there is a picture; more may come between."""
    words, shown = bare_words(text), checker.words
    if None in shown:
        here, behind = shown[: shown.index(None)], shown[shown.index(None) + 1 :]
        begun = found(words, here)
        ends = (n for n in range(begun, len(words)) if found(words[n:], behind) == len(words) - n)
        end = next(ends, len(words))
        expect(begun > 9 and len(words) - end > 9, "%s: only %d %d", name, begun, end)
        expect(5 < end - begun < 200, "%s: not there: %s", name, words[begun:end])
    else:
        n = found(words, shown)
        expect(n == len(words), "%s: %r is not there, or not in its place", name, words[n:][:1])


def check_picture(name, message, checker):
    """At most one, in the form that shows it and nowhere else; None, or its bytes."""
    parts = [p for p in message.walk() if p.get_content_maintype() == "image"]
    expect(len(parts) == len(checker.pictures) <= 1, "%s: %d pictures", name, len(parts))
    if not parts:
        return None
    shown = checker.pictures[0]
    expect(shown["src"] == "cid:" + parts[0]["Content-ID"][1:-1], "%s: %s", name, shown)
    expect(parts[0].get_content_disposition() == "inline", "%s: a file", name)
    lead, end = "The board in words: ", " (End of the board.)"
    alt = shown["alt"].replace("\u00a0", " ")
    expect(alt.startswith(lead) and alt.endswith(end), "%s: %r", name, alt)
    expect(len(alt) > len(lead) + len(end) + 30, "%s: %r", name, alt)
    return parts[0].get_content()


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
    picture = check_picture(name, message, checker)
    size = os.path.getsize(path)
    expect(size < MOST or any(p.is_attachment() for p in message.walk()), "%s: %d", name, size)
    print(name, size, "picture" if picture else "-", message["Subject"])
    if picture:
        data = base64.b64encode(picture).decode()
        source = re.sub('src="cid:[^"]*"', 'src="data:image/png;base64,%s"' % data, source)
    address = os.path.join(folder, name + ".html")
    with open(address, "w", encoding="utf-8") as file:
        file.write(source)
    for screen in (PHONE, DESK):
        browser.size(*screen)
        browser.open("file://" + address)
        across = browser.ask("document.documentElement.scrollWidth")
        expect(across <= screen[0], "%s: %d pixels of %d", name, across, screen[0])
        least, whose = browser.ask(SMALL)
        expect(least >= LEAST, "%s: letters of %s pixels: %s", name, least, whose)
        cut = browser.ask(CUT)
        expect(not cut, "%s at %d: cut off or to be moved: %s", name, screen[0], cut)
        small = browser.ask(
            "[...document.querySelectorAll('a')].map(a=>a.getBoundingClientRect())"
            ".filter(b=>b.height<%d||b.width<%d||b.right>%d).length" % (THUMB, THUMB, screen[0])
        )
        expect(small == 0, "%s: %s links are too small or outside", name, small)
        wide = browser.ask("[...document.images].map(i=>i.naturalWidth?i.width:0)")
        for width in wide:
            expect(300 <= width <= screen[0], "%s: a picture %d wide", name, width)
        bars = browser.ask("[...document.querySelectorAll('a .bar')].filter(b=>b.offsetWidth>1).length")
        expect(bars == 0, "%s: %s buttons with a bar", name, bars)
        for light in ("light", "dark"):
            browser.prefer(color_scheme=light)
            worst, whose = browser.ask(DULLEST)
            expect(worst >= CONTRAST, "%s, %s: %.1f: %s", name, light, worst, whose)
            if shots:
                picture = "%s-%d-%s.png" % (name, screen[0], light)
                browser.shoot(os.path.join(shots, picture), whole=True)
        browser.prefer()
    browser.heard = [
        (method, said)
        for method, said in browser.heard
        if not said.get("request", {}).get("url", "").startswith("data:image/png;")
    ]
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
