"""Eight gradings at once on few cores give the verdicts that they give alone."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from support import misbehaving as bench

pytestmark = pytest.mark.slow

# correct ones first: they must not suffer from what hangs, eats memory or floods beside them
AT_ONCE = [
    "prints_in_every_operator",
    "loop_in_an_operator",
    "memory_bit_by_bit",
    "names_shadowed",
    "exits_in_an_operator",
    "patched_worker",
    "daemon_thread",
    "frames_by_the_thousand",
]


@pytest.mark.skipif(os.name != "posix", reason="pipes and processes")
def test_eight_graded_at_once_get_the_same_verdicts_as_alone(tmp_path: Path) -> None:
    for name in AT_ONCE:
        (tmp_path / name).mkdir()
    folders = [bench.make(name, tmp_path / name) for name in AT_ONCE]
    with ProcessPoolExecutor(len(folders), get_context("spawn")) as pool:
        together = list(pool.map(bench.verdicts, folders))
    assert together == [bench.verdicts(folder) for folder in folders]
    assert {verdict for _, verdict, _, _ in together[0]} == {"passed"}
    assert {verdict for _, verdict, _, _ in together[1]} > {"failed"}
