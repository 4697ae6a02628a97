"""The oracle against itself, and against what is known in closed form."""

from __future__ import annotations

import math
import random

import pytest

from grader.judge import oracle
from grader.judge.oracle import programs
from grader.judge.script.steps import Apply, Make, Step
from grader.worker.protocol import Ref

EVERYTHING = programs.forms(
    "v + v",
    "v + k",
    "k + v",
    "v * v",
    "v * k",
    "k * v",
    "-v",
    "v - v",
    "v - k",
    "k - v",
    "v ** k",
    "v / v",
    "v / k",
    "k / v",
    "tanh v",
    "relu v",
    "exp v",
    "log v",
    "sin v",
    "cos v",
    "sigmoid v",
)


def drawn(count: int, seed: int) -> list[programs.Program]:
    source = random.Random(seed)
    return [programs.graph("Value", EVERYTHING, source.choice) for _ in range(count)]


def test_dual_numbers_and_finite_differences_agree_on_random_programs() -> None:
    worst = 0.0
    for program in drawn(400, 1):
        found = oracle.gradients(program.steps, program.root, list(program.values))
        for ref, slope in found.items():
            second = oracle.finite_difference(program.steps, program.root, ref)
            worst = max(worst, abs(slope - second) / (1 + abs(second)))
    assert worst < 1e-11


def test_every_program_stays_in_the_well_conditioned_region() -> None:
    for program in drawn(2000, 2):
        for value in program.values.values():
            assert abs(value) <= programs.MAX_EXP
        found = oracle.gradients(program.steps, program.root, program.leaves)
        assert all(math.isfinite(slope) for slope in found.values())


def test_a_node_that_does_not_lead_to_the_result_has_no_gradient() -> None:
    a, b, f = Ref(1), Ref(2), Ref(3)
    steps: list[Step] = [Make(a, "Value", [3.0]), Make(b, "Value", [2.0]), Apply(f, "**", [a, 0])]
    assert oracle.gradients(steps, f, [a, b]) == {a: 0.0, b: 0.0}


@pytest.mark.parametrize(
    ("got", "want", "is_close"),
    [
        *((got, 1.0, False) for got in (math.nan, math.inf, -math.inf, 1.00001, 0.99999)),
        (math.inf, math.inf, True),
        (5.0, math.inf, False),
        (-math.inf, math.inf, False),
        (1.0 + 1e-7, 1.0, True),  # as 32 bits round it
        (1e-7, 0.0, True),
        (1e6 + 0.5, 1e6, True),
    ],
)
def test_a_number_is_close_as_32_bits_round_it_and_no_further(
    got: float, want: float, *, is_close: bool
) -> None:
    assert oracle.close(got, want) is is_close
