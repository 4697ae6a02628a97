"""Ends a request that takes too long, from inside: it knows where the learner's code is. For the
worker, loaded by path.

Processor time counts, so that a busy machine fails nobody; waiting counts when it lasts twice as
long. The judge's own deadline stands behind this one, for code that gets out of its way.
"""

from __future__ import annotations

try:  # what `os` is made of: to import that would take a tenth of the worker's start
    import posix as os
except ImportError:
    import nt as os  # type: ignore[no-redef]

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


def watch(tell: Callable[[FrameType | None], None]) -> None:
    """When the time is up, let `tell` say where the code is, and end the process."""
    if AVAILABLE:

        def handler(_number: int, frame: FrameType | None) -> None:
            try:
                tell(frame)
            finally:
                os._exit(0)

        for number in (_signal.SIGPROF, _signal.SIGALRM):
            _signal.signal(number, handler)


def arm(seconds: float) -> None:
    """Allow so much processor time from now, and twice as much time in all; 0 for no limit."""
    if AVAILABLE:
        _signal.setitimer(_signal.ITIMER_PROF, seconds)
        _signal.setitimer(_signal.ITIMER_REAL, 2 * seconds)
