"""How many mistakes a small change mends, in which line, and how long the search takes.

    python benchmarks/repair.py [--every N] [PHASE or MISTAKE ...]

It uses the known mistakes of the course, every Nth of them (default: 7). Times are of processor
time, with the workers; `grade` is the time for the verdicts alone.
"""

from __future__ import annotations

import argparse
import difflib
import os
import resource
import statistics
import time
from dataclasses import replace
from pathlib import Path

from grader.boundary.pool import ProcessHost
from grader.curriculum.load import load_course
from grader.intake.read import read_submission
from grader.intake.submission import Submission
from grader.judge.explain.mend import Mender
from grader.judge.job import Caches, Job
from grader.judge.plugin import run_suites
from grader.judge.results import results_of
from grader.model import Verdict

COURSE = load_course()
CACHES = Caches()


def main() -> None:
    """Search for a repair of each mistake."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=7)
    parser.add_argument("only", nargs="*")
    options = parser.parse_args()
    faulty = [(stage, each) for stage in COURSE.stages for each in stage.faulty]
    chosen = [one for one in faulty if not options.only or {one[0].id, one[1].id} & {*options.only}]
    files = read_submission(Path(__file__).parents[1] / "solutions", COURSE.files).files
    rows = []
    for stage, mistake in chosen[:: 1 if options.only else options.every]:
        right = next(file.source for file in files if file.module == stage.module)
        wrong = mistake.engine(right)
        sources = tuple(
            replace(
                file,
                shown=Path(file.shown).name,
                source=wrong if file.module == stage.module else file.source,
            )
            for file in files
        )
        with ProcessHost(most=0) as host:
            job = Job(COURSE, Submission("mistake", sources), host, caches=CACHES)
            begun = spent()
            grading = run_suites(job, [stage])
            results = results_of(job, grading.outcomes)
            graded = spent() - begun
            failures = {
                id: evidence
                for id, each in grading.outcomes.items()
                if results[id].verdict is Verdict.FAILED and (evidence := each.evidence)
            }
            first = next((one.id for one in stage.checkpoints if one.id in failures), None)
            proof, begun, clock = None, spent(), time.perf_counter()
            if first is not None:
                verdicts = {id: result.verdict for id, result in results.items()}
                proof = Mender(job).proof(first, failures[first], verdicts)
            took, wall = spent() - begun, time.perf_counter() - clock
        lines = changed_lines(right.decode(), wrong.decode())
        near = proof is not None and any(abs(proof.place.line - line) <= 1 for line in lines)
        rows.append((first is not None, proof, near, took, wall))
        said = "-"
        if proof is not None:
            kind = f"{'only ' if proof.only else ''}{'' if near else 'ELSEWHERE '}{proof.kind}"
            said = f"{proof.phase or 'check'} {kind}: {proof.gone!r} -> {proof.come!r}"
        cost = f"{took:5.2f} s {wall:5.2f} (grade {graded:4.2f})"
        print(f"{mistake.id:44} {cost} {said}", flush=True)
    failed = [row for row in rows if row[0]]
    found = [row for row in failed if row[1]]
    whole = [row for row in found if row[1].phase]
    times = sorted(row[3] for row in failed)
    print(
        f"{len(rows)} mistakes, {len(failed)} fail; proven {len(found)} ({len(whole)} whole:"
        f" {100 * len(whole) / len(failed):.0f} %); right line {sum(row[2] for row in found)};"
        f" seconds: median {statistics.median(times):.2f}, p90 {times[int(0.9 * len(times))]:.2f},"
        f" most {times[-1]:.2f}"
    )


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
    os.environ.setdefault("PYTHONHASHSEED", "0")
    main()
