"""The time for a whole submission, all sessions together."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from grader.boundary.transport import Transport
from grader.model import Isolation
from grader.worker.protocol import Request, Wire

# of waiting, and as much again for each stage as STAGE_SECONDS says: more than forty times what it
# takes
SUBMISSION_SECONDS = 60.0
STAGE_SECONDS = 20.0


class OutOfTime(BaseException):
    """The time for the whole submission is used up; `slow` says whether its own code is to blame.

    No plain Exception: a property-based test must not try it a hundred times.
    """

    def __init__(self, seconds: float, *, slow: bool) -> None:
        super().__init__(f"the {seconds:g} s for the whole submission are used up")
        self.slow = slow


@dataclass
class Budget:
    """The time that is left. Without an allowance there is no end to it.

    It is for the code that gets around every other limit by being slow a thousand times: by
    hanging, or by sleeping for a little less than it may. So the code is to blame if it overran a
    limit, or if more than half of the time went by while it was `waited` for.
    """

    clock: Callable[[], float] = time.monotonic
    overran: bool = False
    waited: float = 0.0
    _seconds: float = 0.0
    _begun: float = 0.0

    def allow(self, stages: int) -> None:
        """Begin to count, or go on with time for more stages."""
        if not self._seconds:
            self._begun, self._seconds = self.clock(), SUBMISSION_SECONDS
        self._seconds += STAGE_SECONDS * stages

    def go_on(self) -> None:
        """Raise OutOfTime once the time is used up."""
        if self._seconds and self.clock() - self._begun > self._seconds:
            raise OutOfTime(self._seconds, slow=self.overran or self.waited > self._seconds / 2)


class Waiting:
    """A Transport that counts how long its answers are waited for."""

    def __init__(self, inner: Transport, budget: Budget) -> None:
        self._inner = inner
        self._budget = budget
        self.output = inner.output
        self.close = inner.close

    @property
    def isolation(self) -> Isolation:
        """How far the code is isolated."""
        return self._inner.isolation

    def exchange(self, request: Request, seconds: float, limit: int) -> Wire:
        """The reply to one request."""
        begun = time.monotonic()
        try:
            return self._inner.exchange(request, seconds, limit)
        finally:
            self._budget.waited += time.monotonic() - begun
