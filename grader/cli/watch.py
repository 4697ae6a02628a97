"""`grade watch`: grade a phase whenever a file is saved."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.text import Text

from grader.cli.options import complete_phase, course_option, examples, make_console, own_home
from grader.cli.status_line import waiting
from grader.errors import GraderError, SubmissionError
from grader.text import safe
from grader.views.console import HINT, LIST, NEXT, QUIT, code_text, print_keys, print_text

if TYPE_CHECKING:
    from rich.console import Console

    from grader.boundary.transport import Host
    from grader.curriculum.model import Course, Stage
    from grader.intake.submission import Submission
    from grader.learner.status import Place
    from grader.model import Report

Read = Callable[[float], str]

POLL = 0.02  # seconds to wait for a key before checking the files
SETTLE = 0.03  # an editor may write in several steps
KEYS = (NEXT, HINT, LIST, "s solution", "t trace", "r reset", "u undo", QUIT)
PICTURE = "p picture"
PLAIN = "Ctrl-C stops"


@click.command(short_help="Grade whenever you save.", epilog=examples("grade watch phase4"))
@click.argument("phase", required=False, shell_complete=complete_phase)
@course_option
def watch(phase: str | None, course: Course) -> int:
    """Grade a phase, by default the next one, and grade it again whenever you save. The report
    stays until the new one is complete.

    Keys: n next, h hint, l list, s solution, t trace of the first failure, p picture if there is
    one, r reset, u undo, q quit. The next phase begins when you press n.
    """
    from grader.cli.file_changes import Changes
    from grader.cli.hosting import begin_host
    from grader.cli.keyboard import Keys

    home = own_home(course)
    console = make_console()
    with (
        begin_host(str(course.stages[0].suite), backstop=not course.every_check_ends) as host,
        Changes(home, course.files) as changes,
        Keys() as keys,
    ):
        host.expect(AHEAD)
        stage = course.select([phase])[0] if phase else _next(course, home, host)
        session = WatchSession(course, home, stage, console, host)
        try:
            session.look()
            while True:
                key = keys.read(POLL)
                if key in {"q", "\x04"}:
                    return 0
                if key:
                    session.press(key, keys.read)
                if changes.seen():
                    time.sleep(SETTLE)
                    changes.seen()
                    session.look()
        finally:
            session.clear_message()


AHEAD = 1 << 30  # workers: one is always waiting


def _next(course: Course, home: Path, host: Host) -> Stage:
    """Return the first phase that never passed, otherwise the first edited since it passed.

    If all pass, return the last one.
    """
    from grader.intake.read import read_submission
    from grader.learner.progress import load_progress
    from grader.learner.status import find_places

    required = [stage for stage in course.stages if not stage.optional] or list(course.stages)
    known = load_progress(home)
    try:
        submission = read_submission(home, course.files, host.reader)
    except SubmissionError:
        return next((s for s in required if s.id not in known), required[-1])
    state = {place.stage: place.state for place in find_places(course, submission, known)}
    never = [stage for stage in required if state[stage] in {"begun", "open"}]
    edited = [stage for stage in required if state[stage] == "changed"]
    return [*never, *edited, required[-1]][0]


class WatchSession:
    """The phase, its last report, and the screen."""

    def __init__(
        self, course: Course, home: Path, stage: Stage, console: Console, host: Host
    ) -> None:
        self.course, self.home, self.stage, self.console, self.host = (
            course,
            home,
            stage,
            console,
            host,
        )
        self.graded = ""
        self.known: set[str] = set()
        self.report: Report | None = None
        self.places: Collection[Place] = ()
        self.message = 0  # columns that it takes

    def look(self, *, again: bool = False) -> None:
        """Grade the files unless they are the same as last time."""
        from grader.intake.read import read_submission

        try:
            submission = read_submission(self.home, self.course.files, self.host.reader)
            content = submission.sha256
            if content == self.graded and not again:
                return
            if (
                self.graded
                and submission.module(self.stage.module) is None
                and self.stage.module in self.known
            ):
                self._say(f"{self.stage.file} is gone: waiting until it is back")
                return
            self.known = {file.module for file in submission.files}
            self._say("grading …")
            self._grade(submission)
            self.graded = content
        except SubmissionError as error:
            self._say(f"{error.message}: waiting until it is back")
        except GraderError as error:
            self._say(f"{error.message} ({error.hint})")

    def _grade(self, submission: Submission) -> None:
        from grader.judge.grade import Request, grade_request, select
        from grader.learner.progress import load_progress, save_progress, with_regressions
        from grader.learner.status import find_places

        with waiting() as tell:
            asked = select(self.course, [self.stage.id])
            report = grade_request(
                self.home, Request(self.course, asked, host=self.host, tell=tell)
            )
        self.report = with_regressions(report.revealed(), load_progress(self.home))
        save_progress(self.home, self.report)
        self.places = find_places(self.course, submission, load_progress(self.home))
        self.show()

    def show(self) -> None:
        """Replace the screen with the last report in one go."""
        from grader.learner.status_screen import print_after, print_bar
        from grader.views.brief import print_brief

        if self.report is None:
            return
        report = self.report
        with self.console.capture() as capture:
            print_brief(report.phases[0], report, self.console)
            self._print_where_to_write(report)
            self.console.print()
            if report.phases[0].done:
                following = self._following()
                news = f"{self.stage.id} passes." + (
                    f" n goes on with {following.id}, {following.title}"
                    if following
                    else " That was the last phase."
                )
                print_text(Text(news, style="bold green"), self.console)
                if self.stage.shows and self.console.is_terminal:
                    print_text(
                        Text(
                            "p trains your network and draws what it has learnt.",
                            style="bold green",
                        ),
                        self.console,
                    )
                print_after(self.stage, self.course, self.console)
                self.console.print()
            print_bar(self.places, self.console)
            if self.console.is_terminal:
                print_keys(
                    (*KEYS[:-1], *([PICTURE] if self.stage.shows else []), KEYS[-1]), self.console
                )
            else:
                self.console.print(PLAIN, style="dim")
        if self.console.is_terminal:
            self.console.clear()
            self.message = 0
        self.console.file.write(capture.get())
        self.console.file.flush()

    def _print_where_to_write(self, report: Report) -> None:
        """Print the first stub with its file and line, unless a checkpoint fails."""
        from grader.intake.read import read_submission
        from grader.learner.progress import load_progress
        from grader.learner.status import find_status
        from grader.model import Verdict

        verdicts = {result.verdict for result in report.phases[0].checkpoints if result.counts}
        if Verdict.NOT_STARTED in verdicts and Verdict.FAILED not in verdicts:
            submission = read_submission(self.home, self.course.files, self.host.reader)
            status = find_status(self.course, submission, load_progress(self.home), self.host)
            if status.write and status.next == self.stage:
                self.console.print(code_text(f"write {safe(status.write)}"))

    def _say(self, text: str) -> None:
        """Print a message. In a terminal the next output replaces it."""
        if not self.console.is_terminal:
            self.console.print(safe(text), style="dim")
            return
        self.clear_message()
        message = Text(safe(text), style="dim")
        message.truncate(self.console.width - 1, overflow="ellipsis")
        self.message = message.cell_len
        self.console.print(message, end="", soft_wrap=True)

    def clear_message(self) -> None:
        """Remove the message from the terminal line."""
        if self.message:
            self.console.file.write(f"\r{' ' * self.message}\r")
            self.console.file.flush()
            self.message = 0

    def _following(self) -> Stage | None:
        rest = self.course.stages[self.course.stages.index(self.stage) + 1 :]
        return next((stage for stage in rest if stage.optional == self.stage.optional), None)

    def press(self, key: str, read: Read) -> None:
        """Perform a key's action. Ignore other keys."""
        actions = {
            "n": self._go_on,
            "h": self._hint,
            "l": self._list,
            "s": self._solution,
            "t": self._trace,
            "u": self._undo,
            "p": self._picture,
            "\n": self.show,
            " ": self.show,
        }
        action = actions.get(key)
        if key == "r":
            self._reset(read)
        elif action is not None:
            action()

    def _go_on(self) -> None:
        done = self.report is not None and self.report.phases[0].done
        following = self._following()
        if not done or following is None:
            self._say(
                f"{self.stage.id} is not done yet"
                if not done
                else "that was the last phase: grade finish"
            )
            return
        self.stage = following
        self.look(again=True)

    def _command(self, command: click.Command, *words: str) -> None:
        """Run a command below the report, as if it had been typed."""
        self.clear_message()
        try:
            command.main(
                args=[*words, "--course", str(self.course.folder)],
                prog_name=f"grade {command.name}",
                standalone_mode=False,
            )
        except GraderError as error:
            self.console.print(
                f"{error.message}; {error.hint}" if error.hint else error.message, style="yellow"
            )
        self.console.print("Enter shows the report again", style="dim")

    def _hint(self) -> None:
        from grader.cli.hint import hint

        self._command(hint, self.stage.id)

    def _list(self) -> None:
        from grader.cli.run import run

        self._command(run)

    def _solution(self) -> None:
        from grader.cli.solution import solution

        self._command(solution, self.stage.id)

    def _trace(self) -> None:
        from grader.cli.run import run

        self._command(run, self.stage.id, "--open", "--output", os.devnull)

    def _picture(self) -> None:
        if not self.stage.shows:
            return
        from grader.cli.show import show

        self._command(show, self.stage.id, "--at", str(self.home))

    def _undo(self) -> None:
        from grader.cli.solution import undo

        self._command(undo)

    def _reset(self, read: Read) -> None:
        self.clear_message()
        self.console.print(
            f"Put the stubs of {self.stage.id} back? Your code is saved first. y: yes",
            style="yellow",
        )
        answer = ""
        while not answer:
            answer = read(1.0)
        if answer == "y":
            from grader.cli.solution import reset

            self._command(reset, self.stage.id)
        else:
            self.show()
