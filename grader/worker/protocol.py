"""What crosses between the judge and the worker: length-prefixed frames of plain values.

A value is None, a bool, an int, a float, text, bytes, a reference to an object that stays in the
worker, or a list of
values. Nothing else can be written, and nothing that is read from a worker is ever evaluated,
unpickled or looked up:
decoding bounds every length before it believes it. The worker loads this file by path, so it
imports the standard library only.

Requests are packed in another way, which is ten times as fast to read; it may, since the worker has
no reason to mistrust the judge.
"""

from __future__ import annotations

import builtins
import marshal
import struct

globals()["__builtins__"] = dict(
    vars(builtins)
)  # a private copy: a submission that overwrites a built-in breaks its own code only

HEADER = struct.Struct(">I")
_LENGTH = HEADER
_DOUBLE = struct.Struct(">d")
_INT64 = struct.Struct(">q")

MAX_DEPTH = 12


class WireError(Exception):
    """Bytes that are not a frame, or a value that may not cross."""


class Ref(int):
    """The number under which the worker keeps an object."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Ref({int(self)})"


class Packed(bytes):
    """A request that was packed before."""

    __slots__ = ()


TYPE_CHECKING = False  # importing typing would cost the worker a third of its start-up
if TYPE_CHECKING:
    from typing import TypeAlias

    Wire: TypeAlias = "bool | int | float | str | bytes | Ref | list[Wire] | None"
    Request: TypeAlias = "Wire | Packed"
else:
    Wire = Request = object


def pack(request: object) -> bytes:
    """The bytes of a request, from the judge to its own worker; WireError for a type that is not on
    the list. A reference is a tuple in there.
    """
    if type(request) is Packed:
        return request
    try:
        return marshal.dumps(_packable(request), _VERSION)  # type: ignore[arg-type]
    except RecursionError:
        raise WireError("a list that is too deep") from None


def unpack(data: bytes) -> Wire:
    """The request that these bytes of the judge's spell. Never to be used on what a worker sends."""  # noqa: E501
    return marshal.loads(data)  # type: ignore[no-any-return] # noqa: S302 - the judge packed it


def _packable(value: object) -> object:
    kind = type(value)
    if kind is Ref:
        return (int(value),)  # type: ignore[call-overload]
    if kind is list or kind is tuple:
        return [_packable(item) for item in value]  # type: ignore[attr-defined]
    if value is None or kind in _PLAIN:
        return value
    raise WireError(f"a {kind.__name__} may not cross")


_PLAIN = (float, int, str, bytes, bool)
# in later ones the bytes depend on which objects are shared, and so would the layout of the
# worker's memory
_VERSION = 2


def encode(value: object) -> bytes:
    """The bytes of a value; WireError for a type that is not on the list (exact types: no subclass
    gets through).
    """
    out: list[bytes] = []
    _encode(value, out, 0)
    return b"".join(out)


def _encode(value: object, out: list[bytes], depth: int) -> None:
    kind = type(value)
    if kind is float:
        out.append(b"d" + _DOUBLE.pack(value))
    elif kind is Ref:
        out.append(b"r" + _INT64.pack(value))
    elif kind is str:
        raw = value.encode("utf-8", "backslashreplace")  # type: ignore[attr-defined]
        out.append(b"s" + _LENGTH.pack(len(raw)) + raw)
    elif kind is list or kind is tuple:
        _encode_items(value, out, depth)  # type: ignore[arg-type]
    elif value is None:
        out.append(b"n")
    elif value is True or value is False:
        out.append(b"t" if value else b"f")
    elif kind is int:
        out.append(_encode_int(value))  # type: ignore[arg-type]
    elif kind is bytes:
        out.append(b"b" + _LENGTH.pack(len(value)) + value)  # type: ignore[arg-type,operator]
    else:
        raise WireError(f"a {kind.__name__} may not cross")


def _encode_items(items: list[object] | tuple[object, ...], out: list[bytes], depth: int) -> None:
    if depth >= MAX_DEPTH:
        raise WireError("a list that is too deep")
    out.append(b"l" + _LENGTH.pack(len(items)))
    for item in items:
        _encode(item, out, depth + 1)


def _encode_int(value: int) -> bytes:
    if -(2**63) <= value < 2**63:
        return b"i" + _INT64.pack(value)
    raise WireError("an integer of more than 64 bits may not cross")


def decode(data: bytes) -> Wire:
    """The value that these bytes spell, all of them; WireError when they do not spell exactly one."""  # noqa: E501
    value, end = _decode(data, 0, 0)
    if end != len(data):
        raise WireError(f"{len(data) - end} bytes too many")
    return value


def _decode(data: bytes, at: int, depth: int) -> tuple[Wire, int]:
    tag = data[at : at + 1]
    at += 1
    if tag == b"d":
        return _fixed(_DOUBLE, data, at), at + 8
    if tag == b"r":
        return Ref(_fixed(_INT64, data, at)), at + 8
    if tag == b"i":
        return int(_fixed(_INT64, data, at)), at + 8
    if tag == b"l":
        return _decode_list(data, at, depth)
    if tag in {b"s", b"b"}:
        return _decode_text(tag, data, at)
    if tag in _SINGLETONS:
        return _SINGLETONS[tag], at
    raise WireError(f"unknown tag {tag!r}")


_SINGLETONS: dict[bytes, bool | None] = {b"n": None, b"t": True, b"f": False}


def _fixed(shape: struct.Struct, data: bytes, at: int) -> float:
    try:
        return shape.unpack_from(data, at)[0]  # type: ignore[no-any-return]
    except struct.error:
        raise WireError("cut short") from None


def _decode_list(data: bytes, at: int, depth: int) -> tuple[Wire, int]:
    count = int(_fixed(_LENGTH, data, at))
    at += 4
    if depth >= MAX_DEPTH or count > len(data) - at:  # every item takes a byte at least
        raise WireError("a list that cannot be")
    items: list[Wire] = []
    for _ in range(count):
        item, at = _decode(data, at, depth + 1)
        items.append(item)
    return items, at


def _decode_text(tag: bytes, data: bytes, at: int) -> tuple[Wire, int]:
    size = int(_fixed(_LENGTH, data, at))
    at += 4
    raw = data[at : at + size]
    if len(raw) != size:
        raise WireError("cut short")
    if tag == b"b":
        return raw, at + size
    try:
        return raw.decode("utf-8"), at + size
    except UnicodeDecodeError:
        raise WireError("text that is not UTF-8") from None
