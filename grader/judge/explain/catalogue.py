"""Run scripts on the faulty engines of a course."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import NamedTuple

from grader.boundary.transport import Transport
from grader.curriculum.faulty import Faulty
from grader.curriculum.model import Course, Graph, Stage
from grader.curriculum.source import functions_in
from grader.intake.read import read_submission
from grader.intake.submission import File, Submission
from grader.judge.evidence import Reply, Run, running
from grader.judge.explain.circuit import Circuit
from grader.judge.script.steps import Step
from grader.judge.session import Session
from grader.model import Kind
from grader.worker.protocol import Patch
from grader.worker.wire import encode

MAX_ANSWERED = 20_000  # about a kilobyte each


class Suspect(NamedTuple):
    """A mistake, made in the reference or in a correct engine of a different style."""

    faulty: Faulty
    style: str = ""


def reference_files(course: Course) -> tuple[File, ...]:
    """Return the files of the reference solution."""
    return read_submission(course.solutions, course.files).files


def reference_session(
    course: Course, module: str, connect: Callable[[Sequence[str]], Transport]
) -> Session:
    """Return a session with a module of the reference solution, and the packages that it needs."""
    stages = [stage for stage in course.stages if stage.module == module]
    provided = [name for stage in stages for name in stage.packages]
    solutions = Submission("solutions", reference_files(course))
    return Session(connect, solutions, module, [], course.modules, provided=provided)


class Catalogue:
    """Holds the reference solution in a worker, into which one mistake after another is patched."""

    def __init__(
        self,
        course: Course,
        words: Graph | None,
        connect: Callable[[Sequence[str]], Transport],
        answered: dict[bytes, Reply] | None = None,
    ) -> None:
        self._course, self._words = course, words
        self._connect = connect
        # a mistake's answers are the same for every submission
        self._answered = {} if answered is None else answered
        self._styles = [
            (course.folder / name).read_text(encoding="utf-8") for name in course.styles
        ]
        self._sessions: dict[str, Session] = {}

    @cached_property
    def _functions(self) -> dict[str, dict[str, bytes]]:
        """Return the functions of each module of the reference."""
        return {file.module: functions_in(file.source) for file in reference_files(self._course)}

    def known(self, stage: Stage) -> Iterator[Faulty]:
        """Yield the mistakes that are possible by the end of a stage, in the files it builds on."""
        if not self._course.solutions.is_dir():  # a mistake is patched into the reference
            return
        stages, modules = self._course.stages, self._course.modules_until(stage)
        for earlier in stages[: stages.index(stage) + 1]:
            if earlier.module in modules and (earlier == stage or not earlier.optional):
                yield from earlier.faulty

    def running(self, module: str, suspect: Suspect | None = None) -> Run:
        """Return a function that runs scripts on the reference solution, or on a faulty engine, and
        each script only once. The first script starts a worker.
        """
        who = () if suspect is None else (suspect.faulty.id, suspect.style)

        def run(steps: Sequence[Step]) -> Reply:
            key = blake2b(encode([module, *who, list(steps)]), digest_size=16).digest()
            if key in self._answered:
                return self._answered[key]
            reply = running(self._session(module), *self._patches(suspect))(steps)
            if len(self._answered) < MAX_ANSWERED and (
                reply.fault is None or reply.fault.kind is Kind.RAISED
            ):
                self._answered[key] = reply
            return reply

        return run

    def _patches(self, suspect: Suspect | None) -> list[Patch]:
        """Return the functions of a mistake and of its style, to replace the reference's."""
        if suspect is None:
            return []
        faulty, words = suspect.faulty, self._words
        home = self._course.stage_of(faulty.id).module
        style = [Patch(words.module, suspect.style)] if words and suspect.style else []
        return [*style, Patch(home, faulty.patch(self._functions[home]), faulty.deletes)]

    def suspects(self, known: Sequence[Faulty], circuit: Circuit | None) -> Iterator[list[Suspect]]:
        """Yield each mistake in the reference's style, then in other styles if the order of
        operands may matter.
        """
        yield [Suspect(faulty) for faulty in known]
        if circuit is not None and circuit.upstream is None:
            yield from ([Suspect(faulty, style) for faulty in known] for style in self._styles)

    def _session(self, module: str) -> Session:
        if module not in self._sessions:
            self._sessions[module] = reference_session(self._course, module, self._connect)
        return self._sessions[module]

    def close(self) -> None:
        """End the workers."""
        for session in self._sessions.values():
            session.close()
