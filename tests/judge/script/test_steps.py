"""Which steps of a script bear on an object."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.judge.script.steps import Apply, Make, Put, Step, slice_for
from grader.worker.protocol import Ref


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
