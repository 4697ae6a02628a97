"""Run steps in a worker that holds one learner's code, and check the types of all answers.

A session serves one phase. If the worker dies, the next script gets a new one. A function that
once hung on a small graph is not tried again, so a hanging submission costs seconds rather than
minutes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from itertools import accumulate
from typing import Any, NoReturn

from grader.boundary import replies
from grader.boundary.transport import GARBLED, Gone, Transport
from grader.curriculum import packages
from grader.errors import InternalError
from grader.intake.submission import Submission
from grader.judge.budget import OutOfTime
from grader.judge.dialect import PLAIN, Dialect
from grader.judge.failures import LearnerFault, NotAsked, WorkerLost
from grader.judge.memory import TOO_MUCH, Memory
from grader.judge.replies import Answer, answer_of, fault_of, note_of
from grader.judge.script.steps import Step
from grader.model import Fault, Kind
from grader.worker import protocol
from grader.worker.protocol import INSERTED, USUAL, NameState, Patch

PROVIDE_SECONDS = 10.0  # for packages, which take 0.06 s, or 0.2 s without bytecode
LOAD_SECONDS = 1.5  # of processor time
CELLS_SECONDS = 7.0  # the worker stops running a notebook's statements before that
RUN_SECONDS = 1.0
LOCATE_SECONDS = 0.4
PATIENCE = 2.0  # the judge waits this many times as long as the worker may take, and a second


class Session:
    """Holds a worker with one submission, and replaces it when it dies.

    `connect` starts a worker that can read these paths. Of the packages in `provided`, the worker
    imports the installed ones first.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - whose code, how to reach it, and what to look for
        self,
        connect: Callable[[Sequence[str]], Transport],
        submission: Submission,
        module: str,
        names: Sequence[str],
        own: Sequence[str] = (),
        memory: Memory | None = None,
        provided: Iterable[str] = (),
        swaps: Sequence[Patch] = (),
        dialect: Dialect = PLAIN,
    ) -> None:
        self._connect = connect
        self.submission = submission
        self.module = module
        self.names = list(names)
        self.own = list(own)
        self._packages = packages.locate(provided)
        self.swaps = tuple(swaps)
        self.dialect = dialect
        self.order = USUAL  # of the nodes in a set
        self.memory = memory or Memory()
        self.states: dict[str, NameState] = {}  # of the names in the code, once it is loaded
        self._transport: Transport | None = None
        self._script: list[Step] = []  # in the course's vocabulary
        self._printed = ""

    def load(self) -> dict[str, NameState]:
        """Import the submission, once per worker, and return the states of its names. Raise
        LearnerFault or WorkerLost if that fails, OutOfTime if the time is used up.
        """
        self.memory.budget.go_on()
        if (known := self.memory.failures.get(self.module)) is not None:
            raise known
        while self._transport is None:
            self._transport = self._connect(packages.readable(self._packages))
            without, is_first = {*self.memory.left_out}, not self.states
            try:
                self._load()
                if is_first:
                    self.dialect.learn(self.states, partial(self.run_patched, (), order=USUAL))
            except BaseException as failure:
                self.close()
                if not isinstance(failure, (LearnerFault, WorkerLost)):
                    raise
                if not self.memory.leave_out(failure.fault, self.submission, without):
                    self.memory.failures[self.module] = failure
                    failure.printed = self.output()
                    raise
                self.output()  # the next import prints it again
                self.memory.budget.go_on()
        return self.states

    def _provide(self) -> None:
        """Make the worker import its packages first. Raise InternalError on failure."""
        located = [(name, str(places[0].parent)) for name, places in self._packages.items()]
        try:
            self._ask(protocol.Provide(PROVIDE_SECONDS, located))
        except (LearnerFault, WorkerLost) as failure:
            reason = f"{failure.fault.type_name} {failure.fault.message}".strip()
            raise InternalError(
                f"the worker cannot import {', '.join(self._packages)}: {reason}"
            ) from failure

    def _load(self) -> None:
        if self._packages:
            self._provide()
        files, memory, said = self.submission.files, self.memory, self.dialect.names(self.names)
        request = protocol.Load(
            seconds=CELLS_SECONDS if self.submission.is_notebook else LOAD_SECONDS,
            files=[
                protocol.File(file.module, file.shown, file.source, file.role == "cell")
                for file in files
            ],
            entry=self.module,
            names=said,
            own=self.own,
            disabled=[name for name in said if name in memory.disabled],
            swaps=self.swaps,
            left_out=[*memory.left_out],
        )
        names, absent, cells = self._ask(request)
        self.states = dict(zip(self.names, names))
        memory.absent.update(dict.fromkeys(absent))
        memory.notes.update(dict.fromkeys([*map(note_of, cells), *memory.left_out.values()]))

    def run_patched(
        self, patches: Sequence[Patch], steps: Sequence[Step], order: int = INSERTED
    ) -> list[Answer]:
        """Run the steps as a new script, with some functions replaced, and the nodes of a set in an
        order. Raise LearnerFault, or WorkerLost if the worker cannot continue.
        """
        self.load()
        request = protocol.Run(RUN_SECONDS, True, list(steps), patches, order)  # noqa: FBT003 - fresh
        return _answers(steps, self._ask(request))

    def mend(self, request: protocol.Mend | protocol.Propose) -> list[protocol.Candidate]:
        """Begin a search for changes to the code, or return its next proposal, if there is one."""
        try:
            self.load()
            return self._ask(self._translated(request))  # type: ignore[no-any-return]
        except (LearnerFault, WorkerLost, NotAsked):
            return []

    def _translated(self, request: protocol.Mend | protocol.Propose) -> Any:
        """Return a request in the code's vocabulary. Raise NotAsked if it has no first script."""
        trials: list[protocol.Trial] = []
        for trial in request.trials:
            with suppress(*([NotAsked] if trials else [])):
                trials.append(trial._replace(steps=self.dialect.say(trial.steps)))
        request = request._replace(trials=trials)
        if isinstance(request, protocol.Mend):
            right = [self.dialect.source(each) for each in request.right]
            about, passing = map(self.dialect.names, (request.about, request.passing))
            request = request._replace(right=right, about=about, passing=passing)
        return request

    def run(
        self, steps: Sequence[Step], *, fresh: bool, seconds: float = RUN_SECONDS
    ) -> list[Answer]:
        """Run the steps after the script's earlier ones. `fresh` starts a new script, without any
        objects. Return an answer for each `Read` and `Walk`. Raise LearnerFault; WorkerLost if the
        worker cannot continue; NotAsked if a step does not apply to the code.
        """
        self.load()
        if fresh:
            self._script = []
        if not steps:
            return []
        offset, said = len(self._script), self.dialect.say(steps)
        self._script += steps
        try:
            answers = self._ask(protocol.Run(seconds, fresh, said, order=self.order))
        except LearnerFault as raised:
            ends = accumulate(len(self.dialect.say([step])) for step in steps)
            raised.index = offset + sum(end <= raised.index for end in ends)
            called = self._script[raised.index]
            raised.fault = self.memory.with_function(raised.fault, called, self.names)
            if self._transport is None:  # it is closed, because this used too much
                self.memory.used_too_much(raised.fault, self._script[: raised.index + 1])
            self._script = self._script[: raised.index]
            raise
        except WorkerLost as lost:
            self._lose(lost.fault, offset)
        return self.dialect.understand(steps, _answers(said, answers))

    def called(self, steps: Sequence[Step]) -> list[str]:
        """Run the steps again and return the course functions that they call, and an empty name if
        they call others.
        """
        request = protocol.Lines(RUN_SECONDS, list(steps), 0, protocol.Ref(0), "")
        ran = {(file, number) for file, number, _sets in self.repeated(request)}
        lines = {  # several names may have the same lines
            name: {(found.file, number) for number in range(found.line, found.last + 1)}
            for name, found in self.states.items()
            if found.state in {"present", "empty"}
        }
        called = [name for name, own in lines.items() if own & ran]
        return called if ran <= set().union(*lines.values()) else [*called, ""]

    def repeated(self, request: protocol.Lines) -> list[protocol.Line]:
        """Run a script again in the same worker that failed with a wrong answer or an exception. If
        the worker is gone, nothing runs again. Once a repeated script has brought its worker down,
        no other script is repeated.
        """
        if (
            self._transport is None
            or not self.dialect.asks_form  # the inner calls of other code explain nothing
            or not request.steps
            or not self.memory.repeats
        ):
            return []
        try:
            self.memory.budget.go_on()
            return list(self._ask(request))
        except (WorkerLost, LearnerFault, OutOfTime):
            self.memory.repeats = False
            self.close()
            return []

    def _lose(self, fault: Fault, offset: int) -> NoReturn:
        """Find the step that killed the worker, and raise WorkerLost. If it took too long, its
        function is not tried again.
        """
        printed = self.output()
        index = self._locate(offset)
        self.output()  # which the search repeated
        self._printed = printed
        fault = self.memory.with_function(fault, self._script[index], self.names)
        self._script = self._script[: index + 1]
        if fault.kind is Kind.TIMEOUT:
            self.memory.used_too_much(fault, self._script)
        raise WorkerLost(fault, index)

    def _locate(self, offset: int) -> int:
        """Return the index of the step since `offset` that killed the worker, which is the first
        that a new worker does not survive, or the last.
        """
        index, say = offset, self.dialect.say
        with suppress(LearnerFault, WorkerLost, OutOfTime):
            self.load()
            self._ask(protocol.Run(LOCATE_SECONDS, True, say(self._script[:offset])))  # noqa: FBT003
            for index in range(offset, len(self._script)):
                self._ask(protocol.Run(LOCATE_SECONDS, False, say([self._script[index]])))  # noqa: FBT003
        self.close()  # so that a late answer is not taken for the next one
        return index

    def _ask(self, request: protocol.Asked) -> Any:
        """Return the content of the worker's reply. Raise LearnerFault. Close the worker after a
        timeout or lack of memory. If it cannot continue, close it and raise WorkerLost.
        """
        assert self._transport is not None
        begun, fault = time.monotonic(), GARBLED
        try:
            match replies.ask(self._transport, request, PATIENCE * request.seconds + 1.0):
                case protocol.Done(content):
                    return content
                case protocol.Fault(step, raised):
                    fault = fault_of(raised, self.submission)
                    # a call of a disabled function does no harm
                    if fault.kind in TOO_MUCH and protocol.STOPPED not in fault.types:
                        self.close()
                    raise LearnerFault(fault, step)
        except Gone as gone:
            fault = gone.fault
        except protocol.WireError:
            pass
        finally:
            self.memory.budget.waited += time.monotonic() - begun
        self.close()
        raise WorkerLost(fault, 0)

    def has(self, name: str) -> bool:
        """Return whether the learner's code has that name, even as a stub."""
        return name in self.states and self.states[name].state != "missing"

    def output(self) -> str:
        """Return the text that the learner's code printed since the last call."""
        printed, self._printed = self._printed, ""
        return printed + (self._transport.output() if self._transport is not None else "")

    def close(self) -> None:
        """End the worker, if there is one."""
        if self._transport is not None:
            self._transport.close()
            self._printed = self.output()
            self._transport = None


def _answers(steps: Sequence[Step], answers: Sequence[Any]) -> list[Answer]:
    """Return the answers to the steps that have one, as the judge's own types."""
    answering = [step for step in steps if step.form]
    return [
        answer if type(answer) is float else answer_of(step, answer)  # most are numbers
        for step, answer in zip(answering, answers)
    ]
