"""The checklist: which items the learner's own code has proved, for the content that it has now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grader.courses import Course
from grader.progress import Reached
from grader.submission import Submission


@dataclass(frozen=True)
class Item:
    """One thing to be able to do: `done`, `changed` since it was, or `open`; and how many of its checkpoints pass."""

    text: str
    state: str
    passed: int
    total: int


def find_items(course: Course, known: Mapping[str, Reached], submission: Submission) -> tuple[Item, ...]:
    """Every item of the course, in its order."""
    return tuple(_item(course, name, text, known, submission) for name, text in course.checklist.items())


def _item(course: Course, name: str, text: str, known: Mapping[str, Reached], submission: Submission) -> Item:
    proving = [checkpoint.id for checkpoint in course.checkpoints if name in checkpoint.checklist and not checkpoint.bonus]
    stages = {course.stage_of(checkpoint).id: course.stage_of(checkpoint) for checkpoint in proving}
    passed = [id for id in proving if (phase := id.partition(".")[0]) in known and id in known[phase].passed]
    if not proving or len(passed) < len(proving):
        return Item(text, "open", len(passed), len(proving))
    current = all(
        known[id].sha256 == submission.hash_of(course.modules_until(stage)) for id, stage in stages.items()
    )
    return Item(text, "done" if current else "changed", len(passed), len(proving))
