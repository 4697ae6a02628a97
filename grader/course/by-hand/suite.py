"""By hand: try `slope` on functions that the learner has not seen; compute every number from the
expressions, and compare it with what was filled in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial

from answers import check_answers
from vocabulary import Learner

from grader.suite import Confirm, Mismatch, Program, Ref, close, number_text, oracle, parse_program

# a step of 0.001 to one side stays within this on every curve below; a step of 0.1 does not
TOLERANCE = 0.01
BENDS = "a curve bends, so the step must be small. Try 0.001"


class Graph:
    """An expression in lines like `t = a * b`: its values, gradients and shares, after one or two
    passes.
    """

    def __init__(self, leaves: dict[str, float], *lines: str) -> None:
        self.program = Program("Value")
        self.refs = {name: self.program.leaf(number) for name, number in leaves.items()}
        self.lines: dict[str, list[str]] = {}
        for line in lines:
            result, _, *words = line.split()
            left, op, right = words
            self.refs[result] = self.program.apply(op, self._operand(left), self._operand(right))
            self.lines[result] = words

    def _operand(self, word: str) -> Ref | int:
        return self.refs[word] if word in self.refs else int(word)

    @property
    def root(self) -> str:
        """The name of the result."""
        return next(reversed(self.lines))

    def value(self, name: str) -> float:
        """Return the number of a node."""
        return self.program.values[self.refs[name]]

    @cached_property
    def gradients(self) -> dict[str, float]:
        """The oracle's gradient of every node after one pass."""
        found = oracle.gradients(self.program.steps, self.refs[self.root], list(self.refs.values()))
        return {name: found[ref] for name, ref in self.refs.items()}

    def slopes(self, result: str) -> list[tuple[str, float]]:
        """Return each operand of an operation with its local derivative; one that is used
        twice appears twice.
        """
        left, op, right = self.lines[result]
        alone = Program("Value")
        given = [
            alone.leaf(self.value(word)) if word in self.refs else int(word)
            for word in (left, right)
        ]
        node = alone.apply(op, *given)
        found = oracle.gradients(alone.steps, node, alone.leaves)
        names = [word for word in (left, right) if word in self.refs]
        return list(zip(names, (found[leaf] for leaf in alone.leaves)))

    @cached_property
    def shares(self) -> dict[str, float]:
        """The share that each operand gets from each operation in one pass."""
        found: dict[str, float] = {}
        for result in self.lines:
            for operand, slope in self.slopes(result):
                key = f"{operand} from {result}"
                found[key] = found.get(key, 0.0) + slope * self.gradients[result]
        return found

    @cached_property
    def twice(self) -> dict[str, float]:
        """Every node's gradient after two passes without clearing: the root is set to 1, the
        others are added to.
        """
        held = dict.fromkeys(self.refs, 0.0)
        for _ in range(2):
            held[self.root] = 1.0
            for result in reversed(self.lines):
                for operand, slope in self.slopes(result):
                    held[operand] += slope * held[result]
        return held

    def right(self, key: str) -> float:
        """Return the right number for a key such as `t`, `t.grad`, `a from t`, `t.grad after 2`."""
        name, _, rest = key.partition(".")
        if key in self.shares:
            return self.shares[key]
        if rest:
            return self.twice[name] if rest.endswith("2") else self.gradients[name]
        return self.value(name)

    def confirm(self, key: str) -> Confirm | None:
        """Return the finite difference for a gradient of one pass."""
        name, _, rest = key.partition(".")
        if not rest or rest.endswith("2"):
            return None
        return partial(
            oracle.finite_difference, self.program.steps, self.refs[self.root], self.refs[name]
        )

    def explain(self, key: str, got: float) -> str:
        """Return what may have gone wrong, judging by the wrong number; '' if that is unknown."""
        name, _, rest = key.partition(" from ")[0].partition(".")
        if rest.endswith("2"):
            return self._explain_second(name, got)
        mine = self._shares_of(name)
        if rest and len(mine) > 1:
            alone = next((share for share, number in mine.items() if close(got, number)), "")
            return (
                f"this is only the share through `{alone.split()[-1]}`; add all the shares"
                if alone
                else ""
            )
        if key not in mine and (not rest or not mine):
            return ""
        return self._explain_share(key if key in mine else next(iter(mine)), got)

    def rule(self, key: str) -> str:
        """Return how to find the number for a key."""
        name, _, rest = key.partition(" from ")[0].partition(".")
        if not rest and key not in self.shares:
            return f"compute `{name} = {' '.join(self.lines[name])}` again"
        if rest.endswith("2"):
            return (
                "in the second pass every operation uses the gradient that its result holds by"
                " then, and adds to what the first pass left"
            )
        if name == self.root:
            return "the result changes exactly as fast as itself"
        mine = [key] if key in self.shares else list(self._shares_of(name))
        if len(mine) > 1:
            return (
                "it is the sum of the shares through"
                f" {' and '.join(f'`{share.split()[-1]}`' for share in mine)}"
            )
        result = mine[0].split()[-1]
        line = f"{result} = {' '.join(self.lines[result])}"
        return (
            f"it is the local derivative of `{line}` for `{name}` times the gradient of `{result}`"
        )

    def _shares_of(self, name: str) -> dict[str, float]:
        return {
            share: number
            for share, number in self.shares.items()
            if share.startswith(f"{name} from ")
        }

    def _explain_second(self, name: str, got: float) -> str:
        if name == self.root and close(got, 2.0):
            return "every pass sets the gradient of the result to 1, whatever it was before"
        if close(got, self.gradients[name]):
            return "this is what the first pass left; the second one adds to it"
        if close(got, 2 * self.gradients[name]):
            return (
                "an intermediate node passes on all it holds, which is more than in the first pass"
            )
        return ""

    def _explain_share(self, share: str, got: float) -> str:
        operand, _, result = share.split()
        left, op, right = self.lines[result]
        want, upstream, incoming = (
            self.shares[share],
            self.gradients[result],
            self._shares_of(result).values(),
        )
        if close(got, -want):
            return "the size is right, the sign is wrong"
        if op == "*" and left != right and close(got, self.value(operand) * upstream):
            other = right if left == operand else left
            return (
                f"in `{result} = {left} * {right}` the local derivative for `{operand}` is the"
                f" other factor, `{other}`"
            )
        if got != upstream and close(got * upstream, want):
            return f"this is the local derivative; multiply it by the gradient of `{result}`"
        if any(number != upstream and close(got * upstream, want * number) for number in incoming):
            return (
                f"`{result}` gets more than one share, and needs all of them before it passes"
                " anything on"
            )
        return ""


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
    _check_slope(learner, "5 * x - 2", (3.0, 0.0, -1.5), _explain)
    _check_slope(learner, "1 - x / 4", (2.0, -40.0), _explain)
    _check_slope(learner, "0 * x + 7", (2.0,), _explain)


def test_slope_curve(learner: Learner) -> None:
    """`slope` measures how steep a curve is at one place"""
    _check_slope(learner, "x * x", (-1.5, 0.0, 4.0))
    _check_slope(learner, "x * x * x - 2 * x", (2.0, -1.0, 0.5))
    _check_slope(learner, "(x + 3) / (x * x + 1)", (1.0, -0.5))
    _check_slope(learner, "2 / x - x ** 4", (0.5, -1.25))


def test_first_forward(learner: Learner) -> None:
    """`first`: the numbers, from the leaves to L"""
    _check(learner, "first", FIRST, FIRST.lines)


def test_first_backward(learner: Learner) -> None:
    """`first`: the gradients, from L back to b, c and d"""
    _check(learner, "first", FIRST, _gradients("L", "t2", "t3", "t1", "b", "c", "d"))


def test_first_sum(learner: Learner) -> None:
    """`first`: `a` is used twice, so its two shares are added"""
    _check(learner, "first", FIRST, ["a from t1", "a from t3", "a.grad"])


def test_second(learner: Learner) -> None:
    """`second`: a difference, a square and a quotient"""
    _check(learner, "second", SECOND, [*SECOND.lines, *_gradients("y", "u", "c", "t", "a", "b")])


def test_third(learner: Learner) -> None:
    """`third`: a node used twice and a leaf used three times"""
    of_s = ["s from u", "s from t", "s.grad", "b.grad"]
    of_a = ["a from f", "a from t", "a from s", "a.grad"]
    _check(learner, "third", THIRD, [*THIRD.lines, *_gradients("f", "u", "t"), *of_s, *of_a])


def test_fourth(learner: Learner) -> None:
    """`fourth`: the numbers, and the gradients after one pass"""
    _check(
        learner,
        "fourth",
        FOURTH,
        [*FOURTH.lines, *_gradients("f", "t2", "t1", "c", "b", "a", when=" after 1")],
    )


def test_fourth_again(learner: Learner) -> None:
    """`fourth`: the gradients after a second backward pass"""
    _check(learner, "fourth", FOURTH, _gradients("f", "t2", "t1", "c", "b", "a", when=" after 2"))


def _gradients(*names: str, when: str = "") -> list[str]:
    return [f"{name}.grad{when}" for name in names]


def _check(learner: Learner, function: str, graph: Graph, keys: Iterable[str]) -> None:
    """Compare the numbers of these keys, in the order of the work."""
    check_answers(
        learner,
        function,
        {key: graph.right(key) for key in keys},
        lambda key, got: graph.explain(key, got) or graph.rule(key),
        graph.confirm,
    )


# --- the measured derivative ---


def _check_slope(
    learner: Learner,
    source: str,
    places: Iterable[float],
    explain: Callable[[float, float], str] = lambda *_: BENDS,
) -> None:
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
                    f"the function is `{source}` and `x` is {number_text(place)}:"
                    f" {explain(got, wanted)}",
                    expected=wanted,
                    got=float(got),
                    reading=reading,
                    confirm=partial(oracle.finite_difference, parsed.steps, parsed.root, x),
                )


def _explain(got: float, wanted: float) -> str:
    """Return what may be wrong with the slope of a straight line, for which any step will do."""
    if got == 0:
        return "nothing moved. The step may be so small that `x + h` is still `x`"
    if _near(got, 2 * wanted):
        return (
            "this is twice as much as it should be. From `x - h` to `x + h` the distance is 2 * h"
        )
    if _near(2 * got, wanted):
        return "this is half of what it should be. From `x` to `x + h` the distance is h"
    if _near(got, -wanted):
        if wanted < 0:  # a rising line has passed
            return "the sign is lost. Where the function falls, its slope is negative"
        return "the sign is wrong. Subtract the result at the smaller x from the other one"
    if abs(got) < abs(wanted) / 4:
        return "did you divide by the distance that you nudged `x`?"
    return "compare the results at two places, and divide by the distance between them"


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= TOLERANCE * abs(other)
