"""`grade watch`: grade a phase whenever a file is saved."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.text import Text

from grader.cli.commands import load_command
from grader.cli.hosting import begin_host, current_host, start_reader, using_host
from grader.cli.list import places_of
from grader.cli.options import complete_phase, course_option, examples
from grader.cli.places import own_home
from grader.cli.screen import Screen, waiting
from grader.cli.streams import make_console
from grader.errors import GraderError
from grader.text import safe
from grader.views.console import HINT, LIST, NEXT, QUIT, code_text, print_keys, print_text

if TYPE_CHECKING:
    from rich.console import Console

    from grader.curriculum.model import Course, Stage
    from grader.intake.submission import Submission
    from grader.learner.status import Place
    from grader.model import CheckResult, Report

Read = Callable[[float], str]

POLL = 0.05  # seconds to wait for a key before checking the files
SETTLE = 0.03  # an editor may write in several steps
SOLUTION = "s solution"
PICTURE = "p picture"
KEYS = (NEXT, HINT, LIST, SOLUTION, "t trace", "r reset", "u undo", PICTURE, QUIT)
PLAIN = "Ctrl-C stops"
FOOT = 6  # lines below the report, and for messages
AHEAD = 1 << 30  # workers: one is always waiting


@click.command(short_help="Grade whenever you save.", epilog=examples("grade watch phase4"))
@click.argument("phase", required=False, shell_complete=complete_phase)
@course_option
def watch(phase: str | None, course: Course) -> int:
    """Grade a phase, by default the next one, and grade it again whenever you save, with each
    earlier phase that you have edited since it passed. When it passes, the next one begins. The
    report stays until there is a new one, which begins with what you have fixed. The first failure
    appears as soon as it is found.

    Keys: n next, h hint, l list, s solution, t trace of the first failure, p picture if there is
    one, r reset, u undo, q quit.
    """
    home = own_home(course)
    secret = str(course.stages[0].suite)
    with begin_host(secret) as host, using_host(host):
        host.expect(AHEAD)
        stage = course.select([phase])[0] if phase else _next(course, home)
        session = WatchSession(course, home, stage, make_console())
        session.goes_on = phase is None
        _follow(session)
    return 0


def _follow(session: WatchSession) -> None:
    """Grade after every save and act on keys, until q is pressed."""
    from grader.cli.keyboard import Keys

    with Keys() as keys:
        try:
            before = session.stamps()
            session.look()
            while (key := keys.read(POLL)) not in {"q", "\x04"}:
                if key:
                    session.press(key, keys.read)
                if session.stamps() != before:
                    time.sleep(SETTLE)
                    before = session.stamps()
                    session.look()
        finally:
            session.screen.clear_message()


def _next(course: Course, home: Path) -> Stage:
    """Return the first phase that never passed, otherwise the first edited since it passed.

    If all pass, return the last one.
    """
    from grader.learner.status import next_stage

    places = places_of(course, home)
    required = [place for place in places if not place.stage.optional] or list(places)
    edited = (place.stage for place in required if place.state == "changed")
    return next_stage(required) or next(edited, required[-1].stage)


def _fixed(before: Report | None, now: Report) -> list[str]:
    """Return the titles of the checkpoints that failed before and pass now."""
    from grader.model import Verdict

    failed = {r.id for r in before.checkpoints if r.verdict is Verdict.FAILED} if before else ()
    passed = (result for result in now.checkpoints if result.verdict is Verdict.PASSED)
    return [result.title.replace("`", "") for result in passed if result.id in failed]


class WatchSession:
    """The phase, its last report, and the screen."""

    def __init__(self, course: Course, home: Path, stage: Stage, console: Console) -> None:
        from grader.judge.job import Caches

        self.course, self.home, self.stage, self.console = course, home, stage, console
        self.screen = Screen(console)
        self.graded = ""  # the hash of the files
        self.report: Report | None = None
        self.goes_on = True  # when the phase passes
        self.passed: list[Stage] = []  # in this grading, before the current one
        self.edited: Sequence[Stage] = ()  # that passed before, and must pass again
        self.fixed: list[str] = []  # titles of checkpoints that failed before
        self.places: Collection[Place] = ()
        self.write = ""  # the place of the first stub
        self._caches = Caches()
        self._has_first = False  # whether a check has failed in this grading

    def stamps(self) -> list[object]:
        """Return values that change whenever a file does, however an editor saves it."""
        found: list[object] = []
        for name in self.course.files:
            with suppress(OSError):
                stat = os.stat(self.home / name)  # noqa: PTH116 - many times a second
                found.append((name, stat.st_mtime_ns, stat.st_size, stat.st_ino))
        return found

    def look(self) -> None:
        """Grade the files unless they are the same as last time."""
        from grader.intake.read import read_submission

        try:
            submission = read_submission(self.home, self.course.files, start_reader)
            if submission.sha256 == self.graded:
                self.screen.clear_message()
            elif submission.module(self.stage.module) is None:
                self.screen.say(f"{self.stage.file} is gone; waiting for it to come back")
            else:
                self.screen.say("grading …")
                self.passed, self.fixed = [], []
                while following := self._grade(submission):
                    self.passed.append(self.stage)
                    self.stage, self.report = following, None
                self.graded, self.goes_on = submission.sha256, True
                self.show()
        except GraderError as error:
            self.screen.say(f"{error.message} ({error.hint})")

    def _grade(self, submission: Submission) -> Stage | None:
        """Grade the phase. Return the next one if it is time for that."""
        from grader.judge.grade import Request, grade_request, select
        from grader.learner.progress import PROGRESS, save_progress, with_regressions
        from grader.learner.status import find_places, find_status, pass_as_they_are

        self._has_first = False
        earlier = self.course.stages[: self.course.stages.index(self.stage)]
        known = PROGRESS.load(self.home)
        self.places = find_places(self.course, submission, known)
        state = {place.stage.id: place.state for place in self.places}
        self.edited = [
            stage
            for stage in earlier
            if state[stage.id] == "changed" or (stage in self.edited and state[stage.id] != "done")
        ]
        with waiting() as tell:
            request = Request(
                self.course,
                select(self.course, [*(stage.id for stage in self.edited), self.stage.id]),
                host=current_host(),
                tell=tell,
                met=self._show_beginning,
                prove=1,
                caches=self._caches,
                rest_is_right=pass_as_they_are(self.course, earlier, submission, known),
            )
            report = grade_request(self.home, request)
        before, self.report = self.report, with_regressions(report.revealed(), known)
        self.fixed += _fixed(before, self.report)
        save_progress(self.home, self.report)
        now = find_status(self.course, submission, PROGRESS.load(self.home), self.stage)
        self.places, self.write = now.places, str(now.write or "")
        following = self._following()
        is_open = any(p.stage is following and p.state != "done" for p in self.places)
        passes = all(phase.done for phase in self.report.phases)
        return following if self.goes_on and is_open and passes else None

    def _show_beginning(self, results: Sequence[CheckResult]) -> None:
        """Show the first failure while other checks run, if nothing can block it."""
        from grader.model import PhaseResult, Verdict, Visibility
        from grader.views.terminal import print_beginning

        shown = tuple(result for result in results if result.visibility is Visibility.VISIBLE)
        failed = any(result.verdict is Verdict.FAILED and result.counts for result in shown)
        if self._has_first or not self.screen.is_there or not failed:
            return
        self._has_first = True
        before = self.course.stages[: self.course.stages.index(self.stage)]
        if all(p.state == "done" or p.stage.alone for p in self.places if p.stage in before):
            phase = PhaseResult(self.stage.id, self.stage.title, shown)
            self.screen.draw(lambda: print_beginning(phase, self.console))
            self.screen.say("grading the rest …")

    def show(self) -> None:
        """Replace the screen with the last report."""
        if self.report is not None:
            self.screen.draw(partial(self._print_body, self.report), self._print_foot)

    def _print_body(self, report: Report) -> None:
        from grader.learner.status_screen import print_after
        from grader.model import Verdict
        from grader.views.terminal import print_report

        phase = report.phases[-1]
        if self.fixed:
            more = f", and {len(self.fixed) - 1} more" if self.fixed[1:] else ""
            print_text(Text(f"fixed: {self.fixed[0]}{more}", "green"), self.console)
        if self.passed:
            ids = ", ".join(stage.id for stage in self.passed)
            done = f"{ids} pass{'' if self.passed[1:] else 'es'}"
            self._say(f"{done}. Now {self.stage.id}, {self.stage.title}.")
            print_after(self.passed[-1], self.course, self.console)
        if self.fixed or self.passed:
            self.console.print()
        print_report(report, self.console, height=self.console.height - FOOT)
        verdicts = {result.verdict for result in phase.checkpoints if result.counts}
        if self.write and Verdict.FAILED not in verdicts:
            self.console.print(code_text(f"write {safe(self.write)}"))
        self.console.print()
        if phase.done:
            following = self._following()
            goes_on = "That was the last phase."
            if following is not None:
                goes_on = f"n continues with {following.id}, {following.title}"
            self._say(f"{self.stage.id} passes. {goes_on}")
            if self.stage.shows and self.console.is_terminal:
                self._say("p trains your network and draws what it has learnt.")
            print_after(self.stage, self.course, self.console)
            self.console.print()

    def _say(self, text: str) -> None:
        print_text(Text(text, "bold green"), self.console)

    def _print_foot(self) -> None:
        from grader.learner.status_screen import print_bar

        print_bar(self.places, self.console)
        if self.console.is_terminal:
            absent = {SOLUTION: not self.course.has_solutions, PICTURE: not self.stage.shows}
            print_keys([key for key in KEYS if not absent.get(key)], self.console)
        else:
            self.console.print(PLAIN, style="dim")

    def _following(self) -> Stage | None:
        rest = self.course.stages[self.course.stages.index(self.stage) + 1 :]
        return next((stage for stage in rest if stage.optional == self.stage.optional), None)

    def press(self, key: str, read: Read) -> None:
        """Perform a key's action. Ignore other keys."""
        stage = self.stage.id
        commands = {
            "h": ("hint", stage),
            "l": ("list",),
            "s": ("solution", stage),
            "t": ("run", stage, "--open", "--output", os.devnull),
            "u": ("undo",),
        }
        if self.stage.shows:
            commands["p"] = ("show", stage, "--at", str(self.home))
        if key in commands:
            self._command(*commands[key])
        elif key == "n":
            self._go_on()
        elif key == "r":
            self._reset(read)
        elif key and key in "\n ":
            self.show()

    def _go_on(self) -> None:
        following = self._following()
        if self.report is None or not self.report.phases[-1].done:
            self.screen.say(f"{self.stage.id} is not done yet")
        elif following is None:
            self.screen.say("that was the last phase: grade finish")
        else:
            self.stage, self.report = following, None
            self.graded, self.goes_on = "", False
            self.look()

    def _command(self, name: str, *words: str) -> None:
        """Run a command below the report, as if it had been typed."""
        self.screen.clear_message()
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

    def _reset(self, read: Read) -> None:
        self.screen.clear_message()
        question = f"Put the stubs of {self.stage.id} back? Your code is saved first. y: yes"
        self.console.print(question, style="yellow")
        while not (answer := read(1.0)):
            pass
        if answer == "y":
            self._command("reset", self.stage.id)
        else:
            self.show()
