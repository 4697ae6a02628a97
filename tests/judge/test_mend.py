"""A small change that mends a mistake is found and proven."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import changed
from support.grading import by_id, grade

FORGETS = ("self.grad += (1 - out.data**2) * out.grad", "self.grad += 1 - out.data**2")


@pytest.mark.parametrize("isolation", [0, 3])
def test_a_change_is_proven_at_every_isolation(tmp_path: Path, isolation: int) -> None:
    (tmp_path / "engine.py").write_text(changed(FORGETS), encoding="utf-8")
    report = grade(tmp_path, "phase6", prove=1, isolation=isolation)
    diagnosis = by_id(report)["phase6.tanh-backward"].diagnosis
    assert diagnosis is not None
    assert diagnosis.mend is not None
    assert diagnosis.mend.place.source == FORGETS[1]
    assert diagnosis.proof.endswith("all of phase6 passes")


@pytest.mark.slow
@pytest.mark.parametrize(("prove", "phases"), [(1, ["phase3"]), (9, ["phase3", "phase6"])])
def test_the_first_failures_of_so_many_phases_are_proven(
    tmp_path: Path, prove: int, phases: list[str]
) -> None:
    times = "self.grad += other.data * out.grad"
    assigns = (times, times.replace("+=", "="))
    (tmp_path / "engine.py").write_text(changed(assigns, FORGETS), encoding="utf-8")
    report = grade(tmp_path, ["3", "6"], prove=prove, isolate=True)
    found = [one.diagnosis.mend for one in report.checkpoints if one.diagnosis]
    assert [proof.phase for proof in found if proof] == phases
