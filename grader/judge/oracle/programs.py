"""Draw small programs as examples for checks, with every value in a well-conditioned region.

An operation that would leave the region is replaced by one that stays inside. There, no correct
engine differed from the oracle by more than 2e-11 in millions of programs; outside, up to 3 % of
the examples reject one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Any, NamedTuple, TypeVar

from grader.judge.oracle.functions import FUNCTIONS, apply_function
from grader.judge.oracle.gradients import gradients
from grader.judge.script.operators import OPERATORS
from grader.judge.script.steps import Apply, Call, Make, Operand, Step
from grader.worker.protocol import Ref

T = TypeVar("T")
Choose = Callable[[Sequence[T]], T]

MAX_LEAF = 3.0
MAX_VALUE = 10.0
MIN_DIVISOR = 0.25
MIN_BASE, MAX_BASE = 0.05, 3.0
MIN_RELU = 0.01
MAX_EXPONENT = 3.0
MAX_EXP = 20.1


def _power_allowed(base: float, exponent: float) -> bool:
    whole = float(exponent).is_integer()
    smallest = MIN_BASE if whole and exponent > 0 else MIN_DIVISOR
    return smallest <= abs(base) <= MAX_BASE and (whole or base > 0)


# Conditions on the operands, besides having a value: no kink nearby, no pole, no value out of
# bounds.
_CONDITIONS: dict[str, Callable[..., bool]] = {
    "relu": lambda x: abs(x) >= MIN_RELU,
    "log": lambda x: x >= MIN_DIVISOR,
    "exp": lambda x: x <= MAX_EXPONENT,
    "/": lambda _, divisor: abs(divisor) >= MIN_DIVISOR,
    "**": _power_allowed,
}

# Shrinking moves towards the first entries, so these numbers show a difference between right and
# wrong.
LEAVES = (
    2.0, 3.0, -1.5, 0.5, -2.0, 1.25, -0.75, 2.5, -3.0, 0.8, -0.4, 1.7, -2.6, 0.31, 2.93, -1.12
)  # fmt: skip
NUMBERS = (3.0, 5, -2.0, 0.5, -1.5, 4, 1.25, -3, 2.5, 2)
EXPONENTS = (2, 3, -1, 0.5, 2.0, -2, 1.5, -0.5, 1, 3.0)


class Form(NamedTuple):
    """One way to write an operation: its operator, and `v` (node) or `k` (number) per operand."""

    op: str
    operands: str


def forms(*written: str) -> tuple[Form, ...]:
    """Return forms from the way a suite writes them: `v + v`, `k - v`, `v ** k`, `-v`, `tanh v`."""
    return tuple(_form(text.split()) for text in written)


def _form(words: list[str]) -> Form:
    if len(words) < 3:
        return Form("neg" if words == ["-v"] else words[0], "v")
    return Form(words[1], words[0] + words[2])


@dataclass(eq=False)
class Program:
    """A straight-line program under construction: its steps and each node's value.

    Two programs are never equal.
    """

    make: str
    steps: list[Step] = field(default_factory=list)
    values: dict[Ref, float] = field(default_factory=dict)
    leaves: list[Ref] = field(default_factory=list)

    @property
    def root(self) -> Ref:
        """Return the last node."""
        return next(reversed(self.values))

    @cached_property
    def slopes(self) -> dict[Ref, float]:
        """Return the derivative of the root by every node, for a program that is complete."""
        return gradients(self.steps, self.root, list(self.values))

    def leaf(self, number: float) -> Ref:
        """Add a leaf."""
        ref = Ref(len(self.values) + 1)
        self.steps.append(Make(ref, self.make, [number]))
        self.values[ref] = float(number)
        self.leaves.append(ref)
        return ref

    def apply(self, op: str, *args: Operand) -> Ref:
        """Add a node, even outside the region.

        `op` is an operator, or a function to call as a method.
        """
        value = compute(op, [self._number(arg) for arg in args])
        ref = Ref(len(self.values) + 1)
        if op in FUNCTIONS:
            assert isinstance(args[0], Ref)
            self.steps.append(Call(ref, args[0], op, []))
        else:
            self.steps.append(Apply(ref, op, list(args)))
        self.values[ref] = value
        return ref

    def allows(self, op: str, *args: Operand) -> bool:
        """Return whether the operation stays in the region, with its value and its slopes."""
        numbers = [self._number(arg) for arg in args]
        if op in _CONDITIONS and not _CONDITIONS[op](*numbers):
            return False
        return abs(compute(op, numbers)) <= (MAX_EXP if op == "exp" else MAX_VALUE)

    def _number(self, operand: Operand) -> float:
        if isinstance(operand, Ref):
            return self.values[operand]
        assert isinstance(operand, (int, float))
        return operand

    def pruned(self, root: Ref | None = None) -> Program:
        """Return a copy with only the steps that lead to this node (default: the root)."""
        needed = {self.root if root is None else root}
        for step in reversed(self.steps):
            if step.target in needed:
                needed.update(step.references())
        return Program(
            self.make,
            [step for step in self.steps if step.target in needed],
            {ref: value for ref, value in self.values.items() if ref in needed},
            [ref for ref in self.leaves if ref in needed],
        )

    def parts(self) -> list[Program]:
        """Return a program for each operation in it, smallest first, itself last."""
        parts = (self.pruned(ref) for ref in self.values if ref not in self.leaves)
        return sorted(parts, key=lambda part: len(part.steps))


def compute(op: str, numbers: Sequence[float]) -> float:
    """Return the result of an operator, or of a function of one number."""
    if op in FUNCTIONS:
        return float(apply_function(op, numbers[0]))
    return float(OPERATORS[op].compute(*numbers))


def apply_form(program: Program, form: Form, left: Ref, right: Ref, choose: Choose[float]) -> Ref:
    """Apply the form to these nodes.

    If that would leave the region, try other constants, then add 3 or -3 instead.
    """
    constants: Sequence[float] = EXPONENTS if form.op == "**" else NUMBERS
    constant = choose(constants)
    for number in (constant, *constants):
        args: list[Operand] = [
            number if kind == "k" else node for kind, node in zip(form.operands, (left, right))
        ]
        if program.allows(form.op, *args):
            return program.apply(form.op, *args)
        if "k" not in form.operands:
            break
    return program.apply("+", left, -3.0 if program.values[left] > 0 else 3.0)


class InTurn:
    """Takes the options with these numbers, then always the first. By default, it takes the first
    option, then the second, and so on, which makes the plainest example.
    """

    def __init__(self, numbers: Iterable[int] | None = None) -> None:
        self._numbers = iter(count() if numbers is None else numbers)

    def __call__(self, options: Sequence[T]) -> T:
        """Return the option with the next number."""
        return options[next(self._numbers, 0) % len(options)]


def focus(
    make: str, form: Form, choose: Choose[float], flag: Choose[bool], *, inside: bool
) -> tuple[Program, list[Ref]]:
    """Draw one operation on new nodes, leaves or (`inside`) sums of leaves.

    Return the operands too. It draws until the form itself fits, because the quota counts examples
    of exactly this form.
    """
    while True:
        program = Program(make)
        deep = [inside and flag((True, False)) for _ in form.operands.replace("k", "")]
        nodes = [_operand(program, choose, deep=each) for each in deep]
        apply_form(program, form, nodes[0], nodes[-1], choose)
        if _fits(program.steps[-1], form):  # type: ignore[arg-type]
            return program, nodes


def inside(make: str, form: Form, choose: Choose[Any]) -> Program:
    """Draw the form on intermediate results, with operations after it and one node used again."""
    while True:
        program = Program(make)
        left = _operand(program, choose, deep=True)
        right = left if choose((False, False, True)) else _operand(program, choose, deep=True)
        node = apply_form(program, form, left, right, choose)
        if not _fits(program.steps[-1], form):  # type: ignore[arg-type]
            continue
        scaled = apply_form(program, Form("*", "vk"), node, node, choose)
        other = choose((left, right, node))
        first, second = choose(((scaled, other), (other, scaled)))
        apply_form(program, Form(choose(("+", "-", "*")), "vv"), first, second, choose)
        return program


def reuse(make: str, form: Form, choose: Choose[Any]) -> Program:
    """Draw the form on leaves that are also used before it, after it and, if it has two operands,
    as both.
    """
    while True:
        program = Program(make)
        left = program.leaf(choose(LEAVES))
        right = left if choose((True, False)) else program.leaf(choose(LEAVES))
        before = apply_form(program, Form("*", "vk"), left, left, choose)
        node = apply_form(program, form, left, right, choose)
        if not _fits(program.steps[-1], form):  # type: ignore[arg-type]
            continue
        first, second = choose(((before, node), (node, before)))
        both = apply_form(program, Form(choose(("+", "-")), "vv"), first, second, choose)
        apply_form(
            program, Form(choose(("+", "*")), "vv"), both, choose((left, right, node)), choose
        )
        return program


def twice(make: str, form: Form) -> Program:
    """Write a sum of three nodes of the form, two with the same operands. None may depend on
    anything that another one keeps.

    Two results are used twice at once and again further down, one on the left and one on the right,
    so none may run early.
    """
    program = Program(make)
    left, right = program.leaf(3.0), program.leaf(-2.0)
    first, again = (apply_form(program, form, left, right, InTurn()) for _ in range(2))
    both = program.apply("+", first, again)
    total = program.apply("+", both, apply_form(program, form, right, left, InTurn((1,))))
    further = program.apply("*", program.apply("*", total, 0.5), 0.5)
    total = program.apply("+", program.apply("+", both, both), further)
    program.apply("+", program.apply("*", total, 0.5), program.apply("+", total, total))
    return program


def _fits(step: Apply | Call, form: Form) -> bool:
    if isinstance(step, Call):
        return step.method == form.op
    return step.op == form.op and all(
        isinstance(arg, Ref) == (kind == "v") for arg, kind in zip(step.args, form.operands)
    )


def _operand(program: Program, choose: Choose[float], *, deep: bool) -> Ref:
    leaf = program.leaf(choose(LEAVES))
    return program.apply("+", leaf, program.leaf(choose(LEAVES))) if deep else leaf


def graph(make: str, allowed: Sequence[Form], choose: Choose[int]) -> Program:
    """Draw a graph of one to eight operations over one to three leaves. Nodes may be used again."""
    program = Program(make)
    size = 1 + choose(range(8))
    for _ in range(1 + choose(range(3))):
        program.leaf(LEAVES[choose(range(len(LEAVES)))])
    for _ in range(size):
        nodes = list(program.values)
        left = nodes[-1] if choose(range(2)) else nodes[choose(range(len(nodes)))]
        right = nodes[choose(range(len(nodes)))]
        form = allowed[choose(range(len(allowed)))]
        apply_form(program, form, left, right, lambda numbers: numbers[choose(range(len(numbers)))])
    return program.pruned()


def choices(seed: int, name: str) -> random.Random:
    """Return a random source, the same for the same seed and name on every machine."""
    return random.Random(f"{seed}:{name}")
