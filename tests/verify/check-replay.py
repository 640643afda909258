#!/usr/bin/env python3
"""Reads what `molepost replay` wrote of one game, as a browser and a program would.

    check-replay.py PAGE JSON

The page must be well-formed, refer to nothing outside itself, and have a section for every
turn that JSON lists, each with a picture of the board; what the script reaches for must be
there. Exit status 0, or 1 with a sentence.
"""

import json
import re
import sys
import xml.etree.ElementTree as tree

HTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"


def expect(holds, sentence):
    if not holds:
        sys.exit(sentence)


def check_alone(root):
    """No network: nothing that a browser would fetch."""
    for element in root.iter():
        for name, value in element.attrib.items():
            refers = name in ("src", "href", "action", "data", "background", "poster")
            inside = name == "href" and value.startswith("#turn-")
            expect(not refers or inside, "%s has %s=%s" % (element.tag, name, value))
            expect("url(" not in value, "%s loads %s" % (element.tag, value))
        tag = element.tag
        expect(tag not in (HTML + "link", HTML + "iframe", HTML + "object"), tag)
    style = root.find(".//" + HTML + "style").text
    expect("url(" not in style and "@import" not in style, "the style loads something")
    policy = root.find(".//" + HTML + "meta[@http-equiv='Content-Security-Policy']")
    expect(policy.get("content").startswith("default-src 'none'"), "no policy")


def check_script(root):
    """Every element the script asks for by its id is in the page, once."""
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    expect(len(ids) == len(set(ids)), "two elements have one id")
    script = root.find(".//" + HTML + "script").text
    wanted = set(re.findall(r"(?:getElementById|on)\('(\w+)'", script))
    expect(wanted and wanted <= set(ids), "the script misses %s" % (wanted - set(ids)))


def check_picture(svg):
    x, y, width, height = (int(n) for n in svg.get("viewBox").split())
    for circle in svg.iter(SVG + "circle"):
        cx, cy = int(circle.get("cx")), int(circle.get("cy"))
        inside = x <= cx <= x + width and y <= cy <= y + height
        expect(inside, "a circle lies outside of its picture")
    for path in svg.iter(SVG + "path"):
        for cx, cy in re.findall(r"M(-?\d+) (-?\d+)h0", path.get("d")):
            inside = x <= int(cx) <= x + width and y <= int(cy) <= y + height
            expect(inside, "a dot lies outside of its picture")
    for text in svg.iter(SVG + "text"):
        size = text.get("font-size", svg.get("font-size"))
        expect(size and float(size) > 0, "letters without size")
    shown = [g for g in svg.iter(SVG + "g") if "none" not in g.get("style", "")]
    frames = list(svg.iter(SVG + "g"))
    expect(len(shown) == (1 if frames else 0), "not one frame is shown")


def check_turn(section, turn, seats):
    expect(section.get("id") == "turn-%d" % turn["serial"], "a turn is missing or out of order")
    views = [d for d in section.iter(HTML + "div") if d.get("class") == "view"]
    said = [int(v.get("data-seat")) for v in views]
    expect(said == sorted(set(said)) and said[0] == 0, "views: %s" % said)
    expect(len(turn["views"]) == seats + 1, "views in JSON: %d" % len(turn["views"]))
    expect(list(section.iter(SVG + "svg")), "a turn without a picture")
    for svg in section.iter(SVG + "svg"):
        check_picture(svg)
    text = "".join(section.itertext())
    for orders in turn["orders"]:
        for line in orders["text"].split("\n"):
            expect(line in text, "orders are missing: %s" % line)


def main(page, data):
    root = tree.parse(page).getroot()
    with open(data, encoding="utf-8") as file:
        game = json.load(file)
    check_alone(root)
    check_script(root)
    sections = [s for s in root.iter(HTML + "section") if s.get("class") == "turn"]
    expect(len(sections) == len(game["turns"]) > 1, "%d sections" % len(sections))
    seats = 0 if game["status"] == "running" else len(game["seats"])
    for section, turn in zip(sections, game["turns"]):
        check_turn(section, turn, seats)
    links = [a.get("href") for a in root.iter(HTML + "a")]
    expect(links == ["#turn-%d" % turn["serial"] for turn in game["turns"]], "the list of turns")
    options = list(root.find(".//" + HTML + "select[@id='seat']").iter(HTML + "option"))
    expect(len(options) == seats + 1, "%d views to choose from" % len(options))


if __name__ == "__main__":
    main(*sys.argv[1:])
