"""One round: everything that was handed in, graded into the gradebook, but for what is in there already."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from grader.classroom.cluster import grade_on
from grader.classroom.gradebook import Gradebook
from grader.classroom.grading import How, Task, course_digest, grade_all, read_task
from grader.classroom.layout import Handed
from grader.classroom.roster import Person, find_person
from grader.courses import Course


@dataclass
class Round:
    """A class and its gradebook. `people` is the roster, if there is one."""

    course: Course
    how: How
    gradebook: Gradebook
    people: Sequence[Person]
    _aside: deque[tuple[str, str]] = field(default_factory=deque)

    def grade(self, handed: Sequence[Handed], jobs: int, dask: str = "") -> Iterator[tuple[str, str]]:
        """On so many processes here, or on the Dask cluster at an address. What came of each submission, and whose it is, as it is written down: `graded`, `refused`, `error`, or `known` from before."""
        for person in self.people:
            self.gradebook.add_learner(person.id, person.name)
        tasks = self._tasks(handed)
        for entry in grade_on(dask, tasks, self.how, jobs) if dask else grade_all(tasks, self.how, jobs):
            self.gradebook.add(entry)
            yield from self._settled()
            yield entry.outcome, entry.name
        yield from self._settled()

    def _settled(self) -> Iterator[tuple[str, str]]:
        """What needed no grading, since the last time."""
        while self._aside:
            yield self._aside.popleft()

    def _tasks(self, handed: Sequence[Handed]) -> Iterator[Task]:
        """What is to be graded, read when its turn comes. What cannot be read is written down at once."""
        digest = course_digest(self.course)
        for one in handed:
            person = find_person(self.people, one.learner, one.name)
            own = replace(one, learner=person.id) if person else one
            read = read_task(own, person.name if person else one.name, self.course, digest, self.how)
            if self.gradebook.has(read.key):
                self._aside.append(("known", read.name))
            elif isinstance(read, Task):
                yield read
            else:
                self.gradebook.add(read)
                self._aside.append((read.outcome, read.name))

    def remarks(self, handed: Sequence[Handed]) -> Iterator[str]:
        """What could not be read or judged, who handed in nothing, and who is not on the roster."""
        entries, origins = self.gradebook.entries(), {one.origin for one in handed}
        for entry in entries:
            if entry.outcome != "graded" and entry.origin in origins:
                yield f"  {entry.name}: {entry.message}"
        there = {entry.key.learner for entry in entries}
        missing = [person.name for person in self.people if person.id not in there]
        if missing:
            yield f"{len(missing)} handed in nothing: {', '.join(missing)}"
        if strangers := sorted(there - {person.id for person in self.people}) if self.people else []:
            yield f"not on the roster: {', '.join(strangers)}"
