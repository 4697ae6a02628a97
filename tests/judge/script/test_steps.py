"""Scripts as data: what crosses to the worker, what a step reads and makes, and what bears on an
object.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.judge.script.steps import (
    Apply,
    Builtin,
    Call,
    Define,
    Expression,
    Get,
    Make,
    Put,
    Read,
    Repeat,
    Step,
    Walk,
    Watch,
    slice_for,
    used_names,
)
from grader.worker import protocol
from grader.worker.protocol import Ref

A, B, C, D, E = map(Ref, range(1, 6))
EVERY_STEP: list[tuple[Step, list[Ref], Ref | None, set[str]]] = [
    (Make(A, "Value", [2.0, [B, [C]]]), [B, C], A, {"Value"}),
    (Make(A, "log", [B]), [B], A, {"log"}),
    (Builtin(A, "sum", [[B, C]]), [B, C], A, {"+", "r+"}),
    (Builtin(A, "repr", [B]), [B], A, set()),
    (Apply(A, "*", [B, B]), [B, B], A, {"*"}),
    (Apply(A, "-", [2.0, B]), [B], A, {"r-"}),
    (Apply(A, "neg", [B]), [B], A, {"neg"}),
    (Call(A, B, "backward", [C]), [B, C], A, {"backward"}),
    (Call(A, B, "tanh", []), [B], A, {"tanh"}),
    (Get(A, B, "data"), [B], A, {"data"}),
    (Make(A, "engine.Value", [2.0]), [], A, {"Value"}),
    (Expression(A, "lambda x: x.relu()"), [], A, {"lambda", "x", "relu"}),
    (Define(A, "Tensor", "class Tensor:\n    data = 1.0"), [], A, set()),
    (Read(A, "layers[0].w[12].data", "number"), [A], None, {"layers", "w", "data"}),
    (Put(A, "grad", B), [A, B], None, {"grad"}),
    (Repeat(A, 5, "+", B, None), [B], A, {"+"}),
    (Repeat(A, 5, "+", B, C), [B, C], A, {"+"}),
    (Walk(A, "_prev", "_backward", [B, C]), [A, B, C], None, {"_prev", "_backward"}),
    (
        Watch(A, B, "_prev", "_backward", "backward", "grad"),
        [B],
        A,
        {"_prev", "_backward", "backward", "grad"},
    ),
    (Read(A, "grad", "number"), [A], None, {"grad"}),
    (Read(A, "", "number"), [A], None, set()),
]
IDS = [f"{type(step).__name__} {number}" for number, (step, *_) in enumerate(EVERY_STEP)]


@pytest.mark.parametrize(("step", "reads", "makes", "names"), EVERY_STEP, ids=IDS)
def test_a_step_knows_what_it_reads_makes_and_uses(
    step: Step, reads: list[Ref], makes: Ref | None, names: set[str]
) -> None:
    assert step.references() == reads
    assert step.target == makes
    assert used_names([step]) == names


@pytest.mark.parametrize("step", [step for step, *_ in EVERY_STEP], ids=IDS)
def test_a_step_crosses_as_its_name_and_its_fields(step: Step) -> None:
    line = [type(step).__name__.lower(), *step]
    assert protocol.decode(protocol.encode(step)) == line
    request = protocol.decode_request(protocol.pack(protocol.Run(1.0, True, [step])))
    assert request.steps == protocol.unpack(protocol.pack([line]))


def test_operators_need_their_gradients_once_a_gradient_is_used() -> None:
    steps = [Apply(A, "+", [B, C]), Apply(D, "*", [2.0, A])]
    assert used_names(steps, ["backward"]) == {"+", "r*"}
    assert used_names([*steps, Call(E, D, "backward", [])], ["backward"]) >= {
        "+",
        "r*",
        "backward",
        "+ gradient",
        "r* gradient",
    }


def test_a_plain_function_needs_its_gradient_like_a_method() -> None:
    steps: list[Step] = [
        Make(A, "engine.Value", [2.0]),
        Make(B, "log", [A]),
        Call(C, B, "tanh", []),
        Call(D, C, "backward", []),
    ]
    used = used_names(steps, ["backward"])
    assert used >= {"log gradient", "tanh gradient"}
    assert "Value gradient" not in used


def test_functions_called_by_the_learners_methods_are_used_as_well() -> None:
    steps: list[Step] = [Apply(A, "neg", [B])]
    called = ["Value.__neg__", "Value.__mul__", "Value.__rmul__", "log"]
    assert used_names(steps, ["backward"], called) == {"neg", "*", "r*", "log", "Value"}
    used = used_names([*steps, Call(C, A, "backward", [])], ["backward"], called)
    assert used >= {"neg gradient", "* gradient", "r* gradient", "log gradient"}


def test_a_slice_holds_everything_connected_by_any_chain() -> None:
    steps: list[Step] = [
        Make(A, "Value", [1.0]),
        Make(B, "Value", [2.0]),
        Make(C, "Value", [3.0]),
        Apply(D, "+", [A, B]),
        Read(C, "data", "number"),
        Put(B, "grad", 1.0),
    ]
    assert slice_for(steps, D) == [steps[0], steps[1], steps[3], steps[5]]
    assert slice_for(steps, A) == slice_for(steps, D)
    assert slice_for(steps, C) == [steps[2], steps[4]]
    assert slice_for(steps, E) == []


def by_definition(steps: Sequence[Step], wanted: Ref) -> list[Step]:
    """The slice as its docstring has it: grow the set of objects until it grows no more."""
    group, size = {wanted}, 0
    while len(group) != size:
        size = len(group)
        for step in steps:
            made = step.target
            objects = {*step.references()} | ({made} if made is not None else set())
            group |= objects if objects & group else set()
    return [step for step in steps if group & {*step.references(), step.target}]


REFS = st.integers(0, 12).map(Ref)
STEPS = st.one_of(
    st.builds(Make, REFS, st.just("Value"), st.just([1.0]), st.just([])),
    st.builds(Apply, REFS, st.just("+"), st.lists(REFS, min_size=2, max_size=2)),
    st.builds(Put, REFS, st.just("data"), st.just(1.0)),
)


@given(st.lists(STEPS, max_size=12), REFS)
def test_a_slice_agrees_with_its_definition(steps: list[Step], wanted: Ref) -> None:
    assert slice_for(steps, wanted) == by_definition(steps, wanted)


@pytest.mark.parametrize("at", [0, 10_000], ids=["from the leaf", "from the result"])
def test_a_slice_of_a_long_chain_takes_linear_time(at: int) -> None:
    chain: list[Step] = [Make(Ref(0), "Value", [1.0])]
    chain += [Apply(Ref(number + 1), "+", [Ref(number), 1.0]) for number in range(10_000)]
    before = time.process_time()
    assert len(slice_for(chain, Ref(at))) == 10_001
    assert time.process_time() - before < 5
