"""Whole graphs of tensors: graphs that use something again, a network, and random graphs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from arrays import Node, Part, Shape, Sheet, common_shape, fits, number, small

from grader.suite import Choose, programs

KEPT = (True,)
LARGEST = 12  # numbers in a tensor of a random graph


def leaf(sheet: Sheet, shape: Shape, first: int = 0) -> Node:
    """Return a tensor of numbers from the grid, in turn from `first` on."""
    return sheet.leaf(
        shape,
        [programs.LEAVES[(first + at) % len(programs.LEAVES)] for at in range(math.prod(shape))],
    )


def expression(sheet: Sheet, shape: Shape) -> Node:
    """Return a small graph whose result has this shape."""
    a, b, c = leaf(sheet, (2, 3)), leaf(sheet, (3,), 6), leaf(sheet, (2, 1), 9)
    root = sheet.apply("+", sheet.apply("*", a, b), c)
    sums: dict[Shape, tuple[tuple[Any, ...], ...]] = {
        (): ((),),
        (3,): ((0,),),
        (1, 1): ((1, True), (0, True)),
    }
    for args in sums.get(shape, ()):
        root = sheet.sum(root, *args)
    return root


def _same_twice(op: str) -> Callable[[Sheet], Node]:
    def build(sheet: Sheet) -> Node:
        a = leaf(sheet, (2, 3))
        return sheet.apply(op, a, a)

    return build


def _stretched_twice(sheet: Sheet) -> Node:
    """`b` is used on two paths, and stretched on each."""
    a, b = leaf(sheet, (2, 3)), leaf(sheet, (3,), 6)
    return sheet.apply("+", sheet.apply("*", a, b), b)


def _result_twice(sheet: Sheet) -> Node:
    a, b = leaf(sheet, (2, 3)), leaf(sheet, (2, 1), 6)
    u = sheet.apply("*", a, b)
    return sheet.apply("*", sheet.apply("+", u, a), u)


def _unequal_ways(sheet: Sheet) -> Node:
    """`s` is used at once and again some steps later: it must wait for both shares."""
    s = sheet.apply("*", leaf(sheet, (3,)), number(0.5))
    t = sheet.apply(
        "+",
        sheet.apply("*", sheet.apply("+", sheet.apply("*", s, number(1.0)), number(2.0)), s),
        number(1.0),
    )
    return sheet.apply("+", t, s)


def _one_share_each(sheet: Sheet) -> Node:
    """`a + b` passes its gradient to both; what `b` gets from elsewhere must not reach `a`."""
    a, b, c = leaf(sheet, (2, 3)), leaf(sheet, (2, 3), 6), leaf(sheet, (2, 3), 3)
    u = sheet.apply("+", a, b)
    return sheet.apply(
        "+",
        sheet.apply("*", u, c),
        sheet.apply("+", sheet.apply("*", b, c), sheet.apply("*", a, u)),
    )


def _centred(sheet: Sheet) -> Node:
    """Each row minus half its sum, squared."""
    u = sheet.apply("*", leaf(sheet, (2, 3)), leaf(sheet, (3,), 6))
    return sheet.apply(
        "**", sheet.apply("-", u, sheet.apply("*", sheet.sum(u, 1, *KEPT), number(0.5))), number(2)
    )


def _times_its_sum(sheet: Sheet) -> Node:
    a = leaf(sheet, (2, 3))
    s = sheet.sum(a)
    return sheet.apply("+", sheet.apply("*", a, s), s)


def _square_of_a_matrix(sheet: Sheet) -> Node:
    a = leaf(sheet, (3, 3))
    return sheet.matmul(a, a)


def _shared_weights(sheet: Sheet) -> Node:
    """One matrix for two inputs, and a product that is used twice."""
    x, y, w = leaf(sheet, (2, 3)), leaf(sheet, (2, 3), 4), leaf(sheet, (3, 2), 8)
    u = sheet.matmul(x, w)
    return sheet.apply("+", sheet.apply("*", u, u), sheet.matmul(y, w))


def _relu_twice(sheet: Sheet) -> Node:
    a = leaf(sheet, (2, 3))
    r = sheet.apply("relu", a)
    return sheet.apply("+", sheet.apply("*", a, r), r)


def _whole_shares(sheet: Sheet) -> Node:
    """`relu` and `sum` pass the whole gradient on, twice; the second must not change the first."""
    a, b = sheet.leaf((2,), (0.5, 1.5)), sheet.leaf((2,), (1.25, 0.75))
    return sheet.apply(
        "*",
        sheet.apply("+", sheet.apply("relu", a), sheet.apply("relu", a)),
        sheet.apply("+", sheet.sum(b), sheet.sum(b)),
    )


def _doubled_often(sheet: Sheet) -> Node:
    """Eighteen doublings: 19 Tensors, and 262,144 paths from the result to the leaf."""
    x = sheet.leaf((2,), (0.5, -1.5))
    for _ in range(18):
        x = sheet.apply("+", x, x)
    return x


REUSED = (
    _same_twice("+"),
    _same_twice("*"),
    _same_twice("-"),
    _stretched_twice,
    _result_twice,
    _unequal_ways,
    _one_share_each,
    _times_its_sum,
    _centred,
    _square_of_a_matrix,
    _shared_weights,
    _relu_twice,
    _whole_shares,
    _doubled_often,
)


def network(sheet: Sheet, choose: Choose[Any]) -> Node:
    """Return the mean squared error of two layers, with no neuron at the kink of relu."""
    inputs = [value for value in programs.LEAVES if small(value)]
    while True:
        x, w, b = (sheet.draw(shape, choose, inputs) for shape in ((3, 2), (2, 4), (4,)))
        before = sheet.apply("+", sheet.matmul(x, w), b)
        if sheet.allows("relu", before):
            break
    v, c, y = (sheet.draw(shape, choose, inputs) for shape in ((4, 1), (1,), (3, 1)))
    out = sheet.apply("+", sheet.matmul(sheet.apply("relu", before), v), c)
    squares = sheet.apply("**", sheet.apply("-", out, y), number(2))
    return sheet.apply("/", sheet.sum(squares), number(3))


# --- random graphs ---

SHAPES: tuple[Shape, ...] = ((2, 3), (3,), (2, 1), (1, 3), (), (3, 2), (1,), (2, 2))
SUMS: tuple[tuple[Any, ...], ...] = ((), (0,), (1,), (-1,), (0, True), (1, True), (None, True))


def graph(choose: Choose[Any]) -> tuple[Sheet, Node]:
    """Return a random graph of one to five operations on one to three leaves, weighted and summed
    to one number.
    """
    sheet = Sheet()
    nodes = [sheet.draw(choose(SHAPES), choose) for _ in range(choose((2, 1, 3)))]
    for _ in range(choose((1, 2, 3, 4, 5))):
        left = nodes[-1] if choose((True, False)) else choose(nodes)
        nodes.append(
            _step(sheet, choose(_STEPS), left, choose(nodes), choose)
            or sheet.apply("*", left, number(0.5))
        )
    weighted = sheet.apply("*", nodes[-1], sheet.draw(nodes[-1].shape, choose))
    return sheet, sheet.sum(weighted) if weighted.shape else weighted


_STEPS = ("+", "*", "sum", "@", "relu", "-", "k +", "k *", "neg", "** k")


def _step(sheet: Sheet, form: str, left: Node, right: Node, choose: Choose[Any]) -> Node | None:
    """Return an operation on these nodes; None if it does not fit or is out of range."""
    if form == "sum":
        args = choose(
            [args for args in SUMS if not args or args[0] is None or args[0] < len(left.shape) > 0]
        )
        found = sheet.sum(left, *args)
        return found if sheet.small(found) else None
    if form == "@":
        pair = next(
            (pair for pair in ((left, right), (right, left), (left, left)) if _can_meet(*pair)),
            None,
        )
        found = sheet.matmul(*pair) if pair else left
        return found if pair and sheet.small(found) else None
    op = form
    operands: list[Part] = [left, right]
    if form in {"relu", "neg"}:
        operands = [left]
    elif form == "** k":
        op, operands = "**", [left, number(2)]
    elif form in {"k +", "k *"}:
        op, operands = (
            form[-1],
            choose(([left, number(2.0)], [number(-1.5), left], [left, number(3)])),
        )
    return sheet.apply(op, *operands) if _can_apply(sheet, op, operands) else None


def _can_meet(left: Node, right: Node) -> bool:
    return len(left.shape) == len(right.shape) == 2 and left.shape[1] == right.shape[0]


def _can_apply(sheet: Sheet, op: str, operands: Sequence[Part]) -> bool:
    shapes = [part.shape for part in operands]
    return (
        fits(*shapes)
        and math.prod(common_shape(*shapes)) <= LARGEST
        and sheet.allows(op, *operands)
    )
