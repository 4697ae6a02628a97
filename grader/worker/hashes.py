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

from .protocol import USUAL

_SCATTER = 0x9E3779B1  # makes neighbouring numbers differ in all bits
_BITS = 32
_HASHES: dict[int, tuple[int, _Life | None]] = {}  # by address, as long as the object lives
_order, _count = USUAL, itertools.count()


class _Life(weakref.ref[Any]):
    """Ends with an object, and remembers its address."""

    __slots__ = ("place",)
    place: int


def _forget(life: _Life) -> None:
    _HASHES.pop(life.place, None)


def scattered(self: object) -> int:
    """Return a number that follows from how many objects were asked before this one."""
    try:
        return _HASHES[id(self)][0]
    except KeyError:
        # with equal hashes a set keeps the order of insertion of a few objects
        return _keep(self, next(_count) * _SCATTER * _order % 2**_BITS >> _BITS // 2)


def _keep(thing: object, number: int) -> int:
    life: _Life | None
    try:
        life = _Life(thing, _forget)
        life.place = id(thing)
    except TypeError:  # because of `__slots__`: the next object there gets its number
        life = None
    _HASHES[id(thing)] = number, life
    return number


def choose(order: int) -> None:
    """Choose the order of new objects in a set. Any but the usual one does not depend on the
    objects before.
    """
    global _order, _count  # noqa: PLW0603 - a hash has no other arguments
    if order != USUAL:
        _count = itertools.count()
    _order = order


def scatter(modules: Collection[str]) -> None:
    """Give the classes of these modules this hash in place of Python's own. Objects that are there
    already keep theirs, because they may be in a set.
    """
    own: dict[int, Any] = {}
    for name in modules:
        thing: Any
        for thing in vars(sys.modules.get(name, object)).values():
            is_own = type(thing) is type and thing.__module__ in modules
            if is_own and thing.__hash__ is object.__hash__:
                own[id(thing)] = thing
    for thing in gc.get_objects():
        if id(type(thing)) in own:
            _keep(thing, object.__hash__(thing))
    for each in own.values():
        each.__hash__ = scattered
