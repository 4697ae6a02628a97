"""Describe what happened in a notebook's cells, in sentences for the learner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grader.worker import protocol

MAX_NOTES = 8


class CellNote(protocol.CellNote):
    """What happened in a cell, in words."""

    __slots__ = ()

    @property
    def place(self) -> str:
        """Return the cell, and the line if it is known."""
        return f"{self.cell}, line {self.line}" if self.line else self.cell

    @property
    def trouble(self) -> str:
        """Return what kept the learner's code from running."""
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


def sentences(notes: Iterable[CellNote]) -> tuple[str, ...]:
    """Return a sentence for each note, limited to the first few."""
    return tuple(bounded(_sentences(list(notes)), "more cells were only partly run"))


def _sentences(notes: Sequence[CellNote]) -> Iterator[str]:
    for entry in notes:
        if entry.how in {"raised", "stopped"}:
            yield f"{entry.trouble}; the rest still runs"
        else:
            yield entry.trouble


def bounded(notes: Iterable[str], more: str) -> list[str]:
    """Return the first few notes, and a line that says how many `more` there are."""
    found = list(notes)
    left = len(found) - MAX_NOTES
    return found if left < 2 else [*found[:MAX_NOTES], f"{left} {more}"]
