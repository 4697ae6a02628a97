"""One round: grade every submission that is not yet in the gradebook."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from grader.classroom.cluster import grade_on
from grader.classroom.entries import Entry, Key, Partners
from grader.classroom.gradebook import Gradebook
from grader.classroom.grading import GradingOptions, Task, course_digest, grade_all, read_task
from grader.classroom.handed_in import Handed
from grader.classroom.owners import Owners
from grader.classroom.roster import Person
from grader.classroom.runs import Source
from grader.curriculum.model import Course


@dataclass
class Round:
    """A class and its gradebook. `people` is the roster, if there is one. `times` has the hand-in
    times that the instructor gave. Learners in `again` are graded even if they are known; None
    means everybody. With `regrade`, gradings by the current suites and seed replace earlier ones.
    """

    course: Course
    how: GradingOptions
    gradebook: Gradebook
    people: Sequence[Person]
    again: Collection[str] | None = ()
    times: Sequence[Person] = ()
    regrade: bool = False
    _begun: float = field(default_factory=time.time)
    _done: deque[tuple[str, str]] = field(default_factory=deque)

    def __post_init__(self) -> None:
        if self.how.isolate:
            self.course.require_solutions("grading each phase by itself", "add --together")

    def grade(
        self, handed: Sequence[Handed], jobs: int, dask: str = ""
    ) -> Iterator[tuple[str, str]]:
        """Grade in `jobs` processes, or on the Dask cluster at the address `dask`. Yield each
        outcome (`graded`, `refused`, `error`, or `known` from before) with the learner's name, once
        it is stored. Submissions begun by another run come last, because that run may have ended.
        """
        self.gradebook.add_learners({person.id: person.name for person in self.people})
        begun: list[Handed] = []
        yield from self._grade(self._tasks(handed, begun), jobs, dask)
        yield from self._grade(self._tasks(begun), jobs, dask)

    def _grade(self, tasks: Iterator[Task], jobs: int, dask: str) -> Iterator[tuple[str, str]]:
        for entry in (
            grade_on(dask, tasks, self.how, jobs) if dask else grade_all(tasks, self.how, jobs)
        ):
            self._add(entry)
            self._done.append((entry.outcome, entry.name))
            yield from self._settled()
        yield from self._settled()

    def _settled(self) -> Iterator[tuple[str, str]]:
        while self._done:
            yield self._done.popleft()

    def explain(self, handed: Sequence[Handed], jobs: int) -> Iterator[tuple[str, str]]:
        """Search in `jobs` processes for changes that fix failures. Yield `explained`,
        `searched` if no reason was found, `error`, `nothing` if there is nothing to search, or
        `ungraded`, each with the learner's name.
        """
        known = {entry.key: entry for entry in self.gradebook.entries()}

        def tasks() -> Iterator[Task]:
            for one in handed:
                read = read_task(one, self.course, self.digest, self.how)
                entry = known.get(read.key)
                if entry and isinstance(read, Task) and entry.unexplained:
                    yield read
                else:
                    self._done.append(("nothing" if entry else "ungraded", one.name))

        for found in grade_all(tasks(), self.how, jobs):
            outcome = found.outcome
            if outcome == "graded":
                found_any = any(mark.misconception for mark in found.marks)
                outcome = "explained" if found_any else "searched"
                for learner, _ in ((found.key.learner, ""), *found.partners):
                    self.gradebook.explain(found.key._replace(learner=learner), found)
            self._done.append((outcome, found.name))
            yield from self._settled()
        yield from self._settled()

    def stored(self, handed: Sequence[Handed]) -> int:
        """Return how many of these submissions need no grading, by their owners and times."""
        wanted = (self.digest, self.how.kind(self.course), self.how.seed)
        known = {
            (entry.key.learner, entry.as_last.received)
            for entry in self.gradebook.entries()
            if entry.key[2:] == wanted
            and entry.outcome != "error"
            and not (self.how.prove and entry.unexplained)
            and entry.graded >= self._since(entry.key)
        }
        return sum((one.learner, one.received) in known for one in handed)

    @cached_property
    def digest(self) -> str:
        """Return a key for the suites and the version of the kit."""
        return course_digest(self.course)

    def _tasks(self, handed: Sequence[Handed], begun: list[Handed] | None = None) -> Iterator[Task]:
        """Yield the submissions to grade, each read when its turn comes. Store unreadable ones at
        once, and add to `begun`, if given, the ones begun by another run.
        """
        for one in handed:
            read = read_task(one, self.course, self.digest, self.how)
            if isinstance(read, Task):
                files = read.submission.files
                sources = [Source(file.shown, _text(file.source)) for file in files]
                self.gradebook.keep_source(read.key.sha256, sources)
            if self.gradebook.has(read.key, self._since(read.key)):
                self.gradebook.handed_in_again(read.key, one.received, one.timing)
                self._share(read.key, one.partners)
                for learner, _ in ((one.learner, ""), *one.partners) if self.regrade else ():
                    self.gradebook.accept(read.key._replace(learner=learner))
                self._done.append(("known", one.name))
            elif isinstance(read, Entry):
                self._add(read)
                self._done.append((read.outcome, one.name))
            elif begun is None or self.gradebook.claim(read.key):
                yield read
            else:
                begun.append(one)

    def _add(self, entry: Entry) -> None:
        """Save the grading of a learner and of everybody who worked with them."""
        again = self.regrade or self._since(entry.key) > 0
        for learner, name in ((entry.key.learner, entry.name), *entry.partners):
            own = replace(entry, key=entry.key._replace(learner=learner), name=name)
            self.gradebook.add(own, again=again)
            self.gradebook.handed_in_again(own.key, entry.received, entry.timing)

    def _since(self, key: Key) -> float:
        """Return when a grading of this learner begins to count: now, if it is repeated."""
        return self._begun if self.again is None or key.learner in self.again else 0.0

    def _share(self, key: Key, partners: Partners) -> None:
        """Save a known grading for partners who joined later."""
        missing = [one for one in partners if not self.gradebook.has(key._replace(learner=one[0]))]
        if missing:
            known = self.gradebook.entries(key.learner, reports=True)
            found = next(entry for entry in known if entry.key == key)
            self._add(replace(found, partners=tuple(missing)))

    @cached_property
    def owners(self) -> Owners:
        """Return the finder of submissions' owners."""
        return Owners(self.people, self.times)

    def match(self, handed: Sequence[Handed]) -> list[Handed]:
        """Match submissions and times to the roster."""
        return self.owners.match(handed)

    def remarks(self, handed: Sequence[Handed]) -> Iterator[str]:
        """Yield remarks: submissions that could not be read or judged, doubtful owners, people who
        handed in nothing, and learners who are not on the roster.
        """
        entries, origins = self.gradebook.entries(), {one.origin for one in handed}
        kind = self.how.kind(self.course)
        for entry in entries:
            is_here = entry.counts and entry.key.phases == kind and entry.origin in origins
            if entry.outcome != "graded" and is_here:
                yield f"  {entry.name}: {entry.message}"
        yield from self.owners.remarks({entry.key.learner: entry.name for entry in entries})


def _text(source: bytes) -> str:
    return source.decode("utf-8-sig", "replace")
