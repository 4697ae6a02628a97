"""The worker in a browser: the same servers, called by a Web Worker's script instead of reading
from a pipe.

There is no file system but this interpreter's own, and no process. The script has taken away the
way to the network and to the page before it calls `start`, which tries both.
"""

from __future__ import annotations

import builtins
import gc
import sys

from . import protocol, reader, server
from .protocol import Ready

# a private copy, so a submission that overwrites a built-in breaks only itself
globals()["__builtins__"] = dict(vars(builtins))

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

try:
    import _signal  # type: ignore[import-not-found]
except ImportError:
    _signal = None

PROGRAMS = {"server": server.Server, "reader": reader.Reader}
BRIDGES = ("js", "pyodide_js")  # modules that lead to the page's world


class Worker:
    """One server, and what it prints."""

    def __init__(self, program: str) -> None:
        self.server = PROGRAMS[program]()
        self.printed = (sys.stdout, sys.stderr)

    def reply(self, request: object) -> bytes:
        """Return the reply to a request, or the greeting if it is empty."""
        data = bytes(request.to_bytes())  # type: ignore[attr-defined]
        reply = self.server.reply(data) if data else protocol.encode(greeting())
        for stream in self.printed:
            try:
                stream.flush()
            except (OSError, ValueError):  # noqa: PERF203 - the learner's code has closed it
                continue
        return reply


def start(program: str, depth: int, send: Callable[[bytes], None]) -> Worker:
    """Return a worker that runs this program. `send` receives its last reply if it is stopped."""
    sys.setrecursionlimit(depth)
    sys.argv[:] = [""]
    gc.set_threshold(1_000_000, 10, 10)  # as in a process
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)  # type: ignore[union-attr]
    for name in [name for name in sys.modules if name.partition(".")[0] == "worker"]:
        del sys.modules[name]  # the learner may have a worker.py
    worker = Worker(program)

    def stop(_number: int, frame: FrameType | None) -> None:
        send(worker.server.out_of_time(frame))

    _signal.signal(_signal.SIGINT, stop)
    return worker


def greeting() -> Ready:
    """Try what must be impossible, and say what is in force."""
    holes = [f"import {name}" for name in BRIDGES if leads_out(name)]
    return Ready(["no network", "no page", "limit: memory"], [], holes)


def leads_out(name: str) -> bool:
    """Return whether this module leads to anything of the page's world."""
    try:
        return bool(dir(__import__(name)))
    except ImportError:
        return False
