"""Keep the learner's progress in a small readable file next to their code.

Deleting it loses only history. For someone else's code nothing is kept, and the folder is None. A
phase stays done until a function that it uses is edited.
"""

from __future__ import annotations

import errno
import json
import operator
import stat
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from grader.curriculum.model import Stage
from grader.curriculum.tables import Table
from grader.errors import CourseError, SubmissionError
from grader.intake.submission import MAX_BYTES, read_bytes
from grader.learner.files import write_whole
from grader.model import CheckResult, PhaseResult, Report, Verdict
from grader.views.failure import details
from grader.views.levels import levels_of

FOLDER = ".grade"
MANY = 4


@dataclass(frozen=True)
class Reached:
    """The last result of a phase: its points, its open checkpoint, and its passed ones.

    `sha256` is the hash of its files. `functions` are the ones from the last time the phase was
    done, each with a short hash of its lines; `code` is one hash of all functions that the phase
    uses.
    """

    score: int
    max_score: int
    done: bool
    sha256: str = ""
    open: str = ""
    passed: tuple[str, ...] = ()
    functions: dict[str, str] = field(default_factory=dict)
    code: str = ""


class Failure(NamedTuple):
    """A checkpoint that failed or was blocked in the last grading.

    `cause` is the checkpoint that blocked it, or itself; `blame` is the operation to blame, and
    `text` is the sentence in the report. `kind` and `change` are the hints that a proven change
    allows, and `sha256` is the hash of the graded files.
    """

    checkpoint: str
    cause: str
    blame: str = ""
    text: str = ""
    kind: str = ""
    change: str = ""
    sha256: str = ""


def progress_path(home: Path, *names: str) -> Path:
    """Return a path in `.grade`, or `.grade` itself without names.

    Raise OSError for a link, pipe or device on the way, which could lead elsewhere or never end.
    """
    path = home
    for name in (FOLDER, *names):
        path /= name
        with suppress(FileNotFoundError):
            mode = path.lstat().st_mode
            if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
                raise OSError(errno.EINVAL, "is neither a file nor a folder", str(path))
    return path


def progress_folder(home: Path, *names: str) -> Path:
    """Return a folder like `progress_path`, and create it if it is missing. Raise OSError."""
    folder = progress_path(home, *names)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def read_json(home: Path, *names: str) -> Any:
    """Return the content of a JSON file in the folder.

    Raise ValueError if it is missing or damaged.
    """
    try:
        content = read_bytes(progress_path(home, *names), MAX_BYTES)
        if len(content) > MAX_BYTES:
            raise ValueError("too large")
        return json.loads(content)
    except (OSError, SubmissionError, RecursionError) as error:
        raise ValueError("cannot be read") from error


_DAMAGED = (ValueError, TypeError, KeyError, AttributeError, CourseError)
T = TypeVar("T")


@dataclass(frozen=True)
class Kept(Generic[T]):
    """A file in `.grade`, and how to read the value below its only key."""

    file: str
    key: str
    read: Callable[[Any], T]

    def load(self, folder: Path | None) -> T:
        """Return the value; an empty one if there is no folder or the file is damaged."""
        with suppress(*_DAMAGED):
            if folder is not None:
                return self.read(read_json(folder, self.file)[self.key])
        return self.read({})

    def save(self, folder: Path, value: object) -> str:
        """Write the file. Return the reason if the folder cannot be written to."""
        try:
            file = progress_folder(folder) / self.file
            if file.is_symlink() or (file.exists() and not file.is_file()):
                file.unlink()  # writing to a link or a pipe would lead out of the folder
            text = json.dumps({"format": 1, self.key: value}, indent=2) + "\n"
            write_whole(file, text.encode(), durable=False)
        except OSError as error:
            return error.strerror or str(error)
        return ""


class Names(Kept[set[str]]):
    """A file that holds some names."""

    def __init__(self, file: str) -> None:
        super().__init__(file, "names", lambda names: set(map(str, names)))

    def change(self, folder: Path, add: Collection[str] = (), drop: Collection[str] = ()) -> str:
        """Add some names and remove some. Return the reason if they cannot be saved."""
        return self.save(folder, sorted({*self.load(folder), *add} - {*drop}))


PROGRESS: Kept[dict[str, Reached]] = Kept(
    "progress.json",
    "phases",
    lambda phases: {id: Table(entry, id).make(Reached) for id, entry in phases.items()},
)
HINTS: Kept[dict[str, int]] = Kept(  # how many about each function have been opened
    "hints.json",
    "opened",
    lambda opened: {name: max(0, operator.index(count)) for name, count in opened.items()},
)
FAILURES: Kept[list[Failure]] = Kept(  # of the last grading, followed by the blocked checkpoints
    "failures.json", "failures", lambda failures: [Failure(*map(str, each)) for each in failures]
)
RIGHT = Names("quiz.json")  # the questions whose last answer was right
TICKED = Names("own-word.json")  # the items that the learner ticked
SPOILED = Names("solutions-seen.json")  # shown or given before the phase passed


def reached_in(phase: PhaseResult, functions: Mapping[str, str] = MappingProxyType({})) -> Reached:
    """Return the progress of a phase in a report, with its functions when it was last done."""
    still = [r.id for r in phase.checkpoints if r.counts and r.verdict is not Verdict.PASSED]
    return Reached(
        phase.score,
        phase.max_score,
        phase.done,
        phase.sha256,
        still[0] if still else "",
        tuple(r.id for r in phase.checkpoints if r.verdict is Verdict.PASSED),
        dict(functions),
        phase.code,
    )


def save_progress(folder: Path, report: Report) -> str:
    """Save the results of a report's phases. Return the reason if that is impossible."""
    known = PROGRESS.load(folder)
    for phase in report.phases:
        if not _says_something(phase) if phase.id in known else _only_waits(phase):
            continue
        before = known[phase.id].functions if phase.id in known else {}
        known[phase.id] = reached_in(phase, phase.functions if phase.done else before)
    _save_failures(folder, report)
    return _save(folder, known)


def _only_waits(phase: PhaseResult) -> bool:
    """Return whether nothing of a phase is written, or nothing could run."""
    waiting = {Verdict.NOT_STARTED, Verdict.BLOCKED}
    return all(result.verdict in waiting for result in phase.checkpoints)


def _says_something(phase: PhaseResult) -> bool:
    """Return whether a grading says anything about the learner's functions. It does not if the
    grader could not tell, or if no function was found although the phase is begun, for example in a
    file that cannot be imported.
    """
    verdicts = {result.verdict for result in phase.checkpoints}
    return Verdict.ERROR not in verdicts and bool(
        phase.functions or Verdict.NOT_STARTED in verdicts
    )


def _save_failures(folder: Path, report: Report) -> None:
    failures = [
        Failure(r.id, r.id, r.diagnosis.blame if r.diagnosis else "", details(r), *_mend(r, phase))
        for phase in report.phases
        for r in phase.checkpoints
        if r.counts and r.verdict is Verdict.FAILED
    ]
    failures += [
        Failure(r.id, r.blocked_by)
        for r in report.checkpoints
        if r.counts and r.verdict is Verdict.BLOCKED and not r.wants_package
    ]
    FAILURES.save(folder, failures)


def _mend(result: CheckResult, phase: PhaseResult) -> tuple[str, ...]:
    """Return the hints about a proven change, with the hash of the graded code, or nothing."""
    proof = result.diagnosis.mend if result.diagnosis else None
    found = levels_of(proof) if proof else None
    return (*found, phase.sha256) if found else ()


def save_finished(folder: Path, stages: Collection[Stage], code: Mapping[str, str]) -> None:
    """Record that these stages pass, because they have the reference solution."""
    known = {
        stage.id: Reached(
            stage.points,
            stage.points,
            done=True,
            passed=tuple(checkpoint.id for checkpoint in stage.checkpoints),
            code=code[stage.id],
        )
        for stage in stages
    }
    _save(folder, {**PROGRESS.load(folder), **known})


def _save(folder: Path, known: Mapping[str, Reached]) -> str:
    return PROGRESS.save(folder, {phase: asdict(known[phase]) for phase in sorted(known)})


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
    named = " and ".join(edited) if len(edited) <= MANY else f"{len(edited)} functions"
    since = f" You have edited {named} since." if edited and phase.functions else ""
    return replace(phase, regression=f"{phase.id} used to pass.{since}")
