"""`grade watch`: grade a phase whenever a file is saved."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from grader.cli.commands import load_command
from grader.cli.grading import grade_now, status_of, with_progress
from grader.cli.options import complete_phases, course_option, examples
from grader.cli.places import own_home
from grader.cli.streams import make_console
from grader.curriculum.model import Course, Stage
from grader.errors import GraderError
from grader.model import CheckResult, Report, Verdict
from grader.text import safe
from grader.views.console import HINT, LIST, NEXT, QUIT, print_commands, print_keys

COMMANDS = {  # by key; `{}` is the phase
    "h": "hint {}",
    "l": "list",
    "s": "solution {}",
    "t": f"run {{}} --open --output {os.devnull}",
    "p": "show {}",
    "r": "reset {}",
    "u": "undo",
}
SOLUTION = "s solution"
PICTURE = "p picture"
KEYS = (NEXT, HINT, LIST, SOLUTION, "t trace", "r reset", "u undo", PICTURE, QUIT)


@click.command(short_help="Grade whenever you save.", epilog=examples("grade watch phase4"))
@click.argument("phase", required=False, shell_complete=complete_phases)
@course_option
def watch(phase: str | None, course: Course) -> None:
    """Grade a phase, by default the next one, and grade it again whenever you save, with each
    earlier phase that you have edited since it passed. When it passes, the next one begins. The
    report stays until there is a new one, which begins with what you have fixed. The first failure
    appears as soon as it is found.

    Keys: n next, h hint, l list, s solution, t trace of the first failure, p picture if there is
    one, r reset, u undo, q quit.
    """
    from grader.cli.keyboard import keys

    home = own_home(course)
    stage = course.select([phase])[0] if phase else _next(course, home)
    session = WatchSession(course, home, stage, make_console())
    session.goes_on = phase is None
    with keys() as read:
        before = session.contents()
        session.look()
        while (key := read(0.05)) not in {"q", "\x04"}:  # seconds between two looks at the files
            if key:
                session.press(key)
            if session.contents() != before:
                time.sleep(0.03)  # an editor may write in several steps
                before = session.contents()
                session.look()


def _next(course: Course, home: Path) -> Stage:
    """Return the first phase that never passed, otherwise the first edited since it passed.

    If all pass, return the last one.
    """
    places = status_of(course, home, home).places
    required = [place for place in places if not place.stage.optional] or list(places)
    waiting = (place for place in required if place.state != "done")
    return [*sorted(waiting, key=lambda place: place.state == "changed"), required[-1]][0].stage


class WatchSession:
    """The phase, its last report, and the screen."""

    def __init__(self, course: Course, home: Path, stage: Stage, console: Console) -> None:
        from grader.judge.job import Caches

        self.course, self.home, self.stage, self.console = course, home, stage, console
        self.status = status_of(course, home, home)
        self.report: Report | None = None
        self.goes_on = True  # when the phase passes
        self.news: list[tuple[str, str]] = []  # what is fixed, and which phases pass
        self._caches = Caches()

    def contents(self) -> list[bytes]:
        """Return the contents of the files."""
        found = []
        for name in self.course.files:
            with suppress(OSError):
                found.append((self.home / name).read_bytes())
        return found

    def look(self) -> None:
        """Grade the files, and go on with the next phase if one passes."""
        from grader.learner.status_screen import after

        if not (self.home / self.stage.file).exists():
            self._say(f"{self.stage.file} is gone; waiting for it to come back")
            return
        self.news = []
        try:
            while self._passes() and self.goes_on and (following := self._following()):
                if any(p.stage is following and p.state == "done" for p in self.status.places):
                    break
                passes = f"{self.stage.id} passes. Now {following.id}, {following.title}."
                self.news += [("", passes), *after(self.stage, self.course)]
                self.stage = following
        except GraderError as error:
            self._say(f"{error.message} ({error.hint})")
            return
        self.goes_on = True
        self.show()

    def _say(self, text: str) -> None:
        self.console.print(Text(safe(text), "dim"))

    def _passes(self) -> bool:
        """Grade the phase. Return whether it passes."""
        from grader.judge.grade import Request, select
        from grader.learner.progress import load

        course, known = self.course, load(self.home)
        self.status = status_of(course, self.home, self.home, self.stage)
        edited = [
            place.stage.id
            for place in self.status.places
            if place.stage in course.before(self.stage)
            and place.state != "done"
            and known.was_done(place.stage.id)
        ]
        request = Request(
            course,
            select(course, [*edited, self.stage.id]),
            met=self._show_beginning,
            caches=self._caches,
        )
        report, _ = with_progress(grade_now(self.home, request).revealed(), self.home)
        passed = [r for r in report.checkpoints if r.verdict is Verdict.PASSED]
        fixed = [result.title.replace("`", "") for result in passed if result.id in known.failed]
        more = f", and {len(fixed) - 1} more" if fixed[1:] else ""
        self.news += [("fixed", f"{title}{more}") for title in fixed[:1]]
        self.report, self.status = report, status_of(course, self.home, self.home, self.stage)
        return all(phase.done for phase in report.phases)

    def _show_beginning(self, results: Sequence[CheckResult]) -> None:
        """Show the first failure while other checks run, if nothing can block it."""
        from grader.model import PhaseResult, Visibility
        from grader.views.terminal import print_beginning

        shown = tuple(result for result in results if result.visibility is Visibility.VISIBLE)
        failed = [one for one in shown if one.verdict is Verdict.FAILED and not one.bonus]
        is_first = failed == [*shown[-1:]]
        places, before = self.status.places, self.course.before(self.stage)
        is_free = all(p.state == "done" or p.stage.alone for p in places if p.stage in before)
        if self.console.is_terminal and is_first and is_free:
            self.console.clear()
            print_beginning(PhaseResult(self.stage.id, self.stage.title, shown), self.console)
            self._say("grading the rest …")

    def show(self) -> None:
        """Replace the screen with the last report, the course on one line, and the keys."""
        from grader.learner.status_screen import after, print_bar
        from grader.views.terminal import print_report

        if self.report is None:
            return
        self.console.clear()
        print_commands(self.news, self.console, "green")
        if self.news:
            self.console.print()
        print_report(self.report, self.console)
        self.console.print()
        if self.report.phases[-1].done:
            following = self._following()
            goes_on = (
                f"n continues with {following.id}, {following.title}"
                if following
                else "That was the last phase."
            )
            passes = f"{self.stage.id} passes. {goes_on}"
            print_commands([("", passes), *after(self.stage, self.course)], self.console)
        elif self.status.spot and not self.status.fix:
            print_commands([("", f"write {self.status.spot}")], self.console)
        print_bar(self.status.places, self.console)
        absent = {
            SOLUTION: not self.course.solutions.is_dir(),
            PICTURE: not self.stage.show.is_file(),
        }
        print_keys([key for key in KEYS if not absent.get(key)], self.console)
        if not self.console.is_terminal:
            self.console.print("Ctrl-C stops", style="dim")

    def _following(self) -> Stage | None:
        rest = self.course.stages[self.course.stages.index(self.stage) + 1 :]
        return next((stage for stage in rest if stage.optional == self.stage.optional), None)

    def press(self, key: str) -> None:
        """Perform a key's action. Ignore other keys."""
        command = COMMANDS.get(key, "")
        following = self._following() if self.report and self.report.phases[-1].done else None
        if command and (key != "p" or self.stage.show.is_file()):
            self._command(*command.format(self.stage.id).split())
        elif key == "n" and following is not None:
            self.stage, self.goes_on = following, False
            self.look()
        elif key in {"n", "\n", " "}:  # the report says why there is no next phase yet
            self.show()

    def _command(self, name: str, *words: str) -> None:
        """Run a command below the report, as if it had been typed."""
        try:
            load_command(name).main(
                args=[*words, "--course", str(self.course.folder)],
                prog_name=f"grade {name}",
                standalone_mode=False,
            )
        except GraderError as error:
            self.console.print(
                f"{error.message}; {error.hint}" if error.hint else error.message, style="yellow"
            )
        self.console.print("Enter shows the report again", style="dim")
