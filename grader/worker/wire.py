"""Turn records into bytes and back. The annotations of a record check its content.

Bytes that come from a worker are hostile: nothing in them is evaluated or looked up, and reading
them takes at most a few dozen times their size in memory.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from .bounds import Text
from .protocol import Asked, Confine, Ref, Steps, UnexpectedType, Wire, WireError

MAX_LISTS = 500_000  # in a message, because an empty list takes fifty times its bytes in memory
_PLAIN = frozenset((float, str, bool, type(None)))
_ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))
# Python itself refuses a million-digit number or, in old releases, takes minutes to read it
_DECODER = json.JSONDecoder(
    parse_int=None if hasattr(sys, "set_int_max_str_digits") else lambda digits: int(digits[:21])
)


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
        return [each if type(each) in _PLAIN else _plain(each) for each in value]  # mostly scalars
    if kind is UnexpectedType:
        return {"type": value.type_name}
    if kind is bytes:
        return {"bytes": value.hex()}
    if hasattr(kind, "__match_args__"):
        fields = [_plain(getattr(value, name)) for name in kind.__match_args__]
        return [kind.__name__.lower(), *fields]
    raise WireError(f"a {kind.__name__} may not cross")


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
    return read(_REQUEST, decode(data))


def read(kind: Any, value: Wire) -> Any:
    """Return a value as its annotation says. Raise WireError if it is anything else."""
    if (scalar := _SCALARS.get(kind)) is not None:
        return scalar(value)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in _UNIONS:
        for each in arguments:
            with suppress(WireError):
                return read(each, value)
        raise WireError("none of what it may be")
    if origin is Annotated:
        found = read(arguments[0], value)
        return _checked(found, all(bound(found) for bound in arguments[1:]))
    if origin is Literal:
        return _checked(value, type(value) is str and value in arguments)
    _checked(value, type(value) is list)
    if origin in _LISTS:
        return [read(arguments[0], each) for each in value]
    if origin is tuple:
        return tuple(_fields(arguments, value))
    _checked(value, value[:1] == [kind.__name__.lower()])
    return kind(*_fields([*kind.__annotations__.values()], value[1:]))


def _fields(kinds: Sequence[Any], values: list[Wire]) -> list[Any]:
    _checked(values, len(values) == len(kinds))
    return [read(kind, value) for kind, value in zip(kinds, values)]


def _checked(value: Any, is_right: bool) -> Any:  # noqa: FBT001 - what is checked
    if is_right:
        return value
    raise WireError("a value of the wrong kind")


def _entry(name: str, value: Wire) -> Any:
    """Return the content of a JSON object with one entry of this name."""
    return _checked(value, type(value) is dict and [*value] == [name])[name]


def _text(value: Wire) -> str:
    """Return a text, with a spelled-out surrogate wherever it has half of a pair."""
    return str(_checked(value, type(value) is str).encode("utf-8", "backslashreplace").decode())


def _whole(value: Wire) -> Any:
    return _checked(value, type(value) is int and _is_small(value))


def _bytes(value: Wire) -> bytes:
    try:
        return bytes.fromhex(_text(_entry("bytes", value)))
    except ValueError:
        raise WireError("not hexadecimal") from None


_UNIONS, _LISTS = (Union, UnionType), (list, Sequence)
_SCALARS: dict[Any, Callable[[Wire], Any]] = {
    Any: lambda value: value,
    type(None): lambda value: _checked(value, value is None),
    bool: lambda value: _checked(value, type(value) is bool),
    int: _whole,
    float: lambda value: value if type(value) is float else _whole(value),
    str: _text,
    bytes: _bytes,
    Steps: lambda value: _checked(value, type(value) is list),
    Ref: lambda value: Ref(_whole(_entry("ref", value))),
    UnexpectedType: lambda value: UnexpectedType(read(Text, _entry("type", value))),
}
_REQUEST = Union[Asked, Confine]  # mostly the first of them
