"""Questions and symptoms: the files of the course are whole, drawn numbers have right answers,
answers are judged rightly.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import io
import itertools
import math
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest
from rich.console import Console

from grader.boundary.pool import ProcessHost
from grader.curriculum.load import load_course
from grader.errors import CourseError, UsageError
from grader.judge.oracle.expressions import Parsed
from grader.judge.oracle.gradients import evaluate, finite_difference
from grader.judge.oracle.paper import Worked, parse_program, work_backward
from grader.judge.oracle.programs import Program
from grader.learner.quiz.answering import (
    LETTERS,
    Asked,
    ask,
    ask_number,
    draw_session,
    hint_for,
    judge,
)
from grader.learner.quiz.own_engine import compute
from grader.learner.quiz.questions import Choice, Number, Quiz, Wording, load_quiz
from grader.learner.quiz.quiz_screens import hold_session
from grader.learner.quiz.symptoms import find_symptoms
from support import kit_folder

COURSE = load_course()
QUIZ = load_quiz(COURSE)
CHOICES = [question for question in QUIZ.questions if isinstance(question, Choice)]
NUMBERS = [question for question in QUIZ.questions if isinstance(question, Number)]
DRAWS = 20


def by_id(questions: list[Any]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("question", questions, ids=lambda question: question.id)


def reference_value() -> Any:
    """The class of the reference solution: the same facts by another way, reverse mode on real
    objects.
    """
    spec = importlib.util.spec_from_file_location(
        "reference_engine", kit_folder("solutions") / "engine.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Value


REFERENCE = reference_value()


# --- the course's questions ---


def test_there_are_enough_questions_of_both_kinds_and_for_every_phase() -> None:
    assert len(QUIZ.questions) >= 36
    assert len(NUMBERS) >= 12
    assert {question.phase for question in QUIZ.questions} == {
        stage.id for stage in COURSE.stages if not stage.optional
    }
    assert {question.level for question in QUIZ.questions} == {1, 2, 3}


def test_every_item_that_only_questions_support_has_a_question() -> None:
    assert set(QUIZ.checklist) - set(COURSE.checklist) <= {
        question.checklist for question in QUIZ.questions
    }


def test_the_right_answer_is_not_given_away_by_its_length() -> None:
    longest = [
        question.id for question in CHOICES if len(question.right) > max(map(len, question.wrong))
    ]
    assert len(longest) < len(CHOICES) / 4


@by_id(CHOICES)
def test_an_explanation_never_refers_to_an_answer_by_position(question: Choice) -> None:
    place = r"\b(first|second|third|fourth|last|former|latter) (answer|option)"
    assert re.search(rf"{place}|\b(answer|option) [a-d\d]\b", question.explanation) is None


@by_id(NUMBERS)
def test_the_answer_is_what_the_lines_give_in_the_reference_engine(question: Number) -> None:
    for seed in range(DRAWS):
        asked = ask(question, QUIZ.wording, random.Random(seed))
        assert asked.number == pytest.approx(
            by_running(question, asked, random.Random(seed)), rel=1e-9
        )


def by_running(question: Number, asked: Asked, chance: random.Random) -> float:
    if question.hidden:
        drawn: dict[str, Any] = {}
        for name, numbers in question.leaves:
            drawn[name] = chance.choice(
                [number for number in numbers if number not in drawn.values()] or numbers
            )
        exec(question.program, drawn)  # plain numbers suffice where no gradient is asked for
        return float(drawn[question.node])
    *lines, last = asked.code.splitlines()
    names: dict[str, Any] = {"Value": REFERENCE}
    exec("\n".join(lines), names)
    return float(eval(last, names))


@by_id([question for question in NUMBERS if question.backward == 1])
def test_the_gradient_agrees_with_finite_differences(question: Number) -> None:
    for seed in range(DRAWS):
        asked = ask(question, QUIZ.wording, random.Random(seed))
        written = parse_program(question.program, leaves_of(asked), "Value")
        want = finite_difference(written.steps, written.root, written.names[question.node])
        assert asked.number == pytest.approx(want, rel=1e-12, abs=1e-12)


def leaves_of(asked: Asked) -> dict[str, float]:
    assert isinstance(asked.question, Number)
    values = {step.node: step.value for step in asked.worked}
    return {name: values[name] for name, _ in asked.question.leaves}


@by_id(NUMBERS)
def test_every_draw_has_a_finite_answer_away_from_kinks(question: Number) -> None:
    names = [name for name, _ in question.leaves]
    answers = set()
    for numbers in itertools.product(*(numbers for _, numbers in question.leaves)):
        asked = ask_number(question, QUIZ.wording, dict(zip(names, numbers)))
        assert asked.number is not None
        assert math.isfinite(asked.number)
        written = parse_program(question.program, dict(zip(names, numbers)), "Value")
        for step in written.steps:
            if getattr(step, "method", "") == "relu":
                assert abs(evaluate(written.steps)[step.on]) > 0.01  # type: ignore[union-attr]
        answers.add(asked.right)
    assert len(answers) > 1, "an answer that never changes can be learnt by heart"


@pytest.mark.parametrize(
    ("name", "leaves", "answer"),
    [
        ("count-parameters", {"n": 2, "h": 16}, 337),
        ("two-factors", {"a": 2, "b": 3, "c": 4, "d": 5}, 31),
        ("central-difference", {"x": 2, "h": 0.5}, 12.25),
        ("one-step-down", {"t": 1, "w": 5, "r": 0.25}, 3),
        ("momentum-in-numbers", {"m": 0.9, "g": 2}, 5.42),
        ("adam-in-numbers", {"g": 5, "r": 0.1}, 0.1 * math.sqrt(10)),
        ("margin-gradient", {"y": -1, "s": 0.25}, 1),
        ("margin-gradient", {"y": 1, "s": 2}, 0),
        ("second-pass-two-paths", {"a": 2, "b": 4}, 14),
    ],
)
def test_some_answers_that_were_found_on_paper(
    name: str, leaves: dict[str, float], answer: float
) -> None:
    question = next(question for question in NUMBERS if question.id == name)
    assert ask_number(question, QUIZ.wording, leaves).number == pytest.approx(answer)


def test_a_text_that_is_wrapped_in_the_file_is_one_line(tmp_path: Path) -> None:
    wrapped = '"""\nWhat\nnow?\n"""'
    quiz = load(
        tmp_path,
        START + CHOICE.replace('"What?"', wrapped).replace('"That."', wrapped),
        SYMPTOM.replace('"This."', wrapped),
    )
    assert quiz.questions[0].text == quiz.questions[0].explanation == "What now?"
    assert quiz.symptoms[0].causes[0].text == "What now?"


def test_a_hidden_program_is_not_shown_and_its_numbers_stand_in_the_text() -> None:
    question = next(question for question in NUMBERS if question.id == "count-parameters")
    asked = ask_number(question, QUIZ.wording, {"n": 6, "h": 7})
    assert asked.code == ""
    assert asked.text.startswith("How many parameters does `MLP(6, [7, 7, 1])` have?")


def test_the_code_of_a_choice_is_python() -> None:
    for question in CHOICES:
        compile(question.code, question.id, "exec")


def test_the_loop_of_closures_prints_what_the_answer_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    question = next(question for question in CHOICES if question.id == "closures-in-a-loop")
    exec(question.code, {})
    assert capsys.readouterr().out.strip() == question.right


@pytest.mark.parametrize(
    ("name", "node"), [("assigned-share", ""), ("operand-changed-in-between", "a")]
)
def test_code_in_a_choice_runs_in_the_reference_engine(name: str, node: str) -> None:
    question = next(question for question in CHOICES if question.id == name)
    names: dict[str, Any] = {"Value": REFERENCE}
    exec(question.code, names)
    if node:
        assert names[node].grad == float(question.right.partition(":")[0])


# --- a session ---


def test_a_seed_gives_the_same_session_and_another_seed_another() -> None:
    first, again, other = (draw_session(QUIZ, random.Random(seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_a_session_goes_from_easy_to_hard_and_repeats_nothing() -> None:
    session = draw_session(QUIZ, random.Random(3), count=30)
    levels = [asked.question.level for asked in session]
    assert levels == sorted(levels)
    assert len({asked.question.id for asked in session}) == 30


def test_a_session_keeps_to_the_phases_that_were_asked_for() -> None:
    session = draw_session(QUIZ, random.Random(4), count=500, phases=["phase4", "phase5"])
    assert {asked.question.phase for asked in session} == {"phase4", "phase5"}
    assert len(session) == sum(
        question.phase in {"phase4", "phase5"} for question in QUIZ.questions
    )


@pytest.mark.parametrize(("count", "phases"), [(0, []), (3, ["phase99"])])
def test_a_session_without_a_question_is_refused(count: int, phases: list[str]) -> None:
    with pytest.raises(UsageError, match="no question"):
        draw_session(QUIZ, random.Random(0), count, phases)


def test_options_are_shuffled_so_that_every_letter_is_right_now_and_then() -> None:
    seen = [ask(CHOICES[0], QUIZ.wording, random.Random(seed)) for seed in range(60)]
    assert {asked.right for asked in seen} == set(LETTERS)
    for asked in seen:
        assert asked.options[LETTERS.index(asked.right)] == CHOICES[0].right
        assert sorted(asked.options) == sorted([CHOICES[0].right, *CHOICES[0].wrong])


def test_numbers_are_drawn_again_each_time() -> None:
    question = next(question for question in NUMBERS if question.id == "two-factors")
    assert len({ask(question, QUIZ.wording, random.Random(seed)).code for seed in range(30)}) > 10


# --- judging ---


def a_choice() -> Asked:
    return next(
        asked
        for seed in range(99)
        if (asked := ask(CHOICES[0], QUIZ.wording, random.Random(seed))).right == "b"
    )


@pytest.mark.parametrize(
    "answer", ["b", "B", " b ", "b)", "(b)", "b.", CHOICES[0].right, CHOICES[0].right.upper()]
)
def test_the_right_letter_is_right_in_every_form(answer: str) -> None:
    assert judge(a_choice(), answer)


@pytest.mark.parametrize("answer", ["a", "C", "d)", *CHOICES[0].wrong])
def test_every_other_letter_is_wrong(answer: str) -> None:
    assert not judge(a_choice(), answer)


@pytest.mark.parametrize("answer", ["", "e", "ab", "2", "?", "abcd"])
def test_a_letter_without_an_answer_is_asked_again(answer: str) -> None:
    with pytest.raises(UsageError, match="not one of the answers"):
        judge(a_choice(), answer)


def a_number(number: float) -> Asked:
    return dataclasses.replace(ask(NUMBERS[0], QUIZ.wording, random.Random(0)), number=number)


@pytest.mark.parametrize(
    ("number", "answer"),
    [
        (-1 / 3, "-1/3"),
        (-1 / 3, " - 1 / 3 ".replace("- 1", "-1")),
        (-1 / 3, "-0.3333"),
        (-1 / 3, "\N{MINUS SIGN}1/3"),
        (31.0, "31"),
        (31.0, "31.02"),
        (31.0, "+3.1e1"),
        (0.5, ".5"),
        (0.5, "1.5/3"),
        (0.0, "0"),
        (-0.0, "0.0"),
    ],
)
def test_a_number_is_right_in_every_form(number: float, answer: str) -> None:
    assert judge(a_number(number), answer)


@pytest.mark.parametrize(
    ("number", "answer"),
    [
        (31.0, "31.1"),
        (31.0, "-31"),
        (-1 / 3, "1/3"),
        (-1 / 3, "-0.33"),
        (0.0, "0.001"),
        (1e-4, "0"),
    ],
)
def test_a_number_that_is_off_is_wrong(number: float, answer: str) -> None:
    assert not judge(a_number(number), answer)


@pytest.mark.parametrize(
    "answer", ["", "b", "1/0", "nan", "inf", "1e999", "1/2/3", "2**3", "__import__('os')", "0,5"]
)
def test_a_text_that_is_not_a_number_is_asked_again(answer: str) -> None:
    with pytest.raises(UsageError, match="not a number"):
        judge(a_number(1.0), answer)


@by_id(list(QUIZ.questions))
def test_the_answer_that_is_shown_is_judged_right(question: Any) -> None:
    for seed in range(5):
        asked = ask(question, QUIZ.wording, random.Random(seed))
        assert judge(asked, asked.right)


# --- the backward pass by hand ---


def worked_backward(written: Parsed, runs: int) -> tuple[Worked, ...]:
    return work_backward(written.steps, written.labels, written.root, runs)


@pytest.mark.parametrize("depth", [1, 2, 3, 6])
def test_after_a_second_backward_a_leaf_k_operations_below_holds_k_plus_1_times_its_gradient(
    depth: int,
) -> None:
    lines = ["s1 = a * b", *(f"s{k} = s{k - 1} + {k}.5" for k in range(2, depth + 1))]
    worked = worked_backward(parse_program("\n".join(lines), {"a": 2.0, "b": -1.5}, "Value"), 2)
    held = {(step.run, step.node): step.gradient for step in worked}
    assert held[1, "a"] == -1.5
    assert held[2, "a"] == -1.5 * (depth + 1)


@by_id([question for question in NUMBERS if question.backward])
def test_the_worked_solution_ends_in_the_answer_and_adds_up(question: Number) -> None:
    asked = ask(question, QUIZ.wording, random.Random(5))
    root = asked.worked[0].node
    last = [step for step in asked.worked if step.node == question.node][-1]
    assert last.gradient == pytest.approx(asked.number)
    assert last.run == question.backward
    for step in asked.worked:
        total = step.before + sum(share.slope * share.upstream for share in step.shares)
        assert step.gradient == pytest.approx(1.0 if step.node == root else total)


def test_the_worked_solution_names_every_node_in_backward_order() -> None:
    written = parse_program("s = a * b\nf = (s + 1) * a", {"a": 2.0, "b": 3.0}, "Value")
    assert [step.node for step in worked_backward(written, 1)] == ["f", "s + 1", "s", "b", "a"]
    assert (
        worked_backward(written, 1)[-1].line
        == "a = 2, gradient 13 = 7 * 1 through f + 3 * 2 through s"
    )
    assert (
        worked_backward(written, 2)[-1].line
        == "a = 2, gradient 38 = 13 from before + 7 * 1 through f + 3 * 6 through s"
    )


def test_a_node_that_is_both_operands_gets_two_shares() -> None:
    last = worked_backward(parse_program("f = a * a", {"a": 3.0}, "Value"), 1)[-1]
    assert len(last.shares) == 2
    assert last.gradient == 6.0


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


def test_a_program_becomes_the_steps_that_a_suite_would_record() -> None:
    program = Program("Value")
    a, b = program.leaf(2.0), program.leaf(-3.0)
    program.apply(
        "+",
        program.apply("tanh", program.apply("*", a, b)),
        program.apply("neg", program.apply("**", a, 2)),
    )
    assert parse_program(
        "f = (a * b).tanh() + -a**2", {"a": 2.0, "b": -3.0}, "Value"
    ).steps == tuple(program.steps)


WORDING = '[wording]\nmake = "Value"\nbackward = "backward"\nvalue = "data"\ngradient = "grad"\n'
START = WORDING + '[checklist]\nown = "I can say it."\n'
COMMON = 'phase = "phase1"\nlevel = 1\nchecklist = "own"\ntext = "What?"\nexplanation = "That."\n'
CHOICE = f'[[question]]\nid = "q"\nkind = "choice"\n{COMMON}right = "1"\nwrong = ["2", "3", "4"]\n'
NUMBER = (
    f'[[question]]\nid = "n"\nkind = "number"\n{COMMON}program = "f = a * b"\nleaves = {{ a = [2,'
    ' 3], b = [4, 5] }\ngradient_of = "a"\n'
)
SYMPTOM = (
    "[[symptom]]\n"
    'id = "s"\n'
    'says = "It hurts."\n'
    "[[symptom.cause]]\n"
    'text = "This."\n'
    'checkpoint = "phase1.data"\n'
    'hint = "idea"\n'
)


def load(folder: Path, questions: str = START + CHOICE + NUMBER, symptoms: str = SYMPTOM) -> Quiz:
    (folder / "quiz.toml").write_text(questions, encoding="utf-8")
    (folder / "symptoms.toml").write_text(symptoms, encoding="utf-8")
    return load_quiz(dataclasses.replace(COURSE, folder=folder))


def test_a_small_course_loads(tmp_path: Path) -> None:
    quiz = load(tmp_path)
    assert [question.id for question in quiz.questions] == ["q", "n"]
    assert quiz.checklist["own"] == "I can say it."
    assert quiz.wording == Wording("Value", "backward", "data", "grad")
    assert quiz.symptoms[0].causes[0].phase == "phase1"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('id = "q"', 'id = ""'),
        ('id = "q"', 'id = "n"'),
        ('kind = "choice"', 'kind = "guess"'),
        ('kind = "choice"', "kind = []"),
        ('phase = "phase1"', 'phase = "phase99"'),
        ('checklist = "own"', 'checklist = "nobody"'),
        ("level = 1", "level = 4"),
        ("level = 1", "level = true"),
        ('text = "What?"', "text = 5"),
        ('explanation = "That."', ""),
        ('wrong = ["2", "3", "4"]', 'wrong = ["2", "3"]'),
        ('wrong = ["2", "3", "4"]', 'wrong = ["2", "3", "1"]'),
        ('wrong = ["2", "3", "4"]', 'wrong = ["2", "3", 4]'),
        ('right = "1"', 'right = "1"\nhint = "x"'),
        ('gradient_of = "a"', 'gradient_of = "c"'),
        ('gradient_of = "a"', 'gradient_of = "a"\nvalue_of = "f"'),
        ('gradient_of = "a"', 'gradient_of = "a"\nbackward = 0'),
        ('gradient_of = "a"', 'gradient_of = "a"\nbackward = 9'),
        ('gradient_of = "a"', 'gradient_of = "a"\nhidden = true'),
        ('gradient_of = "a"', 'value_of = "f"\nhidden = true'),
        ('gradient_of = "a"', 'value_of = "f"\nbackward = 1'),
        ('gradient_of = "a"', ""),
        ("a = [2, 3]", "a = [2]"),
        ("a = [2, 3]", "a = [2, 2]"),
        ("a = [2, 3]", 'a = [2, "3"]'),
        ("a = [2, 3]", "a = 2"),
        ('program = "f = a * b"', 'program = "f = a * a"'),
        ('make = "Value"', ""),
        ('make = "Value"', 'make = "Value"\nmore = "x"'),
        ('own = "I can say it."', "own = 5"),
        ("[wording]", "[words]"),
        ("[wording]", "[wording"),
    ],
)
def test_a_malformed_question_is_refused(tmp_path: Path, old: str, new: str) -> None:
    text = START + CHOICE + NUMBER
    assert old in text
    with pytest.raises(CourseError):
        load(tmp_path, text.replace(old, new, 1))


@pytest.mark.parametrize("program", ["f = a - b", "f = a / b", "f = -a * b"])
def test_a_question_about_a_second_pass_over_several_nodes_is_refused(
    tmp_path: Path, program: str
) -> None:
    number = NUMBER.replace("f = a * b", program)
    load(tmp_path, START + number)
    with pytest.raises(CourseError, match="how many nodes"):
        load(tmp_path, START + number + "backward = 2\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('id = "s"', 'id = "q"'),
        ('says = "It hurts."', ""),
        ('text = "This."', 'text = ""'),
        ("phase1.data", "phase1.nothing"),
        ("idea", "shout"),
        ("[[symptom.cause]]", "[symptom.cause]"),
        ("[[symptom]]", "[[sign]]"),
    ],
)
def test_a_malformed_symptom_is_refused(tmp_path: Path, old: str, new: str) -> None:
    with pytest.raises(CourseError):
        load(tmp_path, symptoms=SYMPTOM.replace(old, new, 1))


def test_a_course_may_do_without_questions_and_symptoms(tmp_path: Path) -> None:
    quiz = load_quiz(dataclasses.replace(COURSE, folder=tmp_path))
    assert (quiz.questions, quiz.symptoms, quiz.checklist) == ((), (), COURSE.checklist)


@pytest.mark.parametrize("word", ["make", "value", "backward"])
def test_a_question_with_a_program_needs_the_words_to_tell_it(tmp_path: Path, word: str) -> None:
    with pytest.raises(CourseError, match=word):
        load(
            tmp_path,
            re.sub(rf"^{word} = .*\n", "", START + CHOICE + NUMBER, count=1, flags=re.MULTILINE),
        )


# --- symptoms ---


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("takes too long", ["never-ends"]),
        ("gradient is zero", ["zero"]),
        ("half", ["half"]),
        ("a*a is wrong", ["half"]),
        ("2 - a is wrong", ["wrong-sign"]),
        ("y.grad is wrong expected 2.0 got 0.0", ["zero"]),
        (
            "y.grad: expected 2.0   got 1.0   (by finite differences, step 1e-20, 50 digits)",
            ["half"],
        ),
        ("y.grad: got 1.0, expected 2.0", ["half"]),
        ("print(b.grad)  # gives -8.0, should give 8.0", ["wrong-sign"]),
        ("a.grad: expected 0.0   got 2.0", []),
        ("my loss is nan", ["loss-is-nan"]),
        ("it is wrong", []),
        ("xyzzy", []),
        ("", []),
    ],
)
def test_only_matching_symptoms_are_shown(typed: str, found: list[str]) -> None:
    assert [symptom.id for symptom in find_symptoms(QUIZ, typed)] == found


@pytest.mark.parametrize("symptom", QUIZ.symptoms, ids=lambda symptom: symptom.id)
def test_a_symptom_is_found_first_by_its_own_sentence(symptom: Any) -> None:
    assert find_symptoms(QUIZ, symptom.says)[0] == symptom


def test_questions_never_load_the_heavy_libraries() -> None:
    program = (
        "import sys, grader.learner.quiz.answering; print(sorted({'pytest', 'hypothesis', 'mpmath',"
        " 'nbformat'} &"
        " set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_session_explains_each_answer_and_repeats_after_invalid_input() -> None:
    session = draw_session(QUIZ, random.Random(3), 4, ["phase4"])
    written = io.StringIO()
    wrong = next(letter for letter in LETTERS if letter != session[1].right)
    typed = iter([session[0].right, "perhaps", wrong, None])
    found = list(hold_session(session, Console(file=written, width=200), lambda _keys: next(typed)))
    assert found == [(session[0], True), (session[1], False)]
    shown = written.getvalue()
    assert all(asked.question.explanation[:30].replace("`", "") in shown for asked in session[:2])
    assert "'perhaps' is not one of the answers; type one letter" in shown
    assert "not quite" in shown
    assert "3 of 4" in shown
    assert session[3].question.explanation[:30] not in shown


def test_the_keys_of_a_session_are_those_of_the_watch() -> None:
    session = draw_session(QUIZ, random.Random(3), 4, ["phase4"])
    written = io.StringIO()
    typed = iter(["h", "", "n", session[1].right, "L", "Q", session[2].right])
    found = list(hold_session(session, Console(file=written, width=200), lambda _keys: next(typed)))
    assert found == [(session[1], True)]
    shown = written.getvalue()
    assert shown.count("1 of 4: phase4") == 2  # an empty line shows it again
    marks = [line.split()[0] for line in shown.splitlines() if re.match("  . [1-4] phase4", line)]
    assert len(marks) == 4
    assert marks[0] == marks[2] == marks[3] != marks[1]
    assert "4 of 4" not in shown


def test_a_hint_leaves_the_answer_open() -> None:
    for seed in range(30):
        for asked in draw_session(QUIZ, random.Random(seed), 8):
            lines = hint_for(asked)
            if asked.number is None:
                assert lines[0] != f"It is not {asked.right})."
            else:
                node = cast(Number, asked.question).node
                assert not any(line.startswith(f"{node} = ") for line in lines)


def predicted(folder: Path, *typed: str, source: str = "") -> str:
    """Return the screen of a prediction in phase 5 on an engine, once this has been typed."""
    solutions = (COURSE.solutions / "engine.py").read_text(encoding="utf-8")
    (folder / "engine.py").write_text(source or solutions, encoding="utf-8")
    session = draw_session(QUIZ, random.Random(3), 1, ["phase5"], graphs=True)
    assert session[0].code.startswith("a = Value(")
    written, answers = io.StringIO(), iter(typed)
    with ProcessHost(__file__) as host:
        found = hold_session(
            session,
            Console(file=written, width=200),
            lambda _keys: next(answers),
            lambda asked: compute(asked, COURSE, folder, host),
        )
        assert len(list(found)) == 1
    return written.getvalue()


def test_a_prediction_is_shown_next_to_the_number_of_the_learner_s_engine(tmp_path: Path) -> None:
    source = (COURSE.solutions / "engine.py").read_text(encoding="utf-8")
    right = draw_session(QUIZ, random.Random(3), 1, ["phase5"], graphs=True)[0].right
    line = f"predicted 77   your engine {right}   right {right}"
    assert line in predicted(tmp_path, "77")
    wrong = source.replace("self.grad = 1.0", "self.grad = 0.0")
    assert f"predicted 77   your engine 0   right {right}" in predicted(
        tmp_path, "77", source=wrong
    )


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            "        topo = self.build_topo()\n",
            "        raise NotImplementedError\n",
            "NotImplementedError",
        ),
        ("self.grad = 1.0", "while True: pass", "does not end"),
        ("        self.grad = 0.0", '        self.grad = ""', "TypeError"),
        ("import math", "import math(", "not valid Python"),
    ],
)
def test_an_engine_that_cannot_compute_a_prediction_says_why(
    tmp_path: Path, old: str, new: str, reason: str
) -> None:
    source = (COURSE.solutions / "engine.py").read_text(encoding="utf-8")
    assert old in source
    shown = predicted(tmp_path, "77", source=source.replace(old, new, 1))
    assert "your engine cannot compute this yet: " in shown
    assert reason in shown
    assert "predicted 77   right" in shown


def test_predictions_show_a_program_and_ask_for_a_number() -> None:
    for seed in range(20):
        session = draw_session(QUIZ, random.Random(seed), 3, ["phase5"], graphs=True)
        assert len(session) == 3
        assert all(asked.number is not None and asked.code for asked in session)
    with pytest.raises(UsageError):
        draw_session(QUIZ, random.Random(0), 3, ["phase1"], graphs=True)
