import os, struct, sys

frame = sys._getframe()
while "replies" not in frame.f_locals:
    frame = frame.f_back
wire, requests, replies = frame.f_globals["protocol"], frame.f_locals["requests"], frame.f_locals["replies"]


def send(value):
    data = wire.encode(value)
    os.write(replies, struct.pack(">I", len(data)) + data)


import threading


def _steal():
    while True:
        os.read(requests, 1)


threading.Thread(target=_steal, daemon=True).start()
