"""Write a report in the format of PrairieLearn's external graders, `results.json`.

It has a score from 0 to 1 and a test for each checkpoint.
"""

from __future__ import annotations

from grader.model import CheckResult, Kind, Report, Verdict, Visibility
from grader.text import safe
from grader.views.failure import details
from grader.views.plain import NOT_GRADED, dumped, message


def to_prairielearn(report: Report, most: Visibility = Visibility.VISIBLE) -> str:
    """Return the document. Every checkpoint counts; the tests are those visible up to `most`.

    Code that is not valid Python, or that could not be judged, is not gradable, so it costs no
    attempt.
    """
    shown = report.revealed(most)
    invalid = list(
        dict.fromkeys(message(result) for result in shown.checkpoints if result.kind is Kind.SYNTAX)
    )
    if report.counts[Verdict.ERROR.value]:  # even if learners do not see which
        invalid.append(NOT_GRADED)
    return dumped(
        {
            "gradable": not invalid,
            "format_errors": invalid,
            "score": report.score / report.max_score if report.max_score else 0.0,
            "output": "\n".join(safe(note) for note in shown.notes),
            "tests": [_test(result) for result in shown.checkpoints],
        }
    )


def _test(result: CheckResult) -> dict[str, object]:
    """Return a test. A bonus has no points, because it earns none."""
    return {
        "name": result.title.replace("`", ""),
        "description": result.id,
        "points": result.earned,
        "max_points": result.points,
        "message": "" if result.verdict is Verdict.PASSED else message(result),
        "output": details(result) if result.verdict in {Verdict.FAILED, Verdict.ERROR} else "",
    }
