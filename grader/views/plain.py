"""What is wrong with one checkpoint, in plain text: for reports that show no more than that."""

from __future__ import annotations

from grader.model import CheckResult, Verdict
from grader.text import safe, shown


def message(result: CheckResult) -> str:
    """In a line: what is wrong, or the verdict."""
    told = safe(result.message, 400)
    if result.expected is not None and result.verdict is Verdict.FAILED:
        told += f": expected {shown(result.expected)}, got {shown(result.got)}"
    return told or result.verdict.value.replace("_", " ")


def details(result: CheckResult) -> str:
    """All of it: why, the known mistake, the learner's lines, how to see it."""
    lines = [message(result)]
    if result.diagnosis is not None:
        lines += [
            safe(result.diagnosis.why),
            *(
                f"known mistake: {mistake.title} {mistake.explanation}"
                for mistake in result.diagnosis.misconceptions
            ),
        ]
    lines += [
        f"{safe(frame.file)}, line {frame.line}: {safe(frame.source)}" for frame in result.frames
    ]
    if result.reproduce:
        lines += ["try it:", *(f"  {line}" for line in safe(result.reproduce, 8000).splitlines())]
    return "\n".join(filter(None, lines))
