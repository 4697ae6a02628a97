"""Run the command line: in this process, which has imported it, or as a process of its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess
from unittest.mock import patch

from grader.cli import app

GRADE = [sys.executable, "-c", "from grader.cli.app import main; main()"]


def run(
    *args: str | Path, cwd: str | Path = ".", typed: str = "", **environment: str
) -> CompletedProcess[str]:
    """Return a command's exit code and output, as `start` does, without starting a process."""
    words, out, err = list(map(str, args)), _stream(), _stream()
    with (
        _in_folder(cwd),
        patch.dict(os.environ, environment),
        patch.object(tempfile, "tempdir", os.environ.get("TMPDIR")),
        patch.object(sys, "argv", ["grade", *words]),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode()), "utf-8")),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        code = app.run(words)
    return _checked(CompletedProcess(words, code, _written(out), _written(err)))


def start(
    *args: str | Path, program: Sequence[str] = GRADE, typed: str = "", **environment: str
) -> CompletedProcess[str]:
    """Return the exit code and output of the real command, as a person would start it. Fail if it
    shows a traceback.
    """
    done = subprocess.run(
        [*program, *args],
        input=typed,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )
    return _checked(done)


def _checked(done: CompletedProcess[str]) -> CompletedProcess[str]:
    printed = done.stdout + done.stderr
    assert "Traceback" not in printed, printed
    assert "INTERNALERROR" not in printed, printed
    return done


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)


def _written(stream: io.TextIOWrapper) -> str:
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()


@contextmanager
def _in_folder(folder: str | Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
