"""Limit the time for a whole submission, across all sessions."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

# of wall-clock time, plus STAGE_SECONDS for each stage: over forty times the usual need
SUBMISSION_SECONDS = 60.0
STAGE_SECONDS = 20.0


class OutOfTime(BaseException):
    """The time for the whole submission is used up. `slow` says whether its own code is to blame.

    Not an Exception, because a property-based test must not retry it a hundred times.
    """

    def __init__(self, seconds: float, *, slow: bool) -> None:
        super().__init__(f"the {seconds:g} s for the whole submission are used up")
        self.slow = slow


@dataclass
class Budget:
    """The time that is left. Until `allow` is called, it is unlimited.

    It stops code that stays just below every other limit, again and again. The code is to blame if
    it overran a limit, or if waiting for it (`waited`) took more than half of the time.
    """

    clock: Callable[[], float] = time.monotonic
    overran: bool = False
    waited: float = 0.0
    _seconds: float = 0.0
    _begun: float = 0.0

    def allow(self, stages: int) -> None:
        """Start the clock, or add time for more stages."""
        if not self._seconds:
            self._begun, self._seconds = self.clock(), SUBMISSION_SECONDS
        self._seconds += STAGE_SECONDS * stages

    def go_on(self) -> None:
        """Raise OutOfTime if the time is used up."""
        if self._seconds and self.clock() - self._begun > self._seconds:
            raise OutOfTime(self._seconds, slow=self.overran or self.waited > self._seconds / 2)
