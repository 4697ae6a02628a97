"""List an archive's members and unpack them one by one, in memory.

Nothing is written to disk. The size limit applies to the bytes that come out, no matter what size
the archive claims. The reader loads this file by path; it imports only the standard library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .bounds import MAX_FOLDERS, MAX_MEMBERS, MAX_NAME, TOOLS
from .protocol import Member

if TYPE_CHECKING:
    import tarfile
    import zipfile
    from collections.abc import Iterator
    from typing import IO

MAX_LISTED = 50_000  # members of any kind
MAX_UNPACKED = 64 << 20  # compressed tars must be unpacked before they can be listed
_CHUNK = 1 << 16

_LINK, _REGULAR, _FORMAT = 0o120000, 0o100000, 0o170000  # bits of a file's mode, as in `stat`
_MAGIC = ((b"\x1f\x8b", "gzip"), (b"BZh", "bz2"), (b"\xfd7zXZ\0", "lzma"))
_ENDINGS = (
    ".py",
    ".ipynb",
    ".ipynb.txt",
    ".ipynb.json",
    ".zip",
    ".tar",
    ".tgz",
    ".tbz2",
    ".txz",
    ".tar.gz",
    ".tar.bz2",
    ".tar.xz",
)
_ENVIRONMENT = "pyvenv.cfg"  # at the top of a virtual environment, whatever its name
_QUIET = {"__MACOSX", "__pycache__", ".ipynb_checkpoints"}  # in many archives, and not worth a note


class Refused(Exception):
    """Raised with the reason why a file cannot be read."""


class Zip:
    """A zip file's members."""

    def __init__(self, data: bytes) -> None:
        import io
        import zipfile

        self.file = zipfile.ZipFile(io.BytesIO(data))
        self.infos = self.file.infolist()

    def describe(self, info: zipfile.ZipInfo) -> tuple[str, str]:
        """Return a member's name and why it cannot be taken. The name is empty for a folder."""
        name, mode = info.orig_filename, info.external_attr >> 16 & _FORMAT
        if info.is_dir() or name.endswith("\\"):
            return "", ""
        if mode == _LINK:
            return name, "is a link"
        if mode not in {0, _REGULAR}:
            return name, "is not a regular file"
        return name, "is encrypted" if info.flag_bits & 1 else ""

    def open(self, info: zipfile.ZipInfo) -> IO[bytes]:
        """Open a member for reading."""
        return self.file.open(info)


class Tar:
    """The members of a tar file, compressed or not."""

    def __init__(self, data: bytes) -> None:
        import io
        import tarfile

        try:
            self.file = tarfile.open(fileobj=io.BytesIO(unpacked(data)), mode="r:")  # noqa: SIM115 - stays open as long as this process
        except tarfile.ReadError as error:
            raise Refused("is neither a zip nor a tar") from error
        self.infos: list[tarfile.TarInfo] = []
        for info in self.file:
            self.infos.append(info)
            if len(self.infos) > MAX_LISTED:
                break

    def describe(self, info: tarfile.TarInfo) -> tuple[str, str]:
        """Return a member's name and why it cannot be taken. The name is empty for a folder."""
        if info.isdir():
            return "", ""
        if info.issym() or info.islnk():
            return info.name, "is a link"
        return info.name, "" if info.isreg() and not info.issparse() else "is not a regular file"

    def open(self, info: tarfile.TarInfo) -> IO[bytes]:
        """Open a member for reading."""
        stream = self.file.extractfile(info)
        assert stream is not None
        return stream


class Archive:
    """An archive of any kind. `members` lists the possible code files and finally, with a `/` at
    the end, the skipped folders of tools.
    """

    def __init__(self, data: bytes) -> None:
        self.kind: Zip | Tar = Zip(data) if is_zip(data) else Tar(data)
        if len(self.kind.infos) > MAX_LISTED:
            raise Refused(f"has more than {MAX_LISTED} members")
        self.found: list[object] = []
        self.members: list[Member] = []
        skipped: set[str] = set()
        places: dict[str, list[int]] = {}
        for info, name, why in self._code(skipped):
            if len(self.members) >= MAX_MEMBERS:
                raise Refused(f"has more than {MAX_MEMBERS} code files")
            places.setdefault(name.replace("\\", "/").removeprefix("./"), []).append(
                len(self.members)
            )
            self.members.append(
                Member(name, "has a null byte in its name" if "\0" in name else why)
            )
            self.found.append(info)
        if (noted := sorted(skipped - _QUIET)) and len(self.members) < MAX_MEMBERS:
            self.members.append(Member(f"{', '.join(noted)[: MAX_NAME - 1]}/", ""))
        for twice in places.values():
            for place in twice if len(twice) > 1 else ():
                self.members[place] = Member(self.members[place].name, "occurs more than once")

    def _code(self, skipped: set[str]) -> Iterator[tuple[object, str, str]]:
        """Yield each member that may be code, its name and why it cannot be taken. Add the folders
        of tools to `skipped`.
        """
        described = [(info, *self.kind.describe(info)) for info in self.kind.infos]  # type: ignore[arg-type]
        homes = {_folders(name) for _, name, _ in described if name.endswith(_ENVIRONMENT)}
        for info, name, why in described:
            if not name or ("\0" not in name and not name.lower().endswith(_ENDINGS)):
                continue
            folders = _folders(name)
            if tool := _tool_in(folders, homes):
                skipped.add(tool)
            elif len(name) > MAX_NAME:
                yield info, name[:MAX_NAME], "has a name that is too long"
            elif len(folders) <= MAX_FOLDERS or ".." in folders:
                yield info, name, why

    def take(self, place: int, limit: int) -> bytes:
        """Return a member's bytes, at most `limit` + 1 of them."""
        with self.kind.open(self.found[place]) as stream:  # type: ignore[arg-type]
            return read(stream, limit)


def _folders(name: str) -> tuple[str, ...]:
    """Return the folders that a member is in."""
    return tuple(part for part in name.replace("\\", "/").split("/")[:-1] if part not in {"", "."})


def _tool_in(folders: tuple[str, ...], homes: set[tuple[str, ...]]) -> str:
    """Return the first of these folders that a tool wrote, or an empty string. `homes` are
    the folders of virtual environments.
    """
    for place, folder in enumerate(folders, 1):
        hidden = folder.startswith(".") and folder != ".."
        if hidden or folder.lower() in TOOLS or folders[:place] in homes:
            return folder
    return ""


def is_zip(data: bytes) -> bool:
    """Return whether the bytes are a zip rather than a tar.

    Other bytes may come before a zip, but not the magic bytes of a tar or of a compressed file.
    """
    return data[:2] == b"PK" or not (
        data[257:262] == b"ustar"
        or any(data.startswith(magic) for magic, _ in _MAGIC)
        or b"PK\5\6" not in data[-65557:]
    )


def unpacked(data: bytes) -> bytes:
    """Return the tar inside a compressed one. Raise Refused if it exceeds `MAX_UNPACKED` bytes."""
    for magic, module in _MAGIC:
        if data.startswith(magic):
            import io

            with __import__(module).open(io.BytesIO(data)) as stream:
                tar = read(stream, MAX_UNPACKED)
            if len(tar) > MAX_UNPACKED:
                raise Refused(f"unpacks to more than {MAX_UNPACKED >> 20} MiB")
            return tar
    return data


def read(stream: IO[bytes], limit: int) -> bytes:
    """Read up to `limit` + 1 bytes, enough for the caller to see whether there are more."""
    parts: list[bytes] = []
    left = limit + 1
    while left and (part := stream.read(min(left, _CHUNK))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
