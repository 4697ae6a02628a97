"""What a beginner is answered: mistakes in the reference solution, each with what `grade` says.

    python benchmarks/beginners/beginners.py [SET] [NAME or PHASE ...]   # print answers to rate

`strangers.toml` has an entry for each mistake: `phase`; `part`, the function or method it is in
(default: the whole file); `old` and `new`, the text and what stands there instead (default of
`old`: the whole part), or `code`, functions in place of the reference's; `says` and `never`, texts
that the answer must and must not have. `newcomer.toml` has them shorter, and says how.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console

from grader.boundary.pool import ProcessHost
from grader.curriculum.load import load_course
from grader.curriculum.source import functions_in, replace_functions
from grader.intake.read import read_submission
from grader.intake.submission import File, Submission
from grader.judge.grade import grade_submission
from grader.judge.job import Caches, Job
from grader.model import CheckResult, Verdict
from grader.views.console import print_lines
from grader.views.failure import in_brief

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).parent
SETS = ("newcomer", "strangers")
COURSE = load_course()
CACHES = Caches()


class Mistake(NamedTuple):
    """A mistake in one function, and what its answer says."""

    name: str
    phase: str
    part: str = ""
    old: str = ""
    new: str = ""
    code: str = ""
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()

    def made_in(self, source: str) -> str:
        """The source with the mistake in it."""
        if self.code:
            texts = functions_in(self.code.encode())
            return replace_functions(source.encode(), texts).decode()
        begin, end = extent(source, self.part) if self.part else (0, len(source))
        old = self.old or source[begin:end]
        if source.count(old, begin, end) != 1:
            raise ValueError(f"{self.name}: {self.old!r} must be there once")
        return source[:begin] + source[begin:end].replace(old, self.new) + source[end:]


def mistakes(name: str) -> dict[str, Mistake]:
    """All mistakes of a set by their names."""
    entries = tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))
    if name == "newcomer":
        return {each.name: each for key, found in entries.items() for each in _short(key, found)}
    return {name: Mistake(name, **entry) for name, entry in entries.items()}


def _short(key: str, entries: dict[str, Any]) -> Iterator[Mistake]:
    """The mistakes in one part, as `newcomer.toml` has them."""
    phase, _, part = key.partition(" ")
    for name, (_at, old, new, *texts) in entries.items():
        never = [text.removeprefix("not: ") for text in texts if text.startswith("not: ")]
        says = [text for text in texts if not text.startswith("not: ")]
        full = f"{part or phase}: {name}"
        yield Mistake(full, phase, part, old, new, says=tuple(says), never=tuple(never))


def extent(source: str, part: str) -> tuple[int, int]:
    """Where a function, or a method (`Class.method`), begins and ends."""
    body = ast.parse(source).body
    for name in part.split("."):
        (found,) = (node for node in body if getattr(node, "name", "") == name)
        body = getattr(found, "body", [])
    lines = source.splitlines(keepends=True)
    return len("".join(lines[: found.lineno - 1])), len("".join(lines[: found.end_lineno]))


def first_failure(mistake: Mistake, host: ProcessHost) -> CheckResult | None:
    """The first checkpoint of its phase that the mistake fails; None if it passes."""
    stage = COURSE.stage(mistake.phase)

    def source_of(file: File) -> str:
        source = file.source.decode()
        return mistake.made_in(source) if file.module == stage.module else source

    files = tuple(
        replace(file, shown=Path(file.shown).name, source=source_of(file).encode())
        for file in read_submission(HERE.parents[1] / "solutions", COURSE.files).files
    )
    job = Job(COURSE, Submission("mistake", files), host, caches=CACHES, prove=1)
    failed = (
        result
        for result in grade_submission(job, (stage,)).checkpoints
        if result.verdict in {Verdict.FAILED, Verdict.ERROR}
    )
    return next(failed, None)


def answer(mistake: Mistake, host: ProcessHost) -> str:
    """The first failure as the terminal shows it; empty if nothing fails."""
    result = first_failure(mistake, host)
    if result is None:
        return ""
    out = StringIO()
    console = Console(file=out, width=100, color_system=None, legacy_windows=False)
    print_lines(in_brief(result, console), console)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("set", nargs="?", default="strangers", choices=SETS)
    parser.add_argument("names", nargs="*", help="mistakes or phases (default: all)")
    options = parser.parse_args()
    found = mistakes(options.set)
    host = ProcessHost(most=0)
    for mistake in found.values():
        if not options.names or {mistake.name, mistake.phase} & set(options.names):
            print(f"=== {mistake.name}")
            print(answer(mistake, host) or "NOT CAUGHT", flush=True)


if __name__ == "__main__":
    main()
