"""The content of the cards: hints, questions, the checklist, the reference solution."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from grader.boundary.transport import Host
from grader.cli.quiz import PREDICTIONS, QUESTIONS
from grader.curriculum.model import Course
from grader.intake.read import read_submission
from grader.judge.oracle.paper import number_text
from grader.learner.editing import beside_reference
from grader.learner.hints import find_topic, open_next
from grader.learner.progress import change_names, load
from grader.learner.quiz.answering import (
    LETTERS,
    Asked,
    draw_session,
    hint_for,
    judge,
    record,
    words_so_far,
)
from grader.learner.quiz.checklist import find_items, refuse_what_code_proves
from grader.learner.quiz.own_engine import compute
from grader.text import safe


class Practice:
    """The learner's hints, answers and ticks, in the folder of their files."""

    def __init__(self, course: Course, home: Path, host: Host) -> None:
        self._course, self._home, self._host = course, home, host
        self._session: tuple[Asked, ...] = ()
        self._graphs = False

    def hint(self, about: str | None, step: int) -> dict[str, Any]:
        """Return the open hints about a function, a checkpoint or what failed, and open `step`
        more.
        """
        course, home = self._course, self._home
        submission = read_submission(home, course.files, self._host.worker)
        topic = find_topic(course, submission, load(home), about)
        count, _ = open_next(topic, home, again=not step)
        return {
            "function": topic.function,
            "stage": topic.stage.id,
            "checkpoint": topic.title,
            "levels": [{"name": name, "text": text} for name, text in topic.hints[:count]],
            "count": len(topic.hints),
            "more": count < len(topic.hints),
            "others": topic.others,
            "changed": topic.is_changed,
        }

    def quiz(self, about: str, graphs: bool) -> dict[str, Any]:  # noqa: FBT001 - a page calls it
        """Draw questions about a phase, or about the phases so far. Return them without answers."""
        course, chance = self._course, random.SystemRandom()
        words = [about] if about else words_so_far(course, self._home, graphs=graphs)
        count = PREDICTIONS if graphs else QUESTIONS
        self._session = draw_session(course, words, chance, count, graphs=graphs)
        self._graphs = graphs
        questions = [
            {
                "phase": one.question.phase,
                "text": one.text,
                "code": one.code,
                "options": one.options,
            }
            for one in self._session
        ]
        return {"questions": questions, "predict": graphs}

    def answer(self, number: int, text: str) -> dict[str, Any]:
        """Judge an answer, save it, and explain it. Raise UsageError for a typo."""
        asked = self._session[number]
        correct = judge(asked, text)
        record(self._home, asked, correct=correct)
        engine = compute(asked, self._course, self._home, self._host) if self._graphs else ""
        return {
            "correct": correct,
            "right": LETTERS.index(asked.right) if asked.number is None else asked.right,
            "steps": [] if correct else [step.line for step in asked.worked],
            "explanation": asked.question.explanation,
            "engine": engine if isinstance(engine, str) else number_text(engine),
            "computed": not isinstance(engine, str),
        }

    def nudge(self, number: int) -> dict[str, Any]:
        """Return a hint about a question."""
        return {"lines": hint_for(self._session[number])}

    def checklist(self, name: str = "", is_done: bool = True) -> dict[str, Any]:  # noqa: FBT001, FBT002 - as above
        """Tick an item or untick it, if one is named. Return all items."""
        course, home = self._course, self._home
        if name:
            refuse_what_code_proves(course, [name])
            change_names(home, "ticked", *([[name]] if is_done else [[], [name]]))
        submission = read_submission(home, course.files, self._host.worker)
        return {"items": [vars(item) for item in find_items(course, submission, load(home))]}

    def solution(self, phase: str, spoil: bool) -> dict[str, Any]:  # noqa: FBT001 - as above
        """Return the reference next to the learner's own code once that passes, or if `spoil`."""
        course, home, stage = self._course, self._home, self._course.stage(phase)
        course.require_solutions("the solution", "ask for a hint")
        if not load(home).was_done(phase):
            if not spoil:
                return {"phase": phase, "locked": True}
            change_names(home, "solutions_seen", [phase])
        functions = [
            {"name": name, "lines": list(map(safe, lines))}
            for name, lines in beside_reference(course, home, stage).items()
        ]
        return {"phase": phase, "functions": functions}
