"""Extension 6: the learner's harness, tried with the learner's engine, with stand-ins for other
engines, and with a fake clock.

Real times are never judged. If PyTorch or micrograd is installed, the judge computes the same
expressions with it.
"""

from __future__ import annotations

from collections.abc import Callable

from other_engines import Expression, Found, by_micrograd, by_oracle, by_pytorch
from vocabulary import Learner

from grader.suite import Argument, Expected, Mismatch, Symbol

EXPRESSIONS = (
    Expression("lambda a, b: a * b + a", (2.0, -3.0)),
    Expression("lambda a: a * a + a", (3.0,)),
    Expression("lambda a, b: (a + b) * (a - b) / b", (1.5, -0.75)),
    Expression("lambda a, b, c: (s := a * b) * s + c / a", (2.0, -1.5, 0.5)),
    Expression("lambda a, b: 2 - 3 / (a * a + b ** 2)", (0.5, 1.25)),
    Expression("lambda a, b: (a * b - 2) ** 3 + 1", (2.5, 0.4)),
    Expression("lambda a, b: (a - b).relu() * a + b.relu()", (1.7, -0.4)),
    Expression("lambda a, b: -a + b ** -1", (2.0, 0.8)),
    Expression("lambda a, b, c: a * 2 + b * 3 + c", (1.5, 1.5, 1.5)),
    Expression("lambda a, b: b * 3", (2.0, -1.5)),
    Expression("lambda a, b: b", (2.0, 3.0)),
)
SIMPLE = (
    Expression("lambda a, b: a * b + a", (2.0, -3.0)),
    Expression("lambda a, b, c: (a + c) * (a + c) * c", (2.0, 4.0, 0.5)),
    Expression("lambda a, b: b", (2.0, 3.0)),
)

TENSOR = '''
from engine import Value


class Tensor:
    """Like a tensor of PyTorch: results are tensors, and `grad` is None until a gradient arrives."""

    def __init__(self, number, parts=()):
        self.value = number if isinstance(number, Value) else Value(float(number))
        self.parts, self.grad = parts, None

    def item(self):
        return self.value.data

    __float__ = tolist = item
    data = property(lambda self: Tensor(self.item()))
    detach = lambda self: Tensor(self.item())

    def __add__(self, other):
        return Tensor(self.value + other.value, (self, other))

    def __mul__(self, other):
        return Tensor(self.value * other.value, (self, other))

    def backward(self, first=True):
        if first:
            self.value.backward()
        for part in self.parts:
            part.backward(False)
        if not self.parts:
            self.grad = Tensor(self.value.grad)
'''  # noqa: E501
STOPWATCH = '''
class Stopwatch:
    """A clock that only advances during f and backward, by the given times, run after run."""

    data = 1.0

    def __init__(self, forward, backward):
        self.now, self.runs, self.times = 50.0, 0, list(zip(forward, backward))

    def clock(self):
        return self.now

    def f(self, a, b):
        self.now += self.times[self.runs % len(self.times)][0]
        return self

    def backward(self):
        self.now += self.times[self.runs % len(self.times)][1]
        self.runs += 1
'''

ROUNDING = (
    ("(6.0, [2.0, -1.0])", "(6.0, [2.0, -1.0])"),
    ("(0.3, [1.0])", "(0.1 + 0.2, [1.0])"),
    ("(1.0, [1e9])", "(1.0, [1e9 + 0.5])"),
    ("(1.0, [-5000000.0])", "(1.0, [-5000000.25])"),
    ("(0.0, [1e-12])", "(1e-13, [0.0])"),
    ("(2.0, [])", "(2.0, [])"),
    ("(1.0, [1.0])", "(1.0, [1.0000015])"),
)
DIFFERENT = (
    ("(6.0, [2.0])", "(6.0, [3.0])"),
    ("(6.0, [3.0])", "(6.0, [2.0])"),
    ("(6.0, [2.0])", "(6.1, [2.0])"),
    ("(6.0, [2.0, 1.0, 0.001])", "(6.0, [2.0, 1.0, 0.0])"),
    ("(6.0, [2.0])", "(6.0, [-2.0])"),
    ("(1.0, [4000.0])", "(1.0, [4000.5])"),
    ("(1.0, [2.0, 3.0])", "(1.0, [2.0])"),
    ("(1.0, [2.0])", "(1.0, [2.0, 3.0])"),
    ("(1.0, [2.0])", "(1.0, [2.0, 0.0])"),
    ("(1.0, [2.0])", "(1.0, [2.00001])"),
    ("(6.0, [2.0, 3.0])", "(6.0, [3.0, 2.0])"),
    ("(6.0, [1.0, 2.0, 3.0, 4.0, 5.0])", "(6.0, [1.0, 2.0, 3.0, 4.0, 6.0])"),
    ("(1.0, [float('nan')])", "(1.0, [2.0])"),
    ("(float('nan'), [2.0])", "(float('nan'), [2.0])"),
)


def test_plain(learner: Learner) -> None:
    """`plain` reads a number, None, a tensor and a Value"""
    for source, wanted in (("2.5", 2.5), ("-3", -3.0), ("None", 0.0), ("0", 0.0), ("1e-9", 1e-9)):
        _check_plain(learner, learner.expression(source), wanted)
    for number in (-1.25, 7, 0.0):
        _check_plain(learner, learner.value(number, "a"), float(number))
        _check_plain(
            learner, learner.define("Tensor", TENSOR).call("__call__", number), float(number)
        )


def test_gradients(learner: Learner) -> None:
    """`gradients` reads value and gradients"""
    for expression in EXPRESSIONS:
        _check_gradients(learner, expression, by_oracle(expression))


def test_fresh_leaves(learner: Learner) -> None:
    """`gradients` makes new leaves in every call"""
    expression = EXPRESSIONS[0]
    make, f = learner.expression("Value"), learner.expression(expression.source)
    for name in ("first", "second", "third"):
        found = learner.make(Symbol, "gradients", make, f, list(expression.numbers), name=name)
        _expect_found(learner, found, by_oracle(expression))


def test_any_engine(learner: Learner) -> None:
    """`gradients` makes its leaves with `make`"""
    for expression in SIMPLE:
        doubled = by_oracle(
            Expression(expression.source, tuple(2 * number for number in expression.numbers))
        )
        _check_gradients(
            learner, expression, doubled, learner.expression("lambda number: Value(2 * number)")
        )


def test_tensors(learner: Learner) -> None:
    """`gradients` reads tensors, and None as 0"""
    for expression in SIMPLE:
        _check_gradients(
            learner, expression, by_oracle(expression), learner.define("Tensor", TENSOR)
        )


def test_agree(learner: Learner) -> None:
    """`agree` is True if only rounding differs"""
    for one, other in ROUNDING:
        _check_agree(learner, one, other, wanted=True)


def test_disagree(learner: Learner) -> None:
    """`agree` is False for different numbers"""
    for one, other in DIFFERENT:
        _check_agree(learner, one, other, wanted=False)


def test_seconds_per_node(learner: Learner) -> None:
    """`seconds_per_node` takes the fastest run"""
    _check_seconds(learner, [0.5, 0.2, 0.4, 0.3], [0.1, 0.6, 0.1, 0.3], 10)
    _check_seconds(learner, [1.0, 3.0], [2.0, 2.0], 4)
    _check_seconds(
        learner, [0.25, 0.5, 0.125, 0.25, 0.5, 0.25], [0.5, 0.5, 0.5, 0.125, 0.25, 1.0], 3
    )


def test_micrograd(learner: Learner) -> None:
    """Your engine agrees with micrograd"""
    _check_against(learner, by_micrograd)


def test_pytorch(learner: Learner) -> None:
    """Your engine agrees with PyTorch"""
    _check_against(learner, by_pytorch)


# --- checks ---


def _check_plain(learner: Learner, thing: Argument, wanted: float) -> None:
    reading = learner.make(Symbol, "plain", thing, name="number").reading("")
    learner.expect(reading, wanted)
    (answer,) = learner.read([reading])
    if type(answer) is not float or answer != wanted:
        raise Mismatch(
            "`plain` must return the number itself, as a float",
            expected=str(wanted),
            got=str(answer),
            reading=reading,
        )
    learner.fresh()


def _check_against(learner: Learner, engine: Callable[[Expression], Found]) -> None:
    # the other engine comes first: if it is not installed, no learner's code runs
    for expression, found in [(expression, engine(expression)) for expression in EXPRESSIONS]:
        _check_gradients(learner, expression, found)


def _check_gradients(
    learner: Learner, expression: Expression, wanted: Found, make: Symbol | None = None
) -> None:
    make = learner.expression("Value") if make is None else make
    numbers = list(expression.numbers)
    found = learner.make(
        Symbol, "gradients", make, learner.expression(expression.source), numbers, name="found"
    )
    _expect_found(learner, found, wanted)
    learner.fresh()


def _expect_found(learner: Learner, found: Symbol, wanted: Found) -> None:
    reading = found.reading("", "value")
    (answer,) = learner.read([reading])
    slopes = answer[1] if isinstance(answer, list) and len(answer) == 2 else None
    count = len(wanted.gradients)
    if not isinstance(slopes, list) or len(slopes) != count:
        gradients = f"{count} gradient{'s' * (count > 1)}"
        why = f"`gradients` must return two things: the value and a list of {gradients}"
        wrong = learner.wrong_type(reading, why, f"a number and a list with {gradients}")
        wrong.got = f"a list with {len(slopes)}" if isinstance(slopes, list) else wrong.got
        raise wrong
    slopes_wanted = zip(wanted.gradients, wanted.confirm)
    learner.expect_all(
        [
            Expected(found.reading("[0]"), wanted.value),
            *(
                Expected(found.reading(f"[1][{index}]"), slope, confirm)
                for index, (slope, confirm) in enumerate(slopes_wanted)
            ),
        ]
    )


def _check_agree(learner: Learner, one: str, other: str, *, wanted: bool) -> None:
    result = learner.make(
        Symbol, "agree", learner.expression(one), learner.expression(other), name="same"
    )
    reading = result.reading("", "value")
    (answer,) = learner.read([reading])
    if type(answer) is not bool:
        raise learner.wrong_type(reading, "`agree` must return True or False", str(wanted))
    if answer != wanted:
        raise Mismatch(
            f"{one} and {other} are {'the same up to rounding' if wanted else 'different'}",
            expected=str(wanted),
            got=str(answer),
            reading=reading,
        )
    learner.fresh()


def _check_seconds(
    learner: Learner, forward: list[float], backward: list[float], nodes: int
) -> None:
    kind = learner.define("Stopwatch", STOPWATCH)
    watch = learner.symbol(kind.call("__call__", forward, backward))  # type: ignore[arg-type]
    learner.named("watch", watch)
    arguments = [
        learner.expression("Value"),
        learner.get(watch, "f"),
        [2.0, 3.0],
        nodes,
        len(forward),
        learner.get(watch, "clock"),
    ]
    cost = learner.make(Symbol, "seconds_per_node", *arguments, name="cost")  # type: ignore[arg-type]
    learner.run()
    learner.expect(
        watch.reading("runs"),
        len(forward),
        f"`seconds_per_node` must call `gradients` {len(forward)} times, which is `repeats`",
    )
    learner.expect(cost.reading(""), min(map(sum, zip(forward, backward))) / nodes)
    learner.fresh()
