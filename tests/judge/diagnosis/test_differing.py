"""The part of a long formula that differs from the right one, and its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.judge.diagnosis.algebra import values_of, written
from grader.judge.diagnosis.differing import differences
from grader.worker.protocol import Term

NAMES = {(place, 0): name for place, name in enumerate("abcd")}
SETS = [{leaf: 0.7 + turn / 3 + leaf[0] / (5 + turn) for leaf in NAMES} for turn in range(3)]


def formula(text: str) -> list[Term]:
    """A formula from a text in postfix notation; each operator has its place as its line."""
    terms: list[Term] = []
    waiting: list[int] = []
    for line, word in enumerate(text.split(), 1):
        if word in "abcd":
            terms.append(Term("leaf", [ord(word) - ord("a"), 0], 0.0))
        elif word.isdigit():
            terms.append(Term("number", [], float(word)))
        else:
            count = 2 if len(word) == 1 else 1
            waiting, operands = waiting[:-count], waiting[-count:]
            terms.append(Term(word, operands, 0.0, line))
        waiting.append(len(terms) - 1)
    return terms


def last(mine: str, right: str) -> tuple[str, str, int]:
    one, other = differences(formula(mine), formula(right), SETS)[-1]
    texts = [
        written(each.formula, NAMES, SETS[0], "grad", constants=True)[0] for each in (one, other)
    ]
    return texts[0], texts[1], one.line


@pytest.mark.parametrize(
    ("mine", "right", "told"),
    [
        ("a b + tanh c d * +", "d c * a b * tanh +", ("a + b", "a * b", 3)),
        ("a b * c + d +", "a b * d +", ("c", "", 5)),
        ("a b * d +", "a b * c + d +", ("", "c", 5)),
        ("a b 3 * * c -", "a b * c -", ("3", "", 4)),
        ("a b c / -", "a b d / -", ("c", "d", 4)),
        ("a b - c +", "a b + c +", ("-b", "b", 3)),
        ("a tanh", "a relu", ("tanh(a)", "relu(a)", 2)),
    ],
)
def test_the_last_part_is_the_smallest(mine: str, right: str, told: tuple[str, str, int]) -> None:
    assert last(mine, right) == told


def test_formulas_that_are_the_same_everywhere_do_not_differ() -> None:
    assert differences(formula("a b + c *"), formula("c a * b c * +"), SETS) == []


@given(st.lists(st.sampled_from("ab+*-"), max_size=12), st.sampled_from(["c +", "c *", "neg"]))
def test_what_differs_is_told_by_its_numbers(words: list[str], change: str) -> None:
    depth, right = 0, []
    for word in words:  # only what makes sense in postfix notation
        if word in "ab" or depth > 1:
            depth += 1 if word in "ab" else -1
            right.append(word)
    right += ["a"] if not depth else ["+"] * (depth - 1)
    text = " ".join(right)
    for one, other in differences(formula(f"{text} {change}"), formula(text), SETS):
        numbers = [values_of(each.formula, SETS[1])[-1:] for each in (one, other)]
        assert numbers[0] != numbers[1]
