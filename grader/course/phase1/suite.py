"""Phase 1: the attributes of a new Value."""

from __future__ import annotations

import re

from vocabulary import Learner

from grader.suite import Kind, Mismatch, close

NUMBER = r"([-+\d.einf]+)"


def test_data(learner: Learner) -> None:
    """`Value(5.0)` keeps its number in `data`"""
    for number in (5.0, -2.5, 0.0, 3, 0.00125, -7):
        value = learner.value(number, "a")
        learner.expect(value.data, number, f"`Value({number})` must keep its number")
        learner.fresh()
    a, b = learner.values(a=2.0, b=-3.0)
    learner.expect_all([(a.data, 2.0), (b.data, -3.0)], "every Value needs its own number")
    if learner.is_adapted:  # other engines may not allow changes
        return
    a.data = 4.5
    learner.expect_all(
        [(a.data, 4.5), (b.data, -3.0)], "changing `data` of one Value must not change another"
    )


def test_grad(learner: Learner) -> None:
    """`grad` starts at 0.0, separately for each Value"""
    a, b = learner.values(a=2.0, b=3.0)
    learner.expect_all([(a.grad, 0.0), (b.grad, 0.0)], "a new Value must have the gradient 0.0")
    a.grad = 7.0
    c = learner.value(4.0, "c")
    learner.expect_all(
        [(a.grad, 7.0), (b.grad, 0.0), (c.grad, 0.0)], "every Value needs its own gradient"
    )


def test_children(learner: Learner) -> None:
    """`_prev` holds the Values it was made from"""
    a, b = learner.values(a=2.0, b=0.0)
    for node in (a, b):
        learner.expect_same_objects(node.reading("_prev", "refs"), [])
    shared = learner.expression("lambda a, b: a._prev is b._prev and a._prev.__hash__ is None")
    learner.expect(
        learner.symbol(shared.call("__call__", a, b)).reading(),
        wanted=False,
        why="every Value needs its own `_prev`, but these two share one",
    )
    c = learner.value(5.0, "c", [a.ref, b.ref], "+")
    d = learner.value(6.0, "d", [c.ref], "neg")
    equal, e = learner.values(equal=2.0, e=1.0)
    s = learner.value(4.0, "s", [a.ref, equal.ref], "+")
    for node, children in ((c, [a, b]), (d, [c]), (a, []), (b, []), (s, [a, equal]), (e, [])):
        for _ in range(2):  # a generator is empty the second time
            learner.expect_same_objects(node.reading("_prev", "refs"), children)


def test_operation(learner: Learner) -> None:
    """`_op` holds the operation, "" for a leaf"""
    a = learner.value(2.0, "a")
    for operation in ("+", "sigmoid"):
        made = learner.value(5.0, "c", [a.ref], operation)
        learner.expect_text(
            made.reading("_op", "text"),
            lambda text, wanted=operation: text == wanted,  # type: ignore[misc]
            operation,
            "`_op` must be the text given to the constructor",
        )
    learner.expect_text(
        a.reading("_op", "text"),
        lambda text: text == "",
        "",
        "a leaf has no operation, so `_op` must be ''",
    )


def test_no_op_backward(learner: Learner) -> None:
    """`_backward` of a new Value does nothing"""
    a, b = learner.values(a=2.0, b=3.0)
    a.grad = 4.0
    made = learner.value(5.0, "c", [a.ref], "+")
    for value, which in ((a, "even for a leaf"), (made, "in every Value")):
        reading = value.reading("_backward", "callable")
        (answer,) = learner.read([reading])
        if answer is not True:
            raise Mismatch(
                f"`_backward` must be a function, {which}",
                kind=Kind.BAD_TYPE,
                expected="a function",
                got="something that cannot be called",
                reading=reading,
            )
    a.call("_backward")
    learner.expect_all(
        [(a.data, 2.0), (a.grad, 4.0), (b.data, 3.0), (b.grad, 0.0)],
        "a leaf's `_backward` must not change anything",
    )


def test_repr(learner: Learner) -> None:
    """`Value(5.0)` prints as `Value(data=5.0, grad=0.0)`"""
    for data, grad, is_result in (
        (5.0, 0.0, False),
        (-2.5, 0.5, False),
        (1250.0, -3.0, False),
        (0.25, -1.75, False),
        (0.0625, 0.0, False),
        (7.0, 0.5, True),
        (7.0, 0.0, True),
    ):
        made = ([learner.value(2.0, "b").ref], "+") if is_result else ()
        a = learner.value(data, "a", *made)
        if grad:
            a.grad = grad
        shown = f"Value(data={data}, grad={grad})"
        text = learner.builtin("repr", a)
        learner.expect_text(
            text.reading("", "text"),
            lambda got, data=data, grad=grad: _shows(got, data, grad),  # type: ignore[misc]
            shown,
            "`repr` must show the number and the gradient in this form",
        )
        learner.expect_all([(a.data, data), (a.grad, grad)], "`repr` must not change anything")
        learner.fresh()


def _shows(text: str, data: float, grad: float) -> bool:
    """Return whether the text has this form, with the numbers in any equivalent notation."""
    found = re.fullmatch(rf"Value\(data={NUMBER}, grad={NUMBER}\)", text)
    try:
        return found is not None and close(float(found[1]), data) and close(float(found[2]), grad)
    except ValueError:
        return False
