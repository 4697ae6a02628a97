"""Golden cases: submissions of all kinds, each a table in `tests/golden/submissions` with what
must become of it. `tests/support/golden.py` says how its text is written. The other words:

    title       what the case is about
    phases      what to grade
    exit_code   of the command
    seconds     how much processor time it may take at most, the judge's and the workers', on an
    idle machine (30 unless told)
    others      the verdict of every checkpoint that is not named; without it those may be anything
    but `error`
    repeat      true: a second grading must give the same document
    encoding    how the file is saved, if not as UTF-8

    note_contains  a part of one of the report's notes

    verdicts            checkpoint -> "verdict" or "verdict kind"
    message_contains    checkpoint -> a part of its message
    output_contains     checkpoint -> a part of what it shows of the learner's prints
    reproduce_contains  checkpoint -> a part of its script
    frames              checkpoint -> the line of `engine.py` that its innermost frame is in
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.authoring.listings import false_lines
from grader.intake.read import read_submission
from grader.model import CheckResult, Kind, Verdict
from grader.text import safe
from grader.views.json import to_json
from support.golden import TEXT, read_cases, unpacked
from support.grading import COURSE, grade

pytestmark = pytest.mark.slow

# what shares its cores with others runs slower; a time-out for every example would cost ten times
# as much
BUSY = 3
CASES = read_cases("submissions")
WORDS = TEXT | {
    "theme",
    "title",
    "phases",
    "exit_code",
    "seconds",
    "others",
    "repeat",
    "verdicts",
    "message_contains",
    "output_contains",
    "reproduce_contains",
    "frames",
    "note_contains",
}


@pytest.mark.parametrize("name", CASES)
def test_a_submission_gets_the_right_verdicts(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    assert set(case) <= WORDS, "a word that means nothing here"
    folder = shutil.copytree(unpacked("submissions") / name, tmp_path / name)

    begun = _processor_seconds()
    report = grade(folder, phases=case["phases"])
    seconds = _processor_seconds() - begun

    results = {result.id: result for result in report.checkpoints}
    problems = [
        *_wrong_verdicts(case, results),
        *_missing_texts(case, results),
        *_wrong_frames(case, results),
    ]
    problems += [problem for result in report.checkpoints for problem in _never(result, folder)]
    for result in report.checkpoints:
        compile(result.reproduce, f"the script of {result.id}", "exec")
    wrong = [one for one in results.values() if one.kind in {Kind.WRONG_VALUE, Kind.BAD_TYPE}]
    files = read_submission(folder, COURSE.files).files
    problems += false_lines([one for one in wrong if "print(" in one.reproduce][:1], files)
    if not any(case.get("note_contains", "") in note for note in (*report.notes, "")):
        problems.append(f"the notes are {report.notes}")
    if report.exit_code != case["exit_code"]:
        problems.append(f"the exit code is {report.exit_code} instead of {case['exit_code']}")
    if seconds > BUSY * case.get("seconds", 30):
        problems.append(f"it took {seconds:.1f} s; {case.get('seconds', 30)} s are allowed")
    document = _strict(to_json(report))
    if case.get("repeat") and document != _strict(to_json(grade(folder, phases=case["phases"]))):
        problems.append("a second grading gave another document")
    assert not problems, "\n".join([case["title"], *problems])


def _processor_seconds() -> float:
    """What this process and those that it has ended have used: a busy machine changes it little."""
    return sum(os.times()[:4])


def _wrong_verdicts(case: dict[str, Any], results: dict[str, CheckResult]) -> list[str]:
    wanted = case.get("verdicts", {})
    problems = [f"{id}: there is no such checkpoint" for id in wanted if id not in results]
    for id, result in results.items():
        want = wanted.get(id, case.get("others", ""))
        got = f"{result.verdict.value} {result.kind.value if result.kind else ''}".split()
        if want and want.split() != got[: len(want.split())]:
            problems.append(f"{id}: {' '.join(got)} instead of {want}: {result.message}")
    return problems


def _missing_texts(case: dict[str, Any], results: dict[str, CheckResult]) -> list[str]:
    shown: dict[str, Callable[[CheckResult], str]] = {
        "message_contains": lambda result: safe(result.message),
        "output_contains": lambda result: safe(result.output),
        "reproduce_contains": lambda result: safe(result.reproduce),
    }
    return [
        f"{id}: {word.replace('_', ' ')} not {part!r} but {read(results[id])!r}"
        for word, read in shown.items()
        for id, part in case.get(word, {}).items()
        if part not in read(results[id])
    ]


def _wrong_frames(case: dict[str, Any], results: dict[str, CheckResult]) -> list[str]:
    return [
        f"{id}: the frames are {[frame.line for frame in results[id].frames]}, not in line {line}"
        for id, line in case.get("frames", {}).items()
        if not results[id].frames or results[id].frames[-1].line != line
    ]


def _never(result: CheckResult, folder: Path) -> list[str]:
    """What may be true of no result, whatever was handed in."""
    problems = []
    if result.verdict is Verdict.ERROR:
        problems.append(f"{result.id}: the grader blames itself: {result.message}")
    if any(not Path(frame.file).is_relative_to(folder) for frame in result.frames):
        problems.append(f"{result.id}: frames that are not the learner's: {result.frames}")
    if any(
        word in result.message + result.output
        for word in ("Traceback (most", "grader/", "worker.py")
    ):
        problems.append(
            f"{result.id}: something of ours is shown: {result.message} {result.output[:300]}"
        )
    return problems


def _strict(text: str) -> dict[str, Any]:
    """The document as a parser reads it that knows no NaN; durations left out."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    document: dict[str, Any] = json.loads(text, parse_constant=refuse)
    for phase in document["phases"]:
        for checkpoint in phase["checkpoints"]:
            del checkpoint["duration_s"]
    return document
