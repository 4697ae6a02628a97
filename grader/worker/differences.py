"""Look at a function as a tree: its parts, how it differs from another one, and its guards."""

from __future__ import annotations

import ast
import copy
import difflib
import re
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

TICK = "__tick__"
BOUNDED = "__bounded__"
WRAPS = {  # functions, and the method that their argument needs
    "reversed": "__reversed__",
    "list": "__iter__",
    "len": "__len__",
    "range": "__index__",
    "enumerate": "__iter__",
    "sum": "__iter__",
    "float": "__float__",
    "abs": "__abs__",
}
KNOWN = frozenset(
    (*WRAPS, "set", "zip", "max", "min", "int", "sorted", "tuple", "isinstance", "math")
)
LARGE = {ast.Mult: "*", ast.Pow: "**", ast.LShift: "<<"}
LEAVES = frozenset((ast.Name, ast.Constant, ast.arg, ast.Load, ast.Store))
BLOCKS = (ast.If, ast.For, ast.While, ast.With)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DOES = (ast.Call, ast.Yield, ast.YieldFrom, ast.Await)


class Unit(NamedTuple):
    """A part of a file to change as a whole: a function at the top level, a method, or a top-level
    statement with a lambda.
    """

    file: str
    name: str
    node: Any
    owner: str
    before: str

    @property
    def first(self) -> int:
        """Return its first line, including decorators."""
        decorators = getattr(self.node, "decorator_list", [])
        return int(min([self.node.lineno, *(each.lineno for each in decorators)]))

    def module(self, node: Any) -> ast.Module:
        """Return a module that holds only this unit, or another version of it."""
        body: list[ast.stmt] = [node]
        if self.owner:
            shell = ast.parse(f"class {self.owner}: pass").body[0]
            shell.body = body  # type: ignore[attr-defined]
            body = [shell]
        return ast.Module(body, [])


def units_of(file: str, tree: ast.Module) -> list[Unit]:
    """Return the units of a file."""
    parts: list[tuple[str, Any]] = [("", node) for node in tree.body]
    for owner in [node for node in tree.body if isinstance(node, ast.ClassDef)]:
        parts += [(owner.name, part) for part in owner.body]
    return [
        Unit(file, f"{owner}.{_title(node)}".lstrip("."), node, owner, ast.unparse(node))
        for owner, node in parts
        if not isinstance(node, ast.ClassDef)
        and any(isinstance(part, (*DEFINITIONS, ast.Lambda)) for part in ast.walk(node))
    ]


def _title(node: Any) -> str:
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
        return ast.unparse(node.targets[0])
    return str(node.name) if is_function(node) else f"<line {node.lineno}>"


def is_function(node: Any) -> bool:
    """Return whether a node defines a function."""
    return isinstance(node, DEFINITIONS)


def guarded(part: Any, field: str = "") -> Any:
    """Return a copy of a part of the source that cannot run forever: it calls the tick in every
    block and comprehension, and bounds f-strings, what `+=` adds to a list, and `*`, `**` and `<<`,
    which take long in C if their result is large.
    """
    if isinstance(part, list):
        return [guarded(each, field) for each in part]
    if type(part) in LEAVES or not isinstance(part, ast.AST):
        return part
    new: Any = type(part)(**vars(part))
    for name in part._fields:
        setattr(new, name, guarded(getattr(part, name, None), name))
    if isinstance(part, (*DEFINITIONS, *BLOCKS)):
        new.body.insert(0, place(ast.Expr(_call(TICK, [], new)), part.lineno))
    elif isinstance(part, ast.comprehension):
        new.ifs.append(_call(TICK, [], part.iter))
    elif isinstance(part, ast.AugAssign):
        new.value = _call(BOUNDED, [new.value], new)
    elif isinstance(part, ast.BinOp) and type(part.op) in LARGE:
        sign = ast.copy_location(ast.Constant(LARGE[type(part.op)]), new)
        return _call(BOUNDED, [new.left, new.right, sign], new)
    elif isinstance(part, ast.JoinedStr) and field != "format_spec":
        return _call(BOUNDED, [new], new)
    return new


def _call(word: str, args: list[Any], at: Any) -> ast.Call:
    call = place(ast.Call(name_of(word), [], []), at.lineno)
    call.args = args
    return call  # type: ignore[no-any-return]


def written(node: ast.AST) -> str:
    """Return the source of a node. An `if` in an `else` stays one, and does not become `elif`."""
    new = copy.deepcopy(node)
    for part in ast.walk(new):
        match part:
            case ast.If(orelse=[ast.If() as inner]) if inner.col_offset > part.col_offset:
                part.orelse.insert(0, ast.Expr(name_of(TICK)))
    return "\n".join(line for line in ast.unparse(new).split("\n") if line.strip() != TICK)


def place(node: Any, line: int) -> Any:
    """Give every new part of a node a position."""
    where = ast.Pass(lineno=line, col_offset=0, end_lineno=line, end_col_offset=0)
    for part in ast.walk(node):
        if not hasattr(part, "lineno"):
            ast.copy_location(part, where)
    return node


# --- what an edit may put in ---


def bound_in(function: ast.AST) -> list[str]:
    """Return the parameters and variables of a function, in order."""
    found: dict[str, None] = {}
    for part in ast.walk(function):
        match part:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                found[name] = None
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if (
                part is not function
            ):
                found[name] = None
    return list(found)


def _variables(node: ast.AST) -> list[ast.Name]:
    return [part for part in ast.walk(node) if isinstance(part, ast.Name)]


def names_in(node: ast.AST) -> set[str]:
    """Return the names that a node uses and does not define."""
    return {part.id for part in _variables(node)}.difference(bound_in(node))


def stored_in(node: ast.AST) -> list[str]:
    """Return the variables that a node sets."""
    return [part.id for part in _variables(node) if isinstance(part.ctx, ast.Store)]


def names_read(node: ast.AST) -> set[str]:
    """Return the variables that a node reads."""
    return {part.id for part in _variables(node) if isinstance(part.ctx, ast.Load)}


def name_of(word: str) -> ast.Name:
    """Return a variable that is read."""
    return ast.Name(word, ast.Load())


class Replaced(ast.NodeTransformer):
    """Puts other parts in place of the ones with these dumps."""

    def __init__(self, new: dict[str, Any]) -> None:
        self.new = new

    def visit(self, node: Any) -> Any:
        """Return a part or its replacement."""
        new = self.new.get(ast.dump(node))
        return self.generic_visit(node) if new is None else copy.deepcopy(new)


def is_close(one: str, other: str) -> bool:
    """Return whether one of two names may be a slip for the other."""
    return difflib.SequenceMatcher(None, one, other).ratio() > 0.75


# --- how two functions differ ---


def translated(right: Any, own: Any) -> Any:
    """Return a copy of the reference's function with the learner's names."""
    new = copy.deepcopy(right)
    rename: dict[str, str] = {
        theirs.arg: ours.arg for theirs, ours in zip(new.args.args, own.args.args)
    }
    mine = set(bound_in(own))
    for find in (_results, _inner, _loops):
        theirs, ours = find(new), find(own)
        if find is _inner and not len(theirs) == len(ours) == 1:
            continue
        for one, other in zip(theirs, ours):
            if one not in mine and other not in rename.values():
                rename.setdefault(one, other)
    for part in ast.walk(new):
        for field in ("id", "arg", "name"):
            word = getattr(part, field, None)
            if part is not new and type(word) is str:
                setattr(part, field, rename.get(word, word))
    return new


def _results(function: Any) -> list[str]:
    """Return the variables that a function returns, or else the ones that it sets to the result of
    a call.
    """
    parts = list(ast.walk(function))
    values = [part.value for part in parts if isinstance(part, ast.Return)]
    made = [
        part.targets[0]
        for part in parts
        if isinstance(part, ast.Assign) and isinstance(part.value, ast.Call)
    ]
    returned = [value.id for value in values if isinstance(value, ast.Name)]
    return returned or [target.id for target in made if isinstance(target, ast.Name)]


def _inner(function: Any) -> list[str]:
    return [part.name for part in ast.walk(function) if is_function(part) and part is not function]  # type: ignore[attr-defined]


def _loops(function: Any) -> list[str]:
    loops = [part.target for part in ast.walk(function) if isinstance(part, ast.For)]
    return [target.id for target in loops if isinstance(target, ast.Name)]


class Merge:
    """Versions between two functions, with only some of their differences."""

    def __init__(self, own: Any, other: Any) -> None:
        self._own, self._other = own, other
        self._use: set[int] = set()
        self.points: list[tuple[int, Any, Any]] = []  # the line of each difference, and both sides
        self.build(set())

    def build(self, use: set[int]) -> Any:
        """Return the function with these differences."""
        self._use, self.points = use, []
        return self._merged(self._own, self._other, self._own.lineno)

    def _point(self, one: Any, other: Any, line: int) -> Any:
        self.points.append((line, one, other))
        if len(self.points) - 1 not in self._use:
            return one
        return copy.deepcopy(other)

    def _merged(self, one: Any, other: Any, line: int) -> Any:
        line = getattr(one, "lineno", line)
        if _key(one) == _key(other):
            return one
        if type(one) is not type(other) or not isinstance(one, ast.AST):
            return self._point(one, other, line)
        differ = [
            (field, value, getattr(other, field, None))
            for field, value in ast.iter_fields(one)
            if _key(value) != _key(getattr(other, field, None))
        ]
        deep = all(isinstance(value, (ast.AST, list)) for _, value, _ in differ)
        if isinstance(one, ast.expr) and not (len(differ) == 1 and deep):
            return self._point(one, other, line)
        new = copy.copy(one)
        for field, value, theirs in differ:
            if is_function(one) and field not in {"body", "name"}:
                continue
            lists = isinstance(value, list) and isinstance(theirs, list)
            merged: Callable[[Any, Any, int], Any] = self._lists if lists else self._merged
            setattr(new, field, merged(value, theirs, line))
        return new

    def _lists(self, mine: list[Any], theirs: list[Any], line: int) -> list[Any]:
        made: list[Any] = []
        keys = [_key(part) for part in mine], [_key(part) for part in theirs]
        for tag, i, j, k, m in difflib.SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
            if i < len(mine):
                line = getattr(mine[i], "lineno", line)
            elif mine:
                line = getattr(mine[-1], "end_lineno", line)
            if tag == "equal":
                made += mine[i:j]
            elif tag == "replace" and j - i == m - k:
                made += [self._merged(a, b, line) for a, b in zip(mine[i:j], theirs[k:m])]
            else:
                made += self._point(mine[i:j], theirs[k:m], line)
        return made


def changed_parts(one: Any, other: Any) -> int:
    """Return how many syntax nodes are removed or added."""
    old, new = (
        Counter(
            ast.dump(part)
            for each in _listed(thing)
            if isinstance(each, ast.AST)
            for part in ast.walk(each)
            if isinstance(part, (ast.expr, ast.stmt))
        )
        for thing in (one, other)
    )
    return ((old - new) + (new - old)).total()


def lines_of(line: int, thing: Any) -> set[int]:
    """Return the lines of a part of the source; the given one if it has none."""
    nodes = [each for each in _listed(thing) if hasattr(each, "end_lineno")]
    lines = {each for node in nodes for each in range(node.lineno, node.end_lineno + 1)}
    return lines or {line}


def idle_in(node: ast.AST) -> int:
    """Return how many statements only name something, such as a call without its parentheses."""
    alone = [part.value for part in ast.walk(node) if isinstance(part, ast.Expr)]
    return sum(not any(isinstance(part, _DOES) for part in ast.walk(one)) for one in alone)


def unread_in(node: ast.AST) -> int:
    """Return how many variables are set and never read."""
    return len({*stored_in(node)} - names_read(node))


def likeness(one: str, other: str) -> float:
    """Return how many words two texts share, between 0 and 1."""
    both = (re.sub('""".*?"""', "", text, flags=re.DOTALL) for text in (one, other))
    words, others = (re.findall(r"\w+|[^\w\s]|\n +", text) for text in both)
    return difflib.SequenceMatcher(None, words, others, autojunk=False).ratio()


def _listed(thing: Any) -> list[Any]:
    return thing if isinstance(thing, list) else [thing]


def _key(thing: Any) -> str:
    return (
        repr([_key(part) for part in thing])
        if isinstance(thing, list)
        else (ast.dump(thing) if isinstance(thing, ast.AST) else repr(thing))
    )
