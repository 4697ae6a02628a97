"""Measure how much longer a phase takes that fails than one that passes.

    python benchmarks/failing.py [ENGINES] [ROUNDS] [PHASE ...]

It grades the reference solution and some faulty engines of each required phase, in turn, as
`start_up.py` does: whole processes, and the medians of the ratios of neighbours.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from start_up import Run, count_all_processes, taken

from grader.authoring.faulty_engine import faulty_files
from grader.curriculum.load import load_course
from grader.curriculum.model import Course, Stage


def commands(course: Course, stage: Stage, engines: int, folder: Path) -> list[Run]:
    """Return the gradings of the reference and of some faulty engines of a stage."""
    grade = str(Path(sys.executable).with_name("grade"))
    every = max(1, len(stage.faulty) // engines)
    runs = [Run(stage.id, [grade, stage.id, "--at", str(course.solutions)], folder, "")]
    for faulty in stage.faulty[every // 2 :: every][:engines]:
        copy = folder / faulty.id.replace(".", "-").replace("/", "-")
        shutil.copytree(course.solutions, copy)
        for file in faulty_files(course, stage, faulty):
            if file.module == stage.module:
                (copy / stage.file).write_bytes(file.source)
        runs.append(Run(faulty.id, [grade, stage.id, "--at", str(copy)], folder, ""))
    return runs


def compare(runs: Sequence[Run], rounds: int) -> None:
    """Print a line for a stage, whose first run passes, and the slowest of the others."""
    table = [[taken(run) for run in runs] for _ in range(rounds + 1)][1:]  # the first fills caches
    passing = table[0][0]
    whole, computing = (
        [
            statistics.median(row[place][column] / row[0][column] for row in table)
            for place in range(1, len(runs))
        ]
        for column in range(len(passing))
    )
    first = statistics.median(row[0].whole for row in table)
    slowest = max(range(len(whole)), key=whole.__getitem__)
    print(
        f"{runs[0].name:10} {first:7.3f} {statistics.median(whole):7.2f} {max(whole):8.2f}"
        f" {statistics.median(computing):10.2f}   {runs[slowest + 1].name}",
        flush=True,
    )


def main(words: Sequence[str]) -> None:
    course = load_course()
    engines, rounds = (
        (int(word) for word in (*words[:2], "8", "5")[:2])
        if len(words) != 1
        else (int(words[0]), 5)
    )
    count_all_processes()
    print("passing in s, ratios of failing: median, highest, of computing; the slowest")
    for stage in course.select(words[2:]) if words[2:] else course.stages:
        if not stage.optional:
            with tempfile.TemporaryDirectory() as name:
                compare(commands(course, stage, engines, Path(name)), rounds)


if __name__ == "__main__":
    main(sys.argv[1:])
