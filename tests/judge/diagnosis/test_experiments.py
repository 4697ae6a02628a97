"""What is found out about a wrong operation: the formula that it follows, and the line."""

from pathlib import Path

import pytest

from grader import grade
from grader.judge import oracle
from grader.judge.diagnosis.formulas import _DERIVATIVES, Sample, _value, followed
from grader.judge.script.steps import Apply, Make, Operand, Step
from grader.worker.protocol import Ref

A, B, C = map(Ref, range(3))
LEAVES: list[Step] = [Make(A, "engine.Value", [0.7]), Make(B, "engine.Value", [1.9])]
STYLES = Path(__file__).parents[3] / "benchmarks" / "styles"


def slope_of(operation: Step, leaf: Ref = A) -> float:
    return oracle.gradients([*LEAVES, operation], C, [A, B])[leaf]


@pytest.mark.parametrize("known", _DERIVATIVES)
def test_the_first_formula_is_the_derivative_and_the_others_are_not(known: str) -> None:
    operator, _, side = known.partition(" ")
    leaf, own, other = (B, 1.9, 0.7) if side == "right" else (A, 0.7, 1.9)
    args: list[Operand] = {"**": [A, 4], "neg": [A]}.get(operator, [A, B])  # type: ignore[assignment]
    is_sign = not operator.isalpha() or operator == "neg"
    operation: Step = (
        Apply(C, operator, args) if is_sign else Make(C, f"operations.{operator}", [A])
    )
    result = oracle.evaluate([*LEAVES, operation])[C]
    numbers = {"a": own, "b": other, "c": result, "n": 4.0, "m": 3.0, "p": 0.25, "q": 0.75}
    found = [_value(text, Sample(numbers, 0, 0, 0)) for text in _DERIVATIVES[known]]
    if operator == "relu":  # the others differ for negative numbers only
        found = found[:1]
    assert found[0] == pytest.approx(slope_of(operation, leaf))
    assert all(abs(other - found[0]) > 1e-3 for other in found[1:])


def test_a_formula_must_fit_every_sample() -> None:
    samples = [
        Sample({"a": a, "c": 0.0, "p": 0.0, "n": 3, "m": 2}, 3 * a**2, 2.0, 2.0 * 3 * a**3)
        for a in (0.7, 1.3)
    ]
    names = {"a": "x", "n": "3", "m": "2"}
    right = "3 * x ** 2"
    assert followed("**", 0, samples, names) == ("as if the derivative were `3 * x ** 3`", right)
    one_is_different = [*samples, samples[0]._replace(share=1.0)]
    assert followed("**", 0, one_is_different, names) == ("", right)
    assert followed("@", 0, samples, names) == ("", "")


@pytest.mark.parametrize(
    ("style", "right", "wrong", "phase", "why", "line"),
    [
        ("helpers", "1 - y**2", "1 - x**2", "phase6", "were `1 - a ** 2`", "1 - x**2"),
        (
            "helpers",
            "da(self.data, other.data) * out.grad",
            "da(self.data, other.data)",
            "phase3",
            "ignores the gradient",
            "self.grad += da(",
        ),
        (
            "slots",
            "self._accumulate(out.grad * other.data)",
            "self._accumulate(out.grad * self.data)",
            "phase3",
            "were `a`; it is `b`",
            "self._accumulate(out.grad * self.data)",
        ),
    ],
)
@pytest.mark.slow
def test_the_line_is_found_in_any_style(
    tmp_path: Path, style: str, right: str, wrong: str, phase: str, why: str, line: str
) -> None:
    source = (STYLES / f"{style}.py").read_text(encoding="utf-8")
    assert source.count(right) == 1
    (tmp_path / "engine.py").write_text(source.replace(right, wrong), encoding="utf-8")
    failed = (each for each in grade(tmp_path, [phase]).checkpoints if each.diagnosis)
    result = next(failed)
    assert result.diagnosis is not None
    assert result.where is not None
    assert why in result.diagnosis.why
    assert line in result.where.source
