"""Export a course for learners: the exercises, and the tool with the suites but no solutions.

Learners install it from its own folder `kit`. Everything it lacks needs the solutions: the fourth
hints, `grade solution`, grading with the reference, and the names of known mistakes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.metadata import files, requires

from grader import __version__
from grader.authoring.export import GRADER, LOCAL_KIT, filled, read_tree, requirements
from grader.authoring.leaks import find_bodies, find_leaks
from grader.curriculum.model import COURSE, MISTAKES, STAGE, Course
from grader.curriculum.packages import DISTRIBUTION
from grader.errors import CourseError
from grader.learner.workspace import README, readme

KIT = LOCAL_KIT.removeprefix("./")
_BUILT_IN = "course/"
# the value of a key: a text of several lines, a list, or the rest of the line
_VALUE = r"""[ \t]*=[ \t]*(?:\"\"\".*?\"\"\"|'''.*?'''|\[.*?\]|)[^\n]*\n"""


def student(course: Course, *, solutions: bool = False) -> dict[str, bytes]:
    """Return the files of a kit for learners, by name. With `solutions`, it has everything.

    Raise CourseError if the exercises or the kit give an answer away.
    """
    own = {file: (course.exercises / file).read_bytes() for file in course.files}
    own[README] = readme(course, install=filled("exports/install.md", kit=KIT).decode()).encode()
    content = dict(_course_files(course, solutions=solutions))
    leaks = [*find_leaks(course, own), *(() if solutions else find_bodies(course, content))]
    if leaks:
        raise CourseError(
            f"the learners' files give something away: {'; '.join(leaks[:5])}",
            "remove it from the exercises or the course",
        )
    inside = {
        "pyproject.toml": _project(course),
        "LICENSE": next(
            file for file in files(DISTRIBUTION) or () if file.name == "LICENSE"
        ).read_binary(),
        **{
            f"grader/{name}": text
            for name, text in read_tree(GRADER)
            if not name.startswith(_BUILT_IN)
        },
        **{f"grader/{_BUILT_IN}{name}": text for name, text in content.items()},
    }
    return own | {f"{KIT}/{name}": content for name, content in inside.items()}


def _course_files(course: Course, *, solutions: bool) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the course as the built-in course of a kit, without `kit` and the keys
    that only the solutions explain.
    """
    keys, apart = "kit", ["exercises/", "solutions/", "."]
    if not solutions:
        keys = "kit|styles|code"
        apart += [*course.styles, *(f"{stage.id}/{MISTAKES}" for stage in course.stages)]
    for name, content in read_tree(course.folder):
        if name == COURSE or (name.endswith(f"/{STAGE}") and not solutions):
            yield name, re.sub(rf"(?ms)^[ \t]*(?:{keys}){_VALUE}", "", content.decode()).encode()
        elif not name.startswith(tuple(apart)):
            yield name, content
    yield from (
        (f"{folder.name}/{file}", (folder / file).read_bytes())
        for folder in (course.exercises, *((course.solutions,) if solutions else ()))
        for file in course.files
    )


def _project(course: Course) -> bytes:
    """Return a pyproject.toml that installs the kit and the packages of its required phases."""
    needed = {name for stage in course.stages if not stage.optional for name in stage.packages}
    known = requires(DISTRIBUTION) or ()
    extra = (re.fullmatch(r"([^;]+?)\s*;.*extra == ['\"]tensor['\"]", line) for line in known)
    return filled(
        "exports/pyproject.toml.txt",
        name=DISTRIBUTION,
        version=__version__,
        dependencies=json.dumps(sorted({*requirements(needed)}), indent=2),
        extras=f"tensor = {json.dumps([found[1] for found in extra if found])}\n",
    )
