"""Give a worker something to import, and look what becomes of processes."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from grader.boundary.transport import Transport
from grader.worker import protocol, wire
from grader.worker.protocol import Wire

LOADED: Wire = ["done", ["loaded", [], [], []]]
LIMIT = 1 << 20


def load(transport: Transport, source: str, seconds: float = 10) -> Wire:
    """Import a submission of one file; the worker itself sets no limit of time."""
    file = protocol.File("engine", "engine.py", source.encode())
    request = wire.encode(protocol.Load(0.0, [file], "engine"))
    return wire.decode(transport.exchange(request, seconds, LIMIT))


def printed(transport: Transport, source: str) -> str:
    """Return what a submission prints when it is imported."""
    load(transport, source)
    return transport.output().strip()


def within(seconds: float, condition: Callable[[], object]) -> bool:
    """Return whether a condition holds soon."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


def is_gone(process: int) -> bool:
    """Return whether a process has ended; its parent may not have looked yet (Linux)."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2]
    except OSError:
        return True
    return state.split()[0] == "Z"


def family(process: int) -> set[int]:
    """Return a process and all that came from it (Linux)."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents.setdefault(int(stat.read_text().rpartition(")")[2].split()[1]), []).append(
                int(stat.parent.name)
            )
    found, new = {process}, [process]
    while new:
        new = [child for one in new for child in parents.get(one, ())]
        found.update(new)
    return found
