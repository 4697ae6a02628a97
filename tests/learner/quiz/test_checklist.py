"""The checklist: whose word ticks an item, and what takes it back."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from grader.intake.functions import hash_of_functions
from grader.intake.read import read_submission
from grader.intake.submission import Submission
from grader.learner.progress import Reached, save_progress
from grader.learner.quiz.checklist import Item, Known, find_items
from grader.learner.quiz.questions import Choice, load_quiz
from support import kit_folder
from support.command import run
from support.grading import COURSE, grade
from support.notebooks import notebook, saved

QUIZ = load_quiz(COURSE)
SOLUTIONS = read_submission(kit_folder("solutions"), COURSE.files)


def everything_passed() -> dict[str, Reached]:
    return {
        stage.id: Reached(
            stage.points,
            stage.points,
            done=True,
            sha256=SOLUTIONS.hash_of(COURSE.modules_until(stage)),
            passed=tuple(checkpoint.id for checkpoint in stage.checkpoints),
            code=hash_of_functions(SOLUTIONS, COURSE, stage),
        )
        for stage in COURSE.stages
    }


def items(known: Known, submission: Submission = SOLUTIONS) -> dict[str, Item]:
    return {item.id: item for item in find_items(COURSE, QUIZ, known, submission)}


def states(known: Known, submission: Submission = SOLUTIONS) -> dict[str, str]:
    return {id: item.state for id, item in items(known, submission).items()}


def test_an_item_of_the_required_phases_needs_all_its_checkpoints_but_no_extension() -> None:
    optional = {stage.id for stage in COURSE.stages if stage.optional}
    reached = {id: known for id, known in everything_passed().items() if id not in optional}
    assert states(Known(reached))["accumulate"] == "done"
    last = COURSE.proving("accumulate")[-1].id
    stage = COURSE.stage_of(last).id
    passed = tuple(id for id in reached[stage].passed if id != last)
    found = items(Known({**reached, stage: replace(reached[stage], passed=passed)}))["accumulate"]
    assert (found.state, found.total - found.passed) == ("open", 1)


def test_a_learners_own_tick_stays_until_every_question_on_the_item_was_answered_rightly() -> None:
    item = "understanding-modes"
    asked = [question.id for question in QUIZ.questions if question.checklist == item]
    for right, ticked, by, state in (
        (asked[1:], [], "quiz", "open"),
        (asked, [], "quiz", "done"),
        ([], [item], "word", "done"),
        (asked, [item], "quiz", "done"),
    ):
        found = items(Known({}, right, ticked))[item]
        assert (found.by, found.state) == (by, state)


@pytest.mark.slow
def test_code_that_is_named_or_in_a_notebook_is_graded_at_once(tmp_path: Path) -> None:
    item = "] I can make all the basic operations work"
    shown = run("checklist", "--at", kit_folder("solutions") / "engine.py", cwd=tmp_path).stdout
    assert f"[x{item}" in shown
    (tmp_path / "mine.ipynb").write_bytes(saved(notebook("class Value:\n")))
    assert f"[ {item}" in run("checklist", cwd=tmp_path).stdout


@pytest.mark.slow
def test_the_checklist_shows_all_three_marks_and_ticks_can_be_removed(tmp_path: Path) -> None:
    def shown(*words: str, typed: str = "") -> str:
        done = run(*words, cwd=tmp_path, typed=typed)
        assert done.returncode == 0
        return " ".join(done.stdout.split())

    home = shutil.copytree(kit_folder("solutions"), tmp_path / "exercises")
    save_progress(home, grade(home, ["1-3", "by-hand"]))
    asked = [each for each in QUIZ.questions if each.checklist == "understanding-memory"]
    (question,) = cast(list[Choice], asked)
    answered = shown("quiz", "understanding-memory", typed=f"{question.right}\n")
    assert "1 of 1 right" in answered
    after = shown("checklist", "--tick", "like-pytorch", "--tick", "understanding-modes")
    for told in (
        "[x] I can make all the basic operations work",
        "[q] I can say what a backward pass must keep",
        "[w] I can compare forward and reverse mode",
        "[w] I can run an expression in my engine and in PyTorch",
        "the quiz: 1 [w] yourself: 2",
    ):
        assert told in after
    assert "yourself: 1" in shown("checklist", "--untick", "like-pytorch")
    engine = home / "engine.py"
    source = engine.read_text(encoding="utf-8")
    engine.write_text(source + "\n# done\n", encoding="utf-8")
    assert "edited since" not in shown("checklist")
    engine.write_text(source.replace("other.data", "1 * other.data", 1), encoding="utf-8")
    assert "[~] I can make all the basic operations work: +, -, *, / and **. edited since it" in (
        shown("checklist")
    )
