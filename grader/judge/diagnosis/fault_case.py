"""Hold an exception together with the script that raised it and the learner's functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grader.curriculum.model import Graph
from grader.judge.script.steps import Repeat, Step
from grader.model import Fault
from grader.worker.protocol import Function

Look = Callable[[str], Function]
"""Looks up the facts about one of the learner's functions."""


class Case:
    """An exception, with the parts of its text that matter."""

    def __init__(
        self, fault: Fault, steps: Sequence[Step], words: Graph, parts: Sequence[str], look: Look
    ) -> None:
        self.fault, self.steps, self.words, self.parts = fault, steps, words, parts
        self.look = look
        self.node = words.make.rpartition(".")[2]
        self.last = steps[-1] if steps else None

    @property
    def where(self) -> str:
        """Return the learner's line that raised, as an adverbial."""
        return f"in {self.fault.frames[-1].place}" if self.fault.frames else "here"

    @property
    def depth(self) -> int:
        """Return how often the script repeats an operation at most."""
        return max((step.count for step in self.steps if isinstance(step, Repeat)), default=0)
