"""Grade a folder of submissions, with a progress bar and a summary at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from grader.cli.classroom.options import one_line
from grader.cli.streams import make_console
from grader.errors import UsageError
from grader.text import joined

if TYPE_CHECKING:
    from rich.console import Console

    from grader.classroom.handed_in import Handed
    from grader.classroom.policy import Policy
    from grader.classroom.round import Round
    from grader.curriculum.model import Course

STOPPED = 130  # the exit code after Ctrl-C
OUTCOMES = {
    "graded": "graded",
    "known": "unchanged",
    "refused": "could not be read",
    "error": "could not be judged",
    "nothing": "with nothing to search",
    "ungraded": "not in the gradebook",
}


def handed_in(folder: Path, assignment: str | None, course: Course) -> tuple[str, list[Handed]]:
    """Return the layout of a folder, and everybody's submissions. Raise UsageError if the folder is
    a single submission.
    """
    from grader.classroom.layout import find_handed_in
    from grader.curriculum.packages import for_shell

    first = course.files[0]
    if (folder / first).is_file():
        raise UsageError(
            f"{str(folder)!r} is one submission, because {first} is in it",
            "name the folder that holds everybody's, or grade this one:"
            f" grade all --at {for_shell(str(folder))}",
        )
    return find_handed_in(folder, assignment)


def grade_folder(
    folder: Path,
    round_: Round,
    jobs: int,
    dask: str,
    assignment: str | None,
    policy: Policy | None = None,
) -> int:
    """Grade everything in a folder, or explain it if the round is for that.

    Return the exit code: 3 if something could not be judged.
    """
    from grader.classroom.layout import unexplained
    from grader.classroom.marks import refuse_unknown_times

    layout, found = handed_in(folder, assignment, round_.course)
    handed = round_.match(found)
    if policy:
        known = [entry.timing for entry in round_.gradebook.entries()]
        refuse_unknown_times(policy, [*known, *(one.timing for one in handed)])
    console = make_console()
    console.print(f"submissions: {len(handed)}{f' ({layout})' if layout != 'folder' else ''}")
    if round_.how.isolate:
        console.print("each phase is graded with the reference for all earlier phases")
    counts: Counter[str] = Counter()
    explained = round_.explain(handed, jobs) if round_.how.prove else None
    try:
        with _bar(console, len(handed), len(handed) - round_.stored(handed)) as show:
            for outcome, name in explained or round_.grade(handed, jobs, dask):
                counts[outcome] += 1
                show(counts, name)
    except KeyboardInterrupt:
        console.print(
            f"stopped: {round_.stored(handed)} of {len(handed)} are"
            f" {'searched' if explained else 'in the gradebook'}; run the same command again to"
            " continue"
        )
        return STOPPED
    told = [f"{counts[key]} {word}" for key, word in OUTCOMES.items() if counts[key]]
    if searched := counts["explained"] + counts["searched"]:
        told.insert(0, f"explained {counts['explained']} of {searched} failing submissions")
    console.print(", ".join(told) or "nothing to grade")
    for line in round_.remarks(handed):
        console.print(one_line(line))
    if strangers := unexplained(folder, handed):
        console.print(
            one_line(
                f"{len(strangers)} not graded, because the name does not look like a submission:"
                f" {joined(strangers)}"
            )
        )
    return 3 if counts["error"] else 0


@contextmanager
def _bar(
    console: Console, handed: int, expected: int
) -> Iterator[Callable[[Counter[str], str], None]]:
    """Draw a progress bar on a terminal. Yield a function that moves it."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        bar = progress.add_task("", total=handed)

        def show(counts: Counter[str], name: str) -> None:
            graded = sum(counts[key] for key in ("graded", "error", "explained", "searched"))
            total = max(graded, min(expected, handed - counts["known"] - counts["refused"]))
            label = one_line(name, 40)
            progress.update(bar, completed=graded, total=total, description=label)

        yield show
