"""Write a Markdown table of which checkpoint catches which faulty engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.authoring.check import Caught

_HEAD = """\
# What the suites catch

Each row is a faulty engine: the reference solution with one real mistake in it. `grade dev check`
grades each of them and fails unless the checkpoint in the third column is the first to fail, also
with the operands of `+` and `*` mirrored. This page is written by `grade dev check --write`.
"""


def caught_table(caught: Sequence[Caught]) -> str:
    """Return the page as Markdown, with one row per faulty engine in the order of the course."""
    rows = ["| faulty engine | mistake | first caught by |", "|---|---|---|"]
    for entry in caught:
        first = f"`{entry.failed[0]}`" if entry.failed else "nothing"
        rows.append(f"| `{entry.faulty.id}` | {_cell(entry.faulty.title)} | {first} |")
    return f"{_HEAD}\n{len(caught)} faulty engines.\n\n" + "\n".join(rows) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
