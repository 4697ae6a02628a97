"""The host in a browser: workers are Web Workers, which the page makes and ends.

The page's part is `seam`, a JavaScript object that `static/judge.js` makes. If memory is shared,
its calls block; otherwise they return promises, and `wait` waits for those.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Protocol

from grader.boundary.transport import GARBLED, Gone
from grader.conditions import BROWSER, Isolation
from grader.errors import InternalError
from grader.model import Fault, Kind
from grader.worker import protocol, wire

DEPTH = 1000  # Python's own limit
SAFE_DEPTH = 200  # so deep that no browser's stack overflows first
START_SECONDS = 60.0
GRACE = 1.5  # seconds from the request to stop until the worker is ended
GREETING = 4096
ROUNDS = 100_000
NATIVE_SECONDS = 0.005  # for this many rounds, on a quiet desktop computer
LEAST, MOST = 2.0, 40.0  # times as slow


class Seam(Protocol):
    """The functions that `judge.js` provides."""

    def connect(self, program: str, depth: int) -> Any:
        """Return a connection to a fresh worker that runs this program."""

    def tell(self, title: str) -> None:
        """Show which check begins."""

    def ask(self, printed: str, prompt: str, keys: str) -> Any:
        """Show what was printed, and return what the person at the page answers."""


Wait = Callable[[Any], Any]


def slowness() -> float:
    """Return how many times longer Python takes here, at the moment, than natively.

    A browser does not report how much processor time a worker gets. So time limits count less than
    a second for each second of a slow or busy machine.
    """
    begun, total = time.perf_counter(), 0
    for number in range(ROUNDS):
        total = (total * 31 + number) & 0xFFFF
    return min(MOST, max(LEAST, (time.perf_counter() - begun) / NATIVE_SECONDS))


class WebTransport:
    """A connection to a Web Worker."""

    def __init__(self, seam: Seam, wait: Wait, program: str = "server") -> None:
        self._seam, self._wait, self._program = seam, wait, program
        self._asked: list[bytes] = []
        self._connect(DEPTH)

    def _connect(self, depth: int) -> None:
        self._depth = depth
        self._worker = self._seam.connect(self._program, depth)

    @cached_property
    def isolation(self) -> Isolation:
        """Return the isolation that the worker proved before it saw the submission. Raise
        InternalError if it did not start.
        """
        reply = self._ask(b"", START_SECONDS, GREETING)
        if isinstance(reply, str):
            raise InternalError(f"the worker did not start: {reply}", "reload the page")
        in_force, missing, holes = wire.read(protocol.Ready, wire.decode(reply))
        leaks = (f"a canary: it could {hole}" for hole in holes)
        return Isolation(
            0, (BROWSER, *in_force), (*missing, *leaks, "a machine that is not the learner's")
        )

    def exchange(self, request: bytes, seconds: float, limit: int) -> bytes:
        """Return the reply to one request, within `seconds` and `limit` bytes. Raise Gone if the
        worker gives none.
        """
        _ = self.isolation
        self._asked.append(request)
        own = (seconds - 1) / 2  # what a process has itself; the judge waits longer
        reply = self._ask(request, own, limit)
        if reply == "deep" and self._depth > SAFE_DEPTH:
            reply = self._ask_again(own, limit)
        if isinstance(reply, str):
            raise Gone(_fault(reply, seconds))
        return reply

    def _ask(self, data: bytes, seconds: float, limit: int) -> bytes | str:
        """Return the reply, or a word for why there is none. The worker is asked to stop after
        `seconds` of a desktop computer.
        """
        used, begun = 0.0, time.monotonic()
        reply = self._wait(self._worker.exchange(data, limit))
        while reply is None:
            now = time.monotonic()
            used += (now - begun) / slowness()
            begun = now
            if used > seconds + GRACE:
                return "late"
            if used > seconds:
                self._worker.stop()
            reply = self._wait(self._worker.exchange(None, limit))
        if reply == "interrupted":
            raise KeyboardInterrupt
        return reply if isinstance(reply, str) else bytes(reply.to_bytes())

    def _ask_again(self, seconds: float, limit: int) -> bytes | str:
        """The browser's stack overflowed, so ask a fresh worker the same with a recursion limit so
        low that Python itself raises RecursionError.
        """
        self._worker.close()
        self._connect(SAFE_DEPTH)
        reply = self._ask(b"", START_SECONDS, GREETING)
        for data in self._asked:
            self.output()
            reply = self._ask(data, seconds, limit)
        return reply

    def output(self) -> str:
        """Return the text printed since the last call."""
        text, dropped = self._worker.output()
        return f"{text}\n… and more" if dropped else str(text)

    def close(self) -> None:
        """End the worker."""
        self._worker.close()


def _fault(ending: str, seconds: float) -> Fault:
    """Return the fault for the word that says why there is no reply."""
    word, _, code = ending.partition(" ")
    kind, message = {
        "late": (Kind.TIMEOUT, f"no answer within {seconds:g} s"),
        "exited": (Kind.EXITED, f"the code exited the whole interpreter (exit code {code})"),
        "garbled": (GARBLED.kind, GARBLED.message),
    }.get(word, (Kind.CRASHED, "the interpreter crashed"))
    return Fault(kind, message=message)


class WebHost:
    """Make workers in Web Workers."""

    def __init__(self, seam: Seam, wait: Wait) -> None:
        self._seam, self._wait = seam, wait

    def worker(self, readable: Sequence[str] = ()) -> WebTransport:  # noqa: ARG002 - it can read nothing else
        """Return a fresh worker."""
        return WebTransport(self._seam, self._wait)

    def clock(self) -> float:
        """Return the time in seconds, scaled down on a slow machine."""
        return time.monotonic() / self._slowness

    @cached_property
    def _slowness(self) -> float:
        return slowness()
