"""A proven change becomes a hint only where it cannot mislead."""

from __future__ import annotations

import pytest

from grader.model import Frame, Proof
from grader.views.levels import levels_of
from support import there

PLACE = Frame("engine.py", 7, "Value.tanh")
WHOLE = "    t = math.tanh(self.data)\n    return Value(t, (self,), 'tanh')"


def said(gone: str, come: str, *, only: bool = True, alike: bool = True) -> str:
    return (levels_of(Proof(PLACE, "phase6", only, alike, gone, come)) or ("",))[0]


@pytest.mark.parametrize(
    ("gone", "come", "sentence"),
    [
        ("x = a", "x += a", "In line 7 your code overwrites a value instead of updating it."),
        ("x = a\ny = b", "x += a\ny += b", "In line 7 your code overwrites a value"),
        ("x += 1", "x = 1", "In line 7 your code should set a value with a plain `=`."),
        ("f(x)", "return f(x)", "At line 7 a `return` is missing."),
        ("", "    return x", "At line 7 a `return` is missing."),
        ("", "x.f = f", "At line 7 something is missing."),
        ("f(x)\ng(x)", "", "The code in line 7 should not be there."),
        ("x = -a * b", "x = a * b", "In line 7 a minus sign is missing, or should not be there."),
        ("x = (a + b) * c", "x = a + b * c", "In line 7 the parentheses are wrong."),
        ("if a > 0:", "if a >= 0:", "In line 7 the comparison is wrong."),
        ("if not a:", "if a:", "In line 7 the condition is wrong."),
        ("x = a + b", "x = a - b", "In line 7 the operator is wrong."),
        ("x = a / 2", "x = a / 3", "In line 7 a number is wrong."),
        ("x.append(self)", "x.append(node)", "In line 7 a name is wrong."),
        ("x = a.data", "x = a.grad", "In line 7 an attribute is wrong."),
        ("x = a * b", "x = a", "In line 7 something should not be there."),
        ("x += a", "x += a * out.grad", "In line 7 something is missing."),
        ("    f(x)", "f(x)", "At line 7 the indentation is wrong."),
        ("x = f(a, b)", "x = f(b, 2, a)", "Part of the code in line 7 is wrong."),
    ],
)
def test_the_kind_of_change_is_said_in_words(gone: str, come: str, sentence: str) -> None:
    assert said(gone, come).startswith(sentence)


def test_a_change_that_could_be_an_accident_is_no_hint() -> None:
    assert said("x = a / 2", "x = a / 3", only=False, alike=False) == ""
    assert said("x = a / 2", "x = a / 3", only=False)
    assert said("x = a / 2", "x = a / 2 + b", only=False) == ""
    assert said("x = a", "x += a", only=False, alike=False)
    assert said(WHOLE, "    return self.exp()") == ""
    assert levels_of(Proof(PLACE, "", only=True, gone="x = a", come="x += a")) is None


def test_the_change_keeps_the_indentation_of_its_lines() -> None:
    gone, come = "        if a:\n            f()", "        f()"
    found = levels_of(Proof(PLACE, "phase6", only=True, gone=gone, come=come))
    assert there(found)[1] == "- if a:\n-     f()\n+ f()"
