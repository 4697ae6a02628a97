"""What isolation costs: a worker until it is ready, and a grading, at each level this machine offers.

    python benchmarks/isolation.py [RUNS]

Everything is run in turn, so that a busy machine slows all alike: the ratio of neighbours counts, and its median. Processor
time, of the judge and of the worker together, is the steadier of the two.
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
from grader.host import ProcessTransport
from grader.isolation import MOST

SOLUTIONS = Path(__file__).parent.parent / "solutions"
BARE = [sys.executable, "-I", "-S", "-c", "pass"]


def bare() -> None:
    subprocess.run(BARE, check=True, stdin=subprocess.PIPE, capture_output=True)


def ready(most: int) -> None:
    transport = ProcessTransport(most)
    _ = transport.isolation
    transport.close()


def graded(most: int) -> None:
    assert grade(SOLUTIONS, ["phase2", "phase3", "phase4"], isolation=most).exit_code == 0


def processor_time() -> float:
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(used.ru_utime + used.ru_stime for used in both)


def compare(title: str, runs: int, base: Callable[[], None], others: dict[str, Callable[[], None]]) -> None:
    """Time `base` and the others in turn; print medians, and the median ratio of each to `base`."""
    found: dict[str, list[tuple[float, float]]] = {title: [], **{name: [] for name in others}}
    for number in range(runs + 1):
        for name, run in {title: base, **others}.items():
            start, used = time.perf_counter(), processor_time()
            run()
            if number:  # the first fills caches
                found[name].append((time.perf_counter() - start, processor_time() - used))
    for name, times in found.items():
        wall, cpu = (1000 * statistics.median(column) for column in zip(*times))
        slower, dearer = (
            statistics.median(b / a for a, b in zip(own, other)) for own, other in zip(zip(*found[title]), zip(*times))
        )  # fmt: skip
        print(f"{name:44} {wall:8.1f} ms {slower:6.2f} {cpu:12.1f} ms {dearer:6.2f}")
    print()


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    offered = []
    for level in range(MOST + 1):
        transport = ProcessTransport(level)
        if transport.isolation.level == level:
            offered.append(level)
        transport.close()
    print(f"{'':44} {'time':>11}  ratio {'processor':>15}  ratio")
    compare("bare interpreter, -I -S -c pass, ended", runs, bare, {f"  worker ready and ended, level {n}": lambda n=n: ready(n) for n in offered})  # type: ignore[misc]
    compare("three phases graded, level 0", max(3, runs // 5), lambda: graded(0), {f"  level {n}": lambda n=n: graded(n) for n in offered[1:]})  # type: ignore[misc]


if __name__ == "__main__":
    main()
