"""Watch, quiz, predict and trace take the same keys at once, without Enter."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.curriculum.load import load_course
from grader.intake.functions import hash_of_functions
from grader.intake.read import read_submission
from grader.learner.progress import save_finished
from support import command, kit_folder
from support.terminal import WAIT, Terminal

pytestmark = pytest.mark.slow

COURSE = load_course()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A learner's folder with everything finished."""
    shutil.copytree(kit_folder("solutions"), tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture
def terminal(home: Path) -> Iterator[Callable[..., Terminal]]:
    """Runs `grade` in a terminal."""
    begun: list[Terminal] = []

    def begin(*words: str, columns: int = 80) -> Terminal:
        begun.append(Terminal(home, columns, *words))
        return begun[-1]

    yield begin
    for each in begun:
        each.close()


def test_a_question_takes_a_letter_and_the_keys_at_once(terminal: Callable[..., Terminal]) -> None:
    quiz = terminal("quiz", "phase4", "--seed", "7")
    quiz.until(lambda text: text.endswith("answer:"))
    quiz.press("a")
    quiz.until(lambda text: "2 of 8" in text and text.endswith("answer:"))
    quiz.press("n")
    quiz.until(lambda text: "3 of 8" in text and text.endswith("answer:"))
    quiz.press("l")
    quiz.until(lambda text: "8 phase4  to come" in text)
    quiz.press("q")
    assert "7 not answered" in quiz.until(lambda text: "again: grade quiz" in text)
    assert quiz.process.wait(WAIT) == 0
    assert quiz.settings() == quiz.before


def test_a_number_can_be_corrected_and_ends_with_enter(terminal: Callable[..., Terminal]) -> None:
    predict = terminal("predict", "phase5", "--seed", "7")
    predict.until(lambda text: text.endswith("answer:"))
    predict.press("18\x7f7")  # the answer is 17
    predict.until(lambda text: text.endswith("answer: 17"))
    assert "2 of 3" not in predict.text()
    predict.press("\n")
    predict.until(lambda text: "right" in text and "2 of 3" in text)
    predict.press("q")
    assert predict.process.wait(WAIT) == 0


def test_ctrl_c_ends_the_questions_with_the_sum(terminal: Callable[..., Terminal]) -> None:
    quiz = terminal("quiz", "phase4", "--seed", "7")
    quiz.until(lambda text: text.endswith("answer:"))
    quiz.process.send_signal(2)
    quiz.until(lambda text: "8 not answered" in text)
    assert quiz.process.wait(WAIT) == 0
    assert quiz.settings() == quiz.before


def test_ctrl_c_ends_the_questions_whatever_it_meets(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("grader.learner.quiz.quiz_screens.print_keys", stop)
    done = command.run("quiz", "phase4", "--seed", "7")
    assert done.returncode == 0
    assert "8 not answered" in done.stdout


def test_n_continues_a_trace_and_its_bar_disappears(terminal: Callable[..., Terminal]) -> None:
    trace = terminal("trace", "a*b + a", "--text")
    trace.until(lambda text: text.endswith("q quit"))
    trace.press("n")
    trace.until(lambda text: "2 > a*b is computed" in text and text.endswith("q quit"))
    trace.press("x")
    trace.press("q")
    assert trace.process.wait(WAIT) == 0
    assert "quit" not in trace.until(lambda text: "quit" not in text)
    assert "3 >" not in trace.text()


def test_a_message_of_the_watch_does_not_stay_behind(
    home: Path, terminal: Callable[..., Terminal]
) -> None:
    engine = home / "engine.py"
    source = engine.read_text(encoding="utf-8")
    engine.write_text(source.replace("self.grad += out.grad\n", "pass\n", 1), encoding="utf-8")
    watch = terminal("watch", "phase2")
    watch.until(lambda text: "q quit" in text)
    watch.press("n")
    watch.until(lambda text: "phase2 is not done yet" in text)
    watch.press("q")
    assert watch.process.wait(WAIT) == 0
    assert watch.until(lambda text: "is not done" not in text).endswith("q quit")


@pytest.mark.parametrize("columns", [40, 200])
def test_watch_starts_with_the_edited_phase_and_shows_the_whole_course(
    home: Path, terminal: Callable[..., Terminal], columns: int
) -> None:
    required = [stage for stage in COURSE.stages if not stage.optional]
    submission = read_submission(home, COURSE.files)
    code = {stage.id: hash_of_functions(submission, COURSE, stage) for stage in required}
    save_finished(home, required, code)
    train = home / "train.py"
    source = train.read_text(encoding="utf-8")
    train.write_text(source.replace(" return ", " return 0 * ", 1), encoding="utf-8")
    watch = terminal("watch", columns=columns)
    text = watch.until(lambda text: "q quit" in text)
    assert "✓1  ✓2  ✓3  ✓4  ✓5  ✓6  ✓7  ▸8" in text
    assert "7 of 8 phases pass" in text
