"""Measure what a submission costs the judge in a growing class: processor time and memory.

    python benchmarks/class_growth.py [SIZE ...]

One class has as many submissions of `classroom.py` as the largest size says, and hands in phases 1
to 6. Two processes grade it. Each row is about the submissions since the row above; its memory is
that of the largest process at this moment. The time of the workers does not grow, because each
submission gets new ones; `class_cost.py` measures it. It needs Linux.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from multiprocessing import active_children
from pathlib import Path

from classroom import write_class

from grader.classroom.gradebook import Gradebook
from grader.classroom.grading import GradingOptions
from grader.classroom.layout import find_handed_in
from grader.classroom.round import Round
from grader.curriculum.load import load_course
from grader.curriculum.model import DEFAULT_COURSE

SIZES = (25, 100, 400, 2000)
JOBS = 2


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def mebibytes(pid: int) -> float:
    """Return the memory of a process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> None:
    sizes = sorted(map(int, sys.argv[1:])) or SIZES
    row = "{:>11} {:>15} {:>10} {:>11} {:>16} {:>12}"
    print(
        row.format(
            "submissions", "processor s each", "s each", "MiB asking", "MiB grading", "KiB in book"
        ),
        flush=True,
    )
    with tempfile.TemporaryDirectory() as name, Gradebook(Path(name, "book")) as book:
        write_class(Path(name, "in"), sizes[-1], "growth")
        outcomes: list[str] = []
        before = 0, processor_seconds(os.getpid()), time.perf_counter()

        def tell(outcome: str, _: str) -> None:
            nonlocal before
            assert outcome == "graded"
            outcomes.append(outcome)
            if (number := len(outcomes)) in sizes:
                graders = [child.pid for child in active_children() if child.pid]
                now = (
                    number,
                    sum(map(processor_seconds, [os.getpid(), *graders])),
                    time.perf_counter(),
                )
                count, processor, seconds = (new - old for new, old in zip(now, before))
                print(
                    row.format(
                        number,
                        f"{processor / count:.3f}",
                        f"{seconds / count:.3f}",
                        f"{mebibytes(os.getpid()):.0f}",
                        f"{max(map(mebibytes, graders)):.0f}",
                        f"{Path(name, 'book').stat().st_size / 1024 / number:.1f}",
                    ),
                    flush=True,
                )
                before = now

        how = GradingOptions(DEFAULT_COURSE, ("1-6",))
        round_ = Round(load_course(), how, book, tell=tell)
        round_.grade(find_handed_in(Path(name, "in"))[1], JOBS)


if __name__ == "__main__":
    main()
