"""The words of this course, as its suites use them: a learner's `Dual`, and what is right for it."""  # noqa: E501

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import cycle
from typing import Any

from grader import suite
from grader.suite import (
    Expected,
    InTurn,
    Make,
    Program,
    Reading,
    Recorder,
    Ref,
    Step,
    Symbol,
    evaluate,
    finite_difference,
    fixture,
    gradients,
    parse_program,
    programs,
)

# The first are like none of the first leaves and numbers, 2, 3 and 5: learners see the plainest
# example.
SLOPES = (7.0, 11.0, -1.0, 0.5, -2.0, 1.0)
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


class Learner(suite.Learner):
    """What a suite does with the learner's code."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__(recorder)
        self._slopes: dict[Ref, float] = {}

    def dual(self, value: float, slope: float, name: str = "") -> Dual:
        """`name = Dual(value, slope)`."""
        made = self.make(Dual, "Dual", value, slope, name=name)
        self._slopes[made.ref] = slope
        return made

    def expected(self, result: Dual) -> list[Expected]:
        """The value and the slope that a result must have.

        Its slope is the sum, over all leaves, of how much it depends on the leaf times the leaf's
        own slope. The script so far is the function; the oracle takes its derivatives, and confirms
        them by finite differences before anybody is told that they are wrong.
        """
        steps = self.steps
        leaves = [ref for ref in self._slopes if any(_makes(step, ref) for step in steps)]
        depends = gradients(steps, result.ref, leaves)
        slope = sum(depends[ref] * self._slopes[ref] for ref in leaves)
        confirm = partial(
            _slope_by_differences,
            steps,
            result.ref,
            {ref: self._slopes[ref] for ref in leaves if depends[ref]},
        )
        return [
            Expected(result.value, evaluate(steps)[result.ref]),
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
            draw, slopes = (programs.choices(self.seed, f"{form.op}{form.operands}"), cycle(SLOPES))
            for number in range(QUOTA):
                choose = draw.choice if number else InTurn()
                program, _ = programs.focus(
                    "Dual", form, choose, draw.choice, inside=number > QUOTA // 4
                )
                leaves, result = self.program(program, slopes)
                self.expect_all(self.expected(result))
                if not number:
                    before = [
                        (leaf.value, program.values[ref])
                        for leaf, ref in zip(leaves, program.leaves)
                    ]
                    before += [(leaf.slope, self._slopes[leaf.ref]) for leaf in leaves]
                    self.expect_all(
                        before,
                        "an operation must leave its operands as they are, and make a new Dual",
                    )
                self.fresh()

    def check_expressions(self, *written: str) -> None:
        """Random expressions of these forms, in which any part may be used again."""
        forms = programs.forms(*written)
        draw, slopes = programs.choices(self.seed, " ".join(written)), cycle(SLOPES)
        for _ in range(GRAPHS):
            _, result = self.program(programs.graph("Dual", forms, draw.choice), slopes)
            self.expect_all(self.expected(result))
            self.fresh()

    def function(self, text: str) -> Symbol:
        """`lambda x: text`, to be an argument."""
        return self.expression(f"lambda x: {text}")

    def derivative(self, text: str, x: float) -> Symbol:
        """`slope = derivative(lambda x: text, x)`."""
        return self.call("derivative", self.function(text), x, name="slope")

    def newton(self, text: str, x: float, *steps: int) -> Symbol:
        """`root = newton(lambda x: text, x)`, with or without a number of steps."""
        return self.call("newton", self.function(text), x, *steps, name="root")


def right(text: str, x: float) -> tuple[float, float, Callable[[], float]]:
    """The value of a formula of x, its derivative, and that by the second method."""
    program = parse_program(f"y = {text}", {"x": float(x)}, "Dual").program
    (leaf,), root, steps = program.leaves, program.root, program.steps
    return (
        program.values[root],
        gradients(steps, root, [leaf])[leaf],
        partial(finite_difference, steps, root, leaf),
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
    return sum(slope * finite_difference(steps, of, ref) for ref, slope in slopes.items())


@fixture
def learner(recorder: Recorder) -> Learner:
    """The learner's code, in a worker of its own."""
    return Learner(recorder)
