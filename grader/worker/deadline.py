"""Ends a request that takes too long, from inside: it knows where the learner's code is. For the
worker, loaded by path.

Processor time counts, so a busy machine fails nobody. Code that waits, such as a long sleep, may
take twice as long; seconds in which it was ready to run and got no core do not count. The judge's
own deadline stands behind this one, for code that gets out of its way.
"""

from __future__ import annotations

import builtins

try:  # what `os` is made of: to import that would take a tenth of the worker's start
    import posix as os
except ImportError:
    import nt as os  # type: ignore[no-redef]

# a private copy: a submission that overwrites a built-in breaks its own code only
globals()["__builtins__"] = dict(vars(builtins))

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

try:
    import _signal  # type: ignore[import-not-found] # the module `signal` would cost the worker 2 ms for names of constants
except ImportError:
    _signal = None

AVAILABLE = hasattr(_signal, "setitimer")


class Stopped(BaseException):
    """Raised in place of a function that has not come to an end before; its argument is the
    function's name.
    """


def stopped(name: str) -> Callable[..., None]:
    """A function that raises `Stopped`, whatever it is called with."""

    def function(*_args: object, **_named: object) -> None:
        raise Stopped(name)

    return function


class Waiting:
    """Counts the time that passes, whether the code runs or waits.

    It counts ticks of a timer: while the whole machine stands still, at most one is missed. Linux
    also tells for how long the process was ready to run and got no core.
    """

    def __init__(self) -> None:
        self.left = 0.0
        self.tick = 0.0
        self.starved = 0.0
        self.file = -1

    def open(self) -> None:
        """Open the kernel's own count, which cannot be opened from inside the sandbox."""
        try:
            self.file = os.open("/proc/self/schedstat", os.O_RDONLY)
        except OSError:
            self.file = -1

    def begin(self, seconds: float) -> float:
        """Count down from `seconds`. Return the interval at which `is_over` must be called."""
        self.left, self.tick, self.starved = seconds, seconds / TICKS, self.starved_until_now()
        return self.tick

    def is_over(self) -> bool:
        """Count one tick, less its time without a core. Return whether the time is used up."""
        starved = self.starved_until_now()
        without_core = min(max(0.0, starved - self.starved), self.tick)
        self.left -= self.tick - AT_MOST * without_core
        self.starved = starved
        return self.left <= self.tick / 2

    def starved_until_now(self) -> float:
        """Return for how many seconds this process has been ready to run without a core."""
        try:
            return int(os.pread(self.file, 100, 0).split()[1]) / 1e9
        except (OSError, ValueError, IndexError):
            return 0.0


TICKS = 8
AT_MOST = 0.9  # so that there is an end to it on any machine


def watch(tell: Callable[[FrameType | None], None]) -> None:
    """When the time is up, let `tell` say where the code is, and end the process."""
    if AVAILABLE:

        def over(_number: int, frame: FrameType | None) -> None:
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
    """Allow so much processor time from now, and twice as much time in all; 0 for no limit."""
    if AVAILABLE:
        _signal.setitimer(_signal.ITIMER_PROF, seconds)
        tick = WAITING.begin(2 * seconds)
        _signal.setitimer(_signal.ITIMER_REAL, tick, tick)


WAITING = Waiting()
