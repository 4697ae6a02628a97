"""A program with its own screen runs commands: it is asked, and it gets the report."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.cli.app import run
from grader.cli.formats import FormatOptions
from grader.curriculum.load import load_course
from grader.judge.job import Caches
from grader.model import Report
from support import fake, kit_folder


class Screen(fake.OneThing):
    """A host that is a page as well."""

    def __init__(self, *answers: str) -> None:
        super().__init__()
        self.course, self.caches = load_course(), Caches()
        self.answers = list(answers)
        self.shown: list[Report] = []

    def ask(self, prompt: str, at_once: str) -> str | None:
        assert prompt == "answer: "
        assert "q" in at_once
        return self.answers.pop(0) if self.answers else None

    def show(self, report: Report, shape: FormatOptions) -> None:
        assert shape.title
        self.shown.append(report)


Captured = pytest.CaptureFixture[str]
SOLUTIONS = str(kit_folder("solutions"))


def test_a_page_is_asked_instead_of_a_terminal(capsys: Captured) -> None:
    page = Screen("n", "q")
    assert (run(["quiz", "phase4", "--seed", "1"], page), page.answers) == (0, [])
    assert "not answered" in capsys.readouterr().out


def test_a_page_gets_the_report_that_is_shown_as_text(capsys: Captured) -> None:
    page = Screen()
    assert run(["phase1", "--at", SOLUTIONS], page) == 0
    assert [report.score for report in page.shown] == [6]
    assert "6/6\n" in capsys.readouterr().out


def test_a_host_that_isolates_less_than_required_is_refused(capsys: Captured) -> None:
    assert run(["phase1", "--at", SOLUTIONS, "--require-isolation", "2"], Screen()) == 3
    assert "isolation 2 is required" in capsys.readouterr().err


@pytest.mark.usefixtures("home")
def test_a_page_opens_the_trace_itself(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr("webbrowser.open", lambda _: pytest.fail("a browser is opened"))
    monkeypatch.setenv("DISPLAY", ":0")
    assert run(["trace", "a*b", "--set", "a=2", "--set", "b=3"], Screen()) == 0
    assert "the trace is in .grade/trace.html\n" in capsys.readouterr().err


def test_a_page_gets_the_picture_of_a_training_in_a_file(home: Path, capsys: Captured) -> None:
    assert run(["show", "--steps", "1"], Screen()) == 0
    printed = capsys.readouterr().out
    assert ("in 1 step" in printed, "\u2580" in printed) == (True, False)  # no coloured blocks
    assert (home / ".grade" / "training.svg").read_text(encoding="utf-8").startswith("<svg")
