"""Read keys from a terminal without waiting for Enter."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import click

_SEQUENCE = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O.|.)?")  # arrows, function keys, Alt
END = ("\r", "\n", "\x04")  # Enter, or Ctrl-D

Read = Callable[[float], str]


@contextmanager
def keys() -> Iterator[Read]:
    """Yield a function that waits some seconds for a key, which arrives at once and is not shown.

    It returns as soon as there is one; without a terminal there is none. Keys that send more
    than one character, such as arrows, are ignored. Ctrl-C works as usual.
    """
    if sys.stdin is None or not sys.stdin.isatty():
        yield _wait
    elif os.name != "posix":
        yield _read_windows
    else:
        import termios
        import tty

        before = termios.tcgetattr(sys.stdin)
        tty.setcbreak(sys.stdin)
        try:
            yield partial(_read, [])
        finally:
            termios.tcsetattr(sys.stdin, termios.TCSANOW, before)


def _wait(seconds: float) -> str:
    time.sleep(seconds)
    return ""


def _read(waiting: list[str], seconds: float) -> str:
    if not waiting and select.select([sys.stdin], [], [], seconds)[0]:
        typed = os.read(sys.stdin.fileno(), 64) or _wait(seconds).encode()
        waiting += _SEQUENCE.sub("", typed.decode("ascii", "replace"))
    return waiting.pop(0) if waiting else ""


def _read_windows(seconds: float) -> str:
    import msvcrt

    end = time.monotonic() + seconds
    while not msvcrt.kbhit():  # type: ignore[attr-defined,unused-ignore]
        if time.monotonic() >= end:
            return ""
        time.sleep(0.02)  # this system cannot wait for a key
    return str(msvcrt.getwch()).replace("\r", "\n")  # type: ignore[attr-defined,unused-ignore]


def type_answer(read: Read, at_once: str) -> str | None:
    """Return a key in `at_once` as soon as it is pressed, or all text up to Enter.

    Return None at the end of the input. Show the typed text.
    """
    typed = key = ""
    while key not in END and not (len(typed) == 1 and typed.casefold() in at_once):
        key = read(1.0)
        if key in {"\b", "\x7f"}:
            click.echo("\b \b" if typed else "", nl=False)
            typed = typed[:-1]
        elif key.isprintable():
            typed += key
            click.echo(key, nl=False)
    click.echo()
    return typed if key != "\x04" else None
