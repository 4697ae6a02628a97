import threading


def _compute():
    while True:
        sum(range(1000))


threading.Thread(target=_compute, daemon=True).start()
