"""`grade export`: the course for other systems."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import course_option, examples, suites_option, together_option
from grader.cli.streams import save, save_files
from grader.curriculum.model import Course

_phases = click.option("--phases", default="all", show_default=True, help="Phases to grade.")
_isolation = click.option(
    "--require-isolation",
    "isolation",
    type=click.IntRange(0, 3),
    default=1,
    show_default=True,
    metavar="N",
    help="Refuse to grade below this isolation level.",
)

_HOW = "each phase is graded with the reference for all earlier phases"


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]},
    short_help="Export the course to Gradescope, GitHub or learners.",
    epilog=examples(
        "grade export gradescope", "grade export github", "grade export student for-learners"
    ),
)
def export() -> None:
    """Export the course: an autograder for Gradescope, a workflow for GitHub, or the learners'
    files.
    """


@export.command(
    epilog=examples("grade export gradescope autograder.zip --require-isolation 2 --seed 7401")
)
@click.argument("file", default="autograder.zip")
@_phases
@_isolation
@click.option(
    "--seed",
    type=click.IntRange(0, 2**32 - 1),
    help="Seed for the random graphs; never shown in results.",
)
@together_option
@suites_option
@course_option
def gradescope(
    file: str, phases: str, isolation: int, seed: int | None, *, together: bool, course: Course
) -> None:
    """Write an autograder zip for Gradescope."""
    from grader.authoring import export as exporting

    course.select(phases.split())
    if not together:
        course.require_solutions("grading each phase by itself", "add --together")
    content = exporting.gradescope(course, phases, isolation, seed, isolate=not together)
    save(Path(file), content)
    click.echo(
        f"wrote {file} ({len(content) >> 10} KiB); upload it as the autograder of an assignment"
    )
    if not together:
        click.echo(_HOW)


@export.command(epilog=examples("grade export github --phases 1-4"))
@click.argument("file", default=".github/workflows/classroom.yml")
@_phases
@_isolation
@click.option(
    "--folder",
    default=".",
    show_default=True,
    help="Folder of the learner's files in the repository.",
)
@click.option(
    "--requirement",
    default="./kit",
    show_default=True,
    help="Kit for pip to install: a folder in the repository, or an address such as git+https://….",
)
@together_option
@course_option
def github(
    file: str,
    phases: str,
    isolation: int,
    folder: str,
    requirement: str,
    *,
    together: bool,
    course: Course,
) -> None:
    """Write a workflow for GitHub Actions or GitHub Classroom: points, annotations, a summary, and
    a job that fails as long as a checkpoint does.
    """
    from grader.authoring import export as exporting

    course.select(phases.split())
    is_local = requirement == exporting.LOCAL_KIT
    isolate = not (together or is_local)
    workflow = exporting.filled(
        "exports/grade.yml",
        phases=phases,
        folder=folder,
        isolation=isolation,
        isolate=exporting.ISOLATE if isolate else "",
        requirement=requirement,
    )
    save_files(".", {file: workflow})
    click.echo(f"wrote {file}; commit it to the learners' repository")
    if is_local:
        click.echo("commit the kit as well; this writes it: grade export student FOLDER")
        click.echo("it has no solutions, so a phase also fails if an earlier one does")
    if isolate:
        click.echo(_HOW)


@export.command(
    epilog=examples("grade export student for-learners", "grade export student for-learners.zip")
)
@click.argument("target", metavar="FOLDER_OR_ZIP")
@click.option(
    "--with-solutions",
    "solutions",
    is_flag=True,
    help="Include the solutions: the fourth hints, grade solution and names of known mistakes.",
)
@suites_option
@course_option
def student(target: str, *, solutions: bool, course: Course) -> None:
    """Write a kit for learners: the exercises, and the tool with the suites but no solutions.

    Learners install it as its README says. Nothing is written if the exercises have a line from a
    solution or suite (even a private one), or if the kit has the body of a solution.
    """
    from grader.authoring.student_kit import student as make_kit
    from grader.learner.files import refuse_existing

    where, files = Path(target), make_kit(course, solutions=solutions)
    places = [where] if target.endswith(".zip") else map(where.joinpath, files)
    refuse_existing(places, "name a different folder or file")
    save_files(target, files, f"{where.stem}/")
    remark = "with the solutions" if solutions else "no file has a solution"
    click.echo(f"wrote {len(files)} files to {target}; {remark}")


@export.command(epilog=examples("grade export site public"))
@click.argument("folder")
@click.option(
    "--cache",
    metavar="FOLDER",
    default=lambda: str(Path.home() / ".cache" / "autograd-kit"),
    help="Keep downloads in this folder (default: ~/.cache/autograd-kit).",
)
@click.option(
    "--address",
    metavar="URL",
    default="",
    help="Address of the site, for the preview picture in links to it.",
)
@course_option
def site(folder: str, cache: str, address: str, course: Course) -> None:
    """Write the course as a web page: learners need only a browser, and you only a server for
    static files. The built-in course comes with a landing page and a page that checks any engine.
    """
    from grader.authoring.site import site as build

    files = build(course, Path(cache), address)
    save_files(folder, files)
    size = sum(map(len, files.values())) / 1e6
    click.echo(f"wrote {len(files)} files to {folder} ({size:.0f} MB)")
    click.echo(f"to try it: python -m http.server --directory {folder}", err=True)
