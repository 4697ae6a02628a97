"""Slips that a function's source shows by itself, whatever it is meant to compute.

Each is a kind and a name, as one short text; the judge has a sentence for every kind. None of them
says that code is wrong, so they are read only where a check has failed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .slips_in_loops import loops, recursive
from .slips_in_values import changed_lists, conditions, texts
from .syntax import blocks, here, inside, is_read, kind_of, set_to

_ENDS = frozenset(("Return", "Raise", "Break", "Continue"))
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
    yield from _returned_errors(function)
    yield from recursive(function)
    yield from _gradients_read_early(function)


def _never_reached(function: Any) -> Iterator[tuple[int, str]]:
    for block in blocks(function):
        for statement, following in zip(block, block[1:]):  # noqa: RUF007 - not in Python 3.9
            if kind_of(statement) in _ENDS:
                yield following.lineno, f"unreached {kind_of(statement).lower()}"


def _in_place(function: Any) -> Iterator[tuple[int, str]]:
    """The result of a method that returns None."""
    idle = {id(node.value) for node in inside(function) if kind_of(node) == "Expr"}
    idle |= {id(node.body) for node in inside(function) if kind_of(node) == "Lambda"}
    for node in inside(function):
        called = getattr(node.func, "attr", "") if kind_of(node) == "Call" else ""
        if called in _IN_PLACE and id(node) not in idle:
            yield node.lineno, f"in-place {node.func.attr}"


def _returned_errors(function: Any) -> Iterator[tuple[int, str]]:
    for node in here(function):
        if kind_of(node) == "Return":
            called = getattr(getattr(node.value, "func", None), "id", "")
            if called.endswith("Error") or called == "Exception":
                yield node.lineno, "returns-error"


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


def _parameters(function: Any) -> Iterator[tuple[int, str]]:
    for each in function.args.args:
        if each.arg not in {"self", "cls"} and not is_read(each.arg, function):
            yield function.lineno, f"unused-parameter {each.arg}"
