"""What counts for each learner: the grading, lateness, and what a person added by hand."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from grader.classroom.entries import Comment, Entry, chosen
from grader.classroom.policy import Policy
from grader.errors import UsageError

NO_TIME = "it is not known when this was handed in"
NOTHING = "not handed in"
GIVE_TIMES = (
    "grade the folder with --times FILE (a CSV file with the columns learner and time), or with a"
    " --roster that has a column `submitted`"
)


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
    policy: Policy,
) -> list[Standing]:
    """Return everybody's mark, in the order of their ids. If it is not known whether a submission
    was late, it has no mark.
    """
    policy = policy.for_learners(names)
    counting = chosen([_judged(entry, policy) for entry in entries], policy.keep, policy.worth)
    most = max((entry.max_score for entry in counting.values()), default=0)
    return [
        _standing(
            Standing(learner, name, counting.get(learner), None, most or None),
            comments.get(learner, ()),
            policy,
        )
        for learner, name in sorted(names.items())
    ]


def _judged(entry: Entry, policy: Policy) -> Entry:
    if entry.outcome == "graded" and policy.is_unknown(entry):
        return replace(entry, outcome="refused", message=NO_TIME)
    return entry


def refuse_unknown_times(policy: Policy, timings: Collection[str]) -> None:
    """Raise UsageError if there is a due date, and not one of these times is known."""
    if policy.due and timings and not any(timings):
        raise UsageError(
            "a due date needs to know when everybody handed in, and no time is known", GIVE_TIMES
        )


def _standing(empty: Standing, comments: Sequence[Comment], policy: Policy) -> Standing:
    entry, most = empty.entry, empty.of or 0.0
    of = policy.out_of or most
    scale = of / most if most else 1.0
    points, notes, late = None, [], False
    if entry is not None:
        days, penalty = policy.days_late(entry), entry.score - policy.worth(entry)
        late = days > 0 or (not policy.due and entry.late)
        points = policy.worth(entry) if entry.outcome == "graded" else None
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
