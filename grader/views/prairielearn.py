"""A report as PrairieLearn's external graders leave it: `results.json`, a score from 0 to 1, a test
for each checkpoint.
"""

from __future__ import annotations

import json

from grader.model import CheckResult, Kind, Report, Verdict, Visibility
from grader.text import safe
from grader.views.plain import details, message


def to_prairielearn(report: Report, most: Visibility = Visibility.VISIBLE) -> str:
    """Everything counts; the tests are those that learners see, up to `most`. What is no Python
    costs no attempt: it is not gradable.
    """
    shown = report.revealed(most)
    invalid = list(
        dict.fromkeys(message(result) for result in shown.checkpoints if result.kind is Kind.SYNTAX)
    )
    document = {
        "gradable": not invalid,
        "format_errors": invalid,
        "score": report.score / report.max_score if report.max_score else 0.0,
        "output": "\n".join(safe(note) for note in shown.notes),
        "tests": [_test(result) for result in shown.checkpoints],
    }
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def _test(result: CheckResult) -> dict[str, object]:
    """A bonus has no points, which is as many as it earns."""
    return {
        "name": result.title.replace("`", ""),
        "description": result.id,
        "points": result.earned,
        "max_points": result.points,
        "message": "" if result.verdict is Verdict.PASSED else message(result),
        "output": details(result) if result.verdict in {Verdict.FAILED, Verdict.ERROR} else "",
    }
