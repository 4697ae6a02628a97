"""Walk through the syntax tree of a function, by the names of its kinds of nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

FUNCTIONS = frozenset(("FunctionDef", "Lambda"))
_CHANGES = frozenset(("Assign", "AugAssign"))
_EMPTY = frozenset(("set", "list", "dict"))


def kind_of(node: object) -> str:
    """Return the name of a node's class."""
    return type(node).__name__


def inside(*nodes: Any) -> Iterator[Any]:
    """Yield these nodes and everything inside them."""
    from ast import walk

    for node in nodes:
        yield from walk(node)


def here(node: Any) -> Iterator[Any]:
    """Yield what is inside a node, without the functions in it."""
    from ast import iter_child_nodes

    for inner in iter_child_nodes(node):
        if kind_of(inner) not in FUNCTIONS:
            yield inner
            yield from here(inner)


def blocks(node: Any) -> Iterator[list[Any]]:
    """Yield the lists of statements in a node."""
    for inner in inside(node):
        for name in ("body", "orelse"):
            block = getattr(inner, name, None)
            if isinstance(block, list):
                yield block


def is_read(name: str, *nodes: Any) -> bool:
    """Return whether these nodes read a variable."""
    return any(True for _ in reads_of(name, *nodes))


def reads_of(name: str, *nodes: Any) -> Iterator[Any]:
    """Yield the places where these nodes read a variable."""
    for node in inside(*nodes):
        if kind_of(node) == "Name" and node.id == name and kind_of(node.ctx) == "Load":
            yield node


def names(target: Any) -> Iterator[str]:
    """Return the variables in a target."""
    return (node.id for node in inside(target) if kind_of(node) == "Name")


def assigned(node: Any) -> Iterator[str]:
    """Yield the variables that a statement sets."""
    if kind_of(node) in _CHANGES:
        for target in getattr(node, "targets", None) or [node.target]:
            yield from names(target) if kind_of(target) in {"Name", "Tuple"} else ()


def copied_attributes(function: Any) -> dict[str, Any]:
    """Return the variables that only stand for an attribute, each with that attribute.

    An attribute that the function changes may be another number by the time an inner function reads
    the variable, so then the variable counts only where it is set.
    """
    nodes = list(inside(function))
    stored = [node for node in nodes if kind_of(getattr(node, "ctx", None)) == "Store"]
    changed = {node.attr for node in stored if kind_of(node) == "Attribute"}
    often = [node.id for node in stored if kind_of(node) == "Name"]
    often += [node.arg for node in nodes if kind_of(node) == "arg"]
    found = {}
    for scope in [node for node in nodes if kind_of(node) in FUNCTIONS]:
        for target, value in set_to(here(scope)):
            if kind_of(target) == "Name" and kind_of(value) == "Attribute":
                read_here = [node for node in here(scope) if node in reads_of(target.id, function)]
                everywhere = len(read_here) == len([*reads_of(target.id, function)])
                if often.count(target.id) == 1 and (everywhere or value.attr not in changed):
                    found[target.id] = value
    return found


def set_to(nodes: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield every target of the assignments among these nodes, and what it is set to."""
    for node in nodes:
        for target in node.targets if kind_of(node) == "Assign" else ():
            both = kind_of(target) == kind_of(node.value) == "Tuple"
            yield from zip(target.elts, node.value.elts) if both else [(target, node.value)]


def is_empty(value: Any) -> bool:
    """Return whether an expression makes an empty collection."""
    if kind_of(value) == "Call":
        return getattr(value.func, "id", "") in _EMPTY and not value.args
    return kind_of(value) in {"List", "Dict"} and not (getattr(value, "elts", []) or [])
