"""Slips in loops, and in functions that call themselves for every operand."""

from __future__ import annotations

import builtins

from .syntax import FUNCTIONS, assigned, blocks, here, inside, is_empty, is_read, kind_of, names

# a private copy: a submission that overwrites a built-in breaks its own code only
globals()["__builtins__"] = dict(vars(builtins))

TYPE_CHECKING = False  # importing typing would cost a third of the start-up
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_LOOPS = frozenset(("For", "While"))


def loops(function: Any) -> Iterator[tuple[int, str]]:
    """Loops that end in their first round, or do not use what they loop over."""
    for node in inside(function):
        ends = kind_of(node) in _LOOPS and kind_of(node.body[-1]) == "Return"
        if ends and not any(kind_of(inner) == "Continue" for inner in here(node)):
            yield node.body[-1].lineno, "loop-ends return"
        if kind_of(node) in {"For", "comprehension"}:
            yield from _looped_over(node, function)
        elif kind_of(node) == "Call" and _is_empty_range(node):
            yield node.lineno, "range-empty"


def _is_empty_range(call: Any) -> bool:
    last = [getattr(each, "value", None) for each in call.args[1:]]
    return getattr(call.func, "id", "") == "range" and last == [0]


def _looped_over(loop: Any, function: Any) -> Iterator[tuple[int, str]]:
    is_pair = kind_of(loop.target) == "Tuple" and kind_of(loop.iter) == "Tuple"
    if is_pair and all(kind_of(item) in {"Name", "Attribute"} for item in loop.iter.elts):
        yield loop.target.lineno, "zip"
    for name in () if _counts(loop) else names(loop.target):
        if not name.startswith("_") and not is_read(name, function):
            again = [
                node.lineno for node in inside(*getattr(loop, "body", ())) if _is_set(node, name)
            ]
            yield (
                (again[0], f"rebinds {name}")
                if again
                else (loop.target.lineno, f"loop-ignores {name}")
            )


def _is_set(node: Any, name: str) -> bool:
    return kind_of(node) == "Name" and node.id == name and kind_of(node.ctx) == "Store"


def _counts(loop: Any) -> bool:
    """Whether a loop only repeats its body, as `for i in range(n)` does."""
    called = loop.iter if kind_of(loop.iter) == "Call" else None
    if getattr(getattr(called, "func", None), "id", "") == "enumerate":
        return True
    if getattr(getattr(called, "func", None), "id", "") != "range":
        return False
    return not any(getattr(inner, "id", "") == "len" for inner in inside(called))


def kept_from_last_round(function: Any) -> Iterator[tuple[int, str]]:
    """Names that every round of a loop sets anew, and nothing in the loop reads."""
    for block in blocks(function):
        for place, loop in enumerate(block):
            if kind_of(loop) != "For":
                continue
            targets = set(names(loop.target))
            for node in loop.body:
                for name in assigned(node):
                    is_new = kind_of(node) == "Assign" and not is_read(name, *loop.body)
                    if name in targets and not is_read(name, *_after(node, loop.body)):
                        yield node.lineno, f"rebinds {name}"
                    elif is_new and is_read(name, *block[place + 1 :]):
                        yield node.lineno, f"last-round {name}"


def _after(statement: Any, block: list[Any]) -> list[Any]:
    return block[block.index(statement) + 1 :]


def made_in_loops(function: Any) -> Iterator[tuple[int, str]]:
    """Functions that read a loop's variable later, and one object appended in every round."""
    for loop in inside(function):
        if kind_of(loop) != "For":
            continue
        made_inside = [node for node in inside(*loop.body) if kind_of(node) in FUNCTIONS]
        for made in made_inside:
            body = made.body if isinstance(made.body, list) else [made.body]
            own = {each.arg for each in made.args.args}
            for name in names(loop.target):
                if name not in own and is_read(name, *body) and not _called(made, loop):
                    yield made.lineno, f"late {name}"
        made_here = {name for node in inside(*loop.body) for name in assigned(node)}
        outside = {
            name: node
            for node in here(function)
            if kind_of(node) == "Assign" and kind_of(node.value) == "Call"
            for name in assigned(node)
        }
        for node in here(loop):
            if kind_of(node) == "Call" and getattr(node.func, "attr", "") == "append":
                given = getattr(node.args[0], "id", "") if node.args else ""
                if given in outside and given not in made_here | {*names(loop.target)}:
                    yield node.lineno, f"same {given}"


def _called(made: Any, loop: Any) -> bool:
    """Whether a loop calls a function that is defined in it."""
    name = getattr(made, "name", "")
    return any(
        kind_of(node) == "Call" and getattr(node.func, "id", None) == name
        for node in inside(*loop.body)
    )


def recursive(function: Any) -> Iterator[tuple[int, str]]:
    """Slips in a helper that calls itself for every operand."""
    for helper in inside(function):
        if kind_of(helper) != "FunctionDef" or helper is function or not helper.args.args:
            continue
        if not is_read(helper.name, helper):
            continue
        returned = [node for node in here(function) if kind_of(node) == "Return"]
        if not returned and any(kind_of(node) == "Return" and node.value for node in here(helper)):
            line = next(node.lineno for node in here(helper) if kind_of(node) == "Return")
            yield line, f"returns-inside {helper.name}"
        for node in here(helper):
            if kind_of(node) == "Assign" and is_empty(node.value):
                yield node.lineno, f"made-anew {getattr(node.targets[-1], 'id', '')}"
            elif (
                kind_of(node) == "Attribute"
                and kind_of(node.value) == "Name"
                and [node.value.id] == [each.arg for each in function.args.args[:1]]
                and node.value.id != helper.args.args[0].arg
            ):
                yield node.lineno, f"outer {helper.args.args[0].arg}.{node.attr}"
            elif kind_of(node) == "For" and is_read(helper.name, *node.body):
                yield from _appended(node)
                yield from _listed_first(node, helper)


def _appended(loop: Any) -> Iterator[tuple[int, str]]:
    for node in inside(*loop.body):
        if kind_of(node) == "Call" and getattr(node.func, "attr", "") == "append":
            yield node.lineno, "append-in-loop"


def _listed_first(loop: Any, helper: Any) -> Iterator[tuple[int, str]]:
    """A node that goes into a list before its operands do."""
    for block in blocks(helper):
        for node in block[: block.index(loop)] if loop in block else ():
            called: Any = node.value if kind_of(node) == "Expr" else None
            appends = getattr(getattr(called, "func", None), "attr", "") == "append"
            given = [getattr(each, "id", "") for each in called.args] if appends else []
            if given == [helper.args.args[0].arg]:
                yield node.lineno, "listed-first"
