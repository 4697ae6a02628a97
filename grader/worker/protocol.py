"""Define everything that crosses between the judge and a worker. This file is enough to write a
worker in a different language, or in a browser.

FRAMES. Both directions are streams of frames: four bytes with a length, most significant first,
then that many bytes. Each request gets one reply, and nothing else is ever sent.

VALUES. A value is None, a bool, a 64-bit int, a float, text, bytes, a reference to an object that
stays in the worker, or a list of values. Nothing read from a worker is evaluated, unpickled or
looked up, and no length is trusted before it is compared with the bytes that are there.

In a reply (`encode`, `decode`) a value is a tag of one byte and its content. Numbers have the most
significant byte first, and lists are at most MAX_DEPTH deep:

    n t f  None, true, false: no content
    i d    an int, a float: eight bytes            r  a reference: its number, as an int
    s b    text in UTF-8, bytes: a length in four bytes, then that many bytes
    l      a list: the number of items in four bytes, then the items

A request (`pack`, `unpack`) uses version 2 of Python's `marshal`, which a worker in Python reads
ten times as fast. That is safe because the worker can trust the judge. The tags are those of
`marshal`, and numbers have the least significant byte first:

    N T F  None, true, false                       g  a float: eight bytes
    i l    an int: four bytes; or a count in four bytes, negative for a negative int, then that
           many 15-bit digits in two bytes each, least significant first
    u s    text in UTF-8 (a lone surrogate like any other character), bytes: a length in four
           bytes, then that many bytes
    [ (    a list, a tuple: the number of items in four bytes, then the items

In a request, a reference is a tuple of one int, and nothing else is a tuple.

RECORDS. A message is one of the records below. It crosses as the list of its fields, in order. A
request, a step or a reply starts with its name in lower case (`["take", 1.0, 0, 100]`).
`decode_request` and `decode_reply` check the number, exact types and bounds of the fields and raise
WireError; nothing else checks them. For a step in a request they check only the name and the number
of fields, because the judge wrote it.

ORDER. The judge sends `Confine` first; the worker confines itself and answers `Ready`. Every other
request is answered by `Done`, whose content depends on the request, or by `Fault` (a worker) or
`Refused` (a reader):

    a worker:  [Provide], then Load, then any of Run, Patched, Computed, Called, Describe,
               Mend, Propose in any order
    a reader:  Members, then Take for some of them; Cells at any time

A worker continues after a Fault, and keeps everything it has loaded and made.

TIME. Every request except Confine says how many `seconds` of processor time it may take; it may
take twice as much wall-clock time. 0 means no limit. When the time is up, the worker sends a Fault
with `timeout` and the place that the code has reached, or Refused, and exits. The judge waits one
more second before it kills the worker, which then counts as the answer.

SIZE. `room_for` is the size limit in bytes of the reply to a request. A longer reply ends the
worker, and so does anything else that does not answer the request. Output of the learner's code
goes elsewhere: in a process, to standard error.

The worker loads this file by path, so it imports only the standard library, and nothing slow.
"""

from __future__ import annotations

import builtins
import marshal
from _operator import itemgetter  # faster than `operator`
from _struct import Struct, error, unpack_from  # type: ignore[attr-defined] # faster than `struct`

# a private copy, so a submission that overwrites a built-in breaks only itself
globals()["__builtins__"] = dict(vars(builtins))

HEADER = Struct(">I")

# --- the warm parent (see `parent`) ---

RULESET = 9  # the descriptor of the Landlock ruleset in a worker that was forked
BORN = Struct("=ii")  # what the judge is told of a worker: the caretaker's process id, the worker's
ENDED = Struct("=i")  # and how it ended: its exit code, or the negative number of a signal

# --- bounds ---

MAX_DEPTH = 12  # of lists in lists
MAX_TEXT = 400  # characters of a short text, after the worker has shortened it
MAX_SPELLED = 6 * MAX_TEXT  # on the wire, where an escaped character takes up to six
MAX_PATH = 6 * 4096  # characters of a file name
MAX_DOCUMENT = 1 << 16  # characters of a long text; up to six times as many on the wire
MAX_ITEMS = 5_000  # in a list, an array or a graph that is read
MAX_EDGES = 20 * MAX_ITEMS  # from node to operand, in a whole graph
MAX_AXES = 8  # of an array
MAX_NESTED = 4  # levels of lists in a plain value that is read
MAX_FRAMES = 12  # of an exception: the first six and the last six
MAX_BASES = 8  # base classes of an exception's type, itself included
MAX_ABSENT = 12  # missing packages that get a placeholder
MAX_CELL_NOTES = 100
MAX_LEFT_OUT = 12  # statements that end the import of a submission
MAX_FACTS = 200  # facts about a function
MAX_FACT = 100  # characters of a fact
MAX_TERMS = 500  # in a formula
MAX_MECHANISMS = 100  # that confine a worker; the same limit holds for missing ones and for holes
TOOLS = frozenset(("__macosx", "__pycache__", "node_modules", "site-packages", "venv"))
"""Folders that tools write and nobody searches for code, in lower case."""
MAX_MEMBERS = 2_000  # members of an archive that may be code
MAX_FOLDERS = 3  # above a member that may be code
MAX_NAME = 400  # characters of a member's name
MAX_WHY = 200  # characters of the reason why something is refused
MAX_CELLS = 1_000  # code cells in a notebook
MAX_CODE = 256 << 10  # characters in all cells together, as many as in a file

FAULT_BYTES = 128 << 10
# of all answers together; as Python objects they take twenty times as much memory
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
    """Raised for bytes that are not a frame and for values that may not cross."""


class Ref(int):
    """The number under which the worker keeps an object."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Ref({int(self)})"


# --- the numbers of objects ---

# A script numbers its objects from 1. Code that adds objects to another script takes numbers from a
# separate range:
FIRST_TRIED = 90_000  # `grade adapt`: objects it makes while it tries an engine
FIRST_TRANSLATED = 1 << 30  # the dialect: objects that only a translation needs
FIRST_ROUND = 1 << 34  # a circuit: ROUNDS numbers for each loop, one per round
ROUNDS = 64
BUILTINS = ("dict", "len", "list", "max", "min", "repr", "set", "sorted", "str", "sum", "tuple")
FORMULA_OPERATORS = ("+", "-", "*", "/", "//", "%", "**")
FORMULA_CALLS = (
    *("neg", "abs", "exp", "log", "log2", "log10", "sqrt", "sin", "cos", "tan", "atan"),
    *("tanh", "sinh", "cosh"),
)
UNUSED = Ref((1 << 39) - 2)  # a circuit, a drawing: a result that nobody reads
WATCHED = Ref((1 << 39) - 1)  # a diagnosis, a drawing: the backward pass that is watched
FIRST_FOUND = 1 << 40  # the worker: objects found by reading, not made by a step


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

    _GETTERS = [property(itemgetter(place)) for place in range(10)]  # no record has more fields

    class _Fields(type):
        """Makes a class with a property for each of its annotations."""

        def __new__(cls, name, bases, space):
            fields = tuple(space.get("__annotations__", ()))
            made = {"__slots__": (), **space}
            if fields:
                made["_fields"] = made["__match_args__"] = fields
                made["_defaults"] = {field: space[field] for field in fields if field in space}
                made.update(zip(fields, _GETTERS))
            return type.__new__(cls, name, bases, made)

    class NamedTuple(tuple, metaclass=_Fields):
        """Replaces `typing.NamedTuple`, because importing `typing` takes too long here."""

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
    """A request that is already packed."""

    __slots__ = ()


# --- requests, to a worker and to a reader ---


class Confine(NamedTuple):
    """Confine yourself and test the confinement.

    This is the first request to every worker and reader.
    """

    most: int  # 0: not at all, 1: limits, 2: a sandbox, 3: a sandbox as another user
    judge: int  # the judge's process id
    parent: int  # your parent's, which is the judge or a caretaker; if it is not, exit
    user: int  # the id of the user and group to become; 0 for none
    needed: list[str]  # files that must stay readable when nothing else is
    ruleset: int  # the descriptor of a Landlock ruleset; -1 for none
    quiet: bool  # whether the ruleset should not log what it denies
    program: bytes  # for seccomp; empty for none
    probes: list[str]  # a file that must not be readable, and one that must not be writable


class Provide(NamedTuple):
    """Make packages importable and import them, before any of the learner's code is loaded."""

    seconds: float
    packages: list[Package]


class Package(NamedTuple):
    """A package to import by its name."""

    name: str
    folder: str  # the folder that contains the package


class File(NamedTuple):
    """A module from the submission."""

    module: str
    shown: str  # its name in a Frame
    source: bytes


class Cell(NamedTuple):
    """A cell from a submitted notebook."""

    shown: str
    source: bytes


class Place(NamedTuple):
    """Identifies the statement that begins on a line of a cell."""

    shown: str
    line: int


class Patch(NamedTuple):
    """Functions that replace a module's own."""

    module: str
    source: str
    deletes: Sequence[str] = ()  # names to remove first


class Load(NamedTuple):
    """Import a submission: the module `entry` from `files`, or the `cells` in order.

    Done with a `Loaded`.
    """

    seconds: float
    files: list[File]
    entry: str
    names: Sequence[str] = ()  # functions, classes and methods (`Value.relu`) to look for
    # modules of the course: no placeholder replaces them if they are missing, and those before
    # `entry` are imported, too
    own: Sequence[str] = ()
    # functions that did not finish before: calling them raises a timeout
    disabled: Sequence[str] = ()
    # the reference's functions for some modules, for good; without `deletes`
    swaps: Sequence[Patch] = ()
    cells: Sequence[Cell] = ()  # if there are any, they run as one module instead of `entry`
    # statements that must not run: a file ends before its own, a cell goes on behind it
    left_out: Sequence[Place] = ()


class Run(NamedTuple):
    """Run the steps in order. They may use all objects made since the last `fresh` run.

    Done with a list of answers, one for each step that has an answer.
    """

    seconds: float
    fresh: bool  # whether to forget all earlier objects
    steps: Sequence[Step]


class Patched(NamedTuple):
    """Like a fresh Run, but with some functions replaced. The originals return afterwards."""

    seconds: float
    patches: list[Patch]
    steps: Sequence[Step]


class Computed(NamedTuple):
    """Like a fresh Run, but tell how the numbers that a `Read` finds were computed from the
    numbers in the steps. Done with a list of formulas, one for each Read.

    A formula is a list of at most MAX_TERMS `Term`, operands first; it is empty if the number is
    not computed from any in the steps. The other fields name parts of a node.
    """

    seconds: float
    steps: Sequence[Step]
    make: str
    data: str
    gradient: str
    operands: str
    backward: str  # afterwards, the gradient of a leaf is the term `gradient`
    functions: Sequence[str]  # methods whose result is the term of that name


class Term(NamedTuple):
    """A number in a formula, and the `places` of its operands among the terms before it.

    - `leaf`: a number in a step; its `places` are the step's index, and its own among the numbers
      of that step. `number`: any other number.
    - one of FORMULA_OPERATORS, of two operands; one of FORMULA_CALLS, of one.
    - `data`, `gradient`: of a node that began as a leaf, the first operand; the second is how that
      was computed.

    `line` is the line of the script's module that made it, or 0.
    """

    op: str
    places: list[int]
    number: float
    line: int = 0


class Called(NamedTuple):
    """Like a fresh Run. Done with a list of one list: those of Load's `names` that ran."""

    seconds: float
    steps: Sequence[Step]


class Describe(NamedTuple):
    """Describe the source of some functions of a module, without running any of them.

    Done with a list of `Function`, one for each name.
    """

    seconds: float
    module: str
    names: Sequence[str]
    source: str = ""  # defines them, instead of the submission


class Mend(NamedTuple):
    """Begin a search for small changes of the submission with which scripts give the wanted
    answers. Any earlier search ends.
    """

    seconds: float
    right: Sequence[str]  # the reference's functions, as source
    about: Sequence[str]  # the functions to change first
    patches: Sequence[Patch]  # replace functions before anything else
    trials: Sequence[Trial]  # the first must be right after a change; the others may


class Propose(NamedTuple):
    """Go on with the search. From now on, more scripts must be right.

    Done with a list of the next `Candidate`, or an empty one.
    """

    seconds: float
    trials: Sequence[Trial]


class Trial(NamedTuple):
    """A script and the answers that are wanted, where None wants nothing."""

    steps: Sequence[Step]
    wants: Sequence[Wire]


class Members(NamedTuple):
    """Open an archive. Done with a list of `Member`, one for each file that may be code."""

    seconds: float
    data: bytes


class Take(NamedTuple):
    """Unpack a member of the archive opened last.

    Done with its bytes, at most `limit` + 1 of them, however large it is.
    """

    seconds: float
    place: int  # index in the list of members, from 0
    limit: int


class Cells(NamedTuple):
    """Read a notebook. Done with a list of `CellSource`, one for each cell with code."""

    seconds: float
    data: bytes


# --- steps ---


class Make(NamedTuple):
    """`target = function(*args)`.

    The function is a name in the learner's module or, like `engine.Value`, in another of their
    files. A colon separates the module from a name that is not at its top level:
    `package.engine:Value.leaf`. `named` holds keyword arguments, each a name and a value.
    """

    target: Ref
    function: str
    args: list[Operand]
    named: list[list[Operand]] = []  # noqa: RUF012 - nobody changes a step


class Builtin(NamedTuple):
    """`target = function(*args)` with one of the BUILTINS."""

    target: Ref
    function: str
    args: list[Operand]


class Apply(NamedTuple):
    """`target = left op right` with one of `+ - * / ** @`, or `target = -left` with `neg`."""

    target: Ref
    op: str
    args: list[Operand]


class Call(NamedTuple):
    """`target = on.method(*args)`. `named` holds keyword arguments, each a name and a value."""

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
    """Evaluate an expression of the suite in the learner's module. `target` is the result.

    The expression may be a function's name or a lambda.
    """

    target: Ref
    source: str


class Define(NamedTuple):
    """Run a few lines of the suite in a copy of the learner's namespace.

    `target` is the class or function of that name.
    """

    target: Ref
    name: str
    source: str


class Repeat(NamedTuple):
    """`target = start`, then `target = target op other`, `count` times.

    Without `other`, use the target itself.
    """

    target: Ref
    count: int  # type: ignore[assignment] # nobody needs the method of that name in a tuple
    op: str
    start: Ref
    other: Operand


class Walk(NamedTuple):
    """Call `method` on `on` and everything below it (its operands, listed in `along`), results
    before operands, except on and below the `until` objects.

    The answer is a `count` of the objects.
    """

    on: Ref
    along: str
    method: str
    until: list[Ref]


class Watch(NamedTuple):
    """Call `on.call()` and record every call of `method` on an object below `on`.

    `target.nodes` holds the objects in the order of the calls, `target.held` the value that the
    attribute `noted` of each had at that moment.
    """

    target: Ref
    on: Ref
    along: str
    method: str
    call: str
    noted: str


class Follow(NamedTuple):
    """Like Watch, and record every change of `noted` in the objects below `on` and those in `also`.

    Change number i happened to `target.changed[i]`, from `target.before[i]` to `target.after[i]`,
    during the call `target.during[i]` (-1: outside every call), when `target.at[i]` calls had
    begun. `target.first` and `target.last` are the values that `target.objects` had at the
    beginning and at the end; `target.stopped` says whether the recording was cut short.

    Without a `call`, walk instead: call `method` on `on` and on every object below it, results
    before operands, except on and below `until`.
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

    - `number`: a float or an int; `array`: its shape and its items, the last axis fastest;
      `text`: up to MAX_TEXT characters; `document`: up to MAX_DOCUMENT. If the thing has a
      different type, the answer is a list with one text that describes it.
    - `callable`: a bool. `ref`: the object's own number; new ones start from FIRST_FOUND.
    - `refs`: the numbers of the objects in a collection; None if it is not a collection.
    - `graph`: a list of [object, its operands] for every object reachable from `on` through
      `attribute`, operands first.
    - `value`: None, bools, numbers, texts and lists of these; anything else is the name of its
      type, as bytes.
    """

    on: Ref
    attribute: str
    form: str


# --- replies ---


class Ready(NamedTuple):
    """The reply to Confine: the names of what is in force and of what is missing, and the holes.

    A hole is a text: the highest isolation level that permits it, a space, and the action that
    worked.
    """

    in_force: list[str]
    missing: list[str]
    holes: list[str]


class Done(NamedTuple):
    """The result of a request."""

    content: Any


class Fault(NamedTuple):
    """The learner's code raised or took too long."""

    step: int  # index of the step in the request, from 0; 0 if it has no steps
    raised: Raised


class Refused(NamedTuple):
    """Says why a file cannot be read."""

    why: str


STOPPED = "Stopped"  # a function in Load.disabled was called, and the worker lives


class Raised(NamedTuple):
    """An exception in the learner's code, or anything else that ended it."""

    how: str  # `raised`, `exited`, `memory`, `syntax` or `timeout`
    type_name: str
    bases: list[str]  # names of the exception's type and its base classes, or `STOPPED`
    message: str
    frames: list[Frame]  # the learner's own, outermost first
    blamed: str  # the stub that raised, or the function in Load.names that took too long
    meant: str = ""  # the existing name closest to an unknown one


class Frame(NamedTuple):
    """A line of the submission that the code had reached."""

    file: str  # the `shown` name of a File or a Cell
    line: int
    function: str
    source: str  # the line's text, if only the exception knows it


class Loaded(NamedTuple):
    """The result of importing a submission."""

    names: list[NameState]  # one for each of Load's `names`
    absent: list[str]  # missing packages
    cells: list[CellNote]


class NameState(NamedTuple):
    """Describes what the learner's code has under a name."""

    state: str  # `present`, `stub`, `missing` or `not a class`
    line: int = 0  # first line, if the code is the learner's own; `last` is its last line
    last: int = 0
    file: str = ""


class Function(NamedTuple):
    """Describes the source of a function. Only `meant` is set if there is no such function."""

    file: str = ""
    line: int = 0
    facts: Sequence[Fact] = ()
    meant: str = ""  # the existing name closest to the requested one


class Fact(NamedTuple):
    """Something that a function does, as described in `facts`, and the first line that does it."""

    text: str
    line: int


class Candidate(NamedTuple):
    """A change of one function that mends the scripts.

    The lines `first` to `last` of a file give way to `text`; `gone` and `come` are the lines that
    differ, as Python spells them, and `kind` says how `edits` made it. It is the `only` difference
    from the reference's function, or not.
    """

    file: str
    first: int
    last: int
    text: str
    function: str
    line: int
    kind: str
    only: bool
    gone: str
    come: str


class CellNote(NamedTuple):
    """Describes what happened in a notebook's cell."""

    cell: str
    how: str  # `raised`, `syntax`, `await` or `late`
    line: int
    type_name: str
    message: str


class Member(NamedTuple):
    """A file in an archive: its name there, and why it cannot be taken."""

    name: str
    trouble: str


class CellSource(NamedTuple):
    """A notebook's cell with code."""

    number: int  # from 1
    source: str  # only the Python
    skipped: list[Skipped]
    count: int  # type: ignore[assignment] # the cell's execution count, 0 if unknown


class Skipped(NamedTuple):
    """A line of a cell that is not Python; line 0 means the whole cell."""

    line: int
    text: str


if TYPE_CHECKING:
    Step: TypeAlias = Union[
        Make, Builtin, Apply, Call, Get, Put, Expression, Define, Repeat, Walk, Watch, Follow, Read
    ]
    Asked: TypeAlias = Union[
        Provide, Load, Run, Patched, Computed, Called, Describe, Mend, Propose, Members, Take, Cells
    ]
    Request: TypeAlias = Union[Confine, Asked, Packed, Wire]
else:
    Asked = Request = object

_STEPS = (
    Make, Builtin, Apply, Call, Get, Put, Expression, Define, Repeat, Walk, Watch, Follow, Read
)  # fmt: skip
_LED_BY = {
    kind.__name__: kind.__name__.lower()
    for kind in (
        *(
            Confine,
            Provide,
            Load,
            Run,
            Patched,
            Computed,
            Called,
            Describe,
            Mend,
            Propose,
            Members,
            Take,
            Cells,
        ),
        *_STEPS,
        *(Ready, Fault, Refused),
    )
} | {"Done": "ok"}


# --- values and bytes ---


def _listed(record: tuple[object, ...]) -> list[object]:
    """Return a record as the list that crosses."""
    name = _LED_BY.get(type(record).__name__)
    return [*record] if name is None else [name, *record]


def pack(request: object) -> bytes:
    """Return a request's bytes. Raise WireError for a type that may not cross."""
    if type(request) is Packed:
        return request
    try:
        return marshal.dumps(_packable(request), _VERSION)  # type: ignore[arg-type]
    except RecursionError:
        raise WireError("a list that is too deep") from None


def unpack(data: bytes) -> Wire:
    """Return the value in these bytes from the judge. Never use it on bytes from a worker."""
    return marshal.loads(data)  # type: ignore[no-any-return] # noqa: S302 - the judge packed it


def _packable(value: object) -> object:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is Ref:
        return (int(value),)  # type: ignore[call-overload]
    if kind is list or kind is tuple:
        return [
            item if type(item) in _PLAIN else _packable(item)
            for item in value  # type: ignore[attr-defined]
        ]
    if issubclass(kind, NamedTuple):
        return _packable(_listed(value))  # type: ignore[arg-type]
    raise WireError(f"a {kind.__name__} may not cross")


_PLAIN = frozenset((float, int, str, bytes, bool, type(None)))
# in later versions the bytes depend on which objects are shared, and so would the layout of the
# worker's memory
_VERSION = 2


def encode(value: object) -> bytes:
    """Return the bytes of a value or a reply. Raise WireError for a type that may not cross.

    Types must match exactly, so no subclass gets through.
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
    if {*map(type, items)} == {float}:
        out.append(b"d" + b"d".join(map(_DOUBLE.pack, items)))
        return
    for item in items:
        _encode(item, out, depth + 1)


def _encode_int(value: int) -> bytes:
    if -(2**63) <= value < 2**63:
        return b"i" + _INT64.pack(value)
    raise WireError("an integer of more than 64 bits may not cross")


def decode(data: bytes) -> Wire:
    """Return the value that these bytes encode. Raise WireError unless they encode exactly one."""
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
    if depth >= MAX_DEPTH or count > len(data) - at:  # every item takes at least one byte
        raise WireError("a list that cannot be")
    if count and len(data) - at >= 9 * count:  # most lists hold one kind of number
        tags, end = data[at : at + 9 * count : 9], at + 9 * count
        if tags == b"d" * count:
            return [*unpack_from(">" + "xd" * count, data, at)], end
        if tags == b"r" * count:
            return [*map(Ref, unpack_from(">" + "xq" * count, data, at))], end
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
    """Return a check for a value of exactly this type, at least `least`."""

    def check(value: Wire) -> Any:
        if type(value) is kind and (least is None or value >= least):  # type: ignore[operator]
            return value
        raise WireError(f"not of type {kind.__name__}, or too small")

    return check


def _text(most: int) -> Shape:
    """Return a check for a text of at most `most` characters."""

    def check(value: Wire) -> Any:
        if type(value) is str and len(value) <= most:
            return value
        raise WireError(f"not a text of up to {most} characters")

    return check


def _one_of(*words: str) -> Shape:
    """Return a check for one of these words."""

    def check(value: Wire) -> Any:
        if type(value) is str and value in words:
            return value
        raise WireError(f"none of {', '.join(words)}")

    return check


def _many(item: Shape, most: int, least: int = 0) -> Shape:
    """Return a check for a list of `least` to `most` items, each checked by `item`."""

    def check(value: Wire) -> Any:
        if type(value) is list and least <= len(value) <= most:
            return [item(each) for each in value]
        raise WireError(f"not a list of {least} to {most} items")

    return check


def _record(kind: type, *shapes: Shape) -> Shape:
    """Return a check for the list of a record's fields. It returns the record."""

    def check(value: Wire) -> Any:
        if type(value) is list and len(value) == len(shapes):
            return kind(*[shape(field) for shape, field in zip(shapes, value)])
        raise WireError(f"not a {kind.__name__}")

    return check


_INT, _NATURAL, _FLAG, _BYTES = _exactly(int), _exactly(int, 0), _exactly(bool), _exactly(bytes)
_SHORT, _PATH, _ANY = _text(MAX_SPELLED), _text(MAX_PATH), _exactly(str)
_UNBOUNDED = 1 << 32  # the judge's own messages may have any length
_WORDS = _many(_ANY, _UNBOUNDED)


def _SECONDS(value: Wire) -> Any:  # noqa: N802 - a shape like the others
    """Check a number that is not negative."""
    if (type(value) is float or type(value) is int) and value >= 0:
        return value
    raise WireError("not a number of seconds")


def _SCRIPT(value: Wire) -> Any:  # noqa: N802 - as above
    """Check the names of steps and their numbers of fields, all at once because there are many."""
    try:
        if type(value) is list and [_LENGTHS[step[0]] for step in value] == [*map(len, value)]:  # type: ignore[index,arg-type]
            return value
    except (TypeError, LookupError):
        pass
    raise WireError("not a script")


_LENGTHS: dict[Wire, int] = {_LED_BY[kind.__name__]: 1 + len(kind._fields) for kind in _STEPS}
_PATCHES = _many(_record(Patch, _ANY, _ANY, _WORDS), _UNBOUNDED)
_TRIALS = _many(_record(Trial, _SCRIPT, _many(lambda want: want, _UNBOUNDED)), _UNBOUNDED)
_REQUESTS = {
    "confine": _record(
        Confine, _INT, _INT, _INT, _INT, _WORDS, _INT, _FLAG, _BYTES, _many(_ANY, 2, least=2)
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
    "computed": _record(Computed, _SECONDS, _SCRIPT, *[_ANY] * 5, _WORDS),
    "called": _record(Called, _SECONDS, _SCRIPT),
    "describe": _record(Describe, _SECONDS, _ANY, _WORDS, _ANY),
    "mend": _record(Mend, _SECONDS, _WORDS, _WORDS, _PATCHES, _TRIALS),
    "propose": _record(Propose, _SECONDS, _TRIALS),
    "members": _record(Members, _SECONDS, _BYTES),
    "take": _record(Take, _SECONDS, _NATURAL, _NATURAL),
    "cells": _record(Cells, _SECONDS, _BYTES),
}


def decode_request(data: bytes) -> Any:
    """Return the request in these bytes from the judge. Raise WireError for anything else."""
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
    _SHORT,
)
_FACT = _record(Fact, _text(6 * MAX_FACT), _NATURAL)
_FUNCTION = _record(Function, _PATH, _NATURAL, _many(_FACT, MAX_FACTS), _SHORT)
_REFUSED = _text(6 * MAX_WHY)
_LINES = _text(6 * MAX_CODE)
_CANDIDATE = _record(
    Candidate, _PATH, _NATURAL, _NATURAL, _LINES, _SHORT, _NATURAL, _SHORT, _FLAG, _LINES, _LINES
)
_READY = _record(Ready, *[_many(_SHORT, MAX_MECHANISMS)] * 3)
_STATES = _one_of("present", "empty", "stub", "missing", "not a class")
_STATE = _record(NameState, _STATES, _INT, _INT, _PATH)
_NOTE = _record(CellNote, _SHORT, _SHORT, _INT, _SHORT, _SHORT)
_MEMBERS = _many(_record(Member, _text(6 * MAX_NAME), _REFUSED), MAX_MEMBERS)
_SKIPPED = _record(Skipped, _INT, _text(6 * MAX_CODE))
_CELLS = _many(_record(CellSource, _INT, _ANY, _many(_SKIPPED, MAX_CODE), _INT), MAX_CELLS)


def decode_ready(value: Wire) -> Ready:
    """Return the reply to Confine. Raise WireError for anything else."""
    if type(value) is list and value[:1] == ["ready"]:
        return _READY(value[1:])  # type: ignore[no-any-return]
    raise WireError("not a greeting")


def decode_reply(request: Request, value: Wire) -> Done | Fault | Refused:
    """Return the reply to any request except Confine. Raise WireError if it is not a valid one."""
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
    """Check and return the content of a Done reply to this request."""
    if isinstance(request, (Run, Patched)):
        return _answers(answer_forms(request.steps), content)
    if isinstance(request, Computed):
        count = sum(isinstance(step, Read) for step in request.steps)
        return _many(_formula(request.functions), count, least=count)(content)
    if isinstance(request, Called):
        return _many(_many(_ANY, _UNBOUNDED), 1, least=1)(content)
    if isinstance(request, Describe):
        return _many(_FUNCTION, len(request.names), least=len(request.names))(content)
    if isinstance(request, Propose):
        return _many(_CANDIDATE, 1)(content)
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


def _formula(functions: Sequence[str]) -> Shape:
    """Return a check for the terms of a formula, which may call these functions."""
    operands = {"leaf": 2, "number": 0, "data": 2, "gradient": 2}
    operands |= dict.fromkeys(FORMULA_OPERATORS, 2)
    operands |= dict.fromkeys((*FORMULA_CALLS, *functions), 1)

    def check(value: Wire) -> Any:
        terms = _many(_TERM, MAX_TERMS)(value)
        for place, term in enumerate(terms):
            is_known = operands.get(term.op) == len(term.places)
            if not is_known or (term.op != "leaf" and any(at >= place for at in term.places)):
                raise WireError("not a formula")
        return terms

    return check


def _cells(content: Wire) -> list[CellSource]:
    cells: list[CellSource] = _CELLS(content)
    if [cell.number for cell in cells] != [*range(1, len(cells) + 1)]:
        raise WireError("cells in another order")
    if sum(len(cell.source.encode()) for cell in cells) > 4 * MAX_CODE:
        raise WireError("more code than there may be")
    return cells


# --- answers ---


def answer_forms(steps: Sequence[Step]) -> list[str]:
    """Return the form of each answer to these steps. A Read has its own, a Walk has a `count`.

    The judge may send the same steps again and again, as a sequence that knows its `forms`.
    """
    return getattr(steps, "forms", None) or [
        step.form if isinstance(step, Read) else "count"
        for step in steps
        if isinstance(step, (Read, Walk))
    ]


def _answers(forms: list[str], content: Wire) -> list[Wire]:
    if type(content) is not list or len(content) != len(forms):
        raise WireError("another number of answers")
    for form, answer in zip(forms, content):
        if type(answer) is not float or form != "number":  # most are numbers
            check_answer(form, answer)
    return content


def check_answer(form: str, answer: Wire) -> None:
    """Raise WireError if an answer does not have this form."""
    is_another = type(answer) is list and len(answer) == 1 and form in _OR_ANOTHER
    (_ANOTHER if is_another else _FORMS[form])(answer)


def _number(answer: Wire) -> Any:
    if type(answer) is not float and type(answer) is not int:
        raise WireError("not a number")
    return answer


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
    """Check plain values, at most MAX_ITEMS inside the outermost."""
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


_TERM = _record(Term, _SHORT, _many(_NATURAL, 2), _number, _NATURAL)
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
    """Return the size limit in bytes of the reply to a request, which may also be a Fault."""
    if isinstance(request, (Run, Patched)):
        forms = answer_forms(request.steps)
        sizes = (
            forms.count(form) * _ANSWER_BYTES.get(form, LARGE_ANSWER_BYTES) for form in {*forms}
        )
        return FAULT_BYTES + min(ANSWERS_BYTES, sum(sizes))
    if isinstance(request, Take):
        return request.limit + 64 + 4096
    if isinstance(request, Cells):
        return 12 * MAX_CODE + 4096
    is_large = isinstance(request, (Load, Members, Describe, Propose))
    return LARGE_ANSWER_BYTES + 4096 if is_large else FAULT_BYTES
