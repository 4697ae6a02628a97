"""The bench of misbehaving submissions: each a table in `tests/golden/misbehaving/GROUP.toml`,
graded at the levels of isolation that this machine offers.

    title         what the table in docs/security.md says
    trick         what is put behind an engine
    channel       true: the trick has `send`, `requests` and `replies`, the worker's own pipes
    engine        that engine: `faulty` (`faulty.py`, unless told), `correct` (the solution),
    `differences` (`differences.py`), or `none`
    source, make  the file's text where there is no engine; how the file is made where that is the
    trick
    phases        what is graded (phase 2 unless told)
    allowed       what may become of a checkpoint: "verdict" or "verdict kind", or "refused" (any
    verdict but `error` unless told)
    some_fail     true: at least one must not pass
    holds         the lowest level at which no harm is done (0 unless told; 4: none does). A trick
    whose harm works prints HARM
    sometimes     true: below that level the harm may be prevented by the machine
    lowest        the lowest level at which it is safe to try
    seconds       how much processor time it may take at most
    grader        the row that it stands for in the table about well-known graders there

For every faulty engine: nothing passes that does not pass without the trick. Below `holds` the harm
is asserted as well, so that the table is what really happens. `UPDATE=1` writes it into
docs/security.md, `ALL_LEVELS=1` leaves no level out.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

import pytest

from grader import Report
from grader.boundary import landlock, seccomp
from grader.boundary.isolation import MOST
from grader.errors import SubmissionError
from grader.judge import session as session_module
from grader.model import Verdict
from support import ROOT, attacks, nobody
from support.golden import Case
from support.grading import grade
from support.misbehaving import CASES, HERE, PHASE, make

pytestmark = pytest.mark.slow

PAGE = ROOT / "docs" / "security.md"
GROUPS = {
    "accidents": "Accidents",
    "tampering": "Tampering",
    "leaks": "Leaks",
    "exhaustion": "Exhaustion",
    "malformed": "Malformed input",
    "harmless": "Correct engines with harmless oddities",
}
BUSY = 4  # as in test_submissions
NO_LEVEL = MOST + 1
LONG = 8
SANDBOX = landlock.abi() > 0 and seccomp.machine() is not None


def levels(case: Case) -> list[int]:
    """The levels at which something changes, and the best; where nothing changes and it takes long,
    only the best without root.
    """
    best = 2 if SANDBOX else 1
    if nobody.AM_ROOT and SANDBOX:
        best = MOST
    if case["holds"] == NO_LEVEL or os.environ.get("ALL_LEVELS"):
        return list(range(case["lowest"], best + 1))
    if not case["holds"] and case["seconds"] >= LONG:
        return [min(best, 2)]
    wanted = {max(case["holds"] - 1, case["lowest"]), max(case["holds"], case["lowest"]), best}
    return sorted(level for level in wanted if level <= best)


@cache
def honest() -> frozenset[str]:
    """What the faulty engine passes without any trick."""
    report = grade(HERE / "faulty.py", [PHASE], isolation=0)
    passed = frozenset(
        result.id for result in report.checkpoints if result.verdict is Verdict.PASSED
    )
    assert len(passed) < len(report.checkpoints) / 2
    return passed


@pytest.mark.skipif(os.name != "posix", reason="links, pipes and processes")
@pytest.mark.parametrize(
    ("name", "level"),
    [
        pytest.param(name, level, marks=[pytest.mark.needs_root] if level == MOST else [])
        for name, case in CASES.items()
        for level in levels(case)
    ],
)
def test_a_misbehaving_submission_gets_the_right_verdicts(
    name: str, level: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = CASES[name]
    if case["seconds"] >= LONG:  # what evades the worker's own deadline need not wait as long
        monkeypatch.setattr(session_module, "PATIENCE", 0.5)
    folder = make(name, tmp_path)
    begun, before, others = sum(os.times()[:4]), sorted(folder.iterdir()), _children()
    try:
        report = grade(folder, case["phases"], isolation=level)
    except SubmissionError:
        if case["allowed"] != ["refused"]:
            raise
        return
    problems = [*_wrong(case, report), *_harm(case, report)]
    if (seconds := sum(os.times()[:4]) - begun) > BUSY * case["seconds"]:
        problems.append(f"it took {seconds:.1f} s of processor time; {case['seconds']} are allowed")
    if sorted(folder.iterdir()) != before:
        problems.append("it left a file behind")
    if left := _children() - others:
        problems.append(f"processes are left: {', '.join(sorted(left))}")
    if "grader" in case and level == MOST:
        told, outcome = rows_of_graders()[case["grader"]], _outcome(case, report)
        if told != outcome:
            problems.append(f"docs/security.md says {told!r} beside other graders: it is {outcome}")
    assert not problems, "\n".join([case["title"], *problems])


def _wrong(case: Case, report: Report) -> list[str]:
    """Verdicts that this may not get, and points that nobody earned."""
    problems = []
    for result in report.checkpoints:
        got = f"{result.verdict.value} {result.kind.value if result.kind else ''}".strip()
        if not any(got == allowed or got.startswith(f"{allowed} ") for allowed in case["allowed"]):
            problems.append(f"{result.id}: {got}: {result.message[:300]}")
        if (
            case["engine"] == "faulty"
            and result.verdict is Verdict.PASSED
            and result.id not in honest()
        ):
            problems.append(f"{result.id}: a faulty engine passes")
        if result.verdict is Verdict.ERROR:
            problems.append(f"{result.id}: the grader blames itself: {result.message}")
    if (case["engine"] == "faulty" or case.get("some_fail")) and report.exit_code == 0:
        problems.append("everything passes")
    return problems


def _harm(case: Case, report: Report) -> list[str]:
    """Harm that was done where it should be prevented, and prevented where the page says that it is
    not.
    """
    level = report.isolation.level
    done = any("HARM" in result.output for result in report.checkpoints)
    if done and level >= case["holds"]:
        return [f"at level {level} it did harm"]
    if not done and case["lowest"] <= level < case["holds"] and not case.get("sometimes"):
        return [f"at level {level} it did none: does the trick still work?"]
    return []


def _children() -> set[str]:
    """Our processes that are there, dead or alive, but for the one that forks the workers."""
    return {
        child
        for file in Path("/proc/self/task").glob("*/children")
        for child in file.read_text().split()
        if b"import parent" not in Path(f"/proc/{child}/cmdline").read_bytes()
    }


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, case in CASES.items()
        if case["engine"] == "none" and case["allowed"] == ["refused"]
    ],
)
def test_a_refusal_says_why_and_what_to_do(name: str, tmp_path: Path) -> None:
    with pytest.raises(SubmissionError) as refused:
        grade(make(name, tmp_path), [PHASE])
    assert "engine.py" in refused.value.message
    assert refused.value.hint


def test_every_group_has_a_case() -> None:
    assert len(CASES) >= 130
    for group in GROUPS:
        assert sum(case["theme"] == group for case in CASES.values()) >= 10, group
    for name, case in CASES.items():
        if case["theme"] == "harmless":
            assert (case["engine"], case["allowed"], case["holds"]) == ("correct", ["passed"], 0), (
                name
            )


# --- what docs/security.md shows ---


def _which_level_stops_what() -> str:
    lines = ["| What a submission does | 0 | 1 | 2 | 3 |", "|---|---|---|---|---|"]
    for group, title in GROUPS.items():
        lines.append(f"| **{title}** | | | | |")
        cases = [case for case in CASES.values() if case["theme"] == group]
        lines += [
            f"| {case['title']} | {' | '.join(_sign(case, level) for level in range(NO_LEVEL))} |"
            for case in cases
        ]
    return "\n".join([*lines, "", f"{len(CASES)} submissions in all."])


def _sign(case: Case, level: int) -> str:
    if level >= case["holds"]:
        return "held"
    if level < case["lowest"]:
        return "not tried"
    return "depends" if case.get("sometimes") else "**not held**"


def rows_of_graders() -> dict[str, str]:
    """What docs/security.md says that this kit gives, for each trick that others were tried on."""
    text = PAGE.read_text(encoding="utf-8").partition("<!-- well-known graders -->")[2]
    rows = re.findall(r"^\| (.*?) \|.* \| (.*?) \|$", text, re.MULTILINE)
    return dict(rows)


def _outcome(case: Case, report: Report) -> str:
    read_it = any("HARM" in result.output for result in report.checkpoints)
    asked = "source read" in case["grader"]
    return f"{report.score} of {report.max_score}" + (
        ", the suite read" if read_it else ", not read" if asked else ""
    )


def test_every_trick_that_other_graders_were_tried_on_is_a_case() -> None:
    _head, alone, *tricks = rows_of_graders()
    assert {*tricks} == {case["grader"] for case in CASES.values() if "grader" in case}
    report = grade(HERE / "faulty.py", [PHASE])
    assert rows_of_graders()[alone] == f"{report.score} of {report.max_score}"


def test_the_page_says_how_many_attacks_are_tried() -> None:
    assert f"tries {len(attacks.NAMES)} ways out" in PAGE.read_text(encoding="utf-8")


@pytest.mark.skipif(not SANDBOX, reason="the page shows what Linux gives")
def test_the_page_shows_which_level_stops_what() -> None:
    page = PAGE.read_text(encoding="utf-8")
    place = re.compile(r"(<!-- which level stops what -->\n).*?(<!-- end -->)", re.DOTALL)
    table = _which_level_stops_what()
    written = place.sub(lambda found: found[1] + table + "\n" + found[2], page)
    if os.environ.get("UPDATE"):
        PAGE.write_text(written, encoding="utf-8")
        return
    assert page == written, "run UPDATE=1 python -m pytest tests/golden/test_misbehaving.py -k page"
