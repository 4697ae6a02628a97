"""A report as Markdown, and what GitHub and Gradescope make of it: annotations, a step summary,
`results.json`.

Text of the learner's stands in code, or is escaped; commands to a service that reads its log are
broken by `safe`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from grader.model import CheckResult, PhaseResult, Report, Verdict
from grader.text import safe, shown

SIGNS = {
    Verdict.PASSED: "✅",
    Verdict.FAILED: "❌",
    Verdict.BLOCKED: "⛔",
    Verdict.NOT_STARTED: "⬜",
    Verdict.ERROR: "⚠️",
}
MAX_OUTPUT = 2000


def to_markdown(report: Report, course: str) -> str:
    """The whole report: a table for each phase, and below it what is wrong."""
    lines = [f"# {_plain(course)}", "", f"**{report.score} of {report.max_score} points**", ""]
    for phase in report.phases:
        lines += [
            f"## {phase.id} {phase.title}: {phase.score}/{phase.max_score}",
            "",
            *_phase(phase),
            "",
        ]
    lines += [f"- {_plain(note)}" for note in report.notes]
    return "\n".join(
        [
            *lines,
            f"Isolation {report.isolation.level}: {report.isolation.name}. {report.isolation.warning}".strip(),  # noqa: E501
            "",
        ]
    )


def _phase(phase: PhaseResult) -> Iterator[str]:
    yield "| | checkpoint | points |"
    yield "|---|---|---|"
    for result in phase.checkpoints:
        points = "bonus" if result.bonus else f"{result.earned}/{result.points}"
        told = f" ({result.visibility.told})" if result.visibility.told else ""
        yield f"| {SIGNS[result.verdict]} | {_plain(result.title)}{told} | {points} |"
    for result in phase.checkpoints:
        if result.verdict in {Verdict.FAILED, Verdict.ERROR}:
            yield ""
            yield f"**{_plain(result.title)}**"
            yield ""
            yield from details(result)


def details(result: CheckResult) -> Iterator[str]:
    """What is wrong with one checkpoint, why, and how to see it."""
    if result.message:
        yield _plain(result.message)
    if result.verdict is Verdict.FAILED and result.expected is not None:
        yield f"\nexpected `{_code(shown(result.expected))}`, got `{_code(shown(result.got))}`"
    if result.diagnosis is not None and result.diagnosis.why:
        yield f"\n→ {_plain(result.diagnosis.why)}"
    for mistake in result.diagnosis.misconceptions if result.diagnosis else ():
        yield f"\nKnown mistake: {_plain(mistake.title)} {_plain(mistake.explanation)}"
    for frame in result.frames[-3:]:
        yield f"\n`{_code(safe(frame.file))}`, line {frame.line}: `{_code(safe(frame.source))}`"
    if result.reproduce:
        yield from _fenced(safe(result.reproduce, 8000), "python")
    if result.output.strip():
        yield "\nYour code printed:"
        yield from _fenced(safe(result.output, MAX_OUTPUT).strip(), "text")


def _fenced(text: str, language: str) -> Iterator[str]:
    """A block that nothing in the text can end."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    yield f"\n{fence}{language}\n{text}\n{fence}"


def _plain(text: str) -> str:
    """Text in which `code` stays code, and nothing else means anything to Markdown."""
    parts = re.split(r"`([^`]*)`", safe(text).replace("\n", " "))
    return "".join(
        f"`{_code(part)}`" if index % 2 else _escaped(part) for index, part in enumerate(parts)
    )


def _escaped(text: str) -> str:
    """Without meaning to Markdown, nor to the HTML that may stand in it."""
    return re.sub(
        r"([\\*_{}\[\]#|~!])",
        r"\\\1",
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"),
    )


def _code(text: str) -> str:
    return text.replace("`", "'").replace("|", "¦").replace("\n", " ")


# --- GitHub ---


def to_github(report: Report) -> str:
    """Annotations for a GitHub workflow's log: an error at the learner's line for each checkpoint
    that fails.
    """
    return "\n".join(
        _annotation(result)
        for result in report.checkpoints
        if result.verdict is Verdict.FAILED and result.counts
    )


def _annotation(result: CheckResult) -> str:
    place = result.frames[-1] if result.frames else None
    where = f"file={_property(place.file)},line={place.line}," if place else ""
    told = [safe(result.message)]
    if result.expected is not None:
        told.append(f"expected {shown(result.expected)}, got {shown(result.got)}")
    if result.diagnosis is not None:
        told.append(safe(result.diagnosis.why))
    message = "; ".join(filter(None, told))
    return f"::error {where}title={_property(result.id)}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(safe(text)).replace(":", "%3A").replace(",", "%2C")


# --- Gradescope ---


def to_gradescope(report: Report) -> str:
    """`results.json`: a test for each checkpoint, all of them: Gradescope shows what is visible.
    What earns no points, a bonus, is told without any.
    """
    tests = [_test(phase, result) for phase in report.phases for result in phase.checkpoints]
    seed = f"; seed {report.seed}" if report.seed is not None else ""
    document: dict[str, Any] = {
        "score": report.score,
        "output": f"isolation {report.isolation.level}: {report.isolation.name}{seed}",
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
    }
    if report.notes:
        document["output"] += "\n" + "\n".join(safe(note) for note in report.notes)
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def _test(phase: PhaseResult, result: CheckResult) -> dict[str, Any]:
    told = "\n".join(details(result)) if result.verdict is not Verdict.PASSED else ""
    entry: dict[str, Any] = {
        "name": f"{phase.title}: {result.title.replace('`', '')}",
        "number": result.id,
        "status": "passed" if result.verdict is Verdict.PASSED else "failed",
        "output": told or result.verdict.value.replace("_", " "),
        "output_format": "md",
        "visibility": result.visibility.value,
    }
    if not result.bonus:
        entry |= {"score": result.earned, "max_score": result.points}
    return entry
