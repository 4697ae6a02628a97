"""Check every reply of a worker against the request that it answers, and against its size."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Annotated, Any, Union

from grader.boundary.transport import Transport
from grader.errors import InternalError
from grader.worker.bounds import (
    MAX_AXES,
    MAX_CELLS,
    MAX_CODE,
    MAX_DOCUMENT,
    MAX_EDGES,
    MAX_ITEMS,
    MAX_MEMBERS,
    MAX_NESTED,
    Natural,
    Text,
    at_most,
)
from grader.worker.protocol import (
    Asked,
    Candidate,
    Cells,
    CellSource,
    Done,
    Fault,
    Line,
    Lines,
    Load,
    Loaded,
    Member,
    Members,
    Mend,
    Propose,
    Provide,
    Ref,
    Run,
    Take,
    UnexpectedType,
    Wire,
    WireError,
)
from grader.worker.wire import decode, encode, read

FAULT_BYTES = 128 << 10
# of all answers together; as Python objects they take twenty times as much memory
ANSWERS_BYTES = 6 << 20

_NOTHING = Annotated[list[Any], at_most(0)]


def _are_cells(cells: Sequence[CellSource]) -> bool:
    return sum(len(cell.source.encode()) for cell in cells) <= 4 * MAX_CODE


def _is_array(array: Sequence[Any]) -> bool:
    shape, numbers = array
    return bool(prod(shape) == len(numbers))


def _is_graph(nodes: Sequence[Any]) -> bool:
    known = {node for node, _ in nodes}
    edges = [operand for _, operands in nodes for operand in operands]
    return len(edges) <= MAX_EDGES and len(known) == len(nodes) and known.issuperset(edges)


def _items_in(value: Any) -> int:
    return sum(1 + _items_in(item) for item in value) if isinstance(value, list) else 0


_CONTENTS: dict[type, Any] = {
    Provide: _NOTHING,
    Load: Loaded,
    Lines: Annotated[list[Line], at_most(MAX_ITEMS)],
    Mend: _NOTHING,
    Propose: Annotated[list[Candidate], at_most(1)],
    Members: Annotated[list[Member], at_most(MAX_MEMBERS)],
    Take: bytes,
    Cells: Annotated[list[CellSource], at_most(MAX_CELLS), _are_cells],
}
_LENGTHS = Annotated[list[Natural], at_most(MAX_AXES)]
_NUMBERS = Annotated[list[float], at_most(MAX_ITEMS)]
_PLAIN = Union[None, bool, float, Text, UnexpectedType]
_VALUE: Any = _PLAIN
for _ in range(MAX_NESTED + 1):
    _VALUE = Union[_PLAIN, list[_VALUE]]
_FORMS: dict[str, Any] = {
    "number": Union[float, UnexpectedType],
    "text": Union[Text, UnexpectedType],
    "document": Union[Annotated[str, at_most(6 * MAX_DOCUMENT)], UnexpectedType],
    "array": Union[Annotated[tuple[_LENGTHS, _NUMBERS], _is_array], UnexpectedType],
    "callable": bool,
    "count": int,
    "ref": Ref,
    "refs": Union[Annotated[list[Ref], at_most(MAX_ITEMS)], UnexpectedType],
    "graph": Annotated[list[tuple[Ref, list[Ref]]], at_most(MAX_ITEMS), _is_graph],
    "value": Annotated[_VALUE, lambda value: _items_in(value) <= MAX_ITEMS],
}


def ask(transport: Transport, request: Asked, seconds: float) -> Done | Fault:
    """Return a worker's reply to a request within these seconds. Raise Gone if there is none,
    WireError if it is not a valid one, and InternalError if the request cannot be encoded.
    """
    try:
        data = encode(request)
    except WireError as error:
        raise InternalError(f"the request cannot be sent to the worker: {error}") from error
    return decode_reply(request, decode(transport.exchange(data, seconds, room_for(request))))


def decode_reply(request: Asked, value: Wire) -> Done | Fault:
    """Return the reply to a request. Raise WireError if it is not a valid one."""
    reply = read(Union[Done, Fault], value)
    if isinstance(reply, Done):
        return Done(_content(request, reply.content))
    if isinstance(reply, Fault) and reply.step >= max(1, len(getattr(request, "steps", ()))):
        raise WireError("a fault of another step")
    return reply  # type: ignore[no-any-return]


def _content(request: Asked, content: Wire) -> Any:
    """Return the content of a Done reply to this request."""
    if isinstance(request, Run):
        return _answers([step.form for step in request.steps if step.form], content)
    found = read(_CONTENTS[type(request)], content)
    if isinstance(request, Load) and len(found.names) != len(request.names):
        raise WireError("more or fewer names")
    if isinstance(request, Take) and len(found) > request.limit + 1:
        raise WireError("more than was asked for")
    return found


def _answers(forms: Sequence[str], content: Wire) -> list[Any]:
    if type(content) is not list or len(content) != len(forms):
        raise WireError("more or fewer answers")
    return [
        answer if type(answer) is float and form == "number" else read(_FORMS[form], answer)
        for form, answer in zip(forms, content)  # most are numbers
    ]


def room_for(request: Asked) -> int:
    """Return the size limit in bytes of the reply to a request, which may also be a Fault."""
    return FAULT_BYTES + max(ANSWERS_BYTES, 2 * getattr(request, "limit", 0))
