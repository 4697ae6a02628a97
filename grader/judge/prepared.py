"""Keep scripts that are the same for every submission.

The examples that a check draws depend only on the seed, and so do its steps, their bytes and the
expected numbers. A process that grades many submissions computes them once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import TypeVar, cast

from grader.judge.script.steps import Read, Step, Walk
from grader.worker import protocol
from grader.worker.protocol import Packed, Ref, Run

MAX_ENTRIES = 1000  # phases 1 to 6 have 180 for each seed and mirror, with 25,000 steps in total

T = TypeVar("T")

Work = tuple[int, Counter[str]]
"""How many objects are made, and how often each attribute is read."""


def work_of(steps: Sequence[Step]) -> Work:
    """Return how many objects these steps make, and how often they read each attribute."""
    reads = (step for step in steps if isinstance(step, Read) and step.form == "number")
    return (
        sum([step.made for step in steps]),
        Counter([step.attribute.rpartition(".")[2] for step in reads]),
    )


class Batch(tuple[Step, ...]):  # noqa: SLOT001 - computed values are kept in its __dict__
    """The steps of one message, with everything needed to send them."""

    @cached_property
    def answering(self) -> tuple[Step, ...]:
        """Return the steps that have an answer."""
        return tuple(step for step in self if step.answers)

    @cached_property
    def walks(self) -> list[tuple[int, Ref]]:
        """Return the places of the answers to walks, and the objects from which they go down."""
        steps = enumerate(self.answering)
        return [(place, step.on) for place, step in steps if isinstance(step, Walk)]

    @cached_property
    def reads(self) -> list[int]:
        """Return the places of all other answers."""
        walks = {place for place, _ in self.walks}
        return [place for place in range(len(self.answering)) if place not in walks]

    @cached_property
    def forms(self) -> list[str]:
        """Return the form of each answer."""
        return protocol.answer_forms(self.answering)

    @cached_property
    def work(self) -> Work:
        """Return how much the steps make and read."""
        return work_of(self)

    @cached_property
    def _packed(self) -> dict[tuple[float, bool], Packed]:
        return {}

    def request(self, seconds: float, *, fresh: bool) -> tuple[Run, Packed]:
        """Return the request to run them and its bytes, which are packed only once.

        The request is not kept: it refers to the steps, and the circle would have to be collected.
        """
        if (seconds, fresh) not in self._packed:
            request = Run(seconds, fresh, [*self])
            self._packed[seconds, fresh] = Packed(protocol.pack(request))
        return Run(seconds, fresh, self), self._packed[seconds, fresh]


class Prepared:
    """A cache of computed values, by everything they depend on.

    It drops the least recently used.
    """

    def __init__(self) -> None:
        self._entries: dict[Hashable, object] = {}

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the entry for a key. Make it first if there is none."""
        found = self._entries.pop(key, None)
        entry = make() if found is None else cast("T", found)
        self._entries[key] = entry
        if len(self._entries) > MAX_ENTRIES:
            self._entries.pop(next(iter(self._entries)), None)
        return entry
