"""Programs on paper: read from text without running them, and worked through backwards by hand,
with the share of every use of every node.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.errors import CourseError, UsageError
from grader.judge.oracle.dual import Dual
from grader.judge.oracle.expressions import Parsed, parse
from grader.judge.oracle.gradients import Operation, evaluate, operations
from grader.judge.script.steps import Step
from grader.worker.protocol import Ref


@dataclass(frozen=True)
class Share:
    """The share of one use of a node: the local derivative times the gradient of its result."""

    through: str
    slope: float
    upstream: float


@dataclass(frozen=True)
class Worked:
    """One node in the worked solution. In pass `run` it held `before`, got `shares`, and then held
    `gradient`.

    Where a value is asked for, there is no pass and no gradient (None).
    """

    run: int
    node: str
    value: float
    before: float = 0.0
    shares: tuple[Share, ...] = ()
    gradient: float | None = None

    @property
    def line(self) -> str:
        """The node in one line: `a = 2, gradient 31 = 3 * 7 through a * b + 1 * 10 through a + d`."""  # noqa: E501
        start = f"{self.node} = {number_text(self.value)}"
        if self.gradient is None:
            return start
        start += f", gradient {number_text(self.gradient)}"
        if not self.shares:
            return start
        parts = [f"{number_text(self.before)} from before"] if self.run > 1 else []
        parts += [
            f"{_factor(share.slope)} * {_factor(share.upstream)} through {share.through}"
            for share in self.shares
        ]
        return f"{start} = {' + '.join(parts)}"


def number_text(number: float) -> str:
    """A number as a person writes it, with five digits."""
    return f"{number + 0.0:.5g}"


def _factor(number: float) -> str:
    return f"({number_text(number)})" if number < 0 else number_text(number)


def parse_program(source: str, leaves: Mapping[str, float], make: str) -> Parsed:
    """Read lines `name = expression` over exactly these leaves. Nothing is executed.

    Raises CourseError for anything but + - * / **, numbers, known names, and calls such as
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
    """Run the backward pass by hand, `runs` times in a row without clearing; return every node with
    the gradient before, its shares, and the gradient after.

    Results come before operands. Nodes were made in an order in which operands come first, so its
    reverse will do. The root is set to 1, every other gradient is added to.
    """
    made, values = operations(steps), evaluate(steps)
    held, worked = dict.fromkeys(labels, 0.0), []
    for run in range(1, runs + 1):
        shares: dict[Ref, list[Share]] = {node: [] for node in held}
        for operation in reversed(made):
            node, before = operation.target, held[operation.target]
            held[node] = (
                1.0
                if node == root
                else before + sum(share.slope * share.upstream for share in shares[node])
            )
            for operand, slope in _slopes(operation, values):
                shares[operand].append(Share(labels[node], slope, held[node]))
            worked.append(
                Worked(run, labels[node], values[node], before, tuple(shares[node]), held[node])
            )
    return tuple(worked)


def _slopes(operation: Operation, values: Mapping[Ref, float]) -> list[tuple[Ref, float]]:
    """The local derivative for each operand that is a node, by a dual number in its place; twice
    for `a * a`.
    """
    numbers = [number if ref is None else values[ref] for ref, number in operation.slots]
    return [
        (
            ref,
            operation.compute(
                *[*numbers[:place], Dual(numbers[place], 1.0), *numbers[place + 1 :]]
            ).slope,
        )
        for place, (ref, _) in enumerate(operation.slots)
        if ref is not None
    ]
