"""All exceptions that the grader raises on purpose.

    GraderError              what went wrong, and a hint at what to do next
    ├── UsageError           the user asked for something that does not exist      (exit code 2)
    ├── SubmissionError      the submission cannot be read                         (exit code 2)
    ├── CannotRun            the learner's code cannot do what was asked           (exit code 1)
    ├── CourseError          the course itself is broken: our fault                (exit code 3)
    ├── IsolationError       less isolation than required                          (exit code 3)
    └── InternalError        no verdict: our fault, never the learner's            (exit code 3)

Mistakes in the learner's code are not errors of the grader. They are `Fault` values in
`grader.model`.
"""

from __future__ import annotations

import errno

EXHAUSTED = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOMEM))
"""Errors of the system that say nothing about the file that was to be opened."""


class GraderError(Exception):
    """The base class. `message` says what failed and with which value, `hint` what to do next."""

    exit_code = 3

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(GraderError):
    """A phase, an option or a path that does not exist."""

    exit_code = 2


class SubmissionError(GraderError):
    """A submission that cannot be read: missing, not a regular file, or too large."""

    exit_code = 2


class CannotRun(GraderError):
    """The learner's code cannot do what a command shows."""

    exit_code = 1


class CourseError(GraderError):
    """A course folder that contradicts itself."""


class InternalError(GraderError):
    """The grader failed: a worker does not start, or a count does not add up."""


class IsolationError(GraderError):
    """The worker is less isolated than required. Nothing was graded."""
