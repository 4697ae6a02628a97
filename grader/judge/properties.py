"""Check properties on many drawn examples and report the smallest failure, always the same."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, Union

from grader.judge.expectations import Mismatch
from grader.judge.oracle.programs import Choose, Planned
from grader.judge.recorder import Recorder, Scene
from grader.judge.session import LearnerFault

T = TypeVar("T")
Draw = Callable[[Choose[Any]], T]
"""Makes an example from choices. `choose(options)` picks one; the first is the simplest."""
Check = Callable[[Sequence[T]], None]

BYTES = 48  # of choices per example; after that, always the first option
MAX_TRIES = 80  # to shrink a failure; further tries hardly make it smaller


@dataclass(frozen=True)
class Example(Generic[T]):
    """What was drawn, and the choices that made it."""

    value: T
    choices: tuple[int, ...]


Smaller = Callable[[Example[T]], Iterable[Example[T]]]


@dataclass(frozen=True)
class Failure(Generic[T]):
    """Examples that failed together, their error, and the script in which they failed."""

    examples: Sequence[Example[T]]
    error: Union[Mismatch, LearnerFault]
    scene: Scene


def for_all(  # noqa: PLR0913 - which examples, how many, and what to do with them
    draw: Draw[T],
    check: Check[T],
    recorder: Recorder,
    examples: int,
    together: int,
    *,
    smaller: Callable[[T], Sequence[T]] | None = None,
    key: Hashable = None,
) -> None:
    """Run `check` on `examples` draws, `together` at a time.

    Raise the failure of the smallest draw that fails.

    A `key` must contain everything that `draw` depends on. Then the examples are drawn once and
    kept, so `check` must not change them.
    """

    def groups() -> list[tuple[Example[T], ...]]:
        source = random.Random(f"{recorder.seed}:for_all")
        drawn = [_drawn(draw, source.randbytes(BYTES)) for _ in range(examples)]
        return [tuple(drawn[at : at + together]) for at in range(0, examples, together)]

    drawn = groups() if key is None else recorder.kept(("groups", key, examples, together), groups)
    tries = _Tries(check, recorder)
    met = next(filter(None, map(tries.failure, drawn)), None)
    if met is None:
        return
    found = tries.first([each] for each in met.examples) or met
    if len(found.examples) == 1:
        found = _smallest(found, tries, _fewer_choices(draw) if smaller is None else _told(smaller))
    recorder.scene = found.scene
    raise found.error


def _smallest(found: Failure[T], tries: _Tries[T], smaller: Smaller[T]) -> Failure[T]:
    """Return the failure of the smallest example that fails."""
    tries.left = MAX_TRIES
    while (less := tries.first([each] for each in smaller(found.examples[0]))) is not None:
        found = less
    return found


class _Tries(Generic[T]):
    """Runs a check on examples, as long as any tries are `left`."""

    def __init__(self, check: Check[T], recorder: Recorder) -> None:
        self._check, self._recorder = check, recorder
        self.left = 1_000_000

    def failure(self, examples: Sequence[Example[T]]) -> Failure[T] | None:
        """Return the failure of these examples together, or None."""
        self.left -= 1
        try:
            self._check([each.value for each in examples])
        except (Mismatch, LearnerFault) as error:
            return Failure(examples, error, self._recorder.scene)
        return None

    def first(self, groups: Iterable[Sequence[Example[T]]]) -> Failure[T] | None:
        """Return the first failure of these groups of examples, or None."""
        tried = (self.failure(examples) for examples in groups if self.left > 0)
        return next(filter(None, tried), None)


def _told(smaller: Callable[[T], Sequence[T]]) -> Smaller[T]:
    """Return the smaller examples that a check knows of."""
    return lambda example: (Example(value, ()) for value in smaller(example.value))


def _fewer_choices(draw: Draw[T]) -> Smaller[T]:
    """Return the examples that fewer or lower choices make, each only once."""
    seen = set[tuple[int, ...]]()

    def smaller(example: Example[T]) -> Iterator[Example[T]]:
        for choices in _simpler(example.choices):
            drawn = _drawn(draw, choices)
            if _size(drawn.choices) < _size(example.choices) and drawn.choices not in seen:
                seen.add(drawn.choices)
                yield drawn

    return smaller


def _drawn(draw: Draw[T], choices: Iterable[int]) -> Example[T]:
    planned = Planned(choices)
    return Example(draw(planned), tuple(planned.made))


def _size(choices: Sequence[int]) -> tuple[int, int, Sequence[int]]:
    """Return what to compare: the number of choices, how many are not the simplest, and all."""
    return len(choices), len(choices) - choices.count(0), choices


def _simpler(choices: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield choices of which some are left out, with an earlier one lowered in case it counts them;
    then those of which one is the first, or lower.
    """
    count = len(choices)
    for size in sorted({count // 2, count // 4, *range(1, 6)} - {0}, reverse=True):
        for at in range(count - size, -1, -1):
            rest = choices[:at] + choices[at + size :]
            yield rest
            yield from (_with(rest, place, rest[place] - 1) for place in range(at) if rest[place])
    yield from (_with(choices, place, 0) for place in range(count) if choices[place])
    for place, most in enumerate(choices):
        lower = most // 2
        while lower < most:
            yield _with(choices, place, lower)
            lower += (most - lower + 1) // 2


def _with(choices: tuple[int, ...], place: int, choice: int) -> tuple[int, ...]:
    return (*choices[:place], choice, *choices[place + 1 :])
