"""Find the name that may be meant instead of a missing one.

Names are read from the dictionaries themselves, so no code of the learner's classes runs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from types import FrameType, TracebackType

LIKE = 0.7  # how similar two names must be, from 0 to 1
SHORT = 3  # letters that two names must share
MOST = 1_000  # names to compare

_MRO, _DICT = (type.__dict__[name].__get__ for name in ("__mro__", "__dict__"))
_TRACEBACK = BaseException.__dict__["__traceback__"].__get__
_OBJECT, _ATTRIBUTE = (AttributeError.__dict__[name].__get__ for name in ("obj", "name"))
_VARIABLE = NameError.__dict__["name"].__get__
_TEXT, _MODULE = (ImportError.__dict__[name].__get__ for name in ("msg", "name"))
_INSTANCE_DICT = type(_DICT(BaseException)["__dict__"])  # how the interpreter keeps it
_EVERYWHERE = {*dir(object), "__module__", "__dict__", "__weakref__"}


def meant_by(error: BaseException) -> str:
    """Return the name meant by a misspelt one in an error, or an empty string."""
    frame = [*steps_of(error)][-1].tb_frame
    if isinstance(error, ImportError):  # cannot import name '...' from '...'
        _, name, *_ = _TEXT(error).split("'")
        return nearest(name, names_of(sys.modules.get(_MODULE(error))))
    if isinstance(error, AttributeError):
        return _attribute(_OBJECT(error), _ATTRIBUTE(error), frame)
    return _variable(_VARIABLE(error), frame) if isinstance(error, NameError) else ""


def nearest(name: str, candidates: Iterable[object]) -> str:
    """Return the candidate most similar to a name, or an empty string."""
    from difflib import get_close_matches  # imported here because most code has no typos

    texts = [one for one in candidates if type(one) is str and one != name][: 2 * MOST]
    swapped = [one for one in texts if sorted(one) == sorted(name)]
    found = swapped or get_close_matches(name, texts, 1, LIKE)
    return found[0] if found else ""


def _longer(name: str, names: Iterable[object]) -> str:
    """Return a name that begins with the other one, such as `gradient` for `grad`."""
    found = [
        one
        for one in names
        if type(one) is str and len(min(one, name, key=len)) >= SHORT
        if one.startswith(name) or name.startswith(one)
    ]
    return found[0] if len(found) == 1 else ""


def names_on(thing: object) -> list[object]:
    """Return an object's attributes, including the ones of its classes except `object`."""
    found = list(_own(thing))
    for base in _MRO(type(thing))[:-1]:
        found += list(_DICT(base))
    return [name for name in found if name not in _EVERYWHERE]


def names_of(holder: object) -> list[object]:
    """Return the names that a class or module itself defines."""
    space = _DICT(holder) if isinstance(holder, type) else getattr(holder, "__dict__", {})
    return [name for name in space if name not in _EVERYWHERE]


def inherited(holder: type, name: str) -> object:
    """Return the entry of a class or one of its bases, except `object`, under a name, or None.

    Methods that only its metaclass has, such as `__call__`, do not count.
    """
    return next((_DICT(base)[name] for base in _MRO(holder)[:-1] if name in _DICT(base)), None)


def _own(thing: object) -> Iterable[object]:
    for base in _MRO(type(thing)):
        kept = _DICT(base).get("__dict__")
        if kept is not None:
            return dict.keys(kept.__get__(thing)) if type(kept) is _INSTANCE_DICT else ()
    return ()


def _attribute(thing: object, name: object, frame: FrameType) -> str:
    if type(name) is not str:
        return ""
    if name in frame.f_locals:
        return name
    if isinstance(thing, (type, type(sys))):
        return nearest(name, names_of(thing))
    names = names_on(thing)
    return nearest(name, names) or _longer(name, names)


def _variable(name: object, frame: FrameType) -> str:
    if type(name) is not str:
        return ""
    here = frame.f_locals
    if name in sys.stdlib_module_names:
        return f"import {name}"
    modules = [
        (alias, thing)
        for alias, thing in frame.f_globals.items()
        if type(thing) is type(sys) and not alias.startswith("_")
    ]
    for alias, module in modules:
        if name in vars(module):
            return f"{alias}.{name}"
    if "self" in here and name in names_on(here["self"]):
        return f"self.{name}"
    around: list[object] = []  # variables of functions that enclose or call this one
    outer = frame.f_back
    while outer is not None and outer.f_code.co_filename == frame.f_code.co_filename:
        around += outer.f_locals
        outer = outer.f_back if len(around) < MOST else None
    return nearest(name, [*here, *around[:MOST], *frame.f_globals, *frame.f_builtins])


def steps_of(error: BaseException) -> Iterator[TracebackType]:
    """Yield the steps of an exception's traceback, outermost first."""
    step = _TRACEBACK(error)
    while step is not None:
        yield step
        step = step.tb_next
