"""`for_all`: many examples, and the smallest failure, the same one in every run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from grader.judge.expectations import Mismatch
from grader.judge.oracle import programs
from grader.judge.oracle.programs import FEW, Choose, Program
from grader.judge.properties import for_all
from grader.judge.recorder import Recorder
from grader.judge.session import Session
from support.fake import InProcess, submission

WORDS = ("0", "7154", "131", "9998", "x", "total", "+", "*", "(", ")")
FORMS = programs.forms("v + v", "v * v", "v - v", "v / v", "v ** k", "-v", "tanh v")


def words(choose: Choose[Any]) -> list[str]:
    return [choose(WORDS) for _ in range(choose(range(1, 8)))]


def numbers(choose: Choose[Any]) -> list[int]:
    return [choose(range(100)) for _ in range(choose(range(6)))]


def graph(choose: Choose[Any]) -> Program:
    return programs.graph("Value", FORMS, choose)


def recorder(seed: int = 20) -> Recorder:
    return Recorder(Session(InProcess, submission(""), "engine", []), "engine", seed=seed)


def smallest(
    draw: Callable[[Choose[Any]], Any], is_wrong: Callable[[Any], bool], seed: int = 20, **more: Any
) -> Any:
    """The example that is blamed; None if all are right."""

    def check(examples: Sequence[Any]) -> None:
        for example in examples:
            if is_wrong(example):
                failing = Mismatch("wrong")
                failing.got = example
                raise failing

    try:
        for_all(draw, check, recorder(seed), 100, 10, **more)
    except Mismatch as found:
        return found.got
    return None


@pytest.mark.parametrize("seed", [20, 1, 2, 3])
def test_a_list_of_words_shrinks_to_the_wrong_word(seed: int) -> None:
    assert smallest(words, lambda example: ")" in example, seed) == [")"]


@pytest.mark.parametrize("seed", [20, 1, 2, 3])
def test_a_list_of_numbers_shrinks_to_the_smallest_wrong_one(seed: int) -> None:
    assert smallest(numbers, lambda example: any(each > 40 for each in example), seed) == [41]
    assert smallest(numbers, lambda example: len(example) > 2, seed) == [0, 0, 0]


def operations(program: Program) -> list[str]:
    steps = program.steps[len(program.leaves) :]
    return [getattr(step, "op", getattr(step, "method", "")) for step in steps]


@pytest.mark.parametrize("seed", [20, 1, 2, 3])
@pytest.mark.parametrize("wrong", [{"/"}, {"**"}, {"tanh"}, {"/", "-"}, {"neg", "tanh", "*"}])
def test_a_program_shrinks_to_the_wrong_operations(wrong: set[str], seed: int) -> None:
    found = smallest(
        graph, lambda program: wrong <= {*operations(program)}, seed, smaller=Program.smaller
    )
    assert wrong <= {*operations(found)}
    assert len(operations(found)) <= FEW


def test_a_program_is_made_smaller_by_sub_graphs_and_by_leaving_operations_out() -> None:
    program = Program("Value")
    a, b = program.leaf(2.0), program.leaf(3.0)
    s = program.apply("+", a, b)
    n = program.apply("neg", a)
    t = program.apply("*", s, n)
    assert [operations(part) for part in program.smaller()] == [["neg"], ["+"]]
    program.apply("-", t, b)
    found = [*map(operations, program.smaller())]
    assert found[:2] == [["neg"], ["+"]]
    assert ["+", "neg", "*"] in found
    assert ["neg", "*", "-"] in found  # without the sum
    assert ["+", "-"] in found  # without the product


def test_a_failure_that_needs_company_is_raised_as_it_is() -> None:
    def check(examples: Sequence[Any]) -> None:
        if len(examples) > 1:
            raise Mismatch("together")

    with pytest.raises(Mismatch, match="together"):
        for_all(words, check, recorder(), 100, 10)


def test_a_failure_that_never_recurs_is_raised_as_it_is() -> None:
    calls: list[int] = []

    def check(examples: Sequence[Any]) -> None:
        calls.append(len(examples))
        if len(calls) == 3:
            raise Mismatch("once")

    with pytest.raises(Mismatch, match="once"):
        for_all(words, check, recorder(), 100, 10)


def test_an_example_whose_shrinking_stops_early_is_the_same_in_every_run() -> None:
    assert [smallest(words, lambda example: len(set(example)) > 4) for _ in range(2)] == [
        smallest(words, lambda example: len(set(example)) > 4)
    ] * 2
