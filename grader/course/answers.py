"""Numbers that a learner worked out and returns in a dict, each compared with the right one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vocabulary import Learner

from grader.suite import (
    Answer,
    Confirm,
    InternalError,
    Kind,
    Mismatch,
    Symbol,
    UnexpectedType,
    close,
    kind_of,
    number_text,
)

Explain = Callable[[str, float], str]


def check_answers(
    learner: Learner,
    function: str,
    right: Mapping[str, float],
    explain: Explain,
    confirm: Callable[[str], Confirm | None] = lambda _: None,
) -> None:
    """Raise Mismatch for the first wrong number. It says how to find the right one, and does not
    give it away.
    """
    given = learner.make(Symbol, function, name="filled_in")
    (answer,) = learner.read([given.reading()])
    if not isinstance(answer, UnexpectedType) or "dict" not in answer.type_name.lower():
        name = function.rpartition(":")[2]
        why = f"`{name}()` must return a dict with a number for each name: {{...}}"
        raise learner.wrong_type(given.reading(), why, "a dict")
    items = [learner.symbol(given.call("get", key)) for key in right]
    for key, got in zip(right, learner.read([item.reading() for item in items])):
        number = _number(key, got)
        if close(number, right[key]):
            continue
        second = confirm(key)
        if second is not None and not close(second(), right[key]):
            raise InternalError(f"the two methods disagree about {key}")
        raise Mismatch(f'"{key}" is not {number_text(number)}: {explain(key, number)}')


def _number(key: str, got: Answer) -> float:
    """Return an answer; raise Mismatch unless it is a number."""
    if isinstance(got, UnexpectedType):
        missing = got.type_name == "NoneType"
        message = (
            f'"{key}" is not filled in'
            if missing
            else f'"{key}" must be a plain number; it is {kind_of(got)}'
        )
        raise Mismatch(message, kind=Kind.BAD_TYPE, expected="a number", got=kind_of(got))
    assert isinstance(got, (int, float))
    return got
