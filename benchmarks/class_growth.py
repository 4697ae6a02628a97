"""Measure the cost of a larger class: processor time of each submission and peak memory.

    python benchmarks/class_growth.py [SIZE ...]

Each size runs phases 1 to 6 in a separate process, on all cores, with the submissions of
`classroom.py`. 5,000 take a quarter of an hour.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from classroom import write_class

from grader.classroom.gradebook import Gradebook
from grader.classroom.grading import GradingOptions
from grader.classroom.layout import find_handed_in
from grader.classroom.round import Round
from grader.curriculum.load import load_course
from grader.curriculum.model import DEFAULT_COURSE

SIZES = (10, 50, 500, 5000)


def grade_class(count: int) -> None:
    """Print what one class took."""
    with tempfile.TemporaryDirectory() as name, Gradebook(Path(name, "book")) as book:
        write_class(Path(name, "in"), count, f"{count}")
        round_ = Round(load_course(), GradingOptions(str(DEFAULT_COURSE), ("1-6",)), book, ())
        begun = half = time.perf_counter()
        for number, (outcome, _) in enumerate(
            round_.grade(find_handed_in(Path(name, "in"))[1], os.cpu_count() or 1)
        ):
            assert outcome == "graded"
            half = time.perf_counter() if number == count // 2 else half
        end = time.perf_counter()
        size = Path(name, "book").stat().st_size
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    asked, graded = (one.ru_maxrss / 1024 for one in used)
    processor = sum(one.ru_utime + one.ru_stime for one in used)
    later = (end - half) / (count - count // 2 - 1)
    print(
        f"{count:>11} {processor / count:>13.3f} {(end - begun) / count:>10.3f} {later:>16.3f}"
        f" {asked:>10.0f} {graded:>14.0f}"
        f" {size / 1024 / count:>12.1f}",
        flush=True,
    )


def main() -> None:
    if sys.argv[1:2] == ["one"]:
        grade_class(int(sys.argv[2]))
        return
    print(
        "submissions  processor s  s for each  in 2nd half, s  MiB asked  MiB that grades"
        "  KiB in book",
        flush=True,
    )
    for size in [int(word) for word in sys.argv[1:]] or SIZES:
        subprocess.run([sys.executable, __file__, "one", str(size)], check=True)


if __name__ == "__main__":
    main()
