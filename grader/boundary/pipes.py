"""Exchange bytes with a child process, with a deadline for every exchange and a limit on everything
that is read.

`SelectedPipes` is for systems that can wait on several pipes at once (POSIX), `ThreadedPipes` for
Windows. Both keep the first bytes that the child prints and count the rest.
"""

from __future__ import annotations

import os
import queue
import selectors
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from typing import IO, TypeVar

from grader.worker import protocol

MAX_OUTPUT = 8 * 1024
_CHUNK = 1 << 16
_CHUNKS_AHEAD = 64  # a child that floods the channel must wait, as with a full pipe
_SECONDS_TO_CLOSE = 0.5
_MOMENT = 0.005  # seconds


class Ended(Exception):
    """The child closed its end of a pipe, so it is dead or dying."""


class TooSlow(Exception):
    """The deadline passed before the reply was complete."""


class Garbled(Exception):
    """The child sent a reply that is longer than announced or allowed."""


class Output:
    """The text printed since the last `take`: the first `MAX_OUTPUT` bytes, and the number of
    further bytes.
    """

    def __init__(self) -> None:
        self._kept = bytearray()
        self._dropped = 0
        self._lock = threading.Lock()

    def add(self, data: bytes) -> None:
        """Keep what fits and count the rest."""
        with self._lock:
            room = MAX_OUTPUT - len(self._kept)
            self._kept += data[:room]
            self._dropped += max(0, len(data) - room)

    def take(self) -> str:
        """Return the text and start again."""
        with self._lock:
            kept, dropped = bytes(self._kept), self._dropped
            self._kept.clear()
            self._dropped = 0
        text = kept.decode("utf-8", "replace")
        return f"{text}\n… {dropped} more bytes" if dropped else text


class LateOutput(Output):
    """Output that a thread reads, which may be a moment behind the replies."""

    def take(self) -> str:
        """Return the text once nothing more has come for a moment, and start again."""
        before = -1
        while before != (before := len(self._kept) + self._dropped):
            time.sleep(_MOMENT)
        return super().take()


class Patience:
    """The seconds that a child has left to answer.

    Time without a core does not count, and a standstill of the whole machine counts as one piece or
    less. `starved` returns the total time without a core. It is only called if no answer comes
    within a piece, so the first difference may include the wait of an earlier exchange; the child
    then gets one piece more.
    """

    def __init__(self, seconds: float, starved: Callable[[], float]) -> None:
        self._left = seconds
        self._starved = starved
        self._before = 0.0

    def wait(self, attempt: Callable[[float], _Found]) -> _Found:
        """Call `attempt` with a number of seconds to wait until it returns something, and return
        that. Raise TooSlow when the time is used up.
        """
        while self._left > 0:
            piece = max(_SHORTEST, min(self._left, _PIECE))
            began = time.monotonic()
            found = attempt(piece)
            self._left -= min(time.monotonic() - began, piece)
            if found:
                return found
            starved = self._starved()
            self._left += _AT_MOST * min(max(0.0, starved - self._before), piece)
            self._before = starved
        raise TooSlow


_Found = TypeVar("_Found")
_PIECE, _SHORTEST = 0.25, 0.01  # seconds
_AT_MOST = 0.9  # below 1 so that the wait ends on any machine


class Pipes(ABC):
    """The pipes to a child: for requests, for replies, and for what it prints, the `output`."""

    def __init__(self, *files: IO[bytes], starved: Callable[[], float] = lambda: 0.0) -> None:
        self.output = Output()
        self._starved = starved
        self._files = files
        self._requests, self._replies, self._printed = [file.fileno() for file in files]

    def exchange(self, request: bytes, seconds: float, limit: int) -> bytes:
        """Send one frame and return the next one's payload, of at most `limit` bytes."""
        if not self._files:
            raise Ended
        patience, reply = Patience(seconds, self._starved), bytearray()
        self._send(memoryview(protocol.HEADER.pack(len(request)) + request if request else b""))
        while (size := _frame_size(reply, limit)) is None or len(reply) < size:
            reply += patience.wait(self._more)
        if len(reply) > size:
            raise Garbled
        return bytes(reply[protocol.HEADER.size :])

    @abstractmethod
    def _send(self, data: memoryview) -> None:
        """Begin to send these bytes."""

    @abstractmethod
    def _more(self, seconds: float) -> bytes:
        """Return more of the reply; nothing if none arrives in these seconds. Raise Ended."""

    @abstractmethod
    def close(self) -> None:
        """Close the pipes."""


class SelectedPipes(Pipes):
    """Pipes that wait for the first of three events: room to write, a reply, or output."""

    def __init__(self, *files: IO[bytes], starved: Callable[[], float] = lambda: 0.0) -> None:
        super().__init__(*files, starved=starved)
        self._pending = memoryview(b"")
        self._selector = selectors.DefaultSelector()
        for fd in (self._requests, self._replies, self._printed):
            os.set_blocking(fd, False)
        self._selector.register(self._replies, selectors.EVENT_READ)
        self._selector.register(self._printed, selectors.EVENT_READ)

    def _send(self, data: memoryview) -> None:
        if self._pending:  # the previous reply came too early
            self._selector.unregister(self._requests)
        self._pending = self._write(data)
        if self._pending:
            self._selector.register(self._requests, selectors.EVENT_WRITE)

    def _more(self, seconds: float) -> bytes:
        ready = [key.fd for key, _ in self._selector.select(seconds)]
        if self._pending:
            self._pending = self._write(self._pending)
            if not self._pending:
                self._selector.unregister(self._requests)
        if self._printed in ready:  # it was printed before the reply was sent
            self._drain()
        return self._read() if self._replies in ready else b""

    def _write(self, pending: memoryview) -> memoryview:
        try:
            return pending[os.write(self._requests, pending) :] if pending else pending
        except BlockingIOError:
            return pending
        except OSError:
            raise Ended from None

    def _read(self) -> bytes:
        """Return the part of the reply that has arrived."""
        if data := os.read(self._replies, _CHUNK):
            return data
        raise Ended

    def _drain(self) -> None:
        try:
            for _ in range(64):
                data = os.read(self._printed, _CHUNK)
                if not data:
                    if self._printed in self._selector.get_map():
                        self._selector.unregister(self._printed)
                    return
                self.output.add(data)
        except OSError:
            return

    def close(self) -> None:
        """Read the remaining output and close the pipes."""
        if self._files:  # after the first time, these descriptors may belong to someone else
            self._drain()
            self._selector.close()
        for file in self._files:
            file.close()
        self._files = ()


class ThreadedPipes(Pipes):
    """Pipes with one thread that reads replies and one that reads output. Each thread ends with its
    pipe.
    """

    def __init__(self, *files: IO[bytes], starved: Callable[[], float] = lambda: 0.0) -> None:
        super().__init__(*files, starved=starved)
        self.output = LateOutput()
        self._chunks: queue.Queue[bytes] = queue.Queue(_CHUNKS_AHEAD)
        self._ended = False
        self._threads = [
            threading.Thread(),  # which writes from the first request on
            threading.Thread(target=_pump, args=(files[1], self._chunks.put), daemon=True),
            threading.Thread(target=_pump, args=(files[2], self.output.add), daemon=True),
        ]
        for thread in self._threads[1:]:
            thread.start()

    def _send(self, data: memoryview) -> None:
        self._threads[0] = threading.Thread(target=_write, args=(self._files[0], data), daemon=True)
        self._threads[0].start()

    def _more(self, seconds: float) -> bytes:
        with suppress(queue.Empty):
            if data := b"" if self._ended else self._chunks.get(timeout=seconds):
                return data
            self._ended = True
            raise Ended
        return b""

    def close(self) -> None:
        """Wait briefly for the threads and close the pipes. The child must be dead by now."""
        deadline = time.monotonic() + _SECONDS_TO_CLOSE
        while any(thread.is_alive() for thread in self._threads) and time.monotonic() < deadline:
            with suppress(queue.Empty):  # a thread that waits for room cannot end
                self._chunks.get(timeout=0.001)
        for file, thread in zip(self._files, self._threads):
            if not thread.is_alive():  # else it would block, or close someone else's descriptor
                with suppress(OSError):
                    file.close()
        self._files = ()


def _write(file: IO[bytes], data: memoryview) -> None:
    with suppress(OSError, ValueError):  # the other thread notices an end
        while data:
            data = data[os.write(file.fileno(), data) :]


def _pump(file: IO[bytes], put: Callable[[bytes], None]) -> None:
    """Pass on everything that is read, then empty bytes. Holding the file keeps its descriptor from
    being closed and given to another pipe, whose data would be lost here.
    """
    data = b"?"
    while data:
        try:
            data = os.read(file.fileno(), _CHUNK)
        except (OSError, ValueError):
            data = b""
        put(data)


def _frame_size(reply: bytearray, limit: int) -> int | None:
    """Return the length of the frame with its header, or None if the header is incomplete. Raise
    Garbled if the payload is longer than `limit`.
    """
    if len(reply) < protocol.HEADER.size:
        return None
    size = int(protocol.HEADER.unpack_from(reply)[0])
    if size > limit:
        raise Garbled
    return size + protocol.HEADER.size
