"""The way through the course as a learner goes it: where they stand, what is next, what is kept and
where.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.learner.progress import FILE, FOLDER
from support import touch
from support.command import run
from support.story import write

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("exercises")]
HOSTILE: dict[str, Callable[[Path, Path], object]] = {
    "a link": lambda file, victim: file.symlink_to(victim),
    "a pipe": lambda file, _: os.mkfifo(file),
    "a link to a device": lambda file, _: file.symlink_to("/dev/zero"),
    "a giant": lambda file, _: file.write_bytes(b" " * (1 << 20) + b"{}"),
    "brackets": lambda file, _: file.write_text("[" * 100_000),
    "not a table": lambda file, _: file.write_text("5"),
    "an unknown checkpoint": lambda file, _: file.write_text(
        json.dumps(
            {
                "phases": {
                    "phase1": {
                        "sha256": "x",
                        "score": 1,
                        "done": False,
                        "passed": ["phase1.nothing"],
                    },
                    "phase2": 5,
                }
            }
        )
    ),
}


@pytest.mark.parametrize("what", [*HOSTILE, "a linked folder"])
def test_progress_that_is_damaged_or_leads_elsewhere_is_ignored(what: str, exercises: Path) -> None:
    write()
    victim, folder = exercises / "victim" / FILE, exercises / "exercises" / FOLDER
    touch(victim, text="{}")
    if what == "a linked folder":
        folder.symlink_to(victim.parent)
    else:
        folder.mkdir()
        HOSTILE[what](folder / FILE, victim)
    for words in ("1", "", "hint 1", "checklist --tick like-pytorch", "solution 1 --spoil"):
        assert run(*words.split()).returncode == 0
    assert {file.name: file.read_text() for file in victim.parent.iterdir()} == {FILE: "{}"}
    if "link" not in what:  # the rest is fixed by what is kept from now on
        assert "phase1 The Value class 6/6" in " ".join(run().stdout.split())


@pytest.mark.parametrize("columns", ["60", "80"])
def test_code_in_a_traceback_is_not_broken(columns: str, exercises: Path) -> None:
    line = (
        "out = Value(self.data + other.data, (self, other), undefined_and_rather_long_on_purpose)"
    )
    write(('out = Value(self.data + other.data, (self, other), "+")', line))
    lines = run("2", "-v", COLUMNS=columns).stdout.splitlines()
    assert any(shown_line.endswith(line) for shown_line in lines)
