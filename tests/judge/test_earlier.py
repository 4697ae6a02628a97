"""Which checkpoints of earlier phases are graded to explain a failure."""

from __future__ import annotations

import pytest

from grader.judge import plugin
from grader.model import Verdict
from support.mistakes import graded

TANH = """
class Value:
    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,), "tanh")
        def _backward():
            self.grad += t * out.grad
        out._backward = _backward
        return out
"""
ZERO_GRAD = """
class Value:
    def zero_grad(self):
        self.grad = 0.0
"""


def asked(monkeypatch: pytest.MonkeyPatch, mistake: str, phase: str) -> set[str]:
    """The earlier checkpoints that are graded for a mistake in the engine."""
    found: set[str] = set()
    run = plugin.run_suites

    def spy(job, stages, earlier=None, only=None):  # type: ignore[no-untyped-def]
        found.update(only or ())
        return run(job, stages, earlier, only)

    monkeypatch.setattr(plugin, "run_suites", spy)
    graded(mistake, "engine", phase)
    return found


@pytest.mark.slow
def test_a_failure_that_its_phase_explains_needs_no_earlier_phase(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # random graphs fail, too, and use everything, but only because of tanh
    assert {id.partition(".")[0] for id in asked(monkeypatch, TANH, "phase6")} == {"phase1"}


@pytest.mark.slow
def test_only_what_may_explain_a_failure_is_graded(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = asked(monkeypatch, ZERO_GRAD, "phase5")
    assert {"phase2.backward", "phase4.first-graph"} <= ids  # it uses them
    assert "phase4.order" in ids  # proves no operation, but catches mistakes
    assert not ids & {"phase3.divided", "phase4.random-graphs"}


HANGS = """
class Value:
    def backward(self):
        while True:
            pass
"""


@pytest.mark.slow
def test_a_failure_of_an_earlier_phase_is_not_blamed_on_unstarted_code() -> None:
    report = graded(HANGS, "engine", "phase6", deletes=["Value.tanh", "Value.relu", "Value.exp"])
    results = {result.id: result for result in report.checkpoints}
    assert results["phase6.inside"].verdict is Verdict.NOT_STARTED  # though it needs backward
    assert results["phase6.random-graphs"].blocked_by == "phase4.seed"
