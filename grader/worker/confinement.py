"""Confine the worker, and test the confinement.

The judge decides what the worker may do, and its first message says so. This file carries that out
step by step and reports each step that fails. No failure is fatal, because the judge decides what a
weaker confinement means. The file is loaded by path and imports only the standard library.
"""

from __future__ import annotations

import errno
import os
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeAlias

from . import limits
from .protocol import Confine, Ready

SIGKILL = 9
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
SECCOMP_MODE_FILTER = 2
LANDLOCK_RESTRICT_SELF = 446
WITHOUT_LOG = 1  # a learner's attempt to write a file need not appear in the machine's log

IPV4, IPV6, UNIX, STREAM, DATAGRAM = 2, 10, 1, 1, 2


def confine(asked: Confine) -> Ready:
    """Set the limits, carry out the judge's plan and test it. Return the active mechanisms, the
    missing ones, and the holes found.
    """
    tried = limits.apply() if asked.most > 0 else {}  # each mechanism and its problem, if any
    library: Any = None  # the C library
    if sys.platform == "linux" and asked.most > 0:
        try:
            import ctypes  # not every Python has it

            library = ctypes.CDLL(None)
        except ImportError:
            tried["sandbox"] = "sandbox: this Python has no _ctypes"
    for path in asked.needed:
        remember(path)
    if asked.most > 2:
        tried["another user"] = become(asked.user, asked.needed)
    if library is not None:
        library.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
        library.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
        if os.getppid() != asked.judge:  # it died in the meantime
            os._exit(0)
        library.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if asked.ruleset >= 0:
        flags = WITHOUT_LOG if asked.quiet else 0
        done = (
            library is not None
            and library.syscall(LANDLOCK_RESTRICT_SELF, asked.ruleset, flags) == 0
        )
        os.close(asked.ruleset)
        tried["Landlock"] = "" if done else "Landlock: refused by the kernel"
    if asked.program:
        name = "seccomp" if asked.most > 1 else "limit: processes"
        done = library is not None and install_filter(library, asked.program)
        tried[name] = "" if done else f"{name}: seccomp refused by the kernel"
        if done:
            tried["limit: processes"] = ""
    return Ready(
        [name for name, problem in tried.items() if not problem],
        [problem for problem in tried.values() if problem],
        holes(library, asked.most, asked.judge, *asked.probes),
    )


def install_filter(library: Any, program: bytes) -> bool:
    """Install a filter for system calls. Return whether it worked."""
    import ctypes

    held = ctypes.create_string_buffer(program, len(program))
    described = struct.pack("HP", len(program) // 8, ctypes.addressof(held))
    return library.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, described) == 0  # type: ignore[no-any-return]


def remember(path: str) -> None:
    """Make Python list a package's folder now, because it cannot be opened later.

    `importlib.invalidate_caches()` would drop that list, so it is disabled for this folder.
    """
    from _frozen_importlib_external import PathFinder

    folder = path.rpartition("/")[0]
    PathFinder.find_spec("?", [folder])
    if (finder := sys.path_importer_cache.get(folder)) is not None:
        finder.invalidate_caches = list  # type: ignore[attr-defined]


def become(user: int, needed: list[str]) -> str:
    """Switch to this user, and the group with the same number, for good.

    Return the problem, or an empty string.
    """
    groups = os.getgroups()
    try:
        os.setgroups([])
        os.setresgid(user, user, 0)
        os.setresuid(user, user, 0)
        try:
            for path in needed:
                os.close(os.open(path, os.O_RDONLY))
        except OSError as error:
            os.setresuid(0, 0, 0)
            os.setresgid(0, 0, 0)
            os.setgroups(groups)
            return f"another user: it could not read {error.filename}"
        os.setresuid(0, 0, 0)
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    except OSError as error:
        return f"another user: {error.strerror}"
    return ""


# --- canaries ---

# the highest isolation level that permits an action, its name, and a way to try it, which must
# raise an OSError or return False
Attempt: TypeAlias = tuple[int, str, Callable[[], object]]


def holes(library: Any, most: int, judge: int, secret: str, spare: str) -> list[str]:
    """Try every forbidden action, including on the judge's process.

    Return the actions that worked, each after the highest isolation level that permits it.
    """
    attempts: list[Attempt] = []
    folder = f"/proc/{judge:/>10}"  # padded to give messages equal lengths
    if most > 0 and hasattr(os, "fork"):
        # a folder is not a program, but the kernel should deny permission before it notices
        attempts += [
            (0, "start a process", start_a_process),
            (0, "run a program", lambda: is_tried(os.execv, "/", ["/"])),
        ]
    if most > 1 and library is not None:
        attempts += [
            (1, "read a hidden file", lambda: can_open(secret)),
            (1, "list a hidden folder", lambda: os.listdir(secret.rpartition("/")[0])),
            (1, "write a file", lambda: can_write(spare)),
            (1, "change a file's mode", lambda: is_tried(os.chmod, spare, 0)),
            (
                1,
                "use the network",
                lambda: any(has_socket(library, family) for family in (IPV4, IPV6, UNIX)),
            ),
            (1, "change its limits", can_set_limits),
            (1, "signal the grader", lambda: os.kill(judge, 0)),  # 0 only asks
            (1, "read the grader's memory", lambda: can_open(f"{folder}/mem")),
            (1, "read the grader's environment", lambda: can_open(f"{folder}/environ")),
            (
                1,
                "ask for the grader's memory",
                lambda: library.process_vm_readv(judge, b"", 0, b"", 0, 0) >= 0,
            ),
        ]
    if most > 2:
        attempts.append((2, "become root again", lambda: os.setresuid(0, 0, 0)))
    found: list[str] = []
    for level, name, attempt in attempts:
        with suppress(OSError, ValueError):  # the expected outcome; ValueError: a limit
            if attempt() is not False:
                found.append(f"{level} {name}")
    return found


def start_a_process() -> None:
    """Hole: start a process that could outlive this one."""
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)


def is_tried(function: Callable[..., None], *arguments: object) -> bool:
    """Return whether the kernel attempts something impossible instead of denying permission."""
    try:
        function(*arguments)
    except OSError as error:
        return error.errno != errno.EPERM
    return True


def can_open(path: str) -> None:
    """Hole: read a file that should be hidden."""
    os.close(os.open(path, os.O_RDONLY))


def can_write(path: str) -> None:
    """Hole: write a file that stays on the disk."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
    os.unlink(path)


def has_socket(library: Any, family: int) -> bool:
    """Hole: open a connection."""
    for kind in (STREAM, DATAGRAM):
        if (made := library.socket(family, kind, 0)) >= 0:
            os.close(made)
            return True
    return False


def can_set_limits() -> None:
    """Hole: raise the limits. It sets one to its current value."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, resource.getrlimit(resource.RLIMIT_CORE))
