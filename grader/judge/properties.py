"""Check properties on many drawn examples and report the smallest failure, always the same."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Generic, TypeVar, Union

from grader.judge.expectations import Mismatch
from grader.judge.failures import LearnerFault
from grader.judge.oracle.programs import Choose, InTurn
from grader.judge.recorder import Recorder
from grader.judge.script.steps import Step
from grader.worker.protocol import Ref

T = TypeVar("T")
E = TypeVar("E")
Draw = Callable[[Choose[Any]], T]
"""Makes an example from choices. `choose(options)` picks one; the first is the simplest."""
Check = Callable[[Sequence[T]], None]

BYTES = 48  # of choices per example; after that, always the first option
MAX_TRIES = 80  # to shrink a failure; further tries hardly make it smaller


@dataclass(frozen=True)
class Failure(Generic[T]):
    """A failed example, its error, and its script: the steps, the names, and the walks."""

    example: T
    error: Union[Mismatch, LearnerFault]
    script: tuple[list[Step], dict[Ref, str], dict[Ref, int]]


def for_all(  # noqa: PLR0913 - which examples, how many, and what to do with them
    draw: Draw[T],
    check: Check[T],
    recorder: Recorder,
    examples: int,
    together: int,
    *,
    parts: Callable[[T], Sequence[T]] | None = None,
    key: Hashable = None,
) -> None:
    """Run `check` on `examples` draws, `together` at a time, each time with a script that it begins
    itself.

    Raise the smallest failure. `parts` returns the smaller examples that make up one, smallest
    first. Without it, Hypothesis shrinks a failure.

    A `key` must contain everything that `draw` depends on. Then the examples are drawn once and
    kept, so `check` must not change them.
    """

    def groups() -> list[list[T]]:
        source = random.Random(f"{recorder.seed}:for_all")
        drawn = [draw(InTurn(source.randbytes(BYTES))) for _ in range(examples)]
        return [drawn[at : at + together] for at in range(0, examples, together)]

    drawn = groups() if key is None else recorder.kept(("groups", key, examples, together), groups)
    met = next(filter(None, (_failure(group, group, check, recorder) for group in drawn)), None)
    if met is None:
        return
    smaller = None
    if parts is not None:
        smallest = sorted(chain(*drawn), key=lambda example: len(parts(example)))
        if (found := _first(smallest, check, recorder)) is not None:
            smaller = _first(parts(found.example), check, recorder)
    elif (found := _first(met.example, check, recorder)) is not None:
        smaller = _shrunk(draw, check, recorder, examples)
    failure = smaller or found or met
    recorder.steps, recorder.names, recorder.walked = failure.script
    raise failure.error


def _first(examples: Sequence[T], check: Check[T], recorder: Recorder) -> Failure[T] | None:
    """Return the first of these examples that fails on its own."""
    tried = (_failure(example, [example], check, recorder) for example in examples)
    return next(filter(None, tried), None)


def _failure(
    example: E, examples: Sequence[T], check: Check[T], recorder: Recorder
) -> Failure[E] | None:
    """Return the failure of these examples, or None."""
    try:
        check(examples)
    except (Mismatch, LearnerFault) as error:
        return Failure(example, error, (recorder.steps, recorder.names, recorder.walked))
    return None


class _Enough(BaseException):
    """The failure is small enough. Not an Exception, so Hypothesis does not catch it."""


def _shrunk(draw: Draw[T], check: Check[T], recorder: Recorder, examples: int) -> Failure[T] | None:
    """Return the smallest failure that Hypothesis finds, or None.

    An engine whose answers depend on the order of a set may fail once and never again. Then the
    last failure seen is returned, because it did happen. The same goes for running out of tries,
    because each example tried is smaller than the last failure.
    """
    import hypothesis
    from hypothesis import strategies as st
    from hypothesis.configuration import set_hypothesis_home_dir
    from hypothesis.errors import Flaky

    failures: list[Failure[T]] = []
    tries = 0

    def attempt(data: st.DataObject) -> None:
        nonlocal tries
        tries += bool(failures)
        if tries > MAX_TRIES:
            raise _Enough
        example = draw(lambda options: data.draw(st.sampled_from(options)))
        if (failure := _first([example], check, recorder)) is not None:
            failures.append(failure)
            raise failure.error

    quiet = hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=False,
        print_blob=False,
        report_multiple_bugs=False,
        verbosity=hypothesis.Verbosity.quiet,
        phases=[hypothesis.Phase.generate, hypothesis.Phase.shrink],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    try:
        set_hypothesis_home_dir(os.devnull)  # otherwise it makes one in the learner's folder
        hypothesis.seed(recorder.seed)(quiet(hypothesis.given(st.data())(attempt)))()
    except (Flaky, _Enough, Mismatch, LearnerFault):
        return failures[-1]
    finally:
        set_hypothesis_home_dir(None)
    return None
