"""Set the worker's limits before it receives a byte of the submission.

A limit that cannot be set is reported, but never fatal, because the judge decides what it means.
The channels to the judge move to descriptors that a submission will not use by accident. The file
is loaded by path and imports only the standard library.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, BinaryIO

leave = os._exit  # whatever the learner's code does to `os`
MEMORY = 512 * 1024 * 1024
CPU_SECONDS = 60
OPEN_FILES = 32


def apply() -> dict[str, str]:
    """Set the limits. Return the name of each one, and the name again if it does not hold, or an
    empty string.
    """
    wanted: dict[str, dict[str, tuple[int, int]]] = {
        "memory": {"RLIMIT_AS": (MEMORY, MEMORY)},
        # The soft limit's signal identifies this cause. If both limits were equal, the kernel would
        # just kill the process.
        "cpu": {"RLIMIT_CPU": (CPU_SECONDS, CPU_SECONDS + 5)},
        "files": {"RLIMIT_FSIZE": (0, 0), "RLIMIT_NOFILE": (OPEN_FILES, OPEN_FILES)},
        "core": {"RLIMIT_CORE": (0, 0)},
    }
    return {
        f"limit: {name}": "" if _set(limits) else f"limit: {name}"
        for name, limits in wanted.items()
    }


def _set(limits: dict[str, tuple[int, int]]) -> bool:
    """Lower these limits, never above their current values.

    Return whether all of them hold from now on.
    """
    # the kernel accepts the limit but does not enforce it
    if sys.platform == "darwin" and "RLIMIT_AS" in limits:
        return False
    try:
        import resource

        for name, (soft, hard) in limits.items():
            _, most = resource.getrlimit(getattr(resource, name))
            both = (
                (soft, hard)
                if most == resource.RLIM_INFINITY
                else (min(soft, most), min(hard, most))
            )
            resource.setrlimit(getattr(resource, name), both)
    except (ImportError, OSError, ValueError):  # ImportError: Windows
        return False
    return True


def private_channels() -> tuple[int, int]:
    """Move the request and reply pipes away from descriptors 0 and 1.

    Anything the learner prints goes to 2.
    """
    requests, replies = os.dup(0), os.dup(1)
    null = os.open("nul" if sys.platform == "win32" else "/dev/null", os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    if sys.platform == "win32":
        import msvcrt

        for channel in (requests, replies):
            msvcrt.setmode(channel, os.O_BINARY)
    print_line_by_line()
    return requests, replies


def print_line_by_line() -> None:
    """Pass on each printed line at once, so a report can show the output before a hang."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)  # type: ignore[union-attr]


def flush(streams: Iterable[Any]) -> None:
    """Pass on what was printed so far."""
    for stream in streams:
        with suppress(OSError, ValueError):  # the learner's code has closed it
            stream.flush()


def read_exactly(stream: BinaryIO, size: int) -> bytes:
    """Return exactly `size` bytes. End the process if the judge has gone."""
    data = stream.read(size)
    if len(data) < size:
        leave(0)
    return data


def write_all(
    channel: int, data: bytes, write: Callable[[int, memoryview], int] = os.write
) -> None:
    """Write all the bytes, in as many pieces as necessary."""
    rest = memoryview(data)
    while rest:
        rest = rest[write(channel, rest) :]
