"""What is remembered of a phase that was done, and what is said when it is not any more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.learner.progress import load, save_progress
from grader.model import Verdict
from support import changed, kit_folder
from support.grading import grade

pytestmark = pytest.mark.slow

ENGINE = changed()


def test_an_error_of_the_grader_changes_no_progress(tmp_path: Path) -> None:
    report = grade(kit_folder("solutions"), ["phase1"])
    save_progress(tmp_path, report)
    (phase,) = report.phases
    unsure = tuple(replace(result, verdict=Verdict.ERROR) for result in phase.checkpoints)
    save_progress(tmp_path, replace(report, phases=(replace(phase, checkpoints=unsure),)))
    assert load(tmp_path).phases["phase1"].done
