"""The interface between the judge and a learner's code: a host makes workers, and a transport
connects to one of them.

Nothing above this file may assume processes or signals; the host provides whatever depends on them.
`grader.boundary.pool` is the usual host. A different one, for example with two Web Workers in a
browser, can run the same suites.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from grader.conditions import Isolation
from grader.model import Fault, Kind


class Gone(Exception):
    """The other side will not answer any more. `fault` says how it ended."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


GARBLED = Fault(Kind.CRASHED, message="something wrote to the channel that the grader uses")


class Transport(Protocol):
    """A connection to one learner's code."""

    @property
    def isolation(self) -> Isolation:
        """Return how far the code is isolated, as proved before it was loaded."""

    def exchange(self, request: bytes, seconds: float, limit: int) -> bytes:
        """Return the reply to one request, within `seconds` and `limit` bytes. Raise Gone if there
        is none.
        """

    def output(self) -> str:
        """Return the text printed since the last call."""

    def close(self) -> None:
        """End the other side and everything that it started."""


class Host(Protocol):
    """Makes workers, and provides whatever else depends on the machine.

    The caller makes one host and passes it on.
    """

    def worker(self, readable: Sequence[str] = ()) -> Transport:
        """Return a fresh worker. `readable` lists files and folders that it needs besides the
        standard library.
        """

    def clock(self) -> float:
        """Return the time in seconds, from a clock that never runs backwards."""
