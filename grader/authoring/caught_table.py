"""Write a Markdown page with the checkpoint that catches each faulty engine."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.authoring.check import Caught
from grader.curriculum.model import Course, Stage

_HEAD = """\
# What the suites catch

Each row is a faulty engine: the reference solution with one real mistake in it. `grade dev check`
grades each of them and fails unless the checkpoint in the third column is the first to fail, even
with the operands of `+` and `*` mirrored. This page is written by `grade dev check --write`.
"""


def caught_table(course: Course, caught: Sequence[Caught], before: str = "") -> str:
    """Return the page as Markdown, with a table for each stage. A stage without gradings keeps its
    part of the page as it was `before`.
    """
    kept = {
        part[3:].partition(":")[0]: part.strip()
        for part in re.split(r"^(?=## )", before, flags=re.MULTILINE)[1:]
    }
    for stage in course.stages:
        if found := [entry for entry in caught if entry.faulty in stage.faulty]:
            kept[stage.id] = _part(stage, found)
    tables = [kept[stage.id] for stage in course.stages if stage.faulty and stage.id in kept]
    total = sum(table.count("\n| `") for table in tables)
    phases = "\n".join("- " + table[3:].partition("\n")[0] for table in tables)
    return "\n\n".join([f"{_HEAD}\n{total} faulty engines:", phases, *tables]) + "\n"


def _part(stage: Stage, caught: Sequence[Caught]) -> str:
    rows = [f"## {stage.id}: {stage.title} ({len(caught)})", ""]
    rows += ["| faulty engine | mistake | first caught by |", "|---|---|---|"]
    for entry in caught:
        first = f"`{entry.failed[0]}`" if entry.failed else "nothing"
        title = " ".join(entry.faulty.title.replace("|", "\\|").split())
        rows.append(f"| `{entry.faulty.id}` | {title} | {first} |")
    return "\n".join(rows)
