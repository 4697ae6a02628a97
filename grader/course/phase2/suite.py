"""Phase 2: a sum and its graph, then its backward step."""

from __future__ import annotations

from functools import partial

from vocabulary import Learner

# float("one") raises ValueError, in a constructor that converts
REFUSALS = (TypeError, ValueError, AssertionError)


def test_forward(learner: Learner) -> None:
    """`a + b` is a new Value with the sum"""
    learner.check_operation("v + v", gradient=False)
    a, b = learner.values(a=2, b=3)
    learner.expect((a + b).data, 5, "adding ints must work too")


def test_graph(learner: Learner) -> None:
    """`a + b` remembers `a`, `b` and "+" """
    learner.check_recorded(lambda a, b: a + b, "+", "add")


def test_plain_number(learner: Learner) -> None:
    """`a + 3` is the sum, for an int and a float"""
    learner.check_operation("v + k", gradient=False)
    learner.check_new(lambda a: a + 0)


def test_operands_untouched(learner: Learner) -> None:
    """`a + b` changes neither `a` nor `b`"""
    learner.check_untouched("v + v", "v + k")


def test_backward(learner: Learner) -> None:
    """`a + b` passes its gradient to `a` and `b`"""
    learner.check_operation("v + v", gradient=True)
    learner.check_at("v + v", (3, 2), (2.0, 2.0), (2.0, 0), (0.0, 2.0))
    learner.check_reused("v + v")


def test_number_right(learner: Learner) -> None:
    """`a + 3` passes its gradient to `a`"""
    learner.check_operation("v + k", gradient=True)
    learner.check_at("v + k", (3, 2), (6, -1))


def test_number_left(learner: Learner) -> None:
    """`3 + a` works with an int and a float"""
    learner.check_both("k + v")


def test_sum(learner: Learner) -> None:
    """`sum([a, b, c])` works, and so do its gradients"""
    a, b, c = learner.values(a=2.0, b=-3.0, c=0.5)
    total = learner.total([a, b, c])
    learner.expect(total.data, -0.5)
    upstream = learner.send_back(total, 3.0, a, b, c)
    learner.expect_all([(a.grad, upstream), (b.grad, upstream), (c.grad, upstream)])


def test_refuses_non_numbers(learner: Learner) -> None:
    """`a + "one"` raises an error such as TypeError"""
    a, b = learner.values(a=2.0, b=3.0)
    learner.works(a + b)
    refuses = partial(learner.check_refuses, "a +", lambda a, thing: a + thing, errors=REFUSALS)
    refuses("one", None, [1.0])
    t = learner.value("2", "t")  # type: ignore[arg-type]
    converts = learner.raised() is None and learner.read([t.reading("data", "number")]) == [2]
    learner.fresh()
    if not converts:  # the constructor keeps text as text
        refuses("2")
    learner.check_new(lambda a: a + 3)  # an exception must not change later sums
