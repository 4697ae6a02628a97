"""Run hidden suites with pytest in this process and turn each test's result into an outcome.

pytest sees the suites and never the submission. An outcome comes from the exception that ended a
test, so a test that did not run has none.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Literal, TypeVar

import pytest

from grader.boundary.transport import Deferred, Transport
from grader.conditions import Isolation
from grader.curriculum.imports import describe_error, files_of, vocabulary_of
from grader.curriculum.model import Checkpoint, Course, Stage
from grader.errors import CourseError, InternalError
from grader.judge.background import BackgroundCheck
from grader.judge.budget import Budget
from grader.judge.job import Job
from grader.judge.learner import Learner
from grader.judge.memory import Memory
from grader.judge.preparation import Preparation
from grader.judge.recorder import Recorder
from grader.judge.replies import same_every_time
from grader.judge.results import results_of
from grader.judge.session import Session
from grader.judge.verdicts import Outcome, only_a_class_has, outcome_of
from grader.judge.written import digests
from grader.model import Verdict
from grader.text import joined

T = TypeVar("T")
Check = Callable[[Recorder], None]
CHECK_SECONDS = 120


@pytest.fixture
def learner(recorder: Recorder) -> Learner:
    """Return the learner's code, for a course whose vocabulary does not define this fixture."""
    return Learner(recorder)


class Grading:
    """One grading of a submission: what the fixtures give, and the outcomes by checkpoint id."""

    def __init__(
        self, job: Job, stages: Sequence[Stage], earlier: Grading | None, wanted: Collection[str]
    ) -> None:
        self.job = job
        self._stages, self._wanted, self._is_later = stages, wanted, earlier is not None
        budget = job.budget or Budget(job.host.clock)
        self.memory: Memory = earlier.memory if earlier else Memory(budget)
        self.preparation: Preparation = earlier.preparation if earlier else Preparation(job)
        self.outcomes: dict[str, Outcome] = {}
        self.isolation: Isolation | None = None
        self.absent, self.run_notes = self.preparation.absent, self.preparation.notes
        self.written: dict[str, dict[str, str]] = {}
        self._begun: dict[Path, dict[AbstractSet[str], Session]] = {}
        self._aside: list[BackgroundCheck] = []
        self._test: pytest.Item
        self._recorder: Recorder | None = None

    def session(self, stage: Stage, own: AbstractSet[str] = frozenset()) -> Session:
        """Return a new session with the submission, for this stage's file. See `Job.session`."""
        return self.job.session(stage, self._connect, self.memory, own)

    def session_for(self, checkpoint_id: str) -> Session:
        """Return a new session like the one that graded a checkpoint."""
        stage = self.job.course.stage_of(checkpoint_id)
        graded = [each for each in stage.checkpoints if each.id == checkpoint_id]
        return self.session(stage, self.job.own(stage, graded))

    def recorder(self, session: Session) -> Recorder:
        """Return an empty script in a session."""
        job = self.job
        return Recorder(
            session, session.module, seed=job.seed, mirror=job.mirror, prepared=job.caches.prepared
        )

    def _connect(self, readable: Sequence[str]) -> Transport:
        transport = self.job.host.worker(readable)
        if (
            self.isolation is None or transport.isolation.level < self.isolation.level
        ):  # with several workers, the weakest counts
            self.isolation = transport.isolation
        return transport

    def begin(self, test: pytest.Item) -> None:
        """Note which test comes next."""
        self._test, self._recorder = test, None

    def prepare(self) -> Recorder:
        """Return an empty script for this test, with the submission loaded. The tests of a suite
        share a session, unless the reference replaces different functions. Raise NotReady if the
        checkpoint cannot be run.
        """
        stage, checkpoint = self.find(self._test)
        own = self.job.own(stage, [checkpoint])
        sessions = self._begun.setdefault(self._test.path, {})
        if own not in sessions:
            sessions[own] = self.session(stage, own)
        self._recorder = self.recorder(sessions[own])
        self.preparation.prepare(stage, checkpoint, sessions[own])
        return self._recorder

    def aside(self, check: Check, *tests: str) -> BackgroundCheck:
        """Start a check in a separate worker, unless none of these tests is graded."""
        stage = self.stage_of(self._test.path)
        graded = [
            one for one in stage.checkpoints if one.id in self._wanted and one.function in tests
        ]
        start = self.job.host.background if graded else Deferred
        session = self.session(stage, self.job.own(stage, graded))
        self._aside.append(BackgroundCheck(start, self.recorder(session), check))
        return self._aside[-1]

    def end(self, path: Path) -> None:
        """Close the session of a suite and its checks aside."""
        while self._aside:
            self._aside.pop().close()
        for session in self._begun.pop(path, {}).values():
            self.written[self.stage_of(path).id] = digests(session.functions())
            session.close()

    def close(self) -> None:
        """Close everything that is still open."""
        for path in [*self._begun]:
            self.end(path)

    def stage_of(self, path: Path) -> Stage:
        """Return the stage that a suite belongs to."""
        return self.job.course.stage(path.parts[-2])

    def find(self, item: pytest.Item) -> tuple[Stage, Checkpoint]:
        """Return a test's stage and checkpoint."""
        stage = self.stage_of(item.path)
        return stage, next(c for c in stage.checkpoints if c.function == item.name)

    # --- what pytest says ---

    def wants(self, item: pytest.Item) -> bool:
        """Return whether a test belongs to a graded stage and to no unwanted checkpoint."""
        stage = self.stage_of(item.path)
        return stage in self._stages and all(
            each.id in self._wanted for each in stage.checkpoints if each.function == item.name
        )

    def report(self, item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport:
        """Record the outcome of one part of a test: the fixtures, the test itself, the cleanup.

        pytest's own report would describe every failure with the source of every function called,
        which would take most of the time of a grading.
        """
        self._note(item, call)
        ended: Literal["passed", "failed"] = "failed" if call.excinfo else "passed"
        when = call.when
        assert when != "collect"
        return pytest.TestReport(item.nodeid, item.location, {}, ended, None, when)

    def _note(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        stage, checkpoint = self.find(item)
        outcome = self.outcomes.setdefault(
            checkpoint.id, Outcome(Verdict.ERROR, message="the test did not run")
        )
        outcome.duration_s += call.duration
        if call.excinfo is None:
            if call.when == "call":
                outcome.verdict, outcome.message = self._passed(stage, checkpoint)
                if self._recorder is not None:
                    outcome.output = same_every_time(self._recorder.session.output())
                self._tell()
            return
        found = outcome_of(call.excinfo.value, self._recorder, checkpoint, self.job.course)
        found.duration_s = outcome.duration_s
        self.outcomes[checkpoint.id] = found
        self._tell()

    def _passed(self, stage: Stage, checkpoint: Checkpoint) -> tuple[Verdict, str]:
        """Return the verdict on a test that passed, which only counts if it asked something of the
        learner.
        """
        if (recorder := self._recorder) is None:
            return Verdict.PASSED, ""
        about, session = self.job.course.about(checkpoint), recorder.session
        missing = [name for name in about if only_a_class_has(name) and not session.has(name)]
        if session.dialect.asks_form and len(missing) == len(about):
            return Verdict.NOT_STARTED, f"{stage.file} has no `{about[0]}` yet"
        own = self.job.own(stage, [checkpoint])
        if not own or recorder.asked_for(own):
            return Verdict.PASSED, ""
        names = joined([f"`{name}`" for name in about])
        return Verdict.NOT_STARTED, f"the reference passed this, without {names}"

    def _tell(self) -> None:
        """Pass on all results up to now, unless this run only explains another run's results."""
        if self.job.met is not None and not self._is_later:
            self.job.met([*results_of(self.job, self.outcomes).values()])


class Suites:
    """The plugin object: the suites of some stages, collected once. Their tests run for one grading
    after another, while pytest is busy with its only loop, which is the `work`.
    """

    def __init__(self, course: Course, stages: Sequence[Stage], work: Callable[[], None]) -> None:
        self.course, self.stages = course, stages
        self._work = work
        self._items: Sequence[pytest.Item] = ()
        self._grading: Grading
        self._not_imported: list[str] = []
        self._broken: BaseException | None = None

    def open(self) -> None:
        """Collect the suites and do the work. Raise CourseError if one cannot be imported."""
        suites = [path for stage in self.stages for path in stage.suites]
        options = [
            *_OPTIONS,
            f"--confcutdir={suites[0].parent}",  # folders above are not even listed
            *_time_limit(),
        ]
        with _own_environment(), warnings.catch_warnings(), files_of(self.course):
            warnings.simplefilter("ignore")  # warnings in this run must not reach the caller
            plugins = [sys.modules[__name__], self, vocabulary_of(self.course)]
            code = pytest.main([*options, *map(str, suites)], plugins=plugins)
        if self._broken is not None:
            raise self._broken
        if self._not_imported:
            raise CourseError(
                f"a suite cannot be imported: {self._not_imported[0]}",
                "fix it; it sees pytest, grader, and the files of its course",
            )
        if code == pytest.ExitCode.INTERRUPTED:
            raise KeyboardInterrupt

    def run(self, grading: Grading) -> None:
        """Run the tests that this grading wants."""
        self._grading = grading
        wanted = [item for item in self._items if grading.wants(item)]
        for item, following in zip_longest(wanted, wanted[1:]):
            grading.begin(item)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if following is None or following.path != item.path:
                grading.end(item.path)

    @pytest.fixture
    def recorder(self) -> Recorder:
        """Return an empty script for one checkpoint."""
        return self._grading.prepare()

    @pytest.fixture(scope="module")
    def aside(self) -> Callable[..., BackgroundCheck]:
        """Return a function that starts a check in a separate worker and returns its handle.

        `aside(check, "test_deep")` starts nothing unless that test, or one of several, is graded.
        """
        return self._grading.aside

    # --- hooks ---

    def pytest_ignore_collect(self) -> bool:
        """Ignore everything next to a suite. pytest asks only about files that were not named."""
        return True

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Do the work in place of running every test once."""
        self._items = session.items
        if not self._not_imported:
            self._work()
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> pytest.TestReport:
        """Record the outcome of one part of a test."""
        return self._grading.report(item, call)

    def pytest_exception_interact(
        self, call: pytest.CallInfo[None], report: pytest.CollectReport | pytest.TestReport
    ) -> None:
        """Record why a suite cannot be imported."""
        if isinstance(report, pytest.CollectReport) and call.excinfo is not None:
            error = call.excinfo.value
            self._not_imported.append(describe_error(error.__cause__ or error, self.course))

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> bool:
        """Keep an error of the grader itself, which pytest would print."""
        self._broken = excinfo.value
        return True


_open: list[Suites] = []  # the innermost last
_ONE_AT_A_TIME = threading.RLock()  # pytest keeps its state in the process


def with_suites(course: Course, stages: Sequence[Stage], work: Callable[[], T]) -> T:
    """Return the result of `work`, which finds the suites of these stages collected. An outer call
    may have done that.

    Raise CourseError for a suite that cannot be imported, KeyboardInterrupt if a person stopped it.
    """
    results: list[T] = []
    with _ONE_AT_A_TIME:
        if any(each.course is course and {*stages} <= {*each.stages} for each in _open[-1:]):
            return work()
        _open.append(Suites(course, stages, lambda: results.append(work())))
        try:
            _open[-1].open()
        finally:
            _open.pop()
    if not results:
        raise InternalError("pytest did not run the suites")
    return results[0]


def run_suites(
    job: Job,
    stages: Sequence[Stage],
    earlier: Grading | None = None,
    only: Collection[str] | None = None,
) -> Grading:
    """Run the suites of these stages in one go, or `only` these of their checkpoints.

    It starts with the memory of an `earlier` run over the same submission. Raise like
    `with_suites`, and InternalError unless every checkpoint got exactly one outcome.
    """
    wanted = {checkpoint.id for stage in stages for checkpoint in stage.checkpoints}
    wanted &= wanted if only is None else {*only}
    grading = Grading(job, stages, earlier, wanted)
    grading.memory.budget.allow(sum(len(stage.suites) for stage in stages))
    try:
        if wanted:
            with_suites(job.course, stages, lambda: _open[-1].run(grading))
    finally:
        grading.close()
    if set(grading.outcomes) != wanted:
        missing = ", ".join(sorted(wanted ^ set(grading.outcomes)))
        raise InternalError(f"the suites and the course differ: {missing}")
    return grading


def _time_limit() -> list[str]:
    """Return pytest-timeout's arguments. It needs signals and the main thread; elsewhere, only the
    requests of a suite have a time limit.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if is_main and hasattr(signal, "SIGALRM") and sys.platform != "emscripten":  # a page has none
        return ["-p", "pytest_timeout", f"--timeout={CHECK_SECONDS}", "--timeout-method=signal"]
    return []


_UNUSED = (
    "terminal", "capture", "cacheprovider", "faulthandler", "logging", "junitxml", "pastebin",
    "stepwise", "doctest", "unittest", "warnings", "threadexception", "unraisableexception",
    "legacypath", "recwarn", "monkeypatch", "tmpdir", "setuponly", "setupplan", "debugging"
)  # fmt: skip
_OPTIONS = (
    "--disable-plugin-autoload",
    "--noconftest",
    "--import-mode=importlib",
    "--assert=plain",
    "-c",
    os.devnull,
    "--rootdir",
    str(Path(__file__).parents[1]),
    *(part for name in _UNUSED for part in ("-p", f"no:{name}")),
)


@contextmanager
def _own_environment() -> Iterator[None]:
    """Hide the caller's pytest variables from this run, and this run's from the caller."""
    kept = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("PYTEST_")}
    try:
        yield
    finally:
        for name in [name for name in os.environ if name.startswith("PYTEST_")]:
            del os.environ[name]
        os.environ.update(kept)
