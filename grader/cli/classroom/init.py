"""`grade class init`: write the policy of a class."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from grader.cli.classroom.options import named_keys, policy_words, roster_option
from grader.cli.options import course_option, examples
from grader.cli.streams import save
from grader.curriculum.model import Course


@click.command(
    short_help="Write class.toml, the policy of the class.",
    epilog=examples('grade class init --due "2026-11-30 23:59" --late-per-day 10% --out-of 100'),
)
@roster_option
@policy_words
@course_option
def init(book: str, course: Course, **given: Any) -> None:
    """Write class.toml next to the gradebook: the roster, due date, lateness, extensions, scale,
    phases, and packages that submissions may import. The file explains every key.

    All commands of grade class read it. An option overrides a key for one run.
    """
    from grader.classroom.policy import FILE, new_file, read_policy
    from grader.learner.files import refuse_existing

    file, options = Path(book).with_name(FILE), named_keys(given)
    refuse_existing([file], "edit it: every key is explained in it")
    read_policy(file, options, course)
    save(file, new_file(options))
    click.echo(f"wrote {file}; edit it: every key is explained in it")
