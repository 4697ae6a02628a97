"""The words of this course, as its suites use them: a learner's `Dual`, and what is right for it."""  # noqa: E501

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import cycle
from typing import Any

import pytest

from grader.judge import oracle
from grader.judge.oracle import programs
from grader.judge.oracle.paper import parse_program
from grader.judge.oracle.programs import Form, InTurn, Program
from grader.judge.recorder import Expected, Reading, Recorder, Symbol
from grader.judge.script.steps import Make, Step
from grader.worker.protocol import Ref

SLOPES = (
    7.0,
    11.0,
    -1.0,
    0.5,
    -2.0,
    1.0,
    # the first are like none of the first leaves and numbers, 2, 3 and 5: the plainest example is
    # the
    # one that learners see
)
QUOTA = 30
GRAPHS = 60
OPERATORS: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
    "neg": operator.neg,
}


class Dual(Symbol):
    """A learner's `Dual`, seen from the judge: operators on it are written down, and computed in
    the learner's process.
    """

    @property
    def value(self) -> Reading:
        """Its value."""
        return self.reading("value")

    @property
    def slope(self) -> Reading:
        """Its slope."""
        return self.reading("slope")


class Learner:
    """What a suite does with the learner's code."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self._slopes: dict[Ref, float] = {}

    def dual(self, value: float, slope: float, name: str = "") -> Dual:
        """`name = Dual(value, slope)`."""
        made = self.recorder.make(Dual, "Dual", value, slope, name=name)
        self._slopes[made.ref] = slope
        return made

    def expected(self, result: Dual) -> list[Expected]:
        """The value and the slope that a result must have.

        Its slope is the sum, over all leaves, of how much it depends on the leaf times the leaf's
        own slope. The script so far is
        the function; the oracle takes its derivatives, and confirms them by finite differences
        before anybody is told that they are wrong.
        """
        steps, leaves = (
            list(self.recorder.steps),
            [ref for ref in self._slopes if any(_makes(step, ref) for step in self.recorder.steps)],
        )
        depends = oracle.gradients(steps, result.ref, leaves)
        slope = sum(depends[ref] * self._slopes[ref] for ref in leaves)
        confirm = partial(
            _slope_by_differences,
            steps,
            result.ref,
            {ref: self._slopes[ref] for ref in leaves if depends[ref]},
        )
        return [
            Expected(result.value, oracle.evaluate(steps)[result.ref]),
            Expected(result.slope, slope, confirm),
        ]

    def program(self, program: Program, slopes: Iterator[float]) -> tuple[list[Dual], Dual]:
        """Write a drawn program down; its leaves, and its result."""
        nodes: dict[Any, Dual] = {}
        letters = iter("abcdefgh")
        for step in program.steps:
            if isinstance(step, Make):
                nodes[step.target] = self.dual(step.args[0], next(slopes), next(letters))  # type: ignore[arg-type]
            else:
                args = [nodes.get(arg, arg) if isinstance(arg, Ref) else arg for arg in step.args]  # type: ignore[union-attr]
                nodes[step.target] = OPERATORS[step.op](*args)  # type: ignore[union-attr]
        return [nodes[ref] for ref in program.leaves], nodes[program.root]

    def check_operation(self, *written: str) -> None:
        """A quota of examples for every form (`v` is a Dual, `k` a plain number): first on two
        plain leaves, then inside of expressions.

        In the first the operands must be as they were, too.
        """
        for form in programs.forms(*written):
            draw, slopes = (
                programs.choices(self.recorder.seed, f"{form.op}{form.operands}"),
                cycle(SLOPES),
            )
            for number in range(QUOTA):
                choose = draw.choice if number else InTurn()
                program, _ = programs.focus(
                    "Dual", form, choose, draw.choice, inside=number > QUOTA // 4
                )
                leaves, result = self.program(program, slopes)
                self.recorder.expect_all(self.expected(result))
                if not number:
                    before = [
                        (leaf.value, program.values[ref])
                        for leaf, ref in zip(leaves, program.leaves)
                    ]
                    before += [(leaf.slope, self._slopes[leaf.ref]) for leaf in leaves]
                    self.recorder.expect_all(
                        before,
                        "an operation must leave its operands as they are, and make a new Dual",
                    )
                self.recorder.restart()

    def check_expressions(self, *written: str) -> None:
        """Random expressions of these forms, in which any part may be used again."""
        forms: tuple[Form, ...] = programs.forms(*written)
        draw, slopes = programs.choices(self.recorder.seed, " ".join(written)), cycle(SLOPES)
        for _ in range(GRAPHS):
            _, result = self.program(programs.graph("Dual", forms, draw.choice), slopes)
            self.recorder.expect_all(self.expected(result))
            self.recorder.restart()

    def function(self, text: str) -> Ref:
        """`lambda x: text`, to be an argument."""
        return self.recorder.expression(f"lambda x: {text}")

    def derivative(self, text: str, x: float) -> Symbol:
        """`slope = derivative(lambda x: text, x)`."""
        return self.recorder.make(Symbol, "derivative", self.function(text), x, name="slope")

    def newton(self, text: str, x: float, *steps: int) -> Symbol:
        """`root = newton(lambda x: text, x)`, with or without a number of steps."""
        return self.recorder.make(Symbol, "newton", self.function(text), x, *steps, name="root")


def right(text: str, x: float) -> tuple[float, float, Callable[[], float]]:
    """The value of a formula of x, its derivative, and that by the second method."""
    program = parse_program(f"y = {text}", {"x": float(x)}, "Dual").program
    (leaf,), root, steps = program.leaves, program.root, program.steps
    return (
        program.values[root],
        oracle.gradients(steps, root, [leaf])[leaf],
        partial(oracle.finite_difference, steps, root, leaf),
    )


def newton(text: str, x: float, steps: int) -> float:
    """Newton's method with the oracle's derivatives."""
    for _ in range(steps):
        value, slope, _ = right(text, x)
        x -= value / slope
    return x


def _makes(step: Step, ref: Ref) -> bool:
    return isinstance(step, Make) and step.target == ref


def _slope_by_differences(steps: Sequence[Step], of: Ref, slopes: dict[Ref, float]) -> float:
    return sum(slope * oracle.finite_difference(steps, of, ref) for ref, slope in slopes.items())


@pytest.fixture
def learner(recorder: Recorder) -> Learner:
    """The learner's code, in a worker of its own."""
    return Learner(recorder)
