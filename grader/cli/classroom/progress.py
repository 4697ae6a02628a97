"""Grade a folder of submissions, with a progress bar and a summary at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from grader.classroom.download import Download
from grader.classroom.policy import Policy
from grader.classroom.round import Round
from grader.cli.classroom.options import one_line, roster_of
from grader.cli.streams import make_console
from grader.curriculum.model import Course
from grader.errors import UsageError

STOPPED = 130  # the exit code after Ctrl-C
OUTCOMES = {
    "graded": "graded",
    "known": "unchanged",
    "refused": "could not be read",
    "error": "could not be judged",
    "nothing": "with nothing to search",
    "ungraded": "not graded with these options",
}


def find_download(
    submissions: str, assignment: str | None, course: Course, policy: Policy, times: str | None
) -> Download:
    """Return the submissions in a folder, with their owners. Raise UsageError if the folder is a
    single submission.
    """
    from grader.classroom.download import Download
    from grader.classroom.layout import find_handed_in
    from grader.classroom.roster import read_times
    from grader.curriculum.packages import for_shell

    given = read_times(Path(times)) if times else []
    folder, first = Path(submissions), course.files[0]
    if (folder / first).is_file():
        raise UsageError(
            f"{submissions!r} is one submission, because {first} is in it",
            "name the folder that holds everybody's, or grade this one:"
            f" grade all --at {for_shell(str(folder))}",
        )
    return Download(folder, *find_handed_in(folder, assignment), roster_of(policy), given)


def grade_folder(download: Download, round_: Round, jobs: int, dask: str = "") -> int:
    """Grade everything in a folder, or explain it if the round is for that.

    Return the exit code: 3 if something could not be judged.
    """
    console, handed = make_console(), download.handed
    console.print(download.count())
    if round_.how.isolate:
        console.print("each phase is graded with the reference for all earlier phases")
    counts: Counter[str] = Counter()
    try:
        with _bar(console, counts, len(handed)) as round_.tell:
            if round_.how.prove:
                round_.explain(handed, jobs)
            else:
                round_.grade(handed, jobs, dask)
    except KeyboardInterrupt:
        console.print(
            f"stopped: {counts.total()} of {len(handed)} are done; run the same command again to"
            " continue"
        )
        return STOPPED
    told = [f"{counts[key]} {word}" for key, word in OUTCOMES.items() if counts[key]]
    if searched := counts["explained"] + counts["searched"]:
        told.insert(0, f"explained {counts['explained']} of {searched} failing submissions")
    console.print(", ".join(told) or "nothing to grade")
    for line in round_.remarks(download):
        console.print(one_line(line))
    return 3 if counts["error"] else 0


@contextmanager
def _bar(
    console: Console, counts: Counter[str], handed: int
) -> Iterator[Callable[[str, str], None]]:
    """Draw a progress bar on a terminal. Yield a function that counts an outcome and moves it."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    with Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.description}", markup=False),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        bar = progress.add_task("", total=handed)

        def show(outcome: str, name: str) -> None:
            counts[outcome] += 1
            progress.update(bar, advance=1, description=one_line(name, 40))

        yield show
