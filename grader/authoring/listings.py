"""Run the lines under `try it`, each listing in a fresh Python, and check that they do what their
comment says. Only for the course's own code.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.intake.submission import File
from grader.judge.plain_values import is_same
from grader.judge.replies import same_every_time
from grader.model import CheckResult, Verdict

_NOT_TRIED = (
    "does not end",
    "uses up the memory",
    "ends the interpreter",
    "brings the interpreter down",
)
_GIVES = re.compile(r"gives (.+?), (?:should give (.*?)|as it should)(?:; after other scripts .*)?")


def false_lines(results: Sequence[CheckResult], files: Sequence[File]) -> Iterator[str]:
    """Yield a sentence for each false listing in results about the code in `files`."""
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            Path(folder, f"{file.module}.py").write_bytes(file.source)
        for result in results:
            code, _, comment = result.reproduce.rpartition("  # ")
            tried = result.verdict is Verdict.FAILED and code and not comment.startswith(_NOT_TRIED)
            if tried and (trouble := _trouble(code, comment, folder)):
                yield f"{result.id}: {trouble}"


def _trouble(code: str, comment: str, folder: str) -> str:
    """Return the complaint about a listing, or an empty string if it does what its comment says."""
    try:
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-E", "-B", "-X", "utf8", "-c", code],
            cwd=folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=30.0,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"does not end, and says {comment!r}"
    raised = done.stderr.strip().splitlines()[-1:] if done.returncode else []
    name = raised[0].partition(":")[0].rpartition(".")[2] if raised else ""
    if comment.startswith("raises ") and not comment.startswith("raises nothing"):
        wanted = comment.removeprefix("raises ").partition(":")[0].rpartition(".")[2]
        return "" if name == wanted else f"raises {name or 'nothing'}, and says {comment!r}"
    if done.returncode:
        return f"raises {name}, and says {comment!r}"
    if not (comment_parts := _GIVES.fullmatch(comment)):
        return ""
    gives, printed = comment_parts[1], (done.stdout.splitlines() or [""])[-1]
    if gives == comment_parts[2]:
        return f"says {comment!r}, twice the same"
    return "" if _same(printed, gives) else f"prints {printed[:80]!r}, and says {comment!r}"


def _same(printed: str, promised: str) -> bool:
    printed = same_every_time(printed) or "''"
    try:
        return is_same(float(printed), float(promised))
    except ValueError:
        return printed == promised
