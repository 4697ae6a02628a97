"""Everything that the grader raises on purpose.

    GraderError              what went wrong, and a hint what to do next
    ├── UsageError           the person asked for something that is not there      (exit code 2)
    ├── SubmissionError      the submission cannot be read                         (exit code 2)
    ├── CourseError          the course itself is broken: our fault                (exit code 3)
    ├── IsolationError       less isolation than was required                      (exit code 3)
    └── InternalError        we could not tell: our fault, never the learner's     (exit code 3)

What the learner's code does wrong is not an error of the grader: it is a `Fault`, a value in
`grader.model`.
"""

from __future__ import annotations


class GraderError(Exception):
    """The base: `message` says what failed and with which value, `hint` what to do next."""

    exit_code = 3

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(GraderError):
    """A phase, an option or a path that does not exist."""

    exit_code = 2


class SubmissionError(GraderError):
    """A submission that cannot be read: missing, not a regular file, too large."""

    exit_code = 2


class CourseError(GraderError):
    """A course folder that contradicts itself."""


class InternalError(GraderError):
    """The grader failed: a worker does not start, or a count does not add up."""


class IsolationError(GraderError):
    """The worker is walled off less than was required; nothing has been graded."""


class OutputError(Exception):
    """Standard output cannot be written to. `reason` is empty if whoever read it has left: then
    there is nobody to tell.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
