"""Observe one run of the learner's code: the lines that run, and the types of its variables.

The search leaves out changes that would raise with every object there, such as `len` of a number.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection
from types import CodeType, FrameType
from typing import Any

from .loaded import OutOfTicks

MAX_EVENTS = 200_000  # of Python's trace
MAX_CALLS = 20  # of one function, in which its variables are looked at


class Observed:
    """The lines that one run reached, and the types of the variables of each function."""

    def __init__(self, files: Collection[str]) -> None:
        self.files = files
        self.lines: set[tuple[str, int]] = set()
        self.names: dict[Any, set[str]] = {}  # of the attributes of each type's instances
        self._types: dict[tuple[str, int], dict[str, set[Any]]] = defaultdict(dict)
        self._calls: Counter[CodeType] = Counter()
        self._events = 0

    def run(self, run: Callable[[], object]) -> None:
        """Run and look on."""
        sys.settrace(self._trace)
        try:
            run()
        finally:
            sys.settrace(None)

    def _trace(self, frame: FrameType, event: str, _argument: object) -> Any:
        code = frame.f_code
        if code.co_filename not in self.files:
            return None
        self._events += 1
        if self._events > MAX_EVENTS:
            raise OutOfTicks
        if event == "line":
            self.lines.add((code.co_filename, frame.f_lineno))
        elif event == "return" and self._calls[code] < MAX_CALLS:
            self._calls[code] += 1
            types = self._types[code.co_filename, code.co_firstlineno]
            for name, value in frame.f_locals.items():
                self._note(types, name, value)
                for attribute, held in getattr(value, "__dict__", {}).items():
                    if not isinstance(value, type):
                        self._note(types, f"{name}.{attribute}", held)
        return self._trace

    def _note(self, types: dict[str, set[Any]], name: str, value: Any) -> None:
        kind = value if isinstance(value, type) else type(value)
        kind = float if kind in {int, bool} else kind
        types.setdefault(name, set()).add(kind)
        if kind not in self.names:
            self.names[kind] = {*dir(kind)}
        self.names[kind].update(getattr(value, "__dict__", ()))

    def types_in(self, file: str, lines: range) -> dict[str, set[Any]]:
        """Return the types of the variables in the functions of these lines, and of their
        attributes.
        """
        found: dict[str, set[Any]] = {}
        for (where, line), types in self._types.items():
            for name, kinds in types.items() if where == file and line in lines else ():
                found[name] = found.get(name, set()) | kinds
        return found
