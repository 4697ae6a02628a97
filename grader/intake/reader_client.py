"""Archives and notebooks, opened by a process of their own behind the worker's wall. What it
answers is checked here once more.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from grader.boundary.pool import ProcessHost
from grader.boundary.transport import Gone, Transport
from grader.errors import InternalError, SubmissionError
from grader.intake.cell_notes import bounded
from grader.intake.submission import MAX_BYTES, File
from grader.worker import protocol

MAX_PACKED = 16 << 20
READ_SECONDS = 5.0  # of processor time
ALL_SECONDS = 30.0  # of waiting, for all that is read of one submission
_MAX_MEMBERS, _MAX_CELLS, _MAX_NAME, _MAX_WHY = 2_000, 1_000, 400, 6 * 400
_LIST_BYTES, _CELLS_BYTES = 4 << 20, 12 * MAX_BYTES

Connect = Callable[[], Transport]


def start_reader() -> Transport:
    """Start a reader in a process, for whoever has no host."""
    return ProcessHost().reader()


class Member(NamedTuple):
    """A file in an archive: the name that it has there, and why it cannot be taken."""

    name: str
    trouble: str


class ReaderClient:
    """Asks a reader, which is started when it is needed first. Raises SubmissionError for what
    cannot be read; `shown` is what that is about.
    """

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._reader: Transport | None = None
        self._ends = 0.0

    def members(self, data: bytes, shown: str) -> list[Member]:
        """What may be code in an archive, which is then the one that `take` takes from."""
        answer = self._ask("members", [data], shown, _LIST_BYTES)
        if isinstance(answer, list) and len(answer) <= _MAX_MEMBERS:
            return [_member(entry) for entry in answer]
        raise _nonsense()

    def take(self, place: int, limit: int, shown: str) -> bytes:
        """What is in a member; one byte more than `limit` where there is more."""
        answer = self._ask("take", [place, limit], shown, limit + 64)
        if isinstance(answer, bytes) and len(answer) <= limit + 1:
            return answer
        raise _nonsense()

    def cells(self, data: bytes, shown: str) -> tuple[tuple[File, ...], tuple[str, ...]]:
        """The code cells of a notebook, and what was skipped in them."""
        answer = self._ask("cells", [data], shown, _CELLS_BYTES)
        if not isinstance(answer, list) or len(answer) > _MAX_CELLS:
            raise _nonsense()
        cells, skipped, counts = [], [], []
        for number, entry in enumerate(answer, 1):
            source, lines, count = _cell(entry, number)
            name = f"cell {number}"
            cells.append(File(name, name, source.encode(), "cell"))
            skipped += [
                (
                    f"{name}, line {line}: {text} is skipped"
                    if line
                    else f"{name}: {text} is skipped, with the whole cell"
                )
                for line, text in lines
            ]
            counts.append(count)
        if sum(len(cell.source) for cell in cells) > 4 * MAX_BYTES:
            raise _nonsense()
        return tuple(cells), (*bounded(skipped, "lines more are skipped"), *_told_of_order(counts))

    def _ask(
        self, command: str, arguments: list[protocol.Wire], shown: str, limit: int
    ) -> protocol.Wire:
        if self._reader is None:
            self._reader = self._connect()
            self._ends = self._ends or time.monotonic() + ALL_SECONDS
        seconds = min(READ_SECONDS, self._ends - time.monotonic())
        if seconds <= 0:
            raise SubmissionError(
                f"{shown!r} is not read: the {ALL_SECONDS:g} s for the whole submission are"
                " used up",
                _HINT,
            )
        try:
            reply = self._reader.exchange(
                [command, seconds, *arguments], 2 * seconds + 1.0, limit + 4096
            )
        except Gone as gone:
            self.close()
            raise SubmissionError(
                f"{shown!r} cannot be read: {gone.fault.message or 'the reader died of it'}", _HINT
            ) from gone
        match reply:
            case ["ok", answer]:
                return answer
            case ["refused", str(why)] if len(why) <= _MAX_WHY:
                raise SubmissionError(f"{shown!r} {why}", _HINT)
        raise _nonsense()

    def close(self) -> None:
        """End the reader, if there is one."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None


_HINT = "hand in the Python files themselves, or a notebook, a zip or a tar of them"


def _nonsense() -> InternalError:
    return InternalError(
        "the reader answered something else than it was asked", "please report it, with the file"
    )


def _member(entry: protocol.Wire) -> Member:
    match entry:
        case [str(name), str(trouble)] if len(name) <= 6 * _MAX_NAME and len(trouble) <= _MAX_WHY:
            return Member(name, trouble)
    raise _nonsense()


def _cell(entry: protocol.Wire, number: int) -> tuple[str, list[tuple[int, str]], int]:
    match entry:
        case [int(known), str(source), list(skipped), int(count)] if (
            known == number and type(count) is int
        ):
            return source, [_skipped(line) for line in skipped], count
    raise _nonsense()


def _skipped(entry: protocol.Wire) -> tuple[int, str]:
    match entry:
        case [int(line), str(text)] if type(line) is int:
            return line, text if len(text) <= 60 else f"{text[:60]}…"
    raise _nonsense()


def _told_of_order(counts: Sequence[int]) -> list[str]:
    """A note where the cells were last run in another order than they stand in."""
    last = number = 0
    for other, count in enumerate(counts, 1):
        if 0 < count < last:
            return [
                (
                    f"cell {other} was last run before cell {number}, which stands above it: the cells"  # noqa: E501
                    " are graded from top to bottom"
                )
            ]
        last, number = (count, other) if count else (last, number)
    return []
