"""Extension 3: parse the DOT text, and compare the drawing with the graph."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from dot import Drawing, NoDotError, Parser
from vocabulary import Learner, Value

from grader.suite import Kind, Mismatch, Reading, Symbol, kind_of

TWO_DECIMALS = 0.01
LEVELS = 30


def test_leaf(learner: Learner) -> None:
    """A leaf is a node with its number and its gradient"""
    leaf = _node(learner, "a", 2.5, -0.75)
    _check(learner, leaf)


def test_operation(learner: Learner) -> None:
    """`a * b` has a node between operands and result"""
    a, b = _node(learner, "a", 2.0, 12.0), _node(learner, "b", 3.0, 8.0)
    _check(learner, _node(learner, "c", 6.0, 4.0, "*", a, b))
    a = _node(learner, "a", 0.5, -2.0)
    b = _node(learner, "b", 0.46, 4.0, "tanh", a)
    _check(learner, _node(learner, "c", 0.43, 1.0, "tanh", b))


def test_numbers(learner: Learner) -> None:
    """Labels show negative, large and whole numbers"""
    for number, gradient in (
        (-1.25, 0.55),
        (123456.78, -3.0),
        (3, 0.0),
        (0.04, 17.45),
        (-20, -0.15),
    ):
        _check(learner, _node(learner, "a", number, gradient))


def test_used_again(learner: Learner) -> None:
    """A Value used twice is one node"""
    a = _node(learner, "a", 3.0, 6.0)
    _check(learner, _node(learner, "b", 9.0, 1.0, "*", a, a))
    a, b = _node(learner, "a", 2.0, -22.0), _node(learner, "b", -3.0, 33.0)
    s = _node(learner, "s", -6.0, 11.0, "*", a, b)
    t = _node(learner, "t", -4.0, -12.0, "+", s, a)
    u = _node(learner, "u", 24.0, 7.0, "*", s, t)
    _check(learner, _node(learner, "f", 18.0, 1.0, "+", u, s))


def test_equal_values(learner: Learner) -> None:
    """Values with equal numbers get separate nodes"""
    a, b = _node(learner, "a", 2.0, 20.0), _node(learner, "b", 2.0, 20.0)
    s, c = _node(learner, "s", 4.0, 10.0, "*", a, b), _node(learner, "c", 2.0, 20.0)
    _check(learner, _node(learner, "f", 8.0, 5.0, "*", s, c))


def test_escaped(learner: Learner) -> None:
    """Quotes and backslashes in `_op` are escaped"""
    for operation in ('"', 'say "hi"', "a\\b", "\\", "\\N", '\\"', "x -> y; z"):
        a = _node(learner, "a", 2.0, 0.5)
        _check(learner, _node(learner, "b", 6.0, 1.0, operation, a))


def test_once(learner: Learner) -> None:
    """`to_dot` visits each Value once"""
    x = learner.value(1.5, "a")
    for _ in range(LEVELS):
        x = (x + x) + x
    text, reading = _text(learner, x)
    found, wanted = len(_drawing(text, reading).nodes), 4 * LEVELS + 1
    if found != wanted:
        raise Mismatch(
            "draw one node for each Value and one for each operation",
            expected=f"{wanted} nodes",
            got=f"{found} nodes",
            reading=reading,
        )


def test_expression(learner: Learner) -> None:
    """`a * b + a` is drawn after `backward()`"""
    a, b = learner.values(a=2.0, b=-4.0)
    s = learner.named("s", a * b)
    f = learner.named("f", s + a)
    f.backward()
    signs = learner.read([s.reading("_op", "text"), f.reading("_op", "text")])
    times, plus = (sign if isinstance(sign, str) else "" for sign in signs)
    first, second = Node(a, 2.0, -3.0), Node(b, -4.0, 2.0)
    product = Node(s, -8.0, 1.0, times, (first, second))
    _check(learner, Node(f, -6.0, 1.0, plus, (product, first)))


# --- the graph to be drawn ---


@dataclass(frozen=True, eq=False)
class Node:
    """A Value that the judge makes: its numbers, its operation and its operands."""

    value: Value
    number: float
    gradient: float
    operation: str = ""
    operands: tuple[Node, ...] = ()

    @property
    def shown(self) -> Shown:
        """The numbers that its label must show."""
        return Shown(float(self.number), float(self.gradient))

    def below(self) -> list[Node]:
        """Return itself and everything that it was made from, each once."""
        found = dict.fromkeys((self,))
        for operand in self.operands:
            found |= dict.fromkeys(operand.below())
        return list(found)


class Shown(NamedTuple):
    """The two numbers of a label."""

    data: float
    grad: float

    def is_in(self, label: str) -> bool:
        """Return whether a label shows both numbers, correct to two decimals, and each of them
        after its name if both names come before a number.
        """
        named, numbers = _numbers_in(label)
        if {"data", "grad"} == named.keys():
            return _near(named["data"], self.data) and _near(named["grad"], self.grad)
        data = {place for place, number in enumerate(numbers) if _near(number, self.data)}
        grad = {place for place, number in enumerate(numbers) if _near(number, self.grad)}
        return bool(data and grad) and len(data | grad) > 1

    def __str__(self) -> str:
        return f"data {self.data:g} and grad {self.grad:g}"


def _near(shown: float, right: float) -> bool:
    return abs(shown - right) < TWO_DECIMALS


_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")

_NAMED = re.compile(rf"(data|grad)\w{{0,20}}[ =:]{{0,20}}({_NUMBER.pattern})")


@lru_cache(maxsize=4096)  # a drawing has at most a thousand nodes, and asks for each several times
def _numbers_in(label: str) -> tuple[dict[str, float], list[float]]:
    """Return the numbers behind a name, and all of them."""
    label = label.replace("\N{MINUS SIGN}", "-")
    named = {name: float(number) for name, number in _NAMED.findall(label.lower())}
    return named, [float(text) for text in _NUMBER.findall(label)]


def _node(
    learner: Learner,
    name: str,
    number: float,
    gradient: float,
    operation: str = "",
    *operands: Node,
) -> Node:
    made = ([operand.value.ref for operand in operands], operation) if operands else ()
    value = learner.value(number, name, *made)
    value.grad = gradient
    return Node(value, number, gradient, operation, operands)


def _check(learner: Learner, root: Node) -> None:
    """Check that `to_dot` draws this graph and leaves it unchanged."""
    nodes = root.below()
    text, reading = _text(learner, root.value, nodes)
    Comparison(_drawing(text, reading), nodes, reading).run()
    learner.fresh()


def _text(learner: Learner, root: Value, nodes: Sequence[Node] = ()) -> tuple[str, Reading]:
    """Return the whole text and its reading."""
    dot = learner.make(Symbol, "to_dot", root.ref, name="dot")
    reading = dot.reading("", "document")
    (answer,) = learner.read([reading])
    if not isinstance(answer, str):
        raise Mismatch(
            "`to_dot` must return the text, of a reasonable length",
            kind=Kind.BAD_TYPE,
            expected="a str",
            got=kind_of(answer),
            reading=reading,
        )
    untouched = [(node.value.data, node.number) for node in nodes] + [
        (node.value.grad, node.gradient) for node in nodes
    ]
    learner.expect_all(untouched, "`to_dot` must not change the graph")
    return answer, reading


def _drawing(text: str, reading: Reading) -> Drawing:
    try:
        drawing = Parser(text).drawing
        drawing.labels = {name: drawing.label(name) for name in drawing.nodes}
    except NoDotError as error:
        raise Mismatch(
            f"Graphviz could not read this: {error}",
            expected="valid DOT text",
            got="invalid text",
            reading=reading,
        ) from None
    return drawing


class Comparison:
    """The comparison of a drawing with the Values that it must show."""

    def __init__(self, drawing: Drawing, nodes: Sequence[Node], reading: Reading) -> None:
        self.nodes = nodes
        self.reading = reading
        self.labels = drawing.labels
        keys = dict.fromkeys(node.shown for node in nodes)
        self.keys = {
            name: next((key for key in keys if key.is_in(label)), None)
            for name, label in self.labels.items()
        }
        self.into: dict[str, list[str]] = {name: [] for name in drawing.nodes}
        self.out_of: dict[str, list[str]] = {name: [] for name in drawing.nodes}
        for tail, head in drawing.edges:
            self.into[head].append(tail)
            self.out_of[tail].append(head)

    def run(self) -> None:
        """Raise Mismatch for the first Value, operation or arrow that is wrong."""
        for key, count in Counter(node.shown for node in self.nodes).items():
            found = len(self._named(key))
            labels = f"labels {list(self.labels.values())!s:.160}"
            self._expect(found > 0, f"no node shows {key}", f"a label with {key}", labels)
            self._expect(
                found == count,
                f"{_many(found, 'node')} of the drawing and {_many(count, 'Value')} of the graph"
                f" have {key}; draw one node for each Value, however often it is used",
                _many(count, "such node"),
                _many(found, "such node"),
            )
        for node in self.nodes:
            if node.operands:
                self._expect_operation(node)
            for name in () if node.operands else self._named(node.shown):
                self._expect(
                    not self.into[name],
                    f"an arrow leads to the leaf with {node.shown}; nothing made a leaf",
                    "no arrow",
                    _many(len(self.into[name]), "arrow"),
                )
        made = sum(bool(node.operands) for node in self.nodes)
        self._expect(
            len(self.labels) == len(self.nodes) + made,
            "there are more nodes than Values and operations",
            f"{len(self.nodes)} Values and {made} operations",
            f"{len(self.labels)} nodes",
        )

    def _expect_operation(self, node: Node) -> None:
        (name,) = self._named(node.shown)
        into = self.into[name]
        self._expect(
            bool(into) or not self.out_of[name],
            "the arrows run from results to operands",
            "from operands to results",
            "the other way round",
        )
        self._expect(
            len(into) == 1,
            f"one arrow must lead from its operation to the Value with {node.shown}",
            "1 arrow",
            _many(len(into), "arrow"),
        )
        (operation,) = into
        self._expect(
            self.keys[operation] is None,
            f"the Value with {node.shown} needs a node for its operation, between it and its"
            " operands",
            "a node for the operation",
            "an arrow from a Value",
        )
        self._expect(
            self.out_of[operation] == [name],
            "each operation needs its own node, with one arrow to its result",
            "1 arrow",
            _many(len(self.out_of[operation]), "arrow"),
        )
        label = self.labels[operation]
        shows = node.operation in label
        self._expect(shows, "the node of an operation must show `_op`", node.operation, label)
        tails = self.into[operation]
        wanted = Counter(operand.shown for operand in dict.fromkeys(node.operands))
        self._expect(
            Counter(self.keys[tail] for tail in {*tails}) == wanted,
            f"the arrows to the operation of the Value with {node.shown} must come from its"
            " operands and nothing else",
            "; ".join(map(str, wanted)),
            "; ".join(str(self.keys[tail] or self.labels[tail]) for tail in sorted({*tails}))
            or "none",
        )
        most = max(Counter(node.operands).values())  # x * x: one arrow or two
        for tail, count in Counter(tails).items():
            what = f"{count} arrows lead from the Value with {self.keys[tail]} to one operation"
            self._expect(count <= most, what, _many(most, "arrow"), _many(count, "arrow"))

    def _named(self, key: Shown) -> list[str]:
        return [name for name, found in self.keys.items() if found == key]

    def _expect(self, is_right: bool, message: str, expected: str, got: str) -> None:  # noqa: FBT001
        if not is_right:
            raise Mismatch(message, expected=expected, got=got, reading=self.reading)


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
