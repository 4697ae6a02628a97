"""Slips in loops, and in functions that call themselves for every operand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .syntax import blocks, here, inside, is_read, kind_of, names

_LOOPS = frozenset(("For", "While"))


def loops(function: Any) -> Iterator[tuple[int, str]]:
    """Loops that end in their first round, or do not use what they loop over."""
    for node in inside(function):
        ends = kind_of(node) in _LOOPS and kind_of(node.body[-1]) == "Return"
        if ends and not any(kind_of(inner) == "Continue" for inner in here(node)):
            yield node.body[-1].lineno, "loop-ends return"
        if kind_of(node) in {"For", "comprehension"}:
            for name in () if _counts(node) else names(node.target):
                if not name.startswith("_") and not is_read(name, function):
                    yield node.target.lineno, f"loop-ignores {name}"


def _counts(loop: Any) -> bool:
    """Whether a loop only repeats its body, as `for i in range(n)` does."""
    called = loop.iter if kind_of(loop.iter) == "Call" else None
    if getattr(getattr(called, "func", None), "id", "") == "enumerate":
        return True
    if getattr(getattr(called, "func", None), "id", "") != "range":
        return False
    return not any(getattr(inner, "id", "") == "len" for inner in inside(called))


def recursive(function: Any) -> Iterator[tuple[int, str]]:
    """Slips in a helper that calls itself for every operand."""
    for helper in inside(function):
        if kind_of(helper) != "FunctionDef" or helper is function or not helper.args.args:
            continue
        for node in here(helper):
            if kind_of(node) == "For" and is_read(helper.name, *node.body):
                yield from _listed_first(node, helper)


def _listed_first(loop: Any, helper: Any) -> Iterator[tuple[int, str]]:
    """A node that goes into a list before its operands do."""
    for block in blocks(helper):
        for node in block[: block.index(loop)] if loop in block else ():
            called: Any = node.value if kind_of(node) == "Expr" else None
            appends = getattr(getattr(called, "func", None), "attr", "") == "append"
            given = [getattr(each, "id", "") for each in called.args] if appends else []
            if given == [helper.args.args[0].arg]:
                yield node.lineno, "listed-first"
