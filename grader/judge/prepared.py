"""Keep what a message needs besides its steps, because many submissions get the same messages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from grader.boundary.replies import answer_forms
from grader.judge.script.steps import Apply, Builtin, Call, Make, Read, Repeat, Step, Walk
from grader.worker.protocol import Run
from grader.worker.wire import encode

Work = tuple[int, Counter[str]]
"""How many objects are made, and how often each attribute is read."""


def _made(step: Step) -> int:
    """Return how many objects the learner's code makes for a step, if known."""
    if isinstance(step, Repeat):
        return step.count
    return isinstance(step, (Make, Builtin, Apply, Call))


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
            sum(map(_made, self)),
            Counter([attribute.rpartition(".")[2] for attribute in read]),
        )
        self._packed: dict[tuple[float, bool, int], bytes] = {}

    def request(self, seconds: float, *, fresh: bool, order: int) -> tuple[Run, bytes]:
        """Return the request to run them and its bytes, packed only once.

        The request is not kept: it refers to the steps, and the cycle would have to be collected.
        """
        key = seconds, fresh, order
        if key not in self._packed:
            self._packed[key] = encode(Run(seconds, fresh, [*self], order=order))
        return Run(seconds, fresh, self), self._packed[key]
