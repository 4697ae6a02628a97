"""Known mistakes: edits of the solution."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from grader.authoring.caught_table import caught_table
from grader.authoring.check import Caught
from grader.curriculum.faulty import Faulty, read_mistakes
from grader.curriculum.load import load_course
from support import ROOT

EXAMPLE = load_course(ROOT / "examples" / "dual-numbers")
SOLUTION = dedent("""
    class Value:
        def twice(self):
            total = 0
            for _ in range(2):
                total += self.data
            return total

        def half(self):
            return self.data / 2


    def third(x):
        return x / 3
""").encode()


def mistake(tmp_path: Path, edit: str) -> Faulty:
    text = f'[wrong]\ntitle = "Wrong."\ntutor = "Right."\ncaught_by = ["twice"]\n{edit}'
    (tmp_path / "mistakes.toml").write_text(text, encoding="utf-8")
    (found,) = read_mistakes("sums", tmp_path / "mistakes.toml")
    assert (found.id, found.caught_by) == ("sums.wrong", ("sums.twice",))
    return found


LINES = '"""\nfor _ in range(2):\n    total += self.data\n"""'
EDITS = {
    "a part of a line": ('in = "Value.half"\nold = "/ 2"\nnew = "// 2"', "/ 2", "// 2"),
    "lines without their indentation": (
        f'in = "Value.twice"\nold = {LINES}\nnew = "total = 2\\n\\nprint()"',
        "for _ in range(2):\n            total += self.data",
        "total = 2\n\n        print()",
    ),
    "a text that is removed": ('in = "third"\nold = " / 3"\nnew = ""', " / 3", ""),
    "a whole function": (
        'in = "third"\nnew = "def third(x):\\n    return x"',
        "return x / 3",
        "return x",
    ),
    "a function of its own": (
        'in = "Value.more"\nnew = "def more(self):\\n    pass"',
        "self.data / 2\n",
        "self.data / 2\n\n    def more(self):\n        pass\n",
    ),
    "a function that is deleted": ('delete = ["third"]', "def third(x):\n    return x / 3\n", ""),
    "several edits of one function": (
        'edits = [{in = "third", old = "x /", new = "y"}, {in = "third", old = "y", new = "x //"}]',
        "x / 3",
        "x // 3",
    ),
}


@pytest.mark.parametrize(("edit", "old", "new"), EDITS.values(), ids=EDITS)
def test_a_mistake_is_an_edit_of_a_function(tmp_path: Path, edit: str, old: str, new: str) -> None:
    source = SOLUTION.decode()
    assert source.count(old) == 1
    assert mistake(tmp_path, edit).engine(SOLUTION).decode() == source.replace(old, new)


def test_the_page_keeps_the_stages_of_which_nothing_was_graded() -> None:
    caught = [Caught(f, f.caught_by, ()) for stage in EXAMPLE.stages for f in stage.faulty]
    page = caught_table(EXAMPLE, caught)
    assert "\n22 faulty engines.\n" in page
    first = [entry for entry in caught if entry.faulty in EXAMPLE.stages[0].faulty]
    assert caught_table(EXAMPLE, first, page) == page
    renamed = [replace(entry, failed=("phase1.other",)) for entry in first]
    changed = caught_table(EXAMPLE, renamed, page)
    assert changed.partition("## phase2")[2] == page.partition("## phase2")[2]
    assert changed.count("phase1.other") == len(first)
