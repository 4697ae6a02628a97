"""The engines that the diagnosis is measured on. How well it does is the benchmark's business;
here, that they are what they say.
"""

import runpy
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "benchmarks" / "diagnosis"))

from engines import BENCHMARKS


@pytest.mark.parametrize(
    "name",
    [
        *("classroom", "class_cost", "class_growth", "isolation", "oracle"),
        *("start_up", "watch", "peers/peers"),
    ],
)
def test_a_benchmark_finds_everything_that_it_imports(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    assert callable(runpy.run_path(str(BENCHMARKS / f"{name}.py"))["main"])
