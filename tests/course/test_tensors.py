"""Extension 4: correct tensors pass however they are written, the judge's arrays are numpy's, and
what is shown can be pasted.
"""

from __future__ import annotations

import itertools
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.authoring.faulty_engine import faulty_files
from grader.curriculum.imports import files_of
from grader.curriculum.load import load_course
from grader.model import Verdict
from support.golden import unpacked
from support.grading import check, grade, unpassed
from support.mistakes import edited

with files_of(load_course()):
    from arrays import Node, Plain, Shape, Sheet, common_shape, fits, nested
    from graphs import REUSED, SHAPES, expression, graph, network

pytestmark = pytest.mark.slow

COURSE = load_course()
STAGE = COURSE.stage("ext4")
ENGINES = sorted((unpacked("engines") / "tensors").glob("*.py"))
EVERY_SHAPE: tuple[Shape, ...] = (
    *SHAPES,
    (3, 3),
    (1, 1),
    (2, 1, 3),
    (1, 2, 1),
    (2, 3, 2),
    (4,),
    (3, 1, 1),
)

numpy: Any = pytest.importorskip("numpy", reason="numpy is not installed")


@pytest.mark.parametrize("engine", ENGINES, ids=lambda path: path.stem)
def test_a_correct_tensor_passes_however_it_is_written(engine: Path, tmp_path: Path) -> None:
    shutil.copy(engine, tmp_path / STAGE.file)
    assert unpassed(grade(tmp_path, [STAGE.id])) == {}


# --- the judge's arrays against numpy, its gradients against each other and against torch ---


@pytest.mark.parametrize(("left", "right"), list(itertools.product(EVERY_SHAPE, repeat=2)))
def test_shapes_are_stretched_as_numpy_does_it(left: Shape, right: Shape) -> None:
    try:
        expected = numpy.broadcast_shapes(left, right)
    except ValueError:
        assert not fits(left, right)
        return
    assert fits(left, right)
    assert common_shape(left, right) == expected


def drawn(count: int, seed: int) -> list[tuple[Sheet, Node]]:
    source = random.Random(seed)
    found = [graph(source.choice) for _ in range(count)]
    for build in REUSED:
        sheet = Sheet()
        found.append((sheet, build(sheet)))
    for shape in ((), (3,), (2, 3), (1, 1)):
        sheet = Sheet()
        found.append((sheet, expression(sheet, shape)))
    sheet = Sheet()
    return [*found, (sheet, network(sheet, source.choice))]


def below(root: Node) -> list[Node]:
    """The tensors that a tensor is made of and itself, operands first."""
    found: dict[Node, None] = {}

    def visit(node: Node) -> None:
        for part in node.operands:
            if isinstance(part, Node) and part not in found:
                visit(part)
        found.setdefault(node)

    visit(root)
    return list(found)


def rebuilt(
    root: Node, make: Callable[[Any], Any], relu: Callable[[Any], Any], total: Callable[..., Any]
) -> dict[Node, Any]:
    """The same graph in another library's tensors."""
    done: dict[Node, Any] = {}
    operators: dict[str, Callable[..., Any]] = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "/": lambda a, b: a / b,
        "**": lambda a, k: a**k,
        "@": lambda a, b: a @ b,
        "neg": lambda a: -a,
        "relu": relu,
    }
    for node in below(root):
        parts = [
            nested(part.shape, part.items) if isinstance(part, Plain) else done[part]
            for part in node.operands
        ]
        if node.op == "leaf":
            done[node] = make(nested(node.shape, node.args))
        else:
            done[node] = (
                total(parts[0], *node.args) if node.op == "sum" else operators[node.op](*parts)
            )
    return done


def test_the_judge_and_numpy_compute_the_same() -> None:
    seen = set()
    for sheet, root in drawn(150, 1):
        arrays = rebuilt(
            root,
            numpy.array,
            lambda a: numpy.maximum(a, 0),
            lambda a, axis=None, keep=False: a.sum(axis=axis, keepdims=keep),
        )
        for node, array in arrays.items():
            seen.add(node.op)
            assert numpy.shape(array) == node.shape
            assert numpy.allclose(numpy.ravel(array), sheet.values(node), rtol=1e-12, atol=1e-12)
    assert seen == {"leaf", "+", "-", "*", "/", "**", "@", "neg", "relu", "sum"}


def test_dual_numbers_and_finite_differences_agree_on_tensors() -> None:
    worst = 0.0
    for sheet, root in drawn(40, 2):
        goal = sheet.goal(root, [1.0] * len(root.items))
        for node in below(root):
            confirm = sheet.confirm(goal, node)
            for at, slope in enumerate(sheet.slopes(goal, [node])[node]):
                second = confirm(at)
                worst = max(worst, abs(slope - second) / (1 + abs(second)))
    assert worst < 1e-11


def test_random_graphs_have_every_operation_and_stay_where_slopes_are_sure() -> None:
    source, ops = random.Random(3), set()
    for _ in range(300):
        sheet, root = graph(source.choice)
        nodes = below(root)
        ops |= {node.op for node in nodes}
        for operand in (node.operands[0] for node in nodes if node.op == "relu"):
            assert isinstance(operand, Node)
            assert all(abs(value) >= 0.01 for value in sheet.values(operand))
    assert ops == {"leaf", "+", "-", "*", "**", "@", "neg", "relu", "sum"}


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
