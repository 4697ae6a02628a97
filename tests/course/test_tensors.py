"""Extension 4: correct tensors pass however they are written, the judge's arrays are numpy's, and
what is shown can be pasted.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from grader.authoring.faulty_engine import faulty_files
from grader.model import Verdict
from support.golden import unpacked
from support.grading import COURSE, check, grade, unpassed
from support.mistakes import edited

pytestmark = pytest.mark.slow

STAGE = COURSE.stage("ext4")

numpy: Any = pytest.importorskip("numpy", reason="numpy is not installed")


@pytest.mark.parametrize(
    "engine", sorted((unpacked("engines") / "tensors").glob("*.py")), ids=lambda path: path.stem
)
def test_a_correct_tensor_passes_however_it_is_written(engine: Path, tmp_path: Path) -> None:
    shutil.copy(engine, tmp_path / STAGE.file)
    assert unpassed(grade(tmp_path, [STAGE.id])) == {}


# --- what a failure shows ---

MESSAGES = {
    "add-not-summed": ("ext4.add-stretched", "`b.grad` has the shape (2, 3); it must have (3,)"),
    "unbroadcast-loses-the-axis": ("ext4.unbroadcast", "`s` has the shape ("),
    "matmul-transposes-the-result": (
        "ext4.matmul-backward",
        "ValueError: operands could not be broadcast together with shapes (2,3) (3,2)",
    ),
    "sum-shares-the-gradient-out": ("ext4.sum-backward", "`a.grad` is wrong at [0][0]; it is [["),
    "tensor-begins-with-a-number": (
        "ext4.tensor",
        "`t.grad` has the shape (); it must have (2, 3)",
    ),
    "tensor-keeps-whole-numbers": ("ext4.tensor", "`t.data` must be an array of floats"),
    "neg-cuts-the-graph": ("ext4.minus", "`a` cannot be reached from the result through `_prev`"),
    "relu-asks-the-gradient": ("ext4.relu-backward", "`a.grad` is wrong at [0][0]; it is [["),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_a_failure_says_which_array_is_wrong_and_how(name: str, tmp_path: Path) -> None:
    faulty = next(faulty for faulty in STAGE.faulty if faulty.id == f"ext4.{name}")
    file = next(file for file in faulty_files(COURSE, STAGE, faulty) if file.module == "tensor")
    (tmp_path / "tensor.py").write_bytes(file.source)
    checkpoint, message = MESSAGES[name]
    result = check(tmp_path, checkpoint)
    assert result.verdict is Verdict.FAILED
    assert message in result.message


@pytest.mark.parametrize(
    ("old", "new", "checkpoint", "message"),
    [
        # numpy makes an array of objects of `array + tensor` then
        ("    __array_ufunc__ = None", "    _unused = None", "plain-operands", "__array_ufunc__"),
        (
            "self.data = np.array(data, dtype=float)",
            "self.data = data",
            "tensor",
            "`t.data` is a list; it must be an array of numbers",
        ),
    ],
)
def test_what_numpy_confuses_with_an_array_is_named(
    old: str, new: str, checkpoint: str, message: str, tmp_path: Path
) -> None:
    result = check(edited(tmp_path, "tensor.py", (old, new)), f"ext4.{checkpoint}")
    assert result.verdict is Verdict.FAILED
    assert message in result.message
