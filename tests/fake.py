"""Stand-ins for a worker, for tests that need no process: `InProcess` runs the worker's own server here, `Scripted` says what it is told to."""

from __future__ import annotations

import builtins
import importlib.util
import io
import sys
from collections.abc import Callable, Iterable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import ModuleType

from grader import wire
from grader.host import Gone
from grader.model import Fault, Isolation, Kind
from grader.submission import File, Submission

WORKER = Path(wire.__file__).with_name("worker.py")


def _load_worker() -> ModuleType:
    """The worker by its path, as the interpreter starts it: `import grader.worker` is what nobody does."""
    spec = importlib.util.spec_from_file_location("worker_in_this_process", WORKER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


worker = _load_worker()


class InProcess:
    """A Transport to the worker's server in this process. What crosses is encoded and decoded, as it is on a pipe."""

    def __init__(self) -> None:
        self.isolation = Isolation(0, ("none",))
        self._server = worker.Server()
        self._printed = io.StringIO()

    def exchange(self, request: wire.Wire, seconds: float, limit: int) -> wire.Wire:
        with redirect_stdout(self._printed), redirect_stderr(self._printed):
            reply: bytes = self._server.reply(wire.pack(request))
        if len(reply) > limit:
            raise Gone(Fault(Kind.CRASHED, message="the reply is too long"))
        return wire.decode(reply)

    def output(self) -> str:
        text = self._printed.getvalue()
        self._printed.seek(0)
        self._printed.truncate()
        return text

    def close(self) -> None:
        builtins.__import__ = worker.loading.IMPORT
        sys.meta_path[:] = [finder for finder in sys.meta_path if not _is_ours(finder)]
        for name, module in list(sys.modules.items()):
            if _is_ours(getattr(getattr(module, "__spec__", None), "loader", None)):
                del sys.modules[name]


def _is_ours(finder: object) -> bool:
    return isinstance(finder, worker.loading.Files)


Reply = Callable[[wire.Wire], wire.Wire]


class Scripted:
    """A Transport that loads everything and answers each further request with what comes next; exceptions it raises."""

    def __init__(self, answers: Iterable[wire.Wire | Exception] = ()) -> None:
        self.isolation = Isolation(0)
        self.asked: list[wire.Wire] = []
        self.closed = False
        self._answers = iter(answers)

    def exchange(self, request: wire.Wire, seconds: float, limit: int) -> wire.Wire:
        assert not self.closed, "a closed worker is asked"
        assert isinstance(request, list)
        if request[0] == "load":
            names = request[4]
            assert isinstance(names, list)
            status: wire.Wire = ["present", 1, 1, ""]
            states: list[wire.Wire] = [status for _ in names]
            loaded: list[wire.Wire] = [states, [], []]
            return ["ok", loaded]
        self.asked.append(request)
        done: wire.Wire = ["ok", []]
        answer: wire.Wire | Exception = next(self._answers, done)
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
    return Submission("here", (engine, *(File(name, f"{name}.py", text.encode()) for name, text in others.items())))
