"""The host of an ordinary machine: workers and readers are processes, started ahead of need; a
background check has a thread, and a suite that hangs is ended by a signal.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from grader.boundary.isolation import MOST
from grader.boundary.process import ProcessTransport
from grader.boundary.transport import Background, Transport
from grader.errors import IsolationError

if TYPE_CHECKING:
    from typing_extensions import Self

BACKSTOP_SECONDS = 120


class ProcessHost:
    """Makes workers and readers in processes. One worker boots ahead while the judge is busy.

    None is handed out with less isolation than `required`, and none is isolated further than
    `most`; `secret` is a file that a worker tries to read, and should not be able to.
    """

    def __init__(
        self,
        secret: str = __file__,
        most: int = MOST,
        required: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._secret, self._most, self._required = secret, most, required
        self.clock = clock
        self._expected = 0
        self._waiting: deque[ProcessTransport] = deque()

    def worker(self, readable: Sequence[str] = ()) -> Transport:
        """The worker that is waiting, or a new one. Only a new one may read more than the standard
        library.
        """
        transport = (
            self._waiting.popleft() if self._waiting and not readable else self._new(readable)
        )
        try:
            self._check(transport)
            self._start()
        except BaseException:
            transport.close()
            raise
        return transport

    def reader(self) -> Transport:
        """A reader, isolated as far as the workers have to be."""
        transport = ProcessTransport(self._most, program="reader")
        try:
            self._check(transport)
        except BaseException:
            transport.close()
            raise
        return transport

    def expect(self, workers: int) -> None:
        """Start workers ahead, at most two at a time and this many in all. Raises IsolationError if
        the first is isolated less than required.
        """
        self._expected = max(self._expected, workers - len(self._waiting))
        if not self._waiting:
            self._start()
        if self._required and self._waiting:
            self._check(self._waiting[0])
        if len(self._waiting) < 2:
            self._start()

    def background(self, check: Callable[[], None]) -> Background:
        """Run the check in a thread."""
        return _InThread(check)

    def backstop(self) -> Sequence[str]:
        """pytest-timeout, which needs signals, and so the main thread."""
        if threading.current_thread() is threading.main_thread() and hasattr(os, "fork"):
            limit = f"--timeout={BACKSTOP_SECONDS}"
            return ["-p", "pytest_timeout", limit, "--timeout-method=signal"]
        return []

    def close(self) -> None:
        """End the workers that are waiting."""
        for transport in self._waiting:
            transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _new(self, readable: Sequence[str] = ()) -> ProcessTransport:
        return ProcessTransport(self._most, readable, self._secret)

    def _start(self) -> None:
        if self._expected > 0:
            self._expected -= 1
            self._waiting.append(self._new())

    def _check(self, transport: Transport) -> None:
        """Raise IsolationError unless the transport is isolated as far as required."""
        if self._required and (isolation := transport.isolation).level < self._required:
            raise IsolationError(
                f"isolation {self._required} is required, but this machine offers only"
                f" {isolation.level}",
                f"missing here: {'; '.join(isolation.missing)}",
            )


class _InThread:
    """A check that runs in a thread."""

    def __init__(self, check: Callable[[], None]) -> None:
        self._thread = ThreadPoolExecutor(1)
        self._future = self._thread.submit(check)

    def result(self) -> None:
        """Wait until it has ended; raise what it raised."""
        self._future.result()

    def close(self) -> None:
        """Wait until the thread has ended."""
        self._future.cancel()
        self._thread.shutdown()
