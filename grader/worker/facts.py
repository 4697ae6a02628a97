"""Describe the source of a function in short texts, by which two functions can be compared.

Parameters are `#0`, `#1` and so on; the variable that is returned is `#out` (without a `return`, a
variable whose attributes are set); a function inside is `#def`; a variable that only stands for an
attribute, such as `g = out.grad`, is that attribute; any other variable is `#`. So the facts do not
depend on the names in the source:

    #0.grad +=            an assignment to an attribute, and how (`x = x + y` counts as `+=`)
    #0.grad <- #1.data    what the assigned expression contains: attributes, calls, signs, numbers;
                          the same for `#out`
    inside #out._backward = an attribute of the result that only an inner function sets
    Value()               what is called; `in if` where a variable's method is, inside an `if`
    return #1 + #0        what is returned, if it is short
    def (self, other)     the names of the parameters; `def #out is result` is similar
    unused #.grad == 0.0  an expression that does nothing
    slip loop-ends return a slip of `slips.py`
    says # = #0.data      a whole statement, or the first line of a compound one
    text relu             a text that the function compares or passes on

The functions that need `ast` import it, because that takes as long as the worker's start, and code
that passes is never described.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .slips import slips_of
from .syntax import copied_attributes, is_read, kind_of

LONG = 90  # characters of a statement that counts as one
WORD = 20  # characters of a text that counts as a fact
SHORT = 60  # characters of an expression that counts as one fact
_SIGNS = {
    "Add": "+",
    "Sub": "-",
    "Mult": "*",
    "Div": "/",
    "FloorDiv": "//",
    "Mod": "%",
    "Pow": "**",
    "MatMult": "@",
    "BitXor": "^",
    "USub": "neg",
    "Lt": "<",
    "LtE": "<=",
    "Gt": ">",
    "GtE": ">=",
    "Eq": "==",
    "NotEq": "!=",
    "In": "in",
    "NotIn": "not in",
    "Is": "is",
    "IsNot": "is not",
}
_DEFINITIONS = frozenset(("FunctionDef", "AsyncFunctionDef"))
_FUNCTIONS = _DEFINITIONS | {"Lambda"}
_ASSIGNMENTS = frozenset(("Assign", "AnnAssign", "AugAssign"))
_LOOPS = frozenset(("While", "For", "AsyncFor"))
_MUTABLE = frozenset(("List", "Dict", "Set", "Call"))


def definition_at(source: bytes, line: int) -> Any:
    """Return the function whose code begins on a line, that of its first decorator if any."""
    from ast import walk

    nodes: Iterator[Any] = walk(_tree(source))
    for node in nodes:
        if kind_of(node) in _DEFINITIONS and line == min(
            [node.lineno, *(each.lineno for each in node.decorator_list)]
        ):
            return node
    return None


def definition_of(source: str, name: str) -> Any:
    """Return the function or method with this qualified name.

    If there are several, return the last.
    """
    owner, _, last = name.rpartition(".")
    body: list[Any] = _tree(source).body
    if owner:
        classes = [node for node in body if kind_of(node) == "ClassDef" and node.name == owner]
        body = [item for node in classes for item in node.body]
    found = [node for node in body if kind_of(node) in _DEFINITIONS and node.name == last]
    return found[-1] if found else None


def loop_around(source: bytes, first: int, line: int) -> int:
    """Return the line where the loop around a line begins, or the line itself if there is none.

    `first` is the first line of the function. Of nested loops it is the outermost `while`, because
    a `for` seldom runs for ever, or else the outermost `for`: whichever of them runs at the moment,
    it is the same.
    """
    from ast import walk

    nodes: Iterator[Any] = walk(_tree(source))
    around: list[Any] = [
        node
        for node in nodes
        if kind_of(node) in _LOOPS and first <= node.lineno <= line <= node.end_lineno
    ]
    whiles = [node for node in around if kind_of(node) == "While"]
    lines: list[int] = [node.lineno for node in whiles or around]
    return min(lines, default=line)


def _tree(source: bytes | str) -> Any:
    """Return a source as a tree, which is parsed once."""
    from ast import parse

    if source not in _TREES:
        _TREES[source] = parse(source)
    return _TREES[source]


_TREES: dict[bytes | str, Any] = {}


def facts_of(function: Any) -> dict[str, int]:
    """Return the facts, each with the first line that states it."""
    reader = _Reader(function)
    for line, slip in slips_of(function):
        reader.facts.setdefault(f"slip {slip}", line)
    for statement in function.body:
        reader.read(statement)
    if not reader.returns:
        reader.note(function.body[-1], "no return")
    return reader.facts


def _made(value: Any) -> Any:
    """Return what a comprehension makes, or any other expression itself."""
    return value.elt if kind_of(value) in {"ListComp", "SetComp", "GeneratorExp"} else value


class _Reader:
    """Collects facts from the body of a function."""

    def __init__(self, function: Any) -> None:
        self.facts: dict[str, int] = {}
        self.returns = False
        given = function.args
        parameters = [each.arg for each in (*given.posonlyargs, *given.args)]
        self.names = _names(function)
        self.names.update((name, f"#{place}") for place, name in enumerate(parameters))
        copies = copied_attributes(function)
        self.names.update((name, self.path(value)) for name, value in copies.items())
        self.idle = {id(value) for name, value in copies.items() if not is_read(name, function)}
        self.note(function, f"def ({', '.join(parameters)})")
        for name in [name for name, known in self.names.items() if known == "#out"]:
            self.note(function, f"def #out is {name}")
        for default in (*given.defaults, *given.kw_defaults):
            if kind_of(default) in _MUTABLE:
                self.note(function, f"default {kind_of(default).lower()}")

    def note(self, node: Any, fact: str) -> None:
        """Keep a fact unless an earlier line states it."""
        self.facts.setdefault(fact, getattr(node, "lineno", 0))

    def read(self, node: Any, *, inside_if: bool = False, inside_def: bool = False) -> None:
        """Note what a statement or an expression says, and all that is inside it."""
        from ast import iter_child_nodes

        kind = kind_of(node)
        for said in self.statements(node, kind):
            if said and len(said) <= LONG:
                self.note(node, f"says {said}")
        if kind in _ASSIGNMENTS:
            self._assignment(node, inside_def=inside_def)
        elif kind == "Return":
            self._return(node, inside_def=inside_def)
        else:
            for fact in self._simple(node, kind, inside_if=inside_if):
                self.note(node, fact)
        for inner in iter_child_nodes(node):
            if id(inner) in self.idle:
                continue
            called = kind == "Call" and inner is node.func and kind_of(inner) == "Attribute"
            part: Any = inner.value if called else inner  # type: ignore[attr-defined]
            self.read(
                part,
                inside_if=inside_if or kind == "If",
                inside_def=inside_def or kind in _DEFINITIONS,
            )

    def _simple(self, node: Any, kind: str, *, inside_if: bool) -> Iterator[str]:
        """Yield the facts that other statements and expressions state themselves."""
        if kind == "Raise":
            yield "raise"
        elif kind == "Expr" and kind_of(_made(node.value)) in {"Compare", "Attribute"}:
            yield f"unused {self.spelled(_made(node.value))}"
        elif kind == "Call":
            path = self.path(node.func)
            local = path.startswith(("#.", "#out.", "#def"))
            yield f"{path}() in if" if inside_if and local else f"{path}()"
        elif kind == "Subscript" and self.spelled(node).endswith("[::-1]"):
            yield "reversed()"
        elif kind == "Attribute" and kind_of(node.ctx) == "Load":
            yield self.path(node)
        elif kind == "Compare":
            yield from (f"compares {_SIGNS[kind_of(sign)]}" for sign in node.ops)
        elif kind in _FUNCTIONS:
            yield "#def"
        elif kind == "Constant" and type(node.value) is str and 0 < len(node.value) <= WORD:
            yield f"text {node.value}"

    def _assignment(self, node: Any, *, inside_def: bool) -> None:
        targets = node.targets if kind_of(node) == "Assign" else [node.target]
        pairs = [(target, node.value) for target in targets]
        while pairs:
            target, value = pairs.pop()
            if kind_of(target) in {"Tuple", "List"}:
                values = value.elts if kind_of(value) in {"Tuple", "List"} else []
                same = len(values) == len(target.elts)
                pairs += zip(target.elts, values if same else [value] * len(target.elts))
                continue
            place = self.path(target)
            if place == "#" or value is None:
                continue
            if inside_def and place.startswith("#out."):
                self.note(node, f"inside {place} =")
                continue
            sign = _SIGNS.get(kind_of(getattr(node, "op", None)), "")
            if kind_of(value) == "BinOp" and self.path(value.left) == place:
                sign = sign or _SIGNS.get(kind_of(value.op), "")
            self.note(node, f"{place} {sign}=")
            if place == "#out" or kind_of(target) in {"Attribute", "Subscript"}:
                for part in self.parts(value):
                    self.note(node, f"{place} <- {part}")

    def _return(self, node: Any, *, inside_def: bool) -> None:
        self.returns = self.returns or (node.value is not None and not inside_def)
        text = self.spelled(node.value) if node.value is not None else "None"
        self.note(node, f"return {text}" if len(text) <= SHORT else "return")

    def statements(self, node: Any, kind: str) -> list[str]:
        """Return what a statement says. `a, b = c, d` says the same as two assignments."""
        sides = [node.targets[0], node.value] if kind == "Assign" and not node.targets[1:] else []
        if not sides or not all(kind_of(side) == "Tuple" for side in sides):
            return [self.statement(node, kind)]
        if len(sides[0].elts) != len(sides[1].elts):
            return [self.statement(node, kind)]
        pairs = zip(sides[0].elts, sides[1].elts)
        return [f"{self.spelled(target)} = {self.spelled(value)}" for target, value in pairs]

    def statement(self, node: Any, kind: str) -> str:
        """Return a simple statement, or the expression that leads a compound one."""
        if kind in {"If", "While"}:
            return f"{kind.lower()} {self.spelled(node.test)}"
        if kind == "For":
            return f"for {self.spelled(node.target)} in {self.spelled(node.iter)}"
        if kind == "AugAssign":
            sign = _SIGNS.get(kind_of(node.op), "")
            return f"{self.spelled(node.target)} {sign}= {self.spelled(node.value)}"
        if kind == "Assign":
            return " = ".join(map(self.spelled, (*node.targets, node.value)))
        if kind in {"Return", "Expr"} and node.value is not None:
            is_text = kind_of(node.value) == "Constant"
            return "" if is_text else f"{kind.lower()} {self.spelled(node.value)}"
        return ""

    def parts(self, value: Any) -> Iterator[str]:
        """Yield what an expression contains, except plain variables."""
        from ast import iter_child_nodes

        kind = kind_of(value)
        if kind in {"Attribute", "Name"}:
            if (path := self.path(value)) != "#":
                yield path
            return
        if kind == "Lambda":
            yield "#def"
            return
        if kind == "Call":
            yield f"{self.path(value.func)}()"
        elif kind == "Constant" and isinstance(value.value, (int, float)):
            yield repr(float(value.value))
        elif kind in {"BinOp", "UnaryOp"} and kind_of(value.op) in _SIGNS:
            yield _SIGNS[kind_of(value.op)]
        elif kind == "Compare":
            yield from (_SIGNS[kind_of(sign)] for sign in value.ops)
        for inner in iter_child_nodes(value):
            if kind != "Call" or inner is not value.func:
                yield from self.parts(inner)

    def path(self, node: Any) -> str:
        """Return a variable, or an attribute of one, under its name in these facts."""
        kind = kind_of(node)
        if kind == "Name":
            return self.name(node)
        if kind == "Attribute":
            return f"{self.path(node.value)}.{node.attr}"
        if kind == "Subscript":
            return f"{self.path(node.value)}[]"
        return f"{self.path(node.func)}()" if kind == "Call" else "?"

    def spelled(self, node: Any) -> str:
        """Return an expression as text, with the names of these facts."""
        from ast import parse, unparse, walk

        copy = parse(unparse(node), mode="eval").body
        variables = (inner for inner in walk(node) if kind_of(inner) == "Name")
        for inner in walk(copy):
            if kind_of(inner) == "Name":
                inner.id = self.name(next(variables))  # type: ignore[attr-defined]
        return unparse(copy)

    def name(self, variable: Any) -> str:
        """Return what a variable is called in these facts; one that is set anew is no attribute."""
        known = self.names.get(variable.id, str(variable.id))
        return "#" if kind_of(variable.ctx) == "Store" and "." in known else known


def _names(function: Any) -> dict[str, str]:
    """Return the names that facts use for the variables of a function and of those inside it."""
    from ast import walk

    found: dict[str, str] = {}
    inside: list[Any] = [node for node in walk(function) if node is not function]
    for node in inside:
        if kind_of(node) == "Name" and kind_of(node.ctx) == "Store":
            found[node.id] = "#"
        elif kind_of(node) == "arg":
            found[node.arg] = "#"
    found.update((node.name, "#def") for node in inside if kind_of(node) in _DEFINITIONS)
    returned = [node.value for node in inside if kind_of(node) == "Return"]
    changed = [
        target.value
        for node in function.body
        if kind_of(node) == "Assign"
        for target in node.targets
        if kind_of(target) == "Attribute"
    ]
    for value in returned or changed:
        if kind_of(value) == "Name" and found.get(value.id) == "#":
            found[value.id] = "#out"
    return found
