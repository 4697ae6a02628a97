"""`for_all`: many examples, and the smallest failure, the same one in every run."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from grader.judge import properties
from grader.judge.expectations import Mismatch
from grader.judge.oracle import programs
from grader.judge.oracle.programs import Choose, Program
from grader.judge.properties import FEW, for_all
from grader.judge.recorder import Recorder
from grader.judge.session import Session
from support import kit_folder
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
    return [getattr(step, "op", getattr(step, "method", "")) for step in program.steps]


@pytest.mark.parametrize("seed", [20, 1, 2, 3])
@pytest.mark.parametrize("op", ["/", "**", "tanh"])
def test_a_program_shrinks_to_the_wrong_operation(op: str, seed: int) -> None:
    found = smallest(graph, lambda program: op in operations(program), seed, parts=Program.parts)
    assert op in operations(found)
    assert len(found.parts()) <= FEW


def uses_a_result_twice(program: Program) -> bool:
    used = [ref for step in program.steps for ref in step.references() if ref not in program.leaves]
    return len(used) > len(set(used))


@pytest.mark.parametrize("seed", [20, 1, 2, 3])
def test_a_graph_with_few_necessary_operations_needs_no_hypothesis(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(properties, "_shrunk", None)
    ways = {"parts": Program.parts, "simpler": Program.simpler}
    found = smallest(graph, uses_a_result_twice, seed, **ways)
    assert uses_a_result_twice(found)
    assert len(found.parts()) <= FEW


def test_a_simpler_program_has_a_leaf_for_an_operation_or_plain_operators() -> None:
    program = Program("Value")
    a, b = program.leaf(1.0), program.leaf(0.5)
    s = program.apply("*", a, b)
    program.apply("-", program.apply("tanh", s), a)
    inner, outer, plain = (list(each.values.values()) for each in program.simpler())
    assert inner == [1.0, -1.5, -2.5]
    assert outer == [1.0, -1.5, math.tanh(-1.5), math.tanh(-1.5) - 1]
    assert plain == [1.0, 0.5, 1.5, math.tanh(1.5), math.tanh(1.5) + 1]


def test_the_parts_of_a_program_are_its_operations_smallest_first() -> None:
    program = Program("Value")
    a, b = program.leaf(2.0), program.leaf(3.0)
    s = program.apply("+", a, b)
    program.apply("*", s, program.apply("neg", a))
    parts = program.parts()
    assert [len(part.steps) for part in parts] == [2, 3, 5]
    assert [step.op for step in parts[-1].steps[2:]] == ["+", "neg", "*"]  # type: ignore[union-attr]


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


def test_hypothesis_is_not_imported_if_everything_passes() -> None:
    code = (
        "import sys; from grader import grade;"
        f"assert grade({str(kit_folder('solutions'))!r}, ['phase4']).exit_code == 0;"
        "assert 'hypothesis' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
