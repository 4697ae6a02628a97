"""Define how a script can fail, in the learner's code or with the worker that runs it, and how a
check can end without it.
"""

from __future__ import annotations

from typing import Any

from grader.model import Ending, Fault, Kind, Verdict


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


class NotAsked(BaseException):
    """The check ends here, with this `ending`, because the code is missing or cannot be run, or
    because the check does not apply to it.

    Not an Exception, because a property-based test must not retry it a hundred times.
    """

    def __init__(
        self,
        message: str = "",
        verdict: Verdict = Verdict.NOT_STARTED,
        kind: Kind | None = None,
        **more: Any,
    ) -> None:
        super().__init__(message)
        self.ending = Ending(verdict, kind, message, **more)


class NotInstalled(NotAsked, Exception):
    """The judge lacks a package to compare with. The message says how to install it."""

    def __init__(self, package: str, message: str) -> None:
        super().__init__(message, Verdict.BLOCKED, blocked_by=package)
