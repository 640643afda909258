"""A Chromium without a window, for tests: one page, driven through a pair of pipes.

It speaks the DevTools protocol as --remote-debugging-pipe has it: JSON texts, a zero byte
behind each, commands on descriptor 3 of the browser, answers and events on 4. The browser ends
when the pipes do, so none outlives its test; its profile is a folder of its own, deleted at the
end.
"""

import base64
import fcntl
import json
import os
import select
import shutil
import struct
import subprocess
import tempfile
import time
import zlib

SWITCHES = (
    "--headless=new",
    "--no-sandbox",  # tests may be run by root
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--remote-debugging-pipe",
)
PATIENCE = 60  # seconds for one command


def high(descriptor):
    """A copy of it that is in nobody's way."""
    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)


def unfiltered(data, width, size):
    """The rows of a PNG of 8 bits a channel, `size` channels."""
    rows, before = [], bytearray(width * size)
    for at in range(0, len(data), width * size + 1):
        how, row = data[at], bytearray(data[at + 1 : at + 1 + width * size])
        for i, up in enumerate(before):
            left = row[i - size] if i >= size else 0
            corner = before[i - size] if i >= size else 0
            guess = left + up - corner
            nearest = min((left, up, corner), key=lambda c: abs(guess - c))
            row[i] = row[i] + (0, left, up, (left + up) // 2, nearest)[how] & 255
        rows.append(row)
        before = row
    return rows


def in_few_colours(png):
    """The same picture with a palette, each channel in steps of 17: a third of the bytes."""
    chunks, at = {}, 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        name = png[at + 4 : at + 8]
        chunks[name] = chunks.get(name, b"") + png[at + 8 : at + 8 + length]
        at += 12 + length
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    size = {2: 3, 6: 4}[chunks[b"IHDR"][9]]
    colours, out = {}, b""
    for row in unfiltered(zlib.decompress(chunks[b"IDAT"]), width, size):
        steps = bytes((c + 8) // 17 * 17 for c in row)
        dots = [steps[i : i + 3] for i in range(0, len(steps), size)]
        out += b"\0" + bytes(colours.setdefault(dot, len(colours)) for dot in dots)
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", b"".join(colours)),
        (b"IDAT", zlib.compress(out, 9)),
        (b"IEND", b""),
    )
    return png[:8] + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )


class Browser:
    """`heard` is what the browser told unasked, all of it: (method, parameters)."""

    def __init__(self, program):
        self.folder = tempfile.mkdtemp(prefix="molepost-browser-")
        self.heard, self.waiting, self.last = [], b"", 0
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        self.into, self.out = high(ours_in), high(ours_out)
        there_in, there_out = high(theirs_in), high(theirs_out)

        def take_pipes():
            os.dup2(there_in, 3)
            os.dup2(there_out, 4)

        # The low numbers stay taken until the browser has them: nothing else gets 3 or 4.
        self.process = subprocess.Popen(
            [program, *SWITCHES, "--user-data-dir=" + self.folder, "about:blank"],
            preexec_fn=take_pipes,
            pass_fds=(3, 4),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.folder},
        )
        for end in (theirs_in, ours_out, ours_in, theirs_out, there_in, there_out):
            os.close(end)
        self.session = None
        target = self._first_page()
        attached = self.do("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.do(domain + ".enable")

    def _first_page(self):
        """The window is there a little later than the browser."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for target in self.do("Target.getTargets")["targetInfos"]:
                if target["type"] == "page":
                    return target["targetId"]
            time.sleep(0.05)
        raise TimeoutError("the browser has no page")

    def _message(self, until):
        while b"\0" not in self.waiting:
            ready, _, _ = select.select([self.into], [], [], max(0, until - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            got = os.read(self.into, 1 << 16)
            if not got:
                raise EOFError("the browser has died")
            self.waiting += got
        text, self.waiting = self.waiting.split(b"\0", 1)
        return json.loads(text)

    def do(self, method, **parameters):
        """Sends a command; its result."""
        self.last += 1
        command = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        rest = json.dumps(command).encode() + b"\0"
        while rest:
            rest = rest[os.write(self.out, rest) :]
        until = time.monotonic() + PATIENCE
        while True:
            message = self._message(until)
            if message.get("id") == self.last:
                if "error" in message:
                    raise RuntimeError("%s: %s" % (method, message["error"]["message"]))
                return message["result"]
            if "method" in message:
                self.heard.append((message["method"], message["params"]))

    def open(self, address):
        """Returns when the page has been loaded."""
        before = len(self.heard)
        self.do("Page.navigate", url=address)
        until = time.monotonic() + PATIENCE
        while not any(method == "Page.loadEventFired" for method, _ in self.heard[before:]):
            message = self._message(until)
            if "method" in message:
                self.heard.append((message["method"], message["params"]))

    def ask(self, script):
        """The value of an expression, in the page."""
        answer = self.do(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError("%s: %s" % (script, answer["exceptionDetails"]))
        return answer["result"].get("value")

    def press(self, key, text=""):
        """A key of the keyboard, with the text that it types."""
        code = {"ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35, "Tab": 9}.get(key, 0)
        down = {"type": "keyDown" if text else "rawKeyDown", "key": key}
        for event in ({**down, "text": text}, {"type": "keyUp", "key": key}):
            self.do("Input.dispatchKeyEvent", windowsVirtualKeyCode=code, **event)

    def click(self, selector):
        """With the mouse, in the middle of the first element that fits."""
        x, y = self.ask(
            "(function(){var e=document.querySelector(%s);e.scrollIntoView({block:'nearest'});"
            "var b=e.getBoundingClientRect();return [b.x+b.width/2,b.y+b.height/2];}())"
            % json.dumps(selector)
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.do(
                "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1
            )

    def size(self, width, height, mobile=False):
        self.do(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=mobile,
        )

    def prefer(self, **media):
        """color_scheme="dark", reduced_motion="reduce"; what is not named is as usual."""
        features = [
            {"name": "prefers-" + name.replace("_", "-"), "value": value}
            for name, value in media.items()
        ]
        self.do("Emulation.setEmulatedMedia", features=features)

    def shoot(self, path, whole=False, small=False):
        """A picture of the window, or of the whole page; small: in few colours."""
        picture = self.do("Page.captureScreenshot", captureBeyondViewport=whole)
        png = base64.b64decode(picture["data"])
        with open(path, "wb") as file:
            file.write(in_few_colours(png) if small else png)

    def close(self):
        os.close(self.out)
        os.close(self.into)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
