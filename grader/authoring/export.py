"""Export the course: an autograder for Gradescope, a workflow for GitHub, the learners' files
without any answers.

The learners' files are searched before they are written. An answer in them is an error, not a
warning.
"""

from __future__ import annotations

import ast
import importlib.metadata
import io
import json
import re
import zipfile
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from string import Template

from grader import __version__
from grader.curriculum.model import Course
from grader.curriculum.packages import DISTRIBUTION
from grader.curriculum.source import definitions
from grader.curriculum.syntax import parse_python
from grader.errors import CourseError, UsageError
from grader.learner.workspace import README, readme

_GRADER = Path(__file__).parents[1]
ISOLATE = " --isolate"  # one mistake in an early phase must not cost the marks of all later ones
SHORTEST = 12  # characters of a line that gives something away; `return out` is nobody's secret

_SETUP = Template("""#!/usr/bin/env bash
# Once, when the autograder's image is built: the Python packages that grading needs.
set -euo pipefail
apt-get install -y python3 python3-pip python3-venv
python3 -m venv /autograder/venv
/autograder/venv/bin/python -m pip install --requirement /autograder/source/requirements.txt
chmod -R go-rwx /autograder/source
""")
_RUN = Template("""#!/usr/bin/env bash
# For each submission. Started as root, the grader gives the code that it grades another user, to whom the suites are unreadable.
set -uo pipefail
export PYTHONPATH=/autograder/source/kit PYTHONDONTWRITEBYTECODE=1 GRADE_COURSE=/autograder/source/course$seed
cd /autograder/source
/autograder/venv/bin/python -m grader $phases --at /autograder/submission --format gradescope --output /autograder/results/results.json \\
    --require-isolation $isolation$isolate$suites 2> /tmp/told
code=$$?
cat /tmp/told  # which instructors see
if [ ! -s /autograder/results/results.json ]; then  # nothing was graded: say why, or that it is not the learner's fault
    /autograder/venv/bin/python - $$code <<'END'
import json, sys
told = open("/tmp/told", encoding="utf-8", errors="replace").read()
if sys.argv[1] != "2":
    told = "This could not be graded, but it is not your fault. Please tell your instructor."
results = {"score": 0, "output": told, "output_format": "text", "stdout_visibility": "hidden"}
json.dump(results, open("/autograder/results/results.json", "w"))
END
fi
exit 0
""")  # noqa: E501
_GITHUB = Template(
    """# Grades every push: an annotation for each failure, a summary, and a job that fails unless all checkpoints pass.
name: grade
on: [push, workflow_dispatch]
permissions:
  contents: read
jobs:
  grade:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v4
        with:
          persist-credentials: false
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: python -m pip install "$requirement"
      - name: grade
        run: grade $phases --at $folder --format github --require-isolation $isolation$isolate
      - name: summary
        if: always()
        run: grade $phases --at $folder --format markdown$isolate --output "$$GITHUB_STEP_SUMMARY" || true
"""  # noqa: E501
)


def gradescope(
    course: Course, phases: str, isolation: int, seed: int | None, *, isolate: bool = True
) -> bytes:
    """The zip that Gradescope takes: `setup.sh`, `run_autograder`, the kit with the course, and the
    packages that it needs.
    """
    packages = {name for stage in course.select(phases.split()) for name in stage.packages}
    files = {
        "setup.sh": _SETUP.substitute().encode(),
        "run_autograder": (
            _RUN.substitute(
                phases=phases,
                isolation=isolation,
                isolate=ISOLATE if isolate else "",
                seed="" if seed is None else f" GRADE_SECRET_SEED={seed}",
                suites="" if course.private is None else " --suites /autograder/source/suites",
            ).encode()
        ),
        "requirements.txt": "".join(
            f"{line}\n" for line in sorted({*_requirements(packages)})
        ).encode(),
        **{f"kit/grader/{name}": content for name, content in _tree(_GRADER)},
        **{
            f"course/{inside}{name}": content
            for inside, folder in (
                ("", course.folder),
                ("exercises/", course.exercises),
                ("solutions/", course.solutions),
            )
            for name, content in _tree(folder)
        },
    }
    if course.private is not None:
        files.update(
            (f"suites/{name}", content)
            for name, content in _tree(course.private)
            if "/faulty/" not in name
        )
    return _zipped(files)


def _requirements(wanted: Collection[str]) -> Iterator[str]:
    """Return the kit's own requirements, and those of its extras for these packages.

    What is installed here is no guide: the image may have an older Python.
    """
    for line in importlib.metadata.requires(DISTRIBUTION) or ():
        requirement, _, marker = line.partition(";")
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower()
        if "extra ==" not in marker:
            yield line
        elif name in wanted:
            yield requirement.strip()


def _tree(folder: Path) -> Iterator[tuple[str, bytes]]:
    for file in sorted(folder.rglob("*")):
        inside = file.relative_to(folder)
        if file.is_file() and not {"__pycache__", ".grade"} & {*inside.parts}:
            yield inside.as_posix(), file.read_bytes()


def _zipped(files: Mapping[str, bytes]) -> bytes:
    """Return a zip that has the same bytes for the same files. Scripts are executable."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if content.startswith(b"#!") else 0o644) << 16
            archive.writestr(entry, content)
    return stream.getvalue()


def github(
    phases: str,
    folder: str,
    isolation: int,
    requirement: str | None = None,
    *,
    isolate: bool = True,
) -> bytes:
    """A workflow for GitHub Actions, and so for GitHub Classroom. Raises UsageError if nothing says
    where GitHub can get the kit.
    """
    requirement = requirement or _requirement()
    return _GITHUB.substitute(
        phases=phases,
        folder=folder,
        isolation=isolation,
        isolate=ISOLATE if isolate else "",
        requirement=requirement,
    ).encode()


def _requirement() -> str:
    """Return the commit or the release that this kit was installed from."""
    origin = _origin()
    if not origin:
        return f"{DISTRIBUTION}=={__version__}"
    match origin:
        case {"url": str(url), "vcs_info": {"vcs": str(vcs), "commit_id": str(commit)}}:
            return f"{DISTRIBUTION} @ {vcs}+{url}@{commit}"
    raise UsageError(
        "this kit comes from a local folder or file, which GitHub cannot reach",
        "name a place that it can reach: --requirement git+https://HOST/REPOSITORY",
    )


def _origin() -> dict[str, object]:
    """Return where an installer found this kit (PEP 610): nothing for a package index."""
    try:
        found = importlib.metadata.distribution(DISTRIBUTION).read_text("direct_url.json")
    except importlib.metadata.PackageNotFoundError:
        return {"url": _GRADER.as_uri()}
    origin: dict[str, object] = json.loads(found or "{}")
    return origin


def student(course: Course) -> dict[str, bytes]:
    """Return the exercises and a README. Raise CourseError if one holds an answer."""
    files = {file: (course.exercises / file).read_bytes() for file in course.files} | {
        README: readme(course).encode()
    }
    if leaks := list(find_leaks(course, files)):
        told = "; ".join(leaks[:5])
        raise CourseError(
            f"the learners' files give something away: {told}", "remove it from the exercises"
        )
    return files


def find_leaks(course: Course, files: Mapping[str, bytes]) -> Iterator[str]:
    """Yield lines of a solution or a hidden suite that appear in the learners' files, and stubs
    that are already written.

    In a docstring or a text file, a single such line may be an example; two consecutive ones are
    reported.
    """
    secret = _secrets(course)
    for name, content in files.items():
        lines = content.decode("utf-8", "replace").splitlines()
        known = [secret.get(_normal(line.strip().lstrip("#>. "))) for line in lines]
        texts = _docstring_lines(content) if name.endswith(".py") else set(range(len(lines)))
        for index, where in enumerate(known):
            beside = (known[index - 1] if index else None) or (
                known[index + 1] if index + 1 < len(known) else None
            )
            if where is not None and (index not in texts or beside is not None):
                yield f"{name}, line {index + 1}: {lines[index].strip()[:80]!r} is in {where}"
        if name.endswith(".py"):
            wanted = {
                function
                for stage in course.stages
                if stage.file == name
                for function in course.functions(stage)
            }
            for function, node in definitions(parse_python(content)):
                if function in wanted and not isinstance(node.body[-1], ast.Raise):
                    yield f"{name}: {function} is not a stub"


def _docstring_lines(source: bytes) -> set[int]:
    """Return the indices of all lines in docstrings."""
    found: set[int] = set()
    for node in ast.walk(parse_python(source)):
        if (
            isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
            and ast.get_docstring(node) is not None
        ):
            found |= set(range(node.body[0].lineno - 1, node.body[0].end_lineno or 0))
    return found


def _secrets(course: Course) -> dict[str, str]:
    """Return the lines of code that learners must find themselves, with the file of each. Lines
    that the exercises contain do not count.
    """
    given = {
        _normal(line) for file in course.files for line in _code_lines(course.exercises / file)
    }
    secret: dict[str, str] = {}
    for stage in course.stages:
        for file in (course.solutions / stage.file, *stage.suites):
            for line in _code_lines(file):
                if len(_normal(line)) >= SHORTEST and _normal(line) not in given:
                    secret.setdefault(_normal(line), f"{file.parent.name}/{file.name}")
    return secret


def _code_lines(file: Path) -> Iterator[str]:
    """Yield the lines inside functions, without docstrings."""
    source = file.read_text(encoding="utf-8")
    lines = source.splitlines()
    for _, node in definitions(parse_python(source)):
        first = node.body[1:] if ast.get_docstring(node) is not None else node.body
        for part in first:
            yield from lines[part.lineno - 1 : part.end_lineno]


def _normal(line: str) -> str:
    return "".join(line.partition("#")[0].split())
