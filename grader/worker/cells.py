"""Run a notebook's cells in order, in one namespace, as a notebook does.

Each statement runs separately. If one raises or takes too long, note it and run the next one. The
namespace serves as every module of the course, so `from engine import Value` in a cell means the
class from the cells above. The worker loads this file by path; it imports only the standard
library.
"""

from __future__ import annotations

import ast
import sys
import time
from collections.abc import Callable, Sequence
from types import CodeType, ModuleType
from typing import Any

from .bounds import MAX_CELL_NOTES
from .exceptions import clip, describe
from .modules import ROOT, Files, first_line, is_left_out
from .placeholders import Placeholder
from .protocol import CellNote, File
from .slips import slip_in

# of processor time: enough to make a training loop below the engine harmless
STATEMENT_SECONDS = 1.0
ALL_SECONDS = 5.0  # afterwards only definitions run
# `await` at the top level skips its statement and not the whole cell
PARSE = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
# `from __future__ import annotations`, which stays in effect for later cells
ANNOTATIONS = 0x1000000
DEFINITIONS = (
    ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Import, ast.ImportFrom, ast.Assign,
    ast.AnnAssign
)  # fmt: skip


class Notebook:
    """A namespace that serves as all the modules in `own`, and the notes about its cells."""

    def __init__(self, finder: Files, own: list[str], arm: Callable[[float], None]) -> None:
        self.finder, self.own, self.arm = finder, own, arm
        self.flags = 0
        self.notes: list[CellNote] = []
        self.ends = time.process_time() + ALL_SECONDS
        self.module: ModuleType = type(sys)(own[0])
        jupyter = {name: Placeholder(finder, name) for name in ("display", "get_ipython")}
        self.module.__dict__.update(jupyter, __builtins__=finder.builtins, __path__=[])

    def run(self, cells: Sequence[File]) -> ModuleType:
        """Run the cells and return the module that they make up."""
        self.finder.install()
        self.finder.importing = True  # a cell uses a missing package only for demos
        sys.modules.update(dict.fromkeys((*self.own, ROOT), self.module))
        # a cell that writes an `__init__.py` imports what other cells write
        for _, shown, source, _ in sorted(cells, key=lambda cell: cell.module.endswith(ROOT)):
            tree = self.compiled(shown, source.decode("utf-8", "replace"), PARSE)
            for statement in tree.body if tree is not None else ():
                if not is_left_out(statement, shown, self.finder.left_out):
                    self.do(shown, statement)
        self.arm(STATEMENT_SECONDS)
        self.finder.importing = False
        return self.module

    def compiled(self, shown: str, source: Any, flags: int = 0, line: int = 0) -> Any:
        """Compile a cell's text, or a statement that begins on a line of it. If that fails, report
        it and return None.
        """
        try:
            return compile(source, shown, "exec", self.flags | flags, dont_inherit=True)
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
            self.notes.append(CellNote(shown, how, line, kind, clip(message)))

    def do(self, shown: str, statement: Any) -> None:
        """Run one statement, and survive whatever it does."""
        first = first_line(statement)
        if time.process_time() > self.ends and not isinstance(statement, DEFINITIONS):
            if not any(note.how == "late" for note in self.notes):
                self.tell(shown, "late", first)
        elif code := self.compiled(shown, ast.Module([statement], []), line=first):
            self.flags |= code.co_flags & ANNOTATIONS
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
                raised = describe(error, [shown], {}, {})
                line = raised.frames[0].line if raised.frames else line
                self.tell(shown, "raised", line, raised.type_name, raised.message)
            return
