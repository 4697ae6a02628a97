"""The judge's side of the worker process: start it, exchange frames, find out how it died, and
end it.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path

from grader.boundary import interpreter, isolation
from grader.boundary.pipes import Ended, Pipes, TooSlow
from grader.boundary.transport import Gone
from grader.conditions import Isolation
from grader.errors import InternalError
from grader.model import Fault, Kind
from grader.worker import protocol, wire

START_SECONDS = 10.0


class ProcessTransport:
    """A bare interpreter with its own session and process group and an almost empty environment,
    isolated as far as possible.

    `readable` is what the code may read besides the standard library, `most` the highest level of
    isolation to use, `secret` a file that the worker tries to read and must not be able to, and
    `required` the lowest level to accept. Raise InternalError if it does not start.
    """

    def __init__(
        self,
        readable: Sequence[str] = (),
        most: int = isolation.MOST,
        secret: str = __file__,
        required: int = 0,
    ) -> None:
        self._closed, self._required = False, required
        self._plan = isolation.plan(most, readable, secret)
        try:
            self._process, self._pipes = interpreter.parent().submit(_start, self._plan).result()
        except OSError as error:
            raise InternalError(
                f"the worker did not start: {error.strerror or error}",
                "close other programs, or raise the limits that `ulimit -a` shows",
            ) from error

    @cached_property
    def isolation(self) -> Isolation:
        """Return the isolation that the worker proved before it saw the submission. Raise
        IsolationError if that is not enough, InternalError if it did not get that far.
        """
        try:
            greeting = self._pipes.exchange(b"", START_SECONDS, 4096)
            found = self._plan.isolation(wire.decode(greeting))
        except (Ended, TooSlow, Gone, protocol.WireError) as error:
            self.close()
            printed = self.output().strip()[-300:]
            raise InternalError(
                f"the worker did not start: {error!r} {printed}",
                "try `python -m grader --help` in a fresh virtual environment; if it fails, please"
                " report it",
            ) from error
        if found.level < self._required:
            self.close()
        isolation.check_level(found, self._required)
        return found

    def exchange(self, request: bytes, seconds: float, limit: int) -> bytes:
        """Return the reply to one request, within `seconds` and `limit` bytes. Raise Gone if the
        worker gives none.
        """
        _ = self.isolation
        try:
            return self._pipes.exchange(request, seconds, limit)
        except TooSlow:  # if it is dead, a child that it left behind keeps the pipes open
            late = Fault(Kind.TIMEOUT, message=f"no answer within {seconds:g} s")
            raise Gone(self._ending(0.0, late)) from None
        except Ended:
            closed = "it closed the channel that the grader uses"
            raise Gone(self._ending(1.0, Fault(Kind.CRASHED, message=closed))) from None

    def _ending(self, seconds: float, otherwise: Fault) -> Fault:
        """Return how it died, or the given fault if it does not die within these seconds."""
        with suppress(subprocess.TimeoutExpired):
            return _death(self._process.wait(seconds))
        return otherwise

    def output(self) -> str:
        """Return the text printed since the last call."""
        return self._pipes.output()

    def close(self) -> None:
        """Kill the process and its group, and reap it. It may be called twice."""
        if self._closed:
            return
        self._closed = True
        _kill(self._process)
        self._pipes.close()
        self._plan.clean_up(self._process.pid)


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
    known = {each.value: each.name for each in signal.Signals}  # without real-time signals
    name = known.get(-code, str(-code))
    if name == "SIGXCPU":
        return Fault(Kind.TIMEOUT, message="it used up its processor time")
    if name == "SIGKILL":
        return Fault(
            Kind.MEMORY,
            message="the system killed the interpreter, probably because memory ran out",
        )
    return Fault(Kind.CRASHED, message=f"the interpreter crashed with signal {name}")


def _start(plan: isolation.Plan) -> tuple[subprocess.Popen[bytes], Pipes]:
    """Start a process, and send it the message that says how to isolate itself. Raise OSError."""
    process = interpreter.start(() if plan.ruleset is None else (plan.ruleset,))
    try:
        assert process.stdin is not None
        data = wire.encode(plan.request(process.pid))
        with suppress(BrokenPipeError):  # the missing greeting is noticed later
            process.stdin.write(protocol.HEADER.pack(len(data)) + data)
        number = getattr(signal, "SIGUSR1", None)  # Windows has none
        return process, Pipes(
            process.stdin,
            process.stdout,  # type: ignore[arg-type] # all three are pipes
            process.stderr,  # type: ignore[arg-type]
            starved=partial(_starved, process.pid),
            tell=partial(process.send_signal, number) if number is not None else None,
        )
    except BaseException:
        _kill(process)
        raise


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process with its group, and reap it."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):  # PermissionError: macOS, if it is dead
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def _starved(pid: int) -> float:
    """Return for how many seconds this process has been ready to run without a core; 0.0 if the
    system does not say. Source: the second number of /proc/PID/schedstat, in nanoseconds.
    """
    try:
        with Path(f"/proc/{pid}/schedstat").open("rb", 0) as file:
            return int(file.read(100).split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0
