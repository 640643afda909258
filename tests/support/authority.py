#!/usr/bin/env python3
"""An authority that gives OAuth 2.0 tokens, and a domain's web page of its mail servers, for one test.

    authority.py FOLDER CERTIFICATE KEY SECRET PORT

Listens with TLS on 127.0.0.1 (0: at any port) and writes its port into FOLDER/port. Tokens are JSON Web Tokens
signed by SECRET, as the Dovecot of the tests checks them. What it does is said by files of FOLDER, read anew for each question:

    device    a line for each poll, taken from the top: authorization_pending, slow_down, expired_token,
              access_denied, or agree; none left: agree
    revoked   is there: no refresh token is good any more
    good_for  seconds a token is really good; says_for: what it says of that
    config-v1.1.xml  what the domain says of its servers; not there: 404

FOLDER/asked has a line for each question: its path, or the kind of grant.
"""
import base64, hashlib, hmac, http.server, json, os, ssl, sys, time, urllib.parse

folder, certificate, key, secret = sys.argv[1:5]
port = int(sys.argv[5])
serial = 0


def path(name):
    return os.path.join(folder, name)


def read(name, usual):
    try:
        with open(path(name)) as f:
            return f.read().strip()
    except FileNotFoundError:
        return usual


def url64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token():
    now = int(time.time())
    claims = {"sub": "moles", "iat": now - 9, "exp": now + int(read("good_for", "9999"))}
    text = url64(b'{"alg":"HS256","typ":"JWT"}') + "." + url64(json.dumps(claims).encode())
    return text + "." + url64(hmac.new(secret.encode(), text.encode(), hashlib.sha256).digest())


def next_of_device():
    lines = read("device", "").split("\n")
    with open(path("device"), "w") as f:
        f.write("\n".join(lines[1:]))
    return lines[0] or "agree"


class Authority(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def tell(self, code, body, kind="application/json"):
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def note(self, what):
        with open(path("asked"), "a") as f:
            f.write(what + "\n")

    def do_GET(self):
        base = "https://" + self.headers["Host"]
        self.note(self.path)
        if self.path == "/.well-known/openid-configuration":
            self.tell(200, {"nested": {"token_endpoint": ["no", "}"]}, "issuer": base,
                            "device_authorization_endpoint": base + "/device", "token_endpoint": base + "/token"})
        elif self.path.endswith("/config-v1.1.xml") and os.path.exists(path("config-v1.1.xml")):
            self.tell(200, read("config-v1.1.xml", ""), "text/xml")
        else:
            self.tell(404, {})

    def give(self):
        global serial
        serial += 1
        self.tell(200, {"access_token": token(), "token_type": "Bearer", "refresh_token": "refresh-%d" % serial,
                        "expires_in": int(read("says_for", "3600"))})

    def do_POST(self):
        form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        kind = form.get("grant_type", "")
        self.note(self.path if self.path == "/device" else kind.split(":")[-1])
        if form.get("client_id") != "a client & more":
            self.tell(401, {"error": "invalid_client"})
        elif self.path == "/device":
            self.tell(200, {"device_code": "dev/1+2", "user_code": "MOLE-HILL", "expires_in": 1800, "interval": 1,
                            "verification_uri": "https://" + self.headers["Host"] + "/go"})
        elif kind == "urn:ietf:params:oauth:grant-type:device_code" and form.get("device_code") == "dev/1+2":
            what = next_of_device()
            if what == "agree":
                self.give()
            else:
                self.tell(400, {"error": what})
        elif kind == "refresh_token" and not os.path.exists(path("revoked")) and \
                form.get("refresh_token") == "refresh-%d" % serial:
            self.give()
        else:
            self.tell(400, {"error": "invalid_grant", "error_description": "Token has been revoked."})


server = http.server.HTTPServer(("127.0.0.1", port), Authority)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True)
with open(path("port.new"), "w") as f:
    f.write(str(server.server_address[1]))
os.rename(path("port.new"), path("port"))
server.serve_forever()
