"""The reader: opens what others have packed, an archive or a notebook, behind the same wall as the
worker.

Started by path like the worker, whose loop it uses; it never runs what it reads. What it sends back
are names and bytes, which the judge
bounds and looks at once more.
"""

from __future__ import annotations

from . import archives, notebooks, protocol, server

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any

    from grader.worker.protocol import Wire

MAX_WHY = 200


class Reader:
    """One archive at a time, and any number of notebooks."""

    def __init__(self, arm: Callable[[float], None] = lambda _seconds: None) -> None:
        self.arm = arm
        self.archive: Any = None

    def reply(self, request: bytes) -> bytes:
        """The reply to one request: what was asked for, or why it cannot be had."""
        try:
            asked: Any = protocol.unpack(request)
            command, seconds, *rest = asked
            self.arm(seconds)
            try:
                return protocol.encode(["ok", COMMANDS[command](self, *rest)])
            finally:
                self.arm(0)
        except (archives.Refused, notebooks.Refused) as error:
            return refused(str(error))
        except MemoryError:
            return refused("takes too much memory to read")
        except RecursionError:
            return refused("is nested too deep")
        except Exception as error:  # noqa: BLE001 - whatever is wrong with a file of somebody else's
            return refused(f"cannot be read: {type(error).__name__}: {error}")

    def out_of_time(self, _frame: FrameType | None) -> bytes:
        """The reply when a request takes too long."""
        return refused("takes too long to read")

    def members(self, data: bytes) -> Wire:
        """Open an archive; name and trouble of all members that may be code."""
        self.archive = archives.Archive(data)
        return self.archive.members  # type: ignore[no-any-return]

    def take(self, place: int, limit: int) -> Wire:
        """What is in one of the members."""
        return self.archive.take(place, limit)  # type: ignore[no-any-return]

    def cells(self, data: bytes) -> Wire:
        """The code cells of a notebook."""
        return notebooks.cells(data)


def refused(why: str) -> bytes:
    """The reply that says why not."""
    return protocol.encode(["refused", why[:MAX_WHY]])


COMMANDS: dict[str, Callable[..., Wire]] = {
    "members": Reader.members,
    "take": Reader.take,
    "cells": Reader.cells,
}


def main() -> None:
    """Put on what the judge says, then answer."""
    server.main(Reader)
