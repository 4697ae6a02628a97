"""Define how a script can fail: in the learner's code, or with the worker that runs it."""

from __future__ import annotations

from grader.model import Fault


class _Failure(BaseException):
    """A fault of the learner's code, in the step with this index in the script."""

    def __init__(self, fault: Fault, index: int) -> None:
        super().__init__(fault.message)
        self.fault = fault
        self.index = index
        self.printed = ""


class LearnerFault(_Failure, Exception):
    """The learner's code raised, hung or died."""


class WorkerLost(_Failure):
    """Like LearnerFault, but the worker is gone.

    Not an Exception, because a property-based test must not retry it a hundred times.
    """
