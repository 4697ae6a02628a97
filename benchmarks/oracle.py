"""Check the judge: how far its two methods disagree, and how often it rejects the reference.

    python benchmarks/oracle.py [PROGRAMS] [SEED]

Random programs come from the generators that the suites use: one operation, operations inside
expressions, reused values, graphs. Every gradient in them is computed twice, with dual numbers and
with central differences of 50 digits. Then the reference solution runs programs in a real worker,
and every value and gradient that it returns is judged. The same seed prints the same lines on every
machine whose mathematical functions round alike.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from grader.boundary.pool import ProcessHost
from grader.curriculum.imports import files_of
from grader.curriculum.load import load_course
from grader.intake.read import read_submission
from grader.judge.expectations import Mismatch
from grader.judge.failures import LearnerFault
from grader.judge.job import DEFAULT_SEED
from grader.judge.oracle import programs
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.oracle.gradients import TOLERANCE, finite_difference, gradients
from grader.judge.oracle.programs import Program
from grader.judge.recorder import Recorder
from grader.judge.session import Session

with files_of(load_course()):
    from vocabulary import OPERATIONS, Learner


METHODS = ("tanh v", "relu v", "exp v")  # those that are methods in the reference solution


def drawn(count: int, seed: int, written: tuple[str, ...]) -> Iterator[Program]:
    """Yield `count` programs, from each generator in turn."""
    source, forms = programs.choices(seed, "benchmark"), programs.forms(*written)
    for number in range(count):
        form = forms[number // 4 % len(forms)]
        if number % 4 == 0:
            yield programs.focus("Value", form, source.choice, source.choice, inside=True)[0]
        elif number % 4 == 1:
            yield programs.inside("Value", form, source.choice)
        elif number % 4 == 2:
            yield programs.reuse("Value", form, source.choice)
        else:
            yield programs.graph("Value", forms, source.choice)


@dataclass
class Largest:
    """The largest disagreement so far, and where it occurred."""

    size: float = 0.0
    first: float = 0.0
    second: float = 0.0

    def note(self, size: float, first: float, second: float) -> None:
        """Keep this one if it is larger."""
        if not size <= self.size:  # a NaN counts as the largest
            self.size, self.first, self.second = size, first, second


def compare(count: int, seed: int) -> None:
    tolerances, ulps, derivatives = Largest(), Largest(), 0
    different: set[str] = set()
    for program in drawn(count, seed, (*OPERATIONS, *(f"{name} v" for name in FUNCTIONS))):
        different.add(str(program.steps))
        for node, slope in gradients(program.steps, program.root, list(program.values)).items():
            exact = finite_difference(program.steps, program.root, node)
            derivatives += 1
            tolerances.note(abs(slope - exact) / (TOLERANCE * (1 + abs(exact))), slope, exact)
            ulps.note(abs(slope - exact) / math.ulp(1 + abs(exact)), slope, exact)
    print(
        f"two methods: {count} programs ({len(different)} different), {derivatives} derivatives,"
        " dual numbers against finite differences"
    )
    print(
        f"  largest disagreement: {tolerances.size:.1e} of the tolerance ({tolerances.first!r} and"
        f" {tolerances.second!r})"
    )
    print(
        f"  {ulps.size:.1f} units in the last place of 1 + |right| ({ulps.first!r} and"
        f" {ulps.second!r})"
    )


def judge(count: int, seed: int) -> int:
    course = load_course()
    submission = read_submission(load_course().solutions, course.files)
    session = Session(
        ProcessHost().worker, submission, "engine", course.names("engine.py"), course.modules
    )
    recorder = Recorder(session, seed=seed)
    learner, rejected, numbers = Learner(recorder), 0, 0
    for program in drawn(count, seed, (*OPERATIONS, *METHODS)):
        try:
            learner.check_programs([program])
        except (Mismatch, LearnerFault) as failure:
            rejected += 1
            print(f"  rejected: {failure}\n{recorder.listing_until_last('')}")
        numbers += 2 * len(program.values)
    session.close()
    print(
        f"reference solution: {count} programs in a worker, {numbers} numbers and gradients judged,"
        f" {rejected} programs rejected"
    )
    return rejected


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else DEFAULT_SEED
    compare(count, seed)
    return 1 if judge(count, seed) else 0


if __name__ == "__main__":
    sys.exit(main())
