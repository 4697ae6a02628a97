"""Programs on paper: read from text without running them, and worked through backwards by hand,
with every share.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from grader.curriculum.syntax import parse_python
from grader.errors import CourseError
from grader.judge.oracle.dual import Dual
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.oracle.gradients import Operation, evaluate, operations
from grader.judge.oracle.programs import Program
from grader.judge.script.steps import Operand
from grader.worker.protocol import Ref

_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
}


@dataclass(frozen=True)
class Written:
    """A program that was read: its steps, the nodes that have names, and for each node what a
    person calls it.
    """

    program: Program
    names: dict[str, Ref]
    labels: dict[Ref, str]


@dataclass(frozen=True)
class Share:
    """What one use of a node sends back to it: the local derivative times the gradient of the
    result of that use.
    """

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


def parse_program(source: str, leaves: Mapping[str, float], make: str) -> Written:
    """Lines `name = expression` over the leaves, as the steps of a script. Nothing is executed.

    Raises CourseError for anything but + - * / **, numbers, known names, and calls such as
    `a.tanh()`.
    """
    program = Program(make)
    names = {name: program.leaf(number) for name, number in leaves.items()}
    written = Written(program, names, {ref: name for name, ref in names.items()})
    try:
        statements = parse_python(source).body
    except SyntaxError as error:
        raise CourseError(f"{source!r} is not Python: {error}") from error
    for statement in statements:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        node = _operand(statement.value, written) if isinstance(statement, ast.Assign) else None
        name = targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else ""
        if not name or name in names or not isinstance(node, Ref) or node in names.values():
            raise CourseError(f"{ast.unparse(statement)!r} does not give a new node a new name")
        names[name], written.labels[node] = node, name
    if not statements or len(program.pruned().values) < len(program.values):
        raise CourseError(f"{source!r} has a part that its last line does not use")
    return written


def _operand(node: ast.expr, written: Written) -> Ref | float:
    if isinstance(node, ast.Constant) and type(node.value) in {int, float}:
        return cast(float, node.value)
    if isinstance(node, ast.Name) and node.id in written.names:
        return written.names[node.id]
    op, operands = _operation(node, written)
    if op == "neg" and not isinstance(operands[0], Ref):
        return -operands[0]
    if not any(isinstance(operand, Ref) for operand in operands) or (
        op == "**" and isinstance(operands[1], Ref)
    ):
        raise CourseError(
            f"{ast.unparse(node)!r} is no operation on a node, or has a node as its exponent"
        )
    args: list[Operand] = [*operands]
    try:
        made = written.program.apply(op, *args)
    except (ArithmeticError, ValueError, TypeError) as error:
        raise CourseError(f"{ast.unparse(node)!r} has no value: {error}") from error
    written.labels[made] = ast.unparse(node)
    return made


def _operation(node: ast.expr, written: Written) -> tuple[str, list[Ref | float]]:
    if isinstance(node, ast.BinOp) and type(node.op) in _SIGNS:
        return _SIGNS[type(node.op)], [_operand(node.left, written), _operand(node.right, written)]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return "neg", [_operand(node.operand, written)]
    called = (
        node.func if isinstance(node, ast.Call) and not node.args and not node.keywords else None
    )
    if isinstance(called, ast.Attribute) and called.attr in FUNCTIONS:
        return called.attr, [_operand(called.value, written)]
    raise CourseError(f"{ast.unparse(node)!r} is not allowed here")


def work_backward(written: Written, runs: int) -> tuple[Worked, ...]:
    """The backward pass by hand, `runs` times in a row, clearing nothing: every node with what it
    held, got and then holds.

    Results before operands, the last node set to 1, every other gradient added to. Nodes were made
    in an order in which
    operands come first, so its reverse will do.
    """
    made, root = operations(written.program.steps), written.program.root
    values, held, worked = evaluate(written.program.steps), dict.fromkeys(written.labels, 0.0), []
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
                shares[operand].append(Share(written.labels[node], slope, held[node]))
            worked.append(
                Worked(
                    run, written.labels[node], values[node], before, tuple(shares[node]), held[node]
                )
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
