"""Plan the isolation of a worker, and record how much of it the worker has proved.

    0  a separate process
    1  limits: memory, processor time, files, no other process
    2  a sandbox: no file beyond the standard library, no network, no access to other processes
    3  the same, as another user

The judge makes the plan. Before the worker receives a byte of the submission, it carries out the
plan on itself and tries every action that should now fail. Its answer can only lower the level.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import gettempdir

from grader.boundary import landlock, seccomp
from grader.conditions import Isolation
from grader.errors import IsolationError
from grader.worker import protocol, wire

MOST = 3
LIMITS = ("memory", "cpu", "files", "core")
# systemd assigns these ids to services while they run; nobody else uses them
_FIRST_USER, _USERS = (61184, 4096)

_NEEDED = {  # mechanisms that a worker needs for each level
    1: {*(f"limit: {name}" for name in LIMITS), "limit: processes"},
    2: {"Landlock", "seccomp"},
    3: {"another user"},
}


@dataclass(frozen=True)
class Plan:
    """The isolation of one worker: the highest level it can reach, the known gaps, and the ruleset
    that it inherits.
    """

    most: int
    missing: tuple[str, ...]
    abi: int = 0
    ruleset: int | None = None
    readable: tuple[str, ...] = ()
    secret: str = ""

    def request(self, process: int) -> protocol.Confine:
        """Return the message that says how the worker with this process id must isolate itself."""
        program = b""
        if (kind := seccomp.machine()) and self.most > 0:
            program = seccomp.sandbox(kind, process) if self.most > 1 else seccomp.no_children(kind)
        user = _FIRST_USER + process % _USERS if self.most > 2 else 0
        return protocol.Confine(
            self.most,
            os.getpid(),
            user,
            needed=[os.__file__, *self.readable],
            ruleset=-1 if self.ruleset is None else self.ruleset,
            quiet=self.abi >= landlock.MOST,
            program=program,
            probes=[self.secret, str(_spare(process))],
        )

    def clean_up(self, process: int) -> None:
        """Remove the file that this worker tried to make, in case it could make it but not remove
        it.
        """
        with suppress(OSError):
            _spare(process).unlink()

    def isolation(self, greeting: protocol.Wire) -> Isolation:
        """Return the isolation that the worker has proved. Raise WireError if the greeting is
        malformed.
        """
        in_force, missing, holes = wire.read(protocol.Ready, greeting)
        level = 0
        while level < self.most and _NEEDED[level + 1] <= set(in_force):
            level += 1
        level = min([level, *(int(hole[:1]) if hole[:1].isdigit() else 0 for hole in holes)])
        named = [f"Landlock (ABI {self.abi})" if name == "Landlock" else name for name in in_force]
        leaks = [f"a canary: it could {hole[2:]}" for hole in holes]
        return Isolation(level, ("own process", *named), (*missing, *leaks, *self.missing))


def plan(most: int = MOST, readable: Sequence[str] = (), secret: str = __file__) -> Plan:
    """Return the best plan for this machine, up to level `most`, for a worker that may also read
    the files in `readable`.

    `secret` is a file that a worker at level 2 tries to read and must not be able to.
    """
    if most < 2:
        return Plan(
            most, ("sandbox: not requested" if most else "limits and sandbox: not requested",)
        )
    missing, abi, ruleset = list[str](), landlock.abi(), None
    with suppress(OSError):  # `/proc` is not mounted
        ruleset = _ruleset(tuple(readable), abi)
    if ruleset is None:
        missing.append(
            "Landlock: this kernel does not support it, or /proc is not mounted"
            if sys.platform == "linux"
            else f"sandbox: not available on {sys.platform}"
        )
    if sys.platform == "linux" and seccomp.machine() is None:
        missing.append("seccomp: the system calls of this processor are unknown")
    if most < 3:
        missing.append("another user: not requested")
    elif not hasattr(os, "geteuid") or os.geteuid() != 0:
        missing.append("another user: the grader was not started as root")
        most = 2
    return Plan(
        most, tuple(missing), abi if ruleset is not None else 0, ruleset, tuple(readable), secret
    )


def check_level(found: Isolation, required: int) -> None:
    """Raise IsolationError if this isolation is below the required level."""
    if found.level < required:
        raise IsolationError(
            f"isolation {required} is required, but this machine offers only {found.level}",
            f"missing here: {'; '.join(found.missing)}",
        )


@cache
def _ruleset(readable: tuple[str, ...], abi: int) -> int | None:
    """Return the ruleset, made once for all workers because making it takes longer than the rest of
    a start.
    """
    paths = [*landlock.standard_library(), *map(landlock.everything_below, readable)]
    return landlock.ruleset(paths, abi)


def _spare(process: int) -> Path:
    """Return the path of a file that the worker tries to make.

    The name has the same length for every process, so the worker's memory has the same layout in
    every run.
    """
    try:
        folder = gettempdir()
    except FileNotFoundError:  # the judge cannot write to any
        folder = os.sep
    return Path(folder, f"grade-canary-{process:010}")
