"""Examples of one operation on Tensors: pairs of shapes, and how to build each."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from arrays import Node, Part, Plain, Shape, Sheet, bounded, number, operand, small
from tensors import Build, check_operation
from vocabulary import Learner

from grader.suite import Choose, Program, programs

Pair = tuple[Shape, Shape]
SINGLE: tuple[Shape, ...] = ((2, 3), (3,), (), (1, 3), (2, 1), (2, 1, 2))
MATRICES: tuple[Pair, ...] = (
    ((2, 3), (3, 2)),
    ((3, 3), (3, 3)),
    ((1, 2), (2, 3)),
    ((3, 2), (2, 1)),
    ((2, 1), (1, 3)),
    ((1, 1), (1, 1)),
    ((2, 2), (2, 2)),
)
SUMMED: tuple[tuple[Shape, tuple[Any, ...]], ...] = (
    ((2, 3), ()),
    ((2, 3), (1,)),
    ((2, 3), (0,)),
    ((3, 3), (1,)),
    ((3, 3), (0,)),
    ((2, 3), (-1,)),
    ((2, 3), (1, True)),
    ((2, 3), (0, True)),
    ((3, 3), (1, True)),
    ((3, 3), (0, True)),
    ((2, 3), (None, True)),
    ((3,), ()),
    ((3,), (0,)),
    ((3,), (-1, True)),
    ((), ()),
    ((2, 1), (1,)),
    ((1, 3), (0,)),
    ((2, 3, 2), (1,)),
    ((2, 3, 2), (-2,)),
    ((2, 2, 2), (0,)),
    ((2, 3, 2), (-1, True)),
    ((2, 3, 2), (-1,)),
    ((3,), (-1,)),
)
Allowed = Callable[[float], bool]
PLAIN: tuple[Pair, ...] = (
    ((2, 3), (3,)),
    ((2, 3), (2, 3)),
    ((2, 1), (1, 3)),
    ((1,), (3,)),
    ((), (2,)),
    ((3,), (2, 3)),
)


def check_two(  # noqa: PLR0913 - which examples, and what to check in them
    learner: Learner,
    op: str,
    pairs: Sequence[Pair],
    *,
    right: Allowed = bounded,
    rounds: int = 2,
    data: bool = True,
    gradient: bool = True,
) -> None:
    """Check an operation on two Tensors for every pair of shapes; from the second round
    on, the Tensors are results of other operations.
    """

    def build(sheet: Sheet, choose: Choose[Any], turn: int) -> Node:
        shapes, deep = pairs[turn % len(pairs)], turn >= len(pairs)
        return sheet.apply(
            op,
            operand(sheet, shapes[0], choose, deep=deep),
            operand(sheet, shapes[1], choose, right, deep=deep),
        )

    check_operation(
        learner,
        f"{op} {len(pairs)} {gradient}",
        build,
        rounds * len(pairs),
        data=data,
        gradient=gradient,
    )


def check_plain(learner: Learner, op: str, right: Allowed = bounded) -> None:
    """Check an operation with a number or an array on either side."""

    def build(sheet: Sheet, choose: Choose[Any], turn: int) -> Node:
        own, other = PLAIN[turn // 4 % len(PLAIN)]
        tensor = operand(sheet, own, choose, bounded if turn % 2 else right)
        plain: Part = number(choose(programs.NUMBERS))
        if turn % 4 > 1:
            allowed = [value for value in programs.LEAVES if right(value)]
            plain = Plain(other, tuple(choose(allowed) for _ in range(math.prod(other))))
        return sheet.apply(op, *((tensor, plain) if turn % 2 else (plain, tensor)))

    check_operation(learner, f"plain {op}", build, 4, gradient=False)
    check_operation(learner, f"plain {op}", build, 4 * len(PLAIN))


def of_one(op: str, allowed: Allowed = bounded) -> Build:
    """Return how to build an example of an operation on one Tensor."""

    def build(sheet: Sheet, choose: Choose[Any], turn: int) -> Node:
        return sheet.apply(
            op,
            operand(sheet, SINGLE[turn % len(SINGLE)], choose, allowed, deep=turn >= len(SINGLE)),
        )

    return build


def products(sheet: Sheet, choose: Choose[Any], turn: int) -> Node:
    """Build an example of a matrix product."""
    left, right = MATRICES[turn % len(MATRICES)]
    deep = turn >= 2 * len(MATRICES)
    return sheet.matmul(
        operand(sheet, left, choose, small, deep=deep),
        operand(sheet, right, choose, small, deep=deep),
    )


def sums(sheet: Sheet, choose: Choose[Any], turn: int) -> Node:
    """Build an example of a sum."""
    shape, args = SUMMED[turn % len(SUMMED)]
    return sheet.sum(operand(sheet, shape, choose, small, deep=turn >= len(SUMMED)), *args)


def base_for(exponent: float) -> Allowed:
    """Return which bases are allowed for an exponent."""
    return lambda value: Program("number").allows("**", value, exponent)


def divisor(value: float) -> bool:
    """Return whether a number is allowed as a divisor."""
    return programs.MIN_DIVISOR < abs(value) <= programs.MAX_LEAF


def off_the_kink(value: float) -> bool:
    """Return whether a number is far enough from 0 for `relu`."""
    return programs.MIN_RELU <= abs(value) <= programs.MAX_VALUE
