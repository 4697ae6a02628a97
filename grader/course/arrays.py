"""Arrays as the judge has them: a scalar node for every number, so that the oracle differentiates
them as it does all else.

That is by dual numbers, and by finite differences before anybody is blamed. No gradient of an array
is ever formed by a rule for arrays, and the judge needs no package for them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple, Union

from grader.suite import Choose, Program, Ref, oracle, programs

Shape = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Node:
    """A tensor of the judge's: how it is made, its shape, and the scalar node of every number, the
    last axis fastest.

    `args` are what the operation takes beside its operands; a leaf's are its numbers.
    """

    op: str
    operands: tuple[Node | Plain, ...]
    args: tuple[Any, ...]
    shape: Shape
    items: tuple[Ref, ...]


class Plain(NamedTuple):
    """An operand that is no Tensor: a number, or an array where it has axes."""

    shape: Shape
    items: tuple[float, ...]


Part = Union[Node, Plain]


def bounded(value: float) -> bool:
    """Whether a number may be a factor of another."""
    return abs(value) <= programs.MAX_LEAF


def small(value: float) -> bool:
    """Whether a number may be a part of a sum of some products."""
    return abs(value) <= programs.MAX_LEAF / 2


def number(value: float) -> Plain:
    """A plain number as an operand."""
    return Plain((), (value,))


class Sheet:
    """Tensors under construction, and the scalar program that they are made of."""

    def __init__(self) -> None:
        self.program = Program("number")

    def leaf(self, shape: Shape, numbers: Sequence[float]) -> Node:
        """A new tensor of these numbers."""
        return Node(
            "leaf", (), tuple(numbers), shape, tuple(self.program.leaf(value) for value in numbers)
        )

    def draw(
        self, shape: Shape, choose: Choose[float], among: Sequence[float] = programs.LEAVES
    ) -> Node:
        """A new tensor of numbers from the grid."""
        return self.leaf(shape, [choose(among) for _ in range(math.prod(shape))])

    def apply(self, op: str, *operands: Part) -> Node:
        """An operation number by number, with broadcasting."""
        shape = common_shape(*(operand.shape for operand in operands))
        columns = [stretched(operand, shape) for operand in operands]
        return Node(
            op, operands, (), shape, tuple(self.program.apply(op, *row) for row in zip(*columns))
        )

    def allows(self, op: str, *operands: Part) -> bool:
        """Whether that operation stays in the region in which every correct engine agrees."""
        shape = common_shape(*(operand.shape for operand in operands))
        return all(
            self.program.allows(op, *row)
            for row in zip(*(stretched(operand, shape) for operand in operands))
        )

    def matmul(self, left: Node, right: Node) -> Node:
        """The matrix product of two tensors with two axes each."""
        (rows, inner), (_, columns) = left.shape, right.shape
        items = []
        for row, column in product(range(rows), range(columns)):
            factors = [
                (left.items[row * inner + at], right.items[at * columns + column])
                for at in range(inner)
            ]
            items.append(self._total([self.program.apply("*", *pair) for pair in factors]))
        return Node("@", (left, right), (), (rows, columns), tuple(items))

    def sum(self, of: Node, *args: Any) -> Node:
        """The sum of all numbers or along one axis; `args` are the axis and whether it stays, as
        far as they are given.
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
            "sum", (of,), args, shape, tuple(self._total(parts[place]) for place in places(full))
        )

    def _total(self, items: Sequence[Ref]) -> Ref:
        total = items[0]
        for item in items[1:]:
            total = self.program.apply("+", total, item)
        return total

    def values(self, node: Node) -> list[float]:
        """The numbers of a tensor."""
        return [self.program.values[item] for item in node.items]

    def small(self, node: Node) -> bool:
        """Whether all its numbers are of a size that others may be made of."""
        return all(abs(value) <= programs.MAX_VALUE for value in self.values(node))

    def goal(self, root: Node, upstream: Sequence[float]) -> Ref:
        """A scalar node whose derivatives are what has to reach every tensor when `root` has the
        gradient `upstream`.
        """
        return self._total(
            [self.program.apply("*", item, up) for item, up in zip(root.items, upstream)]
        )

    def slopes(self, goal: Ref, node: Node) -> list[float]:
        """The derivatives of a scalar node for every number of a tensor."""
        found = oracle.gradients(self.program.steps, goal, node.items)
        return [found[item] for item in node.items]

    def confirm(
        self, goal: Ref, node: Node, before: Sequence[float] = ()
    ) -> Callable[[int], float]:
        """The second method for these, for one number at a time; `before` is what a gradient held
        already.
        """
        steps = list(self.program.steps)
        return lambda at: (
            (before[at] if before else 0.0) + oracle.finite_difference(steps, goal, node.items[at])
        )


def common_shape(*shapes: Shape) -> Shape:
    """What shapes are stretched to, by numpy's rules:
    https://numpy.org/doc/stable/user/basics.broadcasting.html.
    """
    longest = max(map(len, shapes))
    padded = [(1,) * (longest - len(shape)) + shape for shape in shapes]
    return tuple(next((size for size in sizes if size != 1), 1) for sizes in zip(*padded))


def fits(*shapes: Shape) -> bool:
    """Whether shapes can be stretched to a common one."""
    common = common_shape(*shapes)
    return all(
        size in {1, want}
        for shape in shapes
        for size, want in zip(reversed(shape), reversed(common))
    )


def stretched(operand: Part, shape: Shape) -> list[Any]:
    """What an operand holds in every place of the shape that it is stretched to."""
    return [operand.items[source_of(place, operand.shape)] for place in places(shape)]


def source_of(place: tuple[int, ...], shape: Shape) -> int:
    """Which number of an operand of that shape is used in a place of the result."""
    at = 0
    own = place[len(place) - len(shape) :]
    for index, size in zip(own, shape):
        at = at * size + (index if size > 1 else 0)
    return at


def nested(shape: Shape, numbers: Sequence[float]) -> Any:
    """The numbers as lists in lists; a number alone for no axis."""
    if not shape:
        return numbers[0]
    size = math.prod(shape[1:])
    return [nested(shape[1:], numbers[row * size : (row + 1) * size]) for row in range(shape[0])]


def places(shape: Shape) -> Iterator[tuple[int, ...]]:
    """Every place in an array, the last axis fastest."""
    return product(*map(range, shape))


def operand(
    sheet: Sheet,
    shape: Shape,
    choose: Choose[Any],
    allowed: Callable[[float], bool] = bounded,
    *,
    deep: bool = False,
) -> Node:
    """A tensor of numbers that are allowed: a leaf, or (`deep`) a sum of two leaves that do not
    cancel each other out.
    """
    if not deep:
        return sheet.draw(shape, choose, [value for value in programs.LEAVES if allowed(value)])
    partners = {
        one: [other for other in programs.LEAVES if allowed(one + other) and _is_steady(one, other)]
        for one in programs.LEAVES
    }
    left = sheet.draw(shape, choose, [one for one in programs.LEAVES if partners[one]])
    return sheet.apply(
        "+", left, sheet.leaf(shape, [choose(partners[one]) for one in sheet.values(left)])
    )


def _is_steady(one: float, other: float) -> bool:
    """Whether a sum keeps its digits: where little is left of two numbers, it is rounding, and
    numbers of 32 bits have few to lose.
    """
    return abs(one + other) >= max(abs(one), abs(other)) / 2
