"""Write the program that limits a worker's system calls (seccomp-BPF). The judge writes it, and the
worker installs it.

It is a list of allowed calls. Other calls fail but do not kill, because a harmless program may try
one. Each worker gets its own program, which lets it send signals only to itself.
"""

from __future__ import annotations

import platform
import struct
import sys
from collections.abc import Sequence
from functools import cache

from grader.boundary import syscalls

_X32 = 0x40000000  # set in call numbers of another ABI of this architecture

_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in the data that the program reads
# BPF instructions
_LOAD, _AND, _IF_EQUAL, _IF_AT_LEAST, _RETURN = (0x20, 0x54, 0x15, 0x35, 0x06)
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_NOT_PERMITTED, _NO_SUCH_CALL, _NOT_A_TERMINAL = 0x00050000 | 1, 0x00050000 | 38, 0x00050000 | 25

_THREAD = 0x00010000
_NEW_NAMESPACES = 0x7E020000 | 0x00000080  # cgroup, uts, ipc, user, pid, net; mount; time
_FCNTL = (0, 1, 2, 3, 4, 1030)  # duplicate, get and set flags; not the owner or number of a signal
# terminal check, its size, bytes to read, (non-)blocking, close on exec
_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
_PRCTL = (15, 16)  # the thread's name
_MADVISE = tuple(range(26))  # without poisoning a page of memory, which root could do

Instruction = tuple[int, int, int, int]


def machine() -> str | None:
    """Return this machine's architecture, or None if its system calls are not known here."""
    name, is_wide = platform.machine(), struct.calcsize("P") == 8
    return name if sys.platform == "linux" and is_wide and name in syscalls.MACHINES else None


def sandbox(kind: str, process: int) -> bytes:
    """Return the program for level 2 and above. It allows computing, threads, the files that
    Landlock grants and answers to the judge, and nothing else.
    """
    calls = syscalls.checked(kind)
    tables = {
        "clone": _check(0, [_THREAD], mask=_THREAD | _NEW_NAMESPACES),
        "kill": _check(0, [process]),
        "tgkill": _check(0, [process]),
        "fcntl": _check(1, _FCNTL),
        "ioctl": _check(1, _IOCTL, otherwise=_NOT_A_TERMINAL),
        "prctl": _check(0, _PRCTL),
        "prlimit64": [*_zero_or_refuse(2), *_zero_or_refuse(2, high=True), (_RETURN, 0, 0, _ALLOW)],
        "madvise": _check(2, _MADVISE),
    }
    program = _prelude(kind, other_abi=_NO_SUCH_CALL)
    for name, block in tables.items():
        program += [(_IF_EQUAL, 0, len(block), calls[name]), *block]
    return _assembled(program) + _same_for_all(kind)


@cache
def _same_for_all(kind: str) -> bytes:
    """Return the end of the program: the calls whose arguments do not matter."""
    actions = dict.fromkeys(syscalls.allowed(kind).values(), _ALLOW)
    actions |= dict.fromkeys(syscalls.refused(kind).values(), _NOT_PERMITTED)
    program = [step for number, action in actions.items() for step in _when(number, action)]
    return _assembled([*program, (_RETURN, 0, 0, _NO_SUCH_CALL)])


def no_children(kind: str) -> bytes:
    """Return the program for level 1, which forbids new processes and other programs."""
    clone = _check(0, [_THREAD], mask=_THREAD | _NEW_NAMESPACES)
    others = [
        step
        for name, number in syscalls.refused(kind).items()
        if name in {"fork", "vfork", "execve", "execveat"}
        for step in _when(number, _NOT_PERMITTED)
    ]
    program = [
        *_prelude(kind, other_abi=_NOT_PERMITTED),
        (_IF_EQUAL, 0, len(clone), syscalls.checked(kind)["clone"]),
        *clone,
        *others,
        # a filter cannot see the flags of clone3 (435); libraries fall back to `clone`
        *_when(435, _NO_SUCH_CALL),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return _assembled(program)


def _prelude(kind: str, other_abi: int) -> list[Instruction]:
    """Reject other architectures, because a call's number depends on the architecture."""
    return [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_IF_EQUAL, 1, 0, syscalls.MACHINES[kind]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_IF_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, other_abi),
    ]


def _when(number: int, action: int) -> list[Instruction]:
    return [(_IF_EQUAL, 0, 1, number), (_RETURN, 0, 0, action)]


def _check(
    argument: int, values: Sequence[int], mask: int = 0xFFFFFFFF, otherwise: int = _NOT_PERMITTED
) -> list[Instruction]:
    """Allow a call if this argument is one of `values`. Only its lower 32 bits are compared,
    because the kernel ignores the upper half for these calls.
    """
    loads = [(_LOAD, 0, 0, _ARGUMENTS + 8 * argument), (_AND, 0, 0, mask)]
    tests = [step for value in values for step in _when(value, _ALLOW)]
    return [*loads, *tests, (_RETURN, 0, 0, otherwise)]


def _zero_or_refuse(argument: int, *, high: bool = False) -> list[Instruction]:
    return [
        (_LOAD, 0, 0, _ARGUMENTS + 8 * argument + 4 * high),
        (_IF_EQUAL, 1, 0, 0),
        (_RETURN, 0, 0, _NOT_PERMITTED),
    ]


def _assembled(program: Sequence[Instruction]) -> bytes:
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
