"""`grade hint`: one function at a time, the one behind what fails."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.curriculum.load import load_course
from grader.learner.hints import find_pasted, find_topic
from support import changed, kit_folder
from support.command import run

COURSE = load_course()
SOURCE = changed()
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
    return run(*words).stdout


def write(home: Path, *pairs: tuple[str, str]) -> None:
    """Write the finished engine, with a mistake in it."""
    (home / "engine.py").write_text(changed(*pairs), encoding="utf-8")


def until(function: str) -> str:
    """Return the finished engine up to a function, whose stub and those below it are untouched."""
    stubs = (kit_folder("exercises") / "engine.py").read_text(encoding="utf-8")
    head = f"    def {function}("
    return SOURCE[: SOURCE.index(head)] + stubs[stubs.index(head) :]


def about(home: Path, word: str | None = None) -> str:
    return find_topic(COURSE, home, word).hints.function


def test_without_a_word_the_hint_is_about_the_next_stub(home: Path) -> None:
    assert about(home) == "Value.__init__"
    (home / "engine.py").write_text(until("__rsub__"), encoding="utf-8")
    shown("1-2")
    assert about(home) == "Value.__rsub__"


@pytest.mark.slow
def test_the_hint_is_about_the_first_failure_of_the_last_grading(home: Path) -> None:
    write(home, ("return other * self**-1", "return self / other"))
    shown("1-3")
    assert about(home) == "Value.__rtruediv__"
    assert "3 / a is not a / 3 (phase3.number-divided)" in shown("hint")
    write(home)
    shown("3")
    assert about(home) == "Value.build_topo"


def test_a_phase_that_is_blocked_leads_to_the_function_that_blocks_it(home: Path) -> None:
    write(home, (TIMES, TIMES.replace("+=", "=")))
    shown("5")
    assert about(home, "phase5") == "Value.__mul__"
    assert about(home, "phase5.diamond") == "Value.__mul__"
    assert about(home, "phase4") == "Value.build_topo"


def test_a_function_that_has_passed_already_is_not_in_question(home: Path) -> None:
    write(home, ("return self + other", "return other"))
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
    for word, level in (("Value.__rsub__", "1"), ("Value.__rsub__", "2"), ("Value.__neg__", "1")):
        assert re.findall(r"(\d) of 4: ", shown("hint", word))[-1] == level
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
    refused = run("hint", word)
    assert (refused.returncode, error in refused.stderr, advice in refused.stderr) == (
        2,
        True,
        True,
    )


def reported(text: str) -> Iterator[str]:
    """Yield the lines that a report prints about its first failure."""
    start = text.index("✗")
    yield from text[start : text.index("the whole story", start)].splitlines()


@pytest.mark.slow
def test_every_line_of_a_failure_leads_to_its_hint(home: Path) -> None:
    write(home, ("return other + (-self)", "return self - other"))
    lines = [line for line in reported(shown("3")) if len(line.split()) > 4]
    assert len(lines) > 3
    for line in lines:
        topic = find_pasted(COURSE, home, line)
        assert topic is not None, line
        assert topic.checkpoint == "phase3.number-minus"
    assert "1 of 4: idea" in shown("hint", "--symptom", "c.data is -3.0, and should be 3.0.")


@pytest.mark.parametrize(
    ("pasted", "checkpoint"),
    [
        ("phase2.backward", "phase2.backward"),
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


@pytest.mark.parametrize(
    ("file", "second", "all_of_them"), [("mine.ipynb", "2", False), ("notes.txt", "1", True)]
)
def test_hints_are_counted_next_to_a_notebook_and_can_all_be_shown_elsewhere(
    file: str, second: str, all_of_them: bool, home: Path
) -> None:
    for path in home.iterdir():
        path.unlink()
    (home / file).touch()
    first, again = (shown("hint", "Value.__mul__") for _ in range(2))
    assert "open now" not in first
    assert re.findall(r"(\d) of 4: ", again)[-1] == second
    assert ("next: grade hint Value.__mul__ --all\n" in first) == all_of_them
    assert "4 of 4" in shown("hint", "Value.__mul__", "--all")


def test_hints_that_cannot_be_counted_can_all_be_shown(home: Path) -> None:
    (home / ".grade").touch()
    assert "next: grade hint Value.__mul__ --all\n" in shown("hint", "Value.__mul__")


def test_a_proven_change_is_hinted_at_until_the_code_is_edited(home: Path) -> None:
    write(home, (TIMES, TIMES.replace("+=", "=")))
    shown("3")
    line = SOURCE.splitlines().index(TIMES) + 1
    first = shown("hint")
    assert f"In line {line} your code overwrites a value instead of updating it." in first
    assert "+ self.grad" not in first
    second = shown("hint", "phase3")
    assert "- self.grad = other.data * out.grad\n  + self.grad += other.data * out.grad" in second
    assert shown("hint", "--again") == second
    assert "1 of 4: idea" in shown("hint", "Value.__mul__")
    assert "2 of 4: direction" in shown("hint")
    assert "3 of 4: specific" in shown("hint", "phase3", "--all")
    with (home / "engine.py").open("a", encoding="utf-8") as engine:
        engine.write("# edited\n")
    edited = shown("hint")
    assert "your line: the code has changed since it was graded: grade phase3" in edited
    assert "overwrites" not in edited
