"""Compute expected values without autograd, and draw the programs to try."""

from grader.judge.oracle.gradients import (
    HOW,
    close,
    evaluate,
    finite_difference,
    gradients,
    operations,
)

__all__ = ["HOW", "close", "evaluate", "finite_difference", "gradients", "operations"]
