import os


class Value(Value):
    def __del__(self):
        for descriptor in range(3, 20):
            try:
                os.write(descriptor, b"\x00\x00\x00\x05{}{}{")
            except OSError:
                pass
