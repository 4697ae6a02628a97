"""Whole graphs of tensors: graphs that use something again, a network, and random graphs."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from typing import Any

from arrays import Node, Part, Shape, Sheet, common_shape, fits, number, small

from grader.suite import Choose, programs

KEPT = (True,)
LARGEST = 12  # numbers in a tensor of a random graph


def leaf(sheet: Sheet, shape: Shape, first: int = 0) -> Node:
    """Return a tensor of successive numbers from the grid, starting at `first`."""
    return sheet.leaf(
        shape,
        [programs.LEAVES[(first + at) % len(programs.LEAVES)] for at in range(math.prod(shape))],
    )


def expression(sheet: Sheet, shape: Shape) -> Node:
    """Return a small graph whose result has this shape."""
    root = leaf(sheet, (2, 3)) * leaf(sheet, (3,), 6) + leaf(sheet, (2, 1), 9)
    sums: dict[Shape, tuple[tuple[Any, ...], ...]] = {
        (): ((),),
        (3,): ((0,),),
        (1, 1): ((1, *KEPT), (0, *KEPT)),
    }
    for args in sums.get(shape, ()):
        root = root.sum(*args)
    return root


def _of(build: Callable[..., Node], *shapes: Shape) -> Callable[[Sheet], Node]:
    """Return a graph of leaves with these shapes."""
    return lambda sheet: build(
        *(leaf(sheet, shape, first) for shape, first in zip(shapes, (0, 6, 3)))
    )


REUSED = (
    _of(lambda a: a + a, (2, 3)),
    _of(lambda a: a * a, (2, 3)),
    _of(lambda a: a - a, (2, 3)),
    _of(lambda a, b: a * b + b, (2, 3), (3,)),  # on two paths, and stretched on each
    _of(lambda a, b: ((u := a * b) + a) * u, (2, 3), (2, 1)),
    # `s` is used at once and again some steps later, so it must wait for both shares
    _of(lambda a: ((s := a * 0.5) * 1.0 + 2.0) * s + 1.0 + s, (3,)),
    # `a + b` passes its gradient to both; shares of `b` from elsewhere must not reach `a`
    _of(lambda a, b, c: (u := a + b) * c + (b * c + a * u), (2, 3), (2, 3), (2, 3)),
    _of(lambda a: a * (s := a.sum()) + s, (2, 3)),
    _of(lambda a, b: ((u := a * b) - u.sum(1, *KEPT) * 0.5) ** 2, (2, 3), (3,)),
    _of(lambda a: a @ a, (3, 3)),
    _of(lambda x, w, y: (u := x @ w) * u + y @ w, (2, 3), (3, 2), (2, 3)),
    _of(lambda a: a * (r := a.relu()) + r, (2, 3)),
    # `relu` and `sum` pass the whole gradient on, twice; the second must not change the first
    _of(lambda a, b: (a.relu() + a.relu()) * (b.sum() + b.sum()), (2,), (2,)),
    # eighteen doublings: 19 Tensors, and 262,144 paths from the result to the leaf
    _of(lambda a: reduce(lambda x, _: x + x, range(18), a), (2,)),
)


def network(sheet: Sheet, choose: Choose[Any]) -> Node:
    """Return the mean squared error of two layers, with no neuron at the kink of relu."""
    inputs = [value for value in programs.LEAVES if small(value)]
    while True:
        x, w, b = (sheet.draw(shape, choose, inputs) for shape in ((3, 2), (2, 4), (4,)))
        before = x @ w + b
        if sheet.allows("relu", before):
            break
    v, c, y = (sheet.draw(shape, choose, inputs) for shape in ((4, 1), (1,), (3, 1)))
    return ((before.relu() @ v + c - y) ** 2).sum() / 3


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
        pairs = ((left, right), (right, left), (left, left))
        fitting = [
            (one, other)
            for one, other in pairs
            if len(one.shape) == len(other.shape) == 2 and one.shape[1] == other.shape[0]
        ]
        found = sheet.matmul(*fitting[0]) if fitting else left
        return found if fitting and sheet.small(found) else None
    op = form.removeprefix("k ").removesuffix(" k")
    known: dict[str, list[Part]] = {"relu": [left], "neg": [left], "** k": [left, number(2)]}
    operands = known.get(form, [left, right])
    if form.startswith("k "):
        operands = choose(([left, number(2.0)], [number(-1.5), left], [left, number(3)]))
    shapes = [part.shape for part in operands]
    if not fits(*shapes) or math.prod(common_shape(*shapes)) > LARGEST:
        return None
    return sheet.apply(op, *operands) if sheet.allows(op, *operands) else None
