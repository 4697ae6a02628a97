"""The right numbers, found without any autograd, and the programs that they are asked of."""

from grader.judge.oracle.gradients import (
    HOW,
    close,
    evaluate,
    finite_difference,
    gradients,
    operations,
)

__all__ = ["HOW", "close", "evaluate", "finite_difference", "gradients", "operations"]
