"""Measure how long a learner waits for a command, compared with a bare pytest process.

    python benchmarks/start_up.py [RUNS]

That process runs one trivial Hypothesis test. All run in turn, and the times are of whole
processes. Machines are noisy, so only the median of the ratios of neighbours counts; on a machine
that does other things as well, processor time is more reliable than time.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from grader.curriculum.load import load_course

TRIVIAL = """\
from hypothesis import given, strategies as st


@given(st.integers())
def test_trivial(x):
    assert x == x
"""
PR_SET_CHILD_SUBREAPER = 36
BACKWARDS = ("reversed(topo)", "topo")


class Run(NamedTuple):
    """What is run, where, and the highest ratio to accept."""

    name: str
    command: Sequence[str]
    folder: Path
    limit: str


class Taken(NamedTuple):
    """The seconds that one run took, and how many of them its processes computed."""

    whole: float
    computing: float


def count_all_processes() -> None:
    """Let `taken` count the workers that a command leaves for the system to wait for."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def taken(run: Run) -> Taken:
    before, begun = os.times(), time.perf_counter()
    subprocess.run(
        run.command,
        cwd=run.folder,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    whole = time.perf_counter() - begun
    with suppress(ChildProcessError):
        while True:
            os.wait()
    after = os.times()
    computing = after.children_user + after.children_system
    return Taken(whole, computing - before.children_user - before.children_system)


def measure(runs: Sequence[Run], rounds: int) -> None:
    """Print a line for each run. The first is what the others are compared with."""
    table = [[taken(run) for run in runs] for _ in range(rounds + 1)][1:]  # the first fills caches
    print(f"{'medians of ' + str(rounds):34} {'s':>7} {'ratio':>7} {'computing':>10}   asked for")
    for place, run in enumerate(runs):
        whole = statistics.median(row[place].whole for row in table)
        ratio = statistics.median(row[place].whole / row[0].whole for row in table)
        computing = statistics.median(row[place].computing / row[0].computing for row in table)
        print(f"{run.name:34} {whole:7.3f} {ratio:7.2f} {computing:10.2f}   {run.limit}")


def commands(grade: str, folder: Path) -> list[Run]:
    """Return the runs of one `grade`, in a folder that is finished and in a faulty one."""
    done, faulty = folder / "done", folder / "faulty"
    return [
        Run("grade phase4", [grade, "phase4", "--at", str(done)], folder, "1.0"),
        Run("grade phase4, own code", [grade, "phase4"], done, ""),
        Run("grade phase4, which fails", [grade, "phase4", "--at", str(faulty)], folder, "2.0"),
        Run("grade, unchanged code", [grade], done, "0.15 s"),
        Run("grade hint", [grade, "hint", "phase4"], done, "0.15 s"),
        Run("grade --help", [grade, "--help"], done, "0.15 s"),
    ]


def main() -> None:
    count_all_processes()
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for copy in ("done", "faulty"):
            shutil.copytree(load_course().solutions, folder / copy)
        engine = folder / "faulty" / "engine.py"
        engine.write_text(engine.read_text(encoding="utf-8").replace(*BACKWARDS), encoding="utf-8")
        (folder / "bare").mkdir()
        (folder / "bare" / "test_trivial.py").write_text(TRIVIAL, encoding="utf-8")
        pytest = [sys.executable, "-m", "pytest", "-q"]
        runs = [Run("pytest, one test", pytest, folder / "bare", "")]
        runs += commands(str(Path(sys.executable).with_name("grade")), folder)
        measure(runs, rounds)


if __name__ == "__main__":
    main()
