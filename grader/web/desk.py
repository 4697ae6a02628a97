"""What the page can ask of the judge: run a command, keep the learner's files, say where they are.

`static/judge.js` calls `Desk.call` with a method's name and its arguments as JSON.
"""

from __future__ import annotations

import io
import json
import os
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from pyodide.ffi import run_sync

from grader.cli import app
from grader.cli.commands import COMMANDS
from grader.cli.options import VARIABLE
from grader.curriculum.load import load_course
from grader.curriculum.model import DEFAULT_COURSE
from grader.web.host import Seam, WebHost

HOME = Path("/home/engine")


def wait(value: Any) -> Any:
    """Return a value, or what a promise of it brings."""
    return run_sync(value) if hasattr(value, "then") else value


class Desk:
    """The learner's folder and the commands that run in it."""

    def __init__(self, seam: Seam) -> None:
        self._course = load_course(Path(os.environ.get(VARIABLE, DEFAULT_COURSE)))
        self._host = WebHost(seam, wait, 4.0)
        os.environ.update(TERM="xterm-256color", FORCE_COLOR="1")
        HOME.mkdir(parents=True, exist_ok=True)
        os.chdir(HOME)

    def call(self, name: str, given: str) -> str | bytes:
        """Call a method. Return its result as JSON, or as bytes."""
        found = getattr(self, name)(*json.loads(given))
        return found if isinstance(found, bytes) else json.dumps(found)

    def course(self) -> dict[str, Any]:
        """Return the title, the stages, the stubs and the words that can be typed."""
        course = self._course
        stages = [
            {"id": stage.id, "title": stage.title, "file": stage.file, "extra": stage.optional}
            for stage in course.stages
        ]
        stubs = {
            name: (course.exercises / name).read_text(encoding="utf-8") for name in course.files
        }
        words = [*COMMANDS, *(stage.id for stage in course.stages)]
        return {"title": course.title, "stages": stages, "files": stubs, "commands": words}

    def write(self, name: str, text: str | None) -> None:
        """Write one of the learner's files, or remove it."""
        file = HOME / name
        if text is None:
            file.unlink(missing_ok=True)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")

    def read(self) -> dict[str, str]:
        """Return all files of the learner's folder."""
        return {
            file.relative_to(HOME).as_posix(): file.read_text(encoding="utf-8")
            for file in sorted(HOME.rglob("*"))
            if file.is_file()
        }

    def run(self, words: list[str], form: str, columns: int) -> dict[str, Any]:
        """Run a command as in a terminal of this width."""
        os.environ["COLUMNS"] = str(columns)
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        begun = time.perf_counter()
        with redirect_stdout(out), redirect_stderr(out):
            code = app.run(words[1:], self._host)
        text = out.buffer.getvalue().decode()
        return {"exit": code, "text": text, "seconds": time.perf_counter() - begun}
