"""The page's requests to the judge: run a command, keep the learner's files, say where they are.

`static/judge.js` calls `Desk.call` with a method's name and its arguments as JSON.
"""

from __future__ import annotations

import gc
import importlib
import io
import json
import os
import shlex
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from pyodide.ffi import run_sync

from grader.cli import app
from grader.cli.commands import COMMANDS, LEARNING, load_command
from grader.cli.places import VARIABLE
from grader.curriculum.load import load_course
from grader.curriculum.model import DEFAULT_COURSE, Course
from grader.errors import GraderError
from grader.intake.read import read_submission
from grader.judge.job import Caches
from grader.learner import progress
from grader.learner.status import find_status
from grader.model import Frame, Report
from grader.views.html import as_plain
from grader.web.host import Seam, WebHost
from grader.web.practice import Practice

HOME = Path("/home/engine")
NATIVE = {"watch", "try", "notebook", "doctor", "class", "export", "dev"}
ELSEWHERE = (
    "error: grade {} does not work in a browser\nhint: install the kit on your computer to use it\n"
)
EARLY = """grader.suite grader.judge.grade grader.judge.plugin grader.judge.properties
    grader.judge.explain.diagnose grader.judge.explain.exceptions grader.judge.explain.rerun
    grader.judge.explain.circuit grader.judge.explain.backward grader.judge.explain.operation
    grader.views.terminal grader.views.html grader.views.json grader.views.console
    grader.learner.hints grader.learner.status_screen grader.learner.quiz.quiz_screens
    grader.learner.tracing.page grader.learner.training.training mpmath jinja2
    pygments.lexers.python unittest.mock"""


def import_early() -> None:
    """Import what commands need, for example before the judge's snapshot is made."""
    for name in COMMANDS.keys() - NATIVE:
        load_command(name)
    for name in EARLY.split():
        importlib.import_module(name)
    gc.collect()
    gc.freeze()


def wait(value: Any) -> Any:
    """Return a value, or the result of a promise of it."""
    return run_sync(value) if hasattr(value, "then") else value


class Screen(WebHost):
    """The host of a command whose screen is the page."""

    def __init__(self, seam: Seam, course: Course, caches: Caches) -> None:
        super().__init__(seam, wait)
        self.course, self.caches = course, caches
        self.out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        self.shown: Report | None = None

    def ask(self, prompt: str, at_once: str) -> str | None:
        """Show what was printed and ask the person at the page."""
        answer = wait(self._seam.ask(self.text(), prompt, at_once))
        return None if answer is None else str(answer)

    def show(self, report: Report) -> None:
        """Keep the report, which the page shows in its own way."""
        self.shown = report

    def tell(self, title: str) -> None:
        """Show which check begins."""
        self._seam.tell(title)

    def text(self) -> str:
        """Return the text printed since the last call."""
        self.out.flush()
        found = self.out.buffer.getvalue().decode()
        self.out.seek(0)
        self.out.truncate()
        return str(found)


class Desk:
    """The learner's folder and the commands that run in it."""

    def __init__(self, seam: Seam) -> None:
        self._course = load_course(Path(os.environ.get(VARIABLE, DEFAULT_COURSE)))
        self._seam, self._caches = seam, Caches()
        self._practice = Practice(self._course, HOME, WebHost(seam, wait))
        os.environ.update(TERM="xterm-256color", FORCE_COLOR="1")
        HOME.mkdir(parents=True, exist_ok=True)
        os.chdir(HOME)

    def call(self, name: str, given: str) -> str | bytes:
        """Call a method. Return its result as JSON, or as bytes."""
        found = getattr(self, name)(*json.loads(given))
        return found if isinstance(found, bytes) else json.dumps(found)

    def words(self) -> list[str]:
        """Return the words that can be typed after `grade`."""
        commands = (name for name in LEARNING if name not in NATIVE)
        return [*commands, *(stage.id for stage in self._course.stages)]

    def prepare(self) -> None:
        """Import what the next commands need."""
        import_early()

    def write(self, name: str, text: str | None) -> None:
        """Write one of the learner's files, or remove it."""
        file = HOME / name
        if text is None:
            file.unlink(missing_ok=True)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")

    def read(self) -> dict[str, str]:
        """Return all text files of the learner's folder."""
        return {
            file.relative_to(HOME).as_posix(): file.read_bytes().decode("utf-8", "replace")
            for file in sorted(HOME.rglob("*"))
            if file.is_file()
        }

    def run(self, words: list[str] | str, columns: int) -> dict[str, Any]:
        """Run a command as in a terminal of this width. Return its exit code, what it printed, the
        report if it made one, and the files that it changed.
        """
        try:
            words = shlex.split(words) if isinstance(words, str) else words
        except ValueError as error:  # an unmatched quotation mark
            return {"exit": 2, "text": f"error: {error}\n", "files": {}}
        words = words[1:] if words[:1] == ["grade"] else words
        if words and words[0] in NATIVE:
            return {"exit": 2, "text": ELSEWHERE.format(words[0]), "files": {}}
        os.environ["COLUMNS"] = str(columns)
        screen, before = Screen(self._seam, self._course, self._caches), self.read()
        with redirect_stdout(screen.out), redirect_stderr(screen.out):
            code = app.run(words, screen)
        result = {"exit": code, "text": screen.text(), "files": self._changed(before)}
        if screen.shown is not None:
            result["report"] = as_plain(screen.shown, pictures=True)
        return result

    def practice(self, name: str, *given: Any) -> dict[str, Any]:
        """Call a method of `Practice`. Return its result and the files that it changed."""
        before = self.read()
        try:
            result: dict[str, Any] = getattr(self._practice, name)(*given)
        except GraderError as error:
            result = {"error": error.message, "hint": error.hint}
        return {**result, "files": self._changed(before)}

    def _changed(self, before: dict[str, str]) -> dict[str, str]:
        return {name: text for name, text in self.read().items() if before.get(name) != text}

    def status(self) -> dict[str, Any]:
        """Return the state of every stage and where to continue."""
        course, host = self._course, WebHost(self._seam, wait)
        if not (HOME / course.files[0]).exists():
            return {"stages": [], "next": None, "trouble": f"there is no {course.files[0]}"}
        submission = read_submission(".", course.files, host.worker)
        found = find_status(course, submission, progress.load(HOME))
        stages = [
            {
                "id": place.stage.id,
                "state": place.state,
                "earned": place.score,
                "possible": place.stage.points,
            }
            for place in found.places
        ]
        if found.next is None:
            return {"stages": stages, "next": None, "trouble": found.trouble}
        spot = found.at or Frame(found.next.file, 0, "")
        following = {
            "stage": found.next.id,
            "checkpoint": found.fix,
            "stub": "" if found.fix else spot.function,
            "function": spot.function,
            "file": spot.file,
            "line": spot.line,
        }
        return {"stages": stages, "next": following, "trouble": found.trouble}
