"""Translate steps into the words of the code that runs them.

A dialect turns steps into steps and answers into answers; it sends nothing. `PLAIN` is the course's
own vocabulary and changes nothing. If a step does not apply to the code, a dialect raises NotAsked
before anything is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from grader.judge.oracle.gradients import close
from grader.judge.replies import Answer
from grader.judge.script.steps import Operand, Step
from grader.worker.protocol import NameState


class Dialect:
    """The course's own vocabulary: every step stays as it is."""

    asks_form = True
    """True if the form required by this course's stubs is judged as well as numbers."""

    clears = False
    """True if the backward pass clears all gradients before it begins."""

    intermediate = True
    """True if the nodes between the leaves and the result keep their gradients."""

    multiplies = True
    """True if checks may use products to make other gradients, because these are right."""

    def names(self, names: Sequence[str]) -> list[str]:
        """Return the code's own names for these, an empty string if it has none."""
        return list(names)

    def learn(
        self, names: Mapping[str, NameState], run: Callable[[Sequence[Step]], Sequence[Answer]]
    ) -> None:
        """Note which names were found, and `run` scripts to find out more."""

    def say(self, steps: Sequence[Step]) -> Sequence[Step]:
        """Return the translated steps. Raise NotAsked if they do not apply."""
        return steps

    def understand(self, steps: Sequence[Step], answers: list[Answer]) -> list[Answer]:  # noqa: ARG002 - other dialects need it
        """Translate the answers to these steps back into the course's vocabulary."""
        return answers

    def path(self, path: str) -> str:
        """Return the code's own words for an attribute. Raise NotAsked if it does not apply."""
        return path

    def source(self, text: str) -> str:
        """Return the course's source with the code's own words for nodes and their attributes."""
        return text

    def close(self, got: float, want: float) -> bool:
        """Return whether a number is right, within the precision of the code's arithmetic."""
        return close(got, want)

    def can(self, op: str, operands: str = "v") -> bool:  # noqa: ARG002 - a dialect may lack it
        """Return whether the operation exists. The course's own checks notice if it is missing."""
        return True

    def can_make(self, function: str, *args: Operand) -> bool:  # noqa: ARG002 - as above
        """Return whether this can be made."""
        return True

    def ask_form(self, what: str) -> None:
        """Raise NotAsked for form that only this course's stubs require."""

    def unready(self, methods: Sequence[str]) -> None:
        """Raise NotAsked if a checkpoint for these methods cannot begin."""


PLAIN = Dialect()
