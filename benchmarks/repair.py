"""How many mistakes a small change fixes, on which line, and how long the search takes.

    python benchmarks/repair.py [--set SET] [--every N] [--most LEVEL] [NAME or PHASE ...]

`catalogue` has the known mistakes of the course (the default), `styles` mistakes in engines that
are written differently, `beginners` those of newcomers and strangers. Times are of processor time,
with the workers at level 0 only; `grade` is the time for the verdicts alone.
"""

from __future__ import annotations

import argparse
import difflib
import gc
import resource
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from grader.boundary.pool import ProcessHost
from grader.curriculum.load import load_course
from grader.curriculum.model import Stage
from grader.intake.read import read_submission
from grader.intake.submission import File, Submission
from grader.judge.explain.mend import Mender
from grader.judge.job import Caches, Job
from grader.judge.plugin import run_suites
from grader.judge.results import results_of
from grader.model import Proof, Verdict

sys.path += [str(Path(__file__).parent / name) for name in ("diagnosis", "beginners")]
import beginners
import engines

COURSE = load_course()
CACHES = Caches()
FILES = read_submission(Path(__file__).parents[1] / "solutions", COURSE.files).files


class Case(NamedTuple):
    """A mistake: the source of a module without it and with it, and the stages that may fail."""

    name: str
    module: str
    right: str
    wrong: str
    stages: tuple[Stage, ...]


def catalogue() -> Iterator[Case]:
    """Yield the known mistakes of the course."""
    for stage in COURSE.stages:
        right = _source(stage.module)
        for each in stage.faulty:
            wrong = each.engine(right.encode()).decode()
            yield Case(each.id, stage.module, right, wrong, (stage,))


def styles() -> Iterator[Case]:
    """Yield the mistakes in engines of other styles."""
    sources, stages = engines.styles(), COURSE.select(["1-6"])
    for each in engines.mistakes().values():
        yield Case(each.id, "engine", sources[each.style], each.source, stages)


def strangers() -> Iterator[Case]:
    """Yield the mistakes of beginners."""
    for each in (each for name in beginners.SETS for each in beginners.mistakes(name).values()):
        stage = COURSE.stage(each.phase)
        right = _source(stage.module)
        yield Case(each.name, stage.module, right, each.made_in(right), (stage,))


def _source(module: str) -> str:
    return next(file.source for file in FILES if file.module == module).decode()


SETS = {"catalogue": catalogue, "styles": styles, "beginners": strangers}


class Row(NamedTuple):
    """The result for one mistake."""

    fails: bool
    proof: Proof | None
    near: bool
    seconds: float


def main() -> None:
    """Search for a repair of each mistake."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", choices=SETS, default="catalogue")
    parser.add_argument("--every", type=int, default=7)
    parser.add_argument("--most", type=int, default=3, help="highest isolation level")
    parser.add_argument("only", nargs="*")
    options = parser.parse_args()
    gc.set_threshold(50_000, 20, 20)  # as in a command
    cases = list(SETS[options.set]())
    if options.only:
        cases = [c for c in cases if {c.name, *(s.id for s in c.stages)} & {*options.only}]
    rows = [measured(case, options.most) for case in cases[:: 1 if options.only else options.every]]
    failed = [row for row in rows if row.fails]
    found = [row for row in failed if row.proof]
    whole = [row for row in found if row.proof and row.proof.phase]
    times = sorted(row.seconds for row in failed)
    print(
        f"{len(rows)} mistakes, {len(failed)} fail; proven {len(found)}, {len(whole)} for the"
        f" whole phase ({100 * len(whole) / len(failed):.0f} %); right line"
        f" {sum(row.near for row in found)}; seconds: median {statistics.median(times):.2f},"
        f" p90 {times[int(0.9 * len(times))]:.2f}, most {times[-1]:.2f};"
        f" proven within one {sum(row.proof is not None and row.seconds <= 1 for row in failed)}"
    )


def measured(case: Case, most: int) -> Row:
    """Grade one mistake and search for a repair of its first failure. Print a line about it."""
    files = [
        File(
            file.module,
            Path(file.shown).name,
            case.wrong.encode() if file.module == case.module else file.source,
        )
        for file in FILES
    ]
    begun = spent()
    host = ProcessHost("", most=most)
    job = Job(COURSE, Submission("mistake", tuple(files)), host, caches=CACHES)
    first, outcomes, results = None, {}, {}
    for stage in case.stages:
        outcomes = run_suites(job, [stage]).outcomes
        results = results_of(job, outcomes)
        failed = [id for id in outcomes if results[id].verdict is Verdict.FAILED]
        first = next(iter(sorted(failed, key=lambda each: results[each].bonus)), None)
        if first is not None and not results[first].bonus:
            break
    graded, begun, clock = spent() - begun, spent(), time.perf_counter()
    proof = None
    if first is not None and (evidence := outcomes[first].evidence) is not None:
        verdicts = {id: result.verdict for id, result in results.items()}
        proof = Mender(job).proof(first, evidence, verdicts)
    took, wall = spent() - begun, time.perf_counter() - clock
    lines = changed_lines(case.right, case.wrong)
    near = proof is not None and any(abs(proof.place.line - line) <= 1 for line in lines)
    said = "-" if first is not None else "passes"
    if proof is not None:
        alike = "only " if proof.only else "alike " if proof.alike else ""
        kind = f"{alike}{'' if near else 'ELSEWHERE'}"
        said = f"{proof.phase or 'check'} {kind}: {proof.gone!r} -> {proof.come!r}"
    cost = f"{took:5.2f} s {wall:5.2f} (grade {graded:4.2f})"
    print(f"{case.name:44} {cost} {first} {said}", flush=True)
    return Row(first is not None, proof, near, took)


def spent() -> float:
    """Return the processor time so far, of ended workers too."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in both)


def changed_lines(right: str, wrong: str) -> set[int]:
    """Return the lines of the wrong source that differ."""
    codes = difflib.SequenceMatcher(None, right.splitlines(), wrong.splitlines(), autojunk=False)
    return {
        line
        for tag, _, _, begin, end in codes.get_opcodes()
        if tag != "equal"
        for line in range(begin + 1, max(begin + 1, end) + 1)
    }


if __name__ == "__main__":
    main()
