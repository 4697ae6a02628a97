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
    """Return the index of the step in which the worker died.

    Steps since `offset` run one at a time in a new worker. The first that it does not survive
    counts, or the last step if it survives all. `attempt(steps, fresh=...)` runs steps and raises
    one of `deaths` if the worker dies.
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
