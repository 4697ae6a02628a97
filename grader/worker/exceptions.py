"""What an exception of the learner's tells, as plain values. For the worker: standard library only,
loaded by path.

The exception is the learner's object and may lie or resist, so it is asked for nothing that its
class could define:
type, traceback and fields are read as the interpreter keeps them.
"""

from __future__ import annotations

import builtins

from .deadline import Stopped
from .protocol import MAX_BASES, MAX_FRAMES, MAX_TEXT, Frame, Raised
from .typos import meant_by

# a private copy: a submission that overwrites a built-in breaks its own code only
globals()["__builtins__"] = dict(vars(builtins))

TYPE_CHECKING = False  # importing typing would cost the worker a third of its start-up
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import CodeType, FrameType, TracebackType


_NAME, _MRO, _FLAGS = (type.__dict__[name].__get__ for name in ("__name__", "__mro__", "__flags__"))
_TRACEBACK = BaseException.__dict__["__traceback__"].__get__
_FILENAME, _LINE, _TEXT, _MESSAGE = (
    SyntaxError.__dict__[name].__get__ for name in ("filename", "lineno", "text", "msg")
)
_MADE_BY_A_CLASS_STATEMENT = 1 << 9  # Py_TPFLAGS_HEAPTYPE
_LOST = ("error return without exception set", "without setting an exception")


def clip(text: str) -> str:
    """Text of the learner's, bounded, and of the exact type."""
    text = str.__str__(text)
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def name_of(kind: type) -> str:
    """The name of a type, whatever its metaclass says."""
    return clip(_NAME(kind))


def describe(
    error: BaseException,
    filenames: Sequence[str],
    stubs: Mapping[CodeType, str],
    names: Mapping[CodeType, str],
) -> Raised:
    """An exception as it crosses.

    Blamed is the stub that raised, or the innermost function of the course (`names`) that took all
    the memory or time.
    """
    try:
        error = _found_again(error)
        kind = type(error)
        if issubclass(kind, MemoryError):
            _let_go(_TRACEBACK(error))
        how = _how(error, filenames)
        if how == "timeout":
            frames, _codes = _frames(_TRACEBACK(error), filenames)
            return Raised(how, "", [], "", frames, clip(error.args[0]))
        frames, codes = _frames(_TRACEBACK(error), filenames)
        blamed = stubs.get(codes[-1], "") if codes and kind is NotImplementedError else ""
        if how == "memory":
            blamed = _innermost(codes, names)
        if how == "syntax":
            frames = [_place(error)]
        bases = [name_of(base) for base in _MRO(kind)[:MAX_BASES]]
        message = _message(error, how)
        return Raised(how, name_of(kind), bases, message, frames, blamed, _meant(error))
    except BaseException:  # noqa: BLE001 - whatever goes wrong, there is an answer
        return Raised("raised", "an exception that cannot be shown", [], "", [], "")


def _meant(error: BaseException) -> str:
    try:
        return clip(meant_by(error))
    except BaseException:  # noqa: BLE001 - a guess is worth no second exception
        return ""


def _found_again(error: BaseException) -> BaseException:
    """The exception; a MemoryError for what Python 3.12 and later raise when there is no memory
    even for that.
    """
    if type(error) is SystemError and _message(error, "raised").endswith(_LOST):
        return MemoryError().with_traceback(_TRACEBACK(error))
    return error


def _how(error: BaseException, filenames: Sequence[str]) -> str:
    kind = type(error)
    if issubclass(kind, Stopped):
        return "timeout"
    if issubclass(kind, SystemExit):
        return "exited"
    if issubclass(kind, MemoryError):
        return "memory"
    return (
        "syntax"
        if issubclass(kind, SyntaxError) and _is_one_of(_FILENAME(error), filenames)
        else "raised"
    )


def _is_one_of(filename: object, filenames: Sequence[str]) -> bool:
    return type(filename) is str and filename in filenames


def _let_go(step: TracebackType | None) -> None:
    """Empty the frames that ran out of memory: what fills it hangs there, and to describe it takes
    some.
    """
    while step is not None:
        try:  # noqa: SIM105 - importing contextlib would cost the worker start-up time
            step.tb_frame.clear()
        except RuntimeError:  # one of our own frames, which still runs
            pass
        step = step.tb_next


def _place(error: BaseException) -> Frame:
    line, text = _LINE(error), _TEXT(error)
    line = line if type(line) is int and 0 <= line < 1 << 31 else 0
    return Frame(_FILENAME(error), line, "", clip(text.strip()) if type(text) is str else "")


def _message(error: BaseException, how: str) -> str:
    """The exception's text as the interpreter's own class forms it: the learner's `__str__` might
    loop or lie.
    """
    try:
        if how == "syntax":
            return clip(_MESSAGE(error))
        own = next(
            base for base in _MRO(type(error)) if not _FLAGS(base) & _MADE_BY_A_CLASS_STATEMENT
        )
        return clip(own.__str__(error))
    except BaseException:  # noqa: BLE001 - the text is made of the learner's objects
        return ""


def _frames(
    step: TracebackType | None, filenames: Sequence[str]
) -> tuple[list[Frame], list[CodeType]]:
    """The learner's frames of a traceback, outermost first, the first and the last few; and the
    code of the latter.
    """
    frames = Frames(filenames)
    while step is not None:
        frames.add(step.tb_frame.f_code, step.tb_lineno)
        step = step.tb_next
    return frames.first + frames.last, frames.codes


class Frames:
    """The first and the last few of many frames."""

    def __init__(self, filenames: Sequence[str]) -> None:
        self.filenames = filenames
        self.first: list[Frame] = []
        self.last: list[Frame] = []
        self.codes: list[CodeType] = []

    def add(self, code: CodeType, line: int | None) -> None:
        """One frame more, if it is the learner's."""
        if not _is_one_of(code.co_filename, self.filenames):
            return
        some = self.first if len(self.first) < MAX_FRAMES // 2 else self.last
        some.append(Frame(code.co_filename, line or 0, clip(code.co_name), ""))
        self.codes.append(code)
        if len(self.last) > MAX_FRAMES // 2:
            del self.last[0]
        if len(self.codes) > MAX_FRAMES:
            del self.codes[0]


def interrupted(
    frame: FrameType | None, filenames: Sequence[str], names: Mapping[CodeType, str]
) -> Raised:
    """A fault for code that takes too long: where it is now, down to the innermost function of the
    course.

    What that calls in turn is another thing at every moment, and a report must be the same every
    time.
    """
    stack: list[FrameType] = []
    while frame is not None:
        stack.append(frame)
        frame = frame.f_back
    while any(entry.f_code in names for entry in stack) and stack[0].f_code not in names:
        del stack[0]
    frames = Frames(filenames)
    for entry in reversed(stack):
        frames.add(entry.f_code, entry.f_lineno)
    return Raised(
        "timeout", "", [], "", frames.first + frames.last, _innermost(frames.codes, names)
    )


def _innermost(codes: Sequence[CodeType], names: Mapping[CodeType, str]) -> str:
    return next((names[code] for code in reversed(codes) if code in names), "")
