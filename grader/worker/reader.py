"""The reader: opens archives and notebooks, confined like the worker.

It is started by path like the worker and uses the same loop, but never runs anything that it reads.
It sends back names and bytes, whose sizes and types the judge checks again.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FrameType
from typing import Any

from . import archives, bounds, notebooks, protocol, server, wire


class Reader:
    """Holds one archive at a time, and reads any number of notebooks."""

    def __init__(self, arm: Callable[[float], None] = lambda _seconds: None) -> None:
        self.arm = arm
        self.archive: Any = None

    def reply(self, request: bytes) -> bytes:
        """Return the reply to a request: its result, or why there is none."""
        try:
            asked = wire.decode_request(request)
            self.arm(asked.seconds)
            try:
                return wire.encode(protocol.Done(COMMANDS[type(asked)](self, asked)))
            finally:
                self.arm(0)
        except archives.Refused as error:
            return refused(str(error))
        except Exception as error:  # noqa: BLE001 - anything may be wrong with a submitted file
            name = type(error).__name__
            return refused(WHY.get(name, f"cannot be read: {name}: {error}"))

    def out_of_time(self, _frame: FrameType | None) -> bytes:
        """Return the reply to a request that takes too long."""
        return refused("takes too long to read")

    def members(self, asked: protocol.Members) -> list[protocol.Member]:
        """Open an archive and return the members that may be code."""
        self.archive = archives.Archive(asked.data)
        return self.archive.members  # type: ignore[no-any-return]

    def take(self, asked: protocol.Take) -> bytes:
        """Return a member's bytes."""
        return self.archive.take(asked.place, asked.limit)  # type: ignore[no-any-return]

    def cells(self, asked: protocol.Cells) -> list[protocol.CellSource]:
        """Return a notebook's code cells."""
        return notebooks.cells(asked.data)


# raised by zipfile, tarfile and the modules that unpack; `error` comes from zlib and struct
_DAMAGE = ("BadZipFile", "ReadError", "BadGzipFile", "EOFError", "LZMAError", "OSError")
WHY = {
    **dict.fromkeys(
        (*_DAMAGE, "ValueError", "error"), "is damaged or incomplete, so it cannot be unpacked"
    ),
    "NotImplementedError": "is compressed in a way that cannot be unpacked here",
    "MemoryError": "takes too much memory to read",
    "RecursionError": "is nested too deeply",
}


def refused(why: str) -> bytes:
    """Return the reply that says why a file cannot be read."""
    return wire.encode(protocol.Refused(why[: bounds.MAX_WHY]))


COMMANDS: dict[type, Callable[..., object]] = {
    protocol.Members: Reader.members,
    protocol.Take: Reader.take,
    protocol.Cells: Reader.cells,
}


def main() -> None:
    """Confine the process as the judge demands, then answer requests."""
    server.main(Reader)
