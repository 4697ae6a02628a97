"""Stop requests that take too long, from inside the worker, which knows where the code is.

Processor time counts, so nobody fails because the machine is busy. Code that waits, for example in
a long sleep, may take twice as long. The judge measures that and sends a signal every `WAITED`
seconds. It has its own deadline for code that evades this one. The worker loads this file by path.
"""

from __future__ import annotations

# whatever the learner's code does to `signal`
import _signal  # type: ignore[import-not-found]
from collections.abc import Callable
from types import FrameType

from .bounds import WAITED
from .limits import leave

AVAILABLE = hasattr(_signal, "setitimer")


class Stopped(BaseException):
    """Raised in place of calling a function that did not finish earlier.

    Its argument is the function's name.
    """


def stopped(name: str) -> Callable[..., None]:
    """Return a function that raises `Stopped`, whatever its arguments."""

    def function(*_args: object, **_named: object) -> None:
        raise Stopped(name)

    return function


class Deadline:
    """The time that a request has left. Without timers, as on Windows, it has no end here."""

    def __init__(self) -> None:
        self.waits = float("inf")  # seconds
        self.is_over = False

    def watch(self, tell: Callable[[FrameType | None], None]) -> None:
        """When time runs out, let `tell` report where the code is, then end the process."""

        def over(_number: int, frame: FrameType | None) -> None:
            if self.is_over:  # the other signal may arrive while the code below runs
                return
            self.is_over = True
            try:
                tell(frame)
            finally:
                leave(0)

        def waited(number: int, frame: FrameType | None) -> None:
            self.waits -= WAITED
            if self.waits <= 0:
                over(number, frame)

        if AVAILABLE:
            _signal.signal(_signal.SIGPROF, over)
            _signal.signal(_signal.SIGUSR1, waited)

    def arm(self, seconds: float) -> None:
        """Allow this much processor time from now on, and twice as much waiting. 0 means no
        limit.
        """
        self.waits = 2 * seconds or float("inf")
        if AVAILABLE:
            _signal.setitimer(_signal.ITIMER_PROF, seconds)
