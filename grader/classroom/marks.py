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
from grader.text import joined, plural

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
    return [
        _standing(id, name, counting.get(id), most, changes.get(id, ()), policy)
        for id, name in sorted(names.items())
    ]


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


def _standing(  # noqa: PLR0913, PLR0917 - everything a mark depends on
    learner: str,
    name: str,
    entry: Entry | None,
    most: float,
    changes: Sequence[Comment],
    policy: Policy,
) -> Standing:
    tests = (entry and entry.max_score) or most  # other suites may have other points
    best = tests + sum(item.points for item in policy.rubric)
    of = policy.out_of or best
    scale = of / best if best else 1.0
    given = {one.item: one for one in changes if one.item}  # the last one counts
    by_hand = tuple(
        HandMark(item, line.points, line.text) if (line := given.get(item.id)) else HandMark(item)
        for item in policy.rubric
        if entry or given
    )
    marked = [one.points for one in by_hand if one.points is not None]
    comments = [one for one in changes if not one.item]
    more = [one.points for one in comments if one.points]
    is_judged = entry is not None and entry.outcome == "graded"
    points, notes, late = sum(marked), list[str](), False
    if entry is not None:
        whole = replace(entry, score=entry.score + points, max_score=best)
        days, left = policy.days_late(whole), policy.worth(whole)
        late = days > 0 or (not policy.due and entry.late)
        points = left if is_judged else points
        if is_judged and left != whole.score:
            by = f"{plural(days, 'day')} late"
            by += " after an extension" * (learner in policy.extensions)
            by = "late by an unknown time, counted as 1 day" if entry.late else by
            notes.append(f"{by}: {rounded((left - whole.score) * scale):+g} points")
    notes += [
        f"{one.text} ({rounded(one.points * scale):+g} points)" if one.points else one.text
        for one in comments
    ]
    is_known, is_complete = is_judged or marked or more, len(marked) == len(by_hand)
    so_far = rounded(max(0.0, points + sum(more)) * scale) if is_known else None
    return Standing(
        learner,
        name,
        entry,
        so_far if is_complete and (is_judged or more) else None,
        rounded(of) or None,
        tuple(notes),
        late,
        so_far=so_far,
        by_hand=by_hand,
    )


def rounded(number: float) -> float:
    """Return the number with at most two decimals, and with none if it is whole."""
    rounded = round(number, 2)
    return int(rounded) if rounded == int(rounded) else rounded
