"""`for_all`: many examples, and the smallest failure, the same one in every run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from grader.judge.expectations import Mismatch
from grader.judge.oracle import programs
from grader.judge.oracle.programs import Choose, Program
from grader.judge.properties import for_all
from grader.judge.recorder import Recorder
from grader.judge.session import Session
from support.fake import InProcess, submission

FORMS = programs.forms("v + v", "v * v", "v - v", "v / v", "v ** k", "-v", "tanh v")


def graph(choose: Choose[Any]) -> Program:
    return programs.graph("Value", FORMS, choose)


class Failing(Mismatch):
    def __init__(self, program: Program) -> None:
        super().__init__("wrong")
        self.program = program


def recorder(seed: int = 20) -> Recorder:
    return Recorder(Session(InProcess, submission(""), "engine", []), seed=seed)


def operations(program: Program) -> list[str]:
    return [getattr(step, "op", getattr(step, "method", "")) for step in program.steps]


def uses_a_result_twice(program: Program) -> bool:
    used = [ref for step in program.steps for ref in step.references() if ref not in program.leaves]
    return len(used) > len(set(used))


WRONG: dict[str, Callable[[Program], bool]] = {
    "/": lambda program: "/" in operations(program),
    "**": lambda program: "**" in operations(program),
    "tanh": lambda program: "tanh" in operations(program),
    "a result twice": uses_a_result_twice,
}


@pytest.mark.parametrize("seed", [20, 1, 2, 3])
@pytest.mark.parametrize("is_wrong", WRONG.values(), ids=WRONG)
def test_a_graph_shrinks_to_few_operations_that_are_still_wrong(
    is_wrong: Callable[[Program], bool], seed: int
) -> None:
    def check(examples: Sequence[Program]) -> None:
        for failing in filter(is_wrong, examples):
            raise Failing(failing)

    with pytest.raises(Failing) as met:
        for_all(graph, check, recorder(seed), 100, 10, parts=Program.parts)
    assert is_wrong(met.value.program)
    assert len(met.value.program.parts()) <= 4
