"""Read and check a course's questions about understanding, and its symptoms with their causes.

The files contain no right numbers. Those are computed when a question is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from grader.curriculum.model import HINT_LEVELS, Course
from grader.curriculum.tables import read_toml
from grader.errors import CourseError
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.oracle.paper import parse_program

QUESTIONS, SYMPTOMS = "quiz.toml", "symptoms.toml"
MOST_PASSES = 3
HARDEST = 3

# One node in every engine. `a - b` may be one or three, and in a second pass every node counts.
_ONE_NODE = {"+", "*", "**", *FUNCTIONS}


@dataclass(frozen=True)
class Wording:
    """The names that the learner's code uses for the class, its number, its gradient and backward.

    Questions with a program need `make` and `value`; those that ask for a gradient need all four.
    """

    make: str = ""
    backward: str = ""
    value: str = ""
    gradient: str = ""


@dataclass(frozen=True)
class Question:
    """The fields of every question: its phase, its checklist item, its level from 1 (easy) to 3."""

    id: str
    phase: str
    level: int
    checklist: str
    text: str
    explanation: str


@dataclass(frozen=True)
class Choice(Question):
    """A right answer and three wrong ones, each a common misconception. `code` is shown as is."""

    right: str
    wrong: tuple[str, ...]
    code: str


@dataclass(frozen=True)
class Number(Question):
    """A number to find: the value of `node`, or its gradient after `backward` calls of backward.

    The last name of `program` is the result; `leaves` holds the possible numbers of each leaf. A
    `hidden` program only computes the answer, and the text names the leaves in `{placeholders}`.
    """

    program: str
    leaves: tuple[tuple[str, tuple[float, ...]], ...]
    node: str
    backward: int
    hidden: bool


@dataclass(frozen=True)
class Cause:
    """A possible cause of a symptom, and where to look: a checkpoint, and a hint level."""

    text: str
    phase: str
    checkpoint: str
    hint: str


@dataclass(frozen=True)
class Symptom:
    """A problem as a learner would describe it; the likeliest cause comes first.

    `ratio`, if given, is the wrong number divided by the right one.
    """

    id: str
    says: str
    words: tuple[str, ...]
    ratio: float | None
    causes: tuple[Cause, ...]


@dataclass(frozen=True)
class Quiz:
    """The content of both files, which are optional.

    `checklist` holds the course's items and those that only questions support.
    """

    wording: Wording
    checklist: dict[str, str]
    questions: tuple[Question, ...]
    symptoms: tuple[Symptom, ...]


# --- the two files ---


@lru_cache(1)
def load_quiz(course: Course) -> Quiz:
    """Return a course's questions and symptoms.

    Raise CourseError for an entry that is missing or unknown, or that contradicts the course.
    """
    with _naming(course.folder / QUESTIONS) as table:
        _require(
            table,
            "the file",
            {"question": list} if table else {},
            {"wording": dict, "checklist": dict},
        )
        wording = Wording(
            **_require(
                table.get("wording", {}),
                "wording",
                {},
                dict.fromkeys(Wording.__dataclass_fields__, str),
            )
        )
        added = table.get("checklist", {})
        checklist = {**course.checklist, **_require(added, "checklist", dict.fromkeys(added, str))}
        questions = tuple(_question(entry, wording) for entry in table.get("question", ()))
        for question in questions:
            if (
                question.phase not in {stage.id for stage in course.stages}
                or question.checklist not in checklist
            ):
                raise CourseError(
                    f"{question.id}: the course has no phase {question.phase!r} or no item"
                    f" {question.checklist!r}"
                )
    with _naming(course.folder / SYMPTOMS) as table:
        _require(table, "the file", {"symptom": list} if table else {})
        symptoms = tuple(
            _symptom(entry, {checkpoint.id for checkpoint in course.checkpoints})
            for entry in table.get("symptom", ())
        )
        ids = Counter(
            [*(question.id for question in questions), *(symptom.id for symptom in symptoms)]
        )
        if twice := sorted(name for name, count in ids.items() if count > 1):
            raise CourseError(f"more than one question or symptom is called {', '.join(twice)}")
    return Quiz(wording, checklist, questions, symptoms)


@contextmanager
def _naming(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the content of the file, or nothing if it is missing. Add its name to errors."""
    table = read_toml(file) if file.is_file() else {}
    try:
        yield table
    except CourseError as error:
        raise CourseError(f"{file}: {error.message}", "fix that entry") from error


def _require(
    entry: Any, where: str, required: Mapping[str, type], optional: Mapping[str, type] | None = None
) -> dict[str, Any]:
    """Return the table if it has exactly these keys with values of these types, none empty."""
    if not isinstance(entry, dict):
        raise CourseError(f"{where}: {entry!r} is not a table")
    types = {**required, **(optional or {})}
    wrong = {
        key
        for key, value in entry.items()
        if type(value) is not types.get(key) or value in ("", [], {})
    }
    if problems := sorted(wrong | (set(required) - set(entry))):
        raise CourseError(
            f"{where}: missing, unknown, empty or of the wrong type: {', '.join(problems)}"
        )
    return entry


_COMMON = {"id": str, "phase": str, "level": int, "checklist": str, "text": str, "explanation": str}
_KINDS: dict[str, tuple[dict[str, type], dict[str, type]]] = {
    "choice": ({"right": str, "wrong": list}, {"code": str}),
    "number": (
        {"program": str, "leaves": dict},
        {"value_of": str, "gradient_of": str, "backward": int, "hidden": bool},
    ),
}


def _question(entry: Any, wording: Wording) -> Question:
    where, kind = (
        (entry.get("id"), str(entry.get("kind"))) if isinstance(entry, dict) else (entry, "")
    )
    if kind not in _KINDS:
        raise CourseError(f"{where}: there is no kind {kind!r}")
    required, optional = _KINDS[kind]
    _require(entry, str(where), {"kind": str, **_COMMON, **required}, optional)
    common = {name: entry[name] for name in _COMMON}
    common |= {name: _unwrap(entry[name]) for name in ("text", "explanation")}
    if not 1 <= entry["level"] <= HARDEST:
        raise CourseError(f"{where}: the level must be 1 to {HARDEST}, not {entry['level']}")
    if kind == "number":
        return _number(entry, common, wording)
    options = [entry["right"], *entry["wrong"]]
    if not all(isinstance(option, str) and option for option in options) or (
        len(options),
        len({*options}),
    ) != (4, 4):
        raise CourseError(f"{where}: give one right answer and three wrong ones, all different")
    return Choice(**common, right=options[0], wrong=tuple(options[1:]), code=entry.get("code", ""))


def _number(entry: dict[str, Any], common: dict[str, Any], wording: Wording) -> Number:
    where, gradient, hidden = common["id"], "gradient_of" in entry, entry.get("hidden", False)
    backward = entry.get("backward", int(gradient))
    if (
        ("value_of" in entry) == gradient
        or gradient != bool(backward)
        or not 0 <= backward <= MOST_PASSES
    ):
        raise CourseError(
            f"{where}: set value_of, or gradient_of with backward from 1 to {MOST_PASSES}"
        )
    for name, numbers in entry["leaves"].items():
        if (
            not isinstance(numbers, list)
            or any(type(n) not in {int, float} for n in numbers)
            or len(set(numbers)) < 2
        ):
            raise CourseError(f"{where}: {name} needs at least two numbers to draw from")
        if hidden and (backward or f"{{{name}}}" not in common["text"]):
            raise CourseError(
                f"{where}: a hidden program has no backward, and its text contains {{{name}}}"
            )
    words = ["make", "value"] + ["backward", "gradient"] * gradient
    if missing := [name for name in words if not getattr(wording, name)]:
        raise CourseError(f"{where}: [wording] has no {missing[0]!r}, which the program needs")
    leaves = tuple((name, tuple(numbers)) for name, numbers in entry["leaves"].items())
    written = parse_program(
        entry["program"], {name: numbers[0] for name, numbers in leaves}, wording.make
    )
    node = entry["gradient_of" if gradient else "value_of"]
    if node not in written.names:
        raise CourseError(f"{where}: there is no {node!r} in the program")
    used = {getattr(step, "op", getattr(step, "method", "+")) for step in written.steps}
    if backward > 1 and not used <= _ONE_NODE:
        raise CourseError(
            f"{where}: after a second pass {used - _ONE_NODE} depends on how many nodes an engine"
            " makes"
        )
    return Number(
        **common,
        program=entry["program"],
        leaves=leaves,
        node=node,
        backward=backward,
        hidden=hidden,
    )


def _symptom(entry: Any, checkpoints: Collection[str]) -> Symptom:
    where = f"symptom {entry.get('id')}" if isinstance(entry, dict) else "symptom"
    _require(entry, where, {"id": str, "says": str, "cause": list}, {"words": list, "ratio": float})
    causes = tuple(_cause(cause, where, checkpoints) for cause in entry["cause"])
    return Symptom(
        entry["id"],
        _unwrap(entry["says"]),
        tuple(map(str, entry.get("words", ()))),
        entry.get("ratio"),
        causes,
    )


def _cause(entry: Any, where: str, checkpoints: Collection[str]) -> Cause:
    _require(entry, where, {"text": str, "checkpoint": str, "hint": str})
    if entry["checkpoint"] not in checkpoints or entry["hint"] not in HINT_LEVELS:
        raise CourseError(
            f"{where}: no checkpoint {entry['checkpoint']!r} or no hint {entry['hint']!r}"
        )
    return Cause(
        _unwrap(entry["text"]),
        entry["checkpoint"].partition(".")[0],
        entry["checkpoint"],
        entry["hint"],
    )


def _unwrap(text: str) -> str:
    """Return a paragraph as one line."""
    return " ".join(text.split())
