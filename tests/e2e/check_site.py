#!/usr/bin/env python3
"""Looks at the folder that `molepost site` wrote, as text and in a Chromium.

    check_site.py CHROMIUM|- FOLDER [SHOTS]

Every page is XML, and valid HTML as tidy sees it; every link leads to a file of the folder and a
place in it, or begins a mail to the server with a line to send; feeds have what RFC 4287 asks
for. The lists are then read on a phone and on a desk, by day and by night, a game is opened from
the index and left again, and nothing but files of the folder is fetched. Pictures go to SHOTS.
Exit status 0, or 1 with a sentence.
"""

import glob
import os
import re
import subprocess
import sys
import urllib.parse
import xml.etree.ElementTree as xml

sys.dont_write_bytecode = True  # nothing is left in the source tree
from browser import Browser  # noqa: E402
from check_page import COMPLAINTS, CONTRAST, DULLEST, expect  # noqa: E402

PHONE, DESK = (360, 780, True), (1200, 900, False)
XHTML, ATOM = "{http://www.w3.org/1999/xhtml}", "{http://www.w3.org/2005/Atom}"
MOMENT = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
COMMAND = re.compile(r"^(help|create [a-z ]+ players \d bots 1|(join|takeover) [A-Z]\d+)$")


def check_mail(path, link):
    parts = urllib.parse.urlsplit(link)
    fields = urllib.parse.parse_qs(parts.query)
    expect(parts.path == "moles@example.org", "%s: a mail to %s", path, parts.path)
    line = fields["body"][0].strip()
    expect(COMMAND.match(line), "%s: a mail that begins with %r", path, line)


def check_links(path, tree):
    for element in tree.iter(XHTML + "a"):
        link = element.get("href")
        if link.startswith("mailto:"):
            check_mail(path, link)
            continue
        expect("//" not in link, "%s leads out of the folder: %s", path, link)
        file, _, place = link.partition("#")
        there = os.path.join(os.path.dirname(path), file) if file else path
        expect(os.path.isfile(there), "%s: there is no %s", path, link)
        if place:
            with open(there, encoding="utf-8") as text:
                expect('id="%s"' % place in text.read(), "%s: no such place: %s", path, link)


def check_html(path):
    tree = xml.parse(path)
    ids = [e.get("id") for e in tree.iter() if e.get("id")]
    expect(len(ids) == len(set(ids)), "%s: an id is there twice", path)
    check_links(path, tree)
    # It does not know all attributes of SVG, and counts what is muted for its exit status.
    tidy = subprocess.run(
        ["tidy", "-q", "-e", "--mute", "PROPRIETARY_ATTRIBUTE", path],
        capture_output=True,
        text=True,
        check=False,
    )
    expect(tidy.stderr.strip() == "", "%s: tidy says:\n%s", path, tidy.stderr)


def check_feed(path):
    feed = xml.parse(path).getroot()
    expect(feed.tag == ATOM + "feed", "%s is no feed", path)
    entries = feed.findall(ATOM + "entry")
    expect(entries, "%s has no entry", path)
    ids = []
    for part in [feed, *entries]:
        for name in ("id", "title", "updated"):
            expect(len(part.findall(ATOM + name)) == 1, "%s: %s is missing", path, name)
        expect(MOMENT.match(part.findtext(ATOM + "updated")), "%s: no moment", path)
        ids.append(part.findtext(ATOM + "id"))
    expect(len(ids) == len(set(ids)), "%s: an id is there twice", path)
    expect(feed.find(ATOM + "author/" + ATOM + "name").text, "%s has no author", path)
    newest = max(e.findtext(ATOM + "updated") for e in entries)
    expect(feed.findtext(ATOM + "updated") == newest, "%s: updated is not its newest", path)
    for entry in entries:
        link = entry.find(ATOM + "link").get("href")
        file, _, place = link.partition("#")
        with open(os.path.join(os.path.dirname(path), file), encoding="utf-8") as text:
            expect(not place or 'id="%s"' % place in text.read(), "%s: no %s", path, link)


def look(browser, folder, shots):
    for path in sorted(glob.glob(folder + "/*.html")):
        name = os.path.basename(path)[:-5]
        for screen, device in ((PHONE, "phone"), (DESK, "desk")):
            browser.size(*screen)
            browser.open("file://" + path)
            across = browser.ask("document.documentElement.scrollWidth")
            expect(across <= screen[0], "%s on a %s is %d across", name, device, across)
            for light in ("light", "dark"):
                browser.prefer(color_scheme=light)
                worst, whose = browser.ask(DULLEST)
                expect(worst >= CONTRAST, "%s, %s: %.1f: %s", name, light, worst, whose)
                if shots:
                    browser.shoot("%s/site-%s-%s-%s.png" % (shots, name, device, light), whole=True)
            browser.prefer()
    browser.open("file://" + folder + "/index.html")
    first = "document.querySelector('main a[href^=\"games/\"]')"
    name = browser.ask(first + ".textContent")
    browser.open(browser.ask(first + ".href"))
    heading = browser.ask("document.querySelector('h1').textContent")
    expect(heading == name, "%s leads to %s", name, heading)
    browser.open(browser.ask("document.querySelector('header a').href"))
    title = browser.ask("document.title")
    expect(title.startswith("Games by mail"), "the way back leads to %s", title)
    for method, said in browser.heard:
        if method == "Network.requestWillBeSent":
            url = said["request"]["url"]
            ours = url.startswith("file://" + folder) or url == "about:blank"
            expect(ours, "a page wants %s", url)
        expect(method not in COMPLAINTS, "%s: %s", method, said)


def main(program, folder, shots=None):
    for path in sorted(glob.glob(folder + "/**/*.html", recursive=True)):
        check_html(path)
    for path in sorted(glob.glob(folder + "/games/*.xml")):
        check_feed(path)
    if program == "-":
        return
    browser = Browser(program)
    try:
        look(browser, folder, shots)
    finally:
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
