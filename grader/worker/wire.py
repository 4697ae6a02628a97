"""Turn records into bytes and back. The annotations of a record check its content.

Bytes that come from a worker are hostile: nothing in them is evaluated or looked up, and reading
them takes at most a few dozen times their size in memory.
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable, Sequence
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from .protocol import Asked, Confine, Ref, Wire, WireError

MAX_LISTS = 500_000  # in a message, because an empty list takes fifty times its bytes in memory
_PLAIN = frozenset((float, str, bool, type(None)))
_ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))
# Python itself refuses a million-digit number or, in old releases, takes minutes to read it
_IS_PATCHED = hasattr(sys, "set_int_max_str_digits")
_DECODER = json.JSONDecoder(parse_int=None if _IS_PATCHED else lambda digits: int(digits[:21]))


def encode(value: object) -> bytes:
    """Return the bytes of a record or a value. Raise WireError for a type that may not cross."""
    try:
        return _ENCODER.encode(_plain(value)).encode("utf-8", "backslashreplace")
    except RecursionError:
        raise WireError("a list that is too deep") from None


def _plain(value: Any) -> Wire:
    """Return the JSON form of a value. Types must match exactly, so no subclass gets through."""
    kind = type(value)
    if kind in _PLAIN or (kind is int and _is_small(value)):
        return value
    if kind is Ref:
        return {"ref": value}
    if kind is list or kind is tuple:
        return _plain_items(value)
    if kind is bytes:
        return {"bytes": base64.b64encode(value).decode()}
    if hasattr(kind, "__match_args__"):
        fields = [getattr(value, name) for name in kind.__match_args__]
        return [kind.__name__.lower(), *_plain_items(fields)]
    raise WireError(f"a {kind.__name__} may not cross")


def _plain_items(items: Sequence[Any]) -> list[Wire]:
    # most are plain or references, and there are many
    return [
        each if (kind := type(each)) in _PLAIN else {"ref": each} if kind is Ref else _plain(each)
        for each in items
    ]


def _is_small(number: int) -> bool:
    return -(2**63) <= number < 2**63


def decode(data: bytes) -> Wire:
    """Return the JSON value in these bytes. Raise WireError if they hold anything else."""
    try:
        text = data.decode()
        if text.count("[") + text.count("{") > MAX_LISTS:
            raise WireError("too many lists")
        value, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        raise WireError("not JSON") from None
    if end != len(text):
        raise WireError("something after the value")
    return value


def decode_request(data: bytes) -> Any:
    """Return the request in these bytes from the judge. Raise WireError for anything else."""
    return _REQUEST(decode(data))


def read(kind: Any, value: Wire) -> Any:
    """Return a value as its annotation says. Raise WireError if it is anything else."""
    return reader(kind)(value)


Reader = Callable[[Wire], Any]


@cache
def reader(kind: Any) -> Reader:
    """Return the function that checks and converts a value by this annotation."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _bounded(reader(arguments[0]), arguments[1])
    if origin is Literal:
        return _scalar(str, arguments.__contains__)
    if origin in {Union, UnionType}:
        return _alternative([*map(reader, arguments)])
    if origin in {list, Sequence}:
        return _items(reader(arguments[0]))
    if hasattr(kind, "_fields"):
        return _record(kind, get_type_hints(kind, include_extras=True))
    return _SCALARS[kind]


def _scalar(kind: type, bound: Callable[[Any], bool] = lambda _value: True) -> Reader:
    def scalar(value: Wire) -> Any:
        if type(value) is kind and bound(value):
            return value
        raise WireError(f"not a valid {kind.__name__}")

    return scalar


def _bounded(inner: Reader, bound: Callable[[Any], bool]) -> Reader:
    def bounded(value: Wire) -> Any:
        if bound(found := inner(value)):
            return found
        raise WireError("out of bounds")

    return bounded


def _alternative(readers: Sequence[Reader]) -> Reader:
    def alternative(value: Wire) -> Any:
        for each in readers:
            try:
                return each(value)
            except WireError:  # noqa: PERF203 - mostly the first is right
                continue
        raise WireError("none of what it may be")

    return alternative


def _items(item: Reader) -> Reader:
    def items(value: Wire) -> Any:
        if type(value) is list:
            return [item(each) for each in value]
        raise WireError("not a list")

    return items


def _record(kind: type, hints: dict[str, Any]) -> Reader:
    name, readers = kind.__name__.lower(), [*map(reader, hints.values())]

    def record(value: Wire) -> Any:
        if type(value) is list and value[:1] == [name] and len(value) == 1 + len(readers):
            return kind(*[each(field) for each, field in zip(readers, value[1:])])
        raise WireError(f"not a {kind.__name__}")

    return record


def _content(name: str, value: Wire) -> Any:
    """Return the content of a JSON object with one entry of this name."""
    if type(value) is dict and [*value] == [name]:
        return value[name]
    raise WireError(f"not a {name}")


def _text(value: Wire) -> str:
    """Return a text, with a spelled-out surrogate wherever it has half of a pair."""
    return str(_string(value).encode("utf-8", "backslashreplace").decode())


def _bytes(value: Wire) -> bytes:
    try:
        return base64.b64decode(_string(_content("bytes", value)), validate=True)
    except ValueError:
        raise WireError("not base64") from None


_string, _whole = _scalar(str), _scalar(int, _is_small)
_SCALARS: dict[Any, Reader] = {
    Any: lambda value: value,
    type(None): _scalar(type(None)),
    bool: _scalar(bool),
    int: _whole,
    float: lambda value: value if type(value) is float else _whole(value),
    str: _text,
    bytes: _bytes,
    Ref: lambda value: Ref(_whole(_content("ref", value))),
}
_REQUEST = reader(Union[Confine, Asked])  # before the worker forgets its own modules
