"""One round: grade every submission that is not yet in the gradebook."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from grader.classroom.cluster import grade_on
from grader.classroom.download import Download
from grader.classroom.entries import Entry
from grader.classroom.gradebook import Gradebook
from grader.classroom.grading import GradingOptions, Task, course_digest, grade_all, read_task
from grader.classroom.handed_in import Handed
from grader.curriculum.model import Course


@dataclass
class Round:
    """A class and its gradebook. Learners in `again` are graded even if they are known. With
    `regrade`, gradings by the current suites and seed replace earlier ones. `tell` is called with
    the outcome of each submission and the learner's name.
    """

    course: Course
    how: GradingOptions
    gradebook: Gradebook
    again: Collection[str] = ()
    regrade: bool = False
    tell: Callable[[str, str], None] = lambda *_: None
    unjudged: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.how.isolate:
            self.course.require_solutions("grading each phase by itself", "add --together")

    def grade(self, handed: Sequence[Handed], jobs: int, dask: str = "") -> None:
        """Grade in `jobs` processes, or on the Dask cluster at the address `dask`. Tell each
        outcome (`graded`, `refused`, `error`, or `known` from before) once it is stored.
        Submissions begun by another run come last, because that run may have ended.
        """
        tasks = self._tasks(handed)
        for entry in (
            grade_on(dask, tasks, self.how, jobs) if dask else grade_all(tasks, self.how, jobs)
        ):
            self._add(entry)
            self.tell(entry.outcome, entry.name)

    def explain(self, handed: Sequence[Handed], jobs: int) -> None:
        """Search in `jobs` processes for changes that fix failures. Tell each outcome: `explained`,
        `searched` if no reason was found, `error`, `nothing` if there is nothing to search, or
        `ungraded`.
        """
        known = {entry.key: entry for entry in self.gradebook.entries()}

        def tasks() -> Iterator[Task]:
            for one in handed:
                read = read_task(one, self.course, self.digest, self.how)
                entry = known.get(read.key)
                if entry and isinstance(read, Task) and entry.unexplained:
                    yield read
                elif entry and entry.explained:
                    self.tell(_found(entry), one.name)
                else:
                    self.tell("nothing" if entry else "ungraded", one.name)

        for found in grade_all(tasks(), self.how, jobs):
            outcome = found.outcome
            if outcome == "error":
                self.unjudged.append(f"  {found.name}: {found.message}")
            elif outcome == "graded":
                outcome = _found(found)
                for learner, _ in ((found.key.learner, ""), *found.partners):
                    self.gradebook.explain(found.key._replace(learner=learner), found)
            self.tell(outcome, found.name)

    @cached_property
    def digest(self) -> str:
        """Return a key for the suites and the version of the kit."""
        return course_digest(self.course)

    def _tasks(self, handed: Sequence[Handed]) -> Iterator[Task]:
        """Yield the submissions to grade, each read when its turn comes. Submissions begun by
        another run come last. Store unreadable ones at once.
        """
        begun: list[Handed] = []
        for one in chain(handed, begun):  # which grows meanwhile
            read = read_task(one, self.course, self.digest, self.how)
            if isinstance(read, Task):
                sources = {
                    file.shown: file.source.decode("utf-8-sig", "replace")
                    for file in read.submission.files
                }
                self.gradebook.keep_source(read.key.sha256, sources)
            keys = [read.key._replace(learner=id) for id in (one.learner, *dict(one.partners))]
            if one.learner not in self.again and all(map(self.gradebook.has, keys)):
                for key in keys:
                    self.gradebook.handed_in_again(key, one.received, one.timing)
                    if self.regrade:
                        self.gradebook.accept(key)
                self.tell("known", one.name)
            elif isinstance(read, Entry):
                self._add(read)
                self.tell(read.outcome, one.name)
            elif one in begun or self.gradebook.claim(read.key):
                yield read
            else:
                begun.append(one)

    def _add(self, entry: Entry) -> None:
        """Save the grading of a learner and of everybody who worked with them."""
        again = self.regrade or entry.key.learner in self.again
        for learner, name in ((entry.key.learner, entry.name), *entry.partners):
            own = replace(entry, key=entry.key._replace(learner=learner), name=name)
            self.gradebook.add(own, again=again)
            self.gradebook.handed_in_again(own.key, entry.received, entry.timing)

    def remarks(self, download: Download) -> Iterator[str]:
        """Yield the submissions that could not be read or judged, and the remarks on owners."""
        yield from self.unjudged
        entries, origins = self.gradebook.entries(), {one.origin for one in download.handed}
        kind = self.how.kind(self.course)
        for entry in entries:
            is_here = entry.counts and entry.key.phases == kind and entry.origin in origins
            if entry.outcome != "graded" and is_here:
                yield f"  {entry.name}: {entry.message}"
        yield from download.remarks({entry.key.learner: entry.name for entry in entries})


def _found(entry: Entry) -> str:
    """Return whether a search found a reason: `explained` or `searched`."""
    return "explained" if any(mark.misconception for mark in entry.marks) else "searched"
