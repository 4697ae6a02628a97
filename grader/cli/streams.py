"""The outputs of a command: the terminal, other programs, and files that someone named."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console

from grader.errors import GraderError, InternalError, UsageError


def repair_streams() -> None:
    """Make sure that no character stops a stream, and replace closed streams.

    Otherwise the next file to be opened would get its number, and output would go there.
    """
    # standard output is only readable so that printing raises; nobody reads the errors
    for name, mode in (("stdin", "r"), ("stdout", "r"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - stays open
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def make_console(*, stderr: bool = False) -> Console:
    """Return a console for the terminal, wide enough for a sentence.

    With NO_COLOR, nothing is bold or dim either.
    """
    console = Console(
        stderr=stderr,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=False,
    )
    if console.width < 20:
        console.width = 80
    return console


def say(text: str, head: str = "", *, stderr: bool = False) -> None:
    """Print a line for a person. In a terminal it breaks between words, below its `head`."""
    from rich.text import Text

    from grader.text import safe
    from grader.views.console import print_hanging

    console = make_console(stderr=stderr)
    if console.is_terminal:
        print_hanging(Text(head), Text(safe(text), overflow="ignore"), console)
    else:
        print(f"{head}{safe(text)}", file=console.file)


def write(text: str) -> None:
    """Print text for other programs, in UTF-8 whatever the terminal's encoding."""
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
    sys.stdout.buffer.flush()


def save(file: Path, content: str | bytes) -> None:
    """Write to a file that someone named, completely or not at all. Raise UsageError."""
    from grader.learner.files import write_whole

    if isinstance(content, str):
        content = content.encode("utf-8", "backslashreplace")
    try:
        if file.exists() and not file.is_file():  # such as /dev/stdout or a pipe
            file.write_bytes(content)
        else:
            write_whole(file, content)
    except OSError as error:
        raise UsageError(
            f"{os.fspath(file)!r} cannot be written: {error.strerror}", "name a different file"
        ) from error


def save_files(target: str, files: Mapping[str, bytes], top: str = "") -> None:
    """Write files into a folder, or into a zip below the folder `top`. Raise UsageError."""
    if target.endswith(".zip"):
        from grader.authoring.export import zipped

        save(Path(target), zipped({f"{top}{name}": files[name] for name in files}))
        return
    for name, content in files.items():
        place = Path(target, name)
        place.parent.mkdir(parents=True, exist_ok=True)
        save(place, content)


def print_refusal(error: GraderError) -> None:
    """Print a message and what to do about it, for a person."""
    say(error.message, "error: ", stderr=True)
    if error.hint:
        say(error.hint, "hint: ", stderr=True)


def failure_of_ours(error: BaseException) -> InternalError:
    """Return the error to show for an exception that nobody expected, which is the fault of the
    installation if a module is missing.
    """
    if isinstance(error, ImportError):
        from grader.curriculum.packages import REINSTALL

        return InternalError(f"the kit is incomplete: {error}", REINSTALL)
    return InternalError(
        f"the grader failed: {type(error).__name__}: {error}",
        "run it again with GRADE_DEBUG=1, and report the traceback",
    )
