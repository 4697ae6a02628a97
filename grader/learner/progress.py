"""What the learner has reached, in a small readable file beside their code. Deleting it loses
history and nothing else.

The folder is None where nothing is kept: for code that is somebody else's.

A phase counts as done for the content that passed: a file that was edited since has "passed before,
changed since".
"""

from __future__ import annotations

import errno
import json
import operator
import stat
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from io import StringIO
from pathlib import Path
from typing import Any

from grader.errors import SubmissionError
from grader.intake.submission import MAX_BYTES, read_bytes
from grader.learner.files import write_whole
from grader.model import CheckResult, PhaseResult, Report, Verdict

FOLDER = ".grade"
FILE = "progress.json"
HINTS = "hints.json"
FAILURES = "failures.json"
QUIZ = "quiz.json"
OWN_WORD = "own-word.json"
SPOILED = "solutions-seen.json"
MANY = 4


@dataclass(frozen=True)
class Reached:
    """The last result of one phase: for which content, how many points, what is open first, and all
    that passed.

    `functions` are those of the last time when the phase was done, each with a short hash of its
    lines.
    """

    sha256: str
    score: int
    max_score: int
    done: bool
    open: str = ""
    passed: tuple[str, ...] = ()
    functions: Mapping[str, str] = field(default_factory=dict)


def move_progress(old: Path, new: Path) -> None:
    """Bring along what was kept in another folder, unless there is something here already."""
    with suppress(OSError):
        if (old / FOLDER).is_dir() and not (new / FOLDER).is_dir():
            (old / FOLDER).rename(new / FOLDER)


def kept(home: Path, *names: str) -> Path:
    """Return a path in the folder, `.grade` itself without names. Raises OSError for a link, pipe
    or device on the way: it leads out, or never ends.
    """
    path = home
    for name in (FOLDER, *names):
        path /= name
        with suppress(FileNotFoundError):
            mode = path.lstat().st_mode
            if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
                raise OSError(errno.EINVAL, "is neither a file nor a folder", str(path))
    return path


def folder_in(home: Path, *names: str) -> Path:
    """Return a folder as `kept` does, made if it was missing. Raises OSError."""
    folder = kept(home, *names)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def read_kept(home: Path, *names: str) -> Any:
    """Return what a JSON file in the folder holds. Raises ValueError for one that is missing or
    damaged.
    """
    try:
        content = read_bytes(kept(home, *names), MAX_BYTES)
        if len(content) > MAX_BYTES:
            raise ValueError("too large")
        return json.loads(content)
    except (OSError, SubmissionError, RecursionError) as error:
        raise ValueError("cannot be read") from error


def load_progress(folder: Path | None) -> dict[str, Reached]:
    """What is known; nothing, when there is no file or it cannot be understood."""
    if folder is None:
        return {}
    try:
        return {
            phase: _reached(entry) for phase, entry in read_kept(folder, FILE)["phases"].items()
        }
    except _DAMAGED:
        return {}


_DAMAGED = (ValueError, TypeError, KeyError, AttributeError)


def _reached(entry: Mapping[str, Any]) -> Reached:
    reached = Reached(**{**entry, "passed": tuple(entry["passed"])})
    texts = (
        reached.sha256,
        reached.open,
        *reached.passed,
        *reached.functions,
        *reached.functions.values(),
    )
    if not all(isinstance(text, str) for text in texts) or not all(
        isinstance(n, int) for n in (reached.score, reached.max_score, reached.done)
    ):
        raise TypeError("not what was written")
    return reached


def save_progress(folder: Path, report: Report) -> None:
    """Add a report's phases to what is known. A folder that cannot be written to is no reason to
    complain.
    """
    known = load_progress(folder)
    for phase in report.phases:
        still = [r.id for r in phase.checkpoints if r.counts and r.verdict is not Verdict.PASSED]
        passed = tuple(r.id for r in phase.checkpoints if r.verdict is Verdict.PASSED)
        first = still[0] if still else ""
        before = known[phase.id].functions if phase.id in known else {}
        functions = dict(phase.functions if phase.done else before)
        known[phase.id] = Reached(
            phase.sha256, phase.score, phase.max_score, phase.done, first, passed, functions
        )
    _save_known(folder, known)
    _save_failures(folder, report)


@dataclass(frozen=True)
class Failure:
    """A checkpoint that failed or was blocked in the last grading. `cause` is the one that blocked
    it, or itself; `blame` is the operation to blame, and `text` is what the report said.
    """

    checkpoint: str
    cause: str
    blame: str
    text: str


def load_failures(folder: Path | None) -> list[Failure]:
    """Return what failed in the last grading, and then what was blocked."""
    if folder is None:
        return []
    try:
        return [
            Failure(*(str(entry[name]) for name in ("checkpoint", "cause", "blame", "text")))
            for entry in read_kept(folder, FAILURES)["failures"]
        ]
    except _DAMAGED:
        return []


def _save_failures(folder: Path, report: Report) -> None:
    results = [result for result in report.checkpoints if result.counts]
    failures = [
        Failure(r.id, r.id, r.diagnosis.blame if r.diagnosis else "", _details(r))
        for r in results
        if r.verdict is Verdict.FAILED
    ]
    failures += [
        Failure(r.id, r.blocked_by, "", "")
        for r in results
        if r.verdict is Verdict.BLOCKED and not r.wants_package
    ]
    document = {"format": 1, "failures": [asdict(failure) for failure in failures]}
    with suppress(OSError):
        _write(folder, FAILURES, json.dumps(document, indent=2) + "\n")


def _details(result: CheckResult) -> str:
    """Return what a report says about a failure."""
    from rich.console import Console

    from grader.views.terminal import print_details

    text = StringIO()
    print_details(result, Console(file=text, width=1000), set(), verbose=True, indent=0)
    return text.getvalue()


def _save_known(folder: Path, known: Mapping[str, Reached]) -> None:
    document = {"format": 1, "phases": {phase: asdict(known[phase]) for phase in sorted(known)}}
    with suppress(OSError):
        _write(folder, FILE, json.dumps(document, indent=2) + "\n")


def rename_phases(folder: Path, names: Mapping[str, str]) -> None:
    """Move what was kept under the former names of phases to their new ones."""
    known, spoiled = load_progress(folder), load_spoiled(folder)
    for old in names.keys() & {*known, *spoiled}:
        new = names[old]
        if old in known:
            known.setdefault(new, _renamed(known[old], old, new))
            _save_known(folder, {id: reached for id, reached in known.items() if id != old})
        if old in spoiled:
            save_spoiled(folder, spoiled - {old} | {new})


def _renamed(reached: Reached, old: str, new: str) -> Reached:
    """Return the result of a phase whose checkpoints begin with its new name."""
    names = [id.replace(f"{old}.", f"{new}.", 1) for id in (reached.open, *reached.passed)]
    return replace(reached, open=names[0], passed=tuple(names[1:]))


def with_regressions(report: Report, known: Mapping[str, Reached]) -> Report:
    """Return the report, with the edits since for a phase that used to be done."""
    return replace(
        report,
        phases=tuple(_with_regression(phase, known.get(phase.id)) for phase in report.phases),
    )


def _with_regression(phase: PhaseResult, reached: Reached | None) -> PhaseResult:
    if phase.done or reached is None or not reached.functions:
        return phase
    if not phase.functions:
        return replace(
            phase, regression=f"{phase.id} passed before; now its file cannot be imported"
        )
    names = {**reached.functions, **phase.functions}
    edited = [
        f"`{name}`" for name in names if reached.functions.get(name) != phase.functions.get(name)
    ]
    if not edited:
        told = "passed before; none of its functions was edited since, so the cause is around them"
    elif len(edited) > MANY:
        told = f"passed before; {len(edited)} functions were edited since"
    else:
        told = f"passed before; since your last edit of {' and '.join(edited)} it does not"
    return replace(phase, regression=f"{phase.id} {told}")


def load_hints(folder: Path | None) -> dict[str, int]:
    """How many hints about each function have been opened."""
    if folder is None:
        return {}
    try:
        return {
            function: max(0, operator.index(count))
            for function, count in read_kept(folder, HINTS)["opened"].items()
        }
    except _DAMAGED:
        return {}


def save_hints(folder: Path, opened: dict[str, int]) -> None:
    """Remember how many hints have been opened. Nothing is made of it."""
    try:
        _write(folder, HINTS, json.dumps({"format": 1, "opened": opened}, indent=2) + "\n")
    except OSError:
        return


def load_right(folder: Path | None) -> set[str]:
    """The questions of the quiz that were answered rightly the last time."""
    return _load_names(folder, QUIZ, "right")


def save_right(folder: Path, questions: Collection[str]) -> None:
    """Remember which questions were answered rightly."""
    _save_names(folder, QUIZ, "right", questions)


def load_ticked(folder: Path | None) -> set[str]:
    """The items of the checklist that the learner gave their own word for."""
    return _load_names(folder, OWN_WORD, "ticked")


def save_ticked(folder: Path, items: Collection[str]) -> None:
    """Remember the learner's own word."""
    _save_names(folder, OWN_WORD, "ticked", items)


def load_spoiled(folder: Path | None) -> set[str]:
    """The phases whose solution was shown, or was there from the beginning, before they passed."""
    return _load_names(folder, SPOILED, "phases")


def save_spoiled(folder: Path, phases: Collection[str]) -> None:
    """Remember them. Nothing is made of it."""
    _save_names(folder, SPOILED, "phases", phases)


def _load_names(folder: Path | None, file: str, key: str) -> set[str]:
    if folder is None:
        return set()
    try:
        return {str(name) for name in read_kept(folder, file)[key]}
    except _DAMAGED:
        return set()


def _save_names(folder: Path, file: str, key: str, names: Collection[str]) -> None:
    with suppress(OSError):
        _write(folder, file, json.dumps({"format": 1, key: sorted(names)}, indent=2) + "\n")


def _write(folder: Path, name: str, text: str) -> None:
    file = folder_in(folder) / name
    if file.is_symlink() or (file.exists() and not file.is_file()):
        file.unlink()  # a link or a pipe: written to, it would lead out of the folder
    write_whole(file, text.encode(), durable=False)
