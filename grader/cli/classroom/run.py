"""`grade class SUBMISSIONS`: grade everything that is new."""

from __future__ import annotations

from pathlib import Path

import click

from grader.classroom.gradebook import Gradebook
from grader.classroom.policy import Policy
from grader.classroom.round import Round
from grader.cli.classroom.options import (
    find_learner,
    grading_options,
    jobs_option,
    one_line,
    policy_options,
    roster_option,
    seed_option,
    times_option,
)
from grader.cli.options import course_option, examples, isolation_options, suites_option
from grader.cli.streams import say
from grader.curriculum.model import Course
from grader.text import joined, plural


@click.command(
    short_help="Grade a folder of submissions (the word run is optional).",
    epilog=examples(
        "grade class handed-in --roster roster.csv",
        "grade class run handed-in --roster roster.csv --phases 1-6",
    ),
)
@click.argument("submissions")
@roster_option
@times_option
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
@click.option(
    "--regrade",
    is_flag=True,
    help="Let other suites, another seed or a new version of the kit change marks.",
)
@click.option("--assignment", metavar="NAME", help="Assignment to grade, in nbgrader's folder.")
@seed_option
@isolation_options
@suites_option
@course_option
@policy_options
def run(
    submissions: str,
    times: str | None,
    book: str,
    jobs: int,
    dask: str,
    again: tuple[str, ...],
    assignment: str | None,
    seed: int | None,
    isolation: int,
    required: int,
    policy: Policy,
    course: Course,
    *,
    regrade: bool,
) -> int:
    """Grade everything in SUBMISSIONS: folders, files, notebooks or archives, or a download from
    Canvas, Moodle or Gradescope.
    """
    from grader.classroom.marks import refuse_unknown_times
    from grader.classroom.round import Round
    from grader.cli.classroom.progress import find_download, grade_folder
    from grader.curriculum.packages import require

    require(policy.packages)
    how = grading_options(course, policy, seed, isolation, required)
    with Gradebook(Path(book)) as gradebook:
        names = gradebook.learners()
        ids = {*names} if "all" in again else {find_learner(names, word) for word in again}
        round_ = Round(course, how, gradebook, ids, regrade)
        download = find_download(submissions, assignment, course, policy, times)
        timings = {one.timing for one in gradebook.entries()}
        refuse_unknown_times(policy, timings.union(one.timing for one in download.handed))
        gradebook.add_learners({person.id: person.name for person in download.people})
        code = grade_folder(download, round_, jobs, dask)
        _tell_changes(round_, policy)
    return code


def _tell_changes(round_: Round, policy: Policy) -> None:
    """Say which marks would change, because they were given with other suites or another seed."""
    from grader.classroom.journal import in_effect
    from grader.classroom.marks import would_change

    gradebook, kind = round_.gradebook, round_.how.kind(round_.course)
    changed = would_change(
        [one for one in gradebook.entries() if one.key.phases == kind],
        gradebook.learners(),
        in_effect(gradebook.journal()),
        policy,
        (round_.digest, round_.how.seed),
    )
    if changed:
        marks = plural(len(changed), "mark")
        say(one_line(f"{marks} would change with the current suites: {joined(changed)}"))
        say("hint: they stay as they are; to change them, add --regrade")
