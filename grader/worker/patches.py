"""Replace functions of the learner's modules, for one script or for good."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from .placeholders import FUNCTIONS

ABSENT = object()
SWAPPED = "<the reference>"


def patch(module: ModuleType, source: str, deletes: Sequence[str]) -> Callable[[], None]:
    """Replace the module's functions with those in `source` and remove `deletes`.

    Return a function that undoes this.
    """
    scratch: dict[str, Any] = {}
    exec(  # noqa: S102
        compile(source, getattr(module, "__file__", None) or "", "exec", dont_inherit=True),
        module.__dict__,
        scratch,
    )
    return put_in(module, scratch, deletes)


def swap(module: ModuleType, source: str) -> None:
    """Replace the module's functions with the reference's for good.

    They use the module's classes and its other functions. They keep the names that they were
    written with, such as imports, and the module does not get these names.
    """
    space: dict[str, Any] = {"__name__": module.__name__, "__builtins__": builtins}
    exec(compile(source, SWAPPED, "exec", dont_inherit=True), space)  # noqa: S102 - as above
    written = {
        name: thing
        for name, thing in space.items()
        if getattr(thing, "__module__", "") == module.__name__
    }
    put_in(module, written)
    brought = space.keys() - written.keys()
    space.update((name, thing) for name, thing in vars(module).items() if name not in brought)


def put_in(
    module: ModuleType, things: dict[str, Any], deletes: Sequence[str] = ()
) -> Callable[[], None]:
    """Put functions and classes into the module. Return a function that undoes this.

    Methods go into the module's existing class of the same name, because all other functions refer
    to that class.
    """
    replaced: list[tuple[Any, str, Any]] = []

    def put(owner: Any, name: str, thing: Any) -> None:
        replaced.append((owner, name, vars(owner).get(name, ABSENT)))
        assign(owner, name, thing)

    for name, thing in things.items():
        own = getattr(module, name, None)
        if type(thing) is type and isinstance(own, type):
            for attribute, part in vars(thing).items():
                # a class that only defines `__eq__` has None there
                if type(part) in FUNCTIONS or attribute == "__hash__":
                    put(own, attribute, part)
        elif type(thing) in {type, *FUNCTIONS}:
            put(module, name, thing)
    for name in deletes:
        owner, _dot, last = name.rpartition(".")
        put(getattr(module, owner) if owner else module, last, ABSENT)

    def undo() -> None:
        for owner, name, thing in reversed(replaced):
            assign(owner, name, thing)

    return undo


def assign(owner: Any, name: str, thing: Any) -> None:
    """Set an attribute, or delete it if the value is ABSENT."""
    if thing is not ABSENT:
        setattr(owner, name, thing)
    elif name in vars(owner):
        delattr(owner, name)
