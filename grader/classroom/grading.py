"""Grading many submissions: in several processes, each with a course and workers of its own. A dying process takes nobody with it."""

from __future__ import annotations

import gc
import hashlib
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path

from grader import __version__
from grader.classroom.gradebook import Entry, Key, Mark
from grader.classroom.layout import Handed
from grader.conditions import DEFAULT_SEED
from grader.courses import Course
from grader.errors import GraderError, SubmissionError
from grader.isolation import MOST, keep_others_out
from grader.model import Report, Verdict, Visibility
from grader.private_suites import load_course_with
from grader.rehearsal import Rehearsals
from grader.submission import Submission, refuse_links

AHEAD = 2  # tasks for each process, so that none waits for the next


@dataclass(frozen=True)
class How:
    """How everybody is graded: the course's folder, the phases, the seed, the isolation that is put on and that is required, the folder of private suites."""

    course: str
    phases: tuple[str, ...] = ("all",)
    seed: int = DEFAULT_SEED
    isolation: int = MOST
    required: int = 0
    suites: str = ""


@dataclass(frozen=True)
class Task:
    """One submission, as bytes, and who handed it in."""

    key: Key
    name: str
    handed: Handed
    submission: Submission


def course_digest(course: Course) -> str:
    """What the marks depend on beside the submission: the kit's version and every file of the course and of the private suites."""
    digest = hashlib.sha256(__version__.encode())
    for folder in filter(None, (course.folder, course.private)):
        for file in sorted(path for path in folder.rglob("*") if path.suffix in {".py", ".toml"} and "faulty" not in path.parts):
            digest.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


def read_task(handed: Handed, name: str, course: Course, digest: str, how: How) -> Task | Entry:
    """The submission, read once; or an entry that says why it cannot be read."""
    from grader.handed_in import read_files, read_submission

    phases = " ".join(stage.id for stage in course.select(how.phases))
    try:
        if handed.path is not None:
            refuse_links(handed.path, handed.path.parent)
            submission = read_submission(handed.path, course.files)
        else:
            submission = read_files(handed.files, handed.origin, course.files)
    except SubmissionError as error:
        names = hashlib.sha256(f"{handed.origin}\0{handed.received}\0{error.message}".encode()).hexdigest()
        key = Key(handed.learner, names, digest, phases, how.seed)
        return Entry(key, name, handed.origin, handed.received, handed.late, 0.0, "refused", f"{error.message}: {error.hint}")
    return Task(Key(handed.learner, submission.sha256, digest, phases, how.seed), name, handed, submission)


# --- in a process of its own ---


def prepare() -> None:
    """Ctrl-C is the business of the process that began this one; nobody's submission looks into its memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(50_000, 20, 20)  # reports are made of many small objects that all live
    keep_others_out()


@lru_cache(maxsize=4)
def _course(folder: str, suites: str) -> tuple[Course, Rehearsals]:
    """The course, read once in this process, and what its suites asked here before."""
    return load_course_with(Path(folder), Path(suites) if suites else None), Rehearsals()


def grade_one(task: Task, how: How) -> Entry:
    """The entry for one submission, whatever happens."""
    from grader.conditions import Conditions
    from grader.grading import Workers, grade_submission, select_stages
    from grader.reports.as_json import to_json

    begun = time.monotonic()
    course, rehearsals = _course(how.course, how.suites)
    handed, key = task.handed, task.key
    entry = Entry(key, task.name, handed.origin, handed.received, handed.late, 0.0, "error")
    try:
        stages, _ = select_stages(course, how.phases)
        with Workers(len(stages), str(stages[0].suite), how.isolation, how.required) as workers:
            report = grade_submission(Conditions(course, task.submission, workers.connect, how.seed, rehearsals=rehearsals), stages)
    except GraderError as error:
        return replace(entry, message=f"{error.message} {error.hint}".strip(), seconds=time.monotonic() - begun)
    except Exception as error:  # noqa: BLE001 - one submission must not stop the others
        return replace(entry, message=f"the grader failed: {type(error).__name__}: {error}", seconds=time.monotonic() - begun)
    if how.seed != DEFAULT_SEED:  # the gradebook knows it; what learners may be given does not
        report = replace(report, seed=None)
    outcome = "error" if any(result.verdict is Verdict.ERROR for result in report.checkpoints) else "graded"
    return replace(
        entry, outcome=outcome, score=report.score, max_score=report.max_score, marks=marks_of(report), report=to_json(report),
        message=_why(report) if outcome == "error" else "", seconds=time.monotonic() - begun,
    )  # fmt: skip


def _why(report: Report) -> str:
    """Why a checkpoint could not be judged; learners may read it, so that hidden ones are not quoted."""
    shown = report.revealed(Visibility.VISIBLE).checkpoints
    return next((result.message for result in shown if result.verdict is Verdict.ERROR), "a hidden checkpoint could not be judged")


def marks_of(report: Report) -> tuple[Mark, ...]:
    """What the gradebook keeps of each checkpoint."""
    return tuple(
        Mark(
            result.id, result.verdict.value, result.earned, result.points, result.bonus,
            result.diagnosis.misconceptions[0].id if result.diagnosis and result.diagnosis.misconceptions else "", result.title,
            result.visibility.value,
        )
        for result in report.checkpoints
    )  # fmt: skip


# --- in the process that was asked ---


def grade_all(tasks: Iterable[Task], how: How, jobs: int) -> Iterator[Entry]:
    """The entries, as they come. When a process dies, what it and its neighbours had in hand is tried again, one by one."""
    again: list[Task] = []
    yield from _grade(tasks, how, jobs, again.append)
    for task in again:
        died: list[Task] = []
        yield from _grade([task], how, 1, died.append)
        for dead in died:
            handed = dead.handed
            yield Entry(dead.key, dead.name, handed.origin, handed.received, handed.late, 0.0, "error", "the process that graded it died, twice")


def _grade(tasks: Iterable[Task], how: How, jobs: int, lost: Callable[[Task], None]) -> Iterator[Entry]:
    waiting = iter(tasks)
    running: dict[Future[Entry], Task] = {}
    following = next(waiting, None)
    while following is not None:
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=prepare) as pool:
            try:
                while following is not None or running:
                    while following is not None and len(running) < AHEAD * jobs:
                        running[pool.submit(grade_one, following, how)] = following
                        following = next(waiting, None)
                    done, _ = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        yield future.result()
                        del running[future]
            except BrokenProcessPool:
                for task in running.values():
                    lost(task)
                running.clear()
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise
