"""What is found out about a wrong operation: what it sends, and its function."""

from pathlib import Path

import pytest

from grader import grade
from support import ROOT, changed, hand_in, there
from support.grading import by_id


@pytest.mark.parametrize(
    ("style", "right", "wrong", "phase", "why"),
    [
        ("helpers", "1 - y**2", "1 - x**2", "phase6", "it should get 0.07065 * "),
        (
            "helpers",
            "da(self.data, other.data) * out.grad",
            "da(self.data, other.data)",
            "phase3",
            "ignores the gradient",
        ),
        (
            "slots",
            "self._accumulate(out.grad * other.data)",
            "self._accumulate(out.grad * self.data)",
            "phase3",
            "it should get ",
        ),
    ],
)
@pytest.mark.slow
def test_the_share_is_found_in_any_style_and_no_wrong_place_where_a_helper_ran(
    tmp_path: Path, style: str, right: str, wrong: str, phase: str, why: str
) -> None:
    source = (ROOT / "benchmarks" / "styles" / f"{style}.py").read_text(encoding="utf-8")
    assert source.count(right) == 1
    (tmp_path / "engine.py").write_text(source.replace(right, wrong), encoding="utf-8")
    failed = (each for each in grade(tmp_path, [phase]).checkpoints if each.diagnosis)
    result = next(failed)
    assert why in there(result.diagnosis).why
    assert result.where is None or wrong in result.where.source


@pytest.mark.slow
def test_a_second_name_of_a_function_is_shown_where_it_is_given(tmp_path: Path) -> None:
    both = "def __rsub__(self, other):\n        return other + (-self)", "__rsub__ = __sub__"
    results = by_id(grade(hand_in(tmp_path, changed(both)), ["phase3"]))
    assert there(results["phase3.number-minus"].where).source == both[1]
