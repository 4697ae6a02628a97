"""Show what is wrong with a checkpoint in plain text, for reports that show only that."""

from __future__ import annotations

from collections.abc import Sequence

from grader.model import CheckResult, Diagnosis, Frame, Misconception, Shown, Verdict
from grader.text import both_shown, safe, shown

NOT_GRADED = "This could not be graded, but it is not your fault. Please tell your instructor."


def message(result: CheckResult) -> str:
    """Return what is wrong, or the verdict, on one line."""
    text = safe(result.message, 400)
    if result.expected is not None and result.verdict is Verdict.FAILED:
        text += f": {compared(result)}"
    return text or result.verdict.value.replace("_", " ")


def details(result: CheckResult) -> str:
    """Return everything: the cause, the known mistake, the learner's lines, how to reproduce it."""
    diagnosis = result.diagnosis or Diagnosis()
    known = diagnosis.misconceptions
    lines = [message(result), reason(result)]
    if result.where is not None:
        lines.append(code_line(result.where))
    lines += [] if known else [safe(diagnosis.advice)]
    lines += [f"{heading(known)} {mistake.title} {mistake.explanation}" for mistake in known]
    lines += [code_line(frame) for frame in result.frames if frame != result.where]
    if result.reproduce:
        lines += ["try it:", *(f"  {line}" for line in safe(result.reproduce, 8000).splitlines())]
    return "\n".join(filter(None, lines))


def reason(result: CheckResult) -> str:
    """Return the cause, unless a known mistake that is sure says the same."""
    diagnosis = result.diagnosis or Diagnosis()
    known = result.expected is not None and diagnosis.misconceptions
    is_said = known and all(mistake.sure for mistake in known)
    return "" if is_said else safe(diagnosis.why)


def compared(result: CheckResult) -> str:
    """Return what the code gave, and what it should have given."""
    got, expected = both_shown(result.got, result.expected)
    return f"got {got}, expected {expected}"


def both_numbers(got: Shown, right: Shown) -> tuple[str, str]:
    """Return a node's number and the right one."""
    return both_shown(got, right) if got is not None else ("nothing", shown(right, 4))


def place(frame: Frame) -> str:
    """Return the place of a line."""
    function = f", in {safe(frame.function)}" if frame.function else ""
    return f"{safe(frame.file)}, line {frame.line}{function}"


def code_line(frame: Frame) -> str:
    """Return the place and the text of a line."""
    return f"{place(frame)}: {safe(frame.source)}" if frame.source else place(frame)


def heading(known: Sequence[Misconception]) -> str:
    """Return the words before a known mistake. Only the learner's source makes it certain."""
    if not all(mistake.sure for mistake in known):
        mistakes = "this known mistake" if len(known) == 1 else "two known mistakes"
        operand = known[0].operand
        begin = f"for {operand}, your code" if operand else ""
        return f"{begin} computes the same as {mistakes}:".lstrip()
    return "known mistake:" if len(known) == 1 else "one of two known mistakes:"
