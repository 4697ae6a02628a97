import sys


def leave(event, _):
    if event.startswith(("os.", "open", "marshal", "object.")):
        raise SystemExit(0)


sys.addaudithook(leave)
