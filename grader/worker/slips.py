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
_FUNCTIONS = frozenset(("FunctionDef", "Lambda"))
_CHANGES = frozenset(("Assign", "AugAssign"))
_IN_PLACE = frozenset(("append", "extend", "insert", "sort", "reverse", "shuffle"))


def slips_of(function: Any) -> Iterator[tuple[int, str]]:
    """Yield every slip, with its line; those that are most certainly wrong come first."""
    yield from _never_reached(function)
    yield from _signs(function)
    yield from _in_place(function)
    yield from _parameters(function)
    yield from _loops(function)
    yield from _kept_from_last_round(function)
    yield from _made_in_loops(function)
    yield from _unused(function)
    yield from _returns(function)
    yield from _empty_collections(function)
    yield from _recursive(function)
    yield from _closures(function)


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
        if _kind(inner) not in _FUNCTIONS:
            yield inner
            yield from _here(inner)


def _blocks(node: Any) -> Iterator[list[Any]]:
    for inner in _inside(node):
        for name in ("body", "orelse"):
            block = getattr(inner, name, None)
            if isinstance(block, list):
                yield block


def _loads(name: str, *nodes: Any) -> bool:
    return any(True for _ in _loading(name, *nodes))


def _never_reached(function: Any) -> Iterator[tuple[int, str]]:
    for block in _blocks(function):
        for statement, following in zip(block, block[1:]):  # noqa: RUF007 - not in Python 3.9
            if _kind(statement) in _ENDS:
                yield following.lineno, f"unreached {_kind(statement).lower()}"


def _loops(function: Any) -> Iterator[tuple[int, str]]:
    """Loops that end in their first round, or do not use what they loop over."""
    for node in _inside(function):
        ends = _kind(node) in _LOOPS and _kind(node.body[-1]) == "Return"
        if ends and not any(_kind(inner) == "Continue" for inner in _here(node)):
            yield node.body[-1].lineno, "loop-ends return"
        if _kind(node) in {"For", "comprehension"}:
            yield from _looped_over(node, function)
        elif _kind(node) == "Call" and _is_empty_range(node):
            yield node.lineno, "range-empty"


def _is_empty_range(call: Any) -> bool:
    last = [getattr(each, "value", None) for each in call.args[1:]]
    return getattr(call.func, "id", "") == "range" and last == [0]


def _looped_over(loop: Any, function: Any) -> Iterator[tuple[int, str]]:
    is_pair = _kind(loop.target) == "Tuple" and _kind(loop.iter) == "Tuple"
    if is_pair and all(_kind(item) in {"Name", "Attribute"} for item in loop.iter.elts):
        yield loop.target.lineno, "zip"
    for name in () if _counts(loop) else _names(loop.target):
        if not name.startswith("_") and not _loads(name, function):
            yield loop.target.lineno, f"loop-ignores {name}"


def _counts(loop: Any) -> bool:
    """Whether a loop only repeats its body, as `for i in range(n)` does."""
    called = loop.iter if _kind(loop.iter) == "Call" else None
    if getattr(getattr(called, "func", None), "id", "") == "enumerate":
        return True
    if getattr(getattr(called, "func", None), "id", "") != "range":
        return False
    return not any(getattr(inner, "id", "") == "len" for inner in _inside(called))


def _names(target: Any) -> Iterator[str]:
    return (node.id for node in _inside(target) if _kind(node) == "Name")


def _in_place(function: Any) -> Iterator[tuple[int, str]]:
    """The result of a method that returns None, and a list that repeats one object."""
    idle = {id(node.value) for node in _inside(function) if _kind(node) == "Expr"}
    idle |= {id(node.body) for node in _inside(function) if _kind(node) == "Lambda"}
    for node in _inside(function):
        if _kind(node) == "Call" and getattr(node.func, "attr", "") in _IN_PLACE:
            if id(node) not in idle:
                yield node.lineno, f"in-place {node.func.attr}"
        elif _kind(node) == "BinOp" and _kind(node.op) == "Mult":
            for side in (node.left, node.right):
                if _kind(side) == "List" and any(_kind(item) == "Call" for item in side.elts):
                    yield node.lineno, "repeated"


def _kept_from_last_round(function: Any) -> Iterator[tuple[int, str]]:
    """Names that every round of a loop sets anew, and nothing in the loop reads."""
    for block in _blocks(function):
        for place, loop in enumerate(block):
            if _kind(loop) != "For":
                continue
            targets = set(_names(loop.target))
            for node in loop.body:
                for name in _assigned(node):
                    is_new = _kind(node) == "Assign" and not _loads(name, *loop.body)
                    if name in targets and not _loads(name, *_after(node, loop.body)):
                        yield node.lineno, f"rebinds {name}"
                    elif is_new and _loads(name, *block[place + 1 :]):
                        yield node.lineno, f"last-round {name}"


def _after(statement: Any, block: list[Any]) -> list[Any]:
    return block[block.index(statement) + 1 :]


def _made_in_loops(function: Any) -> Iterator[tuple[int, str]]:
    """Functions that read a loop's variable later, and one object appended in every round."""
    for loop in _inside(function):
        if _kind(loop) != "For":
            continue
        inside = [node for node in _inside(*loop.body) if _kind(node) in _FUNCTIONS]
        for made in inside:
            body = made.body if isinstance(made.body, list) else [made.body]
            own = {each.arg for each in made.args.args}
            for name in _names(loop.target):
                if name not in own and _loads(name, *body) and not _called(made, loop):
                    yield made.lineno, f"late {name}"
        made_here = {name for node in _inside(*loop.body) for name in _assigned(node)}
        outside = {
            name: node
            for node in _here(function)
            if _kind(node) == "Assign" and _kind(node.value) == "Call"
            for name in _assigned(node)
        }
        for node in _here(loop):
            if _kind(node) == "Call" and getattr(node.func, "attr", "") == "append":
                given = getattr(node.args[0], "id", "") if node.args else ""
                if given in outside and given not in made_here | {*_names(loop.target)}:
                    yield node.lineno, f"same {given}"


def _called(made: Any, loop: Any) -> bool:
    """Whether a loop calls a function that is defined in it."""
    name = getattr(made, "name", "")
    return any(
        _kind(node) == "Call" and getattr(node.func, "id", None) == name
        for node in _inside(*loop.body)
    )


def _assigned(node: Any) -> Iterator[str]:
    if _kind(node) in _CHANGES:
        for target in getattr(node, "targets", None) or [node.target]:
            yield from _names(target) if _kind(target) in {"Name", "Tuple"} else ()


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
    yield from _copies_changed(function)
    for name, line in assigned.items():
        others = [node for node in _statements(function) if [*_assigned(node)] != [name]]
        if not name.startswith("__") and not _reads(name, others) and not _shared(name, function):
            yield line, f"never-read {name}"


def _copies_changed(function: Any) -> Iterator[tuple[int, str]]:
    """`x += 1` for an `x` that was read from an attribute, if nothing reads `x` afterwards."""
    copies = set()
    for node in _inside(function):
        if _kind(node) == "Assign":
            target, value = node.targets[-1], node.value
            both = _kind(target) == _kind(value) == "Tuple"
            for name, read in zip(target.elts, value.elts) if both else [(target, value)]:
                if _kind(name) == "Name" and _kind(read) == "Attribute":
                    copies.add(name.id)
    for node in _inside(function):
        name = getattr(node.target, "id", "") if _kind(node) == "AugAssign" else ""
        if name in copies and not _loads(name, function):
            yield node.lineno, f"copy-changes {name}"


def _statements(function: Any) -> Iterator[Any]:
    return (statement for block in _blocks(function) for statement in block)


def _reads(name: str, statements: list[Any]) -> bool:
    """Whether one of these statements reads a name, apart from the statements inside it."""
    for statement in statements:
        nested = {id(node) for block in _blocks(statement) for node in _inside(*block)}
        if any(id(node) not in nested for node in _loading(name, statement)):
            return True
    return False


def _loading(name: str, *nodes: Any) -> Iterator[Any]:
    for node in _inside(*nodes):
        if _kind(node) == "Name" and node.id == name and _kind(node.ctx) == "Load":
            yield node


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
                yield from _listed_first(node, helper)


def _listed_first(loop: Any, helper: Any) -> Iterator[tuple[int, str]]:
    """A node that goes into a list before its operands do."""
    for block in _blocks(helper):
        for node in block[: block.index(loop)] if loop in block else ():
            called: Any = node.value if _kind(node) == "Expr" else None
            appends = getattr(getattr(called, "func", None), "attr", "") == "append"
            given = [getattr(each, "id", "") for each in called.args] if appends else []
            if given == [helper.args.args[0].arg]:
                yield node.lineno, "listed-first"


def _returns(function: Any) -> Iterator[tuple[int, str]]:
    """An exception that is returned, a set in place of a list, or nothing on some paths."""
    returned = [node for node in _here(function) if _kind(node) == "Return" and node.value]
    sets = {name for name, node in _collections(function) if _kind(node) in {"Call", "Set"}}
    for node in returned:
        called = getattr(getattr(node.value, "func", None), "id", "")
        if called.endswith("Error") or called == "Exception":
            yield node.lineno, "returns-error"
        elif getattr(node.value, "id", "") in sets:
            yield node.lineno, "returns-set"
    if returned and _falls_through(function.body):
        yield function.body[-1].lineno, "falls-through"


def _collections(function: Any) -> Iterator[tuple[str, Any]]:
    """Yield the names that hold a new collection, and the expression that makes it."""
    for node in _inside(function):
        if _kind(node) == "Assign":
            for target in node.targets:
                pairs = [(target, node.value)]
                if _kind(target) == _kind(node.value) == "Tuple":
                    pairs = list(zip(target.elts, node.value.elts))
                for name, value in pairs:
                    is_set = _kind(value) == "Call" and getattr(value.func, "id", "") == "set"
                    if _kind(name) == "Name" and (is_set or _kind(value) in {"List", "Set"}):
                        yield name.id, value


def _empty_collections(function: Any) -> Iterator[tuple[int, str]]:
    """A collection that is empty at first, and only ever looked into."""
    made = [(name, node) for name, node in _collections(function) if _is_empty(node)]
    tested = {
        id(side)
        for node in _inside(function)
        if _kind(node) == "Compare" and _kind(node.ops[0]) in {"In", "NotIn"}
        for side in node.comparators
    }
    for name, node in made:
        uses = list(_loading(name, function))
        if (
            uses
            and all(id(use) in tested for use in uses)
            and [one for one, _ in made].count(name) == 1
        ):
            yield node.lineno, f"stays-empty {name}"


def _falls_through(block: list[Any]) -> bool:
    last = block[-1]
    if _kind(last) == "If":
        return _falls_through(last.body) or not last.orelse or _falls_through(last.orelse)
    return _kind(last) not in {"Return", "Raise", "While", "With", "Try", "Match"}


def _closures(function: Any) -> Iterator[tuple[int, str]]:
    """A function inside that changes one operand twice and the other never, or nothing at all."""
    own = [each.arg for each in function.args.args]
    for node in _inside(function):
        if _kind(node) == "Assign" and _kind(node.targets[-1]) == "Attribute":
            made = getattr(node.value, "body", None) if _kind(node.value) == "Lambda" else None
            called = any(_kind(inner) == "Call" for inner in _inside(node.value))
            if _kind(made) in _COMPUTES and not called:
                yield node.lineno, "lambda"
        elif _kind(node) == "FunctionDef" and node is not function:
            yield from _changed_twice(node, own)


def _changed_twice(step: Any, own: list[str]) -> Iterator[tuple[int, str]]:
    changed: dict[tuple[str, str], list[int]] = {}
    for node in step.body:
        target = node.target if _kind(node) == "AugAssign" else None
        if target is not None and _kind(target) == "Attribute" and _kind(target.value) == "Name":
            changed.setdefault((target.value.id, target.attr), []).append(node.lineno)
    for (name, attribute), lines in changed.items():
        others = [one for one in own if one != name and (one, attribute) not in changed]
        if name in own and len(lines) > 1 and others:
            yield lines[-1], f"twice {name}.{attribute} {others[0]}.{attribute}"


_COMPUTES = frozenset(("BinOp", "Tuple", "List", "Compare", "Attribute"))


def _parameters(function: Any) -> Iterator[tuple[int, str]]:
    for each in function.args.args:
        if each.arg not in {"self", "cls"} and not _loads(each.arg, function):
            yield function.lineno, f"unused-parameter {each.arg}"


def _appended(loop: Any) -> Iterator[tuple[int, str]]:
    for node in _inside(*loop.body):
        if _kind(node) == "Call" and getattr(node.func, "attr", "") == "append":
            yield node.lineno, "append-in-loop"


def _is_empty(value: Any) -> bool:
    if _kind(value) == "Call":
        return getattr(value.func, "id", "") in _EMPTY and not value.args
    return _kind(value) in {"List", "Dict"} and not (getattr(value, "elts", []) or [])
