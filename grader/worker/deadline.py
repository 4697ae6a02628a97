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
    """The time that a request has left. Without timers, as on Windows, it has no end here.

    Each signal stands for a part of the time: half of the processor time, or `WAITED` seconds. The
    first one that is not the last notes what is `running`.
    """

    def __init__(self) -> None:
        self.is_over = False
        self.arm(0)

    def arm(self, seconds: float) -> None:
        """Allow this much processor time from now on, and twice as much waiting. 0 means no
        limit.
        """
        self.seen: list[FrameType] = []
        if AVAILABLE:
            waits = 2 * seconds / WAITED or float("inf")
            self.left = {_signal.SIGPROF: 2.0, _signal.SIGUSR1: waits}  # signals until the end
            _signal.setitimer(_signal.ITIMER_PROF, seconds / 2, seconds / 2)

    def watch(self, tell: Callable[[FrameType | None, list[FrameType]], None]) -> None:
        """When time runs out, let `tell` report where the code is and was, then end the process."""

        def signalled(number: int, frame: FrameType | None) -> None:
            self.left[number] -= 1
            if self.left[number] > 0:
                self.seen = self.seen or running(frame)
            elif not self.is_over:  # the other signal may arrive while the code below runs
                self.is_over = True
                try:
                    tell(frame, self.seen)
                finally:
                    leave(0)

        if AVAILABLE:
            _signal.signal(_signal.SIGPROF, signalled)
            _signal.signal(_signal.SIGUSR1, signalled)


def running(frame: FrameType | None) -> list[FrameType]:
    """Return a frame and its callers, outermost first."""
    frames: list[FrameType] = []
    while frame is not None:
        frames.append(frame)
        frame = frame.f_back
    return frames[::-1]
