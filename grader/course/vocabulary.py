"""The vocabulary of the course's suites: a learner's `Value`, and the checks on it."""

from __future__ import annotations

from backward_checks import OPERATIONS, BackwardChecks
from operation_checks import LARGE_QUOTA, UPSTREAM, OperationChecks
from values import Value

from grader.suite import Recorder, fixture

__all__ = ["LARGE_QUOTA", "OPERATIONS", "UPSTREAM", "Learner", "Value", "learner"]


class Learner(OperationChecks, BackwardChecks):
    """The learner's code, with the checks that the suites share."""


@fixture
def learner(recorder: Recorder) -> Learner:
    """Return the learner's code, which runs in a separate worker."""
    return Learner(recorder)
