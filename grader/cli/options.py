"""Share options between commands: finding the learner's code, and printing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from grader.cli.streams import checked_output
from grader.errors import GraderError, SubmissionError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from grader.curriculum.model import Course
    from grader.model import Visibility

MIN_WIDTH = 20
EXERCISES = "exercises"
VARIABLE = "GRADE_COURSE"
SEED_VARIABLE = "GRADE_SECRET_SEED"
Command = TypeVar("Command", bound=Callable[..., Any])
EPILOG = """\b
examples
  grade init my-engine       start here: put the exercises into a new folder
  grade                      see where you stand and what comes next
  grade phase4               grade one phase; also 4, 1-4, phase1 phase3
  grade phase4.seed          grade one checkpoint
  grade all extras           grade all phases, including the optional ones
  grade all --at solutions   grade another folder, file, notebook or archive
  grade phase4 --format json
  grade quiz --help          show the options of a command, with examples

\b
exit codes
  0  all requested checkpoints pass
  1  some do not
  2  wrong usage, or a submission that cannot be read
  3  the grader itself failed, or the isolation is too low
"""


def examples(*commands: str) -> str:
    """Return the last paragraph of a command's `--help`: examples, one per line."""
    return "\b\nexamples\n" + "\n".join(f"  {command}" for command in commands)


def complete_file(
    _ctx: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Let the shell complete the name of a file or folder."""
    return [CompletionItem(incomplete, type="file")]


folder_option = click.option(
    "--course",
    metavar="DIR",
    envvar=VARIABLE,
    shell_complete=complete_file,
    help=f"Use the course in this folder (default: {VARIABLE}, or the built-in course).",
)
suites_option = click.option(
    "--suites", metavar="DIR", help="Add the checkpoints of the private suites in this folder."
)


def course_option(command: Callable[..., int]) -> Callable[..., int]:
    """Pass a command its `course`: the one that `--course DIR` names, or the built-in one.

    With `suites_option`, private suites are added. Raise UsageError or CourseError if either cannot
    be read.
    """

    @wraps(command)
    def with_course(
        *args: Any, course: str | None, suites: str | None = None, **options: Any
    ) -> int:
        return command(*args, course=_load(course, suites), **options)

    return folder_option(with_course)


def _load(folder: str | None, suites: str | None) -> Course:
    from grader.curriculum.load import load_course
    from grader.curriculum.model import DEFAULT_COURSE

    chosen = Path(folder or DEFAULT_COURSE)
    if not suites:
        return load_course(chosen)
    from grader.curriculum.private import load_course_with

    return load_course_with(chosen, Path(suites))


def complete_phases(
    ctx: click.Context, _parameter: click.Parameter | None, incomplete: str
) -> list[CompletionItem]:
    """Complete phases, groups and, after a dot, checkpoints."""
    groups = [CompletionItem("all"), CompletionItem("extras")]
    found = [*complete_phase(ctx, _parameter, incomplete), *groups]
    return [item for item in found if item.value.startswith(incomplete)]


def complete_phase(
    ctx: click.Context, _parameter: click.Parameter | None, incomplete: str
) -> list[CompletionItem]:
    """Complete single phases and, after a dot, checkpoints."""
    try:
        course = _load(ctx.params.get("course") or os.environ.get(VARIABLE), None)
        titles = (
            {id: title for stage in course.stages for id, title in stage.titles.items()}
            if "." in incomplete
            else {stage.id: stage.title for stage in course.stages}
        )
    except (GraderError, OSError):  # a message would appear in the middle of typing
        return []
    return [
        CompletionItem(id, help=title) for id, title in titles.items() if id.startswith(incomplete)
    ]


def reveal_option(default: str) -> Callable[[Command], Command]:
    """Return the option `--reveal`, which gives the last visibility to show."""

    def read(_context: click.Context, _parameter: click.Parameter, word: str) -> Visibility:
        from grader.model import Visibility

        return {
            "visible": Visibility.VISIBLE,
            "after-due-date": Visibility.AFTER_DUE_DATE,
            "all": Visibility.HIDDEN,
        }[word]

    text = (
        "Which checkpoints to report: those that learners always see, those that they see after the"
        " due date, or all."
    )
    return click.option(
        "--reveal",
        type=click.Choice(["visible", "after-due-date", "all"]),
        default=default,
        show_default=True,
        callback=read,
        help=text,
    )


def locate(course: Course, path: str | None) -> tuple[str, Path | None]:
    """Return what to grade, and the folder with the learner's progress (None if `path` is set)."""
    from grader.learner.progress import move_progress, rename_phases

    if path is not None:
        return path, None
    for where in (EXERCISES, "."):
        if os.path.exists(Path(where, course.files[0])):  # noqa: PTH110 - Path.exists raises if access is denied
            home = Path(where)
            if home.resolve().name == EXERCISES:
                move_progress(home / os.pardir, home)  # an older place for it
            rename_phases(home, course.renamed)
            return where, home
    near = next((folder for folder in _near() if os.path.isfile(folder / course.files[0])), None)  # noqa: PTH113 - as above
    begin = "grade init my-engine starts a new one"
    hint = (
        f"cd {near}"
        if near
        else (
            f"go to the folder with your code, or name it: grade {course.stages[0].id} --at PATH;"
            f" {begin}"
        )
    )
    raise SubmissionError(f"there is no {course.files[0]} in this folder or in {EXERCISES}/", hint)


def _near() -> Iterator[Path]:
    """Yield folders that may be meant: parents, visible subfolders, and the exercises in each."""
    above = [Path(*[os.pardir] * count) for count in range(1, 4)]
    inside: list[Path] = []
    with suppress(OSError):
        inside = sorted(
            entry for entry in Path().iterdir() if entry.is_dir() and not entry.name.startswith(".")
        )
    for folder in (*above, *inside):
        yield from (folder, folder / EXERCISES)


def own_home(course: Course) -> Path:
    """Return the folder with the learner's own code. Raise SubmissionError if there is none."""
    home = locate(course, None)[1]
    assert home is not None
    return home


def find_home(course: Course) -> Path | None:
    """Return the folder with the learner's progress, or None if their code is not nearby."""
    with suppress(SubmissionError):
        return locate(course, None)[1]
    return None


def make_console(*, stderr: bool = False) -> Console:
    """Return a console for the terminal, wide enough for a sentence.

    With NO_COLOR, nothing is bold or dim either.
    """
    from rich.console import Console

    plain = bool(os.environ.get("NO_COLOR"))
    console = Console(
        stderr=stderr,
        color_system=None if plain else "auto",
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=False,
    )
    if console.width < MIN_WIDTH:
        console.width = 80
    return console


def write(text: str) -> None:
    """Print text for other programs, in UTF-8 whatever the terminal's encoding.

    Raise OutputError.
    """
    with checked_output():
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
        sys.stdout.buffer.flush()


def save(file: Path, text: str) -> None:
    """Write text to a file that someone named, completely or not at all. Raise UsageError."""
    save_bytes(file, text.encode("utf-8", "backslashreplace"))


def save_bytes(file: Path, content: bytes) -> None:
    """Like `save`, for bytes."""
    from grader.learner.files import write_whole

    try:
        write_whole(file, content)
    except OSError as error:
        raise UsageError(
            f"{os.fspath(file)!r} cannot be written: {error.strerror}", "name a different file"
        ) from error
