"""What a command does not do while a learner waits: imports, folders and workers that it can do
without. Times are measured by `benchmarks/start_up.py`.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from grader.boundary.transport import Background
from grader.curriculum.load import load_course
from grader.intake.read import read_submission
from grader.judge.grade import Request, grade_request, select
from grader.judge.job import Job
from grader.judge.plugin import run_suites
from support import kit_folder
from support.fake import OneThing

SOLUTIONS = str(kit_folder("solutions"))


LISTING = (
    "import sys; from grader.cli import app\n"
    "app._leave = lambda code: print(*sys.modules, sep='\\n', file=sys.stderr)\n"
    "app.main(sys.argv[1:])"
)


def imported_by(*words: str) -> list[str]:
    """All modules that `grade` imports with these words, in the order in which it does."""
    return errors_of(LISTING, *words)


def errors_of(code: str, *words: str) -> list[str]:
    """The lines that this code prints as errors."""
    command = [sys.executable, "-c", code, *words]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=True)
    return done.stderr.splitlines()


@pytest.mark.slow
def test_a_phase_that_passes_imports_nothing_for_failures_other_forms_or_options() -> None:
    found = imported_by("phase4", "--at", SOLUTIONS)
    unwanted = {"hypothesis", "mpmath", "jinja2", "numpy"}
    assert unwanted & {*found} == set()
    ours = {name.removeprefix("grader.") for name in found if name.startswith("grader.")}
    elsewhere = {"intake.adapter", "intake.foreign", "learner.progress"}
    assert ours.isdisjoint(elsewhere | {"curriculum.faulty", "judge.explain.diagnose"})


@pytest.mark.slow
def test_every_check_has_a_time_limit_where_a_signal_can_end_it() -> None:
    assert "pytest_timeout" in imported_by("phase1", "--at", SOLUTIONS)
    code = (
        "import sys, threading; from grader import grade\n"
        "threading.Thread(target=grade, args=(sys.argv[1], 'phase1')).start()\n"
        "[t.join() for t in threading.enumerate()[1:]]\n"
        "assert 'pytest' in sys.modules and 'pytest_timeout' not in sys.modules\n"
    )
    assert not errors_of(code, SOLUTIONS)


class Counting(OneThing):
    """A host that counts the checks to run alongside others."""

    begun = 0

    def background(self, check: Callable[[], None]) -> Background:
        self.begun += 1
        return super().background(check)


@pytest.mark.slow
def test_the_long_chain_begins_with_its_suite_but_not_if_nobody_asks_for_it() -> None:
    course, host = load_course(), Counting()
    report = grade_request(SOLUTIONS, Request(course, select(course, ["phase4"]), host=host))
    assert host.begun == 1
    assert report.phases[0].done
    job = Job(course, read_submission(SOLUTIONS, course.files), host)
    run_suites(job, [course.stage("phase4")], only=["phase4.order", "phase4.seed"])
    assert host.begun == 1
