"""`grade adapt`: find out how an engine that was not written for this kit is graded, and write that
down.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.options import course_option, examples, save
from grader.errors import UsageError

if TYPE_CHECKING:
    from grader.curriculum.model import Course


@click.command(
    short_help="Find the adapter of an engine of another kit.",
    epilog=examples(
        "grade adapt some/engine.py", "grade all --at some/engine.py --adapter some/adapter.toml"
    ),
)
@click.argument("path")
@click.option(
    "--output",
    metavar="FILE",
    help="Write the adapter here; without it, adapter.toml in the folder of the engine.",
)
@click.option(
    "--package",
    "packages",
    multiple=True,
    metavar="NAME",
    help="The engine needs this package, numpy for instance.",
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@course_option
def adapt(
    path: str, output: str | None, packages: tuple[str, ...], *, course: Course, force: bool
) -> int:
    """Find the names that the engine in PATH, a file, a notebook or a folder, has for what the
    course asks for, and write them into an adapter.

    It is found by trying: a worker makes two nodes, multiplies them, calls what may be the backward
    pass, and the numbers are
    compared with the right ones. Look the file over, and then name it: grade all --at PATH
    --adapter FILE. An adapter that is not
    named is not used, wherever it is.
    """
    from grader.cli.hosting import begin_host
    from grader.curriculum.packages import refuse_unfit
    from grader.intake.foreign import default_file, root_of
    from grader.learner.adapter_files import find_engine
    from grader.learner.adapter_finder import written

    refuse_unfit(packages, "--package")
    root = root_of(path)
    file = Path(output) if output is not None else default_file(root)
    if os.path.lexists(file) and (
        not force or (output is None and file.is_symlink())
    ):  # a link may lead anywhere
        raise UsageError(
            f"{str(file)!r} is there already", "name another with --output, or say --force"
        )
    with begin_host() as host:
        engine = find_engine(course, Path(path), root, host, packages)
    save(file, written(engine))
    adapter = engine.adapter
    click.echo(
        f"{adapter.make.text} makes a node, .{adapter.data} is its number, .{adapter.gradient} its"
        f" gradient, {adapter.backward.text} sends it back"
    )
    for note in engine.notes:
        click.echo(note)
    if engine.missing:
        click.echo(f"not found, and not asked: {', '.join(engine.missing)}")
    click.echo(f"written into {file}; next: grade all --at {path} --adapter {file}")
    return 0
