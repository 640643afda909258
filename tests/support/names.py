#!/usr/bin/env python3
"""A name server on 127.0.0.1 port 53 for one test, inside a network namespace of its own.

    names.py READY srv|none

Every address is 127.0.0.1. With srv, the domain announces _imaps on imap.srv.test:993 behind one with a worse
priority, and _submissions on smtp.srv.test:465.
"""
import socket, struct, sys

SRV = {"_imaps._tcp.srv.test": [(20, 143, "worse.srv.test"), (10, 993, "imap.srv.test")],
       "_submissions._tcp.srv.test": [(0, 465, "smtp.srv.test")]}


def name(text):
    return b"".join(bytes([len(p)]) + p.encode() for p in text.split(".")) + b"\0"


server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 53))
open(sys.argv[1], "w").close()
while True:
    query, who = server.recvfrom(4096)
    at, labels = 12, []
    while query[at]:
        labels.append(query[at + 1:at + 1 + query[at]].decode())
        at += 1 + query[at]
    kind = struct.unpack(">H", query[at + 1:at + 3])[0]
    asked = ".".join(labels).lower()
    answers = []
    if kind == 1:
        answers = [socket.inet_aton("127.0.0.1")]
    elif kind == 33:
        answers = [struct.pack(">HHH", p, 5, port) + name(host) for p, port, host in SRV.get(asked, [])]
    head = query[:2] + struct.pack(">HHHHH", 0x8180, 1, len(answers), 0, 0)
    body = b"".join(b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 60, len(a)) + a for a in answers)
    server.sendto(head + query[12:at + 5] + body, who)
