"""Which steps of a script bear on an object."""

from __future__ import annotations

import time

import pytest

from grader.judge.script.steps import Apply, Make, Step, slice_for
from grader.worker.protocol import Ref


@pytest.mark.parametrize("at", [0, 10_000], ids=["from the leaf", "from the result"])
def test_a_slice_of_a_long_chain_takes_linear_time(at: int) -> None:
    chain: list[Step] = [Make(Ref(0), "Value", [1.0])]
    chain += [Apply(Ref(number + 1), "+", [Ref(number), 1.0]) for number in range(10_000)]
    before = time.process_time()
    assert len(slice_for(chain, Ref(at))) == 10_001
    assert time.process_time() - before < 5
