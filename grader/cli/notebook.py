"""`grade notebook`: write the course as a notebook. `%grade` itself is in `grader.cli.ipython`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import course_option, examples
from grader.cli.streams import save
from grader.curriculum.model import Course
from grader.errors import UsageError


@click.group(short_help="Write the course as a notebook.", epilog=examples("grade notebook init"))
def notebook() -> None:
    """Work in a notebook."""


@notebook.command(epilog=examples("grade notebook init", "grade notebook init my-engine.ipynb"))
@click.argument("file", required=False)
@course_option
def init(file: str | None, course: Course) -> None:
    """Write the course as the notebook FILE. An existing file is never overwritten."""
    from grader.learner.files import refuse_existing
    from grader.learner.notebook import make_notebook, notebook_text

    where = Path(file) if file else Path(course.files[0]).with_suffix(".ipynb")
    if where.suffix != ".ipynb":
        raise UsageError(
            f"{str(where)!r} does not end in .ipynb", f"did you mean {where.with_suffix('.ipynb')}?"
        )
    refuse_existing([where], "name a different file: grade notebook init FILE.ipynb")
    save(where, notebook_text(make_notebook(course)))
    click.echo(f"wrote {where}: {course.title}")
    click.echo("next: open it in JupyterLab, VS Code or Colab, in a Python with this kit installed")
