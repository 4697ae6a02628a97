"""What a worker may answer: exact types and bounded sizes, checked before anything is made of it.
Nothing here is believed.

Whatever is not what was asked raises WireError, which is the worker's end.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Union

from grader.intake.cell_notes import CellNote
from grader.intake.submission import Submission
from grader.judge.script.steps import Read, Step, Walk
from grader.model import Frame
from grader.worker import protocol
from grader.worker.protocol import Ref, Wire

MAX_TEXT = 6 * 400  # the worker clips to 400 characters; what is not Unicode is spelled out by six
_MAX_DOCUMENT = 6 << 16
MAX_FRAMES = 12
MAX_LEFT_OUT = 12
FAULT_BYTES = 128 * 1024
_MAX_ITEMS = 5_000
_MAX_EDGES = 20 * _MAX_ITEMS
_MAX_NESTED = 5
_MAX_ABSENT = 12
_MAX_TOLD = 200
_ANSWER_BYTES = {
    "number": 4096,
    "text": 4096,
    "callable": 16,
    "ref": 16,
    "document": _MAX_DOCUMENT + 4096,
    "array": 64 * 1024,
}
LARGE_ANSWER_BYTES = 4 << 20
_REPLY_BYTES = (
    6 << 20
)  # of all answers together: as plain values they take twenty times as much memory

Answer = Union[float, int, bool, str, None, list["Answer"], "Array", "UnexpectedType"]


@dataclass(frozen=True)
class UnexpectedType:
    """A thing of a type that has no business where it was found."""

    type_name: str


@dataclass(frozen=True)
class Array:
    """An array as it was read: how long each axis is, and all numbers, the last axis fastest. A
    number alone has no axis.
    """

    shape: tuple[int, ...]
    numbers: tuple[float, ...]


@dataclass(frozen=True)
class NameStatus:
    """What the learner's code has under a name: `present`, `stub`, `missing` or `not a class`; from
    which line to which, of which file.
    """

    state: str
    line: int = 0
    last: int = field(default=0, compare=False)
    file: str = field(default="", compare=False)


@dataclass(frozen=True)
class Loaded:
    """What importing the submission found: the state of every name of the course, modules that were
    not there, and how cells went.
    """

    names: dict[str, NameStatus]
    absent: tuple[str, ...] = ()
    told: tuple[CellNote, ...] = ()


def text_of(value: Wire) -> str:
    """Text of a length that the worker sends; WireError for anything else."""
    if isinstance(value, str) and len(value) <= MAX_TEXT:
        return value
    raise protocol.WireError("not a short text")


def loaded_of(answer: list[Wire], names: Sequence[str]) -> Loaded:
    """What importing found. Raises WireError for anything else."""
    match answer:
        case [list(states), list(absent), list(told)] if (
            len(states) == len(names) and len(absent) <= _MAX_ABSENT and len(told) <= _MAX_TOLD
        ):
            known = {name: _status(state) for name, state in zip(names, states)}
            return Loaded(known, tuple(map(text_of, absent)), tuple(map(_told, told)))
    raise protocol.WireError("not what was asked")


def _status(state: Wire) -> NameStatus:
    match state:
        case [
            "present" | "stub" | "missing" | "not a class" as word,
            int(line),
            int(last),
            str(file),
        ] if type(line) is type(last) is int:
            return NameStatus(word, line, last, file)
    raise protocol.WireError("not a state")


def _told(entry: Wire) -> CellNote:
    match entry:
        case [cell, how, int(line), type_name, message] if type(line) is int:
            return CellNote(
                text_of(cell),
                text_of(how),
                line,
                text_of(type_name),
                same_every_time(text_of(message)),
            )
    raise protocol.WireError("not about a cell")


def frame_of(frame: Wire, submission: Submission) -> Frame:
    """A line of the submission, and of nothing else; WireError otherwise."""
    match frame:
        case [str(shown), int(line), function, source] if (
            type(line) is int and line >= 0 and _is_part_of(submission, shown)
        ):
            return Frame(
                shown,
                line,
                text_of(function),
                text_of(source) or _source_line(submission, shown, line),
            )
    raise protocol.WireError("not a frame")


def _is_part_of(submission: Submission, shown: str) -> bool:
    return any(file.shown == shown for file in submission.files)


def _source_line(submission: Submission, shown: str, line: int) -> str:
    source = next((file.source for file in submission.files if file.shown == shown), b"")
    lines = source.splitlines()
    return (
        lines[line - 1].decode("utf-8", "replace").strip()[:200] if 0 < line <= len(lines) else ""
    )


def same_every_time(text: str) -> str:
    """A text without what differs from run to run: addresses, and how much more there was."""
    return re.sub(r"… \d+ bytes more$", "… and more", re.sub(r"\b0x[0-9a-fA-F]{4,}", "0x…", text))


def answers_of(step: Step) -> int:
    """How many answers a step has."""
    return 1 if isinstance(step, (Read, Walk)) else 0


def room_for(steps: Sequence[Step]) -> int:
    """How long the reply may be: with all answers, or with a fault instead."""
    return FAULT_BYTES + min(_REPLY_BYTES, sum(map(_room, steps)))


def _room(step: Step) -> int:
    if isinstance(step, Read):
        return _ANSWER_BYTES.get(step.form, LARGE_ANSWER_BYTES)
    return 16


def answer_of(step: Step, answer: Wire) -> Answer:  # noqa: C901 - one case for each form
    """An answer of the type that was asked for, `UnexpectedType` for a thing of another; WireError
    for what cannot be.
    """
    form = step.form if isinstance(step, Read) else "count"
    match form, answer:
        case (("number" | "text" | "document" | "array"), [str(type_name)]):
            return UnexpectedType(text_of(type_name))
        case "number", (int() | float()) if type(answer) in {int, float}:
            return answer
        case "array", [list(shape), list(numbers)]:
            return _array(shape, numbers)
        case "text", str():
            return same_every_time(text_of(answer))
        case "document", str() if len(answer) <= _MAX_DOCUMENT:
            return answer
        case "callable", bool():
            return answer
        case "count", int() if type(answer) is int:
            return answer
        case "ref", Ref():
            return answer
        case "refs", None:
            return UnexpectedType("no collection")
        case "refs", list() if len(answer) <= _MAX_ITEMS and all(
            isinstance(item, Ref) for item in answer
        ):
            return answer  # type: ignore[return-value]
        case "graph", list() if len(answer) <= _MAX_ITEMS:
            return _graph(answer)
        case "value", _:
            return _plain(answer, [_MAX_ITEMS])
    raise protocol.WireError("an answer of another type")


def _array(shape: list[Wire], numbers: list[Wire]) -> Array:
    axes = [size for size in shape if type(size) is int and size >= 0]
    values = [number for number in numbers if type(number) in {int, float}]
    if len(axes) != len(shape) or not len(values) == len(numbers) == math.prod(axes) <= _MAX_ITEMS:
        raise protocol.WireError("not an array")
    return Array(tuple(axes), tuple(values))  # type: ignore[arg-type] # mypy does not see the types in the set


def _graph(answer: list[Wire]) -> Answer:
    """Nodes with their operands, those left out that are no nodes: a graph that is too large is cut
    off somewhere.
    """
    nodes: dict[Ref, list[Ref]] = {}
    for node in answer:
        match node:
            case [Ref() as ref, list(operands)] if all(
                isinstance(operand, Ref) for operand in operands
            ):
                nodes[ref] = operands  # type: ignore[assignment]
            case _:
                raise protocol.WireError("not a node")
    if len(nodes) != len(answer) or sum(map(len, nodes.values())) > _MAX_EDGES:
        raise protocol.WireError("not a graph")
    return [
        [ref, [operand for operand in operands if operand in nodes]]
        for ref, operands in nodes.items()
    ]


def _plain(answer: Wire, room: list[int], depth: int = 0) -> Answer:
    """Numbers, texts and lists of these, no more than there is `room` for; WireError for more."""
    room[0] -= 1
    if room[0] < -1 or depth > _MAX_NESTED:
        raise protocol.WireError("more than was asked for")
    if isinstance(answer, list):
        return [_plain(item, room, depth + 1) for item in answer]
    if isinstance(answer, str):
        return text_of(answer)
    if isinstance(answer, bytes):
        return UnexpectedType(text_of(answer.decode("utf-8", "replace")))
    if isinstance(answer, Ref):
        raise protocol.WireError("not a plain value")
    return answer
