"""The learner's loaded functions: find them, compile versions of them, and keep the state around
them.
"""

from __future__ import annotations

import ast
import copy
import gc
import operator
import sys
from collections import deque
from types import CodeType, FunctionType
from typing import Any

from .differences import Unit, guarded

MAX_BITS = 1_000  # in a whole number that an operation makes
MAX_ITEMS = 100_000  # in a repeated list or text
COLLECTIONS = (list, dict, set, deque)
REPEATED = (list, tuple, str, bytes)
LARGE_OPERATIONS = {"*": operator.mul, "**": operator.pow, "<<": operator.lshift}


class OutOfTicks(BaseException):
    """Raised in code that loops for too long."""


def is_python(source: bytes | str) -> bool:
    """Return whether a source can be parsed."""
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return True


def compiled(unit: Unit, node: Any) -> CodeType:
    """Return the code of a unit with this version of its function."""
    return compile(unit.module(guarded(node)), unit.file, "exec", dont_inherit=True)


def bounded(one: Any, other: Any = 1, sign: str = "") -> Any:
    """Return a product, a power or a shift, or the first operand, unless it is very large."""
    if type(one) is type(other) is int:
        bits, more = one.bit_length(), other.bit_length()
        if {"*": bits + more, "**": other * bits, "<<": bits + other}.get(sign, bits) > MAX_BITS:
            raise OutOfTicks
    for items, count in ((one, other), (other, one)):
        if type(count) is int and type(items) in REPEATED and len(items) * count > MAX_ITEMS:
            raise OutOfTicks
    return LARGE_OPERATIONS[sign](one, other) if sign else one


def functions_in(code: CodeType) -> list[CodeType]:
    """Return the code of all functions in a module's code, outer ones first."""
    inner = [const for const in code.co_consts if type(const) is CodeType]
    return [each for one in inner for each in (one, *functions_in(one))]


def paired(old: list[CodeType], new: list[CodeType]) -> list[tuple[CodeType, CodeType]]:
    """Return the old functions with their new code, by order or else by name."""
    if [code.co_name for code in old] == [code.co_name for code in new]:
        return list(zip(old, new))
    pairs, rest = [], list(new)
    for one in old:
        match = next((each for each in rest if each.co_name == one.co_name), None)
        if match is not None:
            pairs.append((one, match))
            rest.remove(match)
    return pairs


def identity(code: CodeType) -> tuple[str, int, str, int]:
    """Return a key for a function; several lambdas may begin on one line."""
    column = 0
    if code.co_name == "<lambda>" and sys.version_info >= (3, 11):
        places = [place for place in code.co_positions() if place[0] and place[2]]
        column = places[0][2] or 0 if places else 0
    return code.co_filename, code.co_firstlineno, code.co_name, column


def live_functions(trees: dict[str, Any]) -> dict[tuple[str, int, str, int], list[FunctionType]]:
    """Return the functions of the submission that exist."""
    found: dict[tuple[str, int, str, int], list[FunctionType]] = {}
    for thing in gc.get_objects():
        if type(thing) is FunctionType and thing.__code__.co_filename in trees:
            found.setdefault(identity(thing.__code__), []).append(thing)
    return found


def kept_state(live: dict[Any, list[FunctionType]]) -> list[tuple[Any, Any]]:
    """Return the modules and classes with their contents, and the collections in them, copied."""
    spaces: list[Any] = [f.__globals__ for functions in live.values() for f in functions]
    spaces = list({id(space): space for space in spaces}.values())
    spaces += {
        id(one): one for space in spaces for one in space.values() if type(one) is type
    }.values()
    things = [
        thing
        for space in spaces
        for name, thing in _contents(space).items()
        if isinstance(thing, COLLECTIONS) and not name.startswith("__")
    ]
    return [(thing, copy.copy(_contents(thing))) for thing in (*spaces, *things)]


def iterators_in(kept: list[tuple[Any, Any]]) -> set[str]:
    """Return the names of iterators that many places share."""
    return {
        name
        for _, contents in kept
        if isinstance(contents, dict)
        for name, value in contents.items()
        if hasattr(type(value), "__next__")
    }


def _contents(thing: Any) -> Any:
    return dict(vars(thing)) if isinstance(thing, type) else thing


def restore(thing: Any, copy: Any) -> None:
    """Restore a module, a class or a collection."""
    if isinstance(thing, type):
        for name in [*vars(thing)]:
            if name not in copy:
                type.__delattr__(thing, name)
        for name, value in copy.items():
            if vars(thing).get(name) is not value:
                type.__setattr__(thing, name, value)
    else:
        thing.clear()
        (thing.extend if isinstance(thing, (list, deque)) else thing.update)(copy)
