"""Extension 4: every operation by itself, on shapes that fit and on shapes that are stretched; then
whole graphs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from grader.course.arrays import (
    Node,
    Part,
    Plain,
    Shape,
    Sheet,
    bounded,
    common_shape,
    nested,
    number,
    operand,
    places,
    small,
    source_of,
)
from grader.course.graphs import REUSED, expression, leaf, network
from grader.course.tensors import (
    UPSTREAM,
    Build,
    Tensor,
    Wanted,
    array,
    check_backward,
    check_operation,
    check_random_graphs,
    expect_all,
    write,
)
from grader.course.vocabulary import Learner
from grader.judge.oracle import programs
from grader.judge.oracle.programs import (
    EXPONENTS,
    LEAVES,
    MAX_LEAF,
    MAX_VALUE,
    MIN_DIVISOR,
    MIN_RELU,
    NUMBERS,
    Choose,
    Program,
)
from grader.judge.recorder import Mismatch, Recorder
from grader.judge.replies import Array
from grader.model import Kind

Pair = tuple[Shape, Shape]

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
)


def test_tensor(recorder: Recorder) -> None:
    """A Tensor holds floats, and a gradient of zeros in the same shape"""
    for shape in ((2, 3), (3,), (), (2, 1, 3), (1,)):
        for kind in (float, int):
            values = [kind(value) for value in (2, 3, -1, 5, -2, 4)[: math.prod(shape)]]
            t = recorder.make(Tensor, "Tensor", nested(shape, values), name="t")
            expect_all(
                recorder,
                [Wanted(t.data, shape, values), Wanted(t.grad, shape, [0.0] * len(values))],
            )
            _expect_floats(recorder, t)
            recorder.restart()
    given = array(recorder, (2, 2), (1.0, 2.0, 3.0, 4.0), "w")
    t = recorder.make(Tensor, "Tensor", given.ref, name="t")
    expect_all(
        recorder, [Wanted(t.data, (2, 2), (1.0, 2.0, 3.0, 4.0)), Wanted(t.grad, (2, 2), (0.0,) * 4)]
    )
    _expect_parts(recorder)


def test_unbroadcast(recorder: Recorder) -> None:
    """`unbroadcast` sums up to the shape of the operand"""
    source = programs.choices(recorder.seed, "unbroadcast")
    wanted = []
    for own, other in (*STRETCHED, *((right, left) for left, right in STRETCHED), *EQUAL):
        shape = common_shape(own, other)
        gradient = [source.choice(LEAVES) for _ in range(math.prod(shape))]
        numbers = [0.0] * math.prod(own)
        for place, value in zip(places(shape), gradient):
            numbers[source_of(place, own)] += value
        g = array(recorder, shape, gradient, "g")
        summed = recorder.make(
            Tensor, "unbroadcast", g.ref, recorder.expression(str(own)), name="s"
        )
        wanted.append(Wanted(summed.reading("", "array"), own, numbers))
    expect_all(recorder, wanted)


def test_add(recorder: Recorder) -> None:
    """`a + b` adds arrays, and stretches one to fit the other"""
    _check(recorder, "+", EQUAL + STRETCHED, gradient=False)


def test_add_backward(recorder: Recorder) -> None:
    """`_backward` of `a + b` adds the gradient to both operands"""
    _check(recorder, "+", EQUAL, rounds=3, data=False)


def test_add_stretched(recorder: Recorder) -> None:
    """`_backward` of `a + b` sums over axes that were stretched"""
    _check(recorder, "+", STRETCHED, data=False)


def test_mul(recorder: Recorder) -> None:
    """`a * b` multiplies number by number, stretched to fit"""
    _check(recorder, "*", EQUAL + STRETCHED, gradient=False)


def test_mul_backward(recorder: Recorder) -> None:
    """`_backward` of `a * b` multiplies, then sums to each shape"""
    _check(recorder, "*", EQUAL + STRETCHED, data=False)


def test_plain_operands(recorder: Recorder) -> None:
    """Numbers and arrays on either side of `+` and `*`"""
    for op in ("+", "*"):
        _check_plain(recorder, op)


def test_minus(recorder: Recorder) -> None:
    """`-a` and `a - b`, with numbers and arrays on either side"""
    check_operation(recorder, "neg", _of_one("neg"), 2 * len(SINGLE))
    _check(recorder, "-", EQUAL + STRETCHED)
    _check_plain(recorder, "-")


def test_power(recorder: Recorder) -> None:
    """`a ** k`, number by number"""

    def build(sheet: Sheet, choose: Choose[Any], turn: int) -> Node:
        exponent = EXPONENTS[turn % len(EXPONENTS)]
        base = operand(
            sheet,
            SINGLE[turn % len(SINGLE)],
            choose,
            _base_for(exponent),
            deep=turn >= len(EXPONENTS),
        )
        return sheet.apply("**", base, number(exponent))

    check_operation(recorder, "power", build, 3 * len(EXPONENTS))


def test_division(recorder: Recorder) -> None:
    """`a / b`, with numbers and arrays on either side"""
    _check(recorder, "/", EQUAL + STRETCHED, right=_divisor)
    _check_plain(recorder, "/", right=_divisor)


def test_matmul(recorder: Recorder) -> None:
    """`a @ b` is the matrix product"""
    check_operation(recorder, "@", _product, 3 * len(MATRICES), gradient=False)


def test_matmul_backward(recorder: Recorder) -> None:
    """`_backward` of `a @ b` gives each matrix its gradient"""
    check_operation(recorder, "@ back", _product, 6 * len(MATRICES), data=False)


def test_sum(recorder: Recorder) -> None:
    """`sum()` of everything, or along an axis that stays or goes"""
    check_operation(recorder, "sum", _sum, 2 * len(SUMMED), gradient=False)


def test_sum_backward(recorder: Recorder) -> None:
    """`_backward` of `sum()` gives each number its sum's gradient"""
    check_operation(recorder, "sum back", _sum, 2 * len(SUMMED), data=False)


def test_relu(recorder: Recorder) -> None:
    """`relu()` keeps what is positive and makes 0 of the rest"""
    check_operation(
        recorder, "relu", _of_one("relu", _off_the_kink), 3 * len(SINGLE), gradient=False
    )


def test_relu_backward(recorder: Recorder) -> None:
    """`_backward` of `relu()` asks the data, and is closed at 0"""
    check_operation(
        recorder, "relu back", _of_one("relu", _off_the_kink), 6 * len(SINGLE), data=False
    )
    a = recorder.make(Tensor, "Tensor", [0.0, 2.0, -1.5], name="a")
    b = a.method("relu")
    b.put("grad", array(recorder, (3,), UPSTREAM[:3], "u"))
    recorder.walk(b, "_prev", "_backward", [a])
    expect_all(recorder, [Wanted(a.grad, (3,), (0.0, UPSTREAM[1], 0.0))])


def test_operands_untouched(recorder: Recorder) -> None:
    """What goes in stays as it is, and what comes out is new"""
    for op in ("+", "-", "*", "/", "@", "**", "neg", "sum", "relu"):
        sheet = Sheet()
        a, b = sheet.leaf((2, 2), (2.0, -3.0, 0.5, 1.25)), sheet.leaf((2, 2), (1.5, 0.5, -2.0, 4.0))
        root = _apply_any(sheet, op, a, b)
        written = write(recorder, a, b)
        for at, (node, name) in enumerate(((a, "v"), (b, "w"))):
            written[node].put("grad", array(recorder, (2, 2), UPSTREAM[at : at + 4], name))
        result = write(recorder, root, written=written)[root]
        size = len(root.items)
        result.put("grad", array(recorder, root.shape, [1.0] * size, "u"))
        why = "an operation must leave its operands as they are, and make a new Tensor"
        wanted = [Wanted(result.grad, root.shape, [1.0] * size)]
        for at, node in enumerate((a, b)):
            wanted += [
                Wanted(written[node].data, (2, 2), sheet.values(node)),
                Wanted(written[node].grad, (2, 2), UPSTREAM[at : at + 4]),
            ]
        expect_all(recorder, wanted, why)
        recorder.restart()


def test_backward(recorder: Recorder) -> None:
    """`backward()` begins with ones in the shape of the result"""
    for shape in ((), (3,), (2, 3), (1, 1)):
        check_backward(recorder, lambda sheet, shape=shape: expression(sheet, shape))  # type: ignore[misc]
    _expect_seed(recorder)
    _expect_both(recorder)


def test_used_again(recorder: Recorder) -> None:
    """A Tensor that is used several times gets all its shares"""
    for build in REUSED:
        check_backward(recorder, build)


def test_network(recorder: Recorder) -> None:
    """Two layers and a loss, for a batch of examples"""
    for turn in range(3):
        check_backward(
            recorder,
            lambda sheet, turn=turn: network(  # type: ignore[misc]
                sheet, programs.choices(recorder.seed, f"network {turn}").choice
            ),
        )


def test_random_graphs(recorder: Recorder) -> None:
    """60 random graphs agree with finite differences"""
    check_random_graphs(recorder)


# --- examples of one operation ---

Allowed = Callable[[float], bool]
PLAIN: tuple[Pair, ...] = (
    ((2, 3), (3,)),
    ((2, 3), (2, 3)),
    ((2, 1), (1, 3)),
    ((1,), (3,)),
    ((), (2,)),
    ((3,), (2, 3)),
)


def _check(  # noqa: PLR0913 - how many examples, of what numbers, and what of them
    recorder: Recorder,
    op: str,
    pairs: Sequence[Pair],
    *,
    right: Allowed = bounded,
    rounds: int = 2,
    data: bool = True,
    gradient: bool = True,
) -> None:
    """An operation on two Tensors of every pair of shapes; from the second round on they are
    results themselves.
    """

    def build(sheet: Sheet, choose: Choose[Any], turn: int) -> Node:
        shapes, deep = pairs[turn % len(pairs)], turn >= len(pairs)
        return sheet.apply(
            op,
            operand(sheet, shapes[0], choose, deep=deep),
            operand(sheet, shapes[1], choose, right, deep=deep),
        )

    check_operation(
        recorder,
        f"{op} {len(pairs)} {gradient}",
        build,
        rounds * len(pairs),
        data=data,
        gradient=gradient,
    )


def _check_plain(recorder: Recorder, op: str, right: Allowed = bounded) -> None:
    """A number or an array on either side."""

    def build(sheet: Sheet, choose: Choose[Any], turn: int) -> Node:
        own, other = PLAIN[turn // 4 % len(PLAIN)]
        tensor = operand(sheet, own, choose, bounded if turn % 2 else right)
        plain: Part = number(choose(NUMBERS))
        if turn % 4 > 1:
            allowed = [value for value in LEAVES if right(value)]
            plain = Plain(other, tuple(choose(allowed) for _ in range(math.prod(other))))
        return sheet.apply(op, *((tensor, plain) if turn % 2 else (plain, tensor)))

    check_operation(recorder, f"plain {op}", build, 4, gradient=False)
    check_operation(recorder, f"plain {op}", build, 4 * len(PLAIN))


def _of_one(op: str, allowed: Allowed = bounded) -> Build:
    """An operation on one Tensor."""

    def build(sheet: Sheet, choose: Choose[Any], turn: int) -> Node:
        return sheet.apply(
            op,
            operand(sheet, SINGLE[turn % len(SINGLE)], choose, allowed, deep=turn >= len(SINGLE)),
        )

    return build


def _product(sheet: Sheet, choose: Choose[Any], turn: int) -> Node:
    left, right = MATRICES[turn % len(MATRICES)]
    deep = turn >= 2 * len(MATRICES)
    return sheet.matmul(
        operand(sheet, left, choose, small, deep=deep),
        operand(sheet, right, choose, small, deep=deep),
    )


def _sum(sheet: Sheet, choose: Choose[Any], turn: int) -> Node:
    shape, args = SUMMED[turn % len(SUMMED)]
    return sheet.sum(operand(sheet, shape, choose, small, deep=turn >= len(SUMMED)), *args)


def _apply_any(sheet: Sheet, op: str, a: Node, b: Node) -> Node:
    if op == "@":
        return sheet.matmul(a, b)
    if op == "sum":
        return sheet.sum(a, 0)
    operands: dict[str, tuple[Part, ...]] = {"**": (a, number(2)), "neg": (a,), "relu": (a,)}
    return sheet.apply(op, *operands.get(op, (a, b)))


def _base_for(exponent: float) -> Allowed:
    return lambda value: Program("number").allows("**", value, exponent)


def _divisor(value: float) -> bool:
    return MIN_DIVISOR < abs(value) <= MAX_LEAF


def _off_the_kink(value: float) -> bool:
    return MIN_RELU <= abs(value) <= MAX_VALUE


# --- a Tensor by itself ---


def _expect_floats(recorder: Recorder, t: Tensor) -> None:
    """No array may hold whole numbers: 0.5 cannot be added to those in place."""
    readings = [t.data, t.grad]
    for reading, answer in zip(readings, recorder.run(readings)):
        if isinstance(answer, Array) and any(type(value) is int for value in answer.numbers):
            raise Mismatch(
                f"`{recorder.describe(reading)}` must be an array of floats: no 0.5 can be added to"
                " whole numbers",
                kind=Kind.BAD_TYPE,
                expected="floats",
                got="whole numbers",
                reading=reading,
            )


def _expect_parts(recorder: Recorder) -> None:
    """`_prev` and `_op` hold what was given, and `_backward` does nothing."""
    recorder.restart()
    a, b = (
        recorder.make(Tensor, "Tensor", [1.0, 2.0], name="a"),
        recorder.make(Tensor, "Tensor", 3.0, name="b"),
    )
    t = recorder.make(Tensor, "Tensor", [4.0, 5.0], [a.ref, b.ref], "+", name="t")
    learner = Learner(recorder)
    learner.expect_same_objects(t.reading("_prev", "refs"), [a, b])
    learner.expect_same_objects(a.reading("_prev", "refs"), [])
    learner.expect_text(
        t.reading("_op", "text"),
        lambda text: text == "+",
        "+",
        "`_op` must hold the operation that was given",
    )
    t.call("_backward")
    nothing = [
        Wanted(a.grad, (2,), (0.0, 0.0)),
        Wanted(b.grad, (), (0.0,)),
        Wanted(t.grad, (2,), (0.0, 0.0)),
    ]
    expect_all(recorder, nothing, "`_backward` of a new Tensor does nothing yet")


# --- backward


def _expect_seed(recorder: Recorder) -> None:
    """Whatever the result held as its gradient, `backward()` begins with ones."""
    sheet = Sheet()
    root = sheet.apply("*", leaf(sheet, (2, 3)), leaf(sheet, (3,), 6))
    written = write(recorder, root)
    written[root].put("grad", array(recorder, (2, 3), (5.0,) * 6, "u"))
    written[root].call("backward")
    expect_all(
        recorder, [Wanted(written[root].grad, (2, 3), (1.0,) * 6)], "`backward()` begins with ones"
    )
    recorder.restart()


def _expect_both(recorder: Recorder) -> None:
    """Two results over the same leaves, one `backward()` each: their gradients add up, whatever
    their shapes.
    """
    sheet = Sheet()
    a, b = leaf(sheet, (2, 3)), leaf(sheet, (3,), 6)
    first, second = sheet.apply("*", a, b), sheet.apply("-", b, number(2.0))
    written = write(recorder, first, second)
    written[first].call("backward")
    written[second].call("backward")
    goal = sheet.program.apply("+", sheet.goal(first, (1.0,) * 6), sheet.goal(second, (1.0,) * 3))
    wanted = [
        Wanted(written[node].grad, node.shape, sheet.slopes(goal, node), sheet.confirm(goal, node))
        for node in (a, b)
    ]
    expect_all(recorder, wanted)
    recorder.restart()
