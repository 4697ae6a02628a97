"""Declare everything that crosses between the judge and a worker; `wire` turns it into bytes.

A frame is four bytes with a length, most significant first, then that many bytes of JSON in UTF-8.
A record is the list of its class's name in lower case and of its fields: `["take", 1.0, 0, 100]`.
An object that stays in the worker is `{"ref": 7}`, an UnexpectedType is `{"type": "Value"}`, and
bytes are `{"bytes": "…"}` in hexadecimal. The judge sends Confine; the worker confines itself and
answers Ready. After that each request gets one reply: Done, with a content that depends on it, or
Fault. A worker gets [Provide], then Load, then the others in any order; one that reads an archive
gets Members, then Take. A request may take `seconds` of processor time, and twice as much
wall-clock time; 0 means no limit. After that the worker sends a Fault with `timeout` and exits; or
the judge kills it. The judge checks every reply against its size (`room_for`) and the annotations
of its records. Anything else that comes from a worker ends it. After a Fault it continues, with all
objects that it has made.

A worker trusts the judge. The learner's prints go elsewhere: in a process, to standard error. The
worker loads this file by path, so it imports only the standard library. Every record comes before
the records that hold it, so their annotations are the types that `wire` reads.
"""

from collections.abc import Sequence
from struct import Struct
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, Union

from . import bounds
from .bounds import Code, Names, Natural, Path, Text, at_most

HEADER = Struct(">I")
INSERTED, USUAL = 0, 1  # orders of objects in a set; each higher number is another one

How: TypeAlias = Literal["raised", "exited", "memory", "syntax", "timeout"]
State: TypeAlias = Literal["present", "empty", "stub", "missing", "not a class"]
Steps: TypeAlias = Sequence[Any]  # of `judge.script.steps`; a worker gets the lists that cross
Place: TypeAlias = tuple[str, int]  # of a statement: the `shown` name of a File, its first line
Wire: TypeAlias = Any  # the types of JSON: None, a bool, an int, a float, a text, a list or a dict


class WireError(Exception):
    """Raised for bytes that are not a frame and for values that may not cross."""


class Ref(int):
    """The number under which the worker keeps an object."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Ref({int(self)})"


class UnexpectedType(NamedTuple):
    """A thing of a type that does not belong where it was found."""

    type_name: Text


FIRST_FOUND = 1 << 40  # the number of the first object found by reading, not made by a step


# --- requests ---


class Confine(NamedTuple):
    """Confine yourself and test the confinement."""

    most: int  # 0: not at all, 1: limits, 2: a sandbox, 3: a sandbox as another user
    judge: int  # your parent's process id; if it is not, exit
    user: int  # the id of the user and group to become; 0 for none
    needed: list[str]  # files that must stay readable when nothing else is
    ruleset: int  # the descriptor of a Landlock ruleset; -1 for none
    quiet: bool  # whether the ruleset should not log what it denies
    program: bytes  # for seccomp; empty for none
    probes: list[str]  # a file that must not be readable, and one that must not be writable


class Provide(NamedTuple):
    """Make packages importable and import them, before any of the learner's code is loaded."""

    seconds: float
    packages: list[tuple[str, str]]  # each with the folder that contains it


class File(NamedTuple):
    """A module from the submission, or a cell of a notebook."""

    module: str
    shown: str  # its name in a Frame
    source: bytes
    is_cell: bool = False


class Patch(NamedTuple):
    """Functions that replace a module's own."""

    module: str
    source: str
    deletes: Sequence[str] = ()  # names to remove first


class Load(NamedTuple):
    """Import the module `entry` from `files`. If there are cells among them, they run in order as
    one module instead. Done with a `Loaded`.
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
    # statements that must not run: a file ends before its own, a cell continues after it
    left_out: Sequence[Place] = ()


class Run(NamedTuple):
    """Run the steps in order. They may use all objects made since the last `fresh` run. Done with a
    list of the answers, from the steps that have one. The `patches` are undone afterwards.

    `order` is the order of new objects in a set. With the usual one, a script draws the same random
    numbers in every grading; with the order of insertion, all scripts draw the same ones.
    """

    seconds: float
    fresh: bool  # whether to forget all earlier objects
    steps: Steps
    patches: Sequence[Patch] = ()
    order: int = USUAL


class Lines(NamedTuple):
    """Like a fresh Run. Done with the `Line`s of the submission that the steps from `first` on run,
    even if the steps fail. They say which ones set the attribute of the object.
    """

    seconds: float
    steps: Steps
    first: int
    on: Ref
    attribute: str


RAISES = ["raises"]
"""The wanted answers of a script that must raise an exception."""


class Trial(NamedTuple):
    """A script and its wanted answers; None accepts anything."""

    steps: Steps
    wants: Sequence[Any]


class Mend(NamedTuple):
    """Begin a search for small changes to the code that make scripts give the wanted answers."""

    seconds: float
    right: Sequence[str]  # the reference's functions, as source
    about: Sequence[str]  # the functions to change first
    passing: Sequence[str]  # the functions whose checks pass
    trials: Sequence[Trial]  # the first must be right after a change; the others may


class Propose(NamedTuple):
    """Continue the search, with more scripts that must be right. Done with at most one `Candidate`,
    in a list.
    """

    seconds: float
    trials: Sequence[Trial]


class Members(NamedTuple):
    """Open an archive. Done with a list of `Member`, one for each file that may be code."""

    seconds: float
    data: bytes


class Take(NamedTuple):
    """Unpack a member of the archive opened last. Done with its first `limit` + 1 bytes."""

    seconds: float
    place: Natural  # index in the list of members, from 0
    limit: Natural


class Cells(NamedTuple):
    """Read a notebook. Done with a list of `CellSource`, one for each cell with code, in order."""

    seconds: float
    data: bytes


# --- replies ---


class Ready(NamedTuple):
    """The reply to Confine: the names of the active and the missing mechanisms, and the holes: the
    highest isolation level that permits it, a space, and the action that worked.
    """

    in_force: Names
    missing: Names
    holes: Names


class Done(NamedTuple):
    """The result of a request."""

    content: Any


class Frame(NamedTuple):
    """A line of the submission that the code had reached."""

    file: Path  # the `shown` name of a File
    line: Natural
    function: Text
    source: Text  # the line's text, if only the exception has it


STOPPED = "Stopped"  # a function in Load.disabled was called, and the worker lives


class Raised(NamedTuple):
    """An exception in the learner's code, or anything else that ended it."""

    how: How
    type_name: Text
    # names of the exception's type and its base classes, or `STOPPED`
    bases: Annotated[list[Text], at_most(bounds.MAX_BASES)]
    message: Text
    frames: Annotated[list[Frame], at_most(bounds.MAX_FRAMES)]  # the learner's own, outermost first
    blamed: Text  # the stub that raised, or the function in Load.names that took too long
    meant: Text = ""  # the existing name closest to an unknown one


class Fault(NamedTuple):
    """The learner's code raised or took too long, or a file cannot be read."""

    step: Natural  # index of the step in the request, from 0; 0 if it has no steps
    raised: Raised


class NameState(NamedTuple):
    """Describes what the learner's code has under a name."""

    state: State
    line: int = 0  # first line, if the code is the learner's own; `last` is its last line
    last: int = 0
    file: Path = ""


class CellNote(NamedTuple):
    """Describes what happened in a notebook's cell."""

    cell: Text
    how: Text  # `raised`, `syntax` or `late`
    line: int
    type_name: Text
    message: Text


class Loaded(NamedTuple):
    """The result of importing a submission."""

    names: list[NameState]  # one for each of Load's `names`
    absent: Annotated[list[Text], at_most(bounds.MAX_ABSENT)]  # missing packages
    cells: Annotated[list[CellNote], at_most(bounds.MAX_CELL_NOTES)]


class Candidate(NamedTuple):
    """A change to one function that fixes the scripts.

    `text` replaces the lines `first` to `last` of a file.
    """

    file: Path
    first: Natural
    last: Natural
    text: Code


class Line(NamedTuple):
    """A line of the submission that ran, and whether it set the attribute."""

    file: Text
    number: Natural
    sets: bool


class Member(NamedTuple):
    """A file in an archive: its name there, and why it cannot be taken."""

    name: Annotated[str, at_most(6 * bounds.MAX_NAME)]
    trouble: Text


class Skipped(NamedTuple):
    """A line of a cell that is not Python; line 0 means the whole cell."""

    line: int
    text: Code


class CellSource(NamedTuple):
    """A notebook's cell with code."""

    source: str  # only the Python
    skipped: Annotated[list[Skipped], at_most(bounds.MAX_CODE)]
    count: int  # type: ignore[assignment] # the cell's execution count, 0 if unknown


Asked: TypeAlias = Union[Run, Provide, Load, Lines, Mend, Propose, Members, Take, Cells]
