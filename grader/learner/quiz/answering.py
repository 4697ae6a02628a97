"""Draw the questions of a session and judge answers. Nothing here asks or prints.

The correct number is computed from the drawn numbers.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import cast

from grader.curriculum.model import Course, Graph
from grader.curriculum.select import shortest_words
from grader.errors import UsageError
from grader.judge.oracle.gradients import evaluate
from grader.judge.oracle.paper import Worked, number_text, parse_program, work_backward
from grader.judge.script.steps import UNUSED, Call, Read, Step
from grader.learner.progress import change_names, load, stages_ahead
from grader.learner.quiz.questions import Question, load_quiz

LETTERS = "abcd"


@dataclass(frozen=True)
class Asked:
    """A question with its current numbers. `options` is empty if the answer is a number.

    `right` is a letter or a number. `script` reads that number from the learner's own engine.
    """

    question: Question
    text: str
    code: str
    options: tuple[str, ...]
    right: str
    number: float | None
    worked: tuple[Worked, ...]
    script: tuple[Step, ...] = ()


def draw_session(
    course: Course, words: Sequence[str], chance: random.Random, count: int, *, graphs: bool = False
) -> tuple[Asked, ...]:
    """Draw `count` questions about the phases and checklist items that these words name (default:
    all), easy ones first.

    Numbers and order are new each time. With `graphs`, draw only questions that show a small
    program and ask for a number. Raise UsageError if no question fits.
    """
    quiz = load_quiz(course)
    items = [word for word in words if word in quiz.checklist]
    phases = [stage.id for stage in course.select([word for word in words if word not in items])]
    able = [question for question in quiz.questions if shows_graph(question) or not graphs]
    fitting = [
        question
        for question in able
        if not words or question.phase in phases or question.checklist in items
    ]
    if not fitting:
        known = ", ".join(dict.fromkeys(question.phase for question in able)) or "nothing"
        raise UsageError("there is no question to ask", f"this course has some about {known}")
    chosen = chance.sample(fitting, min(count, len(fitting)))
    chosen.sort(key=lambda question: question.level)
    return tuple(ask(question, course, chance) for question in chosen)


def words_so_far(course: Course, home: Path | None, *, graphs: bool) -> list[str]:
    """Return words for the phases up to the learner's, or up to the first with questions.

    Without a learner's folder, they are for all phases.
    """
    asked = {one.phase for one in load_quiz(course).questions if shows_graph(one) or not graphs}
    waiting = stages_ahead(course.stages, load(home).phases)
    ahead = [stage for stage in waiting if not stage.optional]
    found = [stage for stage in course.stages if stage not in waiting or stage in ahead[:1]]
    if asked.isdisjoint(stage.id for stage in found):
        found += [stage for stage in ahead if stage.id in asked][:1]
    every = home is None or not ahead
    return shortest_words(course.stages, course.stages if every else found).split()


def shows_graph(question: Question) -> bool:
    """Return whether it shows a small program and asks for a number in it."""
    return bool(question.program) and not question.hidden


def ask(question: Question, course: Course, chance: random.Random) -> Asked:
    """Shuffle the options of a question, or draw its numbers and compute the answer."""
    if question.program:
        return ask_number(question, course, _draw_leaves(question, chance))
    options = [question.right, *question.wrong]
    chance.shuffle(options)
    right = LETTERS[options.index(question.right)]
    return Asked(question, question.text, question.code, tuple(options), right, None, ())


def _draw_leaves(question: Question, chance: random.Random) -> dict[str, float]:
    """Draw a number for each leaf, different ones if possible, to tell them apart."""
    drawn: dict[str, float] = {}
    for name, numbers in question.leaves.items():
        drawn[name] = chance.choice(
            [number for number in numbers if number not in drawn.values()] or list(numbers)
        )
    return drawn


def ask_number(question: Question, course: Course, leaves: Mapping[str, float]) -> Asked:
    """Return the question about these leaves."""
    words = course.graph
    assert words is not None
    written = parse_program(question.program, leaves, words.node)
    steps, node, root = written.steps, written.names[question.node], written.root
    values, text, code = evaluate(steps), question.text, ""
    number, worked = (
        values[node],
        tuple(Worked(0, written.labels[ref], values[ref]) for ref in values),
    )
    if question.backward:
        worked = work_backward(steps, written.labels, root, question.backward)
        number = [cast(float, step.gradient) for step in worked if step.node == question.node][-1]
    if question.hidden:
        for name, drawn in leaves.items():
            text = text.replace(f"{{{name}}}", number_text(drawn))
    else:
        code = _code(question, words, leaves, written.labels[root])
    script = (
        *steps,
        *[Call(UNUSED, root, words.backward, [])] * question.backward,
        Read(node, words.gradient if question.backward else words.data, "number"),
    )
    return Asked(question, text, code, (), number_text(number), float(number), worked, script)


def _code(question: Question, words: Graph, leaves: Mapping[str, float], root: str) -> str:
    """Return the lines that a learner could paste to see the answer."""
    made = ", ".join(f"{words.node}({number})" for number in leaves.values())
    attribute = words.gradient if question.backward else words.data
    lines = [f"{', '.join(leaves)} = {made}", question.program.strip()]
    lines += [f"{root}.{words.backward}()"] * question.backward
    return "\n".join([*lines, f"{question.node}.{attribute}  # ?"])


def judge(asked: Asked, answer: str) -> bool:
    """Return whether an answer is right.

    It may be a letter or an option's text, a number (tolerance 0.1 %), or a fraction such as -1/3.
    Raise UsageError for a typo so that the question can be asked again.
    """
    text = answer.strip().casefold()
    if asked.number is not None:
        return math.isclose(_read_number(text), asked.number, rel_tol=1e-3, abs_tol=1e-9)
    options = [option.strip().casefold() for option in asked.options]
    letter = LETTERS[options.index(text)] if text in options else text.strip(" ().:")
    if letter not in [*LETTERS]:
        raise UsageError(f"{answer!r} is not one of the answers", "type one letter, a to d")
    return letter == asked.right


def record(home: Path, asked: Asked, *, correct: bool) -> str:
    """Remember whether the last answer was right. Return the reason if that is impossible."""
    ids = [asked.question.id]
    return change_names(home, "right", *([ids] if correct else [[], ids]))


def hint_for(asked: Asked) -> list[str]:
    """Return a hint that does not give the answer away: a wrong option, or the steps before it."""
    if asked.number is None:
        letter = next(letter for letter in LETTERS if letter != asked.right)
        return [f"It is not {letter})."]
    before = takewhile(lambda step: step.node != asked.question.node, asked.worked)
    return [step.line for step in before] or ["The first step already gives the answer."]


def _read_number(text: str) -> float:
    above, bar, below = text.replace("\N{MINUS SIGN}", "-").partition("/")
    try:
        number = float(above) / (float(below) if bar else 1.0)
    except (ValueError, ZeroDivisionError):
        number = math.nan
    if not math.isfinite(number):
        raise UsageError(f"{text!r} is not a number", "write it as 3, -0.25, 1e-3 or 1/3")
    return number
