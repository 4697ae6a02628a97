"""Propose small edits to a function's statements: deleted, moved, inserted, or in another block."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from .differences import BLOCKS, DEFINITIONS, Replaced, is_function, name_of, names_in, stored_in
from .parts import Parts

LAZY = {"map", "filter"}
_LEAVES = (ast.Return, ast.Break, ast.Continue, ast.Raise)
_WHOLE = (*BLOCKS, *DEFINITIONS)
_LOOPS = (ast.For, ast.While, ast.ListComp, ast.GeneratorExp)
BINARY = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)

Made = Iterator[tuple[float, Any]]
"""A cost (the smaller, the likelier) and what is put in."""


def count_in(body: list[Any]) -> int:
    """Return how many statements a block has, with the ones in its blocks."""
    return sum(isinstance(part, ast.stmt) for one in body for part in ast.walk(one))


def of_block(parent: Any, body: list[Any], has: Parts) -> Iterator[tuple[float, Any, int]]:
    """Yield other versions of a block, each with the line that changes."""
    for index, one in enumerate(body):
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
            continue
        before, after = body[:index], body[index + 1 :]
        is_extra = has.theirs and ast.dump(one) not in has.theirs
        is_extra = is_extra and not any(
            isinstance(part, (ast.Return, *DEFINITIONS)) for part in ast.walk(one)
        )
        yield 0.9 if is_extra else 1.3, [*before, *after], one.lineno
        rest = [*before, *after]
        for other in range(len(body)):
            moved = [*rest[:other], one, *rest[other:]]
            is_dead = any(isinstance(each, _LEAVES) for each in moved[:-1])
            if other not in {index, index - 1} and not is_dead:
                yield 1.1 + 0.05 * abs(index - other), moved, one.lineno
        for cost, new in _of_statement(one, has):
            yield cost, [*before, *new, *after], one.lineno
        if isinstance(one, _WHOLE):
            yield from _of_borders(one, before, after)
        for new, line in _with_own(one) if isinstance(one, ast.For) else ():
            yield 0.7, [*before, new, *after], line
    yield from _inserted(parent, body, has)


def of_body(function: Any) -> Iterator[tuple[float, Any, int]]:
    """Yield other versions of a whole body, each with the line that changes. They leave out an
    attribute wherever it is read (`node.data` twice), make a new list instead of emptying one, take
    pairs out of a dict, or add a term once and not in each round.
    """
    parts = [*ast.walk(function)] if is_function(function) else []
    for new in map(dict, (_lists_in(parts), _pairs_in(parts))):
        if new:
            yield 1.2, [Replaced(new).visit(copy.deepcopy(one)) for one in function.body], 0
    read = [part for part in parts if isinstance(part, ast.Attribute)]
    counts = Counter(ast.dump(part) for part in read if isinstance(part.ctx, ast.Load))
    for old, one in {ast.dump(part): part for part in read}.items():
        if counts[old] > 1:
            yield 1.6, _replaced(function, old, one.value), one.lineno
    inside = [inner for part in parts if isinstance(part, _LOOPS) for inner in ast.walk(part)]
    added = [part for part in inside if isinstance(part, ast.BinOp)]
    sums = {
        ast.dump(part): part for part in added if isinstance(part.right, (ast.Name, ast.Attribute))
    }
    for old, part in sums.items():
        body = _replaced(function, old, part.left)
        for index, one in enumerate(body):
            for value in _values_in(one):
                more = {ast.dump(value): ast.BinOp(value, part.op, part.right)}
                new = Replaced(more).visit(copy.deepcopy(one))
                yield 1.5, [*body[:index], new, *body[index + 1 :]], part.lineno


def _lists_in(parts: list[Any]) -> Iterator[tuple[str, Any]]:
    """Yield a new list in place of each emptied one, which may be in use elsewhere."""
    for one in parts:
        match one:
            case ast.Expr(ast.Call(ast.Attribute(owner, "clear"), [], [])):
                target: Any = copy.copy(owner)
                target.ctx = ast.Store()
                yield ast.dump(one), ast.Assign([target], ast.List([], ast.Load()))


def _pairs_in(parts: list[Any]) -> Iterator[tuple[str, Any]]:
    """Yield pairs in place of each new dict, which has no key twice, and of its items."""
    for one in parts:
        match one:
            case ast.DictComp(key, value, generators):
                pair = ast.Tuple([key, value], ast.Load())
                yield ast.dump(one), ast.ListComp(pair, generators)
            case ast.Call(ast.Name("dict"), [pairs], []):
                yield ast.dump(one), ast.Call(name_of("list"), [pairs], [])
            case ast.Call(ast.Attribute(owner, "items"), [], []):
                yield ast.dump(one), dict(_pairs_in([owner])).get(ast.dump(owner), owner)


def _values_in(one: Any) -> list[Any]:
    """Return the value of a simple statement, and the only arguments of the calls in it."""
    if not isinstance(one, (ast.Assign, ast.Return)) or one.value is None:
        return []
    calls = [part for part in ast.walk(one) if isinstance(part, ast.Call)]
    return [one.value, *(call.args[0] for call in calls if len(call.args) == 1)]


def _replaced(function: Any, old: str, new: Any) -> list[Any]:
    return [Replaced({old: new}).visit(copy.deepcopy(one)) for one in function.body]


def _last_in(parent: Any, has: Parts) -> Iterator[Any]:
    """Yield statements for the end of a round of a loop."""
    if isinstance(parent, (ast.If, ast.For, ast.While)):
        yield from (ast.Break(), ast.Continue())
    if isinstance(parent, ast.For):  # the next round may need what this one had
        stored = stored_in(parent)
        for word in (word for word in has.scope if word not in stored):
            for name in stored_in(parent.target):
                yield ast.Assign([ast.Name(word, ast.Store())], name_of(name))


def _replaces(new: Any, line: int, has: Parts) -> bool:
    """Return whether a statement would overwrite what an earlier line sets, without reading it."""
    if not isinstance(new, ast.Assign):
        return False
    target = ast.unparse(new.targets[0])
    earlier = {ast.unparse(part) for part in has.stored if part.lineno < line}
    return target in earlier and target not in map(ast.unparse, ast.walk(new.value))


def _inserted(parent: Any, body: list[Any], has: Parts) -> Iterator[tuple[float, Any, int]]:
    last = body[-1]
    for index in range(len(body) + 1):
        line = body[index].lineno if index < len(body) else last.end_lineno
        for new in has.statements:
            if isinstance(new, _WHOLE) or _replaces(new, line + (index == len(body)), has):
                continue  # this would hide a mistake, not fix it
            cost = 3.2 if isinstance(new, _LEAVES) and index < len(body) else 1.9
            yield cost, [*body[:index], new, *body[index:]], line
    yield from ((1.4, [*body, new], last.end_lineno) for new in _last_in(parent, has))
    if not isinstance(last, ast.Return) and isinstance(parent, (*DEFINITIONS, ast.If, ast.For)):
        for word in has.scope:
            yield 1.2, [*body, ast.Return(name_of(word))], last.end_lineno


def _of_statement(one: Any, has: Parts) -> Made:
    """Yield statements in place of one."""
    if (own := _STATEMENTS.get(type(one))) is not None:
        yield from ((cost, new if isinstance(new, list) else [new]) for cost, new in own(one))
    yield from _of_owner(one, has)
    if has.yields and isinstance(one, ast.Expr):
        yield 0.9, [ast.Expr(ast.YieldFrom(one.value))]
    for word in _may_change(one) if isinstance(one, (ast.Expr, ast.Assign)) else ():
        if word in has.arguments and has.can(name_of(word), "append"):  # a list of the caller's
            own_list = ast.Call(name_of("list"), [name_of(word)], [])
            yield 1.5, [ast.Assign([ast.Name(word, ast.Store())], own_list), one]
    for word in has.scope if isinstance(one, ast.Return) and one.value else ():
        size = ast.Call(name_of("len"), [name_of(word)], [])
        yield 2.0, [ast.Return(ast.BinOp(one.value, ast.Div(), size))]
    for new in has.statements:
        kinds = type(one), type(new)
        if kinds == (ast.Expr, ast.For) and not names_in(one).intersection(stored_in(new)):
            yield 1.6, [new]
        elif type(new) is type(one) or isinstance(new, (ast.Assign, ast.AugAssign)):
            built = names_in(one) if isinstance(getattr(one, "value", None), ast.Name) else set()
            is_likely = kinds == (ast.Return, ast.Return) and built <= names_in(new)
            is_likely = is_likely and has.is_likely(new)
            yield 1.2 if is_likely else 2.3, [new]


def _may_change(one: Any) -> set[str]:
    """Return the variables whose methods a statement calls; if it is a call, its arguments, too."""
    called = [part.func for part in ast.walk(one) if isinstance(part, ast.Call)]
    owners = [part.value for part in called if isinstance(part, ast.Attribute)]
    owners += getattr(one.value, "args", []) if isinstance(one, ast.Expr) else []
    return {part.id for part in owners if isinstance(part, ast.Name)}


def _of_owner(one: Any, has: Parts) -> Made:
    """Yield statements that set an attribute of a variable instead: `x.data = x.data - 1`."""
    if isinstance(one, (ast.Assign, ast.AugAssign)):
        (name, *others) = stored_in(one) or ("",)
        read = [part for part in ast.walk(one) if isinstance(part, ast.Attribute)]
        kept = {ast.dump(part): part for part in read}
        for attribute in has.attributes if name and not others else ():
            other = {
                ast.dump(ast.Name(name, each)): ast.Attribute(name_of(name), attribute, each)
                for each in (ast.Load(), ast.Store())
            }
            yield 1.3, [Replaced(kept | other).visit(copy.deepcopy(one))]


def _of_assignment(one: Any) -> Made:
    target = one.targets[0]
    is_simple = len(one.targets) == 1 and not isinstance(target, ast.Tuple)
    if is_simple and not isinstance(one.value, ast.Constant):
        yield 0.5, ast.AugAssign(target, ast.Add(), one.value)
        yield 0.8, ast.AugAssign(target, ast.Sub(), one.value)
    if isinstance(target, ast.Name):
        yield 1.9, ast.If(ast.UnaryOp(ast.Not(), name_of(target.id)), [one], [])


def _of_accumulation(one: Any) -> Made:
    yield 0.6, ast.Assign([one.target], one.value)
    for op in BINARY[:4]:
        if not isinstance(one.op, op):
            yield 0.7, ast.AugAssign(one.target, op(), one.value)


def _of_choice(one: Any) -> Made:
    for index, each in enumerate(one.body):  # `d[k] = 1` for the first k counts no other
        if isinstance(each, ast.Assign) and isinstance(target := each.targets[0], ast.Subscript):
            begin = ast.Assign([target], ast.Constant(0))
            body = [*one.body[:index], begin, *one.body[index + 1 :]]
            more = ast.AugAssign(target, ast.Add(), each.value)
            yield 1.3, [ast.If(one.test, body, one.orelse), more]


def _of_return(one: Any) -> Made:
    if one.value is None:
        yield 0.9, ast.Continue()
        return
    yield 1.4, ast.Expr(one.value)
    if isinstance(one.value, ast.Call) and getattr(one.value.func, "id", "").endswith("Error"):
        yield 0.5, ast.Raise(one.value, None)


def _of_result_alone(one: Any) -> Made:
    """Yield statements that use a result: of `a.f()`, `a + b` or `a == b`."""
    match one.value:
        case ast.Call(func=ast.Name(id=word)) if word in LAZY:
            yield 0.6, ast.Expr(ast.Call(name_of("list"), [one.value], []))
        case ast.Call(func=ast.Attribute(value=ast.Name() as target)):
            yield 0.9, ast.Assign([stored(target)], one.value)
        case ast.BinOp(left=ast.Name() | ast.Attribute() as target, op=op, right=right):
            yield 0.5, ast.AugAssign(stored(target), op, right)
        case ast.Compare(left=ast.Name() | ast.Attribute() as target, comparators=[right]):
            yield 0.5, ast.Assign([stored(target)], right)


def stored(node: Any) -> Any:
    """Return a copy of a variable or an attribute to assign to."""
    new = copy.copy(node)
    new.ctx = ast.Store()
    return new


_STATEMENTS: dict[type, Callable[[Any], Made]] = {
    ast.Assign: _of_assignment,
    ast.AugAssign: _of_accumulation,
    ast.Expr: _of_result_alone,
    ast.If: _of_choice,
    ast.Return: _of_return,
    ast.Break: lambda _: iter([(0.9, ast.Continue())]),
    ast.Continue: lambda _: iter([(0.9, ast.Break())]),
}


def _with_own(loop: ast.For) -> Iterator[tuple[ast.For, int]]:
    """Yield a loop where each round has its own copy of a variable that it changes."""
    for one in ast.walk(loop):
        if isinstance(one, ast.Assign) and {*stored_in(one)} & names_in(one.value):
            word, new = stored_in(one)[0], copy.deepcopy(loop)
            for part in [part for each in new.body for part in ast.walk(each)]:
                if isinstance(part, ast.Name) and part.id == word:
                    part.id = f"own_{word}"
            own = ast.Name(f"own_{word}", ast.Store())
            new.body.insert(0, ast.Assign([own], name_of(word)))
            yield new, one.lineno


def _of_borders(one: Any, before: list[Any], after: list[Any]) -> Iterator[tuple[float, Any, int]]:
    """Yield blocks that end elsewhere: statements move in or out."""

    def with_body(body: list[Any]) -> Any:
        new = copy.copy(one)
        new.body = body
        return new

    inner: list[Any] = one.body
    if not is_function(one):
        yield 1.4, [*before, *inner, *after], one.lineno
    for cut in range(1, len(inner)):
        out = inner[cut:]
        yield 1.1, [*before, with_body(inner[:cut]), *out, *after], out[0].lineno
        out = inner[:cut]
        yield 1.1, [*before, *out, with_body(inner[cut:]), *after], out[0].lineno
    for cut in range(1, len(after) + 1):
        line = after[0].lineno
        yield 1.1, [*before, with_body([*inner, *after[:cut]]), *after[cut:]], line
    for cut in range(len(inner)) if after else ():
        body = [*inner[:cut], after[0], *inner[cut:]]
        yield 1.2, [*before, with_body(body), *after[1:]], after[0].lineno
    if before:
        line = before[-1].lineno
        for body in ([before[-1], *inner], [*inner, before[-1]]):
            yield 1.2, [*before[:-1], with_body(body), *after], line
