"""The judge's own arrays: a scalar node for every number, for the oracle to differentiate.

It uses dual numbers, and finite differences before a learner is blamed. No rule for the gradient of
an array is used, and no package is needed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import product
from typing import Any, NamedTuple, Union

from grader.suite import Choose, Operators, Program, Ref, oracle, programs

Shape = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Node(Operators):
    """The judge's tensor: how it is made, its shape, and the scalar node of every number, last axis
    fastest.

    `args` are the arguments besides the operands; for a leaf they are its numbers.
    """

    sheet: Sheet
    op: str
    operands: tuple[Node | Plain, ...]
    args: tuple[Any, ...]
    shape: Shape
    items: tuple[Ref, ...]

    def _apply(self, op: str, *args: Part | float) -> Node:
        return self.sheet.apply(
            op, *(arg if isinstance(arg, (Node, Plain)) else number(arg) for arg in args)
        )

    def __matmul__(self, other: Node) -> Node:
        return self.sheet.matmul(self, other)

    def relu(self) -> Node:
        """Return relu of every number."""
        return self._apply("relu", self)

    def sum(self, *args: Any) -> Node:
        """Return the sum of all numbers, or along an axis."""
        return self.sheet.sum(self, *args)


class Plain(NamedTuple):
    """An operand that is not a Tensor: a number, or an array if it has axes."""

    shape: Shape
    items: tuple[float, ...]


Part = Union[Node, Plain]


def bounded(value: float) -> bool:
    """Return whether a number may be a factor."""
    return abs(value) <= programs.MAX_LEAF


def small(value: float) -> bool:
    """Return whether a number may be a term in a sum of products."""
    return abs(value) <= programs.MAX_LEAF / 2


def number(value: float) -> Plain:
    """Return a plain number as an operand."""
    return Plain((), (value,))


class Sheet:
    """Tensors under construction, and the scalar program behind them."""

    def __init__(self) -> None:
        self.program = Program("number")

    def leaf(self, shape: Shape, numbers: Sequence[float]) -> Node:
        """Return a new tensor of these numbers."""
        return Node(
            self,
            "leaf",
            (),
            tuple(numbers),
            shape,
            tuple(self.program.leaf(value) for value in numbers),
        )

    def draw(
        self, shape: Shape, choose: Choose[float], among: Sequence[float] = programs.LEAVES
    ) -> Node:
        """Return a new tensor of numbers from the grid."""
        return self.leaf(shape, [choose(among) for _ in range(math.prod(shape))])

    def apply(self, op: str, *operands: Part) -> Node:
        """Apply an operation element by element, with broadcasting."""
        shape = common_shape(*(operand.shape for operand in operands))
        columns = [stretched(operand, shape) for operand in operands]
        return Node(
            self,
            op,
            operands,
            (),
            shape,
            tuple(self.program.apply(op, *row) for row in zip(*columns)),
        )

    def allows(self, op: str, *operands: Part) -> bool:
        """Return whether every correct engine agrees on the result of an operation."""
        shape = common_shape(*(operand.shape for operand in operands))
        return all(
            self.program.allows(op, *row)
            for row in zip(*(stretched(operand, shape) for operand in operands))
        )

    def matmul(self, left: Node, right: Node) -> Node:
        """Return the matrix product of two tensors with two axes each."""
        (rows, inner), (_, columns) = left.shape, right.shape
        items = []
        for row, column in product(range(rows), range(columns)):
            factors = [
                (left.items[row * inner + at], right.items[at * columns + column])
                for at in range(inner)
            ]
            items.append(self._total([self.program.apply("*", *pair) for pair in factors]))
        return Node(self, "@", (left, right), (), (rows, columns), tuple(items))

    def sum(self, of: Node, *args: Any) -> Node:
        """Return the sum of all numbers or along an axis; `args` are the axis and whether to keep
        it, both optional.
        """
        axis, keep = ([*args, False] if args else [None, False])[:2]
        gone = set(range(len(of.shape))) if axis is None else {axis % len(of.shape)}
        parts: dict[tuple[int, ...], list[Ref]] = {}
        for place, item in zip(places(of.shape), of.items):
            parts.setdefault(
                tuple(0 if at in gone else index for at, index in enumerate(place)), []
            ).append(item)
        full = tuple(1 if at in gone else size for at, size in enumerate(of.shape))
        shape = full if keep else tuple(size for at, size in enumerate(full) if at not in gone)
        return Node(
            self,
            "sum",
            (of,),
            args,
            shape,
            tuple(self._total(parts[place]) for place in places(full)),
        )

    def _total(self, items: Sequence[Ref]) -> Ref:
        return reduce(partial(self.program.apply, "+"), items)

    def values(self, node: Node) -> list[float]:
        """Return the numbers of a tensor."""
        return [self.program.values[item] for item in node.items]

    def small(self, node: Node) -> bool:
        """Return whether all its numbers are small enough to compute on."""
        return all(abs(value) <= programs.MAX_VALUE for value in self.values(node))

    def goal(self, root: Node, upstream: Sequence[float]) -> Ref:
        """Return a scalar node whose derivatives are the correct gradients if `root` has the
        gradient `upstream`.
        """
        return self._total(
            [self.program.apply("*", item, up) for item, up in zip(root.items, upstream)]
        )

    def slopes(self, goal: Ref, nodes: Sequence[Node]) -> dict[Node, list[float]]:
        """Return the derivatives of a scalar node by every number of each tensor."""
        items = [item for node in nodes for item in node.items]
        found = oracle.gradients(self.program.steps, goal, items)
        return {node: [found[item] for item in node.items] for node in nodes}

    def confirm(
        self, goal: Ref, node: Node, before: Sequence[float] = ()
    ) -> Callable[[int], float]:
        """Return the second method, which computes one of these derivatives at a time and adds
        `before`.
        """
        steps = list(self.program.steps)
        return lambda at: (
            (before[at] if before else 0.0) + oracle.finite_difference(steps, goal, node.items[at])
        )


def common_shape(*shapes: Shape) -> Shape:
    """Return the shape that these are stretched to, by numpy's rules:
    https://numpy.org/doc/stable/user/basics.broadcasting.html.
    """
    longest = max(map(len, shapes))
    padded = [(1,) * (longest - len(shape)) + shape for shape in shapes]
    return tuple(next((size for size in sizes if size != 1), 1) for sizes in zip(*padded))


def fits(*shapes: Shape) -> bool:
    """Return whether shapes can be stretched to a common one."""
    common = common_shape(*shapes)
    return all(
        size in {1, want}
        for shape in shapes
        for size, want in zip(reversed(shape), reversed(common))
    )


def stretched(operand: Part, shape: Shape) -> list[Any]:
    """Return the operand's item for every place of the shape that it is stretched to."""
    return [operand.items[source_of(place, operand.shape)] for place in places(shape)]


def source_of(place: tuple[int, ...], shape: Shape) -> int:
    """Return the index of the operand's number used in a place of the result."""
    at = 0
    own = place[len(place) - len(shape) :]
    for index, size in zip(own, shape):
        at = at * size + (index if size > 1 else 0)
    return at


def nested(shape: Shape, numbers: Sequence[float]) -> Any:
    """Return the numbers as nested lists; a single number if there is no axis."""
    if not shape:
        return numbers[0]
    size = math.prod(shape[1:])
    return [nested(shape[1:], numbers[row * size : (row + 1) * size]) for row in range(shape[0])]


def places(shape: Shape) -> Iterator[tuple[int, ...]]:
    """Yield every place in an array, last axis fastest."""
    return product(*map(range, shape))


def operand(
    sheet: Sheet,
    shape: Shape,
    choose: Choose[Any],
    allowed: Callable[[float], bool] = bounded,
    *,
    deep: bool = False,
) -> Node:
    """Return a tensor of allowed numbers: a leaf, or (`deep`) a sum of two leaves that do not
    cancel out.
    """
    if not deep:
        return sheet.draw(shape, choose, [value for value in programs.LEAVES if allowed(value)])
    # 32-bit floats have few digits to lose by cancellation
    partners = {
        one: [
            other
            for other in programs.LEAVES
            if allowed(one + other) and abs(one + other) >= max(abs(one), abs(other)) / 2
        ]
        for one in programs.LEAVES
    }
    left = sheet.draw(shape, choose, [one for one in programs.LEAVES if partners[one]])
    return sheet.apply(
        "+", left, sheet.leaf(shape, [choose(partners[one]) for one in sheet.values(left)])
    )
