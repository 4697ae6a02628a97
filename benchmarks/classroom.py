"""Measure submissions per minute, on one core and on two, compared with a bare pytest process.

    python benchmarks/classroom.py [SUBMISSIONS] [PHASES]

A class hands in phases 1 to 6; pytest runs 20 plain assertions. A third of the class has the
reference, a third a half-finished engine, a third one of twenty faulty engines. All files differ,
so none is known already. Machines are noisy, so the runs take turns, their medians are compared,
and only the ratios count. `class_cost.py` measures processor time instead.
Memory is the peak of the process that was asked, and of its children.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from grader.authoring.faulty_engine import faulty_files
from grader.classroom.gradebook import Gradebook
from grader.classroom.grading import GradingOptions
from grader.classroom.layout import find_handed_in
from grader.classroom.round import Round
from grader.curriculum.load import load_course
from grader.curriculum.model import DEFAULT_COURSE

MIDDLE = "    def build_topo"
KINDS = 20  # of faulty engines
ORDER = (1, 2, 1, 2, 1)  # numbers of cores
PLAIN = "".join(
    f"def test_{number}():\n    assert {number} + 1 == {number + 1}\n" for number in range(20)
)


def write_class(folder: Path, count: int, mark: str) -> None:
    reference = (load_course().solutions / "engine.py").read_text(encoding="utf-8")
    stubs = (load_course().exercises / "engine.py").read_text(encoding="utf-8")
    half = "".join((reference.partition(MIDDLE)[0], *stubs.partition(MIDDLE)[1:]))
    faulty = faulty_engines()
    for number in range(count):
        (folder / f"l{number:05}").mkdir(parents=True)
        source = (reference, half, faulty[number // 3 % KINDS])[number % 3]
        (folder / f"l{number:05}" / "engine.py").write_text(
            f"{source}\n# {mark} {number}\n", encoding="utf-8"
        )


def faulty_engines() -> list[str]:
    """Return faulty engines of all phases of `engine.py`, at equal distances in the course."""
    course = load_course()
    found = [
        file.source.decode()
        for stage in course.stages
        for faulty in stage.faulty
        for file in faulty_files(course, stage, faulty)
        if stage.file == "engine.py" and file.module == "engine"
    ]
    return [found[number * len(found) // KINDS] for number in range(KINDS)]


def per_minute(count: int, cores: int, phases: str) -> float:
    with (
        tempfile.TemporaryDirectory() as name,
        Gradebook(Path(name, "book")) as book,
        only_cores(cores),
    ):
        write_class(Path(name, "in"), count, f"{cores}")
        outcomes: list[str] = []
        round_ = Round(
            load_course(),
            GradingOptions(DEFAULT_COURSE, (phases,)),
            book,
            tell=lambda outcome, _: outcomes.append(outcome),
        )
        handed = find_handed_in(Path(name, "in"))[1]
        begun = time.perf_counter()
        round_.grade(handed, cores)
        assert outcomes == ["graded"] * count
        return 60 * count / (time.perf_counter() - begun)


@contextmanager
def only_cores(count: int) -> Iterator[None]:
    """Keep this process and everything it starts on `count` cores (Linux)."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[:count])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def pytest_command() -> Iterator[tuple[list[str], str]]:
    """Yield the command of a bare pytest process, and the folder to run it in."""
    options = ("-q", "-p", "no:cacheprovider", "-c", "/dev/null")
    with tempfile.TemporaryDirectory() as name:
        Path(name, "test_plain.py").write_text(PLAIN, encoding="utf-8")
        yield [sys.executable, "-m", "pytest", *options, "test_plain.py"], name


def without_plugins() -> dict[str, str]:
    return {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def bare(count: int) -> float:
    with pytest_command() as (command, folder), only_cores(1):
        begun = time.perf_counter()
        for _ in range(count):
            subprocess.run(
                command, cwd=folder, capture_output=True, check=True, env=without_plugins()
            )
        return 60 * count / (time.perf_counter() - begun)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    phases = sys.argv[2] if len(sys.argv) > 2 else "1-6"
    pytests, speeds = [bare(10)], {1: list[float](), 2: list[float]()}
    for cores in ORDER:
        speeds[cores].append(per_minute(count, cores, phases))
        pytests.append(bare(10))
    alone, beside = median(pytests), {cores: median(found) for cores, found in speeds.items()}
    row = "{:<46} {:>9.0f}"
    print(f"{count} submissions, phases {phases}; submissions a minute:")
    for cores, speed in beside.items():
        print(row.format(f"grade class, cores: {cores}", speed))
    print(row.format("a bare pytest process, 20 plain assertions", alone))
    print(
        f"two cores to one: {beside[2] / beside[1]:.2f}; one core to the bare pytest:"
        f" {beside[1] / alone:.2f}"
    )
    mebibytes = [
        resource.getrusage(who).ru_maxrss / 1024
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    ]
    print(
        f"most memory: {mebibytes[0]:.0f} MiB where it was asked, {mebibytes[1]:.0f} MiB in a"
        " process that grades"
    )


if __name__ == "__main__":
    main()
