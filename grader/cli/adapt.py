"""`grade adapt`: write an adapter for an engine that was not written for this kit."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import course_option, examples, package_option
from grader.cli.streams import save
from grader.curriculum.model import Course


@click.command(
    short_help="Write an adapter for an engine from elsewhere.",
    epilog=examples(
        "grade adapt some/engine.py", "grade all --at some/engine.py --adapter some/adapter.toml"
    ),
)
@click.argument("path")
@click.option(
    "--output",
    metavar="FILE",
    help="Write the adapter to this file (default: adapter.toml in the folder of the engine).",
)
@package_option
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@course_option
def adapt(
    path: str, output: str | None, packages: tuple[str, ...], *, course: Course, force: bool
) -> None:
    """Find out how the engine in PATH (a file, a notebook or a folder) names the things that the
    course asks for, and write an adapter.

    The names are found by trial: a worker makes two nodes, multiplies them, calls each method that
    could be the backward pass, and compares the numbers with the right ones. Check the file, then
    use it: grade all --at PATH --adapter FILE. An adapter is used only if you name it.
    """
    from grader.cli.hosting import host_of_command
    from grader.intake.adapter import FILE, adapter_text
    from grader.intake.foreign import root_for, root_of
    from grader.learner.adapting.search import find_engine
    from grader.learner.files import refuse_existing

    root = root_of(path)
    file = Path(output) if output is not None else root / FILE
    if not force or (output is None and file.is_symlink()):  # a link could lead anywhere
        refuse_existing([file], "name a different file with --output, or add --force")
    adapter, notes, start = find_engine(course, Path(path), root, host_of_command(), packages)
    save(file, adapter_text(adapter))
    make, backward = (each.text.replace("{}", "x") for each in (adapter.make, adapter.backward))
    click.echo(
        f"{make} makes a node, .{adapter.data} holds its number, .{adapter.gradient} its gradient,"
        f" {backward} runs the backward pass{' once the gradient of x is 1' * adapter.seed}"
    )
    for note in notes:
        click.echo(note)
    own = adapter.files[course.engine]
    at = path if (root_for(path, adapter) / own).is_file() else start / own
    click.echo(f"wrote {file}; next: grade all --at {at} --adapter {file}")
