"""What many checkpoints share is said once, before everything else."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from grader.model import PhaseResult, Visibility
from grader.views.causes import causes
from grader.views.html import to_html
from grader.views.json import from_json, to_json
from grader.views.markdown import to_gradescope, to_markdown
from support import changed, hand_in
from support.grading import grade, printed

SOLUTION = changed()
EQUAL = SOLUTION.replace(
    "    def __repr__", "    def __eq__(self, other):\n        return True\n\n    def __repr__", 1
)
EQUAL_SAYS = "TypeError: unhashable type: 'Value'.*class that defines `__eq__` but not `__hash__`"


@pytest.mark.slow
@pytest.mark.parametrize("isolate", [False, True])
@pytest.mark.parametrize(
    ("source", "together", "isolated"),
    [
        (EQUAL, EQUAL_SAYS, EQUAL_SAYS),
        (re.sub(r"\.grad\b", ".gradient", SOLUTION), "", ""),  # the one that fails says so
        (re.sub(r"\bValue\b", "value", SOLUTION), "", ""),  # each phase says so itself
        (SOLUTION.replace("        self.data = data", "        while True: pass", 1), "", ""),
        (SOLUTION, "", ""),
        ("class Value(:", "", ""),
    ],
    ids=["eq", "gradient", "value", "endless", "right", "syntax"],
)
def test_one_slip_behind_many_failures_is_said_once(
    tmp_path: Path, source: str, together: str, isolated: str, isolate: bool
) -> None:
    report = grade(hand_in(tmp_path, source), ["1-4"], isolate=isolate)
    pattern, found = isolated if isolate else together, causes(report)
    assert bool(found) == bool(pattern)
    assert re.search(pattern, " ".join(found))


def _hidden(phase: PhaseResult) -> PhaseResult:
    results = (replace(one, visibility=Visibility.HIDDEN) for one in phase.checkpoints)
    return replace(phase, checkpoints=tuple(results))


@pytest.mark.slow
def test_every_form_of_a_report_begins_with_the_cause(tmp_path: Path) -> None:
    report = grade(hand_in(tmp_path, EQUAL), ["1-4"], isolate=True)
    (cause,) = causes(report)
    failing = [one for one in report.checkpoints if "unhashable" in one.message]
    assert cause.startswith(f"{len(failing)} checkpoints end in TypeError: unhashable")
    forms = [
        printed(report, 200, verbose=True),
        to_html(report, "x"),
        to_markdown(report, "x"),
        json.loads(to_gradescope(report))["output"],
    ]
    for form in forms:
        assert re.search(r"look here first:.*checkpoints end in", form, re.IGNORECASE)
        assert "phase1" not in form[: form.lower().index("look here first")]
    hidden = replace(report, phases=tuple(map(_hidden, report.phases)))
    assert "look here" not in json.loads(to_gradescope(hidden))["output"]
    assert json.loads(to_json(report))["causes"] == causes(from_json(to_json(report))) == [cause]


@pytest.mark.slow
def test_a_failure_with_a_proof_comes_before_what_it_causes(tmp_path: Path) -> None:
    folder = hand_in(tmp_path, SOLUTION.replace("        return topo\n", ""))
    report = grade(folder, "phase4", prove=1)
    assert "NoneType" in causes(report)[0]
    (failure,) = re.findall(r"build_topo\(\) lists(?:.+\n)+", printed(report))
    assert "build_topo returns nothing" in failure or "build_topo has no return" in failure
