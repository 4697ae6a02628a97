"""Turn the learner's objects into plain values, in the forms that the judge may read.

An object may lie or resist, so each form checks for exact types and reads only attributes that
those types define.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from .bounds import MAX_AXES, MAX_DOCUMENT, MAX_EDGES, MAX_ITEMS
from .exceptions import clip, name_of
from .placeholders import Placeholder
from .protocol import FIRST_FOUND, UnexpectedType, Wire

NEARLY = 1e-7  # the tolerance for equal numbers


def is_a(thing: object, kinds: type | tuple[type, ...]) -> bool:
    """Return whether a thing is an instance of these types, whatever its `__class__` claims."""
    return issubclass(type(thing), kinds)


def number(thing: Any) -> Wire:
    """Return a float or an int, or an UnexpectedType."""
    kind = type(thing)
    if kind is Placeholder:
        thing.used()  # raises ImportError and says that the package is missing
    if issubclass(kind, float):
        return float.__float__(thing)
    if issubclass(kind, int) and kind is not bool:
        return whole(int.__index__(thing))
    if (
        kind.__module__ == "numpy"
        and hasattr(thing, "item")
        and kind.__name__ not in {"bool", "bool_", "str_"}
    ):
        return number(thing.item())
    return UnexpectedType(name_of(kind))


def array(thing: Any) -> Wire:
    """Return the shape of an array of real numbers and its items, the last axis fastest.

    A single number has the shape []. Return an UnexpectedType for anything else.
    """
    if not any(
        kind.__module__ == "numpy" and kind.__name__ == "ndarray" for kind in type(thing).__mro__
    ):
        alone = number(thing)
        return alone if type(alone) is UnexpectedType else [[], [alone]]
    if thing.dtype.kind not in "iuf":
        return UnexpectedType(clip(f"array of {thing.dtype.name}"))
    if thing.size > MAX_ITEMS or thing.ndim > MAX_AXES:
        return UnexpectedType(f"array of {int(thing.size)} numbers with {int(thing.ndim)} axes")
    plain: Callable[[Any], Wire] = float if thing.dtype.kind == "f" else whole
    return [
        [int(size) for size in thing.shape],
        [plain(number) for number in thing.ravel().tolist()],
    ]


def text(thing: object) -> Wire:
    """Return a text, shortened to `MAX_TEXT`, or an UnexpectedType."""
    return clip(thing) if is_a(thing, str) else UnexpectedType(name_of(type(thing)))  # type: ignore[arg-type]


def document(thing: Any) -> Wire:
    """Return a whole text, or an UnexpectedType if it is too long or not a text."""
    if not is_a(thing, str):
        return UnexpectedType(name_of(type(thing)))
    text = str.__str__(thing)
    too_long = UnexpectedType(f"text of {len(text)} characters")
    return text if len(text) <= MAX_DOCUMENT else too_long


def value(thing: Any, depth: int = 0, room: list[int] | None = None) -> Wire:
    """Return numbers, None, bools, texts, and lists and tuples of these.

    There are at most `MAX_ITEMS` in all. Anything else becomes an UnexpectedType.
    """
    if thing is None or thing is True or thing is False:
        return thing
    room = [MAX_ITEMS] if room is None else room
    if is_a(thing, (list, tuple)) and depth < 4:
        items: list[Wire] = []
        for item in thing:
            if not room[0]:
                break
            room[0] -= 1
            items.append(value(item, depth + 1, room))
        return items
    return clip(thing) if is_a(thing, str) else number(thing)


FORMS: dict[str, Callable[[Any], Wire]] = {
    "number": number,
    "array": array,
    "text": text,
    "document": document,
    "callable": callable,
    "value": value,
}


def refs(thing: Any, ref: Callable[[object], Wire]) -> Wire:
    """Return the numbers of the objects in a collection, giving new numbers to new objects.

    Return an UnexpectedType if it is not a collection.
    """
    found = items_of(thing)
    return UnexpectedType("no collection") if found is None else [ref(each) for each in found]


def items_of(thing: Any) -> list[Any] | None:
    """Return the first items of a collection; None for a text, a dict, and what is none."""
    if is_a(thing, (str, bytes, dict)):
        return None
    try:
        return list(islice(thing, MAX_ITEMS))
    except TypeError:
        return None


def graph(root: object, along: str, ref: Callable[[object], Wire]) -> Wire:
    """Return every object reachable from the root, operands first, each with its own operands. Of a
    large graph, return a part.
    """
    nodes = topological(root, along)[:MAX_ITEMS]
    known = {id(node) for node in nodes}
    found: list[Wire] = []
    room = MAX_EDGES
    for node in reversed(nodes):
        operands = [child for child in children(node, along) if id(child) in known][:room]
        room -= len(operands)
        found.append([ref(node), [ref(child) for child in operands]])
    return found


def whole(number: int) -> Wire:
    """Return an int that fits the wire, or the nearest float."""
    if -(2**63) <= number < 2**63:
        return number
    try:
        return float(number)
    except OverflowError:
        return UnexpectedType("int too large for a float")


def children(node: object, along: str) -> list[Any]:
    """Return a node's operands."""
    return items_of(getattr(node, along, ())) or []


def topological(root: object, along: str) -> list[Any]:
    """Return every node below the root once, each result before its operands."""
    order, seen, stack = [], {id(root)}, [(root, iter(children(root, along)))]
    while stack:
        node, rest = stack[-1]
        for child in rest:
            if id(child) not in seen:
                seen.add(id(child))
                stack.append((child, iter(children(child, along))))
                break
        else:
            stack.pop()
            order.append(node)
    order.reverse()
    return order


def is_right(got: Any, want: Any) -> bool:
    """Return whether an answer is the wanted one.

    None accepts anything. Objects in a list are wanted as [object, the objects before it], or in
    any order.
    """
    if type(want) in {int, float} and type(got) in {int, float}:
        return bool(abs(got - want) <= NEARLY * (1 + abs(want))) or repr(got) == repr(want)
    if type(want) is list and type(got) is list:
        if want and all(type(each) is list and each and type(each[0]) is dict for each in want):
            got = [each[0] if type(each) is list else each for each in got]  # of a graph
            made = [each for each in got if each < FIRST_FOUND]
            place = {each: index for index, each in enumerate(made)}
            return sorted(made) == sorted(each["ref"] for each, _ in want) and all(
                place[one["ref"]] < place[each["ref"]] for each, before in want for one in before
            )
        if want and type(want[0]) is dict:
            return bool(sorted(got) == sorted(each["ref"] for each in want))
        return len(want) == len(got) and all(map(is_right, got, want))
    return want is None or bool(got == want)
