"""Compute with numbers that remember how they were made, and read their formulas.

A number from a step is a leaf. Every operator, and every function of `math` that the learner's
code calls, makes a number with a tree. Code that looks closely can tell such numbers from others,
so the judge recomputes every formula.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Collection
from typing import Any

from . import answers, modules
from .bounds import FORMULA_CALLS, FORMULA_OPERATORS, MAX_TERMS
from .protocol import Computed, Term, Wire
from .steps import DO, Script, follow

_FIELDS = {"make": (3, 4), "builtin": (3,), "apply": (3,), "call": (4, 5), "put": (3,)}
_FUNCTION = type(lambda: None)
_TOO_LARGE = "too large"
_PYTHONS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
_OPERATORS = dict(zip(FORMULA_OPERATORS, _PYTHONS))


class Tree:
    """How a number was computed: the operator and its operands, or a leaf."""

    __slots__ = ("line", "number", "op", "operands", "place", "size")
    file = ""  # whose lines are noted

    def __init__(self, op: str, *operands: Tree, number: float = 0.0, place: Any = ()) -> None:
        self.size: int = 1 + sum([each.size for each in operands])
        self.op, self.operands, self.number, self.place = op, operands, number, place
        self.line = _line_in(self.file) if operands else 0
        if self.size > MAX_TERMS:
            self.op, self.operands = _TOO_LARGE, ()


def _line_in(file: str) -> int:
    """Return the line of a file that runs, in the innermost of its functions; 0 if none does."""
    frame = sys._getframe(2)  # noqa: SLF001 - there is no other way
    while frame and frame.f_code.co_filename != file:
        frame = frame.f_back  # type: ignore[assignment]
    return frame.f_lineno or 0 if frame else 0


class _Like(type):
    """Makes a class that passes for the type of number below it."""

    __base__: type

    def __call__(cls, *given: Any) -> Any:
        """Convert to this type of number, without forgetting how the given one was computed."""
        made = cls.__base__(*given)
        tree = kept(given[0]) if len(given) == 1 else None
        return traced(made, tree) if tree else made

    def __instancecheck__(cls, thing: object) -> bool:
        return isinstance(thing, cls.__base__)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, cls.__base__)

    def __eq__(cls, other: object) -> bool:
        return other is cls or other is cls.__base__

    def __hash__(cls) -> int:
        return hash(cls.__base__)


class TracedFloat(float, metaclass=_Like):
    """A float that remembers how it was computed."""

    tree: Tree


class TracedInt(int, metaclass=_Like):
    """An int that remembers how it was computed."""

    tree: Tree


_KINDS: dict[type, Any] = {float: TracedFloat, int: TracedInt}


def traced(value: Any, tree: Tree) -> Any:
    """Return a number that remembers its tree; anything else, such as a complex, unchanged."""
    kind = _KINDS.get(type(value))
    if kind is None:
        return value
    made = kind.__base__.__new__(kind, value)
    made.tree = tree
    return made


def kept(thing: object) -> Tree | None:
    """Return the tree that a number remembers, or None."""
    tree = getattr(thing, "tree", None)
    return tree if type(tree) is Tree else None


def tree_of(thing: object) -> Tree | None:
    """Return how a number was computed, or None for anything that is not a number."""
    is_number = isinstance(thing, (float, int))
    return kept(thing) or (Tree("number", number=plain(thing)) if is_number else None)


def plain(thing: Any) -> Any:
    """Return a number without its tree."""
    return float.__float__(thing) if isinstance(thing, float) else int.__int__(thing)


def _operators() -> None:
    """Give both classes every operator of numbers."""

    def binary(op: str, name: str, *, mirrored: bool) -> Callable[[Any, Any], Any]:
        compute = getattr(operator, name)

        def method(self: Any, other: Any) -> Any:
            tree = tree_of(other)
            if tree is None:
                return NotImplemented
            if mirrored:
                return traced(compute(plain(other), plain(self)), Tree(op, tree, self.tree))
            return traced(compute(plain(self), plain(other)), Tree(op, self.tree, tree))

        return method

    for kind in _KINDS.values():
        for op, name in _OPERATORS.items():
            setattr(kind, f"__{name}__", binary(op, name, mirrored=False))
            setattr(kind, f"__r{name}__", binary(op, name, mirrored=True))
        kind.__neg__ = lambda self: traced(-plain(self), Tree("neg", self.tree))
        kind.__abs__ = lambda self: traced(abs(plain(self)), Tree("abs", self.tree))
        kind.__pos__ = lambda self: self


_operators()


# --- the learner's code ---


def formulas(script: Script, filenames: Collection[str], asked: Computed) -> list[Wire]:
    """Run the steps with such numbers. Return the formula of everything that they read."""
    undo: list[tuple[Any, str, Any]] = []
    found: list[Wire] = []
    first: dict[Any, Tree] = {}

    def put(owner: Any, name: str, thing: Any) -> None:
        undo.append((owner, name, vars(owner).get(name, modules.ABSENT)))
        modules.assign(owner, name, thing)

    try:
        Tree.file = getattr(script.module, "__file__", None) or ""
        _keep_formulas([script.module, *_own(filenames)], put)
        _keep_names(asked, put)
        for script.at, step in enumerate(asked.steps):
            kind, *fields = _marked(script.at, step)
            if kind == "call":
                _rename(script.objects, first, asked.data)
            if kind == "read":
                found.append(_terms(follow(script.value(fields[0]), fields[1])))
            else:
                DO[kind](script, [], *fields)
    finally:
        for each in reversed(undo):
            modules.assign(*each)
    return found


def _rename(objects: dict[Any, Any], first: dict[Any, Tree], data: str) -> None:
    """Show the present number of every node that began as a leaf by the leaf's name."""
    for ref, thing in objects.items():
        number = getattr(thing, data, None)
        tree = kept(number)
        if tree and tree.op == "leaf":
            first[ref] = tree
        elif tree and ref in first:
            setattr(thing, data, traced(plain(number), Tree("data", first[ref], tree)))


def _marked(number: int, step: Any) -> list[Any]:
    """Return a step whose numbers are leaves."""
    count = 0

    def mark(value: Any) -> Any:
        nonlocal count
        if type(value) is list:
            return [mark(item) for item in value]
        if type(value) not in _KINDS:
            return value
        count += 1
        return traced(value, Tree("leaf", place=(number, count - 1)))

    fields = _FIELDS.get(step[0], ())
    return [mark(field) if place in fields else field for place, field in enumerate(step)]


def _own(filenames: Collection[str]) -> list[Any]:
    """Return the learner's modules."""
    loaded = list(sys.modules.values())
    return [module for module in loaded if getattr(module, "__file__", None) in filenames]


def _keep_formulas(own: list[Any], put: Callable[[Any, str, Any], None]) -> None:
    """Replace `float` and the functions of `math` that lose how a number was computed."""
    instead: dict[Any, Any] = {
        function: _of_numbers(name, function)
        for name in FORMULA_CALLS
        if (function := getattr(math, name, None)) is not None
    }
    for module in (math, *own):
        for name, thing in list(vars(module).items()):
            if type(thing) is type(len) and thing in instead:
                put(module, name, instead[thing])
    for module in own:
        if "float" not in vars(module):
            put(module, "float", TracedFloat)


def _keep_names(asked: Computed, put: Callable[[Any, str, Any], None]) -> None:
    """Show what some methods of a node compute by their names."""
    module, _, name = asked.make.rpartition(".")
    node = getattr(modules.known(module), name)
    for function in asked.functions:
        if type(method := vars(node).get(function)) is _FUNCTION:
            put(node, function, _of_nodes(function, method, asked.data))
    if type(method := vars(node).get(asked.backward)) is _FUNCTION:
        put(node, asked.backward, _naming_gradients(method, asked))


def _of_numbers(name: str, function: Callable[[Any], Any]) -> Callable[..., Any]:
    """Return a function of `math` that keeps the formula of a single number."""

    def call(*given: Any) -> Any:
        made = function(*[plain(one) if isinstance(one, (int, float)) else one for one in given])
        tree = kept(given[0]) if len(given) == 1 else None
        return traced(made, Tree(name, tree)) if tree else made

    return call


def _of_nodes(name: str, method: Callable[..., Any], data: str) -> Callable[..., Any]:
    """Return a method whose result is shown by its name, however it computes it."""

    def call(self: Any, *given: Any, **named: Any) -> Any:
        made = method(self, *given, **named)
        if tree := kept(getattr(self, data)):
            setattr(made, data, traced(plain(getattr(made, data)), Tree(name, tree)))
        return made

    return call


def _naming_gradients(method: Callable[..., Any], asked: Computed) -> Callable[..., Any]:
    """Return a backward pass after which the gradients of leaves are shown by their names."""

    def call(self: Any, *given: Any, **named: Any) -> Any:
        made = method(self, *given, **named)
        for node in answers.topological(self, asked.operands):
            tree, held = kept(getattr(node, asked.data)), getattr(node, asked.gradient)
            inner = tree_of(held)
            if tree and tree.op == "leaf" and inner:
                setattr(node, asked.gradient, traced(plain(held), Tree("gradient", tree, inner)))
        return made

    return call


def _terms(thing: object) -> Wire:
    """Return the terms of a number's formula, operands first; none if it has no formula."""
    order: list[Tree] = []
    todo = [tree for tree in [kept(thing)] if tree]
    while todo:
        order.append(todo.pop())
        todo += order[-1].operands
    if any(each.op == _TOO_LARGE for each in order):
        return []
    places: dict[int, int] = {}
    found: list[Wire] = []
    for each in reversed(order):
        if id(each) not in places:
            places[id(each)] = len(found)
            operands: Wire = [places[id(one)] for one in each.operands] or [*each.place]
            found.append(Term(each.op, operands, each.number, each.line))
    return found
