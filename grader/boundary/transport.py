"""The seam between the judge and a learner's code: a host makes workers, and a transport leads to
one of them.

Nothing above this file may assume processes, threads or signals; a host gives whatever depends on
them. `grader.boundary.pool` is the host that this program starts with. Another one, of two Web
Workers in a browser for instance, serves the same suites when it is passed in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from grader.model import Fault, Isolation
from grader.worker.protocol import Request, Wire


class Gone(Exception):
    """The other side will not answer any more; `fault` says how it ended."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class Transport(Protocol):
    """One learner's code behind a single method."""

    @property
    def isolation(self) -> Isolation:
        """How far the code is isolated: what was proved before it was loaded."""

    def exchange(self, request: Request, seconds: float, limit: int) -> Wire:
        """Return the reply to one request within `seconds` and `limit` bytes. Raises `Gone`."""

    def output(self) -> str:
        """Return what was printed since the last call."""

    def close(self) -> None:
        """End it, and everything that it started."""


class Background(Protocol):
    """A check that was begun beside the others."""

    def result(self) -> None:
        """Wait until it has ended; raise what it raised."""

    def close(self) -> None:
        """Leave nothing of it running."""


class Host(Protocol):
    """Makes workers and readers, and gives whatever else depends on the machine.

    Made once by whoever begins, and handed down.
    """

    def worker(self, readable: Sequence[str] = ()) -> Transport:
        """A fresh worker. `readable` are files and folders that it needs besides the standard
        library.
        """

    def reader(self) -> Transport:
        """A fresh reader of archives and notebooks."""

    def expect(self, workers: int) -> None:
        """Expect to be asked for this many workers soon. Raises IsolationError if they cannot be
        isolated as far as is required.
        """

    def background(self, check: Callable[[], None]) -> Background:
        """Run the check beside the others, or when its result is asked for."""

    def clock(self) -> float:
        """Return seconds that never run backwards."""

    def backstop(self) -> Sequence[str]:
        """Return pytest's arguments for a time limit on each check, for suites that hang."""


class Deferred:
    """A check that runs when its result is asked for, on a host that can do one thing at a time."""

    def __init__(self, check: Callable[[], None]) -> None:
        self._check = check

    def result(self) -> None:
        """Run it."""
        self._check()

    def close(self) -> None:
        """Nothing runs that would have to end."""
