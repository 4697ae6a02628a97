"""`grade dev`: for those who build the course."""

from __future__ import annotations

from pathlib import Path

import click

from grader.errors import UsageError


@click.group()
def dev() -> None:
    """For those who build the course."""


@dev.command()
@click.argument("only", nargs=-1, metavar="[PHASES OR FAULTY ENGINES]...")
@click.option("--repeat", type=click.IntRange(1), default=1, help="Gradings of each faulty engine, and as many mirrored.")
@click.option("--jobs", type=click.IntRange(1), help="Processes to use; all cores unless told.")
@click.option("--write", is_flag=True, help="Write the table into docs/what-the-suites-catch.md.")
def check(only: tuple[str, ...], repeat: int, jobs: int | None, *, write: bool) -> int:
    """Prove the course: stubs fail, solutions pass, every faulty engine is caught where promised.

    Examples: grade dev check; grade dev check phase3 ext1.sin-of-degrees --repeat 25
    """
    from grader.audit import audit
    from grader.courses import load_course
    from grader.reports.caught import caught_table

    if write and only:
        raise UsageError("--write needs all faulty engines", "leave the names out")
    found = audit(load_course(), only=only, repeat=repeat, jobs=jobs, tell=click.echo)
    if write:
        Path("docs/what-the-suites-catch.md").write_text(caught_table(found.caught), encoding="utf-8")
    for entry in found.caught:
        click.echo(f"{'x' if entry.problems else '+'} {entry.faulty.id}: {', '.join(entry.failed[:1]) or 'not caught'}")
    for problem in found.problems:
        click.echo(f"problem: {problem}", err=True)
    click.echo(f"{len(found.caught)} faulty engines, {found.gradings} gradings, {len(found.problems)} problems")
    return 1 if found.problems else 0
