"""Extension 3: the text is read by a small parser of the DOT language, and what it draws is held against the graph.

The grammar is that of https://graphviz.org/doc/info/lang.html. What is free there is free here.
"""

from __future__ import annotations

import html
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from grader.course.vocabulary import Learner, Value
from grader.model import Kind
from grader.oracle import close
from grader.recorder import Mismatch, Reading, Recorder, Symbol
from grader.session import Odd

TWO_DECIMALS = 0.01
DOUBLINGS = 30
MAX_PIECES = 4_000
IN_PIECES = "lambda text: [text[i : i + 350] for i in range(0, len(text), 350)]"  # longer text is clipped on its way here


def test_leaf(learner: Learner) -> None:
    """A leaf alone: one node that shows its number and its gradient"""
    leaf = _leaf(learner, "a", 2.5, -0.75)
    _check(learner, leaf)


def test_operation(learner: Learner) -> None:
    """`a * b`: three Values, one operation, and the arrows from the operands through it to the result"""
    a, b = _leaf(learner, "a", 2.0, 3.0), _leaf(learner, "b", 3.0, 2.0)
    _check(learner, _made(learner, "c", "*", 6.0, 1.0, a, b))
    a = _leaf(learner, "a", 0.5, -2.0)
    b = _made(learner, "b", "tanh", 0.46, 4.0, a)
    _check(learner, _made(learner, "c", "tanh", 0.43, 1.0, b))


def test_numbers(learner: Learner) -> None:
    """Negative numbers, large ones and whole ones are shown, with two decimals or more"""
    for number, gradient in ((-1.25, 0.55), (1234.56, -3.0), (3, 0.0), (0.04, 17.45), (-20, -0.15)):
        _check(learner, _leaf(learner, "a", number, gradient))


def test_used_again(learner: Learner) -> None:
    """A Value that is used several times is one node, with an arrow for every use"""
    a = _leaf(learner, "a", 3.0, 6.0)
    _check(learner, _made(learner, "b", "*", 9.0, 1.0, a, a))
    a, b = _leaf(learner, "a", 2.0, -22.0), _leaf(learner, "b", -3.0, 33.0)
    s = _made(learner, "s", "*", -6.0, 11.0, a, b)
    t = _made(learner, "t", "+", -4.0, -12.0, s, a)
    u = _made(learner, "u", "*", 24.0, 7.0, s, t)
    _check(learner, _made(learner, "f", "+", 18.0, 1.0, u, s))


def test_equal_values(learner: Learner) -> None:
    """Values with equal numbers, and operations of one kind, are nodes of their own"""
    a, b = _leaf(learner, "a", 2.0, 4.0), _leaf(learner, "b", 2.0, 4.0)
    s, c = _made(learner, "s", "*", 4.0, 2.0, a, b), _leaf(learner, "c", 2.0, 4.0)
    _check(learner, _made(learner, "f", "*", 8.0, 1.0, s, c))


def test_escaped(learner: Learner) -> None:
    """Quotes and backslashes in an operation's name come out as they went in"""
    for operation in ('"', 'say "hi"', "a\\b", "\\", "\\N", '\\"', "x -> y; z"):
        a = _leaf(learner, "a", 2.0, 0.5)
        _check(learner, _made(learner, "b", operation, 6.0, 1.0, a))


def test_once(learner: Learner) -> None:
    """`to_dot` visits each Value once: a chain of 30 doublings has 31 Values, and a billion paths"""
    recorder = learner.recorder
    a = learner.value(1.5, "a")
    text, reading = _text(recorder, recorder.repeat(DOUBLINGS, "+", a, None))
    found, wanted = len(_drawing(text, reading).nodes), DOUBLINGS + 1 + DOUBLINGS
    if found != wanted:
        message = "the graph has 31 Values and 30 operations, each of which is one node"
        raise Mismatch(message, expected=wanted, got=found, reading=reading)


def test_expression(learner: Learner) -> None:
    """A real expression, `a * b + c`, after its `backward()`"""
    recorder = learner.recorder
    a, b, c = learner.values(a=2.0, b=-3.0, c=10.0)
    s = learner.named("s", a * b)
    f = learner.named("f", s + c)
    f.backward()
    signs = recorder.run([s.reading("_op", "text"), f.reading("_op", "text")])
    times, plus = (sign if isinstance(sign, str) else "" for sign in signs)
    leaves = [Node(a, 2.0, -3.0), Node(b, -3.0, 2.0), Node(c, 10.0, 1.0)]
    product = Node(s, -6.0, 1.0, times, tuple(leaves[:2]))
    _check(learner, Node(f, 4.0, 1.0, plus, (product, leaves[2])))


# --- the graph that is drawn ---


@dataclass(frozen=True, eq=False)
class Node:
    """A Value of the judge's making: its numbers, and what it was made of."""

    value: Value
    number: float
    gradient: float
    operation: str = ""
    operands: tuple[Node, ...] = ()

    @property
    def shown(self) -> Shown:
        """What its label must show."""
        return Shown(float(self.number), float(self.gradient))

    def below(self) -> list[Node]:
        """Itself and all that it was made of, each once."""
        found = dict.fromkeys((self,))
        for operand in self.operands:
            found |= dict.fromkeys(operand.below())
        return list(found)


class Shown(NamedTuple):
    """The two numbers of a label."""

    data: float
    grad: float

    def is_in(self, label: str) -> bool:
        """Whether a label shows both, each with two decimals."""
        numbers = [float(text) for text in _NUMBER.findall(label.replace("\N{MINUS SIGN}", "-"))]
        data = {place for place, number in enumerate(numbers) if close(number, self.data, TWO_DECIMALS)}
        grad = {place for place, number in enumerate(numbers) if close(number, self.grad, TWO_DECIMALS)}
        return bool(data and grad) and len(data | grad) > 1

    def __str__(self) -> str:
        return f"data {self.data:g} and grad {self.grad:g}"


_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def _leaf(learner: Learner, name: str, number: float, gradient: float) -> Node:
    value = learner.value(number, name)
    value.grad = gradient
    return Node(value, number, gradient)


def _made(learner: Learner, name: str, operation: str, number: float, gradient: float, *operands: Node) -> Node:
    value = learner.value(number, name, [operand.value.ref for operand in operands], operation)
    value.grad = gradient
    return Node(value, number, gradient, operation, operands)


def _check(learner: Learner, root: Node) -> None:
    """What `to_dot` draws must be this graph, which must be as before when it is done."""
    nodes = root.below()
    text, reading = _text(learner.recorder, root.value, nodes)
    Comparison(_drawing(text, reading), nodes, reading).run()
    learner.recorder.restart()


def _text(recorder: Recorder, root: Value, nodes: Sequence[Node] = ()) -> tuple[str, Reading]:
    """The whole text, and the reading to tell of it."""
    dot = recorder.make(Symbol, "to_dot", root.ref, name="dot")
    reading = dot.reading("", "text")
    (answer,) = recorder.run([reading])
    if not isinstance(answer, str):
        got = answer.type_name if isinstance(answer, Odd) else ""
        got = "nothing" if got == "NoneType" else got
        raise Mismatch("`to_dot` must return the text", kind=Kind.BAD_TYPE, expected="a str", got=got, reading=reading)
    untouched = [(node.value.data, node.number) for node in nodes] + [(node.value.grad, node.gradient) for node in nodes]
    recorder.expect_all(untouched, "drawing a graph must change nothing in it")
    scene = list(recorder.steps), recorder.names, recorder.walked
    pieces = Symbol(recorder, Symbol(recorder, recorder.expression(IN_PIECES)).call("__call__", dot))
    (answer,) = recorder.run([pieces.reading("", "value")])
    recorder.scene = scene  # how the text came here is nobody's business
    if not isinstance(answer, list) or len(answer) > MAX_PIECES or not all(isinstance(piece, str) for piece in answer):
        raise Mismatch("`to_dot` must return one plain text, of a reasonable length", kind=Kind.BAD_TYPE, reading=reading)
    return "".join(answer), reading  # type: ignore[arg-type]


def _drawing(text: str, reading: Reading) -> Drawing:
    try:
        drawing = Parser(text).drawing
        drawing.labels = {name: drawing.label(name) for name in drawing.nodes}
    except NoDotError as error:
        raise Mismatch(f"Graphviz could not read this: {error}", expected="DOT text", got=_short(text), reading=reading) from None
    return drawing


def _short(text: str) -> str:
    return text if len(text) <= 160 else text[:160] + "..."


class Comparison:
    """A drawing, held against the Values that it must show."""

    def __init__(self, drawing: Drawing, nodes: Sequence[Node], reading: Reading) -> None:
        self.nodes = nodes
        self.reading = reading
        self.labels = drawing.labels
        keys = dict.fromkeys(node.shown for node in nodes)
        self.keys = {name: next((key for key in keys if key.is_in(label)), None) for name, label in self.labels.items()}
        self.into: dict[str, list[str]] = {name: [] for name in drawing.nodes}
        self.out_of: dict[str, list[str]] = {name: [] for name in drawing.nodes}
        for tail, head in drawing.edges:
            self.into[head].append(tail)
            self.out_of[tail].append(head)

    def run(self) -> None:
        """Every Value, every operation, every arrow; Mismatch for the first that is not as it must be."""
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
            self._wrong("there are more nodes than Values and operations", wanted, f"{len(self.labels)} nodes")

    def _expect_values(self, key: Shown, count: int) -> None:
        found = len(self._named(key))
        if not found:
            self._wrong(f"no node shows {key}", f"a label with {key}", f"labels {_short(str(list(self.labels.values())))}")
        if found > count:
            self._wrong(f"{found} nodes show {key}: a Value is one node, however often it is used", count, found)
        if found < count:
            self._wrong(f"{count} Values have {key}, and each is a node of its own", count, found)

    def _expect_leaf(self, node: Node) -> None:
        for name in self._named(node.shown):
            if self.into[name]:
                self._wrong(f"an arrow leads to the leaf with {node.shown}", "no arrow", f"{len(self.into[name])}")

    def _expect_operation(self, node: Node) -> None:
        (name,) = self._named(node.shown)
        if not self.into[name] and self.out_of[name]:
            self._wrong("the arrows run from a result to its operands", "from operands to results", "the other way round")
        if len(self.into[name]) != 1:
            what = f"one arrow must lead to the Value with {node.shown}, from its operation"
            self._wrong(what, 1, len(self.into[name]))
        (operation,) = self.into[name]
        if self.keys[operation] is not None:
            self._wrong(f"between the Value with {node.shown} and its operands there must be a node for the operation",
                        "a node for the operation", "an arrow from a Value")  # fmt: skip
        if self.out_of[operation] != [name]:
            what = "each operation has a node of its own, with one arrow to its result"
            self._wrong(what, 1, len(self.out_of[operation]))
        if node.operation not in self.labels[operation]:
            self._wrong("the node of an operation must show `_op`", node.operation, self.labels[operation])
        self._expect_operands(node, self.into[operation])

    def _expect_operands(self, node: Node, tails: list[str]) -> None:
        uses = Counter(node.operands)
        wanted = Counter(operand.shown for operand in uses)
        if Counter(self.keys[tail] for tail in set(tails)) != wanted:
            got = "; ".join(str(self.keys[tail] or self.labels[tail]) for tail in sorted(set(tails))) or "none"
            what = f"arrows must lead from its operands, and from nothing else, to the operation of the Value with {node.shown}"
            self._wrong(what, "; ".join(map(str, wanted)), got)
        most = max(uses.values())  # x * x: one arrow or two
        for tail, count in Counter(tails).items():
            if count > most:
                self._wrong(f"{count} arrows lead from the Value with {self.keys[tail]} to one operation", most, count)

    def _named(self, key: Shown) -> list[str]:
        return [name for name, found in self.keys.items() if found == key]

    def _wrong(self, message: str, expected: str | int, got: str | int) -> None:
        raise Mismatch(message, expected=expected, got=got, reading=self.reading)


# --- the DOT language ---


class NoDotError(Exception):
    """Text that is not of the DOT language."""


class Token(NamedTuple):
    """A piece of the text: `id`, `text` (an id in quotes), `html`, `keyword`, `mark` or `end`."""

    kind: str
    text: str
    line: int


_TOKEN = re.compile(
    r"""(?P<skip> \s+ | //[^\n]* | /\*.*?\*/ | ^\#[^\n]* )
    | (?P<mark> -> | -- | [{}\[\];,:=+] )
    | (?P<text> "(?:[^"\\]|\\.)*" )
    | (?P<number> -?(?:\.\d+|\d+(?:\.\d*)?) )
    | (?P<id> [^\W\d]\w* )""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_KEYWORDS = {"node", "edge", "graph", "digraph", "subgraph", "strict"}
_DEEPEST = 20


def _tokens(text: str) -> Iterator[Token]:
    at, line = 0, 1
    while at < len(text):
        if text[at] == "<":
            end = _end_of_html(text, at, line)
            kind, found = "html", text[at + 1 : end - 1]
        else:
            match = _TOKEN.match(text, at)
            if match is None:
                what = "a quote is opened and not closed" if text[at] == '"' else f"{text[at]!r} must stand in quotes"
                raise NoDotError(f"{what}, in line {line}")
            kind, found, end = str(match.lastgroup), match[0], match.end()
        if kind == "number" and re.match(r"\w", text[end : end + 1]):
            word = re.match(r"[\w.]+", text[at:])
            raise NoDotError(f"the name {word[0] if word else found} begins with a digit and must stand in quotes, in line {line}")
        if kind == "id" and found.lower() in _KEYWORDS:
            kind, found = "keyword", found.lower()
        if kind == "text":
            found = found[1:-1].replace("\\\n", "")
        if kind != "skip":
            yield Token("id" if kind == "number" else kind, found, line)
        line += text.count("\n", at, end)
        at = end
    yield Token("end", "the end", line)


def _end_of_html(text: str, start: int, line: int) -> int:
    depth = 0
    for match in re.finditer("[<>]", text[start:]):
        depth += 1 if match[0] == "<" else -1
        if not depth:
            return start + match.end()
    raise NoDotError(f"a < is opened and not closed, in line {line}")


@dataclass
class Drawing:
    """What the text says: nodes with their attributes, and arrows."""

    strict: bool = False
    nodes: dict[str, dict[str, Token]] = field(default_factory=dict)
    edges: list[tuple[str, str]] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)

    def label(self, name: str) -> str:
        """The label of a node, as it is drawn; without one, its name."""
        label = self.nodes[name].get("label", Token("text", "\\N", 0))
        if label.kind == "html":
            return html.unescape(re.sub("<[^>]*>", " ", label.text))
        text = label.text
        if self.nodes[name].get("shape", label).text.lower() in {"record", "mrecord"}:
            text = _record(text, label.line)
        return re.sub(r"\\(.)", lambda match: {"n": "\n", "l": "\n", "r": "\n", "N": name}.get(match[1], match[1]), text)


def _record(text: str, line: int) -> str:
    """The fields of a record, which are parted by bars and braces."""
    depth = 0
    for mark in re.findall(r"(?<!\\)(?:\\\\)*([{}])", text):
        depth += 1 if mark == "{" else -1
        if depth < 0:
            break
    if depth:
        raise NoDotError(f"the braces of a record label do not match, in line {line}")
    return re.sub(r"(\\.)|[{}|]|<[^>]*>", lambda match: match[1] or " ", text)


class Parser:
    """Reads one directed graph; NoDotError for anything else."""

    def __init__(self, text: str) -> None:
        self._rest = _tokens(text)
        self._token = next(self._rest)
        self.drawing = Drawing()
        self._graph()

    def _next(self) -> Token:
        token = self._token
        if token.kind != "end":
            self._token = next(self._rest)
        return token

    def _met(self, *texts: str) -> bool:
        """Whether the next token is one of these marks or keywords; it is then taken."""
        found = self._token.kind in {"mark", "keyword"} and self._token.text in texts
        if found:
            self._next()
        return found

    def _expect(self, text: str) -> None:
        if not self._met(text):
            raise NoDotError(f"expected {text!r} and not {self._token.text!r}, in line {self._token.line}")

    def _id(self) -> Token:
        token = self._next()
        if token.kind not in {"id", "text", "html"}:
            raise NoDotError(f"expected a name and not {token.text!r}, in line {token.line}")
        while token.kind == "text" and self._met("+"):
            token = Token("text", token.text + self._id().text, token.line)
        return token

    def _name(self) -> str:
        token = self._id()
        return token.text.replace('\\"', '"')

    def _graph(self) -> None:
        self.drawing.strict = self._met("strict")
        if self._met("graph"):
            raise NoDotError("a graph with arrows begins with `digraph`")
        self._expect("digraph")
        if self._token.text != "{" or self._token.kind != "mark":
            self._id()
        self._body({}, 0)
        if self._token.kind != "end":
            raise NoDotError(f"{self._token.text!r} stands behind the end of the graph, in line {self._token.line}")
        if self.drawing.strict:
            self.drawing.edges = list(dict.fromkeys(self.drawing.edges))

    def _body(self, defaults: dict[str, Token], depth: int) -> list[str]:
        """What stands in braces; the nodes in it."""
        if depth > _DEEPEST:
            raise NoDotError("too many subgraphs in one another")
        self._expect("{")
        inside: list[str] = []
        while not self._met("}"):
            inside += self._statement(defaults, depth)
            self._met(";")
        return inside

    def _statement(self, defaults: dict[str, Token], depth: int) -> list[str]:
        if self._met("node"):
            defaults |= self._attributes()
            return []
        if self._met("graph", "edge"):
            self._attributes()
            return []
        ends = [self._end(defaults, depth)]
        if not ends[0]:
            return []
        while self._token.kind == "mark" and self._token.text in {"->", "--"}:
            self._expect("->")
            ends.append(self._end(defaults, depth))
        attributes = self._attributes()
        for tails, heads in itertools.pairwise(ends):
            self.drawing.edges += [(tail, head) for tail in tails for head in heads]
        if len(ends) == 1 and len(ends[0]) == 1:
            self.drawing.nodes[ends[0][0]].update(attributes)
        return [name for end in ends for name in end]

    def _end(self, defaults: dict[str, Token], depth: int) -> list[str]:
        """One end of an arrow: a node, made if it is new, or a subgraph. Nothing for `rankdir = LR`."""
        if self._met("subgraph"):
            if self._token.text != "{":
                self._id()
            return self._body(dict(defaults), depth + 1)
        if self._token.kind == "mark" and self._token.text == "{":
            return self._body(dict(defaults), depth + 1)
        name = self._name()
        if self._met("="):
            self._id()
            return []
        for _ in range(2):  # a port, and the side of it
            if self._met(":"):
                self._id()
        self.drawing.nodes.setdefault(name, dict(defaults))
        return [name]

    def _attributes(self) -> dict[str, Token]:
        found: dict[str, Token] = {}
        while self._met("["):
            while not self._met("]"):
                name = self._name()
                self._expect("=")
                found[name.lower()] = self._id()
                self._met(";", ",")
        return found
