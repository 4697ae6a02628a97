"""Find the adapter of an engine that was not written for this course, and read its report."""

from __future__ import annotations

from pathlib import Path

from grader.boundary.pool import ProcessHost
from grader.intake.adapter import Adapter, adapter_text, read_adapter
from grader.intake.foreign import root_of
from grader.learner.adapting.search import find_engine
from grader.model import Report, Verdict
from support import touch
from support.grading import COURSE, grade


def adapted(path: Path, folder: Path) -> tuple[Adapter, str]:
    """Return the adapter that is found for an engine, written and read again, and its text."""
    packages = ("numpy",) if "numpy" in path.name else ()
    adapter, *_ = find_engine(COURSE, path, root_of(path), ProcessHost(), packages)
    text = adapter_text(adapter)
    touch(folder / "adapter.toml", text=text)
    return read_adapter(folder / "adapter.toml"), text


def adapt_and_grade(path: Path, folder: Path, *phases: str) -> tuple[str, Report]:
    """Return the text of the adapter that is found, and the report with it."""
    adapter, text = adapted(path, folder)
    return text, grade(path, phases or ("1-6",), adapter=adapter)


def with_verdict(report: Report, *verdicts: Verdict) -> set[str]:
    """Return the checkpoints with one of these verdicts, except bonuses."""
    return {c.id for c in report.checkpoints if c.verdict in verdicts and not c.bonus}


def failed(report: Report) -> set[str]:
    """Return the checkpoints that fail or are blocked, except bonuses."""
    return with_verdict(report, Verdict.FAILED, Verdict.BLOCKED, Verdict.ERROR)


def passed(report: Report) -> set[str]:
    """Return the checkpoints that pass, except bonuses."""
    return with_verdict(report, Verdict.PASSED)
