"""Phase 5: reused leaves, and repeated backward passes."""

from __future__ import annotations

from collections.abc import Sequence

from vocabulary import OPERATIONS, Learner, Value

from grader.suite import Mismatch, oracle


def test_square(learner: Learner) -> None:
    """`a * a` has the gradient 2a"""
    learner.check_graphs("a = 3.0; f = a * a", "a = -1.5; f = a * a")


def test_double(learner: Learner) -> None:
    """`a + a` has the gradient 2"""
    learner.check_graphs("a = 3.0; f = a + a")


def test_square_plus(learner: Learner) -> None:
    """`a * a + a` has the gradient 2a + 1"""
    learner.check_graphs("a = 3.0; f = a * a + a")


def test_diamond(learner: Learner) -> None:
    """Paths that split and meet again add up"""
    learner.check_graphs(
        "a = 2.0; f = (a * 3) * (a + 1)",
        "a = 0.5; s = (a * 3) * (a + 1); f = (s + 2) * (s * s)",
        "a = 2.0; b = -1.5; s = a * b + a; f = (s * a) * (s + b) + a * b",
    )


def test_every_operator(learner: Learner) -> None:
    """Every operator adds to an existing gradient"""
    learner.check_reuse(*OPERATIONS)


def test_accumulate(learner: Learner) -> None:
    """The gradients of three graphs add up"""
    w, b = learner.values(w=2.0, b=-1.0)
    for name, x in (("f", 3.0), ("g", -1.5), ("h", 0.5)):
        result = learner.named(name, w * x + b * w)
        result.backward() if name == "f" else learner.send_back_again(result)
    learner.expect_all([(w.grad, -1.0), (b.grad, 6.0)])


def test_second_backward(learner: Learner) -> None:
    """A second `backward()` adds to the gradients"""
    a, b, f = learner.graph("a = 2.0; b = -3.0; f = a * b")
    _twice(learner, f, [(a, -6.0), (b, 4.0)])
    a, b, c, f = learner.graph("a = 2.0; b = -3.0; c = 10.0; f = a * b + c")
    _twice(learner, f, [(c, 2.0), (a, -9.0), (b, 6.0)])
    a, b, c, d, f = learner.graph("a = 2.0; b = -3.0; c = 10.0; d = -2.0; f = (a * b + c) * d")
    _twice(learner, f, [(d, 8.0), (c, -6.0), (a, 24.0), (b, -16.0)])


def test_zero_grad(learner: Learner) -> None:
    """`zero_grad()` resets gradients, not data"""
    nodes = learner.graph("a = 2.0; b = -3; s = a * b; t = s + a; f = t * s")
    nodes[-1].backward()
    nodes[-1].zero_grad()
    learner.expect_all([(node.grad, 0.0) for node in reversed(nodes)])
    numbers = (2.0, -3.0, -6.0, -4.0, 24.0)
    learner.expect_all([(node.data, number) for node, number in zip(nodes, numbers)])
    learner.fresh()
    # a result above f connects the other leaf with it, so a listing shows both
    graph = "a = 2.0; b = 2.0; other = 0.0; f = a * b + 2; above = f * other"
    a, b, other, f, _ = learner.graph(graph)
    a.grad, b.grad, other.grad = 4.0, 4.0, 5.0
    f.zero_grad()
    learner.expect_all([(a.grad, 0.0), (b.grad, 0.0)])
    learner.expect(other.grad, 5.0, "`zero_grad()` must only reset Values in the graph below it")
    other.zero_grad()
    learner.expect(other.grad, 0.0)
    learner.fresh()
    for graph in ("f = c * (s * a * s) * d", "f = d * ((s * a * s) * c)"):
        nodes = learner.graph(f"a = 2.0; b = -3.0; c = 0.5; d = 1.5; s = a * b; {graph}")
        nodes[-1].backward()
        nodes[-1].zero_grad()  # a walk must not end where it meets s or a again
        learner.expect_all([(node.grad, 0.0) for node in nodes])
        learner.fresh()
    a, f = learner.graph("a = 1e200; f = a * a * a")
    f.backward()  # a.grad is infinite, and times 0 it would not be 0
    f.zero_grad()
    learner.expect(a.grad, 0.0)


def test_zero_grad_once(learner: Learner) -> None:
    """`zero_grad()` visits each node only once"""
    a, x = learner.graph("a = 1.5; x = repeat(25, '+', a, None)")
    a.grad = 3.0
    x.zero_grad()
    learner.expect(a.grad, 0.0)
    learner.fresh()
    a = learner.value(1.5, "a")
    x = a
    for _ in range(23):  # two operations per round: a set of children does not hide the two paths
        x = x * 0.5 + x
    a.grad = 3.0
    x.zero_grad()
    learner.expect(a.grad, 0.0)


def test_begin_anew(learner: Learner) -> None:
    """After `zero_grad()`, `backward()` works again"""
    a, b, s, f = learner.graph("a = 2.0; b = -3.0; s = a * b; f = s * s + a")
    f.backward()
    wanted = [(f.grad, 1.0), (s.grad, -12.0), (a.grad, 37.0), (b.grad, -24.0)]
    learner.expect_all(wanted)
    for _ in range(2):
        f.zero_grad()
        learner.send_back_again(f, cleared=True)
        learner.expect_all(wanted)
    f.zero_grad()
    learner.send_back_again(learner.named("g", s * a * a * a), cleared=True)
    learner.expect_all([(s.grad, 8.0), (a.grad, -96.0), (b.grad, 16.0)])


def _twice(learner: Learner, f: Value, wanted: Sequence[tuple[Value, float]]) -> None:
    once = oracle.gradients(learner.steps, f.ref, [node.ref for node, _ in wanted])
    f.backward()
    learner.send_back_again(f)
    if learner.seed_was_added(f):
        learner.ask("the gradient of the result at the start of a second `backward()`")
    why = "a second `backward()` must add to what the first one left, in intermediate nodes too"
    try:
        learner.expect_all([(node.grad, gradient) for node, gradient in wanted], why)
    except Mismatch:
        if not learner.is_adapted:
            raise
        # if intermediate nodes keep no gradient, a second pass gives the same result
        learner.expect_all(
            [(node.grad, 2 * once[node.ref]) for node, _ in wanted],
            f"{why}, or give the same again",
        )
    learner.fresh()
