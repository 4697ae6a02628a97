"""Read the known mistakes of a stage. Each edits its solution into a faulty engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Annotated, NamedTuple

from grader.curriculum.source import fitted, functions_in, replace_functions, replace_once
from grader.curriculum.syntax import parse_python
from grader.curriculum.tables import A_PARAGRAPH, TEXTS, Table, read_table
from grader.errors import CourseError


class Edit(NamedTuple):
    """Replace a function's text `old` with `new`. Without `old`, `new` is the whole function."""

    function: str
    old: str
    new: str


@dataclass(frozen=True)
class Faulty:
    """A known mistake, which turns the solution into a faulty engine.

    `caught_by` lists checkpoints that must fail, beginning with the first one to fail. `tutor` is
    what a kind tutor would say. `where` names the file and the table.
    """

    id: str
    where: str
    title: str
    tutor: Annotated[str, A_PARAGRAPH]
    caught_by: tuple[str, ...]
    deletes: tuple[str, ...]
    edits: tuple[Edit, ...]

    @property
    def changed(self) -> tuple[str, ...]:
        """Return the names of the functions that it changes, adds or deletes."""
        return tuple(dict.fromkeys([*(edit.function for edit in self.edits), *self.deletes]))

    def engine(self, solution: bytes) -> bytes:
        """Return the solution with this mistake. Raise CourseError if the mistake does not fit."""
        try:
            texts = self._functions(functions_in(solution))
            engine = replace_functions(solution, texts | dict.fromkeys(self.deletes, b""))
            parse_python(engine)
        except (LookupError, SyntaxError) as error:
            what = error.args[0] if isinstance(error, LookupError) else f"not Python: {error}"
            raise CourseError(f"{self.where}: {what}", "compare it with the solution") from error
        return engine

    def patch(self, functions: Mapping[str, bytes]) -> str:
        """Return the wrong functions, in their classes, made from all functions of the solution.
        Raise LookupError if the mistake does not fit.
        """
        parts, wrong = [], sorted(self._functions(functions).items())
        for owner, group in groupby(wrong, lambda item: item[0].rpartition(".")[0]):
            parts += [f"class {owner}:\n"] if owner else []
            parts += [fitted(text, b"    " if owner else b"").decode() for _, text in group]
        return "".join(parts)

    def _functions(self, solution: Mapping[str, bytes]) -> dict[str, bytes]:
        found = {**solution}
        for function, old, new in self.edits:
            if old and function not in found:
                raise LookupError(f"there is no function {function!r} to edit")
            text = replace_once(found[function].decode(), old, new) if old else new
            found[function] = text.encode()
        return {edit.function: found[edit.function] for edit in self.edits}


def read_mistakes(stage: str, file: Path) -> tuple[Faulty, ...]:
    """Return the mistakes in a file, if it exists. Raise CourseError if one lacks something."""
    table = read_table(file, optional=True)
    return tuple(_mistake(stage, name, table.table(name)) for name in table.entries)


def _mistake(stage: str, name: str, table: Table) -> Faulty:
    table.known |= dict.fromkeys(("in", "old", "new", "edits"))
    edits = [_edit(table)] if "in" in table.entries else []
    for each in table.tables("edits") if "edits" in table.entries else ():
        edits.append(_edit(each))
        each.only()
    caught_by, deletes = table.get("caught_by", TEXTS), table.get("delete", TEXTS, ())
    if not edits and not deletes:
        raise CourseError(f"{table.where}: nothing is changed", "write in, old and new, or delete")
    return table.make(
        Faulty,
        id=f"{stage}.{name}",
        where=table.where,
        caught_by=tuple(id if "." in id else f"{stage}.{id}" for id in caught_by),
        deletes=deletes,
        edits=tuple(edits),
    )


def _edit(table: Table) -> Edit:
    old = table.get("old", str, "").strip("\n")
    return Edit(table.get("in", str), old, table.get("new", str, *[""] * bool(old)).strip("\n"))
