"""Show a report as Markdown, as GitHub annotations and as Gradescope's `results.json`.

Text from the learner is put into code or escaped; `safe` breaks up commands to services that read
the log.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from grader.errors import GraderError, SubmissionError
from grader.model import CheckResult, PhaseResult, Report, Verdict
from grader.text import safe
from grader.views.answer import answer_to
from grader.views.causes import HEADING, causes
from grader.views.failure import details
from grader.views.plain import NOT_GRADED, WORDS, dumped

SIGNS = {
    Verdict.PASSED: "✅",
    Verdict.FAILED: "❌",
    Verdict.BLOCKED: "⬜",
    Verdict.NOT_STARTED: "⬜",
    Verdict.ERROR: "⚠️",
}


def to_markdown(report: Report, course: str) -> str:
    """The whole report: a table for each phase, and below it what is wrong."""
    lines = [f"# {_plain(course)}", "", f"**{report.score} of {report.max_score} points**", ""]
    lines += [
        line for cause in causes(report) for line in (f"**Look here first:** {_plain(cause)}", "")
    ]
    for phase in report.phases:
        head = f"## {phase.id} {phase.title}: {phase.score}/{phase.max_score}"
        lines += [head, "", *_phase(phase), ""]
    lines += [f"- {_plain(note)}" for note in report.notes]
    isolation = report.isolation
    level = f"Isolation {isolation.level}: {isolation.name}. {isolation.warning}"
    return "\n".join([*lines, level.strip(), ""])


def _phase(phase: PhaseResult) -> Iterator[str]:
    yield "| | checkpoint | points |"
    yield "|---|---|---|"
    for result in phase.checkpoints:
        points = "bonus" if result.bonus else f"{result.earned}/{result.points}"
        remark = f" ({result.visibility.remark})" if result.visibility.remark else ""
        yield f"| {SIGNS[result.verdict]} | {_plain(result.title)}{remark} | {points} |"
    for result in phase.checkpoints:
        if result.verdict in {Verdict.FAILED, Verdict.ERROR}:
            yield f"\n**{_plain(result.title)}**\n\n{_answer(result)}"


def _answer(result: CheckResult) -> str:
    """Return everything about a result as a code block that nothing in it can end."""
    text = details(result)
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}text\n{text}\n{fence}"


def _plain(text: str) -> str:
    """Escape a text for Markdown, except for `code`."""
    parts = re.split(r"`([^`]*)`", safe(text).replace("\n", " "))
    return "".join(
        f"`{part.replace('|', '¦')}`" if index % 2 else _escaped(part)
        for index, part in enumerate(parts)
    )


def _escaped(text: str) -> str:
    """Escape everything that Markdown, or HTML inside it, would interpret."""
    return re.sub(
        r"([\\*_{}\[\]#|~!])",
        r"\\\1",
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"),
    )


# --- GitHub ---


def to_github(report: Report) -> str:
    """Return annotations for a GitHub log: the points, and an error at the learner's line for each
    failure. If a checkpoint could not be judged, there are no points.
    """
    lines = []
    if report.counts[Verdict.ERROR.value] == 0:
        # GitHub Classroom reads the points from these, which its own reporter writes, too
        score, most = report.score, report.max_score
        points = json.dumps({"totalPoints": score, "maxPoints": most})
        lines = [
            f"::notice title=Autograding complete::Points {score}/{most}",
            f"::notice title=Autograding report::{points}",
        ]
    lines += [
        _annotation(result)
        for result in report.checkpoints
        if result.verdict is Verdict.FAILED and not result.bonus
    ]
    return "\n".join(lines)


def _annotation(result: CheckResult) -> str:
    frame, answer = result.where, answer_to(result)
    where = f"file={_property(frame.file)},line={frame.line}," if frame else ""
    message = " ".join(filter(None, (answer.compared, answer.reason)))
    return f"::error {where}title={_property(result.id)}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(safe(text)).replace(":", "%3A").replace(",", "%2C")


# --- Gradescope ---


def to_gradescope(report: Report) -> str:
    """Return `results.json` with a test for every checkpoint. Gradescope hides hidden ones.

    A bonus earns no points and is listed without any. If a checkpoint could not be judged, leave
    out all scores so that Gradescope gives none.
    """
    is_judged = report.counts[Verdict.ERROR.value] == 0
    tests = [
        _test(phase, result, has_score=is_judged and not result.bonus)
        for phase in report.phases
        for result in phase.checkpoints
    ]
    seed = f"; seed {report.seed}" if report.seed is not None else ""
    output = [
        *([] if is_judged else [NOT_GRADED]),
        *(HEADING + cause for cause in causes(report.revealed())),
        f"isolation {report.isolation.level}: {report.isolation.name}{seed}",
        *map(safe, report.notes),
    ]
    return dumped(
        {
            **({"score": report.score} if is_judged else {}),
            "output": "\n".join(output),
            "output_format": "text",
            "visibility": "visible",
            "stdout_visibility": "hidden",
            "tests": tests,
        }
    )


def error_to_gradescope(error: GraderError) -> str:
    """Return `results.json` if nothing was graded: 0 points if the submission cannot be read, and
    no score if anything else failed.
    """
    document = {"output_format": "text", "stdout_visibility": "hidden"}
    if not isinstance(error, SubmissionError):
        return dumped({**document, "output": NOT_GRADED})
    text = "\n".join(filter(None, (safe(error.message), safe(error.hint))))
    return dumped({**document, "score": 0, "output": text})


def _test(phase: PhaseResult, result: CheckResult, *, has_score: bool) -> dict[str, Any]:
    output = details(result) if result.verdict is not Verdict.PASSED else ""
    entry: dict[str, Any] = {
        "name": f"{phase.title}: {result.title.replace('`', '')}",
        "number": result.id,
        "status": "passed" if result.verdict is Verdict.PASSED else "failed",
        "output": output or WORDS[result.verdict],
        "output_format": "text",
        "visibility": result.visibility.value,
    }
    if has_score:
        entry |= {"score": result.earned, "max_score": result.points}
    return entry
