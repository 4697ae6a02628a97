"""Numbers that remember how they were computed: what they keep, and that nothing stays behind."""

from __future__ import annotations

import math

import pytest

from grader.judge.script.steps import Apply, Call, Make, Put, Step
from grader.worker.protocol import Term
from support.grading import COURSE
from support.server import ENGINE, MADE, A, B, C, D, number
from support.start import Begin

assert COURSE.graph is not None
WORDS = COURSE.graph._replace(make="engine.Value")


def formula(start: Begin, source: str, *steps: Step) -> list[Term]:
    found = start(source).computed([*steps, number(steps[-1].target or A)], WORDS, ["relu"])
    return found[0] if found else []


@pytest.mark.parametrize(
    ("made", "ops"),
    [
        ("self.data + other.data", "leaf leaf +"),
        ("2 ** self.data - other.data // 2", "number leaf ** leaf number // -"),
        ("float(self.data) * abs(-other.data)", "leaf leaf neg abs *"),
        ("math.exp(self.data) % round(other.data)", "leaf exp number %"),
        ("math.tanh(math.sqrt(self.data))", "leaf sqrt tanh"),
        ("sum([self.data, other.data])", "number leaf + leaf +"),
        ("self.data if type(self.data) in (int, float) else 0", "leaf"),
        ("self.data if isinstance(self.data, float) else 0", "leaf"),
        ("3.0", ""),
        ("self.data if type(self.data) is float else 0", "leaf"),
        ("self.data if type(self.data) is type(0.5) else 0", ""),
        ("sum([self.data] * 1000)", ""),
    ],
)
def test_a_number_keeps_its_formula(here: Begin, made: str, ops: str) -> None:
    source = "import math\n" + ENGINE.replace("self.data + other.data", made)
    terms = formula(here, source, *MADE, Apply(C, "+", [A, B]))
    assert " ".join(term.op for term in terms) == ops


def test_a_leaf_says_which_number_of_which_step_it_is(here: Begin) -> None:
    steps = [*MADE, Put(B, "data", 5.0), Apply(C, "+", [A, B])]
    assert [term.places for term in formula(here, ENGINE, *steps)] == [[0, 0], [2, 0], [0, 1]]


def test_a_named_method_hides_how_it_computes(here: Begin) -> None:
    relu = "    def relu(self):\n        return Value(0.0, (self,))\n"
    terms = formula(here, ENGINE.replace("    def __repr__", f"{relu}\n    def __repr__"),
                    *MADE, Call(C, A, "relu", []))  # fmt: skip
    assert [term.op for term in terms] == ["leaf", "relu"]


def test_the_gradient_of_a_leaf_has_a_name_after_the_backward_pass(here: Begin) -> None:
    session = here(ENGINE)
    steps: list[Step] = [*MADE, Apply(C, "+", [A, B]), Call(D, C, "backward", [])]
    (terms,) = session.computed([*steps, number(A, "grad")], WORDS, [])
    assert [term.op for term in terms] == ["leaf", "number", "gradient"]


def test_nothing_of_it_stays_behind(here: Begin) -> None:
    before = dict(vars(math))
    source = f"from math import *\n{ENGINE}".replace("self.data + other.data", "1 / 0")
    session = here(source)
    steps: list[Step] = [*MADE, Apply(C, "+", [A, B])]
    assert session.computed([*steps, number(C)], WORDS, ["__neg__"]) == []
    assert vars(math) == before
    assert session.run([Make(C, "exp", [0.0]), number(C, "")], fresh=True) == [1.0]
    assert session.run([Make(C, "Value", ["float"]), number(C)], fresh=True) != [0.0]


@pytest.mark.slow
def test_code_that_hangs_on_such_numbers_gets_a_new_worker(begin: Begin) -> None:
    loop = "self.data\n        while type(self.data) is not type(0.5): pass\n        self.data + 1"
    session = begin(ENGINE.replace("self.data = data", f"self.data = data\n        {loop}"))
    assert session.computed([*MADE, number(A)], WORDS, []) == []
    assert session.run([*MADE, number(A)], fresh=True) == [2.0]
