"""The hash of the functions that a phase uses: it follows their code and nothing else."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from grader.intake.functions import hash_of_functions
from grader.intake.read import read_submission
from grader.intake.submission import File, Submission
from support import kit_folder
from support.grading import COURSE

SOLUTIONS = read_submission(kit_folder("solutions"), COURSE.files)


def changed(before: str, after: str, submission: Submission = SOLUTIONS) -> set[str]:
    """The phases whose hash differs once a text is replaced where it comes first."""
    files = []
    for file in submission.files:
        source = file.source.replace(before.encode(), after.encode(), 1)
        files.append(replace(file, source=source))
        if source != file.source:
            files += submission.files[len(files) :]
            break
    assert tuple(files) != submission.files
    other = replace(submission, files=tuple(files))
    return {
        stage.id
        for stage in COURSE.stages
        if not stage.optional
        and hash_of_functions(submission, COURSE, stage) != hash_of_functions(other, COURSE, stage)
    }


def phases(first: int) -> set[str]:
    return {f"phase{number}" for number in range(first, 9)}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("class Value", "# a comment\nimport random\na = 5\n\n\nclass Value", set()),
        ("        self.data = data", "\n        # the number\n        self.data = data", set()),
        ("self.data = data", "self.data = 1 * data", phases(1)),
        ("self.grad += out.grad\n", "self.grad = out.grad\n", phases(2)),
        ("def __add__(self, other):", "def __add__(\n        self,\n        b,\n    ):", phases(2)),
        ("    def __add__", "    @once\n    def __add__", phases(2)),
        ("def zero_grad", "def another(self):\n        pass\n\n    def zero_grad", set()),
        ("p.grad", "p.data", phases(7)),
    ],
)
def test_a_phase_depends_on_its_functions_and_on_those_before_it(
    before: str, after: str, expected: set[str]
) -> None:
    assert changed(before, after) == expected


def test_the_cells_of_a_notebook_are_read_together() -> None:
    engine = next(file for file in SOLUTIONS.files if file.module == "engine")
    head, _, tail = engine.source.decode().partition("    def __add__")
    cells = tuple(
        File(f"cell {number}", f"cell {number}", source.encode(), "cell")
        for number, source in enumerate([head, f"class Value(Value):\n    def __add__{tail}"], 1)
    )
    notebook = Submission("notebook", cells)
    assert {"phase2", "phase3"} <= changed("out.grad\n", "2 * out.grad\n", notebook)
    assert "phase1" not in changed("out.grad\n", "2 * out.grad\n", notebook)


@pytest.mark.parametrize(
    "source",
    [
        b"".join(b"def f%d(): f%d()\n" % (n, n + 1) for n in range(9_000)),
        b"(" * 250_000,
        b" " * 250_000 + b"x",
        b"".join(b" " * (n % 300) + b"def f(): pass\n" for n in range(1_600)),
        b"".join(b" " * n + b"class C%d:\n" % n for n in range(700)),
        b"def \xff\xfe(): \x00\n",
    ],
)
def test_every_submission_is_hashed_quickly(source: bytes) -> None:
    text = b"class Value:\n    def __init__(self): f0()\n    def __repr__(self): f0()\n" + source
    submission = Submission("here", (File("engine", "engine.py", text),))
    begun = time.process_time()
    hash_of_functions(submission, COURSE, COURSE.stages[0])
    assert time.process_time() - begun < 5
