"""The host on an ordinary machine: every worker is a process."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from grader.boundary.isolation import MOST
from grader.boundary.process import ProcessTransport


class ProcessHost:
    """Make workers in processes, isolated up to level `most`, which do not work below `required`.

    `secret` is a file that each worker tries to read and must not be able to.
    """

    def __init__(
        self,
        secret: str = __file__,
        most: int = MOST,
        required: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.worker = partial(ProcessTransport, most=most, secret=secret, required=required)
        self.clock = clock
