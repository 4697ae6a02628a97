"""Compare plain values: numbers, texts, True, False, None, and lists of them."""

from __future__ import annotations

from typing import TypeGuard

from grader.judge.oracle.gradients import TOLERANCE, close
from grader.judge.replies import Array
from grader.model import Shown
from grader.text import article, safe
from grader.worker.bounds import MAX_TEXT
from grader.worker.protocol import Ref, UnexpectedType


def refuse_incomparable(wanted: object) -> None:
    """Raise TypeError unless it is a plain value, or a list or tuple of them."""
    if isinstance(wanted, (list, tuple)):
        for item in wanted:
            refuse_incomparable(item)
    elif wanted is not None and not isinstance(wanted, (int, float, str)):
        raise TypeError(
            f"expect cannot compare {article(type(wanted).__name__)}; expect numbers, texts, True,"
            " False, None or lists of them"
        )


def is_number(value: object) -> TypeGuard[float]:
    """Return whether it is a number, which neither True nor the number of an object is."""
    return isinstance(value, (int, float)) and not isinstance(value, (bool, Ref))


def is_close(got: object, want: float) -> bool:
    """Return whether a value is a number, and close to the right one."""
    return is_number(got) and close(got, want)


def is_same(one: object, other: object, tolerance: float = TOLERANCE) -> bool:
    """Return whether two answers are the same, with numbers within a tolerance. A tuple counts as a
    list.
    """
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        pairs = zip(one, other)
        return len(one) == len(other) and all(is_same(*pair, tolerance) for pair in pairs)
    if isinstance(one, Array) and isinstance(other, Array):
        return one.shape == other.shape and is_same(one.numbers, other.numbers, tolerance)
    if is_number(one) and is_number(other):
        return close(one, other, tolerance) or repr(float(one)) == repr(float(other))
    return type(one) is type(other) and one == other


def shown_as(answer: object) -> Shown:
    """Return an answer as a report shows it: a number, or what was read instead of one."""
    if is_number(answer) or answer is None:
        return answer
    if isinstance(answer, UnexpectedType):
        return f"a {safe(answer.type_name, 40)}"
    if isinstance(answer, list) and len(answer) == 1:  # the name of a type
        return f"a {safe(str(answer[0]), 40)}"
    return "not a number"


def form_for(wanted: object) -> str:
    """Return the form for reading this expected value."""
    if not isinstance(wanted, str):
        return "value"
    return "text" if len(wanted) < MAX_TEXT else "document"


def text_of(value: object) -> str:
    """Return a value as reports show it."""
    if isinstance(value, UnexpectedType):
        return f"<{value.type_name}>"
    if isinstance(value, (list, tuple)):
        items = (repr(item) if isinstance(item, str) else text_of(item) for item in value)
        return f"[{', '.join(items)}]"
    return str(value)
