"""Phase 4: the order, and the whole backward pass, with reused results."""

from __future__ import annotations

from vocabulary import OPERATIONS, Learner

from grader.suite import Kind, LearnerFault, WorkerLost

PLAIN = "x = 2.0; y = -3.0; z = 10.0; f = x * y + z"
REUSED = "a = 2.0; b = 3.0; s = a * b; f = (s + 1) * (s * s)"
UNEQUAL = "a = 2.0; s = a * 3; t = (s * 1 + 2) * s + 1; f = t + s"
UNEQUAL_MIRRORED = "a = 2.0; s = a * 3; t = s * (s * 1 + 2) + 1; f = s + t"
CROSSED = "a = 2.0; b = -1.5; s = a * b; t = s * b; u = t * b + t * s; f = (s + u * t) + (t + u)"
SQUARED = "a = 2.0; b = -1.5; s = a * b; f = s * s + ((s * 3 + 1) * 2 + 1) * 2"


def test_order(learner: Learner) -> None:
    """`build_topo()` lists operands before results"""
    leaf = ["a = 2.0"] if learner.has("Value.build_topo") else []  # no pass has to visit a leaf
    for text in (PLAIN, REUSED, UNEQUAL, UNEQUAL_MIRRORED, CROSSED, SQUARED, *leaf):
        learner.expect_topological_order(learner.graph(text)[-1])
        learner.fresh()


def test_seed(learner: Learner) -> None:
    """`backward()` sets the gradient of the result to 1"""
    (a,) = learner.graph("a = 2.0")
    a.backward()
    if learner.dialect.intermediate:
        learner.expect(a.grad, 1.0, "d(a)/d(a) is 1, even for a leaf")
    learner.fresh()
    a, b, f = learner.graph("a = 2.0; b = 3.0; f = a * b")
    f.backward()
    learner.expect_all([(f.grad, 1.0), (a.grad, 3.0), (b.grad, 2.0)])
    if learner.is_adapted:  # engines differ in the gradient that the result may hold before
        return
    for text in ("a = 2.0; b = 3.0; g = a + b", "g = 2.0"):
        learner.fresh()
        nodes = learner.graph(text)
        nodes[-1].grad = 5.0
        nodes[-1].backward()
        learner.expect_all(
            [(node.grad, 1.0) for node in reversed(nodes)],
            "`backward()` must set the result's gradient to 1, whatever it was before",
        )


def test_first_graph(learner: Learner) -> None:
    """`backward()` sends the gradient through x*y + z"""
    learner.check_graphs(
        PLAIN,
        "a = 2.0; b = 3.0; c = -1.5; d = 0.5; f = (a * b + c) * (d * 7)",
        "x = 2; y = -1.5; z = 3; f = x * y + z",
    )


def test_reused_intermediate(learner: Learner) -> None:
    """A result used three times gets 3 shares"""
    other = "a = 2.0; b = 3.0; s = a + b; t = s * s; f = t * (s + 1) + s"
    learner.check_graphs(REUSED, other, times=3)


def test_unequal_paths(learner: Learner) -> None:
    """A node waits until all its shares have arrived"""
    learner.check_graphs(UNEQUAL, UNEQUAL_MIRRORED, CROSSED, times=3)


def test_same_node_twice(learner: Learner) -> None:
    """x*x, x+x, x-x and x/x have the correct gradients"""
    learner.check_graphs(
        "x = 3.0; f = x * x",
        "x = 3.0; f = (x + x) * 2",
        "x = 3.0; f = (x - x) * 2 + x",
        "x = 3.0; f = (x / x) * 2 + x",
        "x = 3.0; f = x * x * x",
        "x = 3.0; y = 2.0; s = x * y; f = (s * s + s) * (s - s * 2)",
        SQUARED,
    )


def test_every_operator(learner: Learner) -> None:
    """Every operator works inside an expression"""
    learner.check_inside(*OPERATIONS)
    learner.check_graphs(
        "a = 2.0; s = a * 1e20; f = s * 1e-20",
        "a = 2.0; b = -2.0; s = a + b; f = s * -1e6",
        times=1,
    )


def test_equal_values(learner: Learner) -> None:
    """Nodes with equal numbers stay separate nodes"""
    learner.check_graphs(
        "a = 2.0; b = 2.0; c = 2.0; s = a * b; t = b * c; f = s * t + a",
        "a = 3.0; b = 3.0; f = (a * 3) * (b * 3) + (a + 3) * 3",
    )


def test_two_results(learner: Learner) -> None:
    """A second result adds to the same gradients"""
    clears_nothing = (
        "`backward()` adds to the gradients that are there; it must not reset them or skip any"
    )
    for mirror in (False, True):
        learner.recorder.mirror = mirror
        a, b, f, g = learner.graph("a = 2.0; b = -3.0; f = a * b; g = a * 4 + b")
        f.backward()
        learner.send_back_again(g)
        learner.expect_all([(a.grad, 1.0), (b.grad, 3.0)], clears_nothing)
        learner.fresh()
    # a later result of the same intermediate, cleared by hand, must visit it again
    a, b, s, f = learner.graph("a = 2.0; b = -3.0; s = a * b; f = s * 2")
    f.backward()
    s.grad = 0.0
    learner.send_back_again(learner.named("g", s * 3))
    learner.expect_all([(s.grad, 3.0), (a.grad, -15.0), (b.grad, 10.0)], clears_nothing)
    learner.fresh()
    a, b, f = learner.graph("a = 2.0; b = -3.0; f = a * b")
    f.backward()
    learner.send_back_again(f)
    if learner.seed_was_added(f):
        return
    learner.expect_all([(a.grad, -6.0), (b.grad, 4.0)], clears_nothing)
    learner.fresh()
    # what an inner result has from the first pass is sent again
    a, b, s, f = learner.graph("a = 2.0; b = -3.0; s = a * b; f = s * 2")
    f.backward()
    f.backward()
    if not learner.is_adapted:
        learner.expect_all([(s.grad, 4.0), (a.grad, -18.0), (b.grad, 12.0)], clears_nothing)
    learner.fresh()
    # from an inner result, after a pass over the whole graph
    a, b, s, f = learner.graph("a = 2.0; b = -3.0; s = a * b; f = s * 2")
    f.backward()
    s.backward()
    if not learner.is_adapted:
        learner.expect_all(
            [(s.grad, 1.0), (a.grad, -9.0), (b.grad, 6.0)],
            "`s.backward()` must set `s.grad` to 1.0 and run from `s` only",
        )


def test_wide(learner: Learner) -> None:
    """A node used 50 times gets all its shares"""
    # a walk in the order of a set may be right by luck, but not every time
    fan_out = "a = 2.0; b = 0.1; s = a * b; t = repeat(50, '+', s, s); f = t * s"
    learner.check_graphs(fan_out, times=5)
    leaves = "; ".join(f"a{number} = {0.5 * number - 2}" for number in range(10))
    names = " + ".join(f"a{number}" for number in range(10))
    learner.check_graphs(f"{leaves}; t = {names}; f = t * a5")


def test_doubling(learner: Learner) -> None:
    """`backward()` visits each node only once"""
    for count in (12, 25):
        a, x = learner.graph(f"a = 1.5; x = repeat({count}, '+', a, None)")
        try:
            learner.run()
        except (LearnerFault, WorkerLost) as met:
            # its gradients are right on smaller graphs
            if learner.is_adapted and count > 12 and met.fault.kind in {Kind.MEMORY, Kind.TIMEOUT}:
                return
            raise
        x.backward()
        learner.expect_all(
            [(x.data, 1.5 * 2.0**count), (a.grad, 2.0**count)],
            "every node must pass its gradient on exactly once",
        )
        learner.fresh()


def test_deep(learner: Learner) -> None:
    """A chain of 300 operations works"""
    for count in (10, 300):
        a, b, x, f = learner.graph(f"a = 2.0; b = 0.01; x = repeat({count}, '+', a, b); f = x * a")
        f.backward()
        total = 2.0 + 0.01 * count
        learner.expect_all(
            [(f.data, 2.0 * total), (x.grad, 2.0), (b.grad, 2.0 * count), (a.grad, total + 2.0)]
        )
        learner.fresh()


def test_random_graphs(learner: Learner) -> None:
    """Gradients are right in 100 random graphs"""
    learner.check_random_graphs(*OPERATIONS)


def test_very_deep(learner: Learner) -> None:
    """Bonus: a chain of 30,000 operations"""
    # a short one shows a wrong pass before it takes forever
    for length, step, seconds in ((5, 0.5, 1.0), (5, -0.5, 1.0), (30_000, 0.5, 2.0)):
        learner.recorder.seconds = seconds
        with learner.fresh():
            a, b, x = learner.graph(f"a = 2.0; b = {step}; x = repeat({length}, '+', a, b)")
            x.backward()
            learner.expect_all([(a.grad, 1.0), (b.grad, float(length))])
