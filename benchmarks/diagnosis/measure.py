"""Measure how good the diagnosis is on engines that it was not tuned on.

    python benchmarks/diagnosis/measure.py [NAME ...] [--verbose] [--jobs N]

It prints a table, and with `--verbose` the wrong diagnoses. Each faulty engine is graded, and the
first checkpoint that fails counts: are the blamed operation and the named mistake, if any, right? A
correct engine must get no diagnosis.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from engines import Mistake, handed_in, mistakes, styles

from grader import grade
from grader.model import Report, Verdict

PHASES = "1-6"


class Diagnosed(NamedTuple):
    """The diagnosis of one engine, at the first checkpoint that failed."""

    mistake: Mistake
    checkpoint: str = ""
    blamed: str = ""
    named: tuple[str, ...] = ()
    why: str = ""

    @property
    def blame_right(self) -> bool:
        """Return whether the blamed operation is at fault.

        A reflected form counts as the operator.
        """
        # the function responsible for the order
        blamed = "order" if self.blamed == "build_topo" else self.blamed
        return blamed.removeprefix("r") in {op.removeprefix("r") for op in self.mistake.blame}

    @property
    def name_right(self) -> bool:
        """Return whether one of the named mistakes is a right one to name."""
        return bool(set(self.named) & set(self.mistake.known))

    @property
    def is_wrong(self) -> bool:
        """Return whether the blame is wrong, or there is a wrong name, or none for a known one."""
        unnamed = not (self.mistake.known or self.named)
        return not (self.blame_right and (self.name_right or unnamed))


def diagnosed(mistake: Mistake) -> Diagnosed:
    failed = [
        result
        for result in graded(mistake.source).checkpoints
        if result.verdict is Verdict.FAILED and not result.bonus
    ]
    if not failed:
        return Diagnosed(mistake)
    first, diagnosis = failed[0], failed[0].diagnosis
    if not diagnosis:
        return Diagnosed(mistake, first.id, why=first.message)
    return Diagnosed(
        mistake,
        first.id,
        diagnosis.blame,
        tuple(known.id for known in diagnosis.misconceptions),
        diagnosis.why or first.message,
    )


def alarms(source: str) -> int:
    """Count the diagnoses in a report on a correct engine. A bonus may fail, so it is left out."""
    return sum(
        result.diagnosis is not None and not result.bonus for result in graded(source).checkpoints
    )


def graded(source: str) -> Report:
    with handed_in(source) as folder:
        return grade(folder, phases=[PHASES])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    chosen = [
        mistake
        for mistake in mistakes().values()
        if mistake.id in options.names or not options.names
    ]
    begun = time.monotonic()
    with ProcessPoolExecutor(options.jobs) as pool:
        found = list(pool.map(diagnosed, chosen))
        false_alarms = [] if options.names else list(pool.map(alarms, styles().values()))
    for label, figure in rows(found, false_alarms):
        print(f"{label:<62} {figure:>9}")
    print(f"{sum(map(bool, named_in(found)))} named; {time.monotonic() - begun:.0f} s")
    for one in found if options.verbose else ():
        if one.is_wrong:
            print(
                f"\n{one.mistake.id}: {one.mistake.fault}\n  at {one.checkpoint or 'nothing'}:"
                f" {one.why}\n  blamed {one.blamed}, right {one.mistake.blame}; named {one.named},"
                f" right {one.mistake.known}"
            )


def rows(found: list[Diagnosed], false_alarms: list[int]) -> Iterator[tuple[str, str]]:
    caught = [one for one in found if one.checkpoint]
    two = [one for one in caught if one.mistake.id.startswith("two_")]
    with_name = [one for one in caught if one.mistake.known]
    named = named_in(found)
    yield "faulty engines, and how many of them failed a checkpoint", f"{len(caught)}/{len(found)}"
    yield "operation to blame right", share([one.blame_right for one in caught])
    yield "  engines with two mistakes", share([one.blame_right for one in two])
    yield (
        "mistake named right, of those in the catalogue",
        share([one.name_right for one in with_name]),
    )
    wrong = [bool(one.named) and not one.name_right for one in caught]
    yield "a wrong name, of all", share(wrong)
    yield "no name, of all", share([not one for one in named])
    alarmed = f"{sum(map(bool, false_alarms))}/{len(false_alarms)}"
    yield "correct engines with a diagnosis", alarmed


def named_in(found: list[Diagnosed]) -> list[tuple[str, ...]]:
    return [one.named for one in found if one.checkpoint]


def share(right: list[bool]) -> str:
    return f"{sum(right)}/{len(right)} = {statistics.mean(right):.0%}" if right else "-"


if __name__ == "__main__":
    main()
