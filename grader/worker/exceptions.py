"""Describe the learner's exceptions as plain values.

An exception is the learner's object and may lie or resist, so nothing that its class could define
is called. Type, traceback and fields are read as the interpreter stores them. The worker loads this
file by path; it imports only the standard library.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from types import CodeType, FrameType

from .bounds import MAX_BASES, MAX_FRAMES, MAX_TEXT
from .deadline import Stopped, running
from .protocol import STOPPED, Frame, How, Raised
from .typos import meant_by, steps_of

_NAME, _MRO, _FLAGS = (type.__dict__[name].__get__ for name in ("__name__", "__mro__", "__flags__"))
_TRACEBACK = BaseException.__dict__["__traceback__"].__get__
_ARGUMENTS = BaseException.__dict__["args"].__get__
_FILENAME, _LINE, _TEXT, _MESSAGE = (
    SyntaxError.__dict__[name].__get__ for name in ("filename", "lineno", "text", "msg")
)
_MADE_BY_A_CLASS_STATEMENT = 1 << 9  # Py_TPFLAGS_HEAPTYPE
_GENERATOR = 1 << 5  # CO_GENERATOR
_LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LEAVES = {"Return", "Break", "Raise", "Yield", "YieldFrom", "Await"}
_CONSTANT = {int, float, str, bool, type(None)}
_ENDINGS: dict[type[BaseException], How] = {
    Stopped: "timeout",
    SystemExit: "exited",
    MemoryError: "memory",
}
_LOST = ("error return without exception set", "without setting an exception")


def clip(text: str) -> str:
    """Return a text as an exact `str`, shortened to `MAX_TEXT` characters."""
    text = str.__str__(text)
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def name_of(kind: type) -> str:
    """Return a type's name, whatever its metaclass claims."""
    return clip(_NAME(kind))


def describe(
    error: BaseException,
    filenames: Collection[str],
    stubs: Mapping[CodeType, str],
    names: Mapping[CodeType, str],
) -> Raised:
    """Return an exception as the record that is sent to the judge.

    The blame goes to the stub that raised it, or to the innermost function of the course (`names`)
    that used up the memory or the time.
    """
    try:
        error = _found_again(error)
        kind = type(error)
        if issubclass(kind, MemoryError):
            # the frames hold the objects that fill the memory, and what follows needs some of it
            for step in steps_of(error):
                with suppress(RuntimeError):  # one of the worker's own, which is still running
                    step.tb_frame.clear()
        how = _how(error, filenames)
        steps = ((step.tb_frame.f_code, step.tb_lineno) for step in steps_of(error))
        frames, codes = _frames(steps, filenames)
        if how == "timeout":
            return Raised(how, "", [STOPPED], "", frames, clip(error.args[0]))
        blamed = stubs.get(codes[-1], "") if codes and kind is NotImplementedError else ""
        if how == "memory":
            blamed = _innermost(codes, names)
        if how == "syntax":
            frames = [_place(error)]
        bases = [name_of(base) for base in _MRO(kind)[:MAX_BASES]]
        message = _message(error, how)
        return Raised(how, name_of(kind), bases, message, frames, blamed, _meant(error))
    except BaseException:  # noqa: BLE001 - whatever goes wrong, the judge gets an answer
        return Raised("raised", "an exception that cannot be shown", [], "", [], "")


def _meant(error: BaseException) -> str:
    try:
        return clip(meant_by(error))
    except BaseException:  # noqa: BLE001 - a guess is worth no second exception
        return ""


def _found_again(error: BaseException) -> BaseException:
    """Return the exception, or a MemoryError if there was no memory left to raise one.

    Python 3.12 and later raise SystemError then.
    """
    if type(error) is SystemError and _message(error, "raised").endswith(_LOST):
        return MemoryError().with_traceback(_TRACEBACK(error))
    return error


def _how(error: BaseException, filenames: Collection[str]) -> How:
    kind = type(error)
    for base, how in _ENDINGS.items():
        if issubclass(kind, base):
            return how
    return (
        "syntax"
        if issubclass(kind, SyntaxError) and _is_one_of(_FILENAME(error), filenames)
        else "raised"
    )


def _is_one_of(filename: object, filenames: Collection[str]) -> bool:
    return type(filename) is str and filename in filenames


def _place(error: BaseException) -> Frame:
    line, text = _LINE(error), _TEXT(error)
    line = line if type(line) is int and 0 <= line < 1 << 31 else 0
    return Frame(_FILENAME(error), line, "", clip(text.strip()) if type(text) is str else "")


def _message(error: BaseException, how: str) -> str:
    """Return the exception's text as the built-in base class formats it, because the learner's
    `__str__` might loop or lie.
    """
    try:
        if how == "syntax":
            return clip(_MESSAGE(error))
        own = next(
            base for base in _MRO(type(error)) if not _FLAGS(base) & _MADE_BY_A_CLASS_STATEMENT
        )
        axis, *dimensions = _ARGUMENTS(error) if _NAME(type(error)) == "AxisError" else ("",)
        if type(axis) is int and type(dimensions[0]) is int:  # numpy's own text for it
            return f"axis {axis} is out of bounds for array of dimension {dimensions[0]}"
        return clip(own.__str__(error))
    except BaseException:  # noqa: BLE001 - the text may contain the learner's objects
        return ""


def _frames(
    steps: Iterable[tuple[CodeType, int | None]], filenames: Collection[str]
) -> tuple[list[Frame], list[CodeType]]:
    """Return the first and last of the learner's frames among these, outermost first, and the last
    code objects.
    """
    own = [(code, line) for code, line in steps if _is_one_of(code.co_filename, filenames)]
    half = MAX_FRAMES // 2
    frames = [
        Frame(code.co_filename, line or 0, clip(code.co_name), "")
        for code, line in own[:half] + own[half:][-half:]
    ]
    return frames, [code for code, _line in own[-MAX_FRAMES:]]


def interrupted(
    frame: FrameType | None,
    seen: Collection[FrameType],
    sources: Mapping[str, bytes],
    names: Mapping[CodeType, str],
) -> Raised:
    """Describe where code that takes too long is now, down to the loop in the innermost function
    that was `seen` before and still runs, or to the first one that calls itself.

    The current line of the loop and the functions that it is calling change all the time, but a
    report must be the same every time.
    """
    stack = [each for each in running(frame) if _is_one_of(each.f_code.co_filename, sources)]
    lasting = [each for each in stack if each in seen and not _is_part(each.f_code)] or stack[:1]
    meant, calls = "", Counter(each.f_code for each in stack)
    again = next((at for at, each in enumerate(lasting, 1) if calls[each.f_code] > 1), None)
    lasting = lasting[:again]
    frames, codes = _frames([(each.f_code, each.f_lineno) for each in lasting], sources)
    if frames:
        last, line = frames[-1], frames[-1].line
        with suppress(BaseException):  # memory may have run out, or the source is missing
            tree = ast.parse(sources[last.file])
            if again is None:
                line = _loop_around(tree, codes[-1].co_firstlineno, line)
            meant = _never_changed(tree, line, lasting[-1])
        frames[-1] = last._replace(line=line)
    return Raised("timeout", "", [], "", frames, _innermost(codes, names), meant)


def _is_part(code: CodeType) -> bool:
    """Return whether this is a generator, which lasts even while it waits, or a comprehension,
    which has no frame since Python 3.12.
    """
    return bool(code.co_flags & _GENERATOR) or code.co_name.endswith("comp>")


def _never_changed(tree: ast.Module, line: int, frame: FrameType) -> str:
    """Return the variables in the condition of a `while`, if it is certain that nothing in the loop
    changes them or leaves it; an empty string otherwise.
    """
    whiles = (x for x in ast.walk(tree) if isinstance(x, ast.While) and x.lineno == line)
    if (loop := next(whiles, None)) is None:
        return ""
    tested, inside = list(ast.walk(loop.test)), list(ast.walk(loop))
    names = {x.id for x in tested if isinstance(x, ast.Name)}
    stored = {x.id for x in inside if isinstance(x, ast.Name) and not isinstance(x.ctx, ast.Load)}
    own = {*frame.f_code.co_varnames} - {*frame.f_code.co_cellvars} - stored
    if (
        not names <= own
        or any(isinstance(x, (ast.Call, ast.Attribute, ast.Subscript)) for x in tested)
        or any(type(x).__name__ in _LEAVES for x in inside)
        or any(type(frame.f_locals.get(name, [])) not in _CONSTANT for name in names)
    ):
        return ""
    return clip(" or ".join(sorted(names)))


def _loop_around(tree: ast.Module, first: int, line: int) -> int:
    """Return the line where the loop around a line begins, or the line itself if there is none.

    `first` is the first line of the function. In nested loops, return the outermost `while`,
    because a `for` seldom runs forever, or else the outermost other loop.
    """
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, _LOOPS) and first <= node.lineno <= line <= (node.end_lineno or 0)
    ]
    whiles = [node for node in around if isinstance(node, ast.While)]
    return min((node.lineno for node in whiles or around), default=line)


def _innermost(codes: Sequence[CodeType], names: Mapping[CodeType, str]) -> str:
    return next((names[code] for code in reversed(codes) if code in names), "")
