"""What counts for each learner: the grading, lateness, and what a person added by hand."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from grader.classroom.entries import Comment, Entry, chosen
from grader.classroom.times import IN_TIME, LATE, UNKNOWN
from grader.errors import UsageError

NO_TIME = "it is not known when this was handed in"
NOTHING = "not handed in"
GIVE_TIMES = (
    "grade the folder with --times FILE (a CSV file with the columns learner and time), or with a"
    " --roster that has a column `submitted`"
)


@dataclass(frozen=True)
class Rules:
    """How gradings become marks. `due` is in seconds, `late_per_day` a share of the score, and
    `out_of` the best possible mark, if it is not the sum of the points.
    """

    keep: str = "best"
    due: float = 0.0
    late_per_day: float = 0.0
    out_of: float | None = None

    def days_late(self, entry: Entry) -> int:
        """Return how many days have begun since the submission was due, by the clock on the wall.
        If only its lateness is known, one day counts.
        """
        if entry.timing == LATE:
            return 1 if self.due else 0
        if not self.due or entry.timing in {UNKNOWN, IN_TIME} or entry.received <= self.due:
            return 0
        received, due = map(datetime.fromtimestamp, (entry.received, self.due))
        return max(1, math.ceil((received - due) / timedelta(days=1)))

    def penalty(self, entry: Entry) -> float:
        """Return the points that lateness costs."""
        return entry.score * min(1.0, self.late_per_day * self.days_late(entry))

    def worth(self, entry: Entry) -> float:
        """Return the points that are left."""
        return entry.score - self.penalty(entry)


@dataclass(frozen=True)
class Standing:
    """The mark of one learner: `points` out of `of`, or None if there is nothing to judge by.

    `section` is the one in the roster.
    """

    learner: str
    name: str
    entry: Entry | None
    points: float | None
    of: float | None
    notes: tuple[str, ...] = ()
    late: bool = False
    section: str = ""

    @property
    def earned(self) -> Mapping[str, int]:
        """Return the points of each phase and checkpoint that was judged."""
        return self.entry.earned if self.entry else {}

    @property
    def outcome(self) -> str:
        """Return `graded`, `refused`, `error` or `not handed in`."""
        return self.entry.outcome if self.entry else NOTHING

    @property
    def reason(self) -> str:
        """Return why there is no grading."""
        return self.entry.message if self.entry and self.entry.outcome != "graded" else ""

    @property
    def note(self) -> str:
        """Return what lateness and comments changed, in one line."""
        return "; ".join(self.notes)


def standings(
    entries: Sequence[Entry],
    names: Mapping[str, str],
    comments: Mapping[str, Sequence[Comment]],
    rules: Rules,
) -> list[Standing]:
    """Return everybody's mark, in the order of their ids. If it is not known whether a submission
    was late, it has no mark.
    """
    counting = chosen([_judged(entry, rules) for entry in entries], rules.keep, rules.worth)
    most = max((entry.max_score for entry in counting.values()), default=0)
    return [
        _standing(
            Standing(learner, name, counting.get(learner), None, most or None),
            comments.get(learner, ()),
            rules,
        )
        for learner, name in sorted(names.items())
    ]


def _judged(entry: Entry, rules: Rules) -> Entry:
    if not rules.due or entry.timing != UNKNOWN or entry.outcome != "graded":
        return entry
    return replace(entry, outcome="refused", message=NO_TIME)


def refuse_unknown_times(rules: Rules, timings: Collection[str]) -> None:
    """Raise UsageError if there is a due date, and not one of these times is known."""
    if rules.due and timings and not any(timings):
        raise UsageError(
            "--due needs to know when everybody handed in, and no time is known", GIVE_TIMES
        )


def _standing(empty: Standing, comments: Sequence[Comment], rules: Rules) -> Standing:
    entry, most = empty.entry, empty.of or 0.0
    of = rules.out_of or most
    scale = of / most if most else 1.0
    points, notes, late = None, [], False
    if entry is not None:
        days, penalty = rules.days_late(entry), rules.penalty(entry)
        late = days > 0 or (not rules.due and entry.late)
        points = rules.worth(entry) if entry.outcome == "graded" else None
        if points is not None and penalty:
            by = f"{days} day{'s' * (days > 1)} late"
            by = "late by an unknown time, counted as 1 day" if entry.late else by
            notes.append(f"{by}: {rounded(-penalty * scale):+g} points")
    for comment in comments:
        changed = f" ({rounded(comment.points * scale):+g} points)" if comment.points else ""
        notes.append(f"{comment.text}{changed}")
    if added := [comment.points for comment in comments if comment.points]:
        points = sum(added, points or 0.0)
    if points is not None:
        points = rounded(max(0.0, points) * scale)
    return replace(empty, points=points, of=rounded(of) or None, notes=tuple(notes), late=late)


def rounded(number: float) -> float:
    """Return the number with two decimals at most, and without any if it is whole."""
    rounded = round(number, 2)
    return int(rounded) if rounded == int(rounded) else rounded
