"""Open archives and notebooks in a separate process, and check its answers again."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from grader.boundary import replies
from grader.boundary.transport import Gone, Transport
from grader.errors import InternalError, SubmissionError
from grader.intake.run_notes import bounded
from grader.intake.submission import File, refuse_large
from grader.worker import protocol
from grader.worker.protocol import CellSource

MAX_PACKED = 64 << 20
MAX_NOTEBOOK = 16 << 20
READ_SECONDS = 5.0  # of processor time
ALL_SECONDS = 30.0  # of waiting, for everything in one submission

Connect = Callable[[], Transport]


def start_reader() -> Transport:
    """Start a reader in a process, for callers without a host."""
    from grader.boundary.pool import ProcessHost

    return ProcessHost().worker()


class ReaderClient:
    """Sends requests to a reader, started with the first one. Raise SubmissionError if something
    cannot be read; `shown` is its name in the message.
    """

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._reader: Transport | None = None
        self._ends = 0.0

    def cells(self, data: bytes, shown: str) -> tuple[tuple[File, ...], tuple[str, ...]]:
        """Return a notebook's code cells, and notes on skipped lines and their order."""
        refuse_large(data, shown, MAX_NOTEBOOK)
        found: list[CellSource] = self.ask(shown, protocol.Cells, data)
        cells, skipped = [], []
        for number, (source, lines, _) in enumerate(found, 1):
            name = f"cell {number}"
            written = [match[1] for _, text in lines if (match := _WRITTEN.match(text))]
            module = ".".join("".join(written).split("/")) or name
            cells.append(File(module, name, source.encode(), "cell"))
            for line, text in lines[len(written) :]:
                what = text if len(text) <= 60 else f"{text[:60]}…"
                skipped.append(
                    f"{name}, line {line}: {what} is skipped"
                    if line
                    else f"{name} is skipped because of {what}"
                )
        notes = bounded(skipped, "more lines are skipped")
        return tuple(cells), (*notes, *_note_on_order([count for *_, count in found]))

    def ask(self, shown: str, kind: Callable[..., protocol.Asked], *fields: object) -> Any:
        """Return the content of the answer to a request of this kind. `Take` is about the archive
        whose `Members` were asked for last.
        """
        if self._reader is None:
            self._reader, self._ends = self._connect(), time.monotonic() + ALL_SECONDS
        seconds = min(READ_SECONDS, self._ends - time.monotonic())
        if seconds <= 0:
            raise SubmissionError(
                f"{shown!r} was not read, because reading the submission took longer than"
                f" {ALL_SECONDS:g} s",
                HAND_IN_CODE,
            )
        try:
            answer = replies.ask(self._reader, kind(seconds, *fields), 2 * seconds + 1.0)
        except Gone as gone:
            raise SubmissionError(
                f"{shown!r} cannot be read: {gone.fault.message or 'the reader crashed'}",
                HAND_IN_CODE,
            ) from gone
        except protocol.WireError as error:
            raise InternalError(
                "the reader sent an invalid answer", "please report it and attach the file"
            ) from error
        match answer:
            case protocol.Done(content):
                return content
            case protocol.Fault(_, raised):
                refused = (
                    raised.message
                    if raised.type_name == "Refused"
                    else "cannot be read; it may be damaged or incomplete"
                )
                why = {
                    "timeout": "takes too long to read",
                    "memory": "takes too much memory to read",
                }.get(raised.how, refused)
                raise SubmissionError(f"{shown!r} {why}", HAND_IN_CODE)

    def close(self) -> None:
        """End the reader, if it was started."""
        if self._reader is not None:
            self._reader.close()


_WRITTEN = re.compile(r"%%(?:write)?file\s+(?:-a\s+)?[\"']?(?:\./|/content/)?([\w/]+)\.py\b")
HAND_IN_CODE = "hand in the Python files or a notebook, or a zip or tar of them"


def _note_on_order(counts: Sequence[int]) -> list[str]:
    """Return a note if the cells were last run in a different order."""
    run = [(number, count) for number, count in enumerate(counts, 1) if count > 0]
    notes = [
        f"cell {other} was last run before cell {number} above it, but the cells are graded from"
        " top to bottom"
        for (number, last), (other, count) in pairwise(run)
        if count < last
    ]
    return notes[:1]
