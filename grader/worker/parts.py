"""Collect what a small change may use: names, attributes, expressions and statements."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from .differences import (
    BLOCKS,
    DEFINITIONS,
    KNOWN,
    Replaced,
    Unit,
    bound_in,
    is_function,
    name_of,
    names_in,
    names_read,
    stored_in,
)
from .observed import Observed

MOST_COMMON = 3  # attributes of the file to try on each variable
MAX_ATOMS = 24
NESTING = (*BLOCKS, *DEFINITIONS, ast.comprehension)
MAKES = (ast.Call, ast.List, ast.ListComp, ast.IfExp)  # may give a new object each time


class Parts:
    """The names, attributes, expressions and statements that may fix a function."""

    def __init__(self, unit: Unit, tree: ast.Module, reference: Any, observed: Observed) -> None:
        self._types = observed.types_in(unit.file, range(unit.first, unit.node.end_lineno + 1))
        self._names = observed.names
        self.scope = bound_in(unit.node)
        held = [part for part in ast.walk(unit.node) if hasattr(part, "ctx")]
        self.stored: list[Any] = [part for part in held if isinstance(part.ctx, ast.Store)]
        self.unread = {*self.scope} - names_read(unit.node)
        assigned = [part for part in ast.walk(unit.node) if isinstance(part, ast.Assign)]
        self.made = self._made(tree, assigned)
        self.yields = any(isinstance(part, ast.Yield) for part in ast.walk(unit.node))
        self.arguments = [part.arg for part in ast.walk(unit.node) if isinstance(part, ast.arg)]
        self.read_from = {
            ast.unparse(one.targets[0]): one.value
            for one in assigned
            if isinstance(one.value, ast.Attribute)
        }
        attributes = [part.attr for part in ast.walk(tree) if isinstance(part, ast.Attribute)]
        theirs = [] if reference is None else [reference, _without_variables(reference)]
        more = [part for each in theirs for part in ast.walk(each)]
        attributes += [part.attr for part in more if isinstance(part, ast.Attribute)]
        both = [*ast.walk(unit.node), *more]
        self.calls = [part for part in both if isinstance(part, ast.Call)]
        self.attributes = {name: attributes.count(name) for name in attributes}
        functions = [
            part.name for part in tree.body if isinstance(part, (*DEFINITIONS, ast.ClassDef))
        ]
        known = {*self.scope, *functions, *KNOWN}
        called = [part.func for part in ast.walk(tree) if isinstance(part, ast.Call)]
        names = [part.id for part in called if isinstance(part, ast.Name)]
        self.classes = dict.fromkeys(name for name in names if name[0].isupper())
        self.methods = [part.name for part in ast.walk(tree) if is_function(part)]  # type: ignore[attr-defined]
        atoms = _distinct(
            [
                *_atoms(unit.node),
                *map(name_of, self.scope),
                *(each for each in map(_loaded, _atoms(reference)) if names_in(each) <= known),
                *(
                    ast.Attribute(name_of(word), attribute, ast.Load())
                    for attribute, _ in Counter(attributes).most_common(MOST_COMMON)
                    for word in (self.scope if reference is None else ())
                ),
                *(each for each in _set_in(unit.owner, tree) if "self" in self.scope),
            ]
        )
        usable_atoms = (
            each
            for each in atoms
            if not isinstance(each, ast.Attribute) or self.can(each.value, each.attr)
        )
        self.atoms = list(islice(usable_atoms, MAX_ATOMS))
        here = {ast.dump(part) for part in ast.walk(unit.node)}
        usable = [part for part in more if part not in theirs and names_in(part) <= known]
        self.expressions = _distinct(
            [part for part in usable if _is_whole(part) and ast.dump(part) not in here]
        )[:30]
        self.statements = _distinct(
            [part for part in usable if isinstance(part, ast.stmt) and ast.dump(part) not in here]
        )
        self.theirs = {ast.dump(part) for each in theirs[:1] for part in ast.walk(each)}
        self.kept: set[str] = set()  # parts of a right function that are like the reference's
        constants = [part.value for part in more if isinstance(part, ast.Constant)]
        self.numbers = list(dict.fromkeys(c for c in constants if type(c) in {int, float}))

    def _made(self, tree: ast.Module, assigned: list[ast.Assign]) -> dict[str, list[Any]]:
        """Return the values of variables and attributes that may be a new object each time."""
        known = {word for one in tree.body for word in _bound_by(one)} | {*self.scope, *KNOWN}
        classes = [one for one in tree.body if isinstance(one, ast.ClassDef)]
        places: list[tuple[str, list[Any]]] = [("", tree.body), ("", assigned)]
        places += [(f"{of}.", one.body) for one in classes for of in (one.name, "self", "cls")]
        found: dict[str, list[Any]] = {}
        for owner, body in places:
            for one in (each for each in body if isinstance(each, ast.Assign)):
                if isinstance(one.value, MAKES) and names_in(one.value) <= known:
                    found.setdefault(owner + ast.unparse(one.targets[0]), []).append(one.value)
        return found

    def is_likely(self, part: Any) -> bool:
        """Return whether the reference has this part, but no loop, often its only statement."""
        is_simple = not any(isinstance(each, NESTING) for each in ast.walk(part))
        return is_simple and ast.dump(part) in self.theirs

    def can(self, node: Any, name: str) -> bool:
        """Return whether a variable, or an attribute of one, may have an attribute of this name."""
        types = self._types.get(ast.unparse(node))
        return not types or any(name in self._names[kind] for kind in types)

    def are_alike(self, one: Any, other: Any) -> bool:
        """Return whether two variables, or attributes of them, may hold the same type."""
        mine, theirs = (self._types.get(ast.unparse(node), set()) for node in (one, other))
        return not mine or not theirs or bool(mine & theirs)


def _without_variables(function: Any) -> Any:
    """Return a function with the value of each variable that is set only once in its place."""
    stored = Counter(stored_in(function))
    values = {
        ast.dump(name_of(part.targets[0].id)): part.value
        for part in ast.walk(function)
        if isinstance(part, ast.Assign)
        and isinstance(part.targets[0], ast.Name)
        and stored[part.targets[0].id] == 1
    }
    return Replaced(values).visit(copy.deepcopy(function))


def _bound_by(one: Any) -> list[str]:
    """Return the names that a statement of a file binds."""
    imported = [each.asname or each.name for each in getattr(one, "names", ())]
    return [*imported, getattr(one, "name", ""), *stored_in(one)]


def _is_whole(node: ast.AST) -> bool:
    """Return whether an expression is more than a name or a number."""
    simple = (ast.Constant, ast.Name, ast.Starred, ast.Slice)
    is_read = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    return isinstance(node, ast.expr) and not isinstance(node, simple) and is_read


def _distinct(nodes: Sequence[Any]) -> list[Any]:
    return list({ast.dump(node): node for node in nodes}.values())


def _atoms(node: Any) -> Iterator[Any]:
    """Yield the variables of a function and their attributes."""
    for part in ast.walk(node) if node is not None else ():
        of = part.value if isinstance(part, ast.Attribute) else part
        if isinstance(of, ast.Name) and of.id not in KNOWN:
            yield _loaded(part)


def _set_in(owner: str, tree: ast.Module) -> Iterator[Any]:
    """Yield the attributes that the methods of a class set on `self`."""
    for each in tree.body:
        for part in ast.walk(each) if getattr(each, "name", "") == owner else ():
            if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
                yield from [_loaded(part)] if ast.unparse(part.value) == "self" else []


def _loaded(node: Any) -> Any:
    """Return a copy that is read, without positions."""
    new = copy.deepcopy(node)
    for part in ast.walk(new):
        if hasattr(part, "ctx"):
            part.ctx = ast.Load()
    return new
