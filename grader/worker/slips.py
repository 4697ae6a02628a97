"""Slips that a function's source shows by itself, whatever it is meant to compute.

Each is a kind and a name, as one short text; the judge has a sentence for every kind. None of them
says that code is wrong, so they are read only where a check has failed.
"""

from __future__ import annotations

import builtins

from .slips_in_loops import kept_from_last_round, loops, made_in_loops, recursive
from .slips_in_values import changed_lists, conditions, texts
from .syntax import assigned, blocks, here, inside, is_empty, is_read, kind_of, reads_of, set_to

# a private copy: a submission that overwrites a built-in breaks its own code only
globals()["__builtins__"] = dict(vars(builtins))

TYPE_CHECKING = False  # importing typing would cost a third of the start-up
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_ENDS = frozenset(("Return", "Raise", "Break", "Continue"))
_TEXTS = frozenset(("JoinedStr", "BinOp", "UnaryOp"))
_IN_PLACE = frozenset(("append", "extend", "insert", "sort", "reverse", "shuffle"))


def slips_of(function: Any) -> Iterator[tuple[int, str]]:
    """Yield every slip, with its line; those that are most certainly wrong come first."""
    yield from _never_reached(function)
    yield from _signs(function)
    yield from conditions(function)
    yield from texts(function)
    yield from _in_place(function)
    yield from changed_lists(function)
    yield from _parameters(function)
    yield from loops(function)
    yield from kept_from_last_round(function)
    yield from made_in_loops(function)
    yield from _unused(function)
    yield from _returns(function)
    yield from _empty_collections(function)
    yield from recursive(function)
    yield from _closures(function)
    yield from _gradients_read_early(function)


def _never_reached(function: Any) -> Iterator[tuple[int, str]]:
    for block in blocks(function):
        for statement, following in zip(block, block[1:]):  # noqa: RUF007 - not in Python 3.9
            if kind_of(statement) in _ENDS:
                yield following.lineno, f"unreached {kind_of(statement).lower()}"


def _in_place(function: Any) -> Iterator[tuple[int, str]]:
    """The result of a method that returns None, and a list that repeats one object."""
    idle = {id(node.value) for node in inside(function) if kind_of(node) == "Expr"}
    idle |= {id(node.body) for node in inside(function) if kind_of(node) == "Lambda"}
    for node in inside(function):
        if kind_of(node) == "Call" and getattr(node.func, "attr", "") in _IN_PLACE:
            if id(node) not in idle:
                yield node.lineno, f"in-place {node.func.attr}"
        elif kind_of(node) == "BinOp" and kind_of(node.op) == "Mult":
            for side in (node.left, node.right):
                if kind_of(side) == "List" and any(kind_of(item) == "Call" for item in side.elts):
                    yield node.lineno, "repeated"


def _signs(function: Any) -> Iterator[tuple[int, str]]:
    """`=+` and `=-`, written without a blank between, and `x += x + y`."""
    from ast import unparse

    for node in inside(function):
        if kind_of(node) == "AugAssign" and kind_of(node.op) == "Add":
            parts = [node.value.left, node.value.right] if _is_sum(node.value) else []
            if unparse(node.target) in map(unparse, parts):
                yield node.lineno, f"added-twice {unparse(node.target)}"
        if kind_of(node) == "Assign" and kind_of(node.value) == "UnaryOp":
            target, sign = node.targets[-1], kind_of(node.value.op)
            if node.value.col_offset - target.end_col_offset == len(" =") and sign in _SIGNS:
                yield node.lineno, f"sign {_SIGNS[sign]}"


def _is_sum(value: Any) -> bool:
    return kind_of(value) == "BinOp" and kind_of(value.op) == "Add"


_SIGNS = {"UAdd": "+", "USub": "-"}


def _unused(function: Any) -> Iterator[tuple[int, str]]:
    """Results that are not kept, and names that are never read."""
    first: dict[str, int] = {}
    for node in inside(function):
        if kind_of(node) == "Expr" and kind_of(node.value) in _TEXTS:
            yield node.lineno, "dropped"
        elif kind_of(node) == "Assign" and kind_of(node.targets[-1]) == "Name":
            first.setdefault(node.targets[-1].id, node.lineno)
        elif kind_of(node) == "FunctionDef" and node is not function:
            first.setdefault(node.name, node.lineno)
            if not _reads_outside(function, node):
                yield node.lineno, f"never-called {node.name}"
    yield from _copies_changed(function)
    for name, line in first.items():
        others = [node for node in _statements(function) if [*assigned(node)] != [name]]
        if not name.startswith("__") and not _reads(name, others) and not _shared(name, function):
            yield line, f"never-read {name}"


def _copies_changed(function: Any) -> Iterator[tuple[int, str]]:
    """`x += 1` for an `x` that was read from an attribute, if nothing reads `x` afterwards."""
    copies = {
        target.id
        for target, value in set_to(inside(function))
        if kind_of(target) == "Name" and kind_of(value) == "Attribute"
    }
    for node in inside(function):
        name = getattr(node.target, "id", "") if kind_of(node) == "AugAssign" else ""
        if name in copies and not is_read(name, function):
            yield node.lineno, f"copy-changes {name}"


def _statements(function: Any) -> Iterator[Any]:
    return (statement for block in blocks(function) for statement in block)


def _reads(name: str, statements: list[Any]) -> bool:
    """Whether one of these statements reads a name, apart from the statements inside it."""
    for statement in statements:
        nested = {id(node) for block in blocks(statement) for node in inside(*block)}
        if any(id(node) not in nested for node in reads_of(name, statement)):
            return True
    return False


def _reads_outside(function: Any, inner: Any) -> bool:
    """Whether a function mentions another one inside it, apart from that one itself."""
    own = set(inside(inner))
    return any(
        kind_of(node) == "Name" and node.id == inner.name and kind_of(node.ctx) == "Load"
        for node in inside(function)
        if node not in own
    )


def _shared(name: str, function: Any) -> bool:
    return any(
        kind_of(node) in {"Global", "Nonlocal"} and name in node.names for node in inside(function)
    )


def _returns(function: Any) -> Iterator[tuple[int, str]]:
    """An exception that is returned, a set in place of a list, or nothing on some paths."""
    returned = [node for node in here(function) if kind_of(node) == "Return" and node.value]
    sets = {name for name, node in _collections(function) if kind_of(node) in {"Call", "Set"}}
    for node in returned:
        called = getattr(getattr(node.value, "func", None), "id", "")
        if called.endswith("Error") or called == "Exception":
            yield node.lineno, "returns-error"
        elif getattr(node.value, "id", "") in sets:
            yield node.lineno, "returns-set"
    if returned and _falls_through(function.body):
        yield function.body[-1].lineno, "falls-through"


def _collections(function: Any) -> Iterator[tuple[str, Any]]:
    """Yield the names that hold a new collection, and the expression that makes it."""
    for target, value in set_to(inside(function)):
        is_set = kind_of(value) == "Call" and getattr(value.func, "id", "") == "set"
        if kind_of(target) == "Name" and (is_set or kind_of(value) in {"List", "Set"}):
            yield target.id, value


def _empty_collections(function: Any) -> Iterator[tuple[int, str]]:
    """A collection that is empty at first, and only ever looked into."""
    made = [(name, node) for name, node in _collections(function) if is_empty(node)]
    tested = {
        id(side)
        for node in inside(function)
        if kind_of(node) == "Compare" and kind_of(node.ops[0]) in {"In", "NotIn"}
        for side in node.comparators
    }
    for name, node in made:
        uses = list(reads_of(name, function))
        if (
            uses
            and all(id(use) in tested for use in uses)
            and [one for one, _ in made].count(name) == 1
        ):
            yield node.lineno, f"stays-empty {name}"


def _falls_through(block: list[Any]) -> bool:
    last = block[-1]
    if kind_of(last) == "If":
        return _falls_through(last.body) or not last.orelse or _falls_through(last.orelse)
    return kind_of(last) not in {"Return", "Raise", "While", "With", "Try", "Match"}


def _closures(function: Any) -> Iterator[tuple[int, str]]:
    """A function inside that changes one operand twice and the other never, or nothing at all."""
    own = [each.arg for each in function.args.args]
    for node in inside(function):
        if kind_of(node) == "Assign" and kind_of(node.targets[-1]) == "Attribute":
            made = getattr(node.value, "body", None) if kind_of(node.value) == "Lambda" else None
            called = any(kind_of(inner) == "Call" for inner in inside(node.value))
            if kind_of(made) in _COMPUTES and not called:
                yield node.lineno, "lambda"
        elif kind_of(node) == "FunctionDef" and node is not function:
            yield from _changed_twice(node, own)


def _gradients_read_early(function: Any) -> Iterator[tuple[int, str]]:
    """The gradient of a node, read before the function inside runs that is attached to it."""
    steps = {node.name for node in inside(*function.body) if kind_of(node) == "FunctionDef"}
    nodes = {
        getattr(target.value, "id", "")
        for target, value in set_to(here(function))
        if kind_of(target) == "Attribute" and getattr(value, "id", "") in steps
    }
    for node in here(function):
        name = getattr(getattr(node, "value", None), "id", "")
        if getattr(node, "attr", "") == "grad" and name in nodes and kind_of(node.ctx) == "Load":
            yield node.lineno, f"too-soon {name}.grad"


def _changed_twice(step: Any, own: list[str]) -> Iterator[tuple[int, str]]:
    changed: dict[tuple[str, str], list[int]] = {}
    for node in step.body:
        target = node.target if kind_of(node) == "AugAssign" else None
        if (
            target is not None
            and kind_of(target) == "Attribute"
            and kind_of(target.value) == "Name"
        ):
            changed.setdefault((target.value.id, target.attr), []).append(node.lineno)
    for (name, attribute), lines in changed.items():
        others = [one for one in own if one != name and (one, attribute) not in changed]
        if name in own and len(lines) > 1 and others:
            yield lines[-1], f"twice {name}.{attribute} {others[0]}.{attribute}"


_COMPUTES = frozenset(("BinOp", "Tuple", "List", "Compare", "Attribute"))


def _parameters(function: Any) -> Iterator[tuple[int, str]]:
    for each in function.args.args:
        if each.arg not in {"self", "cls"} and not is_read(each.arg, function):
            yield function.lineno, f"unused-parameter {each.arg}"
