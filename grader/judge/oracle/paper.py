"""Parse programs without running them, and work through them backwards by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.errors import CourseError, UsageError
from grader.judge.oracle.expressions import Parsed, parse
from grader.judge.oracle.gradients import Operation, evaluate, local_derivative, operations
from grader.judge.script.steps import Step
from grader.text import factor
from grader.worker.protocol import Ref


@dataclass(frozen=True)
class Share:
    """The contribution of one use of a node: the local derivative times the result's gradient."""

    through: str
    slope: float
    upstream: float


@dataclass(frozen=True)
class Worked:
    """A node in the worked solution.

    In pass `run`, its gradient was `before`, received `shares` and ended as `gradient`. If only a
    value is asked for, there is no pass and the gradient is None.
    """

    run: int
    node: str
    value: float
    before: float = 0.0
    shares: tuple[Share, ...] = ()
    gradient: float | None = None

    @property
    def line(self) -> str:
        """Return one line: `a = 2, gradient 31 = 3 * 7 through a * b + 1 * 10 through a + d`."""
        start = f"{self.node} = {number_text(self.value)}"
        if self.gradient is None:
            return start
        start += f", gradient {number_text(self.gradient)}"
        if not self.shares:
            return start
        parts = [f"{number_text(self.before)} from before"] if self.run > 1 else []
        parts += [
            f"{factor(number_text(share.slope))} * {factor(number_text(share.upstream))} through"
            f" {share.through}"
            for share in self.shares
        ]
        return f"{start} = {' + '.join(parts)}"


def number_text(number: float) -> str:
    """Return a number as a person would write it, with five significant digits."""
    return f"{number + 0.0:.5g}"


def parse_program(source: str, leaves: Mapping[str, float], make: str) -> Parsed:
    """Parse lines `name = expression` over exactly these leaves. Nothing is executed.

    Raise CourseError for anything except + - * / **, numbers, known names, and calls such as
    `a.tanh()`.
    """
    try:
        parsed = parse(source, leaves, make, bare_calls=False)
    except UsageError as error:
        raise CourseError(f"{source!r} is not a program: {error}") from error
    if unknown := parsed.given.keys() - leaves:
        raise CourseError(f"{source!r} uses {min(unknown)!r}, which has no number")
    if parsed.unused:
        raise CourseError(f"{source!r} has a part that its last line does not use")
    if (
        len({*parsed.names.values()}) < len(parsed.names)
        or parsed.root not in parsed.names.values()
    ):
        raise CourseError(f"{source!r} has a line that does not give a new node a new name")
    return parsed


def work_backward(
    steps: Sequence[Step], labels: Mapping[Ref, str], root: Ref, runs: int
) -> tuple[Worked, ...]:
    """Work out `runs` backward passes in a row, without clearing. Return every node of every pass.

    Results come before operands: nodes are made operands first, so the reverse order works. The
    root is set to 1; every other gradient is accumulated.
    """
    made, values = operations(steps), evaluate(steps)
    held, worked = dict.fromkeys(labels, 0.0), []
    for run in range(1, runs + 1):
        shares: dict[Ref, list[Share]] = {node: [] for node in held}
        for operation in reversed(made):
            node, before = operation.target, held[operation.target]
            arrived = sum(share.slope * share.upstream for share in shares[node])
            held[node] = 1.0 if node == root else before + arrived
            for operand, slope in _slopes(operation, values):
                shares[operand].append(Share(labels[node], slope, held[node]))
            worked.append(
                Worked(run, labels[node], values[node], before, tuple(shares[node]), held[node])
            )
    return tuple(worked)


def _slopes(operation: Operation, values: Mapping[Ref, float]) -> list[tuple[Ref, float]]:
    """Return each operand that is a node, with its local derivative by a dual number.

    For `a * a` the operand appears twice.
    """
    numbers = operation.numbers(values)
    return [
        (ref, local_derivative(operation, numbers, place))
        for place, (ref, _) in enumerate(operation.slots)
        if ref is not None
    ]
