"""Measure the time per node of one chain, in the learner's engine and in installed ones."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from grader.curriculum.model import Graph
from grader.judge.script.steps import Call, Define, Read, Step
from grader.judge.session import LearnerFault, Session, WorkerLost
from grader.worker.protocol import Ref

ROUNDS = 100  # within the recursion limit of most engines
NODES = 2 * ROUNDS + 2
REPEATS = 7
SECONDS = 5.0

_PROGRAM = f"""
def seconds_per_node():
    import time
    times = []
    for _ in range({REPEATS}):
        begun = time.perf_counter()
        a, b = MAKE(0.5), MAKE(0.25)
        x = a
        for _ in range({ROUNDS}):
            x = x * b + a
        x.BACKWARD()
        times.append(time.perf_counter() - begun)
    return min(times) / {NODES}
"""


def measure_own(session: Session, words: Graph) -> float | None:
    """Return the seconds per node, forward and backward, in the learner's engine.

    This is the fastest of several runs, or None if it cannot be measured.
    """
    program = _PROGRAM.replace("MAKE", words.node).replace("BACKWARD", words.backward)
    function, result = Ref(0), Ref(1)
    steps: list[Step] = [
        Define(function, "seconds_per_node", program),
        Call(result, function, "__call__", []),
        Read(result, "", "number"),
    ]
    try:
        (answer,) = session.run(steps, fresh=True, seconds=SECONDS)
    except (LearnerFault, WorkerLost):
        return None
    return float(answer) if isinstance(answer, (int, float)) else None


def measure_others() -> dict[str, float]:
    """Return the same for micrograd and PyTorch, if they are installed."""
    found = {}
    for name, maker in (("micrograd", _micrograd), ("PyTorch", _pytorch)):
        with suppress(ImportError):
            space: dict[str, Any] = {"MAKE": maker()}
            exec(_PROGRAM.replace("BACKWARD", "backward"), space)  # noqa: S102 - our own
            found[name] = float(space["seconds_per_node"]())
    return found


def _micrograd() -> Callable[[float], Any]:
    from micrograd.engine import Value

    return Value  # type: ignore[no-any-return]


def _pytorch() -> Callable[[float], Any]:
    import torch

    return lambda number: torch.tensor(number, dtype=torch.float64, requires_grad=True)
