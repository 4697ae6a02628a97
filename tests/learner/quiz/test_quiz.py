"""Questions and symptoms: the files of the course are whole, drawn numbers have right answers,
answers are judged rightly.
"""

from __future__ import annotations

import dataclasses
import itertools
import random
import runpy
from pathlib import Path
from typing import Any

import pytest

from grader.errors import CourseError, UsageError
from grader.judge.oracle.paper import parse_program, work_backward
from grader.learner.quiz.answering import Asked, ask, ask_number, draw_session, hint_for, judge
from grader.learner.quiz.questions import Question, Quiz, load_quiz
from support import kit_folder, put
from support.grading import COURSE

QUIZ = load_quiz(COURSE)
CHOICES = [question for question in QUIZ.questions if not question.program]
NUMBERS = [question for question in QUIZ.questions if question.program]


def by_id(questions: list[Any]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("question", questions, ids=lambda question: question.id)


# the same facts by another way: reverse mode on real objects
REFERENCE = runpy.run_path(str(kit_folder("solutions") / "engine.py"))["Value"]


# --- the course's questions ---


@by_id(NUMBERS)
def test_the_answer_is_what_the_lines_give_in_the_reference_engine(question: Question) -> None:
    names, answers = list(question.leaves), set()
    for numbers in itertools.product(*question.leaves.values()):
        leaves = dict(zip(names, numbers))
        asked = ask_number(question, COURSE, leaves)
        assert asked.number == pytest.approx(by_running(question, asked, leaves), rel=1e-9)
        last = [step for step in asked.worked if step.node == question.node]
        assert not question.backward or last[-1].gradient == pytest.approx(asked.number)
        answers.add(asked.right)
    assert len(answers) > 1, "an answer that never changes can be learnt by heart"


def by_running(question: Question, asked: Asked, leaves: dict[str, float]) -> float:
    if question.hidden:  # plain numbers suffice where no gradient is asked for
        names: dict[str, Any] = dict(leaves)
        exec(question.program, names)
        return float(names[question.node])
    *lines, last = asked.code.splitlines()
    names = {"Value": REFERENCE}
    exec("\n".join(lines), names)
    return float(eval(last, names))


def test_a_hidden_program_is_not_shown_and_its_numbers_stand_in_the_text() -> None:
    question = next(question for question in NUMBERS if question.id == "count-parameters")
    asked = ask_number(question, COURSE, {"n": 6, "h": 7})
    told = "How many parameters does `MLP(6, [7, 7, 1])` have?"
    assert (asked.code, asked.text[: len(told)]) == ("", told)


# --- a session ---


def test_a_seed_gives_the_same_session_from_easy_to_hard_without_repeats() -> None:
    session, again, other = (
        draw_session(COURSE, [], random.Random(seed), 30) for seed in (1, 1, 2)
    )
    assert session == again != other
    levels = [asked.question.level for asked in session]
    assert levels == sorted(levels)
    assert len({asked.question.id for asked in session}) == 30


def test_a_session_keeps_to_the_phases_that_were_asked_for() -> None:
    phases = ["phase4", "phase5"]
    session = draw_session(COURSE, phases, random.Random(4), 500)
    fitting = {question.id for question in QUIZ.questions if question.phase in phases}
    assert {asked.question.id for asked in session} == fitting


@pytest.mark.parametrize(("phase", "graphs"), [("ext6", False), ("phase1", True)])
def test_a_session_without_a_question_is_refused(phase: str, graphs: bool) -> None:
    with pytest.raises(UsageError, match="no question"):
        draw_session(COURSE, [phase], random.Random(0), 3, graphs=graphs)


# --- judging ---


def a_number(number: float) -> Asked:
    return dataclasses.replace(ask(NUMBERS[0], COURSE, random.Random(0)), number=number)


DRAWN = (ask(CHOICES[0], COURSE, random.Random(seed)) for seed in range(99))
B = next(asked for asked in DRAWN if asked.right == "b")
THIRD, TINY, ZERO = map(a_number, (-1 / 3, 1e-4, 0.0))
RIGHT = [
    *((B, typed) for typed in ("b", "B", " b ", "b)", "(b)", "b.")),
    *((THIRD, typed) for typed in ("-1/3", " -1 / 3 ", "-0.3333", "\N{MINUS SIGN}1/3")),
    *((a_number(31.0), typed) for typed in ("31", "31.02", "+3.1e1")),
    *((a_number(0.5), typed) for typed in (".5", "1.5/3")),
    *((number, typed) for number in (ZERO, a_number(-0.0)) for typed in ("0", "0.0")),
]
OFF = [
    *((B, typed) for typed in ("a", "C", "d)")),
    *((a_number(31.0), typed) for typed in ("31.1", "-31")),
    *((THIRD, "1/3"), (THIRD, "-0.33"), (ZERO, "0.001"), (TINY, "0")),
]


@pytest.mark.parametrize("right", [True, False])
def test_an_answer_is_right_in_every_form_and_wrong_if_it_is_off(right: bool) -> None:
    for asked, typed in RIGHT if right else OFF:
        assert judge(asked, typed) is right, typed


@pytest.mark.parametrize(
    ("asked", "typed"),
    [
        *((B, typed) for typed in ("", "e", "ab", "2", "?", "abcd")),
        *((THIRD, typed) for typed in ("", "b", "1/0", "nan", "inf", "1e999", "1/2/3", "2**3")),
        *((THIRD, typed) for typed in ("__import__('os')", "0,5")),
    ],
)
def test_what_is_no_answer_is_asked_again(asked: Asked, typed: str) -> None:
    with pytest.raises(UsageError, match=r"not one of the answers|not a number"):
        judge(asked, typed)


@by_id(list(QUIZ.questions))
def test_the_answer_that_is_shown_is_judged_right(question: Any) -> None:
    for seed in range(5):
        asked = ask(question, COURSE, random.Random(seed))
        assert judge(asked, asked.right)


# --- the backward pass by hand ---


@pytest.mark.parametrize(
    ("program", "runs", "last"),
    [
        ("f = a * a", 1, "a = 2, gradient 4 = 2 * 1 through f + 2 * 1 through f"),
        ("s = a * b\nf = (s + 1) * a", 1, "a = 2, gradient 13 = 7 * 1 through f + 3 * 2 through s"),
        (
            "s = a * b\nf = (s + 1) * a",
            2,
            "a = 2, gradient 38 = 13 from before + 7 * 1 through f + 3 * 6 through s",
        ),
    ],
)
def test_the_worked_solution_adds_up_every_share(program: str, runs: int, last: str) -> None:
    leaves = {"a": 2.0, "b": 3.0} if "b" in program else {"a": 2.0}
    written = parse_program(program, leaves, "Value")
    assert work_backward(written.steps, written.labels, written.root, runs)[-1].line == last


# --- programs and files that are refused ---


@pytest.mark.parametrize(
    "source",
    [
        "f = a +",
        "f = __import__('os')",
        "f = a.__class__",
        "f = a.backward()",
        "f = a.tanh(1)",
        "f = tanh(a)",
        "f = a // b",
        "f = a % b",
        "f = a if b else a",
        "f = a and b",
        "f = a < b",
        "f = [a, b][0]",
        "f = a ** b",
        "f = 2 ** a + b",
        "f = a * True + b",
        "f = a * 1j + b",
        "f = a * 'x' + b",
        "f = a + c",
        "f = +a + b",
        "f = g = a + b",
        "f, g = a, b",
        "f += a",
        "f = a",
        "a = a + b",
        "a + b",
        "import os",
        "f = lambda: a",
        "f = a * 2",
        "s = a + b\nf = a * b",
        "f = a / (b - b)",
        "f = (a * b * 1000).exp()",
        "f = (b - a - 9) ** 0.5",
        "",
    ],
)
def test_a_program_that_is_not_plain_arithmetic_over_all_its_leaves_is_refused(source: str) -> None:
    with pytest.raises(CourseError):
        parse_program(source, {"a": 2.0, "b": 3.0}, "Value")


START = '[checklist]\nown = "I can say it."\n'
COMMON = 'phase = "phase1"\nlevel = 1\nchecklist = "own"\ntext = "What?"\nexplanation = "That."\n'
CHOICE = f'[[question]]\nid = "q"\n{COMMON}right = "1"\nwrong = ["2", "3", "4"]\n'
NUMBER = (
    f'[[question]]\nid = "n"\n{COMMON}backward = 1\nprogram = "f = a * b"\nnode = "a"\n'
    "leaves = { a = [2, 3], b = [4, 5] }\n"
)
SYMPTOM = (
    "[[symptom]]\n"
    'id = "s"\n'
    'says = "It hurts."\n'
    "[[symptom.cause]]\n"
    'text = "This."\n'
    'checkpoint = "phase1.data"\n'
)
SMALL = START + CHOICE + NUMBER + SYMPTOM


def load(folder: Path, text: str) -> Quiz:
    """Load a course with these questions and symptoms."""
    questions, _, symptoms = text.partition("[[s")
    put(folder, {"quiz.toml": questions, "symptoms.toml": f"[[s{symptoms}"})
    return load_quiz(dataclasses.replace(COURSE, folder=folder))


def test_a_small_course_loads_and_a_wrapped_text_is_one_line(tmp_path: Path) -> None:
    quiz = load(tmp_path, SMALL.replace('"What?"', '"""\nWhat\nnow?\n"""'))
    assert [(question.id, question.text) for question in quiz.questions] == [
        ("q", "What now?"),
        ("n", "What now?"),
    ]
    assert quiz.checklist["own"] == "I can say it."
    assert quiz.symptoms[0].cause[0].checkpoint == "phase1.data"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('id = "q"', 'id = ""'),
        ('id = "q"', 'id = "n"'),
        ('phase = "phase1"', 'phase = "phase99"'),
        ('checklist = "own"', 'checklist = "nobody"'),
        ("level = 1", "level = true"),
        ('text = "What?"', "text = 5"),
        ('explanation = "That."', ""),
        ('wrong = ["2", "3", "4"]', 'wrong = ["2", "3"]'),
        ('wrong = ["2", "3", "4"]', 'wrong = ["2", "3", "1"]'),
        ('wrong = ["2", "3", "4"]', 'wrong = ["2", "3", 4]'),
        ('right = "1"', 'right = "1"\nhint = "x"'),
        ('right = "1"', 'right = "1"\nkind = "choice"'),
        ('node = "a"', 'node = "c"'),
        ('node = "a"', ""),
        ("backward = 1", "backward = 1\nhidden = true"),
        ("backward = 1", "hidden = true"),
        ("a = [2, 3]", 'a = [2, "3"]'),
        ("a = [2, 3]", "a = 2"),
        ('program = "f = a * b"', 'program = "f = a * a"'),
        # how many nodes these have is each engine's business, and a second pass counts them
        ('backward = 1\nprogram = "f = a * b"', 'backward = 2\nprogram = "f = a - b"'),
        ('backward = 1\nprogram = "f = a * b"', 'backward = 2\nprogram = "f = a / b"'),
        ('backward = 1\nprogram = "f = a * b"', 'backward = 2\nprogram = "f = -a * b"'),
        ('own = "I can say it."', "own = 5"),
        ("[checklist]", "[words]\n[checklist]"),
        ("[checklist]", "[checklist"),
        ('says = "It hurts."', ""),
        ('text = "This."', 'text = ""'),
        ("phase1.data", "phase1.nothing"),
        ("[[symptom.cause]]", "[symptom.cause]"),
        ("[[symptom]]", "[[sign]]"),
    ],
)
def test_a_malformed_question_or_symptom_is_refused(tmp_path: Path, old: str, new: str) -> None:
    assert old in SMALL
    with pytest.raises(CourseError):
        load(tmp_path, SMALL.replace(old, new, 1))


def test_a_hint_leaves_the_answer_open() -> None:
    for seed in range(30):
        for asked in draw_session(COURSE, [], random.Random(seed), 8):
            lines = hint_for(asked)
            if asked.number is None:
                assert lines[0] != f"It is not {asked.right})."
            else:
                node = asked.question.node
                assert not any(line.startswith(f"{node} = ") for line in lines)
