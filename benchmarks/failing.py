"""Measure how much longer a phase takes that fails than one that passes.

    python benchmarks/failing.py [ENGINES] [ROUNDS] [PHASE ...]

It grades the reference solution and some faulty engines of each required phase, in turn, as
`start_up.py` does. `ratio` and `computing` are the medians over the engines; `slowest` is the
engine that computes most.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

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
        copy = folder / faulty.id
        shutil.copytree(course.solutions, copy)
        files = {file.module: file.source for file in faulty_files(course, stage, faulty)}
        (copy / stage.file).write_bytes(files[stage.module])
        runs.append(Run(faulty.id, [grade, stage.id, "--at", str(copy)], folder, ""))
    return runs


def compare(runs: Sequence[Run], rounds: int) -> None:
    """Print a line for a stage, whose first run passes, and the slowest of the others."""
    table = [[taken(run) for run in runs] for _ in range(rounds + 1)][1:]  # the first fills caches
    whole = [median(row[place].whole / row[0].whole for row in table) for place in range(len(runs))]
    computing = [
        median(row[place].computing / row[0].computing for row in table)
        for place in range(len(runs))
    ]
    slowest = max(range(len(runs)), key=computing.__getitem__)
    print(
        f"{runs[0].name:8} {median(row[0].whole for row in table):9.3f} {median(whole[1:]):6.2f}"
        f" {median(computing[1:]):10.2f} {computing[slowest]:8.2f}   {runs[slowest].name}",
        flush=True,
    )


def main(words: Sequence[str]) -> None:
    course = load_course()
    phases = [word for word in words if not word.isdigit()]
    engines, rounds = ([int(word) for word in words if word.isdigit()] + [8, 5])[:2]
    count_all_processes()
    print("phase    passing s  ratio  computing  slowest")
    for stage in course.select(phases) if phases else course.stages:
        if not stage.optional:
            with tempfile.TemporaryDirectory() as name:
                compare(commands(course, stage, engines, Path(name)), rounds)


if __name__ == "__main__":
    main(sys.argv[1:])
