"""The judge's side of the worker process: start it, exchange frames, find out how it died, and
leave nothing behind.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import cache
from importlib.util import cache_from_source
from itertools import count
from pathlib import Path

from grader.boundary import isolation
from grader.boundary.pipes import Ended, Garbled, Pipes, SelectedPipes, ThreadedPipes, TooSlow
from grader.boundary.transport import Gone
from grader.errors import InternalError
from grader.model import Fault, Isolation, Kind
from grader.worker import protocol

START_SECONDS = 10.0
_READY_LIMIT = 4096
_WORKER = Path(protocol.__file__).parent


class ProcessTransport:
    """A bare interpreter with its own session and process group and an almost empty environment,
    isolated as far as possible.

    `most` is the highest level of isolation to use, `readable` what the code may read besides the
    standard library, and `secret` a file that the worker tries to read and must not be able to.
    `program` is the module of `grader/worker` to run: `server` or `reader`.
    """

    def __init__(
        self,
        most: int = isolation.MOST,
        readable: Sequence[str] = (),
        secret: str = __file__,
        program: str = "server",
    ) -> None:
        self._isolation: Isolation | None = None
        self._closed = False
        self._mark = (  # of fixed length, so that memory has the same layout
            f"GRADE_WORKER={os.getpid():010}.{next(_NUMBERS):06}"
        )
        with ExitStack() as undo:
            try:
                self._plan = isolation.plan(most, readable, secret)
                self._process = _started(self._plan, self._mark, program)
                undo.callback(_kill, self._process)
                self._pipes = _pipes(self._process)
            except OSError as error:
                raise InternalError(f"the worker did not start: {error}", _HINT) from error
            undo.pop_all()

    @property
    def isolation(self) -> Isolation:
        """Return the isolation that the worker proved before it saw the submission. Raise
        InternalError if it did not start.
        """
        if self._isolation is None:
            try:
                ready = protocol.decode(self._channel().exchange(b"", START_SECONDS, _READY_LIMIT))
                self._isolation = self._plan.isolation(ready)
                self._plan.clean_up(self._process.pid)
            except (Ended, TooSlow, Garbled, protocol.WireError) as error:
                self.close()
                printed = self.output().strip()[-300:]
                raise InternalError(
                    f"the worker did not start: {error!r} {printed}", _HINT
                ) from error
        return self._isolation

    def exchange(self, request: protocol.Request, seconds: float, limit: int) -> protocol.Wire:
        """Return the reply to one request, within `seconds` and `limit` bytes. Raise Gone if the
        worker gives none, InternalError if the request cannot be encoded.
        """
        _ = self.isolation
        try:
            data = protocol.pack(request)
        except protocol.WireError as error:
            raise InternalError(f"the request cannot be sent to the worker: {error}") from error
        try:
            return protocol.decode(self._channel().exchange(data, seconds, limit))
        except TooSlow:
            if (
                self._process.poll() is not None
            ):  # it is dead, but a child it left behind keeps the pipes open
                raise Gone(_death(self._process.returncode)) from None
            raise Gone(Fault(Kind.TIMEOUT, message=f"no answer within {seconds:g} s")) from None
        except (Garbled, protocol.WireError):
            raise Gone(
                Fault(Kind.CRASHED, message="something wrote to the channel that the grader uses")
            ) from None
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
        """Return what was printed since the last call."""
        return self._pipes.output.take()

    def close(self) -> None:
        """Kill the process, its group and whatever left the group, and reap the process. It may be
        called twice.
        """
        if not self._closed:
            self._closed = True
            _kill(self._process)
            self._pipes.close()
            if self._isolation is None:
                self._plan.clean_up(self._process.pid)
            if (
                self._isolation is None or self._isolation.level < 1
            ):  # at higher levels it cannot start any
                _sweep(self._mark)


_NUMBERS = count()


_HINT = (
    "try `python -m grader --help` in a fresh virtual environment; if it fails, please report it"
)


def _death(code: int) -> Fault:
    """Return the fault for a process that ended with this code, which is the negative signal number
    if a signal ended it.
    """
    if os.name == "nt" and code >= 1 << 31:
        return Fault(Kind.CRASHED, message=f"the interpreter crashed (code {code:#x})")
    if code >= 0:
        return Fault(
            Kind.EXITED, message=f"the code exited the whole interpreter (exit code {code})"
        )
    name = _signal_name(-code)
    if name == "SIGXCPU":
        return Fault(Kind.TIMEOUT, message="it used up its processor time")
    if name == "SIGKILL":
        return Fault(
            Kind.MEMORY,
            message="the system killed the interpreter, probably because memory ran out",
        )
    return Fault(Kind.CRASHED, message=f"the interpreter crashed with signal {name}")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # real-time signals have no names
        return str(number)


def _started(plan: isolation.Plan, mark: str, program: str) -> subprocess.Popen[bytes]:
    """Start a worker process and send it the message that says how to isolate itself."""
    process = (
        _parent().submit(_start, plan, mark, program).result()
        if _LINUX
        else _start(plan, mark, program)
    )
    try:
        assert process.stdin is not None
        request = protocol.pack(plan.request(process.pid))
        process.stdin.write(protocol.HEADER.pack(len(request)) + request)
    except BrokenPipeError:  # the missing greeting is noticed later
        pass
    except BaseException:
        _kill(process)
        raise
    return process


_LINUX = sys.platform == "linux"


@cache
def _parent() -> ThreadPoolExecutor:
    """Return the executor whose only thread starts all workers.

    Linux kills a worker when the thread that started it ends, so this thread must live as long as
    the judge. It starts nothing else, so it can also change the settings that its children inherit.
    """
    _compile()
    return ThreadPoolExecutor(1, "worker's parent", initializer=_fix_addresses)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_parent.cache_clear)  # the thread stays with the parent


def _compile() -> None:
    """Make sure that the worker's modules are compiled: compiling would give the first worker's
    memory a different layout.
    """
    for source in _WORKER.glob("*.py"):
        with suppress(OSError):
            compiled = Path(cache_from_source(str(source)))
            if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
                import py_compile

                py_compile.compile(str(source), quiet=2)


def _fix_addresses() -> None:
    """Give all processes that this thread starts the same addresses, if Linux allows it (containers
    may not).

    Objects are hashed by address, so a faulty engine that iterates over a set of them then fails
    the same way in every run.
    """
    import ctypes

    personality = ctypes.CDLL(None, use_errno=True).personality
    personality(personality(_ASK) | _NO_RANDOM_ADDRESSES)


_ASK, _NO_RANDOM_ADDRESSES = 0xFFFFFFFF, 0x0040000


# When imported, linear algebra libraries start one thread per core, each with tens of megabytes of
# address space.
_ONE_THREAD = dict.fromkeys(
    ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)


def _start(plan: isolation.Plan, mark: str, program: str) -> subprocess.Popen[bytes]:
    # Without `-I`, which would ignore the hash seed; this environment contains only what we set.
    # With a fixed seed, a submission meets the same order of sets in every run.
    environment = {"PYTHONHASHSEED": "0", **_ONE_THREAD}
    if plan.most < 1:
        name, _, value = mark.partition("=")
        environment[name] = value
    if os.name == "nt":
        environment["SYSTEMROOT"] = os.environ.get("SYSTEMROOT", "")
    return subprocess.Popen(  # noqa: S603 - this interpreter and our own file
        [
            sys.executable,
            "-s",
            "-S",
            "-X",
            "utf8",
            "-c",
            _BOOT.format(program),
            str(_WORKER.parent),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd=_nowhere(),
        env=environment,
        pass_fds=plan.descriptors,
        start_new_session=True,
        creationflags=getattr(
            subprocess, "CREATE_NO_WINDOW", 0
        ),  # Windows: and no Ctrl-C from ours
    )


# Imported as a module to use its byte code: compiling it would take as long as the isolation.
_BOOT = (
    "import gc, sys; gc.disable(); sys.path[0] = sys.argv.pop(); from worker import {0} as program;"
    " del sys.path[0]; program.main()"
)


def _nowhere() -> str:
    """Return a folder in which nobody can create a file, not even root if it is `/proc`, so that
    nothing is left behind.
    """
    return next(
        (
            folder
            for folder in ("/proc", os.environ.get("SYSTEMROOT", "/"))
            if Path(folder).is_dir()
        ),
        "/",
    )


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process with its group, and reap it."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):  # PermissionError: macOS, if it is dead
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def _sweep(mark: str) -> None:
    """Kill processes that a worker started and moved to another session. They are found by the mark
    in their environment, on Linux only.
    """
    until, empty = time.monotonic() + _SECONDS_TO_SWEEP, 0
    while (
        time.monotonic() < until and empty < 2
    ):  # a single look can miss a process that is just starting
        found = _marked(mark.encode())
        empty = 0 if found else empty + 1
        for process in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)


_SECONDS_TO_SWEEP = 2.0


def _marked(mark: bytes) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir() if _LINUX else ():
        if entry.name.isdigit():
            with suppress(OSError):
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
    return found


def _pipes(process: subprocess.Popen[bytes]) -> Pipes:
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    kind = ThreadedPipes if os.name == "nt" else SelectedPipes
    return kind(process.stdin, process.stdout, process.stderr, lambda: _starved(process.pid))


def _starved(pid: int) -> float:
    """Return for how many seconds this process has been ready to run without a core; 0.0 if the
    system does not say. Source: the second number of /proc/PID/schedstat, in nanoseconds.
    """
    try:
        file = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY)  # for every request: it must be fast
        try:
            return int(os.read(file, 100).split()[1]) / 1e9
        finally:
            os.close(file)
    except (OSError, ValueError, IndexError):
        return 0.0
