"""`grade class SUBMISSIONS`: grade everything that is new, and export the marks."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.classroom.options import (
    counted,
    find_learner,
    grading_options,
    jobs_option,
    one_line,
    open_gradebook,
    policy_options,
    roster_option,
    seed_option,
    warn_of_blanks,
)
from grader.cli.options import course_option, examples, isolation_options, suites_option
from grader.cli.streams import save_bytes
from grader.errors import UsageError
from grader.text import joined

if TYPE_CHECKING:
    from grader.classroom.gradebook import Gradebook
    from grader.classroom.marks import Standing
    from grader.classroom.policy import Policy
    from grader.classroom.roster import Person
    from grader.curriculum.model import Course


@click.command(
    short_help="Grade a folder of submissions (the word run is optional).",
    epilog=examples(
        "grade class handed-in --roster roster.csv",
        "grade class run handed-in --roster roster.csv --phases 1-6",
        "grade class --export canvas.csv",
    ),
)
@click.argument("submissions", required=False)
@roster_option
@click.option(
    "--times",
    metavar="CSV",
    help="When learners handed in: a CSV file with the columns learner and time.",
)
@jobs_option
@click.option(
    "--dask",
    metavar="ADDRESS",
    default="",
    help="Grade on a Dask cluster: tcp://scheduler:8786, or local.",
)
@click.option(
    "--again",
    multiple=True,
    metavar="ID",
    help="Grade this learner again, or everybody: --again all.",
)
@click.option("--by-phase", is_flag=True, help="Add a column for each phase to the Canvas export.")
@click.option(
    "--export",
    "export_to",
    metavar="FILE",
    help="Export the marks to canvas.csv, moodle.csv or grades.csv.",
)
@click.option(
    "--assignment",
    metavar="NAME",
    help="Name of the column in the Canvas export (default: the roster's only assignment).",
)
@seed_option
@isolation_options
@suites_option
@course_option
@policy_options
def run(
    submissions: str | None,
    roster: str | None,
    times: str | None,
    book: str,
    jobs: int | None,
    dask: str,
    again: tuple[str, ...],
    export_to: str | None,
    assignment: str | None,
    seed: int | None,
    isolation: int,
    required: int,
    policy: Policy,
    course: Course,
    *,
    by_phase: bool,
) -> int:
    """Grade everything in SUBMISSIONS: folders, files, notebooks or archives, or a download from
    Canvas, Moodle or Gradescope.
    """
    from grader.classroom.exports import only_assignment
    from grader.classroom.gradebook import Gradebook
    from grader.classroom.grading import ISOLATE
    from grader.classroom.roster import read_roster, read_times
    from grader.classroom.round import Round
    from grader.cli.classroom.progress import STOPPED, grade_folder
    from grader.curriculum.packages import require
    from grader.judge.grade import ISOLATED

    if submissions is None and export_to is None:
        raise UsageError(
            "nothing to grade or to export",
            "name the folder of the submissions, or add --export FILE",
        )
    if submissions is None and times is not None:
        raise UsageError("--times needs submissions", "name their folder, too")
    people = read_roster(Path(roster)) if roster else []
    by_hand = read_times(Path(times)) if times else []
    code = 0
    if submissions is not None:
        require(policy.packages)
        how = grading_options(course, policy, seed, isolation, required)
        policy = replace(policy, phases=how.phases)
        with Gradebook(Path(book)) as gradebook:
            round_ = Round(course, how, gradebook, people, _learners(gradebook, again), by_hand)
            workers = jobs or os.cpu_count() or 1
            code = grade_folder(Path(submissions), round_, workers, dask, assignment, policy)
    if export_to is None or code == STOPPED:
        return code
    with open_gradebook(book) as gradebook:
        _, marks = counted(gradebook, policy, course)
    kinds = {one.entry.key.phases for one in marks if one.entry}
    if submissions is None and any(kind.endswith(ISOLATE) for kind in kinds):
        click.echo(ISOLATED)
    title = assignment or only_assignment(people) or course.title
    _export(Path(export_to), marks, people, roster, title, by_phase=by_phase)
    return max(code, warn_of_blanks(marks))


def _learners(gradebook: Gradebook, words: Sequence[str]) -> set[str] | None:
    """Return the ids of those who are graded again; None means everybody."""
    if "all" in words:
        return None
    names = gradebook.learners() if words else {}
    return {find_learner(names, word) for word in words}


def _export(
    file: Path,
    marks: Sequence[Standing],
    people: list[Person],
    roster: str | None,
    title: str,
    *,
    by_phase: bool,
) -> None:
    from grader.classroom.exports import export
    from grader.classroom.roster import read_csv
    from grader.classroom.worksheet import find_worksheet

    sheet = find_worksheet(read_csv(Path(roster))) if roster else None
    save_bytes(file, export(file, marks, people, title, by_phase=by_phase, worksheet=sheet))
    there = [one for one in marks if one.points is not None]
    click.echo(f"wrote {file}: {len(there)} of {len(marks)} learners have a mark")
    known = {person.id for person in people}
    if sheet and (strangers := [one.name for one in there if one.learner not in known]):
        click.echo(one_line(f"warning: not on the roster: {joined(strangers)}"))
