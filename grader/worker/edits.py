"""Propose small edits to a function, the likeliest first, and find how two functions differ.

Nothing here knows a mistake by name. New parts come from the function itself, from its file, or
from the reference's function of the same name.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from itertools import combinations, islice
from typing import Any

from .differences import KNOWN, WRAPS, Replaced, is_close, name_of, names_in, place, stored_in
from .parameters import of_parameters
from .parts import Parts
from .statements import BINARY, Made, count_in, of_block, of_body, stored

_COMPARE = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_OPPOSITE = {ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}
_LIBRARY = {
    "math": ("exp", "tanh", "log", "cos", "sin", "sqrt", "cosh", "sinh"),
    "random": ("uniform", "random", "gauss"),
}
_LONGER = ("append", "extend")  # by one item, or by several
_ALIKE = ({"data", "grad"}, {*_LONGER})
MAX_PAIRS = 6  # of variables to exchange in an expression
_FIXED = {"decorator_list", "returns", "annotation", "defaults", "kw_defaults", "type"}
_NUMBERS = (0, 1, -1, 2, 0.5, 3)
UNLIKE = 0.6  # extra cost of a variable of a different type


class Edit:
    """Sets a field of a node, or an item of a field with a list."""

    def __init__(  # noqa: PLR0913, PLR0917 - where and what
        self, cost: float, parent: Any, field: str, index: int | None, new: Any, line: int
    ) -> None:
        self.cost, self.line, self.new = cost, line, new
        self.items: Any = vars(parent) if index is None else getattr(parent, field)
        self.index: Any = field if index is None else index
        self.old = self.items[self.index]

    @property
    def adds(self) -> bool:
        """Return whether it adds a statement, and does not only move one."""
        is_longer = isinstance(self.new, list) and len(self.new) > len(self.old)
        return is_longer and count_in(self.new) > count_in(self.old)

    @contextmanager
    def made(self) -> Iterator[None]:
        """Make the edit, and undo it at the end."""
        for part in self.new if isinstance(self.new, list) else [self.new]:
            place(part, self.line)
        self.items[self.index] = self.new
        try:
            yield
        finally:
            self.items[self.index] = self.old


# --- the edits of a function ---


def edits_of(function: Any, has: Parts, ran: Collection[int]) -> Iterator[Edit]:
    """Yield the edits of a function, in no order of cost. Only a block that `ran` matters."""
    loops = [each for each in ast.walk(function) if isinstance(each, (ast.For, ast.comprehension))]
    looped = [name for each in loops for name in stored_in(each.target)]
    for cost, body, line in of_body(function):
        yield Edit(cost, function, "body", None, body, line)
    for parent in _that_run(function, ran):
        takes = of_parameters(parent, looped) if parent is not function else ()
        yield from (Edit(cost, parent, "args", None, new, parent.lineno) for cost, new in takes)
        for field, value in ast.iter_fields(parent):
            if field in _FIXED:
                continue
            items = value if isinstance(value, list) else [value]
            if items and isinstance(items[0], ast.stmt):
                for cost, new, line in of_block(parent, items, has):
                    yield Edit(cost, parent, field, None, new or [ast.Pass()], line)
            for index, item in enumerate(items):
                if not isinstance(item, ast.expr):
                    continue
                where = index if items is value else None
                is_kept = isinstance(item, (ast.Call, ast.BinOp)) and ast.dump(item) in has.kept
                for cost, new in _of_expression(parent, field, item, has):
                    yield Edit(cost + is_kept, parent, field, where, new, item.lineno)


def _that_run(part: Any, ran: Collection[int]) -> Iterator[Any]:
    """Yield the parts of a function, without blocks of which no line ran."""
    yield part
    for field, value in ast.iter_fields(part):
        items = value if isinstance(value, list) else [value]
        if field in _FIXED:
            items = []
        elif items and isinstance(items[0], ast.stmt):
            lines = range(items[0].lineno, items[-1].end_lineno + 1)
            items = items if any(line in ran for line in lines) else []
        for each in items:
            if isinstance(each, ast.AST):
                yield from _that_run(each, ran)


def _of_expression(parent: Any, field: str, node: Any, has: Parts) -> Made:
    if isinstance(getattr(node, "ctx", None), ast.Store):
        yield from _of_target(node, has)
        return
    is_called = isinstance(parent, ast.Call) and field == "func"
    is_owner = isinstance(parent, ast.Attribute)
    if (own := _OWN.get(type(node))) is not None:
        yield from own(node, has, is_called)
    if is_called or is_owner:
        return
    if isinstance(parent, ast.AugAssign) and (attribute := getattr(parent.target, "attr", "")):
        same = [ast.Attribute(name_of(each), attribute, ast.Load()) for each in has.scope]
        yield from ((0.9, ast.BinOp(node, ast.Mult(), each)) for each in same)
    yield from _other(node, has)
    if field == "test":
        yield 1.0, ast.UnaryOp(ast.Not(), node)
    elif isinstance(node, (ast.Name, ast.Attribute, ast.BinOp, ast.Call, ast.Subscript)):
        yield 1.2, ast.UnaryOp(ast.USub(), node)
    whole = field in {"value", "test", "iter", "elt", "elts", "body", "args"}
    if whole or isinstance(parent, ast.BinOp):
        yield from _with_more(node, has, whole=whole)
    if field in {"iter", "value", "args"} and names_in(node) <= {*has.scope, *KNOWN}:
        yield from _wrapped(node, has)  # a global may be an endless iterator


def _other(node: Any, has: Parts) -> Made:
    """Yield a variable or an attribute in place of an expression, or a new object in place of a
    shared one.
    """
    if isinstance(node, (ast.Name, ast.Attribute)):
        yield from ((1.1, copy.deepcopy(made)) for made in has.made.get(ast.unparse(node), ()))
    if isinstance(node, (ast.Name, ast.Attribute, ast.Constant, ast.Subscript, ast.Call, ast.List)):
        for atom in has.atoms:
            if not isinstance(node, ast.Name) or not isinstance(atom, ast.Name):
                yield 1.6 + UNLIKE * (not has.are_alike(node, atom)), atom


def _exchanged(node: Any) -> Made:
    """Yield an expression in which two variables, or two attributes, are exchanged."""
    read = [part for part in ast.walk(node) if isinstance(part, (ast.Name, ast.Attribute))]
    owners = {id(part.value) for part in read if isinstance(part, ast.Attribute)}
    parts = {ast.dump(part): part for part in read if id(part) not in owners}
    for one, other in islice(combinations(parts, 2), MAX_PAIRS):
        if type(parts[one]) is type(parts[other]):
            new = {one: parts[other], other: parts[one]}
            yield 1.3, Replaced(new).visit(copy.deepcopy(node))


def _with_more(node: Any, has: Parts, *, whole: bool) -> Made:
    """Yield an expression with one more factor or term, or one from the reference in its place."""
    yield from _exchanged(node) if whole else ()
    yield from ((1.3, atom) for atom in has.atoms if whole and isinstance(node, ast.BinOp))
    one, two = ast.Constant(1), ast.Constant(2)
    for atom in has.atoms:
        if has.can(atom, "__add__") and (whole or isinstance(atom, ast.Attribute)):
            yield 1.8, ast.BinOp(node, ast.Mult(), atom)
            for op in (ast.Add, ast.Sub, ast.Div):
                yield 2.1, ast.BinOp(node, op(), atom)
    for left, sign, right in (
        (node, ast.Pow(), two),
        (two, ast.Mult(), node),
        (one, ast.Sub(), node),
        (node, ast.Sub(), one),
        (node, ast.Add(), one),
    ):
        yield 2.0, ast.BinOp(left, sign, right)
    yield 2.1, ast.BinOp(node, ast.Div(), two)
    yield from ((1.7 if has.is_likely(part) else 2.3, part) for part in has.expressions)


def _wrapped(node: Any, has: Parts) -> Made:
    words = [word for word, method in WRAPS.items() if has.can(node, method)]
    for word in (*words, *has.classes):
        yield 1.4, ast.Call(name_of(word), [node], [])
    if isinstance(node, (ast.Call, ast.Tuple)):  # which runs at once
        yield 1.4, ast.Lambda(ast.arguments([], [], None, [], [], None, []), node)
    yield 1.9, ast.List([node], ast.Load())
    if not has.can(node, "__iter__"):
        return
    yield 1.4, ast.Call(name_of("reversed"), [ast.Call(name_of("list"), [node], [])], [])
    yield 1.4, _backwards(node)
    if isinstance(node, (ast.Name, ast.Attribute, ast.Call)):
        last = ast.UnaryOp(ast.USub(), ast.Constant(1))
        for part in (ast.Slice(None, last, None), ast.Slice(ast.Constant(1), None, None)):
            yield 1.9, ast.Subscript(node, part, ast.Load())


def _backwards(node: Any) -> ast.Subscript:
    """Return `node[::-1]`."""
    step = ast.UnaryOp(ast.USub(), ast.Constant(1))
    return ast.Subscript(node, ast.Slice(None, None, step), ast.Load())


def _of_name(node: Any, has: Parts, is_called: bool) -> Made:  # noqa: FBT001
    if node.id in {"int", "float"} and not is_called:
        yield 0.9, ast.Tuple([name_of("int"), name_of("float")], ast.Load())
    for word in has.scope:
        if word != node.id and (not is_called or word in has.unread):
            new = name_of(word)
            is_likely = word in has.unread or is_close(word, node.id)
            cost = 0.6 if is_likely else 1.0
            yield cost + UNLIKE * (not has.are_alike(node, new)), new
    if "self" in has.scope and (is_called or node.id in has.attributes):
        yield 0.9, ast.Attribute(name_of("self"), node.id, ast.Load())


def _of_attribute(node: Any, has: Parts, is_called: bool) -> Made:  # noqa: FBT001
    names = (*has.attributes, *(has.methods if is_called else ()))
    if is_called and node.attr in _LONGER:
        names = (*names, *_LONGER)
    names = _LIBRARY.get(getattr(node.value, "id", ""), names)
    is_stored = isinstance(node.ctx, ast.Store)
    for name in dict.fromkeys(names):
        if name != node.attr and (is_stored or has.can(node.value, name)):
            pair = {name, node.attr}
            are_alike = pair in _ALIKE or _begins(name) == _begins(node.attr)
            cost = 0.6 if is_close(name, node.attr) else 0.8 if are_alike else 1.4
            yield cost, ast.Attribute(node.value, name, ast.Load())
    if not is_called:
        yield 1.1, node.value
        if node.attr in has.methods:
            yield 0.9, ast.Call(node, [], [])


def _begins(name: str) -> str:
    """Return the first word of a name of several, as of `get_data`, or else the name."""
    word, _, rest = name.strip("_").partition("_")
    return word if rest else name


def _of_constant(node: Any, has: Parts, *_: bool) -> Made:
    value = node.value
    if isinstance(value, bool):
        yield 0.9, ast.Constant(not value)
    elif isinstance(value, (int, float, type(None))):
        near = () if value is None else (value + 1, value - 1, -value)
        numbers = dict.fromkeys((*_NUMBERS, *near, *has.numbers))
        yield from ((0.9, ast.Constant(each)) for each in numbers if each != value)


def _of_operation(node: Any, *_: Any) -> Made:
    for op in BINARY:
        if not isinstance(node.op, op):
            yield 1.0, ast.BinOp(node.left, op(), node.right)
    yield 1.0, ast.BinOp(node.right, node.op, node.left)
    if isinstance(node.op, ast.FloorDiv):  # rounded up
        floor = ast.BinOp(ast.UnaryOp(ast.USub(), node.left), node.op, node.right)
        yield 1.0, ast.UnaryOp(ast.USub(), floor)
    for item in getattr(node.left, "elts", ()) if isinstance(node.op, ast.Mult) else ():
        yield 0.9, _loop(item, "_", ast.Call(name_of("range"), [node.right], []))
    if isinstance(node.op, ast.Pow):
        yield 1.4, ast.Call(ast.Attribute(name_of("math"), "exp", ast.Load()), [node.right], [])
    yield 1.1, node.left
    yield 1.1, node.right
    yield from ((1.0, new) for new in _regrouped(node))
    for side in ("left", "right"):  # `a + b.f()` as `(a + b).f()`
        if _is_method_alone(inner := getattr(node, side)):
            new = copy.copy(node)
            setattr(new, side, inner.func.value)
            yield 1.0, ast.Call(ast.Attribute(new, inner.func.attr, ast.Load()), [], [])


def _of_comparison(node: Any, *_: Any) -> Made:
    if len(node.ops) != 1:
        return
    op, right = node.ops[0], node.comparators[0]
    others = [_OPPOSITE[type(op)]] if type(op) in _OPPOSITE else []
    if isinstance(op, _COMPARE):
        for sign in (ast.Sub(), ast.Add()):  # off by one
            yield 1.3, ast.Compare(node.left, [op], [ast.BinOp(right, sign, ast.Constant(1))])
    if not isinstance(op, (ast.In, ast.NotIn)):
        others += [each for each in _COMPARE if not isinstance(op, each)]
    for other in others:
        yield 0.9, ast.Compare(node.left, [other()], [right])


def _of_logic(node: Any, *_: Any) -> Made:
    yield (0.9, ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values))
    first, *others = node.values
    if isinstance(first, ast.Compare) and not any(isinstance(one, ast.Compare) for one in others):
        each = ast.Tuple([first.comparators[0], *others], ast.Load())  # `x == a or b`
        yield 0.8, ast.Compare(first.left, [ast.In()], [each])


def _of_call(node: Any, has: Parts, *_: bool) -> Made:
    if not node.args and not node.keywords:
        yield 0.8, node.func
        if getattr(node.func, "attr", "") == "reverse":  # which returns nothing
            yield 0.8, _backwards(node.func.value)
    yield from ((1.1, each) for each in node.args if not node.keywords)
    if _is_method_alone(node) and isinstance(whole := node.func.value, ast.BinOp):
        for side in ("left", "right"):  # `(a + b).f()` as `a + b.f()`
            new = copy.copy(whole)
            inner = ast.Attribute(getattr(whole, side), node.func.attr, ast.Load())
            setattr(new, side, ast.Call(inner, [], []))
            yield 1.0, new
    for other in has.calls:  # the same function with more arguments
        if _called(other) == _called(node):
            given = {each.arg for each in node.keywords}
            keywords = [*node.keywords, *(one for one in other.keywords if one.arg not in given)]
            args = other.args[len(node.args) :]
            for more in (args, other.args[-1:]) if args else ([],):
                yield 0.8, copy.deepcopy(ast.Call(node.func, [*node.args, *more], keywords))
    for atom in has.atoms:
        cost = 0.9 if getattr(atom, "id", "") in has.unread else 1.8
        yield cost, ast.Call(node.func, [*node.args, atom], node.keywords)


def _called(call: ast.Call) -> str:
    """Return the name of the function or method."""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def _is_method_alone(node: Any) -> bool:
    """Return whether a node calls a method without arguments."""
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return is_call and not node.args and not node.keywords


def _of_items(node: Any, *_: Any) -> Made:
    for item in node.elts if len(node.elts) == 1 else ():  # the items of the only item
        yield 1.1, ast.Call(name_of("set" if isinstance(node, ast.Set) else "list"), [item], [])


def _of_list(node: Any, *_: Any) -> Made:
    flat = _loop(name_of("item"), "item", node.elt)  # the items of each item
    yield 1.3, ast.ListComp(flat.elt, [*node.generators, *flat.generators])


def _loop(item: Any, name: str, over: Any) -> ast.ListComp:
    """Return `[item for name in over]`."""
    return ast.ListComp(item, [ast.comprehension(ast.Name(name, ast.Store()), over, [], 0)])


_OWN: dict[type, Callable[..., Made]] = {
    ast.Name: _of_name,
    ast.Attribute: _of_attribute,
    ast.Constant: _of_constant,
    ast.BinOp: _of_operation,
    ast.UnaryOp: lambda node, *_: iter([(0.9, node.operand)]),
    ast.Compare: _of_comparison,
    ast.BoolOp: _of_logic,
    ast.Subscript: lambda node, *_: iter([(1.2, node.value)]),
    ast.Call: _of_call,
    ast.ListComp: _of_list,
    ast.List: _of_items,
    ast.Set: _of_items,
}


def _of_target(node: Any, has: Parts) -> Made:
    """Yield other things to assign to, also what a variable was read from."""
    if isinstance(node, (ast.Name, ast.Attribute)):
        others = [*_OWN[type(node)](node, has, False)]  # noqa: FBT003 - a separate place
        others += [(0.8, has.read_from.get(getattr(node, "id", "")))]
        for cost, new in others:
            if isinstance(new, (ast.Name, ast.Attribute)) and getattr(new, "id", "") != "self":
                yield cost, stored(new)
    if isinstance(node, ast.Tuple) and len(node.elts) == 2:
        yield 1.1, ast.Tuple(node.elts[::-1], ast.Store())


def _regrouped(node: Any) -> Iterator[Any]:
    """Yield an operation with its parentheses moved: `(a - b) * c` as `a - b * c`."""
    left, right = node.left, node.right
    if isinstance(left, ast.BinOp):
        inner = ast.BinOp(left.right, node.op, right)
        for new in (inner, *_regrouped(inner)):
            yield ast.BinOp(left.left, left.op, new)
        if isinstance(first := left.left, ast.BinOp):  # of three or more
            inner = ast.BinOp(ast.BinOp(first.right, left.op, left.right), node.op, right)
            yield ast.BinOp(first.left, first.op, inner)
    if isinstance(right, ast.BinOp):
        inner = ast.BinOp(left, node.op, right.left)
        for new in (inner, *_regrouped(inner)):
            yield ast.BinOp(new, right.op, right.right)
