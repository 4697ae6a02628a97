"""Watch, quiz, predict and trace take the same keys at once, without Enter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.intake.functions import hash_of_functions
from grader.intake.read import read_submission
from grader.learner.progress import save_finished
from support import changed, hand_in
from support.grading import COURSE
from support.terminal import WAIT, Terminal

pytestmark = pytest.mark.slow


Begin = Callable[..., Terminal]


def test_a_question_takes_a_letter_and_the_keys_at_once(terminal: Begin) -> None:
    quiz = terminal("quiz", "phase4", "--seed", "7")
    quiz.talk(
        ("answer:$", "a"),
        ("2 of 8.*answer:$", "n"),
        ("3 of 8.*answer:$", "l"),
        ("8 phase4  to come", ""),
    )
    quiz.quit("answer:$")
    quiz.talk(("7 not answered.*again: grade quiz", ""))


def test_a_number_can_be_corrected_and_ends_with_enter(terminal: Begin) -> None:
    predict = terminal("predict", "phase5", "--seed", "7")
    predict.talk(("answer:$", "18\x7f7"))  # the answer is 17
    assert "2 of 3" not in predict.talk(("answer: 17$", "\n"))
    predict.quit("right.*2 of 3")


def test_ctrl_c_ends_the_questions_with_the_sum(terminal: Begin) -> None:
    quiz = terminal("quiz", "phase4", "--seed", "7")
    quiz.talk(("answer:$", ""))
    quiz.process.send_signal(2)
    quiz.talk(("8 not answered", ""))
    assert (quiz.process.wait(WAIT), quiz.is_changed()) == (0, False)


@pytest.mark.usefixtures("home")
def test_n_continues_a_trace_and_its_bar_disappears(terminal: Begin) -> None:
    trace = terminal("trace", "a*b + a", "--text")
    trace.talk(("q quit$", "n"), ("2 > a\\*b is computed.*q quit$", "x"))
    trace.quit("q quit$")
    assert "3 >" not in trace.until(lambda text: "quit" not in text)


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
    assert "✓1  ✓2  ✓3  ✓4  ✓5  ✓6  ✓7  ▸8" in text
    assert "7 of 8 phases pass" in text
