"""Reports for browsers and for services: right, complete, and safe whatever the learner's code
prints.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from grader.model import Diagnosis, Misconception, Report, Verdict
from grader.views.html import to_html
from grader.views.json import from_json, to_json
from grader.views.junit import to_junit
from grader.views.markdown import to_github, to_gradescope, to_markdown
from grader.views.prairielearn import to_prairielearn
from support import ROOT, changed, hand_in, tells, there
from support.grading import grade, printed

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>]]>\x1b[31m\u202e::error::"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Of an engine that is half right, and prints what it should not."""
    begins = "    def __mul__(self, other):\n"
    source = changed(
        (begins, f"{begins}        print({EVIL!r})\n"),
        ("return self + (-other)", f"raise ValueError({EVIL!r})"),
    )
    return grade(hand_in(tmp_path_factory.mktemp("evil" * 20), source), ["1-3"])


def test_a_report_of_the_current_folder_does_not_show_its_path(report: Report) -> None:
    here, there = (to_html(replace(report, origin=one), "A course") for one in (".", "somewhere"))
    assert (">.<" in here, 'class="soft">somewhere<' in there) == (False, True)
    assert "<title>A course</title>" in here


def test_a_page_shows_every_checkpoint_and_nothing_that_runs(report: Report) -> None:
    text = to_html(report, "A course")
    assert len(re.findall("<details", text)) == len(report.checkpoints)
    runs = r"<(script|img|iframe|object|link)\b|<[^>]*\s(on\w+|href|src)="
    assert not re.search(rf"{runs}|https?://|[\x1b\u202e]", text)
    assert "&lt;script&gt;" in text


def test_a_page_opens_the_first_failure_or_else_what_is_blocked_first(report: Report) -> None:
    phase = report.phases[2]
    blocked = phase.checkpoints[-2:]
    others = [replace(result, verdict=Verdict.BLOCKED) for result in blocked]
    for page, wanted in (
        (phase, next(r.id for r in phase.checkpoints if r.verdict is Verdict.FAILED)),
        (replace(phase, checkpoints=(*phase.checkpoints[:1], *others)), blocked[0].id),
    ):
        text = to_html(replace(report, phases=(page,)), "a course")
        assert re.findall(r'data-id="([\w.-]+)" open', text) == [wanted]


def test_junit_has_a_case_for_each_checkpoint(report: Report) -> None:
    root, counts = ET.fromstring(to_junit(report)), report.counts
    found = {tag: len(root.findall(f".//{tag}")) for tag in ("testcase", "failure", "skipped")}
    assert found == {
        "testcase": len(report.checkpoints),
        "failure": counts["failed"],
        "skipped": counts["blocked"] + counts["not_started"],
    }
    for key, tag in (("tests", "testcase"), ("failures", "failure")):
        assert sum(int(suite.get(key, "")) for suite in root.findall("testsuite")) == found[tag]


@pytest.mark.slow
def test_junit_is_valid_for_every_verdict(report: Report) -> None:
    xmlschema = pytest.importorskip("xmlschema", reason="xmlschema is not installed")
    schema = xmlschema.XMLSchema(str(ROOT / "tests" / "support" / "schemas" / "junit-10.xsd"))
    texts = {verdict: to_junit(_with(report, verdict)) for verdict in Verdict}
    for text in (to_junit(report), *texts.values()):
        schema.validate(text)
    assert len(ET.fromstring(texts[Verdict.ERROR]).findall(".//error")) == len(report.checkpoints)
    assert not schema.is_valid(
        to_junit(report).replace("<failure", "<fault").replace("</failure", "</fault")
    )
    assert not schema.is_valid(to_junit(report).replace(' tests="', ' count="'))


def _with(report: Report, verdict: Verdict) -> Report:
    """As if everything had ended so."""
    phases = tuple(
        replace(
            phase,
            checkpoints=tuple(replace(result, verdict=verdict) for result in phase.checkpoints),
        )
        for phase in report.phases
    )
    return replace(report, phases=phases)


def test_annotations_stand_on_lines_of_their_own_and_break_out_of_nothing(report: Report) -> None:
    complete, points, *lines = to_github(report).splitlines()
    assert complete == f"::notice title=Autograding complete::Points {report.score}/36"
    assert json.loads(points.removeprefix("::notice title=Autograding report::")) == {
        "totalPoints": report.score,
        "maxPoints": 36,
    }
    assert len(lines) == report.counts["failed"]
    assert all(line.startswith("::error ") and line.count("::error") == 1 for line in lines)


def test_every_view_names_the_line_to_blame_and_makes_it_harmless(report: Report) -> None:
    failed = next(result for result in report.checkpoints if result.verdict is Verdict.FAILED)
    where = there(failed.where)
    assert where.function == "__sub__"
    line = f"{where.file}:{where.line}"
    for text in (to_html(report, "A course"), to_markdown(report, "A course"), to_junit(report)):
        tells(text, line, hides=["\x1b"])
    assert f"line={where.line}," in to_github(report)
    read = {result.id: result.where for result in from_json(to_json(report)).checkpoints}
    assert [where and where.line for where in read.values()] == [
        result.where and result.where.line for result in report.checkpoints
    ]


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_only_code_and_places_are_wider_than_the_terminal(report: Report, columns: int) -> None:
    wide = [line for line in printed(report, columns).splitlines() if len(line) > columns]
    assert all(re.match(r" {6}|  /.*\.py:\d+, in \w+$", line) for line in wide)


def test_markdown_shows_code_as_code(report: Report) -> None:
    text = to_markdown(report, "A course")
    assert "<script" not in re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)
    assert "\x1b" not in text
    assert text.count("```") % 2 == 0


def test_no_score_is_posted_if_a_checkpoint_could_not_be_judged(report: Report) -> None:
    first, *others = report.phases
    unknown = replace(first.checkpoints[0], verdict=Verdict.ERROR, message="no memory")
    phase = replace(first, checkpoints=(unknown, *first.checkpoints[1:]))
    failed = replace(report, phases=(phase, *others))
    results = json.loads(to_gradescope(failed))
    assert not [one for one in (results, *results["tests"]) if "score" in one]
    assert results["output"].startswith("This could not be graded, but it is not your fault.")
    assert "Points" not in to_github(failed)
    found = json.loads(to_prairielearn(failed))
    assert (found["gradable"], "not your fault" in found["format_errors"][-1]) == (False, True)
    assert json.loads(to_prairielearn(report))["gradable"]


@pytest.mark.parametrize(
    "view",
    [
        printed,
        lambda report: to_html(report, "A course"),
        to_json,
        lambda report: to_markdown(report, "A course"),
        to_github,
    ],
    ids=["terminal", "html", "json", "markdown", "github"],
)
def test_a_mistake_that_is_sure_is_shown_without_its_reason_in_every_view(
    report: Report, view: Callable[[Report], str]
) -> None:
    sure = Misconception("phase2.x", "A title.", "An explanation.")
    found = Diagnosis("The reason.", "+", misconceptions=(sure,))
    phase = report.phases[1]
    failed = replace(
        phase.checkpoints[0], verdict=Verdict.FAILED, got=1.0, expected=2.0, diagnosis=found
    )
    text = view(replace(report, phases=(replace(phase, checkpoints=(failed,)),)))
    assert "The reason" not in text
