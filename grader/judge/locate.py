"""Find the step of a script that a worker died in, when it could not say so itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grader.judge.script.steps import Step


def locate(
    script: Sequence[Step],
    offset: int,
    attempt: Callable[..., None],
    deaths: tuple[type[BaseException], ...],
) -> int:
    """Return the first step since `offset` that a fresh worker does not survive either, given one
    at a time; else the last.

    `attempt(steps, fresh=...)` has steps done in a worker; it raises one of `deaths` if it dies.
    """
    last = max(offset, len(script) - 1)
    index = offset
    try:
        attempt(script[:offset], fresh=True)
        for index in range(offset, last + 1):
            attempt(script[index : index + 1], fresh=False)
    except deaths:
        return index
    return last
