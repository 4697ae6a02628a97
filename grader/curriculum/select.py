"""Turn words such as `4`, `1-4`, `ext1`, `all` or `phase4.chain` into stages and checkpoints."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from grader.errors import UsageError

if TYPE_CHECKING:
    from grader.curriculum.model import Stage

GROUPS = ("all", "extras")


def stages_named(stages: Sequence[Stage], word: str) -> tuple[Stage, ...]:
    """Return the stages that a word names: `phase4`, `4`, `1-4`, `ext1`. `all` means every required
    stage, `extras` the optional ones, and a checkpoint's id means its stage.

    Raise UsageError if it is none of these.
    """
    if "." in word:
        return (_checkpoint_of(stages, word)[0],)
    if word in GROUPS:
        return tuple(stage for stage in stages if stage.optional == (word == "extras"))
    first, dash, last = word.rpartition("-")
    if knows(stages, word) or not dash:  # a name may have a dash
        first = last = word
    start, end = _index(stages, first, word), _index(stages, last, word)
    if start > end:
        raise UsageError(f"{word!r} runs backwards", f"did you mean {last}-{first}?")
    return tuple(stages[start : end + 1])


def checkpoints_named(stages: Sequence[Stage], word: str) -> tuple[str, ...]:
    """Return the ids that a word names: its own, or its stages'. Raise UsageError if none."""
    if "." not in word:
        return tuple(
            checkpoint.id
            for stage in stages_named(stages, word)
            for checkpoint in stage.checkpoints
        )
    return (_checkpoint_of(stages, word)[1],)


def shortest_words(stages: Sequence[Stage], chosen: Collection[Stage]) -> str:
    """Return the shortest words that name exactly these stages: `1-3 5`."""
    runs = [
        [stage.names[1] for stage in run]
        for is_chosen, run in groupby(stages, chosen.__contains__)
        if is_chosen
    ]
    return " ".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _checkpoint_of(stages: Sequence[Stage], word: str) -> tuple[Stage, str]:
    """Return the stage and the id of the checkpoint that a word names. Raise UsageError if there is
    none.
    """
    name, _, last = word.lower().partition(".")
    stage = stages[_index(stages, name, word)]
    ids = [checkpoint.id for checkpoint in stage.checkpoints]
    if (id := f"{stage.id}.{last}") not in ids:
        raise UsageError(
            f"there is no checkpoint {word!r}",
            f"{did_you_mean(id, ids)}the checkpoints are {', '.join(ids)}",
        )
    return stage, id


def knows(stages: Sequence[Stage], name: str) -> bool:
    """Return whether this name selects a single stage: `phase4` or `4`."""
    return any(name.lower() in stage.names for stage in stages)


def _index(stages: Sequence[Stage], name: str, word: str) -> int:
    """Return the index of a stage. Raise UsageError, quoting the whole word, if there is none."""
    for index, stage in enumerate(stages):
        if name.lower() in stage.names:
            return index
    known = [stage.id for stage in stages]
    few = f"{stages[0].names[1]}-{stages[:4][-1].names[1]}"
    raise UsageError(
        f"there is no phase {word!r}",
        f"{did_you_mean(name.lower(), known)}the phases are {', '.join(known)}; also {few}, all"
        " and extras",
    )


def did_you_mean(word: str, names: Sequence[str]) -> str:
    """Return "did you mean" with the only name that is near, or an empty string."""
    from difflib import get_close_matches

    near = get_close_matches(word, names, 2, 0.8)
    return f"did you mean {near[0]}? " if len(near) == 1 else ""
