"""Show a report as one HTML page that fetches nothing and escapes everything from the learner.

The templates escape automatically. `safe` limits the text and spells out characters that a browser
would hide.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from grader.model import CheckResult, Diagnosis, Frame, PhaseResult, Report, Verdict
from grader.text import safe
from grader.views.answer import answer_to
from grader.views.causes import causes
from grader.views.console import GLUE
from grader.views.plain import SIGNS, WORDS, code_line, place
from grader.views.svg import picture
from grader.views.tree import tree


def to_html(report: Report, course: str) -> str:
    """Return the whole page."""
    return page("report.html", course=course, report=as_plain(report, pictures=True))


def page(template: str, **values: Any) -> str:
    """Render a template from `grader/views/pages`."""
    return _ENVIRONMENT.get_template(template).render(**values)


def code(text: str) -> Markup:
    """Return a text with its `code` marked as code."""
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if index % 2 else escape(part)
        for index, part in enumerate(re.split(r"`([^`]*)`", text))
    )


_ENVIRONMENT = Environment(
    loader=PackageLoader("grader.views", "pages"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.filters["code"] = code


def as_plain(report: Report, *, pictures: bool = False) -> dict[str, Any]:
    """Return a report for the templates and the page, in a form that JSON can hold: safe texts,
    readable numbers, and pictures if wanted.
    """
    following = next((phase.id for phase in report.phases if not phase.done), "")
    return {
        "origin": safe(report.origin),
        "version": f"grader {report.version}",
        "seed": report.seed,
        "score": report.score,
        "max_score": report.max_score,
        "counts": _counted(report.checkpoints),
        "next": f"next: {following}" if following else "all of it passes",
        "causes": causes(report),
        "notes": [safe(note) for note in report.notes],
        "isolation": {
            "level": report.isolation.level,
            "name": report.isolation.name,
            "warning": report.isolation.warning,
            "missing": "; ".join(report.isolation.missing),
        },
        "phases": [_phase(phase, pictures=pictures) for phase in report.phases],
    }


def _counted(results: Sequence[CheckResult]) -> str:
    counts = Counter(WORDS[result.verdict] for result in results)
    return ", ".join(
        f"{counts[word]} {word}" for word in dict.fromkeys(WORDS.values()) if counts[word]
    )


def _phase(phase: PhaseResult, *, pictures: bool) -> dict[str, Any]:
    worst = (Verdict.FAILED, Verdict.BLOCKED)  # without a failure, the cause is in another phase
    first = next((r.id for verdict in worst for r in phase.checkpoints if r.verdict is verdict), "")
    return {
        "id": phase.id,
        "title": phase.title,
        "score": phase.score,
        "max_score": phase.max_score,
        "counts": _counted(phase.checkpoints),
        "regression": safe(phase.regression),
        "results": [
            _result(result, is_open=result.id == first, pictures=pictures)
            for result in phase.checkpoints
        ],
    }


def _result(result: CheckResult, *, is_open: bool, pictures: bool) -> dict[str, Any]:
    answer, diagnosis = answer_to(result), result.diagnosis or Diagnosis()
    lines = tree(diagnosis.tree[:40], unicode=True)
    return {
        "id": result.id,
        "title": result.title,
        "verdict": result.verdict.value,
        "sign": SIGNS[result.verdict][0],
        "word": "" if result.verdict is Verdict.PASSED else WORDS[result.verdict],
        "visibility": result.visibility.remark,
        "points": "bonus" if result.bonus else f"{result.earned}/{result.points}",
        "open": is_open,
        "place": _place(answer.place) if answer.place is not None else None,
        "answer": {
            "numbers": [part._asdict() for part in answer.numbers],
            "reason": answer.reason,
            "proof": answer.proof,
            "story": answer.story,
        },
        "picture": picture(diagnosis.tree) if pictures else None,
        "tree": "\n".join(line.plain.replace(GLUE, " ") for line in lines),
        "frames": [code_line(frame) for frame in result.frames if frame != answer.place],
        "reproduce": safe(result.reproduce, 8000),
        "output": safe(result.output, 4000).strip(),
    }


def _place(frame: Frame) -> dict[str, Any]:
    lines = [(number, safe(text), frame.marks(number)) for number, text in frame.excerpt]
    lines = lines or [(frame.line, safe(frame.source), True)]
    return {"at": place(frame), "file": safe(frame.file), "line": frame.line, "lines": lines}
