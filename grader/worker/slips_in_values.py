"""Slips in conditions and texts, and with lists that change where only a copy should."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .syntax import blocks, here, inside, is_empty, kind_of, names, reads_of, set_to

_ORDERS, _EQUALS = frozenset(("Lt", "LtE", "Gt", "GtE")), frozenset(("Eq", "NotEq"))
_TYPES = frozenset(("int", "float", "str", "bool", "list", "tuple", "dict", "set"))
_GROWS = frozenset(("append", "extend", "insert"))
_TAKES = frozenset(("insert", "pop", "remove", "clear", "sort", "reverse"))
_REMOVES_AXIS = frozenset(("sum", "mean", "max", "min", "squeeze"))


def conditions(function: Any) -> Iterator[tuple[int, str]]:
    """Conditions that Python reads in another way than they look."""
    for node in inside(function):
        if kind_of(node) == "Compare":
            signs = {kind_of(sign) for sign in node.ops}
            if signs & _ORDERS and signs & _EQUALS:
                yield node.lineno, "chained"
        elif kind_of(node) == "BoolOp" and kind_of(node.op) == "Or":
            for side in node.values:
                if getattr(side, "id", "") in _TYPES:
                    yield side.lineno, f"always {side.id}"


def texts(function: Any) -> Iterator[tuple[int, str]]:
    """A text with a variable in braces, but without the `f`."""
    known = {getattr(node, "arg", "") or getattr(node, "id", "") for node in inside(function)}
    elsewhere = {
        id(part)
        for node in inside(function)
        if kind_of(node) in {"JoinedStr", "Expr"}
        or (kind_of(node) == "Attribute" and node.attr == "format")
        for part in inside(node)
    }
    for node in inside(function):
        text = getattr(node, "value", "") if kind_of(node) == "Constant" else ""
        for name in known if type(text) is str and id(node) not in elsewhere else ():
            if type(name) is str and name and f"{{{name}}}" in text:
                yield node.lineno, f"no-f {name}"


def changed_lists(function: Any) -> Iterator[tuple[int, str]]:
    """Lists that change although somebody else still uses them."""
    yield from _arguments(function)
    for block in blocks(function):
        yield from _emptied(block)
    for loop in inside(function):
        if kind_of(loop) in {"For", "While"}:
            yield from _begun_anew(loop)
            yield from _moved_up(loop)
            yield from _called_once(loop)


def _called_on(node: Any, methods: frozenset[str]) -> Any:
    """Return what one of these methods is called on, or None."""
    is_call = kind_of(node) == "Call" and getattr(node.func, "attr", "") in methods
    return node.func.value if is_call else None


def _named(call: Any) -> str:
    return getattr(call.func, "id", "")


def _arguments(function: Any) -> Iterator[tuple[int, str]]:
    """A list that the caller gave, and that changes."""
    optional = len(function.args.defaults)
    given = function.args.args[: len(function.args.args) - optional]
    set_anew = {name for target, _ in set_to(inside(function)) for name in names(target)}
    mine = {each.arg for each in given} - set_anew - {"self"}
    for node in inside(function):
        changed = getattr(_called_on(node, _TAKES), "id", "")
        if changed in mine:
            yield node.lineno, f"callers {changed}"


def _emptied(block: list[Any]) -> Iterator[tuple[int, str]]:
    """A list that is emptied after another one has got it."""
    kept: set[str] = set()
    for statement in block:
        call: Any = statement.value if kind_of(statement) == "Expr" else None
        if _called_on(call, _GROWS) is not None:
            kept |= {name for each in call.args if _is_group(each) for name in names(each)}
        cleared = getattr(_called_on(call, frozenset(("clear",))), "id", "")
        if cleared in kept:
            yield statement.lineno, f"emptied {cleared}"


def _is_group(node: Any) -> bool:
    """Whether an expression is a name, or a tuple or list of names."""
    parts = node.elts if kind_of(node) in {"Tuple", "List"} else [node]
    return all(kind_of(part) == "Name" for part in parts)


def _begun_anew(loop: Any) -> Iterator[tuple[int, str]]:
    """A collection that each round makes anew, and that only the last round's item stays in."""
    from ast import unparse

    for node in loop.body:
        for target, value in set_to([node]) if kind_of(node) == "Assign" else ():
            if not is_empty(value) or kind_of(target) not in {"Attribute", "Name"}:
                continue
            spelled = unparse(target)
            grown = [
                on for each in inside(*loop.body)
                if (on := _called_on(each, _GROWS)) is not None and unparse(on) == spelled
            ]  # fmt: skip
            nested = [each for each in here(loop) if kind_of(each) in {"For", "While"}]
            reads = len([*reads_of(spelled, loop)])
            only_grown = kind_of(target) == "Attribute" or reads == len(grown)
            if grown and only_grown and not nested:
                yield node.lineno, f"anew {spelled}"


def _moved_up(loop: Any) -> Iterator[tuple[int, str]]:
    """An axis that is removed in every round, so that the numbers of the others change."""
    counters = {*names(loop.target)} if kind_of(loop) == "For" else set()
    for target, value in set_to(inside(*loop.body)):
        on = _called_on(value, _REMOVES_AXIS)
        if on is None or getattr(on, "id", "") != getattr(target, "id", " "):
            continue
        keeps = any(named.arg == "keepdims" for named in value.keywords)
        axes = [getattr(each, "id", "") for each in value.args[:1]]
        axes += [getattr(named.value, "id", "") for named in value.keywords if named.arg == "axis"]
        if not keeps and counters.intersection(axes):
            yield value.lineno, f"moved-up {axes[0]}"


def _called_once(loop: Any) -> Iterator[tuple[int, str]]:
    """A function whose name the first round gives to its result."""
    for target, value in set_to(inside(*loop.body)):
        name = getattr(target, "id", "")
        if name and kind_of(value) == "Call" and _named(value) == name:
            yield value.lineno, f"called-once {name}"
