"""What a suite expects of what it reads, and how it fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from grader.judge.script.steps import Read
from grader.model import Kind, Shown
from grader.worker.protocol import Ref

Confirm = Callable[[], float]
RAISED = "raised"  # the form of what is not read: making the object should have raised


class Mismatch(Exception):
    """The learner's code answered, and the answer is wrong."""

    def __init__(  # noqa: PLR0913 - a record of what was compared
        self,
        message: str,
        *,
        kind: Kind = Kind.WRONG_VALUE,
        expected: Shown = None,
        got: Shown = None,
        reading: Reading | None = None,
        confirm: Confirm | None = None,
        printed: str = "",
    ) -> None:
        super().__init__(message)
        self.message, self.kind, self.expected, self.got = message, kind, expected, got
        self.reading = reading
        self.confirm = confirm
        # what the last line of a listing prints of the thing that was read, if not the thing
        # itself: "len({})", or a question that is answered with True: "{} is a"
        self.printed = printed


class NotInstalled(Exception):
    """What a check compares with is not in the judge's environment: nobody's fault. The message
    says how to get it.
    """

    def __init__(self, package: str, message: str) -> None:
        super().__init__(message)
        self.package, self.message = package, message


@dataclass(frozen=True)
class Reading:
    """What will be read, once something is expected of it: an attribute of an object, or the object
    itself.
    """

    ref: Ref
    attribute: str
    form: str

    def step(self) -> Read:
        """The step that reads it."""
        return Read(self.ref, self.attribute, self.form)


class Expected(NamedTuple):
    """A number that must be read; `confirm` finds it by the second method, which is asked before
    anybody is blamed.
    """

    reading: Reading
    want: float
    confirm: Confirm | None = None


def article(type_name: str) -> str:
    """A type's name with its article: 'a str', 'an int'."""
    return f"{'an' if type_name[:1].lower() in 'aeiou' else 'a'} {type_name}"
