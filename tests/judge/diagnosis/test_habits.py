"""What a wrong backward pass does, and the line that does it, in engines of any style."""

from pathlib import Path

import pytest

from grader import grade

STYLES = Path(__file__).parents[3] / "benchmarks" / "beginners" / "styles"


SEED, CLEARS = "self.grad = 1.0\n", "self.zero_grad()\n        "
LOWERS = "node._prev:\n                uses[child] -= 1"
IF, ALL = "            if node._prev:\n    ", "            node.grad = 0.0"


@pytest.mark.parametrize(
    ("style", "right", "wrong", "phase", "why", "line"),
    [
        ("countdown", "        yield n\n", "        if n._prev: yield n\n", "4", "no leaf", ""),
        ("lists", "result.append(top)", "result.insert(0, top)", "4", "end with", ".insert("),
        ("edges", LOWERS, LOWERS.replace("node._prev", "set(node._prev)"), "4", "ready", "set("),
        ("generations", "v.generation)", "abs(v.data))", "4", "size of their", "abs(v.data)"),
        ("rules", SEED, CLEARS + SEED, "4", "replaces all earlier gradients", "self.zero_grad()"),
        ("nodes", ALL, IF + ALL, "5", "everything but the leaves", "if node._prev"),
        ("generations", "self.inputs, self.name", "(), self.name", "2", "not contain", "(), self"),
    ],
)  # fmt: skip
@pytest.mark.slow
def test_a_pass_is_described_by_what_it_does(
    tmp_path: Path, style: str, right: str, wrong: str, phase: str, why: str, line: str
) -> None:
    source = (STYLES / f"{style}.py").read_text(encoding="utf-8")
    assert source.count(right) == 1
    (tmp_path / "engine.py").write_text(source.replace(right, wrong), encoding="utf-8")
    result = next(each for each in grade(tmp_path, [f"phase{phase}"]).checkpoints if each.diagnosis)
    assert result.diagnosis is not None
    assert why in result.diagnosis.why
    assert line in (result.where.source if result.where else "")
