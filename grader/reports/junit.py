"""A report as JUnit XML, which most services that run tests can show: a test suite for each phase, a test case for each checkpoint."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from grader.model import CheckResult, PhaseResult, Report, Verdict
from grader.reports.text import safe, shown

MAX_OUTPUT = 4000
_ELEMENTS = {Verdict.FAILED: "failure", Verdict.ERROR: "error", Verdict.BLOCKED: "skipped", Verdict.NOT_STARTED: "skipped"}


def to_junit(report: Report) -> str:
    """The document. What is blocked or not started counts as skipped, and so does a bonus that fails."""
    root = Element("testsuites", name="grade")
    for phase in report.phases:
        _suite(root, phase)
    indent(root)
    return tostring(root, encoding="unicode", xml_declaration=True)


def _suite(root: Element, phase: PhaseResult) -> None:
    elements = [_element(result) for result in phase.checkpoints]
    seconds = sum(result.duration_s for result in phase.checkpoints)
    suite = SubElement(root, "testsuite", name=phase.id, tests=str(len(elements)), time=f"{seconds:.3f}")
    for name, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(elements.count(kind)))
    for result, element in zip(phase.checkpoints, elements):
        case = SubElement(suite, "testcase", classname=phase.id, name=_text(f"{result.id}: {result.title}"), time=f"{result.duration_s:.3f}")
        if element:
            told = SubElement(case, element, message=_text(_message(result)))
            if element != "skipped":
                told.set("type", result.kind.value if result.kind else result.verdict.value)
                told.text = _text(_body(result))
        if result.output.strip():
            SubElement(case, "system-out").text = _text(safe(result.output, MAX_OUTPUT))


def _element(result: CheckResult) -> str:
    return "skipped" if result.bonus and result.verdict is Verdict.FAILED else _ELEMENTS.get(result.verdict, "")


def _message(result: CheckResult) -> str:
    told = safe(result.message, 400)
    if result.expected is not None and result.verdict is Verdict.FAILED:
        told += f": expected {shown(result.expected)}, got {shown(result.got)}"
    return told or result.verdict.value.replace("_", " ")


def _body(result: CheckResult) -> str:
    lines = [_message(result)]
    if result.diagnosis is not None:
        lines += [safe(result.diagnosis.why), *(f"known mistake: {mistake.title} {mistake.explanation}" for mistake in result.diagnosis.misconceptions)]
    lines += [f"{safe(frame.file)}, line {frame.line}: {safe(frame.source)}" for frame in result.frames]
    if result.reproduce:
        lines += ["try it:", *(f"  {line}" for line in safe(result.reproduce, 8000).splitlines())]
    return "\n".join(filter(None, lines))


def _text(text: str) -> str:
    """Without what XML cannot hold."""
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?", text)
