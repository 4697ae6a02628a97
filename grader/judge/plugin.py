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
from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from itertools import zip_longest
from pathlib import Path
from typing import Literal, TypeVar

import pytest

from grader.curriculum.imports import describe_error, files_of, vocabulary_of
from grader.curriculum.model import Course, Stage
from grader.errors import CourseError, InternalError
from grader.judge.grading import Grading
from grader.judge.job import Job
from grader.judge.learner import Learner
from grader.judge.recorder import Recorder

T = TypeVar("T")
CHECK_SECONDS = 120


@pytest.fixture
def learner(recorder: Recorder) -> Learner:
    """Return the learner's code, for a course whose vocabulary does not define this fixture."""
    return Learner(recorder)


class Suites:
    """The plugin object: the suites of some stages, collected once. Their tests run for one grading
    after another, while pytest is busy with its only loop, which is the `work`.
    """

    def __init__(self, course: Course, stages: Sequence[Stage], work: Callable[[], None]) -> None:
        self.course, self.stages = course, stages
        self._work = work
        self._items: Sequence[pytest.Item] = ()
        self._grading: Grading
        self._broken: BaseException | None = None

    def open(self) -> None:
        """Collect the suites and do the work. Raise CourseError if one cannot be imported."""
        suites = [path for stage in self.stages for path in stage.suites]
        options = [
            *_OPTIONS,
            f"--confcutdir={suites[0].parent}",  # folders above are not even listed
            *_time_limit(),
        ]
        with (
            pytest.MonkeyPatch.context() as environment,
            warnings.catch_warnings(),
            files_of(self.course),
        ):
            for name in [name for name in os.environ if name.startswith("PYTEST_")]:
                environment.delenv(name)  # it is meant for the caller's own run
            warnings.simplefilter("ignore")  # warnings in this run must not reach the caller
            plugins = [sys.modules[__name__], self, vocabulary_of(self.course)]
            code = pytest.main([*options, *map(str, suites)], plugins=plugins)
        if self._broken is not None:
            raise self._broken
        if code == pytest.ExitCode.INTERRUPTED:
            raise KeyboardInterrupt

    def run(self, grading: Grading) -> None:
        """Run the tests that this grading wants, until one fails that is needed."""
        self._grading = grading
        wanted = [item for item in self._items if grading.wants(item)]
        for item, following in zip_longest(wanted, wanted[1:]):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if grading.is_refuted:  # pytest has kept this suite ready for the next of its tests
                item.config.hook.pytest_runtest_teardown(item=item, nextitem=None)
                return
            if following is None or following.path != item.path:
                grading.end(grading.find(item)[0].id)

    @pytest.fixture
    def recorder(self, request: pytest.FixtureRequest) -> Recorder:
        """Return an empty script for one checkpoint."""
        return self._grading.prepare(request.node)

    # --- hooks ---

    def pytest_ignore_collect(self) -> bool:
        """Ignore everything next to a suite. pytest asks only about files that were not named."""
        return True

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Do the work in place of running every test once."""
        self._items = session.items
        if self._broken is None:
            self._work()
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> pytest.TestReport:
        """Record the outcome of one part of a test.

        pytest's own report would describe every failure with the source of every function called,
        which would take most of the time of a grading.
        """
        self._grading.note(item, call)
        ended: Literal["passed", "failed"] = "failed" if call.excinfo else "passed"
        when = call.when
        assert when != "collect"
        return pytest.TestReport(item.nodeid, item.location, {}, ended, None, when)

    def pytest_exception_interact(
        self, call: pytest.CallInfo[None], report: pytest.CollectReport | pytest.TestReport
    ) -> None:
        """Record why a suite cannot be imported."""
        if isinstance(report, pytest.CollectReport) and call.excinfo and not self._broken:
            error = call.excinfo.value
            why = describe_error(error.__cause__ or error, self.course)
            self._broken = CourseError(
                f"a suite cannot be imported: {why}",
                "fix it; it sees pytest, grader, and the files of its course",
            )

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
    grading = Grading(job, earlier, wanted)
    grading.memory.budget.allow(sum(len(stage.suites) for stage in stages))
    with closing(grading):
        if wanted:
            with_suites(job.course, stages, lambda: _open[-1].run(grading))
    if set(grading.outcomes) != wanted and not grading.is_refuted:
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
