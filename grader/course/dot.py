"""A small strict parser of the DOT language, for a learner's drawings.

It follows the grammar of https://graphviz.org/doc/info/lang.html.
"""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple


class NoDotError(Exception):
    """The text is not valid DOT."""


class Token(NamedTuple):
    """A piece of the text: `id`, `text` (a quoted id), `html`, `keyword`, `mark` or `end`."""

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
_ANGLE = re.compile("[<>]")
_KEYWORDS = {"node", "edge", "graph", "digraph", "subgraph", "strict"}
_DEEPEST = 20
_LOOKED_AT = {"label", "shape"}
_MOST_NODES = 1_000
_MOST_ARROWS = 20_000  # one statement can draw all arrows between two groups of nodes
_LONGEST = 1_000  # characters of a label: thousands of nodes may share one


def _tokens(text: str) -> Iterator[Token]:
    at, line = 0, 1
    while at < len(text):
        if text[at] == "<":
            end = _end_of_html(text, at, line)
            kind, found = "html", text[at + 1 : end - 1]
        else:
            match = _TOKEN.match(text, at)
            if match is None:
                what = (
                    "a quote is opened and not closed"
                    if text[at] == '"'
                    else f"{text[at]!r} must be in quotes"
                )
                raise NoDotError(f"{what}, in line {line}")
            kind, found, end = str(match.lastgroup), match[0], match.end()
        if kind == "number" and re.match(r"\w", text[end : end + 1]):
            word = re.match(r"[\w.]+", text[at : at + 60])
            raise NoDotError(
                f"the name {word[0] if word else found} starts with a digit and must be in quotes,"
                f" in line {line}"
            )
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
    for match in _ANGLE.finditer(text, start):
        depth += 1 if match[0] == "<" else -1
        if not depth:
            return match.end()
    raise NoDotError(f"a < is opened and not closed, in line {line}")


@dataclass
class Drawing:
    """The nodes of the text with their attributes, and its arrows."""

    strict: bool = False
    nodes: dict[str, dict[str, Token]] = field(default_factory=dict)
    edges: list[tuple[str, str]] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)

    def label(self, name: str) -> str:
        """Return the label of a node as it is drawn: its name if it has no label."""
        label = self.nodes[name].get("label", Token("text", "\\N", 0))
        if len(label.text) > _LONGEST:
            raise NoDotError(f"a label has {len(label.text)} characters, in line {label.line}")
        if label.kind == "html":
            return html.unescape(re.sub("<[^<>]*>", " ", label.text))
        text = label.text
        if self.nodes[name].get("shape", label).text.lower() in {"record", "mrecord"}:
            text = _record(text, label.line)
        return re.sub(
            r"\\(.)",
            lambda match: {"n": "\n", "l": "\n", "r": "\n", "N": name}.get(match[1], match[1]),
            text,
        )


def _record(text: str, line: int) -> str:
    """Return the fields of a record, without the bars and braces between them."""
    depth = 0
    for mark in re.findall(r"(?<!\\)(?:\\\\)*([{}])", text):
        depth += 1 if mark == "{" else -1
        if depth < 0:
            break
    if depth:
        raise NoDotError(f"the braces of a record label do not match, in line {line}")
    return re.sub(r"(\\.)|[{}|]|<[^<>]*>", lambda match: match[1] or " ", text)


class Parser:
    """Parse one directed graph. Raises NoDotError for anything else."""

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
        """Return whether the next token is one of these marks or keywords, and take it if so."""
        found = self._token.kind in {"mark", "keyword"} and self._token.text in texts
        if found:
            self._next()
        return found

    def _opens(self) -> bool:
        return self._token.kind == "mark" and self._token.text == "{"

    def _expect(self, text: str) -> None:
        if not self._met(text):
            raise NoDotError(
                f"expected {text!r}, not {self._token.text!r:.60}, in line {self._token.line}"
            )

    def _id(self) -> Token:
        token = self._part()
        parts = [token.text]
        while token.kind == "text" and self._met("+"):
            parts.append(self._part().text)
        return token._replace(text="".join(parts))

    def _part(self) -> Token:
        token = self._next()
        if token.kind not in {"id", "text", "html"}:
            raise NoDotError(f"expected a name, not {token.text!r:.60}, in line {token.line}")
        return token

    def _name(self) -> str:
        return self._id().text.replace('\\"', '"')

    def _graph(self) -> None:
        self.drawing.strict = self._met("strict")
        if self._met("graph"):
            raise NoDotError("a graph with arrows must start with `digraph`")
        self._expect("digraph")
        if not self._opens():
            self._id()
        self._body({}, 0)
        if self._token.kind != "end":
            raise NoDotError(
                f"{self._token.text!r:.60} comes after the end of the graph, in line"
                f" {self._token.line}"
            )
        if self.drawing.strict:
            self.drawing.edges = list(dict.fromkeys(self.drawing.edges))

    def _body(self, defaults: dict[str, Token], depth: int) -> list[str]:
        """Parse a body in braces and return the nodes in it."""
        if depth > _DEEPEST:
            raise NoDotError(f"subgraphs are nested more than {_DEEPEST} deep")
        self._expect("{")
        inside: list[str] = []
        while not self._met("}"):
            if self._token.kind == "end":
                raise NoDotError("a { is opened and not closed")
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
            if len(self.drawing.edges) + len(tails) * len(heads) > _MOST_ARROWS:
                raise NoDotError(f"there are more than {_MOST_ARROWS} arrows")
            self.drawing.edges += [(tail, head) for tail in tails for head in heads]
        if len(ends) == 1 and len(ends[0]) == 1:
            self.drawing.nodes[ends[0][0]].update(attributes)
        return [name for end in ends for name in end]

    def _end(self, defaults: dict[str, Token], depth: int) -> list[str]:
        """Parse one end of an arrow, a node or a subgraph, and return its nodes; none for
        `rankdir = LR`.
        """
        is_subgraph = self._met("subgraph")
        if is_subgraph and not self._opens():
            self._id()
        if is_subgraph or self._opens():
            return self._body(dict(defaults), depth + 1)
        name = self._name()
        if self._met("="):
            self._id()
            return []
        for _ in range(2):  # a port and its side
            if self._met(":"):
                self._id()
        self.drawing.nodes.setdefault(name, dict(defaults))
        if len(self.drawing.nodes) > _MOST_NODES:
            raise NoDotError(f"there are more than {_MOST_NODES} nodes")
        return [name]

    def _attributes(self) -> dict[str, Token]:
        found: dict[str, Token] = {}
        while self._met("["):
            while not self._met("]"):
                name = self._name()
                self._expect("=")
                value = self._id()
                if name.lower() in _LOOKED_AT:  # every node inherits them, so keep only a few
                    found[name.lower()] = value
                self._met(";", ",")
        return found
