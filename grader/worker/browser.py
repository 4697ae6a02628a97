"""The worker in a browser: the same servers, but called by a Web Worker's script instead of reading
from a pipe.

The only file system is this interpreter's own, and there are no processes. Before the script calls
`start`, it removes access to the network and to the page; `start` tries both.
"""

from __future__ import annotations

import gc
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import Any

from . import console, limits, modules, server, wire
from .deadline import running
from .protocol import Ready

PROGRAMS: dict[str, Any] = {"server": server.Server, "console": console.Console}
NAMES = ("fetch", "XMLHttpRequest", "WebSocket", "Worker", "importScripts", "indexedDB", "caches")


class Worker:
    """One server, its output, and the browser's function `bridge`, to try what it can reach."""

    def __init__(self, program: str, bridge: Any) -> None:
        self.server = PROGRAMS[program]()
        self.printed = (sys.stdout, sys.stderr)
        self.bridge = bridge

    def reply(self, request: Any) -> bytes:
        """Return the reply to a request, or the greeting if the request is empty."""
        self.seen: list[FrameType] = []
        data = bytes(request.to_bytes())
        reply = self.server.reply(data) if data else wire.encode(greeting(self.bridge))
        limits.flush(self.printed)
        return reply


def start(program: str, depth: int, send: Any) -> Worker:
    """Return a worker that runs this program. `send` receives its last reply if it is asked twice
    to stop.
    """
    sys.setrecursionlimit(depth)
    sys.argv[:] = [""]
    gc.set_threshold(1_000_000, 10, 10)  # as in a process
    if "random" in sys.modules:  # a snapshot gives every worker the same state
        sys.modules["random"].seed()
    limits.print_line_by_line()
    sys.meta_path[:] = [
        finder for finder in sys.meta_path if not is_bridge(type(finder).__module__)
    ]
    server.forget()
    modules.forget([name for name in sys.modules if is_bridge(name)])
    worker = Worker(program, send)

    def stop(_number: int, frame: FrameType | None) -> None:
        if worker.seen:
            send(worker.server.out_of_time(frame, worker.seen))
        worker.seen = running(frame)

    if program != "console":  # where it is a KeyboardInterrupt, as in a terminal
        signal.signal(signal.SIGINT, stop)
    return worker


def is_bridge(name: str) -> bool:
    """Return whether a module belongs to the bridge between Python and the browser."""
    return name.partition(".")[0] in {"js", "pyodide_js", "pyodide", "_pyodide", "_pyodide_core"}


def greeting(bridge: Any) -> Ready:
    """Try everything that must be impossible, and report the active mechanisms."""
    holes: list[str] = []
    for name in NAMES:
        with suppress(Exception):  # whatever the obstacle is
            if bridge.constructor(f"return self.{name}")():
                holes.append(f"reach {name}")
    with suppress(ImportError):
        __import__("js")
        holes.append("import js")
    return Ready(["no network", "no page", "limit: memory"], [], holes)
