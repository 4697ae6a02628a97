"""Convert a worker's answers to the judge's own types.

`protocol` has already checked their types and sizes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Union

from grader.intake.run_notes import RunNote
from grader.intake.submission import Submission
from grader.judge.excerpt import cut_out
from grader.judge.script.steps import Step
from grader.model import Fault, Frame, Kind
from grader.worker import protocol
from grader.worker.protocol import UnexpectedType

Answer = Union[float, int, bool, str, None, list["Answer"], "Array", UnexpectedType]


@dataclass(frozen=True)
class Array:
    """An array: the length of each axis, and all numbers, the last axis fastest.

    A single number has no axis.
    """

    shape: tuple[int, ...]
    numbers: tuple[float, ...]


def note_of(note: protocol.CellNote) -> RunNote:
    """Return a note on a cell, the same in every run."""
    return RunNote(note.cell, note.how, note.line, note.type_name, same_every_time(note.message))


def fault_of(raised: protocol.Raised, submission: Submission) -> Fault:
    """Return an exception of the learner's code as a fault.

    Raise WireError for a frame in another file.
    """
    return Fault(
        Kind(raised.how),
        raised.type_name,
        tuple(raised.bases),
        same_every_time(raised.message),
        tuple(_frame_of(frame, submission) for frame in raised.frames),
        raised.blamed,
        raised.meant,
    )


def line_of(  # noqa: PLR0913, PLR0917 - as it crosses, and the last of several lines
    submission: Submission, file: str, line: int, function: str, text: str = "", last: int = 0
) -> Frame | None:
    """Return a line of a submitted file, or all lines until the `last` one; None for any other
    file. `text` is the exception's own copy of it.
    """
    source = next((each.source for each in submission.files if each.shown == file), None)
    if source is None:
        return None
    excerpt = cut_out(source, line, last)
    return Frame(file, line, function, text or dict(excerpt).get(line, "").strip(), excerpt, last)


def _frame_of(frame: protocol.Frame, submission: Submission) -> Frame:
    if (found := line_of(submission, *frame)) is None:
        raise protocol.WireError("a frame of another file")
    return found


def same_every_time(text: str) -> str:
    """Remove everything that differs from run to run: addresses, also in decimal as `id` returns
    them, and the folder of a module.
    """
    text = re.sub(r"\b0x[0-9a-fA-F]{4,}", "0x…", text)
    text = re.sub(r"(cannot import name '\w+' from '\w+') \(.*\)$", r"\1", text)
    # an address is a multiple of 16
    return re.sub(r"(?<![\d.])\d{13,15}(?![\d.])", lambda n: n[0] if int(n[0]) % 16 else "…", text)


def answer_of(step: Step, answer: Any) -> Answer:
    """Return a checked answer as the judge's own type."""
    match step.form, answer:
        case "array", (shape, numbers):
            return Array(tuple(shape), tuple(numbers))
        case "text", str():
            return same_every_time(answer)
    return answer  # type: ignore[no-any-return]
