"""The pytest side: runs hidden suites in this process and turns what happens in each test into an
outcome.

pytest sees the suites and never the submission; an outcome is taken from the exception that ended a
test, so a test that
did not run has none.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import Literal, NamedTuple

import pytest

from grader.boundary.transport import Transport
from grader.curriculum.courses import Checkpoint, Stage
from grader.curriculum.imports import modules_of, told
from grader.errors import CourseError, GraderError, InternalError
from grader.judge.background import BackgroundCheck
from grader.judge.budget import Budget, OutOfTime
from grader.judge.job import Job
from grader.judge.memory import Memory
from grader.judge.preparation import Preparation
from grader.judge.recorder import Recorder
from grader.judge.replies import same_every_time
from grader.judge.session import Session
from grader.judge.verdicts import NotReady, Outcome, outcome_of, outcome_of_time
from grader.model import Isolation, Verdict

Check = Callable[[Recorder], None]


class Suite(NamedTuple):
    """A file of checks, and the stage that it judges."""

    stage: Stage
    path: Path


@pytest.fixture(scope="module")
def grading(request: pytest.FixtureRequest) -> Grading:
    """What this run of suites is part of."""
    found = request.config.pluginmanager.get_plugin(_NAME)
    assert isinstance(found, Grading)
    return found


@pytest.fixture(scope="module")
def session(request: pytest.FixtureRequest, grading: Grading) -> Iterator[Session]:
    """The submission in a worker that this suite has to itself."""
    suite = Suite(grading.stage_of(request.path), request.path)
    yield grading.begin(suite)
    grading.end(suite)


@pytest.fixture(scope="module")
def aside(
    request: pytest.FixtureRequest, grading: Grading
) -> Iterator[Callable[[Check], BackgroundCheck]]:
    """Begins a check in a worker of its own, to be asked for later."""
    stage = grading.stage_of(request.path)
    begun: list[BackgroundCheck] = []

    def begin(check: Check) -> BackgroundCheck:
        recorder = grading.recorder(grading.session(stage))
        begun.append(BackgroundCheck(grading.job.host, recorder, check))
        return begun[-1]

    yield begin
    for entry in begun:
        entry.close()


@pytest.fixture
def recorder(request: pytest.FixtureRequest, grading: Grading, session: Session) -> Recorder:
    """An empty script for one checkpoint."""
    recorder = grading.recorder(session)
    request.node.user_properties.append(("recorder", recorder))
    grading.prepare(*grading.find(request.node), session)
    return recorder


class Grading:
    """The plugin object: what the fixtures stand on, and outcomes by checkpoint id."""

    def __init__(self, job: Job, earlier: Grading | None) -> None:
        self.job = job
        self.memory: Memory = earlier.memory if earlier else Memory(Budget(job.host.clock))
        self.preparation: Preparation = earlier.preparation if earlier else Preparation(job)
        self.outcomes: dict[str, Outcome] = {}
        self.isolation: Isolation | None = None
        self.absent, self.told = self.preparation.absent, self.preparation.notes
        self.written: dict[str, dict[str, str]] = {}
        self.not_imported: list[str] = []
        self._begun: dict[Path, Session] = {}

    def session(self, stage: Stage) -> Session:
        """A session with the submission, for the file of this stage."""
        return self.job.session(stage, self._connect, self.memory)

    def recorder(self, session: Session) -> Recorder:
        """An empty script in a session."""
        return Recorder(session, session.module, seed=self.job.seed, mirror=self.job.mirror)

    def _connect(self, readable: Sequence[str]) -> Transport:
        transport = self.job.host.worker(readable)
        if (
            self.isolation is None or transport.isolation.level < self.isolation.level
        ):  # of several workers, the weakest counts
            self.isolation = transport.isolation
        return transport

    def begin(self, suite: Suite) -> Session:
        """The session of a suite, which may have begun before it."""
        if suite.path not in self._begun:
            self._begun[suite.path] = self.session(suite.stage)
        return self._begun[suite.path]

    def end(self, suite: Suite) -> None:
        """Let go of the session of a suite."""
        session = self._begun.pop(suite.path)
        self.written[suite.stage.id] = session.digests()
        session.close()

    def close(self) -> None:
        """Let go of whatever is left."""
        for session in self._begun.values():
            session.close()

    def foresee(self, suite: Suite) -> bool:
        """Whether all can be told without the suite. Otherwise it goes on where this had to stop."""  # noqa: E501
        if (order := self.job.rehearsals.order.get(suite.path)) is None:
            return False
        session = self.begin(suite)
        checkpoints = {checkpoint.function: checkpoint for checkpoint in suite.stage.checkpoints}
        for checkpoint in map(checkpoints.__getitem__, order):
            begun = time.perf_counter()
            recorder = self.recorder(session)
            try:
                self.prepare(suite.stage, checkpoint, session)
                if not self.is_known(checkpoint, recorder):
                    return False
                outcome = Outcome(output=same_every_time(session.output()))
            except NotReady as told:
                outcome = told.outcome
            except OutOfTime as error:
                outcome = outcome_of_time(error)
            except GraderError:  # ours: the suite meets it as well, and tells it
                return False
            outcome.duration_s = time.perf_counter() - begun
            self.outcomes[checkpoint.id] = outcome
        self.end(suite)
        return True

    def prepare(self, stage: Stage, checkpoint: Checkpoint, session: Session) -> None:
        """Load the submission. Raises NotReady if the checkpoint cannot be run."""
        self.preparation.prepare(stage, checkpoint, session)

    def is_known(self, checkpoint: Checkpoint, recorder: Recorder) -> bool:
        """Whether a checkpoint is passed by what is known to be asked; if it is not, or nothing is
        known, the suite has to run.
        """
        if (
            prompter := recorder.session.prompter
        ) is None or prompter.check == checkpoint.id:  # which was asked ahead before
            return False
        prompter.begin(checkpoint.id)
        first = self.job.rehearsals.get(self._question(checkpoint, recorder.session))
        if first is None or not recorder.session.passes(first):
            return False
        prompter.end()
        return True

    def _question(self, checkpoint: Checkpoint, session: Session) -> Hashable:
        """All that a check's questions depend on, the answers aside."""
        job, there = self.job, tuple(filter(session.has, session.names))
        return checkpoint.id, job.seed, job.mirror, session.is_notebook, there

    def stage_of(self, path: Path) -> Stage:
        """The stage that a suite belongs to."""
        return self.job.course.stage(path.parent.name)

    def find(self, item: pytest.Item) -> tuple[Stage, Checkpoint]:
        """The stage and the checkpoint of a test."""
        stage = self.stage_of(item.path)
        return stage, next(c for c in stage.checkpoints if c.function == item.name)

    # --- hooks ---

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Note the order in which a suite asks, and leave out what is told already."""
        order: dict[Path, list[str]] = {}
        for item in items:
            order.setdefault(item.path, []).append(item.name)
        self.job.rehearsals.order.update(order)
        items[:] = [item for item in items if self.find(item)[1].id not in self.outcomes]

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        """Ask what is known to be asked; where that does not tell that all is well, the suite runs."""  # noqa: E501
        recorder = dict(pyfuncitem.user_properties)["recorder"]
        assert isinstance(recorder, Recorder)
        return True if self.is_known(self.find(pyfuncitem)[1], recorder) else None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> pytest.TestReport:
        """Note the outcome of one part of a test: the fixtures, the test itself, the clearing up.

        pytest's own report would describe every failure, with the source of all that was called:
        most of the time of a grading.
        """
        self._note(item, call)
        ended: Literal["passed", "failed"] = "failed" if call.excinfo else "passed"
        when = call.when
        assert when != "collect"
        return pytest.TestReport(item.nodeid, item.location, {}, ended, None, when)

    def _note(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        _, checkpoint = self.find(item)
        outcome = self.outcomes.setdefault(
            checkpoint.id, Outcome(Verdict.ERROR, message="the test did not run")
        )
        outcome.duration_s += call.duration
        if call.excinfo is None:
            if call.when == "call":
                outcome.verdict, outcome.message = Verdict.PASSED, ""
                recorder = dict(item.user_properties)["recorder"]
                assert isinstance(recorder, Recorder)
                outcome.output = same_every_time(recorder.session.output())
                if (prompter := recorder.session.prompter) is not None:
                    self.job.rehearsals.keep(
                        self._question(checkpoint, recorder.session), prompter.end()
                    )
            return
        recorder = dict(item.user_properties).get("recorder")
        assert recorder is None or isinstance(recorder, Recorder)
        found = outcome_of(call.excinfo.value, recorder, checkpoint, self.job.course)
        found.duration_s = outcome.duration_s
        self.outcomes[checkpoint.id] = found

    def pytest_exception_interact(
        self, call: pytest.CallInfo[None], report: pytest.CollectReport | pytest.TestReport
    ) -> None:
        """Note why a suite cannot be imported."""
        if isinstance(report, pytest.CollectReport) and call.excinfo is not None:
            error = call.excinfo.value
            self.not_imported.append(told(error.__cause__ or error, self.job.course))


def run_suites(job: Job, stages: Sequence[Stage], earlier: Grading | None = None) -> Grading:
    """Run the suites of these stages in one go; what an `earlier` run over the same submission
    learnt is remembered.

    Raises CourseError for a suite that cannot be imported, InternalError unless every checkpoint
    got exactly one outcome,
    KeyboardInterrupt if a person stopped it.
    """
    grading = Grading(job, earlier)
    suites = [Suite(stage, path) for stage in stages for path in stage.suites]
    grading.memory.budget.allow(len(suites))
    with _ONE_AT_A_TIME:
        try:
            foreseen = list(takewhile(grading.foresee, suites))
            code = _run_pytest(grading, left) if (left := suites[len(foreseen) :]) else 0
        finally:
            grading.close()
    if grading.not_imported:
        raise CourseError(
            f"a suite cannot be imported: {grading.not_imported[0]}",
            "mend it; it sees pytest, grader, and the files of its course",
        )
    if code == pytest.ExitCode.INTERRUPTED:
        raise KeyboardInterrupt
    wanted = {checkpoint.id for stage in stages for checkpoint in stage.checkpoints}
    if set(grading.outcomes) != wanted:
        missing = ", ".join(sorted(wanted ^ set(grading.outcomes)))
        raise InternalError(
            f"the suites did not run as the course lists them (pytest ended with {code}): {missing}"
        )
    return grading


def _run_pytest(grading: Grading, suites: Sequence[Suite]) -> int:
    options = [*_OPTIONS, *grading.job.host.backstop(), *(str(suite.path) for suite in suites)]
    with (
        _own_environment(),
        warnings.catch_warnings(),
        modules_of(grading.job.course) as vocabulary,
    ):
        warnings.simplefilter("ignore")  # those of this run are for us, and not for whoever called
        return pytest.main(options, plugins=[sys.modules[__name__], _Named(grading), vocabulary])


_NAME = "grading"
_ONE_AT_A_TIME = threading.Lock()  # pytest keeps its state in the process


class _Named:
    """Registers the grading under a name that fixtures can ask for."""

    def __init__(self, grading: Grading) -> None:
        self._grading = grading

    def pytest_configure(self, config: pytest.Config) -> None:
        """Called once by pytest, before anything is collected."""
        config.pluginmanager.register(self._grading, _NAME)


_OPTIONS = (
    "--disable-plugin-autoload",
    "--noconftest",
    "--import-mode=importlib",
    "--assert=plain",
    "--capture=no",
    "-c",
    os.devnull,
    "--rootdir",
    str(Path(__file__).parents[1]),
    *(
        part
        for name in (
            "terminal",
            "cacheprovider",
            "faulthandler",
            "logging",
            "junitxml",
            "pastebin",
            "stepwise",
            "doctest",
            "unittest",
            "warnings",
            "threadexception",
            "unraisableexception",
            "legacypath",
            "recwarn",
            "monkeypatch",
            "tmpdir",
            "setuponly",
            "setupplan",
            "debugging",
        )
        for part in ("-p", f"no:{name}")
    ),
)


@contextmanager
def _own_environment() -> Iterator[None]:
    """Keep pytest's own variables away from this run, and this run's away from whoever called."""
    kept = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("PYTEST_")}
    try:
        yield
    finally:
        for name in [name for name in os.environ if name.startswith("PYTEST_")]:
            del os.environ[name]
        os.environ.update(kept)
