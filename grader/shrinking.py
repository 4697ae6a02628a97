"""Hypothesis, at work for a checkpoint: many examples, the smallest failure, the same one in every run."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from grader.recorder import Mismatch, Recorder, Scene
from grader.session import LearnerFault

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")


def for_all(strategy: SearchStrategy[T], check: Callable[[T], None], recorder: Recorder, examples: int) -> None:
    """Run `check` on `examples` draws; raise the failure of the smallest draw that fails.

    An engine whose answers depend on the order of a set can fail once and not again. The last failure that was seen
    stands in that case: it did happen.
    """
    import hypothesis
    from hypothesis.configuration import set_hypothesis_home_dir
    from hypothesis.errors import Flaky


    failures: list[tuple[Exception, Scene]] = []

    def attempt(drawn: T) -> None:
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
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    try:
        with tempfile.TemporaryDirectory(prefix="grade-") as folder:  # it would leave one where the learner works
            set_hypothesis_home_dir(folder)
            hypothesis.seed(recorder.seed)(quiet(hypothesis.given(strategy)(attempt)))()
    except Flaky:
        failure, recorder.scene = failures[-1]
        raise failure from None
    finally:
        set_hypothesis_home_dir(None)
