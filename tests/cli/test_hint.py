"""`grade hint`: one function at a time, the one behind what fails."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.cli.group import commands
from grader.curriculum.load import load_course
from grader.curriculum.model import HINT_LEVELS
from grader.errors import UsageError
from grader.learner.hints import find_pasted, find_topic
from support import kit_folder

COURSE = load_course()
SOURCE = (kit_folder("solutions") / "engine.py").read_text(encoding="utf-8")
TIMES = "            self.grad += other.data * out.grad"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A learner's folder with the untouched exercises, which is the current one."""
    folder = tmp_path / "exercises"
    ignored = shutil.ignore_patterns(".grade", "__pycache__")
    shutil.copytree(kit_folder("exercises"), folder, ignore=ignored)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    return folder


def shown(*words: str) -> str:
    done = CliRunner().invoke(commands, list(words), standalone_mode=False)
    assert done.exception is None, done.exception
    return done.stdout


def write(home: Path, old: str = "", new: str = "") -> None:
    """Write the finished engine, with a mistake in it."""
    assert old in SOURCE
    (home / "engine.py").write_text(
        SOURCE.replace(old, new, 1) if old else SOURCE, encoding="utf-8"
    )


def until(function: str) -> str:
    """Return the finished engine up to a function, whose stub and those below it are untouched."""
    stubs = (kit_folder("exercises") / "engine.py").read_text(encoding="utf-8")
    head = f"    def {function}("
    return SOURCE[: SOURCE.index(head)] + stubs[stubs.index(head) :]


def about(home: Path, word: str | None = None) -> str:
    return find_topic(COURSE, home, word).hints.function


def test_every_function_that_a_checkpoint_asks_for_has_four_levels() -> None:
    asked = {
        (stage.file, name)
        for stage in COURSE.stages
        for checkpoint in stage.checkpoints
        for name in checkpoint.methods
    }
    hinted = {(stage.file, hints.function) for stage in COURSE.stages for hints in stage.hints}
    assert asked == hinted
    assert len(hinted) > 70
    for stage in COURSE.stages:
        for hints in stage.hints:
            assert all(getattr(hints, level).strip() for level in HINT_LEVELS)


def test_without_a_word_the_hint_is_about_the_next_stub(home: Path) -> None:
    assert about(home) == "Value.__init__"
    (home / "engine.py").write_text(until("__rsub__"), encoding="utf-8")
    shown("1-2")
    assert about(home) == "Value.__rsub__"


@pytest.mark.slow
def test_the_hint_is_about_the_first_failure_of_the_last_grading(home: Path) -> None:
    write(home, "return other * self**-1", "return self / other")
    shown("1-3")
    assert about(home) == "Value.__rtruediv__"
    assert "3 / a is not a / 3 (phase3.number-divided)" in shown("hint")
    write(home)
    shown("3")
    assert about(home) == "Value.build_topo"


def test_a_phase_that_is_blocked_leads_to_the_function_that_blocks_it(home: Path) -> None:
    write(home, TIMES, TIMES.replace("+=", "="))
    shown("5")
    assert about(home, "phase5") == "Value.__mul__"
    assert about(home, "phase5.diamond") == "Value.__mul__"
    assert about(home, "phase4") == "Value.build_topo"


def test_a_function_that_has_passed_already_is_not_in_question(home: Path) -> None:
    write(home, "return self + other", "return other")
    shown("2")
    topic = find_topic(COURSE, home, None)
    assert (topic.hints.function, topic.checkpoint) == ("Value.__radd__", "phase2.number-left")
    assert topic.others == ("Value.__add__",)


def test_a_phase_that_passes_has_no_open_checkpoint(home: Path) -> None:
    write(home)
    shown("2")
    assert "1 of 4" in shown("hint", "phase2")
    assert "open now" not in shown("hint", "phase2")


def test_one_hint_gives_one_method_away_and_the_levels_are_counted_for_each() -> None:
    first = shown("hint", "phase3", "--all")
    assert "4 of 4: code" in first
    assert "self.grad += other.data * out.grad" in first
    assert "other + (-self)" not in first
    assert "1 of 4: idea" in shown("hint", "Value.__rsub__")
    assert "2 of 4: direction" in shown("hint", "Value.__rsub__")
    assert "2 of 4" not in shown("hint", "Value.__neg__")
    assert "next: grade hint batches" in shown("hint", "phase8.batches")


@pytest.mark.parametrize(
    ("word", "error", "advice"),
    [
        ("parameters", "several functions are called", "Neuron.parameters, Layer.parameters"),
        ("Value.__mull__", "there is no function 'Value.__mull__'", "did you mean Value.__mul__?"),
        ("phase33", "there is no phase 'phase33'", "did you mean phase3?"),
    ],
)
def test_an_unknown_function_is_refused(home: Path, word: str, error: str, advice: str) -> None:
    with pytest.raises(UsageError) as refused:
        find_topic(COURSE, home, word)
    assert error in refused.value.message
    assert advice in refused.value.hint


def reported(text: str) -> Iterator[str]:
    """Yield the lines that a report prints about its first failure."""
    start = text.index("✗")
    yield from text[start : text.index("try it", start)].splitlines()


@pytest.mark.slow
def test_every_line_of_a_failure_leads_to_its_hint(home: Path) -> None:
    write(home, "return other + (-self)", "return self - other")
    lines = [line for line in reported(shown("3")) if len(line.split()) > 4]
    assert len(lines) > 3
    for line in lines:
        topic = find_pasted(COURSE, home, line)
        assert topic is not None, line
        assert topic.checkpoint == "phase3.number-minus"
    assert "1 of 4: idea" in shown("hint", "--symptom", "c.data: got -3.0, expected 3.0")


@pytest.mark.parametrize(
    ("pasted", "checkpoint"),
    [
        ("waits for phase2.backward, as above", "phase2.backward"),
        ("✗ `a * a + a` has the gradient 2a + 1     0/1 failed", "phase5.square-plus"),
        ("half", None),
        ("the gradient is exactly half of the right one", None),
    ],
)
def test_a_checkpoint_in_a_pasted_line_is_found_without_a_report(
    home: Path, pasted: str, checkpoint: str | None
) -> None:
    topic = find_pasted(COURSE, home, pasted)
    assert (topic and topic.checkpoint) == checkpoint


def test_next_to_a_notebook_every_call_opens_the_next_hint(home: Path) -> None:
    for file in home.iterdir():
        file.unlink()
    (home / "mine.ipynb").touch()
    assert "2 of 4" not in shown("hint", "Value.__mul__")
    second = shown("hint", "Value.__mul__")
    assert ("2 of 4" in second, "3 of 4" in second) == (True, False)


def test_far_from_the_code_nothing_is_called_open_and_all_hints_can_be_shown(home: Path) -> None:
    for file in home.iterdir():
        file.unlink()
    first = shown("hint", "phase3")
    assert "open now" not in first
    assert "next: grade hint Value.__mul__ --all\n" in first
    assert "4 of 4" in shown("hint", "Value.__mul__", "--all")


def test_hints_that_cannot_be_counted_can_all_be_shown(home: Path) -> None:
    (home / ".grade").touch()
    assert "next: grade hint Value.__mul__ --all\n" in shown("hint", "Value.__mul__")
