#!/usr/bin/env python3
"""Gives cases to a page that `molepost verify --page` wrote, in a Chromium.

    check_verify_page.py CHROMIUM PAGE FOLDER walk|cases [SHOTS]

FOLDER/cases has a line for each case: "convicts" or "innocent", the key or "-", and the files with
the verdict that is expected of each, FILE=VERDICT; nothing behind the sign is no expectation. Mails
come in the shapes that mail programs give them. The first case that convicts is also dropped on the
page by hand, and a picture is left in SHOTS. "walk": the files of each case are chosen, and it has the
pictures of the manual. Exit status 0, or 1 with a sentence.
"""

import base64
import email.message
import email.policy
import hashlib
import html
import json
import os
import sys

sys.dont_write_bytecode = True  # nothing is left in the source tree
from browser import Browser  # noqa: E402

COMPLAINTS = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
AT_A_TIME = 25
UNCHECKED = "This page does not know the rules of the games, so it takes some things as the record has"


def expect(holds, words, *values):
    if not holds:
        print(words % values)
        sys.exit(1)


# ---- the shapes of mails ----


def mail(text, subtype="plain", cte="7bit"):
    made = email.message.EmailMessage(policy=email.policy.SMTP)
    made["From"] = "molepost <moles@example.org>"
    made["Subject"] = "[W17 turn 2] as it came"
    made["Date"] = "Fri, 06 Mar 2026 10:00:00 +0000"
    made["Message-ID"] = "<1@example.org>"
    made.set_content(text, subtype=subtype, cte=cte)
    return made


def attached(text):
    made = mail("See below.\n")
    made.add_attachment(text.encode(), "application", "octet-stream", filename="proofs.txt")
    return made


def forwarded(text):
    made = mail("Look at this.\n")
    made.add_attachment(mail(text, cte="base64"))
    return made


def forwarded_as_file(text):
    made = mail("Look at this.\n")
    made.add_attachment(
        bytes(mail(text, cte="quoted-printable")), "application", "octet-stream", filename="a.eml"
    )
    return made


def of_html(text):
    lines = "<br>".join(html.escape(line).replace(" ", "&nbsp;") for line in text.split("\n"))
    return mail("<html><body><div>" + lines + "</div></body></html>", "html", "quoted-printable")


def both(text):
    made = mail("Nothing here.\n")
    made.add_alternative(of_html(text).get_content(), subtype="html", cte="base64")
    return made


def quoted(text):
    return "".join("> > " + line + "\r\n" for line in text.split("\n"))


SHAPES = (
    lambda text: text.encode(),
    lambda text: quoted(text).encode(),
    lambda text: bytes(mail(text)),
    lambda text: bytes(mail(text, cte="quoted-printable")),
    lambda text: bytes(mail(quoted(text), cte="base64")),
    lambda text: bytes(attached(text)),
    lambda text: bytes(forwarded(text)),
    lambda text: bytes(forwarded_as_file(text)),
    lambda text: bytes(of_html(text)),
    lambda text: bytes(both(text)),
)


def read(folder, name, count):
    with open(os.path.join(folder, name), "rb") as file:
        data = file.read()
    if name.endswith(".mail"):
        return SHAPES[count % len(SHAPES)](data.decode())
    if name.endswith(".record") and count % 5 == 4:
        try:
            return bytes(attached(data.decode()))
        except UnicodeDecodeError:
            pass
    return data


# ---- the cases ----

JUDGE = """(function(cases){return cases.map(function(c){
var r=judge(c.files.map(f=>({name:f[0],bytes:atob(f[1])})),c.key);
return {convicts:r.convicts,all:r.findings.map(f=>[f.files[0],f.verdict,f.text])};});}(%s))"""


def check_case(line, said):
    words = line.split(" ")
    expect(
        said["convicts"] == (words[0] == "convicts"),
        "%s\nbut %s",
        line,
        json.dumps(said["all"], indent=1),
    )
    for name, verdict, text in said["all"]:
        if name.endswith(".record") and verdict in ("signed", "consistent"):
            expect(UNCHECKED in text, "what it cannot check is not said: %s", text)
    for name, verdict in (word.split("=") for word in words[2:]):
        found = [f[1:] for f in said["all"] if f[0] == name]
        expect(
            not verdict or verdict in (f[0] for f in found), "%s is not %s: %s", name, verdict, found
        )


def check_cases(browser, folder, lines):
    for at in range(0, len(lines), AT_A_TIME):
        cases = []
        for i, line in enumerate(lines[at : at + AT_A_TIME]):
            words = line.split(" ")
            names = [word.split("=")[0] for word in words[2:]]
            files = [
                (name, base64.b64encode(read(folder, name, at + i)).decode()) for name in names
            ]
            cases.append({"key": "" if words[1] == "-" else words[1], "files": files})
        answers = browser.ask(JUDGE % json.dumps(cases))
        for line, said in zip(lines[at : at + AT_A_TIME], answers):
            check_case(line, said)


# ---- by hand ----


def shown(browser, element="result"):
    return browser.ask("document.getElementById(%s).textContent" % json.dumps(element))


def choose(browser, paths):
    root = browser.do("DOM.getDocument")["root"]["nodeId"]
    node = browser.do("DOM.querySelector", nodeId=root, selector="#pick")["nodeId"]
    before = shown(browser)
    browser.do("DOM.setFileInputFiles", nodeId=node, files=paths)
    for _ in range(200):
        if shown(browser) != before:
            return
        browser.ask("new Promise(done=>setTimeout(done,50))")


DROP = """(function(name,data){var d=new DataTransfer();
d.items.add(new File([Uint8Array.from(atob(data),c=>c.charCodeAt(0))],name));
window.dispatchEvent(new DragEvent('dragover',{dataTransfer:d,cancelable:true}));
window.dispatchEvent(new DragEvent('drop',{dataTransfer:d,cancelable:true}));
return new Promise(done=>setTimeout(done,1000));}(%s,%s))"""


def check_by_hand(browser, folder, lines, shots):
    line = next((line for line in lines if line.startswith("convicts")), lines[0])
    guilty = line.startswith("convicts")
    names = [word.split("=")[0] for word in line.split(" ")[2:]]
    paths = [os.path.abspath(os.path.join(folder, name)) for name in names]
    browser.size(390, 844, True)
    expect(shown(browser) == "", "the page speaks before it was asked")
    choose(browser, paths[:-1])
    with open(paths[-1], "rb") as file:
        data = file.read()
    browser.ask(DROP % (json.dumps(names[-1]), json.dumps(base64.b64encode(data).decode())))
    text = shown(browser)
    verdict = "These files convict the server." if guilty else "Nothing here convicts the server."
    expect(verdict in text, "no verdict: %s", text)
    across = browser.ask("document.documentElement.scrollWidth")
    expect(across <= 390, "the page is %s wide on a phone", across)
    if guilty:
        forward = shown(browser, "forward")
        expect("- " in forward, "it names no file: %s", forward)
        for name, path in zip(names, paths):
            with open(path, "rb") as file:
                digest = hashlib.sha256(file.read()).hexdigest()
            line = "- %s (SHA-256 %s)\n" % (name, digest)
            expect("- " + name + " " not in forward or line in forward, "%s", forward)
        browser.click("#result button")
        expect("Copied" in shown(browser), "nothing was copied")
    if shots:
        name = "%s-%s" % (os.path.basename(folder), "convicts" if guilty else "innocent")
        browser.size(1000, 900)
        browser.shoot(os.path.join(shots, name + ".png"), whole=True)
    browser.ask("document.getElementById('key').value='zz';document.getElementById('key').oninput()")
    expect("64 digits" in shown(browser), "a wrong key is taken")
    browser.ask("document.getElementById('key').value='';document.getElementById('key').oninput()")
    browser.click("#again")
    expect(shown(browser) == "", "there is no way to begin anew")


def check_silence(browser, address):
    """Nothing was fetched but the page, and nothing complained of."""
    for method, said in browser.heard:
        if method == "Network.requestWillBeSent":
            expect(said["request"]["url"] in (address, "about:blank"), "it wants %s", said)
        expect(method not in COMPLAINTS, "%s: %s", method, said)


def walk(browser, folder, lines, shots):
    """As the manual tells it: the empty page, nothing, a sentence to hand on."""

    def shoot(name):
        if shots:
            browser.shoot(os.path.join(shots, name), small=True)

    browser.do("Emulation.setScrollbarsHidden", hidden=True)
    browser.size(640, 420)
    shoot("verify-1-drop.png")
    for line, name in zip(lines, ("verify-2-nothing.png", "verify-3-convicts.png")):
        words = line.split(" ")
        files = [word.split("=")[0] for word in words[2:]]
        choose(browser, [os.path.abspath(os.path.join(folder, file)) for file in files])
        expect(("These files convict" in shown(browser)) == (words[0] == "convicts"), "%s", line)
        browser.size(640, 700)
        browser.ask("document.getElementById('verdict').scrollIntoView()")
        shoot(name)
        browser.click("#again")


def main(program, page, folder, how, shots=None):
    with open(os.path.join(folder, "cases"), encoding="utf-8") as file:
        lines = file.read().split("\n")[:-1]
    address = "file://" + os.path.abspath(page)
    browser = Browser(program)
    try:
        browser.open(address)
        if how == "walk":
            walk(browser, folder, lines, shots)
        else:
            check_by_hand(browser, folder, lines, shots)
        check_cases(browser, folder, lines)
        check_silence(browser, address)
    finally:
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
