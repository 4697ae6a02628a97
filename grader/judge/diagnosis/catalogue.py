"""Run scripts on the faulty engines, and compare their source with the learner's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from hashlib import blake2b
from typing import NamedTuple

from grader.boundary.transport import Transport
from grader.curriculum import packages
from grader.curriculum.faulty import Faulty
from grader.curriculum.model import Course, Graph, Stage
from grader.curriculum.source import functions_in
from grader.intake.read import read_submission
from grader.intake.submission import File, Submission
from grader.judge.diagnosis.advice import bears_out, said
from grader.judge.diagnosis.circuit import Circuit
from grader.judge.diagnosis.evidence import Reply, Run, running
from grader.judge.diagnosis.written import Written
from grader.judge.script.steps import Step
from grader.judge.session import Session
from grader.model import Frame, Kind
from grader.worker.protocol import Function, Patch
from grader.worker.wire import encode

MAX_ANSWERED = 20_000  # about a kilobyte each


_NAMES = re.compile(r"#(out|\d+)")


class Suspect(NamedTuple):
    """A mistake, made in the reference or in a correct engine of a different style."""

    faulty: Faulty
    style: str = ""


class Catalogue:
    """Holds the reference solution in a worker, into which one mistake after another is patched."""

    def __init__(
        self,
        course: Course,
        words: Graph,
        connect: Callable[[Sequence[str]], Transport],
        answered: dict[bytes, Reply] | None = None,
    ) -> None:
        self._course, self._words = course, words
        self._asked = {
            name.rpartition(".")[2] for file in course.files for name in course.names(file)
        }
        self._connect = connect
        # a mistake's answers are the same for every submission
        self._answered = {} if answered is None else answered
        self._styles = [
            (course.folder / name).read_text(encoding="utf-8") for name in course.styles
        ]
        self._sessions: dict[str, Session] = {}
        self._changes: dict[str, dict[str, tuple[Function, Function]]] = {}
        self._functions: dict[str, dict[str, bytes]] = {}

    @cached_property
    def _files(self) -> tuple[File, ...]:
        return read_submission(self._course.solutions, self._course.files).files

    def known(self, stage: Stage) -> Iterator[Faulty]:
        """Yield the mistakes that are possible by the end of a stage, in the files it builds on."""
        if not self._course.has_solutions:  # a mistake is patched into the reference
            return
        stages, modules = self._course.stages, self._course.modules_until(stage)
        for earlier in stages[: stages.index(stage) + 1]:
            if earlier.module in modules and (earlier == stage or not earlier.optional):
                yield from earlier.faulty

    def right(self, module: str) -> Run:
        """Return a function that runs scripts on the reference solution."""
        return self._once(module, lambda: running(self._session(module), self._words))

    def wrong(self, module: str, suspect: Suspect) -> Run:
        """Return a function that runs scripts on a faulty engine."""
        faulty, words = suspect.faulty, self._words
        style = [Patch(words.make.rpartition(".")[0], suspect.style)] if suspect.style else []
        home = self._course.stage_of(faulty.id).module
        return self._once(
            module,
            lambda: running(self._session(module), words, *style, self._patch(home, faulty)),
            faulty.id,
            suspect.style,
        )

    def borne_out(self, faulty: Faulty, module: str, written: Written) -> bool | None:
        """Return whether the learner's source differs from the reference like the mistake does.

        One of the functions that it replaces is enough, if it is one that its stage is about.
        Return None if the source cannot tell.
        """
        stage = self._course.stage_of(faulty.id)
        home, about = stage.module, {name for one in stage.checkpoints for name in one.methods}
        changes = self._changes_of(faulty, home, module)
        if about & changes.keys():
            changes = {name: change for name, change in changes.items() if name in about}
        mine = written.functions(home, list(changes))
        found = {bears_out(mine[name], *change, self._asked) for name, change in changes.items()}
        return True if True in found else False if False in found else None

    def _changes_of(
        self, faulty: Faulty, home: str, module: str
    ) -> dict[str, tuple[Function, Function]]:
        """Return each function that a mistake replaces: the right one and the wrong one."""
        if faulty.id not in self._changes:
            names, session = list(faulty.changed), self._session(module)
            right = session.describe(home, names)
            patch = self._patch(home, faulty)
            source = patch.source or "pass"  # an empty one stands for the reference
            wrong = session.describe(home, names, source) if right else {}
            self._changes[faulty.id] = {name: (right[name], wrong[name]) for name in wrong}
        return self._changes[faulty.id]

    def _patch(self, home: str, faulty: Faulty) -> Patch:
        """Return the functions of a mistake, which replace those of the reference."""
        if home not in self._functions:
            source = next(file.source for file in self._files if file.module == home)
            self._functions[home] = functions_in(source)
        return Patch(home, faulty.patch(self._functions[home]), faulty.deletes)

    def function(self, name: str, written: Written) -> Function:
        """Return the facts about the reference's function of this name, if there is one."""
        if not self._course.has_solutions:
            return Function()
        module = written.module(name)
        return self._session(module).describe(module, [name]).get(name, Function())

    def line(self, faulty: Faulty, written: Written, methods: Sequence[str]) -> Frame | None:
        """Return the learner's line that makes a mistake which the source bears out, in one of the
        methods if possible: one that right code does not have for other variables either, or else
        the first.
        """
        home = self._course.stage_of(faulty.id).module
        changes = self._changes[faulty.id]
        functions = written.functions(home, sorted(changes, key=lambda name: name not in methods))
        for name, function in functions.items():
            right, wrong = map(said, changes[name])
            usual = {_NAMES.sub("#", text) for text in right}
            texts = [fact.text for fact in function.facts if fact.text in wrong - right]
            if texts:
                texts.sort(key=lambda text: _NAMES.sub("#", text) in usual)
                return written.line(name, texts)
        return None

    def _once(self, module: str, begin: Callable[[], Run], *who: str) -> Run:
        """Return a function that runs each script only once. Its first script starts a worker."""

        def run(steps: Sequence[Step]) -> Reply:
            key = blake2b(encode([module, *who, list(steps)]), digest_size=16).digest()
            if key in self._answered:
                return self._answered[key]
            reply = begin()(steps)
            if len(self._answered) < MAX_ANSWERED and (
                reply.fault is None or reply.fault.kind is Kind.RAISED
            ):
                self._answered[key] = reply
            return reply

        return run

    def suspects(self, known: Sequence[Faulty], circuit: Circuit | None) -> Iterator[list[Suspect]]:
        """Yield each mistake in the reference's style, then in others if operand order may show."""
        yield [Suspect(faulty) for faulty in known]
        if circuit is not None and circuit.upstream is None:
            yield from ([Suspect(faulty, style) for faulty in known] for style in self._styles)

    def _session(self, module: str) -> Session:
        if module not in self._sessions:
            located = packages.locate(
                name
                for stage in self._course.stages
                if stage.module == module
                for name in stage.packages
            )
            connect = partial(self._connect, packages.readable(located))
            solutions = Submission("solutions", self._files)
            self._sessions[module] = Session(
                connect, solutions, module, [], self._course.modules, packages=located
            )
        return self._sessions[module]

    def close(self) -> None:
        """End the workers."""
        for session in self._sessions.values():
            session.close()
