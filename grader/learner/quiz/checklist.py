"""Find out what the learner can do, as proved by their code, the quiz or their own ticks.

Code proves an item if its checkpoints passed with the current functions. The quiz proves an item if
the last answer to each of its questions was right. Learners can tick the other items, and the ones
that the quiz has not asked about yet.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from grader.curriculum.model import Course
from grader.errors import UsageError
from grader.intake.functions import hash_of_functions
from grader.intake.submission import Submission
from grader.learner.progress import Progress
from grader.learner.quiz.questions import Quiz, load_quiz


@dataclass(frozen=True)
class Item:
    """One skill. Its state is `done`, `changed` since then, or `open`.

    It is proved by `code`, the `quiz` or the learner's own tick (`word`): `passed` of `total`
    checkpoints or questions. An item for the learner to tick has none.
    """

    id: str
    text: str
    by: str
    state: str
    passed: int = 0
    total: int = 0

    @property
    def proved_by(self) -> str:
        """Return who can prove it, even if the learner has ticked it."""
        return "quiz" if self.by == "word" and self.total else self.by


def find_items(course: Course, submission: Submission, known: Progress) -> tuple[Item, ...]:
    """Return every item: first those proved by code, then by the quiz, then by a tick."""
    quiz = load_quiz(course)
    return (
        *(
            _by_code(course, name, text, known, submission)
            for name, text in course.checklist.items()
        ),
        *(
            _by_quiz(quiz, name, text, known)
            for name, text in quiz.checklist.items()
            if name not in course.checklist
        ),
        *(
            Item(name, text, "word", "done" if name in known.ticked else "open")
            for name, text in course.own_word.items()
        ),
    )


def _by_code(course: Course, name: str, text: str, known: Progress, submission: Submission) -> Item:
    proving = [checkpoint.id for checkpoint in course.proving(name)]
    count = sum(id in known.passed for id in proving)
    state = "open"
    if proving and count == len(proving):
        stages = [course.stage_of(id) for id in proving]
        current = all(
            known.phases[stage.id].code == hash_of_functions(submission, course, stage)
            for stage in dict.fromkeys(stages)
        )
        state = "done" if current else "changed"
    return Item(name, text, "code", state, count, len(proving))


def _by_quiz(quiz: Quiz, name: str, text: str, known: Progress) -> Item:
    asked = [question.id for question in quiz.questions if question.checklist == name]
    count = sum(question in known.right for question in asked)
    if count < len(asked) and name in known.ticked:
        return Item(name, text, "word", "done", count, len(asked))
    return Item(name, text, "quiz", "done" if count == len(asked) else "open", count, len(asked))


def refuse_what_code_proves(course: Course, names: Collection[str]) -> None:
    """Raise UsageError for a name that is not an item, or that only code can prove."""
    for name in names:
        if name in course.checklist:
            phases = dict.fromkeys(
                course.stage_of(checkpoint.id).id for checkpoint in course.proving(name)
            )
            raise UsageError(f"only your code can tick {name!r}", f"type: grade {' '.join(phases)}")
        if name not in {**load_quiz(course).checklist, **course.own_word}:
            raise UsageError(
                f"there is no item {name!r}",
                "grade checklist shows the names of the items that you can tick",
            )
