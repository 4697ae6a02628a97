"""The host on an ordinary machine: every worker is a process."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.boundary.isolation import MOST
from grader.boundary.process import ProcessTransport
from grader.boundary.transport import Transport


@dataclass(frozen=True)
class ProcessHost:
    """Make workers in processes, isolated up to level `most`, which do not work below `required`.

    `secret` is a file that each worker tries to read and must not be able to.
    """

    secret: str = __file__
    most: int = MOST
    required: int = 0
    clock: Callable[[], float] = time.monotonic

    def worker(self, readable: Sequence[str] = ()) -> Transport:
        """Return a fresh worker."""
        return ProcessTransport(self.most, readable, self.secret, self.required)
