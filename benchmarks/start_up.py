"""Measure how long a learner waits for `grade phase4`, compared with a bare pytest process.

    python benchmarks/start_up.py [RUNS]

That process runs one trivial Hypothesis test. The two run in turn, and the times are of whole
processes. Machines are noisy, so only the median of the ratios of neighbours counts.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
TRIVIAL = """\
from hypothesis import given, strategies as st


@given(st.integers())
def test_trivial(x):
    assert x == x
"""


def seconds(command: Sequence[str], folder: Path, environment: dict[str, str]) -> float:
    start = time.perf_counter()
    subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return time.perf_counter() - start


def compare(
    name: str,
    command: Sequence[str],
    runs: int,
    bare: Path,
    environment: dict[str, str],
    limit: str,
) -> None:
    beside = [sys.executable, "-m", "pytest", "-q"]
    pairs = []
    for number in range(runs + 1):
        pair = seconds(command, ROOT, environment), seconds(beside, bare, environment)
        if number:  # the first run fills caches
            pairs.append(pair)
    ratios = sorted(a / b for a, b in pairs)
    ours, theirs = (statistics.median(column) for column in zip(*pairs))
    middle = statistics.median(ratios)
    print(
        f"{name:52} {ours:6.3f} s   {theirs:6.3f} s   {middle:5.2f} ({ratios[0]:.2f} to"
        f" {ratios[-1]:.2f})   {limit}"
    )


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    grade = [str(Path(sys.executable).with_name("grade"))]
    cached = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    uncached = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder)
        bare.joinpath("test_trivial.py").write_text(TRIVIAL)
        print(f"{'':52} {'grade':>8}   {'pytest':>8}   ratio, median (range)   asked for")
        phase4 = [*grade, "phase4", "--at", "solutions"]
        compare("grade phase4", phase4, runs, bare, cached, "at most 1.5")
        compare(
            "grade phase4, PYTHONDONTWRITEBYTECODE=1", phase4, runs, bare, uncached, "at most 2"
        )
        compare("grade", grade, runs, bare, cached, "under 0.2 s")
        compare("grade --help", [*grade, "--help"], runs, bare, cached, "under 0.2 s")
        compare(
            "grade all --at solutions",
            [*grade, "all", "--at", "solutions"],
            runs,
            bare,
            cached,
            "at most 4, and 6 s",
        )
        compare(
            "grade extras --at solutions",
            [*grade, "extras", "--at", "solutions"],
            runs,
            bare,
            cached,
            "trains a network",
        )


if __name__ == "__main__":
    main()
