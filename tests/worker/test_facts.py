"""What the source of a function says, whatever its variables are called."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from grader.worker import facts
from grader.worker.protocol import File, Load
from grader.worker.submission import Submission
from grader.worker.typos import meant_by, nearest

PRODUCT = """
def times({me}, {other}):
    {out} = Value({me}.data * {other}.data, ({me}, {other}), "*")

    def step():
        {me}.grad {sign} {other}.data * {out}.grad

    {out}._backward = step
    return {out}
"""


def said(source: str, name: str = "times") -> dict[str, int]:
    return facts.facts_of(facts.definition_of(dedent(source), name))


def test_names_of_variables_make_no_difference_and_an_assignment_does() -> None:
    one = said(PRODUCT.format(me="self", other="other", out="out", sign="+="))
    same = said(PRODUCT.format(me="a", other="b", out="result", sign="+="))
    other = said(PRODUCT.format(me="self", other="other", out="out", sign="="))
    assert {fact for fact in one if not fact.startswith("def ")} == {
        fact for fact in same if not fact.startswith("def ")
    }
    assert one["#0.grad +="] == 6
    assert one["#out._backward <- #def"] == 8
    share = "#1.data * #out.grad"
    assert set(one) - set(other) == {"#0.grad +=", f"says #0.grad += {share}"}
    assert set(other) - set(one) == {"#0.grad =", f"says #0.grad = {share}"}


def facts_in(step: str, before: str = "") -> set[str]:
    """The facts about a product with this backward step, without whole statements and slips."""
    lines = f"{before}\n    def step():\n" + indent(dedent(step), " " * 8)
    source = f"def times(a, b):\n    c = Value(a, b)\n    {lines}\n    c.step = step\n    return c"
    return {fact for fact in said(source) if not fact.startswith(("says ", "slip "))}


def test_a_variable_in_place_of_an_attribute_makes_no_difference() -> None:
    plain = facts_in("a.grad += c.grad * b.data")
    assert facts_in("g, y = c.grad, b.data\na.grad += g * y") == plain
    assert facts_in("a.grad += c.grad * y", before="y = b.data") == plain
    assert facts_in("g = c.grad\ng = g * 2\na.grad += g * b.data") != plain


def test_a_gradient_that_is_read_before_the_step_runs_is_another_one() -> None:
    early = facts_in("a.grad += g * b.data", before="g = c.grad")
    assert "#0.grad <- #out.grad" not in early


def test_a_variable_that_nothing_reads_says_nothing() -> None:
    assert "#out.grad" not in facts_in("g = c.grad\na.grad += b.data")


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("self.grad = self.grad + 1.0", "#0.grad +="),
        ("p.data -= rate * p.grad", "p.data -="),
        ("self.grad += (1 - self.data**2)", "#0.grad <- **"),
        ("self.x, self.y = 1, 2", "#0.y <- 2.0"),
        ("return other - self", "return #1 - #0"),
        ("return", "return None"),
        ("self.grad == 0.0", "unused #0.grad == 0.0"),
        ("self._backward", "unused #0._backward"),
        ("[node.grad == 0.0 for node in self]", "unused #.grad == 0.0"),
        ("for x in self.w: pass", "says for # in #0.w"),
        ('if self.kind == "relu": pass', "text relu"),
        ("def step(): return 1", "no return"),
        ("raise ValueError", "raise"),
        ("if self.data > 0: pass", "compares >"),
        ("pass", "no return"),
        ("self.step = lambda: None", "#0.step <- #def"),
        ("seen = []; seen.append(self)", "#.append()"),
        ("seen = []\n    if self: seen.append(self)", "#.append() in if"),
    ],
)
def test_a_statement_says(line: str, fact: str) -> None:
    assert fact in said(f"def times(self, other):\n    {line}\n")


def test_a_default_argument_that_is_shared_is_a_fact() -> None:
    assert "default list" in said("def times(self, topo=[]): return topo")
    assert "default tuple" not in said("def times(self, topo=()): return topo")


def described(source: str, name: str) -> tuple[int, str]:
    submission = Submission(lambda _seconds: None)
    file = File("engine", "engine.py", dedent(source).encode())
    submission.load(Load(1.0, [file], "engine", ["Value", "Value.__init__", "Value.__radd__"]))
    function = submission.describe("engine", name, "")
    return function.line, function.meant


def test_the_function_that_is_in_force_is_described() -> None:
    source = "class Value:\n" + indent("def f(self): pass\ndef f(self): return 1\ng = f\n", "    ")
    assert described(source, "Value.f") == (3, "")
    assert described(source, "Value.g") == (3, "")


def test_a_missing_function_is_looked_for_under_a_similar_name_that_is_not_the_course_s() -> None:
    assert described("class Value:\n    def _init_(self): pass\n", "Value.__init__") == (
        0,
        "_init_",
    )
    assert described("class Value:\n    __init__ = 5\n", "Value.__radd__") == (0, "")


def met(source: str) -> BaseException:
    try:
        exec(dedent(source), {})
    except Exception as error:  # noqa: BLE001 - whatever it is
        return error
    raise AssertionError


@pytest.mark.parametrize(
    ("source", "meant"),
    [
        ("import math\nmath.tahn(1)", "tanh"),
        ("tanh(1)", ""),
        ("math.tanh(1)", "import math"),
        ("import math\nexp(1)", "math.exp"),
        ("rnage(3)", "range"),
        ("class A:\n    def f(self): return dta\nA.data = 1\nA().f()", ""),
        ("class A:\n    def f(self): return data\na = A()\na.data = 1\na.f()", "self.data"),
        ("class A: pass\ndef f(other): return A().other\nf(1)", "other"),
        ("class A: pass\na = A()\na._perv = ()\na._prev", "_perv"),
        ("class A: __slots__ = ('grad',)\nA().gard", "grad"),
        ("def f():\n    topo = []\n    def g(): tpoo\n    g()\nf()", "topo"),
        ("1 / 0", ""),
    ],
)
def test_a_name_that_is_not_there_is_likely_to_be_another(source: str, meant: str) -> None:
    assert meant_by(met(source)) == meant


def test_the_learner_s_classes_run_nothing_while_names_are_read() -> None:
    error = met("""
        class A:
            @property
            def __dict__(self): raise SystemExit
            def __getattribute__(self, name): raise AttributeError(name, name=name, obj=self)
        A().grad
    """)
    assert meant_by(error) == ""


def test_letters_in_another_order_come_before_a_missing_letter() -> None:
    assert nearest("tahn", ["tan", "tanh"]) == "tanh"
    assert nearest("x", ["tan"]) == ""
