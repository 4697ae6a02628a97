"""List an archive's members and unpack them one by one, in memory.

Nothing is written to disk, and a member's size is the number of bytes that come out, no matter what
the archive claims. The worker loads this file by path; it imports only the standard library.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from .bounds import MAX_FOLDERS, MAX_MEMBERS, MAX_NAME, TOOLS
from .protocol import Member

_FORMAT, _REGULAR = 0o170000, 0o100000  # bits of a file's mode, as in `stat`
_ENDINGS = r"(?i)\.(py|ipynb(\.txt|\.json)?|(tar\.(gz|bz2|xz))|zip|t(ar|gz|bz2|xz))\Z"
_QUIET = {"__MACOSX", "__pycache__", ".ipynb_checkpoints"}  # in many archives, and not worth a note


class Refused(Exception):
    """Raised with the reason why a file cannot be read."""


def members(data: bytes) -> list[tuple[Member, Any]]:
    """Return the possible code files in a zip or a tar, each with a function that opens it, and
    finally, with a `/` at the end and None, the skipped folders of tools.
    """
    found: list[tuple[Member, Any]] = []
    skipped: set[str] = set()
    for name, trouble, unpack in _files(data):
        folders = [part for part in re.split(r"[\\/]", name)[:-1] if part.strip(".")]
        is_code = re.search(_ENDINGS, name) and len(name) <= MAX_NAME
        tools = [each for each in folders if each[0] == "." or each.lower() in TOOLS]
        if is_code and tools:
            skipped.add(tools[0])
        elif is_code and len(folders) <= MAX_FOLDERS:
            found.append((Member(name, trouble), unpack))
    if noted := sorted(skipped - _QUIET):
        found.append((Member(f"{', '.join(noted)[:MAX_NAME]}/", ""), None))
    if len(found) > MAX_MEMBERS:
        raise Refused(f"has more than {MAX_MEMBERS} code files")
    return found


def _files(data: bytes) -> Iterator[tuple[str, str, Callable[[], Any]]]:
    """Yield the name of each file, why it cannot be taken, and a function that opens it."""
    import io  # imported here because a worker seldom opens an archive
    import tarfile
    import zipfile
    from functools import partial

    try:  # a zip may have anything before it, and a tar may hold a zip
        tar = tarfile.open(fileobj=io.BytesIO(data))  # noqa: SIM115 - open as long as this process
    except tarfile.TarError:
        file = zipfile.ZipFile(io.BytesIO(data))
        for member in file.infolist():
            is_regular = member.external_attr >> 16 & _FORMAT in {0, _REGULAR}
            secret = "is encrypted" if member.flag_bits & 1 else ""
            trouble = secret if is_regular else "is not a regular file"
            yield member.filename, trouble, partial(file.open, member)
        return
    for info in tar:
        is_regular = info.isreg() and not info.issparse()
        if not info.isdir():
            trouble = "" if is_regular else "is not a regular file"
            yield info.name, trouble, partial(tar.extractfile, info)
