"""Make the request that imports a submission."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grader.worker import protocol

if TYPE_CHECKING:
    from grader.judge.session import Session


def load_request(
    session: Session, seconds: float, swaps: Sequence[protocol.Patch]
) -> protocol.Load:
    """Return the request that imports the submission of a session."""
    files, memory = session.submission.files, session.memory
    cells = [file for file in files if file.role == "cell"]
    return protocol.Load(
        seconds=seconds,
        files=[
            protocol.File(file.module, file.shown, file.source)
            for file in files
            if file.role != "cell"
        ],
        entry=session.module,
        names=session.dialect.names(session.names),
        own=list(session.own),
        disabled=[name for name in memory.disabled if name in session.names],
        swaps=list(swaps),
        cells=[protocol.Cell(cell.shown, cell.source) for cell in cells],
        left_out=[protocol.Place(*place) for place in memory.left_out],
    )
