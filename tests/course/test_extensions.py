"""The two moons and the other engines: what a learner sees who runs the files, and what the judge
reads and asks.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import pytest

from grader.curriculum.imports import files_of
from grader.curriculum.load import load_course
from grader.judge.expectations import NotInstalled
from grader.model import CheckResult, Report, Verdict
from support import kit_folder
from support.grading import grade

with files_of(load_course()):
    from networks import Copy, Shape, weights
    from other_engines import Expression, by_micrograd, by_oracle, by_pytorch
    from svg import NoSvgError, Picture

pytestmark = pytest.mark.slow

COURSE = load_course()
SOLUTIONS = kit_folder("solutions")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The solutions, where they can be changed."""
    shutil.copytree(SOLUTIONS, tmp_path / "mine", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "mine"


def checkpoint(report: Report, id: str) -> CheckResult:
    return next(result for result in report.checkpoints if result.id == id)


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


def test_the_capstone_trains_prints_its_picture_and_writes_it(folder: Path) -> None:
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


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal of POSIX")
@pytest.mark.parametrize(
    ("environment", "coloured"), [({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False)]
)
def test_the_picture_is_coloured_on_a_terminal_only_where_that_is_wanted(
    environment: dict[str, str], coloured: bool, folder: Path
) -> None:
    import pty

    source = "from two_moons import show; show(['#O', '.x'])"
    ours, theirs = pty.openpty()
    env = {**os.environ, **environment}
    subprocess.run(
        [sys.executable, "-B", "-c", source],
        cwd=folder,
        env=env,
        stdout=theirs,
        timeout=60,
        check=True,
    )
    os.close(theirs)
    printed = os.read(ours, 4096).decode()
    os.close(ours)
    assert ("\033[" in printed) == coloured
    assert [sign for sign in printed if sign in "#O.x"] == ["#", "O", ".", "x"]


def suite(stage: str) -> ModuleType:
    """A hidden suite as a module."""
    spec = importlib.util.spec_from_file_location(f"suite_of_{stage}", COURSE.stage(stage).suite)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    with files_of(COURSE):
        spec.loader.exec_module(module)
    return module


def test_no_picture_of_the_suite_can_be_turned_and_pass() -> None:
    ext5 = suite("ext5")
    for model in (ext5.TILTED, ext5.BENT, ext5.FOLDED):
        wanted = ext5.asking_at(model.score, (-1.6, 2.6, -1.3, 1.7), 28, 10)
        free = sum(row.count("?") for row in wanted)
        assert free < 28 * 10 / 4
        for turned in (
            wanted[::-1],
            [row[::-1] for row in wanted],
            [row[::-1] for row in wanted[::-1]],
        ):
            assert ext5.wrong_cells([row.replace("?", ".") for row in turned], wanted)


def test_plain_scores_are_those_of_the_oracle() -> None:
    shape = Shape(2, (4, 3, 1), ("tanh", "relu", "linear"))
    numbers = weights(shape, 5)
    copy = Copy(shape, numbers)
    for x in ([0.3, -1.2], [2.0, 0.5], [-0.7, 0.1]):
        assert shape.score(numbers, x) == pytest.approx(copy.value(copy(x)[0]))


def test_a_network_of_another_form_is_refused_with_what_is_asked_for(folder: Path) -> None:
    file = folder / "two_moons.py"
    source = file.read_text(encoding="utf-8").replace(
        "ROUNDS, STEPS, ENOUGH = 40, 40", "ROUNDS, STEPS, ENOUGH = 1, 1"
    )
    for old, new, told in (
        ("return model, accuracy(model, xs, ys)", "return model", "two things"),
        (
            "return model, accuracy(model, xs, ys)",
            "return model.parameters, 1.0",
            "an MLP from your nn.py",
        ),
        ("MLP(2, [16, 1]", "MLP(2, [3, 2]", None),
    ):
        file.write_text(source.replace(old, new), encoding="utf-8")
        found = checkpoint(grade(folder, ["ext5"]), "ext5.learns")
        assert found.verdict is Verdict.FAILED
        assert told is None or told in found.message


def test_training_that_raises_is_reported_without_two_hundred_numbers(folder: Path) -> None:
    file = folder / "two_moons.py"
    file.write_text(
        file.read_text(encoding="utf-8").replace("model = MLP(", "model = MPL("), encoding="utf-8"
    )
    found = checkpoint(grade(folder, ["ext5"]), "ext5.learns")
    assert found.reproduce.splitlines()[:2] == [
        "from two_moons import moons, train_moons",
        "points = moons(200)",
    ]
    assert "NameError" in found.message


# --- SVG ---

SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" width="20px" height="10">{}</svg>'


def test_later_shapes_cover_earlier_ones() -> None:
    shown = Picture(
        SQUARE.format(
            '<g><rect width="20" height="10" fill="Red"/></g><rect x="10" width="10" height="10"'
            ' fill="#00F"/>'
        )
    )
    assert [shown.colour(5, 5), shown.colour(15, 5), shown.colour(5, 50)] == ["red", "#00f", ""]


def test_a_circle_below_a_square_or_outside_of_the_picture_is_not_seen() -> None:
    below = '<circle cx="5" cy="5" r="3" fill="red"/><rect width="10" height="10" fill="blue"/>'
    outside = '<circle cx="25" cy="5" r="3" fill="red"/>'
    assert [
        circle.x
        for circle in Picture(
            SQUARE.format(below + outside + '<circle cx="15" cy="5" r="3" fill="red"/>')
        ).circles
    ] == [15]


def test_colours_and_sizes_may_be_written_in_any_usual_way() -> None:
    whole = '<rect width="100%" height="100%" style="stroke: red; fill: Blue"/>'
    group = '<g fill="red"><rect width="5" height="10"/></g><rect x="5" width="5" height="10"/>'
    frame = '<rect width="20" height="10" fill="none" stroke="red"/>'
    box = SQUARE.replace("width", "viewBox='0 0 20 10' width").replace("20px", "100%")
    shown = Picture(box.format(whole + group + frame))
    assert (shown.width, shown.height) == (20.0, 10.0)
    assert [shown.colour(x, 5) for x in (2, 7, 15)] == ["red", "black", "blue"]


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


def test_the_table_says_what_to_install(folder: Path) -> None:
    printed = run(folder / "compare_engines.py", folder, "-S")  # no installed package can be seen
    assert "your engine   5 of 5" in printed
    assert "micrograd is not installed here: python -m pip install micrograd" in printed
    assert "PyTorch is not installed here: python -m pip install torch" in printed


def test_the_table_has_the_engines_that_are_there(folder: Path) -> None:
    (folder / "micrograd").mkdir()
    (folder / "micrograd" / "__init__.py").write_text("", encoding="utf-8")
    shutil.copy(folder / "engine.py", folder / "micrograd" / "engine.py")
    printed = run(folder / "compare_engines.py", folder, "-S")
    assert "micrograd     5 of 5" in printed
    assert "install micrograd" not in printed


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if neither library were there, whatever is."""
    for name in ("torch", "micrograd", "micrograd.engine"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.fixture
def micrograd(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """An engine under micrograd's name: the solution's."""
    spec = importlib.util.spec_from_file_location("micrograd.engine", SOLUTIONS / "engine.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setitem(sys.modules, "micrograd", ModuleType("micrograd"))
    monkeypatch.setitem(sys.modules, "micrograd.engine", module)
    return module


@pytest.mark.usefixtures("nothing_installed")
def test_a_library_that_is_not_there_blocks_its_own_bonus_and_nothing_else() -> None:
    report = grade(SOLUTIONS, ["ext6"])
    for name, package in (("micrograd", "micrograd"), ("pytorch", "torch")):
        found = checkpoint(report, f"ext6.{name}")
        assert (found.verdict, found.blocked_by, found.wants_package) == (
            Verdict.BLOCKED,
            package,
            True,
        )
        assert f"python -m pip install {package}" in found.message
    assert {r.verdict for r in report.checkpoints if not r.bonus} == {Verdict.PASSED}
    assert (report.score, report.exit_code) == (report.max_score, 0)


@pytest.mark.usefixtures("micrograd")
def test_an_engine_that_is_there_is_asked() -> None:
    assert checkpoint(grade(SOLUTIONS, ["ext6"]), "ext6.micrograd").verdict is Verdict.PASSED


def test_a_wrong_engine_elsewhere_is_not_the_learners_fault(micrograd: ModuleType) -> None:
    backward = micrograd.Value.backward

    def doubled(self: object) -> None:
        backward(self)
        backward(self)

    micrograd.Value.backward = doubled
    found = checkpoint(grade(SOLUTIONS, ["ext6"]), "ext6.micrograd")
    assert found.verdict is Verdict.ERROR
    assert "disagree" in found.message


def test_wrong_gradients_block_the_comparison_with_another_engine(
    micrograd: ModuleType, folder: Path
) -> None:
    assert micrograd.Value(2.0).data == 2.0
    file = folder / "compare_engines.py"
    source = file.read_text(encoding="utf-8").replace(
        "plain(leaf.grad) for leaf", "2 * plain(leaf.grad) for leaf"
    )
    file.write_text(source, encoding="utf-8")
    report = grade(folder, ["ext6"])
    assert checkpoint(report, "ext6.gradients").verdict is Verdict.FAILED
    assert checkpoint(report, "ext6.micrograd").blocked_by == "ext6.gradients"


def test_a_file_in_the_current_folder_is_not_taken_for_a_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "micrograd").mkdir()
    (tmp_path / "micrograd" / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "micrograd" / "engine.py").write_text(
        "raise SystemExit('the learner was run by the judge')", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("micrograd", "micrograd.engine"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    with suppress(NotInstalled):  # where the real one is installed, that has answered
        by_micrograd(Expression("lambda a: a * a", (3.0,)))


def test_the_oracle_reads_the_text_as_python_does() -> None:
    for expression in suite("ext6").EXPRESSIONS:
        found = by_oracle(expression)
        if "relu" not in expression.source:
            assert found.value == pytest.approx(expression.function(*expression.numbers))
        assert [confirm() for confirm in found.confirm] == pytest.approx(found.gradients)


def test_pytorch_and_micrograd_agree_with_the_oracle_on_every_expression() -> None:
    pytest.importorskip(
        "torch", reason="PyTorch is not installed here: python -m pip install torch"
    )
    pytest.importorskip(
        "micrograd", reason="micrograd is not installed here: python -m pip install micrograd"
    )
    for expression in suite("ext6").EXPRESSIONS:
        right = by_oracle(expression)
        for engine in (by_pytorch, by_micrograd):
            found = engine(expression)
            assert found.value == pytest.approx(right.value)
            assert found.gradients == pytest.approx(right.gradients)


def test_pytorch_finds_the_gradients_of_the_solutions() -> None:
    pytest.importorskip(
        "torch", reason="PyTorch is not installed here: python -m pip install torch"
    )
    assert checkpoint(grade(SOLUTIONS, ["ext6"]), "ext6.pytorch").verdict is Verdict.PASSED


# --- what is run to find whose fault it is ---


def test_a_stage_that_explains_nothing_is_not_run_for_the_failure_of_another(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from grader.judge import plugin

    ran: list[list[str]] = []
    real = plugin.run_suites

    def noted(job, stages, *more, **only):  # type: ignore[no-untyped-def]
        ran.append([stage.id for stage in stages])
        return real(job, stages, *more, **only)

    monkeypatch.setattr(plugin, "run_suites", noted)
    monkeypatch.setattr("grader.judge.graded.run_suites", noted)
    file = folder / "compare_engines.py"
    file.write_text(
        file.read_text(encoding="utf-8").replace("len(xs) == len(ys) and ", ""), encoding="utf-8"
    )
    assert checkpoint(grade(folder, ["ext6"]), "ext6.disagree").verdict is Verdict.FAILED
    assert ran[0] == ["ext6"]
    assert ran[1] == ["phase1"], "it makes Values and does nothing with them"
    file.write_text((COURSE.solutions / file.name).read_text(encoding="utf-8"), encoding="utf-8")
    ran.clear()
    test_a_broken_engine_blocks_the_comparison(folder)
    assert {"phase1", "phase2", "phase3"} <= {*ran[1]}
    assert not {"phase7", "phase8", "ext2", "ext3"} & {*ran[1]}


def test_a_failing_network_runs_only_the_engine_checks_that_can_explain_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from grader.judge import plugin

    real, asked = plugin.run_suites, []

    def noted(job, stages, earlier=None, only=None):  # type: ignore[no-untyped-def]
        asked.append(only)
        return real(job, stages, earlier, only)

    monkeypatch.setattr(plugin, "run_suites", noted)
    monkeypatch.setattr("grader.judge.graded.run_suites", noted)
    file = folder / "nn.py"
    source = file.read_text(encoding="utf-8")
    file.write_text(source.replace("total = self.b\n", "total = 0\n"), encoding="utf-8")
    assert checkpoint(grade(folder, ["phase7"]), "phase7.neuron-output").verdict is Verdict.FAILED
    assert {"phase2.backward", "phase3.times-backward"} <= asked[1]
    assert not {"phase3.power", "phase4.deep", "phase4.random-graphs"} & asked[1]
    asked.clear()
    engine = folder / "engine.py"
    source = engine.read_text(encoding="utf-8")
    engine.write_text(source.replace("other.data * out.grad", "out.grad"), encoding="utf-8")
    blocked = checkpoint(grade(folder, ["phase7"]), "phase7.neuron-backward")
    assert (blocked.verdict, blocked.blocked_by) == (Verdict.BLOCKED, "phase3.times-backward")


def test_a_broken_engine_blocks_the_comparison(folder: Path) -> None:
    file = folder / "engine.py"
    broken = file.read_text(encoding="utf-8").replace(
        "self.grad += other.data * out.grad", "self.grad += out.grad"
    )
    file.write_text(broken, encoding="utf-8")
    found = checkpoint(grade(folder, ["ext6"]), "ext6.gradients")
    assert found.verdict is Verdict.BLOCKED
    assert found.blocked_by.startswith("phase3.")
