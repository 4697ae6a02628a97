"""Say in sentences for the learner which statements did not run to the end, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

MAX_NOTES = 8


@dataclass(frozen=True)
class RunNote:
    """An event in a cell of a notebook, or the end of a file's import, in words.

    `how` comes from a `protocol.CellNote`, or is a kind of fault. A file has its `source` line and
    the place `inside` a function where it happened, and `ends_file` is set.
    """

    shown: str
    how: str
    line: int
    type_name: str = ""
    message: str = ""
    source: str = ""
    inside: str = ""
    ends_file: bool = False

    @property
    def place(self) -> str:
        """Return the cell or file, the line if it is known, and its text."""
        name = PurePosixPath(self.shown.replace("\\", "/")).name
        source = f" (`{self.source}`)" if self.source else ""
        return f"{name}, line {self.line}{source}" if self.line else name

    @property
    def trouble(self) -> str:
        """Return why the learner's code could not run."""
        what = f"{self.type_name}: {self.message}" if self.message else self.type_name
        return {
            "raised": f"{self.place} raises {what}{self.inside}",
            "memory": f"{self.place} uses up the memory{self.inside}",
            "exited": f"{self.place} ends the program",
            "timeout": f"{self.place} takes too long and was stopped",
            "syntax": (
                f"{self.place} is not valid Python ({self.message or self.type_name}), so it"
                " is skipped"
            ),
            "late": (
                f"together the cells take too long; from {self.place} on, only definitions are run"
            ),
        }.get(self.how, f"{self.place} was only partly run")


_HINTS = {
    "timeout": '; code that trains belongs under `if __name__ == "__main__":`',
    "PermissionError": "; files can be neither read nor written while grading",
    "FileNotFoundError": "; your code is graded with its Python files alone",
}


def sentence(note: RunNote) -> str:
    """Return the cells or statements that did not run to their end, and the consequence."""
    if note.ends_file:
        hint = _HINTS.get(note.how) or _HINTS.get(note.type_name, "")
        return f"{note.trouble}; nothing from there on is run{hint}"
    return (
        f"{note.trouble}; the rest still runs"
        if note.how in {"raised", "timeout"}
        else note.trouble
    )


def bounded(notes: Iterable[str], more: str) -> list[str]:
    """Return the first few notes, and a line that says how many `more` there are."""
    found = list(notes)
    left = len(found) - MAX_NOTES
    return found if left < 2 else [*found[:MAX_NOTES], f"{left} {more}"]
