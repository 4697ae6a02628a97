"""What a command does not do while a learner waits: imports, folders and workers that it can do
without. Times are measured by `benchmarks/start_up.py`.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from support import kit_folder

SOLUTIONS = str(kit_folder("solutions"))


LISTING = (
    "import sys; from grader.cli import app\n"
    "sys.exit = lambda code: print(*sys.modules, sep='\\n', file=sys.stderr)\n"
    "app.main()"
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
    assert {"hypothesis", "mpmath", "jinja2", "numpy"} & {*found} == set()
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
