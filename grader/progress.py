"""What the learner has reached, in a small readable file beside their code. Deleting it loses history and nothing else.

The folder is None where nothing is kept: for code that is somebody else's.

A phase counts as done for the content that passed: a file that was edited since has "passed before, changed since".
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from grader.model import PhaseResult, Report, Verdict

FOLDER = ".grade"
FILE = "progress.json"
HINTS = "hints.json"
QUIZ = "quiz.json"
OWN_WORD = "own-word.json"
SPOILED = "solutions-seen.json"
MANY = 4


@dataclass(frozen=True)
class Reached:
    """The last result of one phase: for which content, how many points, what is open first, and all that passed.

    `functions` are those of the last time when the phase was done, each with a short hash of its lines.
    """

    sha256: str
    score: int
    max_score: int
    done: bool
    open: str = ""
    passed: tuple[str, ...] = ()
    functions: Mapping[str, str] = field(default_factory=dict)


def is_kept_in(folder: Path) -> bool:
    """Whether progress has been kept beside the code in this folder."""
    return (folder / FOLDER).is_dir()


def move_progress(old: Path, new: Path) -> None:
    """Bring along what was kept in another folder, unless there is something here already."""
    if is_kept_in(old) and not is_kept_in(new):
        with suppress(OSError):
            (old / FOLDER).rename(new / FOLDER)


def load_progress(folder: Path | None) -> dict[str, Reached]:
    """What is known; nothing, when there is no file or it cannot be understood."""
    if folder is None:
        return {}
    try:
        entries = json.loads((folder / FOLDER / FILE).read_text(encoding="utf-8"))["phases"]
        return {str(phase): Reached(**{**entry, "passed": tuple(entry["passed"])}) for phase, entry in entries.items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def save_progress(folder: Path, report: Report) -> None:
    """Add a report's phases to what is known. A folder that cannot be written to is no reason to complain."""
    known = load_progress(folder)
    for phase in report.phases:
        still = [r.id for r in phase.checkpoints if r.counts and r.verdict is not Verdict.PASSED]
        passed = tuple(r.id for r in phase.checkpoints if r.verdict is Verdict.PASSED)
        first = still[0] if still else ""
        before = known[phase.id].functions if phase.id in known else {}
        functions = dict(phase.functions if phase.done else before)
        known[phase.id] = Reached(phase.sha256, phase.score, phase.max_score, phase.done, first, passed, functions)
    document = {"format": 1, "phases": {phase: asdict(known[phase]) for phase in sorted(known)}}
    try:
        _write(folder / FOLDER / FILE, json.dumps(document, indent=2) + "\n")
    except OSError:
        return


def with_regressions(report: Report, known: Mapping[str, Reached]) -> Report:
    """The report, where a phase that was done once and is not any more says what was edited since."""
    return replace(report, phases=tuple(_with_regression(phase, known.get(phase.id)) for phase in report.phases))


def _with_regression(phase: PhaseResult, reached: Reached | None) -> PhaseResult:
    if phase.done or reached is None or not reached.functions:
        return phase
    if not phase.functions:
        return replace(phase, regression=f"{phase.id} passed before; now its file cannot be imported")
    names = {**reached.functions, **phase.functions}
    edited = [f"`{name}`" for name in names if reached.functions.get(name) != phase.functions.get(name)]
    if not edited:
        told = "passed before; none of its functions was edited since, so the cause is around them"
    elif len(edited) > MANY:
        told = f"passed before; {len(edited)} functions were edited since"
    else:
        told = f"passed before; since your last edit of {' and '.join(edited)} it does not"
    return replace(phase, regression=f"{phase.id} {told}")


def load_hints(folder: Path | None) -> dict[str, int]:
    """How many hints of each phase have been opened."""
    if folder is None:
        return {}
    try:
        opened = json.loads((folder / FOLDER / HINTS).read_text(encoding="utf-8"))["opened"]
        return {str(phase): int(count) for phase, count in opened.items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def save_hints(folder: Path, opened: dict[str, int]) -> None:
    """Remember how many hints have been opened. Nothing is made of it."""
    try:
        _write(folder / FOLDER / HINTS, json.dumps({"format": 1, "opened": opened}, indent=2) + "\n")
    except OSError:
        return


def load_right(folder: Path | None) -> set[str]:
    """The questions of the quiz that were answered rightly the last time."""
    return _load_names(folder, QUIZ, "right")


def save_right(folder: Path, questions: Collection[str]) -> None:
    """Remember which questions were answered rightly."""
    _save_names(folder / FOLDER / QUIZ, "right", questions)


def load_ticked(folder: Path | None) -> set[str]:
    """The items of the checklist that the learner gave their own word for."""
    return _load_names(folder, OWN_WORD, "ticked")


def save_ticked(folder: Path, items: Collection[str]) -> None:
    """Remember the learner's own word."""
    _save_names(folder / FOLDER / OWN_WORD, "ticked", items)


def load_spoiled(folder: Path | None) -> set[str]:
    """The phases whose solution was shown, or was there from the beginning, before they passed."""
    return _load_names(folder, SPOILED, "phases")


def save_spoiled(folder: Path, phases: Collection[str]) -> None:
    """Remember them. Nothing is made of it."""
    _save_names(folder / FOLDER / SPOILED, "phases", phases)


def _load_names(folder: Path | None, file: str, key: str) -> set[str]:
    if folder is None:
        return set()
    try:
        return {str(name) for name in json.loads((folder / FOLDER / file).read_text(encoding="utf-8"))[key]}
    except (OSError, ValueError, TypeError, KeyError):
        return set()


def _save_names(file: Path, key: str, names: Collection[str]) -> None:
    with suppress(OSError):
        _write(file, json.dumps({"format": 1, key: sorted(names)}, indent=2) + "\n")


def _write(file: Path, text: str) -> None:
    """The whole text or the old one, whatever happens on the way."""
    file.parent.mkdir(exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=file.parent, prefix=".progress-")
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)
    Path(temporary).replace(file)
