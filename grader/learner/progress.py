"""Keep the learner's progress in a small readable file next to their code.

Deleting it loses only history. For someone else's code nothing is kept, and the folder is None. A
phase stays done until a function that it uses is edited.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from grader.curriculum.model import Stage
from grader.curriculum.tables import Table
from grader.errors import GraderError, SubmissionError
from grader.intake.submission import MAX_BYTES, read_bytes, refuse_links
from grader.learner.files import write_whole
from grader.model import CheckResult, Diagnosis, PhaseResult, Report, Verdict
from grader.views.failure import details
from grader.views.levels import levels_of

FOLDER, FILE = ".grade", "progress.json"


@dataclass(frozen=True)
class Reached:
    """The last result of a phase: its points and its passed checkpoints.

    `functions` are the ones from the last time the phase was done, each with a short hash of its
    lines; `code` is one hash of all functions that the phase uses.
    """

    score: int
    done: bool
    passed: tuple[str, ...] = ()
    functions: dict[str, str] = field(default_factory=dict)
    code: str = ""


@dataclass(frozen=True)
class Failure:
    """A checkpoint that failed or was blocked in the last grading.

    `cause` is the checkpoint that blocked it, or itself; `blame` is the operation to blame, and
    `text` is the sentence in the report. `kind` and `change` are the hints that a proven change
    allows, and `sha256` is the hash of the graded files.
    """

    cause: str
    blame: str = ""
    text: str = ""
    kind: str = ""
    change: str = ""
    sha256: str = ""


def stages_ahead(stages: Sequence[Stage], known: Mapping[str, Reached]) -> list[Stage]:
    """Return the stages that never passed, optional ones last."""
    done = {id for id, reached in known.items() if reached.done}
    ahead = [stage for stage in stages if stage.id not in done]
    return sorted(ahead, key=lambda stage: (stage.optional, stage.warm_up))


def progress_folder(home: Path, *names: str) -> Path:
    """Return a folder in `.grade`, and create it if it is missing.

    Raise SubmissionError for a link on the way, which could lead elsewhere; otherwise OSError.
    """
    folder = home.joinpath(FOLDER, *names)
    refuse_links(folder, home)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@dataclass(frozen=True)
class Progress:
    """The learner's history in one folder.

    `phases` has the last result of each phase, and `failures` the checkpoints that did not pass in
    the last grading, failed ones first. `opened` counts the hints about each function. `right` are
    the questions whose last answer was right, `ticked` the items that the learner ticked, and
    `solutions_seen` the phases whose solution was shown or given before they passed.
    """

    phases: dict[str, Reached] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)
    opened: dict[str, int] = field(default_factory=dict)
    right: tuple[str, ...] = ()
    ticked: tuple[str, ...] = ()
    solutions_seen: tuple[str, ...] = ()

    @property
    def passed(self) -> set[str]:
        """Return the checkpoints that passed when their phases were last graded."""
        return {id for reached in self.phases.values() for id in reached.passed}

    @property
    def failed(self) -> list[str]:
        """Return the checkpoints that failed in the last grading, without the blocked ones."""
        return [id for id, failure in self.failures.items() if failure.cause == id]

    def was_done(self, phase: str) -> bool:
        """Return whether a phase ever passed."""
        reached = self.phases.get(phase)
        return reached is not None and (reached.done or bool(reached.functions))


def load(home: Path | None) -> Progress:
    """Return the progress in a folder; none if there is no folder or the file is damaged."""
    with suppress(ValueError, RecursionError, GraderError):
        if home is not None:
            content = read_bytes(home / FOLDER / FILE, MAX_BYTES, home)
            return Table(json.loads(content), FILE).make(Progress)
    return Progress()


def save(home: Path, progress: Progress) -> str:
    """Write the progress to a folder. Return the reason if that is impossible."""
    try:
        file = progress_folder(home) / FILE
        refuse_links(file, home)
        write_whole(file, f"{json.dumps(asdict(progress), indent=2)}\n".encode())
    except (OSError, SubmissionError) as error:
        return getattr(error, "strerror", None) or str(error)
    return ""


def change_names(
    home: Path, kind: str, add: Collection[str] = (), drop: Collection[str] = ()
) -> str:
    """Add names to `right`, `ticked` or `solutions_seen`, and remove some. Return like `save`."""
    known = load(home)
    changed: Any = {kind: sorted({*getattr(known, kind), *add} - {*drop})}
    return save(home, replace(known, **changed))


def reached_in(phase: PhaseResult, functions: Mapping[str, str] = MappingProxyType({})) -> Reached:
    """Return the progress of a phase in a report, with its functions when it was last done."""
    return Reached(
        phase.score,
        phase.done,
        tuple(r.id for r in phase.checkpoints if r.verdict is Verdict.PASSED),
        dict(functions),
        phase.code,
    )


def save_progress(home: Path, report: Report) -> str:
    """Save the results of a report's phases. Return the reason if that is impossible."""
    known = load(home)
    phases = {**known.phases}
    for phase in report.phases:
        before = phases.get(phase.id)
        if _says_something(phase, is_new=before is None):
            kept = {} if before is None else before.functions
            phases[phase.id] = reached_in(phase, phase.functions if phase.done else kept)
    failures = {
        r.id: _failure(r, phase)
        for phase in report.phases
        for r in phase.checkpoints
        if r.verdict is Verdict.FAILED and not r.bonus
    }
    blocked = {
        r.id: Failure(r.blocked_by)
        for r in report.checkpoints
        if r.verdict is Verdict.BLOCKED and not r.bonus and r.waits_for
    }
    return save(home, replace(known, phases=phases, failures=failures | blocked))


def _says_something(phase: PhaseResult, *, is_new: bool) -> bool:
    """Return whether a grading says anything about the learner's functions. It does not if the
    grader could not tell, or if no function was found although the phase is begun, for example in a
    file that cannot be imported. A new phase is begun once one of its functions is written.
    """
    verdicts = {result.verdict for result in phase.checkpoints}
    if is_new:
        return not verdicts <= {Verdict.NOT_STARTED, Verdict.BLOCKED}
    is_found = bool(phase.functions) or Verdict.NOT_STARTED in verdicts
    return is_found and Verdict.ERROR not in verdicts


def _failure(result: CheckResult, phase: PhaseResult) -> Failure:
    found = result.diagnosis or Diagnosis()
    hints = (found.mend and levels_of(found.mend)) or ("", "")
    return Failure(result.id, found.blame, details(result), *hints, phase.sha256)


def save_finished(home: Path, stages: Collection[Stage], code: Mapping[str, str]) -> None:
    """Record that these stages pass, because they have the reference solution, which was seen."""
    known = load(home)
    finished = {
        stage.id: Reached(
            stage.points,
            done=True,
            passed=tuple(checkpoint.id for checkpoint in stage.checkpoints),
            code=code[stage.id],
        )
        for stage in stages
    }
    seen = tuple(sorted({*known.solutions_seen, *finished}))
    save(home, replace(known, phases=known.phases | finished, solutions_seen=seen))


def with_regressions(report: Report, known: Mapping[str, Reached]) -> Report:
    """Return the report. A phase that used to be done lists the edits since then."""
    return replace(
        report,
        phases=tuple(_with_regression(phase, known.get(phase.id)) for phase in report.phases),
    )


def _with_regression(phase: PhaseResult, reached: Reached | None) -> PhaseResult:
    if phase.done or reached is None or not reached.functions:
        return phase
    edited = [
        f"`{name}`"
        for name in {**reached.functions, **phase.functions}
        if reached.functions.get(name) != phase.functions.get(name)
    ]
    named = " and ".join(edited) if len(edited) <= 4 else f"{len(edited)} functions"
    since = f" You have edited {named} since." if edited and phase.functions else ""
    return replace(phase, regression=f"{phase.id} used to pass.{since}")
