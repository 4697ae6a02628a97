"""The checklist: whose word ticks an item, and what takes it back."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from grader.authoring.course_files import check_files
from grader.curriculum.load import load_course
from grader.errors import UsageError
from grader.intake.functions import hash_of_functions
from grader.intake.read import read_submission
from grader.intake.submission import Submission
from grader.learner.progress import RIGHT, TICKED, Reached, load_progress, save_progress
from grader.learner.quiz.checklist import Item, Known, find_items, refuse_what_code_proves
from grader.learner.quiz.questions import Choice, load_quiz
from support import kit_folder
from support.grading import grade

COURSE = load_course()
QUIZ = load_quiz(COURSE)
SOLUTIONS = read_submission(kit_folder("solutions"), COURSE.files)
NOTHING = Known({})


def everything_passed() -> dict[str, Reached]:
    return {
        stage.id: Reached(
            SOLUTIONS.hash_of(COURSE.modules_until(stage)),
            stage.points,
            stage.points,
            done=True,
            passed=tuple(checkpoint.id for checkpoint in stage.checkpoints),
            code=hash_of_functions(SOLUTIONS, COURSE, stage),
        )
        for stage in COURSE.stages
    }


def items(known: Known, submission: Submission = SOLUTIONS) -> dict[str, Item]:
    return {item.id: item for item in find_items(COURSE, QUIZ, known, submission)}


def edited(module: str) -> Submission:
    return replace(
        SOLUTIONS,
        files=tuple(
            replace(file, source=file.source.replace(b" return ", b" return  ", 1))
            if file.module == module
            else file
            for file in SOLUTIONS.files
        ),
    )


def test_every_item_is_there_once_and_open_in_the_beginning() -> None:
    found = find_items(COURSE, QUIZ, NOTHING, SOLUTIONS)
    assert [item.id for item in found] == list(
        dict.fromkeys([*COURSE.checklist, *QUIZ.checklist, *COURSE.own_word])
    )
    assert {item.state for item in found} == {"open"}
    assert {item.by for item in found} == {"code", "quiz", "word"}


def test_every_item_is_in_the_voice_of_the_learner() -> None:
    assert [
        item.text
        for item in find_items(COURSE, QUIZ, NOTHING, SOLUTIONS)
        if item.text[:6] != "I can "
    ] == []


def test_only_checkpoints_tick_items_that_code_proves() -> None:
    everything = {*QUIZ.checklist, *COURSE.own_word, *(question.id for question in QUIZ.questions)}
    found = items(Known(everything_passed(), (), ()))
    assert {item.id for item in found.values() if item.state == "done"} == set(COURSE.checklist)
    found = items(Known({}, everything, everything))
    assert {item.id for item in found.values() if item.state == "done"} == {
        *QUIZ.checklist,
        *COURSE.own_word,
    } - {*COURSE.checklist}


def test_an_item_of_the_required_phases_does_not_need_an_extension() -> None:
    optional = {stage.id for stage in COURSE.stages if stage.optional}
    reached = {id: known for id, known in everything_passed().items() if id not in optional}
    found = items(Known(reached))
    still = {item.id for item in found.values() if item.by == "code" and item.state == "open"}
    assert still == {
        name
        for name in COURSE.checklist
        if all(COURSE.stage_of(c.id).optional for c in COURSE.proving(name))
    }
    assert {"accumulate", "gradient-check", "draw-a-graph"} & still == set()


def test_without_one_of_its_checkpoints_an_item_is_open() -> None:
    reached = everything_passed()
    last, *_ = reversed(COURSE.proving("accumulate"))
    stage = COURSE.stage_of(last.id)
    passed = tuple(id for id in reached[stage.id].passed if id != last.id)
    found = items(Known({**reached, stage.id: replace(reached[stage.id], passed=passed)}))[
        "accumulate"
    ]
    assert (found.state, found.passed, found.total) == (
        "open",
        found.total - 1,
        len(COURSE.proving("accumulate")),
    )


def test_an_edit_affects_only_items_that_depend_on_that_file() -> None:
    known = Known(everything_passed())
    after = items(known, edited("train"))
    assert after["loss-decreases"].state == "changed"
    assert after["backward-works"].state == "done"
    after = items(known, edited("engine"))
    assert after["backward-works"].state == "changed"
    assert after["by-hand"].state == "done"


def test_the_quiz_ticks_once_every_question_on_the_item_was_answered_rightly() -> None:
    asked = [
        question.id for question in QUIZ.questions if question.checklist == "understanding-modes"
    ]
    assert len(asked) > 1
    found = items(Known({}, asked[1:]))["understanding-modes"]
    assert (found.by, found.state, found.passed, found.total) == (
        "quiz",
        "open",
        len(asked) - 1,
        len(asked),
    )
    assert items(Known({}, asked))["understanding-modes"].state == "done"


def test_a_learners_own_tick_stays_until_the_quiz_decides() -> None:
    asked = [
        question.id for question in QUIZ.questions if question.checklist == "understanding-modes"
    ]
    assert items(Known({}, (), ["understanding-modes"]))["understanding-modes"].by == "word"
    assert items(Known({}, asked, ["understanding-modes"]))["understanding-modes"].by == "quiz"


@pytest.mark.parametrize(
    ("name", "hint"), [("accumulate", "type: grade phase"), ("nonsense", "grade checklist shows")]
)
def test_items_that_code_proves_and_unknown_ones_cannot_be_ticked(name: str, hint: str) -> None:
    refuse_what_code_proves(COURSE, QUIZ, ["like-pytorch", "understanding-modes"])
    with pytest.raises(UsageError, match=name) as refused:
        refuse_what_code_proves(COURSE, QUIZ, ["like-pytorch", name])
    assert refused.value.hint.startswith(hint)


def test_saved_answers_are_read_back_and_damaged_ones_are_ignored(tmp_path: Path) -> None:
    assert (RIGHT.load(tmp_path), TICKED.load(tmp_path)) == (set(), set())
    RIGHT.save(tmp_path, {"b", "a"})
    TICKED.save(tmp_path, ["c"])
    assert (RIGHT.load(tmp_path), TICKED.load(tmp_path)) == ({"a", "b"}, {"c"})
    (tmp_path / ".grade" / "quiz.json").write_text('{"right": 5}', encoding="utf-8")
    (tmp_path / ".grade" / "own-word.json").write_text("[", encoding="utf-8")
    assert (RIGHT.load(tmp_path), TICKED.load(tmp_path)) == (set(), set())


@pytest.mark.slow
def test_the_audit_wants_code_a_question_or_a_word_for_every_item(tmp_path: Path) -> None:
    other = replace(COURSE, own_word={"accumulate": "I say so."})
    assert "code proves the checklist item 'accumulate', so remove it from own_word" in list(
        check_files(other)
    )
    folder = shutil.copytree(
        COURSE.folder, tmp_path / "course", ignore=shutil.ignore_patterns("faulty")
    )
    text = (folder / "quiz.toml").read_text(encoding="utf-8")
    (folder / "quiz.toml").write_text(
        text.replace("[checklist]\n", '[checklist]\nnobody-asks = "I can."\n'), encoding="utf-8"
    )
    assert "no question asks for the checklist item 'nobody-asks'" in list(
        check_files(replace(COURSE, folder=folder))
    )


def grade_in(folder: Path, *args: str, typed: str = "") -> str:
    command = [sys.executable, "-c", "from grader.cli.app import main; main()", *args]
    return subprocess.run(
        command,
        cwd=folder,
        input=typed,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    ).stdout


@pytest.mark.slow
def test_code_that_is_named_or_in_a_notebook_is_graded_at_once(tmp_path: Path) -> None:
    shown = grade_in(tmp_path, "checklist", "--at", str(kit_folder("solutions") / "engine.py"))
    assert "[x] I can make all the basic operations work" in shown
    notebook = {
        "cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "source": "class Value:\n"}],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 4,
    }
    (tmp_path / "mine.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    assert "[ ] I can make all the basic operations work" in grade_in(tmp_path, "checklist")


@pytest.mark.slow
def test_the_checklist_shows_all_three_marks_and_ticks_can_be_removed(tmp_path: Path) -> None:
    home = shutil.copytree(kit_folder("solutions"), tmp_path / "exercises")
    save_progress(home, grade(home, ["1-3", "by-hand"]))
    assert load_progress(home).keys() == {"phase1", "phase2", "phase3", "by-hand"}
    (question,) = [
        question for question in QUIZ.questions if question.checklist == "understanding-memory"
    ]
    assert isinstance(question, Choice)
    assert "1 of 1 right" in grade_in(
        tmp_path, "quiz", "understanding-memory", typed=f"{question.right}\n"
    )
    assert RIGHT.load(home) == {question.id}
    shown = grade_in(
        tmp_path, "checklist", "--tick", "like-pytorch", "--tick", "understanding-modes"
    )
    assert "[x] I can make all the basic operations work" in shown
    assert "[q] I can say what a backward pass must keep" in shown
    assert "[w] I can compare forward and reverse mode" in shown
    assert "[w] I can run an expression in my engine and in PyTorch" in shown
    assert "the quiz: 1  [w] yourself: 2" in shown
    shown = grade_in(tmp_path, "checklist", "--untick", "like-pytorch")
    assert "yourself: 1" in shown
    engine = home / "engine.py"
    source = engine.read_text(encoding="utf-8")
    engine.write_text(source + "\n# done\n", encoding="utf-8")
    assert "edited since" not in grade_in(tmp_path, "checklist")
    engine.write_text(source.replace("other.data", "1 * other.data", 1), encoding="utf-8")
    shown = " ".join(grade_in(tmp_path, "checklist").split())
    assert (
        "[~] I can make all the basic operations work: +, -, *, / and **. edited since it passed"
        in shown
    )
