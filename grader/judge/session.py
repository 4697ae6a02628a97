"""One learner's code, loaded in a worker: runs steps, checks every answer's type, and knows how to
die well.

A session serves one phase. When the worker is gone, the next script gets a fresh one; what hung
once on a small graph is
not tried again, and after a few time-outs nothing is, so that a hanging submission costs seconds
and not minutes.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from grader.boundary.transport import Gone, Transport
from grader.errors import InternalError
from grader.intake.submission import Submission, words_behind
from grader.judge.prepared import Batch
from grader.judge.replies import Answer, Loaded, answer_of, fault_of, loaded_of
from grader.judge.script.steps import Operand, Repeat, Step
from grader.model import Fault, Isolation, Kind
from grader.worker import protocol
from grader.worker.protocol import MAX_LEFT_OUT, Request, Wire

PROVIDE_SECONDS = 10.0  # for packages, which take 0.06 s of it, or 0.2 s without byte code
LOAD_SECONDS = 1.5  # of processor time
CELLS_SECONDS = 7.0  # the cells of a notebook have a limit each, and a lower one for all together
RUN_SECONDS = 1.0
LATER_SECONDS = 0.5  # once there has been a time-out
LOCATE_SECONDS = 0.4

# of waiting, and as much again for each stage as STAGE_SECONDS says: more than forty times what it
# takes
SUBMISSION_SECONDS = 60.0
STAGE_SECONDS = 20.0


class Patch(NamedTuple):
    """Functions to put in place of some of a module's: their source, and the names to take away."""

    module: str
    source: str
    deletes: tuple[str, ...] = ()


class LearnerFault(Exception):
    """The learner's code raised, hung or died in the step of that index (of all since the script
    began).
    """

    def __init__(self, fault: Fault, index: int) -> None:
        super().__init__(fault.message)
        self.fault = fault
        self.index = index


class WorkerLost(BaseException):
    """As LearnerFault, but the worker is gone. No plain Exception: a property-based test must not
    try it a hundred times.
    """

    def __init__(self, fault: Fault, index: int) -> None:
        super().__init__(fault.message)
        self.fault = fault
        self.index = index


class NotAsked(BaseException):
    """What a checkpoint is about is not asked of this code, or is not there. No plain Exception, as
    WorkerLost.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class OutOfTime(BaseException):
    """The time for the whole submission is used up; `slow` says whether its own code is to blame.
    No plain Exception, as WorkerLost.
    """

    def __init__(self, seconds: float, *, slow: bool) -> None:
        super().__init__(f"the {seconds:g} s for the whole submission are used up")
        self.slow = slow


@dataclass
class Memory:
    """What was learnt about a submission, for all its sessions: what not to run again, and why; and
    the time that is left for it.

    `left_out` are lines in cells of a notebook, those of statements that took too long.

    That time is for the code that gets around every other limit by being slow a thousand times: by
    hanging, or by sleeping for a little less
    than it may. So the code is to blame if it overran a limit, or if more than half of the time
    went by while it was `waited` for. Without an
    allowance there is no end to it.
    """

    disabled: dict[str, Kind] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    left_out: list[tuple[str, int]] = field(default_factory=list)
    timeouts: int = 0
    repeats: bool = True
    overran: bool = False
    waited: float = 0.0
    made: int = 0
    read: Counter[str] = field(default_factory=Counter)
    clock: Callable[[], float] = time.monotonic
    _seconds: float = 0.0
    _begun: float = 0.0

    def allow(self, stages: int) -> None:
        """Begin to count, or go on with time for more stages."""
        if not self._seconds:
            self._begun, self._seconds = self.clock(), SUBMISSION_SECONDS
        self._seconds += STAGE_SECONDS * stages

    def count(self, made: int, read: Counter[str]) -> None:
        """Add to the sum of all work."""
        self.made += made
        self.read += read

    def go_on(self) -> None:
        """Raise OutOfTime once the time is used up."""
        if self._seconds and self.clock() - self._begun > self._seconds:
            raise OutOfTime(self._seconds, slow=self.overran or self.waited > self._seconds / 2)


class _Waiting:
    """A Transport that counts how long its answers are waited for."""

    def __init__(self, inner: Transport, memory: Memory) -> None:
        self._inner = inner
        self._memory = memory
        self.output = inner.output
        self.close = inner.close

    @property
    def isolation(self) -> Isolation:
        """How far the code is walled off."""
        return self._inner.isolation

    def exchange(self, request: Request, seconds: float, limit: int) -> Wire:
        """The reply to one request."""
        begun = time.monotonic()
        try:
            return self._inner.exchange(request, seconds, limit)
        finally:
            self._memory.waited += time.monotonic() - begun


class Session:
    """A worker with one submission in it, replaced when it dies."""

    def __init__(  # noqa: PLR0913, PLR0917 - whose code, how to reach it, and what to look for
        self,
        connect: Callable[[], Transport],
        submission: Submission,
        module: str,
        names: Sequence[str],
        own: Sequence[str] = (),
        memory: Memory | None = None,
        packages: Mapping[str, Sequence[Path]] | None = None,
        swaps: Sequence[Patch] = (),
    ) -> None:
        self._connect = connect
        self._submission = submission
        self._module = module
        self.names = list(names)
        self.own = list(own)
        self._packages = dict(packages or {})
        self._swaps = list(swaps)
        self.memory = memory or Memory()
        self._transport: Transport | None = None
        self._history: list[Step] = []
        self._loaded: Loaded | None = None
        self.last_output = ""
        self._load_failure: LearnerFault | WorkerLost | None = None
        self._words: dict[str, set[bytes]] = {}

    def load(self) -> Loaded:
        """Import the submission, once for a worker. Raises LearnerFault or WorkerLost when that
        fails, OutOfTime when it is too late.
        """
        self.memory.go_on()
        if self._load_failure is not None:
            raise self._load_failure
        if self._transport is None:
            try:
                while self._transport is None:
                    self._transport = _Waiting(self._connect(), self.memory)
                    self._loaded = self._load_or_learn(self._transport)
            except (LearnerFault, WorkerLost) as failure:
                self._load_failure = failure
                raise
            except BaseException:
                self.close()
                raise
        assert self._loaded is not None
        return self._loaded

    def _load_or_learn(self, transport: Transport) -> Loaded | None:
        """What importing found; nothing where a statement of a notebook took too long, which is
        left out from now on.
        """
        try:
            return self._load(transport)
        except LearnerFault as failure:
            slow = [
                (frame.file, frame.line)
                for frame in failure.fault.frames[:1]
                if failure.fault.kind is Kind.TIMEOUT
            ]
            left_out = self.memory.left_out
            if (
                not self._submission.is_notebook
                or not slow
                or slow[0] in left_out
                or len(left_out) >= MAX_LEFT_OUT
            ):
                raise
            left_out += slow
            self.close()
            self.memory.go_on()
            return None

    def _provide(self, transport: Transport) -> None:
        """Have the worker import its packages, before it sees the submission: what goes wrong is
        our fault.
        """
        packages = [
            protocol.Package(name, str(places[0].parent)) for name, places in self._packages.items()
        ]
        try:
            self._ask(transport, protocol.Provide(PROVIDE_SECONDS, packages))
        except (LearnerFault, Gone) as failure:
            told = f"{failure.fault.type_name} {failure.fault.message}".strip()
            raise InternalError(
                f"the worker cannot import {', '.join(self._packages)}: {told}"
            ) from failure

    def _load(self, transport: Transport) -> Loaded:
        if self._packages:
            self._provide(transport)
        handed_in, notebook = self._submission.files, self._submission.is_notebook
        request = protocol.Load(
            seconds=CELLS_SECONDS if notebook else LOAD_SECONDS,
            files=[
                protocol.File(file.module, file.shown, file.source)
                for file in handed_in
                if file.role != "cell"
            ],
            entry=self._module,
            names=self.asked_names(),
            own=list(self.own),
            disabled=[name for name in self.memory.disabled if name in self.names],
            swaps=[protocol.Patch(*patch) for patch in self._swaps],
            cells=[
                protocol.Cell(file.shown, file.source) for file in handed_in if file.role == "cell"
            ],
            left_out=[protocol.Place(*place) for place in self.memory.left_out],
        )
        try:
            return loaded_of(self._ask(transport, request), self.names)
        except protocol.WireError:
            self.close()
            raise WorkerLost(_NONSENSE, 0) from None
        except Gone as gone:
            self.close()
            raise WorkerLost(gone.fault, 0) from None

    def run_patched(self, patches: Sequence[Patch], steps: Sequence[Step]) -> list[Answer]:
        """Do the steps, as a new script, with other functions in place of some; these are taken out
        again.

        Raises LearnerFault, or WorkerLost if there is no going on.
        """
        self._refuse_what_hangs(steps)
        self.load()
        assert self._transport is not None
        seconds = LATER_SECONDS if self.memory.timeouts else RUN_SECONDS
        sources = [protocol.Patch(*patch) for patch in patches]
        try:
            answers = self._ask(self._transport, protocol.Patched(seconds, sources, list(steps)))
            return _answers(steps, answers)
        except (protocol.WireError, Gone) as lost:
            self.close()
            raise WorkerLost(lost.fault if isinstance(lost, Gone) else _NONSENSE, 0) from None

    def run(
        self, steps: Sequence[Step], *, fresh: bool, seconds: float = RUN_SECONDS
    ) -> list[Answer]:
        """Do the steps, after all earlier ones of this script; `fresh` begins a new script, without
        any objects.

        Returns an answer for each `Read` and `Walk`. Raises LearnerFault, or WorkerLost if there is
        no going on.
        """
        if fresh:
            self._history = []
            self.last_output = ""
        self._refuse_what_hangs(steps)
        self.load()
        assert self._transport is not None
        offset, batch = len(self._history), steps if isinstance(steps, Batch) else Batch(steps)
        self._history += batch
        begun = time.monotonic()
        try:
            if (
                self.memory.timeouts and seconds <= RUN_SECONDS
            ):  # a request that was given more time may need it
                seconds = LATER_SECONDS
            request, packed = batch.request(seconds, fresh=fresh)
            answers = self._ask(self._transport, request, offset, packed)
            self.memory.count(*batch.work)
            return [answer_of(step, answer) for step, answer in zip(batch.answering, answers)]
        except LearnerFault as raised:
            raised.fault = self._with_function(raised.fault, raised.index)
            self._blame(raised.fault, raised.index)
            self._history = self._history[: raised.index]
            raise
        except (protocol.WireError, Gone) as lost:
            fault = lost.fault if isinstance(lost, Gone) else _NONSENSE
            self._lose(
                fault,
                offset,
                late=fault.kind is Kind.TIMEOUT or time.monotonic() - begun > 2 * seconds,
            )

    def called(self, steps: Sequence[Step]) -> list[str]:
        """The functions of the course that are called when these steps are done once more, in the
        worker that did them.

        For scripts that failed by a wrong answer or an exception. Where the worker is gone nothing
        is tried again; and once
        a script has brought it down the second time, no other is.
        """
        if (
            self._transport is None
            or not steps
            or not self.memory.repeats
            or self._hangs(steps) is not None
        ):
            return []
        try:
            self.memory.go_on()
            (found,) = self._ask(self._transport, protocol.Called(RUN_SECONDS, list(steps)))
            return [name for name in self.names if name in found]
        except (protocol.WireError, Gone, LearnerFault, OutOfTime):
            pass
        self.memory.repeats = False
        self.close()
        return []

    def _refuse_what_hangs(self, steps: Sequence[Step]) -> None:
        """Steps that hung a worker so that it could not even say where are not tried again."""
        if (index := self._hangs(steps)) is not None:
            raise WorkerLost(Fault(Kind.TIMEOUT, message=_NOT_AGAIN), len(self._history) + index)

    def _hangs(self, steps: Sequence[Step]) -> int | None:
        if not self.memory.refused:
            return None
        return next(
            (index for index, step in enumerate(steps) if step.operation in self.memory.refused),
            None,
        )

    def _blame(self, fault: Fault, index: int) -> None:
        """After a time-out or a lack of memory: a fresh worker, and the function that was to blame
        is not run again.

        Not so when the script has a loop: what is slow on a large graph may be right on a small
        one.
        """
        if fault.kind not in {Kind.TIMEOUT, Kind.MEMORY}:
            return
        self.close()
        self.memory.timeouts += 1
        self.memory.overran |= fault.kind is Kind.TIMEOUT
        if fault.stub and not any(isinstance(step, Repeat) for step in self._history[: index + 1]):
            self.memory.disabled[fault.stub] = fault.kind

    def _lose(self, fault: Fault, offset: int, *, late: bool) -> NoReturn:
        """Close the worker, find the step that it died in, and say so; if it was `late`, that step
        is not tried again.
        """
        self.close()
        printed = self.last_output
        index = self._locate(offset)
        self.last_output = printed  # and not what the search made the learner's code print again
        if late:
            self.memory.timeouts += 1
            self.memory.overran = True
            if not any(isinstance(step, Repeat) for step in self._history[: index + 1]):
                last = self._history[index : index + 1]
                self.memory.refused.update(step.operation for step in last)
        fault = self._with_function(fault, index)
        self._history = self._history[: index + 1]
        raise WorkerLost(fault, index)

    def _with_function(self, fault: Fault, index: int) -> Fault:
        """A time-out or a lack of memory with the function that was asked for, where the worker
        could not say any more which it was in.

        What is not run again gets the kind that it had before.
        """
        if fault.kind is Kind.TIMEOUT and fault.stub in self.memory.disabled:
            return replace(fault, kind=self.memory.disabled[fault.stub])
        if (
            fault.stub
            or fault.kind not in {Kind.TIMEOUT, Kind.MEMORY}
            or index >= len(self._history)
        ):
            return fault
        asked = self._history[index].calls
        meant = [
            name
            for name in self.names
            if asked and name.rpartition(".")[2] == asked.rpartition(".")[2]
        ]
        return replace(fault, stub=meant[0]) if len(meant) == 1 else fault

    def _locate(self, offset: int) -> int:
        """The first step since `offset` that a fresh worker does not survive either, given one at a
        time; else the last.
        """
        last = max(offset, len(self._history) - 1)
        index = offset
        try:
            self._try_out(0, offset, fresh=True)
            for index in range(offset, last + 1):
                self._try_out(index, index + 1, fresh=False)
        except (Gone, protocol.WireError, LearnerFault, WorkerLost, OutOfTime):
            return index
        finally:  # an answer that comes late must not meet the next question
            self.close()
        return last

    def _try_out(self, first: int, end: int, *, fresh: bool) -> None:
        self.load()
        assert self._transport is not None
        request = protocol.Run(LOCATE_SECONDS, fresh, self._history[first:end])
        self._transport.exchange(request, _deadline(LOCATE_SECONDS), protocol.LARGE_ANSWER_BYTES)

    def _ask(
        self,
        transport: Transport,
        request: protocol.Asked,
        offset: int = 0,
        packed: protocol.Packed | None = None,
    ) -> Any:
        """Return what the worker has for a request, which may have been `packed` before.

        Raises LearnerFault, with the step counted from `offset`; WireError or Gone if the worker
        cannot go on.
        """
        room = protocol.room_for(request)
        reply = transport.exchange(packed or request, _deadline(request.seconds), room)
        match protocol.decode_reply(request, reply):
            case protocol.Done(content):
                return content
            case protocol.Fault(step, raised):
                raise LearnerFault(fault_of(raised, self._submission), offset + step)
        raise protocol.WireError("a worker refuses nothing")

    # --- what is different for code that was not written for this course; see
    # `grader.judge.dialect` ---

    @property
    def is_adapted(self) -> bool:
        """Whether only numbers are judged, and nothing of the form that this course's stubs ask
        for.
        """
        return False

    @property
    def clears(self) -> bool:
        """Whether the backward pass is known to clear all gradients before it begins."""
        return False

    @property
    def module(self) -> str:
        """The module that is imported."""
        return self._module

    def asked_names(self) -> list[str]:
        """The names as the code has them."""
        return list(self.names)

    def multiplies(self) -> bool:
        """Whether other gradients may be made by a product."""
        return True

    def can(self, op: str, operands: str = "v") -> bool:  # noqa: ARG002 - an adapted session knows
        """Whether there is this operation; where it is missing, that is for the check to find."""
        return True

    def can_make(self, function: str, *args: Operand) -> bool:  # noqa: ARG002 - as above
        """Whether there is a way to make this."""
        return True

    def ask(self, what: str) -> None:
        """Raise NotAsked for what only this course's stubs ask for."""

    def unready(self, methods: Sequence[str]) -> None:
        """Raise NotAsked where a checkpoint for these cannot begin."""

    def in_their_words(self, steps: Sequence[Step]) -> list[Step]:
        """The steps as they are done."""
        return list(steps)

    def their_path(self, path: str) -> str:
        """An attribute as the code has it."""
        return path

    def digests(self) -> dict[str, str]:
        """A short hash of the lines of every function that is written: what the learner edited has
        another one.
        """
        lines = {file.shown: file.source.splitlines() for file in self._submission.files}
        names = self._loaded.names if self._loaded is not None else {}
        written = (
            (name, status)
            for name, status in names.items()
            if status.state == "present" and status.file in lines
        )
        return {
            name: (
                hashlib.sha256(
                    b"\n".join(lines[status.file][max(status.line - 1, 0) : status.last])
                ).hexdigest()[:12]
            )
            for name, status in written
        }

    @property
    def is_notebook(self) -> bool:
        """Whether what is in it are the cells of a notebook."""
        return self._submission.is_notebook

    def may_define(self, shown: str, name: str) -> bool:
        """Whether a line in the file is like one that defines or imports the name: looked for in
        its bytes.
        """
        if shown not in self._words:
            sources = [file.source for file in self._submission.files if file.shown == shown]
            self._words[shown] = {
                word
                for source in sources
                for word in (
                    *words_behind(source, b"class", b"def", b"import"),
                    *_ASSIGNED.findall(source),
                )
            }
        return name.encode() in self._words[shown]

    def has(self, name: str) -> bool:
        """Whether the learner's code has that name, stub or not."""
        return (
            self._loaded is not None
            and name in self._loaded.names
            and self._loaded.names[name].state != "missing"
        )

    def output(self) -> str:
        """What the learner's code printed since the last call."""
        return self._transport.output() if self._transport is not None else ""

    def close(self) -> None:
        """End the worker, if there is one."""
        if self._transport is not None:
            self._transport.close()
            self.last_output = self._transport.output()
            self._transport = None


_ASSIGNED = re.compile(rb"(?m)^\w+")
_NOT_AGAIN = "not tried again: it has not ended before"
_NONSENSE = Fault(Kind.CRASHED, message="something wrote into the channel that the grader uses")


def _deadline(seconds: float) -> float:
    """When the judge itself ends it: the worker allows twice as much waiting time, and needs a
    moment to say so.
    """
    return 2 * seconds + 1.0


def _answers(steps: Sequence[Step], answers: Sequence[Wire]) -> list[Answer]:
    """The answer of each step that has one."""
    having = (step for step in steps if step.answers)
    return [answer_of(step, answer) for step, answer in zip(having, answers)]
