"""Property-based checks: many drawn examples, and the smallest failure, the same in every run."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, Union

from grader.judge.expectations import Mismatch
from grader.judge.oracle.programs import Bytes, Choose
from grader.judge.recorder import Recorder, Scene
from grader.judge.session import LearnerFault

T = TypeVar("T")
E = TypeVar("E")
Draw = Callable[[Choose[Any]], T]
"""Makes an example from choices: `choose(options)` gives one of them, the first is the simplest."""
Check = Callable[[Sequence[T]], None]

BYTES = 48  # of choices for an example; after them, the simplest
FEW = 3  # operations, at which an example is small enough
MAX_TRIES = 80  # to make a failure smaller; what comes after makes it hardly any


@dataclass(frozen=True)
class Failure(Generic[T]):
    """What went wrong with an example, and the script in which it did."""

    example: T
    error: Union[Mismatch, LearnerFault]
    scene: Scene


def for_all(  # noqa: PLR0913 - which examples, how many, and what is done with them
    draw: Draw[T],
    check: Check[T],
    recorder: Recorder,
    examples: int,
    together: int,
    *,
    parts: Callable[[T], Sequence[T]] | None = None,
    key: Hashable = None,
) -> None:
    """Run `check` on `examples` draws, so many `together`; raise the failure of the smallest draw
    that fails.

    A failure is looked for again in each example by itself, then in its `parts`: what an example is
    made of, as examples, the smallest first and itself last. If that leaves more than a few parts,
    or parts are not known, Hypothesis shrinks. A failure that needs company is raised as it was
    met.

    With a `key` that says all that `draw` depends on, the examples are drawn once and kept; `check`
    must not change them then.
    """

    def groups() -> list[tuple[T, ...]]:
        source = random.Random(f"{recorder.seed}:for_all")
        drawn = [draw(Bytes(source.randbytes(BYTES))) for _ in range(examples)]
        return [tuple(drawn[at : at + together]) for at in range(0, examples, together)]

    drawn = groups() if key is None else recorder.kept(("groups", key, examples, together), groups)
    tried = (_failure(group, group, check, recorder) for group in drawn)
    met = next(filter(None, tried), None)
    if met is None:
        return
    found = _first(met.example, check, recorder)
    if found is not None and parts is not None:
        found = _first(parts(found.example), check, recorder) or found
    if found is not None and (parts is None or len(parts(found.example)) > FEW):
        shrunk = _shrunk(draw, check, recorder, examples)
        if shrunk is not None and (
            parts is None or len(parts(shrunk.example)) < len(parts(found.example))
        ):
            found = shrunk
    failure = found or met
    recorder.scene = failure.scene
    raise failure.error


def _first(examples: Sequence[T], check: Check[T], recorder: Recorder) -> Failure[T] | None:
    """The first of these that fails by itself."""
    tried = (_failure(example, [example], check, recorder) for example in examples)
    return next(filter(None, tried), None)


def _failure(
    example: E, examples: Sequence[T], check: Check[T], recorder: Recorder
) -> Failure[E] | None:
    """What goes wrong with these, if anything does."""
    try:
        check(examples)
    except (Mismatch, LearnerFault) as error:
        return Failure(example, error, recorder.scene)
    return None


class _Enough(BaseException):
    """The failure is small enough. No plain Exception, as WorkerLost."""


def _shrunk(draw: Draw[T], check: Check[T], recorder: Recorder, examples: int) -> Failure[T] | None:
    """The smallest failure that Hypothesis finds, if it finds one.

    An engine whose answers depend on the order of a set can fail once and not again. The last
    failure that was seen stands in that case: it did happen. So it does after so many tries: what
    is tried is smaller than the smallest so far.
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
        with tempfile.TemporaryDirectory(
            prefix="grade-"
        ) as folder:  # it would leave one where the learner works
            set_hypothesis_home_dir(folder)
            hypothesis.seed(recorder.seed)(quiet(hypothesis.given(st.data())(attempt)))()
    except (Flaky, _Enough, Mismatch, LearnerFault):
        return failures[-1]
    finally:
        set_hypothesis_home_dir(None)
    return None
