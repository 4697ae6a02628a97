"""Load the submission for a checkpoint, and say why one cannot be run."""

from __future__ import annotations

from dataclasses import replace

from grader.curriculum import packages
from grader.curriculum.model import Checkpoint, Stage
from grader.intake.run_notes import RunNote
from grader.judge.budget import OutOfTime
from grader.judge.dialect import NotAsked
from grader.judge.failures import LearnerFault, WorkerLost
from grader.judge.job import Job
from grader.judge.replies import Loaded, same_every_time
from grader.judge.session import Session
from grader.judge.verdicts import (
    NotReady,
    Outcome,
    not_reached,
    outcome_of_load,
    outcome_of_time,
    unready,
)
from grader.model import Verdict, Visibility


class Preparation:
    """Prepares the checkpoints of one submission, and keeps the results of loading it: modules that
    cannot be loaded, packages replaced by placeholders, and notes on code that did not run.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        self._not_loaded: dict[str, Outcome] = {}
        self.absent: dict[str, None] = {}
        self.notes: dict[RunNote, None] = {}

    def prepare(self, stage: Stage, checkpoint: Checkpoint, session: Session) -> None:
        """Load the submission. Raise NotReady if the checkpoint cannot be run.

        NotReady is an Exception because pytest only cleans up after a fixture that raises one.
        """
        if self._job.tell is not None and checkpoint.visibility is Visibility.VISIBLE:
            self._job.tell(f"{stage.id}: {stage.titles[checkpoint.id]}")
        try:
            loaded = self._load(stage, session)
            self.absent.update(dict.fromkeys(loaded.absent))
            self.notes.update(dict.fromkeys(loaded.notes))
            outcome = not_reached(session, checkpoint, loaded)
            if session.dialect.asks_form:
                outcome = outcome or unready(session, self._job.course, checkpoint, loaded)
                outcome = outcome or self._empty(stage, checkpoint, loaded)
            if outcome is None:
                session.dialect.unready(checkpoint.methods)
        except NotAsked as reason:
            outcome = Outcome(Verdict.NOT_STARTED, message=reason.message)
        except OutOfTime as error:
            outcome = outcome_of_time(error)
        if outcome is not None:
            raise NotReady(outcome)

    def _empty(self, stage: Stage, checkpoint: Checkpoint, loaded: Loaded) -> Outcome | None:
        """Return "not started" if the reference would work for functions that do nothing."""
        states = {loaded.names[name].state for name in self._job.own(stage, [checkpoint])}
        if states and states <= {"missing", "stub", "empty"} and states != {"missing"}:
            return Outcome(Verdict.NOT_STARTED, message=f"{stage.file} has no code for this yet")
        return None

    def _load(self, stage: Stage, session: Session) -> Loaded:
        adapter = self._job.adapter
        if adapter is not None and not session.module:
            message = f"[files] in {adapter.where} has no entry for {stage.file}"
            raise NotReady(Outcome(Verdict.NOT_STARTED, message=message))
        if adapter is None and not session.submission.has(stage.module):
            raise NotReady(Outcome(Verdict.NOT_STARTED, message=f"there is no {stage.file} yet"))
        if missing := packages.absent(stage.packages):
            message = packages.advice(missing)
            raise NotReady(Outcome(Verdict.BLOCKED, message=message, blocked_by=missing[0]))
        if (outcome := self._not_loaded.get(stage.module)) is None:
            try:
                return session.load()
            except (LearnerFault, WorkerLost) as met:
                printed = same_every_time(session.output() or session.last_output)
                outcome = outcome_of_load(
                    stage, met.fault, printed, notebook=session.submission.is_notebook
                )
                self._not_loaded[stage.module] = outcome
        raise NotReady(replace(outcome))
