"""The judge's side of `grader/worker/parent.py`, the process that forks sandboxed workers."""

from __future__ import annotations

import atexit
import os
import signal
import socket
import subprocess
from contextlib import ExitStack, suppress
from functools import cache
from typing import IO

from grader.boundary import interpreter
from grader.worker import protocol

_SECONDS = 10.0  # to fork a worker


class Forked:
    """A worker forked by a warm parent, with the parts of `subprocess.Popen` that its owner uses.

    Its number belongs to it until `release`.
    """

    def __init__(
        self, caretaker: socket.socket, stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes]
    ) -> None:
        self._caretaker = caretaker
        self.stdin, self.stdout, self.stderr = stdin, stdout, stderr
        self.returncode: int | None = None
        caretaker.settimeout(_SECONDS)
        self.parent, self.pid = protocol.BORN.unpack(_received(caretaker, protocol.BORN.size))

    def wait(self, timeout: float | None = None) -> int:
        """Return that code once it has ended. Raise TimeoutExpired if it does not, OSError if its
        parent was killed, which kills it too.
        """
        if self.returncode is None:
            self._caretaker.settimeout(timeout)
            try:
                told = _received(self._caretaker, protocol.ENDED.size)
            except (BlockingIOError, TimeoutError):
                raise subprocess.TimeoutExpired("a worker", timeout or 0.0) from None
            (self.returncode,) = protocol.ENDED.unpack(told)
        assert self.returncode is not None
        return self.returncode

    def kill(self) -> None:
        """Kill it."""
        if self.returncode is None:
            os.kill(self.pid, signal.SIGKILL)

    def release(self) -> None:
        """Release its number. Call this once it has ended."""
        self._caretaker.close()


def _received(caretaker: socket.socket, size: int) -> bytes:
    told = caretaker.recv(size)
    if len(told) < size:
        raise ConnectionError("the parent of the workers has ended")
    return told


class WarmParent:
    """A process that forks workers. It ends with this one."""

    def __init__(self) -> None:
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, ExitStack() as undo:
            undo.callback(self._requests.close)
            self._process = interpreter.start("parent", stream=theirs.fileno())
            undo.pop_all()
        atexit.register(self.close)

    def fork(self, ruleset: int) -> Forked:
        """Return a new worker, which inherits a Landlock ruleset. Raise OSError."""
        with ExitStack() as theirs, ExitStack() as ours:
            inside, outside = zip(*(_pipe(ours, theirs, writes=at == 0) for at in range(3)))
            caretaker, told = socket.socketpair()
            ours.enter_context(caretaker)
            theirs.enter_context(told)
            descriptors = [*(file.fileno() for file in inside), ruleset, told.fileno()]
            socket.send_fds(self._requests, [b"?"], descriptors)
            theirs.close()
            forked = Forked(caretaker, *outside)
            ours.pop_all()
            return forked

    def close(self) -> None:
        """End it, and all its workers."""
        atexit.unregister(self.close)
        self._requests.close()
        self._process.kill()
        self._process.wait()


def _pipe(ours: ExitStack, theirs: ExitStack, *, writes: bool) -> tuple[IO[bytes], IO[bytes]]:
    """Return their end and ours of a new pipe; `writes` means that we write."""
    reading, writing = os.pipe()
    ends = os.fdopen(reading, "rb", 0), os.fdopen(writing, "wb", 0)
    inside, outside = ends if writes else ends[::-1]
    return theirs.enter_context(inside), ours.enter_context(outside)


def fork(ruleset: int) -> Forked:
    """Return a new worker of this process's warm parent. Start that first if there is none, or if
    it has ended. Raise OSError.

    Call it in `interpreter.in_parent` only.
    """
    with suppress(ConnectionError, TimeoutError):
        return _warm_parent().fork(ruleset)
    end()
    try:
        return _warm_parent().fork(ruleset)
    except (ConnectionError, TimeoutError):
        end()
        raise


def end() -> None:
    """End this process's warm parent, if it has one."""
    if _warm_parent.cache_info().currsize:
        _warm_parent().close()
        _warm_parent.cache_clear()


@cache
def _warm_parent() -> WarmParent:
    return WarmParent()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_warm_parent.cache_clear)  # it belongs to the other process
