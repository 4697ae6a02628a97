"""Describe the state of a course's suites, so that a run that changed it is noticed.

A suite that has been imported once may be run for many submissions only if nothing that one run
leaves behind can reach the next.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Collection, Mapping
from functools import cached_property
from types import CodeType, FunctionType, ModuleType
from typing import Any

Described = tuple[Any, tuple[Any, ...]]


def state_of(modules: Mapping[str, ModuleType]) -> bytes | None:
    """Return bytes that change if a global, a default, an attribute of a class or anything in them
    changes; None if something in these modules cannot be described, such as a generator.

    What other modules define counts by its name only.
    """
    out = io.BytesIO()
    try:
        _Describer(out, modules).dump([_variables(module) for module in modules.values()])
    except Exception:  # noqa: BLE001 - whatever a suite may hold
        return None
    return out.getvalue()


def _variables(owner: ModuleType | type) -> dict[str, object]:
    return {name: value for name, value in vars(owner).items() if name not in _OF_PYTHON}


# set by Python itself, or by pickle when it first describes an object of a class
_OF_PYTHON = (
    "__builtins__", "__cached__", "__loader__", "__spec__", "__dict__", "__weakref__",
    "__dataclass_fields__", "__dataclass_params__", "__match_args__", "__abstractmethods__",
    "_abc_impl", "__slotnames__"
)  # fmt: skip


class _Describer(pickle.Pickler):
    """A pickler that looks into the modules' own functions and classes. Nothing is ever loaded."""

    def __init__(self, out: io.BytesIO, modules: Collection[str]) -> None:
        super().__init__(out, protocol=4)
        self._modules = modules
        self._seen: set[int] = set()

    def reducer_override(self, thing: Any) -> Any:
        """Describe functions, classes and what wraps them; leave the rest to pickle."""
        if isinstance(thing, ModuleType):
            return _described(thing.__name__)
        if isinstance(thing, (staticmethod, classmethod)):
            return _described(thing.__func__)
        if isinstance(thing, property):
            return _described(thing.fget, thing.fset, thing.fdel)
        if isinstance(thing, cached_property):
            return _described(thing.func)
        if isinstance(thing, CodeType):  # a constant of the module
            return _described(thing.co_name)
        if hasattr(thing, "cache_info"):
            return _described(thing.__wrapped__, thing.cache_info())
        if not isinstance(thing, (FunctionType, type)):
            return NotImplemented
        name = f"{thing.__module__}.{thing.__qualname__}"
        if thing.__module__ not in self._modules or id(thing) in self._seen:
            return _described(name)
        self._seen.add(id(thing))
        if isinstance(thing, type):
            return _described(name, thing.__bases__, _variables(thing))
        cells = [cell.cell_contents for cell in thing.__closure__ or ()]
        held = thing.__defaults__, thing.__kwdefaults__, vars(thing), cells
        return _described(name, id(thing), *held)


def _described(*parts: object) -> Described:
    return len, parts  # any function would do
