"""What the worker takes away from itself before it sees a byte of the submission. Standard library
only, loaded by path.

Each limit that cannot be set is reported, never fatal: the judge decides what a report with less
says. The channels to the judge leave the descriptors where a submission would meet them by chance.
"""

from __future__ import annotations

import builtins
import sys

try:  # what `os` is made of: to import that would take a tenth of the worker's start
    import posix as os
except ImportError:
    import nt as os  # type: ignore[no-redef]

# a private copy: a submission that overwrites a built-in breaks its own code only
globals()["__builtins__"] = dict(vars(builtins))

TYPE_CHECKING = False  # importing typing would cost the worker a third of its start-up
if TYPE_CHECKING:
    from collections.abc import Callable


leave = os._exit
MEMORY = 512 * 1024 * 1024
CPU_SECONDS = 60
OPEN_FILES = 32


def apply() -> tuple[list[str], list[str]]:
    """Set the limits; the names of those in force and of those that are missing."""
    wanted: dict[str, dict[str, tuple[int, int]]] = {
        "memory": {"RLIMIT_AS": (MEMORY, MEMORY)},
        # The soft limit's signal can be told from any other end; where both limits are the same,
        # the kernel just kills.
        "cpu": {"RLIMIT_CPU": (CPU_SECONDS, CPU_SECONDS + 5)},
        "files": {"RLIMIT_FSIZE": (0, 0), "RLIMIT_NOFILE": (OPEN_FILES, OPEN_FILES)},
        "core": {"RLIMIT_CORE": (0, 0)},
    }
    in_force: list[str] = []
    missing: list[str] = []
    for name, limits in wanted.items():
        (in_force if _set(limits) else missing).append(f"limit: {name}")
    return in_force, missing


def _set(limits: dict[str, tuple[int, int]]) -> bool:
    """Lower these limits, none above what it is already; whether all of them hold from now on."""
    if (
        sys.platform == "darwin" and "RLIMIT_AS" in limits
    ):  # the kernel accepts it and does not keep it
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
    """Take the request and reply pipes away from descriptors 0 and 1; what the learner prints goes
    to 2.
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
    for stream in (sys.stdout, sys.stderr):  # line by line: what is printed before a hang is told
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)  # type: ignore[union-attr]
    return requests, replies


def read_exactly(channel: int, size: int, read: Callable[[int, int], bytes] = os.read) -> bytes:
    """That many bytes; ends the process when the judge has gone."""
    parts = []
    while size:
        part = read(channel, size)
        if not part:
            leave(0)
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def write_all(
    channel: int, data: bytes, write: Callable[[int, memoryview], int] = os.write
) -> None:
    """All the bytes, in as many pieces as it takes."""
    rest = memoryview(data)
    while rest:
        rest = rest[write(channel, rest) :]
