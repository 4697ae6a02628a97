"""Control which files a worker may open, with a Landlock ruleset that the judge makes and the
worker applies to itself.

Landlock rules only grant. A ruleset lists the rights that it controls, here every right that the
kernel knows; each rule grants some of them below one file or folder.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

MOST = 7  # newest ABI supported here
_CREATE, _ADD_RULE = 444, 445  # the same numbers on every architecture
_VERSION = 1  # flag: return the ABI and make nothing
_BENEATH = 1  # a rule for a path

_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
# rights on files, by the ABI that introduced them
_FILES = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
_TCP = 3  # bind, connect
_SCOPES = 3  # abstract sockets, signals


def abi() -> int:
    """Return the newest ABI that both the kernel and this file support; 0 if Landlock is not
    available.
    """
    found = _syscall(_CREATE, None, 0, _VERSION) if sys.platform == "linux" else 0
    return min(MOST, max(0, found))


def ruleset(readable: Iterable[tuple[str, int]], version: int) -> int | None:
    """Return the descriptor of a ruleset that grants only these rights to these paths, or None if
    it cannot be made. Skip paths that cannot be opened.
    """
    files = max(rights for since, rights in _FILES.items() if since <= version) if version else 0
    fields = [files] + [_TCP] * (version >= 4) + [_SCOPES] * (version >= 6)
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    made = _syscall(_CREATE, attributes, len(attributes), 0) if version else -1
    if made < 0:
        return None
    for path, rights in readable:
        with suppress(OSError):
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
            _syscall(_ADD_RULE, made, _BENEATH, struct.pack("=Qi", rights & files, descriptor), 0)
            os.close(descriptor)
    return made


def _syscall(number: int, *arguments: object) -> int:
    call = ctypes.CDLL(None).syscall
    call.restype = ctypes.c_long
    return int(
        call(
            ctypes.c_long(number),
            *(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments),
        )
    )


# --- what an interpreter needs ---

# libraries that modules of the standard library and packages load but may not bundle
_LIBRARIES = (
    "libbz2.so.1.0", "libbz2.so.1", "libcrypto.so.1.1", "libcrypto.so.3", "libexpat.so.1",
    "libffi.so.6", "libffi.so.7", "libffi.so.8", "libgcc_s.so.1", "libgfortran.so.5",
    "liblzma.so.5", "libm.so.6", "libmpdec.so.2", "libmpdec.so.3", "libmpdec.so.4",
    "libpthread.so.0", "libquadmath.so.0", "libdl.so.2", "librt.so.1", "libsqlite3.so.0",
    "libssl.so.1.1", "libssl.so.3", "libstdc++.so.6", "libutil.so.1", "libuuid.so.1",
    "libz.so.1"
)  # fmt: skip
_INSTALLED = {"site-packages", "dist-packages"}


def standard_library() -> list[tuple[str, int]]:
    """Return rules for reading the standard library.

    Its folder may also hold installed packages, so each entry gets its own rule. The worker cannot
    list the folder, because a right to list would also cover everything in it; the interpreter has
    listed it before.
    """
    top = Path(os.__file__).parent
    version = f"{sys.version_info[0]}{sys.version_info[1]}"
    platform = Path(sys.base_exec_prefix, sys.platlibdir, top.name, "lib-dynload")
    paths = [entry.path for entry in os.scandir(top) if entry.name not in _INSTALLED]
    rules = [
        everything_below(path)
        for path in [*paths, str(platform), str(top.with_name(f"python{version}.zip"))]
    ]
    return [
        *rules,
        *_shared_libraries(),
        (os.devnull, _READ_FILE | _WRITE_FILE),
        ("/dev/urandom", _READ_FILE),
    ]


def everything_below(folder: str) -> tuple[str, int]:
    """Return the rule for reading a folder and everything in it, or a file."""
    return folder, _READ_FILE | _READ_DIR if Path(folder).is_dir() else _READ_FILE


def _shared_libraries() -> list[tuple[str, int]]:
    mapped = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines()
    paths = {line.split(maxsplit=5)[-1] for line in mapped if ".so" in line}
    here = {
        str(Path(path).parent)
        for path in paths
        if Path(path).name.startswith(("libc.", "libc-", "ld-musl"))
    }
    folders = here | {f"/usr{folder}" for folder in here} | {str(Path(sys.base_prefix, "lib"))}
    rules = [(f"{folder}/{name}", _READ_FILE) for folder in sorted(folders) for name in _LIBRARIES]
    return [*rules, ("/etc/ld.so.cache", _READ_FILE)]
