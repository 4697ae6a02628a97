"""Run a notebook's cells in order, in one namespace, as a notebook does.

Each statement runs separately. If one raises or takes too long, note it and run the next one. The
namespace serves as every module of the course, so `from engine import Value` in a cell means the
class from the cells above. The worker loads this file by path; it imports only the standard
library.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from types import CodeType, ModuleType
from typing import Any

from .bounds import MAX_CELL_NOTES
from .modules import PARSE, Files, first_line, is_left_out
from .protocol import Cell, CellNote, Raised
from .slips import slip_in

# of processor time: enough to make a training loop below the engine harmless
STATEMENT_SECONDS = 1.0
ALL_SECONDS = 5.0  # afterwards only definitions run; in wall-clock time the limit is twice as long
MAX_TEXT = 200
AWAIT = 0x2000  # PyCF_ALLOW_TOP_LEVEL_AWAIT
# code flags: the code contains `await`; `from __future__ import annotations`, which stays in effect
# for later cells
COROUTINE, ANNOTATIONS = 0x80, 0x1000000
DEFINITIONS = {
    "ClassDef", "FunctionDef", "AsyncFunctionDef", "Import", "ImportFrom", "Assign", "AnnAssign"
}  # fmt: skip


class Quiet:
    """Replaces the notebook's own machinery. Every attribute can be called and does nothing."""

    def __getattr__(self, name: str) -> Quiet:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_args: object, **_named: object) -> Quiet:
        """Accept any arguments and do nothing."""
        return self

    def __contains__(self, _thing: object) -> bool:
        return False


class Notebook:
    """A namespace that serves as all the modules in `own`, and the notes about its cells."""

    def __init__(
        self,
        finder: Files,
        own: list[str],
        arm: Callable[[float], None],
        describe: Callable[..., Raised],
    ) -> None:
        self.finder, self.own = finder, own
        self.arm, self.describe = arm, describe
        self.flags = 0
        self.as_module: Callable[[Any], Any] = lambda statement: statement
        self.notes: list[CellNote] = []
        self.late = False
        self.ends: list[tuple[Callable[[], float], float]] = []
        self.module: ModuleType = type(sys)(own[0])
        self.module.__dict__.update(
            __builtins__=finder.builtins, display=lambda *_args, **_named: None, get_ipython=Quiet
        )

    def run(self, cells: Sequence[Cell]) -> ModuleType:
        """Run the cells and return the module that they make up."""
        from _ast import Module  # imported here because it takes a tenth of the worker's start-up

        self.as_module = lambda statement: Module([statement], [])
        self.finder.install()
        self.finder.importing = True  # a cell uses a missing package only for demos
        sys.modules.update(dict.fromkeys(self.own, self.module))
        self.ends = [
            (now, now() + seconds)
            for now, seconds in (
                (time.process_time, ALL_SECONDS),
                (time.monotonic, 2 * ALL_SECONDS),
            )
        ]
        for shown, source in cells:
            tree = self.compiled(shown, source.decode("utf-8", "replace"), PARSE)
            for statement in tree.body if tree is not None else ():
                self.do(shown, statement)
        self.arm(STATEMENT_SECONDS)
        self.finder.importing = False
        return self.module

    def compiled(self, shown: str, source: Any, flags: int = 0, line: int = 0) -> Any:
        """Compile a cell's text, or a statement that begins on a line of it. If that fails, report
        it and return None.
        """
        try:
            return compile(source, shown, "exec", AWAIT | self.flags | flags, dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            told = getattr(error, "msg", None) or str(error)
            if type(source) is str:
                line = getattr(error, "lineno", None) or 0
                line, told = slip_in(source, line) or (line, told)
            self.tell(shown, "syntax", line, type(error).__name__, told)
            return None

    def tell(self, shown: str, how: str, line: int, kind: str = "", message: str = "") -> None:
        """Note what happened in a cell, once per cell and kind of event."""
        if len(self.notes) < MAX_CELL_NOTES and not any(
            (note.cell, note.how) == (shown, how) for note in self.notes
        ):
            self.notes.append(CellNote(shown, how, line, kind[:MAX_TEXT], message[:MAX_TEXT]))

    def do(self, shown: str, statement: Any) -> None:
        """Run one statement, and survive whatever it does."""
        first = first_line(statement)
        if is_left_out(statement, shown, self.finder.left_out):
            return
        if (
            any(now() > end for now, end in self.ends)
            and type(statement).__name__ not in DEFINITIONS
        ):
            if not self.late:
                self.tell(shown, "late", first)
            self.late = True
            return
        if (code := self.compiled(shown, self.as_module(statement), line=first)) is None:
            return
        self.flags |= code.co_flags & ANNOTATIONS
        if code.co_flags & COROUTINE:
            self.tell(shown, "await", first)
            return
        self.execute(shown, first, code)

    def execute(self, shown: str, line: int, code: CodeType) -> None:
        """Run code, again with a placeholder if it imports a missing package."""
        while True:
            self.arm(STATEMENT_SECONDS)
            try:
                exec(code, self.module.__dict__)  # noqa: S102 - running it is the purpose
            except BaseException as error:  # noqa: BLE001 - the learner may also raise SystemExit or KeyboardInterrupt
                self.arm(STATEMENT_SECONDS)
                if issubclass(type(error), ImportError) and self.finder.stand_in(error):
                    continue
                raised = self.describe(error, [shown], {}, {})
                line = raised.frames[0].line if raised.frames else line
                self.tell(shown, "raised", line, raised.type_name, raised.message)
            return
