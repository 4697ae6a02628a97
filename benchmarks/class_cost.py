"""Measure the processor time of a submission in a class: where it is asked, in the judge and in
the workers, for a right, a half-finished and a faulty engine.

    python benchmarks/class_cost.py [SUBMISSIONS]

The class of `classroom.py` is graded in this process, after its first sixty submissions. A bare
pytest process with 20 plain assertions runs after every third, so other programs slow down both.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from statistics import mean, median

from classroom import pytest_command, without_plugins, write_class

from grader.boundary import process
from grader.classroom.entries import Entry
from grader.classroom.gradebook import Gradebook
from grader.classroom.grading import GradingOptions, Task, course_digest, read_task, serve
from grader.classroom.layout import find_handed_in
from grader.curriculum.load import load_course
from grader.curriculum.model import DEFAULT_COURSE

FIRST = 60  # in which a process computes what all submissions share
KINDS = ("right", "half-finished", "faulty")


@contextmanager
def workers_counted() -> Iterator[list[float]]:
    """Yield a list of the seconds of each worker."""
    found: list[float] = []
    kill = process._kill  # noqa: SLF001 - a worker is gone when it is killed

    def counted(worker: subprocess.Popen[bytes]) -> None:
        found.append(_seconds(worker.pid))
        kill(worker)

    process._kill = counted  # noqa: SLF001
    try:
        yield found
    finally:
        process._kill = kill  # noqa: SLF001


def _seconds(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text(encoding="utf-8").split()[0]) / 1e9
    except OSError:
        return 0.0


def bare() -> float:
    """Return the processor seconds of a bare pytest process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with pytest_command() as (command, folder):
        subprocess.run(command, cwd=folder, capture_output=True, check=True, env=without_plugins())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    course, how = load_course(), GradingOptions(DEFAULT_COURSE, ("1-6",))
    rows: dict[str, list[tuple[float, float]]] = {kind: [] for kind in KINDS}
    beside = []
    with (
        tempfile.TemporaryDirectory() as name,
        Gradebook(Path(name, "book")) as book,
        workers_counted() as workers,
    ):
        write_class(Path(name, "in"), FIRST + count, "cost")
        handed, digest = find_handed_in(Path(name, "in"))[1], course_digest(course)
        waiting, begun = enumerate(handed), [time.process_time()]

        def receive() -> Task:
            """Return the next submission, after a bare pytest process if it is time for one."""
            number, one = next(waiting, (0, None))
            if number > FIRST and number % 3 == 0:
                beside.append(bare())
            if one is None:
                raise EOFError
            workers.clear()
            begun[:] = [time.process_time()]
            task = read_task(one, course, digest, how)
            assert isinstance(task, Task)
            return task

        def send(entry: Entry) -> None:
            assert entry.outcome == "graded"
            book.add(entry)
            rows[next(kinds)].append((time.process_time() - begun[0], sum(workers)))

        kinds = cycle(KINDS)
        serve(receive, send, how)
    rows = {kind: found[FIRST // 3 :] for kind, found in rows.items()}
    print(f"{count} submissions, phases 1-6; milliseconds of processor time:")
    for kind, found in rows.items():
        judge, worker = (1000 * mean(column) for column in zip(*found))
        print(f"{kind:<15} {judge + worker:>5.0f} = {judge:>4.0f} judge + {worker:>4.0f} workers")
    whole = mean(mean(map(sum, found)) for found in rows.values())
    print(f"{'a submission':<15} {1000 * whole:>5.0f}")
    print(f"{'a bare pytest':<15} {1000 * median(beside):>5.0f}")
    print(f"submissions to pytest processes in the same time: {median(beside) / whole:.2f}")


if __name__ == "__main__":
    main()
