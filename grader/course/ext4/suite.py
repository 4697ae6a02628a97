"""Extension 4: each operation on its own, with equal and stretched shapes, then whole graphs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from arrays import Node, Sheet, common_shape, nested, operand, places, source_of
from graphs import REUSED, expression, leaf, network
from tensor_examples import (
    MATRICES,
    SINGLE,
    SUMMED,
    Pair,
    base_for,
    check_plain,
    check_two,
    divisor,
    of_one,
    off_the_kink,
    products,
    sums,
)
from tensors import (
    UPSTREAM,
    Tensor,
    Wanted,
    array,
    check_backward,
    check_operation,
    check_random_graphs,
    expect_all,
    write,
)
from vocabulary import Learner

from grader.suite import Array, Choose, Kind, Mismatch, programs

EQUAL: tuple[Pair, ...] = (
    ((3,), (3,)),
    ((2, 3), (2, 3)),
    ((), ()),
    ((1, 3), (1, 3)),
    ((2, 1), (2, 1)),
    ((1,), (1,)),
    ((2, 1, 3), (2, 1, 3)),
)
STRETCHED: tuple[Pair, ...] = (
    ((2, 3), (3,)),
    ((2, 1), (1, 3)),
    ((), (2, 3)),
    ((2, 3), (1,)),
    ((3,), (2, 3)),
    ((2, 3), (2, 1)),
    ((1, 3), (2, 3)),
    ((3, 3), (3,)),
    ((3, 1), (3, 3)),
    ((2, 3), ()),
    ((1,), (2, 3)),
    ((1, 1), (2, 3)),
    ((2, 1), (3,)),
    ((), (1,)),
    ((1,), (1, 1)),
    ((1,), (3,)),
    ((2, 3, 2), (2,)),
    ((3, 1), (2, 1, 2)),
    ((2, 3, 1), (1, 2)),
    ((1, 1), (2, 1, 3)),
)


def test_unbroadcast(learner: Learner) -> None:
    """`unbroadcast` sums a gradient to a smaller shape"""
    source = programs.choices(learner.seed, "unbroadcast")
    wanted = []
    for own, other in (*STRETCHED, *((right, left) for left, right in STRETCHED), *EQUAL):
        shape = common_shape(own, other)
        gradient = [source.choice(programs.LEAVES) for _ in range(math.prod(shape))]
        numbers = [0.0] * math.prod(own)
        for place, value in zip(places(shape), gradient):
            numbers[source_of(place, own)] += value
        g = array(learner, shape, gradient, "g")
        summed = learner.make(Tensor, "unbroadcast", g.ref, learner.expression(str(own)), name="s")
        wanted.append(Wanted(summed.reading("", "array"), own, numbers))
    expect_all(learner, wanted)


def test_tensor(learner: Learner) -> None:
    """A Tensor holds floats and a gradient of zeros"""
    for shape in ((2, 3), (3,), (), (2, 1, 3), (1,)):
        for kind in (float, int):
            values = [kind(value) for value in (2, 3, -1, 5, -2, 4)[: math.prod(shape)]]
            t = learner.make(Tensor, "Tensor", nested(shape, values), name="t")
            expect_all(
                learner, [Wanted(t.data, shape, values), Wanted(t.grad, shape, [0.0] * len(values))]
            )
            _expect_floats(learner, t)
            learner.fresh()
    given = array(learner, (2, 2), (1.0, 2.0, 3.0, 4.0), "w")
    t = learner.make(Tensor, "Tensor", given.ref, name="t")
    expect_all(
        learner, [Wanted(t.data, (2, 2), (1.0, 2.0, 3.0, 4.0)), Wanted(t.grad, (2, 2), (0.0,) * 4)]
    )
    _expect_parts(learner)


def test_add(learner: Learner) -> None:
    """`a + b` adds arrays, stretched to fit each other"""
    check_two(learner, "+", EQUAL + STRETCHED, gradient=False)


def test_add_backward(learner: Learner) -> None:
    """`a + b` passes its gradient to both operands"""
    check_two(learner, "+", EQUAL, rounds=3, data=False)


def test_add_stretched(learner: Learner) -> None:
    """`a + b` sums gradients over stretched axes"""
    check_two(learner, "+", STRETCHED, data=False)


def test_mul(learner: Learner) -> None:
    """`a * b` multiplies element by element"""
    check_two(learner, "*", EQUAL + STRETCHED, gradient=False)


def test_mul_backward(learner: Learner) -> None:
    """`a * b` passes its gradient to both factors"""
    check_two(learner, "*", EQUAL + STRETCHED, data=False)


def test_plain_operands(learner: Learner) -> None:
    """`+` and `*` work with numbers and arrays"""
    for op in ("+", "*"):
        check_plain(learner, op)


def test_minus(learner: Learner) -> None:
    """`-a` and `a - b`, including numbers and arrays"""
    check_operation(learner, "neg", of_one("neg"), 2 * len(SINGLE))
    check_two(learner, "-", EQUAL + STRETCHED)
    check_plain(learner, "-")


def test_power(learner: Learner) -> None:
    """`a ** k`, element by element"""

    def build(sheet: Sheet, choose: Choose[Any], turn: int) -> Node:
        exponent = programs.EXPONENTS[turn % len(programs.EXPONENTS)]
        deep = turn >= len(programs.EXPONENTS)
        shape, allowed = SINGLE[turn % len(SINGLE)], base_for(exponent)
        return operand(sheet, shape, choose, allowed, deep=deep) ** exponent

    check_operation(learner, "power", build, 3 * len(programs.EXPONENTS))
    _check_at_zero(learner, lambda a: a**1, UPSTREAM[:3])


def test_division(learner: Learner) -> None:
    """`a / b`, including numbers and arrays"""
    check_two(learner, "/", EQUAL + STRETCHED, right=divisor)
    check_plain(learner, "/", right=divisor)


def test_matmul(learner: Learner) -> None:
    """`a @ b` is the matrix product"""
    check_operation(learner, "@", products, 3 * len(MATRICES), gradient=False)


def test_matmul_backward(learner: Learner) -> None:
    """`a @ b` passes its gradient to both matrices"""
    check_operation(learner, "@ back", products, 6 * len(MATRICES), data=False)


def test_sum(learner: Learner) -> None:
    """`sum()` sums over everything or one axis"""
    check_operation(learner, "sum", sums, 2 * len(SUMMED), gradient=False)


def test_sum_backward(learner: Learner) -> None:
    """`sum()` passes its gradient to every number"""
    check_operation(learner, "sum back", sums, 2 * len(SUMMED), data=False)


def test_relu(learner: Learner) -> None:
    """`relu()` turns negative numbers into 0"""
    check_operation(learner, "relu", of_one("relu", off_the_kink), 3 * len(SINGLE), gradient=False)


def test_relu_backward(learner: Learner) -> None:
    """`relu()` passes its gradient on where data > 0"""
    check_operation(learner, "relu back", of_one("relu", off_the_kink), 6 * len(SINGLE), data=False)
    _check_at_zero(learner, lambda a: a.method("relu"), (0.0, UPSTREAM[1], 0.0))


def _check_at_zero(
    learner: Learner, apply: Callable[[Tensor], Tensor], gradients: Sequence[float]
) -> None:
    a = learner.make(Tensor, "Tensor", [0.0, 2.0, -1.5], name="a")
    b = learner.named("b", apply(a))
    b.put("grad", array(learner, (3,), UPSTREAM[:3], "u"))
    learner.walk(b, "_prev", "_backward", [a])
    expect_all(learner, [Wanted(a.grad, (3,), gradients)])
    learner.fresh()


def test_operands_untouched(learner: Learner) -> None:
    """Operations leave their operands unchanged"""
    operations: tuple[Callable[[Node, Node], Node], ...] = (
        lambda a, b: a + b,
        lambda a, b: a - b,
        lambda a, b: a * b,
        lambda a, b: a / b,
        lambda a, b: a @ b,
        lambda a, _: a**2,
        lambda a, _: -a,
        lambda a, _: a.sum(0),
        lambda a, _: a.relu(),
    )
    for apply in operations:
        sheet = Sheet()
        a, b = sheet.leaf((2, 2), (2.0, -3.0, 0.5, 1.25)), sheet.leaf((2, 2), (1.5, 0.5, -2.0, 4.0))
        root = apply(a, b)
        written = write(learner, a, b)
        held = {a: UPSTREAM[:4], b: UPSTREAM[1:5]}
        for node, name in ((a, "v"), (b, "w")):
            written[node].put("grad", array(learner, (2, 2), held[node], name))
        result = write(learner, root, written=written)[root]
        ones = [1.0] * len(root.items)
        result.put("grad", array(learner, root.shape, ones, "u"))
        wanted = [Wanted(result.grad, root.shape, ones)]
        for node in (a, b):
            wanted.append(Wanted(written[node].data, (2, 2), sheet.values(node)))
            wanted.append(Wanted(written[node].grad, (2, 2), held[node]))
        why = "an operation must make a new Tensor and leave its operands unchanged"
        expect_all(learner, wanted, why)
        if root.operands == (a, b):
            learner.change(root.op, written[a], written[b])
            expect_all(learner, wanted[1:], why)
        learner.fresh()


def test_backward(learner: Learner) -> None:
    """`backward()` starts with ones"""
    for shape in ((), (3,), (2, 3), (1, 1)):
        check_backward(learner, lambda sheet, shape=shape: expression(sheet, shape))  # type: ignore[misc]
    _expect_seed(learner)
    _expect_both(learner)


def test_used_again(learner: Learner) -> None:
    """A Tensor used twice gets all its shares"""
    for build in REUSED:
        check_backward(learner, build)


def test_network(learner: Learner) -> None:
    """The gradients of two layers and a loss are right"""
    for turn in range(3):
        check_backward(
            learner,
            lambda sheet, turn=turn: network(  # type: ignore[misc]
                sheet, programs.choices(learner.seed, f"network {turn}").choice
            ),
        )


def test_random_graphs(learner: Learner) -> None:
    """Gradients are right in 60 random graphs"""
    check_random_graphs(learner)
    test_used_again(learner)  # whatever was drawn


# --- a single Tensor ---


def _expect_floats(learner: Learner, t: Tensor) -> None:
    """Raise Mismatch for an array of ints, because `+= 0.5` fails on one."""
    readings = [t.data, t.grad]
    for reading, answer in zip(readings, learner.read(readings)):
        if isinstance(answer, Array) and any(type(value) is int for value in answer.numbers):
            raise Mismatch(
                f"`{learner.recorder.describe(reading)}` must be an array of floats: `+= 0.5`"
                " fails on an array of ints",
                kind=Kind.BAD_TYPE,
                expected="floats",
                got="ints",
                reading=reading,
            )


def _expect_parts(learner: Learner) -> None:
    """Check that `_prev` and `_op` hold the arguments, and that `_backward` does nothing."""
    learner.fresh()
    a, b = (
        learner.make(Tensor, "Tensor", [1.0, 2.0], name="a"),
        learner.make(Tensor, "Tensor", 3.0, name="b"),
    )
    t = learner.make(Tensor, "Tensor", [4.0, 5.0], [a.ref, b.ref], "+", name="t")
    learner.expect_same_objects(t.reading("_prev", "refs"), [a, b])
    learner.expect_same_objects(a.reading("_prev", "refs"), [])
    learner.expect_text(
        t.reading("_op", "text"),
        lambda text: text == "+",
        "+",
        "`_op` must be the text given to the constructor",
    )
    t.call("_backward")
    nothing = [
        Wanted(a.grad, (2,), (0.0, 0.0)),
        Wanted(b.grad, (), (0.0,)),
        Wanted(t.grad, (2,), (0.0, 0.0)),
    ]
    expect_all(learner, nothing, "`_backward` of a new Tensor must not change anything")


# --- backward ---


def _expect_seed(learner: Learner) -> None:
    """Check that `backward()` starts with ones, whatever gradient the result had before."""
    sheet = Sheet()
    root = leaf(sheet, (2, 3)) * leaf(sheet, (3,), 6)
    written = write(learner, root)
    written[root].put("grad", array(learner, (2, 3), (5.0,) * 6, "u"))
    written[root].call("backward")
    expect_all(
        learner,
        [Wanted(written[root].grad, (2, 3), (1.0,) * 6)],
        "`backward()` must start with ones",
    )
    learner.fresh()


def _expect_both(learner: Learner) -> None:
    """Check that the gradients from two results of different shapes add up in their leaves, if a
    Tensor that both were made from is cleared in between.
    """
    sheet = Sheet()
    a, b = leaf(sheet, (2, 3)), leaf(sheet, (3,), 6)
    shared = a * b
    first, second = shared * 2.0, shared.sum(0) - b
    written = write(learner, first, second)
    written[first].call("backward")
    written[shared].put("grad", array(learner, (2, 3), (0.0,) * 6, "z"))
    written[second].call("backward")
    goal = sheet.program.apply("+", sheet.goal(first, (1.0,) * 6), sheet.goal(second, (1.0,) * 3))
    wanted = [
        Wanted(written[node].grad, node.shape, slopes, sheet.confirm(goal, node))
        for node, slopes in sheet.slopes(goal, [a, b]).items()
    ]
    expect_all(learner, wanted)
    learner.fresh()
