"""The worker's process, from the judge's side: start it, exchange frames, know how it died, leave nothing behind.

`Transport` is the one seam of the grader: nothing above it may assume a process.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Protocol

from grader import wire
from grader.errors import InternalError
from grader.model import Fault, Isolation, Kind
from grader.pipes import Ended, Garbled, Pipes, SelectedPipes, ThreadedPipes, TooSlow

START_SECONDS = 10.0
_READY_LIMIT = 4096
_WORKER = Path(__file__).with_name("worker.py")


class Gone(Exception):
    """The other side will not answer any more; `fault` says how it went."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class Transport(Protocol):
    """One learner's code behind a single method."""

    @property
    def isolation(self) -> Isolation:
        """How far the code is walled off."""

    def exchange(self, request: wire.Wire, seconds: float, limit: int) -> wire.Wire:
        """The reply to one request within `seconds` and `limit` bytes; raises `Gone`."""

    def output(self) -> str:
        """What was printed since the last call."""

    def close(self) -> None:
        """End it, and everything that it started."""


class ProcessTransport:
    """A bare interpreter of its own session and process group, in an empty folder, with an empty environment."""

    def __init__(self) -> None:
        self._isolation: Isolation | None = None
        self._closed = False
        with ExitStack() as undo:
            try:
                self._folder = Path(tempfile.mkdtemp(prefix="grade-"))
                undo.callback(_remove, self._folder)
                self._process = _start(self._folder)
                undo.callback(_kill, self._process)
                self._pipes = _pipes(self._process)
            except OSError as error:
                raise InternalError(f"the worker did not start: {error}", _HINT) from error
            undo.pop_all()

    @property
    def isolation(self) -> Isolation:
        """What the worker said of its limits, before it saw the submission."""
        if self._isolation is None:
            try:
                ready = wire.decode(self._channel().exchange(b"", START_SECONDS, _READY_LIMIT))
                self._isolation = _isolation(ready)
            except (Ended, TooSlow, Garbled, wire.WireError) as error:
                self.close()
                printed = self.output().strip()[-300:]
                raise InternalError(f"the worker did not start: {error!r} {printed}", _HINT) from error
        return self._isolation

    def exchange(self, request: wire.Wire, seconds: float, limit: int) -> wire.Wire:
        """The reply to one request within `seconds` and `limit` bytes; raises `Gone`, or InternalError for a bad request."""
        _ = self.isolation
        try:
            data = wire.encode(request)
        except wire.WireError as error:
            raise InternalError(f"the worker cannot be asked this: {error}") from error
        try:
            return wire.decode(self._channel().exchange(data, seconds, limit))
        except TooSlow:
            if self._process.poll() is not None:  # it has died, and a child that it left behind keeps the pipes open
                raise Gone(_death(self._process.returncode)) from None
            raise Gone(Fault(Kind.TIMEOUT, message=f"no answer within {seconds:g} s")) from None
        except (Garbled, wire.WireError):
            raise Gone(Fault(Kind.CRASHED, message="something wrote into the channel that the grader uses")) from None
        except Ended:
            raise Gone(self._ending()) from None

    def _channel(self) -> Pipes:
        if self._closed:
            raise InternalError("the worker has been closed")
        return self._pipes

    def _ending(self) -> Fault:
        try:
            return _death(self._process.wait(1.0))
        except subprocess.TimeoutExpired:
            return Fault(Kind.CRASHED, message="it closed the channel that the grader uses")

    def output(self) -> str:
        """What was printed since the last call."""
        return self._pipes.output.take()

    def close(self) -> None:
        """Kill the process group, collect the process, empty the folder. May be called twice."""
        if not self._closed:
            self._closed = True
            _kill(self._process)
            self._pipes.close()
            _remove(self._folder)


_HINT = "try `python -m grader --help` in a fresh virtual environment; if it goes on, please report it"


def _death(code: int) -> Fault:
    """What became of a process that ended with this code: minus the signal's number, where a signal ended it."""
    if os.name == "nt" and code >= 1 << 31:
        return Fault(Kind.CRASHED, message=f"the interpreter crashed (code {code:#x})")
    if code >= 0:
        return Fault(Kind.EXITED, message=f"the code ended the whole interpreter (exit code {code})")
    name = _signal_name(-code)
    if name == "SIGXCPU":
        return Fault(Kind.TIMEOUT, message="the processor time was used up")
    if name == "SIGKILL":
        return Fault(Kind.MEMORY, message="the system killed the interpreter; most often there was no memory left")
    return Fault(Kind.CRASHED, message=f"the interpreter died of signal {name}")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # real-time signals have none
        return str(number)


@contextmanager
def _fixed_addresses() -> Iterator[None]:
    """Let a process that is started meanwhile get the same addresses every time, where Linux allows that (containers may not).

    Objects are hashed by address. A faulty engine that goes through a set of them then fails in the same way in every run.
    """
    if not sys.platform.startswith("linux"):
        yield
        return
    import ctypes

    personality = ctypes.CDLL(None, use_errno=True).personality
    before = personality(_ASK)
    personality(before | _NO_RANDOM_ADDRESSES)
    try:
        yield
    finally:
        personality(before)


_ASK, _NO_RANDOM_ADDRESSES = 0xFFFFFFFF, 0x0040000


def _start(folder: Path) -> subprocess.Popen[bytes]:
    # The environment is ours alone, so a fixed hash seed can be given where `-I` would ignore it: the same submission
    # then meets the same order of sets in every run.
    environment = {"PYTHONHASHSEED": "0"}
    if os.name == "nt":
        environment["SYSTEMROOT"] = os.environ.get("SYSTEMROOT", "")
    with _fixed_addresses():
        return subprocess.Popen(  # noqa: S603 - this interpreter and our own file
            [sys.executable, "-s", "-S", "-B", "-X", "utf8", str(_WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process with all of its group, and collect it."""
    if sys.platform != "win32":
        with suppress(ProcessLookupError, PermissionError):  # the latter: macOS, for a process that is dead already
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def _remove(folder: Path) -> None:
    """Remove a folder and all that the learner's code left there: thousands deep, or closed to its owner, too."""
    if folder.is_symlink():  # put there in its place
        folder.unlink()
        return
    waiting, moved = [folder], 0
    with suppress(OSError):
        folder.chmod(0o700)
    while waiting:
        here = waiting.pop()
        with suppress(OSError):
            for entry in list(here.iterdir()):
                if entry.is_symlink() or not entry.is_dir():
                    entry.unlink()
                else:  # to the top: what is deep down has a name that is too long, and takes recursion
                    entry.chmod(0o700)
                    moved += 1
                    waiting.append(entry.rename(f"{folder}.{moved}"))
            here.rmdir()


def _pipes(process: subprocess.Popen[bytes]) -> Pipes:
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    kind = ThreadedPipes if os.name == "nt" else SelectedPipes
    return kind(process.stdin, process.stdout, process.stderr)


def _isolation(ready: wire.Wire) -> Isolation:
    match ready:
        case ["ready", [list(in_force), list(missing)]]:
            return Isolation(
                level=0 if missing else 1,
                mechanisms=("own process", *_limits(in_force)),
                missing=(*_limits(missing), "sandbox"),
            )
    raise wire.WireError("not a greeting")


def _limits(names: list[wire.Wire]) -> list[str]:
    return [f"limit: {name}" for name in names if isinstance(name, str)]
