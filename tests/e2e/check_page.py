#!/usr/bin/env python3
"""Leafs through a page that `molepost replay --html` wrote, in a Chromium, as a reader would.

    check_page.py CHROMIUM PAGE JSON [FOLDER]

JSON is what `replay --json` says of the same game. Every turn is looked at on a phone and on a
desk; buttons, keys, views, colours by day and night, motion, and what a reader of the screen is
told are tried. Pictures of the first, a middle and the last turn are left in FOLDER. Exit
status 0, or 1 with a sentence.
"""

import json
import sys
import time

sys.dont_write_bytecode = True  # nothing is left in the source tree
from browser import Browser  # noqa: E402

PHONE, DESK = (390, 844, True), (1280, 900, False)
COMPLAINTS = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
CONTRAST = 4.5  # of letters to what is behind them, as WCAG 2.1 wants it

STATE = """(function(){
var shown=[...document.querySelectorAll('section.turn')].filter(s=>s.offsetHeight);
var view=shown.length?[...shown[0].querySelectorAll('.view')].filter(v=>!v.hidden):[];
var place=shown.length?[...shown[0].querySelectorAll('.view:not([hidden])>.position')]
 .find(p=>!p.hidden):null;
var svg=place?place.querySelector('figure>svg'):null;
var words=place?place.querySelector('.words'):null;
var box=svg?svg.getBoundingClientRect():{};
function id(name){return document.getElementById(name);}
return {turns:shown.map(s=>s.id),where:id('where').textContent,
views:view.map(v=>v.dataset.seat),
width:Math.round(box.width||0),height:Math.round(box.height||0),
across:document.documentElement.scrollWidth,words:!!words&&words.open,
result:!!id('result').offsetHeight,moves:!id('play').hidden,focus:document.activeElement.id,
frames:svg?[...svg.querySelectorAll('g.frame')].map(g=>g.style.display!=='none'):[]};}())"""

# The worst contrast of the letters that are in sight, and whose.
DULLEST = """(function(){
function rgb(c){return c.match(/[\\d.]+/g).map(Number);}
function linear(v){v/=255;return v>0.04045?Math.pow((v+.055)/1.055,2.4):v/12.92;}
function light(c){return rgb(c).slice(0,3).map(linear)
 .reduce((sum,v,i)=>sum+v*[.2126,.7152,.0722][i],0);}
function solid(c){return c!=='none'&&rgb(c)[3]!==0;}
function behind(e){for(;e;e=e.parentElement)if(solid(getComputedStyle(e).backgroundColor))
 return getComputedStyle(e).backgroundColor;}
function under(text){
 text.ownerSVGElement.scrollIntoView({block:'center'});
 var b=text.getBoundingClientRect();
 var all=document.elementsFromPoint(b.x+b.width/2,b.y+b.height/2)
  .filter(e=>/^(rect|circle|polygon|path)$/.test(e.tagName)).map(e=>getComputedStyle(e).fill);
 return all.find(solid)||behind(text.ownerSVGElement);}
function dull(e){
 var own=[...e.childNodes].some(n=>n.nodeType===3&&n.data.trim()),frame=e.closest('g.frame');
 var svg=e.tagName==='text',b=e.getBoundingClientRect(),ink,paper;
 if(!own||/^(script|style|title|option)$/i.test(e.tagName)||b.width<2||b.height<2)return;
 if(frame&&frame.style.display==='none')return;
 ink=light(svg?getComputedStyle(e).fill:getComputedStyle(e).color);
 paper=light(svg?under(e):behind(e));
 return [(Math.max(ink,paper)+.05)/(Math.min(ink,paper)+.05),e.tagName+' '+e.textContent];}
var worst=[...document.querySelectorAll('body *')].map(dull).filter(Boolean)
 .reduce((a,b)=>a[0]<b[0]?a:b,[99,'']);
scrollTo(0,0);return worst;}())"""


def expect(holds, sentence, *values):
    if not holds:
        sys.exit(sentence % values)


class Reader:
    def __init__(self, browser, address, game, folder):
        self.browser, self.address, self.folder = browser, address, folder
        self.turns = game["turns"]
        self.last = len(self.turns) - 1
        self.kind = game["kind"]
        self.ended = bool(game.get("ended"))
        self.over = game["status"] == "over" and any(r["won"] for r in game["result"])

    def open(self, screen, fragment=""):
        self.width = screen[0]
        self.browser.size(*screen)
        self.browser.open("about:blank")
        self.browser.open(self.address + fragment)

    def at(self, n, how):
        """Turn n and nothing else is shown; its state."""
        state = self.browser.ask(STATE)
        turn = self.turns[n]
        expect(state["turns"] == ["turn-%d" % turn["serial"]], "%s: %s", how, state["turns"])
        said = "%s (%d of %d)" % (turn["label"], n + 1, self.last + 1)
        expect(state["where"] == said, "%s: said %s, not %s", how, state["where"], said)
        expect(state["across"] <= self.width, "%s: %d across", said, state["across"])
        expect(state["result"] == (n == self.last), "%s: the result is shown, or is not", said)
        if any(view["blocks"] for view in turn["views"]):
            smaller = min(state["width"], state["height"])
            expect(smaller >= 60, "%s: no picture to speak of", said)
        return state

    def shoot(self, name):
        if self.folder:
            self.browser.ask("scrollTo(0,0)")
            self.browser.shoot("%s/%s-%s.png" % (self.folder, self.kind, name), whole=True)

    def leaf(self, name, forward, back):
        """All turns, there and back; each way with several keys or buttons by turns."""
        for n in range(self.last + 1):
            state = self.at(n, "%s, on" % name)
            if state["width"] > 0:
                expect(state["words"] == (name == "desk"), "sentences are open on a desk only")
            if n in (0, self.last // 2, self.last):
                self.shoot("%s-%d" % (name, n))
            forward[n % len(forward)]()
        self.at(self.last, "%s, on behind the last" % name)
        for n in range(self.last, max(-1, self.last - 6), -1):
            self.at(n, "%s, back" % name)
            back[n % len(back)]()

    def go(self):
        def key(name, text=""):
            return lambda: self.browser.press(name, text)

        def button(name):
            return lambda: self.browser.click("#" + name)

        self.open(PHONE)
        forward = [button("next"), key("ArrowRight"), key("n", "n")]
        back = [button("previous"), key("ArrowLeft"), key("p", "p")]
        self.leaf("phone", forward, back)
        for how, n in (("Home", 0), ("End", self.last)):
            key(how)()
            self.at(n, how)
            cut = self.browser.ask(
                "[...document.querySelectorAll('.scores .wide')]"
                ".filter(e=>e.scrollWidth>e.clientWidth).length"
            )
            expect(cut == 0, "a table that must be moved sideways")
        for how, n in (("first", 0), ("last", self.last)):
            button(how)()
            self.at(n, how)
        self.open(DESK)
        self.leaf("desk", [key("ArrowRight")], [key("ArrowLeft")])
        middle = self.last // 2
        self.open(DESK, "#turn-%d" % self.turns[middle]["serial"])
        self.at(middle, "an address with a turn")

    def look_through_other_eyes(self):
        seats = [str(view["seat"]) for view in self.turns[-1]["views"]]
        own = set()
        for seat in seats[1:]:
            self.browser.press("s", "s")
            for n in (0, self.last // 2, self.last):
                self.browser.press("Home")
                for _ in range(n):
                    self.browser.press("ArrowRight")
                views = self.at(n, "seat %s" % seat)["views"]
                expect(views in (["0", seat], ["0"]), "seat %s sees %s", seat, views)
                own.update(views)
        differ = any(
            view["blocks"] != turn["views"][0]["blocks"]
            for turn in self.turns
            for view in turn["views"]
        )
        choice = self.browser.ask("document.getElementById('seat').offsetHeight!==0")
        expect(choice == differ, "one view and a choice, or several and none")
        expect("hidden" not in self.kind or len(own) > 1, "no seat sees more than everybody")

    def look_at_chances(self):
        """Of a game that has ended, and of no other, the chances to win are drawn: a line a seat."""
        found = self.browser.ask(
            "(function(){var f=[].filter.call(document.querySelectorAll('figure'),function(f){"
            "return f.textContent.indexOf('Chances to win')>=0;});return f.map(function(f){"
            "return [f.querySelectorAll('svg.curve path').length,"
            "f.querySelector('svg.curve').getBoundingClientRect().height>0,"
            "f.querySelectorAll('.who').length];});}())"
        )
        if not self.ended:
            expect(found == [], "chances in a game that goes on: %r", found)
        elif self.last >= 2:
            expect(len(found) == 1 and found[0][0] == found[0][2] > 1, "chances: %r", found)
            expect(found[0][1], "nobody sees the chances: %r", found)

    def look_at_all_turns(self):
        """The list leads to each turn, the curve says where one is, and all play by themselves."""
        self.open(PHONE)
        self.browser.click("#overview>summary")
        links = self.browser.ask("document.querySelectorAll('#turns a').length")
        expect(links == self.last + 1, "%s turns in the list", links)
        middle = self.last // 2
        self.browser.click("#turns li:nth-child(%d) a" % (middle + 1))
        self.at(middle, "the list")
        here = "(document.getElementById('here')||{dataset:{}}).dataset.step"
        if self.browser.ask(here):
            shift = self.browser.ask("document.getElementById('here').getAttribute('transform')")
            expect(shift.startswith("translate(%d" % (12 * middle)), "the curve is at %s", shift)
        self.look_at_chances()
        current = self.browser.ask("document.querySelector('#turns a[aria-current]').textContent")
        expect(current == self.turns[middle]["label"], "%s is current", current)
        heading = self.browser.ask(
            "(function(){var h=document.querySelector('section.turn:not([hidden]) h2');"
            "return h.offsetHeight!==0?h.textContent:'';}())"
        )
        expect(heading == self.turns[middle]["label"], "no heading: %r", heading)
        self.browser.ask("document.getElementById('speed').selectedIndex=2")
        self.browser.press("Home")
        # The page itself stops at the first step: asked from here, it may be farther already.
        self.browser.ask(
            "window.step=new Promise(function(done){setTimeout(done,30000);"
            "new MutationObserver(function(all,o){o.disconnect();"
            "document.getElementById('auto').click();done();})"
            ".observe(document.getElementById('where'),{childList:true});});0"
        )
        self.browser.click("#auto")
        self.browser.ask("step.then(function(){})")
        self.at(1, "by itself")
        time.sleep(1.2)
        self.at(1, "stopped")
        title = self.browser.ask("document.title")
        expect("won" in title or "share" in title or not self.over, "the title is %s", title)

    def look_by_day_and_night(self):
        for light in ("light", "dark"):
            self.browser.prefer(color_scheme=light)
            for n in (0, self.last // 2, self.last):
                self.browser.ask("location.hash='#turn-%d'" % self.turns[n]["serial"])
                self.browser.ask("new Promise(done=>setTimeout(done,60))")
                self.at(n, light)
                worst, whose = self.browser.ask(DULLEST)
                expect(worst >= CONTRAST, "%s, turn %d: %.1f: %s", light, n, worst, whose)
                if light == "dark":
                    self.shoot("dark-%d" % n)
        self.browser.prefer()

    def use_the_keyboard(self):
        self.open(DESK)
        for name in ("first", "previous", "next"):
            self.browser.press("Tab")
            state = self.at(0, "tab")
            expect(state["focus"] == name, "tab leads to %s, not to %s", state["focus"], name)
        outline = self.browser.ask("getComputedStyle(document.activeElement).outlineStyle")
        expect(outline != "none", "one does not see where the focus is")
        self.browser.press("Enter", "\r")
        expect(self.at(1, "enter")["focus"] == "next", "the focus is lost")

    def listen(self):
        nodes = self.browser.do("Accessibility.getFullAXTree")["nodes"]
        spoken = [
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in nodes
            if not node["ignored"]
        ]
        for role, name in spoken:
            named = role not in ("button", "image", "img", "combobox", "navigation")
            expect(named or name, "something of the role %s has no name", role)
        for name in ("First", "Previous", "Next", "Last"):
            expect(("button", name) in spoken, "no button is called %s", name)
        roles = [role for role, _ in spoken]
        expect("status" in roles, "what is shown is not read aloud")

    def move(self):
        frames, n = max((max_frames(turn), n) for n, turn in enumerate(self.turns))
        self.open(DESK, "#turn-%d" % self.turns[n]["serial"])
        expect(self.at(n, "still")["moves"] == (frames > 1), "turn %d: what moves?", n)
        if frames < 2:
            return
        shown = self.at(n, "still")["frames"]
        still = [False] * (len(shown) - 1) + [True]
        expect(shown == still, "it does not rest on its last picture")
        self.browser.ask(
            "window.seen=[];new MutationObserver(function(){seen.push(%s.frames.indexOf(true));})"
            ".observe(document.body,{subtree:true,attributeFilter:['style']});0" % STATE
        )
        self.browser.click("#play")
        seen, until = [], time.monotonic() + 20
        while seen[-1:] != [len(still) - 1] and time.monotonic() < until:
            time.sleep(0.1)
            seen = self.browser.ask("seen")
        expect(seen == list(range(len(still))), "it moves so: %s", seen)
        self.at(n, "moved")
        self.browser.prefer(reduced_motion="reduce")
        for frame in (0, 1):
            self.browser.press("m", "m")
            time.sleep(0.3)
            shown = self.at(n, "by hand")["frames"].index(True)
            expect(shown == frame, "where motion is not wanted: %d, not %d", shown, frame)
        self.browser.prefer()

    def do_without_script(self):
        self.browser.do("Emulation.setScriptExecutionDisabled", value=True)
        self.open(PHONE)
        turns = "document.querySelectorAll('section.turn:not([hidden])').length"
        shown = self.browser.ask(turns)
        expect(shown == self.last + 1, "without its script the page shows %d turns", shown)
        nav = self.browser.ask("document.querySelector('nav').hidden")
        expect(nav, "buttons that do nothing")
        self.browser.do("Emulation.setScriptExecutionDisabled", value=False)


    def print_it(self):
        self.open(DESK)
        self.browser.do("Emulation.setEmulatedMedia", media="print")
        parts = "[...document.querySelectorAll('section.turn,#result')]"
        shown = self.browser.ask(parts + ".filter(s=>s.offsetHeight).length")
        expect(shown == self.last + 2, "%d turns and the result on paper", shown - 1)
        nav = self.browser.ask("document.querySelector('nav').offsetHeight")
        expect(nav == 0, "printed buttons")
        self.browser.do("Emulation.setEmulatedMedia", media="")


def max_frames(turn):
    """Of the boards that everybody sees."""
    blocks = turn["views"][0]["blocks"] if turn["views"] else []
    return max((b["frames"] for b in blocks if b["kind"] == "board"), default=0)


def check_silence(browser, address):
    """Nothing was fetched but the page, and nothing complained of."""
    for method, said in browser.heard:
        if method == "Network.requestWillBeSent":
            url = said["request"]["url"].split("#")[0]
            expect(url in (address, "about:blank"), "the page wants %s", url)
        expect(method not in COMPLAINTS, "%s: %s", method, said)


def main(program, page, data, folder=None):
    with open(data, encoding="utf-8") as file:
        game = json.load(file)
    address = "file://" + page
    browser = Browser(program)
    try:
        reader = Reader(browser, address, game, folder)
        reader.go()
        reader.look_through_other_eyes()
        reader.look_at_all_turns()
        reader.look_by_day_and_night()
        reader.use_the_keyboard()
        reader.listen()
        reader.move()
        reader.print_it()
        reader.do_without_script()
        check_silence(browser, address)
    finally:
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
