"""Stand-ins for a worker, for tests that need no process.

`InProcess` runs the worker's own server here, and `Scripted` sends prepared answers.
"""

from __future__ import annotations

import builtins
import io
import sys
from collections.abc import Iterable, Sequence
from contextlib import redirect_stderr, redirect_stdout

from grader.boundary.transport import Gone
from grader.conditions import Isolation
from grader.intake.submission import File, Submission
from grader.model import Fault, Kind
from grader.worker import modules, protocol, server, wire


class InProcess:
    """A Transport to the worker's server in this process.

    Messages are encoded and decoded as they are on a pipe.
    """

    def __init__(self, _readable: Sequence[str] = ()) -> None:
        self.isolation = Isolation(0, ("none",))
        self._server = server.Server()
        self._printed = io.StringIO()

    def exchange(self, request: bytes, seconds: float, limit: int) -> bytes:
        with redirect_stdout(self._printed), redirect_stderr(self._printed):
            reply: bytes = self._server.reply(request)
        if len(reply) > limit:
            raise Gone(Fault(Kind.CRASHED, message="the reply is too long"))
        return reply

    def output(self) -> str:
        text = self._printed.getvalue()
        self._printed.seek(0)
        self._printed.truncate()
        return text

    def close(self) -> None:
        sys.modules["builtins"] = builtins
        sys.meta_path[:] = [finder for finder in sys.meta_path if not _is_ours(finder)]
        for name, module in list(sys.modules.items()):
            if _is_ours(getattr(getattr(module, "__spec__", None), "loader", None)):
                del sys.modules[name]


def _is_ours(finder: object) -> bool:
    return isinstance(finder, modules.Files)


def crossed(reply: object) -> protocol.Wire:
    """Return a reply as the judge receives it."""
    return wire.decode(wire.encode(reply))


class Scripted:
    """A Transport that loads everything, then gives the prepared answers in order.

    If an answer is an exception, it raises that.
    """

    def __init__(self, answers: Iterable[protocol.Wire | Exception] = ()) -> None:
        self.isolation = Isolation(0)
        self._answers = iter(answers)

    def exchange(self, request: bytes, seconds: float, limit: int) -> bytes:
        asked = wire.decode_request(request)
        if isinstance(asked, protocol.Load):
            states = [protocol.NameState("present", 1, 1) for _ in asked.names]
            return wire.encode(protocol.Done(protocol.Loaded(states, [], [])))
        answer = next(self._answers, crossed(protocol.Done([])))
        if isinstance(answer, Exception):
            raise answer
        return wire.encode(answer)

    def output(self) -> str:
        return ""

    def close(self) -> None:
        pass


def submission(source: str | bytes, **others: str) -> Submission:
    """Return a submission of `engine.py` and other modules, by name."""
    engine = File("engine", "engine.py", source if isinstance(source, bytes) else source.encode())
    return Submission(
        "here",
        (engine, *(File(name, f"{name}.py", text.encode()) for name, text in others.items())),
    )
