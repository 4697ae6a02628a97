"""Propose edits to a function's parameters, their order and their defaults."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from typing import Any

from .differences import DEFINITIONS, is_function, name_of, names_in, place, stored_in

FRESH = (ast.List, ast.Dict, ast.Set, ast.Call)  # each gives a new object


def of_parameters(function: Any, looped: list[str]) -> Iterator[tuple[float, ast.arguments]]:
    """Yield parameters that include the variables of loops, with their values, or one fewer."""
    if not isinstance(function, (ast.Lambda, *DEFINITIONS)):
        return
    old: ast.arguments = function.args
    for index in range(0 if old.defaults else len(old.args)):
        new = copy.copy(old)
        new.args = [*old.args[:index], *old.args[index + 1 :]]
        yield 1.3, new
    new = _with_values(function, looped)
    if new is not old:
        yield 1.3, new


def _with_values(function: Any, looped: list[str]) -> ast.arguments:
    """Return its parameters and the variables of loops that it uses, with their values."""
    old: ast.arguments = function.args
    used = names_in(function)
    late = [name for name in dict.fromkeys(looped) if name in used and old.vararg is None]
    if not late:
        return old
    new = copy.copy(old)
    new.args = [*old.args, *map(ast.arg, late)]
    new.defaults = [*old.defaults, *map(name_of, late)]
    return new


def for_a_new_import(node: Any, names: Sequence[str] = ()) -> Iterator[Any]:
    """Yield versions of a unit that only a new import can try: it gets one of these names, each
    call its own lists, sets and dicts by default, and each function made in a loop the values of
    its round.
    """
    for name in names:
        new = copy.copy(node)
        new.name = name
        yield new
    if is_function(node):
        yield from _with_own_defaults(node)
    elif isinstance(node, ast.For):
        new = copy.deepcopy(node)
        for part in ast.walk(new):
            if isinstance(part, (ast.Lambda, *DEFINITIONS)):
                part.args = _with_values(part, stored_in(node.target))
        yield place(new, node.lineno)


def _with_own_defaults(function: Any) -> Iterator[Any]:
    new = copy.deepcopy(function)
    begins = 1 if ast.get_docstring(function, clean=False) else 0
    args = new.args
    defaults = [*zip(args.args[::-1], args.defaults[::-1]), *zip(args.kwonlyargs, args.kw_defaults)]
    shared = {arg.arg: default for arg, default in defaults if isinstance(default, FRESH)}
    for name, default in shared.items():
        test = ast.Compare(name_of(name), [ast.Is()], [ast.Constant(None)])
        own = ast.IfExp(test, default, name_of(name))
        new.body.insert(begins, ast.Assign([ast.Name(name, ast.Store())], own))
    args.defaults, args.kw_defaults = (
        [ast.Constant(None) if isinstance(one, FRESH) else one for one in some]
        for some in (args.defaults, args.kw_defaults)
    )
    if shared:
        yield place(new, function.lineno)


def without(function: Any) -> Any:
    """Return a version of a function that makes Python look for another one, as for `__iadd__`."""
    new = copy.copy(function)
    new.body = [place(ast.Return(name_of("NotImplemented")), function.lineno)]
    return new


def in_their_order(function: Any, other: Any) -> Any:
    """Return a version of a function with its parameters in the order of the reference's, or None
    if the order is the same or the names differ.
    """
    mine, theirs = ([arg.arg for arg in each.args.args] for each in (function, other))
    if mine == theirs or sorted(mine) != sorted(theirs):
        return None
    new = copy.copy(function)
    new.args = other.args
    return new
