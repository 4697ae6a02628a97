"""Exchange bytes with a child process, with a deadline for every exchange and a limit on everything
that is read.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from select import select
from typing import IO

from grader.boundary.transport import GARBLED, Gone
from grader.worker import protocol
from grader.worker.bounds import WAITED

MAX_OUTPUT = 8 * 1024
NEEDS_SOCKETS = os.name == "nt"
_SHORTEST, _MOMENT = 0.01, 0.005  # seconds
_AT_MOST = 0.9  # below 1 so that the wait ends on any machine
_CHUNK = 1 << 16
_CHUNKS = 64  # of output at once, because a child may never stop printing


class Ended(Exception):
    """The child closed its end of a pipe, so it is dead or dying."""


class TooSlow(Exception):
    """The deadline passed before the reply was complete."""


class Pipes:
    """The pipes to a child: for requests, for replies, and for what it prints.

    `starved` returns how long the child had no core in total. `tell` tells it that it
    has had one, or has slept, for another `WAITED` seconds.
    """

    def __init__(
        self,
        *files: IO[bytes],
        starved: Callable[[], float] = lambda: 0.0,
        tell: Callable[[], None] | None = None,
    ) -> None:
        self._starved, self._tell = starved, tell
        self._left = self._untold = self._before = 0.0
        self._files = [_selectable(file, writes=file is files[0]) for file in files]
        self._requests, self._replies, self._printed = self._files
        self._read = [self._replies, self._printed]
        self._pending = memoryview(b"")
        self._kept = bytearray()

    def exchange(self, request: bytes, seconds: float, limit: int) -> bytes:
        """Send one frame and return the next one's payload, of at most `limit` bytes. Raise Gone if
        it is longer than announced or allowed.
        """
        self._left, self._untold, reply = seconds, 0.0, bytearray()
        # the previous reply may have come before all of its request was sent
        if request:
            self._pending = memoryview(protocol.HEADER.pack(len(request)) + request)
        while (size := _frame_size(reply, limit)) is None or len(reply) < size:
            reply += self._wait(self._tell if request else None)
        if len(reply) > size:
            raise Gone(GARBLED)
        return bytes(reply[protocol.HEADER.size :])

    def _wait(self, tell: Callable[[], None] | None) -> bytes:
        """Return more of the reply. Raise TooSlow when the time is used up.

        Time without a core does not count, and a standstill of the whole machine counts as one
        piece or less. `starved` is only called if no answer comes within a piece, so the first
        difference may include the wait of an earlier exchange; the child then gets one piece more.
        """
        while self._left > 0:
            piece = max(_SHORTEST, min(self._left, WAITED))
            began = time.monotonic()
            found = self._more(piece)
            waited = min(time.monotonic() - began, piece)
            self._left -= waited
            if found:
                return found
            starved, before = self._starved(), self._before
            without_core = min(max(0.0, starved - before), piece)
            self._left += _AT_MOST * without_core
            self._before = starved
            self._untold += waited - without_core
            if tell is not None and self._untold >= WAITED:
                self._untold -= WAITED
                tell()
        raise TooSlow

    def _more(self, seconds: float) -> bytes:
        """Return more of the reply; nothing if none arrives in these seconds. Raise Ended."""
        self._write()
        ready, _, _ = select(self._read, [self._requests] * bool(self._pending), [], seconds)
        if self._printed in ready:  # it was printed before the reply was sent
            self._drain()
        if self._replies not in ready:
            return b""
        if data := self._replies.read(_CHUNK):
            return data
        raise Ended

    def _write(self) -> None:
        try:
            while self._pending and (sent := self._requests.write(self._pending)):
                self._pending = self._pending[sent:]
        except OSError:
            raise Ended from None

    def _drain(self) -> None:
        """Keep the beginning of what is printed."""
        for _ in range(_CHUNKS):
            data = self._printed.read(_CHUNK)
            if data == b"":
                self._read = [self._replies]
            if not data:
                return
            self._kept += data[: MAX_OUTPUT + 1 - len(self._kept)]

    def output(self) -> str:
        """Return the text printed since the last call: the first `MAX_OUTPUT` bytes, and whether
        there is more.
        """
        if NEEDS_SOCKETS and not self._printed.closed:
            time.sleep(_MOMENT)  # its thread may be behind
            self._drain()
        kept, self._kept = self._kept, bytearray()
        text = kept[:MAX_OUTPUT].decode("utf-8", "replace")
        return f"{text}\n… and more" if len(kept) > MAX_OUTPUT else text

    def close(self) -> None:
        """Read the remaining output and close the pipes, once."""
        self._drain()
        for file in self._files:
            file.close()


def _selectable(file: IO[bytes], *, writes: bool) -> IO[bytes]:
    """Return a file that never blocks and that `select` can wait for.

    Windows can only wait for sockets, so there a thread passes everything on.
    """
    if not NEEDS_SOCKETS:
        os.set_blocking(file.fileno(), False)
        return file
    from socket import socketpair

    near, far = socketpair()
    with near, far:  # a socket stays open as long as its file
        near.settimeout(0)
        ours, theirs = near.makefile("rwb", 0), far.makefile("rwb", 0)
    threading.Thread(
        target=_pass_on, args=(theirs, file) if writes else (file, theirs), daemon=True
    ).start()
    return ours  # type: ignore[return-value] # a raw file, too


def _pass_on(source: IO[bytes], target: IO[bytes]) -> None:
    with suppress(OSError), source, target:
        while data := source.read(_CHUNK):
            rest = memoryview(data)
            while rest:
                rest = rest[target.write(rest) :]


def _frame_size(reply: bytearray, limit: int) -> int | None:
    """Return the length of the frame with its header, or None if the header is incomplete. Raise
    Gone if the payload is longer than `limit`.
    """
    if len(reply) < protocol.HEADER.size:
        return None
    size = int(protocol.HEADER.unpack_from(reply)[0])
    if size > limit:
        raise Gone(GARBLED)
    return size + protocol.HEADER.size
