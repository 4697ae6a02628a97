"""What a report claims beside its verdicts: lines to try that are true, a blocked checkpoint's
reason, state that is kept.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.authoring.listings import false_lines
from grader.intake.submission import File
from grader.judge.verdicts import PYTHON, not_loaded
from grader.model import CheckResult, Fault, Frame, Kind, Verdict
from support import changed, hand_in
from support.grading import COURSE, check

pytestmark = pytest.mark.slow

ENGINE = File(
    "engine",
    "engine.py",
    b"class Value:\n    def __init__(self, data):\n        self.data = data\n",
)


@pytest.mark.parametrize(
    ("listing", "is_true"),
    [
        ("from engine import Value\nprint(Value(2.0).data)  # gives 2.0, should give 3.0", True),
        ("from engine import Value\nprint(Value(2.0).data)  # gives 5.0, should give 3.0", False),
        ("from engine import Value\nprint(Value(2.0).data)  # gives 2.0, should give 2.0", False),
        (
            (
                "from engine import Value\n"
                "print(Value(2.0).data)  # gives 2.0, as it should; after other scripts it gave 3.0"
            ),
            True,
        ),
        (
            "from engine import Value\nprint(Value(0.1 + 0.2).data)  # gives 0.3, should give 1.0",
            True,
        ),
        (
            (
                "from engine import Value\n"
                "Value()  # raises TypeError: Value.__init__() missing 1 required positional "
                "argument"
            ),
            True,
        ),
        (
            (
                "from engine import Value\n"
                "Value(1.0)  # raises TypeError: Value.__init__() missing 1 required positional "
                "argument"
            ),
            False,
        ),
        (
            "from engine import Value\nprint(Value(1.0).grad)  # should be a number, is NoneType",
            False,
        ),
    ],
)
def test_a_line_to_try_that_is_false_is_found(listing: str, *, is_true: bool) -> None:
    result = CheckResult(Verdict.FAILED, id="phase1.data", title="", points=1, reproduce=listing)
    assert (not [*false_lines([result], [ENGINE])]) is is_true


def test_a_file_that_cannot_be_imported_says_which_line_of_which_file() -> None:
    stage = next(stage for stage in COURSE.stages if stage.file == "train.py")
    lines = (Frame("train.py", 51, "<module>"), Frame("nn.py", 9, "f"), Frame("engine.py", 83, "g"))
    fault = Fault(Kind.RAISED, "ValueError", message="no", frames=lines)
    found = not_loaded(stage, fault, "", notebook=False).ending
    assert found.message.startswith(
        "importing train.py raises ValueError: no in engine.py, line 83"
    )
    assert found.frames == lines


def test_a_syntax_error_names_the_python_that_grades() -> None:
    fault = Fault(Kind.SYNTAX, message="invalid", frames=(Frame("engine.py", 7, "", "def f(:"),))
    told = not_loaded(COURSE.stages[0], fault, "", notebook=False).ending.message
    assert told == f"engine.py is not valid Python in line 7: invalid (Python {PYTHON})"


DEAF = "signal.signal(signal.SIGUSR1, signal.SIG_IGN); signal.setitimer(signal.ITIMER_PROF, 0)"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("sys.exit(3)", "ended: 3"),
        ("os._exit(3)", "ended: the code exited the whole interpreter (exit code 3)"),
        (f"{DEAF}; time.sleep(60)", "this does not end: no answer within "),
    ],
)
def test_code_that_ends_the_program_or_hears_no_deadline_is_told_so(
    tmp_path: Path, line: str, message: str
) -> None:
    begins = "    def __add__(self, other):\n"
    does = f"{begins}        import os, signal, sys, time\n        {line}\n"
    found = check(hand_in(tmp_path, changed((begins, does))), "phase2.forward")
    assert found.message.startswith(message)
