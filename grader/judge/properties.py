"""Hypothesis, at work for a checkpoint: many examples, the smallest failure, the same one in every
run.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from grader.judge.recorder import Mismatch, Recorder, Scene
from grader.judge.session import LearnerFault

if TYPE_CHECKING:
    from hypothesis import Phase
    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")
MAX_TRIES = 80  # to make a failure smaller; what comes after makes it hardly any


def for_all(
    one: SearchStrategy[T],
    check: Callable[[Sequence[T]], None],
    recorder: Recorder,
    examples: int,
    together: int,
) -> None:
    """Run `check` on `examples` draws, so many `together`; raise the failure of the smallest draw
    that fails.

    Draws are checked together while all is well, which halves what drawing costs, and one by one to
    find the smallest failure, which
    is three times as fast. What fails in company only is told as it was met.
    """
    from hypothesis import Phase
    from hypothesis import strategies as st

    failure = None
    try:
        _run(
            st.lists(one, min_size=together, max_size=together),
            check,
            recorder,
            examples // together,
            Phase.generate,
        )
    except (Mismatch, LearnerFault) as met:
        failure, scene = met, recorder.scene
    if failure is not None:
        _run(one, lambda drawn: check([drawn]), recorder, examples, Phase.generate, Phase.shrink)
        recorder.scene = scene
        raise failure


class _Enough(BaseException):
    """The failure is small enough. No plain Exception, as WorkerLost."""


def _run(
    strategy: SearchStrategy[T],
    check: Callable[[T], None],
    recorder: Recorder,
    examples: int,
    *phases: Phase,
) -> None:
    """Have Hypothesis look for a failure.

    An engine whose answers depend on the order of a set can fail once and not again. The last
    failure that was seen
    stands in that case: it did happen. So it does after so many tries: what is tried is smaller
    than the smallest so far.
    """
    import hypothesis
    from hypothesis.configuration import set_hypothesis_home_dir
    from hypothesis.errors import Flaky

    failures: list[tuple[Exception, Scene]] = []
    tries = 0

    def attempt(drawn: T) -> None:
        nonlocal tries
        tries += bool(failures)
        if tries > MAX_TRIES:
            raise _Enough
        try:
            check(drawn)
        except (Mismatch, LearnerFault) as failure:
            failures.append((failure, recorder.scene))
            raise

    quiet = hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=False,
        print_blob=False,
        report_multiple_bugs=False,
        verbosity=hypothesis.Verbosity.quiet,
        phases=phases,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    try:
        with tempfile.TemporaryDirectory(
            prefix="grade-"
        ) as folder:  # it would leave one where the learner works
            set_hypothesis_home_dir(folder)
            hypothesis.seed(recorder.seed)(quiet(hypothesis.given(strategy)(attempt)))()
    except (Flaky, _Enough):
        failure, recorder.scene = failures[-1]
        raise failure from None
    finally:
        set_hypothesis_home_dir(None)
