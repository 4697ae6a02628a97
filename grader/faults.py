"""What an exception of the learner's tells, as plain values. For the worker: standard library only, loaded by path.

The exception is the learner's object and may lie or resist, so it is asked for nothing that its class could define:
type, traceback and fields are read as the interpreter keeps them.
"""

from __future__ import annotations

import builtins

globals()["__builtins__"] = dict(vars(builtins))  # a private copy: a submission that overwrites a built-in breaks its own code only

TYPE_CHECKING = False  # importing typing would cost the worker a third of its start-up
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import CodeType, TracebackType

    from grader.wire import Wire

MAX_TEXT = 400
MAX_FRAMES = 12
MAX_BASES = 8

_NAME, _MRO, _FLAGS = (type.__dict__[name].__get__ for name in ("__name__", "__mro__", "__flags__"))
_TRACEBACK = BaseException.__dict__["__traceback__"].__get__
_FILENAME, _LINE, _TEXT, _MESSAGE = (SyntaxError.__dict__[name].__get__ for name in ("filename", "lineno", "text", "msg"))
_MADE_BY_A_CLASS_STATEMENT = 1 << 9  # Py_TPFLAGS_HEAPTYPE


def clip(text: str) -> str:
    """Text of the learner's, bounded, and of the exact type."""
    text = str.__str__(text)
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def name_of(kind: type) -> str:
    """The name of a type, whatever its metaclass says."""
    return clip(_NAME(kind))


def describe(error: BaseException, filenames: Sequence[str], stubs: Mapping[CodeType, str]) -> list[Wire]:
    """A fault as plain values: how, type, its bases, message, the learner's own frames, the stub that raised."""
    kind = type(error)
    try:
        if issubclass(kind, MemoryError):
            _let_go(_TRACEBACK(error))
        how = _how(error, filenames)
        frames, stub = _frames(_TRACEBACK(error), filenames, stubs)
        if how == "syntax":
            frames = [_place(error)]
        bases: list[Wire] = [name_of(base) for base in _MRO(kind)[:MAX_BASES]]
        return [how, name_of(kind), bases, _message(error, how), frames, stub if kind is NotImplementedError else ""]
    except BaseException:  # noqa: BLE001 - whatever goes wrong, there is an answer
        return ["raised", "an exception that cannot be shown", [], "", [], ""]


def _how(error: BaseException, filenames: Sequence[str]) -> str:
    kind = type(error)
    if issubclass(kind, SystemExit):
        return "exited"
    if issubclass(kind, MemoryError):
        return "memory"
    return "syntax" if issubclass(kind, SyntaxError) and _is_one_of(_FILENAME(error), filenames) else "raised"


def _is_one_of(filename: object, filenames: Sequence[str]) -> bool:
    return type(filename) is str and filename in filenames


def _let_go(step: TracebackType | None) -> None:
    """Empty the frames that ran out of memory: what fills it hangs there, and to describe it takes some."""
    while step is not None:
        try:  # noqa: SIM105 - importing contextlib would cost the worker start-up time
            step.tb_frame.clear()
        except RuntimeError:  # one of our own frames, which still runs
            pass
        step = step.tb_next


def _place(error: BaseException) -> list[Wire]:
    line, text = _LINE(error), _TEXT(error)
    line = line if type(line) is int and 0 <= line < 1 << 31 else 0
    return [_FILENAME(error), line, "", clip(text.strip()) if type(text) is str else ""]


def _message(error: BaseException, how: str) -> str:
    """The exception's text as the interpreter's own class forms it: the learner's `__str__` might loop or lie."""
    try:
        if how == "syntax":
            return clip(_MESSAGE(error))
        own = next(base for base in _MRO(type(error)) if not _FLAGS(base) & _MADE_BY_A_CLASS_STATEMENT)
        return clip(own.__str__(error))
    except BaseException:  # noqa: BLE001 - the text is made of the learner's objects
        return ""


def _frames(
    step: TracebackType | None, filenames: Sequence[str], stubs: Mapping[CodeType, str]
) -> tuple[list[Wire], str]:
    """The learner's frames of a traceback, outermost first, the first and the last few; and the stub it ended in."""
    first: list[Wire] = []
    last: list[Wire] = []
    code = None
    while step is not None:
        code = step.tb_frame.f_code
        if _is_one_of(code.co_filename, filenames):
            some = first if len(first) < MAX_FRAMES // 2 else last
            some.append([code.co_filename, step.tb_lineno or 0, clip(code.co_name), ""])
            if len(last) > MAX_FRAMES // 2:
                del last[0]
        step = step.tb_next
    return first + last, stubs.get(code, "") if code is not None else ""
