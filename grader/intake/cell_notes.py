"""What happened in the cells of a notebook, in sentences for the learner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

MAX_NOTES = 8


class CellNote(NamedTuple):
    """What happened in a cell: in which, how (`raised`, `syntax`, `stopped`, `await`, `late`), in
    which line, what.
    """

    cell: str
    how: str
    line: int
    type_name: str
    message: str

    @property
    def place(self) -> str:
        """Where it happened."""
        return f"{self.cell}, line {self.line}" if self.line else self.cell

    @property
    def trouble(self) -> str:
        """What kept code of the learner's from being run, or nothing."""
        what = f"{self.type_name}: {self.message}" if self.message else self.type_name
        return {
            "raised": f"{self.place} raises {what}",
            "syntax": (
                f"{self.place} is not valid Python ({self.message or self.type_name}), so the cell"
                " is skipped"
            ),
            "stopped": f"{self.place} takes too long and was stopped",
            "await": f"{self.place} uses await outside a function; that line is skipped",
            "late": (
                f"together the cells take too long; from {self.place} on, only definitions are run"
            ),
        }.get(self.how, f"{self.place} was only partly run")


def sentences(told: Iterable[CellNote]) -> tuple[str, ...]:
    """A note for each."""
    return tuple(bounded(_sentences(list(told)), "more cells were only partly run"))


def _sentences(told: Sequence[CellNote]) -> Iterator[str]:
    for entry in told:
        if entry.how in {"raised", "stopped"}:
            yield f"{entry.trouble}; the rest still runs"
        else:
            yield entry.trouble


def bounded(notes: Iterable[str], more: str) -> list[str]:
    """The first few notes, and how many `more` there are."""
    found = list(notes)
    left = len(found) - MAX_NOTES
    return found if left < 2 else [*found[:MAX_NOTES], f"{left} {more}"]
