"""Read and check a course's questions about understanding, and its symptoms with their causes.

The files contain no numeric answers. They are computed when a question is asked.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from grader.curriculum.model import HINT_LEVELS, Course
from grader.curriculum.tables import Table, read_toml
from grader.errors import CourseError
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.oracle.paper import parse_program

QUESTIONS, SYMPTOMS = "quiz.toml", "symptoms.toml"
MOST_PASSES = 3
HARDEST = 3

# One node in every engine. `a - b` may make one or three, and in a second pass every one counts.
_ONE_NODE = {"+", "*", "**", *FUNCTIONS}


@dataclass(frozen=True)
class Wording:
    """The names that the learner's code uses for the class, its number, its gradient and backward.

    Questions with a program need `make` and `value`; questions about a gradient need all four.
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
    """A correct answer and three wrong ones, each a common misconception. `code` is shown as is."""

    right: str
    wrong: tuple[str, ...]
    code: str = ""


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
    hidden: bool = False


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
    causes: tuple[Cause, ...]
    words: tuple[str, ...] = ()
    ratio: float | None = None


@dataclass(frozen=True)
class Quiz:
    """The content of both files, which are optional.

    `checklist` holds the course's items and the ones that only questions support.
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
    table, others = _table(course.folder / QUESTIONS), _table(course.folder / SYMPTOMS)
    wording = table.table("wording").make(Wording)
    checklist = course.checklist | table.get("checklist", dict[str, str], {})
    questions = tuple(_question(entry, wording) for entry in _entries(table, "question"))
    symptoms = tuple(_symptom(entry, course) for entry in _entries(others, "symptom"))
    table.only()
    others.only()
    phases = {stage.id for stage in course.stages}
    for question in questions:
        if question.phase not in phases or question.checklist not in checklist:
            raise CourseError(
                f"{table.where}: {question.id}: the course has no phase {question.phase!r} or no"
                f" item {question.checklist!r}"
            )
    ids = Counter([*(each.id for each in questions), *(each.id for each in symptoms)])
    if twice := sorted(id for id, count in ids.items() if count > 1):
        raise CourseError(f"more than one question or symptom is called {', '.join(twice)}")
    return Quiz(wording, checklist, questions, symptoms)


def _table(file: Path) -> Table:
    """Return the content of a file, or an empty table if there is none."""
    return Table(read_toml(file) if file.is_file() else {}, str(file))


def _entries(table: Table, key: str) -> list[Table]:
    return table.tables(key) if table.entries else []


def _question(entry: Table, wording: Wording) -> Question:
    kind, level = entry.get("kind", str), entry.get("level", int)
    if kind not in {"choice", "number"}:
        raise CourseError(f"{entry.where}: there is no kind {kind!r}")
    if not 1 <= level <= HARDEST:
        raise CourseError(f"{entry.where}: the level must be 1 to {HARDEST}, not {level}")
    texts = {name: _line(entry, name) for name in ("text", "explanation")}
    return _choice(entry, texts) if kind == "choice" else _number(entry, texts, wording)


def _choice(entry: Table, texts: dict[str, str]) -> Choice:
    choice = entry.make(Choice, **texts)
    if len(choice.wrong) != 3 or len({choice.right, *choice.wrong}) != 4:
        raise CourseError(
            f"{entry.where}: give one correct answer and three wrong ones, all different"
        )
    return choice


def _number(entry: Table, texts: dict[str, str], wording: Wording) -> Number:
    where, gradient = entry.where, "gradient_of" in entry.entries
    backward = entry.get("backward", int, int(gradient))
    if (
        ("value_of" in entry.entries) == gradient
        or gradient != bool(backward)
        or backward > MOST_PASSES
    ):
        raise CourseError(
            f"{where}: set value_of, or gradient_of with backward from 1 to {MOST_PASSES}"
        )
    node = entry.get("gradient_of" if gradient else "value_of", str)
    leaves = entry.get("leaves", dict[str, tuple[float, ...]])
    question = entry.make(
        Number, **texts, leaves=tuple(leaves.items()), node=node, backward=backward
    )
    for name, numbers in leaves.items():
        if len({*numbers}) < 2:
            raise CourseError(f"{where}: {name} needs at least two numbers to draw from")
        if question.hidden and (backward or f"{{{name}}}" not in question.text):
            raise CourseError(
                f"{where}: a hidden program has no backward, and its text contains {{{name}}}"
            )
    words = ["make", "value"] + ["backward", "gradient"] * gradient
    if missing := [name for name in words if not getattr(wording, name)]:
        raise CourseError(f"{where}: [wording] has no {missing[0]!r}, which the program needs")
    try:
        first = {name: numbers[0] for name, numbers in leaves.items()}
        written = parse_program(question.program, first, wording.make)
    except CourseError as error:
        raise CourseError(f"{where}: {error.message}", error.hint) from error
    if node not in written.names:
        raise CourseError(f"{where}: there is no {node!r} in the program")
    used = {getattr(step, "op", getattr(step, "method", "+")) for step in written.steps}
    if backward > 1 and not used <= _ONE_NODE:
        raise CourseError(
            f"{where}: after a second pass {used - _ONE_NODE} depends on how many nodes an engine"
            " makes"
        )
    return question


def _symptom(entry: Table, course: Course) -> Symptom:
    causes = tuple(_cause(cause, course) for cause in entry.tables("cause"))
    return entry.make(Symptom, says=_line(entry, "says"), causes=causes)


def _cause(entry: Table, course: Course) -> Cause:
    checkpoint = entry.get("checkpoint", str)
    cause = entry.make(Cause, text=_line(entry, "text"), phase=checkpoint.partition(".")[0])
    if checkpoint not in {each.id for each in course.checkpoints} or cause.hint not in HINT_LEVELS:
        raise CourseError(f"{entry.where}: no checkpoint {checkpoint!r} or no hint {cause.hint!r}")
    return cause


def _line(entry: Table, key: str) -> str:
    """Return a paragraph as one line."""
    return " ".join(entry.get(key, str).split())
