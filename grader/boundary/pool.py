"""The host on an ordinary machine. Workers are processes, started before they are needed."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from grader.boundary.isolation import MOST, check_level
from grader.boundary.process import ProcessTransport
from grader.boundary.transport import Transport

if TYPE_CHECKING:
    from typing_extensions import Self


class ProcessHost:
    """Make workers in processes, starting one worker in advance while the judge is
    busy.

    They are isolated up to level `most`, and refused below level `required`.
    `secret` is a file that each worker tries to read and must not be able to.
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
        """Return a worker started in advance, or a new one if it must read more than the standard
        library. Raise IsolationError if its isolation is below the required level.
        """
        is_waiting = self._waiting and not readable
        transport = self._checked(self._waiting.popleft() if is_waiting else self._new(readable))
        self._start()
        return transport

    def expect(self, workers: int) -> None:
        """Start workers in advance: at most two at a time, `workers` in total. Raise IsolationError
        if the isolation of the first is below the required level.
        """
        self._expected = max(self._expected, workers - len(self._waiting))
        if not self._waiting:
            self._start()
        if self._waiting:
            self._checked(self._waiting[0])
        if len(self._waiting) < 2:
            self._start()

    def close(self) -> None:
        """End the workers started in advance."""
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

    def _checked(self, transport: Transport) -> Transport:
        """Return the transport. Raise IsolationError if it is below the required level."""
        try:
            if self._required:
                check_level(transport.isolation, self._required)
        except BaseException:
            transport.close()
            raise
        return transport
