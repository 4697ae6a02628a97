"""What was learnt about a submission, for all its sessions: what not to run again, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from grader.judge.budget import Budget
from grader.judge.script.steps import Repeat, Step
from grader.model import Fault, Kind

TOO_MUCH = frozenset({Kind.TIMEOUT, Kind.MEMORY})


@dataclass
class Memory:
    """What hangs is not tried again; after a few time-outs nothing is. So a submission that hangs
    costs seconds and not minutes.

    `disabled` are functions that used too much, and of what; `refused` are operations that hung a
    worker so that it could not even say where; `left_out` are lines in cells of a notebook, those
    of statements that took too long. `repeats` is false once a script that was run again has
    brought its worker down.
    """

    budget: Budget = field(default_factory=Budget)
    disabled: dict[str, Kind] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    left_out: list[tuple[str, int]] = field(default_factory=list)
    timeouts: int = 0
    repeats: bool = True
    made: int = 0
    read: Counter[str] = field(default_factory=Counter)

    def count(self, made: int, read: Counter[str]) -> None:
        """Add to the sum of all work."""
        self.made += made
        self.read += read

    def hangs(self, steps: Sequence[Step]) -> int | None:
        """The place of the first of these steps that is not tried again, if there is one."""
        if not self.refused:
            return None
        found = (index for index, step in enumerate(steps) if step.operation in self.refused)
        return next(found, None)

    def used_too_much(self, fault: Fault, script: Sequence[Step]) -> None:
        """After a time-out or a lack of memory in the last step of a script: the function that was
        to blame is not run again.
        """
        self.timeouts += 1
        self.budget.overran |= fault.kind is Kind.TIMEOUT
        if fault.stub and not _has_loop(script):
            self.disabled[fault.stub] = fault.kind

    def hung(self, script: Sequence[Step]) -> None:
        """After a worker that could not say where it hung: the last step of the script is not tried
        again.
        """
        self.timeouts += 1
        self.budget.overran = True
        if not _has_loop(script):
            self.refused.update(step.operation for step in script[-1:])


def _has_loop(script: Sequence[Step]) -> bool:
    """Whether a script has a loop: what is slow on a large graph may be right on a small one."""
    return any(isinstance(step, Repeat) for step in script)
