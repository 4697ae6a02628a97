"""Show a report as JUnit XML, which most services for tests understand.

A phase is a test suite, a checkpoint a test case.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from grader.model import PhaseResult, Report, Verdict
from grader.text import safe
from grader.views.failure import details
from grader.views.plain import message

_ELEMENTS = {
    Verdict.FAILED: "failure",
    Verdict.ERROR: "error",
    Verdict.BLOCKED: "skipped",
    Verdict.NOT_STARTED: "skipped",
}


def to_junit(report: Report) -> str:
    """Return the document.

    Blocked and unstarted checkpoints count as skipped, and so does a bonus that fails.
    """
    root = Element("testsuites", name="grade")
    for phase in report.phases:
        _suite(root, phase)
    indent(root)
    return tostring(root, encoding="unicode", xml_declaration=True)


def _suite(root: Element, phase: PhaseResult) -> None:
    elements = [
        "skipped"
        if result.bonus and result.verdict is Verdict.FAILED
        else _ELEMENTS.get(result.verdict, "")
        for result in phase.checkpoints
    ]
    seconds = sum(result.duration_s for result in phase.checkpoints)
    suite = SubElement(
        root, "testsuite", name=phase.id, tests=str(len(elements)), time=f"{seconds:.3f}"
    )
    for name, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(elements.count(kind)))
    for result, element in zip(phase.checkpoints, elements):
        remark = f" [{result.visibility.remark}]" if result.visibility.remark else ""
        case = SubElement(
            suite,
            "testcase",
            classname=phase.id,
            name=f"{result.id}: {result.title}{remark}",
            time=f"{result.duration_s:.3f}",
        )
        if element:
            why = SubElement(case, element, message=message(result))
            if element != "skipped":
                why.set("type", result.kind.value if result.kind else result.verdict.value)
                why.text = details(result)
        if result.output.strip():
            SubElement(case, "system-out").text = safe(result.output, 4000)
