"""The mark of each learner: the grading, lateness, and changes made by hand."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from grader.classroom.entries import Entry, called, chosen
from grader.classroom.journal import Comment
from grader.classroom.policy import Policy
from grader.classroom.roster import NOBODY, Person
from grader.classroom.rubric import HandMark
from grader.errors import UsageError
from grader.text import joined

NO_TIME = "it is not known when this was handed in"
NOTHING = "not handed in"
GIVE_TIMES = (
    "grade the folder with --times FILE (a CSV file with the columns learner and time), or with a"
    " --roster that has a column `submitted`, or set no due date"
)


@dataclass(frozen=True)
class Standing:
    """The mark of one learner: `points` out of `of`. It is None if there is nothing to judge by, or
    if something is not marked yet; then `so_far` has the points given so far. `person` is the line
    of the roster.
    """

    learner: str
    name: str
    entry: Entry | None
    points: float | None
    of: float | None
    notes: tuple[str, ...] = ()
    late: bool = False
    person: Person = NOBODY
    so_far: float | None = None
    by_hand: tuple[HandMark, ...] = ()

    @property
    def earned(self) -> Mapping[str, float]:
        """Return the points of each judged phase, checkpoint and hand-graded item."""
        by_hand = {
            one.item.id: rounded(one.points) for one in self.by_hand if one.points is not None
        }
        return {**(self.entry.earned if self.entry else {}), **by_hand}

    @property
    def outcome(self) -> str:
        """Return `graded`, `refused`, `error` or `not handed in`."""
        return self.entry.outcome if self.entry else NOTHING

    @property
    def failure(self) -> str:
        """Return why there is no grading."""
        if self.entry is None:
            return NOTHING if self.by_hand else ""
        return self.entry.message if self.entry.outcome != "graded" else ""

    @property
    def missing(self) -> list[str]:
        """Return the hand-graded items without a mark."""
        return [one.item.id for one in self.by_hand if one.points is None]

    @property
    def reason(self) -> str:
        """Return why there is no mark."""
        return self.failure or (f"not marked yet: {joined(self.missing)}" if self.missing else "")

    @property
    def note(self) -> str:
        """Return the marks by hand and the changes made by lateness and comments, in one line."""
        return "; ".join((*map(str, self.by_hand), *self.notes))


def standings(
    entries: Sequence[Entry],
    names: Mapping[str, str],
    changes: Mapping[str, Sequence[Comment]],
    policy: Policy,
) -> list[Standing]:
    """Return everybody's mark, in the order of their ids. If it is not known whether a submission
    was late, or a part is not marked yet, it has no mark.
    """
    counting = chosen([_judged(entry, policy) for entry in entries], policy.keep, policy.worth)
    most = max((entry.max_score for entry in counting.values()), default=0)
    by_hand = sum(item.points for item in policy.rubric)

    def best_of(entry: Entry | None) -> float | None:
        possible = (entry and entry.max_score) or most  # other suites may have other points
        return possible + by_hand or None

    found = (
        Standing(learner, name, counting.get(learner), None, best_of(counting.get(learner)))
        for learner, name in sorted(names.items())
    )
    return [_standing(one, changes.get(one.learner, ()), policy) for one in found]


def would_change(
    entries: Sequence[Entry],
    names: Mapping[str, str],
    changes: Mapping[str, Sequence[Comment]],
    policy: Policy,
    current: tuple[str, int],
) -> list[str]:
    """Return the learners whose marks would change if gradings by the `current` suites and seed
    counted, each with both marks.
    """
    are_current = [(one.key.course, one.key.seed) == current for one in entries]
    regraded = {
        (one.key.learner, one.key.sha256)
        for one, is_current in zip(entries, are_current)
        if is_current and one.outcome != "error"
    }
    instead = [
        replace(one, counts=is_current) if (one.key.learner, one.key.sha256) in regraded else one
        for one, is_current in zip(entries, are_current)
    ]
    both = (standings(found, names, changes, policy) for found in (entries, instead))
    return [
        f"{called(old.name, old.learner)} {_shown(old)} → {_shown(new)}"
        for old, new in zip(*both)
        if _shown(old) != _shown(new)
    ]


def _shown(one: Standing) -> str:
    return "no mark" if one.so_far is None else f"{one.so_far:g}/{one.of:g}"


def _judged(entry: Entry, policy: Policy) -> Entry:
    if entry.outcome == "graded" and policy.is_unknown(entry):
        return replace(entry, outcome="refused", message=NO_TIME)
    return entry


def refuse_unknown_times(policy: Policy, timings: Collection[str]) -> None:
    """Raise UsageError if there is a due date, and not one of these times is known."""
    if policy.due and timings and not any(timings):
        raise UsageError("a due date requires hand-in times, and none is known", GIVE_TIMES)


def _standing(empty: Standing, changes: Sequence[Comment], policy: Policy) -> Standing:
    entry, most = empty.entry, empty.of or 0.0
    of = policy.out_of or most
    scale = of / most if most else 1.0
    comments = [one for one in changes if not one.item]
    given = {one.item: one for one in changes if one.item}  # the last one counts
    by_hand = tuple(
        HandMark(item, line.points, line.text) if (line := given.get(item.id)) else HandMark(item)
        for item in policy.rubric
        if entry or given
    )
    marked = [one.points for one in by_hand if one.points is not None]
    points, notes, late = None, [], False
    if entry is not None:
        added = sum(item.points for item in policy.rubric)
        entry = replace(entry, score=entry.score + sum(marked), max_score=entry.max_score + added)
        days, penalty = policy.days_late(entry), entry.score - policy.worth(entry)
        late = days > 0 or (not policy.due and entry.late)
        points = policy.worth(entry) if entry.outcome == "graded" else None
        if points is not None and penalty:
            by = f"{days} day{'s' * (days > 1)} late"
            by += " after an extension" * (entry.key.learner in policy.extensions)
            by = "late by an unknown time, counted as 1 day" if entry.late else by
            notes.append(f"{by}: {rounded(-penalty * scale):+g} points")
    notes += [
        f"{one.text} ({rounded(one.points * scale):+g} points)" if one.points else one.text
        for one in comments
    ]
    more = [comment.points for comment in comments if comment.points]
    so_far = sum((*more, *(marked if points is None else [points])))
    found = replace(empty, of=rounded(of) or None, notes=tuple(notes), late=late, by_hand=by_hand)
    if points is not None or marked or more:
        found = replace(found, so_far=rounded(max(0.0, so_far) * scale))
    is_complete = (points is not None or more) and not found.missing
    return replace(found, points=found.so_far) if is_complete else found


def rounded(number: float) -> float:
    """Return the number with at most two decimals, and with none if it is whole."""
    rounded = round(number, 2)
    return int(rounded) if rounded == int(rounded) else rounded
