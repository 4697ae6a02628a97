"""Make the request that imports a submission."""

from __future__ import annotations

from collections.abc import Sequence

from grader.intake.submission import Submission
from grader.judge.memory import Memory
from grader.worker import protocol


def load_request(  # noqa: PLR0913 - the parts of a request
    submission: Submission,
    memory: Memory,
    seconds: float,
    *,
    entry: str,
    names: Sequence[str],
    said: Sequence[str],
    own: Sequence[str],
    swaps: Sequence[protocol.Patch],
) -> protocol.Load:
    """Return the request that imports a submission. `said` are its own words for the `names`."""
    files = submission.files
    cells = [file for file in files if file.role == "cell"]
    return protocol.Load(
        seconds=seconds,
        files=[
            protocol.File(file.module, file.shown, file.source)
            for file in files
            if file.role != "cell"
        ],
        entry=entry,
        names=list(said),
        own=list(own),
        disabled=[name for name in memory.disabled if name in names],
        swaps=list(swaps),
        cells=[protocol.Cell(cell.shown, cell.source) for cell in cells],
        left_out=[protocol.Place(*place) for place in memory.left_out],
    )
