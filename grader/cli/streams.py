"""Watch standard output: a failure to write raises OutputError, whoever prints.

The system does not name the file that cannot be written, so elsewhere the failure would look like
any other file error, and rich would end the process.
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
    """Raise OutputError if writing to standard output fails in this context."""
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
    """Make standard output raise OutputError, and let no character stop a stream.

    A closed stream is replaced. Otherwise the next file to be opened would get its number, and
    output would go there.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123 - stays open as long as the process
    if sys.stdout is None:
        sys.stdout = open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123 - read-only, so that printing raises
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - nobody reads it
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
        sys.__stdout__ = sys.stdout  # type: ignore[misc] # used to find the terminal's width
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors="backslashreplace")
