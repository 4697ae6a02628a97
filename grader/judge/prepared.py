"""Scripts that are the same for every submission, kept for the next one.

What a check draws depends on the seed alone, and so do its steps, their bytes and the numbers that
are wanted. A process that grades many works them out once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import TypeVar, cast

from grader.judge.script.steps import Read, Step
from grader.worker import protocol
from grader.worker.protocol import Packed, Run

MAX_ENTRIES = 1000  # phases 1 to 6 have 180 for each seed and mirror, with 25,000 steps in all

T = TypeVar("T")

Work = tuple[int, Counter[str]]
"""How many objects were made, and how often which attribute was read."""


def work_of(steps: Sequence[Step]) -> Work:
    """How many objects these steps make, and how often they read which attribute."""
    made, read = 0, Counter[str]()
    for step in steps:
        made += step.made
        if isinstance(step, Read) and step.form == "number":
            read[step.attribute.rpartition(".")[2]] += 1
    return made, read


class Batch(tuple[Step, ...]):  # noqa: SLOT001 - what is worked out is kept in its __dict__
    """The steps of one message, and what sending them needs to know about them."""

    @cached_property
    def answering(self) -> tuple[Step, ...]:
        """The steps that have an answer."""
        return tuple(step for step in self if step.answers)

    @cached_property
    def work(self) -> Work:
        """What the steps make and read."""
        return work_of(self)

    @cached_property
    def _requests(self) -> dict[tuple[float, bool], tuple[Run, Packed]]:
        return {}

    def request(self, seconds: float, *, fresh: bool) -> tuple[Run, Packed]:
        """The request to do them, and its bytes, packed once."""
        if (seconds, fresh) not in self._requests:
            request = Run(seconds, fresh, [*self])
            self._requests[seconds, fresh] = request, Packed(protocol.pack(request))
        return self._requests[seconds, fresh]


class Prepared:
    """What was worked out once, by all that it depends on. What was used last is kept longest."""

    def __init__(self) -> None:
        self._entries: dict[Hashable, object] = {}

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The entry of that key, made if there is none yet."""
        found = self._entries.pop(key, None)
        entry = make() if found is None else cast("T", found)
        self._entries[key] = entry
        if len(self._entries) > MAX_ENTRIES:
            self._entries.pop(next(iter(self._entries)), None)
        return entry
