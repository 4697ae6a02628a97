"""What a learner's text can do to a terminal, and to a service that reads its own log: nothing."""

from __future__ import annotations

import json
import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.conditions import Isolation
from grader.model import CheckResult, Frame, Kind, PhaseResult, Report, Verdict
from grader.text import safe, shown
from grader.views.console import code_text
from grader.views.json import to_json
from support.grading import printed

COMMANDS = [
    "error",
    "warning",
    "notice",
    "debug",
    "group",
    "endgroup",
    "add-mask",
    "set-output",
    "save-state",
    "stop-commands",
    "echo",
]
BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"


def obeyed(log: str) -> list[str]:
    """The lines that GitHub's runner takes for commands (its ActionCommand.cs), and those of Azure
    and TeamCity.
    """
    known = rf"\s*::({'|'.join(COMMANDS)})( .*)?::|.*##(vso|teamcity)?\["
    return [line for line in re.split(r"[\n\r]", log) if re.match(known, line, re.IGNORECASE)]


def dangerous(text: str) -> list[str]:
    """The characters that a terminal obeys, or shows in another order or not at all."""
    return [
        c for c in text if c != "\n" and unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    ]


def harmless(*texts: str) -> None:
    """Fail if a service or a terminal obeys one of these texts."""
    assert [text for text in texts if obeyed(text) or dangerous(text)] == []


# Text made of what matters: the pieces of commands and what may stand between them, and any
# character at all.
pieces = st.sampled_from(
    [
        *COMMANDS,
        ":",
        "::",
        "#",
        "##",
        "[",
        "]",
        "`",
        " ",
        "\t",
        "\n",
        "\r",
        "\x1b",
        "vso",
        "teamcity",
        "x",
        "\u3000",
        "\x85",
    ]
)
texts = st.lists(pieces | st.characters(), max_size=30).map("".join)


def report(text: str) -> Report:
    """One in which every text that can be a learner's is this one."""
    frames = (Frame(text, 3, text, text),)
    failed = CheckResult(
        Verdict.FAILED,
        id="a.b",
        title="a title",
        points=2,
        kind=Kind.RAISED,
        message=text,
        expected="x",
        got=text,
        reproduce=text,
        frames=frames,
        output=text,
    )
    blocked = CheckResult(
        Verdict.BLOCKED, id="a.c", title="another", points=2, message=text, blocked_by="a.b"
    )
    passed = CheckResult(Verdict.PASSED, id="a.d", title="a third", points=2, output=text)
    phase = PhaseResult("a", "A phase", (failed, blocked, passed), regression=text)
    return Report("1", 20, Isolation(2), text, "0", (phase,), (text,))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_broken_so_that_it_can_still_be_read(name: str) -> None:
    assert safe(f"::{name} file=x::hello") == f": :{name} file=x: :hello"
    assert safe(f"it says ##[{name}]hello") == f"it says # #[{name}]hello"


def test_text_that_is_not_a_command_stays_unchanged() -> None:
    for text in ("topo[::-1]", "x[a:b]", "## a heading", "a[::2]", "lambda: [x]", "::", "#[x]"):
        assert safe(text) == text


@pytest.mark.slow
@given(texts)
@example("`:`:error:: x")
@example("#`#`[error]")
@example(":::error:: x")
@example("###[error]")
@example("::\x00error:: x")
@example("##v`s`o[task.complete]")
def test_no_text_acts_as_a_command(text: str) -> None:
    harmless(safe(text), shown(text), code_text(safe(text)).plain)


@pytest.mark.slow
@given(texts, st.integers(20, 100))
@example("a " * 37 + "::error:: x", 80)
@example("a" * 74 + "::error:: x", 80)
@example("`:`:error:: x", 80)
def test_no_report_acts_as_a_command_wherever_its_lines_break(text: str, width: int) -> None:
    harmless(printed(report(text), width, verbose=True))


@given(texts)
@example("##[error]x")
@example("\n::error:: x")
def test_no_document_and_no_program_output_acts_as_a_command(text: str) -> None:
    document = to_json(report(text))
    harmless(document)
    result = json.loads(document)["phases"][0]["checkpoints"][0]
    for told in (
        result["message"],
        result["output"],
        result["got"],
        result["reproduce"],
        *result["frames"][0].values(),
    ):
        assert obeyed(str(told)) == []


@pytest.mark.parametrize(
    "text",
    [
        "\x1b[2J\x1b[H",
        "\x1b]0;title\x07",
        "\x1b]8;;http://x\x1b\\link",
        "\x9b31m",
        "a\rb",
        "a\x08\x08b",
        "\u2028",
        "\ufeff",
        "\ud800",
        *BIDI,
    ],
)
def test_escapes_and_direction_marks_are_written_out(text: str) -> None:
    for log in (safe(text), printed(report(text), verbose=True), to_json(report(text))):
        assert dangerous(log) == []
    assert "\\" in safe(text)


def test_a_nearly_right_number_is_shown_in_full_and_text_is_still_shortened() -> None:
    near = CheckResult(
        Verdict.FAILED,
        id="a.b",
        title="t",
        points=1,
        kind=Kind.WRONG_VALUE,
        message="x.grad is wrong",
        expected=1.0,
        got=1.0000000000001,
    )
    phase = PhaseResult("a", "A", (near,))
    assert "1.0000000000001" in printed(Report("1", 1, Isolation(2), "x", "0", (phase,)), 100)
    assert len(shown("x" * 10_000)) < 400
