"""Helpers for tests that start a session or a process, besides the fixtures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from grader.judge.session import Session

NAMES = ("Value", "Value.__add__", "Value.__mul__", "Value.backward")

Begin = Callable[..., Session]


def descriptors() -> set[str]:
    """Return the open file descriptors of this process.

    Fewer than before is no mistake: a browser may end its idle connections to a server of ours.
    """
    return {entry.name for entry in Path("/dev/fd").iterdir() if entry.exists()}
