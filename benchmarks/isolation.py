"""Measure what isolation costs, and how much memory the judge takes.

For each isolation level of this machine, it times a worker's start and a grading; then it grades
submissions that use up everything they can.

    python benchmarks/isolation.py [RUNS]

Everything runs in turn, so a busy machine slows all of it alike; only the median of the ratios of
neighbours counts. Processor time, of the judge and the worker together, is steadier than elapsed
time. At the end it prints what is promised, with exit code 1 if any promise is broken. The
submissions are those in `tests/golden/misbehaving`, so it needs the tests' packages.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from grader import grade
from grader.boundary.isolation import MOST
from grader.boundary.process import ProcessTransport

SOLUTIONS = Path(__file__).parent.parent / "solutions"
TESTS = SOLUTIONS.with_name("tests")
BARE = [sys.executable, "-I", "-S", "-c", "pass"]


def bare() -> None:
    subprocess.run(BARE, check=True, stdin=subprocess.PIPE, capture_output=True)


def ready(most: int) -> None:
    transport = ProcessTransport(most=most)
    _ = transport.isolation
    transport.close()


def graded(most: int) -> None:
    assert grade(SOLUTIONS, ["phase2", "phase3", "phase4"], isolation=most).exit_code == 0


def processor_time() -> float:
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(used.ru_utime + used.ru_stime for used in both)


def compare(
    title: str, runs: int, base: Callable[[], None], others: dict[str, Callable[[], None]]
) -> float:
    """Time `base` and the others in turn. Print medians, and the median ratio of each to `base`.

    Return the last one's ratio of processor time.
    """
    dearer = 1.0
    found: dict[str, list[tuple[float, float]]] = {title: [], **{name: [] for name in others}}
    for number in range(runs + 1):
        for name, run in {title: base, **others}.items():
            start, used = time.perf_counter(), processor_time()
            run()
            if number:  # the first run fills caches
                found[name].append((time.perf_counter() - start, processor_time() - used))
    for name, times in found.items():
        wall, cpu = (1000 * statistics.median(column) for column in zip(*times))
        slower, dearer = (
            statistics.median(b / a for a, b in zip(own, other))
            for own, other in zip(zip(*found[title]), zip(*times))
        )
        print(f"{name:44} {wall:8.1f} ms {slower:6.2f} {cpu:12.1f} ms {dearer:6.2f}")
    print()
    return dearer


PEAK = """\
import sys, tempfile
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from support import misbehaving as bench
from grader import grade
from grader.errors import SubmissionError
with tempfile.TemporaryDirectory() as folder:
    try:
        grade(bench.make(sys.argv[2], Path(folder)), bench.CASES[sys.argv[2]]["phases"])
    except SubmissionError:
        pass
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(int(peak.split()[1]) // 1024)  # and not ru_maxrss, which begins with what the process that started this one had taken
"""  # noqa: E501


def exhausted() -> list[str]:
    """Return the submissions that use up what they can, or cause the largest possible answers."""
    sys.path.insert(0, str(TESTS))
    from support import misbehaving as bench

    also = (
        "prints_50_megabytes",
        "endless_reply",
        "reply_of_four_gigabytes",
        "answers_of_wrong_types",
        "names_shadowed",
    )
    return [*(name for name, case in bench.CASES.items() if case["group"] == "exhaustion"), *also]


def peaks() -> float:
    """Print the judge's peak memory in MB for each of them, in a separate process.

    Return the largest.
    """
    found = {}
    for name in exhausted():
        judge = subprocess.run(
            [sys.executable, "-c", PEAK, str(TESTS), name],
            check=True,
            capture_output=True,
            text=True,
        )
        found[name] = int(judge.stdout.split()[-1])
    for name, megabytes in sorted(found.items(), key=lambda entry: -entry[1]):
        print(f"judge's peak memory, {name:32} {megabytes:6} MB")
    print()
    return max(found.values())


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    offered = []
    for level in range(MOST + 1):
        transport = ProcessTransport(most=level)
        if transport.isolation.level == level:
            offered.append(level)
        transport.close()
    print(f"{'':44} {'time':>11}  ratio {'processor':>15}  ratio")
    ready_in = compare(
        "bare interpreter, -I -S -c pass, ended",
        runs,
        bare,
        {f"  worker ready and ended, level {n}": lambda n=n: ready(n) for n in offered},
    )  # type: ignore[misc]
    graded_in = compare(
        "three phases graded, level 0",
        max(5, runs // 4),
        lambda: graded(0),
        {f"  level {n}": lambda n=n: graded(n) for n in offered[1:]},
    )  # type: ignore[misc]
    promised = (
        ("worker ready with the best isolation, times a bare interpreter", ready_in, 1.5),
        ("grading with the best isolation, times without", graded_in, 1.1),
        ("judge's peak memory, MB", peaks(), 300),
    )
    for what, found, most in promised:
        print(
            f"{what:66} {found:8.2f}, at most {most:6} promised:"
            f" {'held' if found <= most else 'NOT HELD'}"
        )
    sys.exit(any(found > most for _, found, most in promised))


if __name__ == "__main__":
    main()
