"""Export the course as an autograder for Gradescope, and fill in the files of exports."""

from __future__ import annotations

import importlib.metadata
import io
import re
import zipfile
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from string import Template

from grader.curriculum.model import MISTAKES, Course
from grader.curriculum.packages import DISTRIBUTION
from grader.views.plain import NOT_GRADED

GRADER = Path(__file__).parents[1]
LOCAL_KIT = "./kit"  # in the learners' repository
ISOLATE = " --isolate"  # one mistake in an early phase must not cost the marks of all later ones


def gradescope(
    course: Course, phases: str, isolation: int, seed: int | None, *, isolate: bool = True
) -> bytes:
    """Return the zip for Gradescope, with the kit, the course and the list of packages."""
    packages = {name for stage in course.select(phases.split()) for name in stage.packages}
    files = {
        "setup.sh": filled("exports/setup.sh"),
        "run_autograder": filled(
            "exports/run_autograder",
            phases=phases,
            isolation=isolation,
            isolate=ISOLATE if isolate else "",
            not_graded=NOT_GRADED,
            seed="" if seed is None else f" GRADE_SECRET_SEED={seed}",
            suites="" if course.private is None else " --suites /autograder/source/suites",
        ),
        "requirements.txt": "".join(
            f"{line}\n" for line in sorted({*requirements(packages)})
        ).encode(),
        **kit_files(course, "kit/grader", "course"),
    }
    if course.private is not None:
        files.update(
            (f"suites/{name}", content)
            for name, content in read_tree(course.private)
            if not name.endswith(f"/{MISTAKES}")
        )
    return zipped(files)


def filled(file: str, /, **words: object) -> bytes:
    """Return a file next to this one, with these words in place of its `$names`."""
    text = (GRADER / "authoring" / file).read_text(encoding="utf-8")
    return Template(text).substitute(words).encode()


def kit_files(course: Course, kit: str, place: str) -> dict[str, bytes]:
    """Return the files of the kit and of the course, with its exercises and solutions."""
    folders = {
        kit: GRADER,
        place: course.folder,
        f"{place}/exercises": course.exercises,
        f"{place}/solutions": course.solutions,
    }
    return {
        f"{inside}/{name}": content
        for inside, folder in folders.items()
        for name, content in read_tree(folder)
    }


def requirements(wanted: Collection[str]) -> Iterator[str]:
    """Return the kit's own requirements, and the requirements of its extras for these packages.

    The versions installed here do not matter, because the image may have an older Python.
    """
    for line in importlib.metadata.requires(DISTRIBUTION) or ():
        requirement, _, marker = line.partition(";")
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower()
        if "extra ==" not in marker:
            yield line
        elif name in wanted:
            yield requirement.strip()


def read_tree(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each file in a folder, except leftovers of tools."""
    for file in sorted(folder.rglob("*")):
        inside = file.relative_to(folder)
        if file.is_file() and not {"__pycache__", ".grade"} & {*inside.parts}:
            yield inside.as_posix(), file.read_bytes()


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return a zip whose bytes depend only on the files. Scripts are executable."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if content.startswith(b"#!") else 0o644) << 16
            archive.writestr(entry, content)
    return stream.getvalue()
