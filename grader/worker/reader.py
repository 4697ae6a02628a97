"""The reader: opens what others have packed, an archive or a notebook, behind the same wall as the
worker.

Started by path like the worker, whose loop it uses; it never runs what it reads. What it sends back
are names and bytes, which the judge bounds and looks at once more.
"""

from __future__ import annotations

from . import archives, notebooks, protocol, server

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any


class Reader:
    """One archive at a time, and any number of notebooks."""

    def __init__(self, arm: Callable[[float], None] = lambda _seconds: None) -> None:
        self.arm = arm
        self.archive: Any = None

    def reply(self, request: bytes) -> bytes:
        """The reply to one request: what was asked for, or why it cannot be had."""
        try:
            asked = protocol.decode_request(request)
            self.arm(asked.seconds)
            try:
                return protocol.encode(protocol.Done(COMMANDS[type(asked)](self, asked)))
            finally:
                self.arm(0)
        except (archives.Refused, notebooks.Refused) as error:
            return refused(str(error))
        except MemoryError:
            return refused("takes too much memory to read")
        except RecursionError:
            return refused("is nested too deeply")
        except Exception as error:  # noqa: BLE001 - whatever is wrong with a file of somebody else's
            return refused(f"cannot be read: {type(error).__name__}: {error}")

    def out_of_time(self, _frame: FrameType | None) -> bytes:
        """The reply when a request takes too long."""
        return refused("takes too long to read")

    def members(self, asked: protocol.Members) -> list[protocol.Member]:
        """Open an archive; all members that may be code."""
        self.archive = archives.Archive(asked.data)
        return self.archive.members  # type: ignore[no-any-return]

    def take(self, asked: protocol.Take) -> bytes:
        """What is in one of the members."""
        return self.archive.take(asked.place, asked.limit)  # type: ignore[no-any-return]

    def cells(self, asked: protocol.Cells) -> list[protocol.CellSource]:
        """The code cells of a notebook."""
        return notebooks.cells(asked.data)


def refused(why: str) -> bytes:
    """The reply that says why not."""
    return protocol.encode(protocol.Refused(why[: protocol.MAX_WHY]))


COMMANDS: dict[type, Callable[..., object]] = {
    protocol.Members: Reader.members,
    protocol.Take: Reader.take,
    protocol.Cells: Reader.cells,
}


def main() -> None:
    """Put on what the judge says, then answer."""
    server.main(Reader)
