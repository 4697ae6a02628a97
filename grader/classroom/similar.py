"""Find submissions with code in common that the course did not give out. A match is a reason to
look.

Code from the exercises and solutions does not count, and rare code counts more, so short methods
that everybody writes the same way form no group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import log, log2

from grader.classroom.entries import Entry
from grader.classroom.runs import Code, meant_words
from grader.curriculum.model import Course
from grader.errors import UsageError

FEWEST = 25  # phrases; one or two habits throughout a program produce as many
MORE = 6  # phrases for each doubling of the class, which makes coincidences more likely
LEAST = 0.8  # of the shorter one's own code; independent solutions rarely reach it
NOTHING = 0.1  # the weight of code that more than half of a class has
Handed = tuple[str, str]
"""A submission: its hash and its origin. Partners share one."""


@dataclass(frozen=True)
class Group:
    """Submissions with code in common, and the largest share of a shorter one's own code that a
    pair has in common.
    """

    members: tuple[Handed, ...]
    share: float

    @property
    def how(self) -> str:
        """Say in words how much they have in common."""
        same = len({sha256 for sha256, _ in self.members}) == 1
        return "the same files" if same else f"{self.share:.0%} of their own code in common"


class Comparison:
    """A class's submissions, compared with the course's own code and with each other."""

    def __init__(
        self, course: Course, entries: Iterable[Entry], sources: Mapping[str, Mapping[str, str]]
    ) -> None:
        given = _given(course)
        meant = meant_words(given)
        codes = [Code({"": text}, meant) for text in given]
        self._given = frozenset(run for code in codes for run in code.runs)
        phrases = {phrase for code in codes for phrase in code.phrases}
        self.learners: dict[Handed, list[str]] = {}
        for entry in (one for one in entries if one.outcome != "refused"):
            self.learners.setdefault((entry.key.sha256, entry.origin), []).append(entry.key.learner)
        wanted = {sha256 for sha256, _ in self.learners}.intersection(sources)
        self._codes = {sha256: Code(sources[sha256], meant) for sha256 in wanted}
        self._own = {sha256: code.phrases - phrases for sha256, code in self._codes.items()}
        self._fewest = FEWEST + MORE * log2(len(self.learners) or 1)
        self._compared = [
            one for one in self.learners if len(self._own.get(one[0], ())) >= self._fewest
        ]

    @property
    def others(self) -> tuple[Handed, ...]:
        """Return the submissions that are too close to the course's own code to be compared."""
        return tuple(one for one in self.learners if one not in self._compared)

    def groups(self) -> list[Group]:
        """Return the groups of submissions with much in common, the most alike first."""
        every = {one: self._codes[one[0]].fingerprints(self._given) for one in self._compared}
        weights = _weights({*every.values()})
        prints = {one: every[one].intersection(weights) for one in every}
        totals = {one: sum(map(weights.__getitem__, prints[one])) or 1.0 for one in prints}
        pairs = []
        for left, right in combinations(prints, 2):
            common = sum(map(weights.__getitem__, prints[left] & prints[right]))
            share = common / min(totals[left], totals[right])
            phrases = self._own[left[0]] & self._own[right[0]] if share >= LEAST else ()
            if len(phrases) >= self._fewest:
                pairs.append((share, left, right))
        return _connected(sorted(pairs, key=lambda pair: -pair[0]))

    def submission_of(self, learner: str) -> Handed:
        """Return a learner's submission. Raise UsageError if its files are not stored."""
        handed = next((one for one in self.learners if learner in self.learners[one]), ("", ""))
        if handed[0] not in self._codes:
            raise UsageError(
                f"the gradebook has no files of {learner!r}",
                "grade the folder again to store them: grade class SUBMISSIONS",
            )
        return handed

    def side_by_side(self, left: Handed, right: Handed) -> list[tuple[str, str]]:
        """Return the lines that two submissions have in common, in the order of the first."""
        return self._codes[left[0]].common(self._codes[right[0]], self._given)


def _given(course: Course) -> list[str]:
    """Return the texts of the files that learners get, and of the solutions."""
    return [
        file.read_text("utf-8", "replace")
        for folder in (course.exercises, course.solutions)
        for file in sorted(folder.rglob("*.py"))
    ]


def _weights(prints: Collection[frozenset[int]]) -> dict[int, float]:
    """Return the weight of each fingerprint: 1 if two submissions have it, less if more do, and
    nothing if most have it. Copies count as one submission, so they do not make their code common.
    """
    counts = Counter(each for one in prints for each in one)
    everybody = max(3, len(prints) + 1)
    weights = {each: log(everybody / count) / log(everybody / 2) for each, count in counts.items()}
    return {each: weight for each, weight in weights.items() if weight > NOTHING}


def _connected(pairs: Iterable[tuple[float, Handed, Handed]]) -> list[Group]:
    """Return the groups formed by pairs, which come sorted, the most alike first."""
    groups: dict[Handed, Group] = {}
    for share, *both in pairs:
        old = [groups.get(one, Group((one,), share)) for one in both]
        members = dict.fromkeys(member for group in old for member in group.members)
        groups.update(dict.fromkeys(members, Group((*members,), max(one.share for one in old))))
    return [*{group.members: group for group in groups.values()}.values()]
