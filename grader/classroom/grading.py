"""Grade many submissions in several processes, each with its own course and workers. If a process
dies, the others are not affected.
"""

from __future__ import annotations

import hashlib
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.resource_tracker import ensure_running
from pathlib import Path

from grader import __version__
from grader.boundary.private_process import keep_others_out
from grader.classroom.entries import Entry, Key, Mark
from grader.classroom.handed_in import Handed
from grader.curriculum import packages
from grader.curriculum.model import MISTAKES, Course
from grader.errors import GraderError, SubmissionError
from grader.intake.submission import Submission, printable, refuse_links
from grader.judge.job import DEFAULT_SEED, Settings, load
from grader.model import CheckResult, Verdict, Visibility
from grader.views.levels import kind_of_change

ISOLATE = "--isolate"


@dataclass(frozen=True)
class GradingOptions(Settings):
    """How to grade a class: besides the settings of every grading, the course's folder, the phases
    and the folder of private suites.
    """

    course: Path
    phases: tuple[str, ...] = ("all",)
    suites: Path | None = None
    isolate: bool = field(default=True, kw_only=True)

    def kind(self, course: Course) -> str:
        """Return the settings that comparable gradings share: the phases, and how to grade them."""
        stages = " ".join(stage.id for stage in course.select(self.phases))
        allowed = [f"--package {name}" for name in sorted({*self.packages})]
        return " ".join([stages, *allowed, *([ISOLATE] if self.isolate else [])])


@dataclass(frozen=True)
class Task:
    """One submission, as bytes, and who handed it in."""

    key: Key
    handed: Handed
    submission: Submission


def course_digest(course: Course) -> str:
    """Hash everything besides the submission that marks depend on: the kit's version and every file
    of the course and of the private suites, except known mistakes.
    """
    files = [
        (file.relative_to(folder).as_posix(), file.read_bytes())
        for folder in filter(None, (course.folder, course.private))
        for file in sorted(folder.rglob("*"))
        if file.suffix in {".py", ".toml"} and file.name != MISTAKES
    ]
    return hashlib.sha256(repr((__version__, files)).encode()).hexdigest()[:16]


def read_task(handed: Handed, course: Course, digest: str, how: GradingOptions) -> Task | Entry:
    """The submission, read once; or an entry that says why it cannot be read."""
    key = Key(handed.learner, "", digest, how.kind(course), how.seed)
    try:
        submission = _read(handed, course, [stage.file for stage in course.select(how.phases)])
    except Exception as error:  # noqa: BLE001 - one submission must not stop the others
        reason = _without_folders(handed, _reason(error, ": "))
        hashed = hashlib.sha256(printable(reason).encode()).hexdigest()  # there is no content
        outcome = "refused" if isinstance(error, SubmissionError) else "error"
        return failed(
            Task(key._replace(sha256=hashed), handed, Submission("", ())), reason, outcome
        )
    return Task(key._replace(sha256=submission.sha256), handed, submission)


def _read(handed: Handed, course: Course, wanted: Sequence[str]) -> Submission:
    from grader.intake.read import read_files, read_submission

    if handed.trouble:
        raise SubmissionError(handed.trouble)
    if len(handed.files) == 1:
        (place,) = handed.places
        refuse_links(place, place.parent)
        found = read_submission(place, course.files, wanted=wanted)
    else:
        found = read_files(handed.files, handed.origin, course.files, wanted=wanted)
    return replace(
        found,
        origin=_without_folders(handed, found.origin),
        files=tuple(
            replace(file, shown=_without_folders(handed, file.shown)) for file in found.files
        ),
        notes=tuple(_without_folders(handed, note) for note in found.notes),
    )


def _without_folders(handed: Handed, text: str) -> str:
    """Return a text for learners, with files under the names that learners gave them. It does not
    depend on where the submissions are.
    """
    folder = printable(handed.places[0].parent / "_")[:-1]  # with its separator, and empty for "."
    return re.sub(rf"(?<![^\s'\"(]){re.escape(folder)}", "", text)


def failed(task: Task, reason: str, outcome: str = "error") -> Entry:
    """Return the entry for a submission that was not graded, with the reason."""
    one = task.handed
    return Entry(
        task.key,
        one.name,
        one.origin,
        one.received,
        one.timing,
        outcome,
        printable(reason),
        partners=one.partners,
    )


def _reason(error: Exception, between: str) -> str:
    if isinstance(error, GraderError):
        return between.join(filter(None, (error.message, error.hint)))
    return f"the grader failed: {type(error).__name__}: {error}"


# --- in a separate process ---


def serve(receive: Callable[[], Task], send: Callable[[Entry], None], how: GradingOptions) -> None:
    """Grade whatever is received until EOFError, with the suites collected only once."""
    from grader.judge.grade import select
    from grader.judge.plugin import with_suites

    def work() -> None:
        with suppress(EOFError):
            while True:
                send(grade_one(receive(), how))

    try:
        course, _ = load(how.course, how.suites)
        with_suites(course, select(course, how.phases).stages, work)
    except Exception:  # noqa: BLE001 - then every entry says why
        work()


def serve_class(channel: Connection, how: GradingOptions) -> None:
    """Serve a class as a separate process. Ignore Ctrl-C, which the parent handles; end with the
    parent; and keep submissions from reading this process's memory.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    keep_others_out()
    serve(channel.recv, channel.send, how)


def _end_with_parent() -> None:
    """End this process with its parent, instead of waiting for work forever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def grade_one(task: Task, how: GradingOptions) -> Entry:
    """Grade one submission. Return an entry even if the grader fails."""
    try:
        return _graded(task, how)
    except Exception as error:  # noqa: BLE001 - one submission must not stop the others
        return failed(task, _reason(error, " "))


def _graded(task: Task, how: GradingOptions) -> Entry:
    from grader.boundary.pool import ProcessHost
    from grader.judge.grade import ISOLATED, grade_submission, select
    from grader.judge.job import Job
    from grader.views.json import to_json

    packages.require(how.packages)  # on a cluster, this machine may not have them
    course, caches = load(how.course, how.suites)
    stages = select(course, how.phases).stages
    report = grade_submission(
        Job(
            course,
            task.submission,
            ProcessHost(str(stages[0].suite), how.isolation, how.required),
            **{**how.settings, "caches": caches},
        ),
        stages,
    )
    notes = (*report.notes, ISOLATED) if how.isolate else report.notes
    # the gradebook knows a secret seed; the learners' reports do not
    report = replace(report, notes=notes, seed=how.seed if how.seed == DEFAULT_SEED else None)
    errors = [result for result in report.checkpoints if result.verdict is Verdict.ERROR]
    # learners may read why a checkpoint could not be judged, so quote no hidden one
    messages = [one.message for one in errors if one.visibility is Visibility.VISIBLE]
    why = [*messages, "a hidden checkpoint could not be judged"][0] if errors else ""
    return replace(
        failed(task, why, "error" if errors else "graded"),
        score=report.score,
        max_score=report.max_score,
        marks=tuple(
            Mark(
                one.id,
                one.verdict.value,
                one.earned,
                one.points,
                one.bonus,
                _mistake(one, course),
                one.title,
                one.visibility.value,
            )
            for one in report.checkpoints
        ),
        report=to_json(report, indent=None),
    )


def _mistake(result: CheckResult, course: Course) -> str:
    """Return the known mistake, or a sentence about the change that fixes the failure, if any."""
    found = result.diagnosis
    if found is None or found.misconceptions or found.mend is None:
        return "".join(one.id for one in found.misconceptions[:1]) if found else ""
    name, phase = found.mend.place.function, result.id.partition(".")[0]
    asked = {name for checkpoint in course.checkpoints for name in checkpoint.methods}
    # any other function could have a learner's name
    place = f"`{name}`" if name in asked else f"another function of {phase}"
    return kind_of_change(found.mend, place) or f"A small change in {place} fixes it."


# --- in the calling process ---


def grade_all(tasks: Iterable[Task], how: GradingOptions, jobs: int) -> Iterator[Entry]:
    """Yield entries as they are finished. If a process dies, its submission is tried again."""
    lost: list[Task] = []
    yield from _grade(tasks, how, jobs, lost)
    again: list[Task] = []
    yield from _grade(lost, how, 1, again)
    yield from (failed(task, "the process that graded it crashed twice") for task in again)


def _grade(
    tasks: Iterable[Task], how: GradingOptions, jobs: int, lost: list[Task]
) -> Iterator[Entry]:
    waiting, processes = iter(tasks), dict[Connection, BaseProcess]()
    given: dict[Connection, Task] = {}
    starter = ThreadPoolExecutor(1)
    starter.submit(_block_ctrl_c).result()  # it waits at its end only for a thread that has begun
    try:
        with starter:
            while True:
                while len(given) < jobs and (task := next(waiting, None)) is not None:
                    free = [each for each in processes if each not in given]
                    channel = free[0] if free else starter.submit(_start, how, processes).result()
                    given[channel] = task
                    with suppress(OSError):  # it has died
                        channel.send(task)
                if not given:
                    return
                for one in given.keys() & {*wait([*given])}:
                    task = given.pop(one)
                    try:
                        yield one.recv()
                    except (EOFError, OSError):
                        lost.append(task)
                        processes.pop(one).join()
    except KeyboardInterrupt:
        yield from [channel.recv() for channel in given if channel.poll()]
        raise
    finally:
        for channel, process in processes.items():
            channel.close()  # which ends it when it has nothing to do
            if sys.platform == "linux":  # where its workers end with it
                process.kill()
            process.join()


def _block_ctrl_c() -> None:
    """Keep Ctrl-C from the processes that this thread starts, which inherit its mask. It does not
    interrupt their starts either, because that happens in the main thread.
    """
    if os.name == "posix":
        ensure_running()  # the start of this tracker would undo what comes next
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _start(how: GradingOptions, processes: dict[Connection, BaseProcess]) -> Connection:
    """Start a process that grades."""
    spawn = get_context("spawn")
    ours, theirs = spawn.Pipe()
    with theirs:
        processes[ours] = spawn.Process(target=serve_class, args=(theirs, how))
        processes[ours].start()
    return ours
