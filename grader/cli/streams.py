"""Standard output, watched: what cannot be written is an `OutputError`, whoever prints.

The system does not say which file could not be written, so elsewhere it would look like any other
error of a file; and rich ends the process.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from grader.errors import OutputError


@contextmanager
def checked_output() -> Iterator[None]:
    """Around what writes to standard output. Raises OutputError."""
    try:
        yield
    except BrokenPipeError as error:
        raise OutputError("") from error
    except OSError as error:
        raise OutputError(error.strerror or "standard output is closed") from error


class _Watched(io.TextIOWrapper):
    def write(self, text: str) -> int:
        with checked_output():
            return super().write(text)

    def flush(self) -> None:
        with checked_output():
            super().flush()


def watch_streams() -> None:
    """Let standard output tell what it cannot write, and no character stop a stream. A closed
    stream gets a stand-in.

    Its number would else be that of the next file that is opened, and what is printed would go
    there.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123 - as long as the process
    if sys.stdout is None:
        sys.stdout = open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123 - only to be read: what is printed is refused
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - nobody is told
    if isinstance(sys.stdout, io.TextIOWrapper):
        old = sys.stdout
        encoding, at_once, unbuffered = old.encoding, old.line_buffering, old.write_through
        sys.stdout = _Watched(
            old.detach(),
            encoding,
            "backslashreplace",
            line_buffering=at_once,
            write_through=unbuffered,
        )
        sys.__stdout__ = sys.stdout  # type: ignore[misc] # where the width of the terminal is asked for
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors="backslashreplace")
