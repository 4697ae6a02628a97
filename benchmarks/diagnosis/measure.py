"""How good the diagnosis is, on engines that it was not built from: prints a table, and what it got wrong with `--verbose`.

    python benchmarks/diagnosis/measure.py [NAME ...] [--verbose] [--jobs N]

Each faulty engine is graded, and the first checkpoint that fails counts: is the operation to blame right, and the mistake
that is named, if one is? `known` in `expect.toml` lists the mistakes that would be right to name. A correct engine must get
no diagnosis. The time is what the diagnosis adds to grading one phase, against the same phase without.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from grader import grade
from grader.model import Verdict

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).parent
PHASES = "1-6"


class Told(NamedTuple):
    """What was said of one engine, at the first checkpoint that failed."""

    name: str
    checkpoint: str
    blamed: str
    named: tuple[str, ...]
    why: str
    expected: dict[str, Any]

    @property
    def blame_right(self) -> bool:
        """Whether an operation is blamed that is at fault; a reflected form is as good as the operator itself."""
        blamed = "order" if self.blamed == "build_topo" else self.blamed  # the function whose business the order is
        return blamed.removeprefix("r") in {op.removeprefix("r") for op in self.expected["operations"]}

    @property
    def name_right(self) -> bool:
        """Whether one of the mistakes that are named is right to name."""
        return bool(set(self.named) & set(self.expected["known"]))


def diagnosed(folder: Path) -> Told:
    report = grade(folder, phases=[PHASES])
    failed = [result for result in report.checkpoints if result.verdict is Verdict.FAILED and not result.bonus]
    expected = tomllib.loads((folder / "expect.toml").read_text(encoding="utf-8"))
    if not failed:
        return Told(folder.name, "", "", (), "", expected)
    first = failed[0]
    why = first.diagnosis.why if first.diagnosis else ""
    named = tuple(mistake.id for mistake in first.diagnosis.misconceptions) if first.diagnosis else ()
    return Told(folder.name, first.id, first.diagnosis.blame if first.diagnosis else "", named, why or first.message, expected)


def alarms(folder: Path) -> int:
    """The checkpoints of a correct engine that have a diagnosis; a bonus may fail, and then it is right to say why."""
    return sum(result.diagnosis is not None and not result.bonus for result in grade(folder, phases=[PHASES]).checkpoints)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    folders = sorted(file.parent for file in HERE.glob("engines/*/expect.toml"))
    if options.names:
        folders = [folder for folder in folders if folder.name in options.names]
    begun = time.monotonic()
    with ProcessPoolExecutor(options.jobs) as pool:
        told = list(pool.map(diagnosed, folders))
        false_alarms = [] if options.names else list(pool.map(alarms, sorted(HERE.glob("correct/*"))))
    caught = [one for one in told if one.checkpoint]
    with_name = [one for one in caught if one.expected["known"]]
    named = [one for one in caught if one.named]
    row = "{:<62} {:>9}"
    print(row.format("faulty engines, and how many of them failed a checkpoint", f"{len(caught)}/{len(told)}"))
    print(row.format("operation to blame right", share([one.blame_right for one in caught])))
    print(row.format("  engines with two mistakes", share([one.blame_right for one in caught if one.name.startswith("two_")])))
    print(row.format("mistake named right, of those in the catalogue", share([one.name_right for one in with_name])))
    print(row.format("a wrong name, of all", share([bool(one.named) and not one.name_right for one in caught])))
    print(row.format("no name, of all", share([not one.named for one in caught])))
    print(row.format("correct engines with a diagnosis", f"{sum(map(bool, false_alarms))}/{len(false_alarms)}"))
    print(f"{len(named)} named; {time.monotonic() - begun:.0f} s")
    if options.verbose:
        for one in told:
            if not (one.blame_right and (one.name_right or not one.expected["known"]) and (one.name_right or not one.named)):
                print(f"\n{one.name}: {one.expected['fault']}\n  at {one.checkpoint or 'nothing'}: {one.why}")
                print(f"  blamed {one.blamed}, right {one.expected['operations']}; named {one.named}, right {one.expected['known']}")


def share(right: list[bool]) -> str:
    return f"{sum(right)}/{len(right)} = {statistics.mean(right):.0%}" if right else "-"


if __name__ == "__main__":
    main()
