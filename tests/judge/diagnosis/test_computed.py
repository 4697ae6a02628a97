"""The formula that a submission follows: written as short as it can be, and never a false one."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.judge.diagnosis.algebra import LONGEST, written
from grader.judge.diagnosis.computed import Both, Leaves, comparison
from grader.judge.diagnosis.evidence import Evidence
from grader.judge.script.steps import Call, Make, Put, Step
from grader.worker.protocol import Ref, Term
from support.grading import COURSE

assert COURSE.graph is not None
WORDS = COURSE.graph
LEAVES = {"a": 0.75, "b": -1.25, "c": 3.0}
NAMES = dict(zip([(n, 0) for n in range(3)], LEAVES))
HERE = dict(zip(NAMES, LEAVES.values()))
OPERATORS = ("+", "-", "*", "/", "**", "%", "//")


def leaf(number: int) -> Term:
    return Term("leaf", [number, 0], 0.0)


@st.composite
def formulas(draw: st.DrawFn) -> list[Term]:
    """Terms in any order, each of those before it."""
    constants = st.sampled_from([-2.0, -1.0, 0.0, 0.5, 1.0, 2.0])
    terms = [leaf(n) for n in range(3)]
    terms += [Term("number", [], draw(constants)) for _ in range(2)]
    for _ in range(draw(st.integers(1, 8))):
        places = st.integers(0, len(terms) - 1)
        op = draw(st.sampled_from((*OPERATORS, "neg", "abs")))
        count = 2 if op in OPERATORS else 1
        terms.append(Term(op, [draw(places) for _ in range(count)], 0.0))
    return terms


@given(formulas())
def test_a_formula_gives_its_number_however_short_it_is_written(terms: list[Term]) -> None:
    text, value = written(terms, NAMES, HERE, "grad")
    assume(text)
    assert len(text) <= LONGEST
    assert eval(text, dict(LEAVES)) == pytest.approx(value)


@pytest.mark.parametrize(
    ("terms", "text"),
    [
        ([leaf(0), Term("number", [], 0.0), Term("+", [1, 0], 0.0)], "a"),
        ([leaf(0), Term("number", [], -1.0), Term("**", [0, 1], 0.0), leaf(1),
          Term("*", [3, 2], 0.0)], "b / a"),
        ([leaf(0), leaf(1), Term("-", [0, 1], 0.0), leaf(2), Term("-", [3, 2], 0.0),
          Term("number", [], 2.0), Term("**", [4, 5], 0.0)], "(c - (a - b)) ** 2"),
        ([leaf(0), leaf(1), Term("gradient", [0, 1], 0.0), Term("tanh", [2], 0.0)], "tanh(a.grad)"),
        ([leaf(0), leaf(1), Term("*", [0, 1], 0.0), Term("number", [], 2.0),
          Term("**", [2, 3], 0.0), Term("neg", [4], 0.0)], "-(a * b) ** 2"),
        ([Term("number", [], 2.0), Term("number", [], 3.0), Term("*", [0, 1], 0.0)], ""),
        ([leaf(0), Term("number", [], 0.123456789), Term("*", [0, 1], 0.0)], ""),
    ],
)  # fmt: skip
def test_a_formula_is_written_without_what_changes_nothing(terms: list[Term], text: str) -> None:
    assert written(terms, NAMES, HERE, "grad")[0] == text


# y = f(a, 3.0), a product that a submission makes a sum
STEPS: list[Step] = [Make(Ref(0), "engine.Value", [2.0]), Make(Ref(1), "f", [Ref(0), 3.0])]
PRODUCT = [Term("leaf", [0, 0], 0.0), Term("leaf", [1, 0], 0.0), Term("*", [0, 1], 0.0)]
SUM = [*PRODUCT[:2], Term("+", [0, 1], 0.0)]
BACKWARD = Call(Ref(2), Ref(1), "backward", [])


def compared(mine: list[Term], right: list[Term], got: float = 5.0, expected: float = 6.0) -> str:
    evidence = Evidence(
        "train", STEPS, {Ref(0): "p"}, (Ref(1), "data"), got, expected, form="number"
    )
    both = Both(lambda _: [mine], lambda _: [right])
    return comparison(evidence, both, WORDS, {"f": ["x", "target"]}).why


def test_both_formulas_are_shown() -> None:
    told = "here your code computes `p + target`"
    assert compared(SUM, PRODUCT) == f"{told}; it should be `p * target`"
    assert compared(SUM, []) == told


@pytest.mark.parametrize(
    ("mine", "got", "told"),
    [
        (SUM, 5.5, "the worker's formula does not give what was read"),
        ([], 5.0, "there is no formula"),
        (PRODUCT[:1], 2.0, "a number alone explains nothing"),
        ([*PRODUCT[:2], Term("/", [0, 1], 0.0)], float("nan"), "NaN"),
        ([Term("leaf", [7, 0], 0.0)], 2.0, "there is no such leaf"),
    ],
)
def test_nothing_is_told_without_a_true_formula(mine: list[Term], got: float, told: str) -> None:
    assert compared(mine, [], got) == "", told


def test_the_right_formula_must_give_the_right_number() -> None:
    assert "should" not in compared(SUM, PRODUCT, expected=7.0)


def test_a_result_that_is_right_only_here_explains_a_wrong_gradient() -> None:
    steps = [*STEPS, BACKWARD]
    names, data = {Ref(0): "p", Ref(1): "y"}, [leaf(0), leaf(0), Term("+", [0, 1], 0.0)]
    square = [leaf(0), Term("number", [], 2.0), Term("**", [0, 1], 0.0)]
    evidence = Evidence("train", steps, names, (Ref(0), "grad"), 1.0, 4.0, form="number")

    def trees(first: list[Term]) -> list[list[Term]]:
        return [first, []]

    told = comparison(evidence, Both(lambda _: trees(data), lambda _: trees(square)), WORDS, {})
    assert told.why == (
        "`y.data` is right only by chance: here your code computes `p + p`; it should be `p ** 2`"
    )


def test_numbers_with_one_name_are_counted() -> None:
    steps = [Make(Ref(0), "engine.Value", [2.0]), Make(Ref(1), "engine.Value", [3.0])]
    leaves = Leaves(steps, {Ref(0): "p", Ref(1): "p"}, WORDS, {})
    both = [leaf(0), leaf(1), Term("+", [0, 1], 0.0)]
    assert leaves.written(both, both[:1]) == ["p_1 + p_2", "p_1"]
    assert leaves.written(both[:1]) == ["p"]


def test_names_are_as_long_as_necessary() -> None:
    model, paths = Ref(0), ("n[0].w[0].data", "n[1].w[0].data", "n[1].b.data", "n[1].b.grad")
    steps = [Put(model, path, number) for number, path in enumerate(paths, 1)]
    leaves = Leaves(steps, {model: "m"}, WORDS, {})
    total = [*map(leaf, range(4)), *(Term("+", [at, at + 3], 0.0) for at in range(3))]
    assert leaves.written([*total[:4], Term("*", [0, 3], 0.0)]) == ["n[0].w[0] * b.grad"]
    assert leaves.written([*total[:2], Term("*", [0, 1], 0.0)]) == ["n[0].w[0] * n[1].w[0]"]
    assert leaves.written([*total[1:2], Term("neg", [0], 0.0)]) == ["-w[0]"]
