"""The checklist: whose word ticks an item, and what takes it back."""

from __future__ import annotations

from dataclasses import replace

from grader.intake.functions import hash_of_functions
from grader.intake.read import read_submission
from grader.intake.submission import Submission
from grader.learner.progress import Reached
from grader.learner.quiz.checklist import Item, Known, find_items
from grader.learner.quiz.questions import load_quiz
from support import kit_folder
from support.grading import COURSE

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
