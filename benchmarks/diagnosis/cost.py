"""Measure what the diagnosis adds to a failing phase: the same submissions with and without it.

    python benchmarks/diagnosis/cost.py [--rounds N]

The two run alternately; without it, grading stops at the verdicts. It prints the seconds and the
difference for some of the faulty engines.
"""

from __future__ import annotations

import argparse
import statistics
import time

from engines import handed_in, mistakes

from grader.boundary.pool import ProcessHost
from grader.curriculum.load import load_course
from grader.intake.read import read_submission
from grader.judge.grade import grade_submission
from grader.judge.job import Job

COURSE, MISTAKES = load_course(), mistakes()
CASES = (
    ("mul_own_factor", "3"),
    ("breadth_first", "4"),
    ("no_visited_set", "4"),
    ("all_binary_assign", "4"),
    ("two_seed_added_neg_sign", "3-4"),
    ("raises_no_rsub", "3"),
    ("tanh_of_the_input", "6"),
    ("zero_grad_leaves_only", "5"),
)


def seconds(name: str, phases: str, *, diagnose: bool = True) -> float:
    begun, stages = time.perf_counter(), COURSE.select([phases])
    with ProcessHost() as host, handed_in(MISTAKES[name].source) as folder:
        submission = read_submission(folder, COURSE.files)
        grade_submission(Job(COURSE, submission, host), stages, diagnose=diagnose)
    return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    seconds(*CASES[0])  # imports
    print(
        f"{'faulty engine':<28} {'phase':<6} {'with':>7} {'without':>8} {'adds':>7}   medians of"
        f" {rounds}, seconds"
    )
    for name, phases in CASES:
        told, untold = [], []
        for _ in range(rounds):
            told.append(seconds(name, phases))
            untold.append(seconds(name, phases, diagnose=False))
        added = statistics.median(one - other for one, other in zip(told, untold))
        print(
            f"{name:<28} {phases:<6} {statistics.median(told):7.2f}"
            f" {statistics.median(untold):8.2f} {added:7.2f}"
        )


if __name__ == "__main__":
    main()
