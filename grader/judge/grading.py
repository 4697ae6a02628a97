"""Grade one submission: prepare each checkpoint, and keep the outcomes of the tests."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from hashlib import sha256

import pytest

from grader.boundary.transport import Transport
from grader.conditions import Isolation
from grader.curriculum import packages
from grader.curriculum.model import Checkpoint, Stage
from grader.judge.budget import Budget, OutOfTime
from grader.judge.failures import LearnerFault, NotAsked, NotInstalled, WorkerLost
from grader.judge.job import Job
from grader.judge.memory import Memory
from grader.judge.recorder import Recorder
from grader.judge.replies import same_every_time
from grader.judge.results import results_of
from grader.judge.session import Session
from grader.judge.verdicts import (
    NotReady,
    Outcome,
    not_loaded,
    only_a_class_has,
    outcome_of,
    require_reached,
    require_written,
)
from grader.judge.written import functions
from grader.model import Verdict, Visibility
from grader.text import joined


class Grading:
    """One grading of a submission: what the fixtures give, and the outcomes by checkpoint id."""

    def __init__(self, job: Job, earlier: Grading | None, wanted: Collection[str]) -> None:
        self.job = job
        self._wanted, self._is_later = wanted, earlier is not None
        self.memory: Memory = (
            earlier.memory if earlier else Memory(job.budget or Budget(job.host.clock))
        )
        self.outcomes: dict[str, Outcome] = {}
        self.isolation: Isolation | None = None
        self.written: dict[str, dict[str, str]] = {}
        self._begun: dict[str, dict[AbstractSet[str], Session]] = {}
        self._recorder: Recorder | None = None

    def session(self, stage: Stage, own: AbstractSet[str] = frozenset()) -> Session:
        """Return a new session with the submission, for this stage's file. See `Job.session`."""
        return self.job.session(stage, self._connect, self.memory, own)

    def session_for(self, checkpoint_id: str) -> Session:
        """Return a new session like the one that graded a checkpoint."""
        stage = self.job.course.stage_of(checkpoint_id)
        graded = [each for each in stage.checkpoints if each.id == checkpoint_id]
        return self.session(stage, self.job.own(stage, graded))

    def _connect(self, readable: Sequence[str]) -> Transport:
        transport = self.job.host.worker(readable)
        if (
            self.isolation is None or transport.isolation.level < self.isolation.level
        ):  # with several workers, the weakest counts
            self.isolation = transport.isolation
        return transport

    def prepare(self, test: pytest.Item) -> Recorder:
        """Return an empty script for this test, with the submission loaded. The tests of a suite
        share a session, unless the reference replaces different functions. Suites that are only run
        with the reference's functions share one, too, for each file. Raise NotReady if the
        checkpoint cannot be run.
        """
        job, (stage, checkpoint) = self.job, self.find(test)
        own = job.own(stage, [checkpoint])
        is_right = stage in job.swapped(stage)
        sessions = self._begun.setdefault(stage.module if is_right else stage.id, {})
        if own not in sessions:
            sessions[own] = self.session(stage, own)
        session = sessions[own]
        self._recorder = Recorder(session, seed=job.seed, mirror=job.mirror, drawn=job.caches.drawn)
        if job.tell is not None and checkpoint.visibility is Visibility.VISIBLE:
            job.tell(f"{stage.id}: {stage.titles[checkpoint.id]}")
        try:
            self._require_code(stage, checkpoint, session)
        except (NotAsked, OutOfTime) as error:
            raise NotReady from error
        return self._recorder

    def _require_code(self, stage: Stage, checkpoint: Checkpoint, session: Session) -> None:
        """Load the submission. Raise NotAsked if a checkpoint cannot be run, because a file, a
        package or its own code is missing.
        """
        adapter = self.job.adapter
        if adapter is not None and not session.module:
            raise NotAsked(f"[files] in {adapter.where} has no entry for {stage.file}")
        if adapter is None and not session.submission.has(stage.module):
            raise NotAsked(f"there is no {stage.file} yet")
        if missing := packages.absent(stage.packages):
            raise NotInstalled(missing[0], packages.advice(missing))
        try:
            session.load()
        except (LearnerFault, WorkerLost) as met:
            printed, notebook = same_every_time(met.printed), session.submission.is_notebook
            raise not_loaded(stage, met.fault, printed, notebook=notebook) from met
        require_reached(session, checkpoint)
        if session.dialect.asks_form:
            require_written(session, self.job.course, checkpoint)
            about = self.job.own(stage, [checkpoint]) & session.states.keys()
            own = {session.states[name].state for name in about}
            # the reference would work for functions that do nothing
            if own and own <= {"missing", "stub", "empty"} and own != {"missing"}:
                raise NotAsked(f"{stage.file} has no code for this yet")
        session.dialect.unready(checkpoint.methods)

    @property
    def is_refuted(self) -> bool:
        """Return whether a checkpoint that is needed failed, so nothing else matters."""
        return any(
            self.outcomes[each].verdict is Verdict.FAILED
            for each in self.job.needed & self.outcomes.keys()
        )

    def end(self, stage_id: str) -> None:
        """Close the sessions of a stage."""
        for session in self._begun.pop(stage_id, {}).values():
            self.written[stage_id] = {
                name: sha256(text).hexdigest()[:12]
                for name, text in functions(session.submission.files, session.states).items()
            }
            session.close()

    def close(self) -> None:
        """Close everything that is still open."""
        for each in [*self._begun]:
            self.end(each)

    def find(self, item: pytest.Item) -> tuple[Stage, Checkpoint]:
        """Return a test's stage and checkpoint."""
        stage = self.job.course.stage(item.path.parts[-2])
        return stage, next(c for c in stage.checkpoints if c.function == item.name)

    # --- what pytest says ---

    def wants(self, item: pytest.Item) -> bool:
        """Return whether a test belongs to a wanted checkpoint."""
        return self.find(item)[1].id in self._wanted

    def note(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """Record the outcome of one part of a test: the fixtures, the test itself, the cleanup.

        Pass on all results up to now, unless this run only explains another run's results.
        """
        job, (stage, checkpoint) = self.job, self.find(item)
        before = outcome = self.outcomes.get(
            checkpoint.id, Outcome(Verdict.ERROR, message="the test did not run")
        )
        if call.excinfo is not None:
            outcome = outcome_of(call.excinfo.value, self._recorder, checkpoint, job.course)
        elif call.when == "call":
            outcome = self._passed(stage, checkpoint)
        seconds = before.duration_s + call.duration
        self.outcomes[checkpoint.id] = replace(outcome, duration_s=seconds)
        if call.when == "teardown":
            self._recorder = None
        if outcome is not before and job.met is not None and not self._is_later:
            job.met([*results_of(job, self.outcomes).values()])

    def _passed(self, stage: Stage, checkpoint: Checkpoint) -> Outcome:
        """Return the outcome of a test that passed, which only counts if it asked something of the
        learner.
        """
        if (recorder := self._recorder) is None:
            return Outcome()
        about, session = self.job.course.about(checkpoint), recorder.session
        missing = [name for name in about if only_a_class_has(name) and not session.has(name)]
        own, message = self.job.own(stage, [checkpoint]), ""
        if session.dialect.asks_form and len(missing) == len(about):
            message = f"{stage.file} has no `{about[0]}` yet"
        elif own and not recorder.asked_for(own):
            names = joined([f"`{name}`" for name in about])
            message = f"the reference passed this, without {names}"
        verdict = Verdict.NOT_STARTED if message else Verdict.PASSED
        return Outcome(verdict, message=message, output=same_every_time(session.output()))
