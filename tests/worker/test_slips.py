"""The one small change with which code is valid Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.worker.slips import slip_in
from support import changed, hand_in
from support.grading import by_id, grade

FUNCTION = "def f(a):\n    if a:\n        b = 1\n    return max(a, b)\n"


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("def f(a):", "def f(a)", 1, "a colon is missing at its end"),
        ("if a:", "if a  # one: or two", 2, "a colon is missing at its end"),
        ("max(a, b)", "max(a, b", 4, "a `)` is missing"),
        ("max(a, b)", "max(a, b))", 4, "it has one `)` too many"),
        ("b = 1", "b = [1, 2", 3, "a `]` is missing"),
        ("b = 1", "b = 'one", 3, "a `'` is missing"),
        ("    if", "   if", 2, "it is indented by 3; 4 would fit"),
        ("        b", "    b", 3, "it is indented by 4; 8 would fit"),
        ("        b", "       b", 3, ""),  # which is right as it is
        ("    return", "      return", 4, "it is indented by 6; 4 or 8 would fit"),
        ("if a:", "if a = 2:", 2, "`=` assigns; a comparison is `==`"),
        ("b = 1", "b = 1$", 3, "a `$` does not belong there"),
        ("if a:", "if a::", 2, "a `:` does not belong there"),
        ("if a:", "if a && a:", 2, "Python writes `and` for `&&`"),
        ("if a:", "if !a:", 2, "Python writes `not` for `!`"),
    ],
)
def test_the_only_change_that_is_valid_is_told(old: str, new: str, line: int, told: str) -> None:
    source = FUNCTION.replace(old, new, 1)
    try:
        compile(source, "", "exec")
    except SyntaxError as error:
        found = slip_in(source, error.lineno or 0)
        assert found == ((line, told) if told else None)
    else:
        assert not told


@pytest.mark.parametrize(
    "line",
    [
        "b = max(a b)",  # a comma, or an operator
        "b = a +",
        "b = {'one': 1, 'two' 2}",
        "b = 'don't'",
        "print 'b'",
        "lambda = 1",
    ],
)
def test_nothing_is_told_where_several_changes_or_none_would_do(line: str) -> None:
    source = FUNCTION.replace("b = 1", line)
    with pytest.raises(SyntaxError) as caught:
        compile(source, "", "exec")
    assert slip_in(source, caught.value.lineno or 0) is None


def test_a_report_shows_the_line_to_change(tmp_path: Path) -> None:
    wrong = changed(("def __mul__(self, other):", "def __mul__(self, other)"))
    result = by_id(grade(hand_in(tmp_path, wrong), "phase1"))["phase1.data"]
    line = result.frames[-1].line
    told = f"engine.py is not valid Python in line {line}: a colon is missing at its end"
    assert result.message.startswith(told)
    assert (line, "    def __mul__(self, other)") in result.frames[-1].excerpt
