"""Keep scripts that are the same for every submission.

The examples that a check draws depend only on the seed, and so do its steps, their bytes and the
expected numbers. A process that grades many submissions computes them once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar, cast

from grader.boundary.replies import answer_forms
from grader.judge.script.steps import Read, Step, Walk
from grader.worker.protocol import Run
from grader.worker.wire import encode

MAX_ENTRIES = 600  # all phases have 250 for each mirror; drawn examples that fail are the rest

T = TypeVar("T")

Work = tuple[int, Counter[str]]
"""How many objects are made, and how often each attribute is read."""


class Batch(tuple[Step, ...]):  # noqa: SLOT001 - what follows from the steps is kept in its __dict__
    """The steps of one message, with everything needed to send them.

    `answering` are the steps that have an answer, with the `forms` of these. `walks` says whether
    any of them is a walk.
    """

    def __init__(self, _steps: Iterable[Step]) -> None:
        self.answering = [step for step in self if step.form]
        self.forms = answer_forms(self.answering)
        self.walks = any(isinstance(step, Walk) for step in self.answering)
        read = (s.attribute for s in self if isinstance(s, Read) and s.form == "number")
        self.work: Work = (
            sum([step.made for step in self]),
            Counter([attribute.rpartition(".")[2] for attribute in read]),
        )
        self._packed: dict[tuple[float, bool], bytes] = {}

    def request(self, seconds: float, *, fresh: bool) -> tuple[Run, bytes]:
        """Return the request to run them and its bytes, packed only once.

        The request is not kept: it refers to the steps, and the cycle would have to be collected.
        """
        if (seconds, fresh) not in self._packed:
            request = Run(seconds, fresh, [*self])
            self._packed[seconds, fresh] = encode(request)
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
