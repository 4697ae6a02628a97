"""Define what a suite expects of a reading, and the failure when it gets something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from grader.judge.replies import Answer
from grader.judge.script.steps import Read
from grader.model import Kind, Shown
from grader.text import article
from grader.worker.protocol import UnexpectedType

Confirm = Callable[[], float]
Reading = Read
"""An attribute of an object to read, or the object itself."""

RAISED = "raised"  # the form of a reading that is never made, because an exception was expected


class Mismatch(Exception):
    """The learner's code gave a wrong answer."""

    def __init__(  # noqa: PLR0913 - one parameter for each part of the comparison
        self,
        message: str,
        *,
        kind: Kind = Kind.WRONG_VALUE,
        expected: Shown = None,
        got: Shown = None,
        reading: Reading | None = None,
        confirm: Confirm | None = None,
        printed: str = "",
        comment: str = "",
    ) -> None:
        super().__init__(message)
        self.message, self.kind, self.expected, self.got = message, kind, expected, got
        self.reading = reading
        self.confirm = confirm
        # The listing's last line prints the reading. `printed` is a template for it:
        # "len({})", or a test such as "{} is a" that should be False. `comment` replaces its
        # comment.
        self.printed, self.comment = printed, comment
        self.explained = False  # the message names the mistake


def refuse_unread(reading: object) -> None:
    """Raise TypeError for anything that a suite may pass by mistake in place of a reading."""
    if not isinstance(reading, Reading):
        given = article(type(reading).__name__)
        raise TypeError(
            f"expect needs a reading and got {given}; write learner.expect(symbol.reading(), ...),"
            " with learner.symbol(...) around the result of symbol.call()"
        )


class Expected(NamedTuple):
    """A number that a reading must give.

    `confirm` computes it again by the second method before the learner is blamed.
    """

    reading: Reading
    want: float
    confirm: Confirm | None = None


def kind_of(answer: Answer, collection: str = "list") -> str:
    """Return in words what was read: 'None', 'an int', 'a list with one Value'.

    `collection` is the type of an answer that was read as a list, which may be a tuple.
    """
    if not isinstance(answer, list):
        return type_in_words(answer)
    if not answer:
        return f"an empty {collection}"
    first, *others = dict.fromkeys(map(_type_name, answer))
    if others:
        return f"{article(collection)} with {' and '.join(map(article, (first, others[0])))}"
    count = "one" if len(answer) == 1 else len(answer)
    return f"{article(collection)} with {count} {first}{'s' * (len(answer) > 1)}"


def type_in_words(value: object) -> str:
    """Return the name of a value's type, with its article. A tuple is read as a list."""
    return article(_type_name(value))


def _type_name(value: object) -> str:
    if value is None:
        return "None"
    if isinstance(value, UnexpectedType):
        return value.type_name
    return "list" if isinstance(value, (list, tuple)) else type(value).__name__
