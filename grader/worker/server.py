"""The worker: a bare interpreter that holds the learner's code and does what the judge asks.

It is started by path, imports only the standard library and the protocol, and knows no expected
value and no verdict. It shares a process with code that may do anything, so the judge trusts
nothing it sends and checks only types and sizes.
"""

from __future__ import annotations

import gc
import io
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

from . import (
    archives,
    confinement,
    deadline,
    exceptions,
    hashes,
    limits,
    modules,
    notebooks,
    pass_trace,
    patches,
    protocol,
    wire,
)
from .mend import Search
from .protocol import (
    INSERTED,
    USUAL,
    Cells,
    Done,
    Fault,
    Line,
    Lines,
    Load,
    Members,
    Mend,
    Propose,
    Provide,
    Raised,
    Run,
    Take,
    Wire,
)
from .steps import Script, seed_random
from .submission import Submission

MAX_EVENTS = 100_000  # lines to look at when finding out which ones run
RESERVE = 1 << 20  # freed to report that memory has run out
LAST_WORDS = wire.encode(Fault(0, Raised("memory", "MemoryError", [], "", [], "")))


class Server:
    """Answers requests about one submission, or reads archives and notebooks."""

    def __init__(self, arm: Callable[[float], None] = lambda _seconds: None) -> None:
        self.arm = arm
        self.code = Submission(arm)
        self.script = Script(None)
        self.scripts = 0
        self.search: Any = None
        self.archive: Any = None
        self.reserve: bytes | None = bytes(RESERVE)

    def reply(self, request: bytes) -> bytes:
        """Return the reply to one request. If the learner's code raises, the reply is a Fault."""
        self.script.at = 0
        try:
            asked = wire.decode_request(request)
            self.arm(asked.seconds)
            try:
                if type(asked) is protocol.Run and asked.fresh:
                    self.begin_script(asked.order)
                content = COMMANDS[type(asked)](self, asked)
            finally:
                self.arm(0)
            return wire.encode(Done(content))
        except BaseException as error:  # noqa: BLE001 - the learner may also raise SystemExit or KeyboardInterrupt
            self.reserve = None
            for _attempt in range(2):
                try:
                    return wire.encode(Fault(self.script.at, self.code.raised(error)))
                except MemoryError:  # noqa: PERF203 - recursive functions keep their frames alive
                    gc.collect()
            return LAST_WORDS

    def out_of_time(self, frame: FrameType | None, seen: list[FrameType]) -> bytes:
        """Return the reply to a request that takes too long. It says which of the frames `seen`
        before still run, and where.
        """
        raised = exceptions.interrupted(frame, seen, self.code.sources, self.code.names)
        return wire.encode(Fault(self.script.at, raised))

    def provide(self, asked: Provide) -> Wire:
        """Import packages."""
        self.code.provide(asked.packages)
        return []

    def load(self, asked: Load) -> object:
        """Import the submission."""
        found = self.code.load(asked)
        self.script.module = self.code.module
        return found

    def begin_script(self, order: int) -> None:
        """Let a script draw the same random numbers in every grading, but no two scripts the same
        ones. In the order of insertion all draw the same, in other orders any.
        """
        if order > USUAL:
            return
        self.scripts += order
        seed_random(self.scripts if order else 1)

    def run(self, asked: Run) -> Wire:
        """Run the steps, with some functions replaced meanwhile, and return their answers."""
        if asked.fresh:
            hashes.choose(asked.order)
            self.script.forget()
            with suppress(MemoryError):
                self.reserve = self.reserve or bytes(RESERVE)
        undo: list[Callable[[], None]] = []
        try:
            for name, source, deletes in asked.patches:
                if (module := modules.known(name)) is not None:
                    undo.append(patches.patch(module, source, deletes))
            return self.script.run(asked.steps)  # type: ignore[arg-type] # as they cross
        finally:
            for each in reversed(undo):
                each()

    def lines(self, asked: Lines) -> object:
        """Return the lines that run from a step on, even if the steps fail, and which ones set an
        attribute.
        """
        sets: dict[tuple[str, int], bool] = {}
        here, left, watched, held = ("", 0), MAX_EVENTS, None, None

        def note(frame: FrameType, event: str, _argument: object) -> Any:
            nonlocal held, here, left
            if frame.f_code.co_filename not in self.code.sources:
                return None
            left -= 1
            if left < 0:
                raise pass_trace.Enough
            if held is not (held := getattr(watched, asked.attribute, None)):
                sets[here] = True
            if event == "line":
                here = frame.f_code.co_filename, frame.f_lineno
                sets.setdefault(here, False)
            return note

        try:
            self.run(protocol.Run(asked.seconds, True, asked.steps[: asked.first]))  # noqa: FBT003
            watched = self.script.objects.get(asked.on)
            held = getattr(watched, asked.attribute, None)
            sys.settrace(note)
            self.run(protocol.Run(asked.seconds, False, asked.steps[asked.first :]))  # noqa: FBT003
        except BaseException:  # noqa: BLE001, S110 - this script's failure has been reported before
            pass
        finally:
            sys.settrace(None)
        return [Line(*place, each) for place, each in sets.items()]

    def mend(self, asked: Mend) -> Wire:
        """Begin a search for changes to the code."""
        hashes.choose(INSERTED)
        self.search = Search(self.script, self.code.sources, asked)
        self.script.at = 0  # this fault belongs to no step
        return []

    def propose(self, asked: Propose) -> object:
        """Return the next change that fixes the scripts, in a list, or an empty one."""
        try:
            return self.search.next(asked.trials)
        finally:
            self.script.at = 0

    def members(self, asked: Members) -> object:
        """Open an archive and return the members that may be code."""
        self.archive = archives.members(asked.data)
        return [member for member, _open in self.archive]

    def take(self, asked: Take) -> object:
        """Return a member's first `limit` + 1 bytes, so the judge sees whether there are more."""
        with self.archive[asked.place][1]() as stream:
            return stream.read(asked.limit + 1)

    def cells(self, asked: Cells) -> object:
        """Return a notebook's code cells."""
        return notebooks.cells(asked.data)


COMMANDS: dict[type, Callable[..., object]] = {
    protocol.Provide: Server.provide,
    protocol.Load: Server.load,
    protocol.Run: Server.run,
    protocol.Lines: Server.lines,
    protocol.Mend: Server.mend,
    protocol.Propose: Server.propose,
    protocol.Members: Server.members,
    protocol.Take: Server.take,
    protocol.Cells: Server.cells,
}


# --- the process ---


def main() -> None:
    """Confine the process, report the active mechanisms, then answer requests one by one."""
    # the worker's own files are cached; later imports should leave nothing on disk
    sys.dont_write_bytecode = True
    forget()
    requests, replies = limits.private_channels()
    stream = io.BufferedReader(io.FileIO(requests))
    # collecting garbage would take half the time, because a graph is many small objects that all
    # live
    gc.set_threshold(1_000_000, 10, 10)
    gc.enable()  # it was off during the imports, which leave no garbage
    ends, printed, header = deadline.Deadline(), (sys.stdout, sys.stderr), protocol.HEADER
    server = Server(ends.arm)

    def receive() -> bytes:
        size = header.unpack(limits.read_exactly(stream, header.size))[0]
        return limits.read_exactly(stream, size)

    def send(data: bytes, pack: Callable[[int], bytes] = header.pack) -> None:
        limits.write_all(replies, pack(len(data)) + data)

    ends.watch(lambda frame, seen: send(server.out_of_time(frame, seen)))
    sys.argv[:] = [""]
    data = wire.encode(confinement.confine(wire.decode_request(receive())))
    while True:
        send(data)
        data = server.reply(receive())
        limits.flush(printed)


def forget() -> None:
    """Forget the worker's own modules, because the learner may have a worker.py."""
    modules.forget([name for name in sys.modules if name.partition(".")[0] == "worker"])
