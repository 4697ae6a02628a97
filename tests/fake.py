"""Stand-ins for a worker, for tests that need no process: `InProcess` runs the worker's own server
here, `Scripted` says what it is told to.
"""

from __future__ import annotations

import builtins
import io
import sys
from collections.abc import Callable, Iterable
from contextlib import redirect_stderr, redirect_stdout

from grader.boundary.process import Gone
from grader.intake.submission import File, Submission
from grader.model import Fault, Isolation, Kind
from grader.worker import modules, protocol, server


class InProcess:
    """A Transport to the worker's server in this process. What crosses is encoded and decoded, as
    it is on a pipe.
    """

    def __init__(self) -> None:
        self.isolation = Isolation(0, ("none",))
        self._server = server.Server()
        self._printed = io.StringIO()

    def exchange(self, request: protocol.Wire, seconds: float, limit: int) -> protocol.Wire:
        with redirect_stdout(self._printed), redirect_stderr(self._printed):
            reply: bytes = self._server.reply(protocol.pack(request))
        if len(reply) > limit:
            raise Gone(Fault(Kind.CRASHED, message="the reply is too long"))
        return protocol.decode(reply)

    def output(self) -> str:
        text = self._printed.getvalue()
        self._printed.seek(0)
        self._printed.truncate()
        return text

    def close(self) -> None:
        builtins.__import__ = modules.IMPORT
        sys.meta_path[:] = [finder for finder in sys.meta_path if not _is_ours(finder)]
        for name, module in list(sys.modules.items()):
            if _is_ours(getattr(getattr(module, "__spec__", None), "loader", None)):
                del sys.modules[name]


def _is_ours(finder: object) -> bool:
    return isinstance(finder, modules.Files)


Reply = Callable[[protocol.Wire], protocol.Wire]


class Scripted:
    """A Transport that loads everything and answers each further request with what comes next;
    exceptions it raises.
    """

    def __init__(self, answers: Iterable[protocol.Wire | Exception] = ()) -> None:
        self.isolation = Isolation(0)
        self.asked: list[protocol.Wire] = []
        self.closed = False
        self._answers = iter(answers)

    def exchange(self, request: protocol.Request, seconds: float, limit: int) -> protocol.Wire:
        assert not self.closed, "a closed worker is asked"
        if isinstance(request, protocol.Packed):
            request = protocol.unpack(request)
        assert isinstance(request, list)
        if request[0] == "load":
            names = request[4]
            assert isinstance(names, list)
            status: protocol.Wire = ["present", 1, 1, ""]
            states: list[protocol.Wire] = [status for _ in names]
            loaded: list[protocol.Wire] = [states, [], []]
            return ["ok", loaded]
        self.asked.append(request)
        done: protocol.Wire = ["ok", []]
        answer: protocol.Wire | Exception = next(self._answers, done)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def output(self) -> str:
        return ""

    def close(self) -> None:
        self.closed = True


def submission(source: str | bytes, **others: str) -> Submission:
    """A submission of `engine.py`, and other modules by their names."""
    engine = File("engine", "engine.py", source if isinstance(source, bytes) else source.encode())
    return Submission(
        "here",
        (engine, *(File(name, f"{name}.py", text.encode()) for name, text in others.items())),
    )
