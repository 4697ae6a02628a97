"""Write signs, words and places in the same way for every view."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from grader.model import CheckResult, Frame, Verdict
from grader.text import safe
from grader.views.answer import answer_to

NOT_GRADED = "This could not be graded, but it is not your fault. Please tell your instructor."
SIGNS = {  # in Unicode and in ASCII, then the colour
    Verdict.PASSED: ("✓", "+", "green"),
    Verdict.FAILED: ("✗", "x", "bold red"),
    Verdict.BLOCKED: ("▫", "-", "dim"),
    Verdict.NOT_STARTED: ("▫", "-", "dim"),
    Verdict.ERROR: ("!", "!", "magenta"),
}
WORDS = {
    Verdict.PASSED: "passed",
    Verdict.FAILED: "failed",
    Verdict.BLOCKED: "waiting",
    Verdict.NOT_STARTED: "waiting",
    Verdict.ERROR: "error",
}


def dumped(document: Mapping[str, Any], indent: int | None = 2) -> str:
    """Return a document as JSON that every parser accepts, on one line if `indent` is None."""
    return json.dumps(document, indent=indent, ensure_ascii=False, allow_nan=False)


def message(result: CheckResult) -> str:
    """Return the fault, or the verdict, on one line."""
    return answer_to(result).compared or WORDS[result.verdict]


def place(frame: Frame) -> str:
    """Return the place of a line, such as `engine.py:413, in Value.tanh`."""
    function = f", in {safe(frame.function)}" if frame.function else ""
    between = ", line " if frame.file.startswith("cell ") else ":"
    return f"{safe(frame.file)}{between}{frame.line}{function}"


def code_line(frame: Frame) -> str:
    """Return the place and the text of a line."""
    return f"{place(frame)}: {safe(frame.source)}" if frame.source else place(frame)
