"""Watch, quiz, predict and trace take the same keys at once, without Enter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.intake.functions import hash_of_functions
from grader.intake.read import read_submission
from grader.learner.progress import save_finished
from support import changed, hand_in, tells
from support.grading import COURSE
from support.terminal import WAIT, Terminal

pytestmark = pytest.mark.slow


Begin = Callable[..., Terminal]


TALKS: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "a question takes a letter and the keys": (
        "quiz phase4 --seed 7",
        [
            ("answer:$", "a"),
            ("2 of 8.*answer:$", "n"),
            ("3 of 8.*answer:$", "l"),
            ("8 phase4  to come", ""),
            ("answer:$", "q"),
            ("7 not answered.*again: grade quiz", ""),
        ],
    ),
    "a number can be corrected and ends with Enter": (
        "predict phase5 --seed 7",
        [
            ("answer:$", "18\x7f7"),  # the answer is 17
            (r"\A(?!.*2 of 3).*answer: 17$", "\n"),
            ("right.*2 of 3", "q"),
        ],
    ),
    "n continues a trace, and its bar disappears": (
        "trace a*b+a --text",
        [
            ("q quit$", "n"),
            (r"2 > a\*b is computed.*q quit$", "x"),
            ("q quit$", "q"),
            (r"\A(?!.*(quit|3 >))", ""),
        ],
    ),
}


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(("words", "steps"), TALKS.values(), ids=TALKS)
def test_keys_are_taken_at_once_and_the_terminal_is_left_as_it_was(
    terminal: Begin, words: str, steps: list[tuple[str, str]]
) -> None:
    talked = terminal(*words.split())
    talked.talk(*steps)
    assert (talked.process.wait(WAIT), talked.is_changed()) == (0, False)


def test_ctrl_c_ends_the_questions_with_the_sum(terminal: Begin) -> None:
    quiz = terminal("quiz", "phase4", "--seed", "7")
    quiz.talk(("answer:$", ""))
    quiz.process.send_signal(2)
    quiz.talk(("8 not answered", ""))
    assert (quiz.process.wait(WAIT), quiz.is_changed()) == (0, False)


@pytest.mark.parametrize("columns", [40, 200])
def test_watch_starts_with_the_edited_phase_and_shows_the_whole_course(
    home: Path, terminal: Begin, columns: int
) -> None:
    required = [stage for stage in COURSE.stages if not stage.optional]
    submission = read_submission(home, COURSE.files)
    code = {stage.id: hash_of_functions(submission, COURSE, stage) for stage in required}
    save_finished(home, required, code)
    hand_in(home, changed((" return ", " return 0 * "), file="train.py"), "train.py")
    text = terminal("watch", columns=columns).talk(("q quit", ""))
    tells(text, "✓1  ✓2  ✓3  ✓4  ✓5  ✓6  ✓7  ▸8", "7 of 8 phases pass")
