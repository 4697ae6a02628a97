"""Keep the evidence of a failure for its diagnosis, and run more scripts on the learner's code."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from grader.judge.failures import LearnerFault, WorkerLost
from grader.judge.replies import Answer
from grader.judge.script.steps import Read, Step, Walk
from grader.judge.session import Session
from grader.model import Fault, Shown
from grader.worker.protocol import Patch, Ref


@dataclass(frozen=True)
class Evidence:
    """The relevant part of a failure's script, the names in its listing, and the exception, if any.

    `failed` is the reading that was wrong, as an object and a path from it; `form` is its form,
    `got` and `expected` the two values. A script with an unusually long time limit is `long`;
    running it on every known mistake would take too long. If it is `explained`, its message names
    the mistake. `scripts` are the last one that passed and the whole one that failed.
    """

    module: str
    steps: Sequence[Step]
    names: Mapping[Ref, str]
    failed: tuple[Ref, str] | None = None
    got: Shown = None
    expected: Shown = None
    form: str = ""
    fault: Fault | None = None
    long: bool = False
    explained: bool = False
    scripts: Sequence[Sequence[Step]] = ()


class Reply(NamedTuple):
    """The result of a script: an answer for each of its reads, or a fault and its step's index."""

    answers: Sequence[Answer] = ()
    fault: Fault | None = None
    index: int = 0  # type: ignore[assignment] # nobody needs the method of that name in a tuple


Run = Callable[[Sequence[Step]], Reply]
"""Runs a script from the beginning, on some code."""


def attempt(ask: Callable[[], Sequence[Answer]]) -> Reply:
    """Return the reply, even if it is a fault."""
    try:
        return Reply(ask())
    except (LearnerFault, WorkerLost) as met:
        return Reply((), met.fault, met.index)


def running(session: Session, *patches: Patch) -> Run:
    """Return a function that runs scripts on a session's code, with some functions replaced.

    Sets of nodes keep the order of insertion, and every script draws the same random numbers, so
    two engines that do the same give the same numbers.
    """
    return lambda steps: attempt(lambda: session.run_patched(patches, steps))


class Questions:
    """A script with many reads, which finds their answers by key."""

    def __init__(self, steps: Sequence[Step] = ()) -> None:
        self.steps: list[Step] = []
        self._keys: list[Hashable] = []
        self.do(*steps)

    def do(self, *steps: Step) -> None:
        """Add steps. The number of objects that a walk counts has no key."""
        self.steps += steps
        self._keys += [None for step in steps if isinstance(step, (Read, Walk))]

    def ask(self, key: Hashable, on: Ref, attribute: str, form: str = "number") -> None:
        """Read something and keep the answer under a key."""
        self.steps.append(Read(on, attribute, form))
        self._keys.append(key)

    def answers(self, run: Run) -> tuple[dict[Hashable, Any], Reply]:
        """Return the answers by key, none after a fault, and the reply itself."""
        reply = run(self.steps)
        return ({} if reply.fault else dict(zip(self._keys, reply.answers))), reply
