"""What a function's source shows by itself, and beside right code."""

from __future__ import annotations

from textwrap import dedent

import pytest

from grader.judge.diagnosis.advice import bears_out, lacks_self, remarks, unlike
from grader.worker.facts import definition_of, facts_of
from grader.worker.protocol import Fact, Function

STEP = """
def train_step(model, xs, rate, loss):
    total = loss([model(x) for x in xs])
    model.zero_grad()
    total.backward()
    for p in model.parameters():
        p.data -= rate * p.grad
    return total.data
"""
PARAMETERS = """
def parameters(self):
    return [p for neuron in self.neurons for p in neuron.parameters()]
"""


def function(source: str) -> Function:
    name = source.partition("(")[0].rpartition(" ")[2]
    node = definition_of(dedent(source), name)
    return Function("f.py", node.lineno, [Fact(*each) for each in facts_of(node).items()])


def remarked(right: str, old: str, new: str) -> tuple[int, str]:
    assert old in right
    return next(remarks(function(right.replace(old, new)), function(right)), (0, ""))


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("    return total.data\n", "", 6, "the function returns nothing; is a `return` missing?"),
        ("rate * p.grad", "p.grad", 0, "this function never uses its parameter `rate`"),
        ("p.grad", "p.gard", 7, "did you mean `grad`?"),
        ("total.backward()", "total.backward", 5, "this line has no effect; did you mean a call,"),
        ("total.backward()", "total.backward()", 0, ""),
    ],
)
def test_a_remark_has_a_line_and_a_sentence(old: str, new: str, line: int, told: str) -> None:
    at, said = remarked(STEP, old, new)
    assert (at, said[: len(told)]) == (line, told)
    assert bool(said) == bool(told)


@pytest.mark.parametrize(
    ("right", "is_told"), [("return self + -other", True), ("return other in self", False)]
)
def test_a_number_cuts_the_graph_only_where_right_code_computes(right: str, is_told: bool) -> None:
    told = remarked(f"def f(self, other):\n    {right}\n", right, "return self.data + other.data")
    assert (".data" in told[1]) == is_told


def test_the_line_that_right_code_does_not_have_is_found_only_in_near_code() -> None:
    right = function(STEP)
    assert unlike(function(STEP.replace("-=", "+=")), right) == 7
    assert unlike(function(STEP.replace("xs", "inputs").replace("total", "t")), right) == 0
    own = STEP.replace("loss([model(x) for x in xs])", "0").replace(
        "p.data -= rate * p.grad", "p()"
    )
    assert unlike(function(own.replace("model.zero_grad()", "xs.sort()")), right) == 0


def test_a_plain_function_needs_no_self() -> None:
    assert not lacks_self("train_step", function(STEP))
    assert lacks_self("Value.train_step", function(STEP))


def test_a_mistake_with_a_slip_is_borne_out_only_by_the_slip() -> None:
    faulty = """
    def parameters(self):
        found = []
        for neuron in self.neurons:
            found.extend(neuron.parameters())
            return found
    """
    own = faulty.replace("    return found\n", "return found\n")
    right = function(PARAMETERS)
    assert bears_out(function(faulty), right, function(faulty)) is True
    assert bears_out(function(own), right, function(faulty)) is False


def test_a_mistake_in_other_words_is_neither_borne_out_nor_ruled_out() -> None:
    right = """
    def order(self):
        found, stack = [], [self]
        while stack:
            node = stack.pop()
            found.append(node)
            stack.extend(node.operands)
        return found
    """
    faulty = """
    def order(self):
        return [self, *self.operands]
    """
    own = """
    def order(self):
        found = []
        def visit(node):
            found.append(node)
            for operand in node.operands:
                visit(operand)
        visit(self)
        return found
    """
    assert bears_out(function(right), function(right), function(faulty)) is False
    assert bears_out(function(own), function(right), function(faulty)) is None


def test_a_call_that_a_mistake_lacks_rules_it_out_in_any_style() -> None:
    faulty = STEP.replace("    total.backward()\n", "")
    own = "def train_step(m, a, b, c):\n    t = c(a)\n    t.backward()\n    return t.data\n"
    assert bears_out(function(own), function(STEP), function(faulty)) is False
