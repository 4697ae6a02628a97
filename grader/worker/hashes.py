"""Give the learner's objects hashes that are the same in every run.

By default an object's hash is its address, which depends on the machine, the folder and the version
of Python, and so does the order of a set. Code that is right in one order only would then pass in
one place and fail in another.
"""

from __future__ import annotations

import gc
import itertools
import sys
import weakref
from collections.abc import Collection
from typing import Any

_SCATTER = 0x9E3779B1  # makes neighbouring numbers differ in all bits
_BITS = 32
_COUNT = itertools.count()
_NUMBERS: dict[int, tuple[int, _Life | None]] = {}  # by address, as long as the object lives


class _Life(weakref.ref[Any]):
    """Ends with an object, and remembers its address."""

    __slots__ = ("place",)
    place: int


def _forget(life: _Life) -> None:
    _NUMBERS.pop(life.place, None)


def scattered(self: object) -> int:
    """Return a number that follows from how many objects were asked before this one."""
    place = id(self)
    try:
        return _NUMBERS[place][0]
    except KeyError:
        number: int = next(_COUNT) * _SCATTER % 2**_BITS >> _BITS // 2
    life: _Life | None
    try:
        life = _Life(self, _forget)
        life.place = place
    except TypeError:  # because of `__slots__`: the next object there gets its number
        life = None
    _NUMBERS[place] = number, life
    return number


def scatter(modules: Collection[str]) -> None:
    """Give the classes of these modules this hash in place of Python's own.

    Objects that are there already may be in a set, so their classes stay as they are.
    """
    made = {type(thing) for thing in gc.get_objects()}
    for name in modules:
        thing: Any
        for thing in [*vars(sys.modules.get(name, object)).values()]:
            is_own = type(thing) is type and thing.__module__ in modules and thing not in made
            if is_own and thing.__hash__ is object.__hash__:
                thing.__hash__ = scattered
