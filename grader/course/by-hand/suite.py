"""By hand: try `slope` on functions that the learner has not seen; compute every number from the
expressions, and compare it with the learner's.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from answers import check_answers
from vocabulary import Learner

from grader.suite import Confirm, Mismatch, number_text, oracle, parse_program, work_backward

# a step of 0.001 to one side stays within this on every curve below; a step of 0.1 does not
TOLERANCE = 0.01
BENDS = "; a curve bends, so the step must be small. Try 0.001"


class Graph:
    """An expression in lines like `t = a * b`, worked out for one pass and for two."""

    def __init__(self, leaves: dict[str, float], *lines: str) -> None:
        self.lines = {line.partition(" ")[0]: line for line in lines}
        self.parsed = parsed = parse_program("\n".join(lines), leaves, "Value")
        worked = work_backward(parsed.steps, parsed.labels, parsed.root, 2)
        self.passes = [{one.node: one for one in worked if one.run == run} for run in (1, 2)]

    def shares(self, name: str) -> dict[str, float]:
        """Return the share that a node gets from each operation in one pass."""
        found: dict[str, float] = {}
        for share in self.passes[0][name].shares:
            found[share.through] = found.get(share.through, 0.0) + share.slope * share.upstream
        return found

    def right(self, key: str) -> float:
        """Return the number for a key such as `t`, `t.grad`, `a from t` or `t.grad after 2`."""
        name, _, through = key.partition(" from ")
        if through:
            return self.shares(name)[through]
        name, _, rest = key.partition(".")
        worked = self.passes[rest.endswith("2")][name]
        return (worked.gradient or 0.0) if rest else worked.value

    def confirm(self, key: str) -> Confirm | None:
        """Return the finite difference for a gradient of one pass."""
        name, _, rest = key.partition(".")
        if not rest or rest.endswith("2"):
            return None
        parsed = self.parsed
        return partial(oracle.finite_difference, parsed.steps, parsed.root, parsed.names[name])

    def explain(self, key: str, _got: float) -> str:
        """Return how to find the number for a key."""
        name, _, through = key.partition(" from ")
        name, _, rest = name.partition(".")
        shares = self.shares(name)
        if rest and not shares:
            return "the result changes exactly as fast as itself, in every pass"
        if rest.endswith("2"):
            return (
                "in the second pass every operation uses the gradient that its result holds by"
                " then, and adds to what the first pass left"
            )
        if not rest and not through:
            return f"compute `{self.lines[name]}` again"
        if not through and len(shares) > 1:
            parts = " and ".join(f"`{share}`" for share in shares)
            return f"it is the sum of the shares through {parts}"
        result = through or next(iter(shares))
        return (
            f"it is the local derivative of `{self.lines[result]}` for `{name}` times the gradient"
            f" of `{result}`"
        )


FIRST = Graph(
    {"a": 2.0, "b": 3.0, "c": 4.0, "d": 5.0},
    "t1 = a * b",
    "t2 = t1 + c",
    "t3 = a + d",
    "L = t2 * t3",
)
SECOND = Graph({"a": 1.0, "b": 4.0, "c": 2.0}, "t = a - b", "u = t ** 2", "y = u / c")
THIRD = Graph({"a": 2.0, "b": -3.0}, "s = a * b", "t = s + a", "u = s * t", "f = u - a")
FOURTH = Graph({"a": 3.0, "b": 2.0, "c": -1.0}, "t1 = a * b", "t2 = t1 + c", "f = t2 * a")


def test_slope_line(learner: Learner) -> None:
    """`slope` measures how steep a straight line is"""
    _check_slope(learner, "5 * x - 2", (3.0, 0.0, -1.5))
    _check_slope(learner, "1 - x / 4", (2.0, -40.0))
    _check_slope(learner, "0 * x + 7", (2.0,))


def test_slope_curve(learner: Learner) -> None:
    """`slope` measures how steep a curve is at a point"""
    _check_slope(learner, "x * x", (-1.5, 0.0, 4.0), BENDS)
    _check_slope(learner, "x * x * x - 2 * x", (2.0, -1.0, 0.5), BENDS)
    _check_slope(learner, "(x + 3) / (x * x + 1)", (1.0, -0.5), BENDS)
    _check_slope(learner, "2 / x - x ** 4", (0.5, -1.25), BENDS)


def test_first_forward(learner: Learner) -> None:
    """`first`: the numbers, from the leaves to L"""
    _check(learner, "first", FIRST, FIRST.lines)


def test_first_backward(learner: Learner) -> None:
    """`first`: the gradients, from L back to b, c and d"""
    _check(learner, "first", FIRST, _gradients("L", "t2", "t3", "t1", "b", "c", "d"))


def test_first_sum(learner: Learner) -> None:
    """`first`: the two shares of `a` are added"""
    _check(learner, "first", FIRST, ["a from t1", "a from t3", "a.grad"])


def test_second(learner: Learner) -> None:
    """`second`: a difference, a square and a quotient"""
    _check(learner, "second", SECOND, [*SECOND.lines, *_gradients("y", "u", "c", "t", "a", "b")])


def test_third(learner: Learner) -> None:
    """`third`: a node with two uses, a leaf with three"""
    of_s = ["s from u", "s from t", "s.grad", "b.grad"]
    of_a = ["a from f", "a from t", "a from s", "a.grad"]
    _check(learner, "third", THIRD, [*THIRD.lines, *_gradients("f", "u", "t"), *of_s, *of_a])


def test_fourth(learner: Learner) -> None:
    """`fourth`: numbers, and gradients after one pass"""
    _check(
        learner,
        "fourth",
        FOURTH,
        [*FOURTH.lines, *_gradients("f", "t2", "t1", "c", "b", "a", when=" after 1")],
    )


def test_fourth_again(learner: Learner) -> None:
    """`fourth`: the gradients after a second pass"""
    _check(learner, "fourth", FOURTH, _gradients("f", "t2", "t1", "c", "b", "a", when=" after 2"))


def _gradients(*names: str, when: str = "") -> list[str]:
    return [f"{name}.grad{when}" for name in names]


def _check(learner: Learner, function: str, graph: Graph, keys: Iterable[str]) -> None:
    """Compare the numbers of these keys, in the order of the work."""
    check_answers(
        learner, function, {key: graph.right(key) for key in keys}, graph.explain, graph.confirm
    )


# --- the measured derivative ---


def _check_slope(learner: Learner, source: str, places: Iterable[float], advice: str = "") -> None:
    """Raise Mismatch unless `slope` is right within 1 % for a function at all of these places."""
    for place in places:
        with learner.fresh():
            parsed = parse_program(f"y = {source}", {"x": place}, "Value")
            x = parsed.names["x"]
            wanted = oracle.gradients(parsed.steps, parsed.root, [x])[x]
            f = learner.expression(f"lambda x: {source}")
            reading = learner.call("slope", f, place, name="measured").reading()
            (got,) = learner.read([reading])
            if isinstance(got, bool) or not isinstance(got, (int, float)):
                raise learner.wrong_type(reading, "`slope` must return a number", "a number")
            if not abs(got - wanted) <= TOLERANCE * (1 + abs(wanted)):
                raise Mismatch(
                    f"the function is `{source}` and `x` is {number_text(place)}{advice}",
                    expected=wanted,
                    got=float(got),
                    reading=reading,
                    confirm=partial(oracle.finite_difference, parsed.steps, parsed.root, x),
                )
