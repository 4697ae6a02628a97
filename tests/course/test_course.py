"""The course judged by what it must accept: correct engines in many styles, and the journey from
stubs to solutions.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from grader.curriculum.source import functions_in, replace_functions
from grader.model import Verdict
from support import changed, hand_in, kit_folder, put, touch
from support.golden import unpacked
from support.grading import COURSE, grade, unpassed
from support.mistakes import edited

pytestmark = pytest.mark.slow

OTHERS = sorted(
    file for module in ("nn", "train") for file in (unpacked("engines") / module).glob("*.py")
)


@pytest.mark.parametrize(
    "engine", sorted((unpacked("engines") / "correct").glob("*.py")), ids=lambda path: path.stem
)
def test_a_correct_engine_passes_however_it_is_written(engine: Path) -> None:
    together = grade(engine, ["1-6"])
    bonus = {r.id for r in together.checkpoints if r.bonus or r.id > "phase5"}
    assert {id: told for id, told in unpassed(together).items() if id not in bonus} == {}
    isolated = grade(engine, ["1-6"], isolate=True)
    assert [phase.score for phase in isolated.phases] == [p.score for p in together.phases]


@pytest.mark.parametrize("file", OTHERS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_correct_networks_and_loops_pass_however_they_are_written(
    tmp_path: Path, file: Path
) -> None:
    shutil.copytree(kit_folder("solutions"), tmp_path, dirs_exist_ok=True)
    shutil.copy(file, tmp_path / f"{file.parent.name}.py")
    assert unpassed(grade(tmp_path, ["7-8"])) == {}


@pytest.mark.parametrize("start", ["", "from .engine import Value\nfrom .nn import MLP\n"])
@pytest.mark.parametrize("package", [".", "micrograd."])
def test_files_of_a_package_earn_all_points(tmp_path: Path, package: str, start: str) -> None:
    folder = tmp_path / "micrograd-main" / "micrograd"
    touch(folder / "__init__.py", text=start)
    for file in ("engine.py", "nn.py"):
        hand_in(folder, changed(file=file).replace("from engine", f"from {package}engine"), file)
    for isolate in (False, True):
        report = grade(tmp_path, ["1-8"], isolate=isolate)
        assert [p.score == p.max_score for p in report.phases] == [True] * 7 + [False]
        assert {r.verdict for r in report.phases[7].checkpoints} == {Verdict.NOT_STARTED}


ONE_FILE, LOOP = (
    "".join(
        (kit_folder("solutions") / file)
        .read_text(encoding="utf-8")
        .replace("from engine import Value\n", "")
        for file in files
    )
    for files in (("engine.py", "nn.py"), ("train.py",))
)
DEMO = "\n\nif __name__ == '__main__':\n    input()\nassert MLP(2, [1])([1.0, 2.0]).data == 7\n"


@pytest.mark.parametrize(
    ("files", "note"),
    [
        ({"engine.py": ONE_FILE + LOOP + DEMO}, "looked for nn.py and train.py in engine.py"),
        ({"main.py": ONE_FILE + LOOP + DEMO}, "looked for nn.py and train.py in main.py"),
        ({"engine.py": ONE_FILE, "train.py": LOOP}, "looked for nn.py in engine.py, train.py"),
        (
            {
                "value.py": changed(file="engine.py"),
                "nn.py": changed(file="nn.py").replace("from engine", "from value"),
                "train.py": LOOP,
            },
            "'value.py' is graded as engine.py",
        ),
        (
            {
                "engine/__init__.py": "from .value import *",
                "engine/value.py": changed(file="engine.py"),
                "nn/__init__.py": "from nn.mlp import *",
                "nn/mlp.py": changed(file="nn.py").replace("from engine", "from ..engine.value"),
                "train.py": LOOP,
            },
            "",
        ),
    ],
    ids=["all in engine.py", "all in main.py", "all but one", "value.py", "packages"],
)
def test_a_file_may_hold_what_belongs_into_missing_ones(
    tmp_path: Path, files: dict[str, str], note: str
) -> None:
    put(tmp_path, files)
    for isolate in (False, True):
        report = grade(tmp_path, ["1-8"], isolate=isolate)
        assert report.score == report.max_score
        assert note in (*report.notes, "")


def test_the_phases_turn_green_one_at_a_time(tmp_path: Path) -> None:
    """From untouched stubs, the solution of one phase after the other: what has all its methods
    turns green, and nothing before.
    """
    written: set[str] = set()
    for file in COURSE.files:
        stubs = (kit_folder("exercises") / file).read_bytes()
        (tmp_path / file).write_bytes(b"import math\n" + stubs)
    for stage in (stage for stage in COURSE.stages if not stage.optional):
        names = COURSE.functions(stage)
        _write_phase(tmp_path / stage.file, kit_folder("solutions") / stage.file, names)
        written.update(f"{stage.file}:{name}" for name in stage.asked)
        results = {result.id: result.verdict for result in grade(tmp_path).checkpoints}
        assert results == {
            each.id: Verdict.PASSED
            if written.issuperset(f"{other.file}:{name}" for name in each.methods)
            else Verdict.NOT_STARTED
            for other in COURSE.stages
            if not other.optional
            for each in other.checkpoints
        }, f"after {stage.id}"


def _write_phase(exercise: Path, solution: Path, names: Sequence[str]) -> None:
    """Put the solution's functions of these names in place of the stubs."""
    written = functions_in(solution.read_bytes())
    source = replace_functions(exercise.read_bytes(), {name: written[name] for name in names})
    exercise.write_bytes(source)


def test_a_wrong_answer_on_paper_is_reported_without_the_right_one(tmp_path: Path) -> None:
    folder = edited(tmp_path, "by_hand.py", ('"b.grad": 14', '"b.grad": 13'))
    results = grade(folder / "by_hand.py", ["by-hand"]).checkpoints
    (wrong,) = [result for result in results if result.verdict is Verdict.FAILED]
    assert wrong.message.startswith(
        '"b.grad" is not 13: it is the local derivative of `t1 = a * b` for `b`'
    )
    assert (wrong.expected, wrong.reproduce) == (None, "")
    assert "14" not in wrong.message
