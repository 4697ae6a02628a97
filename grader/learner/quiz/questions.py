"""Read and check a course's questions about understanding, and its symptoms with their causes.

The files contain no numeric answers. They are computed when a question is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated

from grader.curriculum.model import Course
from grader.curriculum.tables import A_PARAGRAPH, read_table
from grader.errors import CourseError
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.oracle.paper import parse_program

QUESTIONS, SYMPTOMS = "quiz.toml", "symptoms.toml"

# One node in every engine. `a - b` may make one or three, and in a second pass every one counts.
_ONE_NODE = {"+", "*", "**", *FUNCTIONS}


@dataclass(frozen=True)
class Question:
    """A question about a phase and an item of the checklist, from level 1 (easy) to 3.

    Without a program, it has a correct answer and three wrong ones, each a common misconception;
    `code` is shown as is. With a `program`, whose last name is the result, it asks for a number:
    the value of a `node`, or its gradient after `backward` calls of backward. `leaves` holds the
    possible numbers of each leaf. A `hidden` program only computes the answer, and the text names
    the leaves in `{placeholders}`.
    """

    id: str
    phase: str
    level: int
    checklist: str
    text: Annotated[str, A_PARAGRAPH]
    explanation: Annotated[str, A_PARAGRAPH]
    right: str = ""
    wrong: tuple[str, ...] = ()
    code: str = ""
    program: str = ""
    node: str = ""
    leaves: dict[str, tuple[float, ...]] = field(default_factory=dict)
    backward: int = 0
    hidden: bool = False


@dataclass(frozen=True)
class Cause:
    """A possible cause of a symptom, and the checkpoint where to look."""

    text: str
    checkpoint: str


@dataclass(frozen=True)
class Symptom:
    """A problem as a learner would describe it; the likeliest `cause` comes first."""

    id: str
    says: str
    cause: tuple[Cause, ...]
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Quiz:
    """The content of both files, which are optional.

    `checklist` holds the course's items and the ones that only questions support.
    """

    checklist: dict[str, str]
    questions: tuple[Question, ...]
    symptoms: tuple[Symptom, ...]


# --- the two files ---


@lru_cache(1)
def load_quiz(course: Course) -> Quiz:
    """Return a course's questions and symptoms.

    Raise CourseError for an entry that is missing or unknown, or that contradicts the course.
    """
    table = read_table(course.folder / QUESTIONS, optional=True)
    others = read_table(course.folder / SYMPTOMS, optional=True)
    quiz = Quiz(
        course.checklist | table.get("checklist", dict[str, str], {}),
        table.get("question", tuple[Question, ...], ()),
        others.get("symptom", tuple[Symptom, ...], ()),
    )
    table.only()
    others.only()
    for question in quiz.questions:
        if problem := next(_problems(question, quiz, course), ""):
            raise CourseError(f"{table.where}: {question.id}: {problem}")
    for symptom in quiz.symptoms:
        if not all(cause.checkpoint in course.ids for cause in symptom.cause):
            raise CourseError(f"{others.where}: {symptom.id}: a cause names an unknown checkpoint")
    return quiz


def _problems(question: Question, quiz: Quiz, course: Course) -> Iterator[str]:
    """Yield the problems of a question with four answers or with a program."""
    phases, backward = {stage.id for stage in course.stages}, question.backward
    if question.phase not in phases or question.checklist not in quiz.checklist:
        yield f"the course has no phase {question.phase!r} or no item {question.checklist!r}"
    if not question.program:
        if len(question.wrong) != 3 or len({question.right, *question.wrong} - {""}) != 4:
            yield "give a program, or one correct answer and three wrong ones, all different"
        return
    named = all(f"{{{name}}}" in question.text for name in question.leaves)
    if question.hidden and (backward or not named):
        yield "a hidden program has no backward, and its text contains each leaf in braces"
    if course.graph is None:
        yield "a program needs the names in the table [graph] of course.toml"
        return
    first = {name: numbers[0] for name, numbers in question.leaves.items()}
    try:
        written = parse_program(question.program, first, course.graph.node)
    except CourseError as error:
        yield error.message
        return
    if question.node not in written.names:
        yield f"there is no {question.node!r} in the program"
    used = {getattr(step, "op", getattr(step, "method", "+")) for step in written.steps}
    if backward > 1 and not used <= _ONE_NODE:
        yield f"after a second pass {used - _ONE_NODE} depends on how many nodes an engine makes"
