"""Slips that a function's source shows by itself, whatever it is meant to compute.

Each is a kind and a name, as one short text; the judge has a sentence for every kind. None of them
says that code is wrong, so they are read only where a check has failed.
"""

from __future__ import annotations

import builtins

# a private copy: a submission that overwrites a built-in breaks its own code only
globals()["__builtins__"] = dict(vars(builtins))

TYPE_CHECKING = False  # importing typing would cost a third of the start-up
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_ENDS = frozenset(("Return", "Raise", "Break", "Continue"))
_LOOPS = frozenset(("For", "While"))
_EMPTY = frozenset(("set", "list", "dict"))
_TEXTS = frozenset(("JoinedStr", "BinOp", "UnaryOp"))


def slips_of(function: Any) -> Iterator[tuple[int, str]]:
    """Every slip, with its line."""
    yield from _never_reached(function)
    yield from _loops(function)
    yield from _signs(function)
    yield from _unused(function)
    yield from _recursive(function)


def _kind(node: object) -> str:
    return type(node).__name__


def _inside(*nodes: Any) -> Iterator[Any]:
    from ast import walk

    for node in nodes:
        yield from walk(node)


def _here(node: Any) -> Iterator[Any]:
    """What is inside a node, without the functions in it."""
    from ast import iter_child_nodes

    for inner in iter_child_nodes(node):
        if _kind(inner) not in {"FunctionDef", "Lambda"}:
            yield inner
            yield from _here(inner)


def _blocks(node: Any) -> Iterator[list[Any]]:
    for inner in _inside(node):
        for name in ("body", "orelse"):
            block = getattr(inner, name, None)
            if isinstance(block, list):
                yield block


def _loads(name: str, *nodes: Any) -> bool:
    return any(
        _kind(node) == "Name" and node.id == name and _kind(node.ctx) == "Load"
        for node in _inside(*nodes)
    )


def _never_reached(function: Any) -> Iterator[tuple[int, str]]:
    for block in _blocks(function):
        for statement, following in zip(block, block[1:]):  # noqa: RUF007 - not in Python 3.9
            if _kind(statement) in _ENDS:
                yield following.lineno, f"unreached {_kind(statement).lower()}"


def _loops(function: Any) -> Iterator[tuple[int, str]]:
    """Loops that end in their first round, or do not use what they loop over."""
    for node in _inside(function):
        if _kind(node) not in _LOOPS:
            continue
        if _kind(node.body[-1]) == "Return" and not any(
            _kind(inner) == "Continue" for inner in _here(node)
        ):
            yield node.body[-1].lineno, "loop-ends return"
        if _kind(node) == "For" and _kind(node.target) == "Name":
            name = node.target.id
            if not name.startswith("_") and not _loads(name, function):
                yield node.lineno, f"loop-ignores {name}"


def _signs(function: Any) -> Iterator[tuple[int, str]]:
    """`=+` and `=-`, written without a blank between."""
    for node in _inside(function):
        if _kind(node) == "Assign" and _kind(node.value) == "UnaryOp":
            target, sign = node.targets[-1], _kind(node.value.op)
            if node.value.col_offset - target.end_col_offset == len(" =") and sign in _SIGNS:
                yield node.lineno, f"sign {_SIGNS[sign]}"


_SIGNS = {"UAdd": "+", "USub": "-"}


def _unused(function: Any) -> Iterator[tuple[int, str]]:
    """Results that are not kept, and names that are never read."""
    assigned: dict[str, int] = {}
    for node in _inside(function):
        if _kind(node) == "Expr" and _kind(node.value) in _TEXTS:
            yield node.lineno, "dropped"
        elif _kind(node) == "Assign" and _kind(node.targets[-1]) == "Name":
            assigned.setdefault(node.targets[-1].id, node.lineno)
        elif _kind(node) == "FunctionDef" and node is not function:
            assigned.setdefault(node.name, node.lineno)
            if not _reads_outside(function, node):
                yield node.lineno, f"never-called {node.name}"
    for name, line in assigned.items():
        if not name.startswith("__") and not _loads(name, function) and not _shared(name, function):
            yield line, f"never-read {name}"


def _reads_outside(function: Any, inner: Any) -> bool:
    """Whether a function mentions another one inside it, apart from that one itself."""
    own = set(_inside(inner))
    return any(
        _kind(node) == "Name" and node.id == inner.name and _kind(node.ctx) == "Load"
        for node in _inside(function)
        if node not in own
    )


def _shared(name: str, function: Any) -> bool:
    return any(
        _kind(node) in {"Global", "Nonlocal"} and name in node.names for node in _inside(function)
    )


def _recursive(function: Any) -> Iterator[tuple[int, str]]:
    """Slips in a helper that calls itself for every operand."""
    for helper in _inside(function):
        if _kind(helper) != "FunctionDef" or helper is function or not helper.args.args:
            continue
        if not _loads(helper.name, helper):
            continue
        returned = [node for node in _here(function) if _kind(node) == "Return"]
        if not returned and any(_kind(node) == "Return" and node.value for node in _here(helper)):
            line = next(node.lineno for node in _here(helper) if _kind(node) == "Return")
            yield line, f"returns-inside {helper.name}"
        for node in _here(helper):
            if _kind(node) == "Assign" and _is_empty(node.value):
                yield node.lineno, f"made-anew {getattr(node.targets[-1], 'id', '')}"
            elif (
                _kind(node) == "Attribute"
                and _kind(node.value) == "Name"
                and [node.value.id] == [each.arg for each in function.args.args[:1]]
                and node.value.id != helper.args.args[0].arg
            ):
                yield node.lineno, f"outer {helper.args.args[0].arg}.{node.attr}"
            elif _kind(node) == "For" and _loads(helper.name, *node.body):
                yield from _appended(node)


def _appended(loop: Any) -> Iterator[tuple[int, str]]:
    for node in _inside(*loop.body):
        if _kind(node) == "Call" and getattr(node.func, "attr", "") == "append":
            yield node.lineno, "append-in-loop"


def _is_empty(value: Any) -> bool:
    if _kind(value) == "Call":
        return getattr(value.func, "id", "") in _EMPTY and not value.args
    return _kind(value) in {"List", "Dict"} and not (getattr(value, "elts", []) or [])
