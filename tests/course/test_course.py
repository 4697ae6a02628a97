"""The course judged by what it must accept: correct engines in many styles, and the journey from
stubs to solutions.
"""

from __future__ import annotations

import ast
import random
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.authoring.course_files import check_mirror
from grader.authoring.faulty_engine import faulty_files
from grader.curriculum.imports import files_of
from grader.curriculum.load import load_course
from grader.curriculum.source import definitions, splice
from grader.judge import oracle
from grader.judge.oracle import programs
from grader.judge.oracle.programs import InTurn
from grader.judge.replies import Answer
from grader.judge.script.steps import Apply, Repeat, Step
from grader.judge.session import RUN_SECONDS, Session
from grader.model import Kind, Report, Verdict
from grader.worker.protocol import Ref
from support import kit_folder
from support.golden import unpacked
from support.grading import check, grade

with files_of(load_course()):
    from vocabulary import OPERATIONS, UPSTREAM

pytestmark = pytest.mark.slow

CORRECT = sorted((unpacked("engines") / "correct").glob("*.py"))
OTHERS = sorted(
    file for module in ("nn", "train") for file in (unpacked("engines") / module).glob("*.py")
)
COURSE = load_course()
ENGINE_STAGES = [stage for stage in COURSE.stages if stage.file == "engine.py"]


def verdicts(report: Report) -> dict[str, str]:
    return {result.id: result.verdict.value for result in report.checkpoints if not result.bonus}


@pytest.mark.parametrize("engine", CORRECT, ids=lambda path: path.stem)
def test_a_correct_engine_passes_however_it_is_written(engine: Path) -> None:
    together = grade(engine, ["1-6"])
    wrong = {
        r.id: (r.verdict.value, r.message)
        for phase in together.phases[:4]
        for r in phase.checkpoints
        if not r.bonus and r.verdict is not Verdict.PASSED
    }
    assert wrong == {}
    isolated = grade(engine, ["1-6"], isolate=True)
    assert [phase.score for phase in isolated.phases] == [p.score for p in together.phases]


@pytest.mark.parametrize("file", OTHERS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_correct_networks_and_loops_pass_however_they_are_written(
    tmp_path: Path, file: Path
) -> None:
    shutil.copytree(kit_folder("solutions"), tmp_path, dirs_exist_ok=True)
    shutil.copy(file, tmp_path / f"{file.parent.name}.py")
    wrong = {
        r.id: (r.verdict.value, r.message)
        for r in grade(tmp_path, ["7-8"]).checkpoints
        if r.verdict is not Verdict.PASSED
    }
    assert wrong == {}


@pytest.mark.parametrize("start", ["", "from .engine import Value\nfrom .nn import MLP\n"])
@pytest.mark.parametrize("package", [".", "micrograd."])
def test_files_of_a_package_earn_all_points(tmp_path: Path, package: str, start: str) -> None:
    folder = tmp_path / "micrograd-main" / "micrograd"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(start, encoding="utf-8")
    for file in ("engine.py", "nn.py"):
        text = (kit_folder("solutions") / file).read_text(encoding="utf-8")
        (folder / file).write_text(
            text.replace("from engine", f"from {package}engine"), encoding="utf-8"
        )
    for isolate in (False, True):
        report = grade(tmp_path, ["1-8"], isolate=isolate)
        assert [p.score == p.max_score for p in report.phases] == [True] * 7 + [False]
        assert {r.verdict for r in report.phases[7].checkpoints} == {Verdict.NOT_STARTED}


@pytest.mark.parametrize("name", ["engine.py", "main.py"])
def test_one_file_that_defines_everything_earns_all_points(tmp_path: Path, name: str) -> None:
    texts = [
        (kit_folder("solutions") / file).read_text(encoding="utf-8")
        for file in ("engine.py", "nn.py", "train.py")
    ]
    demo = "\n\nif __name__ == '__main__':\n    input()\nassert MLP(2, [1])([1.0, 2.0]).data == 7\n"
    (tmp_path / name).write_text(
        "".join(text.replace("from engine import Value\n", "") for text in texts) + demo,
        encoding="utf-8",
    )
    for isolate in (False, True):
        report = grade(tmp_path, ["1-8"], isolate=isolate)
        assert report.score == report.max_score
        assert f"looked for nn.py and train.py in {name}" in report.notes


def test_a_file_may_hold_what_belongs_into_a_missing_one(tmp_path: Path) -> None:
    engine, network, loop = (
        (kit_folder("solutions") / file).read_text(encoding="utf-8")
        for file in ("engine.py", "nn.py", "train.py")
    )
    network = network.replace("from engine import Value\n", "")
    (tmp_path / "engine.py").write_text(engine + network, encoding="utf-8")
    (tmp_path / "train.py").write_text(loop, encoding="utf-8")
    assert grade(tmp_path, ["1-8"]).exit_code == 0


@pytest.mark.parametrize("file", ["engine.py", "nn.py", "train.py"])
def test_a_missing_package_costs_nothing_in_any_file(tmp_path: Path, file: str) -> None:
    shutil.copytree(kit_folder("solutions"), tmp_path, dirs_exist_ok=True)
    text = (tmp_path / file).read_text(encoding="utf-8")
    first = text.index("\nimport ") if "\nimport " in text else text.index("\nfrom ")
    (tmp_path / file).write_text(
        f"{text[:first]}\nimport torch.nn as nn\nimport tensorflow as tf\n{text[first:]}\n\nclass"
        " Net(nn.Module): pass\n",
        encoding="utf-8",
    )
    report = grade(tmp_path, ["1-8"])
    assert {
        r.id: (r.verdict.value, r.message)
        for r in report.checkpoints
        if r.verdict is not Verdict.PASSED
    } == {}
    assert "tensorflow is not available while grading; a placeholder replaced it" in report.notes


def test_there_are_many_styles() -> None:
    assert len(CORRECT) >= 12


@pytest.mark.parametrize("written", OPERATIONS)
def test_the_plainest_example_has_numbers_that_are_easy_to_tell_apart(written: str) -> None:
    """`got 3.0` must tell a forgotten factor from a forgotten `out.grad`, and `3 - a` from `a - 3`."""  # noqa: E501
    (form,) = programs.forms(written)
    program, operands = programs.focus(
        "Value", form, InTurn(), random.Random(0).choice, inside=False
    )
    last = program.steps[-1]
    assert isinstance(last, Apply)
    numbers = [program.values[arg] if isinstance(arg, Ref) else float(arg) for arg in last.args]  # type: ignore[arg-type]
    numbers.append(program.values[program.root])
    assert written == "-v" or len({abs(number) for number in numbers}) == len(numbers)
    slopes = set(oracle.gradients(program.steps, program.root, operands).values())
    shares = {UPSTREAM[0] * slope for slope in slopes}
    assert not {UPSTREAM[0], *shares} & {*numbers, *slopes}


def test_a_file_named_like_a_standard_module_is_found() -> None:
    other = replace(
        COURSE,
        stages=tuple(
            replace(stage, file=stage.file.replace("by_hand", "trace")) for stage in COURSE.stages
        ),
    )
    assert any("trace.py: Python has its own module" in problem for problem in check_mirror(other))


def test_the_phases_turn_green_one_at_a_time(tmp_path: Path) -> None:
    """From untouched stubs, the solution of one phase after the other: what has all its methods
    turns green, and nothing before.
    """
    written: set[str] = set()
    for file in COURSE.files:
        shutil.copy(kit_folder("exercises") / file, tmp_path / file)
    for stage in (stage for stage in COURSE.stages if not stage.optional):
        _write_phase(tmp_path / stage.file, kit_folder("solutions") / stage.file, stage.id)
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


def _write_phase(exercise: Path, solution: Path, phase: str) -> None:
    """Put the solution's methods in place of the stubs that name this phase."""
    text = exercise.read_text(encoding="utf-8")
    mark = phase.replace("phase", "phase ")
    stubs = {
        name
        for name, node in definitions(ast.parse(text))
        if f"NotImplementedError('{mark}:" in ast.unparse(node)
    }
    assert stubs, f"no stub names {mark}"
    finished = dict(definitions(ast.parse(solution.read_text(encoding="utf-8"))))
    replacement = ""
    for name in sorted(stubs):
        owner, _, _ = name.rpartition(".")
        body = ast.unparse(finished[name])
        if owner:
            body = f"class {owner}:\n" + "\n".join("    " + line for line in body.splitlines())
        replacement += body + "\n"
    text = splice(text, replacement)
    if "math." in replacement and "import math" not in text:
        text = text.replace("\n\n\nclass Value", "\n\nimport math\n\n\nclass Value", 1)
    exercise.write_text(text, encoding="utf-8")


def test_a_missing_reflected_addition_blocks_sum_and_not_backward(tmp_path: Path) -> None:
    source = (kit_folder("solutions") / "engine.py").read_text(encoding="utf-8")
    (tmp_path / "engine.py").write_text(splice(source, "", ["Value.__radd__"]), encoding="utf-8")
    found = {r.id: r for r in grade(tmp_path, ["1-4"]).checkpoints}
    assert (found["phase2.number-left"].verdict, found["phase2.number-left"].kind) == (
        Verdict.FAILED,
        "missing_name",
    )
    assert found["phase2.sum"].blocked_by == "phase2.number-left"
    assert found["phase4.first-graph"].verdict is Verdict.PASSED
    assert found["phase4.reused-intermediate"].verdict is Verdict.PASSED


NEGATIVE = """
class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += {slope} * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __neg__(self):
        return self * {minus}

    def __sub__(self, other):
        return self + (-other)
"""


def test_a_checkpoint_that_uses_a_wrong_method_is_blocked_by_it(tmp_path: Path) -> None:
    """`-a` and `a - b` are made of `*`, which is wrong, and say nothing of it; where they are wrong
    themselves they fail.
    """
    source = (kit_folder("solutions") / "engine.py").read_text(encoding="utf-8")
    (tmp_path / "engine.py").write_text(
        splice(source, NEGATIVE.format(slope=1, minus=-1)), encoding="utf-8"
    )
    found = {r.id: r for r in grade(tmp_path, ["3"]).checkpoints}
    assert found["phase3.times-backward"].verdict is Verdict.FAILED
    assert {
        found[f"phase3.{id}"].blocked_by for id in ("negative", "minus-backward", "number-minus")
    } == {"phase3.times-backward"}
    assert found["phase3.minus"].verdict is Verdict.PASSED
    (tmp_path / "engine.py").write_text(
        splice(source, NEGATIVE.format(slope="other.data", minus=-2)), encoding="utf-8"
    )
    found = {r.id: r for r in grade(tmp_path, ["3"]).checkpoints}
    assert found["phase3.times-backward"].verdict is Verdict.PASSED
    assert found["phase3.negative"].verdict is Verdict.FAILED
    assert found["phase3.minus"].blocked_by == "phase3.negative"


@pytest.mark.parametrize("wrong", ["log", "sigmoid"])
def test_a_function_blocks_only_the_checkpoints_that_fail_inside_it(
    tmp_path: Path, wrong: str
) -> None:
    """Whatever uses several functions twice fails by the one that is wrong, and is blocked by that
    one's checkpoint.
    """
    shutil.copytree(kit_folder("solutions"), tmp_path, dirs_exist_ok=True)
    source = (tmp_path / "operations.py").read_text(encoding="utf-8")
    wrongly = {
        "log": ("out.grad / x.data", "out.grad * x.data"),
        "sigmoid": ("out.data * (1 - out.data) * out", "out"),
    }
    (tmp_path / "operations.py").write_text(source.replace(*wrongly[wrong]), encoding="utf-8")
    found = {r.id: r for r in grade(tmp_path, ["ext1"]).checkpoints}
    assert found[f"ext1.{wrong}-backward"].verdict is Verdict.FAILED
    assert found["ext1.used-twice"].blocked_by == f"ext1.{wrong}-backward"


def test_an_order_by_numbers_is_wrong_before_the_long_chain_takes_its_time(tmp_path: Path) -> None:
    stage = COURSE.stage("phase4")
    (by_number,) = (one for one in stage.faulty if one.id == "phase4.sorted-by-number")
    (engine,) = (file for file in faulty_files(COURSE, stage, by_number) if file.module == "engine")
    (tmp_path / "engine.py").write_bytes(engine.source)
    assert check(tmp_path, "phase4.very-deep").kind is Kind.WRONG_VALUE


def test_only_the_chain_of_30_000_may_take_more_than_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Code that hangs on a short chain uses up no more time than on any other small graph."""
    allowed: list[tuple[int, float]] = []
    run = Session.run

    def noted(session: Session, steps: Sequence[Step], **options: Any) -> list[Answer]:
        counts = [step.count for step in steps if isinstance(step, Repeat)]
        allowed.extend((count, options["seconds"]) for count in counts)
        return run(session, steps, **options)

    monkeypatch.setattr(Session, "run", noted)
    assert check(kit_folder("solutions"), "phase4.very-deep").verdict is Verdict.PASSED
    assert [count for count, seconds in allowed if seconds > RUN_SECONDS] == [30_000]
    assert len(allowed) > 1


def test_a_phase_gets_the_same_verdicts_alone_and_with_others(tmp_path: Path) -> None:
    source = (kit_folder("solutions") / "engine.py").read_text(encoding="utf-8")
    broken = source.replace("self.grad += other.data * out.grad", "self.grad += out.grad")
    (tmp_path / "engine.py").write_text(broken, encoding="utf-8")
    together = verdicts(grade(tmp_path, ["1-6"]))
    for stage in reversed(ENGINE_STAGES):
        alone = verdicts(grade(tmp_path, [stage.id]))
        assert alone == {
            id: verdict for id, verdict in together.items() if id.startswith(f"{stage.id}.")
        }


def test_a_wrong_answer_on_paper_is_reported_without_the_right_one(tmp_path: Path) -> None:
    source = (kit_folder("solutions") / "by_hand.py").read_text(encoding="utf-8")
    (tmp_path / "by_hand.py").write_text(
        source.replace('"b.grad": 14', '"b.grad": 13'), encoding="utf-8"
    )
    (wrong,) = [
        result
        for result in grade(tmp_path / "by_hand.py", ["by-hand"]).checkpoints
        if result.verdict is Verdict.FAILED
    ]
    assert wrong.message.startswith(
        '"b.grad" is not 13: it is the local derivative of `t1 = a * b` for `b`'
    )
    assert (wrong.expected, wrong.reproduce) == (None, "")
    assert "14" not in wrong.message
