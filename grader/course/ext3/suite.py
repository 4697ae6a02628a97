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
    """A leaf is one node that shows its number and its gradient"""
    leaf = _leaf(learner, "a", 2.5, -0.75)
    _check(learner, leaf)


def test_operation(learner: Learner) -> None:
    """`a * b`: an operation node between operands and result"""
    a, b = _leaf(learner, "a", 2.0, 12.0), _leaf(learner, "b", 3.0, 8.0)
    _check(learner, _made(learner, "c", "*", 6.0, 4.0, a, b))
    a = _leaf(learner, "a", 0.5, -2.0)
    b = _made(learner, "b", "tanh", 0.46, 4.0, a)
    _check(learner, _made(learner, "c", "tanh", 0.43, 1.0, b))


def test_numbers(learner: Learner) -> None:
    """Negative, large and whole numbers are shown correctly"""
    for number, gradient in ((-1.25, 0.55), (1234.56, -3.0), (3, 0.0), (0.04, 17.45), (-20, -0.15)):
        _check(learner, _leaf(learner, "a", number, gradient))


def test_used_again(learner: Learner) -> None:
    """A Value that is used several times is drawn as one node"""
    a = _leaf(learner, "a", 3.0, 6.0)
    _check(learner, _made(learner, "b", "*", 9.0, 1.0, a, a))
    a, b = _leaf(learner, "a", 2.0, -22.0), _leaf(learner, "b", -3.0, 33.0)
    s = _made(learner, "s", "*", -6.0, 11.0, a, b)
    t = _made(learner, "t", "+", -4.0, -12.0, s, a)
    u = _made(learner, "u", "*", 24.0, 7.0, s, t)
    _check(learner, _made(learner, "f", "+", 18.0, 1.0, u, s))


def test_equal_values(learner: Learner) -> None:
    """Values with equal numbers get separate nodes"""
    a, b = _leaf(learner, "a", 2.0, 20.0), _leaf(learner, "b", 2.0, 20.0)
    s, c = _made(learner, "s", "*", 4.0, 10.0, a, b), _leaf(learner, "c", 2.0, 20.0)
    _check(learner, _made(learner, "f", "*", 8.0, 5.0, s, c))


def test_escaped(learner: Learner) -> None:
    """Quotes and backslashes in `_op` are escaped"""
    for operation in ('"', 'say "hi"', "a\\b", "\\", "\\N", '\\"', "x -> y; z"):
        a = _leaf(learner, "a", 2.0, 0.5)
        _check(learner, _made(learner, "b", operation, 6.0, 1.0, a))


def test_once(learner: Learner) -> None:
    """`to_dot` visits each Value once, even with a billion paths"""
    x = learner.value(1.5, "a")
    for _ in range(LEVELS):
        x = (x + x) + x
    text, reading = _text(learner, x)
    found, values, made = len(_drawing(text, reading).nodes), 2 * LEVELS + 1, 2 * LEVELS
    if found != values + made:
        message = f"the graph has {values} Values and {made} operations; draw one node for each"
        raise Mismatch(
            message, expected=f"{values + made} nodes", got=f"{found} nodes", reading=reading
        )


def test_expression(learner: Learner) -> None:
    """A real expression, `a * b + a`, after `backward()`"""
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
        after its name if both names stand before a number.
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


def _leaf(learner: Learner, name: str, number: float, gradient: float) -> Node:
    value = learner.value(number, name)
    value.grad = gradient
    return Node(value, number, gradient)


def _made(
    learner: Learner, name: str, operation: str, number: float, gradient: float, *operands: Node
) -> Node:
    value = learner.value(number, name, [operand.value.ref for operand in operands], operation)
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


def _short(text: str) -> str:
    return text if len(text) <= 160 else text[:160] + "..."


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
            self._expect_values(key, count)
        for node in self.nodes:
            if node.operands:
                self._expect_operation(node)
            else:
                self._expect_leaf(node)
        made = sum(bool(node.operands) for node in self.nodes)
        if len(self.labels) != len(self.nodes) + made:
            wanted = f"{len(self.nodes)} Values and {made} operations"
            alone = [n for n in self.labels if not self.into[n] and not self.out_of[n]]
            extra = f"; no arrow touches {self._called(alone[0])}" if alone and made else ""
            self._wrong(
                f"there are more nodes than Values and operations{extra}",
                wanted,
                f"{len(self.labels)} nodes",
            )

    def _expect_values(self, key: Shown, count: int) -> None:
        found = len(self._named(key))
        if not found:
            self._wrong(
                f"no node shows {key}",
                f"a label with {key}",
                f"labels {_short(str(list(self.labels.values())))}",
            )
        if found > count:
            what = f"{found} nodes show {key}; draw one node per Value, however often it is used"
            self._wrong(what, _many(count, "such node"), _many(found, "such node"))
        if found < count:
            what = f"{count} Values have {key}; each needs its own node"
            self._wrong(what, _many(count, "such node"), _many(found, "such node"))

    def _expect_leaf(self, node: Node) -> None:
        for name in self._named(node.shown):
            if self.into[name]:
                self._wrong(
                    f"an arrow leads from {self._called(self.into[name][0])} to the leaf with"
                    f" {node.shown}; nothing made a leaf",
                    "no arrow",
                    _many(len(self.into[name]), "arrow"),
                )

    def _expect_operation(self, node: Node) -> None:
        (name,) = self._named(node.shown)
        if not self.into[name] and self.out_of[name]:
            self._wrong(
                "the arrows run from results to operands",
                "from operands to results",
                "the other way round",
            )
        if len(self.into[name]) != 1:
            what = f"one arrow must lead from its operation to the Value with {node.shown}"
            if self.into[name]:
                what += f"; here they come from {' and '.join(map(self._called, self.into[name]))}"
            self._wrong(what, "1 arrow", _many(len(self.into[name]), "arrow"))
        (operation,) = self.into[name]
        if self.keys[operation] is not None:
            self._wrong(
                f"the Value with {node.shown} needs a node for its operation, between it and its"
                " operands",
                "a node for the operation",
                "an arrow from a Value",
            )
        if self.out_of[operation] != [name]:
            what = "each operation needs its own node, with one arrow to its result"
            if len(results := set(self.out_of[operation])) > 1:
                what += f"; {self._called(operation)} has arrows to {_many(len(results), 'node')}"
            self._wrong(what, "1 arrow", _many(len(self.out_of[operation]), "arrow"))
        if node.operation not in self.labels[operation]:
            self._wrong(
                "the node of an operation must show `_op`", node.operation, self.labels[operation]
            )
        self._expect_operands(node, self.into[operation])

    def _expect_operands(self, node: Node, tails: list[str]) -> None:
        uses = Counter(node.operands)
        wanted: Counter[Shown | None] = Counter(operand.shown for operand in uses)
        found = Counter(self.keys[tail] for tail in set(tails))
        if found <= wanted and (missing := list(wanted - found)):
            name = next(name for name, key in self.keys.items() if key == missing[0])
            other = "; it has one to another operation" if self.out_of[name] else ""
            self._wrong(
                f"there is no arrow from the Value with {missing[0]} to the operation of the Value"
                f" with {node.shown}{other}",
                _many(sum(wanted.values()), "arrow"),
                _many(sum(found.values()), "arrow"),
                explained=True,
            )
        if found != wanted:
            got = (
                "; ".join(str(self.keys[tail] or self.labels[tail]) for tail in sorted(set(tails)))
                or "none"
            )
            what = (
                f"the arrows to the operation of the Value with {node.shown} must come from its"
                " operands and nothing else"
            )
            self._wrong(what, "; ".join(map(str, wanted)), got)
        most = max(uses.values())  # x * x: one arrow or two
        for tail, count in Counter(tails).items():
            if count > most:
                what = f"{count} arrows lead from the Value with {self.keys[tail]} to one operation"
                self._wrong(what, _many(most, "arrow"), _many(count, "arrow"))

    def _named(self, key: Shown) -> list[str]:
        return [name for name, found in self.keys.items() if found == key]

    def _called(self, name: str) -> str:
        """Return what a node of the drawing is called in a message."""
        if self.keys[name]:
            return f"the Value with {self.keys[name]}"
        label = self.labels[name]
        return f"the node with the label `{label}`" if label else "a node with an empty label"

    def _wrong(self, message: str, expected: str, got: str, *, explained: bool = False) -> None:
        wrong = Mismatch(message, expected=expected, got=got, reading=self.reading)
        wrong.explained = explained
        raise wrong


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
