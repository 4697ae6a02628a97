"""Everything that crosses between the judge and a worker. From this file alone another worker can
be written: in another language, or in a browser.

FRAMES. Both directions are streams of frames: a length in four bytes, the most significant first,
and so many bytes. To one request there is one reply; nothing else is ever sent.

VALUES. A value is None, a bool, an int of 64 bits, a float, text, bytes, a reference to an object
that stays in the worker, or a list of values. Nothing that is read from a worker is evaluated,
unpickled or looked up, and no length is believed before it is compared with what is there.

In a reply (`encode`, `decode`) a value is a tag of one byte and what follows, numbers with the most
significant byte first, lists at most MAX_DEPTH deep:

    n t f  None, true, false: nothing follows
    i d    an int, a float: eight bytes            r  a reference: its number, as an int
    s b    text in UTF-8, bytes: a length in four bytes, and so many bytes
    l      a list: how many items in four bytes, and the items

A request (`pack`, `unpack`) is in version 2 of Python's `marshal`, which a worker in Python reads
ten times as fast; it may, since it has no reason to mistrust the judge. The tags are those of
`marshal`, and numbers have the least significant byte first:

    N T F  None, true, false                       g  a float: eight bytes
    i l    an int: four bytes; or a count in four bytes, negative for a negative int, and so many
           digits of 15 bits in two bytes each, the least significant first
    u s    text in UTF-8 (a lone surrogate as any other character), bytes: a length in four bytes,
           and so many bytes
    [ (    a list, a tuple: how many items in four bytes, and the items

A reference is a tuple of one int in there, and nothing else is a tuple.

RECORDS. A message is a record below. It crosses as the list of its fields, in the order in which
they stand; a request, a step and a reply are led by their name in lower case (`["take", 1.0, 0,
100]`). `decode_request` and `decode_reply` check number, exact types and bounds of the fields and
raise WireError; nobody else checks. Of a step in a request only the name and the number of fields
are checked: the judge wrote it.

ORDER. The judge begins with `Confine`, unasked; the worker confines itself and answers `Ready`. All
other requests are answered by `Done`, whose content depends on the request, or by `Fault` (a
worker) or `Refused` (a reader):

    a worker:  [Provide], then Load, then any of Run, Patched, Called in any order
    a reader:  Members, then Take for some of them; Cells at any time

After a Fault the worker goes on: what was loaded and made is still there.

TIME. Every request but Confine says how many `seconds` of processor time it may take, and twice as
much time in all; 0 is no limit. When that is over, the worker answers a Fault that says `timeout`
and where the code is, or Refused, and ends. The judge waits a second longer before it ends the
worker itself, and lets that be the answer.

SIZE. `room_for` is how many bytes the reply to a request may have. A longer one ends the worker, as
does anything else that is not what was asked. What the learner's code prints goes elsewhere: in a
process, to its standard error.

The worker loads this file by path: it imports the standard library only, and nothing slow.
"""

from __future__ import annotations

import builtins
import marshal
from _operator import itemgetter  # what `operator` is made of
from _struct import Struct, error  # type: ignore[attr-defined] # what `struct` is made of

# a private copy: a submission that overwrites a built-in breaks its own code only
globals()["__builtins__"] = dict(vars(builtins))

HEADER = Struct(">I")

# --- bounds ---

MAX_DEPTH = 12  # of lists in lists
MAX_TEXT = 400  # characters of a short text, as the worker clips it
MAX_SPELLED = 6 * MAX_TEXT  # the same on the wire: what is not Unicode is spelled out by six
MAX_PATH = 6 * 4096  # characters of the name of a file
MAX_DOCUMENT = 1 << 16  # characters of a long text; on the wire up to six times as many
MAX_ITEMS = 5_000  # of a list, an array or a graph that is read
MAX_EDGES = 20 * MAX_ITEMS  # from node to operand, in all of a graph
MAX_AXES = 8  # of an array
MAX_NESTED = 4  # lists in lists, of a plain value that is read
MAX_FRAMES = 12  # of an exception: the first six and the last six
MAX_BASES = 8  # of an exception's type
MAX_ABSENT = 12  # packages that are not there and get a placeholder
MAX_CELL_NOTES = 100
MAX_LEFT_OUT = 12  # statements in cells of a notebook
MAX_MECHANISMS = 100  # that confine a worker; as many that are missing, and holes
MAX_MEMBERS = 2_000  # of an archive, that may be code
MAX_NAME = 400  # characters of a member's name
MAX_WHY = 200  # characters, why something is refused
MAX_CELLS = 1_000  # of code, in a notebook
MAX_CODE = 256 << 10  # characters in all cells together: as much as a file

FAULT_BYTES = 128 << 10
# of all answers together: as plain values they take twenty times as much memory
ANSWERS_BYTES = 6 << 20
LARGE_ANSWER_BYTES = 4 << 20
_ANSWER_BYTES = {
    "number": 4096,
    "text": 4096,
    "callable": 16,
    "ref": 16,
    "count": 16,
    "document": 6 * MAX_DOCUMENT + 4096,
    "array": 64 << 10,
}

_DOUBLE = Struct(">d")
_INT64 = Struct(">q")


class WireError(Exception):
    """Bytes that are not a frame, or a value that may not cross."""


class Ref(int):
    """The number under which the worker keeps an object."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Ref({int(self)})"


# --- the numbers of objects ---

# A script numbers its objects from 1. Whoever adds objects to somebody else's script takes numbers
# from a range of its own:
FIRST_TRIED = 90_000  # `grade adapt`: what it makes while it tries an engine
FIRST_TRANSLATED = 1 << 30  # the dialect: objects that only a translation needs
FIRST_ROUND = 1 << 34  # a circuit: ROUNDS numbers for each loop, one for each of its rounds
ROUNDS = 64
UNUSED = Ref((1 << 39) - 2)  # a circuit, a drawing: a result that nobody reads
WATCHED = Ref((1 << 39) - 1)  # a diagnosis, a drawing: the backward pass that is watched
FIRST_FOUND = 1 << 40  # the worker: objects that are found by reading, and that no step has made


# --- records ---

TYPE_CHECKING = False  # importing typing would cost the worker a third of its start-up
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, NamedTuple, TypeAlias, Union

    Wire: TypeAlias = "bool | int | float | str | bytes | Ref | list[Wire] | None"
    Operand: TypeAlias = "Ref | float | int | str | bool | list[Operand] | None"
    Shape: TypeAlias = Callable[[Wire], Any]
else:
    Wire = object

    _GETTERS = [property(itemgetter(place)) for place in range(9)]  # no record has more fields

    class _Fields(type):
        """Makes a class with a property for each annotation in it."""

        def __new__(cls, name, bases, space):
            fields = tuple(space.get("__annotations__", ()))
            made = {"__slots__": (), **space}
            if fields:
                made["_fields"] = made["__match_args__"] = fields
                made["_defaults"] = {field: space[field] for field in fields if field in space}
                made.update(zip(fields, _GETTERS))
            return type.__new__(cls, name, bases, made)

    class NamedTuple(tuple, metaclass=_Fields):
        """As the one in `typing`, for whoever cannot wait until that is imported."""

        __slots__ = ()

        def __new__(cls, *given, **named):  # noqa: D102 - as above
            if named or len(given) < len(cls._fields):
                values = cls._defaults | named
                given += tuple(
                    [values.pop(field) for field in cls._fields[len(given) :] if field in values]
                )
                if any(field in named for field in values):
                    raise TypeError(f"{cls.__name__} has no such field: {values}")
            if len(given) != len(cls._fields):
                raise TypeError(f"{cls.__name__} needs {', '.join(cls._fields)}")
            return tuple.__new__(cls, given)

        def __repr__(self):
            fields = [f"{name}={value!r}" for name, value in zip(self._fields, self)]
            return f"{type(self).__name__}({', '.join(fields)})"

        def __getnewargs__(self):
            return tuple(self)

        def _replace(self, **named):
            return type(self)(**{**dict(zip(self._fields, self)), **named})


class Packed(bytes):
    """A request that was packed before."""

    __slots__ = ()


# --- requests, to a worker and to a reader ---


class Confine(NamedTuple):
    """Wall yourself off, and try the wall; the first request, to every worker and reader."""

    most: int  # 0: not at all, 1: limits, 2: a sandbox, 3: that, and another user
    judge: int  # the process id of the judge; if that is not your parent, end
    user: int  # the id of the user and group to become; 0 for none
    needed: list[str]  # files that must be read before nothing else can be read any more
    ruleset: int  # the descriptor of a Landlock ruleset; -1 for none
    quiet: bool  # whether that ruleset is not to log what it denies
    program: bytes  # for seccomp; empty for none
    probes: list[str]  # a file that must not be readable, and one that must not be writable


class Provide(NamedTuple):
    """Make packages importable and import them, before any code of the learner's is there."""

    seconds: float
    packages: list[Package]


class Package(NamedTuple):
    """A package to import by its name."""

    name: str
    folder: str  # that the package is in


class File(NamedTuple):
    """A module that was handed in."""

    module: str
    shown: str  # what it is called in a Frame
    source: bytes


class Cell(NamedTuple):
    """A cell of a notebook that was handed in."""

    shown: str
    source: bytes


class Place(NamedTuple):
    """The statement that begins in a line of a cell."""

    shown: str
    line: int


class Patch(NamedTuple):
    """Functions to put in place of a module's own."""

    module: str
    source: str
    deletes: Sequence[str] = ()  # names to take away before


class Load(NamedTuple):
    """Import a submission: the module `entry` of `files`, or the `cells` in their order.

    Done with a `Loaded`.
    """

    seconds: float
    files: list[File]
    entry: str
    names: Sequence[str] = ()  # functions, classes and methods (`Value.relu`) to look for
    own: Sequence[
        str
    ] = ()  # modules of the course: missing, and no placeholder, where not handed in
    disabled: Sequence[
        str
    ] = ()  # functions that have not come to an end before: they raise a time-out
    swaps: Sequence[
        Patch
    ] = ()  # the reference's functions for some modules, for good; without `deletes`
    cells: Sequence[Cell] = ()  # if there are any, they are run as one module, not `entry`
    left_out: Sequence[Place] = ()  # statements of cells that are not to be run


class Run(NamedTuple):
    """Do steps in turn, which may use all objects made since the last `fresh` run.

    Done with a list of answers: one for each step that has an answer.
    """

    seconds: float
    fresh: bool  # whether to forget all objects before
    steps: Sequence[Step]


class Patched(NamedTuple):
    """As a fresh Run, with other functions in place of some; they are taken out again after it."""

    seconds: float
    patches: list[Patch]
    steps: Sequence[Step]


class Called(NamedTuple):
    """As a fresh Run. Done with a list of one list: those of Load's `names` that were called."""

    seconds: float
    steps: Sequence[Step]


class Members(NamedTuple):
    """Open an archive. Done with a list of `Member`, of what may be code."""

    seconds: float
    data: bytes


class Take(NamedTuple):
    """Unpack a member of the archive opened last. Done with its bytes: no more than one more than
    `limit`, however many there are.
    """

    seconds: float
    place: int  # in the list of members, from 0
    limit: int


class Cells(NamedTuple):
    """Read a notebook. Done with a list of `CellSource`, of the cells with code."""

    seconds: float
    data: bytes


# --- steps ---


class Make(NamedTuple):
    """`target = function(*args)`, a name of the learner's module, or of another of their files:
    `engine.Value`.

    What is not at the top of its module is written with a colon: `package.engine:Value.leaf`.
    `named` are keyword arguments, each a name and a value.
    """

    target: Ref
    function: str
    args: list[Operand]
    named: list[list[Operand]] = []  # noqa: RUF012 - nobody changes a step


class Builtin(NamedTuple):
    """`target = function(*args)`, one of Python's own: `sum`, `repr`, `len` or `list`."""

    target: Ref
    function: str
    args: list[Operand]


class Apply(NamedTuple):
    """`target = left op right`, one of `+ - * / ** @`, or `op left` for the unary minus `neg`."""

    target: Ref
    op: str
    args: list[Operand]


class Call(NamedTuple):
    """`target = on.method(*args)`; `named` are keyword arguments, each a name and a value."""

    target: Ref
    on: Ref
    method: str
    args: list[Operand]
    named: list[list[Operand]] = []  # noqa: RUF012 - nobody changes a step


class Get(NamedTuple):
    """`target = on.attribute`."""

    target: Ref
    on: Ref
    attribute: str


class Put(NamedTuple):
    """`on.attribute = value`."""

    on: Ref
    attribute: str
    value: Operand


class Expression(NamedTuple):
    """`target` is what an expression of the suite's gives in the learner's module: a function by
    its name, a lambda.
    """

    target: Ref
    source: str


class Define(NamedTuple):
    """`target` is the class or function of that name, once a few lines of the suite's have run
    beside the learner's module.
    """

    target: Ref
    name: str
    source: str


class Repeat(NamedTuple):
    """`target = start`, then `count` times `target = target op other`; without `other`, the target
    itself.
    """

    target: Ref
    count: int  # type: ignore[assignment] # a tuple's method of that name is not missed
    op: str
    start: Ref
    other: Operand


class Walk(NamedTuple):
    """Call `method` on `on` and on what it was made of (`along`), results before operands, short of
    the `until` objects. Its answer is a `count`: of how many objects.
    """

    on: Ref
    along: str
    method: str
    until: list[Ref]


class Watch(NamedTuple):
    """Call `on.call()` and note in `target` whenever `method` of an object below `on` is called.

    `target.nodes` are the objects in the order of the calls, `target.held` what the attribute
    `noted` of each was then.
    """

    target: Ref
    on: Ref
    along: str
    method: str
    call: str
    noted: str


class Follow(NamedTuple):
    """As Watch, with every change of `noted`, of the objects below `on` and those in `also`.

    Change number i is of `target.changed[i]`, from `target.before[i]` to `target.after[i]`, by the
    call `target.during[i]` (-1: by none of them), when `target.at[i]` calls had begun.
    `target.first` and `target.last` are what `target.objects` had at both ends; `target.stopped`
    says whether there was more.

    Without a `call` it is a walk: `method` of `on` and of all objects below it, results before
    operands, short of `until`.
    """

    target: Ref
    on: Ref
    along: str
    also: list[Ref]
    method: str
    call: str
    noted: str
    until: list[Ref]


class Read(NamedTuple):
    """Send back `on.attribute` (or `on` itself) in a form. An attribute may be a path, such as
    `layers[0].w[2].data`.

    - `number`: a float or an int; `array`: its shape and its numbers, the last axis fastest;
      `text`: of MAX_TEXT characters; `document`: of MAX_DOCUMENT. In place of a thing of another
      type there is a list of one text: what it is.
    - `callable`: a bool. `ref`: the number of the object itself, new ones from FIRST_FOUND.
    - `refs`: the numbers of the objects in a collection; None for what is no collection.
    - `graph`: a list of [object, its operands], of those that can be reached from `on` through
      `attribute`, operands first.
    - `value`: None, bools, numbers, texts and lists of these; the name of its type, as bytes, for
      all else.
    """

    on: Ref
    attribute: str
    form: str


# --- replies ---


class Ready(NamedTuple):
    """The reply to Confine: the names of what is in force and of what is missing, and each hole in
    the wall: the level that it rules out, a space, and what could be done.
    """

    in_force: list[str]
    missing: list[str]
    holes: list[str]


class Done(NamedTuple):
    """What was asked for."""

    content: Any


class Fault(NamedTuple):
    """The learner's code raised or took too long."""

    step: int  # which of the request's steps, from 0; 0 for a request without steps
    raised: Raised


class Refused(NamedTuple):
    """A file cannot be read, and why."""

    why: str


class Raised(NamedTuple):
    """An exception of the learner's code, or what else ended it."""

    how: str  # `raised`, `exited`, `memory`, `syntax` or `timeout`
    type_name: str
    bases: list[str]  # the names of the exception's type and of those that it derives from
    message: str
    frames: list[Frame]  # the learner's own, outermost first
    blamed: str  # the stub that raised, or the function of Load's `names` that took so long


class Frame(NamedTuple):
    """A line of the submission in which the code was."""

    file: str  # as a File or a Cell is `shown`
    line: int
    function: str
    source: str  # the line itself, where only the exception knows it


class Loaded(NamedTuple):
    """What importing a submission has found."""

    names: list[NameState]  # one for each of Load's `names`
    absent: list[str]  # packages that are not there
    cells: list[CellNote]


class NameState(NamedTuple):
    """What the learner's code has under a name."""

    state: str  # `present`, `stub`, `missing` or `not a class`
    line: int = 0  # from which line to which it goes, where it is the learner's own
    last: int = 0
    file: str = ""


class CellNote(NamedTuple):
    """What happened in a cell of a notebook."""

    cell: str
    how: str  # `raised`, `syntax`, `await`, `late` or `stopped`
    line: int
    type_name: str
    message: str


class Member(NamedTuple):
    """A file in an archive: the name that it has there, and why it cannot be taken."""

    name: str
    trouble: str


class CellSource(NamedTuple):
    """A cell with code in a notebook."""

    number: int  # from 1
    source: str  # without what is not Python
    skipped: list[Skipped]
    count: int  # type: ignore[assignment] # how many cells had been run when this one was, or 0


class Skipped(NamedTuple):
    """A line of a cell that is no Python; 0 for the whole cell."""

    line: int
    text: str


if TYPE_CHECKING:
    Step: TypeAlias = Union[
        Make, Builtin, Apply, Call, Get, Put, Expression, Define, Repeat, Walk, Watch, Follow, Read
    ]
    Asked: TypeAlias = Union[Provide, Load, Run, Patched, Called, Members, Take, Cells]
    Request: TypeAlias = Union[Confine, Asked, Packed, Wire]
else:
    Asked = Request = object

_STEPS = (
    Make, Builtin, Apply, Call, Get, Put, Expression, Define, Repeat, Walk, Watch, Follow, Read
)  # fmt: skip
_LED_BY = {
    kind.__name__: kind.__name__.lower()
    for kind in (
        *(Confine, Provide, Load, Run, Patched, Called, Members, Take, Cells),
        *_STEPS,
        *(Ready, Fault, Refused),
    )
} | {"Done": "ok"}


# --- values and bytes ---


def _listed(record: tuple[object, ...]) -> list[object]:
    """A record as it crosses."""
    name = _LED_BY.get(type(record).__name__)
    return [*record] if name is None else [name, *record]


def pack(request: object) -> bytes:
    """The bytes of a request; WireError for a type that is not on the list."""
    if type(request) is Packed:
        return request
    try:
        return marshal.dumps(_packable(request), _VERSION)  # type: ignore[arg-type]
    except RecursionError:
        raise WireError("a list that is too deep") from None


def unpack(data: bytes) -> Wire:
    """The value that these bytes of the judge's spell. Never to be used on what a worker sends."""
    return marshal.loads(data)  # type: ignore[no-any-return] # noqa: S302 - the judge packed it


def _packable(value: object) -> object:
    kind = type(value)
    if kind is Ref:
        return (int(value),)  # type: ignore[call-overload]
    if kind is list or kind is tuple:
        return [_packable(item) for item in value]  # type: ignore[attr-defined]
    if value is None or kind in _PLAIN:
        return value
    if issubclass(kind, NamedTuple):
        return _packable(_listed(value))  # type: ignore[arg-type]
    raise WireError(f"a {kind.__name__} may not cross")


_PLAIN = (float, int, str, bytes, bool)
# in later ones the bytes depend on which objects are shared, and so would the layout of the
# worker's memory
_VERSION = 2


def encode(value: object) -> bytes:
    """The bytes of a value or of a reply; WireError for a type that is not on the list
    (exact types: no subclass gets through).
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
        out.append(b"s" + HEADER.pack(len(raw)) + raw)
    elif kind is list or kind is tuple:
        _encode_items(value, out, depth)  # type: ignore[arg-type]
    elif value is None:
        out.append(b"n")
    elif value is True or value is False:
        out.append(b"t" if value else b"f")
    elif kind is int:
        out.append(_encode_int(value))  # type: ignore[arg-type]
    elif kind is bytes:
        out.append(b"b" + HEADER.pack(len(value)) + value)  # type: ignore[arg-type,operator]
    elif issubclass(kind, NamedTuple):
        _encode_items(_listed(value), out, depth)  # type: ignore[arg-type]
    else:
        raise WireError(f"a {kind.__name__} may not cross")


def _encode_items(items: list[object] | tuple[object, ...], out: list[bytes], depth: int) -> None:
    if depth >= MAX_DEPTH:
        raise WireError("a list that is too deep")
    out.append(b"l" + HEADER.pack(len(items)))
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


def _fixed(shape: Struct, data: bytes, at: int) -> float:
    try:
        return shape.unpack_from(data, at)[0]  # type: ignore[no-any-return]
    except error:
        raise WireError("cut short") from None


def _decode_list(data: bytes, at: int, depth: int) -> tuple[Wire, int]:
    count = int(_fixed(HEADER, data, at))
    at += 4
    if depth >= MAX_DEPTH or count > len(data) - at:  # every item takes a byte at least
        raise WireError("a list that cannot be")
    items: list[Wire] = []
    for _ in range(count):
        item, at = _decode(data, at, depth + 1)
        items.append(item)
    return items, at


def _decode_text(tag: bytes, data: bytes, at: int) -> tuple[Wire, int]:
    size = int(_fixed(HEADER, data, at))
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


# --- what a message may be ---


def _exactly(kind: type, least: float | None = None) -> Shape:
    """A value of exactly this type, and not below a number."""

    def check(value: Wire) -> Any:
        if type(value) is kind and (least is None or value >= least):  # type: ignore[operator]
            return value
        raise WireError(f"not of type {kind.__name__}, or too small")

    return check


def _text(most: int) -> Shape:
    """A text of so many characters at most."""

    def check(value: Wire) -> Any:
        if type(value) is str and len(value) <= most:
            return value
        raise WireError(f"not a text of up to {most} characters")

    return check


def _one_of(*words: str) -> Shape:
    """One of these words."""

    def check(value: Wire) -> Any:
        if type(value) is str and value in words:
            return value
        raise WireError(f"none of {', '.join(words)}")

    return check


def _many(item: Shape, most: int, least: int = 0) -> Shape:
    """A list of things alike, between `least` and `most`."""

    def check(value: Wire) -> Any:
        if type(value) is list and least <= len(value) <= most:
            return [item(each) for each in value]
        raise WireError(f"not a list of {least} to {most} items")

    return check


def _record(kind: type, *shapes: Shape) -> Shape:
    """The fields of a record."""

    def check(value: Wire) -> Any:
        if type(value) is list and len(value) == len(shapes):
            return kind(*[shape(field) for shape, field in zip(shapes, value)])
        raise WireError(f"not a {kind.__name__}")

    return check


_INT, _NATURAL, _FLAG, _BYTES = _exactly(int), _exactly(int, 0), _exactly(bool), _exactly(bytes)
_SHORT, _PATH, _ANY = _text(MAX_SPELLED), _text(MAX_PATH), _exactly(str)
_UNBOUNDED = 1 << 32  # what the judge sends is as long as it wants
_WORDS = _many(_ANY, _UNBOUNDED)


def _SECONDS(value: Wire) -> Any:  # noqa: N802 - a shape as the others
    """A number that is not negative."""
    if (type(value) is float or type(value) is int) and value >= 0:
        return value
    raise WireError("not a number of seconds")


def _step(value: Wire) -> Any:
    """A step of a request, as it is: its name, and so many fields."""
    if type(value) is list and value and _LENGTHS.get(value[0]) == len(value):
        return value
    raise WireError("not a step")


_LENGTHS: dict[Wire, int] = {_LED_BY[kind.__name__]: 1 + len(kind._fields) for kind in _STEPS}
_SCRIPT = _many(_step, _UNBOUNDED)
_PATCHES = _many(_record(Patch, _ANY, _ANY, _WORDS), _UNBOUNDED)
_REQUESTS = {
    "confine": _record(
        Confine, _INT, _INT, _INT, _WORDS, _INT, _FLAG, _BYTES, _many(_ANY, 2, least=2)
    ),
    "provide": _record(Provide, _SECONDS, _many(_record(Package, _ANY, _ANY), _UNBOUNDED)),
    "load": _record(
        Load,
        _SECONDS,
        _many(_record(File, _ANY, _ANY, _BYTES), _UNBOUNDED),
        _ANY,
        _WORDS,
        _WORDS,
        _WORDS,
        _PATCHES,
        _many(_record(Cell, _ANY, _BYTES), _UNBOUNDED),
        _many(_record(Place, _ANY, _INT), MAX_LEFT_OUT),
    ),
    "run": _record(Run, _SECONDS, _FLAG, _SCRIPT),
    "patched": _record(Patched, _SECONDS, _PATCHES, _SCRIPT),
    "called": _record(Called, _SECONDS, _SCRIPT),
    "members": _record(Members, _SECONDS, _BYTES),
    "take": _record(Take, _SECONDS, _NATURAL, _NATURAL),
    "cells": _record(Cells, _SECONDS, _BYTES),
}


def decode_request(data: bytes) -> Any:
    """The request that these bytes of the judge's spell, for the worker; WireError for none."""
    value = unpack(data)
    if type(value) is list and value and type(value[0]) is str and value[0] in _REQUESTS:
        return _REQUESTS[value[0]](value[1:])
    raise WireError("not a request")


_FRAME = _record(Frame, _PATH, _NATURAL, _SHORT, _SHORT)
_RAISED = _record(
    Raised,
    _one_of("raised", "exited", "memory", "syntax", "timeout"),
    _SHORT,
    _many(_SHORT, MAX_BASES),
    _SHORT,
    _many(_FRAME, MAX_FRAMES),
    _SHORT,
)
_REFUSED = _text(6 * MAX_WHY)
_READY = _record(Ready, *[_many(_SHORT, MAX_MECHANISMS)] * 3)
_STATES = _one_of("present", "empty", "stub", "missing", "not a class")
_STATE = _record(NameState, _STATES, _INT, _INT, _PATH)
_NOTE = _record(CellNote, _SHORT, _SHORT, _INT, _SHORT, _SHORT)
_MEMBERS = _many(_record(Member, _text(6 * MAX_NAME), _REFUSED), MAX_MEMBERS)
_SKIPPED = _record(Skipped, _INT, _text(6 * MAX_CODE))
_CELLS = _many(_record(CellSource, _INT, _ANY, _many(_SKIPPED, MAX_CODE), _INT), MAX_CELLS)


def decode_ready(value: Wire) -> Ready:
    """The reply to Confine; WireError for anything else."""
    if type(value) is list and value[:1] == ["ready"]:
        return _READY(value[1:])  # type: ignore[no-any-return]
    raise WireError("not a greeting")


def decode_reply(request: Request, value: Wire) -> Done | Fault | Refused:
    """The reply to a request other than Confine, checked; WireError for what cannot be one."""
    reads = isinstance(request, (Members, Take, Cells))
    match value:
        case ["ok", content]:
            return Done(_content(request, content))
        case ["fault", step, raised] if not reads:
            fault = Fault(_NATURAL(step), _RAISED(raised))
            if fault.step < max(1, len(getattr(request, "steps", ()))):
                return fault
        case ["refused", why] if reads:
            return Refused(_REFUSED(why))
    raise WireError("not a reply")


def _content(request: Request, content: Wire) -> Any:
    """What a request asks for."""
    if isinstance(request, (Run, Patched)):
        return _answers(answer_forms(request.steps), content)
    if isinstance(request, Called):
        return _many(_many(_ANY, _UNBOUNDED), 1, least=1)(content)
    if isinstance(request, Load):
        count = len(request.names)
        states = _many(_STATE, count, least=count)
        return _record(Loaded, states, _many(_SHORT, MAX_ABSENT), _many(_NOTE, MAX_CELL_NOTES))(
            content
        )
    if isinstance(request, Take):
        if type(content) is bytes and len(content) <= request.limit + 1:
            return content
        raise WireError("not the bytes of a member")
    if isinstance(request, Cells):
        return _cells(content)
    return _MEMBERS(content) if isinstance(request, Members) else _many(_ANY, 0)(content)


def _cells(content: Wire) -> list[CellSource]:
    cells: list[CellSource] = _CELLS(content)
    if [cell.number for cell in cells] != [*range(1, len(cells) + 1)]:
        raise WireError("cells in another order")
    if sum(len(cell.source.encode()) for cell in cells) > 4 * MAX_CODE:
        raise WireError("more code than there may be")
    return cells


# --- answers ---


def answer_forms(steps: Sequence[Step]) -> list[str]:
    """The form of each answer to these steps: a Read has one, and a Walk has a `count`."""
    return [
        step.form if isinstance(step, Read) else "count"
        for step in steps
        if isinstance(step, (Read, Walk))
    ]


def _answers(forms: list[str], content: Wire) -> list[Wire]:
    if type(content) is not list or len(content) != len(forms):
        raise WireError("another number of answers")
    for form, answer in zip(forms, content):
        check_answer(form, answer)
    return content


def check_answer(form: str, answer: Wire) -> None:
    """Raise WireError for what is no answer in this form."""
    is_another = type(answer) is list and len(answer) == 1 and form in _OR_ANOTHER
    (_ANOTHER if is_another else _FORMS[form])(answer)


def _number(answer: Wire) -> None:
    if type(answer) is not float and type(answer) is not int:
        raise WireError("not a number")


def _array(answer: Wire) -> None:
    shape, numbers = _many(_many(lambda item: item, MAX_ITEMS), 2, least=2)(answer)
    size = 1
    for length in _many(_NATURAL, MAX_AXES)(shape):
        size *= length
    for number in numbers:
        _number(number)
    if size != len(numbers):
        raise WireError("not an array")


def _refs(answer: Wire) -> None:
    if answer is not None:
        _many(_exactly(Ref), MAX_ITEMS)(answer)


def _graph(answer: Wire) -> None:
    ref = _exactly(Ref)
    nodes, edges = set(), 0
    for node in _many(_many(lambda item: item, 2, least=2), MAX_ITEMS)(answer):
        nodes.add(ref(node[0]))
        edges += len(_many(ref, MAX_EDGES)(node[1]))
    if len(nodes) != len(answer) or edges > MAX_EDGES:  # type: ignore[arg-type]
        raise WireError("not a graph")


def _value(answer: Wire) -> None:
    """Plain values, no more than MAX_ITEMS beside the outermost."""
    for number, (value, depth) in enumerate(_inside(answer, 0)):
        if number > MAX_ITEMS or depth > MAX_NESTED + 1:
            raise WireError("more than was asked for")
        if type(value) is str:
            _SHORT(value)
        elif type(value) is bytes:
            _SHORT(value.decode("utf-8", "replace"))
        elif type(value) is Ref:
            raise WireError("not a plain value")


def _inside(value: Wire, depth: int) -> Iterator[tuple[Wire, int]]:
    yield value, depth
    for item in value if type(value) is list else ():
        yield from _inside(item, depth + 1)


_ANOTHER = _many(_SHORT, 1, least=1)
_OR_ANOTHER = frozenset(("number", "array", "text", "document"))
_FORMS: dict[str, Shape] = {
    "number": _number,
    "array": _array,
    "text": _SHORT,
    "document": _text(6 * MAX_DOCUMENT),
    "callable": _FLAG,
    "count": _INT,
    "ref": _exactly(Ref),
    "refs": _refs,
    "graph": _graph,
    "value": _value,
}


def room_for(request: Request) -> int:
    """How many bytes the reply to a request may have: with all that is asked for, or a Fault."""
    if isinstance(request, (Run, Patched)):
        sizes = (
            _ANSWER_BYTES.get(form, LARGE_ANSWER_BYTES) for form in answer_forms(request.steps)
        )
        return FAULT_BYTES + min(ANSWERS_BYTES, sum(sizes))
    if isinstance(request, Take):
        return request.limit + 64 + 4096
    if isinstance(request, Cells):
        return 12 * MAX_CODE + 4096
    return LARGE_ANSWER_BYTES + 4096 if isinstance(request, (Load, Members)) else FAULT_BYTES
