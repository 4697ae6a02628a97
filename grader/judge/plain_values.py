"""Compare plain values: numbers, texts, True, False, None, and lists of them."""

from __future__ import annotations

from grader.judge.expectations import article
from grader.judge.oracle import close
from grader.judge.replies import Answer
from grader.worker.protocol import UnexpectedType

SHORT_TEXT = 400  # characters of a text to read by default


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


def is_number(wanted: object) -> bool:
    """Return whether it is a number, which True is not."""
    return isinstance(wanted, (int, float)) and not isinstance(wanted, bool)


def form_for(wanted: object) -> str:
    """Return the form for reading this expected value."""
    if not isinstance(wanted, str):
        return "value"
    return "text" if len(wanted) < SHORT_TEXT else "document"


def as_read(wanted: object) -> object:
    """Return a tuple as the list that reading it gives."""
    return list(wanted) if isinstance(wanted, tuple) else wanted


def are_alike(got: Answer | object, wanted: object) -> bool:
    """Return whether two values or lists are the same, with numbers within the tolerance."""
    if is_number(wanted) and is_number(got):
        return close(got, wanted)  # type: ignore[arg-type]
    wanted = as_read(wanted)
    if isinstance(wanted, list) and isinstance(got, list):
        return len(got) == len(wanted) and all(map(are_alike, got, wanted))
    return type(got) is type(wanted) and got == wanted


def text_of(value: object) -> str:
    """Return a value as reports show it."""
    if isinstance(value, UnexpectedType):
        return f"<{value.type_name}>"
    if isinstance(value, (list, tuple)):
        items = (repr(item) if isinstance(item, str) else text_of(item) for item in value)
        return f"[{', '.join(items)}]"
    return str(value)
