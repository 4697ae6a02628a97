"""Load the learner's code and find the course's names in it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from opcode import opmap
from types import CodeType
from typing import Any

from . import deadline, exceptions, hashes, modules, patches, typos
from .cells import Notebook
from .loaded import functions_in
from .placeholders import Placeholder
from .protocol import Load, Loaded, NameState, Raised, State


def _empty(self: object) -> None:
    pass


def _documented(self: object) -> None:
    """Return nothing."""


_EMPTY = {_empty.__code__.co_code, _documented.__code__.co_code}
_RETURNS = {opmap.get("RETURN_VALUE"), opmap.get("RETURN_CONST")}


class Submission:
    """A module or a notebook's cells, with the course's functions that they define."""

    def __init__(self, arm: Callable[[float], None]) -> None:
        self.arm = arm
        self.module: Any = None
        self.provided: list[str] = []
        self.sources: dict[str, bytes] = {}
        self.stubs: dict[CodeType, str] = {}
        self.names: dict[CodeType, str] = {}

    def provide(self, packages: list[tuple[str, str]]) -> None:
        """Make packages importable, each from its folder, and import them.

        This happens before the learner's code, so its cost and any failure are not the learner's.
        """
        folders = dict(packages)
        sys.meta_path.append(modules.Packages(folders))
        for name in folders:
            __import__(name)
        self.provided += folders

    def load(self, asked: Load) -> Loaded:
        """Import the submission."""
        files = [file for file in asked.files if file.module not in self.provided]
        cells = [file for file in files if file.is_cell]
        self.sources = {file.shown: file.source for file in files}
        finder = modules.Files(files, asked.own, self.sources, asked.left_out, self.provided)
        notes = []
        if cells:
            notebook = Notebook(finder, list(asked.own), self.arm)
            self.module, notes = notebook.run(cells), notebook.notes
        else:
            self.module = modules.load(finder, asked.entry)
            self.import_before(asked.entry, [name for name in asked.own if name in finder.sources])
        hashes.scatter({*finder.sources, *asked.own})
        for name, source, _deletes in asked.swaps:
            if (module := modules.known(name)) is not None:
                patches.swap(module, source)
        found = [self.inspect(name) for name in asked.names]
        for name in asked.disabled:
            owner, _dot, rest = name.rpartition(".")
            setattr(
                getattr(self.module, owner) if owner else self.module, rest, deadline.stopped(name)
            )
        return Loaded(found, [exceptions.clip(name) for name in finder.absent], notes)

    def import_before(self, entry: str, own: list[str]) -> None:
        """Import the files of the course before this one: an error in them must not end a script.
        One that is not valid Python fails when it is used.
        """
        for name in own[: own.index(entry)] if entry in own else ():
            try:
                __import__(name)
            except SyntaxError as error:  # noqa: PERF203 - a few files
                if self.raised(error).how != "syntax":
                    raise

    def inspect(self, name: str) -> NameState:
        """Describe what the submission has under a name."""
        owner, _, rest = name.partition(".")
        found = getattr(self.module, owner, None)
        if rest and found is not None and type(found) is not Placeholder:
            if not issubclass(type(found), type):
                return NameState("present" if callable(found) else "not a class")
            found = typos.inherited(found, rest)
            if found is getattr(object, rest, None):
                found = None
        if found is None or type(found) is Placeholder:
            return NameState("missing")
        if (code := code_of(found)) is None:
            return NameState("present")
        place = (
            code.co_firstlineno,
            last_line(code),
            code.co_filename if code.co_filename in self.sources else "",
        )
        only_raises = _RETURNS.isdisjoint(code.co_code[::2])
        if code.co_names == ("NotImplementedError",) and only_raises:
            self.stubs[code] = name
            return NameState("stub", *place)
        self.names[code] = name
        state: State = "empty" if code.co_code in _EMPTY else "present"
        return NameState(state, *(() if code.co_filename == patches.SWAPPED else place))

    def raised(self, error: BaseException) -> Raised:
        """Describe an exception that this code raised."""
        return exceptions.describe(error, self.sources, self.stubs, self.names)


def code_of(function: object) -> CodeType | None:
    """Return the code of a function or static method written in Python, or None."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code if type(code) is type(code_of.__code__) else None


def last_line(code: CodeType) -> int:
    """Return the last line of a function, including the functions inside it."""
    functions = (code, *functions_in(code))
    return max(line or 0 for each in functions for _start, _end, line in each.co_lines())
