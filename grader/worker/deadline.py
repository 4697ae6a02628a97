"""Stop requests that take too long, from inside the worker, which knows where the code is.

Processor time counts, so nobody fails because the machine is busy. Code that waits, for example in
a long sleep, may take twice as long; seconds when it was ready to run but had no core do not count.
The judge has its own deadline for code that evades this one. The worker loads this file by path.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FrameType

try:  # importing `os` itself would take a tenth of the start-up
    import posix as os
except ImportError:
    import nt as os  # type: ignore[no-redef]


try:
    # importing `signal` would cost the worker 2 ms, only to name constants
    import _signal  # type: ignore[import-not-found]
except ImportError:
    _signal = None

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


class Waiting:
    """Counts wall-clock time, whether the code runs or waits.

    It counts the ticks of a timer, so it misses at most one while the whole machine is suspended.
    On Linux it also knows how long the process was ready to run but had no core.
    """

    def __init__(self) -> None:
        self.left = 0.0
        self.tick = 0.0
        self.starved = 0.0
        self.file = -1
        self.line = bytearray(100)

    def open(self) -> None:
        """Open the kernel's own count, which cannot be opened from inside the sandbox."""
        try:
            self.file = os.open("/proc/self/schedstat", os.O_RDONLY)
        except OSError:
            self.file = -1

    def begin(self, seconds: float) -> float:
        """Start counting down from `seconds`. Return the interval for calling `is_over`."""
        self.left, self.tick, self.starved = seconds, seconds / TICKS, self.starved_until_now()
        return self.tick

    def is_over(self) -> bool:
        """Count one tick, minus the time without a core. Return whether the time is used up."""
        starved = self.starved_until_now()
        without_core = min(max(0.0, starved - self.starved), self.tick)
        self.left -= self.tick - AT_MOST * without_core
        self.starved = starved
        return self.left <= self.tick / 2

    def starved_until_now(self) -> float:
        """Return how many seconds this process has been ready to run without a core.

        The line is read into one buffer, because a new object whose size depends on the digits
        would move later objects, and so change the order of a set.
        """
        try:
            os.preadv(self.file, [self.line], 0)
            return int(self.line.split()[1]) / 1e9
        except (AttributeError, OSError, ValueError, IndexError):
            return 0.0


TICKS = 8
AT_MOST = 0.9  # below 1 so that the time runs out on any machine


def watch(tell: Callable[[FrameType | None], None]) -> None:
    """When time runs out, let `tell` report where the code is, then end the process."""
    if AVAILABLE:
        ended = False

        def over(_number: int, frame: FrameType | None) -> None:
            nonlocal ended
            if ended:  # the other timer may fire while the code below runs
                return
            ended = True
            try:
                tell(frame)
            finally:
                os._exit(0)

        def tick(number: int, frame: FrameType | None) -> None:
            if WAITING.is_over():
                over(number, frame)

        WAITING.open()
        _signal.signal(_signal.SIGPROF, over)
        _signal.signal(_signal.SIGALRM, tick)


def arm(seconds: float) -> None:
    """Allow this much processor time from now on, and twice as much wall-clock time.

    0 means no limit.
    """
    if AVAILABLE:
        _signal.setitimer(_signal.ITIMER_PROF, seconds)
        tick = WAITING.begin(2 * seconds) if seconds else 0.0
        _signal.setitimer(_signal.ITIMER_REAL, tick, tick)


WAITING = Waiting()
