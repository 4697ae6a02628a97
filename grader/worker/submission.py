"""The learner's code, imported: what is there under the names of the course, and where."""

from __future__ import annotations

import builtins
import sys

from . import cells, deadline, exceptions, modules
from .protocol import Loaded, NameState

# a private copy: a submission that overwrites a built-in breaks its own code only
globals()["__builtins__"] = dict(vars(builtins))

TYPE_CHECKING = False  # importing typing would cost a third of the start-up
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType
    from typing import Any

    from grader.worker.protocol import Load, Package, Raised

MISSING = object()


def _empty(self: object) -> None:
    pass


def _documented(self: object) -> None:
    """Return nothing."""


_EMPTY = {_empty.__code__.co_code, _documented.__code__.co_code}


class Submission:
    """A module, or the cells of a notebook, and the functions of the course in it."""

    def __init__(self, arm: Callable[[float], None]) -> None:
        self.arm = arm
        self.module: Any = None
        self.provided: list[str] = []
        self.filenames: tuple[str, ...] = ()
        self.stubs: dict[CodeType, str] = {}
        self.names: dict[CodeType, str] = {}

    def provide(self, packages: list[Package]) -> None:
        """Make packages importable, each from its folder, and import them: what that takes, and
        what it lacks, is not the learner's.
        """
        folders = {package.name: package.folder for package in packages}
        sys.meta_path.append(modules.Packages(folders))
        for name in folders:
            __import__(name)
        self.provided += folders

    def load(self, asked: Load) -> Loaded:
        """Import what was handed in."""
        sources = {
            module: (filename, source)
            for module, filename, source in asked.files
            if module not in self.provided
        }
        self.filenames = (
            *(filename for filename, _ in sources.values()),
            *(filename for filename, _ in asked.cells),
        )
        finder = modules.Files(sources, [*asked.own, *self.provided], self.filenames)
        notes = []
        if asked.cells:
            notebook = cells.Notebook(
                finder, list(asked.own), asked.left_out, self.arm, exceptions.describe
            )
            self.module, notes = notebook.run(asked.cells), notebook.notes
        else:
            self.module = modules.load(finder, asked.entry)
        for name, source, _deletes in asked.swaps:
            if (module := modules.known(name)) is not None:
                modules.swap(module, source)
        found = [self.inspect(name) for name in asked.names]
        for name in asked.disabled:
            owner, _dot, rest = name.rpartition(".")
            setattr(
                getattr(self.module, owner) if owner else self.module, rest, deadline.stopped(name)
            )
        return Loaded(found, [exceptions.clip(name) for name in finder.absent], notes)

    def inspect(self, name: str) -> NameState:
        """What there is under a name."""
        owner, _, rest = name.partition(".")
        found = getattr(self.module, owner, None)
        if rest and found is not None:
            holder, found = found, getattr(found, "__dict__", {}).get(rest, MISSING)
            if found is MISSING:
                found = getattr(holder, rest, None)
            if found is getattr(object, rest, MISSING):
                found = None
            if found is not None and not issubclass(type(holder), type):
                return NameState("not a class")
        if found is None or type(found) is modules.Placeholder:
            return NameState("missing")
        if (code := modules.code_of(found)) is None:
            return NameState("present")
        place = (
            code.co_firstlineno,
            modules.last_line(code),
            code.co_filename if code.co_filename in self.filenames else "",
        )
        if code.co_names == ("NotImplementedError",):  # it does nothing but raise that
            self.stubs[code] = name
            return NameState("stub", *place)
        self.names[code] = name
        state = "empty" if code.co_code in _EMPTY else "present"
        return NameState(state, *(() if code.co_filename == modules.SWAPPED else place))

    def raised(self, error: BaseException) -> Raised:
        """An exception of this code's."""
        return exceptions.describe(error, self.filenames, self.stubs, self.names)

    def interrupted(self, frame: FrameType | None) -> Raised:
        """Where this code takes too long."""
        return exceptions.interrupted(frame, self.filenames, self.names)
