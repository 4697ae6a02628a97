"""The vocabulary of the course's suites: a learner's `Dual`, and the checks on it."""

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

# The first slopes differ from the first leaves and numbers, 2, 3 and 5, to keep the plainest
# example easy to read.
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
    """A learner's `Dual`: operators on it are recorded here and run in the learner's process."""

    @property
    def value(self) -> Reading:
        """A reading of `value`."""
        return self.reading("value")

    @property
    def slope(self) -> Reading:
        """A reading of `slope`."""
        return self.reading("slope")


class Learner(suite.Learner):
    """The learner's code, with the checks that the suites share."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__(recorder)
        self._slopes: dict[Ref, float] = {}

    def dual(self, value: float, slope: float, name: str = "") -> Dual:
        """Record `name = Dual(value, slope)`."""
        made = self.make(Dual, "Dual", value, slope, name=name)
        self._slopes[made.ref] = slope
        return made

    def expected(self, result: Dual) -> list[Expected]:
        """Return the expected value and slope of a result.

        The slope is the sum over all leaves of the result's derivative by the leaf times the leaf's
        slope. The oracle differentiates the recorded script, and confirms its derivatives by finite
        differences before a learner is blamed.
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
        """Record a drawn program; return its leaves and its result."""
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
        """Check a quota of examples for every form (`v` is a Dual, `k` a plain number), first on
        leaves, then inside expressions.

        The first example must also leave its operands unchanged.
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
                        before, "an operation must make a new Dual and leave its operands unchanged"
                    )
                self.fresh()

    def check_expressions(self, *written: str) -> None:
        """Check random expressions of these forms. Any part may be used again."""
        forms = programs.forms(*written)
        draw, slopes = programs.choices(self.seed, " ".join(written)), cycle(SLOPES)
        for _ in range(GRAPHS):
            _, result = self.program(programs.graph("Dual", forms, draw.choice), slopes)
            self.expect_all(self.expected(result))
            self.fresh()

    def function(self, text: str) -> Symbol:
        """Record `lambda x: text`, for use as an argument."""
        return self.expression(f"lambda x: {text}")

    def derivative(self, text: str, x: float) -> Symbol:
        """Record `slope = derivative(lambda x: text, x)`."""
        return self.call("derivative", self.function(text), x, name="slope")

    def newton(self, text: str, x: float, *steps: int) -> Symbol:
        """Record `root = newton(lambda x: text, x)`, with or without a number of steps."""
        return self.call("newton", self.function(text), x, *steps, name="root")


def right(text: str, x: float) -> tuple[float, float, Callable[[], float]]:
    """Return a formula's value at x, its derivative, and the second method for that."""
    parsed = parse_program(f"y = {text}", {"x": float(x)}, "Dual")
    leaf, root, steps = parsed.names["x"], parsed.root, parsed.steps
    return (
        evaluate(steps)[root],
        gradients(steps, root, [leaf])[leaf],
        partial(finite_difference, steps, root, leaf),
    )


def newton(text: str, x: float, steps: int) -> float:
    """Return the result of Newton's method with the oracle's derivatives."""
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
    """Return the learner's code, which runs in a separate worker."""
    return Learner(recorder)
