"""A class's download: whose each submission is, and when it was handed in, from the roster and a
list of times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from grader.classroom.entries import Partners, called
from grader.classroom.handed_in import Handed
from grader.classroom.layout import unexplained
from grader.classroom.roster import Person, look_up
from grader.classroom.times import EXACT, GIVEN, IN_TIME, LATE, UNKNOWN, read_time
from grader.text import joined

_STAMPS = {"Gradescope": "submission_metadata.yml", "nbgrader": "nbgrader's timestamp.txt"}


@dataclass
class Download:
    """A class's folder, its layout, and its submissions as the layout names them. `people` is the
    roster, and `given` has the hand-in times that the instructor gave. Doubtful owners and times,
    and unreadable times, are kept for `remarks`.
    """

    folder: Path
    layout: str
    found: Sequence[Handed]
    people: Sequence[Person]
    given: Sequence[Person] = ()
    in_doubt: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)

    @cached_property
    def handed(self) -> list[Handed]:
        """Return the submissions, matched to the roster and to the times. A doubtful one is matched
        to nobody.
        """
        handed, ids = self.found, {person.id for person in self.people}
        found = [look_up(self.people, one.learner, one.name) for one in handed]
        learners = {(person.id, one.learner) for one, (person, _) in zip(handed, found) if person}
        claims = Counter(person for person, _ in learners)
        matched, timed = [], set[str]()
        for one, (person, near) in zip(handed, found):
            own = one
            if person and (claims[person.id] == 1 or one.learner.casefold() in person.ids):
                own = replace(
                    one,
                    learner=person.id,
                    name=person.name,
                    partners=self._with(person, one.partners),
                )
                own = self._timed(own, person.submitted, EXACT)
            else:
                why = f"other submissions may also belong to {person.name}" if person else near
                if why:
                    self.in_doubt.append(
                        f"  {called(one.name, one.learner)} cannot be matched to the roster: {why}"
                    )
                if one.learner in ids:
                    own = replace(one, learner=called(one.name, one.learner))
            given, _ = look_up(self.given, own.learner, own.name)
            if by_hand := given or look_up(self.given, one.learner, own.name)[0]:
                timed.add(by_hand.id)
                own = self._timed(own, by_hand.submitted, GIVEN)
            matched.append(own)
        if unused := [one.id for one in self.given if one.submitted and one.id not in timed]:
            self.in_doubt.append(f"times that fit no submission: {joined(unused)}")
        return matched

    def _timed(self, one: Handed, text: str, timing: str) -> Handed:
        """Add the time of submission, if there is one."""
        received = read_time(text)
        if text and received is None:
            self.unreadable.append(f"{called(one.name, one.learner)}: {text!r}")
        return one.at(received, timing)

    def _with(self, person: Person, partners: Partners) -> Partners:
        """Return who shares the mark: the partners, as the roster lists them, and the rest of the
        group.
        """
        listed = [look_up(self.people, *one)[0] or Person(*one, {}) for one in partners]
        group = person.column("group")
        mates = [one for one in self.people if group and one.column("group") == group]
        return tuple({one.id: one.name for one in (*listed, *mates) if one.id != person.id}.items())

    def remarks(self, there: Mapping[str, str]) -> Iterator[str]:
        """Yield doubtful owners and times, unreadable times, people who handed in nothing, people
        who did but are not on the roster, and other files. `there` has the learners' names, by id.
        """
        yield from self.in_doubt
        if self.unreadable:
            yield f"times that cannot be read, to be given with --times: {joined(self.unreadable)}"
        if missing := [person.name for person in self.people if person.id not in there]:
            yield f"{len(missing)} handed in nothing: {joined(missing)}"
        known = {person.id for person in self.people} or {*there}
        if strangers := sorted(called(there[id], id) for id in there.keys() - known):
            yield f"not on the roster: {joined(strangers)}"
        if names := unexplained(self.folder, self.found):
            what = "not graded, because the name does not look like a submission"
            yield f"{len(names)} {what}: {joined(names)}"

    def count(self) -> str:
        """Return how many submissions there are, and the layout unless it is a plain folder."""
        return f"submissions: {len(self.found)}" + f" ({self.layout})" * (self.layout != "folder")

    def times(self) -> str:
        """Return which times are trusted, and where they come from."""
        sources = Counter(
            "roster" if one.timing == EXACT != before.timing else one.timing
            for before, one in zip(self.found, self.handed)
        )
        words = {
            GIVEN: "from --times",
            "roster": "from the roster",
            EXACT: f"from {_STAMPS.get(self.layout, 'the download')}",
            IN_TIME: "in time by Canvas's own due date",
            LATE: "late by Canvas's own due date; how late is unknown",
            UNKNOWN: "not known, because the time of a file or a folder is never trusted",
        }
        known = [f"{sources[key]} {said}" for key, said in words.items() if sources[key]]
        return f"times: {'; '.join(known)}"
