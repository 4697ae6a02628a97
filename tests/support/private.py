"""A private suite for phase 2 of the built-in course.

It has a hidden checkpoint, and one that is visible after the due date.
"""

from __future__ import annotations

from pathlib import Path

from support import put

STAGE = """
[[checkpoint]]
id = "large"
points = 3
methods = ["Value.__add__"]

[[checkpoint]]
id = "zero"
points = 1
methods = ["Value.__add__"]
visibility = "after_due_date"
"""
SUITE = '''
from vocabulary import Learner


def test_large(learner: Learner) -> None:
    """Sums of 123456 and more"""
    a, b = learner.values(a=123456.0, b=-3.0)
    c = a + b
    learner.send_back(c, 7.0, a, b)
    learner.expect_all([(c.data, 123453.0), (a.grad, 7.0)])


def test_zero(learner: Learner) -> None:
    """Sums with 654321"""
    a, b = learner.values(a=654321.0, b=0.0)
    learner.expect((a + b).data, 654321.0)
'''
ENGINE = ("Value(self.data + other.data", "Value(min(1000.0, self.data + other.data)")
"""A replacement in the solution that makes only these two checkpoints fail."""


def write_suites(folder: Path) -> Path:
    """Write the suite into a folder."""
    return put(folder, {"phase2/stage.toml": STAGE, "phase2/suite.py": SUITE})
