"""Define how large anything that crosses may be, and which words it may use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeAlias

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
MAX_MECHANISMS = 100  # that confine a worker; the same limit holds for missing ones and for holes
TOOLS = frozenset(("__macosx", "__pycache__", "node_modules", "site-packages", "venv"))
"""Folders that tools write and nobody searches for code, in lower case."""
MAX_MEMBERS = 2_000  # members of an archive that may be code
MAX_FOLDERS = 4  # above a member that may be code
MAX_NAME = 400  # characters of a member's name
MAX_CELLS = 1_000  # code cells in a notebook
MAX_CHANGED = 4  # lines in a small change
WAITED = 0.25  # seconds between two signals to a worker that has not answered
MAX_CODE = 256 << 10  # characters in all cells together, as many as in a file


def at_most(count: int) -> Callable[[Any], bool]:
    """Return a bound for an annotation: the length of a text or a list."""
    return lambda value: len(value) <= count


Text: TypeAlias = Annotated[str, at_most(MAX_SPELLED)]
Path: TypeAlias = Annotated[str, at_most(MAX_PATH)]
Code: TypeAlias = Annotated[str, at_most(6 * MAX_CODE)]
Names: TypeAlias = Annotated[list[Text], at_most(MAX_MECHANISMS)]
Natural: TypeAlias = Annotated[int, lambda value: value >= 0]

# --- words ---

BUILTINS = ("dict", "len", "list", "max", "min", "repr", "set", "sorted", "str", "sum", "tuple")
