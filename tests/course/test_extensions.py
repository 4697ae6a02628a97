"""The two moons and the other engines: what a learner sees who runs the files, and what the judge
reads and asks.
"""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from grader.curriculum.imports import files_of
from grader.curriculum.load import load_course
from grader.model import Verdict
from support import kit_folder, tells, touch
from support.grading import by_id, grade
from support.mistakes import edited

with files_of(load_course()):
    from svg import NoSvgError, Picture

pytestmark = pytest.mark.slow

SOLUTIONS = kit_folder("solutions")


def run(file: Path, folder: Path, *options: str, **environment: str) -> str:
    """What a file prints that is run as a learner runs it, in a folder of their own."""
    env = {**os.environ, **environment}
    command = [sys.executable, *options, "-B", str(file)]
    done = subprocess.run(
        command,
        cwd=folder,
        env=env,
        capture_output=True,
        encoding="utf-8",
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# --- the two moons ---


def test_the_capstone_trains_prints_its_picture_and_writes_it(tmp_path: Path) -> None:
    folder = edited(tmp_path, "two_moons.py")
    lines = run(folder / "two_moons.py", folder, PYTHONHASHSEED="0").splitlines()
    picture = [line for line in lines if len(line) == 60 and set(line) <= set("#.Ox")]
    assert any("loss" in line for line in lines)
    assert any(line.startswith("right: ") and "200 training points" in line for line in lines)
    assert len(picture) == 21
    # above the upper moon, below the lower one
    assert (picture[0][0], picture[-1][-1]) == ("#", ".")
    assert all(sign in "".join(picture) for sign in "#.Ox")
    shown = Picture((folder / "two_moons.svg").read_text(encoding="utf-8"))
    assert (shown.width, shown.height) == (840, 600)
    assert len(shown.circles) >= 195  # a point may lie outside
    assert shown.colour(5, 5) != shown.colour(835, 595)


# --- SVG ---

SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" width="20px" height="10">{}</svg>'


RED_CIRCLE = '<circle cx="{}" cy="5" r="3" fill="red"/>'
SHOWN = {
    "later shapes cover earlier ones": (
        (
            '<g><rect width="20" height="10" fill="Red"/></g>'
            '<rect x="10" width="10" height="10" fill="#00F"/>'
        ),
        ["red", "red", "#00f"],
        [],
    ),
    "circles below a square or outside": (
        (
            f'{RED_CIRCLE.format(5)}<rect width="10" height="10" fill="blue"/>'
            f"{RED_CIRCLE.format(15)}{RED_CIRCLE.format(25)}"
        ),
        ["blue", "blue", ""],
        [15],
    ),
    "any usual way to write it": (
        (
            '<rect width="100%" height="100%" style="stroke: red; fill: Blue"/>'
            '<g fill="red"><rect width="5" height="10"/></g><rect x="5" width="5" height="10"/>'
            '<rect width="20" height="10" fill="none" stroke="red"/>'
        ),
        ["red", "black", "blue"],
        [],
    ),
}


@pytest.mark.parametrize(("shapes", "colours", "circles"), SHOWN.values(), ids=SHOWN)
def test_a_picture_is_read_as_a_browser_shows_it(
    shapes: str, colours: list[str], circles: list[int]
) -> None:
    box = SQUARE.replace("width", "viewBox='0 0 20 10' width").replace("20px", "100%")
    for shown in (Picture(SQUARE.format(shapes)), Picture(box.format(shapes))):
        assert (shown.width, shown.height) == (20.0, 10.0)
        assert [shown.colour(x, 5) for x in (2, 7, 15)] == colours
        assert [circle.x for circle in shown.circles] == circles


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (SQUARE.format("<g>"), "not well-formed XML"),
        ("no picture", "not well-formed XML"),
        ('<svg width="1" height="1"/>', "xmlns"),
        ('<html xmlns="http://www.w3.org/2000/svg"/>', "must be svg"),
        (SQUARE.format("<style>rect { fill: red }</style>"), "style sheets"),
        (SQUARE.format('<svg viewBox="0 0 2 2"/>'), "only the first"),
        (SQUARE.replace("width", "viewBox='-1 0 2 2' width").format(""), "must be `0 0"),
        (SQUARE.format('<rect width="1" height="tall" fill="red"/>'), "`height` of a rect"),
        (SQUARE.format('<rect width="1" fill="red"/>'), "a rect has no `height`"),
        (SQUARE.format('<g transform="scale(2)"/>'), "transform"),
        ('<!DOCTYPE svg [<!ENTITY a "aaaa">]>' + SQUARE.format(""), "DOCTYPE"),
    ],
)
def test_shapes_that_a_browser_would_not_show_are_refused(text: str, told: str) -> None:
    with pytest.raises(NoSvgError, match=told):
        Picture(text)


# --- other engines ---


def test_the_table_has_the_engines_that_are_there_and_says_what_to_install(tmp_path: Path) -> None:
    folder = edited(tmp_path, "engine.py")
    alone = run(folder / "compare_engines.py", folder, "-S")  # no installed package can be seen
    tells(
        alone,
        "your engine   5 of 5",
        "micrograd is not installed here: python -m pip install micrograd",
        "PyTorch is not installed here: python -m pip install torch",
    )
    touch(folder / "micrograd" / "__init__.py", text="")
    shutil.copy(folder / "engine.py", folder / "micrograd" / "engine.py")
    both = run(folder / "compare_engines.py", folder, "-S")
    tells(both, "micrograd     5 of 5", hides=["install micrograd"])


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if neither library were there, whatever is."""
    for name in ("torch", "micrograd", "micrograd.engine"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.fixture
def micrograd(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """An engine under micrograd's name: the solution's."""
    module = ModuleType("micrograd.engine")
    vars(module).update(runpy.run_path(str(SOLUTIONS / "engine.py")))
    monkeypatch.setitem(sys.modules, "micrograd", ModuleType("micrograd"))
    monkeypatch.setitem(sys.modules, "micrograd.engine", module)
    return module


@pytest.mark.usefixtures("nothing_installed")
def test_a_library_that_is_not_there_blocks_its_own_bonus_and_nothing_else() -> None:
    report = grade(SOLUTIONS, ["ext6"])
    for name, package in (("micrograd", "micrograd"), ("pytorch", "torch")):
        found = by_id(report)[f"ext6.{name}"]
        assert (found.verdict, found.blocked_by, found.waits_for) == (Verdict.BLOCKED, package, "")
        assert f"python -m pip install {package}" in found.message
    assert {r.verdict for r in report.checkpoints if not r.bonus} == {Verdict.PASSED}
    assert (report.score, report.exit_code) == (report.max_score, 0)


def test_a_wrong_engine_elsewhere_is_not_the_learners_fault(micrograd: ModuleType) -> None:
    assert by_id(grade(SOLUTIONS, ["ext6"]))["ext6.micrograd"].verdict is Verdict.PASSED
    backward = micrograd.Value.backward
    micrograd.Value.backward = lambda self: (backward(self), backward(self))
    found = by_id(grade(SOLUTIONS, ["ext6"]))["ext6.micrograd"]
    assert found.verdict is Verdict.ERROR
    assert "disagree" in found.message


@pytest.mark.usefixtures("micrograd")
def test_wrong_gradients_block_the_comparison_with_another_engine(tmp_path: Path) -> None:
    twice = ("plain(leaf.grad) for leaf", "2 * plain(leaf.grad) for leaf")
    found = by_id(grade(edited(tmp_path, "compare_engines.py", twice), ["ext6"]))
    assert found["ext6.gradients"].verdict is Verdict.FAILED
    assert found["ext6.micrograd"].blocked_by == "ext6.gradients"


def test_pytorch_finds_the_gradients_of_the_solutions() -> None:
    pytest.importorskip(
        "torch", reason="PyTorch is not installed here: python -m pip install torch"
    )
    assert by_id(grade(SOLUTIONS, ["ext6"]))["ext6.pytorch"].verdict is Verdict.PASSED
