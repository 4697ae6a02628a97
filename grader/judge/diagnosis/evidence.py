"""What a failure leaves behind for its diagnosis, and how more is asked of the learner's code."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from grader.curriculum.model import Graph
from grader.judge.replies import Answer
from grader.judge.script.steps import Read, Step, Walk
from grader.judge.session import LearnerFault, Patch, Session, WorkerLost
from grader.model import Fault, Shown
from grader.worker.protocol import Ref


@dataclass(frozen=True)
class Evidence:
    """The script of a failure, as far as it bears on it; the names in its listing; what was raised,
    if anything was.

    `failed` is what was read and found wrong, as an object and a path from it; in which `form`,
    what was `got`, and what was `expected`. A script that was given more time than others is
    `long`: nobody waits until it has been run on every known mistake.
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


class Reply(NamedTuple):
    """What became of a script: an answer for each of its reads, or a fault in the step of that
    index.
    """

    answers: Sequence[Answer] = ()
    fault: Fault | None = None
    index: int = 0  # type: ignore[assignment] # a tuple's method of that name is not missed


Run = Callable[[Sequence[Step]], Reply]
"""Runs a script from the beginning, on whatever code."""


def attempt(ask: Callable[[], Sequence[Answer]]) -> Reply:
    """The reply, where a fault is one as well."""
    try:
        return Reply(ask())
    except (LearnerFault, WorkerLost) as met:
        return Reply((), met.fault, met.index)


def running(session: Session, words: Graph, *patches: Patch) -> Run:
    """Runs scripts on the code of a session, with some functions replaced; sets of nodes keep the
    order of insertion.
    """
    module, _, node = words.make.rpartition(".")
    all_patches = [*patches, Patch(module, _IN_ORDER.format(node=node))]
    return lambda steps: attempt(lambda: session.run_patched(all_patches, steps))


# A set is gone through by the hashes of its objects, by default their addresses. Where all are the
# same it keeps the order
# in which a few objects came in: two engines that do the same then give the same numbers.
_IN_ORDER = """
class {node}:
    if {node}.__hash__ is object.__hash__:
        def __hash__(self):
            return 0
"""


class Questions:
    """A script that asks many things, and finds the answers again by their keys."""

    def __init__(self, steps: Sequence[Step] = ()) -> None:
        self.steps: list[Step] = []
        self._keys: list[Hashable] = []
        self.do(*steps)

    def do(self, *steps: Step) -> None:
        """Write steps down; the number of objects that a walk met is nobody's question."""
        self.steps += steps
        self._keys += [None for step in steps if isinstance(step, (Read, Walk))]

    def ask(self, key: Hashable, on: Ref, attribute: str, form: str = "number") -> None:
        """Read something, and keep the answer under a key."""
        self.steps.append(Read(on, attribute, form))
        self._keys.append(key)

    def answers(self, run: Run) -> tuple[dict[Hashable, Any], Reply]:
        """The answers by their keys, none if there was a fault; and the reply itself."""
        reply = run(self.steps)
        return ({} if reply.fault else dict(zip(self._keys, reply.answers))), reply
