"""Known mistakes: edits of the solution."""

from __future__ import annotations

from dataclasses import replace

from grader.authoring.caught_table import caught_table
from grader.authoring.check import Caught
from grader.curriculum.load import load_course
from support import EXAMPLE

COURSE = load_course(EXAMPLE)


def test_the_page_keeps_the_stages_of_which_nothing_was_graded() -> None:
    caught = [Caught(f, f.caught_by, ()) for stage in COURSE.stages for f in stage.faulty]
    page = caught_table(COURSE, caught)
    assert "\n22 faulty engines:\n\n- phase1: " in page
    first = [entry for entry in caught if entry.faulty in COURSE.stages[0].faulty]
    assert caught_table(COURSE, first, page) == page
    renamed = [replace(entry, failed=("phase1.other",)) for entry in first]
    changed = caught_table(COURSE, renamed, page)
    assert changed.partition("## phase2")[2] == page.partition("## phase2")[2]
    assert changed.count("phase1.other") == len(first)
