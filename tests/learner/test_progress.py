"""What is remembered of a phase that was done, and what is said when it is not any more."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from grader.learner.progress import FILE, FOLDER, load_progress, save_progress, with_regressions
from grader.model import Verdict
from support import changed, kit_folder
from support.grading import grade

pytestmark = pytest.mark.slow

ENGINE = changed()
TIMES = "out = Value(self.data * other.data"


def regression(folder: Path, source: str) -> str:
    (folder / "engine.py").write_text(source, encoding="utf-8")
    report = with_regressions(grade(folder, ["phase3"]), load_progress(folder))
    save_progress(folder, report)
    return report.phases[0].regression


BROKEN = changed((TIMES, TIMES.replace("*", "+")))


def test_edits_since_a_phase_passed_are_named_until_it_passes_again(tmp_path: Path) -> None:
    edited = "phase3 used to pass. You have edited `Value.__mul__` since."
    moved = "# a line that moves every function, and changes none\n" + BROKEN
    outside = ENGINE + "\nValue.data = property(lambda self: 1.0, lambda self, number: None)\n"
    for source, told in (
        (BROKEN, ""),  # it never passed
        (ENGINE, ""),
        (moved, edited),
        (moved, edited),  # the first failure does not forget what passed
        (ENGINE, ""),
        (ENGINE + "\ndef broken(:\n", "phase3 used to pass; now its file cannot be imported"),
        (outside, "phase3 used to pass. None of its functions was edited"),
    ):
        assert regression(tmp_path, source)[: len(told) or None] == told


def test_an_error_of_the_grader_changes_no_progress(tmp_path: Path) -> None:
    report = grade(kit_folder("solutions"), ["phase1"])
    save_progress(tmp_path, report)
    (phase,) = report.phases
    unsure = tuple(replace(result, verdict=Verdict.ERROR) for result in phase.checkpoints)
    save_progress(tmp_path, replace(report, phases=(replace(phase, checkpoints=unsure),)))
    assert load_progress(tmp_path)["phase1"].done


@pytest.mark.parametrize("broken", ["def broken(:\n", "raise ValueError\n"])
def test_a_file_that_cannot_be_imported_changes_no_progress(tmp_path: Path, broken: str) -> None:
    for source, done in ((ENGINE, True), (ENGINE + broken, True), ("class Value: pass\n", False)):
        (tmp_path / "engine.py").write_text(source, encoding="utf-8")
        save_progress(tmp_path, grade(tmp_path, ["phase1"]))
        assert load_progress(tmp_path)["phase1"].done is done


@pytest.mark.parametrize(
    "entry",
    [{}, {"sha256": 1}, [], {"sha256": "", "score": 0, "max_score": 0, "done": True, "new": 1}],
)
def test_a_damaged_progress_file_is_ignored(tmp_path: Path, entry: object) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / FILE).write_text(
        json.dumps({"phases": {"phase1": entry}}), encoding="utf-8"
    )
    assert load_progress(tmp_path) == {}
