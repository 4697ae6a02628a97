"""Changes made by hand: comments, points and hand-graded parts. Nothing is ever deleted; an
undone or corrected line stays in the journal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from grader.errors import UsageError


@dataclass(frozen=True)
class Comment:
    """One line of the journal: a person's remark on a learner's mark, and the points that it adds.

    With an `item` of the rubric, `points` is the mark of that item. A line replaces line number
    `replaces`, if any, and undoes it if it says nothing itself.
    """

    learner: str
    text: str
    points: float = 0.0
    item: str = ""
    who: str = ""
    replaces: int = 0
    written: float = 0.0
    number: int = 0

    @property
    def undoes(self) -> bool:
        """Return whether it only undoes another line."""
        return bool(self.replaces) and not (self.text or self.item or self.points)

    @property
    def summary(self) -> str:
        """Return it as text, in one line."""
        if self.undoes:
            return f"undoes {self.replaces}"
        head = f"{self.item} {self.points:g}" if self.item else f"{self.points:+g} points"
        parts = (head if self.item or self.points else "", self.text)
        said = ": ".join(filter(None, parts))
        return f"{said} (instead of {self.replaces})" if self.replaces else said


def replaced_by(journal: Sequence[Comment]) -> dict[int, int]:
    """Return the numbers of the lines that do not count, with the line that replaces each. Undoing
    a line brings back what it replaced.
    """
    undone = set[int]()
    for one in reversed(journal):
        if one.undoes and one.number not in undone:
            undone.add(one.replaces)
    kept = (one for one in journal if one.replaces and one.number not in undone)
    return {one.replaces: one.number for one in kept}


def described(journal: Sequence[Comment]) -> Iterator[tuple[Comment, str]]:
    """Yield every line with its text, which says if another line counts instead."""
    replaced = replaced_by(journal)
    for one in journal:
        by = replaced.get(one.number)
        yield one, one.summary + (f" [does not count: see {by}]" if by else "")


def in_effect(journal: Sequence[Comment]) -> dict[str, list[Comment]]:
    """Return the lines that count for each learner, the oldest first."""
    replaced, learner = replaced_by(journal), attrgetter("learner")
    counting = [one for one in journal if one.number not in replaced and not one.undoes]
    return {id: [*lines] for id, lines in groupby(sorted(counting, key=learner), learner)}


def find_line(journal: Sequence[Comment], number: int) -> Comment:
    """Return a line that counts. Raise UsageError if there is none, or if it was replaced."""
    found = next((one for one in journal if one.number == number), None)
    if found is None or number in replaced_by(journal):
        raise UsageError(
            f"the journal has no line {number} that counts", "grade class journal lists all lines"
        )
    return found
