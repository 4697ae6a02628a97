"""`grade watch`: grade a phase whenever a file is saved."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from grader.cli.commands import load_command
from grader.cli.grading import status_of
from grader.cli.hosting import current_host, start_reader
from grader.cli.options import complete_phase, course_option, examples
from grader.cli.places import own_home
from grader.cli.screen import waiting
from grader.cli.streams import make_console
from grader.curriculum.model import Course, Stage
from grader.errors import GraderError
from grader.intake.submission import Submission
from grader.learner.status import Place
from grader.model import CheckResult, Report
from grader.text import safe
from grader.views.console import HINT, LIST, NEXT, QUIT, code_text, print_keys, print_text

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
PLAIN = "Ctrl-C stops"
FOOT = 6  # lines below the report, and for messages


@click.command(short_help="Grade whenever you save.", epilog=examples("grade watch phase4"))
@click.argument("phase", required=False, shell_complete=complete_phase)
@course_option
def watch(phase: str | None, course: Course) -> None:
    """Grade a phase, by default the next one, and grade it again whenever you save, with each
    earlier phase that you have edited since it passed. When it passes, the next one begins. The
    report stays until there is a new one, which begins with what you have fixed. The first failure
    appears as soon as it is found.

    Keys: n next, h hint, l list, s solution, t trace of the first failure, p picture if there is
    one, r reset, u undo, q quit.
    """
    home = own_home(course)
    stage = course.select([phase])[0] if phase else _next(course, home)
    session = WatchSession(course, home, stage, make_console())
    session.goes_on = phase is None
    _follow(session)


def _follow(session: WatchSession) -> None:
    """Grade after every save and act on keys, until q is pressed."""
    from grader.cli.keyboard import keys

    with keys() as read:
        before = session.stamps()
        session.look()
        while (key := read(0.05)) not in {"q", "\x04"}:  # seconds between two looks at the files
            if key:
                session.press(key)
            if session.stamps() != before:
                time.sleep(0.03)  # an editor may write in several steps
                before = session.stamps()
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
        self.draws = console.is_terminal and not console.is_dumb_terminal
        self.graded = ""  # the hash of the files
        self.report: Report | None = None
        self.goes_on = True  # when the phase passes
        self.news: list[str] = []  # what is fixed, and which phases pass
        self.passed: Stage | None = None  # the last phase before this one, if it was just graded
        self.edited: Sequence[Stage] = ()  # that passed before, and must pass again
        self.places: Collection[Place] = ()
        self.write = ""  # the place of the first stub
        self._caches = Caches()
        self._has_first = False  # whether a check has failed in this grading
        self._asks = False  # whether to reset the phase

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
            if submission.module(self.stage.module) is None:
                self._say(f"{self.stage.file} is gone; waiting for it to come back")
                return
            if submission.sha256 != self.graded:
                self.news, self.passed = [], None
                while following := self._grade(submission):
                    now = f"Now {following.id}, {following.title}."
                    self.news.append(f"{self.stage.id} passes. {now}")
                    self.passed, self.stage, self.report = self.stage, following, None
                self.graded, self.goes_on = submission.sha256, True
            self.show()
        except GraderError as error:
            self._say(f"{error.message} ({error.hint})")

    def _say(self, text: str) -> None:
        self.console.print(Text(safe(text), "dim"))

    def _grade(self, submission: Submission) -> Stage | None:
        """Grade the phase. Return the next one if it is time for that."""
        from grader.judge.grade import Request, grade_request, select
        from grader.learner.progress import load, save_progress, with_regressions
        from grader.learner.status import find_places, find_status, pass_as_they_are

        self._has_first = False
        known = load(self.home).phases
        self.places = find_places(self.course, submission, known)
        before = [place for place in self.places if place.stage in self.course.before(self.stage)]
        self.edited = [
            place.stage
            for place in before
            if place.state == "changed" or (place.stage in self.edited and place.state != "done")
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
                rest_is_right=pass_as_they_are(
                    self.course, self.course.before(self.stage), submission, known
                ),
            )
            report = with_regressions(grade_request(self.home, request).revealed(), known)
        failed = _with(self.report, "failed")
        fixed = [title for id, title in _with(report, "passed").items() if id in failed]
        more = f", and {len(fixed) - 1} more" if fixed[1:] else ""
        self.news += [f"fixed: {title}{more}" for title in fixed[:1]]
        self.report = report
        save_progress(self.home, report)
        now = find_status(self.course, submission, load(self.home).phases, self.stage)
        self.places, self.write = now.places, str(now.write or "")
        following = self._following()
        is_open = any(p.stage is following and p.state != "done" for p in self.places)
        passes = all(phase.done for phase in report.phases)
        return following if self.goes_on and is_open and passes else None

    def _show_beginning(self, results: Sequence[CheckResult]) -> None:
        """Show the first failure while other checks run, if nothing can block it."""
        from grader.model import PhaseResult, Verdict, Visibility
        from grader.views.terminal import print_beginning

        shown = tuple(result for result in results if result.visibility is Visibility.VISIBLE)
        failed = any(result.verdict is Verdict.FAILED and result.counts for result in shown)
        if self._has_first or not self.draws or not failed:
            return
        self._has_first, before = True, self.course.before(self.stage)
        if all(p.state == "done" or p.stage.alone for p in self.places if p.stage in before):
            self.console.clear()
            print_beginning(PhaseResult(self.stage.id, self.stage.title, shown), self.console)
            self._say("grading the rest …")

    def show(self) -> None:
        """Replace the screen with the last report, the course on one line, and the keys."""
        from grader.learner.status_screen import print_bar

        if self.report is not None:
            if self.draws:
                self.console.clear()
            self._print_body(self.report)
            print_bar(self.places, self.console)
            absent = {SOLUTION: not self.course.has_solutions, PICTURE: not self.stage.shows}
            print_keys([key for key in KEYS if not absent.get(key)], self.console)
            if not self.console.is_terminal:
                self.console.print(PLAIN, style="dim")

    def _print_body(self, report: Report) -> None:
        from grader.learner.status_screen import print_after
        from grader.views.terminal import print_report

        for line in self.news:
            print_text(
                Text(line, "green" if line.startswith("fixed") else "bold green"), self.console
            )
        if self.passed is not None:
            print_after(self.passed, self.course, self.console)
        if self.news:
            self.console.print()
        print_report(report, self.console, height=self.console.height - FOOT)
        phase = report.phases[-1]
        if self.write and not _with(report, "failed"):
            self.console.print(code_text(f"write {safe(self.write)}"))
        self.console.print()
        if phase.done:
            following = self._following()
            goes_on = "That was the last phase."
            if following is not None:
                goes_on = f"n continues with {following.id}, {following.title}"
            if self.stage.shows and self.console.is_terminal:
                goes_on += ". p trains your network and draws what it has learnt."
            print_text(Text(f"{self.stage.id} passes. {goes_on}", "bold green"), self.console)
            print_after(self.stage, self.course, self.console)
            self.console.print()

    def _following(self) -> Stage | None:
        rest = self.course.stages[self.course.stages.index(self.stage) + 1 :]
        return next((stage for stage in rest if stage.optional == self.stage.optional), None)

    def press(self, key: str) -> None:
        """Perform a key's action. Ignore other keys."""
        is_sure, self._asks = self._asks and key == "y", key == "r"
        command = COMMANDS["r"] if is_sure else COMMANDS.get(key, "")
        if self._asks:
            question = f"Put the stubs of {self.stage.id} back? Your code is saved first. y: yes"
            self.console.print(question, style="yellow")
        elif command and (key != "p" or self.stage.shows):
            self._command(*command.format(self.stage.id).split())
        elif key == "n":
            self._go_on()
        elif key in {"\n", " "}:
            self.show()

    def _go_on(self) -> None:
        following = self._following()
        if self.report is None or not self.report.phases[-1].done:
            self._say(f"{self.stage.id} is not done yet")
        elif following is None:
            self._say("that was the last phase: grade finish")
        else:
            self.stage, self.report = following, None
            self.graded, self.goes_on = "", False
            self.look()

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


def _with(report: Report | None, verdict: str) -> dict[str, str]:
    """Return the titles of the counting checkpoints with this verdict, by id."""
    return {
        result.id: result.title.replace("`", "")
        for result in (report.checkpoints if report else ())
        if result.counts and result.verdict.value == verdict
    }
